"""No conclusion of a study, a series, a re-run or a duel says more than its design: designs × outcomes × languages."""

import itertools
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from generator.publish.probe_views import DuelResultView, DuelView
from generator.publish.series_views import SeriesChange, SeriesView
from generator.publish.study_views import StudyView
from generator.records import Figure, Measured, Setting, Stop, Text, Withheld
from generator.render import conclusions, in_category, sentences
from generator.render.content import Content
from tests.publish import sample as stored
from tests.render import sample
from tests.render.sample_suite import SERVICES, measured
from tests.render.test_sentences import DENIED, DIFFER, EQUAL, HIGHER, say_all

replace = msgspec.structs.replace
NONE = Withheld(slug="no_data", facts={"n": 0})
BY_ID = {service.id: service for service in SERVICES}

CLAIMS: dict[str, tuple[set[str], dict[str, str]]] = {
    "moved": (
        {"series_moved_beside", "series_moved_alone"},
        {"id": r"bergeser (?:\{points\}|[−\d])", "en": r"moved by (?:\{points\}|[−\d])"},
    ),
    "chosen": (
        {"duel_reference_preferred", "duel_service_preferred"},
        {"id": r"lebih sering memilih", "en": r"more often than"},
    ),
    "negligible": (
        {"study_difference_within"},
        {"id": r"cukup kecil untuk diabaikan", "en": r"small enough to neglect"},
    ),
    "more than chance": (
        {"series_moved_beside", "series_moved_alone", "duel_reference_preferred", "duel_service_preferred"},
        {"id": r"melebihi apa yang dapat dijelaskan oleh kebetulan", "en": r"more than chance explains"},
    ),
    "disagree": ({"study_blocks_disagree"}, {"id": r"tidak sejalan", "en": r"do not agree"}),
}
"""Kind of claim -> the rules that may make it, and the words that make it."""
STEADY = {
    "id": r"\bmenurun\b|\bmeningkat\b|\bstabil\b|tidak berubah|\bsama saja\b|\bkeduanya sama\b",
    "en": r"\bdeclin|\bdeteriorat|\bimprov|\bunchanged\b|\bstable\b|\bthe same as\b",
}
"""Further words that no rule's condition decides."""


@pytest.mark.parametrize("code", ["id", "en"])
@pytest.mark.parametrize("kind", CLAIMS)
def test_words_that_claim_stand_in_the_rules_that_decide_them_and_nowhere_else(
    kind: str, code: str, content: Content
) -> None:
    allowed, words = CLAIMS[kind]
    saying = {slug for slug, pair in content.catalogue.sentences.items() if re.search(words[code], getattr(pair, code))}
    assert saying == allowed


@pytest.mark.parametrize("code", ["id", "en"])
def test_no_sentence_claims_what_no_rule_decides(code: str, content: Content) -> None:
    for slug, pair in content.catalogue.sentences.items():
        assert not re.search(STEADY[code], getattr(pair, code).lower()), slug


def slugs(found: Sequence[sentences.Sentence]) -> list[str]:
    return [each.slug for each in found]


def claims(text: str, code: str) -> set[str]:
    """The kinds of claims that a text makes."""
    made = {kind for kind, (_, words) in CLAIMS.items() if re.search(words[code], text)}
    made |= {"higher"} if re.search(HIGHER[code], text) else set()
    made |= {"differ"} if re.search(DIFFER[code], text) else set()
    made |= {"equal"} if re.search(EQUAL[code], re.sub(DENIED[code], "", text)) else set()
    return made


def study(**changes: Any) -> StudyView:
    return replace(sample.study(), **changes)


SEQUENTIAL = Stop(rule="sequential", method="e_process_2x2")


