"""Everything that reads what others wrote, as one table: a sound file, and what takes its bytes.

``tests/test_fuzz.py`` spoils the bytes. Whatever they are, reading them ends in findings and never in a crash.
"""

import bz2
import gzip
import io
import lzma
import socketserver
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import pyrage
import zstandard

from generator.cli_recompute import columns, read_claims
from generator.collect.protocols import Protocol, UnreadableError, reply
from generator.deliver import deliver
from generator.findings import Faults, Finding
from generator.outside import audit
from generator.outside.source import fetch
from generator.render.addresses import Addresses
from generator.render.content import load_content
from generator.render.language import Language
from generator.render.prose import Setter
from generator.render.sheet import Sheet
from generator.store.duels import add_ballots
from generator.store.encrypted import decrypt, encrypt
from generator.store.layout import Layout
from generator.store.read import read_results
from generator.store.reveals import check_reveal
from generator.verify.leaks import check_leaks
from tests.outside.conftest import summed
from tests.render import sample
from tests.store.make_mini import RUN, SUITE


class Reader(NamedTuple):
    """What is read, and how: ``read`` gives findings, or raises ``Faults``, and nothing else."""

    sound: bytes
    read: Callable[[bytes], Iterable[Finding]]
    words: tuple[bytes, ...] = ()
    """Pieces that mean something in such a file."""


@dataclass(frozen=True)
class Ground:
    """Where readers read: a folder of our own with ``results``, ``content`` and ``site_templates``; a finished site."""

    folder: Path
    site: dict[str, bytes]


def nothing(_: object) -> tuple[Finding, ...]:
    """No findings, whatever was read."""
    return ()


def in_place(path: Path, read: Callable[[], object], words: tuple[bytes, ...] = ()) -> Reader:
    """A file among others: spoilt where it lies, and made whole again."""
    sound = path.read_bytes()

    def spoilt(data: bytes) -> Iterable[Finding]:
        path.write_bytes(data)
        try:
            return nothing(read())
        finally:
            path.write_bytes(sound)

    return Reader(sound, spoilt, words)


def stored(name: str, ground: Ground) -> Reader:
    """A file of ``results/``."""
    return in_place(ground.folder / "results" / name, partial(read_results, ground.folder / "results"))


def content(name: str, ground: Ground) -> Reader:
    """A file of ``content/``; its pages are set too."""
    folder, site = ground.folder / "content", sample.site()

    def read() -> None:
        read, found = load_content(folder), list[Finding]()
        setter, addresses = Setter({"site": site, "main": site.main}), Addresses(site, read)
        for code in ("id", "en"):
            sheet = Sheet(Language(code, read.catalogue), addresses.get("methodology"), addresses)
            for page in read.pages.values():
                if page.texts[code].file.endswith(name):
                    setter.set(page, sheet, found)
        raise Faults(found)

    words = (b"{{", b"}}", b"{% for x in site %}", b"{{ main.suite.tasks ** 9999 }}", b"+++\n", b"](", b"](page:",
             b"{a.b}", b"{{ site|attr('__class__') }}", b"%(n)s", b'msgid ""', b"#, fuzzy", b"|a|\n|-|\n")  # fmt: skip
    return in_place(folder / name, read, words)


def published(name: str, ground: Ground) -> Reader:
    """A file of a published site, as ``rapor verify`` reads it; its hash is made right."""
    return Reader(ground.site[name], lambda data: audit(summed({**ground.site, name: data})).findings)


def sums(ground: Ground) -> Reader:
    """The list of hashes."""
    return Reader(ground.site["SHA256SUMS"], lambda data: audit({**ground.site, "SHA256SUMS": data}).findings)


def about_to_be_published(name: str, sound: bytes, ground: Ground) -> Reader:
    """A file of a finished site, as the leak gate reads it."""
    results = read_results(ground.folder / "results")
    return Reader(
        sound, lambda data: check_leaks({name: data}, results), (b"PK\x03\x04", b"&#x110000;", b"\\ud800", b"%ff")
    )


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip file."""
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return file.getvalue()


def tarred(files: dict[str, bytes], kind: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar archive."""
    with io.BytesIO() as file:
        with tarfile.open(fileobj=file, mode="w", format=kind) as archive:
            for name, data in files.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
        return file.getvalue()


