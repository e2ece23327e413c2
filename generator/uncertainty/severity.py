"""Who is the strict judge? Judges see different answers, so raw means compare answers as much as judges.

The additive model score = answer + judge removes the answers. Its effects are exact fractions.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from generator.uncertainty.exact import Score, checked
from generator.uncertainty.linear import inverse
from generator.uncertainty.undefined import Undefined


class Rating(NamedTuple):
    """One score of one answer by one judge; the answer's key may be anything hashable."""

    answer: Hashable
    judge: str
    score: Score


class Severity(NamedTuple):
    """Judge effects that sum to 0 (above 0: lenient), by judge, in score units.

    ``standard_error`` is ``Undefined`` where no residual degree of freedom is left to estimate the noise with.
    """

    effects: dict[str, Fraction]
    standard_error: dict[str, float] | Undefined
    residual_variance: Fraction | Undefined
    residual_df: int


class Closure(NamedTuple):
    """Round trip over three judges: (first − second) + (second − third) − (first − third), in score units.

    Each difference is a mean over the answers the two share (``shared``, in that order). If effects were purely
    additive the gap would differ from 0 by noise only; a large one means that severity depends on whose answers
    are judged.
    """

    judges: tuple[str, str, str]
    gap: Fraction
    shared: tuple[int, int, int]


def additive_severity(ratings: Sequence[Rating]) -> Severity | Undefined:
    """Least-squares judge effects of score = answer + judge + noise, Σ effects = 0.

    With the answers eliminated the normal equations are L·e = r: L = D − Σ n nᵀ/n_a over answers (n: scores by judge,
    n_a: scores of the answer), r the judges' sums of deviations from answer means. L + 11ᵀ/J is inverted exactly;
    the effects have variances σ²·(diagonal of that inverse − 1/J), σ² = residual sum of squares / df.
    Assumes no interaction of judge and answer (see ``triangle_closures``) and noise of one size.

    Source: Searle, Linear Models for Unbalanced Data (1987), ch. 4; R ``lm(s ~ a + j)`` with sum contrasts.

    Raises:
        ValueError: a judge rated an answer twice.
    """
    answers: dict[Hashable, list[Rating]] = defaultdict(list)
    for rating in _once(ratings):
        answers[rating.answer].append(rating)
    judges = list(dict.fromkeys(rating.judge for rating in ratings))
    if not judges:
        return Undefined("no_data", {"n": 0})
    if len(judges) < 2:
        return Undefined("too_few", {"n": len(judges), "needed": 2})
    laplacian, right = _normal_equations(answers, judges)
    if not _connected(laplacian):
        return Undefined("not_connected", {"judges": len(judges)})
    share = Fraction(1, len(judges))
    inverted = inverse([[value + share for value in row] for row in laplacian])
    effects = [sum((a * b for a, b in zip(row, right, strict=True)), Fraction(0)) for row in inverted]
    by_judge = dict(zip(judges, effects, strict=True))
    df = len(ratings) - len(answers) - len(judges) + 1
    if df == 0:
        none_left = Undefined("too_few", {"n": len(ratings), "needed": len(ratings) + 1})
        return Severity(by_judge, none_left, none_left, 0)
    variance = _residual_sum(answers, by_judge) / df
    errors = {judge: sqrt(variance * (inverted[i][i] - share)) for i, judge in enumerate(judges)}
    return Severity(by_judge, errors, variance, df)


def triangle_closures(ratings: Sequence[Rating]) -> list[Closure]:
    """One closure for every three judges of whom each two share an answer, in order of first appearance."""
    scores: dict[str, dict[Hashable, Fraction]] = {}
    for rating in _once(ratings):
        scores.setdefault(rating.judge, {})[rating.answer] = Fraction(rating.score)
    gaps: dict[tuple[str, str], tuple[Fraction, int]] = {}
    for first, second in combinations(scores, 2):
        shared = [answer for answer in scores[first] if answer in scores[second]]
        if shared:
            total = sum((scores[first][key] - scores[second][key] for key in shared), Fraction(0))
            gaps[first, second] = total / len(shared), len(shared)
    closures = []
    for a, b, c in combinations(scores, 3):
        if {(a, b), (b, c), (a, c)} <= gaps.keys():
            (ab, n_ab), (bc, n_bc), (ac, n_ac) = gaps[a, b], gaps[b, c], gaps[a, c]
            closures.append(Closure((a, b, c), ab + bc - ac, (n_ab, n_bc, n_ac)))
    return closures


def _once(ratings: Sequence[Rating]) -> Sequence[Rating]:
    """The ratings, if exact and at most one for each answer and judge."""
    checked(rating.score for rating in ratings)
    if len({(rating.answer, rating.judge) for rating in ratings}) < len(ratings):
        raise ValueError("found a judge that rated one answer twice, expected one rating an answer and judge")
    return ratings


def _normal_equations(
    answers: dict[Hashable, list[Rating]], judges: Sequence[str]
) -> tuple[list[list[Fraction]], list[Fraction]]:
    """The reduced system after the answers are eliminated: L and r."""
    place = {judge: i for i, judge in enumerate(judges)}
    laplacian = [[Fraction(0)] * len(judges) for _ in judges]
    right = [Fraction(0)] * len(judges)
    for ratings in answers.values():
        middle = sum((Fraction(rating.score) for rating in ratings), Fraction(0)) / len(ratings)
        for rating in ratings:
            i = place[rating.judge]
            laplacian[i][i] += 1
            right[i] += rating.score - middle
            for other in ratings:
                laplacian[i][place[other.judge]] -= Fraction(1, len(ratings))
    return laplacian, right


def _connected(laplacian: Sequence[Sequence[Fraction]]) -> bool:
    """Whether every judge is linked to every other through answers they share."""
    seen, waiting = {0}, [0]
    while waiting:
        row = laplacian[waiting.pop()]
        new = {j for j, value in enumerate(row) if value} - seen
        seen |= new
        waiting.extend(new)
    return len(seen) == len(laplacian)


def _residual_sum(answers: dict[Hashable, list[Rating]], effects: dict[str, Fraction]) -> Fraction:
    """Σ of squared residuals: what is left of the scores after judge effects and answer means."""
    total = Fraction(0)
    for ratings in answers.values():
        left = [rating.score - effects[rating.judge] for rating in ratings]
        middle = sum(left, Fraction(0)) / len(left)
        total += sum(((value - middle) ** 2 for value in left), Fraction(0))
    return total
