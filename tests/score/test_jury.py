import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.records import JuryRules, Verdict
from generator.score.judged import Ask, Judge, Subject, conflicts, plan, shared_verdicts, third_for, twins

from .verdicts import call, verdict

# The pool of the published methodology: a default pair, two spare judges, four vendors.
POOL = [
    Judge("gemini", "Google"),
    Judge("gpt", "OpenAI"),
    Judge("mistral", "Mistral AI"),
    Judge("claude", "Anthropic"),
]
JURY = JuryRules(pair=("gemini", "gpt"), third=("claude", "mistral"))


def asked(asks: list[Ask]) -> list[tuple[str, str, int]]:
    return [(ask.judge.id, ask.role, ask.attempt) for ask in asks]


def plan_for(vendor: str, *lines: Verdict, jury: JuryRules = JURY, pool: list[Judge] = POOL, attempts: int = 2):
    return asked(plan([Subject("call-1", "t1", vendor)], pool, jury, lines, attempts))


@pytest.mark.parametrize(
    ("vendor", "first", "second"),
    [
        ("Meta", "gemini", "gpt"),
        ("OpenAI", "gemini", "claude"),
        ("Google", "gpt", "claude"),
        ("google", "gpt", "claude"),
        ("Anthropic", "gemini", "gpt"),
    ],
)
def test_no_judge_judges_its_own_vendor(vendor: str, first: str, second: str) -> None:
    assert plan_for(vendor) == [(first, "first", 1), (second, "second", 1)]


def test_the_rule_can_be_waived_by_the_suite() -> None:
    jury = JuryRules(pair=("gemini", "gpt"), forbid_same_vendor=False)
    assert plan_for("Google", jury=jury) == [("gemini", "first", 1), ("gpt", "second", 1)]


def test_a_pair_comes_from_two_vendors() -> None:
    pool = [Judge("a", "X"), Judge("b", "x "), Judge("c", "Y")]
    assert plan_for("Z", jury=JuryRules(pair=("a", "b"), third=("c",)), pool=pool) == [
        ("a", "first", 1),
        ("c", "second", 1),
    ]


def test_a_pool_without_a_pair_asks_nobody() -> None:
    assert plan_for("OpenAI", pool=POOL[:2]) == []


def test_what_is_there_is_not_asked_again() -> None:
    assert plan_for("Meta", verdict("gemini")) == [("gpt", "second", 1)]
    assert plan_for("Meta", verdict("gemini"), verdict("gpt", "second", 3)) == []


@pytest.mark.parametrize(("scores", "third"), [((4, 5), []), ((2, 4), [("claude", "third", 1)])])
def test_a_third_is_asked_only_beyond_the_gap(scores: tuple[int, int], third: list) -> None:
    first, second = scores
    assert plan_for("Meta", verdict("gemini", score=first), verdict("gpt", "second", second)) == third


def test_a_third_from_a_third_vendor_is_preferred() -> None:
    pool = [*POOL, Judge("gpt-mini", "OpenAI")]
    jury = JuryRules(pair=("gemini", "gpt"), third=("gpt-mini", "mistral"))
    lines = (verdict("gemini", score=1), verdict("gpt", "second", 5))
    assert plan_for("Meta", *lines, jury=jury, pool=pool) == [("mistral", "third", 1)]
    assert plan_for("Mistral AI", *lines, jury=jury, pool=pool) == [("gpt-mini", "third", 1)]


def test_a_third_is_never_one_of_the_pair_and_there_may_be_none() -> None:
    lines = (verdict("gpt", score=1), verdict("claude", "second", 5))
    jury = JuryRules(pair=("gemini", "gpt"), third=("claude",))
    assert plan_for("Google", *lines, jury=jury) == []
    known = {judge.id: judge for judge in POOL}
    assert third_for("Google", (known["gpt"], known["claude"]), known, jury) == ()


def test_an_unusable_verdict_is_asked_for_again_until_the_attempts_are_used_up() -> None:
    once = verdict("gemini", score=None)
    assert plan_for("Meta", once) == [("gemini", "first", 2), ("gpt", "second", 1)]
    assert plan_for("Meta", once, verdict("gemini", score=None, attempt=2)) == [("gpt", "second", 1)]


def test_a_verdict_that_the_budget_stopped_is_no_attempt() -> None:
    stopped = [verdict("gemini", score=None, status="budget_exceeded", attempt=n) for n in (1, 2, 3)]
    assert plan_for("Meta", *stopped)[0] == ("gemini", "first", 4)


def test_verdicts_of_other_answers_and_other_roles_are_no_ones_business() -> None:
    assert len(plan_for("Meta", verdict("gemini", subject="call-2"), verdict("gemini", "calibration"))) == 2


