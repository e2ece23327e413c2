"""A retired task is revealed exactly as it was locked, once, for good, or not at all; anyone can check it."""

import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import rapor
from generator.store.layout import Layout
from generator.store.read import read_results, read_suite
from generator.store.suites import lock_suite
from tests.store.make_mini import CANARY, RUN, SUITE

HELD = ("f-terjemahan", "f-kosakata")


def suite(*arguments: object) -> Result:
    return CliRunner().invoke(rapor, ["suite", *map(str, arguments)])


def reveal(results: Path, *more: object) -> Result:
    return suite("reveal", SUITE, *more, "--results", results)


def everything(results: Path) -> dict[str, bytes]:
    return {path.relative_to(results).as_posix(): path.read_bytes() for path in results.rglob("*") if path.is_file()}


def test_a_reveal_is_a_file_of_its_own_and_changes_nothing_else(mini: Path) -> None:
    before, hash_before = everything(mini), read_suite(Layout(mini), SUITE).sha256
    done = reveal(mini, *HELD)
    assert done.exit_code == 0, done.output
    after = everything(mini)
    assert set(after) - set(before) == {f"suites/{SUITE}/reveal.jsonl"}
    assert {name: data for name, data in after.items() if name in before} == before
    again = read_suite(Layout(mini), SUITE)
    assert (again.sha256, [each.id for each in again.reveals]) == (hash_before, [*HELD])


def test_it_is_checked_with_sha256sum_as_the_page_says(mini: Path) -> None:
    """The command of the downloads page, run by a shell that knows nothing of this project."""
    reveal(mini, "f-kosakata")
    folder = Layout(mini).suite_dir(SUITE)
    command = "jq -j 'select(.id == \"f-kosakata\") | .salt + .task' reveal.jsonl | sha256sum"
    said = subprocess.run(["sh", "-c", command], cwd=folder, check=True, capture_output=True, text=True).stdout
    locks = [json.loads(line) for line in (folder / "suite.lock.jsonl").read_text("utf-8").splitlines()]
    assert said.split()[0] == next(lock["commitment"] for lock in locks if lock["id"] == "f-kosakata")


def test_revealing_twice_adds_nothing(mini: Path) -> None:
    reveal(mini, "f-kosakata")
    before = Layout(mini).reveals(SUITE).read_bytes()
    done = reveal(mini, "f-kosakata", "f-kosakata", "f-terjemahan")
    assert done.exit_code == 0
    assert "1 tasks revealed, 1 were already" in done.output
    assert Layout(mini).reveals(SUITE).read_bytes().startswith(before)
    assert len(read_suite(Layout(mini), SUITE).reveals) == 2


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (("f-kosakata", "f-nirwana"), ("f-nirwana: unknown-task", "one of f-eksak-2, f-kosakata, f-terjemahan")),
        (("f-kosakata", "f-exact"), ("f-exact: not-held-out", "a public task")),
        (("f-exact", "f-nirwana"), ("f-exact: not-held-out", "f-nirwana: unknown-task")),
    ],
)
def test_one_wrong_id_reveals_none_and_all_wrong_ones_are_named(
    wanted: tuple[str, ...], told: tuple[str, ...], mini: Path
) -> None:
    done = reveal(mini, *wanted)
    assert done.exit_code == 1
    assert [each for each in told if each not in done.output] == []
    assert not Layout(mini).reveals(SUITE).exists()


def test_a_task_that_is_not_as_it_was_locked_is_not_revealed(mini: Path) -> None:
    tasks = Layout(mini).suite_dir(SUITE) / "tasks.held_out.toml"
    tasks.write_text(tasks.read_text("utf-8").replace('senses = ["pergi"]', 'senses = ["pulang"]'), "utf-8")
    done = reveal(mini, "f-kosakata")
    assert done.exit_code == 1
    assert "suite.lock.jsonl:5: commitment: lock-differs" in done.output
    assert not Layout(mini).reveals(SUITE).exists()


def test_held_out_tasks_that_lie_elsewhere_must_be_at_hand(mini: Path, tmp_path: Path) -> None:
    private = Layout(tmp_path / "private")
    private.suite_dir(SUITE).mkdir(parents=True)
    shutil.move(Layout(mini).suite_dir(SUITE) / "tasks.held_out.toml", private.suite_dir(SUITE))
    without = reveal(mini, "f-kosakata")
    assert (without.exit_code, "f-kosakata: held-out-absent" in without.output) == (1, True)
    assert reveal(mini, "f-kosakata", "--private", private.root).exit_code == 0
    assert [each.id for each in read_suite(Layout(mini), SUITE).reveals] == ["f-kosakata"]
    assert reveal(mini, "f-kosakata").exit_code == 0, "what is revealed already needs nothing more"


