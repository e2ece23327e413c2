"""Claimed figures recomputed: small tables by hand, and published ones where the data are at hand."""

import csv
import os
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from generator.audit.claims import Claim, recompute
from generator.cli import rapor
from generator.score.judged import usable
from tests.audit.test_jury import verdict

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = Path(os.environ.get("RAPOR_TEST_DATA", ROOT.parent / "shared" / "data"))
FLORES = DATA / "gpt_mt_flores_idjv"
JUDGMENTS = DATA / "judge_failures_instructlab" / "gpt-4_single.jsonl"

ANSWERS = ["Saya mau membeli beras", "Besok pagi hujan", ""]
REFERENCES = ["Saya mau membeli beras dua kilo di pasar besok pagi", "Besok pagi akan hujan deras", "Airnya keruh"]


def claim(claimed: str, metric: str = "chrf") -> Claim:
    return Claim(id="c", table="t.tsv", hypothesis="a", reference="r", metric=metric, claimed=claimed)  # type: ignore[arg-type]


def value(answers: list[str], references: list[str], metric: str = "chrf") -> str:
    """What sacrebleu itself gives, asked directly."""
    from sacrebleu.metrics import BLEU, CHRF, TER

    made = {"chrf": CHRF(word_order=2), "bleu": BLEU(), "ter": TER()}[metric]
    return f"{made.corpus_score(answers, [references]).score:.2f}"


def with_nan(texts: list[str]) -> list[str]:
    return [text or "nan" for text in texts]


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_every_accident_is_told_from_every_other(metric: str) -> None:
    """On data where the direction matters; the figures come from sacrebleu, not from us."""
    full = ANSWERS[:2], REFERENCES[:2]
    assert recompute(claim(value(*full, metric), metric), *full).verdict == "confirmed"
    assert recompute(claim(value(*full[::-1], metric), metric), *full).verdict == "swapped"
    right = value(ANSWERS, REFERENCES, metric)
    assert recompute(claim(right, metric), ANSWERS, REFERENCES).verdict == "confirmed"
    word = value(with_nan(ANSWERS), REFERENCES, metric)
    both = value(REFERENCES, with_nan(ANSWERS), metric)
    if word != right:
        assert recompute(claim(word, metric), ANSWERS, REFERENCES).verdict == "empty_as_word"
    assert recompute(claim(both, metric), ANSWERS, REFERENCES).verdict == "swapped_and_empty_as_word"
    assert recompute(claim("99.99", metric), ANSWERS, REFERENCES).verdict == "differs"


def test_a_claim_is_compared_to_its_own_last_decimal() -> None:
    full = ANSWERS[:2], REFERENCES[:2]
    found = recompute(claim(value(*full)), *full).value
    assert recompute(claim(f"{float(found):.1f}"), *full).verdict in ("confirmed", "differs")
    assert str(recompute(claim("41"), *full).value) == str(round(found))


CLAIMS = """\
schema = 1
title = {{ id = "Angka terbit", en = "Published figures" }}
{}
"""
ONE = """
[[claim]]
id = "{id}"
table = "{table}"
hypothesis = "{hypothesis}"
reference = "{reference}"
metric = "chrf"
claimed = "{claimed}"
source = "published table"
"""


def run(path: Path, *more: object) -> Result:
    arguments = ["recompute", "--claimed", path, "--content", ROOT / "content", "--templates", ROOT / "site_templates"]
    return CliRunner().invoke(rapor, [str(each) for each in (*arguments, *more)])


def claims(path: Path, *each: dict[str, object]) -> Path:
    path.write_text(CLAIMS.format("".join(ONE.format(**one) for one in each)), "utf-8")
    return path


