"""Which blocking findings of a run has its publisher seen and let pass? The contract says so, with a reason.

An acknowledged finding no longer stops the build; what it withholds stays withheld, and the page gives the reason.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from generator.audit.truncation import Cut
from generator.findings import Finding, shown
from generator.records import Acknowledged, Run

TRUNCATED = "truncated"
HOW = 'acknowledge it at the end of run.toml: [[acknowledged]], slug = "{}", service = "{}" and a reason'


def truncation_findings(contract: Run, cuts: Iterable[Cut]) -> list[Finding]:
    """A blocking finding for every service with answers that were cut off, in the order of the contract.

    Only for suites that withhold the figures of such a service; where a cut counts as a failure, nothing is hidden.
    """
    signs: dict[str, Counter[str]] = {name: Counter() for name in contract.services}
    for cut in cuts:
        signs[cut.service][cut.sign] += 1
    return [
        Finding(
            file=f"runs/{contract.run_id}/run.toml",
            line=0,
            field=service,
            slug=TRUNCATED,
            found=f"{counts.total()} answers cut off ({_listed(counts)})",
            expected="complete answers",
            todo=f"ask again with a higher cap, or {HOW.format(TRUNCATED, service)}",
        )
        for service, counts in signs.items()
        if counts
    ]


def _listed(signs: Counter[str]) -> str:
    return ", ".join(f"{sign} {count}" for sign, count in sorted(signs.items()))


def acknowledged(findings: Sequence[Finding], contract: Run, away: Collection[str] = ()) -> list[Finding]:
    """``findings`` with those that the contract acknowledges turned into remarks; needless ones are told.

    Args:
        findings: each with the service it is about as its field.
        contract: an acknowledgement without a service covers every service.
        away: services of which not all calls are at hand: whether their acknowledgements are needless is unknown.
    """
    told = [_as_remark(finding, match) if (match := reason_for(finding, contract)) else finding for finding in findings]
    needless = [
        Finding(
            file=f"runs/{contract.run_id}/run.toml",
            line=0,
            field=f"acknowledged[{place}]",
            slug="needless-acknowledgement",
            found=f"{each.slug} of {each.service or 'any service'}",
            expected="a finding of this build",
            todo="remove it, or correct its slug or service",
            blocking=False,
        )
        for place, each in enumerate(contract.acknowledged)
        if not any(_covers(each, finding) for finding in findings)
        and not (each.service in away or (each.service is None and away))
    ]
    return [*told, *needless]


def reason_for(finding: Finding, contract: Run) -> Acknowledged | None:
    """The acknowledgement of a finding about a service; None where there is none."""
    return next((each for each in contract.acknowledged if _covers(each, finding)), None)


def _covers(each: Acknowledged, finding: Finding) -> bool:
    return finding.blocking and each.slug == finding.slug and each.service in (None, finding.field)


def _as_remark(finding: Finding, by: Acknowledged) -> Finding:
    return replace(finding, blocking=False, todo=f"acknowledged: {shown(by.reason.en, 200)}")
