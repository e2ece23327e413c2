"""The jury audit: conflicts, panels, severity and its cost, on stored lines."""

import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from generator.audit.jury import between, judge_pairs, jury_findings, panels, ratings, severity_costs
from generator.records import JuryRules, Verdict
from generator.uncertainty.severity import Severity, additive_severity
from tests.sample_calls import call

RULES = JuryRules(pair=("ja", "jb"), third=("jc",))
VENDORS = {"x": "Xco", "y": "Yco", "ja": "Aco", "jb": "Bco", "jc": "Xco"}
ORACLES = json.loads((Path(__file__).parent.parent / "cases" / "oracles.json").read_text("utf-8"))["oracles"]
WHEN = datetime(2026, 11, 2, 10, 0, tzinfo=UTC)


def verdict(subject: str, by: str, score: int | None, role: str = "first", **other: Any) -> Verdict:
    fields: dict[str, Any] = {
        "task_id": "t",
        "blind_id": "0" * 12,
        "vendor": VENDORS.get(by),
        "min": 1,
        "max": 5,
        "reason": None,
        "returned_model": None,
        "rubric_sha256": None,
        "at": WHEN,
        "status": "ok" if score is not None else "unusable",
        "artifact_path": None,
        "input_tokens": None,
        "output_tokens": None,
        "cost_usd": None,
    }
    return Verdict(**(fields | {"subject": subject, "by": by, "score": score, "role": role} | other))


CALLS = [call(call_id="c1", service="x", output="satu"), call(call_id="c2", service="y", output="dua belas")]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([verdict("c1", "ja", 4), verdict("c1", "jb", 4, "second")], []),
        ([verdict("c1", "ja", 4), verdict("c1", "jc", 4, "third")], [("judged-by-own-vendor", "c1", "jc")]),
        ([verdict("c1", "ja", 4, vendor="XCO ")], [("judged-by-own-vendor", "c1", "ja")]),
        ([verdict("c1", "jc", 4, vendor=None)], [("judged-by-own-vendor", "c1", "jc")]),
        ([verdict("c2", "stranger", 4)], [("unlisted-judge", "c2", "stranger")]),
        ([verdict("anchor", "jc", 4, "calibration")], []),
        ([verdict("c1", "jc", None)], [("judged-by-own-vendor", "c1", "jc")]),
    ],
    ids=["sound", "own vendor", "only the line says so", "only services say so", "stranger", "calibration", "unusable"],
)
def test_who_judged_whom_is_re_derived(lines: list[Verdict], found: list[tuple[str, str, str]]) -> None:
    assert [(f.slug, f.field, f.found) for f in jury_findings("r", CALLS, lines, VENDORS, RULES)] == found
    assert all(f.blocking for f in jury_findings("r", CALLS, lines, VENDORS, RULES))


def test_a_suite_may_allow_its_judges_their_own_vendor() -> None:
    rules = JuryRules(pair=("ja", "jb"), third=("jc",), forbid_same_vendor=False)
    assert jury_findings("r", CALLS, [verdict("c1", "jc", 4)], VENDORS, rules) == []


def test_a_borrowed_verdict_is_a_conflict_too() -> None:
    """The same answer from the judge's own vendor: its verdict on the other service's answer is not worth having."""
    twins = [call(call_id="c1", service="y", output="sama"), call(call_id="c2", service="x", output="sama")]
    lines = [verdict("c1", "jc", 4), verdict("c2", "jc", 4)]
    assert {f.field for f in jury_findings("r", twins, lines, VENDORS, RULES)} == {"c2"}


def test_panels_keep_the_earliest_usable_score_of_each_seat() -> None:
    lines = [
        verdict("c1", "ja", None),
        verdict("c1", "jb", 2, "second"),
        verdict("c2", "ja", 5),
        verdict("c1", "ja", 4, attempt=2),
        verdict("c1", "ja", 1, attempt=3),
        verdict("c2", "jb", 9, "second"),
        verdict("c2", "jc", None, "third"),
        verdict("a1", "ja", 3, "calibration"),
        verdict("c1", "human", 3, "human"),
    ]
    one, two = panels(CALLS, lines, VENDORS)
    assert (one.subject, one.pair, one.third_asked, one.length, one.vendor) == ("c1", (4, 2), False, 4, "Xco")
    assert (two.pair, two.third_asked) == (None, True)
    assert [(score.judge, score.score) for score in two.scores] == [("ja", 5)]


def test_places_follow_the_clock_and_count_answers_not_attempts() -> None:
    lines = [
        verdict("c2", "ja", None, at=WHEN),
        verdict("c2", "ja", 3, attempt=2, at=WHEN + timedelta(seconds=1)),
        verdict("c1", "ja", 4, at=WHEN + timedelta(seconds=2)),
    ]
    places = {panel.subject: panel.scores[0].place for panel in panels(CALLS, lines, VENDORS)}
    assert places == {"c2": 0, "c1": 1}


def judged(rows: list[list[int]], names: list[str], vendor: str = "Xco") -> Any:
    """Panels from rows of (answer, judge, score)."""
    seats = ["first", "second", "third"]
    taken: dict[int, int] = {}
    lines, calls = [], {}
    for answer, judge, score in rows:
        role = seats[taken.setdefault(answer, 0)]
        taken[answer] += 1
        calls[answer] = call(call_id=f"c{answer}", output=f"jawaban {answer}", service="x")
        lines.append(verdict(f"c{answer}", names[judge], score, role, vendor=None))
    return panels(list(calls.values()), lines, {"x": vendor})


def test_severity_and_what_it_costs_by_hand() -> None:
    """oracles.json severity_additive; then a vendor that met judges 1 and 2, against the default pair 0 and 1."""
    oracle = next(each for each in ORACLES if each["id"] == "severity_additive")
    fit = additive_severity(ratings(judged(oracle["input"]["rows"], ["j0", "j1", "j2", "j3"])))
    assert isinstance(fit, Severity)
    assert [float(fit.effects[f"j{k}"]) for k in range(4)] == pytest.approx(oracle["expect"]["effects"], abs=1e-9)
    met = judged([[0, 1, 4], [0, 2, 3], [1, 1, 5], [1, 2, 5]], ["j0", "j1", "j2", "j3"], vendor="Other")
    costs = severity_costs(met, fit.effects, ("j0", "j1"), span=4)
    e = [Fraction(27, 160), Fraction(3, 160), Fraction(-9, 32)]
    assert costs == {"Other": (2, ((e[1] + e[2]) / 2 - (e[0] + e[1]) / 2) * 25)}
    assert float(costs["Other"][1]) == pytest.approx(-5.625)


def test_judges_are_compared_on_shared_answers_only() -> None:
    seen = judged([[0, 0, 5], [0, 1, 4], [1, 1, 3], [1, 2, 3], [2, 0, 2]], ["j0", "j1", "j2"])
    assert judge_pairs(seen) == [("j0", "j1"), ("j1", "j2")]
    assert between(seen, "j0", "j1") == [("t", 5, 4)]
    assert between(seen, "j0", "j2") == []
