"""Which answers a contract asks for, in which order. First in the collecting wing; pure.

Order, seeds and pauses come from SHA-256 of the declared seed and the slot, not from a random generator: any
auditor can compute them again in any language.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from generator.records import Run, Setting, Value

PER_CALL = "per_call"
"""``seed = { asked = "per_call" … }``: every request gets a seed of its own, derived from the design's."""


@dataclass(frozen=True, order=True)
class Slot:
    """One answer that is to exist: who, what, which time.

    Attributes:
        block: 1-based; a block is finished before the next one begins.
        service: id of the service.
        task_id: id of the task.
        repeat: 1-based.
    """

    block: int
    service: str
    task_id: str
    repeat: int

    @property
    def block_id(self) -> str:
        """The block as it stands in the call log."""
        return f"b{self.block}"


def slots(contract: Run, repeats: Mapping[str, int]) -> tuple[Slot, ...]:
    """Every slot of the contract in the order of asking; ``repeats`` maps task id -> repeats, in suite order.

    Each block gets, as nearly as divides, the same share of every task's repeats for all services alike.
    Inside a block the order is by SHA-256 of seed and slot, or as declared where ``order = "fixed"``.
    """
    tasks = contract.tasks if contract.tasks is not None else tuple(repeats)
    times = {task: contract.repeats or repeats[task] for task in tasks}
    items = [(task, n) for n in range(1, max(times.values()) + 1) for task in tasks if n <= times[task]]
    blocks = contract.design.blocks
    found = [
        Slot(index * blocks // len(items) + 1, service, task, n)
        for index, (task, n) in enumerate(items)
        for service in contract.services
    ]
    if contract.design.order == "fixed":
        return tuple(found)
    return tuple(sorted(found, key=lambda slot: (slot.block, _digest(contract.design.seed, slot, "order"))))


def seed_of(seed: int, slot: Slot) -> int:
    """The request seed of a slot, 0..2**31-1, where the contract asks for one per call."""
    return int.from_bytes(_digest(seed, slot, "seed")[:4], "big") >> 1


def pause(seed: int, slot: Slot, attempt: int, first_s: float) -> float:
    """Seconds to wait after failed ``attempt``: doubling from ``first_s``, at most 60, times 0.5..1.5."""
    jitter = int.from_bytes(_digest(seed, slot, f"pause {attempt}")[:4], "big") / 2**32 + 0.5
    return float(min(first_s * 2.0 ** (attempt - 1), 60.0)) * jitter


def call_id(run_id: str, slot: Slot, attempt: int) -> str:
    """Sixteen hex digits that name one attempt; the same whenever it is made."""
    parts = (run_id, slot.service, slot.task_id, str(slot.repeat), str(attempt))
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


def sent(params: Mapping[str, Setting], seed: int, slot: Slot) -> dict[str, Value]:
    """The settings that go into the request of a slot.

    Left out: what the interface is known not to have (``unsupported``) and what is left to it (``default``).
    """
    values: dict[str, Value] = {
        name: setting.asked
        for name, setting in params.items()
        if setting.applied != "unsupported" and setting.asked not in ("default", None)
    }
    if values.get("seed") == PER_CALL:
        values["seed"] = seed_of(seed, slot)
    return values


def _digest(seed: int, slot: Slot, use: str) -> bytes:
    """SHA-256 of the seed, the slot and what the number is for, one a line."""
    parts = (str(seed), use, slot.block_id, slot.service, slot.task_id, str(slot.repeat))
    return sha256("\n".join(parts).encode()).digest()
