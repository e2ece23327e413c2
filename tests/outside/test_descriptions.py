"""A description of data that does not fit the data is found, whatever stands in it."""

import json

import pytest

from generator.outside.descriptions import check_descriptions

FOLDER = "data/mini-v1/"


def slugs(files: dict[str, bytes]) -> set[str]:
    return {finding.slug for finding in check_descriptions(files)}


def test_an_honest_site_is_described_as_it_is(small: dict[str, bytes]) -> None:
    assert f"{FOLDER}croissant.json" in small
    assert slugs(small) == set()


@pytest.mark.parametrize("name", ["croissant.json", "datapackage.json"])
def test_each_description_is_read(name: str, small: dict[str, bytes]) -> None:
    path = f"{FOLDER}calls.csv"
    one = {FOLDER + name: small[FOLDER + name], **{p: d for p, d in small.items() if not p.endswith(".json")}}
    one |= {f"{FOLDER}declared.json": small[f"{FOLDER}declared.json"]}
    assert slugs(one) == set()
    assert slugs(one | {path: small[path] + b"\n"}) == {"other-length", "other-hash"}
    assert slugs(one | {path: small[path].replace(b"0", b"1", 1)}) == {"other-hash"}
    assert slugs({p: d for p, d in one.items() if p != path}) == {"missing-file"}


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"distribution":[{}],"resources":[1]}', b"null", b"\xff"])
def test_whatever_a_description_holds_it_is_a_finding(data: bytes) -> None:
    for name in ("croissant.json", "datapackage.json"):
        assert slugs({FOLDER + name: data}) == {"malformed-description"}


def test_a_description_leads_to_no_file_outside(small: dict[str, bytes]) -> None:
    described = json.loads(small[f"{FOLDER}datapackage.json"])
    described["resources"][0]["path"] = "../../../etc/passwd"
    assert slugs({**small, f"{FOLDER}datapackage.json": json.dumps(described).encode()}) == {"missing-file"}
