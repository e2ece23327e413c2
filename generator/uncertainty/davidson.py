"""Strengths of several sides from blind ballots with ties: Davidson's model by Newton's method.

P(i preferred to j) = π_i/(π_i + π_j + ν√(π_iπ_j)), P(tie) = ν√(π_iπ_j)/(the same). In λ_i = ln π_i and ln ν the
log-likelihood is concave; whether its maximum is finite is decided from the counts before it is looked for.

Source: Davidson, JASA 65 (1970) 317.
"""

from collections.abc import Sequence
from itertools import product
from math import exp, log, sqrt
from operator import mul
from typing import NamedTuple

from generator.uncertainty.exact import counted
from generator.uncertainty.linear import inverse
from generator.uncertainty.undefined import Undefined


class Bout(NamedTuple):
    """All ballots between two sides."""

    first: str
    second: str
    first_wins: int
    second_wins: int
    ties: int


class Davidson(NamedTuple):
    """Log strengths against the side named first (its own is 0), with standard errors, and ln ν.

    ``negative_log_likelihood`` leaves out the constant that does not depend on the parameters.
    """

    log_strength: dict[str, float]
    standard_error: dict[str, float]
    log_nu: float
    log_nu_error: float
    negative_log_likelihood: float


def davidson(bouts: Sequence[Bout]) -> Davidson | Undefined:
    """Maximum-likelihood strengths.

    Undefined without a ballot or without a tie; where some side was never compared with the rest; and where the
    best fit is infinite, such as a side that lost every ballot. Assumes independent ballots and one tie parameter.

    Raises:
        ValueError: a side meets itself, or a count is negative.
    """
    for bout in bouts:
        counted(first_wins=bout.first_wins, second_wins=bout.second_wins, ties=bout.ties)
        if bout.first == bout.second:
            raise ValueError(f"{bout.first!r} meets itself")
    sides = list(dict.fromkeys(name for bout in bouts for name in (bout.first, bout.second)))
    missing = _why_not(bouts, sides)
    return missing or _newton(bouts, sides)


def _why_not(bouts: Sequence[Bout], sides: Sequence[str]) -> Undefined | None:
    """Why there is no finite maximum, if so.

    With directions (θ, δ) along which no observed outcome loses: a win of i over j asks θ_i − θ_j ≥ 0 and ≥ 2δ, a
    tie |θ_i − θ_j| ≤ 2δ. A finite maximum exists exactly where no such direction but 0 exists. δ = 0 is settled by
    whether wins (one way) and ties (both ways) connect every side to every other; δ > 0 by difference
    constraints, which have a solution unless some cycle of them is negative.
    """
    if not any(bout.first_wins + bout.second_wins + bout.ties for bout in bouts):
        return Undefined("no_data", {"n": 0})
    if not any(bout.ties for bout in bouts):
        return Undefined("no_ties", {"sides": len(sides)})
    wins, ties = _pairs(bouts)
    if not _strong(sides, wins | ties | {(j, i) for i, j in wins}):
        return Undefined("not_connected", {"sides": len(sides)})
    if not _strong(sides, wins | ties) or _feasible(sides, wins, ties):
        return Undefined("unbounded", {"sides": len(sides)})
    return None


def _pairs(bouts: Sequence[Bout]) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Who beat whom at least once, and who tied with whom (both ways)."""
    wins = {(b.first, b.second) for b in bouts if b.first_wins}
    wins |= {(b.second, b.first) for b in bouts if b.second_wins}
    ties = {(b.first, b.second) for b in bouts if b.ties}
    return wins, ties | {(second, first) for first, second in ties}


def _strong(sides: Sequence[str], edges: set[tuple[str, str]]) -> bool:
    """Whether every side reaches every other along the edges."""
    reach = set(edges)
    for middle, start, end in product(sides, repeat=3):
        if (start, middle) in reach and (middle, end) in reach:
            reach.add((start, end))
    return all((i, j) in reach for i, j in product(sides, repeat=2) if i != j)


def _feasible(sides: Sequence[str], wins: set[tuple[str, str]], ties: set[tuple[str, str]]) -> bool:
    """Whether θ exist with θ_i − θ_j ≥ 1 for every win and |θ_i − θ_j| ≤ 1 for every tie (Bellman–Ford)."""
    bounds = [(loser, winner, -1) for winner, loser in wins] + [(i, j, 1) for i, j in ties]
    theta = dict.fromkeys(sides, 0)
    for _ in sides:
        changed = False
        for smaller, larger, gap in bounds:  # θ_smaller ≤ θ_larger + gap
            if theta[smaller] > theta[larger] + gap:
                theta[smaller] = theta[larger] + gap
                changed = True
        if not changed:
            return True
    return False


class _Point(NamedTuple):
    """Negative log-likelihood, its downhill gradient and the information matrix at one place."""

    value: float
    gradient: list[float]
    information: list[list[float]]


def _newton(bouts: Sequence[Bout], sides: Sequence[str]) -> Davidson:
    """Newton's method with step halving on (λ_2 … λ_n, ln ν), until no better point can be told apart."""
    place = [0.0] * len(sides)
    here = _likelihood(bouts, sides, place)
    for _ in range(200):
        step = [sum(map(mul, row, here.gradient)) for row in inverse(here.information)]
        scale, moved = 1.0, False
        while not moved and scale > 1e-9:
            trial = [x + scale * move for x, move in zip(place, step, strict=True)]
            there = _likelihood(bouts, sides, trial)
            moved = there.value < here.value
            scale /= 2
        if not moved:
            break
        place, here = trial, there
    errors = [sqrt(row[i]) for i, row in enumerate(inverse(here.information))]
    return Davidson(
        dict(zip(sides, [0.0, *place[:-1]], strict=True)),
        dict(zip(sides, [0.0, *errors[:-1]], strict=True)),
        place[-1],
        errors[-1],
        here.value,
    )


def _likelihood(bouts: Sequence[Bout], sides: Sequence[str], place: Sequence[float]) -> _Point:
    """The likelihood of all ballots at one place; a bout is multinomial over first, second and tie."""
    size = len(sides)
    value, gradient = 0.0, [0.0] * size
    information = [[0.0] * size for _ in range(size)]
    for bout in bouts:
        counts = (bout.first_wins, bout.second_wins, bout.ties)
        rows = _outcomes(size, sides.index(bout.first), sides.index(bout.second))
        logits = [sum(map(mul, row, place)) for row in rows]
        top = max(logits)
        norm = top + log(sum(exp(logit - top) for logit in logits))
        chances = [exp(logit - norm) for logit in logits]
        expected = [sum(map(mul, chances, column)) for column in zip(*rows, strict=True)]
        value -= sum(count * (logit - norm) for count, logit in zip(counts, logits, strict=True))
        for a in range(size):
            gradient[a] += sum(count * (row[a] - expected[a]) for count, row in zip(counts, rows, strict=True))
            for b in range(size):
                second = sum(chance * row[a] * row[b] for chance, row in zip(chances, rows, strict=True))
                information[a][b] += sum(counts) * (second - expected[a] * expected[b])
    return _Point(value, gradient, information)


def _outcomes(size: int, first: int, second: int) -> list[list[float]]:
    """What the logits of "first", "second" and "tie" are made of: λ_i; λ_j; (λ_i + λ_j)/2 + ln ν, without λ_1."""
    rows = [[0.0] * (size + 1) for _ in range(3)]
    rows[0][first] = rows[1][second] = rows[2][size] = 1.0
    rows[2][first] = rows[2][second] = 0.5
    return [row[1:] for row in rows]
