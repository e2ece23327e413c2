"""A small site as views, each field with a plain value unless the test says otherwise."""

from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from typing import Any

from generator.publish.views import (
    AnswerView,
    BoardView,
    CallView,
    CategoryView,
    Discrimination,
    PairView,
    Rank,
    RowView,
    RunView,
    ServiceView,
    SiteView,
    StudyBlock,
    StudyView,
    SuiteView,
    TaskScoreView,
    TaskView,
    VerdictView,
)
from generator.records import (
    Comparison,
    Design,
    ExactTask,
    Figure,
    Measured,
    Primary,
    Recipe,
    Stop,
    TaskLock,
    Text,
    Withheld,
)

WHEN = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
WITHHELD = Withheld(slug="truncated", facts={"calls": 3})
RECIPE = Recipe(method="macro_mean", n=4, unit="tasks", grader="g-1.0", suite="0" * 12)


def figure(point: float | Fraction, low: float | None = None, high: float | None = None) -> Measured:
    return Measured(point=Fraction(point), low=low, high=high, recipe=RECIPE)


def run(**changes: Any) -> RunView:
    fields: dict[str, Any] = {
        "run_id": "2026-11-02-main",
        "purpose": "formal",
        "suite": "s-v1",
        "suite_version": "1.0.0",
        "suite_sha256": "0" * 64,
        "grader": "g-1.0",
        "place": "here",
        "design": Design(seed=1),
        "attempts": 5,
        "timeout_s": 120,
        "window": None,
        "first_call": WHEN,
        "last_call": WHEN,
        "services": 3,
        "calls": 2,
        "answers": 12,
        "sealed": True,
    }
    return RunView(**(fields | changes))


LOCKS = tuple(
    TaskLock(id=name, category=category, kind="exact", access=access, repeats=1, commitment="a" * 64)
    for name, category, access in (
        ("p1", "know", "public"),
        ("h1", "know", "held_out"),
        ("p2", "write", "public"),
        ("h2", "write", "held_out"),
    )
)
CATEGORIES = (
    CategoryView(id="know", name=Text(id="Pengetahuan", en="Knowledge"), tasks=2, public=("p1",)),
    CategoryView(id="write", name=Text(id="Menulis", en="Writing"), tasks=2, public=("p2",)),
)


def suite(**changes: Any) -> SuiteView:
    fields: dict[str, Any] = {
        "id": "s-v1",
        "version": "1.0.0",
        "sha256": "0" * 64,
        "language": "id",
        "title": Text(id="Uji", en="Test"),
        "licence": "CC-BY-4.0",
        "tasks": 4,
        "public": 2,
        "held_out": 2,
        "exact": 4,
        "checks": 0,
        "rubric": 0,
        "translation": 0,
        "vocabulary": 0,
        "sources": 0,
        "sources_checked": 0,
        "held_out_at_hand": True,
        "incomplete_percent": 5,
        "truncation": "withhold",
        "rubric_text": None,
        "lock": LOCKS,
    }
    return SuiteView(**(fields | changes))


def service(key: str, name: str | None = None, **changes: Any) -> ServiceView:
    fields: dict[str, Any] = {
        "id": key,
        "name": name or key.title(),
        "vendor": "V",
        "group": "v/direct",
        "requested_model": "m",
        "returned_models": ("m",),
        "fingerprints": (),
        "about": None,
        "owned_by_us": False,
        "sponsor": False,
        "price": None,
        "settings": {},
        "sources": (),
    }
    return ServiceView(**(fields | changes))


def row(key: str, total: Figure, rank: Rank | None, name: str | None = None) -> RowView:
    scores = tuple(
        TaskScoreView(
            task_id=lock.id,
            category=lock.category,
            kind=lock.kind,
            access=lock.access,
            score=Fraction(200, 3),
            failed=False,
            reason="match",
            repeats=1,
            identical=False,
            recomputed=True,
        )
        for lock in LOCKS
    )
    return RowView(
        service=service(key, name),
        total=total,
        automatic=total,
        judged=WITHHELD,
        categories={each.id: total for each in CATEGORIES},
        rank=rank,
        unranked=None if rank else WITHHELD,
        tasks=4,
        failed=0,
        technical={},
        answers=4,
        input_tokens=40,
        output_tokens=80,
        cost_usd=None,
        latency=WITHHELD,
        scores=scores,
    )


def call(**changes: Any) -> CallView:
    fields: dict[str, Any] = {
        "run_id": "2026-11-02-main",
        "block_id": "1",
        "service": "alfa",
        "service_group": "v/direct",
        "requested_model": "m",
        "returned_model": "m",
        "started_at": WHEN,
        "request_hash": "0" * 64,
        "status": "ok",
        "finish_reason": "stop",
        "latency_ms": 1200,
        "qualified": True,
        "failure_reason": None,
        "artifact_path": None,
        "call_id": "c1",
        "task_id": "p1",
        "repeat": 1,
        "attempt": 1,
        "input_tokens": 10,
        "output_tokens": 20,
        "reasoning_tokens": None,
        "max_output_tokens": 512,
        "cost_usd": Decimal("0.0000001"),
        "system_fingerprint": None,
    }
    return CallView(**(fields | changes))


