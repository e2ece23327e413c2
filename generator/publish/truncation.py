"""Which answers were cut off, service by service, and what the publisher says to it."""

from generator.audit.acknowledge import reason_for, truncation_findings
from generator.publish.audit_views import CutServiceView, CutView, TruncationView
from generator.publish.scored import ScoredRun


def truncation_view(scored: ScoredRun) -> TruncationView:
    """The truncation guard on a scored run."""
    contract = scored.run.contract
    reasons = {
        finding.field: match.reason
        for finding in truncation_findings(contract, scored.cuts)
        if (match := reason_for(finding, contract))
    }
    return TruncationView(
        run_id=contract.run_id,
        suite=contract.suite.id,
        policy=scored.suite.file.score.truncation,
        services=tuple(
            CutServiceView(
                service=name,
                calls=sum(call.service == name and call.status == "ok" for call in scored.run.calls),
                cut=sum(cut.service == name for cut in scored.cuts),
                acknowledged=reasons.get(name),
            )
            for name in contract.services
        ),
        cuts=tuple(
            CutView(
                service=cut.service,
                task_id=cut.task_id,
                repeat=cut.repeat,
                call_id=cut.call_id,
                sign=cut.sign,
                output_tokens=cut.output_tokens,
                max_output_tokens=cut.max_output_tokens,
            )
            for cut in scored.cuts
        ),
    )
