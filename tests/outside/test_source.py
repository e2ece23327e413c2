"""A site is fetched from a folder, a zip file or a real server on loopback that breaks off, refuses and lies."""

import gzip
import hashlib
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from generator.cli_verify import verify
from generator.findings import Faults
from generator.outside import source
from generator.outside.source import fetch
from tests.outside.conftest import summed

SITE = summed({"index.html": b"<!doctype html>" + b"x" * 5000, "data/a b.csv": b"1,2\n", "id/é.html": b""})
Answer = Callable[[BaseHTTPRequestHandler, str], bool]


class Server:
    """A server of ``files``; ``misbehave`` may answer in its own way and say so."""

    def __init__(self, files: dict[str, bytes], misbehave: Answer = lambda _handler, _path: False) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = unquote(self.path).removeprefix("/rapor/")
                asked.append(path)
                if misbehave(self, path):
                    return
                data, start = files.get(path), 0
                if data is None:
                    self.send_error(404)
                    return
                if wanted := self.headers.get("Range"):
                    start = int(wanted.removeprefix("bytes=").split("-", maxsplit=1)[0])
                self.send_response(206 if start else 200)
                self.send_header("Content-Length", str(len(data) - start))
                self.end_headers()
                self.wfile.write(data[start:])

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/rapor"

    def __enter__(self) -> "Server":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source.time, "sleep", lambda _seconds: None)


def quiet(_: str) -> None:
    """Progress that nobody reads."""


def laid_out(folder: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def zipped(path: Path, files: dict[str, bytes], top: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(top + name, data)
    return path


def test_folder_zip_and_server_give_the_same_site(tmp_path: Path) -> None:
    with Server(SITE) as server:
        assert fetch(server.address, None, quiet) == SITE
    assert fetch(str(laid_out(tmp_path / "site", SITE)), None, quiet) == SITE
    assert fetch(str(zipped(tmp_path / "a.zip", SITE)), None, quiet) == SITE
    assert fetch(str(zipped(tmp_path / "b.zip", SITE, "public/")), None, quiet) == SITE


def test_what_broke_off_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """The connection is cut in the middle of a file: the rest is asked for, not the whole."""
    cuts = []

    def cut(handler: BaseHTTPRequestHandler, path: str) -> bool:
        if path != "index.html" or cuts:
            return False
        cuts.append(path)
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(SITE[path])))
        handler.end_headers()
        handler.wfile.write(SITE[path][:3000])
        handler.wfile.flush()
        handler.connection.close()
        return True

    with Server(SITE, cut) as server:
        assert fetch(server.address, tmp_path, quiet) == SITE
        assert server.asked.count("index.html") == 2


def test_a_second_run_asks_only_for_what_it_lacks(tmp_path: Path) -> None:
    with Server(SITE) as server:
        fetch(server.address, tmp_path, quiet)
        server.asked.clear()
        changed = summed({**SITE, "data/a b.csv": b"1,3\n"})
    with Server(changed) as server:
        assert fetch(server.address, tmp_path, quiet) == changed
        assert server.asked == ["SHA256SUMS", "data/a b.csv"]
    (tmp_path / hashlib.sha256(b"1,3\n").hexdigest()).write_bytes(b"spoilt")
    with Server(changed) as server:
        assert fetch(server.address, tmp_path, quiet) == changed


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(status: int) -> None:
    failures = []

    def busy(handler: BaseHTTPRequestHandler, path: str) -> bool:
        if len(failures) >= 2 or path != "index.html":
            return False
        failures.append(path)
        handler.send_response(status)
        handler.send_header("Retry-After", "1")
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return True

    with Server(SITE, busy) as server:
        assert fetch(server.address, None, quiet) == SITE
        assert server.asked.count("index.html") == 3


def test_a_missing_file_a_dead_server_and_another_host_are_named() -> None:
    with (
        Server({**SITE, "SHA256SUMS": SITE["SHA256SUMS"] + b"0" * 64 + b"  zz.html\n"}) as server,
        pytest.raises(Faults, match=r"zz\.html.*not-served.*404"),
    ):
        fetch(server.address, None, quiet)
    with pytest.raises(Faults, match=r"not-served.*ConnectError"):
        fetch("http://127.0.0.1:9/", None, quiet)

    def away(handler: BaseHTTPRequestHandler, path: str) -> bool:
        handler.send_response(302)
        handler.send_header("Location", f"http://127.0.0.1:9/{path}")
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return True

    with Server(SITE, away) as server, pytest.raises(Faults, match="foreign-redirect"):
        fetch(server.address, None, quiet)


