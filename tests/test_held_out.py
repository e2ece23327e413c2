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
from generator.outside import audit
from generator.records import ScoreLock
from generator.store.layout import Layout
from generator.store.read import read_results
from generator.store.write import encode, seal_run
from generator.verify.secrets import secrets
from tests.conftest import silent
from tests.outside.conftest import small_places
from tests.store.make_mini import START
from tests.store.test_write import split_calls
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


@pytest.fixture(scope="module")
def whole(sources: Path) -> dict[str, bytes]:
    return finished_site(small_places(sources), silent)[0]


@pytest.fixture(params=["tasks away", "tasks and calls away"])
def locked(request: pytest.FixtureRequest, apart: Path, whole: dict[str, bytes]) -> dict[str, bytes]:
    """A site built without held-out material whose scores were published before; its calls at hand, or not either."""
    lock_apart(apart, whole, calls_away=request.param == "tasks and calls away")
    files, remarks = finished_site(small_places(apart), silent)
    assert "held-out-not-at-hand" in {finding.slug for finding in remarks}
    return files


def lock_apart(apart: Path, whole: dict[str, bytes], *, calls_away: bool) -> None:
    """Pin the scores of the whole site in a copy without held-out tasks; take the calls about them away too."""
    lines = re.findall(r'"service":"(\w+)","task_id":"([\w-]+)".*?"score":"([\d/]+)","failed":(\w+)',
                       whole["data/mini-v1/scores.jsonl"].decode())  # fmt: skip
    results, private = Layout(apart / "results"), Layout(apart / "private")
    scores = [ScoreLock(service=s, task_id=t, score=p, failed=f == "true", grader="fixture") for s, t, p, f in lines]
    results.score_lock(RUN).write_bytes(b"".join(map(encode, scores)))
    if calls_away:
        results.seal(RUN).unlink()
        split_calls(results, private)
        seal_run(results, RUN, START, private)


def test_without_it_published_scores_stand(locked: dict[str, bytes], whole: dict[str, bytes]) -> None:
    def totals(site: dict[str, bytes]) -> list[str]:
        page = site["en/mini-v1/leaderboard.html"].decode()
        return re.findall(r'<td class="num strong">.*?<data value="([^"]+)"', page)

    assert totals(locked) == totals(whole) != []
    assert [str(finding) for finding in audit(locked).findings] == []


def test_every_figure_that_rests_on_it_says_that_it_was_not_recomputed(locked: dict[str, bytes]) -> None:
    """On each page, in each recipe, beside each score, in both languages."""
    said = {
        "en": ("Figures that rest on them were not recomputed in this build", "but taken as last published:"),
        "id": ("Angka yang bertumpu padanya tidak dihitung ulang kali ini", "seperti yang terakhir diterbitkan:"),
    }
    for path, data in locked.items():
        page = data.decode("utf-8", "replace")
        if path.endswith(".html") and path[:2] in said:
            on_page, in_recipe = said[path[:2]]
            assert on_page in page, path
            for note in re.findall(r'<li id="note-\d+">.*?</li>', page, re.DOTALL):
                n = re.search(r'n = <data value="(\d+)">', note)
                is_of_all = n is not None and n[1] == "6" and "fixture" in note
                assert not is_of_all or f'{in_recipe} <data value="3">3</data>' in note, (path, note)
    assert locked["en/mini-v1/model/alpha.html"].decode().count("as last published, not recomputed; not recomp") == 3
    assert locked["id/mini-v1/model/alpha.html"].decode().count("; tidak dihitung ulang kali ini") == 3


def test_what_calls_cost_is_not_known_without_the_calls(locked: dict[str, bytes], whole: dict[str, bytes]) -> None:
    """A sum over the public tasks alone would be another figure under the same name."""

    def facts(site: dict[str, bytes], name: str, of: str = "model/alpha") -> list[str]:
        page = site[f"en/mini-v1/{of}.html"].decode()
        return [re.sub("<[^>]+>", "", each) for each in re.findall(rf'<dd data-col="{name}">(.*?)</dd>', page)]

    away = b"calls of" in locked["en/mini-v1/model/alpha.html"]
    for name, count in (("repeated", "2"), ("identical", "1")):
        assert facts(whole, name, "leaderboard") == [count]
        assert facts(locked, name, "leaderboard") == ["0" if away else count]
    for name in ("cost", "input", "output", "latency"):
        (now,), (before,) = facts(locked, name), facts(whole, name)
        assert now == before or away, name
        assert not away or "not known" in now or "not at hand in this build" in now, name


@pytest.mark.parametrize("calls_away", [True, False])
def test_what_an_acknowledged_truncation_withholds_stays_withheld_where_the_cut_answers_are_away(
    calls_away: bool, apart: Path, whole: dict[str, bytes]
) -> None:
    """With the calls at hand nothing is seen to be cut, so the total stands."""
    lock_apart(apart, whole, calls_away=calls_away)
    with Layout(apart / "results").contract(RUN).open("a", encoding="utf-8") as file:
        file.write('\n[[acknowledged]]\nslug = "truncated"\nservice = "alpha"\nreason = { id = "a", en = "a" }\n')
    files, _ = finished_site(small_places(apart), silent)
    page = re.sub(r"<[^>]+>", "", files["en/mini-v1/model/alpha.html"].decode())
    assert ("answers cut off at the token cap, as the publisher says" in page) == calls_away
    assert [str(finding) for finding in audit(files).findings] == []


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
