"""Makes ``tests/fixtures/results-mini``: a small, sound ``results/`` whose every text says that it is a fixture.

Run with ``python -m tests.store.make_mini`` after changing it. No model answered anything here.
"""

import hashlib
import json
import shutil
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

from generator.records import Call, Verdict
from generator.store.layout import Layout
from generator.store.suites import lock_suite
from generator.store.write import append, keep, seal_run, write_new

MINI = Path(__file__).resolve().parent.parent / "fixtures" / "results-mini"
SUITE, RUN = "mini-v1", "2026-01-05-mini"
START = datetime(2026, 1, 5, 9, 0, tzinfo=timezone(timedelta(hours=7)))
SECRET = b"a fixture has no secret"
CANARY = "00000000-0000-4000-8000-000000000001"

SERVICES = """\
# Fixture, used only by tests: none of these services exists.
schema = 1
""" + "".join(
    f"""
[[service]]
id = "{name}"
name = "Fixture {name}"
vendor = "Nobody {name}"
group = "{name}/fixture"
requested_model = "fixture-{name}"
protocol = "openai"
base_url = "http://127.0.0.1:9/v1"

[[service.price]]
source = "fixture"
currency = "USD"
input_per_mtok = "0.25"
output_per_mtok = "2.00"
assumed = true
"""
    for name in ("alpha", "beta", "gamma", "delta")
)

RULES = f"""\
# Fixture, used only by tests.
schema = 1
id = "{SUITE}"
version = "1.0.0"
language = "id"
title = {{ id = "Perlengkapan uji, bukan hasil", en = "Fixture used only by tests, no results" }}
licence = "CC-BY-4.0"
canary = "{CANARY}"

[[category]]
id = "satu"
name = {{ id = "Satu", en = "One" }}

[[category]]
id = "dua"
name = {{ id = "Dua", en = "Two" }}

[jury]
pair = ["gamma", "delta"]
"""

PUBLIC = """\
# Fixture, used only by tests.
schema = 1

[[task]]
id = "f-exact"
category = "satu"
kind = "exact"
access = "public"
prompt = "Perlengkapan uji: berapa 1 + 1?"
references = ["2"]
normalise = ["case", "punctuation"]
sources = [{ url = "https://example.org/fixture" }]
licence = "CC-BY-4.0"

[[task]]
id = "f-checks"
category = "satu"
kind = "checks"
access = "public"
prompt = "Perlengkapan uji: tulis tiga kata."
checks = [{ type = "words", equals = 3 }, { type = "contains", text = "uji" }]
licence = "CC-BY-4.0"

[[task]]
id = "f-rubric"
category = "satu"
kind = "rubric"
access = "public"
prompt = "Perlengkapan uji: tulis satu kalimat."
criteria = ["Satu kalimat."]
references = ["Ini satu kalimat."]
licence = "CC-BY-4.0"
"""

HELD_OUT = f"""\
# Canary: {CANARY}
# Fixture, used only by tests: nothing here is secret.
schema = 1

[[task]]
id = "f-terjemahan"
category = "dua"
kind = "translation"
access = "held_out"
prompt = "Perlengkapan uji: terjemahkan: Kula kesah."
references = ["Saya pergi."]
source_text = "Kula kesah."
direction = "jv-id"
register = "krama"
salt = "000102030405060708090a0b0c0d0e0f"

[[task]]
id = "f-kosakata"
category = "dua"
kind = "vocabulary"
access = "held_out"
prompt = "Perlengkapan uji: apa arti “kesah”?"
word = "kesah"
word_language = "jv"
senses = ["pergi"]
salt = "101112131415161718191a1b1c1d1e1f"

[[task]]
id = "f-eksak-2"
category = "dua"
kind = "exact"
access = "held_out"
prompt = "Perlengkapan uji: berapa 2 + 2?"
references = ["4"]
repeats = 2
salt = "202122232425262728292a2b2c2d2e2f"
"""

ANCHORS = """\
# Fixture, used only by tests.
schema = 1

[[anchor]]
id = "f-rubric-poor"
task_id = "f-rubric"
quality = "poor"
expected_min = 1
expected_max = 2
text = "Bukan kalimat"
"""

VARIANTS = """\
# Fixture, used only by tests.
schema = 1
scaffold = ["itu"]

[[synonym]]
a = "memakai"
b = "menggunakan"
"""

CONTRACT = f"""\
# Fixture, used only by tests: no service was asked.
schema = 1
run_id = "{RUN}"
purpose = "pilot"
suite = {{ id = "{SUITE}", version = "1.0.0", sha256 = "SUITE_SHA256" }}
services = ["alpha", "beta"]
grader = "fixture"
place = "nowhere: a fixture"
window = {{ start = 2026-01-05T09:00:00+07:00, end = 2026-01-05T10:00:00+07:00 }}
design = {{ seed = 1 }}
attempts = 2

[params.alpha]
temperature = {{ asked = 0.0, applied = 0.0 }}
max_output_tokens = {{ asked = 64, applied = 64 }}

[params.beta]
temperature = {{ asked = 0.0, applied = "unsupported" }}
max_output_tokens = {{ asked = 64, applied = 64 }}
reasoning = {{ asked = "default", applied = "unknown" }}
"""

