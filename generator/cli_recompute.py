"""``rapor recompute``: hold a published translation figure against the answers that it rests on."""

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import say_findings
from generator.findings import Faults, Finding

if TYPE_CHECKING:
    from generator.audit.claims import Claim, Claims, Recomputed

VERDICTS = {
    "confirmed": "confirmed",
    "swapped": "explained: answers and references were swapped",
    "empty_as_word": "explained: empty answers were measured as the word nan",
    "swapped_and_empty_as_word": "explained: swapped, and empty answers were measured as the word nan",
    "differs": "not reproduced",
}
MAX_TABLE = 2**28
"""Bytes of a table; it is read whole."""


@click.command()
@click.option(
    "--claimed",
    required=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A TOML file of claims: table, columns, metric, claimed figure.",
)
@click.option("--page", type=click.Path(path_type=Path), help="Write PAGE.id.html and PAGE.en.html too.")
@click.option("--content", default="content", show_default=True, type=click.Path(path_type=Path))
@click.option("--templates", default="site_templates", show_default=True, type=click.Path(path_type=Path))
def recompute(claimed: Path, page: Path | None, content: Path, templates: Path) -> None:
    """Compute claimed figures again and say which are confirmed, and which a known accident explains.

    Exit code 1 where a claim is not confirmed.
    """
    from generator.audit.claims import recompute as again

    try:
        claims = read_claims(claimed)
        results = [again(claim, *columns(claimed.parent, claim)) for claim in claims.claim]
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    for result in results:
        click.echo(told(result))
    if page:
        from generator.render.claims import claims_pages

        page.parent.mkdir(parents=True, exist_ok=True)
        for path, data in claims_pages(claims, results, page.name, content, templates).items():
            page.with_name(path).write_bytes(data)
    if any(result.verdict != "confirmed" for result in results):
        sys.exit(1)


def told(result: "Recomputed") -> str:
    """One claim as a line of text."""
    claim = result.claim
    empty = f", {result.empty} of {result.sentences} answers empty" if result.empty else ""
    return (
        f"{claim.id}: {claim.metric} claimed {claim.claimed}, found {result.value}{empty}: {VERDICTS[result.verdict]}"
    )


def read_claims(path: Path) -> "Claims":
    """The file of claims, read as strictly as stored results.

    Raises:
        Faults: with every fault in it.
    """
    from generator.audit.claims import Claims
    from generator.store.layout import Layout
    from generator.store.sheet import Sheet
    from generator.store.toml import table

    faults: list[Finding] = []
    read = table(Sheet(Layout(path.parent), path, faults), Claims)
    if read is None:
        raise Faults(faults)
    return read[0]


def columns(folder: Path, claim: "Claim") -> tuple[Sequence[str], Sequence[str]]:
    """The answers and the references of a claim; an empty cell is an empty answer.

    Raises:
        Faults: the table cannot be read, a column is missing, or a row is shorter than the head.
    """
    mark = "\t" if claim.separator == "tab" else ","
    path = folder / claim.table
    answers, references, wrong = [], [], []
    try:
        if (path.exists() and not path.is_file()) or path.stat().st_size > MAX_TABLE:
            raise Faults([_fault(claim, "no plain file, or a very large one", f"a table of at most {MAX_TABLE} bytes")])
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter=mark, restval=None)
            missing = {claim.hypothesis, claim.reference} - set(rows.fieldnames or ())
            if missing:
                raise Faults(
                    [_fault(claim, f"no column {', '.join(sorted(missing))}", ", ".join(rows.fieldnames or ()))]
                )
            for row in rows:
                answer, reference = row[claim.hypothesis], row[claim.reference]
                if answer is None or reference is None:
                    wrong.append(_fault(claim, "a row shorter than the head", "every column", rows.line_num))
                else:
                    answers.append(answer)
                    references.append(reference)
    except (OSError, ValueError, csv.Error) as error:
        raise Faults([_fault(claim, str(error), "a table in UTF-8")]) from None
    if wrong or not answers:
        raise Faults(wrong or [_fault(claim, "no rows", "answers and references")])
    return answers, references


def _fault(claim: "Claim", found: str, expected: str, line: int = 0) -> Finding:
    return Finding(
        file=claim.table, line=line, field=claim.id, slug="unreadable-table", found=found, expected=expected,
        todo="correct the claim or the table",
    )  # fmt: skip
