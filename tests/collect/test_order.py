"""The order of asking is a pure function of the contract, and anyone can compute it again."""

from collections import Counter
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from generator.collect.order import Slot, call_id, pause, seed_of, sent, slots
from generator.records import Design, Run, Setting, SuiteRef


def contract(services: tuple[str, ...] = ("a", "b"), tasks: tuple[str, ...] | None = None, repeats: int | None = None,
             blocks: int = 1, seed: int = 7, order: str = "random") -> Run:  # fmt: skip
    return Run(
        schema=1, run_id="uji", purpose="formal", suite=SuiteRef(id="s", version="1", sha256="0" * 64),
        services=services, grader="g", place="p", params={}, tasks=tasks, repeats=repeats,
        design=Design(blocks=blocks, order="fixed" if order == "fixed" else "random", seed=seed),
    )  # fmt: skip


def test_a_study_has_five_and_five_in_each_of_four_blocks() -> None:
    found = slots(contract(tasks=("t",), repeats=20, blocks=4), {"t": 1})
    assert Counter((slot.block, slot.service) for slot in found) == {
        (block, service): 5 for block in (1, 2, 3, 4) for service in ("a", "b")
    }
    assert [slot.block for slot in found] == sorted(slot.block for slot in found)
    mixed = ["".join(slot.service for slot in found if slot.block == block) for block in (1, 2, 3, 4)]
    assert all(order not in ("aaaaabbbbb", "bbbbbaaaaa") for order in mixed)


def test_the_order_can_be_computed_with_sha256_alone() -> None:
    found = slots(contract(), {"t-01": 1, "t-02": 1})
    places = [("a", "t-01"), ("b", "t-01"), ("a", "t-02"), ("b", "t-02")]
    by_hand = sorted(places, key=lambda place: sha256(f"7\norder\nb1\n{place[0]}\n{place[1]}\n1".encode()).digest())
    assert [(slot.service, slot.task_id) for slot in found] == by_hand


def test_known_digests() -> None:
    """Computed with coreutils: ``printf '7\\nseed\\nb1\\na\\nt\\n1' | sha256sum``, first eight digits, halved."""
    slot = Slot(1, "a", "t", 1)
    assert seed_of(7, slot) == 0x2F95656F >> 1
    assert call_id("uji", slot, 1) == "e1aee6f2a3a3daa4"


def test_a_declared_order_is_kept() -> None:
    found = slots(contract(order="fixed"), {"t-01": 1, "t-02": 2})
    assert [(slot.task_id, slot.repeat, slot.service) for slot in found] == [
        ("t-01", 1, "a"), ("t-01", 1, "b"), ("t-02", 1, "a"), ("t-02", 1, "b"), ("t-02", 2, "a"), ("t-02", 2, "b"),
    ]  # fmt: skip


SUITES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 4), min_size=1, max_size=8)


@given(repeats=SUITES, blocks=st.integers(1, 5), seed=st.integers(0, 2**63 - 1), services=st.integers(1, 4))
def test_every_answer_once_and_every_service_alike(
    repeats: dict[str, int], blocks: int, seed: int, services: int
) -> None:
    names = tuple(f"s{number}" for number in range(services))
    found = slots(contract(names, blocks=blocks, seed=seed), repeats)
    assert len({(slot.service, slot.task_id, slot.repeat) for slot in found}) == len(found)
    assert len(found) == services * sum(repeats.values())
    shares = [
        sorted((slot.block, slot.task_id, slot.repeat) for slot in found if slot.service == name) for name in names
    ]
    assert all(share == shares[0] for share in shares)
    sizes = Counter(slot.block for slot in found)
    if sum(repeats.values()) >= blocks:
        assert max(sizes.values()) - min(sizes.values()) <= services


@given(seed=st.integers(0, 2**63 - 1), attempt=st.integers(1, 9), first=st.floats(0.01, 5))
def test_pauses_double_with_jitter_and_end(seed: int, attempt: int, first: float) -> None:
    found = pause(seed, Slot(1, "a", "t", 1), attempt, first)
    whole = min(first * 2 ** (attempt - 1), 60)
    assert 0.5 * whole <= found < 1.5 * whole


def test_only_what_the_interface_takes_is_sent() -> None:
    params = {
        "temperature": Setting(asked=0, applied="unsupported"),
        "reasoning": Setting(asked="default", applied="unknown"),
        "max_output_tokens": Setting(asked=64, applied=64),
        "seed": Setting(asked="per_call", applied="unknown"),
        "cache_prompt": Setting(asked=False, applied=False),
    }
    slot = Slot(1, "a", "t", 1)
    assert sent(params, 7, slot) == {"max_output_tokens": 64, "seed": seed_of(7, slot), "cache_prompt": False}


def test_seeds_differ_by_service_and_repeat() -> None:
    found = slots(contract(tasks=("t",), repeats=20, blocks=4), {"t": 1})
    assert len({seed_of(7, slot) for slot in found}) == 40
