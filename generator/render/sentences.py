"""Which conclusion a result carries: pure functions from views to the slug of a rule and its slots. Part of ``render``.

The sentences themselves are data (``content/sentences.toml``), one a rule in both languages. A rule that claims an
order or a difference is chosen only where its condition holds, and the condition is written in its function here;
``NOT_SHOWN`` names the sentence that ends each kind of conclusion.
"""

from collections.abc import Sequence
from fractions import Fraction

from generator.publish.board_views import BoardView, CategoryView, PairView, RowView
from generator.publish.rerun_views import RerunPair
from generator.publish.run_views import ServiceView
from generator.records import Figure, Measured, Record, Text
from generator.render.bars import opposite

ALPHA = Fraction(1, 20)
"""Level at which the board tells two services apart, after Holm's adjustment over all pairs."""

Slot = int | Fraction | Figure | Text | ServiceView | tuple[ServiceView, ...] | str


class Sentence(Record, frozen=True, kw_only=True):
    """A rule that applies, and what fills its slots."""

    slug: str
    slots: dict[str, Slot] = {}  # noqa: RUF012 - msgspec copies an empty default


def apart(pair: PairView) -> bool:
    """Whether the two totals differ by more than the choice of tasks explains: Holm-adjusted p at most ``ALPHA``."""
    return isinstance(pair.p_adjusted, Measured) and pair.p_adjusted.point <= ALPHA


def board(view: BoardView) -> tuple[Sentence, ...]:
    """The main finding of a board, what it could have missed, and what it does not show."""
    finding = list(headline(view))
    if isinstance(view.detectable, Measured):
        finding.append(Sentence(slug="board_detectable", slots={"points": view.detectable}))
    if view.above_90:
        finding.append(Sentence(slug="board_ceiling", slots={"above": view.above_90, "services": len(view.rows)}))
    return (*finding, Sentence(slug="board_not_shown"))


def headline(view: BoardView) -> tuple[Sentence, ...]:
    """The main finding alone."""
    return (_leader(view), *_highest_unranked(view), *_beside_the_only_one(view))


def _beside_the_only_one(view: BoardView) -> list[Sentence]:
    """Where a single service is ranked: how it compares with those that have a total and no rank."""
    if len(view.rows) != 1:
        return []
    others = against(view, view.rows[0].service.id)
    above = tuple(each.other for each in others if each.apart and _is_positive(each.difference))
    beside = tuple(each.other for each in others if not each.apart)
    found = [Sentence(slug="single_above", slots={"others": above})] if above else []
    if beside:
        slug = "single_beside" if len(beside) == 1 else "single_beside_several"
        found.append(Sentence(slug=slug, slots={"others": beside}))
    return found or [Sentence(slug="single_alone")]


def _is_positive(difference: Figure) -> bool:
    return isinstance(difference, Measured) and difference.point > 0


def _highest_unranked(view: BoardView) -> list[Sentence]:
    """Who has the highest total where nobody is ranked, so that such a board still says what was measured."""
    if view.rows or not view.compared:
        return []
    first = next(row for row in view.unranked if row.service.id == view.compared[0])
    slots: dict[str, Slot] = {
        "first": first.service, "total": first.total, "failed": first.failed, "tasks": first.tasks
    }  # fmt: skip
    return [Sentence(slug="board_highest_unranked", slots=slots)]


def _leader(view: BoardView) -> Sentence:
    if not view.rows:
        return Sentence(slug="board_empty", slots={"services": view.run.services})
    first = view.rows[0]
    slots: dict[str, Slot] = {"first": first.service, "total": first.total}
    if len(view.rows) == 1:
        return Sentence(slug="board_single", slots=slots)
    beside = unseparated(view, first.service.id)
    if not beside:
        return Sentence(slug="board_leader", slots=slots)
    if len(beside) == len(view.rows) - 1:
        return Sentence(slug="board_flat", slots=slots)
    return Sentence(slug="board_shared", slots={**slots, "others": beside})


def unseparated(view: BoardView, service: str) -> tuple[ServiceView, ...]:
    """Ranked services that the board does not tell apart from ``service``, in board order."""
    separate = {
        other for pair in view.pairs if apart(pair) and service in (pair.a, pair.b) for other in (pair.a, pair.b)
    }
    return tuple(row.service for row in view.rows if row.service.id not in {*separate, service})


