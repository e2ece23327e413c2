"""The value of a figure that does not exist, with the reason: the floor of this room.

A caller turns it into a ``Withheld`` with a sentence in the reader's language. There is no NaN to forget.
"""

from dataclasses import dataclass, field
from typing import Literal, get_args

Reason = Literal[
    "no_data",
    "too_few",
    "no_variation",
    "no_information",
    "unbounded",
    "one_block",
    "one_filling",
    "no_ties",
    "not_connected",
    "not_detectable",
    "too_large",
]
"""Why a figure does not exist:

- ``no_data``: nothing was counted (0 of 0).
- ``too_few``: fewer observations than the method needs (facts ``n``, ``needed``).
- ``no_variation``: every value is the same, so nothing tells how far it would vary (facts ``n``).
- ``no_information``: everything passed or everything failed, so a ratio of odds has nothing to go by.
- ``unbounded``: the data are best described by an infinite value.
- ``one_block``: agreement between blocks needs two that can speak (facts ``blocks``).
- ``one_filling``: the totals leave one way alone to fill the blocks, so nothing could have come out otherwise.
- ``no_ties``: the strength of ties cannot be estimated without a tie.
- ``not_connected``: some items were never compared, even by way of others.
- ``not_detectable``: no possible difference would be found with the wanted power.
- ``too_large``: exact counting would need more work than the stated budget (facts ``work``, ``budget``).
"""

REASONS: tuple[str, ...] = get_args(Reason)
"""All reasons, so that a test can demand a sentence for each."""


@dataclass(frozen=True)
class Undefined:
    """A figure that the data cannot give.

    Attributes:
        slug: the reason, stable across versions.
        facts: the numbers the sentence needs, by name.
    """

    slug: Reason
    facts: dict[str, int | str] = field(default_factory=dict)
