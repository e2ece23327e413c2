"""Does ``SHA256SUMS`` list every file, with the right hash, and nothing else? In the room ``verify``."""

import hashlib
import re
from collections.abc import Iterator, Mapping

from generator.findings import Finding, shown

SUMS = "SHA256SUMS"
LINE = re.compile(r"([0-9a-f]{64})  ([^\\\n]+)")
"""``<hex>  <relative path>``, as ``sha256sum -c --strict`` takes it."""


def check_hashes(files: Mapping[str, bytes]) -> Iterator[Finding]:
    """Missing, extra, unsorted, malformed and wrong lines."""
    if SUMS not in files:
        yield _finding(0, "", "no-hashes", "no such file", "the hash of every file")
        return
    text = files[SUMS].decode("utf-8", "replace")
    listed: dict[str, int] = {}
    if text and not text.endswith("\n"):
        yield _finding(text.count("\n") + 1, "", "torn-line", "a last line without its end", "a line feed")
    for number, line in enumerate(text.splitlines(), 1):
        match = LINE.fullmatch(line)
        if not match:
            yield _finding(number, "", "bad-hash-line", shown(line), "64 hex digits, two spaces, a path")
        elif match[2] in listed:
            yield _finding(number, match[2], "duplicate-hash", f"also on line {listed[match[2]]}", "one line a file")
        else:
            listed[match[2]] = number
            yield from _check_line(files, number, match[1], match[2])
    if list(listed) != sorted(listed):
        yield _finding(0, "", "unsorted-hashes", "lines in another order", "lines sorted by path")
    for path in sorted(set(files) - set(listed) - {SUMS}):
        yield _finding(0, path, "unlisted-file", "no line for it", f"sha256 {hashlib.sha256(files[path]).hexdigest()}")


def _check_line(files: Mapping[str, bytes], number: int, stated: str, path: str) -> Iterator[Finding]:
    if path not in files:
        yield _finding(number, path, "missing-file", "a hash without its file", "the file")
    elif (right := hashlib.sha256(files[path]).hexdigest()) != stated:
        yield _finding(number, path, "wrong-hash", stated, right)


def _finding(line: int, field: str, slug: str, found: str, expected: str) -> Finding:
    return Finding(file=SUMS, line=line, field=field, slug=slug, found=found, expected=expected)