def answer(output: str = "Semarang", **changes: Any) -> AnswerView:
    fields: dict[str, Any] = {
        "service": "alfa",
        "repeat": 1,
        "repeats_same": (2, 3),
        "attempt": 1,
        "call_id": "c1",
        "output": output,
        "output_sha256": sha256(output.encode()).hexdigest(),
        "outcome": "passed",
        "reason": "match",
        "score": Fraction(200, 3),
        "read": output,
        "saw": (),
        "verdicts": (
            VerdictView(by="j", vendor="W", role="first", score=4, status="ok", reason=output),
        ),
        "finish_reason": "stop",
        "output_tokens": 20,
        "latency_ms": 1200,
    }  # fmt: skip
    return AnswerView(**(fields | changes))


def task(key: str = "p1", prompt: str = "Ibu kota Jawa Tengah?") -> ExactTask:
    return ExactTask(id=key, category="know", access="public", prompt=prompt, references=("Semarang",))


ROWS = (
    row("alfa", figure(Fraction(250, 3), 70.5, 91.25), Rank(low=1, high=2)),
    row("beta", figure(60, 45.0, 75.0), Rank(low=1, high=2)),
    row("gama", figure(0, 0.0, 7.4), Rank(low=3, high=3)),
)


def pair(a: str, b: str, difference: Figure) -> PairView:
    return PairView(
        a=a, b=b, difference=difference, p=figure(Fraction(1, 8)), p_adjusted=figure(Fraction(3, 8)),
        won=2, tied=1, lost=1, categories={},
    )  # fmt: skip


def board(**changes: Any) -> BoardView:
    public = tuple(TaskView(task=task(key), category=CATEGORIES[0], answers=(answer(),), scores={}) for key in ("p1",))
    fields: dict[str, Any] = {
        "run": run(),
        "suite": suite(),
        "categories": CATEGORIES,
        "rows": ROWS,
        "unranked": (row("delta", WITHHELD, None),),
        "pairs": (
            pair("alfa", "beta", figure(Fraction(70, 3), -2.5, 49.0)),
            pair("alfa", "gama", figure(Fraction(250, 3), 60.0, 100.0)),
            pair("beta", "gama", WITHHELD),
        ),
        "groups": (("alfa", "beta"),),
        "detectable": figure(20),
        "above_90": 0,
        "tasks": public,
        "discrimination": tuple(
            Discrimination(task_id=lock.id, access=lock.access, spread=Fraction(spread), item_rest=rest)
            for lock, spread, rest in zip(
                LOCKS, (100, 0, 50, 75), (figure(0.5), WITHHELD, figure(-0.25), figure(0.1)), strict=True
            )
        ),
        "flat": 1,
        "repeated": 0,
        "identical": 0,
        "jury": None,
        "calls": (call(), call(call_id="c2", status="timeout", finish_reason=None, latency_ms=None, qualified=None)),
    }
    return BoardView(**(fields | changes))


def block(key: str, name: str, passed: int, n: int = 5) -> StudyBlock:
    rate = figure(Fraction(100 * passed, n), 10.0, 90.0)
    return StudyBlock(
        service=key, block=name, requests=n, passed=passed, failed=n - passed, technical={}, all_rate=rate,
        complete_rate=rate, latency=WITHHELD, cost_usd=None, disputed=0,
    )  # fmt: skip


def study(**changes: Any) -> StudyView:
    fields: dict[str, Any] = {
        "run": run(run_id="2026-11-03-study", suite="s-v1"),
        "suite": suite(),
        "comparison": Comparison(
            question=Text(id="Sama?", en="The same?"),
            task="p1",
            primary=Primary(metric="first_pass_rate", between=("alfa", "beta")),
            stop=Stop(rule="fixed", n_per_service=10),
            exclude=Text(id="Tidak ada", en="None"),
        ),
        "services": (service("alfa"), service("beta")),
        "task": task(),
        "blocks": (block("alfa", "1", 4), block("beta", "1", 2), block("alfa", "2", 5), block("beta", "2", 0)),
        "overall": (block("alfa", "", 9, 10), block("beta", "", 2, 10)),
        "difference": figure(70, 20.0, 90.0),
        "p": figure(Fraction(1, 100)),
        "test": "stratified",
        "odds_ratio": WITHHELD,
        "homogeneity": WITHHELD,
        "equivalence": "not_declared",
        "detectable": WITHHELD,
        "breaches": (),
        "verdict": "difference",
        "answers": (answer(),),
        "calls": (call(run_id="2026-11-03-study"),),
    }
    return StudyView(**(fields | changes))


def site(**changes: Any) -> SiteView:
    main = changes.pop("main", None) or board()
    fields: dict[str, Any] = {
        "main": main,
        "boards": (main,),
        "studies": (study(),),
        "reruns": (),
        "corrections": (),
        "services": tuple(each.service for each in main.rows),
        "built_for": WHEN,
        "newest_price_check": None,
    }
    return SiteView(**(fields | changes))