@pytest.mark.parametrize("rule", ["fixed", "sequential"])
@pytest.mark.parametrize("verdict", ["difference", "no_difference", "equivalent", "withheld"])
@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize("difference", [measured(40), measured(-40), NONE])
@pytest.mark.parametrize(("margin", "equivalence"), [(None, "not_declared"), ("10pp", "shown"), ("10pp", "not_shown")])
@pytest.mark.parametrize("detectable", [measured(47), NONE])
def test_every_study(
    rule: str,
    verdict: str,
    broken: bool,
    difference: Figure,
    margin: str | None,
    equivalence: str,
    detectable: Figure,
    content: Content,
) -> None:
    stop = SEQUENTIAL if rule == "sequential" else Stop(rule="fixed", n_per_service=20)
    comparison = replace(sample.study().comparison, equivalence_margin=margin, stop=stop)
    breaches = (Withheld(slug="outside_window", facts={"calls": 2}),) if broken else ()
    view = study(verdict=verdict, breaches=breaches, difference=difference, detectable=detectable,
                 comparison=comparison, equivalence=equivalence)  # fmt: skip
    found = conclusions.study(view)
    assert found[-1].slug == "study_not_shown"
    concluded = not broken and verdict != "withheld"
    expected = set()
    if concluded and verdict == "difference" and isinstance(difference, Measured):
        expected |= {"higher", "differ"} | ({"negligible"} if equivalence == "shown" else set())
        assert found[0].slots["a"].id == ("layanan-a" if difference.point > 0 else "layanan-b")  # type: ignore[union-attr]
    if concluded and verdict == "equivalent" and equivalence == "shown":
        expected.add("equal")
    for code, text in say_all(found, content).items():
        assert claims(text, code) == expected
    if broken:
        assert slugs(found) == ["study_withheld", "study_not_shown"]
    elif verdict == "withheld":
        assert found[0].slug == "study_no_data"
    elif not expected:
        usual = "study_no_difference" if isinstance(detectable, Measured) else "study_open"
        assert found[0].slug == ("study_evidence" if rule == "sequential" else usual)
        assert ("study_not_equivalent" in slugs(found)) == (equivalence == "not_shown")


@pytest.mark.parametrize(
    ("counts", "declared", "expected"),
    [
        ({"a": [4] * 4, "b": [2] * 4}, {}, ["study_difference"]),
        ({"a": [2] * 4, "b": [4] * 4}, {}, ["study_difference"]),
        ({"a": [4] * 4, "b": [4, 4, 4, 3]}, {}, ["study_no_difference"]),
        ({"a": [0] * 4, "b": [1, 0, 0, 0]}, {}, ["study_open"]),
        ({"a": [5] * 4, "b": [5] * 4}, {"equivalence_margin": "10pp"}, ["study_no_difference", "study_not_equivalent"]),
        ({"a": [5] * 5, "b": [5] * 5}, {"equivalence_margin": "10pp", "n": 25}, ["study_equivalent"]),
        ({"a": [5, 5, 5, 1], "b": [0, 1, 2, 5]}, {}, ["study_difference", "study_blocks_disagree"]),
        ({"a": [4] * 4, "b": [2] * 4}, {"stop": SEQUENTIAL}, ["study_evidence"]),
        ({"a": [4] * 8, "b": [2] * 8}, {"stop": SEQUENTIAL}, ["study_difference"]),
        ({"a": [4] * 4, "b": [2] * 4}, {"n": 25}, ["study_withheld"]),
    ],
)
def test_from_stored_calls_to_the_sentence(
    counts: dict[str, list[int]], declared: dict[str, Any], expected: list[str], content: Content
) -> None:
    stop = Stop(rule="fixed", n_per_service=declared.get("n", 20))
    comparison = stored.comparison(**({"stop": stop} | {name: of for name, of in declared.items() if name != "n"}))
    view = stored.study({name: stored.passes(blocks, 5) for name, blocks in counts.items()}, comparison)
    found = conclusions.study(view)
    beside = {"study_identical"}  # the made answers differ only by points; a test of its own is below
    assert [slug for slug in slugs(found) if slug not in beside] == [*expected, "study_not_shown"]
    assert say_all(found, content)


def test_the_higher_rate_is_named_first_whichever_side_it_is() -> None:
    for a, b, first in (([4] * 4, [2] * 4, "a"), ([2] * 4, [4] * 4, "b")):
        found = conclusions.study(stored.study({"a": stored.passes(a, 5), "b": stored.passes(b, 5)}))
        assert found[0].slots["a"].id == first  # type: ignore[union-attr]
        assert found[0].slots["points"] == 40


