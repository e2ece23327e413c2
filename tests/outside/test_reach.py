"""How far ``rapor verify`` reaches on the default site: nine figures of ten, on every kind of page."""

import random
import re
from collections.abc import Iterator
from itertools import islice

import pytest

from generator.outside import audit
from tests.outside.conftest import with_data, with_lie

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
    chosen = random.Random(kind).sample(places, len(places))  # noqa: S311 - chance, not a secret; the same in any order
    lies = ((name, path, with_lie(site, path, begin, end)) for path, name, begin, end in chosen)
    tried = list(islice(((name, path, forged) for name, path, forged in lies if forged), ON_A_KIND))
    assert tried
    assert [(name, path) for name, path, forged in tried if audit(forged).passed] == []


DATA = {
    "a study's answer": ("study-q2/answers-public.jsonl", rb'"output":"', b'"output":"x'),
    "a study's mark": ("study-q2/answers-public.jsonl", rb'"outcome":"failed"', b'"outcome":"passed"'),
    "a study's task": ("study-q2/tasks-public.jsonl", rb'"prompt":"', b'"prompt":"x'),
    "a study's call": ("study-q2/calls.csv", rb'"ok"', b'"error"'),
    "a study's block": ("study-q2/calls.csv", rb'-study-q2","[^"]+"', b'-study-q2","9"'),
    "a study's rule": ("study-q2/declared.json", rb'"alpha":[0-9.]+', b'"alpha":0.5'),
    "a re-run's score": ("nsid-v1-rerun/scores.jsonl", rb'"score":"0"', b'"score":"100"'),
    "a re-run's tolerance": ("nsid-v1-rerun/declared.json", rb'"tolerance":"[0-9.]+"', b'"tolerance":"9.00"'),
}
"""What is changed -> end of the file's path, what stands there, what shall stand there instead."""


@pytest.mark.parametrize("name", DATA)
def test_changed_data_of_a_study_or_a_re_run_are_found(name: str, site: dict[str, bytes], quick: None) -> None:
    end, old, new = DATA[name]
    (path,) = [path for path in site if path.startswith("data/runs/") and path.endswith(end)]
    data, changes = re.subn(old, new, site[path], count=1)
    assert changes == 1
    slugs = {each.slug for each in audit(with_data(site, path, data)).findings if each.blocking}
    assert slugs & {"not-recomputed", "printed-differs", "hash-differs", "commitment-differs", "malformed-line"}, slugs
