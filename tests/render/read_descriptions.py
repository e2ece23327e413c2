"""Reads the descriptions of data with the programs that others read them with; run in a process of its own.

Usage: ``read_descriptions.py FOLDER …``. Prints one JSON object: folder -> what each program found, and the records
that Croissant leads to. The programs are noisy and import much, so the tests do not import them.
"""

import json
import sys
from pathlib import Path

import frictionless
import mlcroissant
from absl import logging
from cffconvert.cli.create_citation import create_citation

logging.set_verbosity(logging.ERROR)


def croissant(folder: Path) -> dict[str, object]:
    """Every issue, and every record of every record set by the name of its fields, if the files lie here."""
    try:
        dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
        metadata = dataset.metadata
        issues = [*metadata.ctx.issues.errors, *metadata.ctx.issues.warnings]
        here = not any(file.content_url.startswith("http") for file in metadata.distribution)
        sets = metadata.record_sets if here else []
        records = {each.id: [_plain(row) for row in dataset.records(each.id)] for each in sets}
    except Exception as error:
        return {"issues": [f"{type(error).__name__}: {error}: {error.__cause__}"], "records": {}}
    return {"issues": [str(issue) for issue in issues], "records": records}


def _plain(row: dict[str, object]) -> dict[str, object]:
    return {name.partition("/")[2]: _text(value) for name, value in row.items()}


def _text(value: object) -> object:
    if isinstance(value, list):
        return [_text(item) for item in value]
    return value.decode() if isinstance(value, bytes) else value if value is None else str(value)


def datapackage(folder: Path) -> list[str]:
    """Every error of the report."""
    report = frictionless.validate(str(folder / "datapackage.json"))
    return [" ".join(map(str, row)) for row in report.flatten(["type", "message"])]


def citation(folder: Path) -> list[str]:
    """What makes the citation invalid."""
    try:
        create_citation(str(folder / "CITATION.cff"), None).validate()
    except Exception as error:
        return [f"{type(error).__name__}: {str(error)[:500]}"]
    return []


if __name__ == "__main__":
    found = {}
    for name in sys.argv[1:]:
        folder = Path(name)
        found[name] = {"citation": citation(folder)}
        if (folder / "croissant.json").exists():
            found[name] |= {"croissant": croissant(folder), "datapackage": datapackage(folder)}
    print(json.dumps(found))  # noqa: T201 - the answer
