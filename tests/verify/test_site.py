"""Every fault of a finished site is named with its place; a correct site has none."""

import tomllib
from decimal import Decimal
from pathlib import Path

import pytest

from generator.records import Results
from generator.verify import check_site, open_site, verify
from generator.verify.figures import _says_moment, printed_number
from generator.verify.pages import Fact
from tests.verify.conftest import page, summed

CASES = Path(__file__).parent.parent / "cases"
FAULTS = tomllib.loads((CASES / "site_faults.toml").read_text("utf-8"))["fault"]
PRINTED = tomllib.loads((CASES / "printed_numbers.toml").read_text("utf-8"))


def slugs(files: dict[str, bytes]) -> set[tuple[str, str]]:
    return {(finding.slug, finding.file) for finding in check_site(open_site(files))}


def test_a_correct_site_passes(files: dict[str, bytes], results: Results) -> None:
    assert verify(files, results) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["name"].replace(" ", "-"))
def test_a_fault_is_named(fault: dict[str, str], files: dict[str, bytes]) -> None:
    text = files[fault["file"]].decode()
    assert fault["old"] in text
    spoilt = summed({**files, fault["file"]: text.replace(fault["old"], fault["new"], 1).encode()})
    assert (fault["slug"], fault["at"]) in slugs(spoilt)


def test_hashes_name_changed_missing_and_extra_files(files: dict[str, bytes]) -> None:
    del files["style.css"]
    files["data/scores.csv"] += b"terra,2\n"
    files["new.txt"] = b"new"
    found = {(finding.slug, finding.field) for finding in check_site(open_site(files)) if finding.file == "SHA256SUMS"}
    assert found == {("missing-file", "style.css"), ("wrong-hash", "data/scores.csv"), ("unlisted-file", "new.txt")}


@pytest.mark.parametrize(
    ("spoil", "slug"),
    [
        (lambda text: text[:-1], "torn-line"),
        (lambda text: "".join(reversed(text.splitlines(keepends=True))), "unsorted-hashes"),
        (lambda text: text + text, "duplicate-hash"),
        (lambda text: text.replace("  ", " "), "bad-hash-line"),
        (lambda text: text.upper(), "bad-hash-line"),
    ],
)
def test_the_list_of_hashes_has_one_form(spoil, slug: str, files: dict[str, bytes]) -> None:  # type: ignore[no-untyped-def]
    files["SHA256SUMS"] = spoil(files["SHA256SUMS"].decode()).encode()
    assert slug in {finding.slug for finding in check_site(open_site(files))}


def test_a_site_without_hashes_says_so(files: dict[str, bytes]) -> None:
    del files["SHA256SUMS"]
    assert slugs(files) == {("no-hashes", "SHA256SUMS")}


def test_a_site_that_knows_no_address_of_its_own_is_checked_by_its_switches(files: dict[str, bytes]) -> None:
    bare = {
        path: b"\n".join(line for line in data.split(b"\n") if b'rel="alternate"' not in line)
        for path, data in files.items()
    }
    assert slugs(summed(bare)) == set()
    lost = summed({**bare, "en/extra.html": page("en", "en/extra.html", "id/beranda.html", "")})
    assert ("one-sided-twin", "id/beranda.html") in slugs(lost)


def test_absolute_paths_are_read_below_the_base(files: dict[str, bytes]) -> None:
    start = b'<!doctype html><html lang="id"><title>x</title><a href="/rapor/id/beranda.html">id</a></html>'
    assert slugs(summed({**files, "404.html": start})) == set()
    assert slugs(summed({**files, "404.html": start.replace(b"/rapor/", b"/")})) == {("dead-link", "404.html")}


@pytest.mark.parametrize("case", PRINTED["number"], ids=lambda case: f"{case['lang']}-{case['text']}")
def test_a_printed_number_is_read(case: dict[str, str]) -> None:
    wanted = Decimal(case["value"]) if case["value"] else None
    assert printed_number(case["text"], case["lang"]) == wanted


@pytest.mark.parametrize("case", PRINTED["moment"], ids=lambda case: f"{case['lang']}-{case['text']}-{case['value']}")
def test_a_printed_moment_says_its_value(case: dict[str, str]) -> None:
    assert _says_moment(Fact("time", case["value"], case["text"], 1), case["lang"]) is case["right"]
