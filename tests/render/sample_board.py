"""The board of the hand-made site: invented scores and answers, nothing measured. Not results."""

from decimal import Decimal
from fractions import Fraction

import msgspec

from generator.publish.board_views import (
    BoardView,
    Discrimination,
    JuryView,
    PairView,
    Rank,
    RowView,
    TaskScoreView,
    TaskView,
)
from generator.publish.run_views import AnswerView, CallView, Declared, ServiceView, VerdictView
from generator.records import (
    ChecksTask,
    ExactTask,
    Figure,
    Measured,
    Recipe,
    RubricTask,
    Saw,
    Withheld,
)
from tests.render.sample_suite import CATEGORIES, MOMENT, SERVICES, SUITE, SUITE_HASH, TASKS, measured, run


def score(task: str, category: str, kind: str, points: Fraction | int, access: str = "public") -> TaskScoreView:
    return TaskScoreView(
        task_id=task,
        category=category,
        kind=kind,
        access=access,
        score=Fraction(points),
        failed=False,
        reason="judged" if kind == "rubric" else "match" if points else "no_match",
        repeats=3 if kind == "rubric" else 1,
        identical=False,
        recomputed=True,
    )


def row(who: ServiceView, total: Figure, rank: Rank | None, points: tuple[int, int, int, int]) -> RowView:
    figures = dict(
        zip(
            (category.id for category in CATEGORIES),
            (measured(Fraction(points[0] + points[1], 2), 5.0, 95.0), measured(points[2]), measured(points[3])),
            strict=True,
        )
    )
    return RowView(
        service=who,
        total=total,
        automatic=measured(40, 20.0, 60.0, method="macro_mean_automatic", n=3),
        judged=measured(50, 10.0, 90.0, method="macro_mean_judged", n=1),
        categories=figures,
        rank=rank,
        unranked=None if rank else Withheld(slug="incomplete", facts={"failed": 2, "tasks": 4, "allowed_percent": 5}),
        tasks=4,
        failed=0 if rank else 2,
        technical={} if rank else {"truncated": 2},
        answers=6,
        input_tokens=1200,
        output_tokens=34567,
        cost_usd=Decimal("1.2345") if rank else None,
        latency=Measured(
            point=Fraction(2345),
            low=1200.0,
            high=4100.0,
            recipe=Recipe(method="median_order", n=6, unit="calls", suite=SUITE_HASH[:12]),
        ),
        scores=(
            score("png-01", "pengetahuan", "exact", points[0]),
            score("png-02", "pengetahuan", "exact", points[1], "held_out"),
            score("ins-01", "instruksi", "checks", points[2]),
            score("mns-01", "menulis", "rubric", points[3]),
        ),
    )


ROWS = (
    row(SERVICES[0], measured(Fraction(1875, 20), 70.25, 99.5), Rank(low=1, high=1), (100, 100, 100, 75)),
    row(SERVICES[1], measured(Fraction(125, 3), 20.0, 62.5), Rank(low=2, high=3), (100, 0, 50, 25)),
    row(SERVICES[2], measured(Fraction(100, 3), 10.0, 58.75), Rank(low=2, high=3), (0, 100, 25, 25)),
)
UNRANKED = (row(SERVICES[3], measured(Fraction(25, 3), 0.0, 30.0), None, (0, 0, 25, 0)),)


def verdict(by: str, role: str, points: int | None) -> VerdictView:
    status = "ok" if points else "unusable"
    return VerdictView(by=by, vendor="Vendor Juri", role=role, score=points, status=status, reason="Isinya tepat.")


def answer(who: str, task: str, output: str, points: Fraction | int = 100, repeat: int = 1) -> AnswerView:
    kind = next(each for each in TASKS if each.id == task)
    judged = isinstance(kind, RubricTask)
    return AnswerView(
        service=who,
        repeat=repeat,
        repeats_same=(2, 3) if judged else (),
        attempt=1,
        call_id=f"{who}-{task}-{repeat}",
        output=output,
        output_sha256="b" * 64,
        outcome="passed" if points else "failed",
        reason="judged" if judged else "match" if points else "no_match",
        score=Fraction(points),
        read="" if judged else output.lower()[:80],
        saw=(Saw(check="list_items", passed=bool(points), saw="4", wanted="= 5"),) if task == "ins-01" else (),
        verdicts=(verdict("juri-satu", "first", 4), verdict("juri-dua", "second", None)) if judged else (),
        finish_reason="stop",
        output_tokens=12,
        latency_ms=1234,
    )


