"""A published site, fetched to be doubted: from a directory, a zip file or an address. The wing ``outside``.

The only module of this wing that reaches the network, and nothing that ``build-site`` imports can import it. Everything
that is read is bounded: a mirror may be hostile.
"""

import hashlib
import re
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import quote, urljoin, urlsplit

import httpx

from generator.findings import Faults, Finding, shown
from generator.verify.archives import DAMAGED
from generator.verify.hashes import LINE, SUMS

MAX_BYTES = 2**30
"""Bytes of a whole site, and what a zip file may unfold to."""
MAX_FILES = 100_000
PAUSE = 0.02
"""Seconds between two requests: somebody else pays for the server."""
ATTEMPTS = 4
PATIENCE = 60.0
"""Longest wait, in seconds, that a server may ask for."""
ENCODINGS = frozenset({"identity", "gzip"})
"""What a transfer may be packed in: gzip unfolds a piece a thousandfold at most, others without bound."""
AGENT = "rapor-verify (checks the hashes and figures of a published site)"

Say = Callable[[str], None]


def fetch(source: str, keep: Path | None, say: Say) -> dict[str, bytes]:
    """Every file of a site: path -> bytes.

    Args:
        source: a directory, a ``.zip`` file, or an ``https`` (or ``http``) address of the site's root.
        keep: for an address, a directory that holds what was fetched, so that a second call goes on from there.
        say: told what is being done.

    Raises:
        Faults: it cannot be read, or is larger than any site of ours.
    """
    if urlsplit(source).scheme in {"http", "https"}:
        return _from_address(source if source.endswith("/") else f"{source}/", keep, say)
    path = Path(source)
    if path.is_dir():
        return dict(_bounded(source, _from_folder(path)))
    if path.is_file() and zipfile.is_zipfile(path):
        return _unwrapped(dict(_bounded(source, _from_zip(path))))
    raise _fault(source, "no-site", "neither a directory nor a zip file", "a directory, a zip file or an address")


def _from_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            raise _fault(name, "not-a-file", "a link", "plain files only")
        if path.is_file():
            yield name, path.read_bytes()