def test_evidence_is_told_against_what_is_needed(content: Content) -> None:
    """Oracle e_process_2x2_even: 11.6 of the 20 that five per cent need."""
    counts = {"a": stored.passes([4] * 4, 5), "b": stored.passes([2] * 4, 5)}
    (found, *_) = conclusions.study(stored.study(counts, stored.comparison(stop=SEQUENTIAL)))
    text = say_all((found,), content)["en"]
    assert "its strength is 11.6 where 20 is needed" in text


def test_doubt_and_unknown_settings_are_said_beside_the_verdict() -> None:
    base = sample.study()
    view = study(overall=tuple(replace(part, disputed=2) for part in base.overall))
    limits = {each.slug: each.slots for each in conclusions.study(view)}
    assert limits["study_disputed"] == {"disputed": 4}
    assert limits["study_unknown_settings"] == {"settings": 2}, "one a service in the sample"
    known = replace(base.services[0], settings={"temperature": Setting(asked=0, applied=0)})
    assert "study_unknown_settings" not in slugs(
        conclusions.study(study(services=(known, replace(known, id="layanan-b"))))
    )


def test_answers_that_never_vary_are_said_beside_the_verdict(content: Content) -> None:
    counts = {"a": stored.passes([5] * 4, 5), "b": stored.passes([2] * 4, 5)}
    found = conclusions.study(stored.study(counts))
    assert slugs(found) == ["study_difference", "study_identical", "study_not_shown"]
    assert found[1].slots["n"] == 20
    assert say_all(found, content)


MOVES = {"moved": measured(-30, -50.0, -10.0), "open": measured(-5, -30.0, 20.0), "withheld": NONE}


@pytest.mark.parametrize("control", ["layanan-c", None])
@pytest.mark.parametrize(("absolute", "relative"), list(itertools.product(MOVES, repeat=2)))
def test_every_series(control: str | None, absolute: str, relative: str, content: Content) -> None:
    """Beside a control only the relative change counts: an absolute one may have met every service."""
    change = SeriesChange(
        service="layanan-a", first="r0", last="r7", absolute=MOVES[absolute], relative=MOVES[relative]
    )
    view = replace(sample.series(), control=control, changes=(change,))
    found = conclusions.series(view, BY_ID)
    assert found[-1].slug == "series_not_shown"
    counted, kind = (relative, "beside") if control else (absolute, "alone")
    assert found[0].slug == ("series_withheld" if counted == "withheld" else f"series_{counted}_{kind}")
    for code, text in say_all(found, content).items():
        assert claims(text, code) == ({"moved", "more than chance"} if counted == "moved" else set())


def test_an_interval_that_touches_nought_moves_nothing() -> None:
    touching = SeriesChange(
        service="layanan-a", first="r0", last="r7", absolute=NONE, relative=measured(-10, -20.0, 0.0)
    )
    view: SeriesView = replace(sample.series(), control="layanan-b", changes=(touching,))
    assert conclusions.series(view, BY_ID)[0].slug == "series_open_beside"


def test_one_point_is_no_trend_and_a_break_shows_no_change(content: Content) -> None:
    series = sample.series()
    single = replace(series, points=series.points[:1], changes=())
    assert slugs(conclusions.series(single, BY_ID)) == ["series_single"]
    assert "One point is no trend" in say_all(conclusions.series(single, BY_ID), content)["en"]
    broken = replace(series, changes=())
    assert slugs(conclusions.series(broken, BY_ID)) == ["series_broken", "series_not_shown"]
    for found in (conclusions.series(single, BY_ID), conclusions.series(broken, BY_ID)):
        for code, text in say_all(found, content).items():
            assert claims(text, code) == set()


