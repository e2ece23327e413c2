"""What a person sees while a run is recorded: a live display on a terminal, plain lines elsewhere.

In the collecting wing; it is told of stored lines and decides nothing.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from decimal import Decimal
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

PLAIN_EVERY_S = 15.0
"""Least time between two plain lines."""


class Progress:
    """Done of total, rate per service, failures by cause, spent of cap, time left.

    Args:
        total: service id -> slots still to settle in this sitting.
        cap: USD that may still be spent this month; None where no cap applies.
        console: where to write; a terminal gets a live display.
        now: seconds from any fixed point, for rates.
    """

    def __init__(
        self, total: Mapping[str, int], cap: Decimal | None, console: Console,
        now: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """Start with nothing done."""
        self._total, self._cap, self._console, self._now = dict(total), cap, console, now
        self._started = self._said = now()
        self._done: Counter[str] = Counter()
        self._busy_ms: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._spent = Decimal(0)
        self._live = Live(console=console, transient=True, auto_refresh=False) if console.is_terminal else None

    def __enter__(self) -> Self:
        """Begin the display."""
        if self._live:
            self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it; the last state stays as a plain line."""
        if self._live:
            self._live.__exit__(kind, error, trace)
        if self._done or self._failures:
            self._console.print(self.line(), highlight=False, soft_wrap=True)

    def tell(self, service: str, cause: str, latency_ms: int | None, usd: Decimal) -> None:
        """One line was stored; ``cause`` is empty where it holds an answer."""
        self._spent += usd
        if cause:
            self._failures[cause] += 1
        else:
            self._done[service] += 1
            self._busy_ms[service] += latency_ms or 0
        if self._live:
            self._live.update(self._display(), refresh=True)
        elif self._now() - self._said >= PLAIN_EVERY_S:
            self._said = self._now()
            self._console.print(self.line(), highlight=False, soft_wrap=True)

    def expect(self, more: Mapping[str, int]) -> None:
        """So many more are to come, per service: third judges show only while a jury sits."""
        for service, count in more.items():
            self._total[service] = self._total.get(service, 0) + count

    def line(self) -> str:
        """The state as one plain line."""
        parts = [f"{self._done.total()}/{sum(self._total.values())} answered", f"{self._left()} left"]
        parts += [f"{count} x {cause}" for cause, count in sorted(self._failures.items())]
        return ", ".join([*parts, self._money()])

    def _money(self) -> str:
        """Spent, of what may be spent."""
        return f"USD {self._spent:.4f}" + (f" of {self._cap:.2f}" if self._cap is not None else "")

    def _left(self) -> str:
        """Time until the end at the rate so far."""
        done, total = self._done.total(), sum(self._total.values())
        if not done or done >= total:
            return "unknown time"
        seconds = round((self._now() - self._started) * (total - done) / done)
        return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"

    def _display(self) -> Group:
        """The state as a small table."""
        table = Table(box=None, pad_edge=False)
        for name in ("service", "done", "", "s per answer"):
            table.add_column(name, justify="right" if name in ("done", "s per answer") else "left")
        for service, total in self._total.items():
            done = self._done[service]
            rate = f"{self._busy_ms[service] / done / 1000:.1f}" if done else ""
            bar = ProgressBar(total=max(total, 1), completed=done, width=30)
            table.add_row(service, f"{done}/{total}", bar, rate)
        return Group(table, Text(self.line()))
