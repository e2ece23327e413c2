"""Stylesheet, script and icon: files of the site that belong to every page. Part of ``render``."""

import base64
import hashlib
from pathlib import Path

from generator.records import Record

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
"""The content security policy of every page."""


class Assets(Record, frozen=True, kw_only=True):
    """The files, and what a page needs to name them."""

    files: dict[str, bytes]
    """Path from the root of the site -> bytes."""
    integrity: dict[str, str]
    """Script -> its integrity attribute. Stylesheets have none: opened from a folder, a browser would refuse them."""


def read_assets(templates: Path) -> Assets:
    """Everything in ``site_templates/assets``."""
    files = {f"assets/{path.name}": path.read_bytes() for path in sorted((templates / "assets").iterdir())}
    integrity = {
        path: "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()
        for path, content in files.items()
        if path.endswith(".js")
    }
    return Assets(files=files, integrity=integrity)
