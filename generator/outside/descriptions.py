"""What describes the data, held against them: lengths and hashes in Croissant and Data Package. The wing ``outside``.

Programs of others read the data by these descriptions, so a wrong hash there is a wrong statement of the site.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from posixpath import dirname, join, normpath
from typing import Any

import msgspec

from generator.findings import Finding, shown


def check_descriptions(files: Mapping[str, bytes]) -> Iterator[Finding]:
    """Every file that a description of data names: it is there, as long and with the hash that is said."""
    for path, data in files.items():
        if path.startswith("data/") and path.rpartition("/")[2] in READ:
            read, name = READ[path.rpartition("/")[2]]
            try:
                described = [read(each) for each in msgspec.json.decode(data)[name]]
            except (msgspec.DecodeError, LookupError, TypeError, AttributeError) as error:
                yield Finding(path, 0, name, "malformed-description", shown(repr(error)), "a list of files")
                continue
            for file, length, digest in described:
                yield from _check(files, path, file, length, digest)


def _check(files: Mapping[str, bytes], path: str, file: str, length: str, digest: str) -> Iterator[Finding]:
    there = files.get(normpath(join(dirname(path), file)))
    if there is None:
        yield Finding(path, 0, file, "missing-file", "a description of it", "the file, or no description")
        return
    for what, said, expected in (
        ("length", length, str(len(there))),
        ("hash", digest, sha256(there).hexdigest()),
    ):
        if said != expected:
            yield Finding(path, 0, file, f"other-{what}", shown(said), expected)


def _croissant(file: dict[str, Any]) -> tuple[str, str, str]:
    """The file beside the description: its address may be absolute, its id is its name."""
    return file["@id"], file["contentSize"].removesuffix(" B"), file["sha256"]


def _datapackage(file: dict[str, Any]) -> tuple[str, str, str]:
    return file["path"], str(file["bytes"]), file["hash"].removeprefix("sha256:")


READ = {"croissant.json": (_croissant, "distribution"), "datapackage.json": (_datapackage, "resources")}
"""Name of a description -> how one of its files is read, and under which name they stand."""
