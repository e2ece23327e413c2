"""A score that an audit withheld stands nowhere, and an outsider notices where one does."""

import json
from pathlib import Path

import pytest

from generator.findings import Finding
from generator.outside.published import read_boards
from generator.outside.recompute import Recomputed, recompute

FOLDER = "data/jawa-v1"
HIDDEN = b'"score":null,"failed":false,"reason":"withheld","withheld":"truncated"'


@pytest.fixture
def files(public: Path) -> dict[str, bytes]:
    """What the default site publishes of the suite that withholds a service for one cut answer."""
    return {f"{FOLDER}/{path.name}": path.read_bytes() for path in sorted((public / FOLDER).iterdir())}


def made_of(files: dict[str, bytes]) -> tuple[Recomputed, list[Finding]]:
    faults: list[Finding] = []
    (board,) = read_boards(files, faults)
    made = recompute(board, faults)
    assert made
    return made, faults


def test_what_is_cut_off_has_no_score_in_any_file(files: dict[str, bytes]) -> None:
    made, faults = made_of(files)
    assert faults == []
    assert made.withheld
    assert set(made.withheld) == {cut.service for cut in made.scored.cuts}
    for name in ("scores.jsonl", "answers-public.jsonl"):
        rows = [json.loads(line) for line in files[f"{FOLDER}/{name}"].splitlines()]
        hidden = [row for row in rows if row["service"] in made.withheld]
        assert hidden
        assert all(row["score"] is None and row["withheld"] == "truncated" for row in hidden)
        assert all(row["score"] is not None for row in rows if row["service"] not in made.withheld)
    assert not any(call.qualified for call in made.board.calls if call.service in made.withheld)


@pytest.mark.parametrize(
    ("forged", "slug"),
    [
        (b'"score":"0","failed":false,"reason":"no_match","withheld":null', "not-withheld"),
        (b'"score":null,"failed":false,"reason":"withheld","withheld":null', "data-differ"),
        (b'"score":"300","failed":false,"reason":"no_match","withheld":null', "data-differ"),
        (b'"score":null,"failed":false,"reason":"no_match","withheld":"truncated"', "not-recomputed"),
    ],
)
def test_a_score_that_shows_all_the_same_is_found(files: dict[str, bytes], forged: bytes, slug: str) -> None:
    path = f"{FOLDER}/scores.jsonl"
    assert HIDDEN in files[path]
    faults: list[Finding] = []
    (board,) = read_boards({**files, path: files[path].replace(HIDDEN, forged, 1)}, faults)
    recompute(board, faults)
    assert slug in {fault.slug for fault in faults}


def test_a_rank_that_is_not_earned_is_found(files: dict[str, bytes]) -> None:
    path = f"{FOLDER}/scores.jsonl"
    _, faults = made_of({**files, path: files[path].replace(b'"ranked":false', b'"ranked":true', 1)})
    assert {fault.slug for fault in faults} == {"data-differ"}
