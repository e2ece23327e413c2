"""What each kind of page must print, given a recomputed board. The wing ``outside``."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from generator.outside.printed import Cells, Comparison, Grid, Printed, written
from generator.outside.recompute import Recomputed, by_answer
from generator.publish.board_views import PAIRS_ON_A_PAGE, PairView
from generator.records import Figure, Measured

LEAST_P = Fraction(1, 10000)
Check = Callable[[Comparison, Printed, Recomputed, str], None]


def point(figure: Figure, digits: int = 1) -> list[str]:
    """The figure as printed; nothing where it is withheld."""
    return [written(figure.point, digits)] if isinstance(figure, Measured) else []


def bounds(figure: Figure, digits: int = 1) -> list[str]:
    """Its interval as printed; nothing where it has none."""
    if not isinstance(figure, Measured) or figure.low is None or figure.high is None:
        return []
    return [written(figure.low, digits), written(figure.high, digits)]


def unless_withheld(figure: Figure, *parts: list[str]) -> list[str] | None:
    """All parts of a figure where it stands; None where the reason why there is none is given in words."""
    return [value for part in parts for value in part] if isinstance(figure, Measured) else None


def rank(made: Recomputed, service: str) -> list[str]:
    """The rank set: one number, or two."""
    place = made.ranks.get(service)
    if place is None:
        return []
    return [str(place.low)] if place.low == place.high else [str(place.low), str(place.high)]


def money(amount: Decimal | None) -> list[str]:
    """A cost as printed: four decimals below ten cents, else two; nothing where it is not known."""
    if amount is None:
        return []
    return [written(Fraction(amount), 4 if 0 < amount < Decimal("0.1") else 2)]


def chance(figure: Figure) -> list[str]:
    """A p-value to four decimals, never less than the least."""
    return [written(max(figure.point, LEAST_P), 4)] if isinstance(figure, Measured) else []


def facts(compare: Comparison, page: Printed, expected: Cells) -> None:
    """Named values of a page, each of them."""
    for name, values in expected.items():
        compare.values(page.path, 0, name, page.facts.get(name, ()), values)


def totals(made: Recomputed, services: Sequence[str]) -> Grid:
    """The table of totals, whole or in part, over these services."""
    return {
        name: {
            "rank": rank(made, name),
            "total": point(made.services[name].total),
            "interval": bounds(made.services[name].total),
            "automatic": point(made.services[name].automatic),
            "judged": point(made.services[name].judged),
            "failed": [str(made.services[name].failed)],
            "cost": money(made.costs[name]),
        }
        for name in services
    }


def home(compare: Comparison, page: Printed, made: Recomputed, _: str) -> None:
    """The top of the table, or where it is short all services that have a total."""
    shown = {row.key for row in page.tables.get("totals", ())}
    compare.table(page, "totals", totals(made, made.ranked if shown <= set(made.ranked) else made.compared))
    compare.table(page, "highest", _highest(made))


def _highest(made: Recomputed) -> Grid:
    """Per category in which somebody has a mean: the highest, and how many of its tasks judges score."""
    rows: dict[str, Cells] = {}
    for key in {lock.category: None for lock in made.board.lock}:
        locks = [lock for lock in made.board.lock if lock.category == key]
        means = [mean for name in made.order if isinstance(mean := made.services[name].categories[key], Measured)]
        best = max(means, key=lambda mean: mean.point, default=None)
        if best:
            judged = sum(lock.kind == "rubric" for lock in locks)
            rows[key] = {**_mean(best), "judged": [str(judged), str(len(locks))] if judged else []}
    return rows


def leaderboard(compare: Comparison, page: Printed, made: Recomputed, _: str) -> None:
    """The table of totals, the services that are not ranked, the categories, and how tasks separate."""
    each = made.services
    compare.table(page, "totals", totals(made, made.ranked))
    compare.table(
        page,
        "unranked",
        {name: {"cost": money(made.costs[name])} | _unless_withheld(made, name) for name in made.unranked},
    )
    compare.table(
        page,
        "by-category",
        {name: {key: point(figure) for key, figure in each[name].categories.items()} for name in made.order},
        made.withheld,
    )
    compare.table(
        page,
        "spread",
        {
            task: {"spread": [written(spread, 1)], "item_rest": _correlation(made.item_rest[task])}
            for task, spread in made.spreads.items()
        },
    )


def _unless_withheld(made: Recomputed, name: str) -> dict[str, list[str]]:
    """Figures and reason of a service that is not ranked because it is incomplete; none where an audit forbids them."""
    if name in made.withheld:
        return {key: [] for key in ("total", "interval", "automatic", "judged")}
    score = made.services[name]
    allowed = made.board.declared.suite.score.incomplete_percent
    return {
        "total": point(score.total),
        "interval": bounds(score.total),
        "automatic": point(score.automatic),
        "judged": point(score.judged),
        "reason": [str(score.failed), str(len(score.tasks)), str(allowed)],
    }


def _correlation(value: float | None) -> list[str]:
    return [] if value is None else [written(value, 2)]


def category(compare: Comparison, page: Printed, made: Recomputed, key: str) -> None:
    """Mean and interval of every service in category ``key``, and all its scores by task."""
    means = {name: _mean(made.services[name].categories[key]) for name in made.order}
    compare.table(page, "means", means, made.withheld)
    scores: dict[str, Cells] = {
        task.task.id: {name: _score(made, name, task.task.id) for name in made.order}
        for task in made.services[made.order[0]].tasks
        if task.task.category == key
    }
    compare.table(page, "scores", scores)


def _score(made: Recomputed, service: str, task: str) -> list[str]:
    """A score as printed; nothing where it is withheld."""
    points = made.score(service, task)
    return [] if points is None else [written(points, 1)]


def _mean(figure: Figure) -> dict[str, list[str]]:
    return {"mean": point(figure), "interval": bounds(figure)}


def model(compare: Comparison, page: Printed, made: Recomputed, service: str) -> None:
    """Head figures, categories, the other services, all tasks, and the score of every answer of one service."""
    score = made.services[service]
    facts = {
        "total": point(score.total),
        "interval": bounds(score.total),
        "rank": [*rank(made, service), *([str(len(made.ranked))] if service in made.ranks else [])],
        "automatic": [*point(score.automatic), *bounds(score.automatic)],
        "judged": [*point(score.judged), *bounds(score.judged)],
    }
    for name in page.facts.keys() & facts.keys() if service in made.ranks else ():
        compare.values(page.path, 0, name, page.facts[name], facts[name])
    means = {key: _mean(figure) for key, figure in score.categories.items()}
    compare.table(
        page, "categories", means, dict.fromkeys(means, made.withheld[service]) if service in made.withheld else None
    )
    compare.table(page, "against", _against(made, service))
    compare.table(
        page,
        "task-scores",
        {
            task.task.id: {"score": _score(made, service, task.task.id), "repeats": [str(task.task.repeats)]}
            for task in score.tasks
        },
    )
    answers = by_answer(made.scored, made.board.answers)
    given = [points for task in made.board.tasks for points in answers.get((service, task.id), [])]
    compare.values(page.path, 0, "answers", page.scores, [written(points, 1) for points in given])


def _against(made: Recomputed, service: str) -> Grid:
    """This service's total minus each other's."""
    grid: dict[str, Cells] = {}
    for pair in made.pairs:
        if service in {pair.a, pair.b}:
            figure = pair.difference if pair.a == service else _turned(pair.difference)
            cells = {"difference": point(figure), "interval": bounds(figure), "p_adjusted": chance(pair.p_adjusted)}
            grid[pair.b if pair.a == service else pair.a] = cells
    return grid


def _turned(figure: Figure) -> Figure:
    """The same difference from the other side."""
    if not isinstance(figure, Measured):
        return figure
    low, high = figure.low, figure.high
    return Measured(
        point=-figure.point,
        low=None if high is None else -high,
        high=None if low is None else -low,
        recipe=figure.recipe,
    )


def task(compare: Comparison, page: Printed, made: Recomputed, key: str) -> None:
    """Score of every service on one public task, and of every answer to it."""
    compare.table(page, "scores", {name: {"score": _score(made, name, key)} for name in made.order})
    answers = by_answer(made.scored, made.board.answers)
    given = [points for name in made.order for points in answers.get((name, key), [])]
    compare.values(page.path, 0, "answers", page.scores, [written(points, 1) for points in given])


def pairs(compare: Comparison, page: Printed, made: Recomputed, key: str) -> None:
    """Every pair: difference, interval, adjusted p, tasks won, tied and lost; by category; and the matrix.

    Many pairs stand on pages of their own, named by the first service of each, and the matrix alone on the first.
    """
    if key != "compare":
        _pairs(compare, page, [pair for pair in made.pairs if pair.a == key])
    elif made.pairs:
        _matrix(compare, page, made)
        _pairs(compare, page, made.pairs if len(made.pairs) <= PAIRS_ON_A_PAGE else [])


def _matrix(compare: Comparison, page: Printed, made: Recomputed) -> None:
    matrix: dict[str, dict[str, list[str]]] = {name: {} for name in made.compared}
    for pair in made.pairs:
        matrix[pair.a][pair.b], matrix[pair.b][pair.a] = point(pair.difference), point(_turned(pair.difference))
    compare.table(page, "matrix", matrix)


def _pairs(compare: Comparison, page: Printed, listed: Sequence[PairView]) -> None:
    compare.table(page, "pairs", {_name(pair): _pair(pair) for pair in listed})
    for pair in listed:
        by_category: Mapping[str, Cells] = {
            key: {"difference": point(figure), "interval": bounds(figure)} for key, figure in pair.categories.items()
        }
        compare.table(page, _name(pair), by_category)


def _name(pair: PairView) -> str:
    return f"{pair.a}--{pair.b}"


def _pair(pair: PairView) -> Cells:
    return {
        "difference": point(pair.difference),
        "interval": bounds(pair.difference),
        "p_adjusted": chance(pair.p_adjusted),
        "won": [str(pair.won)],
        "tied": [str(pair.tied)],
        "lost": [str(pair.lost)],
    }


def jury(compare: Comparison, page: Printed, made: Recomputed, _: str) -> None:
    """The two parts of every total, with their intervals."""
    if "parts" in page.tables:
        grid: dict[str, Cells] = {
            name: {
                "judged": point(made.services[name].judged),
                "judged_interval": bounds(made.services[name].judged),
                "automatic": point(made.services[name].automatic),
                "automatic_interval": bounds(made.services[name].automatic),
            }
            for name in made.order
        }
        compare.table(page, "parts", grid, made.withheld)


KINDS: dict[str, Check] = {
    "leaderboard": leaderboard,
    "category": category,
    "model": model,
    "task": task,
    "compare": pairs,
    "jury": jury,
}
"""Kind of a page, as its English address calls it -> its check."""
