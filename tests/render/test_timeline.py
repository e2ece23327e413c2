"""The chart over time: points where the rates are, lines only where runs may be joined, a reason where they may not."""

import re
from xml.etree import ElementTree as ET

import msgspec
import pytest

from generator.records import Withheld
from generator.render.catalogue import Catalogue
from generator.render.language import Language
from generator.render.svg import Labels
from generator.render.timeline import series
from tests.render import sample
from tests.render.test_charts import root, texts

replace = msgspec.structs.replace
REASONS = ("suite", "task", "grader", "settings", "breach")
WORDS = {f"break_{reason}": f"{reason} berubah" for reason in REASONS}
LABELS = Labels(key="t", title="Judul", description="Uraian", axis="Persen", words=WORDS)
SERIES = sample.series()


def drawn(view: object = SERIES, code: str = "id") -> str:
    return series(view, Language(code, Catalogue(messages={}, words={"id": {}, "en": {}}, sentences={})), LABELS)  # type: ignore[arg-type]


def lines(svg: str) -> list[int]:
    """Points of every line drawn through more than one run."""
    paths = [each.get("d") or "" for each in root(svg).iter("path") if each.get("fill") in (None, "none")]
    return sorted(path.count("L") + 1 for path in paths if path.startswith("M") and "L" in path and "A" not in path
                  and "Z" not in path)  # fmt: skip


def dashed(svg: str) -> list[ET.Element]:
    return [each for each in root(svg).iter() if each.get("stroke-dasharray")]


def test_a_line_joins_what_may_be_joined_and_ends_at_the_break() -> None:
    """Two services over three runs, the third cut off: two lines of two points."""
    svg = drawn()
    assert lines(svg) == [2, 2]
    assert len(dashed(svg)) == 1
    assert "suite berubah" in texts(svg)


def test_without_a_break_every_line_has_all_runs() -> None:
    joined = replace(SERIES, points=tuple(replace(each, breaks=each.breaks if k == 0 else ())
                                          for k, each in enumerate(SERIES.points)))  # fmt: skip
    svg = drawn(joined)
    assert lines(svg) == [3, 3]
    assert not dashed(svg)


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_written_where_the_line_ends(reason: str) -> None:
    first, second, third = SERIES.points
    svg = drawn(replace(SERIES, points=(first, second, replace(third, breaks=(reason, "breach")))))
    assert f"{reason} berubah, breach berubah" in texts(svg)


def test_a_withheld_rate_leaves_a_gap_and_no_mark_at_nought() -> None:
    gone = dict.fromkeys(SERIES.services, Withheld(slug="no_data", facts={"n": 0}))
    first, second, third = SERIES.points
    with_gap = drawn(replace(SERIES, points=(first, replace(second, rates=gone), third)))
    assert lines(with_gap) == []
    assert len(re.findall("<path", with_gap)) < len(re.findall("<path", drawn()))


def test_names_days_and_axis_are_the_pages() -> None:
    shown = texts(drawn())
    assert {"Layanan A", "Layanan B", "Persen", "2026-11-30"} <= set(shown)


def test_the_same_views_give_the_same_bytes() -> None:
    assert drawn() == drawn()
    assert drawn(code="en") == drawn()
