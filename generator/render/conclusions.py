"""Which conclusion a declared design carries: studies, studies over time, re-runs and blind duels. Part of ``render``.

As in ``sentences``: a rule is chosen here, where its condition is written, and its words are data. Every conclusion
ends with the sentence on what is not shown.
"""

from collections.abc import Mapping
from fractions import Fraction

from generator.publish.probe_views import DuelResultView, DuelView
from generator.publish.rerun_views import RerunView
from generator.publish.run_views import ServiceView
from generator.publish.series_views import SeriesChange, SeriesView
from generator.publish.study_views import StudyView
from generator.records import Measured
from generator.render.sentences import Sentence, Slot


def study(view: StudyView) -> tuple[Sentence, ...]:
    """The verdict of a service study, as its declared design carries it, and what limits it."""
    services = {service.id: service for service in view.services}
    a, b = (services[name] for name in view.comparison.primary.between)
    limits = () if view.breaches else _limits(view)
    return (*_verdict(view, a, b), *limits, Sentence(slug="study_not_shown"))


def _verdict(view: StudyView, a: ServiceView, b: ServiceView) -> tuple[Sentence, ...]:
    if view.breaches:
        return (Sentence(slug="study_withheld", slots={"breaches": len(view.breaches)}),)
    if view.verdict == "withheld" or not isinstance(view.p, Measured):
        return (Sentence(slug="study_no_data"),)
    slots: dict[str, Slot] = {"a": a, "b": b}
    difference = view.difference
    if view.verdict == "difference" and isinstance(difference, Measured) and difference.point != 0:
        high, low = (a, b) if difference.point > 0 else (b, a)
        found = Sentence(slug="study_difference", slots={"a": high, "b": low, "points": abs(difference.point)})
        return (found, *_equivalence(view, "study_difference_within"))
    if view.verdict == "equivalent" and (shown := _equivalence(view, "study_equivalent", slots)):
        return shown
    return (_open(view, slots), *_equivalence(view, "study_not_equivalent"))


def _open(view: StudyView, slots: dict[str, Slot]) -> Sentence:
    """No difference is shown: with what could have been seen, or with how far the evidence has come."""
    if view.comparison.stop.rule == "sequential" and isinstance(view.p, Measured):
        needed = 1 / Fraction(str(view.comparison.primary.alpha))
        bar = int(needed) if needed.denominator == 1 else needed
        return Sentence(slug="study_evidence", slots={**slots, "evidence": 1 / view.p.point, "needed": bar})
    if isinstance(view.detectable, Measured):
        return Sentence(slug="study_no_difference", slots={**slots, "detectable": view.detectable})
    return Sentence(slug="study_open", slots=slots)


def _equivalence(view: StudyView, slug: str, slots: Mapping[str, Slot] | None = None) -> tuple[Sentence, ...]:
    """The sentence on the declared margin, where one was declared and its outcome is what the rule is about."""
    declared = view.comparison.equivalence_margin
    outcome = "not_shown" if slug == "study_not_equivalent" else "shown"
    if declared is None or view.equivalence != outcome:
        return ()
    return (Sentence(slug=slug, slots={**(slots or {}), "margin": int(declared.removesuffix("pp"))}),)


def _limits(view: StudyView) -> tuple[Sentence, ...]:
    """What a reader must hold against any verdict: blocks that disagree, doubted samples, settings not known."""
    found = []
    alpha = Fraction(str(view.comparison.primary.alpha))
    if isinstance(view.homogeneity, Measured) and view.homogeneity.point <= alpha:
        found.append(Sentence(slug="study_blocks_disagree"))
    if disputed := sum(part.disputed for part in view.overall):
        found.append(Sentence(slug="study_disputed", slots={"disputed": disputed}))
    names = {service.id: service for service in view.services}
    for part in view.overall:
        if part.distinct == 1 and part.passed + part.failed > 1 and part.service in view.comparison.primary.between:
            slots: dict[str, Slot] = {"a": names[part.service], "n": part.passed + part.failed}
            found.append(Sentence(slug="study_identical", slots=slots))
    unknown = sum(setting.applied == "unknown" for each in view.services for setting in each.settings.values())
    if unknown:
        found.append(Sentence(slug="study_unknown_settings", slots={"settings": unknown}))
    return tuple(found)


def series(view: SeriesView, services: Mapping[str, ServiceView]) -> tuple[Sentence, ...]:
    """What a study shows over time; a single run shows nothing of it.

    Args:
        view: the runs.
        services: by id.
    """
    if len(view.points) == 1:
        return (Sentence(slug="series_single"),)
    if not view.changes:
        return (Sentence(slug="series_broken"), Sentence(slug="series_not_shown"))
    found = [_moved(change, view, services) for change in view.changes]
    return (*found, Sentence(slug="series_not_shown"))


def _moved(change: SeriesChange, view: SeriesView, services: Mapping[str, ServiceView]) -> Sentence:
    """One service: beside the control where there is one, since a rate alone cannot tell it from its surroundings."""
    figure, kind = (change.relative, "beside") if view.control else (change.absolute, "alone")
    slots: dict[str, Slot] = {"a": services[change.service]}
    if view.control:
        slots["control"] = services[view.control]
    if not isinstance(figure, Measured) or figure.low is None or figure.high is None:
        return Sentence(slug="series_withheld", slots={"a": services[change.service]})
    if figure.low <= 0 <= figure.high:
        bounds = {"low": Fraction(figure.low), "high": Fraction(figure.high)}
        return Sentence(slug=f"series_open_{kind}", slots={**slots, **bounds})
    return Sentence(slug=f"series_moved_{kind}", slots={**slots, "points": figure})


def rerun(view: RerunView) -> tuple[Sentence, ...]:
    """What all pairs of totals of a re-run support together."""
    if view.changed:
        found = Sentence(slug="rerun_incomparable")
    elif isinstance(view.noise, Measured) and isinstance(view.limit, Measured):
        pairs = view.noise.recipe.n
        found = Sentence(slug="rerun_noise", slots={"pairs": pairs, "noise": view.noise, "limit": view.limit})
    else:
        found = Sentence(slug="rerun_no_noise")
    return (found, Sentence(slug="rerun_not_shown"))


def duel(view: DuelView, services: Mapping[str, ServiceView]) -> tuple[Sentence, ...]:
    """What the ballots of a blind test support; nothing before its key is open.

    Args:
        view: the duel.
        services: by id; one that is not among them is called by its id.
    """
    if view.state != "opened":
        return (Sentence(slug=f"duel_{view.state}", slots={"pairs": view.pairs}),)
    found = [_preferred(result, services.get(view.service, view.service)) for result in view.results]
    return (*found, Sentence(slug="duel_not_shown"))


def _preferred(result: DuelResultView, service: ServiceView | str) -> Sentence:
    n = result.reference + result.service + result.ties
    slots: dict[str, Slot] = {"judge": result.judge, "service": service, "ties": result.ties, "pairs": n}
    return Sentence(slug=f"duel_{result.sentence}", slots=slots)
