"""Judged answers: who judges what, and what a panel's verdicts are worth. In ``score``, room 1.

The one module of the room that knows vendors, because the jury rules do: ``plan``, ``shared_verdicts`` and
``conflicts`` read them. ``mark`` and ``panel``, which make the score, take none.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from generator.records import Call, JuryRules, Mark, RubricScale, ScoreRules, Verdict, Withheld

Role = Literal["first", "second", "third"]


@dataclass(frozen=True)
class Subject:
    """An answer to be judged.

    Attributes:
        call_id: the call that gave it; of identical answers, the one that stands for them (see ``twins``).
        task_id: its task.
        vendor: vendor of the service that answered.
    """

    call_id: str
    task_id: str
    vendor: str


@dataclass(frozen=True)
class Judge:
    """A judge and the vendor of its model."""

    id: str
    vendor: str


@dataclass(frozen=True)
class Ask:
    """A verdict that is still wanted, and the number of the attempt to get it."""

    subject: Subject
    judge: Judge
    role: Role
    attempt: int


def mark(verdicts: Sequence[Verdict], rules: ScoreRules, jury: JuryRules | None) -> Mark:
    """The mark of one judged answer that is not empty.

    A rubric has no pass mark: ``passed`` says that the answer was complete and judged. Without a verdict it is a
    technical failure. A verdict on another scale than the suite's is no verdict on its rubric.
    """
    scale = rules.rubric
    on_scale = [each for each in verdicts if (each.min, each.max) == (scale.min, scale.max)]
    worth = panel(on_scale, jury) if jury else Withheld(slug="no_verdict")
    if isinstance(worth, Withheld):
        return Mark(outcome="technical", score=Fraction(rules.failed), reason=worth.slug)
    return Mark(outcome="passed", score=points(worth, scale), reason="judged")


def points(worth: Fraction, scale: RubricScale) -> Fraction:
    """A value on the judges' scale, mapped linearly to 0..100."""
    return 100 * (worth - scale.min) / (scale.max - scale.min)


def panel(verdicts: Sequence[Verdict], jury: JuryRules) -> Fraction | Withheld:
    """What two judges, or three, say together, on their own scale.

    The mean of two; where they are more than ``third_if_gap_over`` apart, the median of three. Where no third was
    asked, ``jury.without_third`` decides; where one was asked and gave no usable verdict, there is no verdict. Of
    several usable verdicts in one role the earliest attempt counts. Verdicts in other roles (human, calibration) are
    no part of the panel.

    Returns:
        An exact value between min and max of the scale, or ``Withheld("no_verdict")`` with the number of usable
        verdicts.
    """
    by_role: dict[str, int] = {}
    for verdict in sorted(verdicts, key=lambda each: each.attempt):
        if (score := usable(verdict)) is not None:
            by_role.setdefault(verdict.role, score)
    first, second, third = by_role.get("first"), by_role.get("second"), by_role.get("third")
    if first is None or second is None:
        return _no_verdict(by_role)
    if abs(first - second) <= jury.third_if_gap_over:
        return Fraction(first + second, 2)
    if third is not None:
        return Fraction(sorted((first, second, third))[1])
    third_was_asked = any(verdict.role == "third" for verdict in verdicts)
    if jury.without_third == "mean" and not third_was_asked:
        return Fraction(first + second, 2)
    return _no_verdict(by_role)


def usable(verdict: Verdict) -> int | None:
    """The score of a verdict that can be used; None where there is none or it lies outside its scale."""
    if verdict.status != "ok" or verdict.score is None or not verdict.min <= verdict.score <= verdict.max:
        return None
    return verdict.score


def _no_verdict(by_role: Mapping[str, int]) -> Withheld:
    return Withheld(slug="no_verdict", facts={"usable": len(by_role.keys() & {"first", "second", "third"})})


def plan(
    subjects: Sequence[Subject],
    judges: Sequence[Judge],
    jury: JuryRules,
    verdicts: Sequence[Verdict],
    attempts: int,
) -> list[Ask]:
    """The verdicts to ask for next; empty when nothing more is to be had.

    The pair is the first two eligible judges of ``jury.pair`` + ``jury.third`` of two different vendors. A third is
    asked when the pair's usable verdicts are more than ``third_if_gap_over`` apart: the first eligible of
    ``jury.third`` from a vendor that is neither of the pair's, else the first eligible, never one of the pair.

    Args:
        subjects: answers to judge, identical ones once, in the order in which they are to be asked.
        judges: those that can be asked; a judge that the rules name and that is not here is passed over.
        jury: the rules.
        verdicts: every line so far; those of other subjects are ignored.
        attempts: how often one judge is asked about one answer while it gives nothing usable. A line that was
            stopped by the budget is no attempt.
    """
    known = {judge.id: judge for judge in judges}
    lines: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        if verdict.role in ("first", "second", "third"):
            lines[verdict.subject, verdict.by].append(verdict)
    asks: list[Ask] = []
    for subject in subjects:
        pair = pair_for(subject.vendor, known, jury)
        if len(pair) < 2:
            continue
        seats: list[tuple[Judge, Role]] = [(pair[0], "first"), (pair[1], "second")]
        scores = [_score(lines[subject.call_id, judge.id]) for judge in pair]
        if None not in scores and _gap(scores) > jury.third_if_gap_over:
            seats += [(judge, "third") for judge in third_for(subject.vendor, pair, known, jury)]
        asks += _still_wanted(subject, seats, lines, attempts)
    return asks


