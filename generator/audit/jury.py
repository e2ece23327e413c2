"""Who judged whom, and what did it do to the scores? Re-derived from the stored lines, trusting none of them.

An answer that several services gave alike was judged once; here it counts once. Judges are compared on the answers
they share, because raw means compare answers as much as judges.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from generator.findings import Finding
from generator.records import Call, JuryRules, Record, Verdict
from generator.score.judged import conflicts, usable
from generator.uncertainty.severity import Rating

SEATS = ("first", "second", "third")


class Score(Record, frozen=True, kw_only=True):
    """One judge's usable score of one answer."""

    role: str
    judge: str
    score: int
    place: int
    """How many answers this judge had scored before it."""


class Panel(Record, frozen=True, kw_only=True):
    """One judged answer with the usable scores it got, in the order of the seats."""

    subject: str
    """The call that stands for all identical answers."""
    task_id: str
    vendor: str
    """Of the service that answered."""
    length: int
    """Characters of the answer."""
    scores: tuple[Score, ...]
    third_asked: bool

    @property
    def pair(self) -> tuple[int, int] | None:
        """Scores of the first and the second seat; None where one is missing."""
        seats = {score.role: score.score for score in self.scores}
        return (seats["first"], seats["second"]) if {"first", "second"} <= seats.keys() else None


def panels(calls: Sequence[Call], verdicts: Sequence[Verdict], vendors: Mapping[str, str]) -> tuple[Panel, ...]:
    """One panel an answer that any judge was asked about, in the order of its first verdict.

    Args:
        calls: of the run.
        verdicts: every line of the run; only the three seats count here. Of several usable verdicts in one seat the
            earliest attempt counts, as in scoring.
        vendors: service id -> vendor.
    """
    by_id = {call.call_id: call for call in calls}
    seats: dict[str, dict[str, Verdict | None]] = defaultdict(dict)
    for verdict in sorted(verdicts, key=lambda line: line.attempt):
        if verdict.role in SEATS and verdict.subject in by_id:
            held = seats[verdict.subject].get(verdict.role)
            seats[verdict.subject][verdict.role] = held or (verdict if usable(verdict) is not None else None)
    order = [v.subject for v in verdicts if v.subject in seats]
    places = _places([v for v in verdicts if v.role in SEATS])
    return tuple(
        Panel(
            subject=subject,
            task_id=by_id[subject].task_id,
            vendor=vendors.get(by_id[subject].service, ""),
            length=len(by_id[subject].output or ""),
            scores=tuple(
                Score(role=role, judge=line.by, score=line.score, place=places[line.by, subject])
                for role in SEATS
                if (line := seats[subject].get(role)) is not None and line.score is not None
            ),
            third_asked="third" in seats[subject],
        )
        for subject in dict.fromkeys(order)
    )


def _places(verdicts: Sequence[Verdict]) -> dict[tuple[str, str], int]:
    """(judge, subject) -> number of other subjects it was asked about before."""
    seen: dict[str, dict[str, None]] = defaultdict(dict)
    for verdict in sorted(verdicts, key=lambda line: line.at):
        seen[verdict.by].setdefault(verdict.subject)
    return {(judge, subject): place for judge, subjects in seen.items() for place, subject in enumerate(subjects)}


def jury_findings(
    run_id: str,
    calls: Sequence[Call],
    verdicts: Sequence[Verdict],
    vendors: Mapping[str, str],
    rules: JuryRules | None,
) -> list[Finding]:
    """Verdicts by a judge of the answer's own vendor, and by judges whom the rules do not name; each blocks.

    Where the suite allows judges of the same vendor, nothing is found about vendors.
    """
    allowed = {*rules.pair, *rules.third} if rules else set()
    strangers = sorted({(v.subject, v.by) for v in verdicts if v.role in SEATS and v.by not in allowed})
    found = [
        _finding(run_id, subject, "unlisted-judge", judge, f"one of {', '.join(sorted(allowed)) or 'no judge at all'}")
        for subject, judge in strangers
    ]
    if rules is None or rules.forbid_same_vendor:
        expected = "a judge of another vendor than the service that answered"
        found += [
            _finding(run_id, call_id, "judged-by-own-vendor", judge, expected)
            for call_id, judge in conflicts(calls, verdicts, vendors)
        ]
    return found


def _finding(run_id: str, field: str, slug: str, found: str, expected: str) -> Finding:
    return Finding(
        file=f"runs/{run_id}/verdicts.jsonl",
        line=0,
        field=field,
        slug=slug,
        found=found,
        expected=expected,
        todo="have the answer judged again by a judge that the rules allow",
    )


def judge_pairs(judged: Sequence[Panel]) -> list[tuple[str, str]]:
    """Every two judges that share an answer, in order of first appearance."""
    judges = list(dict.fromkeys(score.judge for panel in judged for score in panel.scores))
    together = [{score.judge for score in panel.scores} for panel in judged]
    return [pair for pair in combinations(judges, 2) if any(set(pair) <= both for both in together)]


def between(judged: Sequence[Panel], first: str, second: str) -> list[tuple[str, int, int]]:
    """(task, score of the first, score of the second) for every answer that the two judges share."""
    shared = []
    for panel in judged:
        scores = {score.judge: score.score for score in panel.scores}
        if first in scores and second in scores:
            shared.append((panel.task_id, scores[first], scores[second]))
    return shared


def ratings(judged: Sequence[Panel]) -> list[Rating]:
    """Every usable score as the additive model of severity takes it."""
    return [Rating(panel.subject, score.judge, score.score) for panel in judged for score in panel.scores]


def severity_costs(
    judged: Sequence[Panel], effects: Mapping[str, Fraction], default: Sequence[str], span: int
) -> dict[str, tuple[int, Fraction]]:
    """Per vendor: how many of its answers were judged, and what its panels' severity adds to a judged score.

    The mean effect of an answer's judges less the mean effect of the default pair, in points of 0..100; negative
    where the vendor met stricter judges. With three judges the median is taken for their mean, so this is an estimate.

    Args:
        judged: all panels.
        effects: judge -> effect on the judges' scale, zero in sum.
        default: the suite's default pair.
        span: steps of the judges' scale, 4 for 1..5.
    """
    base = _mean([effects[judge] for judge in default if judge in effects])
    costs: dict[str, list[Fraction]] = defaultdict(list)
    for panel in judged:
        met = [effects[score.judge] for score in panel.scores if score.judge in effects]
        if met:
            costs[panel.vendor].append((_mean(met) - base) * 100 / span)
    return {vendor: (len(values), _mean(values)) for vendor, values in sorted(costs.items())}


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)
