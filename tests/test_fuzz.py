"""Whatever bytes a reader meets, it ends in findings: never in a crash, a hang, or a line that cannot be printed.

In ``make test`` a few changes of each file, always the same ones; ``make fuzz`` goes on with new ones for as many
seconds a reader as ``FUZZ`` says.
"""

import os
import re
import shutil
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from generator.findings import Faults, Finding
from generator.outside import source
from tests.outside.conftest import quick, small  # noqa: F401 - fixtures
from tests.readers import READERS, Ground, Reader
from tests.store.make_everything import everything

SECONDS = float(os.environ.get("FUZZ", "0"))
"""How long each reader is fuzzed with chance; 0: a few fixed examples."""
TOKEN = re.compile(rb'"[^"\n]*"|[0-9][0-9.]*|[A-Za-z_]+|[^\s]')
PIECES = st.binary(max_size=40) | st.sampled_from(
    [b"\xef\xbb\xbf", b"\r\n", b"\x00", b'"', b"{", b"[[", b"}", b"\n", b"nan", b"\\ud800", b"9" * 30, b"1e999999999",
     b"=", b"'''", b"[" * 5000, b"null", b"\xed\xa0\x80", b"..", b"true", b"-1", b'""', b"[]", b"{}", b"0.1", b"<",
     b"&", b"1" * 5000, b'"9999-12-31T23:59:59Z"', b'"0001-01-01T00:00:00+23:59"', b'"1/0"', b"\xe2\x80\xae\x1b[31m"]
)  # fmt: skip
PLACE = st.floats(0, 1, exclude_max=True)


@pytest.fixture(scope="module")
def ground(sources: Path, small: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Ground:  # noqa: F811
    folder = tmp_path_factory.mktemp("fuzz")
    for name in ("results", "content", "site_templates"):
        shutil.copytree(sources / name, folder / name)
    everything(folder / "results")
    return Ground(folder, small)


def spoilt(sound: bytes, edits: list[tuple[str, float, int, bytes]]) -> bytes:
    """The bytes after each edit: a stretch or a token replaced, a line begun anew, a stretch repeated."""
    data = sound
    for kind, place, size, piece in edits:
        at = int(place * len(data))
        end = at + size
        if kind == "token" and (token := TOKEN.search(data, at)):
            at, end = token.span()
        elif kind == "line":
            at = end = data.rfind(b"\n", 0, at) + 1
        new = data[end : end + size] if kind == "repeat" else piece
        data = data[:at] + new + data[end:]
    return data


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", READERS)
def test_any_bytes_end_in_findings(
    name: str, ground: Ground, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(source.time, "sleep", lambda _: None)
    reader = READERS[name](ground)
    pieces = PIECES | st.sampled_from(reader.words) if reader.words else PIECES
    edit = st.tuples(st.sampled_from(["bytes", "token", "line", "repeat"]), PLACE, st.integers(0, 60), pieces)
    count, slowest, begin = 0, 0.0, time.monotonic()

    @settings(
        max_examples=50 if SECONDS else 8,
        derandomize=not SECONDS,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(change=st.lists(edit, min_size=1, max_size=4) | st.binary(max_size=200))
    def once(change: list[tuple[str, float, int, bytes]] | bytes) -> None:
        nonlocal count, slowest
        started = time.monotonic()
        _read(reader, change if isinstance(change, bytes) else spoilt(reader.sound, change))
        count, slowest = count + 1, max(slowest, time.monotonic() - started)

    once()
    while time.monotonic() - begin < SECONDS:
        once()
    if SECONDS:
        with capsys.disabled():
            print(f"{name}: {count} changes, slowest {slowest:.2f} s")  # noqa: T201 - what was done is worth a line
    assert slowest < 20


def _read(reader: Reader, data: bytes) -> list[Finding]:
    try:
        findings = list(reader.read(data))
    except Faults as faults:
        findings = list(faults.findings)
    assert all(str(finding).isprintable() for finding in findings)
    return findings


@pytest.mark.parametrize("name", READERS)
def test_the_sound_file_has_no_faults(name: str, ground: Ground) -> None:
    """A reader that refuses even its sound file would be fuzzed at its door only."""
    reader = READERS[name](ground)
    assert not [str(finding) for finding in _read(reader, reader.sound) if finding.blocking]
