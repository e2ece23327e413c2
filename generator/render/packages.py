"""Each run with its downloads, as one thing that can be cited. Part of ``render``."""

from collections.abc import Iterator, Mapping, Sequence

from generator.findings import Finding
from generator.publish.run_views import Declared, RunView
from generator.publish.views import SiteView
from generator.records import Record
from generator.render.content import SiteFile
from generator.render.language import Language
from generator.render.listing import Listed
from generator.render.tables import Column, columns

FORMATS = {"csv": "text/csv", "json": "application/json", "jsonl": "application/jsonlines", "txt": "text/plain"}
"""File ending -> media type."""


class Item(Record, frozen=True, kw_only=True):
    """One file of a package."""

    file: Listed
    columns: tuple[Column, ...]

    @property
    def media_type(self) -> str:
        """As in a Content-Type header."""
        return FORMATS[self.file.name.rpartition(".")[2]]


class Package(Record, frozen=True, kw_only=True):
    """What is published about one run."""

    folder: str
    """From the root of the site, without a slash at the end."""
    run: RunView
    declared: Declared
    items: tuple[Item, ...]
    publisher: str
    base: str
    """Where the site will be served, ending in a slash; empty: unknown."""
    page: str
    """Address of the page that lists the files; empty where it is unknown."""
    source_url: str
    doi: str
    """Of this run; empty: it has none."""

    @property
    def date(self) -> str:
        """The day of the last call."""
        return self.run.last_call.date().isoformat()

    @property
    def doi_url(self) -> str:
        """Where the DOI leads; empty where there is none."""
        return f"https://doi.org/{self.doi}" if self.doi else ""

    def title(self, language: Language) -> str:
        """What a citation names."""
        return f"{language.text(self.declared.suite.title)}: {self.run.run_id}"


def packages(
    site: SiteView, publisher: SiteFile, page: str, listed: Sequence[Listed], files: Mapping[str, bytes]
) -> Iterator[Package]:
    """The packages of a site: boards, studies, re-runs, each with the files that lie in its folder.

    Args:
        site: the views.
        publisher: who publishes, and where.
        page: path of the page that lists the files, from the root of the site.
        listed: the downloads.
        files: their bytes, by path.
    """
    base = publisher.base_url.rstrip("/") + "/" if publisher.base_url else ""
    runs = [(f"data/{board.suite.id}", board.run, board.declared) for board in site.boards]
    runs += [(f"data/runs/{study.run.run_id}", study.run, study.declared) for study in site.studies]
    runs += [(f"data/runs/{rerun.run.run_id}", rerun.run, rerun.declared) for rerun in site.reruns]
    for folder, run, declared in runs:
        own = [file for file in listed if file.view.path.rpartition("/")[0] == folder]
        yield Package(
            folder=folder,
            run=run,
            declared=declared,
            items=tuple(Item(file=file, columns=columns(file.name, files[file.view.path])) for file in own),
            publisher=publisher.name,
            base=base,
            page=f"{base}{page}#files-{folder.rpartition('/')[2]}" if base else "",
            source_url=publisher.source_url,
            doi=publisher.doi.get(run.run_id, ""),
        )


def unknown_dois(publisher: SiteFile, made: Sequence[Package]) -> Iterator[Finding]:
    """A DOI given to a run that this site does not show would silently be shown nowhere."""
    known = {package.run.run_id for package in made}
    for run in publisher.doi:
        if run not in known:
            yield Finding(
                "content/site.toml", 0, f"doi.{run}", "unknown-run", run, "a run that the site shows",
                todo=f"one of {', '.join(sorted(known))}",
            )  # fmt: skip
