"""Held-out material in three places gives one site, its absence is said, and none of it leaves by any door."""

import re
import shutil
from pathlib import Path

import pyrage
import pytest
from click.testing import CliRunner

from generator.build import finished_site
from generator.cli import build_site
from generator.cli_private import private
from generator.records import ScoreLock
from generator.store.layout import Layout
from generator.store.read import read_results
from generator.store.write import encode
from generator.verify.secrets import secrets
from tests.conftest import silent
from tests.outside.conftest import small_places
from tests.test_cli_site import arguments, tree

RUN, SUITE = "2026-01-05-mini", "mini-v1"


@pytest.fixture
def apart(sources: Path, tmp_path: Path) -> Path:
    """The sources with every held-out file moved to ``private/``."""
    copy = tmp_path / "apart"
    shutil.copytree(sources, copy)
    tasks = copy / "results" / "suites" / SUITE / "tasks.held_out.toml"
    away = copy / "private" / "suites" / SUITE / tasks.name
    away.parent.mkdir(parents=True)
    tasks.rename(away)
    return copy


def test_beside_outside_and_encrypted_make_the_same_site(apart: Path, sources: Path, tmp_path: Path) -> None:
    runner = CliRunner()
    beside = finished_site(small_places(sources), silent)[0]
    outside = runner.invoke(build_site, [*arguments(apart, tmp_path / "a"), f"--private={apart / 'private'}"])
    assert outside.exit_code == 0, outside.output
    assert tree(tmp_path / "a") == beside
    key = pyrage.x25519.Identity.generate()
    file = tmp_path / "private.age"
    packed = runner.invoke(
        private, ["encrypt", str(apart / "private"), "--to", str(key.to_public()), "--out", str(file)]
    )
    assert packed.exit_code == 0, packed.output
    environment = {"RAPOR_PRIVATE": str(file), "RAPOR_IDENTITY": str(key)}
    encrypted = runner.invoke(build_site, arguments(apart, tmp_path / "b"), env=environment)
    assert encrypted.exit_code == 0, encrypted.output
    assert tree(tmp_path / "b") == beside
    locked = runner.invoke(build_site, arguments(apart, tmp_path / "c"), env=environment | {"RAPOR_IDENTITY": "x"})
    assert (locked.exit_code, "bad-identity" in locked.output) == (1, True)


def test_without_it_published_scores_stand_and_say_so(apart: Path, sources: Path) -> None:
    """Every figure that rests on held-out tasks is the one last published, marked as not recomputed."""
    whole = finished_site(small_places(sources), silent)[0]
    lines = re.findall(r'"service":"(\w+)","task_id":"([\w-]+)".*?"score":"([\d/]+)","failed":(\w+)',
                       whole["data/mini-v1/scores.jsonl"].decode())  # fmt: skip
    lock = Layout(apart / "results").score_lock(RUN)
    locked = [ScoreLock(service=s, task_id=t, score=p, failed=f == "true", grader="fixture") for s, t, p, f in lines]
    lock.write_bytes(b"".join(map(encode, locked)))
    files, remarks = finished_site(small_places(apart), silent)
    assert "held-out-not-at-hand" in {finding.slug for finding in remarks}

    def totals(site: dict[str, bytes]) -> list[str]:
        return re.findall(
            r'<td class="num strong">.*?<data value="([^"]+)"', site["en/mini-v1/leaderboard.html"].decode()
        )

    assert totals(files) == totals(whole)
    page = files["en/mini-v1/model/alpha.html"].decode()
    assert page.count("as last published, not recomputed") == 3
    assert "not recomputed in this build" in page
    assert "Scores of held-out tasks were not recomputed in this build." in page


def test_without_it_and_never_published_there_is_no_total(apart: Path) -> None:
    """A mean over the public tasks alone would be another figure under the same name."""
    files, _ = finished_site(small_places(apart), silent)
    page = files["en/mini-v1/leaderboard.html"].decode()
    assert "3 of its tasks are not at hand" in re.sub(r"<[^>]+>", "", page)


DOORS = {
    "prose": ("content/en/about.md", "content/id/tentang.md"),
    "a template": ("site_templates/base.html",),
    "the stylesheet": ("site_templates/assets/rapor.css",),
}
"""By which way a text may come in -> the files that it is added to."""


@pytest.mark.parametrize("door", DOORS)
def test_a_planted_sentence_stops_the_build_and_leaves_the_old_site(door: str, sources: Path, tmp_path: Path) -> None:
    copy, out = tmp_path / "copy", tmp_path / "public"
    shutil.copytree(sources, copy)
    assert CliRunner().invoke(build_site, arguments(copy, out)).exit_code == 0
    before = tree(out)
    secret = next(each for each in secrets(read_results(copy / "results")) if each.kind == "canary")
    for name in DOORS[door]:
        with (copy / name).open("a", encoding="utf-8") as file:
            file.write(f"\n\n/* {secret.text} */\n")
    done = CliRunner().invoke(build_site, arguments(copy, out))
    assert done.exit_code == 1
    assert "leak" in done.output
    assert secret.task in done.output
    assert secret.text not in done.output
    assert tree(out) == before
