"""A blind test of a key: what was declared, the sheet a judge sees, the sealed key, the ballots. In the first room."""

from typing import Annotated, Literal

from msgspec import Meta

from generator.records.base import Count, Record, Sha256, Slug, Text, Time
from generator.records.suites import SuiteRef

Side = Literal["reference", "service"]


class DuelFile(Record, frozen=True, kw_only=True):
    """``duel.toml``: written with the sheet, before the first ballot."""

    schema: int
    id: Slug
    suite: SuiteRef
    run: Slug
    """The run whose answers stand against the references."""
    service: Slug
    made_at: Time
    question: Text
    """What the judge is asked about every pair."""
    pairs: Count
    identical: Count
    """Tasks left out because the answer is the reference."""
    without_answer: Count
    """Tasks left out because no complete answer came."""
    sheet_sha256: Sha256
    """Of the bytes of ``sheet.jsonl``."""
    key_sha256: Sha256
    """Of the bytes of the key, which stays closed until the ballots are in."""


class Pair(Record, frozen=True, kw_only=True):
    """One line of ``sheet.jsonl``: two texts side by side, and nothing that tells which is which."""

    pair: Slug
    task_id: Slug
    source: str
    """What was to be translated, or the task."""
    left: str
    right: str


class Key(Record, frozen=True, kw_only=True):
    """``key.json``: which side is which. Sealed by its hash; the salt keeps it from being guessed from the hash."""

    duel: Slug
    salt: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    left: dict[Slug, Side]
    """Pair -> what stands on the left."""


class Ballot(Record, frozen=True, kw_only=True):
    """One line of ``ballots.jsonl``: one judge on one pair, as the judging page exports it."""

    duel: Slug
    sheet_sha256: Sha256
    pair: Slug
    judge: Annotated[str, Meta(min_length=1, max_length=80)]
    """A name that the judge chose; it need not be a real one."""
    choice: Literal["left", "tie", "right"]
    note: Annotated[str, Meta(max_length=2000)] = ""
    at: Time


class Opening(Record, frozen=True, kw_only=True):
    """``opening.json``: closes the ballots at the moment when the key was opened."""

    at: Time
    ballots_sha256: Sha256


class StoredDuel(Record, frozen=True, kw_only=True):
    """A duel as read."""

    declared: DuelFile
    sheet: tuple[Pair, ...]
    ballots: tuple[Ballot, ...]
    key: Key | None
    """None until it is opened."""
    opening: Opening | None