def _from_zip(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                if entry.is_dir():
                    continue
                _check_name(entry.filename)
                with archive.open(entry) as file:
                    yield entry.filename, file.read(MAX_BYTES + 1)
    except DAMAGED as error:
        found = shown(f"{type(error).__name__}: {error}")
        raise _fault(str(path), "unreadable-file", found, "a sound zip file") from None


def _bounded(source: str, files: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    size = count = 0
    for name, data in files:
        size, count = size + len(data), count + 1
        if size > MAX_BYTES or count > MAX_FILES:
            raise _fault(source, "too-large", f"more than {MAX_BYTES} bytes or {MAX_FILES} files", "a site of ours")
        yield name, data


def _unwrapped(files: dict[str, bytes]) -> dict[str, bytes]:
    """Without the one folder that a zip file may put around everything."""
    tops = {name.partition("/")[0] for name in files}
    if SUMS in files or len(tops) != 1:
        return files
    return {name.partition("/")[2]: data for name, data in files.items()}


def _check_name(name: str) -> None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or not name.isprintable():
        raise _fault(name, "path-traversal", shown(name), "a relative path inside the site")


def _from_address(root: str, keep: Path | None, say: Say) -> dict[str, bytes]:
    """``SHA256SUMS``, then every file that it lists; a server does not say what else it has."""
    headers = {"User-Agent": AGENT, "Accept-Encoding": "gzip"}
    with httpx.Client(timeout=30, headers=headers, follow_redirects=False) as client:
        sums = _get(client, root, SUMS, None)
        files = {SUMS: sums}
        left = MAX_BYTES - len(sums)
        listed = [match for line in sums.decode("utf-8", "replace").splitlines() if (match := LINE.fullmatch(line))]
        if len(listed) > MAX_FILES:
            raise _fault(root, "too-large", f"{len(listed)} files", f"at most {MAX_FILES}")
        for number, match in enumerate(listed, 1):
            digest, name = match[1], match[2]
            _check_name(name)
            say(f"fetching {number} of {len(listed)}")
            kept = _kept(keep, digest)
            if kept is None:
                time.sleep(PAUSE)
                kept = _get(client, root, name, keep / f"{digest}.part" if keep else None, left)
                _keep(keep, digest, kept)
            files[name] = kept
            left -= len(kept)
    return files


def _kept(keep: Path | None, digest: str) -> bytes | None:
    """A file fetched earlier, if it still has the hash that is asked for."""
    if keep is None or not (keep / digest).is_file():
        return None
    data = (keep / digest).read_bytes()
    return data if hashlib.sha256(data).hexdigest() == digest else None


def _keep(keep: Path | None, digest: str, data: bytes) -> None:
    if keep and hashlib.sha256(data).hexdigest() == digest:
        (keep / digest).write_bytes(data)
        (keep / f"{digest}.part").unlink(missing_ok=True)


def _get(client: httpx.Client, root: str, name: str, part: Path | None, limit: int = MAX_BYTES) -> bytes:
    """One file; a broken transfer goes on where it broke off.

    Raises:
        Faults: the server refuses, redirects to another host, sends more than ``limit`` bytes, or keeps failing.
    """
    address, data, wait = urljoin(root, quote(name)), bytearray(), 1.0
    if part and part.is_file():
        data += part.read_bytes()
    for attempt in range(1, ATTEMPTS + 1):
        try:
            reply = _stream(client, address, data, limit)
        except (httpx.RequestError, httpx.InvalidURL) as error:
            reply, why = None, f"{type(error).__name__}: {error}"
        finally:
            if part and data:
                part.write_bytes(data)
        if reply is not None:
            if reply.status_code in {200, 206}:
                return bytes(data)
            if reply.status_code not in {408, 416, 429, 500, 502, 503, 504}:
                raise _fault(name, "not-served", f"status {reply.status_code}", "the file")
            why = f"status {reply.status_code}"
            wait = max(wait, _asked_wait(reply))
        if attempt < ATTEMPTS:
            time.sleep(min(wait, PATIENCE))
            wait *= 2
    raise _fault(name, "not-served", shown(f"{why}, {ATTEMPTS} times"), "the file")


def _stream(client: httpx.Client, address: str, data: bytearray, limit: int) -> httpx.Response:
    """Add what the server sends to ``data``; follow redirects on its own host only."""
    for _ in range(5):
        headers = {"Range": f"bytes={len(data)}-", "Accept-Encoding": "identity"} if data else {}
        with client.stream("GET", address, headers=headers) as reply:
            if reply.is_redirect and (target := urljoin(address, reply.headers.get("location", ""))):
                here, there = urlsplit(address), urlsplit(target)
                if there.netloc != here.netloc or there.scheme not in {here.scheme, "https"}:
                    raise _fault(address, "foreign-redirect", shown(target), "a file on the same host")
                address = target
                continue
            if (packed := reply.headers.get("content-encoding", "identity")) not in ENCODINGS:
                raise _fault(address, "not-served", shown(f"encoding {packed}"), "the file as it is, or in gzip")
            if reply.status_code in {200, 416}:
                data.clear()
            if reply.status_code in {200, 206}:
                for chunk in reply.iter_bytes():
                    data += chunk
                    if len(data) > limit:
                        raise _fault(address, "too-large", f"more than {limit} bytes", "a file of a site of ours")
            return reply
    raise _fault(address, "not-served", "redirects without end", "the file")


def _asked_wait(reply: httpx.Response) -> float:
    stated = reply.headers.get("retry-after", "")
    return float(stated) if re.fullmatch("[0-9]{1,6}", stated) else 0.0


def _fault(file: str, slug: str, found: str, expected: str) -> Faults:
    return Faults([Finding(file=file, line=0, field="", slug=slug, found=found, expected=expected)])
