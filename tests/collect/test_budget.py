"""The guard: a run over its cap asks nothing, a run that reaches it stops, and no cent is lost from the ledger."""

import asyncio
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.collect.budget import charges, month_of, over, price_of, row, shown_cost, spent, usd, with_margin
from generator.collect.projecting import project
from generator.collect.sitting import guard, sit
from generator.records import Budget, Call, Cap, Entry, Price, Service
from generator.store.write import append
from tests.collect.conftest import ONE_ANSWER, PRICED, RUN, Place, start
from tests.collect.misbehaving import Server

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ASSUMED = PRICED.replace(" }", ", assumed = true }")


def entry(amount: str, suite: str = "uji-v1", month: str = "2026-11", kind: str = "charge") -> Entry:
    return Entry(
        at=NOW, month=month, kind="projection" if kind == "projection" else "charge", run_id="lama", suite=suite,
        phase="calls", service=None, calls=1, input_tokens=0, output_tokens=0, usd=Decimal(amount),
    )  # fmt: skip


def test_the_figures_of_the_source_fit_its_caps() -> None:
    """NS-ID, October 2026: 13.72 of 30 spent on NS-ID, 30.58 of 50 on everything."""
    budget = Budget(schema=1, cap=(
        Cap(account="semua", usd_per_month=Decimal(50)),
        Cap(account="ns-id", usd_per_month=Decimal(30), suites=("nsid-v1",)),
    ))  # fmt: skip
    ledger = [
        entry("13.72", "nsid-v1"),
        entry("16.86", "lab"),
        entry("99", "nsid-v1", "2026-10"),
        entry("26.80", kind="projection"),
    ]
    assert spent(ledger, budget.cap[0], "2026-11") == Decimal("30.58")
    assert over(budget, ledger, "nsid-v1", "2026-11", Decimal("16.28")) is None
    stopped = over(budget, ledger, "nsid-v1", "2026-11", Decimal("16.29"))
    assert stopped is not None
    assert stopped.field == "cap.ns-id"
    assert over(budget, ledger, "lab", "2026-11", Decimal("19.42")) is None
    assert over(budget, ledger, "lab", "2026-11", Decimal("19.43")) is not None


def test_a_margin_is_added_and_rounded_up() -> None:
    budget = Budget(schema=1, cap=())
    assert with_margin(Decimal(10), budget) == Decimal("11.5000")
    assert with_margin(Decimal("0.00001"), budget) == Decimal("0.0001")


def test_the_price_that_was_read_last_counts() -> None:
    old, new = (
        Price(
            checked=NOW.date().replace(day=day),
            source="s",
            currency="USD",
            input_per_mtok=Decimal(day),
            output_per_mtok=Decimal(0),
        )
        for day in (1, 2)
    )
    other = Price(source="s", currency="IDR", input_per_mtok=Decimal(9), output_per_mtok=Decimal(9))
    service = Service(
        id="a",
        name="A",
        vendor="V",
        group="g",
        requested_model="m",
        protocol="openai",
        base_url="u",
        price=(new, old, other),
    )
    assert price_of(service) == new
    assert usd(new, 1_500_000, 0) == Decimal(3)


def test_an_unmeasured_service_is_projected_at_its_ceiling(place: Place) -> None:
    place.services["satu"]["price"] = PRICED
    place.write()
    opened = place.open()
    (ceiling,) = project(opened, ())
    assert (ceiling.measured, ceiling.calls, ceiling.output_tokens, ceiling.seconds) == (0, 3, 3 * 64, None)
    assert ceiling.input_tokens >= 3 * 5


def test_a_measured_service_is_projected_from_its_use(place: Place, server: Server) -> None:
    place.services["satu"]["price"] = PRICED
    place.write()
    opened = place.open()
    place.record()
    (measured,) = project(opened, place.calls)
    assert (measured.measured, measured.input_tokens, measured.output_tokens) == (3, 33, 21)
    assert measured.usd == 3 * ONE_ANSWER
    assert guard(opened, place.layout, place.clock).total([measured]) == Decimal("0.0280")


def test_a_run_over_its_cap_asks_nothing(place: Place, server: Server) -> None:
    place.services["satu"]["price"] = PRICED
    place.cap = "0.01"
    place.write()
    (finding,) = place.record()
    assert finding.slug == "budget-exceeded"
    assert server.requests == []
    assert place.calls == []
    (line,) = place.ledger
    assert (line.kind, line.status) == ("projection", "budget_exceeded")
    place.cap = "10"
    place.write()
    assert place.record() == [], "a refused projection declares nothing: the contract may still change"


def test_what_others_spent_this_month_counts(place: Place, server: Server) -> None:
    place.services["satu"]["price"] = PRICED
    place.write()
    append(place.layout.ledger, entry("9.99"))
    (finding,) = place.record()
    assert finding.slug == "budget-exceeded"
    assert server.requests == []


