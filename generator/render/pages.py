"""Which template sets which page, with what: every page of the site in its fixed order. Part of ``render``.

A context holds views and sentences; what a page needs in the language it is written in, its template asks for.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from generator.publish.board_views import PAIRS_ON_A_PAGE, BoardView, CategoryView, RowView, TaskView
from generator.publish.study_views import StudyView
from generator.publish.views import SiteView
from generator.records import ChecksTask, Measured, Record, TranslationTask
from generator.render import conclusions, in_category, sentences
from generator.render.addresses import HOME
from generator.render.audits import audit_context, audit_kinds
from generator.render.bars import bar
from generator.render.content import Content
from generator.score.checks import look

Item = TypeVar("Item")

HOME_ROWS = 8
"""Services in the table of the home page; the leaderboard has them all."""


class Page(Record, frozen=True, kw_only=True):
    """A page before it is written."""

    key: tuple[str, ...]
    """Its key in ``Addresses``."""
    template: str
    context: dict[str, object]
    prose: str | None = None
    """Id of the prose page that is set in it."""


def pages(site: SiteView, content: Content) -> Iterator[Page]:
    """All pages: each exactly once, those of a board together."""
    main = site.main
    by_id = {row.service.id: row for row in (*main.rows, *main.unranked)}
    shown = tuple(by_id[name] for name in main.compared)
    home = {
        "board": main,
        "headline": sentences.headline(main),
        "highest": in_category.highest(main),
        "finding": sentences.board(main),
        "shown": shown[:HOME_ROWS],
        "incomplete": all(row.unranked and row.unranked.slug == "incomplete" for row in main.unranked),
    }
    yield Page(key=(HOME,), template="home.html", context=home, prose=HOME)
    for board in site.boards:
        yield from _board_pages(board)
    for study in site.studies:
        yield _study(study, site)
    if site.reruns:
        views = [
            (view, [(pair, sentences.rerun(pair, view.changed)) for pair in view.pairs], conclusions.rerun(view))
            for view in site.reruns
        ]
        yield _page("rerun", reruns=views, services={service.id: service for service in site.services})
    for kind in audit_kinds(site):
        yield Page(key=(kind,), template=f"audit/{kind}.html", context=audit_context(site))
    yield _page("corrections", corrections=site.corrections)
    yield _page("downloads")
    for page in content.pages.values():
        if page.id != HOME:
            yield Page(key=(page.id,), template="prose.html", context={}, prose=page.id)


def _page(kind: str, /, *keys: str, **context: object) -> Page:
    return Page(key=(kind, *keys), template=f"{kind}.html", context=context)


def _board_pages(board: BoardView) -> Iterator[Page]:
    suite, rows = board.suite.id, (*board.rows, *board.unranked)
    by_id = {row.service.id: row for row in rows}
    common = {"board": board, "rows": rows, "by_id": by_id}
    yield _page(
        "leaderboard", suite, **common, finding=sentences.board(board), field=sentences.field(board),
        flat=sentences.flat_tasks(board), letters=_brackets(board),
    )  # fmt: skip
    if len(rows) > 1:
        yield from _compare(board, common)
    if board.jury:
        yield _page("jury", suite, **common, rubric=board.suite.rubric_text)
    for category in board.categories:
        yield _category(board, category, common)
    for row, before, after in _neighbours(rows):
        yield _model(board, row, {**common, "before": before, "after": after})
    for view, earlier, later in _neighbours(board.tasks):
        yield _task(board, view, {**common, "before": earlier, "after": later})


def _compare(board: BoardView, common: Mapping[str, object]) -> Iterator[Page]:
    """The matrix of all pairs; the pairs below it, or on a page for each service where there are too many."""
    suite = board.suite.id
    by_id = {row.service.id: row for row in (*board.rows, *board.unranked)}
    claims = {
        (p.a, p.b): sentences.pair(p, by_id[p.a].service, by_id[p.b].service, board.detectable) for p in board.pairs
    }
    split = len(board.pairs) > PAIRS_ON_A_PAGE
    yield _page(
        "compare", suite, **common,
        compared=[by_id[name] for name in board.compared],
        pairs={(p.a, p.b): p for p in board.pairs},
        claims=claims,
        split=split,
    )  # fmt: skip
    firsts = [by_id[name] for name in dict.fromkeys(p.a for p in board.pairs)] if split else []
    for row, before, after in _neighbours(firsts):
        listed = [p for p in board.pairs if p.a == row.service.id]
        around = {"row": row, "before": before, "after": after}
        yield _page("pairs", suite, row.service.id, **common, **around, listed=listed, claims=claims)


def _category(board: BoardView, category: CategoryView, common: Mapping[str, object]) -> Page:
    rows = in_category.ordered(board, category)
    scores = [[score for score in row.scores if score.category == category.id] for row in rows]
    return _page(
        "category", board.suite.id, category.id, **{**common, "rows": rows},
        category=category,
        finding=in_category.category(board, category),
        figures=[row.categories[category.id] for row in rows],
        judged=any(lock.category == category.id and lock.kind == "rubric" for lock in board.suite.lock),
        tasks=[(each[0].task_id, each[0].access, each) for each in zip(*scores, strict=True)],
    )  # fmt: skip


def _model(board: BoardView, row: RowView, common: Mapping[str, object]) -> Page:
    name = row.service.id
    others = {
        category.id: [
            place.point
            for other in (*board.rows, *board.unranked)
            if other is not row and (place := bar(other.categories[category.id]))
        ]
        for category in board.categories
    }
    return _page(
        "model", board.suite.id, name, **common,
        row=row,
        others=others,
        category_names={category.id: category.name for category in board.categories},
        profile=sentences.profile(row, board.categories),
        beside=sentences.unseparated(board, name) if row.rank else (),
        against=sentences.against(board, name),
        answers=[(view, [each for each in view.answers if each.service == name]) for view in board.tasks],
    )  # fmt: skip


def _task(board: BoardView, view: TaskView, common: Mapping[str, object]) -> Page:
    task = view.task
    language = task.direction.partition("-")[2] if isinstance(task, TranslationTask) else board.suite.language
    return _page(
        "task", board.suite.id, task.id, **common,
        view=view,
        kind=type(task).__struct_config__.tag,
        checks=[look(check, "") for check in task.checks] if isinstance(task, ChecksTask) else (),
        reference_language=language,
    )  # fmt: skip


def _study(study: StudyView, site: SiteView) -> Page:
    declared = study.comparison.equivalence_margin
    run = study.run.run_id
    names = {service.id: service for service in site.services}
    series = next(each for each in site.series if run in [point.run_id for point in each.points])
    return _page(
        "study", run,
        study=study,
        verdict=conclusions.study(study),
        services={service.id: service for service in study.services},
        method=study.p.recipe.method if isinstance(study.p, Measured) else study.test,
        series=series,
        in_time=conclusions.series(series, names),
        names=names,
        margin=int(declared.removesuffix("pp")) if declared else None,
    )  # fmt: skip


def _brackets(board: BoardView) -> dict[str, tuple[str, ...]]:
    """Service -> its place in the bracket of each group of two or more: ``none``, ``top``, ``mid`` or ``end``."""
    groups = [group for group in board.groups if len(group) > 1]
    return {row.service.id: tuple(_place(group, row.service.id) for group in groups) for row in board.rows}


def _place(group: Sequence[str], name: str) -> str:
    if name not in group:
        return "none"
    return "top" if name == group[0] else "end" if name == group[-1] else "mid"


def _neighbours(items: Sequence[Item]) -> Iterator[tuple[Item, Item | None, Item | None]]:
    """Each item with the one before and the one after it."""
    for index, item in enumerate(items):
        yield item, items[index - 1] if index else None, items[index + 1] if index + 1 < len(items) else None
