"""What the audit on a jury's page must print, given ``data/audits.json``. The wing ``outside``.

Verdicts on held-out answers are not published, so these figures are held against the published findings.
"""

from collections.abc import Sequence

from generator.outside.audited import share, share_bounds
from generator.outside.expected import bounds, money, point
from generator.outside.printed import Cells, Comparison, Grid, Printed, written
from generator.publish.audit_views import AgreementView, AuditsView, CalibratedJudgeView, JuryAuditView


def jury(compare: Comparison, page: Printed, found: AuditsView, suite: str) -> None:
    """Calibration, panels, agreement, severity and its effect, of the jury of one suite."""
    for audit in found.juries:
        if audit.suite == suite:
            if audit.calibration.judges:
                judges = audit.calibration.judges
                compare.table(page, "calibration", {each.judge: _calibrated(each) for each in judges})
                compare.table(page, "anchors", _anchors(judges))
            compare.table(
                page,
                "panels",
                {each.judge: {name: [str(n)] for name, n in each.met.items()} for each in audit.judges},
            )
            compare.table(
                page, "agreement", {" ".join(each.judges) or "seats": _agreement(each) for each in audit.agreement}
            )
            _severity(compare, page, audit)


def _calibrated(each: CalibratedJudgeView) -> Cells:
    return {
        "scored": [str(each.scored), str(each.anchors)],
        "in_range": share(each.in_range),
        "interval": share_bounds(each.in_range),
        "within_one": share(each.within_one),
        "pairs": [str(each.pairs)],
        "reversed": [str(each.reversed)],
        "tied": [str(each.tied)],
    }


def _anchors(judges: Sequence[CalibratedJudgeView]) -> Grid:
    """Every score given to answers of one quality, and how many lie above what a sound judge may give."""
    return {
        quality: {
            each.judge: [*map(str, each.scores[quality]), *([str(above)] if (above := each.above[quality]) else [])]
            for each in judges
        }
        for quality in judges[0].scores
    }


def _agreement(each: AgreementView) -> Cells:
    coefficients = {name: point(getattr(each, name), 2) for name in ("mean_difference", "kappa", "alpha", "ac2")}
    return {
        "n": [str(each.n)],
        "exact": share(each.exact),
        "interval": share_bounds(each.exact),
        "within_one": share(each.within_one),
        **coefficients,
    }


def _severity(compare: Comparison, page: Printed, audit: JuryAuditView) -> None:
    judges: Grid = {
        each.judge: {
            "answers": [str(each.answers)],
            "unusable": [str(sum(each.unusable.values()))],
            "interval": bounds(each.severity, 2),
            "cost": money(each.cost_usd),
            **{name: point(getattr(each, name), 2) for name in ("mean", "severity", "place", "length")},
        }
        for each in audit.judges
    }
    compare.table(page, "judges", judges)
    vendors: Grid = {
        each.vendor: {"answers": [str(each.answers)], "judged": point(each.judged), "total": point(each.total)}
        for each in audit.vendors
    }
    compare.table(page, "vendors", vendors)
    closures: Grid = {
        " ".join(each.judges): {"gap": [written(each.gap, 2)], "shared": [*map(str, each.shared)]}
        for each in audit.closures
    }
    compare.table(page, "closures", closures)