ANSWERS = [
    # service, task, repeat, attempt, output; None: a timeout
    ("alpha", "f-exact", 1, 1, "2"),
    ("beta", "f-exact", 1, 1, None),
    ("beta", "f-exact", 1, 2, "Dua."),
    ("alpha", "f-checks", 1, 1, "ini kata uji"),
    ("beta", "f-checks", 1, 1, "dua kata"),
    ("alpha", "f-rubric", 1, 1, "Ini kalimat alfa."),
    ("beta", "f-rubric", 1, 1, "Ini kalimat beta — “baik”."),
    ("alpha", "f-terjemahan", 1, 1, "Saya pergi."),
    ("beta", "f-terjemahan", 1, 1, "Kula kesah."),
    ("alpha", "f-kosakata", 1, 1, "pergi"),
    ("beta", "f-kosakata", 1, 1, "datang"),
    ("alpha", "f-eksak-2", 1, 1, "4"),
    ("alpha", "f-eksak-2", 2, 1, "5"),
    ("beta", "f-eksak-2", 1, 1, "4"),
    ("beta", "f-eksak-2", 2, 1, "4"),
]
VERDICTS = [
    # subject, judge, role, score; None: an unusable verdict
    ("c06", "gamma", "first", 4),
    ("c06", "delta", "second", 5),
    ("c07", "gamma", "first", None),
    ("c07", "delta", "second", 3),
    ("f-rubric-poor", "gamma", "calibration", 2),
]


def make(root: Path) -> None:
    """Write the whole fixture under ``root``, which must not exist."""
    layout = Layout(root)
    suite = layout.suite_dir(SUITE)
    write_new(layout.services, SERVICES.encode())
    for name, text in (("suite.toml", RULES), ("tasks.toml", PUBLIC), ("tasks.held_out.toml", HELD_OUT),
                       ("anchors.toml", ANCHORS), ("variants.toml", VARIANTS),
                       ("rubric.id.md", "# Perlengkapan uji\n"), ("rubric.en.md", "# Fixture\n")):  # fmt: skip
        write_new(suite / name, text.encode())
    lock = lock_suite(layout, SUITE)
    write_new(layout.suite_lock(SUITE), lock)
    sha256 = hashlib.sha256(RULES.encode() + lock).hexdigest()
    write_new(layout.contract(RUN), CONTRACT.replace("SUITE_SHA256", sha256).encode())
    for number, answer in enumerate(ANSWERS, 1):
        append(layout.calls(RUN), call(layout, number, *answer))
    for number, verdict in enumerate(VERDICTS, 1):
        append(layout.verdicts(RUN), judged(number, *verdict))
    seal_run(layout, RUN, START + timedelta(hours=1))


def call(layout: Layout, number: int, service: str, task: str, repeat: int, attempt: int, output: str | None) -> Call:
    """One line of the call log, its two artifacts stored."""
    request = json.dumps({"fixture": True, "task": task}, sort_keys=True, separators=(",", ":")).encode()
    keep(layout, request, "json")
    response = None if output is None else keep(layout, json.dumps({"fixture": output}).encode(), "json")
    return Call(
        run_id=RUN,
        block_id="1",
        service=service,
        service_group=f"{service}/fixture",
        requested_model=f"fixture-{service}",
        returned_model=None if output is None else f"fixture-{service}",
        started_at=START + timedelta(minutes=number),
        request_hash=hashlib.sha256(request).hexdigest(),
        status="timeout" if output is None else "ok",
        finish_reason=None if output is None else "stop",
        latency_ms=None if output is None else 100 + number,
        qualified=None,
        failure_reason=None,
        artifact_path=response,
        call_id=f"c{number:02d}",
        task_id=task,
        repeat=repeat,
        attempt=attempt,
        output=output,
        output_sha256=None if output is None else hashlib.sha256(output.encode()).hexdigest(),
        input_tokens=None if output is None else 10,
        output_tokens=None if output is None else len(output),
        reasoning_tokens=None,
        max_output_tokens=64,
        cost_usd=None if output is None else Decimal("0.000010"),
        system_fingerprint=None,
    )


def judged(number: int, subject: str, by: str, role: str, score: int | None) -> Verdict:
    """One verdict."""
    return Verdict(
        subject=subject,
        task_id="f-rubric",
        blind_id=hashlib.sha256(SECRET + subject.encode()).hexdigest()[:12],
        by=by,
        vendor=f"Nobody {by}",
        role=role,  # type: ignore[arg-type]
        score=score,
        min=1,
        max=5,
        reason=None if score is None else "Perlengkapan uji.",
        returned_model=f"fixture-{by}",
        rubric_sha256=None,
        at=START + timedelta(minutes=30 + number),
        status="unusable" if score is None else "ok",
        artifact_path=None,
        input_tokens=20,
        output_tokens=5,
        cost_usd=Decimal("0.000015"),
    )


if __name__ == "__main__":
    shutil.rmtree(MINI, ignore_errors=True)
    make(MINI)
