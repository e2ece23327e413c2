"""The walk through the house on one page: stored results in, a finished site out. The only writer of ``public/``."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from generator.deliver import deliver
from generator.findings import Faults, Finding
from generator.publish.site import publish
from generator.records import Record
from generator.render import render
from generator.render.content import load_content
from generator.store import read_results
from generator.verify import verify

Say = Callable[[str], None]
"""Told what is being done, in a few words; it prints or it does not."""


class Places(Record, frozen=True, kw_only=True):
    """Where the walk begins and ends."""

    results: Path
    content: Path
    templates: Path
    out: Path
    private: Path | None = None
    """Held-out tasks and their calls, where they lie outside ``results``."""
    base_url: str | None = None
    """Where the site will be served, where it is not to be what ``site.toml`` says."""
    built_for: datetime | None = None
    """The date that the site bears, where it is not to be that of the newest call."""


class Built(Record, frozen=True, kw_only=True):
    """What a build has to report."""

    files: int
    bytes: int
    changed: int
    """Files whose bytes differ from what was in ``out`` before."""
    remarks: tuple[Finding, ...]
    """Findings that do not block."""


def build(places: Places, say: Say) -> Built:
    """Read, score, audit, publish, render, verify, write.

    Raises:
        Faults: with every blocking finding; ``places.out`` is then as it was.
    """
    files, remarks = finished_site(places, say)
    say("writing")
    changed = deliver(files, places.out)
    return Built(files=len(files), bytes=sum(map(len, files.values())), changed=changed, remarks=remarks)


def finished_site(places: Places, say: Say) -> tuple[dict[str, bytes], tuple[Finding, ...]]:
    """The site as a value, ``path -> bytes``, verified and written nowhere, with the remarks made on the way."""
    say("reading")
    faults: list[Finding] = []
    try:
        results = read_results(places.results, places.private)
    except Faults as error:
        results, faults = None, list(error.findings)

    try:
        content = load_content(places.content)
    except Faults as error:
        raise Faults([*faults, *error.findings]) from None
    if results is None:
        raise Faults(faults)

    if places.base_url:
        content = replace(content, site=replace(content.site, base_url=places.base_url))

    say("scoring")
    site, remarks = publish(results, content.site.main_run)

    if places.built_for:
        site = replace(site, built_for=places.built_for)

    say("rendering")
    files = render(site, content, places.templates)

    say("verifying")
    found = verify(files, results)
    if blocking := [finding for finding in found if finding.blocking]:
        raise Faults(blocking)
    return files, (*remarks, *found)
