"""A package as ``datapackage.json``. Part of ``render``.

Source: Data Package 2.0, https://datapackage.org/standard/data-package/.
"""

from collections.abc import Iterator

from generator.render.croissant import LICENCES
from generator.render.language import Language
from generator.render.packages import Item, Package
from generator.render.tables import KEYS


def datapackage(package: Package, language: Language) -> dict[str, object]:
    """The package described: every file with length and hash, every CSV file with its schema."""
    described: dict[str, object] = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": package.run.run_id,
        "title": package.title(language),
        "description": language.word("download", "package"),
        "version": package.declared.suite.version,
        "created": package.run.last_call.isoformat(),
        "contributors": [{"title": package.publisher, "roles": ["publisher"]}],
        "licenses": [_licence(package.declared.suite.licence)],
    }
    if package.doi:
        described["id"] = package.doi_url
    if package.base:
        described["homepage"] = package.base
    return {**described, "resources": [_resource(item, language) for item in package.items]}


def _licence(name: str) -> dict[str, str]:
    return {"name": name, **({"path": LICENCES[name]} if name in LICENCES else {})}


def _resource(item: Item, language: Language) -> dict[str, object]:
    file = item.file
    table = file.name.endswith(".csv")
    return {
        "name": file.name.lower().replace(".", "-"),
        "path": file.name,
        "type": "table" if table else "file",
        "format": file.name.rpartition(".")[2],
        "mediatype": item.media_type,
        "encoding": "utf-8",
        "bytes": file.bytes,
        "hash": f"sha256:{file.sha256}",
        "description": language.word("download", file.view.slug),
        "licenses": [_licence(file.view.licence)],
        **({"schema": _schema(item)} if table else {}),
    }


def _schema(item: Item) -> dict[str, object]:
    key = KEYS.get(item.file.view.slug)
    return {"fields": list(_fields(item)), **({"primaryKey": list(key)} if key else {})}


def _fields(item: Item) -> Iterator[dict[str, str]]:
    for column in item.columns:
        yield {"name": column.name, "type": column.kind}