@pytest.mark.parametrize(
    ("head", "slug"),
    [
        ({"Content-Encoding": "gzip"}, "not-served.*DecodingError"),
        ({"Content-Encoding": "zstd"}, "not-served.*encoding zstd"),
        ({"Content-Encoding": "gzip, gzip"}, "not-served.*encoding gzip, gzip"),
        ({"Location": "a:b"}, "not-served.*InvalidURL"),
        ({"Location": "ftp://127.0.0.1/"}, "foreign-redirect"),
        ({"Location": "http://[::1"}, "not-served.*Invalid"),
        ({"Retry-After": "²"}, "not-served.*503"),
        ({"Retry-After": "9" * 400}, "not-served.*503"),
    ],
    ids=str,
)
def test_headers_that_lie_end_in_a_finding(head: dict[str, str], slug: str) -> None:
    def lie(handler: BaseHTTPRequestHandler, _path: str) -> bool:
        handler.send_response({"Location": 302, "Retry-After": 503}.get(next(iter(head)), 200))
        for name, value in {"Content-Length": "3", **head}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(b"abc")
        return True

    with Server(SITE, lie) as server, pytest.raises(Faults, match=slug):
        fetch(server.address, None, quiet)


def test_a_packed_transfer_is_unpacked() -> None:
    def packed(handler: BaseHTTPRequestHandler, path: str) -> bool:
        data = gzip.compress(SITE[path])
        handler.send_response(200)
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)
        return True

    with Server(SITE, packed) as server:
        assert fetch(server.address, None, quiet) == SITE


def test_a_flood_is_cut_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(source, "MAX_BYTES", 2000)
    for where in (str(zipped(tmp_path / "a.zip", SITE)), str(laid_out(tmp_path / "site", SITE))):
        with pytest.raises(Faults, match="too-large"):
            fetch(where, None, quiet)
    with Server(SITE) as server, pytest.raises(Faults, match="too-large"):
        fetch(server.address, None, quiet)


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../x", "a\\b"])
def test_a_path_that_leads_out_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Faults, match="path-traversal"):
        fetch(str(zipped(tmp_path / "a.zip", {name: b"x"})), None, quiet)
    sums = f"{'0' * 64}  {name}\n".encode()
    if "\\" not in name:
        with Server({"SHA256SUMS": sums}) as server, pytest.raises(Faults, match="path-traversal"):
            fetch(server.address, None, quiet)


def test_links_and_nothing_at_all_are_refused(tmp_path: Path) -> None:
    site = laid_out(tmp_path / "site", SITE)
    (site / "x").symlink_to("/etc/passwd")
    with pytest.raises(Faults, match="not-a-file"):
        fetch(str(site), None, quiet)
    with pytest.raises(Faults, match="no-site"):
        fetch(str(tmp_path / "nowhere"), None, quiet)


def test_the_command_passes_an_honest_server_and_fails_a_liar(small: dict[str, bytes], tmp_path: Path) -> None:
    runner = CliRunner()
    with Server(small) as server:
        honest = runner.invoke(verify, [server.address, "--keep", str(tmp_path / "kept")])
    assert honest.exit_code == 0, honest.output
    assert "all agree" in honest.output
    page = small["en/index.html"].replace(b'<data value="89.6">89.6</data>', b'<data value="98.6">98.6</data>')
    assert page != small["en/index.html"]
    with Server(summed({**small, "en/index.html": page})) as server:
        liar = runner.invoke(verify, [server.address, "--json"])
    assert liar.exit_code == 1
    report = json.loads(liar.output)
    assert report["passed"] is False
    found = [each for each in report["findings"] if each["slug"] == "printed-differs"]
    assert found[0]["file"] == "en/index.html"
    assert (found[0]["found"], found[0]["expected"]) == ("98.6", "89.6")


@pytest.fixture
def gone() -> Iterator[str]:
    with Server({}) as server:
        yield server.address


def test_a_site_without_hashes_fails_in_json_too(gone: str) -> None:
    result = CliRunner().invoke(verify, [gone, "--json"])
    assert result.exit_code == 1
    assert json.loads(result.output)["findings"][0]["slug"] == "not-served"
