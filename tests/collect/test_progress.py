"""What a person sees: plain lines where there is no terminal, a table where there is one."""

import io
from decimal import Decimal

from rich.console import Console

from generator.collect.progress import PLAIN_EVERY_S, Progress


def test_plain_lines_without_a_terminal() -> None:
    out, now = io.StringIO(), [0.0]
    with Progress({"a": 2, "b": 2}, Decimal(30), Console(file=out, width=40), lambda: now[0]) as progress:
        now[0] = 1
        progress.tell("a", "", 900, Decimal("0.01"))
        now[0] = PLAIN_EVERY_S + 5
        progress.tell("b", "http-429", 100, Decimal(0))
        progress.tell("b", "", 100, Decimal("0.01"))
    assert out.getvalue().splitlines() == [
        "1/4 answered, 0:01:00 left, 1 x http-429, USD 0.0100 of 30.00",
        "2/4 answered, 0:00:20 left, 1 x http-429, USD 0.0200 of 30.00",
    ]


def test_nothing_is_known_before_the_first_answer() -> None:
    progress = Progress({"a": 2}, None, Console(file=io.StringIO()), lambda: 0.0)
    assert progress.line() == "0/2 answered, unknown time left, USD 0.0000"


def test_a_terminal_gets_a_table_that_goes_away() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100, color_system=None)
    with Progress({"satu": 4, "dua": 4}, Decimal(30), console, lambda: 0.0) as progress:
        progress.tell("satu", "", 1500, Decimal(0))
    shown = out.getvalue()
    assert "satu" in shown
    assert "1/4" in shown
    assert "1.5" in shown
    assert shown.rstrip().endswith("USD 0.0000 of 30.00")


def test_what_is_wanted_later_is_added() -> None:
    progress = Progress({"a": 2}, None, Console(file=io.StringIO()), lambda: 0.0)
    progress.expect({"a": 1, "b": 3})
    assert progress.line().startswith("0/6 answered")
