"""Every reference value in ``tests/cases/oracles.json`` against our functions, within the stated tolerance.

The values come from other implementations (R, mpmath, exact rationals, scipy, statsmodels) and from published
figures. To add one, append it to the file under a topic that is known here.
"""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.uncertainty import oracle_counts, oracle_judges, oracle_plans, oracle_scores

CASES = json.loads((Path(__file__).parent.parent / "cases" / "oracles.json").read_text("utf-8"))["oracles"]
CHECKS = oracle_counts.CHECKS | oracle_plans.CHECKS | oracle_scores.CHECKS | oracle_judges.CHECKS
"""For each topic a function from the input of a case to the values we compute for it."""
Given = dict[str, Any]


def assert_close(found: Any, expected: Any, tolerance: float, where: str) -> None:
    """Numbers within the tolerance, lists element by element, everything else equal."""
    if isinstance(expected, list):
        assert len(found) == len(expected), where
        for k, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_close(one, other, tolerance, f"{where}[{k}]")
    elif isinstance(expected, bool | str | None):
        assert found == expected, where
    else:
        assert abs(float(found) - expected) <= tolerance, f"{where}: found {float(found)!r}, expected {expected!r}"


@pytest.mark.parametrize("case", [c for c in CASES if "elsewhere" not in c], ids=lambda case: case["id"])
def test_oracle(case: Given) -> None:
    found = CHECKS[case["topic"]](case["input"])
    unchecked = case.get("unchecked", {})
    assert set(case["expect"]) <= set(found) | set(unchecked), "an expected value is neither computed nor explained"
    assert not set(unchecked) & set(found), "a value is computed and yet said to be unchecked"
    for name, expected in case["expect"].items():
        if name not in unchecked:
            assert_close(found[name], expected, case["tol"], f"{case['id']}.{name}")


@pytest.mark.parametrize("case", [c for c in CASES if "exact" in c], ids=lambda case: case["id"])
def test_exact_value_is_the_fraction(case: Given) -> None:
    """Where the reference is a fraction, ours is that fraction and not merely near it."""
    found = CHECKS[case["topic"]](case["input"])
    exact = {Fraction(text) for text in case["exact"].split("; ")}
    ours = {value for value in found.values() if isinstance(value, Fraction)}
    unchecked_fractions = len(case.get("unchecked", {}))
    assert exact & ours
    assert len(exact - ours) <= unchecked_fractions


def test_every_entry_is_exercised_or_explained() -> None:
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids))
    unknown = [case["id"] for case in CASES if case["topic"] not in CHECKS and not case.get("elsewhere")]
    assert not unknown
    assert all(len(case["elsewhere"]) > 20 for case in CASES if "elsewhere" in case)


def test_every_check_has_an_entry() -> None:
    assert set(CHECKS) == {case["topic"] for case in CASES if "elsewhere" not in case}
