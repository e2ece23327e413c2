"""A small suite with one public and one held-out task, and a site of two pages that passes every check."""

import hashlib

import msgspec
import pytest

from generator.records import Results

CANARY = "5b0c9d1e-7a44-4f7e-9c55-0d6b7f3f1a2c"
SALT = "0123456789abcdef0123456789abcdef"
HELD_PROMPT = "Sebutkan tiga sungai terpanjang di Pulau Kalimantan beserta provinsi yang dilaluinya, lalu urutkan."
HELD_ANSWER = "Sungai Kapuas mengalir di Kalimantan Barat, Sungai Mahakam di Kalimantan Timur, Barito di Selatan."
HELD_REASON = "Jawaban menyebut tiga sungai dengan benar tetapi urutannya tertukar pada bagian akhir."
PUBLIC_PROMPT = "Sebutkan nama ibu kota Provinsi Kalimantan Tengah dalam satu kata saja tanpa penjelasan tambahan."


def _call(task: str, number: int, output: str) -> dict[str, object]:
    digest = hashlib.sha256(output.encode()).hexdigest()
    return {
        "run_id": "r", "block_id": "1", "service": "luna", "service_group": "g", "requested_model": "m",
        "returned_model": "m", "started_at": "2026-10-25T10:00:00+07:00", "request_hash": "0" * 64, "status": "ok",
        "finish_reason": "stop", "latency_ms": 5, "qualified": None, "failure_reason": None, "artifact_path": None,
        "call_id": f"c{number}", "task_id": task, "repeat": 1, "attempt": 1, "output": output, "output_sha256": digest,
        "input_tokens": 1, "output_tokens": 1, "reasoning_tokens": None, "max_output_tokens": 100, "cost_usd": "0",
        "system_fingerprint": None,
    }  # fmt: skip


def _verdict(task: str, subject: str, reason: str) -> dict[str, object]:
    return {
        "subject": subject, "task_id": task, "blind_id": "0" * 12, "by": "judge", "vendor": "v", "role": "first",
        "score": 4, "min": 1, "max": 5, "reason": reason, "returned_model": None, "rubric_sha256": None,
        "at": "2026-10-25T11:00:00+07:00", "status": "ok", "artifact_path": None, "input_tokens": None,
        "output_tokens": None, "cost_usd": None,
    }  # fmt: skip


def _lock(name: str, kind: str, access: str) -> dict[str, object]:
    return {"id": name, "category": "geo", "kind": kind, "access": access, "repeats": 1, "commitment": "0" * 64}


@pytest.fixture(scope="session")
def results() -> Results:
    held = {
        "id": "geo-02", "category": "geo", "kind": "rubric", "access": "held_out", "prompt": HELD_PROMPT,
        "system": "Jawab dalam bahasa Indonesia yang baku dan sopan untuk pembaca sekolah menengah pertama.",
        "references": ["Kapuas, Mahakam, dan Barito adalah tiga sungai terpanjang di pulau itu menurut panjangnya."],
        "criteria": ["Menyebut tepat tiga nama sungai besar dan provinsi yang dilalui masing-masing sungai"],
        "sources": [{"url": "https://example.org/atlas/sungai-terpanjang-di-kalimantan-menurut-badan-informasi"}],
        "salt": SALT,
    }  # fmt: skip
    public = {
        "id": "geo-01", "category": "geo", "kind": "exact", "access": "public", "prompt": PUBLIC_PROMPT,
        "references": ["Palangka Raya"],
    }  # fmt: skip
    text = {"id": "Geografi", "en": "Geography"}
    suite = {
        "file": {
            "schema": 1, "id": "kecil", "version": "1", "language": "id", "title": text, "licence": "CC-BY-4.0",
            "canary": CANARY, "category": [{"id": "geo", "name": text}],
        },
        "tasks": [public, held],
        "lock": [_lock("geo-01", "exact", "public"), _lock("geo-02", "rubric", "held_out")],
        "sha256": "0" * 64,
    }  # fmt: skip
    run = {
        "contract": {
            "schema": 1, "run_id": "r", "purpose": "formal", "services": ["luna"], "grader": "g-1", "place": "Jakarta",
            "suite": {"id": "kecil", "version": "1", "sha256": "0" * 64}, "design": {"seed": 1}, "params": {},
        },
        "calls": [_call("geo-01", 1, "Palangka Raya"), _call("geo-02", 2, HELD_ANSWER)],
        "verdicts": [_verdict("geo-02", "c2", HELD_REASON)],
        "seal": None,
        "score_lock": [],
    }  # fmt: skip
    return msgspec.convert(
        {"services": {}, "suites": {"kecil": suite}, "runs": {"r": run}, "corrections": []}, Results, strict=False
    )


def page(lang: str, here: str, there: str, body: str) -> bytes:
    other = "en" if lang == "id" else "id"
    return f"""<!doctype html>
<html lang="{lang}"><head><meta charset="utf-8"><title>Rapor</title>
<link rel="alternate" hreflang="{lang}" href="https://example.org/rapor/{here}">
<link rel="alternate" hreflang="{other}" href="https://example.org/rapor/{there}">
<link rel="stylesheet" href="../style.css"></head>
<body><nav><a hreflang="{other}" lang="{other}" href="../{there}">{other}</a></nav>
<main id="isi">{body}</main></body></html>
""".encode()


def summed(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files with a fresh ``SHA256SUMS``."""
    rest = {path: data for path, data in sorted(files.items()) if path != "SHA256SUMS"}
    lines = [f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in rest.items()]
    return {**rest, "SHA256SUMS": "".join(lines).encode()}


@pytest.fixture
def files() -> dict[str, bytes]:
    figures = {
        "id": '<p><data value="1234.5">1.234,5</data> pada <time datetime="2026-10-25">25 Oktober 2026</time></p>',
        "en": '<p><data value="1234.5">1,234.5</data> on <time datetime="2026-10-25">25 October 2026</time></p>',
    }
    links = '<a href="#isi">a</a><a href="https://example.com/x">b</a><a href="../data/scores.csv">c</a>'
    return summed(
        {
            "index.html": b'<!doctype html><html lang="id"><title>x</title><a href="id/beranda.html">id</a></html>',
            "id/beranda.html": page("id", "id/beranda.html", "en/home.html", figures["id"] + links),
            "en/home.html": page("en", "en/home.html", "id/beranda.html", figures["en"] + links),
            "style.css": b"body { color: black }",
            "data/scores.csv": b"service,score\nluna,1234.5\n",
        }
    )
