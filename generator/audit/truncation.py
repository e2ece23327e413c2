"""Which answers were cut off? The check that costs nothing and once saved a conclusion from being backwards.

A cut answer is wrong for every grader, and nothing but its token count gives it away: there need not be an error,
nor a finish reason. A call is flagged when any of four signs is there; each flag names its sign.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from generator.records import Call, Record

LENGTH_REASONS = frozenset(
    {
        "length",
        "max_tokens",
        "MAX_TOKENS",
        "max_output_tokens",
        "model_length",
        "model_context_window_exceeded",
        "incomplete",
    }
)
"""What providers call "the cap was reached"."""


class Cut(Record, frozen=True, kw_only=True):
    """One call whose answer was cut off."""

    call_id: str
    service: str
    task_id: str
    repeat: int
    sign: str
    """``finish_reason``, ``near_cap``, ``same_count`` or ``little_text``."""
    output_tokens: int | None
    max_output_tokens: int | None


def cut_answers(calls: Iterable[Call]) -> tuple[Cut, ...]:
    """The calls of a run whose answers were cut off, in stored order.

    Signs, per call of status ``ok``: a finish reason that means length; output tokens of at least 95 % of the cap;
    membership in a service's repeated count (at least five calls, at least 80 % of which share one output count of
    at least half the cap); fewer than one visible character for every two output tokens while the number of
    reasoning tokens is not known.
    """
    complete = [call for call in calls if call.status == "ok"]
    repeated = _repeated_counts(complete)
    return tuple(
        Cut(
            call_id=call.call_id,
            service=call.service,
            task_id=call.task_id,
            repeat=call.repeat,
            sign=sign,
            output_tokens=call.output_tokens,
            max_output_tokens=call.max_output_tokens,
        )
        for call in complete
        if (sign := _sign(call, repeated.get(call.service)))
    )


def _sign(call: Call, repeated: int | None) -> str:
    tokens, cap = call.output_tokens, call.max_output_tokens
    if call.finish_reason in LENGTH_REASONS:
        return "finish_reason"
    if tokens is None:
        return ""
    if cap and tokens * 100 >= 95 * cap:
        return "near_cap"
    if repeated == tokens:
        return "same_count"
    if call.reasoning_tokens is None and call.output and 2 * len(call.output) < tokens:
        return "little_text"
    return ""


def _repeated_counts(calls: Sequence[Call]) -> dict[str, int]:
    """Per service, the output count that at least 80 % of its calls share, where that is suspicious."""
    by_service: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        if call.output_tokens is not None and call.max_output_tokens:
            by_service[call.service].append(call)
    suspicious = {}
    for service, group in by_service.items():
        (count, shared), *_ = Counter(call.output_tokens for call in group).most_common(1)
        cap = max(call.max_output_tokens or 0 for call in group)
        if count is not None and len(group) >= 5 and shared * 100 >= 80 * len(group) and 2 * count >= cap:
            suspicious[service] = count
    return suspicious
