"""``rapor build``: the same build as ``build-site``, and the question whether a site is what its sources make."""

import sys
import time
from pathlib import Path
from typing import Any

import click

from generator.cli import build_site, progress, say_findings, site_options, walk


@click.command()
@site_options
@click.option("--check", is_flag=True, help="Write nothing: build in memory and compare with the folder --out.")
@click.pass_context
def build(ctx: click.Context, /, check: bool, **options: Any) -> None:
    """Build the site, or with --check say whether the folder is byte for byte what would be built."""
    if not check:
        ctx.invoke(build_site, **options)
        return
    with walk(**options) as places:
        from generator.build import finished_site

        files, remarks = finished_site(places, progress(time.monotonic()))
        differing = sorted(_differing(files, places.out))
    say_findings(remarks)
    for path in differing[:20]:
        click.echo(path)
    click.echo(f"{places.out}: {len(files)} files would be built, {len(differing)} differ")
    if differing:
        sys.exit(1)


def _differing(files: dict[str, bytes], out: Path) -> set[str]:
    """Paths that are missing, surplus or other than built."""
    there = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    same = {path for path in there & files.keys() if (out / path).read_bytes() == files[path]}
    return (there | files.keys()) - same
