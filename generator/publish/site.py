"""All views of a site from all stored results: the last step before words."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

import msgspec

from generator.findings import Faults, Finding
from generator.publish.audits import Audits
from generator.publish.board import board_view
from generator.publish.board_views import BoardView
from generator.publish.independence import independence_findings, independence_view
from generator.publish.longitudinal import series_views
from generator.publish.rerun import rerun_view
from generator.publish.reveals import reveal_findings, reveal_views
from generator.publish.scored import ScoredRun, scored_run
from generator.publish.services import service_view
from generator.publish.study import study_view
from generator.publish.views import CorrectedScore, SiteView
from generator.records import Results, Service


def publish(results: Results, main_run: str) -> tuple[SiteView, tuple[Finding, ...]]:
    """Score every stored run and cut the views.

    Args:
        results: everything that was read.
        main_run: id of the run that the home page shows, as ``site.toml`` names it.

    Only sealed runs are shown: an unfinished run could still change.

    Returns:
        The site and the findings that do not block.

    Raises:
        Faults: with every blocking finding, among them a main run that does not exist.
    """
    scored = _scored(results)
    audits = Audits(results, scored)
    found = [_unsealed(name) for name, run in sorted(results.runs.items()) if not run.seal]
    found += audits.findings()
    found += reveal_findings(results)
    boards = _boards(scored, results, main_run)
    shown = [board.run.run_id for board in boards]
    independence = independence_view(boards, results.services, partial(_again, results, shown))
    found += independence_findings(independence)
    if blocking := [finding for finding in found if finding.blocking]:
        raise Faults(blocking)
    studies = tuple(
        study_view(each, each.run.contract.comparison, results.services)
        for each in scored.values()
        if each.run.contract.purpose == "formal" and each.run.contract.comparison
    )
    reruns = tuple(
        rerun_view(each, scored[declared.of], declared)
        for each in scored.values()
        if (declared := each.run.contract.rerun) and declared.of in scored
    )
    main = boards[0]
    site = SiteView(
        main=main,
        boards=tuple(boards),
        studies=studies,
        series=series_views(studies),
        reruns=reruns,
        corrections=results.corrections,
        source_checks={check.url: check for check in results.sources},
        audits=audits.view(shown, independence),
        services=tuple(
            service_view(service, results.runs[main.run.run_id].contract, ()) for service in results.services.values()
        ),
        built_for=max(call.started_at for each in scored.values() for call in each.run.calls),
        newest_price_check=max(
            (
                price.checked
                for s in results.services.values()
                for price in s.price
                if price.checked and not price.assumed
            ),
            default=None,
        ),
        corrected=_corrected(results),
        reveals=reveal_views(results, [board.suite.id for board in boards]),
    )
    return site, tuple(found)


def _scored(results: Results) -> dict[str, ScoredRun]:
    """Every sealed run, by id."""
    return {name: scored_run(results, name) for name, run in sorted(results.runs.items()) if run.seal}


def _again(results: Results, shown: Sequence[str], services: Mapping[str, Service]) -> Sequence[BoardView]:
    """The boards ``shown``, the main one first, scored once more with other ``services``."""
    other = msgspec.structs.replace(results, services=dict(services), runs={name: results.runs[name] for name in shown})
    return _boards(_scored(other), other, shown[0])


def _corrected(results: Results) -> tuple[CorrectedScore, ...]:
    """The lines of all locks that name a correction."""
    return tuple(
        CorrectedScore(
            run_id=name,
            service=line.service,
            task_id=line.task_id,
            score=line.score,
            failed=line.failed,
            grader=line.grader,
            correction=line.correction,
        )
        for name, run in sorted(results.runs.items())
        for line in run.score_lock
        if line.correction
    )


def _unsealed(run_id: str) -> Finding:
    return Finding(
        file=f"runs/{run_id}/run.toml",
        line=0,
        field="",
        slug="not-sealed",
        found="a run without a seal",
        expected="a sealed run",
        todo="it is left out of the site; finish it and seal it with: rapor seal " + run_id,
        blocking=False,
    )


def _newest_price_check(results: Results) -> date | None:
    prices = [price for service in results.services.values() for price in service.price if not price.assumed]
    return max((price.checked for price in prices if price.checked), default=None)


def _boards(scored: dict[str, ScoredRun], results: Results, main_run: str) -> Sequence[BoardView]:
    """The newest formal run of each suite that is not a study, the main run first."""
    if main_run not in scored:
        raise Faults(
            [
                Finding(
                    file="content/site.toml",
                    line=0,
                    field="main_run",
                    slug="unknown-run",
                    found=main_run,
                    expected=f"one of {', '.join(sorted(scored)) or 'no run at all'}",
                    todo="name a sealed run",
                )
            ]
        )
    newest: dict[str, ScoredRun] = {}
    for each in scored.values():
        contract = each.run.contract
        if contract.purpose != "formal" or contract.comparison:
            continue
        held = newest.get(contract.suite.id)
        if held is None or each.run.calls[0].started_at > held.run.calls[0].started_at:
            newest[contract.suite.id] = each
    main = scored[main_run]
    newest[main.run.contract.suite.id] = main
    others = [each for name, each in sorted(newest.items()) if each is not main]
    return [board_view(each, results.services) for each in (main, *others)]
