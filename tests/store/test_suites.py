"""Commitments, locks and the hash of a suite, checked with other tools' figures; what a suite check says."""

import hashlib
import json
import shutil
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from generator.findings import Faults
from generator.store.layout import Layout
from generator.store.read import read_services, read_suite
from generator.store.suites import canonical, check_suite, commitment, lock_suite
from tests.store.make_mini import HELD_OUT, SUITE

CASES = Path(__file__).resolve().parent.parent / "cases" / "commitments.toml"
ROWS: list[dict[str, Any]] = tomllib.loads(CASES.read_text("utf-8"))["commitment"]


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_commitment(row: dict[str, Any]) -> None:
    raw = tomllib.loads(row["task"])
    assert commitment(raw) == row["sha256"]
    assert canonical({name: value for name, value in raw.items() if name != "salt"}) == row["canonical"]


def test_a_number_with_a_point_has_no_canonical_form() -> None:
    with pytest.raises(TypeError, match="Decimal"):
        canonical({"a": Decimal("0.1")})


def test_the_lock_is_one_line_a_task_in_file_order_and_pins_the_suite(mini: Path) -> None:
    layout = Layout(mini)
    lock = lock_suite(layout, SUITE)
    assert lock == layout.suite_lock(SUITE).read_bytes()
    lines = [json.loads(line) for line in lock.splitlines()]
    assert [line["id"] for line in lines] == [
        "f-exact", "f-checks", "f-rubric", "f-terjemahan", "f-kosakata", "f-eksak-2",
    ]  # fmt: skip
    rules = (layout.suite_dir(SUITE) / "suite.toml").read_bytes()
    assert read_suite(layout, SUITE).sha256 == hashlib.sha256(rules + lock).hexdigest()


def test_a_held_out_task_is_checked_against_the_lock_by_hand(mini: Path) -> None:
    """What a reader does with a revealed task: text in, SHA-256, compare."""
    revealed = (
        "101112131415161718191a1b1c1d1e1f"
        '{"access":"held_out","category":"dua","id":"f-kosakata","kind":"vocabulary",'
        '"prompt":"Perlengkapan uji: apa arti “kesah”?","senses":["pergi"],"word":"kesah","word_language":"jv"}'
    )
    locked = {lock.id: lock.commitment for lock in read_suite(Layout(mini), SUITE).lock}
    assert hashlib.sha256(revealed.encode()).hexdigest() == locked["f-kosakata"]


def test_held_out_tasks_may_lie_elsewhere_or_be_known_by_their_lock_only(mini: Path, tmp_path: Path) -> None:
    layout, private = Layout(mini), Layout(tmp_path / "private", "private/")
    whole = read_suite(layout, SUITE)
    private.suite_dir(SUITE).mkdir(parents=True)
    shutil.move(layout.suite_dir(SUITE) / "tasks.held_out.toml", private.suite_dir(SUITE))

    assert read_suite(layout, SUITE, private) == whole
    known = read_suite(layout, SUITE)
    assert known.sha256 == whole.sha256
    assert known.lock == whole.lock
    assert [task.access for task in known.tasks] == ["public"] * 3
    assert "held-out-absent" in {finding.slug for finding in check_suite(layout, SUITE)}
    assert lock_suite(layout, SUITE, private) == layout.suite_lock(SUITE).read_bytes()
    with pytest.raises(Faults, match="held-out-absent"):
        lock_suite(layout, SUITE)


def test_held_out_tasks_in_two_places_are_refused(mini: Path, tmp_path: Path) -> None:
    private = Layout(tmp_path / "private", "private/")
    private.suite_dir(SUITE).mkdir(parents=True)
    (private.suite_dir(SUITE) / "tasks.held_out.toml").write_text(HELD_OUT, "utf-8")
    with pytest.raises(Faults, match=r"private/suites/mini-v1/tasks.held_out.toml: contradiction"):
        read_suite(Layout(mini), SUITE, private)


def test_a_check_remarks_on_what_blocks_nothing(mini: Path) -> None:
    layout = Layout(mini)
    found = check_suite(layout, SUITE, services=read_services(layout))
    assert [(each.file, each.slug, each.found, each.blocking) for each in found] == [
        ("suites/mini-v1/tasks.toml", "unchecked-sources", "1 sources", False),
    ]


def test_a_check_before_the_first_lock_asks_for_it_and_a_lock_can_then_be_made(mini: Path) -> None:
    layout = Layout(mini)
    before = layout.suite_lock(SUITE).read_bytes()
    layout.suite_lock(SUITE).unlink()
    assert [each.slug for each in check_suite(layout, SUITE) if each.blocking] == ["missing-lock"]
    assert lock_suite(layout, SUITE) == before


def test_uneven_categories_are_told_with_their_counts(mini: Path) -> None:
    layout = Layout(mini)
    tasks = layout.suite_dir(SUITE) / "tasks.toml"
    tasks.write_text(tasks.read_text("utf-8").replace('category = "satu"', 'category = "dua"', 1), "utf-8")
    layout.suite_lock(SUITE).write_bytes(lock_suite(layout, SUITE))
    told = [each.found for each in check_suite(layout, SUITE) if each.slug == "uneven-categories"]
    assert told == ["dua 4, satu 2"]
