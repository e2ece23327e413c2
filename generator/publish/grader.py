"""The grader stress test as a reader sees it: shares with clustered intervals, examples from public tasks only."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from generator.audit.stress import Stress, Trial, stress
from generator.audit.variants import Keyed
from generator.publish.audit_views import ExampleView, GraderView, StressView, TransformView
from generator.publish.figures import figure, withheld
from generator.records import ChecksTask, Figure, Recipe, Suite
from generator.score import GRADER
from generator.uncertainty.interval import Interval
from generator.uncertainty.repeats import clustered_mean, clustered_share
from generator.uncertainty.student import t_quantile
from generator.uncertainty.undefined import Undefined

EXAMPLES = 3
"""Most examples a transform."""


def stress_view(suite: Suite, results: Sequence[Stress] | None = None) -> StressView:
    """The stress test of a suite.

    Args:
        suite: with the tasks at hand.
        results: of ``stress`` on it, where they are there already.
    """
    rules = suite.file.stress
    keyless = ["checks" if isinstance(t, ChecksTask) else "rubric" for t in suite.tasks if not isinstance(t, Keyed)]
    return StressView(
        suite=suite.file.id,
        version=GRADER,
        graders=tuple(_grader(each, suite.sha256[:12]) for each in (stress(suite) if results is None else results)),
        untested=dict(sorted(Counter(keyless).items())),
        accept_percent=int(rules.accept_at_least.rstrip("%")) if rules else None,
        reject_percent=int(rules.reject_at_least.rstrip("%")) if rules else None,
    )


def _grader(result: Stress, suite: str) -> GraderView:
    return GraderView(
        grader=result.grader,
        in_use=result.in_use,
        graded=result.graded,
        right=_share(result, suite, right=True),
        wrong=_share(result, suite, right=False),
        refused_right=_misgraded(result, right=True),
        accepted_wrong=_misgraded(result, right=False),
        still_right=tuple(_transform(result, name, suite, right=True) for name in result.transforms(right=True)),
        certainly_wrong=tuple(_transform(result, name, suite, right=False) for name in result.transforms(right=False)),
    )


def _misgraded(result: Stress, *, right: bool) -> int | None:
    side = [trial for trial in result.trials if trial.variant.right is right]
    return None if result.graded else sum(trial.worth == 0 for trial in side)


def _transform(result: Stress, transform: str, suite: str, *, right: bool) -> TransformView:
    trials = [t for t in result.trials if t.variant.transform == transform and t.variant.right is right]
    public = [trial for trial in trials if trial.access == "public"]
    return TransformView(
        transform=transform,
        share=_share(result, suite, transform, right=right),
        variants=len(trials),
        tasks=len({trial.variant.task_id for trial in trials}),
        score=sum((trial.score for trial in trials), Fraction(0)) / len(trials),
        examples=tuple(_example(t) for t in sorted(public, key=lambda trial: trial.worth == 1)[:EXAMPLES]),
    )


def _example(trial: Trial) -> ExampleView:
    return ExampleView(
        task_id=trial.variant.task_id,
        key=trial.key,
        text=trial.variant.text,
        score=trial.score,
        fine=trial.worth == 1,
    )


def _share(result: Stress, suite: str, transform: str | None = None, *, right: bool) -> Figure:
    """Mean worth with its interval: Wilson on the effective number of variants, or t over tasks without a pass mark.

    One task alone has a point and no interval.
    """
    clusters = result.clusters(right=right, transform=transform)
    values = [worth for cluster in clusters for worth in cluster]
    method = "clustered_t" if result.graded else "clustered_wilson"
    recipe = Recipe(method=method, n=len(values), unit="answers", grader=GRADER, suite=suite)
    if not values:
        return withheld(Undefined("no_data", {"n": 0}))
    point = sum(values, Fraction(0)) / len(values)
    return figure(point, _by_score(clusters) if result.graded else _by_outcome(clusters), recipe)


def _by_outcome(clusters: Sequence[Sequence[Fraction]]) -> Interval | Undefined:
    share = clustered_share([[int(worth) for worth in cluster] for cluster in clusters])
    return share if isinstance(share, Undefined) else Interval(share.low, share.high)


def _by_score(clusters: Sequence[Sequence[Fraction]]) -> Interval | Undefined:
    mean = clustered_mean(clusters)
    if isinstance(mean, Undefined):
        return mean
    if mean.standard_error == 0:
        return Undefined("no_variation", {"n": sum(map(len, clusters))})
    half = t_quantile(mean.df, 0.95) * mean.standard_error
    return Interval(max(0.0, float(mean.point) - half), min(1.0, float(mean.point) + half))
