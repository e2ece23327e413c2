"""Service studies from stored calls to their verdict: the seed's figures, broken designs, sequential ones."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import msgspec
import pytest

from generator.publish.study_views import StudyView
from generator.records import Design, Figure, Measured, Primary, Setting, Stop, Withheld
from tests.publish.sample import (
    START,
    answered,
    changed,
    comparison,
    passes,
    study,
    study_calls,
    suite,
)

EVEN = {"a": passes([4, 4, 4, 4], 5), "b": passes([2, 2, 2, 2], 5)}
"""16 of 20 and 8 of 20, spread evenly over four blocks."""
FISHER = comparison(primary=Primary(metric="first_pass_rate", between=("a", "b"), test="fisher"))
SEQUENTIAL = comparison(stop=Stop(rule="sequential", method="e_process_2x2"))


def point(figure: Figure) -> Fraction:
    assert isinstance(figure, Measured), figure
    return figure.point


def bounds(figure: Figure) -> tuple[float, float]:
    assert isinstance(figure, Measured)
    assert figure.low is not None
    assert figure.high is not None
    return figure.low, figure.high


def overall(view: StudyView) -> dict[str, tuple[int, int, int]]:
    return {each.service: (each.requests, each.passed, each.failed) for each in view.overall}


def test_16_of_20_and_8_of_20_give_the_published_figures() -> None:
    """is-the-model-dumber § 3; oracles wilson_16_20, wilson_8_20, newcombe_16_20_8_20, cmh_exact_even."""
    view = study(EVEN)
    a, b = view.overall
    assert point(a.all_rate) == 80
    assert bounds(a.all_rate) == pytest.approx((58.398256774810641, 91.934233742020196), abs=1e-9)
    assert bounds(b.all_rate) == pytest.approx((21.880653237281704, 61.341849923774684), abs=1e-9)
    assert point(view.difference) == 40
    assert bounds(view.difference) == pytest.approx((9.63373798874916, 61.6964665813768708), abs=1e-9)
    assert point(view.p) == Fraction(6395, 222264)
    assert point(view.odds_ratio) == 6
    assert point(view.homogeneity) == 1
    assert view.verdict == "difference"
    assert not view.breaches


def test_the_declared_test_is_the_one_that_is_made() -> None:
    """oracle fisher_16_4_8_12, printed by the seed as 0.0224774273717544."""
    view = study(EVEN, FISHER)
    assert point(view.p) == Fraction(2243, 99789)
    assert float(point(view.p)) == pytest.approx(0.0224774273717544, abs=1e-16)
    assert view.test == "fisher"
    assert isinstance(view.p, Measured)
    assert (view.p.recipe.method, view.p.recipe.n, view.p.recipe.unit) == ("fisher", 40, "requests")


@pytest.mark.parametrize(
    ("a", "b", "p"),
    [([5, 4, 4, 3], [1, 2, 3, 2], Fraction(10277, 381024)), ([5, 5, 5, 1], [0, 1, 2, 5], Fraction(10277, 381024))],
)
def test_a_reversal_has_the_same_pooled_p_and_another_homogeneity(a: list[int], b: list[int], p: Fraction) -> None:
    """oracles cmh_exact_mild and cmh_concentrated: the homogeneity must stand beside the pooled p."""
    view = study({"a": passes(a, 5), "b": passes(b, 5)})
    assert point(view.p) == p
    reversed_in_one_block = a[-1] < b[-1]
    assert (point(view.homogeneity) == Fraction(1, 30486)) == reversed_in_one_block


def test_half_of_the_complete_is_forty_percent_of_all() -> None:
    """is-the-model-dumber § 6: 4 of 20 time out, 8 of the other 16 pass; oracle failure_denominators."""
    slow = [[*block, "timeout"] for block in passes([2, 2, 2, 2], 4)]
    view = study({"a": EVEN["a"], "b": slow})
    part = view.overall[1]
    assert (part.requests, part.passed, part.failed, part.technical) == (20, 8, 8, {"timeout": 4})
    assert point(part.all_rate) == 40
    assert point(part.complete_rate) == 50
    assert [each.recipe.n for each in (part.all_rate, part.complete_rate) if isinstance(each, Measured)] == [20, 16]
    assert bounds(part.complete_rate) == pytest.approx((27.999, 72.001), abs=1e-3)
    assert point(view.p) == Fraction(6395, 222264), "the test counts every request"


def test_technical_failures_are_told_apart_by_reason() -> None:
    blocks = [[100, "timeout", "cut", "error", "cut"]]
    view = study({"a": blocks, "b": passes([1], 5)}, comparison(stop=Stop(rule="fixed", n_per_service=5)))
    assert view.overall[0].technical == {"cut": 2, "error": 1, "timeout": 1}
    assert view.blocks[0].technical == view.overall[0].technical
    assert view.overall[0].latency == Withheld(slug="too_few", facts={"n": 1, "needed": 6}), "complete calls only"


def test_an_answer_at_the_token_cap_is_a_technical_failure() -> None:
    calls = changed(study_calls(EVEN), 0, finish_reason="length")
    view = study(EVEN, calls=calls)
    assert view.overall[0].technical == {"truncated": 1}
    assert view.overall[0].passed == 15


@pytest.mark.parametrize("passed", [5, 0])
def test_all_alike_is_no_difference_and_no_ratio(passed: int) -> None:
    view = study({"a": passes([passed] * 4, 5), "b": passes([passed] * 4, 5)})
    assert point(view.p) == 1
    assert isinstance(view.odds_ratio, Withheld)
    assert isinstance(view.homogeneity, Withheld)
    low, high = bounds(view.difference)
    assert low < 0 < high
    assert view.verdict == "no_difference"


def test_blocks_in_which_all_pass_change_nothing() -> None:
    four, five = (
        study(EVEN),
        study(
            {name: [*blocks, [100] * 5] for name, blocks in EVEN.items()},
            comparison(stop=Stop(rule="fixed", n_per_service=25)),
        ),
    )
    assert point(five.p) == point(four.p)
    assert point(five.homogeneity) == point(four.homogeneity)
    assert not five.breaches


def breach_slugs(view: StudyView) -> list[str]:
    return [each.slug for each in view.breaches]


CALLS = study_calls(EVEN)
LAST = len(CALLS) - 1
SLOW = {"started_at": START + timedelta(days=1)}


@pytest.mark.parametrize(
    ("calls", "slug", "facts"),
    [
        (CALLS[:-1], "stop_rule", {"service": "b", "n": 19, "declared": 20}),
        (CALLS[:-1], "uneven_blocks", {"blocks": 1}),
        (changed(CALLS, LAST, **SLOW), "outside_window", {"calls": 1}),
        (
            changed(CALLS, 0, max_output_tokens=256),
            "settings_changed",
            {"service": "a", "settings": "max_output_tokens"},
        ),
        (changed(CALLS, 0, requested_model="n"), "settings_changed", {"service": "a", "settings": "requested_model"}),
        (changed(CALLS, 0, service_group="h"), "settings_changed", {"service": "a", "settings": "service_group"}),
        (changed(CALLS, 0, request_hash="1" * 64), "settings_changed", {"service": "a", "settings": "request_hash"}),
        (changed(CALLS, LAST, returned_model="m-2"), "model_changed", {"service": "b", "models": 2}),
        ([*CALLS, msgspec.structs.replace(CALLS[0], attempt=2)], "repeated_attempts", {"calls": 1, "attempts": 1}),
        (changed(CALLS, 0, task_id="t2"), "other_task", {"calls": 1}),
        (
            [msgspec.structs.replace(each, block_id="1") for each in CALLS],
            "blocks_differ",
            {"blocks": 1, "declared": 4},
        ),
    ],
)
def test_a_broken_design_names_the_breach_and_withholds_the_verdict(
    calls: list[object], slug: str, facts: dict[str, object]
) -> None:
    view = study(EVEN, calls=calls, of=suite({"t": 2}))  # type: ignore[arg-type]
    assert facts in [each.facts for each in view.breaches if each.slug == slug]
    assert view.verdict == "withheld"
    assert isinstance(view.difference, Measured), "the counts stay visible"


def test_a_setting_other_than_declared_is_a_breach_even_if_it_never_changed() -> None:
    view = study(EVEN, params={name: {"max_output_tokens": Setting(asked=256, applied=256)} for name in EVEN})
    assert breach_slugs(view) == ["settings_changed", "settings_changed"]


def test_a_seed_for_every_call_may_change_the_request() -> None:
    calls = [msgspec.structs.replace(each, request_hash=f"{k:064d}") for k, each in enumerate(CALLS)]
    seed = {"seed": Setting(asked="per_call", applied="per_call")}
    assert breach_slugs(study(EVEN, calls=calls, params=dict.fromkeys(EVEN, seed))) == []
    assert set(breach_slugs(study(EVEN, calls=calls))) == {"settings_changed"}


def test_a_second_attempt_that_the_contract_allows_does_not_touch_the_first() -> None:
    calls = [
        *CALLS,
        msgspec.structs.replace(
            answered(100, task_id="t1"),
            service="b",
            repeat=20,
            attempt=2,
            call_id="x",
            block_id="4",
            started_at=CALLS[-1].started_at,
        ),
    ]
    view = study(EVEN, calls=calls, attempts=2)
    assert breach_slugs(view) == []
    assert overall(view)["b"] == (20, 8, 12)


def test_a_person_decides_where_a_person_judged_and_doubt_is_marked() -> None:
    calls = changed(changed(CALLS, 4, qualified=True, failure_reason="disputed"), 0, qualified=False)
    view = study(EVEN, calls=calls)
    assert overall(view)["a"] == (20, 16, 4)
    assert [each.disputed for each in view.overall] == [1, 0]
    by_person = [each for each in view.answers if each.reason == "by_person"]
    assert [(each.outcome, each.disputed) for each in by_person] == [("failed", False), ("passed", True)]


def test_a_call_that_failed_cannot_be_judged_into_passing() -> None:
    slow = {"a": [["timeout", *block[1:]] for block in EVEN["a"]], "b": EVEN["b"]}
    calls = [
        msgspec.structs.replace(each, qualified=True) if each.status != "ok" else each for each in study_calls(slow)
    ]
    assert study(slow, calls=calls).overall[0].technical == {"timeout": 4}


def test_equivalence_needs_a_margin_declared_beforehand_and_enough_requests() -> None:
    """statistics.md 1.8: 20 v 20 never shows ten points, 25 v 25 does where all pass."""
    perfect = {"a": passes([5] * 4, 5), "b": passes([5] * 4, 5)}
    assert study(perfect).equivalence == "not_declared"
    assert study(perfect, comparison(equivalence_margin="10pp")).verdict == "no_difference"
    larger = {"a": passes([5] * 5, 5), "b": passes([5] * 5, 5)}
    declared = comparison(equivalence_margin="10pp", stop=Stop(rule="fixed", n_per_service=25))
    assert study(larger, declared).verdict == "equivalent"


def test_a_difference_may_be_real_and_yet_inside_the_margin() -> None:
    counts = {"a": [[100] * 2000], "b": [[100] * 1980 + [0] * 20]}
    view = study(
        counts, comparison(equivalence_margin="10pp", stop=Stop(rule="fixed", n_per_service=2000)), window=None
    )
    assert (view.verdict, view.equivalence) == ("difference", "shown")


def test_a_sequential_study_is_read_by_its_e_process_only() -> None:
    """Oracle e_process_2x2_even: 1, 2.17, 4.98, 11.6 after four blocks, which is not yet 20."""
    view = study(EVEN, SEQUENTIAL)
    assert float(1 / point(view.p)) == pytest.approx(11.6140051392277, abs=1e-9)
    assert view.test == "e_process_2x2"
    assert view.verdict == "no_difference", "Fisher's p of 0.02 must not decide"
    assert view.homogeneity == view.detectable == Withheld(slug="not_sequential")
    methods = {each.recipe.method for each in (view.difference, view.overall[0].all_rate) if isinstance(each, Measured)}
    assert methods == {"sequence_difference", "beta_mixture"}
    fixed = study(EVEN)
    assert bounds(view.difference)[0] < bounds(fixed.difference)[0]
    assert bounds(view.difference)[1] > bounds(fixed.difference)[1]


def test_a_sequential_study_may_stop_when_the_evidence_is_in() -> None:
    """Oracle e_process_2x2_even8: 357.48 after eight blocks."""
    view = study({"a": passes([4] * 8, 5), "b": passes([2] * 8, 5)}, SEQUENTIAL)
    assert float(1 / point(view.p)) == pytest.approx(357.48, abs=0.01)
    assert view.verdict == "difference"


def test_a_sequential_study_may_stop_early_and_may_not_run_on() -> None:
    capped = comparison(stop=Stop(rule="sequential", method="e_process_2x2", n_per_service=20))
    early = {name: blocks[:3] for name, blocks in EVEN.items()}
    assert not study(early, capped, design=Design(seed=1, blocks=4)).breaches
    late = {name: [*blocks, blocks[0]] for name, blocks in EVEN.items()}
    assert breach_slugs(study(late, capped, design=Design(seed=1, blocks=5))) == ["stop_rule", "stop_rule"]


def test_blocks_are_read_in_the_order_of_time_not_of_their_names() -> None:
    """Block 10 must not come before block 2: an e-process learns from earlier blocks."""
    a, b = [5] * 6 + [0] * 6, [0] * 6 + [5] * 6
    view = study({"a": passes(a, 5), "b": passes(b, 5)}, SEQUENTIAL)
    assert [each.block for each in view.blocks[::2]] == [str(k) for k in range(1, 13)]
    assert view.verdict == "difference"


def test_equivalence_in_a_sequential_study_needs_the_wider_interval() -> None:
    perfect = {"a": passes([5] * 5, 5), "b": passes([5] * 5, 5)}
    declared = comparison(equivalence_margin="10pp", stop=Stop(rule="sequential", method="e_process_2x2"))
    assert study(perfect, declared).equivalence == "not_shown"
    many = {"a": [[100] * 100], "b": [[100] * 100]}
    assert study(many, declared).equivalence == "shown"


def test_a_control_service_is_held_to_the_same_number() -> None:
    counts = {**EVEN, "c": passes([3, 3, 3], 5)}
    view = study(counts, comparison(control="c"))
    assert [(each.slug, each.facts) for each in view.breaches] == [
        ("stop_rule", {"service": "c", "n": 15, "declared": 20})
    ]


def test_what_a_study_costs_is_known_only_if_every_call_is() -> None:
    assert [each.cost_usd for each in study(EVEN).overall] == [Decimal("0.20")] * 2
    assert study(EVEN, calls=changed(CALLS, 0, cost_usd=None)).overall[0].cost_usd is None


ZERO = {"temperature": Setting(asked=0, applied=0)}
HOT = {"temperature": Setting(asked=1, applied=1), "seed": Setting(asked="per_call", applied="per_call")}
ONE_SEED = {"temperature": Setting(asked=1, applied=1), "seed": Setting(asked=7, applied=7)}


@pytest.mark.parametrize(("settings", "withheld"), [(ZERO, True), (ONE_SEED, True), (HOT, False), ({}, False)])
def test_the_same_text_twenty_times_without_chance_is_one_observation(
    settings: dict[str, Setting], withheld: bool
) -> None:
    """is-the-model-dumber § 5: twenty copies from one seed are not twenty independent draws."""
    certain = {"a": passes([5] * 4, 5), "b": passes([0] * 4, 5)}
    view = study(certain, params=dict.fromkeys(certain, settings))
    assert [each.distinct for each in view.overall] == [1, 1]
    assert [each.facts for each in view.breaches] == [{"service": name, "n": 20} for name in "ab" if withheld]
    assert view.verdict == ("withheld" if withheld else "difference")


def test_a_service_that_varies_at_temperature_0_is_not_held_to_have_copied() -> None:
    view = study(EVEN, params=dict.fromkeys(EVEN, ZERO))
    assert [each.distinct for each in view.overall] == [2, 2]
    assert not view.breaches


def test_failed_requests_are_not_answers_that_differ() -> None:
    counts = {"a": [[100] * 18 + ["timeout"] * 2], "b": passes([8], 20)}
    assert study(counts, params=dict.fromkeys(counts, HOT)).overall[0].distinct == 1
