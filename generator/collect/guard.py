"""The guard of one sitting: what it is projected to cost, whether it may, what it did cost. In the collecting wing.

``budget`` does the sums; here they meet the ledger on disk.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from generator.collect.ask import Clock
from generator.collect.budget import Phase, Row, charges, cost_of, month_of, over, spent, with_margin
from generator.findings import Finding
from generator.records import Budget, Call, Entry, Service, Verdict
from generator.store.layout import Layout
from generator.store.write import append


@dataclass
class Guard:
    """The money of one sitting.

    Attributes:
        layout: where the ledger lies.
        budget: the caps.
        ledger: its lines so far.
        run: id of the run.
        suite: id of its suite.
        phase: what is being paid for.
        services: id -> service.
        clock: the wall clock.
        rows: the projection that was admitted.
        spent: USD of this sitting so far.
    """

    layout: Layout
    budget: Budget
    ledger: tuple[Entry, ...]
    run: str
    suite: str
    phase: Phase
    services: Mapping[str, Service]
    clock: Clock
    rows: Sequence[Row] = ()
    spent: Decimal = Decimal(0)

    def settle(self, lines: Sequence[Call | Verdict]) -> None:
        """Add to the ledger what the stored ``lines`` of the run cost and it does not say yet."""
        owed = charges(lines, self.run, self.suite, self.phase, self.services, self.ledger, self.clock())
        for entry in owed:
            self._add(entry)
        self.spent = Decimal(0)

    def total(self, rows: Sequence[Row]) -> Decimal:
        """What ``rows`` are projected to cost, with the margin."""
        return with_margin(sum((row.usd for row in rows), Decimal(0)), self.budget)

    def refusal(self, rows: Sequence[Row]) -> Finding | None:
        """The first cap that the projection would pass; None where all hold."""
        return over(self.budget, self.ledger, self.suite, month_of(self.clock()), self.total(rows))

    def admit(self, rows: Sequence[Row], contract_sha256: str, later: Sequence[Row] = ()) -> Finding | None:
        """Write the projection to the ledger; gives the cap that forbids the sitting, None where it may begin.

        ``later`` is what the run will need after this phase: it must fit under the caps too.
        """
        refused, now = self.refusal([*rows, *later]), self.clock()
        self._add(
            Entry(
                at=now, month=month_of(now), kind="projection", run_id=self.run, suite=self.suite, phase=self.phase,
                service=None, calls=sum(row.calls for row in rows), input_tokens=sum(row.input_tokens for row in rows),
                output_tokens=sum(row.output_tokens for row in rows), usd=self.total(rows),
                assumed=any(row.assumed for row in rows), status="budget_exceeded" if refused else "ok",
                contract_sha256=contract_sha256,
            )
        )  # fmt: skip
        self.rows = rows
        return refused

    def may_spend(self, service: str) -> Finding | None:
        """The cap that one more call of ``service`` would pass, by its projection; None where it may be made."""
        row = next((row for row in self.rows if row.service == service), None)
        each = row.usd / row.calls if row and row.calls else Decimal(0)
        more = self.spent + with_margin(each, self.budget)
        return over(self.budget, self.ledger, self.suite, month_of(self.clock()), more)

    def note(self, service: str, line: Call | Verdict) -> Decimal:
        """Count a stored line; gives its cost."""
        cost = cost_of(self.services[service], line)
        self.spent += cost
        return cost

    def left(self) -> Decimal | None:
        """USD that may still be spent this month; None where no cap applies."""
        month = month_of(self.clock())
        caps = [cap for cap in self.budget.cap if cap.suites is None or self.suite in cap.suites]
        return min((cap.usd_per_month - spent(self.ledger, cap, month) for cap in caps), default=None)

    def _add(self, entry: Entry) -> None:
        """Write one line."""
        append(self.layout.ledger, entry)
        self.ledger = (*self.ledger, entry)
