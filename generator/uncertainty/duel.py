"""Blind ballots: two answers side by side, a judge who prefers one or calls a tie.

Ties are an answer, not missing data. They are left out of the sign test, kept in the tie rate, the net
preference and Davidson's model, and never split half and half. A sign test that does not separate the two
supports "not distinguished in these pairs", not "equal".
"""

from fractions import Fraction
from math import log, sqrt
from typing import NamedTuple

from generator.uncertainty.exact import counted
from generator.uncertainty.interval import Interval
from generator.uncertainty.paired import sign_test, tango_interval
from generator.uncertainty.proportion import wilson
from generator.uncertainty.undefined import Undefined


class Share(NamedTuple):
    """A share with its interval: Wilson on 0..1, Tango on −1..1 for a net preference."""

    point: Fraction
    interval: Interval


class Strength(NamedTuple):
    """Davidson's model for two: log ratio of the strengths, its standard error, and the tie parameter ν."""

    log_ratio: float
    standard_error: float
    nu: float


class Duel(NamedTuple):
    """What a set of ballots says: sign test, share of decisive ballots won, tie rate, net preference, strength."""

    n: int
    p: Fraction
    decisive: Share | Undefined
    tie_rate: Share
    net_preference: Share
    strength: Strength | Undefined


def duel(wins: int, losses: int, ties: int, confidence: float = 0.95) -> Duel | Undefined:
    """All of it for one pair of sides; wins are those of the first.

    Net preference = (wins − losses)/n with Tango's interval. Assumes independent ballots (one a task).
    """
    counted(wins=wins, losses=losses, ties=ties)
    n = wins + losses + ties
    tie_rate = wilson(ties, n, confidence)
    net = tango_interval(wins, losses, n, confidence)
    if isinstance(tie_rate, Undefined) or isinstance(net, Undefined):
        return Undefined("no_data", {"n": 0})
    won = wilson(wins, wins + losses, confidence)
    return Duel(
        n,
        sign_test(wins, losses),
        won if isinstance(won, Undefined) else Share(Fraction(wins, wins + losses), won),
        Share(Fraction(ties, n), tie_rate),
        Share(Fraction(wins - losses, n), net),
        davidson_pair(wins, losses, ties),
    )


def davidson_pair(wins: int, losses: int, ties: int) -> Strength | Undefined:
    """Davidson's model for two sides, in closed form.

    P(first) = π₁/(π₁ + π₂ + ν√(π₁π₂)); the likelihood is greatest at ln(π₁/π₂) = ln(wins/losses), with standard
    error √(1/wins + 1/losses), and ν = ties/√(wins·losses). Undefined where one side never won.

    Source: Davidson, JASA 65 (1970) 317.
    """
    counted(wins=wins, losses=losses, ties=ties)
    if not wins or not losses:
        return Undefined("unbounded" if wins + losses else "no_information", {"n": wins + losses + ties})
    return Strength(log(wins / losses), sqrt(1 / wins + 1 / losses), ties / sqrt(wins * losses))
