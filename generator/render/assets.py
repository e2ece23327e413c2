"""Stylesheet, script and icon: files of the site that belong to every page. Part of ``render``."""

import base64
import hashlib
from pathlib import Path

from generator.records import Record


class Assets(Record, frozen=True, kw_only=True):
    """The files, and what a page needs to name them."""

    files: dict[str, bytes]
    """Path from the root of the site -> bytes."""
    integrity: dict[str, str]
    """Script -> its integrity attribute. Stylesheets have none: opened from a folder, a browser would refuse them."""
    from_disk: str
    """The one inline script: it stands in for the refused one where a page is opened from a folder."""
    policy: str
    """The content security policy of every page; the inline script is allowed by its hash."""


def source_hash(content: bytes) -> str:
    """What a content security policy and an integrity attribute call a text: ``sha256-`` and the hash in base64."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()


def read_assets(templates: Path) -> Assets:
    """Everything in ``site_templates/assets``, and what is set into each page."""
    files = {f"assets/{path.name}": path.read_bytes() for path in sorted((templates / "assets").iterdir())}
    from_disk = (templates / "parts" / "from_disk.js").read_bytes()
    return Assets(
        files=files,
        integrity={path: source_hash(content) for path, content in files.items() if path.endswith(".js")},
        from_disk=from_disk.decode(),
        policy=(
            f"default-src 'none'; script-src 'self' '{source_hash(from_disk)}'; style-src 'self'; img-src 'self' data:;"
            " base-uri 'none'; form-action 'none'"
        ),
    )
