"""The same study again and again: is a service drifting, or is everything drifting with it?

A rate alone cannot tell a service that changed from a day that was different for all. So each run is also read
beside a control service, and nothing is joined across a change of suite, task, grader or settings.
"""

from collections.abc import Sequence
from itertools import pairwise

from generator.publish.designs import points
from generator.publish.series_views import SeriesChange, SeriesPoint, SeriesView
from generator.publish.study_views import StudyBlock, StudyView
from generator.records import Figure, Recipe, Withheld
from generator.uncertainty.proportion import Difference, change, newcombe_difference
from generator.uncertainty.sequential import sequence_difference
from generator.uncertainty.tables import Table
from generator.uncertainty.undefined import Undefined

ERROR = 0.05
"""Chance that any of the intervals of change misses, over all compared services together."""


def series_views(studies: Sequence[StudyView]) -> tuple[SeriesView, ...]:
    """One series for every pair of compared services with its control, in the order of its first run.

    A single run is a series too: of one point, which is no trend.
    """
    series: dict[object, list[StudyView]] = {}
    for study in sorted(studies, key=lambda each: (each.run.first_call, each.run.run_id)):
        series.setdefault((study.comparison.primary.between, study.comparison.control), []).append(study)
    return tuple(map(_series, series.values()))


def _series(studies: Sequence[StudyView]) -> SeriesView:
    last = studies[-1]
    breaks = [("first",), *(differences(*two) for two in pairwise(studies))]
    start = max(index for index, reasons in enumerate(breaks) if reasons)
    return SeriesView(
        services=tuple(_names(last)),
        names={service.id: service.name for study in studies for service in study.services},
        between=last.comparison.primary.between,
        control=last.comparison.control,
        points=tuple(_point(study, reasons) for study, reasons in zip(studies, breaks, strict=True)),
        changes=_changes(studies[start], last) if start < len(studies) - 1 else (),
    )


def _names(study: StudyView) -> list[str]:
    """The two compared services, then the control."""
    control = study.comparison.control
    return list(dict.fromkeys([*study.comparison.primary.between, *([control] if control else [])]))


def differences(earlier: StudyView, later: StudyView) -> tuple[str, ...]:
    """Why two runs of a study must not be joined; empty where nothing but time lies between them."""
    kept = {
        "suite": earlier.suite.sha256 == later.suite.sha256,
        "task": earlier.comparison.task == later.comparison.task,
        "grader": earlier.run.grader == later.run.grader,
        "settings": _settings(earlier) == _settings(later),
        "breach": not earlier.breaches and not later.breaches,
    }
    return tuple(reason for reason, same in kept.items() if not same)


def _settings(study: StudyView) -> list[tuple[object, ...]]:
    """How the services of a series were asked: by which route, for which model, with which settings."""
    services = {service.id: service for service in study.services}
    asked = [services[name] for name in _names(study) if name in services]
    return [(each.id, each.group, each.requested_model, each.settings) for each in asked]


def _point(study: StudyView, breaks: tuple[str, ...]) -> SeriesPoint:
    control = study.comparison.control
    return SeriesPoint(
        run_id=study.run.run_id,
        at=study.run.first_call,
        question=study.comparison.question,
        rates={each.service: each.all_rate for each in study.overall if each.service in _names(study)},
        relative={
            name: points(_beside(study, name, control, 1 - ERROR), _recipe("", [study], (name, control)))
            for name in _compared(study)
            if control
        },
        breaks=breaks,
    )


def _compared(study: StudyView) -> list[str]:
    """The compared services other than the control."""
    return [name for name in study.comparison.primary.between if name != study.comparison.control]


def _changes(first: StudyView, last: StudyView) -> tuple[SeriesChange, ...]:
    """Last run minus first, with intervals that hold for all compared services together (Bonferroni)."""
    names = _compared(last)
    return tuple(_change(first, last, name, 1 - ERROR / len(names)) for name in names)


def _change(first: StudyView, last: StudyView, name: str, confidence: float) -> SeriesChange:
    control = last.comparison.control
    relative: Figure = Withheld(slug="no_control")
    if control:
        then, now = (_beside(study, name, control, confidence) for study in (first, last))
        both = Undefined("no_data", {"n": 0})
        found = both if isinstance(then, Undefined) or isinstance(now, Undefined) else change(now, then)
        relative = points(found, _recipe("change_beside_control", [first, last], (name, control)))
    absolute = _difference(_overall(last, name), _overall(first, name), confidence, _is_sequential(first, last))
    return SeriesChange(
        service=name,
        first=first.run.run_id,
        last=last.run.run_id,
        absolute=points(absolute, _recipe("change_in_time", [first, last], (name,))),
        relative=relative,
    )


def _beside(study: StudyView, name: str, control: str, confidence: float) -> Difference | Undefined:
    """A service minus the control in one run."""
    return _difference(_overall(study, name), _overall(study, control), confidence, _is_sequential(study))


def _overall(study: StudyView, name: str) -> StudyBlock | None:
    return next((each for each in study.overall if each.service == name), None)


def _difference(
    one: StudyBlock | None, other: StudyBlock | None, confidence: float, sequential: bool
) -> Difference | Undefined:
    if one is None or other is None:
        return Undefined("no_data", {"n": 0})
    table = Table(one.passed, one.requests - one.passed, other.passed, other.requests - other.passed)
    return sequence_difference(table, confidence) if sequential else newcombe_difference(table, confidence)


def _is_sequential(*studies: StudyView) -> bool:
    return any(study.comparison.stop.rule == "sequential" for study in studies)


def _recipe(method: str, studies: Sequence[StudyView], names: tuple[str, ...]) -> Recipe:
    """Of a figure that rests on the requests of these services in these runs."""
    usual = "sequence_difference" if _is_sequential(*studies) else "newcombe"
    return Recipe(
        method=method or usual,
        n=sum(each.requests for study in studies for each in study.overall if each.service in names),
        unit="requests",
        grader=studies[-1].run.grader,
        suite=studies[-1].suite.sha256[:12],
    )
