"""What is taken away is exactly what was recorded, safe in a spreadsheet, and checkable with one command."""

import csv
import io
import json
import subprocess
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator.findings import Finding
from generator.outside.published import read_boards
from generator.publish.board_views import BoardView
from generator.publish.reveal_views import RevealedTask, RevealView
from generator.publish.run_views import CallView
from generator.records import CALL_LOG_COLUMNS, Reveal, Task, TaskLock, Text
from generator.render.downloads import MODEL_OUTPUT, SUMS, checksums, defused, downloads, lines, offered, table
from generator.store.write import encode
from tests.render import sample

HOSTILE = [
    "=HYPERLINK(\"http://x\",\"y\")", "+1+1", "-2+3+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1",
    "'=1", "</script><script>alert(1)</script>", "{{ 7*7 }}", "\u202emoc.elpmaxe", "\x00\x1b[31m\x7f",
    "a,b;c\"d\"\r\ne", "javascript:alert(1)", "x" * 60_000, "", " ", "NA", "null",
]  # fmt: skip
replace = msgspec.structs.replace
text = st.text(st.characters(exclude_categories=("Cs",)))


def read(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def undefused(cell: str) -> str:
    return cell.removeprefix("'")


def files(board: BoardView) -> dict[str, bytes]:
    """The downloads of a site with that board, by name, without the folder of the suite."""
    found = downloads(replace(sample.site(), main=board, boards=(board,)))
    return {path.removeprefix("data/contoh-v1/"): data for path, data in found.items()}


@given(st.lists(st.lists(text, min_size=2, max_size=2), max_size=5))
@example([HOSTILE[i : i + 2] for i in range(0, len(HOSTILE), 2)])
def test_any_text_survives_a_spreadsheet_and_none_starts_a_formula(rows: list[list[str]]) -> None:
    read_back = read(table(["a", "b"], rows))
    assert [[undefused(cell) for cell in row] for row in read_back[1:]] == rows
    assert not any(cell.startswith(tuple("=+-@\t\r\n＝＋－＠")) for row in read_back for cell in row)


@pytest.mark.parametrize(("plain", "cell"), [("=1", "'=1"), ("a=1", "a=1"), ("'", "''"), ("", ""), ("-5", "'-5")])
def test_defusing_adds_one_apostrophe_where_it_must(plain: str, cell: str) -> None:
    assert defused(plain) == cell


def test_numbers_stay_numbers_and_the_unknown_stays_empty() -> None:
    values = [-5, Decimal("-0.0000001"), Fraction(-200, 3), True, None, sample.MOMENT]
    assert table(["h"] * 6, [values]).decode().splitlines()[1] == (
        '-5,"-0.0000001","-66.666667","true","","2026-11-30T03:45:00+00:00"'
    )


def test_the_call_log_has_the_fourteen_columns_first_and_every_call() -> None:
    call = sample.call("r")
    calls = (replace(call, returned_model="=evil()"), replace(call, call_id="x2", attempt=2))
    rows = read(files(replace(sample.board(), calls=calls))["calls.csv"])
    assert tuple(rows[0][:14]) == CALL_LOG_COLUMNS
    assert rows[0] == list(CallView.__struct_fields__)
    assert [row[rows[0].index("call_id")] for row in rows[1:]] == ["x1", "x2"]
    assert rows[1][5] == "'=evil()"
    assert not {"output", "output_sha256"} & set(rows[0])


@given(text)
@example("\u2028</script>")
def test_an_answer_in_the_lines_is_what_was_said(output: str) -> None:
    verdict = replace(sample.verdict("juri", "first", 4), reason=output)
    answer = replace(sample.answer("layanan-a", "mns-01", output, Fraction(200, 3)), verdicts=(verdict,))
    board = sample.board()
    made = files(replace(board, tasks=(replace(board.tasks[2], answers=(answer,)),)))
    (line,) = made["answers-public.jsonl"].decode().rstrip("\n").split("\n")
    row = json.loads(line)
    assert (row["output"], row["score"], row["repeats"]) == (output, "200/3", [1, 2, 3])
    (line,) = made["verdicts-public.jsonl"].decode().rstrip("\n").split("\n")
    assert json.loads(line)["reason"] == output


def test_scores_are_exact_in_the_lines_and_the_same_rows_in_the_table() -> None:
    board = sample.board()
    first = board.rows[0]
    thirds = tuple(replace(score, score=Fraction(200, 3)) for score in first.scores)
    made = files(replace(board, rows=(replace(first, scores=thirds), *board.rows[1:])))
    exact = [json.loads(line) for line in made["scores.jsonl"].decode().splitlines()]
    rows = read(made["scores.csv"])
    assert rows[0] == list(exact[0])
    assert len(exact) == len(rows) - 1 == 4 * 4
    assert [row["score"] for row in exact[:5]] == ["200/3"] * 4 + ["100"]
    assert [row[rows[0].index("score")] for row in rows[1:6]] == ["66.666667"] * 4 + ["100"]
    assert [row["service"] for row in exact if not row["ranked"]] == ["layanan-d"] * 4


def test_tasks_and_lock_are_read_back_as_the_records_they_were() -> None:
    made = files(sample.board())
    assert (
        tuple(msgspec.json.decode(line, type=Task) for line in made["tasks-public.jsonl"].splitlines()) == sample.TASKS
    )
    lock = made["suite.lock.jsonl"]
    assert tuple(msgspec.json.decode(line, type=TaskLock) for line in lock.splitlines()) == sample.SUITE.lock


def test_the_lock_has_the_bytes_the_store_writes() -> None:
    assert lines(sample.SUITE.lock) == b"".join(map(encode, sample.SUITE.lock))


def test_a_study_whose_task_is_held_out_gives_away_its_contract_and_calls_and_nothing_else() -> None:
    site = replace(sample.site(), studies=(replace(sample.study(), task=None, answers=()),), reruns=())
    made = [path for path in downloads(site) if path.startswith("data/runs/")]
    assert made == ["data/runs/contoh-studi/declared.json", "data/runs/contoh-studi/calls.csv"]


def test_what_is_offered_is_what_is_there_with_a_licence() -> None:
    site = sample.site()
    assert [view.path for view in offered(site)] == list(downloads(site))
    assert {view.licence for view in offered(site)} == {"CC-BY-4.0", MODEL_OUTPUT}
    assert b"https://spdx.org/licenses/CC-BY-4.0.html" in downloads(site)["data/contoh-v1/LICENSE.txt"]


def test_every_line_ends_in_a_line_feed() -> None:
    for path, data in downloads(sample.site()).items():
        assert data.endswith(b"\n"), path
        assert b"\r" not in data, path


@dataclass(frozen=True)
class Tampering:
    name: str
    path: str
    data: bytes


@pytest.mark.parametrize(
    "tampering",
    [Tampering("one digit", "a b/c.csv", b"1,3\n"), Tampering("one byte less", "index.html", b"<p>")],
    ids=lambda each: each.name,
)
def test_sha256sum_accepts_the_site_and_refuses_a_changed_one(tmp_path: Path, tampering: Tampering) -> None:
    files = {"index.html": b"<p>\n", "a b/c.csv": b"1,2\n", "é.txt": b"", "x/*": b"\0"}
    files[SUMS] = checksums(files)
    for path, data in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    check = ["sha256sum", "-c", "--strict", "--quiet", SUMS]
    assert subprocess.run(check, cwd=tmp_path, check=False).returncode == 0
    (tmp_path / tampering.path).write_bytes(tampering.data)
    assert subprocess.run(check, cwd=tmp_path, check=False, capture_output=True).returncode == 1


def test_the_sums_are_sorted_and_leave_themselves_out() -> None:
    files = {"b": b"", "a": b"", SUMS: b"old"}
    assert [line.split("  ")[1] for line in checksums(files).decode().splitlines()] == ["a", "b"]


@pytest.mark.parametrize("path", ["a\nb", "a\\b", "a\rb"])
def test_a_path_that_the_sums_cannot_hold_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="cannot stand in SHA256SUMS"):
        checksums({path: b""})


@pytest.mark.parametrize("with_board", [True, False])
def test_retired_tasks_are_given_away_beside_the_lock_of_their_suite(with_board: bool) -> None:
    line = Reveal(at=sample.MOMENT, id="mns-02", salt="0" * 32, task='{"id":"mns-02"}')
    task = RevealedTask(line=line, category=Text(id="Menulis", en="Writing"), commitment="0" * 64, prompt="?")
    view = RevealView(
        suite="lama-v1", title=Text(id="Lama", en="Old"), licence="CC-BY-4.0", lock=sample.SUITE.lock,
        with_board=with_board, tasks=(task,),
    )  # fmt: skip
    made = {
        path.removeprefix("data/lama-v1/"): data
        for path, data in downloads(replace(sample.site(), reveals=(view,))).items()
        if path.startswith("data/lama-v1/")
    }
    assert list(made) == ["reveal.jsonl"] if with_board else ["suite.lock.jsonl", "reveal.jsonl"]
    assert made["reveal.jsonl"] == encode(line)
    faults: list[Finding] = []
    assert read_boards({f"data/lama-v1/{name}": data for name, data in made.items()}, faults) == faults == []
