"""Each fault of the pilot, planted in a copy of the default results: the build refuses or reports it by name."""

import json
import re
import tomllib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import build_site, rapor
from generator.score.normalise import ORDER
from generator.store.layout import Layout
from generator.store.read import read_results, read_suite
from generator.store.suites import lock_suite
from generator.store.write import seal_run
from tests.audit.test_cli import vote
from tests.conftest import ROOT

RUN, SUITE, SERVICE, DUEL = "2026-11-30-jawa-v1", "jawa-v1", "qwen-coder-1.5b", "jawa-kunci-1"


def build(results: Path, out: Path) -> Result:
    folders = {
        "--results": results,
        "--content": ROOT / "content",
        "--templates": ROOT / "site_templates",
        "--out": out,
    }
    return CliRunner().invoke(build_site, [str(each) for pair in folders.items() for each in pair])


def sealed_again(results: Path) -> None:
    """A publisher who does not know of the fault seals the run as usual."""
    layout = Layout(results)
    at = json.loads(layout.seal(RUN).read_text("utf-8"))["at"]
    layout.seal(RUN).unlink()
    seal_run(layout, RUN, tomllib.loads(f"at = {at}")["at"] + timedelta(seconds=1))


def calls(results: Path, change: Callable[[dict[str, object]], None]) -> None:
    path = Layout(results).calls(RUN)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for line in lines:
        change(line)
    path.write_text(
        "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines), "utf-8"
    )


def test_a_cap_of_200_with_the_same_count_on_every_call(results_copy: Path, tmp_path: Path) -> None:
    """196 tokens on all calls of one service, no finish reason, no error: the run was sealed and nobody noticed."""

    def cut(line: dict[str, object]) -> None:
        if line["service"] == SERVICE:
            line.update(finish_reason=None, output_tokens=196, max_output_tokens=200)

    calls(results_copy, cut)
    sealed_again(results_copy)
    Layout(results_copy).score_lock(RUN).unlink()
    result = build(results_copy, tmp_path / "public")
    assert result.exit_code == 1
    assert f"runs/{RUN}/run.toml: {SERVICE}: truncated: found 50 answers cut off (near_cap 50)" in result.output
    assert not (tmp_path / "public").exists()


def test_an_exact_match_grader_on_translations(results_copy: Path, tmp_path: Path) -> None:
    """The suite as somebody in a hurry would write it: the key is one sentence, and it must match."""
    layout = Layout(results_copy)
    drop = r"^(?:source_text|direction|register|region) = .*\n"
    for path in layout.suite_dir(SUITE).glob("tasks*.toml"):
        parts = re.split(r"(?m)^(?=\[\[task\]\])", path.read_text("utf-8"))
        parts = [
            re.sub(drop, "", part, flags=re.MULTILINE).replace(
                'kind = "translation"', 'kind = "exact"\nnormalise = ["case", "punctuation"]'
            )
            if 'kind = "translation"' in part
            else part
            for part in parts
        ]
        path.write_text("".join(parts), "utf-8")
    layout.suite_lock(SUITE).unlink()
    layout.suite_lock(SUITE).write_bytes(lock_suite(layout, SUITE))
    contract = layout.contract(RUN)
    new = read_suite(layout, SUITE).sha256
    contract.write_text(
        re.sub(r'(suite = .*sha256 = ")[0-9a-f]{64}', rf"\g<1>{new}", contract.read_text("utf-8")), "utf-8"
    )
    sealed_again(results_copy)
    layout.score_lock(RUN).unlink()
    for name in ("duel.toml", "sheet.jsonl", "key.held_out.json", "README.md"):
        (layout.duels / DUEL / name).unlink()
    (layout.duels / DUEL).rmdir()
    result = build(results_copy, tmp_path / "public")
    assert f"suites/{SUITE}/suite.toml: stress.accept_at_least: grader-refuses-right: found exact: " in result.output
    page = (tmp_path / "public" / "id" / "uji-penilai.html").read_text("utf-8")
    assert "satu sinonim" in page


def test_a_key_that_ties(results_copy: Path, tmp_path: Path) -> None:
    ballots = vote(results_copy, tmp_path / "b.jsonl", "penguji", "ttttttllrr", DUEL)
    opened = CliRunner().invoke(rapor, ["duel", "open", DUEL, str(ballots), "--results", str(results_copy)])
    assert opened.exit_code == 0, opened.output
    result = build(results_copy, tmp_path / "public")
    assert result.exit_code == 0, result.output
    assert f"duels/{DUEL}/ballots.jsonl: penguji: key-not-preferred: found 6 ties, " in result.output
    page = (tmp_path / "public" / "en" / "answer-key.html").read_text("utf-8")
    assert "did not tell the reference apart from the answer of" in page
    assert not (tmp_path / "public" / "duel").exists(), "an opened sheet can no longer be judged blind"


def test_a_changed_normaliser_is_a_list_of_changed_scores(
    results_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody breaks the levelling of letter case: every published score that it changes is named, none other."""
    locked = {
        (run, line.service, line.task_id): line.score
        for run, stored in read_results(results_copy).runs.items()
        for line in stored.score_lock
    }
    monkeypatch.setitem(ORDER, "case", lambda text: text)
    result = build(results_copy, tmp_path / "public")
    assert result.exit_code == 1
    assert not (tmp_path / "public").exists()
    line = r"runs/(\S+)/scores\.lock\.jsonl:\d+: (\S+): score-changed: found (\S+) by \S+ expected (\S+) by"
    found = re.findall(line, result.output)
    assert found
    for run, field, new, old in found:
        service, task = next((s, t) for r, s, t in locked if r == run and f"{s}.{t}" == field)
        assert locked[run, service, task] == old.rstrip(",")
        assert new != old
