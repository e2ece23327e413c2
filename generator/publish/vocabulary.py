"""The tail of the vocabulary: which words does each service know, by region, and which does nobody know?"""

from collections import Counter
from fractions import Fraction

from generator.publish.figures import figure, withheld
from generator.publish.probe_views import ReasonCount, RegionView, VocabularyView, WordView
from generator.publish.scored import ScoredRun
from generator.records import Figure, Mark, Recipe, VocabularyTask
from generator.uncertainty.interval import Interval
from generator.uncertainty.proportion import wilson
from generator.uncertainty.undefined import Undefined


def vocabulary_view(scored: ScoredRun) -> VocabularyView | None:
    """The vocabulary probes of a run; None where it has none at hand."""
    asked = {lock.id for lock in scored.tasks}
    words = [task for task in scored.suite.tasks if isinstance(task, VocabularyTask) and task.id in asked]
    if not words:
        return None
    services = scored.run.contract.services
    counted = [name for name in services if name not in scored.withheld]
    knows = {(name, word.id): _known(scored, name, word) for name in services for word in words}
    shown = tuple(_word(word, [name for name in counted if knows[name, word.id]]) for word in words if _public(word))
    unknown = [word for word in words if counted and not any(knows[name, word.id] for name in counted)]
    regions = ["", *sorted({word.region for word in words if word.region})]
    return VocabularyView(
        run_id=scored.run.contract.run_id,
        suite=scored.suite.file.id,
        words=len(words),
        services=tuple(_reasons(scored, name, words) for name in services),
        regions=tuple(_region(scored, region, words, knows) for region in regions),
        public=shown,
        counted=len(counted),
        nobody=tuple(word for word in shown if counted and not word.known_by),
        nobody_held_out=sum(not _public(word) for word in unknown),
    )


def _public(word: VocabularyTask) -> bool:
    return word.access == "public"


def _marks(scored: ScoredRun, service: str, word: VocabularyTask) -> list[Mark]:
    return [mark for (name, task, _), mark in scored.marks.items() if name == service and task == word.id]


def _known(scored: ScoredRun, service: str, word: VocabularyTask) -> bool:
    """Whether more than half of the repeats show that the word is known; no answer shows nothing."""
    marks = _marks(scored, service, word)
    return 2 * sum(mark.outcome == "passed" for mark in marks) > len(marks)


def _word(word: VocabularyTask, known_by: list[str]) -> WordView:
    return WordView(task_id=word.id, word=word.word, region=word.region, senses=word.senses, known_by=tuple(known_by))


def _reasons(scored: ScoredRun, service: str, words: list[VocabularyTask]) -> ReasonCount:
    if service in scored.withheld:
        return ReasonCount(service=service, known=None, reasons={})
    known = [_known(scored, service, word) for word in words]
    first = [
        next(mark.reason for mark in _marks(scored, service, word) if mark.outcome != "passed")
        for word, is_known in zip(words, known, strict=True)
        if not is_known
    ]
    return ReasonCount(service=service, known=sum(known), reasons=dict(sorted(Counter(first).items())))


def _region(
    scored: ScoredRun, region: str, words: list[VocabularyTask], knows: dict[tuple[str, str], bool]
) -> RegionView:
    within = [word for word in words if region in ("", word.region)]
    return RegionView(
        region=region,
        words=len(within),
        known={
            name: scored.withheld.get(name)
            or _share(sum(knows[name, word.id] for word in within), len(within), scored.suite.sha256[:12])
            for name in scored.run.contract.services
        },
    )


def _share(known: int, n: int, suite: str) -> Figure:
    interval = wilson(known, n)
    if isinstance(interval, Undefined):
        return withheld(interval)
    recipe = Recipe(method="wilson_share", n=n, unit="tasks", suite=suite)
    return figure(Fraction(known, n), Interval(interval.low, interval.high), recipe)
