"""All audits of a site: what they found, and what a reader may see of them."""

from collections.abc import Mapping, Sequence

import msgspec

from generator.audit.acknowledge import acknowledged, truncation_findings
from generator.audit.calibration import calibrate, verdict_on_jury
from generator.audit.corrections import chain_findings
from generator.audit.duel import duel_findings
from generator.audit.jury import jury_findings
from generator.audit.lock import lock_findings, lock_lines
from generator.audit.stress import Stress, stress, stress_findings
from generator.findings import Finding
from generator.publish.audit_views import AuditsView, IndependenceView
from generator.publish.duel import duel_view
from generator.publish.grader import stress_view
from generator.publish.panel import jury_audit_view
from generator.publish.scored import OUT_OF_SIGHT, ScoredRun
from generator.publish.translation import translation_views
from generator.publish.truncation import truncation_view
from generator.publish.vocabulary import vocabulary_view
from generator.records import Results, Verdict
from generator.score import GRADER


class Audits:
    """The audits of published runs: pilots are published nowhere, so nothing is asked of them."""

    def __init__(self, results: Results, scored: Mapping[str, ScoredRun]) -> None:
        """Take everything that was read, and every sealed run as scored, by id."""
        self._results = results
        self._runs = [each for each in scored.values() if each.run.contract.purpose != "pilot"]
        suites = dict.fromkeys(each.run.contract.suite.id for each in self._runs)
        self._stress: dict[str, tuple[Stress, ...]] = {name: stress(results.suites[name]) for name in sorted(suites)}

    def findings(self) -> list[Finding]:
        """Everything that the audits found, blocking or not."""
        found: list[Finding] = []
        for each in self._runs:
            found += run_findings(each)
        for name, tried in self._stress.items():
            found += stress_findings(self._results.suites[name], tried)
        for duel in self._results.duels.values():
            found += duel_findings(duel)
        locks = {name: run.score_lock for name, run in self._results.runs.items()}
        return [*found, *chain_findings(self._results.corrections, locks)]

    def view(self, boards: Sequence[str], independence: IndependenceView) -> AuditsView:
        """What a reader may see.

        Args:
            boards: ids of the runs that have a board; jury, words and translations are shown of these.
            independence: the two hashes.
        """
        shown = [each for name in boards for each in self._runs if each.run.contract.run_id == name]
        return AuditsView(
            truncation=tuple(map(truncation_view, self._runs)),
            stress=tuple(stress_view(self._results.suites[name], tried) for name, tried in self._stress.items()),
            juries=tuple(jury for each in shown if (jury := jury_audit_view(each))),
            duels=tuple(map(duel_view, self._results.duels.values())),
            vocabulary=tuple(words for each in shown if (words := vocabulary_view(each))),
            translation=tuple(view for each in shown for view in translation_views(each)),
            independence=independence,
        )


def run_findings(scored: ScoredRun) -> list[Finding]:
    """What the audits find in one run: cut answers, judges that should not have judged, changed scores, calibration."""
    contract, suite, verdicts = scored.run.contract, scored.suite, scored.run.verdicts
    found = truncation_findings(contract, scored.cuts) if suite.file.score.truncation == "withhold" else []
    away = {service for service, reason in scored.withheld.items() if reason.slug == OUT_OF_SIGHT}
    found = acknowledged(found, contract, away)
    lines = [*verdicts, *borrowed(scored)]
    found += jury_findings(contract.run_id, scored.run.calls, lines, scored.vendors, suite.file.jury)
    if suite.file.jury:
        outcome = verdict_on_jury(suite, calibrate(suite.anchors, verdicts), verdicts)
        if outcome in ("failed", "not_calibrated"):
            found.append(_uncalibrated(contract.run_id, outcome, suite.file.jury.calibration))
    locked = lock_lines(scored.services, GRADER, scored.run.score_lock)
    return [*found, *lock_findings(contract.run_id, scored.run.score_lock, locked)]


def borrowed(scored: ScoredRun) -> list[Verdict]:
    """Verdicts that answers of this run take from identical answers, also those of another run, as if given to them."""
    return [
        msgspec.structs.replace(line, subject=call_id)
        for call_id, lines in scored.verdicts.items()
        for line in lines
        if line.subject != call_id
    ]


def _uncalibrated(run_id: str, outcome: str, policy: str) -> Finding:
    failed = outcome == "failed"
    fate = "withheld" if policy == "withhold" else "shown with a word of warning"
    return Finding(
        file=f"runs/{run_id}/verdicts.jsonl",
        line=0,
        field="",
        slug="jury-failed-calibration" if failed else "jury-not-calibrated",
        found="a judge that cannot tell the anchor answers apart" if failed else "a judge without anchor verdicts",
        expected="judges that pass the calibration",
        todo=f"the suite says {policy}: judged figures are {fate}",
        blocking=False,
    )
