"""A package as it is cited: ``CITATION.cff`` and BibTeX. Part of ``render``.

Source: Citation File Format 1.2.0, https://doi.org/10.5281/zenodo.5171937. Its strings are written as JSON strings,
which YAML 1.2 reads as they are.
"""

import json
import re

from generator.render.language import Language
from generator.render.packages import Package

SPDX = re.compile(r"(?!LicenseRef-)[A-Za-z0-9.+-]+")
"""What looks like an identifier of the SPDX list; the format takes no other licence."""
TEX = str.maketrans({each: f"\\{each}" for each in "&%$#_"} | {"{": "", "}": "", "\\": "", "~": " ", "^": ""})


def citation(package: Package, language: Language) -> bytes:
    """``CITATION.cff`` of the package; its author is the publisher, which is no person."""
    licence = package.declared.suite.licence
    author = {"name": package.publisher, "website": package.base}
    given = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as follows.",
        "type": "dataset",
        "title": package.title(language),
        "version": package.declared.suite.version,
        "date-released": package.date,
        "license": licence if SPDX.fullmatch(licence) else "",
        "url": package.page,
        "repository-code": package.source_url,
        "doi": package.doi,
    }
    lines = [f"{name}: {_string(value)}" for name, value in given.items() if value]
    lines += ["authors:"]
    lines += [f"  {'-' if name == 'name' else ' '} {name}: {_string(value)}" for name, value in author.items() if value]
    return ("\n".join(lines) + "\n").encode()


def bibtex(package: Package, language: Language) -> str:
    """A BibTeX entry; what TeX would take for a command is escaped or left out."""
    given = {
        "title": "{" + package.title(language).translate(TEX) + "}",
        "author": "{" + package.publisher.translate(TEX) + "}",
        "year": package.date[:4],
        "version": package.declared.suite.version.translate(TEX),
        "doi": package.doi,
        "url": package.page,
    }
    fields = ",\n".join(f"  {name} = {{{value}}}" for name, value in given.items() if value)
    return f"@misc{{{package.run.run_id},\n{fields}\n}}"


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