@pytest.mark.parametrize(
    ("changed", "noise", "slug"),
    [
        ((), measured(1, 0.5, 6.0), "rerun_noise"),
        ((), NONE, "rerun_no_noise"),
        (("grader",), measured(1, 0.5, 6.0), "rerun_incomparable"),
    ],
)
def test_every_re_run(changed: tuple[str, ...], noise: Figure, slug: str, content: Content) -> None:
    view = replace(sample.site().reruns[0], changed=changed, noise=noise)
    found = conclusions.rerun(view)
    assert slugs(found) == [slug, "rerun_not_shown"]
    for code, text in say_all(found, content).items():
        assert claims(text, code) == set()


def opened(reference: int, service: int, ties: int) -> DuelView:
    """The duel of a single judge with these ballots, opened."""
    from generator.audit.duel import Tally
    from generator.publish.duel import result_view

    result: DuelResultView = result_view(Tally(judge="juri", reference=reference, service=service, ties=ties))
    n = reference + service + ties
    return DuelView(
        duel="d", suite="s", run_id="r", service="layanan-a", made_at=datetime(2026, 11, 30, tzinfo=UTC),
        question=Text(id="?", en="?"), pairs=n, identical=0, without_answer=0, sheet=(), sheet_sha256="", key_sha256="",
        state="opened", ballots={"juri": n}, results=(result,), notes=(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ballots", "slug"),
    [
        ((5, 4, 11), "duel_not_distinguished"),
        ((7, 2, 11), "duel_not_distinguished"),
        ((8, 1, 11), "duel_reference_preferred"),
        ((1, 8, 11), "duel_service_preferred"),
        ((0, 0, 20), "duel_not_distinguished"),
    ],
)
def test_every_opened_duel(ballots: tuple[int, int, int], slug: str, content: Content) -> None:
    """javanese-pilot: 11 ties and 5 v 4 do not distinguish; of nine decisive ballots 8 v 1 would, 7 v 2 would not."""
    found = conclusions.duel(opened(*ballots), BY_ID)
    assert slugs(found) == [slug, "duel_not_shown"]
    for code, text in say_all(found, content).items():
        assert claims(text, code) == ({"chosen", "more than chance"} if "preferred" in slug else set())


@pytest.mark.parametrize("state", ["untested", "unfinished", "sealed"])
def test_nothing_is_concluded_before_the_key_is_open(state: str, content: Content) -> None:
    found = conclusions.duel(replace(opened(8, 1, 11), state=state), BY_ID)
    assert slugs(found) == [f"duel_{state}"]
    for code, text in say_all(found, content).items():
        assert claims(text, code) == set()


def test_every_kind_of_conclusion_has_its_sentence_on_what_is_not_shown(content: Content) -> None:
    """Also pairs, whose sentences carry it themselves."""
    tail = {"id": r"tidak ditunjukkan\.$|bukan bukti bahwa", "en": r"is not shown\.$|not evidence that"}
    for slug in ("pair_higher", "pair_undecided", "pair_open"):
        for code in ("id", "en"):
            assert re.search(tail[code], getattr(content.catalogue.sentences[slug], code)), slug
    for kind in ("board", "study", "series", "rerun", "duel"):
        pair = content.catalogue.sentences[f"{kind}_not_shown"]
        assert pair.id.startswith("Yang tidak ditunjukkan")
        assert pair.en.startswith("What this does not show")


def test_every_sentence_belongs_to_a_rule(content: Content) -> None:
    """A sentence that no rule names is dead, or a rule was renamed."""
    import inspect

    code = "".join(map(inspect.getsource, (sentences, in_category, conclusions)))
    made = {f"series_{a}_{b}" for a in ("moved", "open") for b in ("beside", "alone")}
    made |= {slug for slug in content.catalogue.sentences if slug.startswith("duel_")}
    unnamed = {slug for slug in content.catalogue.sentences if f'"{slug}"' not in code} - made
    assert not unnamed


def test_the_measured_evidence_is_exact() -> None:
    p = sample.study().p
    assert isinstance(p, Measured)
    view = study(verdict="no_difference", comparison=replace(sample.study().comparison, stop=SEQUENTIAL))
    (found, *_) = conclusions.study(view)
    assert found.slots["evidence"] == 1 / p.point
    assert found.slots["needed"] == 20
