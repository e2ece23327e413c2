"""What a reader may see of retired tasks: all that their commitments cover. In the room ``publish``."""

from generator.records import Record, Reveal, TaskLock, Text


class RevealedTask(Record, frozen=True, kw_only=True):
    """One retired task."""

    line: Reveal
    """As stored; its bytes are what is published."""
    category: Text
    commitment: str
    """Of the lock; SHA-256 of salt and text."""
    prompt: str


class RevealView(Record, frozen=True, kw_only=True):
    """The retired tasks of one suite."""

    suite: str
    title: Text
    licence: str
    lock: tuple[TaskLock, ...]
    with_board: bool
    """Its lock is published with its board already."""
    tasks: tuple[RevealedTask, ...]
    """In the order of their revelation."""