def test_nothing_is_revealed_while_a_run_that_counts_is_open(mini: Path) -> None:
    Layout(mini).seal(RUN).unlink()
    contract = Layout(mini).contract(RUN)
    pilot = contract.read_text("utf-8")
    contract.write_text(pilot.replace('purpose = "pilot"', 'purpose = "formal"'), "utf-8")
    done = reveal(mini, "f-kosakata")
    assert (done.exit_code, f"runs/{RUN}/run.toml: suite: run-open" in done.output) == (1, True)
    contract.write_text(pilot, "utf-8")
    assert reveal(mini, "f-kosakata").exit_code == 0


def test_a_question_held_out_in_another_suite_is_not_given_away_unless_it_is_retired_there(mini: Path) -> None:
    layout = Layout(mini)
    shutil.copytree(layout.suite_dir(SUITE), layout.suite_dir("mini-v2"))
    for path in layout.suite_dir("mini-v2").glob("*.toml"):
        path.write_text(path.read_text("utf-8").replace("mini-v1", "mini-v2").replace('"1011', '"9911'), "utf-8")
    layout.suite_lock("mini-v2").unlink()
    layout.suite_lock("mini-v2").write_bytes(lock_suite(layout, "mini-v2"))
    done = reveal(mini, "f-kosakata")
    assert done.exit_code == 1
    assert "suites/mini-v2: f-kosakata: held-out-elsewhere" in done.output
    assert "--also mini-v2" in done.output
    assert reveal(mini, "f-kosakata", "--also", "mini-v2").exit_code == 0
    assert suite("reveal", "mini-v2", "f-kosakata", "--results", mini).exit_code == 0
    revealed = [line.salt for name in (SUITE, "mini-v2") for line in read_suite(layout, name).reveals]
    assert len(set(revealed)) == 2
    old, new = layout.reveals(SUITE), layout.reveals("mini-v2")
    assert suite("check-reveal", old, layout.suite_lock("mini-v2")).output == "f-kosakata: does not match\n"
    assert suite("check-reveal", new, layout.suite_lock("mini-v2")).output == "f-kosakata: matches\n"


def test_the_canary_is_never_revealed_with_a_task(mini: Path) -> None:
    layout = Layout(mini)
    layout.seal(RUN).unlink()
    shutil.rmtree(layout.run_dir(RUN))
    tasks = layout.suite_dir(SUITE) / "tasks.held_out.toml"
    tasks.write_text(tasks.read_text("utf-8").replace("apa arti", f"{CANARY} apa arti"), "utf-8")
    layout.suite_lock(SUITE).write_bytes(lock_suite(layout, SUITE))
    done = reveal(mini, "f-kosakata")
    assert (done.exit_code, "f-kosakata: canary-leaked" in done.output) == (1, True)


def test_a_check_tells_match_mismatch_and_absence_apart_against_locks_of_any_age(mini: Path, tmp_path: Path) -> None:
    reveal(mini, *HELD)
    layout, older, forged = Layout(mini), tmp_path / "older.jsonl", tmp_path / "forged.jsonl"
    lines = layout.suite_lock(SUITE).read_text("utf-8").splitlines(keepends=True)
    older.write_text("".join(line for line in lines if "f-kosakata" not in line), "utf-8")
    forged.write_text(layout.reveals(SUITE).read_text("utf-8").replace("Kula kesah", "Kulo kesah"), "utf-8")
    whole = suite("check-reveal", layout.reveals(SUITE), layout.suite_lock(SUITE))
    assert (whole.exit_code, whole.output) == (0, "f-terjemahan: matches\nf-kosakata: matches\n")
    before = suite("check-reveal", layout.reveals(SUITE), older)
    assert (before.exit_code, before.output) == (1, "f-terjemahan: matches\nf-kosakata: not in this lock\n")
    other = suite("check-reveal", forged, layout.suite_lock(SUITE))
    assert (other.exit_code, other.output) == (1, "f-terjemahan: does not match\nf-kosakata: matches\n")
    swapped = suite("check-reveal", layout.suite_lock(SUITE), layout.reveals(SUITE))
    assert (swapped.exit_code, "unknown-field" in swapped.output) == (1, True)


def test_the_moment_is_stored_with_its_offset(mini: Path) -> None:
    reveal(mini, "f-kosakata")
    (line,) = read_results(mini).suites[SUITE].reveals
    assert line.at.tzinfo is not None
    assert line.at <= datetime.now(UTC)
