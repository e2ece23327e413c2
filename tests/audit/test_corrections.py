"""Corrections are a chain: whatever is edited, removed, added or moved breaks a link that is named."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from generator.audit.corrections import chain_findings
from generator.records import Correction, ScoreLock, Text
from generator.store.write import encode

Chain = list[Correction]
Locks = dict[str, list[ScoreLock]]


def digest(line: Correction) -> str:
    """As ``sha256sum`` gives it for the stored line."""
    return hashlib.sha256(encode(line)).hexdigest()


def chained(*changes: tuple[str, str, str], **other: Any) -> Chain:
    """(task, old, new), each line naming the one before."""
    lines: Chain = []
    for task, old, new in changes:
        line = Correction(
            at=datetime(2026, 11, 2, tzinfo=UTC), run_id="r", service="x", task_id=task, old=old, new=new,
            old_grader="g-1.0", new_grader="g-1.1", reason=Text(id="sebab", en="because"),
            previous=digest(lines[-1]) if lines else None,
        )  # fmt: skip
        lines.append(replace(line, **other))
    return lines


def locked(chain: Chain, *more: ScoreLock) -> Locks:
    """The lock after these corrections."""
    newest = {line.task_id: line for line in chain}
    return {
        "r": [
            *(
                ScoreLock(service="x", task_id=task, score=line.new, failed=False, grader="g", correction=digest(line))
                for task, line in newest.items()
            ),
            *more,
        ]
    }


CHAIN = chained(("t1", "0", "50"), ("t2", "100", "0"), ("t1", "50", "100"), ("t3", "1/3", "2/3"))


def test_a_chain_that_hangs_together_says_nothing() -> None:
    untouched = ScoreLock(service="x", task_id="t9", score="0", failed=False, grader="g")
    assert chain_findings(CHAIN, locked(CHAIN, untouched)) == []
    assert chain_findings([], {"r": [untouched]}) == []


def rewritten(chain: Chain) -> Chain:
    """The chain with every hash made right again, as a liar would."""
    lines: Chain = []
    for line in chain:
        lines.append(replace(line, previous=digest(lines[-1]) if lines else None))
    return lines


def edit(place: int, /, **fields: Any) -> Callable[[Chain], Chain]:
    return lambda chain: [replace(line, **fields) if number == place else line for number, line in enumerate(chain)]


def without(at: int) -> Callable[[Chain], Chain]:
    return lambda chain: chain[:at] + chain[at + 1 :]


def swapped(chain: Chain) -> Chain:
    return [chain[1], chain[0], *chain[2:]]


TAMPERINGS: dict[str, Callable[[Chain], Chain]] = {
    "another old score": edit(0, old="10"),
    "another new score": edit(1, new="5"),
    "another reason": edit(0, reason=Text(id="lain", en="other")),
    "another reason of the last": edit(3, reason=Text(id="lain", en="other")),
    "another day": edit(2, at=datetime(2026, 11, 3, tzinfo=UTC)),
    "another grader": edit(1, new_grader="g-9"),
    "the first is gone": without(0),
    "one in the middle is gone": without(1),
    "the last is gone": without(3),
    "all are gone": lambda _: [],
    "two have changed places": swapped,
    "one is there twice": lambda chain: [*chain, chain[-1]],
    "one was added": lambda chain: [*chain, replace(chain[0], task_id="t8", previous=digest(chain[-1]))],
}


@pytest.mark.parametrize("rehashed", [False, True], ids=["", "with the hashes made right"])
@pytest.mark.parametrize("name", TAMPERINGS)
def test_every_tampering_is_told(name: str, rehashed: bool) -> None:
    chain = TAMPERINGS[name](CHAIN)
    found = chain_findings(rewritten(chain) if rehashed else chain, locked(CHAIN))
    assert {each.slug for each in found} == {"corrections-broken"}
    assert all(each.blocking for each in found)


@pytest.mark.parametrize(
    ("field", "value"), [("score", "99"), ("failed", True), ("correction", None), ("correction", "0" * 64)]
)
def test_a_lock_edited_by_hand_is_told(field: str, value: Any) -> None:
    locks = locked(CHAIN)
    locks["r"][0] = replace(locks["r"][0], **{field: value})
    (found,) = chain_findings(CHAIN, locks)
    assert (found.line, found.field) == (3, "r.x.t1")


def test_a_finding_names_line_score_and_both_values() -> None:
    chain = chained(("t1", "0", "50"), ("t1", "25", "100"))
    (found,) = chain_findings(chain, locked(chain))
    assert str(found).startswith(
        "corrections.jsonl:2: r.x.t1: corrections-broken: found 25 as the old score, expected 50, the last new one; "
    )


def test_a_correction_of_a_score_that_nobody_holds_is_told() -> None:
    (found,) = chain_findings(CHAIN[:1], {})
    assert "a line of the lock" in found.expected