def test_a_run_stops_midway_where_it_would_pass_the_cap(place: Place, server: Server) -> None:
    """Each answer costs twice what was projected from earlier use, so the third is not asked."""
    place.services["satu"]["price"] = PRICED
    place.write()
    place.record()
    cheap = place.calls
    place.layout.calls(RUN).unlink()
    place.layout.ledger.unlink()
    place.cap = "0.03"
    place.write()
    opened, sitting = place.open(), place.sitting()
    sitting.earlier = cheap
    server.script = ["wordy", "wordy", "wordy"]
    server.requests.clear()
    (finding,) = asyncio.run(sit(opened, sitting))
    assert finding.slug == "budget-exceeded"
    assert [call.status for call in place.calls] == ["ok", "ok", "budget_exceeded"]
    assert len(server.requests) == 2
    assert sum(line.usd for line in place.ledger if line.kind == "charge") == Decimal("0.0302")

    place.cap = "10"
    place.write()
    assert place.record() == []
    assert [(call.status, call.attempt) for call in place.calls] == [
        ("ok", 1), ("ok", 1), ("budget_exceeded", 1), ("ok", 2),
    ]  # fmt: skip


def test_assumed_prices_count_and_are_not_shown(place: Place, server: Server) -> None:
    place.services["satu"]["price"] = ASSUMED
    place.write()
    process = start(place, "run", RUN, "--plan")
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "assumed" in said
    assert "0.2" not in said.split("cap semua")[0]
    assert server.requests == []
    place.record()
    assert {call.cost_usd for call in place.calls} == {None}
    (charge,) = (line for line in place.ledger if line.kind == "charge")
    assert (charge.usd, charge.assumed) == (3 * ONE_ANSWER, True)


def test_a_known_price_is_stored_with_the_call(place: Place, server: Server) -> None:
    place.services["satu"]["price"] = PRICED
    place.write()
    server.script = ["no-usage"]
    place.record()
    assert [call.cost_usd for call in place.calls] == [None, ONE_ANSWER, ONE_ANSWER]
    assert shown_cost(place.open().services["satu"], 11, None) is None


def test_an_answer_that_hides_its_tokens_counts_at_its_ceiling(place: Place, server: Server) -> None:
    place.services["satu"]["price"] = PRICED
    place.fields["tasks"] = '["t-01"]'
    place.write()
    server.script = ["no-usage"]
    place.record()
    (charge,) = (line for line in place.ledger if line.kind == "charge")
    assert (charge.input_tokens, charge.output_tokens) == (4096, 64)


def test_plan_over_the_cap_says_so(place: Place, server: Server) -> None:
    place.services["satu"]["price"] = PRICED
    place.cap = "0.01"
    place.write()
    process = start(place, "run", RUN, "--plan")
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "budget-exceeded" in said
    assert not place.layout.ledger.exists()


@given(cuts=st.lists(st.integers(0, 6), max_size=4))
def test_charges_are_settled_once_however_often_they_are_settled(cuts: list[int]) -> None:
    service = Service(
        id="satu", name="S", vendor="V", group="g", requested_model="m", protocol="openai", base_url="u",
        price=(Price(source="s", currency="USD", input_per_mtok=Decimal(1), output_per_mtok=Decimal(2)),),
    )  # fmt: skip
    lines = [_call(number) for number in range(6)]
    ledger: list[Entry] = []
    for cut in [*sorted(cuts), 6]:
        ledger += charges(lines[:cut], "uji", "s", "calls", {"satu": service}, ledger, NOW)
    assert sum(line.calls for line in ledger) == 6
    assert sum(line.usd for line in ledger) == sum(usd(service.price[0], 10 + n, n) for n in range(6))
    assert charges(lines, "uji", "s", "calls", {"satu": service}, ledger, NOW) == []


def _call(number: int) -> Call:
    """A call with its own numbers of tokens."""
    return Call(
        run_id="uji", block_id="b1", service="satu", service_group="g", requested_model="m", returned_model=None,
        started_at=NOW, request_hash="0" * 64, status="ok", finish_reason=None, latency_ms=1, qualified=None,
        failure_reason=None, artifact_path=None, call_id=str(number), task_id="t", repeat=number + 1, attempt=1,
        output="", output_sha256=None, input_tokens=10 + number, output_tokens=number, reasoning_tokens=None,
        max_output_tokens=None, cost_usd=None, system_fingerprint=None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("moment", "month"), [("2026-12-01T06:59:00+07:00", "2026-11"), ("2026-12-01T07:00:00+07:00", "2026-12")]
)
def test_months_are_those_of_utc(moment: str, month: str) -> None:
    assert month_of(datetime.fromisoformat(moment)) == month


def test_no_row_without_prompts() -> None:
    service = Service(id="a", name="A", vendor="V", group="g", requested_model="m", protocol="openai", base_url="u")
    assert row(service, [], 64, None).calls == 0


def test_the_ledger_is_shown_by_account_and_run(place: Place, server: Server) -> None:
    place.services["satu"]["price"] = PRICED
    place.write()
    place.record()
    process = start(place, "ledger", "--month", "2026-11")
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert f"uji-v1  {RUN}  calls: 3 calls, USD 0.0243 of" in said
    assert "semua" in said
