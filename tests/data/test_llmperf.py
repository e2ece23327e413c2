"""Nineteen runs of LLMPerf: failed requests leave the means and stay in the denominators.

The data lie outside the project (licence Apache-2.0, github.com/ray-project/llmperf-leaderboard); without them nothing
is checked.
"""

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from generator.publish.study import study_view
from generator.publish.study_views import StudyBlock
from generator.records import Measured, Withheld
from tests.conftest import ROOT
from tests.publish.sample import comparison, contract, scored, service, suite
from tests.sample_calls import call

DATA = ROOT.parent / "shared" / "data" / "llmperf" / "raw_data"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the runs are not at hand")

RUNS = [
    *(f"{provider}_{size}b" for provider in ("anyscale", "fireworks", "lepton", "replicate", "together")
      for size in (7, 13, 70)),
    "bedrock_13b", "bedrock_70b", "groq_70b", "perplexity_70b",
]  # fmt: skip
FAILED = {
    "bedrock_13b": 97, "bedrock_70b": 49, "lepton_7b": 130, "lepton_13b": 130, "lepton_70b": 130, "perplexity_70b": 2,
    "together_13b": 1,
}  # fmt: skip
"""SOURCE: failed requests; the other runs have none."""
SENT = {"replicate_70b": 145}
"""All others sent 150."""


@cache
def read(kind: str, name: str) -> Any:
    return json.loads((DATA / kind / f"{name}.json").read_text("utf-8"))


@cache
def parts() -> dict[str, StudyBlock]:
    """Every run as one service of a study: a complete answer passes, and its first-token time is its latency."""
    calls = [
        call(
            service=name, task_id="t1", repeat=k, call_id=f"{name}-{k}", output_tokens=None,
            status="ok" if row["error_code"] is None else "error",
            output="satu dua tiga empat" if row["error_code"] is None else None,
            latency_ms=round(1000 * row["ttft_s"]),
        )
        for name in RUNS
        for k, row in enumerate(read("individual", name), 1)
    ]  # fmt: skip
    declared, of = comparison(between=("groq_70b", "bedrock_70b")), suite({"t": 1})
    run = scored(calls, contract(of, RUNS, comparison=declared, repeats=150), of)
    view = study_view(run, declared, {name: service(name) for name in RUNS})
    return {part.service: part for part in view.overall}


def test_all_nineteen_runs_are_here() -> None:
    assert sorted(RUNS) == sorted(path.stem for path in (DATA / "individual").glob("*.json"))
    assert len(RUNS) == 19


@pytest.mark.parametrize("name", RUNS)
def test_failed_requests_are_counted_and_stay_in_the_denominator(name: str) -> None:
    part, published = parts()[name], read("summary", name)
    failed = FAILED.get(name, 0)
    assert part.requests == SENT.get(name, 150)
    assert sum(part.technical.values()) == failed == published["results_number_errors"]
    assert part.passed == part.requests - failed == published["results_num_completed_requests"]
    assert isinstance(part.all_rate, Measured)
    assert isinstance(part.complete_rate, Measured)
    assert (part.all_rate.recipe.n, part.complete_rate.recipe.n) == (part.requests, part.passed)
    assert float(1 - part.all_rate.point / 100) == pytest.approx(published["results_error_rate"], abs=1e-12)
    assert part.complete_rate.point == 100


@pytest.mark.parametrize("name", RUNS)
def test_first_token_times_leave_failed_requests_out(name: str) -> None:
    """The mean from the raw rows is the published one; our median of the complete calls is the published median."""
    rows, published = read("individual", name), read("summary", name)
    times = [Fraction(row["ttft_s"]) for row in rows if row["error_code"] is None]
    assert float(sum(times) / len(times)) == pytest.approx(published["results_ttft_s_mean"], abs=1e-9)
    latency = parts()[name].latency
    assert not isinstance(latency, Withheld)
    assert latency.recipe.n == len(times)
    assert float(latency.point) == pytest.approx(1000 * published["results_ttft_s_quantiles_p50"], abs=0.51)


@pytest.mark.parametrize("name", ["bedrock_13b", "bedrock_70b", "lepton_7b", "lepton_13b", "lepton_70b"])
def test_leaving_failed_requests_in_the_mean_would_be_another_figure(name: str) -> None:
    """Guards the tests above: they could tell the difference."""
    rows, published = read("individual", name), read("summary", name)
    times = [Fraction(row["ttft_s"] or 0) for row in rows]
    assert float(sum(times) / len(times)) != pytest.approx(published["results_ttft_s_mean"], rel=0.01)
