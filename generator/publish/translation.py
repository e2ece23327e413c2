"""Translations as a corpus: chrF++ first, BLEU and TER beside it, each with its signature; services in pairs.

Every sentence counts: an answer that never came is an empty hypothesis, because leaving it out would flatter. The
speech level of a sentence is recorded and never mixed into its meaning.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import get_args

from generator.publish.figures import figure, withheld
from generator.publish.probe_views import CorpusView, ImportedView, MetricView, TranslationPairView, TranslationView
from generator.publish.scored import ScoredRun
from generator.records import Figure, Measured, Recipe, TranslationTask, Withheld
from generator.score import GRADER
from generator.score.translation import Hypothesis, Metric, Paired, References, corpus, hypothesis, paired
from generator.uncertainty.multiple import holm
from generator.uncertainty.undefined import Undefined

METRICS: tuple[Metric, ...] = get_args(Metric)
DIGITS = 4
"""Decimals to which a metric is rounded at once: floats beyond differ between machines."""


def translation_views(scored: ScoredRun) -> tuple[TranslationView, ...]:
    """One view a direction of the translation tasks at hand, in suite order."""
    asked = {lock.id for lock in scored.tasks}
    tasks = [task for task in scored.suite.tasks if isinstance(task, TranslationTask) and task.id in asked]
    directions = dict.fromkeys(task.direction for task in tasks)
    return tuple(_view(scored, name, [task for task in tasks if task.direction == name]) for name in directions)


def _view(scored: ScoredRun, direction: str, tasks: Sequence[TranslationTask]) -> TranslationView:
    services = scored.run.contract.services
    answers = {name: [_answer(scored, name, task) for task in tasks] for name in services}
    shown = [name for name in services if name not in scored.withheld]
    pairs, signature = _pairs(shown, answers, tasks, scored.suite.sha256[:12])
    return TranslationView(
        run_id=scored.run.contract.run_id,
        suite=scored.suite.file.id,
        direction=direction,
        sentences=len(tasks),
        public=sum(task.access == "public" for task in tasks),
        services=tuple(_corpus(scored, name, tasks, answers[name]) for name in services),
        imported=tuple(_imported(scored, tasks)),
        pairs=pairs,
        test=signature,
    )


def _answer(scored: ScoredRun, service: str, task: TranslationTask) -> Hypothesis:
    """The first repeat's answer; empty where there is no complete one."""
    slot = (service, task.id, 1)
    complete = scored.marks[slot].outcome != "technical"
    return hypothesis(scored.last[slot].output if complete else None)


def _corpus(
    scored: ScoredRun, service: str, tasks: Sequence[TranslationTask], answers: Sequence[Hypothesis]
) -> CorpusView:
    marks = [scored.marks[service, task.id, 1] for task in tasks]
    suite = scored.suite.sha256[:12]
    held = scored.withheld.get(service)
    registers = sorted({task.register for task in tasks if task.register})
    by_register = {name: [at for at, task in enumerate(tasks) if task.register == name] for name in registers}
    return CorpusView(
        service=service,
        sentences=len(tasks),
        metrics=tuple(_metric(metric, tasks, answers, suite, held) for metric in METRICS),
        copies=None if held else sum(mark.reason == "source_copy" for mark in marks),
        technical=sum(mark.outcome == "technical" for mark in marks),
        registers={
            name: _metric("chrf", [tasks[at] for at in places], [answers[at] for at in places], suite, held).value
            for name, places in by_register.items()
        },
    )


def _metric(
    metric: Metric, tasks: Sequence[TranslationTask], answers: Sequence[Hypothesis], suite: str, held: Withheld | None
) -> MetricView:
    score = corpus(metric, answers, [References(task.references) for task in tasks])
    recipe = Recipe(method=metric, n=len(tasks), unit="tasks", grader=GRADER, suite=suite)
    return MetricView(
        metric=metric, value=held or figure(_rounded(score.value), None, recipe), signature=score.signature
    )


def _rounded(value: float) -> Fraction:
    return Fraction(round(value * 10**DIGITS), 10**DIGITS)


def _imported(scored: ScoredRun, tasks: Sequence[TranslationTask]) -> Iterator[ImportedView]:
    """The metrics that were taken over, in stored order, with a mean a service over all sentences.

    Every sentence counts here too: a service with a sentence that has no score has no mean.
    """
    given: dict[tuple[str, str, str], dict[str, Fraction]] = {}
    wanted = {task.id for task in tasks}
    for line in scored.run.metrics:
        if line.task_id not in wanted:
            continue
        scores = given.setdefault((line.metric, line.signature, line.by), {})
        scores[line.subject] = Fraction(line.score)
    recipe = Recipe(method="imported_metric", n=len(tasks), unit="tasks", suite=scored.suite.sha256[:12])

    def mean(service: str, scores: dict[str, Fraction]) -> Figure:
        calls = [scored.last.get((service, task.id, 1)) for task in tasks]
        found = [scores[call.call_id] for call in calls if call and call.call_id in scores]
        if len(found) < len(tasks):
            return withheld(Undefined("too_few", {"n": len(found), "needed": len(tasks)}))
        return figure(_rounded(float(sum(found) / len(found))), None, recipe)

    for (metric, signature, by), scores in given.items():
        means = {name: scored.withheld.get(name) or mean(name, scores) for name in scored.run.contract.services}
        yield ImportedView(metric=metric, signature=signature, by=by, means=means)


def _pairs(
    services: Sequence[str], answers: dict[str, list[Hypothesis]], tasks: Sequence[TranslationTask], suite: str
) -> tuple[tuple[TranslationPairView, ...], str]:
    """Every two services by paired bootstrap on chrF++, p adjusted by Holm; and the signature of the test."""
    references = [References(task.references) for task in tasks]
    results: dict[tuple[str, str], Paired] = {
        (a, b): paired("chrf", answers[a], answers[b], references, test="bs") for a, b in combinations(services, 2)
    }
    if not results:
        return (), ""
    chances = [_rounded(result.p_value) for result in results.values()]
    views = tuple(
        TranslationPairView(
            a=a,
            b=b,
            difference=_figure(_rounded(result.first) - _rounded(result.second), "chrf_difference", len(tasks), suite),
            p=_figure(chance, "paired_bootstrap", len(tasks), suite),
            p_adjusted=_figure(adjusted, "holm_bootstrap", len(tasks), suite),
        )
        for ((a, b), result), chance, adjusted in zip(results.items(), chances, holm(chances), strict=True)
    )
    return views, next(iter(results.values())).signature


def _figure(point: Fraction, method: str, n: int, suite: str) -> Figure:
    return Measured(
        point=point, low=None, high=None, recipe=Recipe(method=method, n=n, unit="tasks", grader=GRADER, suite=suite)
    )
