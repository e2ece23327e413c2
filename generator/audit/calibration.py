"""Test the judges before the model: what do they make of answers whose worth is known beforehand?

A judge passes when it gave a usable score to every anchor, at least ``IN_RANGE`` of its scores lie in the range that
a sound judge may give, and it put at most ``REVERSED`` of the ordered pairs the wrong way round. A jury passes when
every judge that sat in it does. These limits are generous: a judge that fails them cannot tell good from bad.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import msgspec

from generator.aggregate import ServiceScore
from generator.records import Anchor, Figure, Measured, Record, Suite, Verdict, Withheld
from generator.score.judged import usable

IN_RANGE = Fraction(4, 5)
"""Least share of anchor scores within the expected range."""
REVERSED = Fraction(1, 10)
"""Most pairs of anchors in the wrong order, as a share of the pairs."""
ORDER = {"excellent": 3, "acceptable": 2, "poor": 1, "off_topic": 0, "wrong_language": 0, "injection": 0}
"""Declared quality; the three at the bottom are not ordered among themselves."""
REASONS = {
    "failed": Withheld(slug="jury_failed_calibration"),
    "not_calibrated": Withheld(slug="jury_not_calibrated"),
    "no_anchors": Withheld(slug="jury_not_calibrated"),
}
"""Verdict on a jury -> why its figures are withheld, where the suite withholds them."""


class JudgeTest(Record, frozen=True, kw_only=True):
    """One judge before the anchors of a suite."""

    judge: str
    anchors: int
    """Anchors that the suite has."""
    scored: int
    """Those it gave a usable score."""
    in_range: int
    """Scores within the expected range."""
    within_one: int
    """Scores within it or at most one point outside."""
    pairs: int
    """Pairs of anchors of one task whose order is declared, both scored."""
    reversed: int
    """Pairs in which the worse answer got the higher score."""
    tied: int
    """Pairs in which both got the same."""
    scores: dict[str, tuple[int, ...]]
    """Quality -> the scores given, in anchor order."""
    above: dict[str, int]
    """Quality -> scores above the expected range: how often it was taken in."""

    @property
    def passed(self) -> bool:
        """Whether this judge passes the rule of this module."""
        everything = self.scored == self.anchors
        sound = self.in_range >= IN_RANGE * self.scored
        return everything and sound and self.reversed <= REVERSED * self.pairs


def calibrate(anchors: Sequence[Anchor], verdicts: Iterable[Verdict]) -> tuple[JudgeTest, ...]:
    """Every judge that was asked about an anchor, by id; of several usable attempts the first counts."""
    known = {anchor.id: anchor for anchor in anchors}
    given: dict[str, dict[str, int]] = defaultdict(dict)
    for verdict in sorted(verdicts, key=lambda line: line.attempt):
        if verdict.role == "calibration" and verdict.subject in known:
            scores = given[verdict.by]
            if (score := usable(verdict)) is not None:
                scores.setdefault(verdict.subject, score)
    return tuple(_test(judge, anchors, scores) for judge, scores in sorted(given.items()))


def _test(judge: str, anchors: Sequence[Anchor], scores: Mapping[str, int]) -> JudgeTest:
    scored = [(anchor, scores[anchor.id]) for anchor in anchors if anchor.id in scores]
    ordered = [
        (better, worse) if ORDER[better[0].quality] > ORDER[worse[0].quality] else (worse, better)
        for better, worse in combinations(scored, 2)
        if better[0].task_id == worse[0].task_id and ORDER[better[0].quality] != ORDER[worse[0].quality]
    ]
    by_quality: dict[str, list[int]] = {quality: [] for quality in ORDER}
    above = dict.fromkeys(ORDER, 0)
    for anchor, score in scored:
        by_quality[anchor.quality].append(score)
        above[anchor.quality] += score > anchor.expected_max
    return JudgeTest(
        judge=judge,
        anchors=len(anchors),
        scored=len(scored),
        in_range=sum(a.expected_min <= score <= a.expected_max for a, score in scored),
        within_one=sum(a.expected_min - 1 <= score <= a.expected_max + 1 for a, score in scored),
        pairs=len(ordered),
        reversed=sum(worse[1] > better[1] for better, worse in ordered),
        tied=sum(worse[1] == better[1] for better, worse in ordered),
        scores={quality: tuple(given) for quality, given in by_quality.items()},
        above=above,
    )


def verdict_on_jury(suite: Suite, tests: Sequence[JudgeTest], verdicts: Iterable[Verdict]) -> str:
    """``no_anchors``, ``not_calibrated``, ``passed`` or ``failed``: for the judges that sat in the jury of a run."""
    sat = {line.by for line in verdicts if line.role in ("first", "second", "third")}
    if not suite.anchors or not sat:
        return "no_anchors"
    by_judge = {test.judge: test for test in tests}
    if not sat <= by_judge.keys():
        return "not_calibrated"
    return "passed" if all(by_judge[judge].passed for judge in sat) else "failed"


def withheld_jury(suite: Suite, verdicts: Sequence[Verdict]) -> Withheld | None:
    """Why judged figures are withheld, where the suite says that a jury must have passed; else None."""
    if suite.file.jury is None or suite.file.jury.calibration != "withhold":
        return None
    return REASONS.get(verdict_on_jury(suite, calibrate(suite.anchors, verdicts), verdicts))


def without_judged(score: ServiceScore, reason: Withheld) -> ServiceScore:
    """``score`` with every figure withheld that rests on the jury; automatic figures and earlier reasons stay."""
    judged = {task.task.category for task in score.tasks if task.task.kind == "rubric"}
    if not judged:
        return score

    def held(figure: Figure) -> Figure:
        return reason if isinstance(figure, Measured) else figure

    return msgspec.structs.replace(
        score,
        categories={name: held(each) if name in judged else each for name, each in score.categories.items()},
        total=held(score.total),
        judged=held(score.judged),
    )
