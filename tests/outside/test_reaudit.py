"""Published findings of the audits that the published data contradict are found, whatever else was made right."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from generator.outside import audit
from generator.outside.audited import FILE
from tests.outside.conftest import with_data

Found = dict[str, Any]
Lie = Callable[[Found], object]


def cut(found: Found) -> Found:
    """The first run of which answers were cut."""
    return next(run for run in found["truncation"] if run["cuts"])


def changed(record: Found, **fields: Any) -> None:
    record.update(fields)


LIES: dict[str, Lie] = {
    "a cut answer is gone": lambda found: cut(found)["cuts"].pop(0),
    "an answer was not cut": lambda found: cut(found)["cuts"].append(cut(found)["cuts"][0] | {"call_id": "c-none"}),
    "other tokens": lambda found: changed(cut(found)["cuts"][0], output_tokens=1),
    "another cap": lambda found: changed(cut(found)["cuts"][0], max_output_tokens=9),
    "another sign": lambda found: changed(cut(found)["cuts"][0], sign="near_cap"),
    "fewer answers looked at": lambda found: changed(cut(found)["services"][0], calls=3),
    "fewer cut": lambda found: changed(cut(found)["services"][-1], cut=70),
    "no such run": lambda found: found["truncation"].pop(0),
    "more words known": lambda found: changed(found["vocabulary"][0]["services"][0], known=7),
    "more words asked": lambda found: changed(found["vocabulary"][0], words=31),
    "a higher share": lambda found: next(
        changed(figure, point="1/2")
        for figure in found["vocabulary"][0]["regions"][0]["known"].values()
        if figure["type"] == "measured"
    ),
    "other reasons": lambda found: found["vocabulary"][0]["services"][0]["reasons"].clear(),
    "fewer words that nobody knew": lambda found: changed(found["vocabulary"][0], nobody_held_out=0),
    "a word that nobody knew is gone": lambda found: found["vocabulary"][0]["nobody"].clear(),
    "more copies": lambda found: changed(found["translation"][0]["services"][0], copies=20),
    "more missing translations": lambda found: changed(found["translation"][0]["services"][0], technical=9),
    "more pairs on the sheet": lambda found: changed(found["duels"][0], pairs=99),
    "another text on the sheet": lambda found: changed(found["duels"][0], sheet_sha256="0" * 64),
}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_in_the_findings_is_found(name: str, site: dict[str, bytes], quick: None) -> None:
    found = json.loads(site[FILE])
    LIES[name](found)
    data = json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    told = [each for each in audit(with_data(site, FILE, data)).findings if each.file == FILE]
    assert {each.slug for each in told} == {"not-recomputed"}
    assert all(each.blocking for each in told)


def test_findings_that_are_no_findings_are_told(site: dict[str, bytes], quick: None) -> None:
    for data in (b"{}\n", b"[]", b"\xff", site[FILE].replace(b'"point":"', b'"point":"x', 1)):
        slugs = {each.slug for each in audit(with_data(site, FILE, data)).findings if each.file == FILE}
        assert slugs == {"malformed-line"}
