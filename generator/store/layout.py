"""Which file lies where under ``results/``. In the third room; no other module names a file.

A private directory (``--private``) is laid out the same way, so it is simply a second ``Layout``.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from generator.findings import shown

SUITE_FILE = "suite.toml"
PUBLIC_TASKS = "tasks.toml"
HELD_OUT_TASKS = "tasks.held_out.toml"
SUITE_LOCK = "suite.lock.jsonl"
VARIANTS = "variants.toml"
ANCHORS = "anchors.toml"
REVEALS = "reveal.jsonl"
"""Retired held-out tasks with their salts; the suite itself is never edited."""
RUBRICS = {"id": "rubric.id.md", "en": "rubric.en.md"}
CONTRACT = "run.toml"
CALLS = "calls.jsonl"
CALLS_DIR = "calls"
VERDICTS = "verdicts.jsonl"
METRICS = "metrics.jsonl"
SEAL = "seal.json"
SCORE_LOCK = "scores.lock.jsonl"
DUEL_FILE = "duel.toml"
DUEL_SHEET = "sheet.jsonl"
BALLOTS = "ballots.jsonl"
DUEL_KEY = "key.json"
CLOSED_KEY = "key.held_out.json"
"""The key of a duel until it is opened; it lies where held-out tasks lie, and no build reads it."""
OPENING = "opening.json"
COMPRESSED = ".zst"
PRIVATE = "private/"
"""Prefix in a seal of the names of files that lie in the private directory."""
TORN = ".torn"
"""Suffix of the side file that keeps what ``write.repair`` cut off; never read again by the program."""

ROOT_NAMES = frozenset({
    "services.toml", "budget.toml", "ledger.jsonl", "corrections.jsonl", "sources.jsonl",
    "suites", "runs", "duels", "artifacts",
})  # fmt: skip
"""Every name that may lie in the root; another one is reported, because it would be ignored (a misspelt
``corrections.jsonl`` must not vanish). Beside these, anywhere: ``README*``, ``LICENSE*``, dot files, ``*.torn``."""
SUITE_NAMES = frozenset(
    {SUITE_FILE, PUBLIC_TASKS, HELD_OUT_TASKS, SUITE_LOCK, VARIANTS, ANCHORS, REVEALS, *RUBRICS.values()}
)
"""Every name that may lie in a suite's directory."""
RUN_NAMES = frozenset({CONTRACT, CALLS, CALLS_DIR, VERDICTS, METRICS, SEAL, SCORE_LOCK})
"""Every name that may lie in a run's directory."""
DUEL_NAMES = frozenset({DUEL_FILE, DUEL_SHEET, BALLOTS, DUEL_KEY, CLOSED_KEY, OPENING})
"""Every name that may lie in a duel's directory."""
PRIVATE_NAMES = frozenset({HELD_OUT_TASKS, CALLS, CALLS_DIR, VERDICTS, CLOSED_KEY})
"""Every name that may lie in such a directory of the private side: what is held out, nothing else."""


