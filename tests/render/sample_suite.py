"""Suite, services and tasks of the hand-made site: all invented, nothing measured. Not results."""

from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction

from generator.publish.board_views import CategoryView
from generator.publish.run_views import RunView, ServiceView, SuiteView
from generator.records import (
    ChecksTask,
    Design,
    ExactTask,
    ListItems,
    Measured,
    Price,
    Recipe,
    RubricTask,
    Setting,
    Source,
    TaskLock,
    Text,
)

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
        run_id=run_id,
        purpose=purpose,
        suite="contoh-v1",
        suite_version="1.0.0",
        suite_sha256=SUITE_HASH,
        grader=GRADER,
        place="tempat uji",
        design=Design(seed=1),
        attempts=5,
        timeout_s=120,
        window=None,
        first_call=MOMENT,
        last_call=MOMENT,
        services=4,
        calls=20,
        answers=16,
        sealed=True,
    )


SUITE = SuiteView(
    id="contoh-v1",
    version="1.0.0",
    sha256=SUITE_HASH,
    language="id",
    title=Text(id="Perangkat contoh", en="Sample suite"),
    licence="CC-BY-4.0",
    tasks=4,
    public=3,
    held_out=1,
    exact=1,
    checks=1,
    rubric=2,
    translation=0,
    vocabulary=0,
    sources=2,
    sources_checked=1,
    held_out_at_hand=True,
    incomplete_percent=5,
    truncation="count-as-failure",
    rubric_text=None,
    lock=tuple(
        TaskLock(id=name, category=category, kind=kind, access=access, repeats=1, commitment="a" * 64)  # type: ignore[arg-type]
        for name, category, kind, access in (
            ("png-01", "pengetahuan", "exact", "public"),
            ("png-02", "pengetahuan", "exact", "held_out"),
            ("ins-01", "instruksi", "checks", "public"),
            ("mns-01", "menulis", "rubric", "public"),
        )
    ),
)

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
        id=name,
        name=title,
        vendor="Vendor Uji",
        group="uji/langsung",
        requested_model=f"{name}-model",
        returned_models=(f"{name}-model",),
        fingerprints=(),
        about=Text(id="Layanan rekaan.", en="An invented service."),
        owned_by_us=False,
        sponsor=False,
        price=price,
        settings={
            "temperature": Setting(asked=0, applied=0),
            "reasoning": Setting(asked="default", applied="unknown"),
            "seed": Setting(asked=7, applied="unsupported"),
        },
        sources=(Source(url="https://example.org/model"),),
    )


PRICE = Price(
    checked=date(2026, 10, 25),
    source="https://example.org/price",
    currency="USD",
    input_per_mtok=Decimal("0.25"),
    output_per_mtok=Decimal("2.00"),
)

SERVICES = (
    service("layanan-a", "Layanan A", price=PRICE),
    service("layanan-b", "Layanan B"),
    service("layanan-c", "Layanan C"),
    service("layanan-d", "Layanan D"),
)

TASKS = (
    ExactTask(
        id="png-01",
        category="pengetahuan",
        access="public",
        prompt="Apa ibu kota Jawa Tengah?",
        references=("Semarang",),
        normalise=("case", "punctuation"),
        licence="CC-BY-4.0",
        sources=(Source(url="https://example.org/a"), Source(url="https://example.org/b", checked=date(2026, 10, 25))),
    ),
    ChecksTask(
        id="ins-01",
        category="instruksi",
        access="public",
        prompt="Sebutkan lima alat musik.",
        system="Jawab singkat.",
        checks=(ListItems(equals=5),),
        licence="CC-BY-4.0",
    ),
    RubricTask(
        id="mns-01",
        category="menulis",
        access="public",
        prompt="Tulis surat izin.",
        repeats=3,
        criteria=("Memuat semua keterangan.", "Memakai ragam resmi."),
        references=("Dengan hormat, …",),
        licence="CC-BY-4.0",
        note=Text(id="Catatan.", en="A note."),
    ),
)
