"""What lies where it should not: names that would be ignored, which a misspelt file must not be."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.findings import Finding
from generator.store.layout import DUEL_NAMES, PRIVATE_NAMES, ROOT_NAMES, RUN_NAMES, SUITE_NAMES, TORN, Layout
from generator.store.sheet import Sheet
from generator.store.strict import told

_ALLOWED = {"suites": SUITE_NAMES, "runs": RUN_NAMES, "duels": DUEL_NAMES}


@dataclass(frozen=True)
class Sides:
    """Where stored files may lie.

    Attributes:
        layout: ``results/``.
        private: the private directory, laid out the same way, where one was given.
        faults: what was found so far in both.
    """

    layout: Layout
    private: Layout | None
    faults: list[Finding]

    @property
    def both(self) -> tuple[Layout, ...]:
        """``results/`` first."""
        return (self.layout, self.private) if self.private else (self.layout,)


def check_root(sides: Sides) -> None:
    """Nothing unknown lies at the top of either directory."""
    for side in sides.both:
        if not os.path.isdir(side.root):  # noqa: PTH112 - unlike Path.is_dir, it never raises
            Sheet(side, side.root, sides.faults).fault("missing-file", "nothing", "a directory")
        _check(side, side.root, ROOT_NAMES, sides.faults)


def directories(sides: Sides, what: str) -> list[str]:
    """Names of the suites, runs or duels, sorted; what is wrong with names in both directories is noted."""
    names = [*_checked(sides.layout, what, _ALLOWED[what], sides.faults)]
    if sides.private:
        for name in _checked(sides.private, what, PRIVATE_NAMES, sides.faults):
            if name not in names:
                sheet = Sheet(sides.private, sides.private.root / what / name, sides.faults)
                sheet.fault("unknown-file", told(name), f"a name that {sides.layout.root.name}/{what} has too")
    return names


def subdirectories(path: Path) -> list[str]:
    """Names of the directories in ``path``, sorted; none where it cannot be listed."""
    try:
        names = sorted(os.listdir(path))  # noqa: PTH208 - names are wanted, not paths
    except OSError:
        return []
    return [name for name in names if not name.startswith(".") and os.path.isdir(path / name)]  # noqa: PTH112 - above


def _checked(side: Layout, what: str, allowed: frozenset[str], faults: list[Finding]) -> Iterator[str]:
    """Names of the suites, runs or duels of one directory, after a look at what lies in them."""
    at = side.root / what
    names = subdirectories(at)
    _check(side, at, frozenset(names), faults, "a directory")
    for name in names:
        if re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,79}", name):
            _check(side, at / name, allowed, faults)
            yield name
        else:
            expected = "small letters, digits, dot, dash, underscore"
            Sheet(side, at / name, faults).fault("wrong-name", told(name), expected)


def _check(side: Layout, path: Path, allowed: frozenset[str], faults: list[Finding], expected: str = "") -> None:
    """Every name in a directory is allowed, or is nobody's data."""
    expected = expected or f"one of {', '.join(sorted(allowed))}"
    try:
        names = sorted(os.listdir(path))  # noqa: PTH208 - names are wanted, not paths
    except FileNotFoundError:
        return
    except OSError as error:
        Sheet(side, path, faults).unreadable(error)
        return
    for name in names:
        is_beside = name.startswith((".", "README", "LICENSE")) or name.endswith(TORN)
        if name not in allowed and not is_beside:
            Sheet(side, path / name, faults).fault("unknown-file", told(name), expected)
