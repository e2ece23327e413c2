"""A planted held-out text is found in every form and every kind of file, and nothing public is taken for one."""

import base64
import bz2
import gzip
import html
import io
import json
import lzma
import tarfile
import urllib.parse
import zipfile
from collections.abc import Callable

import msgspec
import pytest
import zstandard

from generator.findings import Finding
from generator.records import Results
from generator.verify.leaks import check_leaks
from generator.verify.secrets import secrets
from tests.verify.conftest import CANARY, HELD_ANSWER, HELD_PROMPT, HELD_REASON, PUBLIC_PROMPT, SALT

Form = Callable[[str], str]

FORMS: dict[str, Form] = {
    "raw": str,
    "html": lambda text: html.escape(text).replace(",", "&#44;").replace("a", "&#x61;"),
    "html every letter": lambda text: "".join(f"&#{ord(ch)};" for ch in text),
    "json": lambda text: json.dumps(text.replace(", ", ",\n")),
    "json every letter": lambda text: "".join(f"\\u{ord(ch):04x}" for ch in text),
    "url": urllib.parse.quote,
    "url form": urllib.parse.quote_plus,
    "url every letter": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "base64 at 0": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 at 1": lambda text: base64.b64encode(b"." + text.encode()).decode(),
    "base64 at 2": lambda text: base64.b64encode(b".." + text.encode()).decode(),
    "base64 inside a longer run": lambda text: "abc" + base64.b64encode(b"before " + text.encode() + b" x").decode(),
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "base64 in lines": lambda text: base64.encodebytes(text.encode()).decode(),
    "base64 of json": lambda text: base64.b64encode(json.dumps(text.replace(" ", "\n")).encode()).decode(),
    "upper case": str.upper,
    "lower case": str.lower,
    "other spaces": lambda text: text.replace(" ", "\u00a0\n\t "),
    "no marks": lambda text: text.replace(",", "").replace(".", ""),
    "soft hyphens": lambda text: text.replace("ng", "n\u00adg"),
    "zero-width": lambda text: text.replace("a", "a\u200b"),
    "a part": lambda text: text if len(text.split()) < 12 else " ".join(text.split()[2:11]),
    "json in html": lambda text: html.escape(json.dumps({"x": text.replace(" ", "\t")})),
    "html in json": lambda text: json.dumps(html.escape(text).replace("a", "&#97;")),
    "url in html": lambda text: html.escape(f"?a=1&b={urllib.parse.quote(text)}"),
}

KINDS: dict[str, Callable[[str], bytes]] = {
    "page.html": lambda text: f"<!doctype html><html><p>x {text} y</p></html>".encode(),
    "attribute.html": lambda text: (
        f'<!doctype html><html><p title="{text.replace(chr(34), "&quot;")}">x</p></html>'.encode()
    ),
    "comment.html": lambda text: f"<!doctype html><html><!-- {text} --></html>".encode(),
    "script.html": lambda text: f"<html><script type='application/ld+json'>{text}</script></html>".encode(),
    "marked.html": lambda text: ("<html><p>" + text.replace(" ", "</b> <i>") + "</p></html>").encode(),
    "chart.svg": lambda text: f"<svg xmlns='http://www.w3.org/2000/svg'><desc>{text}</desc></svg>".encode(),
    "feed.xml": lambda text: f"<?xml version='1.0'?><feed><title>{text}</title></feed>".encode(),
    "data.json": lambda text: (
        f'{{"a": "b", "c": {text if text.startswith(chr(34)) else chr(34) + text + chr(34)}}}'.encode()
    ),
    "table.csv": lambda text: f"a,b\n1,2\n3,{text}\n".encode(),
    "notes.txt": lambda text: f"x\n{text}\n".encode(),
    "style.css": lambda text: f"/* {text} */".encode(),
    "script.js": lambda text: f"const a = `{text}`".encode(),
}


def zipped(data: bytes) -> bytes:
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("inner.txt", data)
        return file.getvalue()


def tarred(data: bytes) -> bytes:
    with io.BytesIO() as file:
        with tarfile.open(fileobj=file, mode="w:gz") as archive:
            entry = tarfile.TarInfo("inner.txt")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
        return file.getvalue()


ARCHIVES: dict[str, Callable[[bytes], bytes]] = {
    "a.zip": zipped,
    "a.tar.gz": tarred,
    "a.gz": gzip.compress,
    "a.bz2": bz2.compress,
    "a.xz": lzma.compress,
    "a.zst": zstandard.compress,
    "deep.zip": lambda data: zipped(gzip.compress(zipped(data))),
}