@dataclass(frozen=True)
class Layout:
    """The places under one ``results/`` (or one private) directory; nothing here touches the disk.

    Attributes:
        root: the directory itself.
        label: put before the names of its files in findings; ``private/`` for the private directory.
    """

    root: Path
    label: str = ""

    @property
    def services(self) -> Path:
        """Whom we can ask."""
        return self.root / "services.toml"

    @property
    def budget(self) -> Path:
        """The caps on spending."""
        return self.root / "budget.toml"

    @property
    def ledger(self) -> Path:
        """Every projection and charge, append only."""
        return self.root / "ledger.jsonl"

    @property
    def sources(self) -> Path:
        """Every look at a source, append only."""
        return self.root / "sources.jsonl"

    @property
    def corrections(self) -> Path:
        """Every published score that changed, append only."""
        return self.root / "corrections.jsonl"

    @property
    def suites(self) -> Path:
        """The directory with one directory per suite."""
        return self.root / "suites"

    @property
    def runs(self) -> Path:
        """The directory with one directory per run."""
        return self.root / "runs"

    @property
    def duels(self) -> Path:
        """The directory with one directory per duel."""
        return self.root / "duels"

    @property
    def artifacts(self) -> Path:
        """The directory of bytes stored under their SHA-256."""
        return self.root / "artifacts"

    def suite_dir(self, suite: str) -> Path:
        """The directory of a suite."""
        return self.suites / suite

    def run_dir(self, run: str) -> Path:
        """The directory of a run."""
        return self.runs / run

    def contract(self, run: str) -> Path:
        """``run.toml``."""
        return self.run_dir(run) / CONTRACT

    def calls(self, run: str) -> Path:
        """``calls.jsonl``, the file that recording appends to."""
        return self.run_dir(run) / CALLS

    def call_files(self, run: str) -> tuple[Path, ...]:
        """Every file with calls of a run that exists: ``calls.jsonl``, then ``calls/*`` by name.

        Raises:
            OSError: ``calls`` cannot be listed, or is no directory.
        """
        first, further = self.calls(run), self.run_dir(run) / CALLS_DIR
        names = sorted(os.listdir(further)) if os.path.lexists(further) else []  # noqa: PTH208 - names, not paths
        return (*((first,) if os.path.lexists(first) else ()), *(further / name for name in names))

    def verdicts(self, run: str) -> Path:
        """``verdicts.jsonl``."""
        return self.run_dir(run) / VERDICTS

    def metrics(self, run: str) -> Path:
        """``metrics.jsonl``: scores that programs elsewhere gave; no seal covers them."""
        return self.run_dir(run) / METRICS

    def seal(self, run: str) -> Path:
        """``seal.json``: hashes that close the run."""
        return self.run_dir(run) / SEAL

    def score_lock(self, run: str) -> Path:
        """``scores.lock.jsonl``: the scores as last published."""
        return self.run_dir(run) / SCORE_LOCK

    def duel(self, duel: str) -> Path:
        """``duel.toml``: what was declared with the sheet."""
        return self.duels / duel / DUEL_FILE

    def duel_sheet(self, duel: str) -> Path:
        """``sheet.jsonl``: the pairs as a judge sees them."""
        return self.duels / duel / DUEL_SHEET

    def ballots(self, duel: str) -> Path:
        """``ballots.jsonl``: what judges chose."""
        return self.duels / duel / BALLOTS

    def duel_key(self, duel: str) -> Path:
        """``key.json``: which side is which, once it is opened."""
        return self.duels / duel / DUEL_KEY

    def closed_key(self, duel: str) -> Path:
        """``key.held_out.json``: the same before."""
        return self.duels / duel / CLOSED_KEY

    def opening(self, duel: str) -> Path:
        """``opening.json``: when the key was opened, and on which ballots."""
        return self.duels / duel / OPENING

    def artifact(self, sha256: str, ext: str) -> Path:
        """Where bytes with this hash lie: ``artifacts/ab/<sha256>.<ext>``."""
        return self.artifacts / sha256[:2] / f"{sha256}.{ext}"

    def secret(self, run: str) -> Path:
        """The key of a run's ``blind_id``, in hex: ``.secrets/<run>.hex`` *beside* ``results/``.

        It must not lie inside: whoever has it can tell which call a judge was shown. The directory carries
        its own ``.gitignore`` (see ``write.keep_secret``); nothing that a build reads depends on it.
        """
        return self.root.parent / ".secrets" / f"{run}.hex"

    def anchors(self, suite: str) -> Path:
        """``anchors.toml``: answers of known quality."""
        return self.suite_dir(suite) / ANCHORS

    def suite_lock(self, suite: str) -> Path:
        """``suite.lock.jsonl``: pins every task without showing it."""
        return self.suite_dir(suite) / SUITE_LOCK

    def reveals(self, suite: str) -> Path:
        """``reveal.jsonl``: salt and text of retired tasks, append only."""
        return self.suite_dir(suite) / REVEALS

    def relative(self, path: Path) -> str:
        """``path`` as stored lines name it: relative to the root, with slashes."""
        return path.relative_to(self.root).as_posix()

    def named(self, path: Path) -> str:
        """``path`` as findings name it: with the label, on one printable line whatever its bytes are."""
        raw = os.fsencode(self.relative(path))
        return shown(self.label + raw.decode("utf-8", "backslashreplace"), limit=300)
