"""A hand-made site for tests of rendering: invented services, invented scores, nothing measured. Not results."""

from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction

import msgspec

from generator.publish.series_views import SeriesChange, SeriesPoint, SeriesView
from generator.publish.site import publish
from generator.publish.views import (
    AnswerView,
    BoardView,
    CallView,
    CategoryView,
    Declared,
    Discrimination,
    JuryView,
    PairView,
    Rank,
    RerunPair,
    RerunView,
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
    ChecksTask,
    Comparison,
    Correction,
    Design,
    ExactTask,
    Figure,
    ListItems,
    Measured,
    Price,
    Primary,
    Recipe,
    RubricTask,
    Saw,
    Setting,
    Source,
    Stop,
    TaskLock,
    Text,
    Withheld,
)
from tests.audit.small import RUN, results

MOMENT = datetime(2026, 11, 30, 3, 45, tzinfo=UTC)
GRADER = "nsid-v1-auto-1.0"
SUITE_HASH = "5" * 64


def measured(
    point: Fraction | int,
    low: float | None = None,
    high: float | None = None,
    *,
    method: str = "macro_mean",
    n: int = 4,
) -> Measured:
    recipe = Recipe(method=method, n=n, unit="tasks", grader=GRADER, suite=SUITE_HASH[:12])
    return Measured(point=Fraction(point), low=low, high=high, recipe=recipe)


def run(run_id: str = "contoh-utama", purpose: str = "formal") -> RunView:
    return RunView(
        run_id=run_id, purpose=purpose, suite="contoh-v1", suite_version="1.0.0", suite_sha256=SUITE_HASH,
        grader=GRADER, place="tempat uji", design=Design(seed=1), attempts=5, timeout_s=120, window=None,
        first_call=MOMENT, last_call=MOMENT, services=4, calls=20, answers=16, sealed=True,
    )  # fmt: skip


SUITE = SuiteView(
    id="contoh-v1", version="1.0.0", sha256=SUITE_HASH, language="id",
    title=Text(id="Perangkat contoh", en="Sample suite"), licence="CC-BY-4.0", tasks=4, public=3, held_out=1,
    exact=1, checks=1, rubric=2, translation=0, vocabulary=0, sources=2, sources_checked=1, held_out_at_hand=True,
    incomplete_percent=5, truncation="count-as-failure", rubric_text=None,
    lock=tuple(
        TaskLock(id=name, category=category, kind=kind, access=access, repeats=1, commitment="a" * 64)  # type: ignore[arg-type]
        for name, category, kind, access in (
            ("png-01", "pengetahuan", "exact", "public"),
            ("png-02", "pengetahuan", "exact", "held_out"),
            ("ins-01", "instruksi", "checks", "public"),
            ("mns-01", "menulis", "rubric", "public"),
        )
    ),
)  # fmt: skip

CATEGORIES = tuple(
    CategoryView(id=name, name=Text(id=own, en=english), tasks=tasks, public=public)
    for name, own, english, tasks, public in (
        ("pengetahuan", "Pengetahuan", "Knowledge", 2, ("png-01",)),
        ("instruksi", "Instruksi", "Instructions", 1, ("ins-01",)),
        ("menulis", "Menulis", "Writing", 1, ("mns-01",)),
    )
)


def service(name: str, title: str, *, price: Price | None = None) -> ServiceView:
    return ServiceView(
        id=name, name=title, vendor="Vendor Uji", group="uji/langsung", requested_model=f"{name}-model",
        returned_models=(f"{name}-model",), fingerprints=(), about=Text(id="Layanan rekaan.", en="An invented service."),
        owned_by_us=False, sponsor=False, price=price,
        settings={
            "temperature": Setting(asked=0, applied=0),
            "reasoning": Setting(asked="default", applied="unknown"),
            "seed": Setting(asked=7, applied="unsupported"),
        },
        sources=(Source(url="https://example.org/model"),),
    )  # fmt: skip


PRICE = Price(
    checked=date(2026, 10, 25), source="https://example.org/price", currency="USD",
    input_per_mtok=Decimal("0.25"), output_per_mtok=Decimal("2.00"),
)  # fmt: skip

