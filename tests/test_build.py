"""The walk as its user takes it: build-site on the default results, whole and spoilt."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import build_site
from tests.conftest import ROOT

MAIN_RUN = "2026-11-30-nsid-v1"


def run_build(out: Path, results: Path = ROOT / "results", content: Path = ROOT / "content") -> Result:
    arguments = ["--results", results, "--content", content, "--templates", ROOT / "site_templates", "--out", out]
    return CliRunner().invoke(build_site, [str(each) for each in arguments])


def tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_one_changed_byte_of_an_answer_fails_and_names_the_line(results_copy: Path, tmp_path: Path) -> None:
    calls = results_copy / "runs" / MAIN_RUN / "calls.jsonl"
    lines = calls.read_bytes().splitlines(keepends=True)
    number = next(k for k, line in enumerate(lines, 1) if len(json.loads(line)["output"] or "") > 3)
    call = json.loads(lines[number - 1])
    old = json.dumps(call["output"][:3], ensure_ascii=False)[:-1].encode()
    new = old[:-1] + (b"x" if not old.endswith(b"x") else b"y")
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    calls.write_bytes(b"".join(lines))
    out = tmp_path / "public"
    out.mkdir()
    (out / "SHA256SUMS").write_text("", "utf-8")
    result = run_build(out, results=results_copy)
    assert result.exit_code == 1, result.output
    assert f"runs/{MAIN_RUN}/calls.jsonl:{number}: output" in result.output
    assert tree(out) == {"SHA256SUMS": hashlib.sha256(b"").hexdigest()}


def test_a_missing_twin_fails_and_is_named(content_copy: Path, tmp_path: Path) -> None:
    (content_copy / "en" / "limitations.md").unlink()
    result = run_build(tmp_path / "public", content=content_copy)
    assert result.exit_code == 1
    assert "en/limitations.md" in result.output
    assert not (tmp_path / "public").exists()


def test_faults_of_results_and_content_come_together(results_copy: Path, content_copy: Path, tmp_path: Path) -> None:
    (content_copy / "en" / "limitations.md").unlink()
    services = results_copy / "services.toml"
    services.write_text(services.read_text("utf-8").replace('vendor = "Google"', 'vendr = "Google"'), "utf-8")
    result = run_build(tmp_path / "public", results=results_copy, content=content_copy)
    assert result.exit_code == 1
    assert "services.toml" in result.output
    assert "vendr" in result.output
    assert "en/limitations.md" in result.output


@pytest.mark.parametrize("environment", [{"TZ": "Asia/Jakarta", "LANG": "id_ID.UTF-8", "PYTHONHASHSEED": "1"}])
def test_two_builds_are_the_same_bytes(environment: dict[str, str], public: Path, tmp_path: Path) -> None:
    """Another process, time zone, locale, hash seed and working directory: not a byte differs."""
    out = tmp_path / "other"
    code = "from generator.cli import build_site; build_site()"
    arguments = ["--results", ROOT / "results", "--content", ROOT / "content", "--templates", ROOT / "site_templates"]
    subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments), "--out", str(out)],
        cwd=tmp_path,
        env=os.environ | environment | {"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
    )
    assert tree(out) == tree(public)


def test_a_second_build_changes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "public"
    assert run_build(out).exit_code == 0
    result = run_build(out)
    assert ", 0 changed," in result.output


def test_a_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "letters"
    out.mkdir()
    (out / "love.txt").write_text("dear", "utf-8")
    result = run_build(out)
    assert result.exit_code == 1
    assert "not-our-folder" in result.output
    assert tree(out) == {"love.txt": hashlib.sha256(b"dear").hexdigest()}


def test_wrong_usage_is_two() -> None:
    assert CliRunner().invoke(build_site, ["--results", "nowhere"]).exit_code == 2


def test_checksums_satisfy_the_standard_tool(public: Path) -> None:
    done = subprocess.run(
        ["sha256sum", "-c", "--strict", "--quiet", "SHA256SUMS"],
        cwd=public,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    listed = {line.split("  ", 1)[1] for line in (public / "SHA256SUMS").read_text("utf-8").splitlines()}
    assert listed == set(tree(public)) - {"SHA256SUMS"}