def task_view(task: ExactTask | ChecksTask | RubricTask, output: str) -> TaskView:
    category = next(each for each in CATEGORIES if each.id == task.category)
    return TaskView(
        task=task,
        category=category,
        answers=tuple(answer(row.service.id, task.id, output, 100 if n == 0 else 0) for n, row in enumerate(ROWS)),
        scores={r.service.id: next(s for s in r.scores if s.task_id == task.id) for r in (*ROWS, *UNRANKED)},
    )


def pair(a: str, b: str, difference: float, p: Fraction) -> PairView:
    def figure(method: str, point: Fraction | int, low: float | None = None, high: float | None = None) -> Measured:
        return measured(point, low, high, method=method)

    return PairView(
        a=a,
        b=b,
        difference=figure("paired_macro_t", Fraction(difference), difference - 20, difference + 20),
        p=figure("sign_flip", p / 3),
        p_adjusted=figure("holm", p),
        won=2,
        tied=1,
        lost=1,
        categories={c.id: figure("paired_mean_t", Fraction(difference), -5.0, 50.0) for c in CATEGORIES},
    )


def call(run_id: str) -> CallView:
    return CallView(
        run_id=run_id,
        block_id="1",
        service="layanan-a",
        service_group="uji/langsung",
        requested_model="layanan-a-model",
        returned_model="layanan-a-model",
        started_at=MOMENT,
        request_hash="c" * 64,
        status="ok",
        finish_reason="stop",
        latency_ms=1234,
        qualified=True,
        failure_reason=None,
        artifact_path=None,
        call_id="x1",
        task_id="png-01",
        repeat=1,
        attempt=1,
        input_tokens=10,
        output_tokens=12,
        reasoning_tokens=None,
        max_output_tokens=600,
        cost_usd=Decimal(0),
        system_fingerprint=None,
    )


def declared() -> Declared:
    """Invented rules and an invented contract."""
    suite = {
        "schema": 1,
        "id": SUITE.id,
        "version": SUITE.version,
        "language": "id",
        "licence": SUITE.licence,
        "title": {"id": "Contoh", "en": "Sample"},
        "canary": "",
        "category": [],
    }
    contract = {
        "schema": 1,
        "run_id": "contoh-utama",
        "purpose": "formal",
        "services": [],
        "grader": "contoh-1.0",
        "suite": {"id": SUITE.id, "version": SUITE.version, "sha256": SUITE.sha256},
        "place": "Jakarta",
        "design": {"seed": 1},
        "params": {},
    }
    return msgspec.convert({"suite": suite, "run": contract, "vendors": {}}, Declared)


def board(output: str = "Semarang") -> BoardView:
    """The sample board; every answer says ``output``."""
    rows, unranked = ROWS, UNRANKED
    tasks = tuple(task_view(task, output) for task in TASKS)
    return BoardView(
        run=run(),
        suite=SUITE,
        categories=CATEGORIES,
        rows=rows,
        unranked=unranked,
        compared=("layanan-a", "layanan-b", "layanan-c"),
        pairs=(
            pair("layanan-a", "layanan-b", 52.1, Fraction(1, 100)),
            pair("layanan-a", "layanan-c", 60.4, Fraction(1, 200)),
            pair("layanan-b", "layanan-c", 8.3, Fraction(1, 2)),
        ),
        groups=(("layanan-a",), ("layanan-b", "layanan-c")),
        detectable=measured(Fraction(123, 10), method="detectable_paired"),
        above_90=1,
        tasks=tasks,
        discrimination=tuple(
            Discrimination(
                task_id=lock.id,
                access=lock.access,
                spread=Fraction(100 if n else 0),
                item_rest=measured(Fraction(1, 3), method="item_rest")
                if n
                else Withheld(slug="no_variation", facts={"n": 4}),
            )
            for n, lock in enumerate(SUITE.lock)
        ),
        flat=1,
        repeated=4,
        identical=3,
        jury=JuryView(
            judges=(("juri-dua", "Vendor Juri"), ("juri-satu", "Vendor Juri")),
            answers=12,
            distinct=9,
            verdicts=18,
            unusable=2,
            disagreed=3,
            third=2,
            without_third=1,
            conflicts=0,
            calibration="failed",
            cost_usd=Decimal(0),
        ),
        calls=(call("contoh-utama"),),
        declared=declared(),
    )
