"""What is wrong, said so that a person can mend it: the second room, used by all that follow.

A finding is a value; nothing prints here. A reader or an audit gathers as many as there are and raises
them together, because a publisher who mends one fault an hour gives up.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

LONGEST = 2000
"""Characters of a finding as a line; only a hostile name makes a longer one."""


@dataclass(frozen=True, order=True)
class Finding:
    """One fault, or one thing worth knowing, with its place.

    Attributes:
        file: path relative to the root that was read, ``""`` where no file is meant.
        line: 1-based line, 0 where the whole file is meant.
        field: dotted name of the field, ``""`` where the whole line is meant.
        slug: stable short name of the kind of fault, such as ``duplicate-id``.
        found: what is there, shortened to one printable line.
        expected: what should be there.
        todo: what the reader can do about it.
        blocking: False for a remark that does not stop the build.
    """

    file: str
    line: int
    field: str
    slug: str
    found: str
    expected: str
    todo: str = ""
    blocking: bool = True

    def __str__(self) -> str:
        """``file:line: field: slug: found …, expected …; what to do`` on one printable line, whatever a name holds."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        where = ": ".join(part for part in (place, self.field, self.slug) if part)
        text = f"{where}: found {self.found}, expected {self.expected}"
        return shown(f"{text}; {self.todo}" if self.todo else text, LONGEST)

    def at(self, file: str, line: int = 0) -> "Finding":
        """The same finding, placed in ``file`` at ``line``."""
        return replace(self, file=file, line=line)


class Faults(Exception):  # noqa: N818 - it carries findings; "FaultsError" would say it twice
    """Raised with every blocking finding at once; the command line turns it into exit code 1."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        """Take the findings in any order; they are kept sorted by place."""
        self.findings = tuple(sorted(findings))
        super().__init__("\n".join(map(str, self.findings)))


def shown(value: object, limit: int = 80) -> str:
    """``value`` as one printable line of at most ``limit`` characters, for ``Finding.found``."""
    text = value if isinstance(value, str) else repr(value)
    text = "".join(ch if ch.isprintable() else f"\\u{ord(ch):04x}" for ch in text)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
