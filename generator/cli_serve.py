"""``rapor serve``: the site on a loopback port, built again whenever one of its sources changes."""

import sys
import tempfile
import threading
import time
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click

from generator.cli import progress, say_findings, site_options, walk

PAUSE = 0.5
"""Seconds between two looks at the sources."""


@click.command()
@site_options
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0: any free port.")
def serve(port: int, **options: Any) -> None:
    """Preview the site at http://127.0.0.1:PORT; the folder --out is left alone. Stop with Ctrl-C.

    A change in results, content or templates builds it again; while a source has a fault, the last sound site stays.
    """
    with tempfile.TemporaryDirectory(prefix="rapor-serve-") as name:
        folder = Path(name) / "public"
        sources = [options["results"], options["content"], options["templates"]]
        seen = _state(sources)  # before the build, so that a change made meanwhile is not missed
        if not _built(folder, options):
            sys.exit(1)
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        click.echo(f"http://127.0.0.1:{server.server_port}/ (Ctrl-C stops)")
        try:
            while True:
                time.sleep(PAUSE)
                if (now := _state(sources)) != seen:
                    seen = now
                    _built(folder, options)
        except KeyboardInterrupt:
            server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files and never lets a browser keep an old one."""

    def end_headers(self) -> None:
        """Add one header to every answer."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing for each file."""


def _built(folder: Path, options: dict[str, Any]) -> bool:
    """Build into ``folder``; False where the sources have a fault, which is printed."""
    started = time.monotonic()
    try:
        with walk(**options | {"out": folder}) as places:
            from generator.build import build

            done = build(places, progress(started))
    except SystemExit:
        click.echo("not built; the last sound site stays", err=True)
        return False
    say_findings(done.remarks)
    click.echo(f"built: {done.files} files, {done.changed} changed, {time.monotonic() - started:.1f} s")
    return True


def _state(folders: list[Path]) -> dict[str, int]:
    """Every file below the folders with the moment of its last change."""
    state = {}
    for path in (path for folder in folders for path in folder.rglob("*")):
        with suppress(FileNotFoundError):  # an editor's temporary file, gone again
            state[str(path)] = path.stat().st_mtime_ns
    return state
