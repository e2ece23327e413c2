"""One category in words: who has its highest mean, and whom that sets apart. Part of ``render``.

All services that are shown count here, ranked or not: a category has no ranks. A difference within a category is
called apart when its 95% interval leaves out zero; those intervals are not adjusted for their number, and the
sentence says so.
"""

from generator.publish.board_views import BoardView, CategoryView, PairView, RowView
from generator.publish.run_views import ServiceView
from generator.records import Measured, Record
from generator.render.sentences import Sentence


class Highest(Record, frozen=True, kw_only=True):
    """The highest mean of a category among all services shown, and who has it."""

    category: CategoryView
    services: tuple[ServiceView, ...]
    """Nobody where the highest mean is zero: to have scored nothing is no first place."""
    mean: Measured
    judged: int
    """How many of its tasks are scored by judges."""


def ordered(view: BoardView, about: CategoryView) -> tuple[RowView, ...]:
    """All services: by the mean in this category, falling; those without one last; equal ones as on the board."""
    rows = (*view.rows, *view.unranked)
    return tuple(sorted(rows, key=lambda row: -f.point if isinstance(f := row.categories[about.id], Measured) else 1))


def highest(view: BoardView) -> tuple[Highest, ...]:
    """Per category in which any service has a figure. Claims no difference."""
    return tuple(found for about in view.categories if (found := _highest(view, about)))


def category(view: BoardView, about: CategoryView) -> tuple[Sentence, ...]:
    """Who is highest in one category, apart from whom, beside whom, and what that does not show."""
    found = _highest(view, about)
    if found is None:
        return (Sentence(slug="category_withheld"),)
    not_shown = Sentence(slug="board_not_shown")
    if not found.services:
        return (Sentence(slug="category_nobody", slots={"tasks": about.tasks}), not_shown)
    slug = "category_highest" if len(found.services) == 1 else "category_tied"
    first = Sentence(slug=slug, slots={"services": found.services, "points": found.mean, "tasks": about.tasks})
    if len(found.services) > 1:
        return (first, not_shown)
    name = found.services[0].id
    apart = {
        other for pair in view.pairs if _apart(pair, about) and name in (pair.a, pair.b) for other in (pair.a, pair.b)
    }
    others = [
        row for row in ordered(view, about) if row.service.id != name and isinstance(row.categories[about.id], Measured)
    ]
    groups = {
        "category_apart": tuple(row.service for row in others if row.service.id in apart),
        "category_beside": tuple(row.service for row in others if row.service.id not in apart),
    }
    said = (Sentence(slug=slug, slots={"others": services}) for slug, services in groups.items() if services)
    return (first, *said, not_shown)


def _highest(view: BoardView, about: CategoryView) -> Highest | None:
    means = [
        (mean, row.service) for row in ordered(view, about) if isinstance(mean := row.categories[about.id], Measured)
    ]
    if not means:
        return None
    most = means[0][0]
    return Highest(
        category=about,
        services=tuple(service for mean, service in means if mean.point == most.point > 0),
        mean=most,
        judged=sum(lock.kind == "rubric" for lock in view.suite.lock if lock.category == about.id),
    )


def _apart(pair: PairView, about: CategoryView) -> bool:
    """The interval of the difference in this category leaves out zero; without an interval nothing is apart."""
    match pair.categories[about.id]:
        case Measured(low=low, high=high) if low is not None and high is not None:
            return low > 0 or high < 0
    return False
