"""Metrics computed elsewhere: taken over whole or not at all, shown apart with their signature, part of no score."""

import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import rapor
from generator.findings import Faults
from generator.publish.scored import scored_run
from generator.publish.translation import translation_views
from generator.records import Measured, Withheld
from generator.store.layout import Layout
from generator.store.read import read_results
from tests.audit.disk import RUN, SERVICES, jawa

SIGNATURE = "wmt22-comet-da|2.2.7"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return jawa(tmp_path_factory.mktemp("made") / "results")


@pytest.fixture
def results(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "results"))


def calls(results: Path, service: str) -> list[str]:
    read = read_results(results)
    kinds = {lock.id: lock.kind for suite in read.suites.values() for lock in suite.lock}
    return [c.call_id for c in read.runs[RUN].calls if c.service == service and kinds[c.task_id] == "translation"]


def take(results: Path, rows: list[tuple[str, str]], *, head: str = "call_id\tscore") -> Result:
    table = results.parent / "scores.tsv"
    table.write_text("\n".join([head, *("\t".join(row) for row in rows)]) + "\n", "utf-8")
    named = ("--metric", "COMET", "--signature", SIGNATURE, "--by", "a colleague", "--results", str(results))
    return CliRunner().invoke(rapor, ["audit", "metric", RUN, str(table), *named])


def test_scores_are_taken_over_with_their_signature_and_shown_apart(results: Path) -> None:
    whole, partly = (calls(results, name) for name in SERVICES[:2])
    before = scored_run(read_results(results), RUN).services
    rows = [(call, f"0.{k:02}") for k, call in enumerate(whole)] + [(partly[0], "0.5")]
    result = take(results, rows)
    assert result.exit_code == 0, result.output
    scored = scored_run(read_results(results), RUN)
    assert scored.services == before, "no score of the suite rests on them"
    ((imported,),) = (view.imported for view in translation_views(scored))
    assert (imported.metric, imported.signature, imported.by) == ("COMET", SIGNATURE, "a colleague")
    mean = imported.means[SERVICES[0]]
    assert isinstance(mean, Measured)
    assert mean.point == Fraction(sum(range(len(whole))), 100 * len(whole))
    lacking = imported.means[SERVICES[1]]
    assert isinstance(lacking, Withheld)
    assert lacking.facts == {"n": 1, "needed": len(partly)}
    assert "no second score" in take(results, rows[:1]).output


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([("{call}", "0.1"), ("nobody", "0.1")], "scores.tsv:3: call_id: wrong-row: found nobody"),
        ([("{call}", "NaN")], "scores.tsv:2: score: wrong-row: found NaN"),
        ([("{call}", "1e3")], "scores.tsv:2: score: wrong-row: found 1e3"),
        ([("{call}", "0.1"), ("{call}", "0.2")], "no second score of COMET"),
        ([], "no rows"),
    ],
)
def test_a_table_with_a_fault_is_refused_whole(results: Path, rows: list[tuple[str, str]], found: str) -> None:
    call = calls(results, SERVICES[0])[0]
    result = take(results, [(name.format(call=call), score) for name, score in rows])
    assert result.exit_code == 1
    assert found in result.output
    assert not Layout(results).metrics(RUN).exists()


def test_a_table_without_its_columns_is_told(results: Path) -> None:
    assert "no column call_id" in take(results, [("a", "0.1")], head="id\tscore").output


@pytest.mark.parametrize(
    ("field", "value", "slug"),
    [("subject", "nobody", "unknown-subject"), ("task_id", "jwk-01", "contradiction"), ("score", "NaN", "wrong-value")],
)
def test_a_stored_line_that_is_not_sound_stops_every_reader(results: Path, field: str, value: str, slug: str) -> None:
    assert take(results, [(calls(results, SERVICES[0])[0], "0.5")]).exit_code == 0
    path = Layout(results).metrics(RUN)
    line = json.loads(path.read_text("utf-8")) | {field: value}
    path.write_text(json.dumps(line, separators=(",", ":")) + "\n", "utf-8")
    with pytest.raises(Faults) as raised:
        read_results(results)
    assert slug in {finding.slug for finding in raised.value.findings}
    path.write_text(2 * (json.dumps(line | {field: "x"}, separators=(",", ":")) + "\n"), "utf-8")
    with pytest.raises(Faults):
        read_results(results)
