"""One stored file under reading, and the faults found in it: where a finding gets its place and its advice."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from generator.findings import Finding
from generator.store.layout import Layout

MAX_FAULTS = 1000
"""Faults told of one file; a file with more is broken as a whole, and a hostile one must not fill the memory."""
MAX_BYTES = 64 * 2**20
"""Largest file that is read whole; what a person writes is far smaller."""

ADVICE = {
    "artifact-changed": "restore the file; an artifact never changes",
    "beyond-64-bits": "store it as text, or correct it",
    "blank-line": "remove it",
    "bom": "save the file as UTF-8 without a byte order mark",
    "canary-leaked": "take the canary out; it belongs to held-out material only",
    "contradiction": "correct one of the two",
    "crlf": "save the file with newlines (\\n) only",
    "damaged-compression": "restore the file from its source",
    "duplicate-call": "a rerun of a failed call needs attempt + 1; otherwise remove one line",
    "duplicate-id": "rename or remove one of the two",
    "duplicate-key": "keep one of them",
    "duplicate-verdict": "another attempt of a judge needs attempt + 1; otherwise remove one line",
    "empty-category": "add tasks, or remove the category",
    "file-too-large": "split it, or store its text as artifacts",
    "hash-differs": "restore the stored answer; a line never changes once written",
    "held-out-absent": "give the directory that holds them with --private",
    "key-in-file": "revoke it where it was issued, then remove it here and from the history",
    "invalid-utf-8": "store the text as UTF-8",
    "line-too-long": "split the record, or store its text as an artifact",
    "lock-differs": "undo the change, or make a new suite version and run `rapor suite lock`",
    "lone-surrogate": "replace the escape; it is half of a character and no UTF-8 can hold it",
    "missing-artifact": "restore the file under its hash",
    "missing-attempt": "restore the line of the attempt before it",
    "missing-canary": "write the suite's canary into a comment at the top",
    "missing-field": "add it",
    "missing-file": "add it",
    "missing-licence": "name the licence of the task or of the suite",
    "missing-lock": "run `rapor suite lock`",
    "missing-salt": "add 32 random hex digits",
    "needless-salt": "remove it; only held-out tasks have one",
    "newer-schema": "use a newer version of Rapor; this one cannot know what the file means",
    "not-a-file": "replace it by a regular file",
    "not-finite": "null means not known",
    "not-held-out": "remove the line; nothing is hidden of a public task",
    "not-json": "restore the line, or remove it",
    "not-sealed": "a sealed run is closed: take the file out, or start another run",
    "not-toml": "correct the syntax",
    "outside-link": "copy the file into the directory",
    "path-traversal": "name a file under artifacts/",
    "reveal-differs": "restore the line; only `rapor suite reveal` writes it",
    "salt-reused": "give every task its own random salt",
    "seal-broken": "restore the file; a sealed run never changes",
    "suite-differs": "restore the suite that the run was made with, or keep both versions as two suites",
    "too-deep": "flatten it",
    "too-many-faults": "mend these first",
    "torn-line": "run the recording again: it repairs the line; or remove it",
    "unknown-category": "correct it, or add the category to suite.toml",
    "unknown-field": "remove it or correct its spelling",
    "unknown-file": "rename or remove it: it would be ignored",
    "unknown-judge": "correct it, or add the service to services.toml",
    "unknown-run": "correct it, or restore the run",
    "unknown-service": "correct it, or add the service",
    "unknown-subject": "correct it, or restore what was judged",
    "unknown-suite": "correct it, or restore the suite",
    "unknown-task": "correct it, or add the task",
    "unlocked-task": "run `rapor suite lock`",
    "unreadable-file": "correct its permissions",
    "wrong-access": "move the task to the other file, or correct its access",
    "wrong-artifact-path": "name the artifact by its hash",
    "wrong-name": "rename one of the two",
    "wrong-type": "correct it",
    "wrong-value": "correct it",
    "zone-less-time": "add its offset, such as +07:00",
}


@dataclass
class Sheet:
    """A file under reading.

    Attributes:
        layout: the directory it belongs to.
        path: the file.
        faults: what was found so far in everything that is read together; this sheet adds to it.
        lines: place of a field, ``task[3].checks`` -> 1-based line, where the reader knows it.
        source: its text, once ``text`` has read it.
        count: number of faults found in it.
    """

    layout: Layout
    path: Path
    faults: list[Finding]
    lines: dict[str, int] = field(default_factory=dict)
    source: str = ""
    count: int = 0

    def beside(self, path: Path) -> "Sheet":
        """A sheet for another file of the same directory, adding to the same faults."""
        return Sheet(self.layout, path, self.faults)

    @property
    def full(self) -> bool:
        """Whether so many faults were found that reading on is pointless."""
        return self.count >= MAX_FAULTS

    def fault(self, slug: str, found: str, expected: str, *, line: int = 0, field: str = "", todo: str = "") -> None:
        """Note a fault; its line, where not given, is that of the field, its advice that of the slug."""
        self.count += 1
        if self.full:
            if self.count == MAX_FAULTS:
                self._note("too-many-faults", f"{MAX_FAULTS} faults", "a sound file", line=0, field="", todo="")
            return
        self._note(slug, found, expected, line=line or self.line_of(field), field=field, todo=todo)

    def remark(self, slug: str, found: str, expected: str, todo: str = "") -> None:
        """Note something worth knowing that stops nothing."""
        self._note(slug, found, expected, line=0, field="", todo=todo, blocking=False)

    def line_of(self, field: str) -> int:
        """The line of ``field`` or of the nearest table that holds it; 0 where neither is known."""
        while field:
            if field in self.lines:
                return self.lines[field]
            field = field[: max(field.rfind("."), field.rfind("["), 0)]
        return 0

    def readable(self) -> bool:
        """Whether this is a regular file inside the directory; if not, the fault is noted."""
        try:
            real = self.path.resolve(strict=True)
            inside = real.is_relative_to(self.layout.root.resolve())
            regular = real.is_file()
        except FileNotFoundError:
            self.fault("missing-file", "nothing", "a file")
        except (OSError, RuntimeError) as error:
            self.unreadable(error)
        else:
            if inside and regular:
                return True
            if inside:
                self.fault("not-a-file", "a directory or a device", "a regular file")
            else:
                self.fault("outside-link", "a link that leads out of the directory", "a file inside it")
        return False

    def there(self) -> bool:
        """Whether something lies at this place, be it a broken link."""
        return os.path.lexists(self.path)

    def content(self) -> bytes | None:
        """The whole file; None where a fault was noted."""
        if not self.readable():
            return None
        try:
            with self.path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            self.unreadable(error)
            return None
        if len(data) > MAX_BYTES:
            self.fault("file-too-large", f"more than {MAX_BYTES} bytes", "a smaller file")
            return None
        return data

    def text(self) -> str | None:
        """The whole file as text, which must be UTF-8 with newlines only; None where a fault was noted."""
        data = self.content()
        if data is None:
            return None
        if data.startswith(b"\xef\xbb\xbf"):
            self.fault("bom", "a byte order mark", "UTF-8 without one", line=1)
        elif b"\r" in data:
            line = data.count(b"\n", 0, data.index(b"\r")) + 1
            self.fault("crlf", "a carriage return", "lines that end in \\n only", line=line)
        else:
            try:
                self.source = data.decode("utf-8")
            except UnicodeDecodeError as error:
                piece = data[error.start : error.start + 3].hex(" ")
                line = data.count(b"\n", 0, error.start) + 1
                self.fault("invalid-utf-8", f"bytes {piece} at offset {error.start}", "UTF-8", line=line)
            else:
                return self.source
        return None

    def unreadable(self, error: Exception) -> None:
        """Note that the system refused to read the file."""
        text = (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
        self.fault("unreadable-file", text, "a file that can be read")

    def _note(self, slug: str, found: str, expected: str, *, line: int, field: str, todo: str,
              blocking: bool = True) -> None:  # fmt: skip
        """Add the finding."""
        self.faults.append(
            Finding(
                file=self.layout.named(self.path),
                line=line,
                field=field,
                slug=slug,
                found=found,
                expected=expected,
                todo=todo or ADVICE.get(slug, ""),
                blocking=blocking,
            )
        )