FEW = {"SHA256SUMS": b"0" * 64 + b"  a.txt\n", "a.txt": b"a" * 99, "data/" + "b" * 120: b"b\n"}
HTTP = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(FEW["SHA256SUMS"]), FEW["SHA256SUMS"])
HTTP_WORDS = tuple(
    f"{line}\r\n".encode()
    for line in (
        "HTTP/1.1 302 Found", "HTTP/1.1 206 Partial", "HTTP/1.1 503 Busy", "HTTP/9 x y", "Location: http://[::1",
        "Location: //\x00", "Location: a:b", "Retry-After: 999999999999", "Retry-After: ²", "Content-Encoding: gzip",
        "Content-Encoding: zstd", "Content-Encoding: gzip, gzip", "Transfer-Encoding: chunked", "Content-Length: -1",
        "Content-Length: 9999999999", "0", "ffffffff",
    )
)  # fmt: skip


def zip_file(ground: Ground) -> Reader:
    """A zip file given to ``rapor verify``."""
    path = ground.folder / "site.zip"
    path.write_bytes(zipped(FEW))
    return in_place(path, lambda: fetch(str(path), None, lambda _: None))


def server(ground: Ground) -> Reader:
    """What a server sends to ``rapor verify``: one and the same, whatever it is asked."""
    sent = [HTTP]

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline() not in {b"\r\n", b""}:
                pass
            with suppress(OSError):
                self.wfile.write(sent[0])

    listening = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    threading.Thread(target=listening.serve_forever, daemon=True).start()

    def read(data: bytes) -> Iterable[Finding]:
        sent[0] = data
        return nothing(fetch(f"http://127.0.0.1:{listening.server_address[1]}/", None, lambda _: None))

    return Reader(HTTP, read, HTTP_WORDS)


def folder_of_a_site(ground: Ground) -> Reader:
    """The hashes in a folder that a build is about to replace."""
    out, site = ground.folder / "public", summed(FEW)
    deliver(site, out)
    return in_place(out / "SHA256SUMS", lambda: deliver(site, out))


KEY = pyrage.x25519.Identity.generate()


def encrypted(ground: Ground) -> Reader:
    """An encrypted private directory."""
    return Reader(encrypt(FEW, [str(KEY.to_public())]), lambda data: nothing(decrypt(data, str(KEY))))


def archive_inside(kind: int, ground: Ground) -> Reader:
    """What somebody else encrypted to our key."""

    def read(data: bytes) -> Iterable[Finding]:
        return nothing(decrypt(bytes(pyrage.encrypt(data, [KEY.to_public()])), str(KEY)))

    return Reader(tarred(FEW, kind), read, (b"../x", b"/etc", b"GNU.sparse.realsize=99999999999\n", b"S", b"x", b"L"))


def identity(ground: Ground) -> Reader:
    """The key as it stands in the environment."""
    data = encrypt(FEW, [str(KEY.to_public())])
    return Reader(f"# a\n{KEY}\n".encode(), lambda key: nothing(decrypt(data, key.decode("utf-8", "replace"))))


CLAIMS = b"""schema = 1
title = { id = "a", en = "b" }
[[claim]]
id = "c"
table = "t.tsv"
hypothesis = "a"
reference = "r"
metric = "bleu"
claimed = "12.3"
"""


def claims(name: str, ground: Ground) -> Reader:
    """The claims of ``rapor recompute``, or the table that they rest on."""
    folder = ground.folder / "claims"
    folder.mkdir(exist_ok=True)
    (folder / "claims.toml").write_bytes(CLAIMS)
    (folder / "t.tsv").write_bytes(b"n\ta\tr\n1\tsatu dua\tsatu tiga\n2\t\tempat\n")

    def read() -> None:
        for claim in read_claims(folder / "claims.toml").claim:
            columns(folder, claim)

    return in_place(folder / name, read, (b'table = "/etc/passwd"', b'table = "../../x"', b"/dev/zero", b'"', b"\x00"))


def ballots(ground: Ground) -> Reader:
    """Ballots as a judge's browser exports them."""
    layout = Layout(ground.folder / "results")
    duel = read_results(layout.root).duels["uji"]
    path = ground.folder / "exported.jsonl"
    path.write_bytes(layout.ballots("uji").read_bytes())
    target = Layout(ground.folder / "added")
    return in_place(path, lambda: add_ballots(target, msgspec.structs.replace(duel, ballots=()), [path]))


