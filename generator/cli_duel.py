"""``rapor duel``: is the key better than an answer? Make a blind sheet, open its key once the ballots are in, count."""

import json
import secrets
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import say_findings
from generator.findings import Faults, shown

if TYPE_CHECKING:
    from generator.audit.duel import Contests
    from generator.publish.probe_views import DuelResultView
    from generator.records import DuelFile, Figure, Key, Pair, Results, StoredDuel, Text
    from generator.store.layout import Layout

RESULTS = click.option(
    "--results", default="results", show_default=True, type=click.Path(path_type=Path, exists=True, file_okay=False)
)
PRIVATE = click.option(
    "--private", envvar="RAPOR_PRIVATE", type=click.Path(path_type=Path, exists=True, file_okay=False)
)
QUESTION_ID = "Mana terjemahan atau tulisan yang lebih baik?"
QUESTION_EN = "Which of the two is the better translation or text?"


@click.group()
def duel() -> None:
    """Test a key blind: its references against a service's answers, judged without names."""


@duel.command()
@click.argument("name")
@click.option("--run", "run_id", required=True, help="The run whose answers stand against the key.")
@click.option("--service", required=True, help="The service that gave them.")
@click.option("--question-id", default=QUESTION_ID, show_default=True, help="What the judge is asked, in Indonesian.")
@click.option("--question-en", default=QUESTION_EN, show_default=True, help="The same in English.")
@click.option("--page", type=click.Path(path_type=Path), help="Where to write the judging page  [default: NAME.html]")
@click.option("--content", default="content", show_default=True, type=click.Path(path_type=Path, exists=True))
@click.option("--templates", default="site_templates", show_default=True, type=click.Path(path_type=Path, exists=True))
@RESULTS
@PRIVATE
def make(
    name: str,
    run_id: str,
    service: str,
    question_id: str,
    question_en: str,
    page: Path | None,
    content: Path,
    templates: Path,
    results: Path,
    private: Path | None,
) -> None:
    """Draw sides for the public tasks of a run, seal the key by its hash, write the judging page.

    The key lies in the private directory, or where there is none in key.held_out.json beside the sheet: whoever
    judges must not look at it.
    """
    from generator.records import Text
    from generator.store.layout import Layout

    layout = Layout(results)
    if layout.duel(name).exists():
        raise click.UsageError(f"there is a duel {name} already; a sealed sheet never changes")
    read = _read(results, private)
    found = _contests(read, run_id, service)
    if not found.contests:
        raise click.UsageError(f"{service} has no answer in {run_id} that differs from a public reference")
    target = page or Path(f"{name}.html")
    target.parent.mkdir(parents=True, exist_ok=True)
    question = Text(id=question_id, en=question_en)
    declared, sheet = _draw(
        layout, Layout(private) if private else layout, name, read, run_id, service, question, found
    )
    target.write_bytes(_page(declared, sheet, content, templates))
    click.echo(
        f"{name}: {declared.pairs} pairs, {declared.identical} answers that are the reference and"
        f" {declared.without_answer} missing answers left out\nkey sealed as {declared.key_sha256}\n"
        f"give {target} to the judge; then: rapor duel open {name} BALLOTS.jsonl"
    )


@duel.command("open")
@click.argument("name")
@click.argument("ballots", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@RESULTS
@PRIVATE
def open_key(name: str, ballots: tuple[Path, ...], results: Path, private: Path | None) -> None:
    """Add BALLOTS files to a duel and, once every judge has judged every pair, open its key."""
    from generator.audit.duel import missing, state
    from generator.records import Opening
    from generator.store.duels import add_ballots, closed_key
    from generator.store.layout import Layout
    from generator.store.write import encode, hash_of, write_new

    layout = Layout(results)
    stored = _duel(_read(results, private), name)
    if state(stored) == "opened":
        raise click.UsageError(f"{name} is open already; ballots cast now would not be blind")
    try:
        given = add_ballots(layout, stored, ballots)
        if not given:
            raise click.UsageError("no ballots: give the files that judges exported")
        if unfinished := missing(stored.declared, given):
            told = ", ".join(f"{judge} {count}" for judge, count in unfinished.items())
            click.echo(f"{name}: {len(given)} ballots kept; still closed, pairs without a ballot: {told}", err=True)
            sys.exit(1)
        where = closed_key(layout, Layout(private) if private else None, name, stored.declared)
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)
    opening = Opening(at=_now(), ballots_sha256=hash_of(layout.ballots(name)))
    write_new(layout.opening(name), encode(opening))
    write_new(layout.duel_key(name), where.read_bytes())
    where.unlink()
    click.echo(f"{name}: open; count with: rapor duel score {name}")


@duel.command()
@click.argument("name")
@RESULTS
@PRIVATE
def score(name: str, results: Path, private: Path | None) -> None:
    """Count the opened ballots of a duel, judge by judge, and say what they support."""
    from generator.publish.duel import duel_view

    view = duel_view(_duel(_read(results, private), name))
    if view.state != "opened":
        raise click.UsageError(f"{name} is {view.state}: open its key first with: rapor duel open {name} BALLOTS")
    for result in view.results:
        for line in told(result):
            click.echo(line)
    for note in view.notes:
        click.echo(f"{shown(note.judge)}, {note.pair}, {note.choice}: {shown(note.note)}")


