"""What was promised earlier is held against what is published now: reveals, and corrections to the last score."""

import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Literal

import pytest
from click.testing import CliRunner
from msgspec.json import decode
from msgspec.structs import replace

from generator.build import finished_site
from generator.cli import rapor
from generator.findings import Faults
from generator.outside import audit
from generator.publish.reveals import reveal_findings
from generator.publish.views import CorrectedScore
from generator.records import Correction
from generator.store.layout import Layout
from generator.store.read import read_results
from generator.store.write import encode, line_hash
from tests.conftest import silent
from tests.outside.conftest import small_places, with_data
from tests.store.make_mini import RUN, SUITE

REASON = ("--reason-id", "kunci dibetulkan", "--reason-en", "the key was corrected")
REVEAL, LOCK = f"data/{SUITE}/reveal.jsonl", f"data/{SUITE}/suite.lock.jsonl"
CORRECTIONS, CORRECTED = "data/corrections.jsonl", "data/corrected-scores.jsonl"


def command(*arguments: object) -> None:
    done = CliRunner().invoke(rapor, list(map(str, arguments)))
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="module")
def retired(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small sources after three corrections, one acceptance each, and the retirement of two tasks."""
    copy = tmp_path_factory.mktemp("retired")
    shutil.copytree(sources, copy, dirs_exist_ok=True)
    results = copy / "results"
    command("accept", RUN, "--results", results)
    path = Layout(results).score_lock(RUN)
    for place in (0, 1, 10):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        lines[place] = lines[place].replace('"score":"', '"score":"1/3')
        path.write_text("".join(lines), "utf-8")
        command("accept", RUN, "--results", results, *REASON)
    command("suite", "reveal", SUITE, "f-kosakata", "f-terjemahan", "--results", results)
    return copy


@pytest.fixture(scope="module")
def site(retired: Path) -> dict[str, bytes]:
    return finished_site(small_places(retired), silent)[0]


def test_a_site_with_reveals_and_corrections_passes_the_leak_gate_and_the_audit(
    site: dict[str, bytes], retired: Path
) -> None:
    assert [str(each) for each in audit(site).findings if each.blocking] == []
    assert site[REVEAL] == Layout(retired / "results").reveals(SUITE).read_bytes()
    assert site[CORRECTIONS] == Layout(retired / "results").corrections.read_bytes()
    for page in ("en/downloads.html", "id/unduhan.html"):
        text = site[page].decode()
        assert "Perlengkapan uji: terjemahkan: Kula kesah." in text
        assert "101112131415161718191a1b1c1d1e1f{&#34;access&#34;:&#34;held_out&#34;" in text


def test_a_site_before_any_reveal_or_correction_has_no_such_files(small: dict[str, bytes]) -> None:
    assert not {REVEAL, CORRECTIONS, CORRECTED} & set(small)
    assert b'id="revealed"' not in small["en/downloads.html"]
    assert b"data-reveal-check" in small["en/downloads.html"]


def forged(site: dict[str, bytes], path: str, change: Callable[[list[bytes]], list[bytes]]) -> dict[str, bytes]:
    """The site with other lines in one file, and every hash of files and data made right again."""
    return with_data(site, path, b"".join(change(site[path].splitlines(keepends=True))))


def slugs(files: dict[str, bytes]) -> set[str]:
    return {each.slug for each in audit(files).findings if each.blocking}


def changed(old: bytes, new: bytes, place: int = 0) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: [line.replace(old, new) if at == place else line for at, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("path", "change", "slug"),
    [
        (REVEAL, changed(b"kesah", b"budhal"), "reveal-differs"),
        (REVEAL, changed(b'"salt":"1', b'"salt":"2'), "reveal-differs"),
        (REVEAL, changed(b'"id":"f-kosakata","salt"', b'"id":"f-exact","salt"'), "reveal-differs"),
        (REVEAL, changed(b'"salt"', b'"garam"'), "malformed-line"),
        (LOCK, changed(b'"commitment":"', b'"commitment":"0', 4), "malformed-line"),
        (LOCK, lambda lines: [line for line in lines if b"f-kosakata" not in line], "reveal-differs"),
    ],
    ids=["text", "salt", "id", "name", "lock", "lock line"],
)
def test_a_tampered_reveal_is_found(
    path: str, change: Callable[[list[bytes]], list[bytes]], slug: str, site: dict[str, bytes], quick: None
) -> None:
    assert slug in slugs(forged(site, path, change))


LINES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "first gone": lambda lines: lines[1:],
    "last gone": lambda lines: lines[:-1],
    "all gone": lambda _: [],
    "another score": changed(b'"100"', b'"50"'),
    "another score of the last": changed(b'"0"', b'"1"', 2),
    "another task": changed(b"f-exact", b"f-checks"),
}
MOVED: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "moved": lambda lines: [lines[1], lines[0], *lines[2:]],
    "twice": lambda lines: [*lines, lines[0]],
    "another reason": changed(b"corrected", b"mended", 1),
}
"""Of the ends the order says nothing, and they have no reasons."""


@pytest.mark.parametrize(
    ("path", "change"),
    [(CORRECTIONS, each) for each in {**LINES, **MOVED}.values()] + [(CORRECTED, each) for each in LINES.values()],
    ids=[f"{name} of corrections" for name in {**LINES, **MOVED}] + [f"{name} of ends" for name in LINES],
)
def test_tampered_corrections_are_found(
    path: str, change: Callable[[list[bytes]], list[bytes]], site: dict[str, bytes], quick: None
) -> None:
    assert "corrections-broken" in slugs(forged(site, path, change))


def test_a_correction_that_the_scores_of_the_board_contradict_is_found(site: dict[str, bytes], quick: None) -> None:
    """Chain and end rewritten alike, with sound hashes: the published scores still say otherwise."""
    from msgspec.structs import replace

    lines = [decode(line, type=Correction) for line in site[CORRECTIONS].splitlines()]
    ends = [decode(line, type=CorrectedScore) for line in site[CORRECTED].splitlines()]
    last = replace(lines[-1], new="75")
    key = (last.service, last.task_id)
    ends = [replace(each, score="75", correction=line_hash(last)) if (each.service, each.task_id) == key else each
            for each in ends]  # fmt: skip
    files = forged(site, CORRECTIONS, lambda _: [encode(line) for line in (*lines[:-1], last)])
    files = forged(files, CORRECTED, lambda _: [encode(line) for line in ends])
    found = [each for each in audit(files).findings if each.slug == "corrections-broken"]
    assert [(each.file, each.line) for each in found] == [(CORRECTIONS, len(lines))]
    assert "scores.jsonl" in found[0].expected


@pytest.mark.parametrize(
    ("moment", "purpose", "told"),
    [("2026-01-01", "formal", ["f-kosakata"]), ("2026-01-01", "pilot", []), ("2026-02-01", "formal", [])],
)
def test_answers_given_after_a_reveal_stop_the_build(
    moment: str, purpose: Literal["formal", "pilot"], told: list[str], retired: Path
) -> None:
    results = read_results(retired / "results")
    run, suite = results.runs[RUN], results.suites[SUITE]
    at = datetime.fromisoformat(f"{moment}T00:00:00+00:00")
    run = replace(run, contract=replace(run.contract, purpose=purpose))
    suite = replace(suite, reveals=(replace(suite.reveals[0], at=at), suite.reveals[1]))
    found = list(reveal_findings(replace(results, runs={RUN: run}, suites={SUITE: suite})))
    assert [each.field for each in found if each.slug == "answered-after-reveal"] == told
    assert all(each.blocking for each in found)


@pytest.mark.parametrize("name", ["corrections.jsonl", f"suites/{SUITE}/reveal.jsonl"])
def test_stored_lines_edited_afterwards_stop_the_build(name: str, retired: Path, tmp_path: Path) -> None:
    copy = tmp_path / "spoilt"
    shutil.copytree(retired, copy)
    path = copy / "results" / name
    path.write_bytes(path.read_bytes().replace(b"dibetulkan", b"diperbaiki").replace(b"kesah", b"budhal"))
    with pytest.raises(Faults, match=r"corrections-broken|reveal-differs"):
        finished_site(small_places(copy), silent)
