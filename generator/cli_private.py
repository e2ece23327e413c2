"""``rapor private``: held-out material as one encrypted file, so that it can lie in a public repository."""

import os
import sys
from pathlib import Path

import click

from generator.cli import say_findings
from generator.findings import Faults
from generator.store.encrypted import decrypt as opened
from generator.store.encrypted import encrypt as closed
from generator.store.encrypted import folder_files, write_files
from generator.store.write import write_new

IDENTITY = "RAPOR_IDENTITY"


@click.group()
def private() -> None:
    """Encrypt and decrypt a private directory with age keys."""


@private.command()
def key() -> None:
    """Print a new key pair: keep the secret line in RAPOR_IDENTITY or a password store, give the other away."""
    import pyrage

    identity = pyrage.x25519.Identity.generate()
    click.echo(f"# public: {identity.to_public()}\n{identity}")


@private.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--to", "recipients", multiple=True, required=True, help="Who may open it: age1…; may be repeated.")
@click.option("--out", default="private.age", show_default=True, type=click.Path(path_type=Path, dir_okay=False))
def encrypt(folder: Path, recipients: tuple[str, ...], out: Path) -> None:
    """Encrypt private directory FOLDER to one file, which build-site takes as --private."""
    try:
        files = folder_files(folder)
        data = closed(files, recipients)
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    write_new(out, data)
    click.echo(f"{out}: {len(files)} files, {len(data)} bytes, for {len(recipients)} keys")


@private.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def decrypt(file: Path, folder: Path) -> None:
    """Decrypt FILE into a new directory FOLDER with the key in RAPOR_IDENTITY."""
    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{folder} is not empty")
    if IDENTITY not in os.environ:
        raise click.UsageError(f"put the secret key into the environment variable {IDENTITY}")
    try:
        files = opened(file.read_bytes(), os.environ[IDENTITY])
    except Faults as faults:
        say_findings(finding.at(str(file)) for finding in faults.findings)
        sys.exit(1)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_files(files, folder)
    click.echo(f"{folder}: {len(files)} files; do not commit them")
