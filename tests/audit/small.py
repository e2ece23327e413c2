"""A small set of results in memory, with every kind of task and a jury: invented, nothing measured. Not results."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import msgspec

from generator.records import (
    Anchor,
    Ballot,
    Call,
    Design,
    DuelFile,
    JuryRules,
    Key,
    Opening,
    Pair,
    Results,
    RubricTask,
    Run,
    Seal,
    Service,
    StoredDuel,
    StoredRun,
    Suite,
    SuiteRef,
    Text,
    Verdict,
)
from tests.audit.samples import ZERO, exact, pairs, suite, translation, vocabulary
from tests.sample_calls import call

MOMENT = datetime(2026, 11, 30, 3, 45, tzinfo=UTC)
RUN = "contoh-utama"
SERVICES = {
    "layanan-a": "Vendor Satu",
    "layanan-b": "Vendor Dua",
    "layanan-c": "Vendor Tiga",
    "layanan-d": "Vendor Empat",
    "juri-satu": "Vendor Satu",
    "juri-dua": "Vendor Dua",
    "juri-tiga": "Vendor Tiga",
}
ASKED = ("layanan-a", "layanan-b", "layanan-c", "layanan-d")
RULES = JuryRules(pair=("juri-satu", "juri-dua"), third=("juri-tiga",), without_third="mean")
WORDS = pairs(("aku", "saya"), ("tertinggal", "ketinggalan"), scaffold=("itu",))
HIDDEN = "kalimat rahasia yang tidak boleh keluar dari sini"

EXACT = (
    exact("png-01", "Semarang", category="pengetahuan", normalise=("case", "punctuation", "lead_in_12")),
    exact("png-02", "Surabaya", category="pengetahuan", access="held_out", salt="a" * 32),
)
TRANSLATION = (
    translation(
        "trj-01", "Payung itu tertinggal di warung, nanti sore kuambil.", category="terjemahan", register="ngoko"
    ),
    translation(
        "trj-02", "Kalau airnya kurang bersih, lebih baik direbus dulu.", category="terjemahan", register="krama"
    ),
    translation("trj-03", "Aku masih lapar, mau beli dua bungkus nasi.", category="terjemahan", register="ngoko"),
    translation("trj-04", f"{HIDDEN}, begitu bunyinya.", category="terjemahan", access="held_out", salt="b" * 32),
)
VOCABULARY = (
    vocabulary("kos-01", "bakwan", "bala-bala", category="kosakata", region="Semarang", distractors=("nakal", "becek")),
    vocabulary("kos-02", "lapar", category="kosakata", region="Banyumas", distractors=("haus",)),
    vocabulary("kos-03", "duduk", category="kosakata", region="Banyumas", distractors=("jagung",)),
    vocabulary("kos-04", "senses rahasia", category="kosakata", region="Tegal", access="held_out", salt="c" * 32),
)
WRITING = tuple(
    RubricTask(
        id=f"mns-0{k}", category="menulis", access="public", prompt=f"Tulis surat {k}.", criteria=("Sopan.",),
        references=(f"Dengan hormat, surat nomor {k}.",),
    )
    for k in (1, 2, 3)
)  # fmt: skip
QUALITIES = (("excellent", 4, 5), ("acceptable", 3, 4), ("poor", 1, 2), ("off_topic", 1, 1), ("wrong_language", 1, 1),
             ("injection", 1, 1))  # fmt: skip
ANCHORS = tuple(
    Anchor(id=f"{task.id}-{quality}", task_id=task.id, quality=quality, expected_min=low, expected_max=high, text="…")  # type: ignore[arg-type]
    for task in WRITING
    for quality, low, high in QUALITIES
)


def sample_suite(**changes: Any) -> Suite:
    """Every kind of task; its jury knows anchors."""
    made = suite(*EXACT, *TRANSLATION, *VOCABULARY, *WRITING, words=WORDS, jury=RULES, anchors=ANCHORS)
    file = msgspec.structs.replace(made.file, id="contoh-v1", **changes)
    return msgspec.structs.replace(made, file=file)


ANSWERS = {
    "png-01": ("Semarang", "Jawabannya adalah Semarang.", "Solo", "Semarang atau Solo"),
    "png-02": ("Surabaya", "Malang", "Surabaya", "tidak tahu"),
    "trj-01": (
        "Payung itu ketinggalan di warung, nanti sore kuambil.",
        "Payungku di warung.",
        "Ukara trj-01.",
        "Hujan.",
    ),
    "trj-02": (
        "Kalau airnya kurang bersih, lebih baik direbus dulu.",
        "Jika air kotor, rebus dulu.",
        "",
        "Airnya bersih.",
    ),
    "trj-03": ("Saya masih lapar, mau beli dua bungkus nasi.", "Aku lapar.", "Ukara trj-03.", "Nasi dua."),
    "trj-04": ("Kalimat itu.", "Rahasia.", "Ukara trj-04.", "Tidak tahu."),
    "kos-01": ("bakwan", "nakal", "tidak tahu", "bakwan"),
    "kos-02": ("lapar", "Artinya lapar.", "haus", "bukan lapar"),
    "kos-03": ("jagung", "berdiri", "tidak tahu", "jagung atau pergi"),
    "kos-04": ("apa", "itu", "tidak tahu", "entah"),
    "mns-01": ("Dengan hormat, saya izin.", "Izin ya.", "Dengan hormat.", "Dengan hormat, saya izin."),
    "mns-02": ("Yang terhormat, mohon maaf.", "Maaf.", "Surat.", "Baik."),
    "mns-03": ("Terima kasih atas perhatiannya.", "Makasih.", "Ok.", "Terima kasih."),
}
JUDGED = {"layanan-a": ("juri-dua", "juri-tiga"), "layanan-b": ("juri-satu", "juri-tiga"),
          "layanan-c": ("juri-satu", "juri-dua"), "layanan-d": ("juri-satu", "juri-dua")}  # fmt: skip
SCORES = {"layanan-a": (5, 4), "layanan-b": (2, 2), "layanan-c": (1, 4), "layanan-d": (3, 3)}


def calls(**changes: Any) -> list[Call]:
    """One complete call a service and task."""
    return [
        call(
            **{
                "run_id": RUN,
                "service": service,
                "task_id": task,
                "call_id": f"{service}.{task}",
                "output": answers[place],
                "started_at": MOMENT,
                "output_tokens": 20 + place,
            }
            | changes
        )
        for task, answers in ANSWERS.items()
        for place, service in enumerate(ASKED)
    ]


def verdict(subject: str, task: str, by: str, score: int | None, role: str, minute: int = 0) -> Verdict:
    return Verdict(
        subject=subject, task_id=task, blind_id="0" * 12, by=by, vendor=SERVICES[by], role=role,  # type: ignore[arg-type]
        score=score, min=1, max=5, reason="Cukup.", returned_model=None, rubric_sha256=None,
        at=MOMENT + timedelta(minutes=minute), status="ok" if score else "unusable", artifact_path=None,
        input_tokens=None, output_tokens=None, cost_usd=None,
    )  # fmt: skip


def verdicts() -> list[Verdict]:
    """Two seats for every piece of writing, one third seat, one unusable line, and the anchors of two of the judges."""
    lines = []
    for minute, task in enumerate(WRITING):
        for service in ASKED:
            subject = f"{service}.{task.id}"
            for judge, score, role in zip(JUDGED[service], SCORES[service], ("first", "second"), strict=True):
                lines.append(verdict(subject, task.id, judge, score, role, minute))
    lines.append(verdict("layanan-d.mns-01", "mns-01", "juri-tiga", None, "third"))
    for anchor in ANCHORS:
        lines.append(verdict(anchor.id, anchor.task_id, "juri-satu", anchor.expected_max, "calibration"))
        lines.append(verdict(anchor.id, anchor.task_id, "juri-dua", 4, "calibration"))
        lines.append(verdict(anchor.id, anchor.task_id, "juri-tiga", anchor.expected_min, "calibration"))
    return lines


def contract(**changes: Any) -> Run:
    fields: dict[str, Any] = {
        "schema": 1,
        "run_id": RUN,
        "purpose": "formal",
        "suite": SuiteRef(id="contoh-v1", version="1", sha256=ZERO),
        "services": ASKED,
        "grader": "nsid-v1-auto-1.0",
        "place": "tempat uji",
        "design": Design(seed=1),
        "params": {},
    }
    return Run(**(fields | changes))


def stored(made: list[Call] | None = None, lines: list[Verdict] | None = None, **changes: Any) -> StoredRun:
    """A sealed run; its seal is of no concern to the audits."""
    made, lines = calls() if made is None else made, verdicts() if lines is None else lines
    seal = Seal(run_id=RUN, at=MOMENT, sha256={}, calls=len(made), verdicts=len(lines))
    return StoredRun(contract=contract(**changes), calls=tuple(made), verdicts=tuple(lines), seal=seal, score_lock=())


def service(name: str, vendor: str) -> Service:
    return Service(
        id=name, name=name.title(), vendor=vendor, group="uji/langsung", requested_model=name, protocol="openai",
        base_url="http://127.0.0.1:1/v1",
    )  # fmt: skip


def duel(choices: str, *, opened: bool = True, note: str = "sama saja", judge: str = "penyusun") -> StoredDuel:
    """A duel whose ballots are given as one letter a pair: r(eference), s(ervice) or t(ie)."""
    sheet = tuple(
        Pair(pair=f"p{n:02d}", task_id="trj-01", source="Payunge keri.", left=f"kiri {n}", right=f"kanan {n}")
        for n in range(1, len(choices) + 1)
    )
    left = {pair.pair: "reference" if n % 3 else "service" for n, pair in enumerate(sheet)}
    key = Key(duel="kunci-1", salt="5a" * 32, left=left)  # type: ignore[arg-type]
    wanted = {"r": "reference", "s": "service"}
    ballots = tuple(
        Ballot(
            duel="kunci-1",
            sheet_sha256=ZERO,
            pair=pair.pair,
            judge=judge,
            choice="tie" if letter == "t" else "left" if left[pair.pair] == wanted[letter] else "right",
            note=note if letter == "t" else "",
            at=MOMENT,
        )
        for pair, letter in zip(sheet, choices, strict=True)
    )
    declared = DuelFile(
        schema=1, id="kunci-1", suite=SuiteRef(id="contoh-v1", version="1", sha256=ZERO), run=RUN, service="layanan-a",
        made_at=MOMENT, question=Text(id="Mana yang lebih baik?", en="Which is better?"), pairs=len(sheet), identical=0,
        without_answer=0, sheet_sha256=ZERO, key_sha256=sha256(b"key").hexdigest(),
    )  # fmt: skip
    opening = Opening(at=MOMENT, ballots_sha256=ZERO) if opened else None
    return StoredDuel(declared=declared, sheet=sheet, ballots=ballots, key=key if opened else None, opening=opening)


PILOT = "t" * 11 + "s" * 5 + "r" * 4
"""The pilot's twenty pairs: eleven ties, five for the model, four for the key."""


def results(**changes: Any) -> Results:
    """Everything together; keywords replace fields."""
    fields: dict[str, Any] = {
        "services": {name: service(name, vendor) for name, vendor in SERVICES.items()},
        "suites": {"contoh-v1": sample_suite()},
        "runs": {RUN: stored()},
        "corrections": (),
        "duels": {"kunci-1": duel(PILOT)},
    }
    return Results(**(fields | changes))
