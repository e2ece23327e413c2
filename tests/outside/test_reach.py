"""How far ``rapor verify`` reaches on the default site: nine figures of ten, on every kind of page."""

import random
import re
from collections.abc import Iterator
from itertools import islice

import pytest

from generator.outside import audit
from tests.outside.conftest import with_lie

CHANCE = random.Random(20261130)  # noqa: S311 - chance, not a secret
ON_A_KIND = 2
"""Named figures of each kind of page that are changed."""

KINDS = {
    "study": r"en/study/[^/]+",
    "re-run": "en/rerun",
    "model": r"en/nsid-v1/model/[^/]+",
    "task": r"en/[^/]+/task/[^/]+",
    "leaderboard": r"en/nsid-v1/leaderboard",
    "jury": "en/nsid-v1/jury",
    "truncation": "en/truncation",
    "grader": "en/grader",
    "answer key": "en/answer-key",
    "vocabulary": "en/vocabulary",
    "translation": "en/translation",
    "audits": "en/audits",
    "downloads": "en/downloads",
}
"""Kind of page -> its address."""


def named(text: str) -> Iterator[tuple[str, int, int]]:
    """(name, begin, end) of every named table's body and of every other named element but heads of columns."""
    for table in re.finditer(r'<table data-table="([^"]+)".*?</table>', text, re.S):
        yield table[1], table.start() + table[0].find("<tbody"), table.end()
    for element in re.finditer(r'<(dd|p|li|span|td) [^>]*data-col="([^"]+)".*?</\1>', text, re.S):
        yield element[2], element.start(), element.end()


def test_the_honest_site_passes_and_nine_figures_of_ten_are_held(site: dict[str, bytes]) -> None:
    report = audit(site)
    assert [str(finding) for finding in report.findings if finding.blocking] == []
    assert report.recomputed > 0.7 * report.figures
    assert report.recomputed + report.stated > 0.88 * report.figures


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_changed_in_both_languages_is_found(kind: str, site: dict[str, bytes], quick: None) -> None:
    pages = [path for path in sorted(site) if re.fullmatch(KINDS[kind] + r"\.html", path)]
    places = [(path, *place) for path in pages for place in named(site[path].decode())]
    chosen = CHANCE.sample(places, len(places))
    lies = ((name, path, with_lie(site, path, begin, end)) for path, name, begin, end in chosen)
    tried = list(islice(((name, path, forged) for name, path, forged in lies if forged), ON_A_KIND))
    assert tried
    assert [(name, path) for name, path, forged in tried if audit(forged).passed] == []
