"""The published workflow is safe to run, and its steps, run here one by one, make the same bytes as a build."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from generator.build import finished_site
from tests.conftest import ROOT, silent
from tests.outside.conftest import small_places

WORKFLOW = (ROOT / ".github" / "workflows" / "pages.yml").read_text("utf-8")
BASE = "https://publisher.example/rapor"


def test_every_action_is_pinned_to_a_commit_and_says_its_version() -> None:
    uses = re.findall(r"uses: (\S+)(.*)", WORKFLOW)
    assert len(uses) == 6
    for action, comment in uses:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action)
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment)


def test_no_right_is_given_that_is_not_used() -> None:
    assert "\npermissions: {}\n" in WORKFLOW
    build, deploy = WORKFLOW.split("\n  deploy:\n")
    rights = {"contents: read", "pages: read", "id-token: write", "attestations: write"}
    assert (
        set(re.findall(r"(?m)^      ((?:contents|pages|id-token|attestations|actions|packages): \w+)", build)) == rights
    )
    assert set(re.findall(r"(?m)^      ((?:contents|pages|id-token|attestations): \w+)", deploy)) == {
        "pages: write",
        "id-token: write",
    }
    assert "pull_request" not in WORKFLOW
    assert "persist-credentials: false" in build


def test_nothing_from_outside_is_pasted_into_a_command() -> None:
    """``${{ … }}`` inside ``run`` would let a branch name become a command."""
    assert not [line for line in re.findall(r"run: (.*)", WORKFLOW) if "${{" in line]


def test_its_steps_run_here_make_the_same_bytes(sources: Path, tmp_path: Path) -> None:
    for name in ("results", "content", "site_templates"):
        shutil.copytree(sources / name, tmp_path / name)
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy2(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(ROOT / ".venv" / "bin")
    (tmp_path / ".venv" / "site").touch()  # installed already
    commands = re.findall(r"run: (.*)", WORKFLOW)
    assert commands == ["make site", ".venv/bin/rapor verify public"]
    for command in commands:
        done = subprocess.run(
            shlex.split(command),
            cwd=tmp_path,
            env=os.environ | {"RAPOR_BASE_URL": BASE, "RAPOR_PRIVATE": "", "RAPOR_IDENTITY": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    files, _ = finished_site(small_places(sources, BASE), silent)
    out = tmp_path / "public"
    assert {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*") if p.is_file()} == files