def table(path: Path, rows: list[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows(rows)


def test_from_a_table_to_a_page_in_both_languages(tmp_path: Path) -> None:
    table(tmp_path / "t.tsv", [("answer", "label"), *zip(ANSWERS, REFERENCES, strict=True)])
    columns = {"table": "t.tsv", "hypothesis": "answer", "reference": "label"}
    path = claims(
        tmp_path / "claims.toml",
        {"id": "right", "claimed": value(ANSWERS, REFERENCES), **columns},
        {"id": "wrong", "claimed": value(REFERENCES, with_nan(ANSWERS)), **columns},
    )
    result = run(path, "--page", tmp_path / "new" / "out")
    assert result.exit_code == 1
    right, wrong = result.output.splitlines()
    assert right.endswith(", 1 of 3 answers empty: confirmed")
    assert "swapped" in wrong
    for code, words in (("id", "jawaban dan rujukan tertukar"), ("en", "answers and references were swapped")):
        page = (tmp_path / "new" / f"out.{code}.html").read_text("utf-8")
        assert f'<html lang="{code}">' in page
        assert words in page
    decimals = value(ANSWERS, REFERENCES)
    assert decimals.replace(".", ",") in (tmp_path / "new" / "out.id.html").read_text("utf-8")
    assert decimals in (tmp_path / "new" / "out.en.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("rows", "hypothesis", "found"),
    [
        ([("answer", "label"), ("a", "b")], "prediction", "no column prediction"),
        ([("answer", "label"), ("a",)], "answer", "a row shorter than the head"),
        ([("answer", "label")], "answer", "no rows"),
        (None, "answer", "No such file"),
    ],
)
def test_a_table_that_cannot_be_read_is_a_finding(
    tmp_path: Path, rows: list[tuple[str, ...]] | None, hypothesis: str, found: str
) -> None:
    if rows is not None:
        table(tmp_path / "t.tsv", rows)
    one = {"id": "x", "table": "t.tsv", "hypothesis": hypothesis, "reference": "label", "claimed": "1.0"}
    result = run(claims(tmp_path / "claims.toml", one))
    assert result.exit_code == 1
    assert found in result.output


@pytest.mark.parametrize(
    ("place", "found"), [("/dev/zero", "no plain file"), (".", "no plain file"), ("a\\u0000b", "null byte")]
)
def test_what_is_no_table_is_not_read(tmp_path: Path, place: str, found: str) -> None:
    one = {"id": "x", "table": place, "hypothesis": "a", "reference": "b", "claimed": "1.0"}
    result = run(claims(tmp_path / "claims.toml", one))
    assert result.exit_code == 1
    assert found in result.output


def test_a_malformed_claim_is_named_by_field(tmp_path: Path) -> None:
    one = {"id": "x", "table": "t.tsv", "hypothesis": "a", "reference": "b", "claimed": "about 41"}
    result = run(claims(tmp_path / "claims.toml", one))
    assert result.exit_code == 1
    assert "claim[0].claimed" in result.output


needs_flores = pytest.mark.skipif(not FLORES.is_dir(), reason="the published translations are not at hand")


@needs_flores
@pytest.mark.parametrize(
    ("language", "claimed", "right", "empty", "verdict"),
    [
        ("jav", "41.17", "41.99", 0, "swapped"),
        ("ind", "68.51", "68.87", 0, "swapped"),
        ("min", "36.99", "37.34", 0, "swapped"),
        ("sun", None, "36.77", 76, "swapped_and_empty_as_word"),
        ("ban", None, "31.36", 70, "swapped_and_empty_as_word"),
        ("bjn", None, "33.54", 100, "swapped_and_empty_as_word"),
    ],
)
def test_published_chrf_of_six_languages(
    language: str, claimed: str | None, right: str, empty: int, verdict: str, tmp_path: Path
) -> None:
    """FLORES, English to six languages of Indonesia: every published figure comes out only by accident."""
    published = {}
    with (FLORES / "published" / "tt-zero_scores.169b137.tsv").open(encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t"):
            published[row[0]] = row[3]
    printed = published[f"{language}_Latn"]
    assert claimed in (None, printed)
    outputs = FLORES / "outputs" / f"gpt-3.5-turbo_tt-zero_{language}_Latn.tsv"
    one = {"id": language, "table": outputs, "hypothesis": "predictions", "reference": "label", "claimed": printed}
    result = run(claims(tmp_path / "claims.toml", one))
    assert result.exit_code == 1
    assert f"claimed {printed}, found {right}" in result.output
    assert (f"{empty} of 1012 answers empty" in result.output) is bool(empty)
    assert ("measured as the word nan" in result.output) is (verdict != "swapped")
    assert "swapped" in result.output


@pytest.mark.skipif(not JUDGMENTS.is_file(), reason="the published judgments are not at hand")
def test_a_judge_that_gave_no_verdict_is_missing_and_not_minus_one() -> None:
    """MT-Bench judgments: −1 in 43 of 80 first turns and 77 of 80 second ones, ten of them “$ERROR$”.

    One score of 0 a turn lies outside the scale of 1 to 10, so it is no verdict either.
    """
    rows = [msgspec.json.decode(line) for line in JUDGMENTS.read_bytes().splitlines()]
    lines = [verdict(f"q{k}", "gpt-4", row["score"], vendor=None, max=10, status="ok") for k, row in enumerate(rows)]
    missing = [row for row, line in zip(rows, lines, strict=True) if usable(line) is None]
    assert [sum(row["turn"] == turn and row["score"] == -1 for row in missing) for turn in (1, 2)] == [43, 77]
    assert sum(row["judgment"] == "$ERROR$" for row in missing) == 10
    assert sorted(row["score"] for row in missing if row["score"] != -1) == [0, 0]
    given = [score for line in lines if (score := usable(line)) is not None]
    assert (len(given), min(given), max(given)) == (38, 1, 10)
