"""The jury audit of one run as a reader sees it: agreement, severity and its cost, habits, calibration."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from generator.audit.calibration import IN_RANGE, REVERSED, JudgeTest, calibrate, verdict_on_jury
from generator.audit.jury import SEATS, Panel, between, judge_pairs, panels, ratings, severity_costs
from generator.publish.audit_views import (
    AgreementView,
    CalibratedJudgeView,
    CalibrationView,
    ClosureView,
    JudgeView,
    JuryAuditView,
    VendorView,
)
from generator.publish.figures import figure, withheld
from generator.publish.scored import ScoredRun
from generator.records import Figure, JuryRules, Recipe, RubricScale, Verdict
from generator.uncertainty.interval import Interval
from generator.uncertainty.items import correlation
from generator.uncertainty.judges import agreement, gwet_ac2, ordinal_alpha, quadratic_kappa
from generator.uncertainty.proportion import wilson
from generator.uncertainty.repeats import clustered_mean, clustered_share
from generator.uncertainty.severity import Severity, additive_severity, triangle_closures
from generator.uncertainty.student import t_quantile
from generator.uncertainty.undefined import Undefined

Scores = Sequence[tuple[str, int, int]]
"""(task, first score, second score) an answer."""


def jury_audit_view(scored: ScoredRun) -> JuryAuditView | None:
    """The jury of a scored run; None where the suite has no jury or nobody was asked."""
    rules, scale = scored.suite.file.jury, scored.suite.file.score.rubric
    judged = panels(scored.run.calls, scored.run.verdicts, scored.vendors)
    if rules is None or not judged:
        return None
    pairs = [(panel.task_id, *panel.pair) for panel in judged if panel.pair]
    fit = additive_severity(ratings(judged))
    return JuryAuditView(
        run_id=scored.run.contract.run_id,
        suite=scored.suite.file.id,
        scale_min=scale.min,
        scale_max=scale.max,
        default_pair=rules.pair,
        answers=len(judged),
        paired=len(pairs),
        disagreed=sum(abs(first - second) > rules.third_if_gap_over for _, first, second in pairs),
        third_asked=sum(panel.third_asked for panel in judged),
        gap=rules.third_if_gap_over,
        judges=_judges(scored, judged, fit),
        agreement=(
            _agreement((), pairs, scale),
            *(_agreement(names, between(judged, *names), scale) for names in judge_pairs(judged)),
        ),
        vendors=_vendors(scored, judged, fit, rules, scale),
        closures=tuple(
            ClosureView(judges=each.judges, gap=each.gap, shared=each.shared)
            for each in triangle_closures(ratings(judged))
        ),
        calibration=calibration_view(scored),
    )


def _agreement(judges: tuple[str, ...], scores: Scores, scale: RubricScale) -> AgreementView:
    pairs = [(first, second) for _, first, second in scores]
    n = len(pairs)
    plain = agreement(pairs)
    units = [list(pair) for pair in pairs]
    alike = [(task, first == second) for task, first, second in scores]
    near = [(task, abs(first - second) <= 1) for task, first, second in scores]
    gaps = [(task, first - second) for task, first, second in scores]
    return AgreementView(
        judges=judges,
        n=n,
        exact=share(alike),
        within_one=share(near),
        mean_difference=withheld(plain) if isinstance(plain, Undefined) else mean(gaps),
        kappa=figure(quadratic_kappa(pairs), None, _recipe("quadratic_kappa", n)),
        alpha=figure(ordinal_alpha(units), None, _recipe("krippendorff_alpha", n)),
        ac2=figure(gwet_ac2(units, range(scale.min, scale.max + 1)), None, _recipe("gwet_ac2", n)),
    )


def share(outcomes: Iterable[tuple[str, bool]]) -> Figure:
    """A share of answers with an interval clustered by task; without one where all come from one task."""
    clusters = _by_task((task, int(outcome)) for task, outcome in outcomes)
    values = [value for cluster in clusters for value in cluster]
    if not values:
        return withheld(Undefined("no_data", {"n": 0}))
    result = clustered_share(clusters)
    interval = result if isinstance(result, Undefined) else Interval(result.low, result.high)
    return figure(Fraction(sum(values), len(values)), interval, _recipe("clustered_wilson", len(values)))


def mean(values: Iterable[tuple[str, int]]) -> Figure:
    """A mean over answers with a t interval over tasks; without one where nothing varies or one task is all."""
    clusters = _by_task(values)
    flat = [value for cluster in clusters for value in cluster]
    if not flat:
        return withheld(Undefined("no_data", {"n": 0}))
    result = clustered_mean(clusters)
    interval = None
    if not isinstance(result, Undefined) and result.standard_error > 0:
        half = t_quantile(result.df, 0.95) * result.standard_error
        interval = Interval(float(result.point) - half, float(result.point) + half)
    return figure(Fraction(sum(flat), len(flat)), interval, _recipe("clustered_t", len(flat)))


def _by_task(values: Iterable[tuple[str, int]]) -> list[list[int]]:
    clusters: dict[str, list[int]] = defaultdict(list)
    for task, value in values:
        clusters[task].append(value)
    return list(clusters.values())


def _recipe(method: str, n: int) -> Recipe:
    return Recipe(method=method, n=n, unit="answers")


def _judges(scored: ScoredRun, judged: Sequence[Panel], fit: Severity | Undefined) -> tuple[JudgeView, ...]:
    lines: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in scored.run.verdicts:
        if verdict.role in SEATS:
            lines[verdict.by].append(verdict)
    return tuple(_judge(name, own, judged, fit) for name, own in sorted(lines.items()))


def _judge(name: str, lines: Sequence[Verdict], judged: Sequence[Panel], fit: Severity | Undefined) -> JudgeView:
    given = [(panel, score) for panel in judged for score in panel.scores if score.judge == name]
    scores = [(panel.task_id, score.score) for panel, score in given]
    costs = [line.cost_usd for line in lines]
    return JudgeView(
        judge=name,
        vendor=next((line.vendor for line in lines if line.vendor), ""),
        verdicts=len(lines),
        unusable=dict(sorted(Counter(line.status for line in lines if line.score is None).items())),
        answers=len(given),
        met={vendor: sum(panel.vendor == vendor for panel, _ in given) for vendor in _answering(judged)},
        mean=mean(scores),
        severity=_severity(name, fit, len(given)),
        place=_habit([(task, score.score, score.place) for (task, _), (_, score) in zip(scores, given, strict=True)]),
        length=_habit([(panel.task_id, score.score, panel.length) for panel, score in given]),
        cost_usd=None if None in costs else sum((cost for cost in costs if cost is not None), Decimal(0)),
    )


def _answering(judged: Sequence[Panel]) -> list[str]:
    """The vendors whose answers were judged, by name."""
    return sorted({panel.vendor for panel in judged})


def _severity(judge: str, fit: Severity | Undefined, n: int) -> Figure:
    if isinstance(fit, Undefined) or judge not in fit.effects:
        return withheld(fit if isinstance(fit, Undefined) else Undefined("no_data", {"n": 0}))
    point = fit.effects[judge]
    errors = fit.standard_error
    interval = None
    if not isinstance(errors, Undefined):
        half = t_quantile(fit.residual_df, 0.95) * errors[judge]
        interval = Interval(float(point) - half, float(point) + half)
    return figure(point, interval, _recipe("additive_severity", n))


def _habit(seen: Scores) -> Figure:
    """Correlation of a judge's scores with something else about the answers, both less their task's mean."""
    by_task: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for task, score, other in seen:
        by_task[task].append((score, other))
    pairs: list[tuple[Fraction, Fraction]] = []
    for values in by_task.values():
        middle = [Fraction(sum(column), len(values)) for column in zip(*values, strict=True)]
        pairs += [(score - middle[0], other - middle[1]) for score, other in values]
    result = correlation([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    return figure(result, None, _recipe("within_task_correlation", len(pairs)))


def _vendors(
    scored: ScoredRun, judged: Sequence[Panel], fit: Severity | Undefined, rules: JuryRules, scale: RubricScale
) -> tuple[VendorView, ...]:
    if isinstance(fit, Undefined):
        return ()
    costs = severity_costs(judged, fit.effects, rules.pair, scale.max - scale.min)
    weight = judged_weight(scored)
    return tuple(
        VendorView(
            vendor=vendor,
            answers=n,
            judged=figure(cost, None, _recipe("severity_cost", n)),
            total=figure(cost * weight, None, _recipe("severity_cost", n)),
        )
        for vendor, (n, cost) in costs.items()
    )


def judged_weight(scored: ScoredRun) -> Fraction:
    """How much of the total is judged: the mean over categories of the share of their tasks that are."""
    shares = []
    for category in scored.suite.file.category:
        kinds = [lock.kind == "rubric" for lock in scored.tasks if lock.category == category.id]
        if kinds:
            shares.append(Fraction(sum(kinds), len(kinds)))
    return sum(shares, Fraction(0)) / len(shares)


def calibration_view(scored: ScoredRun) -> CalibrationView:
    """The judges of a run before the anchors of its suite."""
    suite, verdicts = scored.suite, scored.run.verdicts
    tests = calibrate(suite.anchors, verdicts)
    sat = {line.by for line in verdicts if line.role in SEATS}
    return CalibrationView(
        outcome=verdict_on_jury(suite, tests, verdicts),
        policy=suite.file.jury.calibration if suite.file.jury else "warn",
        anchors=len(suite.anchors),
        in_range_percent=int(100 * IN_RANGE),
        reversed_percent=int(100 * REVERSED),
        judges=tuple(_calibrated(test, sat=test.judge in sat) for test in tests),
    )


def _calibrated(test: JudgeTest, *, sat: bool) -> CalibratedJudgeView:
    return CalibratedJudgeView(
        judge=test.judge,
        sat=sat,
        anchors=test.anchors,
        scored=test.scored,
        in_range=_rate(test.in_range, test.scored),
        within_one=_rate(test.within_one, test.scored),
        pairs=test.pairs,
        reversed=test.reversed,
        tied=test.tied,
        scores=test.scores,
        above=test.above,
        passed=test.passed,
    )


def _rate(count: int, n: int) -> Figure:
    interval = wilson(count, n)
    if isinstance(interval, Undefined):
        return withheld(interval)
    return figure(Fraction(count, n), Interval(interval.low, interval.high), _recipe("wilson_share", n))
