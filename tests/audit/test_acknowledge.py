"""Cut answers stop the build until the contract acknowledges them, service by service, with a reason."""

from typing import Any

import msgspec
import pytest

from generator.audit.acknowledge import acknowledged, truncation_findings
from generator.audit.truncation import cut_answers
from generator.records import Acknowledged, Design, Run, SuiteRef, Text
from tests.sample_calls import call

REASON = Text(id="batasnya terlalu rendah", en="the cap was too low")


def contract(*acknowledgements: Acknowledged) -> Run:
    return Run(
        schema=1,
        run_id="r",
        purpose="formal",
        suite=SuiteRef(id="s", version="1", sha256="0" * 64),
        services=("x", "y"),
        grader="g-1",
        place="here",
        design=Design(seed=1),
        params={},
        acknowledged=acknowledgements,
    )


def ack(slug: str = "truncated", service: str | None = None) -> Acknowledged:
    return Acknowledged(slug=slug, service=service, reason=REASON)


CUTS = cut_answers(
    [
        call(call_id="a", service="x", finish_reason="length"),
        call(call_id="b", service="y", finish_reason="length"),
        call(call_id="c", service="y", output_tokens=512),
    ]
)


def test_every_service_with_cut_answers_is_a_blocking_finding_with_its_signs() -> None:
    one, two = truncation_findings(contract(), CUTS)
    assert (one.field, one.found) == ("x", "1 answers cut off (finish_reason 1)")
    assert (two.field, two.found) == ("y", "2 answers cut off (finish_reason 1, near_cap 1)")
    assert one.blocking
    assert two.blocking
    assert one.file == "runs/r/run.toml"


@pytest.mark.parametrize(
    ("acks", "still_blocking", "needless"),
    [
        ([], ["x", "y"], 0),
        ([ack()], [], 0),
        ([ack(service="x")], ["y"], 0),
        ([ack(service="x"), ack(service="y")], [], 0),
        ([ack(slug="truncation")], ["x", "y"], 1),
        ([ack(service="z")], ["x", "y"], 1),
    ],
)
def test_acknowledging(acks: list[Acknowledged], still_blocking: list[str], needless: int) -> None:
    run = contract(*acks)
    told = acknowledged(truncation_findings(run, CUTS), run)
    assert [each.field for each in told if each.blocking] == still_blocking
    assert sum(each.slug == "needless-acknowledgement" for each in told) == needless


@pytest.mark.parametrize(
    ("service", "away", "needless"), [("z", ["z"], 0), ("z", ["y"], 1), (None, ["z"], 0), (None, [], 1)]
)
def test_nothing_is_called_needless_whose_cut_answers_may_be_away(
    service: str | None, away: list[str], needless: int
) -> None:
    told = acknowledged([], contract(ack(service=service)), away)
    assert sum(each.slug == "needless-acknowledgement" for each in told) == needless


def test_an_acknowledged_finding_tells_its_reason() -> None:
    run = contract(ack())
    first, *_ = acknowledged(truncation_findings(run, CUTS), run)
    assert first.todo == "acknowledged: the cap was too low"


def test_an_acknowledgement_needs_a_reason() -> None:
    plain: dict[str, Any] = {"slug": "truncated"}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(plain, Acknowledged)