def leaks(files: dict[str, bytes], results: Results) -> list[Finding]:
    return [finding for finding in check_leaks(files, results) if finding.slug == "leak"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_in_every_kind_of_file(form: str, kind: str, results: Results) -> None:
    for secret in secrets(results):
        found = leaks({kind: KINDS[kind](FORMS[form](secret.text))}, results)
        assert any(f"{secret.kind} of {secret.task}" in finding.found for finding in found), secret.kind
        assert all(finding.file == kind and finding.blocking for finding in found)


@pytest.mark.parametrize("name", ARCHIVES)
def test_archives_are_opened(name: str, results: Results) -> None:
    (finding,) = leaks({name: ARCHIVES[name](f"x {HELD_PROMPT}".encode())}, results)
    assert finding.file.startswith(f"{name}!")
    assert "prompt of geo-02" in finding.found


def test_names_of_files_and_of_archived_files_are_read(results: Results) -> None:
    slug = "-".join(HELD_PROMPT.lower().split())
    (finding,) = leaks({f"id/{slug}.html": b""}, results)
    assert "file name" in finding.found
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(f"{slug}.txt", b"")
        assert leaks({"a.zip": file.getvalue()}, results)


@pytest.mark.parametrize(
    ("data", "form", "byte"),
    [
        (f"<p>é {HELD_PROMPT}", "raw", 6),
        (f"<p>é {HELD_PROMPT.upper()}", "normalised", 6),
        (f"<p>&eacute; {HELD_PROMPT.replace(' ', '&#32;')}", "html", 12),
        (f"<script>é {HELD_PROMPT.replace(' ', chr(92) + 'u0020')}", "json", 11),
        (f"<a href='x?q={HELD_PROMPT.replace(' ', '%20')}'>", "url", 13),
    ],
)
def test_a_hit_names_place_and_form_and_never_quotes(data: str, form: str, byte: int, results: Results) -> None:
    (finding,) = leaks({"a.html": data.encode()}, results)
    assert finding.field == f"byte {byte}"
    assert f"form {form}," in finding.found
    assert "sungai" not in str(finding).lower()


def test_what_is_public_is_no_secret(results: Results) -> None:
    """Public prompts, answers to public tasks and the canary's neighbours do not raise an alarm."""
    page = f"<html><p>{PUBLIC_PROMPT}</p><p>Palangka Raya</p><p>20</p><p>Kapuas</p></html>"
    assert leaks({"a.html": page.encode()}, results) == []


def test_a_run_of_words_that_is_public_too_is_taken_out_by_computation(results: Results) -> None:
    """The same prompt leaks until a public task says the same."""
    site = {"a.txt": HELD_PROMPT.encode()}
    assert leaks(site, results)
    suite = results.suites["kecil"]
    public = msgspec.structs.replace(suite.tasks[0], prompt=f"Jelaskan. {HELD_PROMPT}")
    opened = msgspec.structs.replace(suite, tasks=(public, suite.tasks[1]))
    assert leaks(site, msgspec.structs.replace(results, suites={"kecil": opened})) == []


@pytest.mark.parametrize("text", [CANARY, SALT, HELD_ANSWER, HELD_REASON])
def test_stored_secrets_are_known(text: str, results: Results) -> None:
    assert text in {secret.text for secret in secrets(results)}


def test_short_answers_and_lists_of_numbers_say_nothing(results: Results) -> None:
    run = results.runs["r"]
    answers = ["20", "Bandung", "1 2 3 4 5 6 7 8 9 10 11 12", "ya ya ya ya ya ya ya ya ya ya"]
    calls = [msgspec.structs.replace(run.calls[1], call_id=f"x{n}", output=text) for n, text in enumerate(answers)]
    changed = msgspec.structs.replace(results, runs={"r": msgspec.structs.replace(run, calls=(*run.calls, *calls))})
    assert leaks({"a.csv": "\n".join(answers).encode()}, changed) == []


def test_markup_shared_with_an_answer_is_no_sentence(results: Results) -> None:
    head = (
        '<!doctype html><html lang="id"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    )
    run = results.runs["r"]
    call = msgspec.structs.replace(run.calls[1], output=f"{head}<title>Halo</title>")
    changed = msgspec.structs.replace(results, runs={"r": msgspec.structs.replace(run, calls=(call,), verdicts=())})
    assert leaks({"a.html": f"{head}<title>Rapor</title>".encode()}, changed) == []
    assert leaks({"a.html": html.escape(head).encode()}, changed)


def test_what_cannot_be_searched_stops_the_build(results: Results) -> None:
    found = list(check_leaks({"a.bin": b"\x80\x81\xff" * 9, "b.zip": b"PK\x03\x04broken"}, results))
    assert {(finding.file, finding.slug) for finding in found} == {("a.bin", "unsearchable"), ("b.zip", "unsearchable")}


def test_a_bomb_is_not_unfolded(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.verify.archives.LIMIT", 10_000)
    (finding,) = check_leaks({"a.gz": gzip.compress(bytes(10**6))}, results)
    assert finding.slug == "unsearchable"


def test_absent_held_out_tasks_are_remarked(results: Results) -> None:
    suite = msgspec.structs.replace(results.suites["kecil"], tasks=results.suites["kecil"].tasks[:1])
    (finding,) = check_leaks({}, msgspec.structs.replace(results, suites={"kecil": suite}))
    assert finding.slug == "held-out-not-at-hand"
    assert not finding.blocking
