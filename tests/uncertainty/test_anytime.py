"""The interval of a difference that may be looked at while it narrows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.uncertainty.proportion import Difference, newcombe_difference
from generator.uncertainty.sequential import confidence_sequence, sequence_difference
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import Undefined

counts = st.integers(0, 30)


@given(counts, counts, counts, counts)
def test_it_holds_the_point_and_is_wider_than_the_interval_for_one_n(a: int, b: int, c: int, d: int) -> None:
    table = Table(a, b, c, d)
    found = sequence_difference(table)
    if not table.n_a or not table.n_b:
        assert found == Undefined("no_data", {"n": 0})
        return
    once = newcombe_difference(table)
    assert isinstance(found, Difference)
    assert isinstance(once, Difference)
    assert -1 <= found.low <= found.point <= found.high <= 1
    assert found.high - found.low >= once.high - once.low


def test_it_is_made_of_two_sequences_at_half_the_error() -> None:
    found = sequence_difference(Table(16, 4, 8, 12))
    first, second = confidence_sequence(16, 4, 0.975), confidence_sequence(8, 12, 0.975)
    assert isinstance(found, Difference)
    assert (found.low, found.high) == (first.low - second.high, first.high - second.low)


def test_looking_after_every_request_it_misses_in_at_most_one_run_of_twenty() -> None:
    """Chances 0.7 and 0.5, forty requests a side, looked at after each pair; the fixed-n interval misses more often."""
    source = np.random.default_rng(20261130)
    runs, anytime, once = 120, 0, 0
    for _ in range(runs):
        a, b = (np.cumsum(source.random(40) < chance) for chance in (0.7, 0.5))
        looks = [Table(int(x), n - int(x), int(y), n - int(y)) for n, (x, y) in enumerate(zip(a, b, strict=True), 1)]
        anytime += any(_misses(sequence_difference(look)) for look in looks[4::5])
        once += any(_misses(newcombe_difference(look)) for look in looks[4:])
    assert anytime / runs <= 0.05
    assert once / runs > 0.05


def _misses(found: Difference | Undefined) -> bool:
    assert isinstance(found, Difference)
    return not found.low <= 0.2 <= found.high


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.99])
def test_more_confidence_is_wider(confidence: float) -> None:
    wide, narrow = (sequence_difference(Table(9, 3, 5, 7), level) for level in (confidence, confidence / 2))
    assert isinstance(wide, Difference)
    assert isinstance(narrow, Difference)
    assert wide.low < narrow.low < narrow.high < wide.high
