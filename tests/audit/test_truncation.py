"""The truncation guard, on the signs it knows; the seed's pilot is the first case."""

import pytest

from generator.audit.truncation import cut_answers
from tests.sample_calls import call


def signs(*calls: object) -> list[str]:
    return [cut.sign for cut in cut_answers(calls)]  # type: ignore[arg-type]


def test_the_pilot_is_caught_without_a_finish_reason() -> None:
    """javanese-pilot: 196 output tokens on all 20 calls with a cap of 200, about 20 letters visible, no error."""
    calls = [
        call(call_id=f"c{k}", finish_reason=None, output_tokens=196, max_output_tokens=200, output="Mungkin bes")
        for k in range(20)
    ]
    assert len(signs(*calls)) == 20


def test_identical_counts_below_the_cap_are_caught() -> None:
    """Far enough from the cap that only the sameness tells."""
    calls = [
        call(call_id=f"c{k}", finish_reason=None, output_tokens=120, max_output_tokens=200, output="x" * 300)
        for k in range(5)
    ]
    assert signs(*calls) == ["same_count"] * 5


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"finish_reason": "length"}, ["finish_reason"]),
        ({"finish_reason": "MAX_TOKENS"}, ["finish_reason"]),
        ({"finish_reason": "stop"}, []),
        ({"finish_reason": None}, []),
        ({"output_tokens": 487}, ["near_cap"]),
        ({"output_tokens": 486, "output": "x" * 2000}, []),
        ({"output_tokens": 100, "output": "x" * 49, "reasoning_tokens": None}, ["little_text"]),
        ({"output_tokens": 100, "output": "x" * 50, "reasoning_tokens": None}, []),
        ({"output_tokens": 100, "output": "x" * 10, "reasoning_tokens": 90}, []),
        ({"output_tokens": None}, []),
        ({"status": "timeout", "output_tokens": 512}, []),
    ],
)
def test_one_call(changes: dict[str, object], expected: list[str]) -> None:
    assert signs(call(**changes)) == expected


def test_four_calls_or_a_small_share_or_a_small_count_prove_nothing() -> None:
    same = {"output_tokens": 120, "max_output_tokens": 200, "output": "x" * 300}
    assert signs(*[call(call_id=f"c{k}", **same) for k in range(4)]) == []
    other = [call(call_id=f"o{k}", output_tokens=100 + k, max_output_tokens=200, output="x" * 300) for k in range(2)]
    assert signs(*[call(call_id=f"c{k}", **same) for k in range(5)], *other) == []
    short = {"output_tokens": 99, "max_output_tokens": 200, "output": "x" * 300}
    assert signs(*[call(call_id=f"c{k}", **short) for k in range(20)]) == []
