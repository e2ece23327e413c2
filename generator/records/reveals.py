"""What is revealed of retired tasks: ``reveal.jsonl``, beside the lock that committed to them. In the first room.

A suite that was answered is never edited: a reveal stands beside it and changes none of its hashes.
"""

from typing import Annotated

from msgspec import Meta

from generator.records.base import Record, Slug, Time


class Reveal(Record, frozen=True, kw_only=True):
    """One line of ``reveal.jsonl``: a held-out task that is held out no longer, with all that its commitment covers.

    SHA-256 of ``salt`` followed by ``task``, both as UTF-8, is the commitment in the lock; nothing else is needed to
    check it.
    """

    at: Time
    """When it was revealed; answers given later may come from memory."""
    id: Slug
    salt: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z", description="32 hex digits")]
    task: str
    """Canonical JSON of the task without its salt, byte for byte what was hashed."""
