"""Keys that were stored by mistake: well-known forms, looked for in every file. In the third room.

What a model wrote is its own word, however much it looks like a key: text that stands in a stored answer or in a
judge's reason is passed over wherever it stands. A finding never quotes what it found.
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from generator.records import StoredRun
from generator.store.layout import Layout
from generator.store.lines import DamagedError, TooLongError, lines
from generator.store.names import Sides
from generator.store.sheet import Sheet

FORMS = tuple(
    (whose, re.compile(form))
    for whose, form in (
        ("age", rb"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
        ("a private key", rb"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----"),
        ("a model service", rb"sk-[A-Za-z0-9_-]{20,}"),
        ("a model service", rb"gsk_[A-Za-z0-9]{20,}"),
        ("a model service", rb"pplx-[A-Za-z0-9]{20,}"),
        ("a model service", rb"xai-[A-Za-z0-9]{20,}"),
        ("Hugging Face", rb"hf_[A-Za-z0-9]{20,}"),
        ("Google", rb"AIza[0-9A-Za-z_-]{35}"),
        ("Amazon", rb"AKIA[0-9A-Z]{16}"),
        ("GitHub", rb"gh[oprsu]_[A-Za-z0-9]{36}"),
        ("GitHub", rb"github_pat_[A-Za-z0-9_]{60,}"),
        ("Slack", rb"xox[a-z]-[A-Za-z0-9-]{20,}"),
    )
)
"""Whose key, and what it looks like as its maker publishes it; each begins with letters that are quick to look for."""


def keys_in(data: bytes) -> Iterator[tuple[int, str, bytes]]:
    """(place, whose key, its bytes) of everything that looks like a key and is not the end of a longer word."""
    for whose, form in FORMS:
        for match in form.finditer(data):
            if not data[max(0, match.start() - 1) : match.start()].isalnum():
                yield match.start(), whose, match[0]


def written_by_models(runs: Iterable[StoredRun]) -> frozenset[bytes]:
    """Everything in stored answers and reasons that looks like a key."""
    texts = (text for run in runs for text in (*(c.output for c in run.calls), *(v.reason for v in run.verdicts)))
    return frozenset(key for text in texts if text for _, _, key in keys_in(text.encode("utf-8", "replace")))


def check_keys(sides: Sides, written: frozenset[bytes]) -> None:
    """No stored file holds a key that no model wrote; artifacts and compressed calls are read too."""
    for side in sides.both:
        for path in _files(side):
            sheet = Sheet(side, path, sides.faults)
            with suppress(OSError, TooLongError, DamagedError):  # told where the file is read for what it holds
                for number, line in enumerate(lines(path), 1):
                    for _, whose, key in keys_in(line):
                        if key not in written:
                            sheet.fault("key-in-file", f"what looks like a key: {whose}", "no key", line=number)


def _files(side: Layout) -> Iterator[Path]:
    for folder, _, names in sorted(os.walk(side.root)):
        for name in sorted(names):
            path = Path(folder, name)
            if path.is_file() and not path.is_symlink():
                yield path