SERVICES = (
    service("layanan-a", "Layanan A", price=PRICE),
    service("layanan-b", "Layanan B"),
    service("layanan-c", "Layanan C"),
    service("layanan-d", "Layanan D"),
)

TASKS = (
    ExactTask(
        id="png-01", category="pengetahuan", access="public", prompt="Apa ibu kota Jawa Tengah?",
        references=("Semarang",), normalise=("case", "punctuation"), licence="CC-BY-4.0",
        sources=(Source(url="https://example.org/a"), Source(url="https://example.org/b", checked=date(2026, 10, 25))),
    ),
    ChecksTask(
        id="ins-01", category="instruksi", access="public", prompt="Sebutkan lima alat musik.", system="Jawab singkat.",
        checks=(ListItems(equals=5),), licence="CC-BY-4.0",
    ),
    RubricTask(
        id="mns-01", category="menulis", access="public", prompt="Tulis surat izin.", repeats=3,
        criteria=("Memuat semua keterangan.", "Memakai ragam resmi."), references=("Dengan hormat, …",),
        licence="CC-BY-4.0", note=Text(id="Catatan.", en="A note."),
    ),
)  # fmt: skip


def score(task: str, category: str, kind: str, points: Fraction | int, access: str = "public") -> TaskScoreView:
    return TaskScoreView(
        task_id=task, category=category, kind=kind, access=access, score=Fraction(points), failed=False,
        reason="judged" if kind == "rubric" else "match" if points else "no_match", repeats=3 if kind == "rubric" else 1,
        identical=False, recomputed=True,
    )  # fmt: skip


def row(who: ServiceView, total: Figure, rank: Rank | None, points: tuple[int, int, int, int]) -> RowView:
    figures = dict(
        zip(
            (category.id for category in CATEGORIES),
            (measured(Fraction(points[0] + points[1], 2), 5.0, 95.0), measured(points[2]), measured(points[3])),
            strict=True,
        )
    )
    return RowView(
        service=who, total=total, automatic=measured(40, 20.0, 60.0, method="macro_mean_automatic", n=3),
        judged=measured(50, 10.0, 90.0, method="macro_mean_judged", n=1),
        categories=figures, rank=rank,
        unranked=None if rank else Withheld(slug="incomplete", facts={"failed": 2, "tasks": 4, "allowed_percent": 5}),
        tasks=4, failed=0 if rank else 2, technical={} if rank else {"truncated": 2}, answers=6, input_tokens=1200,
        output_tokens=34567, cost_usd=Decimal("1.2345") if rank else None,
        latency=Measured(point=Fraction(2345), low=1200.0, high=4100.0,
                         recipe=Recipe(method="median_order", n=6, unit="calls", suite=SUITE_HASH[:12])),
        scores=(
            score("png-01", "pengetahuan", "exact", points[0]),
            score("png-02", "pengetahuan", "exact", points[1], "held_out"),
            score("ins-01", "instruksi", "checks", points[2]),
            score("mns-01", "menulis", "rubric", points[3]),
        ),
    )  # fmt: skip


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
        service=who, repeat=repeat, repeats_same=(2, 3) if judged else (), attempt=1, call_id=f"{who}-{task}-{repeat}",
        output=output, output_sha256="b" * 64, outcome="passed" if points else "failed",
        reason="judged" if judged else "match" if points else "no_match", score=Fraction(points),
        read="" if judged else output.lower()[:80],
        saw=(Saw(check="list_items", passed=bool(points), saw="4", wanted="= 5"),) if task == "ins-01" else (),
        verdicts=(verdict("juri-satu", "first", 4), verdict("juri-dua", "second", None)) if judged else (),
        finish_reason="stop", output_tokens=12, latency_ms=1234,
    )  # fmt: skip


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
        a=a, b=b, difference=figure("paired_macro_t", Fraction(difference), difference - 20, difference + 20),
        p=figure("sign_flip", p / 3), p_adjusted=figure("holm", p), won=2, tied=1, lost=1,
        categories={c.id: figure("paired_mean_t", Fraction(difference), -5.0, 50.0) for c in CATEGORIES},
    )  # fmt: skip


