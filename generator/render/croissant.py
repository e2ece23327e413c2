"""A package as Croissant JSON-LD, which is also a schema.org ``Dataset``. Part of ``render``.

Source: Croissant Format Specification 1.1, http://mlcommons.org/croissant/1.1.
"""

from collections.abc import Iterator, Sequence

from generator.render.citation import bibtex
from generator.render.downloads import MODEL_OUTPUT
from generator.render.language import Language
from generator.render.packages import Item, Package
from generator.render.tables import KEYS, WRITTEN_BY_MODELS, Column

LICENCES = {"CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/"}
TYPES = {
    "string": "sc:Text",
    "integer": "sc:Integer",
    "number": "sc:Float",
    "boolean": "sc:Boolean",
    "datetime": "sc:DateTime",
}
CONTEXT: dict[str, object] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    **{
        name: f"cr:{name}"
        for name in (
            "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileObject",
            "fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5",
            "parentField", "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate",
            "separator", "source", "subField", "transform",
        )
    },
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
}  # fmt: skip
"""The context that the specification prescribes."""


def croissant(package: Package, languages: Sequence[Language], link: str = "") -> dict[str, object]:
    """The package described.

    Args:
        package: the run and its files.
        languages: of names and descriptions.
        link: relative link to the folder of the package, ending in a slash, where its files have no address of
            their own because it is unknown where the site will be served; empty: the description lies beside them.
    """
    publisher: dict[str, object] = {"@type": "Organization", "name": package.publisher}
    described: dict[str, object] = {
        "@context": CONTEXT,
        "@type": "Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": {each.code: package.title(each) for each in languages},
        "description": {each.code: each.word("download", "package") for each in languages},
        "version": package.declared.suite.version,
        "datePublished": package.date,
        "inLanguage": package.declared.suite.language,
        "isAccessibleForFree": True,
        "license": [_in_words(name) for name in dict.fromkeys(item.file.view.licence for item in package.items)],
        "creator": publisher,
        "publisher": publisher,
        "citeAs": bibtex(package, languages[-1]),
    }
    if package.base:
        publisher["url"] = package.base
        described["url"] = package.page
        link = f"{package.base}{package.folder}/"
    if package.doi:
        described["identifier"] = described["sameAs"] = package.doi_url
    described["distribution"] = [_file(item, languages, link) for item in package.items]
    described["recordSet"] = [_records(item, package) for item in package.items if item.columns]
    return described


def _in_words(name: str) -> object:
    """A licence of the package; the one that is none says so."""
    if name != MODEL_OUTPUT:
        return _licence(name)
    said = (
        "Written by language models, published as recorded so that every score can be checked; no licence is claimed."
    )
    return {"@type": "CreativeWork", "name": name, "description": said}


def _licence(name: str) -> str:
    """The address of a licence; the name of the one that is none."""
    return name if name == MODEL_OUTPUT else LICENCES.get(name, f"https://spdx.org/licenses/{name}.html")


def _file(item: Item, languages: Sequence[Language], link: str) -> dict[str, object]:
    file = item.file
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "description": {each.code: each.word("download", file.view.slug) for each in languages},
        "contentUrl": link + file.name,
        "contentSize": f"{file.bytes} B",
        "encodingFormat": item.media_type,
        "sha256": file.sha256,
        "license": _licence(file.view.licence),
    }


def _records(item: Item, package: Package) -> dict[str, object]:
    name = item.file.name.replace(".", "_")
    records: dict[str, object] = {"@type": "cr:RecordSet", "@id": name, "name": name}
    if key := KEYS.get(item.file.view.slug):
        records["key"] = [{"@id": f"{name}/{each}"} for each in key]
    return {**records, "field": list(_fields(item, name, package.declared.suite.licence))}


def _fields(item: Item, records: str, licence: str) -> Iterator[dict[str, object]]:
    """Each column, with the licence of what stands in it: texts of models are nobody's here to license."""
    by_models = WRITTEN_BY_MODELS.get(item.file.view.slug, ())
    for column in item.columns:
        yield {
            "@type": "cr:Field",
            "@id": f"{records}/{column.name}",
            "name": column.name,
            "dataType": TYPES[column.kind],
            **_shape(column),
            "license": _licence(MODEL_OUTPUT if column.name in by_models else licence),
            "source": {"fileObject": {"@id": item.file.name}, "extract": {"column": column.name}},
        }


def _shape(column: Column) -> dict[str, object]:
    return {"isArray": True, "arrayShape": "-1"} if column.many else {}
