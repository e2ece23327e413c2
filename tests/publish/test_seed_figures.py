"""Figures that the source benchmark published about its jury and its money, made again from stored lines.

The lines are invented to have the published counts; the counts, shares and costs are computed from them as for any run.
"""

from decimal import Decimal
from fractions import Fraction
from functools import cache

import pytest

from generator.audit.jury import panels, severity_costs
from generator.publish.board import board_view
from generator.publish.board_views import BoardView, JuryView
from generator.publish.scored import ScoredRun, score_stored
from generator.records import (
    Category,
    JuryRules,
    RubricTask,
    StoredRun,
    Suite,
    SuiteFile,
    TaskLock,
    Text,
    Verdict,
)
from generator.uncertainty.proportion import wilson
from tests.audit.test_jury import verdict
from tests.publish.sample import contract, service
from tests.sample_calls import call

SERVICES = [f"s{k:02d}" for k in range(1, 21)]
TASKS, REPEATS, DISAGREED = 27, 3, 30
JURY = JuryRules(pair=("ja", "jb"), third=("jc",))
VENDORS = dict.fromkeys(SERVICES, "Vco") | {"ja": "Aco", "jb": "Bco", "jc": "Cco"}


def writing_suite() -> Suite:
    tasks = tuple(
        RubricTask(
            id=f"t{k:02d}",
            category="w",
            access="public",
            prompt="p",
            criteria=("k",),
            references=("r",),
            repeats=REPEATS,
        )
        for k in range(1, TASKS + 1)
    )
    file = SuiteFile(
        schema=1,
        id="s",
        version="1",
        language="id",
        title=Text(id="s", en="s"),
        licence="CC-BY-4.0",
        canary="c",
        category=(Category(id="w", name=Text(id="w", en="w")),),
        jury=JURY,
    )
    lock = tuple(
        TaskLock(id=t.id, category="w", kind="rubric", access="public", repeats=REPEATS, commitment="0" * 64)
        for t in tasks
    )
    return Suite(file=file, tasks=tasks, lock=lock, sha256="5" * 64)


@cache
def october() -> tuple[BoardView, JuryView]:
    """20 services × 27 tasks × 3 repeats, judged by two, in 30 cases by three; US$ 6.85 and 4.25 in all."""
    of = writing_suite()
    calls, verdicts = [], []
    slots = [(name, task.id, n) for name in SERVICES for task in of.tasks for n in range(1, REPEATS + 1)]
    for number, (name, task, repeat) in enumerate(slots):
        key = f"{name}-{task}-{repeat}"
        price = Decimal("0.3425") if (task, repeat) == ("t01", 1) else Decimal(0)
        calls.append(
            call(service=name, task_id=task, repeat=repeat, call_id=key, output=f"jawaban {key}", cost_usd=price)
        )
        apart = number % 54 == 0
        lines: list[Verdict] = [
            verdict(key, "ja", 5, task_id=task, cost_usd=Decimal("4.25") if number == 0 else Decimal(0)),
            verdict(key, "jb", 3 if apart else 4, "second", task_id=task, cost_usd=Decimal(0)),
        ]
        if apart:
            lines.append(verdict(key, "jc", 4, "third", task_id=task, cost_usd=Decimal(0)))
        verdicts += lines
    run = StoredRun(
        contract=contract(of, SERVICES), calls=tuple(calls), verdicts=tuple(verdicts), seal=None, score_lock=()
    )
    scored: ScoredRun = score_stored(run, of, VENDORS)
    board = board_view(scored, {name: service(name, VENDORS[name]) for name in SERVICES})
    assert board.jury is not None
    return board, board.jury


def test_30_of_1620_answers_went_to_a_third_judge() -> None:
    """ns-id-methodology: 1.620 judged answers, 30 (1,9 %) with judges more than one point apart."""
    _, jury = october()
    assert (jury.answers, jury.disagreed, jury.third, jury.without_third) == (1620, 30, 30, 0)
    assert round(Fraction(100 * jury.disagreed, jury.answers), 1) == Fraction(19, 10)
    interval = wilson(jury.disagreed, jury.answers)
    assert interval == pytest.approx((0.013002118472055128, 0.026312962734861854), abs=1e-12)
    assert jury.conflicts == 0


def test_answers_and_verdicts_cost_what_was_published() -> None:
    """ns-id-methodology: US$ 6,85 and 4,25 make 11,10; the projection of 26,80 was 2.41 times that."""
    board, jury = october()
    answers = sum((row.cost_usd for row in board.rows if row.cost_usd is not None), Decimal(0))
    assert jury.cost_usd is not None
    assert (answers, jury.cost_usd, answers + jury.cost_usd) == (Decimal("6.85"), Decimal("4.25"), Decimal("11.10"))
    assert round(Decimal("26.80") / (answers + jury.cost_usd), 2) == Decimal("2.41")


def test_a_third_judge_makes_the_median_and_two_make_the_mean() -> None:
    """5 and 3 with a third 4 give 4; 5 and 4 give 4.5. Mapped to 0..100: 75 and 87.5."""
    board, _ = october()
    scores = {answer.score for view in board.tasks for answer in view.answers}
    assert scores == {Fraction(75), Fraction(175, 2)}


def test_what_strict_judges_cost_the_vendors_that_met_them() -> None:
    """ns-id-methodology: Gemini 0.17 above GPT, 0.34 above Claude. That is −2.125 for OpenAI and −4.25 for Google."""
    effects = {"gemini": Fraction(17, 100), "gpt": Fraction(0), "claude": Fraction(-17, 100)}
    assert sum(effects.values()) == 0
    met = {"Other": ("gemini", "gpt"), "OpenAI": ("gemini", "claude"), "Google": ("gpt", "claude")}
    calls = [call(call_id=vendor, service=vendor, output=vendor) for vendor in met]
    lines = [
        verdict(vendor, judge, 4, role)
        for vendor, pair in met.items()
        for judge, role in zip(pair, ("first", "second"), strict=True)
    ]
    costs = severity_costs(panels(calls, lines, dict(zip(met, met, strict=True))), effects, ("gemini", "gpt"), span=4)
    assert costs == {"Other": (1, Fraction(0)), "OpenAI": (1, Fraction(-17, 8)), "Google": (1, Fraction(-17, 4))}