def pair_for(vendor: str, known: Mapping[str, Judge], jury: JuryRules) -> tuple[Judge, ...]:
    """The two judges of an answer from ``vendor``; fewer than two where the pool does not hold them."""
    pair: list[Judge] = []
    for judge in _eligible((*jury.pair, *jury.third), vendor, known, jury):
        if len(pair) < 2 and all(_vendor(judge.vendor) != _vendor(other.vendor) for other in pair):
            pair.append(judge)
    return tuple(pair)


def third_for(vendor: str, pair: Sequence[Judge], known: Mapping[str, Judge], jury: JuryRules) -> tuple[Judge, ...]:
    """The third judge of an answer from ``vendor``: one, or none where the pool holds none."""
    taken = {_vendor(judge.vendor) for judge in pair}
    pool = [judge for judge in _eligible(jury.third, vendor, known, jury) if judge not in pair]
    return tuple(sorted(pool, key=lambda judge: _vendor(judge.vendor) in taken)[:1])


def twins(calls: Iterable[Call], vendors: Mapping[str, str], judging: Iterable[str]) -> dict[str, str]:
    """For every call id, the id of the first call with the same answer to the same task, under the same jury.

    Args:
        calls: in stored order; calls without output stand for themselves.
        vendors: service id -> vendor.
        judging: the judges' vendors. An answer from one of them is the twin only of answers from that vendor,
            since its jury is another; the answers of all other vendors share one jury.
    """
    barred = set(map(_vendor, judging))
    first: dict[tuple[str, str, str], str] = {}
    stands_for = {}
    for call in calls:
        vendor = _vendor(vendors.get(call.service, ""))
        key = (call.task_id, call.output_sha256 or call.call_id, vendor if vendor in barred else "")
        stands_for[call.call_id] = first.setdefault(key, call.call_id)
    return stands_for


def shared_verdicts(
    calls: Sequence[Call], verdicts: Sequence[Verdict], vendors: Mapping[str, str]
) -> dict[str, tuple[Verdict, ...]]:
    """The verdicts of every call: its own, or where it has none, those of its first judged twin.

    A judge's verdict is never borrowed across the rule of conflict of interest (see ``twins``).

    Args:
        calls: the deciding calls, in stored order.
        verdicts: every line of the run.
        vendors: service id -> vendor.
    """
    own: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        own[verdict.subject].append(verdict)
    stands_for = twins(calls, vendors, {verdict.vendor for verdict in verdicts if verdict.vendor})
    judged: dict[str, str] = {}
    for call in calls:
        if call.call_id in own:
            judged.setdefault(stands_for[call.call_id], call.call_id)
    shared = {}
    for call in calls:
        source = call.call_id if call.call_id in own else judged.get(stands_for[call.call_id], "")
        shared[call.call_id] = tuple(own.get(source, ()))
    return shared


def conflicts(calls: Sequence[Call], verdicts: Sequence[Verdict], vendors: Mapping[str, str]) -> list[tuple[str, str]]:
    """Who judged an answer of its own vendor: (call id, judge id), re-derived from the lines, borrowed ones included.

    A judge's vendor is read from its line and, where the judge is a known service, from ``vendors`` too: either one
    is enough.
    """
    found = set()
    for call_id, lines in shared_verdicts(calls, verdicts, vendors).items():
        found |= {(call_id, line.by, line.vendor or "", vendors.get(line.by, "")) for line in lines}
    answering = {call.call_id: _vendor(vendors.get(call.service, "")) for call in calls}
    return sorted(
        {
            (call_id, by)
            for call_id, by, *judging in found
            if answering[call_id] and answering[call_id] in map(_vendor, judging)
        }
    )


def _eligible(ids: Iterable[str], vendor: str, known: Mapping[str, Judge], jury: JuryRules) -> list[Judge]:
    """The judges of ``ids`` that may judge an answer from ``vendor``, each once, in order."""
    judges = [known[each] for each in dict.fromkeys(ids) if each in known]
    return [judge for judge in judges if not (jury.forbid_same_vendor and _vendor(judge.vendor) == _vendor(vendor))]


def _still_wanted(
    subject: Subject,
    seats: Sequence[tuple[Judge, Role]],
    lines: Mapping[tuple[str, str], Sequence[Verdict]],
    attempts: int,
) -> list[Ask]:
    asks = []
    for judge, role in seats:
        made = lines.get((subject.call_id, judge.id), ())
        tries = [line for line in made if line.status != "budget_exceeded"]
        if _score(made) is None and len(tries) < attempts:
            attempt = max((line.attempt for line in made), default=0) + 1
            asks.append(Ask(subject=subject, judge=judge, role=role, attempt=attempt))
    return asks


def _score(lines: Sequence[Verdict]) -> int | None:
    """The usable score of one judge on one answer: that of the earliest usable attempt."""
    scores = [usable(line) for line in sorted(lines, key=lambda each: each.attempt)]
    return next((score for score in scores if score is not None), None)


def _gap(scores: Sequence[int | None]) -> int:
    given = [score for score in scores if score is not None]
    return max(given) - min(given)


def _vendor(name: str) -> str:
    """A vendor's name for comparing: letter case and outer spaces do not make another vendor."""
    return name.strip().casefold()
