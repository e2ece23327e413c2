"""The same question when the calls came in blocks: exact answers that respect them.

A block is a stretch of time in which both services were called. Comparing only inside blocks removes what the
hour did to both. The pooled p assumes that the effect has the same direction in all blocks; Zelen's test asks
whether the blocks agree, and its p belongs beside the pooled one: 5,5,5,1 v 0,1,2,5 of 5 has the same pooled p as
5,4,4,3 v 1,2,3,2 although its effect turns round in the last block.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from generator.uncertainty.fisher import as_improbable
from generator.uncertainty.tables import Table, conditional_weights, product_weights
from generator.uncertainty.undefined import Undefined

STATE_BUDGET = 1_000_000
"""States that Zelen's test may visit before it gives up; four blocks of 5 v 5 need a few dozen."""


def exact_conditional(blocks: Sequence[Table]) -> Fraction | Undefined:
    """Two-sided p of the exact conditional test of equal odds within blocks.

    The total of passes in the first group is distributed as the convolution of the blocks' hypergeometrics;
    p sums the totals that are not more probable than the observed one. One block gives Fisher's test. Blocks in
    which all passed or all failed change nothing.

    Source: Gart, Biometrika 57 (1970) 471; two-sided by probability order as in R ``mantelhaen.test(exact=TRUE)``.
    """
    if not any(table.n_a and table.n_b for table in blocks):
        return Undefined("no_data", {"n": 0})
    return as_improbable(product_weights(list(blocks)), sum(table.passed_a for table in blocks))


def mantel_haenszel(blocks: Sequence[Table]) -> Fraction | Undefined:
    """Mantel–Haenszel odds ratio common to the blocks, exact.

    Σ(pass_a·fail_b / n) / Σ(fail_a·pass_b / n). Assumes one ratio in all blocks; consistent for many small ones.

    Source: Mantel & Haenszel, JNCI 22 (1959) 719.
    """
    tried = [table for table in blocks if table.n]
    above = sum((Fraction(t.passed_a * t.failed_b, t.n) for t in tried), Fraction(0))
    below = sum((Fraction(t.failed_a * t.passed_b, t.n) for t in tried), Fraction(0))
    if below == 0:
        return Undefined("unbounded" if above else "no_information", {"blocks": len(blocks)})
    return above / below


def zelen(blocks: Sequence[Table], budget: int = STATE_BUDGET) -> Fraction | Undefined:
    """Exact p of the hypothesis that all blocks share one odds ratio.

    Among all ways to fill the blocks with the observed margins and the observed total of passes in the first
    group, the chance of one whose weight (the product of the blocks' hypergeometric weights) is not above the
    observed. The common odds ratio cancels out. Fillings of equal (total, product) are counted together. Undefined
    where there is one filling alone, as where one of the groups failed everything: its p of 1 would speak of nothing.

    Source: Zelen, Biometrika 58 (1971) 129; Breslow & Day, Statistical Methods in Cancer Research I (1980) § 4.4.
    """
    speaking = [table for table in blocks if table.informative]
    if len(speaking) < 2:
        return Undefined("one_block", {"blocks": len(speaking)})
    weights = [conditional_weights(table) for table in speaking]
    observed = sum(table.passed_a - block.low for table, block in zip(speaking, weights, strict=True))
    fillings: dict[tuple[int, int], int] = {(0, 1): 1}
    for block in weights:
        work = len(fillings) * len(block.ways)
        if work > budget:
            return Undefined("too_large", {"work": work, "budget": budget})
        longer: dict[tuple[int, int], int] = {}
        for (total, product), count in fillings.items():
            for k, way in enumerate(block.ways[: observed - total + 1]):
                key = (total + k, product * way)
                longer[key] = longer.get(key, 0) + count
        fillings = longer
    bar = prod(b.ways[t.passed_a - b.low] for t, b in zip(speaking, weights, strict=True))
    possible = [(product, count) for (total, product), count in fillings.items() if total == observed]
    if sum(count for _, count in possible) == 1:
        return Undefined("one_filling", {"blocks": len(speaking)})
    whole = sum(product * count for product, count in possible)
    return Fraction(sum(product * count for product, count in possible if product <= bar), whole)
