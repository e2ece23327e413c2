"""What may be added to a sealed contract: acknowledgements of findings, at its end, and nothing else.

A finding is seen when a sealed run is first built; whoever acknowledges it must not break the seal, and must not be
able to change what was declared before the first call.
"""

import tomllib
from hashlib import sha256


def adds_only_acknowledgements(data: bytes, sealed: str) -> bool:
    """Whether the contract ``data`` begins with the bytes whose SHA-256 is ``sealed`` and only acknowledges after them.

    Comments may be added with them. A file that is as it was sealed adds nothing and passes too.
    """
    digest, end = sha256(), 0
    for line in data.splitlines(keepends=True):
        if digest.hexdigest() == sealed:
            break
        digest.update(line)
        end += len(line)
    if digest.hexdigest() != sealed:
        return False
    try:
        before, after = (tomllib.loads(part.decode()) for part in (data[:end], data))
    except (ValueError, RecursionError):
        return False
    old, new = before.pop("acknowledged", []), after.pop("acknowledged", [])
    return before == after and isinstance(new, list) and new[: len(old)] == old
