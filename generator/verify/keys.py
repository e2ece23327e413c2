"""No key stands in the site: of a service, of a cloud, of held-out material. In the room ``verify``."""

from collections.abc import Iterator, Mapping

from generator.findings import Finding
from generator.records import Results
from generator.store.keys import keys_in, written_by_models
from generator.verify.archives import UnreadableError, members


def check_keys(files: Mapping[str, bytes], results: Results) -> Iterator[Finding]:
    """Every text that looks like a key and that no model wrote, archives opened; it is never quoted."""
    written = written_by_models(results.runs.values())
    for path in sorted(files):
        for name, data in _opened(path, files[path]):
            for place, whose, key in keys_in(data):
                if key not in written:
                    yield Finding(
                        file=name, line=data.count(b"\n", 0, place) + 1, field=f"byte {place}", slug="key-in-site",
                        found=f"what looks like a key: {whose}", expected="no key",
                        todo="revoke it where it was issued, then remove it from what the site is made of",
                    )  # fmt: skip


def _opened(path: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    try:
        yield from members(path, data)
    except UnreadableError:  # told by the leak gate
        return