def test_subjects_are_asked_in_their_order() -> None:
    subjects = [Subject(name, "t1", "Meta") for name in ("b", "a")]
    assert [ask.subject.call_id for ask in plan(subjects, POOL, JURY, (), 1)] == ["b", "b", "a", "a"]


VENDORS = ["Google", "OpenAI", "Mistral AI", "Anthropic", "Meta"]


@given(
    st.lists(st.sampled_from(VENDORS), min_size=1, max_size=6),
    st.permutations([judge.id for judge in POOL]),
    st.lists(st.sampled_from([None, 1, 2, 3, 4, 5]), min_size=40, max_size=40),
)
def test_following_the_plan_ends_and_leaves_no_conflict(vendors: list, order: list, scores: list) -> None:
    jury = JuryRules(pair=tuple(order[:2]), third=tuple(order[2:]))
    subjects = [Subject(f"call-{n}", "t1", vendor) for n, vendor in enumerate(vendors)]
    vendor_of = {judge.id: judge.vendor for judge in POOL}
    lines: list[Verdict] = []
    while asks := plan(subjects, POOL, jury, lines, 2):
        assert len(lines) < 6 * len(subjects)
        for ask in asks:
            score = scores[len(lines) % len(scores)]
            lines.append(
                verdict(
                    ask.judge.id, ask.role, score, ask.subject.call_id, attempt=ask.attempt, vendor=ask.judge.vendor
                )
            )
    calls = [call(f"call-{n}", vendor, output=str(n)) for n, vendor in enumerate(vendors)]
    assert conflicts(calls, lines, vendor_of | {vendor: vendor for vendor in vendors}) == []
    for subject in subjects:
        roles = {line.role: line.by for line in lines if line.subject == subject.call_id}
        assert {"first", "second"} <= roles.keys()
        assert len(set(roles.values())) == len(roles)
        assert vendor_of[roles["first"]] != vendor_of[roles["second"]]


# Identical answers

SERVICES = {"luna": "OpenAI", "sol": "OpenAI", "maverick": "Meta", "kimi": "Moonshot", "gemini": "Google"}


def test_identical_answers_share_a_judge_only_under_the_same_jury() -> None:
    calls = [
        call("c1", "maverick"),
        call("c2", "kimi"),
        call("c3", "luna"),
        call("c4", "sol"),
        call("c5", "kimi", output="lain"),
        call("c6", "kimi", task_id="t2"),
    ]
    assert twins(calls, SERVICES, ["OpenAI", "Google"]) == {
        "c1": "c1", "c2": "c1", "c3": "c3", "c4": "c3", "c5": "c5", "c6": "c6",
    }  # fmt: skip


def test_a_call_borrows_its_twins_verdicts_but_not_across_a_conflict() -> None:
    calls = [call("c1", "maverick"), call("c2", "kimi"), call("c3", "gemini"), call("c4", "luna")]
    lines = (
        verdict("gemini", subject="c1", vendor="Google"),
        verdict("gpt", "second", subject="c1", vendor="OpenAI"),
    )
    shared = shared_verdicts(calls, lines, SERVICES)
    assert shared == {"c1": lines, "c2": lines, "c3": (), "c4": ()}


def test_a_call_with_verdicts_of_its_own_keeps_them() -> None:
    calls = [call("c1", "maverick"), call("c2", "kimi")]
    lines = [verdict("gemini", subject="c1", score=2), verdict("gemini", subject="c2", score=5)]
    shared = shared_verdicts(calls, lines, SERVICES)
    assert [shared[each][0].score for each in ("c1", "c2")] == [2, 5]


def test_calls_without_an_answer_have_no_twin() -> None:
    calls = [replace(call(name, "kimi"), output=None, output_sha256=None) for name in ("c1", "c2")]
    assert twins(calls, SERVICES, []) == {"c1": "c1", "c2": "c2"}


def test_a_conflict_is_found_in_the_line_or_in_the_services() -> None:
    calls = [call("c1", "luna"), call("c2", "maverick")]
    honest = verdict("gpt", subject="c1", vendor="OpenAI")
    hidden = verdict("sol", subject="c1", vendor=None)
    misnamed = verdict("sol", subject="c1", vendor="Someone else")
    fine = verdict("gpt", subject="c2", vendor="OpenAI")
    assert conflicts(calls, [honest, fine], SERVICES) == [("c1", "gpt")]
    assert conflicts(calls, [hidden, fine], SERVICES) == [("c1", "sol")]
    assert conflicts(calls, [misnamed, fine], SERVICES) == [("c1", "sol")]
    assert conflicts(calls, [fine], SERVICES) == []