def call(run_id: str) -> CallView:
    return CallView(
        run_id=run_id, block_id="1", service="layanan-a", service_group="uji/langsung", requested_model="layanan-a-model",
        returned_model="layanan-a-model", started_at=MOMENT, request_hash="c" * 64, status="ok", finish_reason="stop",
        latency_ms=1234, qualified=True, failure_reason=None, artifact_path=None, call_id="x1", task_id="png-01",
        repeat=1, attempt=1, input_tokens=10, output_tokens=12, reasoning_tokens=None, max_output_tokens=600,
        cost_usd=Decimal(0), system_fingerprint=None,
    )  # fmt: skip


def declared() -> Declared:
    """Invented rules and an invented contract."""
    suite = {"schema": 1, "id": SUITE.id, "version": SUITE.version, "language": "id", "licence": SUITE.licence,
             "title": {"id": "Contoh", "en": "Sample"}, "canary": "", "category": []}  # fmt: skip
    contract = {"schema": 1, "run_id": "contoh-utama", "purpose": "formal", "services": [], "grader": "contoh-1.0",
                "suite": {"id": SUITE.id, "version": SUITE.version, "sha256": SUITE.sha256}, "place": "Jakarta",
                "design": {"seed": 1}, "params": {}}  # fmt: skip
    return msgspec.convert({"suite": suite, "run": contract, "vendors": {}}, Declared)


def board(output: str = "Semarang", name: str | None = None, reason: str | None = None) -> BoardView:
    """The sample board; ``output``, ``name`` and ``reason`` put hostile text wherever models and vendors write."""
    rows, unranked = ROWS, UNRANKED
    tasks = tuple(task_view(task, output) for task in TASKS)
    del name, reason
    return BoardView(
        run=run(), suite=SUITE, categories=CATEGORIES, rows=rows, unranked=unranked,
        compared=("layanan-a", "layanan-b", "layanan-c"),
        pairs=(
            pair("layanan-a", "layanan-b", 52.1, Fraction(1, 100)),
            pair("layanan-a", "layanan-c", 60.4, Fraction(1, 200)),
            pair("layanan-b", "layanan-c", 8.3, Fraction(1, 2)),
        ),
        groups=(("layanan-a",), ("layanan-b", "layanan-c")),
        detectable=measured(Fraction(123, 10), method="detectable_paired"), above_90=1, tasks=tasks,
        discrimination=tuple(
            Discrimination(task_id=lock.id, access=lock.access, spread=Fraction(100 if n else 0),
                           item_rest=measured(Fraction(1, 3), method="item_rest") if n else Withheld(slug="no_variation",
                                                                                                    facts={"n": 4}))
            for n, lock in enumerate(SUITE.lock)
        ),
        flat=1, repeated=4, identical=3,
        jury=JuryView(judges=(("juri-dua", "Vendor Juri"), ("juri-satu", "Vendor Juri")), answers=12, distinct=9,
                      verdicts=18, unusable=2, disagreed=3, third=2, without_third=1, conflicts=0, calibration="failed",
                      cost_usd=Decimal(0)),
        calls=(call("contoh-utama"),), declared=declared(),
    )  # fmt: skip