def told(result: "DuelResultView") -> list[str]:
    """One judge's result as lines of text."""
    from generator.cli_audit import shown_share
    from generator.records import Withheld

    sentences = {
        "reference_preferred": "the judge preferred the key",
        "service_preferred": "the judge preferred the service's answers",
        "not_distinguished": "the judge did not tell the two apart in these pairs; that does not make them equal",
    }

    def number(figure: "Figure", digits: int) -> str:
        return figure.slug if isinstance(figure, Withheld) else f"{float(figure.point):.{digits}f}"

    return [
        f"{result.judge}: {result.ties} ties, {result.reference} for the key, {result.service} for the service",
        f"  sign test p = {number(result.p, 4)}",
        f"  decisive ballots for the key {shown_share(result.decisive)}",
        f"  ties {shown_share(result.tie_rate)}",
        f"  net preference for the key {shown_share(result.net)}",
        f"  Davidson: log ratio of the strengths {number(result.log_ratio, 3)}, ties {number(result.nu, 3)}",
        f"  {sentences[result.sentence]}",
    ]


def _read(results: Path, private: Path | None) -> "Results":
    from generator.store.read import read_results

    try:
        return read_results(results, private)
    except Faults as faults:
        say_findings(faults.findings)
        sys.exit(1)


def _duel(results: "Results", name: str) -> "StoredDuel":
    if name not in results.duels:
        raise click.UsageError(f"there is no duel {name}; there are {', '.join(results.duels) or 'none'}")
    return results.duels[name]


def _contests(results: "Results", run_id: str, service: str) -> "Contests":
    """What the sheet can hold: the service's first answer to every task."""
    from generator.audit.duel import contests
    from generator.publish.scored import scored_run

    run = results.runs.get(run_id)
    if run is None or run.seal is None or service not in run.contract.services:
        raise click.UsageError(f"there is no sealed run {run_id} with the service {service}")
    scored = scored_run(results, run_id)
    answers = {
        task: (call, scored.marks[name, task, repeat])
        for (name, task, repeat), call in scored.last.items()
        if name == service and repeat == 1
    }
    return contests(scored.suite, answers)


def _draw(
    layout: "Layout",
    closed: "Layout",
    name: str,
    results: "Results",
    run_id: str,
    service: str,
    question: "Text",
    found: "Contests",
) -> "tuple[DuelFile, Sequence[Pair]]":
    """Draw order and sides, seal the key, write everything; the declaration comes last."""
    from generator.audit.duel import draw
    from generator.records import DuelFile

    chance = secrets.SystemRandom()
    order = list(range(len(found.contests)))
    chance.shuffle(order)
    sides = [chance.choice(("reference", "service")) for _ in order]
    sheet, key = draw(name, found.contests, order, sides, secrets.token_hex(32))  # type: ignore[arg-type]
    contract = results.runs[run_id].contract
    sheet_hash, key_hash = _write(layout, closed, name, sheet, key)
    declared = DuelFile(
        schema=1,
        id=name,
        suite=contract.suite,
        run=run_id,
        service=service,
        made_at=_now(),
        question=question,
        pairs=len(sheet),
        identical=found.identical,
        without_answer=found.without_answer,
        sheet_sha256=sheet_hash,
        key_sha256=key_hash,
    )
    from generator.store.write import write_new

    write_new(layout.duel(name), toml(declared).encode())
    return declared, sheet


def _write(layout: "Layout", closed: "Layout", name: str, sheet: "Sequence[Pair]", key: "Key") -> tuple[str, str]:
    """The sheet and the closed key on the disk; their hashes."""
    from generator.store.write import encode, hash_of, write_new

    write_new(layout.duel_sheet(name), b"".join(map(encode, sheet)))
    write_new(closed.closed_key(name), encode(key), mode=0o600)
    return hash_of(layout.duel_sheet(name)), hash_of(closed.closed_key(name))


def toml(declared: "DuelFile") -> str:
    """``duel.toml``. A JSON string is a TOML string too."""

    def quoted(text: str) -> str:
        return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")

    suite, question = declared.suite, declared.question
    return (
        "# A blind test of a key. The sheet and the sealed key are named by their hashes; neither ever changes.\n"
        f"schema = {declared.schema}\n"
        f"id = {quoted(declared.id)}\n"
        f"suite = {{ id = {quoted(suite.id)}, version = {quoted(suite.version)}, sha256 = {quoted(suite.sha256)} }}\n"
        f"run = {quoted(declared.run)}\n"
        f"service = {quoted(declared.service)}\n"
        f"made_at = {declared.made_at.isoformat()}\n"
        f"question = {{ id = {quoted(question.id)}, en = {quoted(question.en)} }}\n"
        f"pairs = {declared.pairs}\n"
        f"identical = {declared.identical}\n"
        f"without_answer = {declared.without_answer}\n"
        f"sheet_sha256 = {quoted(declared.sheet_sha256)}\n"
        f"key_sha256 = {quoted(declared.key_sha256)}\n"
    )


def _page(declared: "DuelFile", sheet: "Sequence[Pair]", content: Path, templates: Path) -> bytes:
    from generator.render.catalogue import LANGUAGES
    from generator.render.content import load_content
    from generator.render.environment import environments
    from generator.render.judging import judging_page
    from generator.render.language import Language

    catalogue = load_content(content).catalogue
    envs = environments(templates, [Language(code, catalogue) for code in LANGUAGES])
    return judging_page(declared.id, declared.question, sheet, declared.sheet_sha256, envs, templates)


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
