"""Every way in which results/ can be spoilt is told with its place, and nothing else is told with it."""

import shutil
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from generator.findings import Faults
from generator.store.layout import Layout
from generator.store.parts import read_parts
from generator.store.read import read_results
from generator.store.write import encode
from tests.store.make_mini import RUN, SUITE

CASES = Path(__file__).resolve().parent.parent / "cases" / "store_faults.toml"
ROWS: list[dict[str, Any]] = tomllib.loads(CASES.read_text("utf-8"))["fault"]


def spoil(path: Path, edit: dict[str, Any]) -> None:
    """Do to one file what a row says."""
    if edit.get("replace_dir"):
        shutil.rmtree(path)
        path.write_bytes(b"")
    if edit.get("delete") or "link" in edit or "directory" in edit:
        path.unlink()
    if edit.get("directory"):
        path.mkdir()
    if "link" in edit:
        path.symlink_to(edit["link"])
    if "content" in edit:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(edit["content"].encode())
    if "find" in edit:
        data, find = path.read_bytes(), edit["find"].encode()
        assert find in data, "the row spoils nothing"
        new = bytes.fromhex(edit["replace_hex"]) if "replace_hex" in edit else edit["replace"].encode()
        path.write_bytes(data.replace(find, new, 1))
    if "append" in edit:
        path.write_bytes(path.read_bytes() + edit["append"].encode())
    if "append_repeat" in edit:
        piece, times, end = edit["append_repeat"]
        path.write_bytes(path.read_bytes() + (piece * times + end).encode())


def test_the_fixture_itself_is_sound(mini: Path) -> None:
    results = read_results(mini)
    assert len(results.runs[RUN].calls) == 15
    assert results.runs[RUN].seal is not None
    assert [task.id for task in results.suites[SUITE].tasks][:2] == ["f-exact", "f-checks"]


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_fault(row: dict[str, Any], mini: Path) -> None:
    layout = Layout(mini)
    if not row.get("sealed"):
        layout.seal(RUN).unlink()
    path = mini / row.get("spoil", row["file"])
    spoil(path, row)
    for edit in row.get("edits", ()):
        spoil(path, edit)
    if row.get("relock"):
        relock(layout)

    with pytest.raises(Faults) as raised:
        read_results(mini)

    found = raised.value.findings
    wanted = (row["file"], row.get("line", 0), row.get("field", ""), row["slug"])
    places = [(each.file, each.line, each.field, each.slug) for each in found]
    assert wanted in places, str(raised.value)
    assert Counter(each.slug for each in found) == Counter([row["slug"], *row.get("also", ())]), str(raised.value)
    assert all(str(each).isprintable() and each.todo for each in found)


def relock(layout: Layout) -> None:
    """Lock the spoilt suite as if it were sound, by the lock lines that its tasks make."""
    parts = read_parts(layout, SUITE, None, [])
    lines = [line for file in (parts.public, parts.held_out) if file for line in file.locks()]
    layout.suite_lock(SUITE).write_bytes(b"".join(map(encode, lines)))