def reveals(name: str, ground: Ground) -> Reader:
    """A reveal, or the lock that it is held against."""
    for each in ("suite.lock.jsonl", "reveal.jsonl"):
        (ground.folder / each).write_bytes((ground.folder / "results" / "suites" / SUITE / each).read_bytes())
    lock = ground.folder / "suite.lock.jsonl"
    return in_place(ground.folder / name, lambda: check_reveal(ground.folder / "reveal.jsonl", lock))


def service_reply(protocol: Protocol, sound: bytes, ground: Ground) -> Reader:
    """The body with which a service answers."""

    def read(data: bytes) -> Iterable[Finding]:
        with suppress(UnreadableError):  # told in the call's status
            reply(protocol, data)
        return ()

    return Reader(sound, read, (b'"content":[null]', b'"choices":[[]]', b"[" * 2000, b'"usage":[]'))


RESULTS = (
    "services.toml", "budget.toml", "ledger.jsonl", "corrections.jsonl", "sources.jsonl",
    *(f"suites/{SUITE}/{name}" for name in ("suite.toml", "tasks.toml", "tasks.held_out.toml", "suite.lock.jsonl",
      "anchors.toml", "variants.toml", "rubric.id.md", "reveal.jsonl")),
    *(f"runs/{RUN}/{name}" for name in ("run.toml", "calls.jsonl", "calls/b.jsonl.zst", "verdicts.jsonl", "seal.json",
      "scores.lock.jsonl", "metrics.jsonl")),
    *(f"duels/uji/{name}" for name in ("duel.toml", "sheet.jsonl", "key.json", "ballots.jsonl", "opening.json")),
)  # fmt: skip
CONTENT = (
    "site.toml",
    "sentences.toml",
    "en/about.md",
    "id/metodologi.md",
    "locale/id/messages.po",
    "locale/en/words.toml",
)
DATA = ("declared.json", "tasks-public.jsonl", "suite.lock.jsonl", "scores.jsonl", "answers-public.jsonl",
        "verdicts-public.jsonl", "calls.csv", "scores.csv")  # fmt: skip
PAGES = ("index.html", f"{SUITE}/leaderboard.html", f"{SUITE}/model/alpha.html", f"{SUITE}/compare.html")
REPLIES: dict[Protocol, bytes] = {
    "openai": b'{"model":"m","choices":[{"finish_reason":"stop","message":{"content":"a"}}],"usage":{"prompt_tokens":1,'
    b'"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":0}},"system_fingerprint":null}',
    "anthropic": b'{"model":"m","content":[{"type":"text","text":"a"}],"stop_reason":"end_turn","usage":'
    b'{"input_tokens":1}}',
}
TEXT = b"<p title='&quot;\\u0041%41'>&#65; \\ud83d\\ude00 " + b"QUJD" * 12 + "e\u0301</p>".encode()
PUBLISHABLE = {
    "a.html": TEXT, "a.svg": TEXT, "a.json": TEXT, "a.zip": zipped(FEW), "a.tar": tarred(FEW),
    "a.gz": gzip.compress(tarred(FEW)), "a.bz2": bz2.compress(TEXT), "a.xz": lzma.compress(TEXT),
    "a.zst": zstandard.compress(zipped(FEW)),
}  # fmt: skip

READERS: dict[str, Callable[[Ground], Reader]] = {
    **{f"results/{name}": partial(stored, name) for name in RESULTS},
    **{f"content/{name}": partial(content, name) for name in CONTENT},
    **{f"verify data/{name}": partial(published, f"data/{SUITE}/{name}") for name in DATA},
    **{f"verify en/{name}": partial(published, f"en/{name}") for name in PAGES},
    **{f"leak gate {name}": partial(about_to_be_published, name, sound) for name, sound in PUBLISHABLE.items()},
    "verify SHA256SUMS": sums,
    "verify a zip file": zip_file,
    "verify an address": server,
    "build into a folder": folder_of_a_site,
    "private.age": encrypted,
    "private.age, tar inside": partial(archive_inside, tarfile.PAX_FORMAT),
    "private.age, GNU tar inside": partial(archive_inside, tarfile.GNU_FORMAT),
    "RAPOR_IDENTITY": identity,
    "recompute claims": partial(claims, "claims.toml"),
    "recompute table": partial(claims, "t.tsv"),
    "duel open": ballots,
    **{f"check-reveal {name}": partial(reveals, name) for name in ("reveal.jsonl", "suite.lock.jsonl")},
    **{f"reply {protocol}": partial(service_reply, protocol, sound) for protocol, sound in REPLIES.items()},
}
"""Name -> makes the reader on a ground."""
