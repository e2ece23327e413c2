"""Artifacts: bytes stored under their SHA-256. The hash in the name is the proof, and it is computed here."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.store.layout import Layout
from generator.store.write import hash_of

_NAME = re.compile(r"artifacts/([0-9a-f]{2})/(\1[0-9a-f]{62})\.[a-z0-9]{1,8}")


class Fault(NamedTuple):
    """What is wrong with one artifact."""

    slug: str
    found: str
    expected: str


@dataclass
class Vault:
    """The artifacts of one or two directories; each file is hashed once, however many lines name it.

    Attributes:
        sides: the directories that are searched, in order.
    """

    sides: Sequence[Layout]
    known: dict[str, Fault | None] = field(default_factory=dict)

    def fault(self, path: str) -> Fault | None:
        """What is wrong with the artifact that a line names as ``path``; None where its bytes are as named."""
        if path not in self.known:
            self.known[path] = self._look(path)
        return self.known[path]

    def _look(self, path: str) -> Fault | None:
        name = _NAME.fullmatch(path)
        if name is None:
            leads_out = path.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", path) or ":" in path
            slug = "path-traversal" if leads_out else "wrong-artifact-path"
            return Fault(slug, path, "artifacts/ab/<sha256>.<ending>")
        for side in self.sides:
            file = side.root / path
            try:
                real = file.resolve(strict=True)
                if not real.is_relative_to(side.root.resolve()):
                    return Fault("outside-link", path, "a file inside the directory")
                if not real.is_file():
                    return Fault("not-a-file", path, "a regular file")
                digest = hash_of(real)
            except FileNotFoundError:
                continue
            except (OSError, RuntimeError) as error:
                return Fault("unreadable-file", f"{path}: {type(error).__name__}", "a file that can be read")
            return None if digest == name[2] else Fault("artifact-changed", digest, f"the bytes of {path}")
        return Fault("missing-artifact", "nothing", path)