def study() -> StudyView:
    def rate(passed: int, n: int) -> Figure:
        if not n:
            return Withheld(slug="no_data", facts={"n": 0})
        return measured(
            Fraction(100 * passed, n), 100 * passed / n - 10, min(100.0, 100 * passed / n + 10), method="wilson", n=n
        )

    def block(who: str, name: str, passed: int, n: int) -> StudyBlock:
        return StudyBlock(
            service=who, block=name, requests=n, passed=passed, failed=n - passed, technical={}, all_rate=rate(passed, n),
            complete_rate=rate(passed, n), latency=ROWS[0].latency, cost_usd=Decimal(0), disputed=0,
        )  # fmt: skip

    return StudyView(
        run=run("contoh-studi"), suite=SUITE,
        comparison=Comparison(
            question=Text(id="Apakah B lebih jarang lolos?", en="Does B pass less often?"), task="ins-01",
            primary=Primary(metric="first_pass_rate", between=("layanan-a", "layanan-b")),
            stop=Stop(rule="fixed", n_per_service=20), exclude=Text(id="Tidak ada.", en="None."), equivalence_margin="10pp",
        ),
        services=SERVICES[:2], task=TASKS[1],
        blocks=tuple(block(s, b, n, 5) for b in ("1", "2") for s, n in (("layanan-a", 4), ("layanan-b", 2))),
        overall=(block("layanan-a", "", 16, 20), block("layanan-b", "", 8, 20)),
        difference=measured(40, 10.0, 63.0, method="newcombe", n=40), p=measured(Fraction(2, 89), method="exact_conditional"),
        test="stratified", odds_ratio=measured(6, method="mantel_haenszel"),
        homogeneity=measured(1, method="zelen"), equivalence="not_shown",
        detectable=measured(47, method="detectable_fisher", n=40), breaches=(), verdict="difference",
        answers=(answer("layanan-a", "ins-01", "1. angklung"), answer("layanan-b", "ins-01", "tidak", 0)),
        calls=(call("contoh-studi"),),
    )  # fmt: skip


def series() -> SeriesView:
    """A study in three runs: the second follows the first, the third is cut off from them by another suite."""

    def point(name: str, rate: int, breaks: tuple[str, ...]) -> SeriesPoint:
        rates = {"layanan-a": measured(rate, rate - 9.0, rate + 9.0, method="wilson", n=20), "layanan-b": measured(60)}
        return SeriesPoint(
            run_id=name, at=MOMENT, question=Text(id="Apakah berubah?", en="Did it change?"), rates=rates,
            relative={"layanan-a": measured(rate - 60, -30.0, 40.0, method="newcombe", n=40)}, breaks=breaks,
        )  # fmt: skip

    change = measured(-10, -30.0, 10.0, method="newcombe", n=40)
    return SeriesView(
        services=("layanan-a", "layanan-b"), between=("layanan-a", "layanan-b"), control="layanan-b",
        points=(point("contoh-studi", 80, ("first",)), point("contoh-2", 70, ()), point("contoh-3", 50, ("suite",))),
        changes=(SeriesChange(service="layanan-a", first="contoh-studi", last="contoh-2", absolute=change, relative=change),),
    )  # fmt: skip


def site(output: str = "Semarang") -> SiteView:
    main = board(output)
    rerun = RerunView(
        run=run("contoh-ulang", "rerun"), of="contoh-utama", tolerance=Decimal("3.00"),
        pairs=(
            RerunPair(service="layanan-a", first=ROWS[0].total, second=measured(93), difference=Decimal("-0.75"),
                      within=True, changed_tasks=1, identical_answers=5, answers=6),
            RerunPair(service="layanan-d", first=Withheld(slug="truncated", facts={"calls": 3}), second=measured(9),
                      difference=None, within=None, changed_tasks=0, identical_answers=6, answers=6),
        ),
        changed=(), calls=(call("contoh-ulang"),),
        noise=measured(Fraction(53, 100), 0.24, 3.4, method="repeatability_sd", n=2),
        limit=measured(Fraction(647, 100), method="repeatability_limit", n=2),
    )  # fmt: skip
    correction = Correction(
        at=MOMENT, run_id="contoh-utama", service="layanan-a", task_id="png-01", old="0", new="100",
        old_grader="nsid-v1-auto-0.9", new_grader=GRADER, reason=Text(id="Pecahan kini dibaca.", en="Fractions are read now."),
    )  # fmt: skip
    return SiteView(
        main=main, boards=(main,), studies=(study(),), series=(series(),), reruns=(rerun,), corrections=(correction,), services=SERVICES,
        audits=publish(results(), RUN)[0].audits, built_for=MOMENT, newest_price_check=date(2026, 10, 25),
    )  # fmt: skip
