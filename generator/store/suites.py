"""A suite: its files -> one record, its lock and its hash.

The lock lists a commitment to every task; the hash of a suite pins its rules and its lock, and so every task
without showing it. Whoever has the lock can check a task that is revealed later with SHA-256 and nothing else.
"""

from collections.abc import Mapping
from hashlib import sha256

from generator.findings import Faults, Finding
from generator.records import Service, Suite, Text
from generator.store.canonical import canonical, commitment
from generator.store.layout import Layout
from generator.store.parts import read_parts
from generator.store.reveals import read_reveals
from generator.store.suitecheck import check_lock, check_suite_parts
from generator.store.write import encode

__all__ = ["canonical", "check_suite", "commitment", "gather_suite", "lock_suite"]


def check_suite(
    layout: Layout, suite: str, private: Layout | None = None, services: Mapping[str, Service] | None = None
) -> list[Finding]:
    """Everything there is to say about a suite, remarks too, sorted by place: for ``rapor suite check``."""
    faults: list[Finding] = []
    gather_suite(layout, suite, private, services, faults)
    return sorted(faults)


def gather_suite(
    layout: Layout, suite: str, private: Layout | None, services: Mapping[str, Service] | None, faults: list[Finding]
) -> Suite | None:
    """The suite, or None where a file of it has faults; all that is found is added to ``faults``."""
    before = len(faults)
    parts = read_parts(layout, suite, private, faults)
    check_suite_parts(parts, suite, services)
    check_lock(parts)
    reveals = read_reveals(parts)
    data = parts.rules_sheet.content() if parts.rules else None
    lock = parts.lock_sheet.content() if parts.lock is not None else None
    if any(fault.blocking for fault in faults[before:]) or parts.rules is None or data is None or lock is None:
        return None
    return Suite(
        file=parts.rules,
        tasks=parts.tasks,
        lock=tuple(line for _, line in parts.lock or ()),
        sha256=sha256(data + lock).hexdigest(),
        rubric=Text(**{language: sheet.source for language, sheet in parts.rubrics.items()}) if parts.rubrics else None,
        anchors=parts.anchors,
        variants=parts.variants,
        reveals=reveals,
    )


def lock_suite(layout: Layout, suite: str, private: Layout | None = None) -> bytes:
    """The bytes of ``suite.lock.jsonl`` for the tasks as they are now: public, then held out.

    Raises:
        Faults: the tasks have faults, or held-out tasks that were locked are not at hand.
    """
    faults: list[Finding] = []
    parts = read_parts(layout, suite, private, faults)
    check_suite_parts(parts, suite, None)
    missing = [line.id for _, line in parts.lock or () if line.access == "held_out"]
    if missing and not parts.has_held_out:
        parts.lock_sheet.fault("held-out-absent", f"{len(missing)} locked tasks without text", "their file")
    if blocking := [fault for fault in faults if fault.blocking]:
        raise Faults(blocking)
    return b"".join(encode(line) for file in (parts.public, parts.held_out) if file for line in file.locks())
