"""What a liar changes is found: one digit anywhere, or one figure everywhere it stands, with all hashes made right."""

import os
import random
import re
from collections.abc import Iterator

import pytest

from generator.outside import audit
from tests.outside.conftest import summed, with_data, with_lie

FLIPS = int(os.environ.get("FLIPS", "250"))
"""Single digits that are changed, one after the other; the slow target changes more."""
CHANCE = random.Random(20261101)  # noqa: S311 - chance, not a secret

FIGURE = re.compile(
    rb"<data value=\"[^\"]*\">[^<]*</data>|<time datetime=\"[^\"]*\">[^<]*</time>|<text[^>]*>[^<]*</text>"
    rb"|<td[^>]*>[^<]*</td>|<dd[^>]*>[^<]*</dd>|<code[^>]*>[^<]*</code>"
)
"""What holds a figure in a page: its element with value and text, a chart's text, a cell, a hash."""


def digits(path: str, data: bytes) -> list[int]:
    """Places of digits that belong to figures: of every data file all, of a page those in its figures."""
    if path.startswith("data/"):
        return [match.start() for match in re.finditer(rb"[0-9]", data)] if not path.endswith(".txt") else []
    if not path.endswith(".html"):
        return []
    return [
        match.start() + place.start()
        for match in FIGURE.finditer(data)
        for place in re.finditer(rb"[0-9]", re.sub(rb"(?<=<)[a-z]+[^>]*(?=>)", _masked, match[0]))
    ]


def _masked(tag: re.Match[bytes]) -> bytes:
    """A tag without digits but those of a value or a moment: classes, addresses and positions are no figures."""
    kept = re.search(rb"(?:value|datetime)=\"[^\"]*\"", tag[0])
    hidden = re.sub(rb"[0-9]", b"x", tag[0])
    return hidden if kept is None else hidden[: kept.start()] + kept[0] + hidden[kept.end() :]


def flipped(data: bytes, place: int) -> bytes:
    other = CHANCE.choice([digit for digit in b"0123456789" if digit != data[place]])
    return data[:place] + bytes([other]) + data[place + 1 :]


def test_an_honest_site_passes(small: dict[str, bytes]) -> None:
    report = audit(small)
    assert [str(finding) for finding in report.findings if finding.blocking] == []
    assert report.passed
    assert report.scores == 6
    assert report.recomputed > 250


def test_one_changed_digit_is_found(small: dict[str, bytes], quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Of digits drawn from all figures of all pages and data files, the hashes made right again after each."""
    places = [(path, place) for path, data in sorted(small.items()) for place in digits(path, data)]
    chosen = CHANCE.sample(places, min(FLIPS, len(places)))
    missed = [
        f"{path} at {place}: …{small[path][max(0, place - 40) : place + 20]!r}"
        for path, place in chosen
        if audit(summed({**small, path: flipped(small[path], place)})).passed
    ]
    share = 100 * (1 - len(missed) / len(chosen))
    with capsys.disabled():
        print(f"\n{len(chosen)} of {len(places)} digits changed: {share:.2f} % found")  # noqa: T201 - the exact share is worth a line
    assert share >= 99, "\n".join(missed)


def figures(files: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    """(page, column) of every named figure of the English pages."""
    for path, data in files.items():
        if path.startswith("en/") and path.endswith(".html"):
            for name in sorted(set(re.findall(r'data-table="([^"]+)"', data.decode()))):
                yield path, name


def test_a_figure_changed_in_both_languages_with_its_text_is_found(small: dict[str, bytes], quick: None) -> None:
    """The whole lie: every first figure of every named table, in value and text, on the page and its twin."""
    lies, missed = 0, []
    for path, name in figures(small):
        text = small[path].decode()
        start = text.index(f'data-table="{name}"')
        forged = with_lie(small, path, start=text.find("<tbody", start), end=text.index("</table>", start))
        if forged is None:
            continue
        lies += 1
        if audit(forged).passed:
            missed.append(f"{path} {name}")
    assert lies >= 20
    assert missed == []


@pytest.mark.parametrize("name", ["scores.jsonl", "scores.csv", "calls.csv", "answers-public.jsonl", "declared.json"])
def test_data_changed_with_every_hash_made_right_still_differ(name: str, small: dict[str, bytes], quick: None) -> None:
    """A liar who also rewrites the hash of the data on every page is caught by the arithmetic."""
    path = f"data/mini-v1/{name}"
    changes = {
        "scores.jsonl": (b'"score":"175/2"', b'"score":"185/2"'),
        "scores.csv": (b'"87.5"', b'"88.5"'),
        "calls.csv": (b',"ok","stop",101,', b',"ok","stop",102,'),
        "answers-public.jsonl": (b'"output":"2"', b'"output":"3"'),
        "declared.json": (b'"right":100', b'"right":90'),
    }
    old, new = changes[name]
    assert old in small[path]
    findings = audit(with_data(small, path, small[path].replace(old, new, 1))).findings
    slugs = {finding.slug for finding in findings}
    assert slugs & {"not-recomputed", "printed-differs", "data-differ", "hash-differs"}, slugs


@pytest.mark.parametrize(
    ("spoil", "slug"),
    [
        (lambda files: files.pop("data/mini-v1/scores.csv"), "missing-file"),
        (lambda files: files.update({"data/mini-v1/scores.jsonl": b"{}\n"}), "malformed-line"),
        (lambda files: files.update({"data/mini-v1/calls.csv": b'"a\n'}), "malformed-line"),
        (lambda files: files.update({"data/mini-v1/tasks-public.jsonl": b'{"kind":"x"}\n'}), "malformed-line"),
        (lambda files: [files.pop(path) for path in list(files) if path.startswith("data/")], "no-data"),
    ],
)
def test_data_that_are_missing_or_broken_are_said(spoil, slug: str, small: dict[str, bytes]) -> None:  # type: ignore[no-untyped-def]
    files = dict(small)
    spoil(files)
    report = audit(summed(files))
    assert slug in {finding.slug for finding in report.findings}
    assert not report.passed
