"""Evidence that may be looked at while it grows.

A fixed-sample test checked after every block up to 100 a side is wrong in 15 % of the cases in which nothing
differs. An e-process may be watched and stopped at will: under the null hypothesis it ever reaches 20 with
probability at most 5 %. The price is a wider interval and less power at a given n.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import exp, lgamma, log, log1p
from typing import NamedTuple

from generator.uncertainty.exact import counted
from generator.uncertainty.interval import Interval, level
from generator.uncertainty.proportion import Difference
from generator.uncertainty.solve import crossing
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import Undefined

JEFFREYS = 0.5
"""Parameter of the Beta(½, ½) mixture."""


class EProcess(NamedTuple):
    """Exact e-value after each block, and the p-value that is valid whenever one stops: 1 / the largest, at most 1."""

    values: tuple[Fraction, ...]
    p: Fraction


def beta_mixture_log_e(passed: int, failed: int, baseline: float, prior: float = JEFFREYS) -> float:
    """Natural logarithm of the e-value against "the chance of passing is ``baseline``".

    M = B(a + s, a + f) / (B(a, a)·p₀ˢ(1 − p₀)ᶠ): how much better a Beta(a, a) mixture of chances foresaw the outcomes
    than the baseline did. The logarithm, because M itself leaves the floats at a few thousand trials.

    Source: Robbins, Annals of Mathematical Statistics 41 (1970) 1397; Ville 1939.

    Raises:
        ValueError: baseline not strictly between 0 and 1, or prior not above 0.
    """
    counted(passed=passed, failed=failed)
    level(baseline)
    if not prior > 0:
        raise ValueError(f"found prior {prior}, expected a number above 0")
    return _log_mixture(passed, failed, prior) - passed * log(baseline) - failed * log1p(-baseline)


def running_p(outcomes: Sequence[bool], baseline: float, prior: float = JEFFREYS) -> list[float]:
    """After each outcome, the p-value that is valid however often one has looked: the running minimum of 1/M."""
    level(baseline)
    passed, best, running = 0, 0.0, []
    for n, outcome in enumerate(outcomes, start=1):
        passed += bool(outcome)
        best = max(best, beta_mixture_log_e(passed, n - passed, baseline, prior))
        running.append(exp(-best))
    return running


def confidence_sequence(passed: int, failed: int, confidence: float = 0.95, prior: float = JEFFREYS) -> Interval:
    """Chances of passing that the mixture has not yet refuted: {p₀ : M < 1/α}, on 0..1.

    Covers the true chance at all times together with this probability, so one may stop when one likes. Without any
    outcome it is 0 to 1. Assumes independent outcomes with a stable chance.
    """
    counted(passed=passed, failed=failed)
    bar = _log_mixture(passed, failed, prior) + log(1 - level(confidence))
    return Interval(_lower(passed, failed, bar), 1 - _lower(failed, passed, bar))


def sequence_difference(table: Table, confidence: float = 0.95) -> Difference | Undefined:
    """Difference of two chances of passing, first minus second, with an interval that holds at all times together.

    Each side gets its own ``confidence_sequence`` at half the error, so both hold together with this probability
    (Bonferroni) and so does low − high to high − low. Wider than Newcombe's interval, which holds for one n only.
    """
    if not table.n_a or not table.n_b:
        return Undefined("no_data", {"n": min(table.n_a, table.n_b)})
    each = (1 + level(confidence)) / 2
    first = confidence_sequence(table.passed_a, table.failed_a, each)
    second = confidence_sequence(table.passed_b, table.failed_b, each)
    point = Fraction(table.passed_a, table.n_a) - Fraction(table.passed_b, table.n_b)
    return Difference(point, first.low - second.high, first.high - second.low)


def e_process_2x2(blocks: Sequence[Table]) -> EProcess:
    """E-process of two services called in blocks: do they pass equally often?

    Each block multiplies by p_a^y(1 − p_a)^(n−y), times the same for b, over the same with p₀ in both places. p_a and
    p_b are predictive means from *earlier* blocks with a Beta(1, 1) prior, so the first block counts 1; p₀ is their
    mean, weighted with the block's sizes. Exact. Reject at level α once a value reaches 1/α. Valid if the design
    (blocks, sizes) does not look ahead; chances may change from block to block so long as both sides share them.

    Source: Turner, Ly & Grünwald, Statistics and Probability Letters / arXiv:2106.02693.
    """
    values, current = [], Fraction(1)
    a_passed = a_n = b_passed = b_n = 0
    for block in blocks:
        p_a, p_b = Fraction(1 + a_passed, 2 + a_n), Fraction(1 + b_passed, 2 + b_n)
        if block.n:
            p_0 = (block.n_a * p_a + block.n_b * p_b) / block.n
            current *= (p_a / p_0) ** block.passed_a * ((1 - p_a) / (1 - p_0)) ** block.failed_a
            current *= (p_b / p_0) ** block.passed_b * ((1 - p_b) / (1 - p_0)) ** block.failed_b
        values.append(current)
        a_passed, a_n = a_passed + block.passed_a, a_n + block.n_a
        b_passed, b_n = b_passed + block.passed_b, b_n + block.n_b
    return EProcess(tuple(values), 1 / max([Fraction(1), *values]))


def _log_mixture(passed: int, failed: int, prior: float) -> float:
    """ln(B(a + s, a + f) / B(a, a))."""
    both = lgamma(prior + passed) + lgamma(prior + failed) - lgamma(2 * prior + passed + failed)
    return both - 2 * lgamma(prior) + lgamma(2 * prior)


def _lower(passed: int, failed: int, bar: float) -> float:
    """Chance below passed/n at which the log-likelihood of the outcomes equals ``bar``."""
    if passed == 0:
        return 0.0

    def excess(chance: float) -> float:
        return bar - passed * log(chance) - (failed * log1p(-chance) if failed else 0.0)

    return crossing(excess, 1e-300, passed / (passed + failed))
