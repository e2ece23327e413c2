"""The statistics that a declared design allows, and no others: fixed numbers of requests, or evidence that grows.

A figure that a design does not allow is withheld, not merely left out: whoever looks at p-values of a fixed design
while a sequential study is running has a study of neither kind.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from generator.publish.figures import figure, withheld
from generator.records import Comparison, Figure, Measured, Recipe, Record, Withheld
from generator.uncertainty.equivalence import equivalent_rates
from generator.uncertainty.fisher import fisher_exact
from generator.uncertainty.interval import Interval
from generator.uncertainty.planning import detectable_drop
from generator.uncertainty.proportion import Difference, newcombe_difference, wilson
from generator.uncertainty.sequential import confidence_sequence, e_process_2x2, sequence_difference
from generator.uncertainty.stratified import exact_conditional, mantel_haenszel, zelen
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import Undefined

MakeRecipe = Callable[[str, int], Recipe]
"""(method, n) -> recipe, with the grader and suite of the study."""

NOT_SEQUENTIAL = Withheld(slug="not_sequential")
"""Stands where a figure holds only for a number of requests that was fixed beforehand."""


LARGEST_PLAN = 500
"""Requests a side up to which every outcome is gone through; the work grows with the cube, a second at 400."""


class Analysis(Record, frozen=True, kw_only=True):
    """What two services' counts say under the declared design; rates and differences in percentage points."""

    difference: Figure
    p: Figure
    test: str
    """Method slug of the declared test."""
    odds_ratio: Figure
    homogeneity: Figure
    detectable: Figure
    equivalence: str
    """``not_declared``, ``shown`` or ``not_shown``."""


def analyse(comparison: Comparison, blocks: Sequence[Table], recipe: MakeRecipe) -> Analysis:
    """The figures of the two compared services.

    Args:
        comparison: what was declared.
        blocks: passed and not passed a block, in the order in which the blocks were run.
        recipe: makes the recipes.
    """
    whole = Table(*(sum(counts) for counts in zip(*map(_counts, blocks), strict=True))) if blocks else Table(0, 0, 0, 0)
    sequential = comparison.stop.rule == "sequential"
    alpha = comparison.primary.alpha
    method, p = _test(comparison, blocks, whole)
    difference = sequence_difference(whole) if sequential else newcombe_difference(whole)
    return Analysis(
        difference=points(difference, recipe("sequence_difference" if sequential else "newcombe", whole.n)),
        p=figure(p, None, recipe(method, whole.n)),
        test=method,
        odds_ratio=figure(mantel_haenszel(blocks), None, recipe("mantel_haenszel", whole.n)),
        homogeneity=NOT_SEQUENTIAL if sequential else figure(zelen(blocks), None, recipe("zelen", whole.n)),
        detectable=NOT_SEQUENTIAL if sequential else _detectable(whole, alpha, recipe("detectable_fisher", whole.n)),
        equivalence=_equivalence(comparison, whole),
    )


def _counts(table: Table) -> tuple[int, int, int, int]:
    return table.passed_a, table.failed_a, table.passed_b, table.failed_b


def pass_rate(passed: int, n: int, recipe: MakeRecipe, *, sequential: bool) -> Figure:
    """A pass rate in percent: with Wilson's interval, or with one that may be looked at while it narrows."""
    if n == 0:
        return withheld(Undefined("no_data", {"n": 0}))
    interval = confidence_sequence(passed, n - passed) if sequential else wilson(passed, n)
    if isinstance(interval, Undefined):
        return withheld(interval)
    percent = Interval(100 * interval.low, 100 * interval.high)
    return figure(Fraction(100 * passed, n), percent, recipe("beta_mixture" if sequential else "wilson", n))


def points(difference: Difference | Undefined, recipe: Recipe) -> Figure:
    """A difference of rates on −1..1 in percentage points."""
    if isinstance(difference, Undefined):
        return withheld(difference)
    return figure(100 * difference.point, Interval(100 * difference.low, 100 * difference.high), recipe)


def verdict(analysis: Analysis, alpha: float, *, kept: bool) -> str:
    """Which rule of sentences applies: ``difference``, ``no_difference``, ``equivalent`` or ``withheld``.

    A design that was not kept carries no conclusion.
    """
    if not kept or not isinstance(analysis.p, Measured):
        return "withheld"
    if analysis.p.point <= Fraction(str(alpha)):
        return "difference"
    return "equivalent" if analysis.equivalence == "shown" else "no_difference"


def _test(comparison: Comparison, blocks: Sequence[Table], whole: Table) -> tuple[str, Fraction | Undefined]:
    """Slug and p of the declared test; for a sequential design p is one over the largest e-value."""
    if comparison.stop.rule == "sequential":
        return "e_process_2x2", e_process_2x2(blocks).p
    if comparison.primary.test == "stratified":
        return "exact_conditional", exact_conditional(blocks)
    return "fisher", fisher_exact(whole)


def _equivalence(comparison: Comparison, whole: Table) -> str:
    """Whether the interval of the design lies inside the declared margin.

    A fixed design takes Newcombe's at 1 − 2α, as two one-sided tests do; a sequential one the interval that holds at
    all times together, at 1 − α, since its two halves may fail on either side.
    """
    if comparison.equivalence_margin is None:
        return "not_declared"
    margin = Fraction(int(comparison.equivalence_margin.removesuffix("pp")), 100)
    alpha = comparison.primary.alpha
    if comparison.stop.rule == "sequential":
        found = sequence_difference(whole, 1 - alpha)
        shown = not isinstance(found, Undefined) and -margin < found.low and found.high < margin
    else:
        result = equivalent_rates(whole, margin, alpha)
        shown = not isinstance(result, Undefined) and result.equivalent
    return "shown" if shown else "not_shown"


def _detectable(whole: Table, alpha: float, recipe: Recipe) -> Figure:
    """The smallest drop from the first service's rate that this n finds with 80 % power, in percentage points."""
    if not whole.n_a or not whole.n_b:
        return withheld(Undefined("no_data", {"n": 0}))
    if max(whole.n_a, whole.n_b) > LARGEST_PLAN:
        return Withheld(slug="too_large", facts={"n": max(whole.n_a, whole.n_b)})
    chance = whole.passed_a / whole.n_a
    second = detectable_drop(whole.n_a, whole.n_b, chance, alpha=alpha)
    return figure(second if isinstance(second, Undefined) else 100 * (chance - second), None, recipe)
