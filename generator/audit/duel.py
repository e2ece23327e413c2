"""Is the key better than an answer? Blind ballots on pairs of reference and answer, counted when the key is opened.

A key that mostly ties with a model's answers does not separate quality, and no grader can mend that. A judge sees
two texts and no name; the key is sealed by a published hash before the first ballot. Every judge is counted alone:
two judges on one pair are not two pairs. Nothing is counted before every ballot is in, so that nobody can stop at a
good moment.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from generator.findings import Finding
from generator.records import (
    Ballot,
    Call,
    DuelFile,
    Key,
    Mark,
    Pair,
    Record,
    RubricTask,
    Side,
    StoredDuel,
    Suite,
    TranslationTask,
)
from generator.uncertainty.duel import Duel, duel
from generator.uncertainty.undefined import Undefined

ALPHA = Fraction(1, 20)


class Contest(Record, frozen=True, kw_only=True):
    """One task of a duel before its sides are drawn."""

    task_id: str
    source: str
    reference: str
    answer: str


class Contests(Record, frozen=True, kw_only=True):
    """What can be put on a sheet, and how many tasks cannot."""

    contests: tuple[Contest, ...]
    identical: int
    without_answer: int


class Tally(Record, frozen=True, kw_only=True):
    """One judge's ballots, opened."""

    judge: str
    reference: int
    service: int
    ties: int


def contests(suite: Suite, answers: dict[str, tuple[Call, Mark]]) -> Contests:
    """The public tasks with a reference, each with a service's answer; in suite order.

    Only public tasks: the sheet is offered to everybody. Both texts are trimmed and composed (NFC), so that nothing
    but their words tells them apart; a task whose answer is its reference, but for letter case and punctuation, is
    left out, because there would be nothing to judge.

    Args:
        suite: with its tasks.
        answers: task id -> the service's deciding call and its mark.
    """
    found: list[Contest] = []
    identical = without = 0
    for task in suite.tasks:
        if task.access != "public" or not isinstance(task, TranslationTask | RubricTask) or task.id not in answers:
            continue
        call, mark = answers[task.id]
        reference, answer = trimmed(task.references[0]), trimmed(call.output or "")
        if mark.outcome == "technical" or not answer:
            without += 1
        elif _loosely(reference) == _loosely(answer):
            identical += 1
        else:
            source = task.source_text if isinstance(task, TranslationTask) else task.prompt
            found.append(Contest(task_id=task.id, source=trimmed(source), reference=reference, answer=answer))
    return Contests(contests=tuple(found), identical=identical, without_answer=without)


def trimmed(text: str) -> str:
    """NFC, Unix line ends, no white space around."""
    return unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").strip()


def _loosely(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def draw(
    name: str, drawn: Sequence[Contest], order: Sequence[int], left: Sequence[Side], salt: str
) -> tuple[tuple[Pair, ...], Key]:
    """The sheet and its key.

    Args:
        name: of the duel.
        drawn: what is compared.
        order: a permutation of the contests: the order on the sheet.
        left: for each place on the sheet what stands on the left, drawn by chance.
        salt: 64 random hex digits.
    """
    pairs, sides = [], {}
    for place, (index, side) in enumerate(zip(order, left, strict=True), 1):
        contest = drawn[index]
        texts = (contest.reference, contest.answer)
        first, second = texts if side == "reference" else texts[::-1]
        pair = f"p{place:02d}"
        pairs.append(Pair(pair=pair, task_id=contest.task_id, source=contest.source, left=first, right=second))
        sides[pair] = side
    return tuple(pairs), Key(duel=name, salt=salt, left=sides)


def state(stored: StoredDuel) -> str:
    """``untested``, ``unfinished``, ``sealed`` or ``opened``."""
    if not stored.ballots:
        return "untested"
    if stored.key and stored.opening:
        return "opened"
    return "sealed" if not missing(stored.declared, stored.ballots) else "unfinished"


def missing(declared: DuelFile, ballots: Sequence[Ballot]) -> dict[str, int]:
    """Judge -> pairs without a ballot, for judges who have not finished."""
    counts = Counter(ballot.judge for ballot in ballots)
    return {judge: declared.pairs - count for judge, count in sorted(counts.items()) if count < declared.pairs}


def tallies(stored: StoredDuel) -> tuple[Tally, ...]:
    """The count of every judge, by name; empty while the key is closed."""
    if state(stored) != "opened" or stored.key is None:
        return ()
    counts: dict[str, Counter[str]] = {}
    for ballot in stored.ballots:
        counts.setdefault(ballot.judge, Counter())[preferred(ballot, stored.key)] += 1
    return tuple(
        Tally(judge=judge, reference=count["reference"], service=count["service"], ties=count["tie"])
        for judge, count in sorted(counts.items())
    )


def preferred(ballot: Ballot, key: Key) -> str:
    """``reference``, ``service`` or ``tie``."""
    if ballot.choice == "tie":
        return "tie"
    left = key.left[ballot.pair]
    if ballot.choice == "left":
        return left
    return "service" if left == "reference" else "reference"


def sentence(tally: Tally) -> str:
    """What the ballots support: a preference at the 5 % level of the sign test, or no distinction; never equality."""
    result = duel(tally.reference, tally.service, tally.ties)
    if isinstance(result, Undefined) or result.p > ALPHA:
        return "not_distinguished"
    return "reference_preferred" if tally.reference > tally.service else "service_preferred"


def result_of(tally: Tally) -> Duel | Undefined:
    """Everything that the statistics room says about a tally; the reference is the first side."""
    return duel(tally.reference, tally.service, tally.ties)


def duel_findings(stored: StoredDuel) -> list[Finding]:
    """A remark for every judge whom the key did not persuade: its scores measure likeness, not quality."""
    return [
        Finding(
            file=f"duels/{stored.declared.id}/ballots.jsonl",
            line=0,
            field=tally.judge,
            slug="key-not-preferred",
            found=f"{tally.ties} ties, {tally.reference} for the reference, {tally.service} for the service",
            expected="a key that a blind judge prefers",
            todo=f"do not read scores against this key of {stored.declared.suite.id} as quality",
            blocking=False,
        )
        for tally in tallies(stored)
        if sentence(tally) != "reference_preferred"
    ]
