"""The street door: arguments, environment, clock, printing and exit codes. Nothing else in the house touches them.

Exit codes: 0 done, 1 the input is at fault (every finding is printed), 2 the command was used wrongly.
Modules are imported inside the command that needs them, so that ``--help`` answers at once.
"""

import importlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator import __version__

if TYPE_CHECKING:
    from generator.build import Places

MODULES = {
    "run": "generator.cli_collect",
    "judge": "generator.cli_collect",
    "seal": "generator.cli_collect",
    "rerun": "generator.cli_collect",
    "ledger": "generator.cli_ledger",
    "new": "generator.cli_new",
    "suite": "generator.cli_suite",
    "audit": "generator.cli_audit",
    "duel": "generator.cli_duel",
    "accept": "generator.cli_accept",
    "recompute": "generator.cli_recompute",
    "build": "generator.cli_build",
    "private": "generator.cli_private",
    "serve": "generator.cli_serve",
    "sources": "generator.cli_sources",
    "verify": "generator.cli_verify",
}
"""Command of ``rapor`` -> module that holds it under the same name."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, sorted."""
        return sorted({*super().list_commands(ctx), *MODULES})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name in MODULES:
            command = getattr(importlib.import_module(MODULES[cmd_name]), cmd_name)
            return command if isinstance(command, click.Command) else None
        return super().get_command(ctx, cmd_name)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def rapor() -> None:
    """Record runs, check suites, audit and verify: everything but the build itself."""


def _folder(*flags: str, default: str, help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # noqa: A002 - click's own word
    return click.option(*flags, default=default, show_default=True, type=click.Path(path_type=Path), help=help)


def site_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that builds the site; they come in as keywords for ``walk``."""
    options = (
        _folder("--results", default="results", help="Stored suites and runs."),
        _folder("--content", default="content", help="Prose and site.toml."),
        _folder("--templates", default="site_templates", help="Page templates and stylesheet."),
        _folder("--out", default="public", help="The folder to fill."),
        click.option(
            "--private",
            envvar="RAPOR_PRIVATE",
            type=click.Path(path_type=Path, exists=True),
            help="Held-out material outside results: a directory, or an .age file whose key is in RAPOR_IDENTITY.",
        ),
        click.option(
            "--base-url", envvar="RAPOR_BASE_URL", help="Where the site will be served, instead of what site.toml says."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@contextmanager
def walk(
    results: Path, content: Path, templates: Path, out: Path, private: Path | None, base_url: str | None
) -> Iterator["Places"]:
    """The places of a build, with held-out material opened; faults inside are printed and end the program with 1."""
    for folder in (results, content, templates):
        if not folder.is_dir():
            raise click.UsageError(f"{folder} is not a folder")
    if base_url and not base_url.startswith(("https://", "http://")):
        raise click.UsageError(f"{base_url!r} is no address of the web")
    from generator.build import Places
    from generator.findings import Faults
    from generator.store.encrypted import opened

    try:
        with opened(private, os.environ.get("RAPOR_IDENTITY")) as held_out:
            yield Places(
                results=results,
                content=content,
                templates=templates,
                out=out,
                private=held_out,
                base_url=base_url,
                built_for=epoch(),
            )
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    except OSError as error:
        click.echo(f"{error.filename or out}: {error.strerror}; the old site is as it was", err=True)
        sys.exit(1)


@click.command(name="build-site", context_settings={"help_option_names": ["-h", "--help"]})
@site_options
@click.version_option(__version__)
def build_site(**options: Any) -> None:
    """Recompute every number from the stored answers and write the site.

    Any fault in the input is printed with file, line and field; the old site then stays as it is.
    """
    started = time.monotonic()
    with walk(**options) as places:
        from generator.build import build

        built = build(places, progress(started))
    say_findings(built.remarks)
    click.echo(
        f"{places.out}: {built.files} files, {built.bytes / 1e6:.1f} MB, {built.changed} changed,"
        f" {time.monotonic() - started:.1f} s. Open {places.out / 'index.html'}"
    )


def epoch() -> datetime | None:
    """The date that SOURCE_DATE_EPOCH asks the site to bear; None: that of the newest call.

    Source: https://reproducible-builds.org/specs/source-date-epoch/
    """
    stated = os.environ.get("SOURCE_DATE_EPOCH")
    if stated is None:
        return None
    try:
        return datetime.fromtimestamp(int(stated), UTC)
    except (ValueError, OverflowError, OSError):
        raise click.UsageError(f"SOURCE_DATE_EPOCH is {stated!r}, not a number of seconds") from None


def progress(started: float) -> Callable[[str], None]:
    """Says each step on one line of a terminal, once the build has taken longer than a second."""

    def say(step: str) -> None:
        if sys.stderr.isatty() and time.monotonic() - started > 1:
            click.echo(f"\r\x1b[K{step} …", nl=False, err=True)

    return say


def say_findings(findings: Iterable[object]) -> None:
    """Print findings to the error stream, one a line, with a count at the end."""
    count = 0
    for count, finding in enumerate(findings, 1):  # noqa: B007 - the last count is the sum
        click.echo(str(finding), err=True)
    if count:
        click.echo(f"{count} finding{'s' if count > 1 else ''}", err=True)
