"""The commands of the room of doubt, on files: accept, audit grader, duel."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.audit.corrections import chain_findings
from generator.cli import rapor
from generator.records import Text
from generator.store.layout import Layout
from generator.store.read import read_results
from tests.audit.disk import RUN, SERVICES, SUITE, jawa

ROOT = Path(__file__).resolve().parent.parent.parent


def run(*arguments: object) -> Result:
    return CliRunner().invoke(rapor, [str(each) for each in arguments])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return jawa(tmp_path_factory.mktemp("made") / "results")


@pytest.fixture
def results(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "results"))


def accept(results: Path, *more: str) -> Result:
    return run("accept", RUN, "--results", results, *more)


REASON = ("--reason-id", "kunci dibetulkan", "--reason-en", "the key was corrected")


def edited(results: Path, task: str, score: str) -> None:
    """The lock as if another score had been published for one task of the first service."""
    path = Layout(results).score_lock(RUN)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for line in lines:
        if (line["service"], line["task_id"]) == (SERVICES[0], task):
            line["score"] = score
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), "utf-8")


def test_the_first_publication_needs_no_reason_and_makes_no_correction(results: Path) -> None:
    assert accept(results).exit_code == 0
    lock = read_results(results).runs[RUN].score_lock
    assert len(lock) == 100
    assert not Layout(results).corrections.exists()
    before = Layout(results).score_lock(RUN).read_bytes()
    again = accept(results)
    assert "100 scores as they were, 0 corrected" in again.output
    assert Layout(results).score_lock(RUN).read_bytes() == before


def test_a_changed_score_needs_a_reason_in_both_languages_and_is_corrected_for_ever(results: Path) -> None:
    accept(results)
    task = next(line.task_id for line in read_results(results).runs[RUN].score_lock if line.score == "100")
    edited(results, task, "0")
    refused = accept(results, "--reason-id", "hanya satu bahasa", "--reason", " ")
    assert refused.exit_code == 2
    assert f"{SERVICES[0]} {task}: 0 -> 100" in refused.output
    assert not Layout(results).corrections.exists()
    assert "1 corrected" in accept(results, *REASON).output
    (line,) = read_results(results).corrections
    assert (line.task_id, line.old, line.new, line.reason.en) == (task, "0", "100", "the key was corrected")
    assert line.new_grader
    edited(results, task, "50")
    accept(results, "--reason", "v1.1", "--reason-en", "the grader, v1.1")
    assert read_results(results).corrections[-1].reason == Text(id="v1.1", en="the grader, v1.1")
    assert [each.new for each in read_results(results).corrections] == ["100", "100"]


def chain(results: Path) -> list[str]:
    read = read_results(results)
    return [str(each) for each in chain_findings(read.corrections, {RUN: read.runs[RUN].score_lock})]


def test_accepted_changes_are_chained_and_what_is_edited_afterwards_is_told(results: Path) -> None:
    accept(results)
    tasks = [line.task_id for line in read_results(results).runs[RUN].score_lock if line.score == "100"]
    for task in tasks[:2]:
        edited(results, task, "0")
        stale = Layout(results).score_lock(RUN).read_bytes()
        accept(results, *REASON)
        assert chain(results) == []
    Layout(results).score_lock(RUN).write_bytes(stale)
    accept(results, *REASON)
    assert chain(results) == [], "also after an acceptance that was interrupted"
    path = Layout(results).corrections
    lines = path.read_text("utf-8").splitlines(keepends=True)
    assert len(lines) == 2
    for spoilt in (lines[:1], lines[1:], lines[::-1], [lines[0].replace("dibetulkan", "diperbaiki"), lines[1]], []):
        path.write_text("".join(spoilt), "utf-8")
        assert "corrections-broken" in "".join(chain(results))


def test_an_acceptance_that_was_interrupted_is_not_written_twice(results: Path) -> None:
    """The correction is on the disk, the lock is not: the second attempt only writes the lock."""
    accept(results)
    task = next(line.task_id for line in read_results(results).runs[RUN].score_lock if line.score == "100")
    edited(results, task, "0")
    stale = Layout(results).score_lock(RUN).read_bytes()
    accept(results, *REASON)
    Layout(results).score_lock(RUN).write_bytes(stale)
    assert "0 corrected" in accept(results, *REASON).output
    assert len(read_results(results).corrections) == 1


def test_what_cannot_be_accepted_is_refused(results: Path) -> None:
    assert run("accept", "no-such-run", "--results", results).exit_code == 2
    Layout(results).seal(RUN).unlink()
    unsealed = accept(results)
    assert unsealed.exit_code == 2
    assert "not sealed" in unsealed.output


def test_the_grader_audit_prints_every_transform_and_fails_by_threshold(results: Path) -> None:
    sound = run("audit", "grader", SUITE, "--results", results)
    assert sound.exit_code == 0, sound.output
    for word in ("clause_order", "synonym", "exact_match_on_translations (for comparison, not in use)", "alternatives"):
        assert word in sound.output
    path = Layout(results).suite_dir(SUITE) / "suite.toml"
    path.write_text(path.read_text("utf-8") + '\n[stress]\naccept_at_least = "99%"\nreject_at_least = "99%"\n', "utf-8")
    strict = run("audit", "grader", SUITE, "--results", results)
    assert strict.exit_code == 1
    assert "stress.accept_at_least: grader-refuses-right: found chrf" in strict.output
    assert run("audit", "grader", "no-such-suite", "--results", results).exit_code == 2


def make(results: Path, page: Path, *more: object) -> Result:
    words = ("--content", ROOT / "content", "--templates", ROOT / "site_templates")
    whom = ("--run", RUN, "--service", SERVICES[0])
    return run("duel", "make", "kunci-1", *whom, "--results", results, *words, "--page", page, *more)


def vote(results: Path, target: Path, judge: str, choices: str, name: str = "kunci-1") -> Path:
    """Ballots as the page exports them: one letter a pair, l, t or r."""
    duel = read_results(results).duels[name]
    words = {"l": "left", "t": "tie", "r": "right"}
    lines = [
        {"duel": name, "sheet_sha256": duel.declared.sheet_sha256, "pair": pair.pair, "judge": judge,
         "choice": words[letter], "note": "", "at": datetime(2030, 1, 1, tzinfo=UTC).isoformat()}
        for pair, letter in zip(duel.sheet, choices, strict=False)
    ]  # fmt: skip
    target.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return target


def test_a_duel_from_sheet_to_count(results: Path, tmp_path: Path) -> None:
    page = tmp_path / "lembar.html"
    drawn = make(results, page)
    assert drawn.exit_code == 0, drawn.output
    duel = read_results(results).duels["kunci-1"]
    assert duel.declared.pairs == len(duel.sheet) == 10
    assert duel.declared.key_sha256 in drawn.output
    assert make(results, page).exit_code == 2, "a sealed sheet never changes"
    key = json.loads(Layout(results).closed_key("kunci-1").read_text("utf-8"))
    references = {ref for task in read_results(results).suites[SUITE].tasks for ref in getattr(task, "references", ())}
    for pair in duel.sheet:
        by_side = {"left": pair.left, "right": pair.right}
        reference = "left" if key["left"][pair.pair] == "reference" else "right"
        assert by_side[reference] in references
        assert next(text for side, text in by_side.items() if side != reference) not in references

    ten = vote(results, tmp_path / "a.jsonl", "penyusun", "ttttttllrr")
    half = vote(results, tmp_path / "b.jsonl", "tamu", "ttttt")
    assert run("duel", "score", "kunci-1", "--results", results).exit_code == 2
    closed = run("duel", "open", "kunci-1", ten, half, "--results", results)
    assert closed.exit_code == 1
    assert "tamu 5" in closed.output
    assert Layout(results).closed_key("kunci-1").exists()
    rest = vote(results, tmp_path / "c.jsonl", "tamu", "tttttlllll")
    other = vote(results, tmp_path / "d.jsonl", "tamu", "l")
    assert "1 other ballots of a judge" in run("duel", "open", "kunci-1", other, "--results", results).output
    opened = run("duel", "open", "kunci-1", rest, "--results", results)
    assert opened.exit_code == 0, opened.output
    assert not Layout(results).closed_key("kunci-1").exists()
    counted = run("duel", "score", "kunci-1", "--results", results)
    assert counted.exit_code == 0, counted.output
    assert "penyusun: 6 ties" in counted.output
    assert "sign test p = " in counted.output
    assert "Davidson: log ratio of the strengths " in counted.output
    assert run("duel", "open", "kunci-1", ten, "--results", results).exit_code == 2


def test_the_key_can_lie_outside_and_is_never_guessed(results: Path, tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    assert make(results, tmp_path / "x.html", "--private", private).exit_code == 0
    assert not Layout(results).closed_key("kunci-1").exists()
    ballots = vote(results, tmp_path / "a.jsonl", "a", "t" * 10)
    lost = run("duel", "open", "kunci-1", ballots, "--results", results)
    assert lost.exit_code == 1
    assert "missing-file" in lost.output
    opened = run("duel", "open", "kunci-1", "--results", results, "--private", private)
    assert opened.exit_code == 0, opened.output


@pytest.mark.parametrize(
    ("spoil", "slug"),
    [
        (lambda line: line | {"sheet_sha256": "0" * 64}, "seal-broken"),
        (lambda line: line | {"pair": "p99"}, "unknown-task"),
        (lambda line: line | {"duel": "kunci-2"}, "wrong-name"),
        (lambda line: line | {"at": "2001-01-01T00:00:00+00:00"}, "contradiction"),
        (lambda line: line | {"choice": "both"}, "wrong-value"),
        (lambda line: line | {"vote": "left"}, "unknown-field"),
    ],
)
def test_ballots_on_another_sheet_are_refused_whole(results: Path, tmp_path: Path, spoil: object, slug: str) -> None:
    make(results, tmp_path / "x.html")
    ballots = vote(results, tmp_path / "a.jsonl", "a", "t" * 10)
    lines = [json.loads(line) for line in ballots.read_text("utf-8").splitlines()]
    lines[3] = spoil(lines[3])  # type: ignore[operator]
    ballots.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    refused = run("duel", "open", "kunci-1", ballots, "--results", results)
    assert refused.exit_code == 1
    assert "a.jsonl:4: " in refused.output
    assert slug in refused.output
    assert not Layout(results).ballots("kunci-1").exists()


@pytest.mark.parametrize("name", ["duel_sheet", "duel_key", "ballots"])
def test_a_sealed_file_that_changes_afterwards_is_told(results: Path, tmp_path: Path, name: str) -> None:
    make(results, tmp_path / "x.html")
    run("duel", "open", "kunci-1", vote(results, tmp_path / "a.jsonl", "a", "t" * 10), "--results", results)
    path = getattr(Layout(results), name)("kunci-1")
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"reference"', b'"service"') if name == "duel_key" else data.replace(b"a", b"b", 1))
    from generator.findings import Faults

    with pytest.raises(Faults) as caught:
        read_results(results)
    assert "seal-broken" in {finding.slug for finding in caught.value.findings}
