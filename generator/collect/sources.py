"""Opens the pages that facts and prices rest on, politely, and says what was found. In the wing ``collect``."""

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from urllib.parse import urlsplit

import httpx

from generator.records import Service, SourceCheck, Suite

PAUSE = 1.0
"""Seconds between two requests to the same host."""
TIMEOUT = 20.0
"""Seconds without a byte."""
AT_MOST = 120.0
"""Seconds for one page, however it drips."""
LIMIT = 20 * 2**20
"""Bytes that are read of one page."""
AGENT = "rapor-sources (checks that a benchmark's sources are still there)"


def addresses(services: Iterable[Service], suites: Iterable[Suite]) -> list[str]:
    """Every web address that a public task, a service or a price names, each once, sorted."""
    found = {
        source.url for suite in suites for task in suite.tasks if task.access == "public" for source in task.sources
    }
    for service in services:
        found |= {source.url for source in service.sources} | {price.source for price in service.price}
    return sorted(filter(_of_the_web, found))


def held_out(suites: Iterable[Suite], named: Iterable[str]) -> dict[str, str]:
    """Web address -> ``suite/task``, of those that only held-out tasks name: it must not be written down."""
    found = {
        source.url: f"{suite.file.id}/{task.id}"
        for suite in suites
        for task in suite.tasks
        if task.access == "held_out"
        for source in task.sources
    }
    return {url: found[url] for url in sorted(found.keys() - set(named)) if _of_the_web(url)}


def _of_the_web(url: str) -> bool:
    return urlsplit(url).scheme in {"http", "https"}


def look(urls: Iterable[str], now: Callable[[], datetime], pause: float = PAUSE) -> Iterator[SourceCheck]:
    """Open each page once, one after the other, and yield what was found as soon as it is known."""
    last: dict[str, float] = {}
    headers = {"User-Agent": AGENT, "Accept-Encoding": "identity"}
    with httpx.Client(timeout=TIMEOUT, follow_redirects=True, headers=headers) as client:
        for url in urls:
            host = urlsplit(url).netloc
            time.sleep(max(0.0, last.get(host, -pause) + pause - time.monotonic()))
            check = _look(client, url, now)
            last[host] = time.monotonic()
            yield check


def _look(client: httpx.Client, url: str, now: Callable[[], datetime]) -> SourceCheck:
    digest, size, problem = sha256(), 0, None
    end = time.monotonic() + AT_MOST
    try:
        with client.stream("GET", url) as reply:
            for chunk in reply.iter_raw():
                digest.update(chunk)
                size += len(chunk)
                if size > LIMIT or time.monotonic() > end:
                    problem = f"longer than {LIMIT} bytes or {AT_MOST:.0f} s; the hash is of what was read"
                    break
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        problem = f"{type(error).__name__}: {error}"[:200]
        return SourceCheck(url=url, at=now(), status=None, final_url=None, sha256=None, bytes=None, problem=problem)
    return SourceCheck(
        url=url,
        at=now(),
        status=reply.status_code,
        final_url=str(reply.url) if reply.history else url,  # httpx spells an address its own way
        sha256=digest.hexdigest(),
        bytes=size,
        problem=problem,
    )
