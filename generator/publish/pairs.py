"""Every two services of a board over the same tasks, and the places this leaves open."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from generator.aggregate import ServiceScore
from generator.publish.board_views import PairView, Rank
from generator.publish.figures import Stamp, figure, withheld
from generator.records import Figure, Recipe, Withheld
from generator.uncertainty.interval import Interval
from generator.uncertainty.macro import macro_t
from generator.uncertainty.multiple import holm, separated
from generator.uncertainty.pairs import PairedMacro, compare_all
from generator.uncertainty.ranks import Compared, rank_sets
from generator.uncertainty.undefined import Undefined

Pair = tuple[str, str]


def strata(score: ServiceScore, categories: Sequence[str]) -> list[list[Fraction]]:
    """Task scores of one service, a list a category, tasks in suite order; categories without tasks left out."""
    lists = [[task.score for task in score.tasks if task.task.category == name] for name in categories]
    return [scores for scores in lists if scores]


def pair_views(ranked: Sequence[ServiceScore], categories: Sequence[str], stamp: Stamp) -> tuple[PairView, ...]:
    """All pairs in board order, each with exact and Holm-adjusted p.

    Args:
        ranked: the ranked services, in board order.
        categories: category ids in suite order.
        stamp: for the recipes.
    """
    compared = compare_all({each.service: strata(each, categories) for each in ranked})
    defined, _ = separated({pair: result.p for pair, result in compared.items()})
    adjusted = dict(zip(defined, holm(list(defined.values())), strict=True))
    by_id = {each.service: each for each in ranked}
    return tuple(
        PairView(
            a=first,
            b=second,
            difference=figure(result.difference, result.interval, _recipe("paired_macro_t", by_id[first], stamp)),
            p=figure(result.p, None, _recipe("sign_flip", by_id[first], stamp)),
            p_adjusted=_adjusted(result, adjusted.get((first, second)), _recipe("holm", by_id[first], stamp)),
            won=result.won,
            tied=result.tied,
            lost=result.lost,
            categories=_by_category(by_id[first], by_id[second], categories, stamp),
        )
        for (first, second), result in compared.items()
    )


def rank_views(ranked: Sequence[str], pairs: Sequence[PairView]) -> dict[str, Rank]:
    """Rank set per ranked service, from the adjusted p-values; a pair without one was not told apart."""
    compared: Mapping[Pair, Compared] = {
        (pair.a, pair.b): Compared(pair.difference.point, pair.p_adjusted.point)
        for pair in pairs
        if not isinstance(pair.difference, Withheld) and not isinstance(pair.p_adjusted, Withheld)
    }
    return {name: Rank(low=each.best, high=each.worst) for name, each in rank_sets(ranked, compared).items()}


def groups(ranked: Sequence[str], pairs: Sequence[PairView], alpha: Fraction = Fraction(1, 20)) -> list[list[str]]:
    """Maximal runs of neighbours on the board of which no two are told apart, in board order.

    A run that lies inside another is left out; runs may overlap, as sets of indistinguishable services do.
    """
    apart = {
        frozenset((pair.a, pair.b))
        for pair in pairs
        if not isinstance(pair.p_adjusted, Withheld) and pair.p_adjusted.point <= alpha
    }
    runs: list[list[str]] = []
    covered = 0
    for start in range(len(ranked)):
        end = start + 1
        while end < len(ranked) and all(frozenset((ranked[k], ranked[end])) not in apart for k in range(start, end)):
            end += 1
        if end > covered:
            runs.append(list(ranked[start:end]))
            covered = end
    return runs


def _by_category(a: ServiceScore, b: ServiceScore, categories: Sequence[str], stamp: Stamp) -> dict[str, Figure]:
    differences = {
        name: [
            one.score - other.score for one, other in zip(a.tasks, b.tasks, strict=True) if one.task.category == name
        ]
        for name in categories
    }
    views: dict[str, Figure] = {}
    for name, values in differences.items():
        locked = sum(not each.marks for each in a.tasks if each.task.category == name)
        recipe = Recipe(
            method="paired_mean_t", n=len(values), unit="tasks", grader=stamp.grader, suite=stamp.suite, locked=locked
        )
        result = macro_t([values])
        if isinstance(result, Undefined):
            point = sum(values, Fraction(0)) / len(values) if values else result
            views[name] = figure(point, None, recipe)
        else:
            views[name] = figure(result.point, Interval(result.low, result.high), recipe)
    return views


def _adjusted(result: PairedMacro, adjusted: Fraction | None, recipe: Recipe) -> Figure:
    if isinstance(result.p, Undefined) or adjusted is None:
        return withheld(result.p if isinstance(result.p, Undefined) else Undefined("no_data", {"n": 0}))
    return figure(adjusted, None, recipe)


def _recipe(method: str, score: ServiceScore, stamp: Stamp) -> Recipe:
    locked = sum(not each.marks for each in score.tasks)
    return Recipe(
        method=method, n=len(score.tasks), unit="tasks", grader=stamp.grader, suite=stamp.suite, locked=locked
    )