class Against(Record, frozen=True, kw_only=True):
    """One service seen from another: a pair, turned so that the page's own service comes first."""

    other: ServiceView
    difference: Figure
    p_adjusted: Figure
    apart: bool


def against(view: BoardView, service: str) -> tuple[Against, ...]:
    """All pairs of ``service``, as itself minus the other, in board order; none where it has no total."""
    by_id = {row.service.id: row.service for row in (*view.rows, *view.unranked)}
    return tuple(
        Against(
            other=by_id[each.b if each.a == service else each.a],
            difference=each.difference if each.a == service else opposite(each.difference),
            p_adjusted=each.p_adjusted,
            apart=apart(each),
        )
        for each in view.pairs
        if service in (each.a, each.b)
    )


def pair(view: PairView, a: ServiceView, b: ServiceView, detectable: Figure) -> Sentence:
    """What a comparison of two services supports.

    Args:
        view: the pair.
        a: its first service.
        b: its second.
        detectable: smallest difference the suite usually shows.
    """
    if not isinstance(view.difference, Measured) or not isinstance(view.p_adjusted, Measured):
        return Sentence(slug="pair_withheld", slots={"a": a, "b": b})
    if apart(view) and view.difference.point > 0:
        return Sentence(slug="pair_higher", slots={"a": a, "b": b, "points": view.difference.point})
    if apart(view) and view.difference.point < 0:
        return Sentence(slug="pair_higher", slots={"a": b, "b": a, "points": -view.difference.point})
    if isinstance(detectable, Measured):
        return Sentence(slug="pair_undecided", slots={"a": a, "b": b, "detectable": detectable})
    return Sentence(slug="pair_open", slots={"a": a, "b": b})


def rerun(view: RerunPair, changed: Sequence[str]) -> Sentence:
    """Whether a total came out again within the declared tolerance; no verdict where anything else ``changed``."""
    if changed:
        return Sentence(slug="rerun_changed")
    if view.within is None:
        return Sentence(slug="rerun_withheld")
    return Sentence(slug="rerun_within" if view.within else "rerun_outside")


def profile(row: RowView, categories: Sequence[CategoryView]) -> Sentence:
    """Highest and lowest category of one service; no comparison with others, no claim beyond the points."""
    measured = [
        (figure.point, category)
        for category in categories
        if isinstance(figure := row.categories.get(category.id), Measured)
    ]
    if not measured:
        return Sentence(slug="profile_withheld")
    most, least = max(point for point, _ in measured), min(point for point, _ in measured)
    if most == least:
        return Sentence(slug="profile_level", slots={"points": most})
    best = next(category for point, category in measured if point == most)
    worst = next(category for point, category in measured if point == least)
    return Sentence(slug="profile", slots={"best": best.name, "most": most, "worst": worst.name, "least": least})


def flat_tasks(view: BoardView) -> Sentence:
    """How many tasks separate nobody: the takeaway of the discrimination chart."""
    if not view.discrimination:
        return Sentence(slug="tasks_alone")
    if view.flat == 0:
        return Sentence(slug="tasks_all_separate", slots={"tasks": len(view.discrimination)})
    return Sentence(slug="tasks_flat", slots={"flat": view.flat, "tasks": len(view.discrimination)})


def field(view: BoardView) -> Sentence:
    """In which category the ranked services' mean is highest and lowest: the takeaway of the heat table."""
    means = {}
    for about in view.categories:
        points = [f.point for row in view.rows if isinstance(f := row.categories[about.id], Measured)]
        if points:
            means[about.id] = sum(points, Fraction(0)) / len(points)
    if not means or max(means.values()) == min(means.values()):
        return Sentence(slug="field_level")
    names = {about.id: about.name for about in view.categories}
    best, worst = max(means, key=lambda name: means[name]), min(means, key=lambda name: means[name])
    slots: dict[str, Slot] = {"best": names[best], "most": means[best], "worst": names[worst], "least": means[worst]}
    return Sentence(slug="field", slots=slots)
