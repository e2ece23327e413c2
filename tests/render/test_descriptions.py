"""The published data are described so that others' programs read them, and what is described is what is there."""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import msgspec
import pytest

from generator.findings import Faults
from generator.publish.views import SiteView
from generator.records import Text
from generator.render import render
from generator.render.content import Content, load_content
from generator.render.downloads import offered
from tests.conftest import ROOT
from tests.render import sample

replace = msgspec.structs.replace
DOI = "10.5072/rapor.test"
"""10.5072 is kept for tests: it belongs to nobody."""


@cache
def read(*folders: Path) -> dict[str, dict]:
    """What the three programs say of each folder."""
    told = [sys.executable, str(ROOT / "tests" / "render" / "read_descriptions.py"), *map(str, folders)]
    done = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def described(public: Path) -> list[Path]:
    return sorted(path.parent for path in public.rglob("croissant.json"))


def written(files: dict[str, bytes], folder: Path) -> Path:
    """The data of a site on disk."""
    for path, data in files.items():
        if path.startswith("data/"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    return folder


def rows(file: Path) -> list[dict]:
    if file.suffix == ".csv":
        return list(csv.DictReader(io.StringIO(file.read_text("utf-8"), newline="")))
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_every_run_is_described_and_three_programs_find_no_fault(public: Path) -> None:
    folders = described(public)
    assert len(folders) == 4  # two boards, a study, a re-run
    for name, found in read(*folders).items():
        assert found["citation"] == found["datapackage"] == found["croissant"]["issues"] == [], name


def test_croissant_leads_to_every_row_and_every_text(public: Path) -> None:
    for folder in described(public):
        records = read(*described(public))[str(folder)]["croissant"]["records"]
        tables = {file for file in folder.iterdir() if file.suffix in {".csv", ".jsonl"} and file.stat().st_size}
        assert set(records) == {file.name.replace(".", "_") for file in tables}
        for file in tables:
            loaded, stored = records[file.name.replace(".", "_")], rows(file)
            assert len(loaded) == len(stored)
            texts = ("run_id", "call_id", "task_id", "service", "prompt", "output", "commitment", "score", "references")
            for one, other in zip(loaded, stored, strict=True):
                for name in texts if file.suffix == ".jsonl" else texts[:4]:
                    value = other.get(name)
                    assert one.get(name) == (str(value) if isinstance(value, int) else value), (file, name)
                if file.suffix == ".csv" and other.get("score"):
                    assert float(one["score"]) == float(other["score"])


def test_descriptions_name_every_file_with_its_hash(site: dict[str, bytes]) -> None:
    sums = dict(reversed(line.split("  ")) for line in site["SHA256SUMS"].decode().splitlines())
    for path in [path for path in site if path.endswith("/croissant.json")]:
        folder = path.removesuffix("croissant.json")
        there = {name for name in sums if name.startswith(folder) and "/" not in name.removeprefix(folder)}
        beside = {folder + name for name in ("croissant.json", "datapackage.json", "CITATION.cff")}
        assert beside <= there
        distribution = json.loads(site[path])["distribution"]
        resources = json.loads(site[f"{folder}datapackage.json"])["resources"]
        assert {folder + file["contentUrl"]: file["sha256"] for file in distribution} == {
            name: sums[name] for name in there - beside
        }
        assert {folder + file["path"]: file["hash"] for file in resources} == {
            name: f"sha256:{sums[name]}" for name in there - beside
        }


def test_a_changed_byte_is_seen_by_both_programs(sample_site: dict[str, bytes], tmp_path: Path) -> None:
    folder = written(sample_site, tmp_path) / "data" / "contoh-v1"
    other = Path(shutil.copytree(folder, tmp_path / "other"))
    calls = other / "calls.csv"
    calls.write_bytes(calls.read_bytes().replace(b"2026", b"2027", 1))
    (other / "CITATION.cff").write_text("cff-version: 1.2.0\n", "utf-8")
    found = read(folder, other)
    assert found[str(folder)] | {"croissant": None} == {"citation": [], "datapackage": [], "croissant": None}
    assert found[str(folder)]["croissant"]["issues"] == []
    assert "hash" in str(found[str(other)]["datapackage"])
    assert "Hash of downloaded file" in str(found[str(other)]["croissant"]["issues"])
    assert "ValidationError" in str(found[str(other)]["citation"])


def placed(content: Content, **given: object) -> Content:
    return replace(content, site=replace(content.site, **given))


def test_an_address_and_a_doi_are_shown_wherever_they_belong(content: Content, templates: Path, tmp_path: Path) -> None:
    given = {"base_url": "https://publisher.example/rapor", "source_url": "https://publisher.example/source"}
    doi = {sample.site().main.run.run_id: DOI}
    site = render(sample.site(), placed(content, **given, doi=doi), templates)
    folder = written(site, tmp_path) / "data" / "contoh-v1"
    croissant, package = (json.loads((folder / f"{name}.json").read_bytes()) for name in ("croissant", "datapackage"))
    assert croissant["distribution"][0]["contentUrl"] == "https://publisher.example/rapor/data/contoh-v1/declared.json"
    assert croissant["identifier"] == package["id"] == f"https://doi.org/{DOI}"
    assert f"doi = {{{DOI}}}" in croissant["citeAs"]
    page, anchor = croissant["url"].removeprefix("https://publisher.example/rapor/").split("#")
    assert f'id="{anchor}"' in site[page].decode()
    cff = (folder / "CITATION.cff").read_text("utf-8")
    assert f'doi: "{DOI}"' in cff
    assert 'repository-code: "https://publisher.example/source"' in cff
    for path in ("en/downloads.html", "id/unduhan.html", "en/contoh-v1/leaderboard.html"):
        assert f'<a href="https://doi.org/{DOI}">{DOI}</a>' in site[path].decode(), path
    (found,) = read(folder).values()
    assert found["citation"] == found["datapackage"] == found["croissant"]["issues"] == []


def test_where_there_is_no_doi_none_is_spoken_of(sample_site: dict[str, bytes]) -> None:
    assert [path for path, data in sample_site.items() if b"doi.org" in data] == []


def test_a_doi_of_no_run_here_is_a_finding(content: Content, templates: Path) -> None:
    with pytest.raises(Faults, match=r"content/site\.toml: doi\.2020-run: unknown-run: found 2020-run"):
        render(sample.site(), placed(content, doi={"2020-run": DOI}), templates)


@pytest.mark.parametrize("doi", ["https://doi.org/10.5072/x", "10.5/x", "10.5072/", "10.5072/a b", "10.5072/<x>\\n"])
def test_what_is_no_doi_is_a_finding(doi: str, content_copy: Path) -> None:
    path = content_copy / "site.toml"
    path.write_text(path.read_text("utf-8").replace("[[page]]", f'[doi]\nx = "{doi}"\n\n[[page]]', 1), "utf-8")
    with pytest.raises(Faults, match="bad-site-file"):
        load_content(content_copy)


def hostile() -> SiteView:
    title = Text(id="Uji", en='</script><b>: "x" \\ {& #1}\n  - name: é 🙂 %')
    site = sample.site()
    declared = replace(site.main.declared, suite=replace(site.main.declared.suite, title=title))
    main = replace(site.main, declared=declared)
    return replace(site, main=main, boards=(main,))


def test_no_title_breaks_out_of_a_description(content: Content, templates: Path, tmp_path: Path) -> None:
    site = render(hostile(), content, templates)
    folder = written(site, tmp_path) / "data" / "contoh-v1"
    (found,) = read(folder).values()
    assert found["citation"] == found["datapackage"] == found["croissant"]["issues"] == []
    script = re.search(rb'<script type="application/ld\+json">(.*?)</script>', site["en/downloads.html"], re.DOTALL)
    assert script
    assert json.loads(script[1])["name"]["en"].startswith("</script><b>")


def test_each_field_has_the_licence_of_what_stands_in_it(site: dict[str, bytes]) -> None:
    described = json.loads(site["data/nsid-v1/croissant.json"])
    licence = {field["@id"]: field["license"] for records in described["recordSet"] for field in records["field"]}
    ours, nobodys = "https://creativecommons.org/licenses/by/4.0/", "LicenseRef-model-output"
    assert licence["answers-public_jsonl/prompt"] == licence["scores_csv/score"] == ours
    assert {name for name, each in licence.items() if each == nobodys} == {
        "answers-public_jsonl/output", "answers-public_jsonl/read", "verdicts-public_jsonl/reason",
    }  # fmt: skip
    assert described["license"][0] == ours
    assert described["license"][1]["name"] == nobodys
    assert "no licence is claimed" in described["license"][1]["description"]


def test_the_program_has_a_citation_of_its_own() -> None:
    assert read(ROOT)[str(ROOT)]["citation"] == []
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_a_rerun_without_a_board_keeps_the_licence_of_its_suite() -> None:
    (rerun,) = sample.site().reruns
    alone = replace(sample.site(), reruns=(replace(rerun, run=replace(rerun.run, suite="other-v1")),))
    assert "" not in {view.licence for view in offered(alone)}
