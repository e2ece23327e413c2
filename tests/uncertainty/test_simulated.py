"""Claims in the docstrings that only chance can show, with a fixed seed, and the speed of all pairs."""

import time
from fractions import Fraction
from itertools import combinations

import numpy as np

from generator.uncertainty.macro import macro_t, price_bonett
from generator.uncertainty.multiple import holm
from generator.uncertainty.pairs import compare_all
from generator.uncertainty.power import fisher_rejections
from generator.uncertainty.sequential import e_process_2x2
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import Undefined


def test_interval_near_the_ceiling_covers_where_t_does_not() -> None:
    """Six categories of ten tasks, each passed with chance 0.99: how often does each interval contain 99?"""
    source = np.random.default_rng(20260907)
    runs, price, student = 1500, 0, 0
    for _ in range(runs):
        scores = [[100 * int(source.random() < 0.99) for _ in range(10)] for _ in range(6)]
        low, high = price_bonett(scores)
        price += low <= 99 <= high
        t = macro_t(scores)
        student += not isinstance(t, Undefined) and t.low <= 99 <= t.high
    assert price / runs > 0.95
    assert student / runs < 0.60


def test_looking_after_every_block_misleads_fisher_but_not_the_e_process() -> None:
    """Nothing differs (both pass half the time); twenty blocks of five a side, looked at after each."""
    source = np.random.default_rng(20260907)
    rejected = [frozenset(fisher_rejections(n, n).outcomes) for n in range(5, 101, 5)]
    runs, fisher, e_process = 600, 0, 0
    for _ in range(runs):
        counts = [[int(source.binomial(5, 0.5)) for _ in range(20)] for _ in range(2)]
        so_far = [(sum(counts[0][:k]), sum(counts[1][:k])) for k in range(1, 21)]
        fisher += any(pair in outcomes for pair, outcomes in zip(so_far, rejected, strict=True))
        e_process += e_process_2x2([Table(a, 5 - a, b, 5 - b) for a, b in zip(*counts, strict=True)]).p <= Fraction(
            1, 20
        )
    assert fisher / runs > 0.10
    assert e_process / runs <= 0.05


def test_all_pairs_of_100_services_take_seconds_not_minutes() -> None:
    """4,950 exact comparisons over 60 tasks on mixed grids: shares of checks, means of three runs, eighths."""
    source = np.random.default_rng(20260907)
    steps = [1] * 9 + [3] * 16 + [2, 3, 4, 5, 6, 7, 4, 3] + [8] * 27

    def scores() -> list[list[Fraction]]:
        flat = [Fraction(100 * int(source.binomial(n, 0.6)), n) for n in steps]
        return [flat[k : k + 10] for k in range(0, 60, 10)]

    services = {f"s{k}": scores() for k in range(100)}
    before = time.process_time()
    compared = compare_all(services)
    adjusted = holm([result.p for result in compared.values()])
    spent = time.process_time() - before
    assert len(compared) == len(list(combinations(services, 2))) == 4950
    assert min(adjusted) >= min(result.p for result in compared.values())
    assert spent < 5, f"{spent:.1f} s of CPU"
