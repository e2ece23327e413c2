"""A hand-made site for tests of rendering: invented services, invented scores, nothing measured. Not results."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cache

from generator.publish.rerun_views import RerunPair, RerunView
from generator.publish.series_views import SeriesChange, SeriesPoint, SeriesView
from generator.publish.site import publish
from generator.publish.study_views import StudyBlock, StudyView
from generator.publish.views import SiteView
from generator.records import Comparison, Correction, Figure, Primary, Stop, Text, Withheld
from tests.audit.small import RUN, results
from tests.render.sample_board import ROWS, answer, board, call, declared, pair, verdict
from tests.render.sample_suite import GRADER, MOMENT, SERVICES, SUITE, TASKS, measured, run

__all__ = ["MOMENT", "SUITE", "TASKS", "answer", "board", "call", "pair", "series", "site", "study", "verdict"]


def study() -> StudyView:
    def rate(passed: int, n: int) -> Figure:
        if not n:
            return Withheld(slug="no_data", facts={"n": 0})
        return measured(
            Fraction(100 * passed, n), 100 * passed / n - 10, min(100.0, 100 * passed / n + 10), method="wilson", n=n
        )

    def block(who: str, name: str, passed: int, n: int) -> StudyBlock:
        return StudyBlock(
            service=who,
            block=name,
            requests=n,
            passed=passed,
            failed=n - passed,
            technical={},
            all_rate=rate(passed, n),
            complete_rate=rate(passed, n),
            latency=ROWS[0].latency,
            cost_usd=Decimal(0),
            distinct=n,
            disputed=0,
        )

    return StudyView(
        declared=declared(),
        run=run("contoh-studi"),
        suite=SUITE,
        comparison=Comparison(
            question=Text(id="Apakah B lebih jarang lolos?", en="Does B pass less often?"),
            task="ins-01",
            primary=Primary(metric="first_pass_rate", between=("layanan-a", "layanan-b")),
            stop=Stop(rule="fixed", n_per_service=20),
            exclude=Text(id="Tidak ada.", en="None."),
            equivalence_margin="10pp",
        ),
        services=SERVICES[:2],
        task=TASKS[1],
        blocks=tuple(block(s, b, n, 5) for b in ("1", "2") for s, n in (("layanan-a", 4), ("layanan-b", 2))),
        overall=(block("layanan-a", "", 16, 20), block("layanan-b", "", 8, 20)),
        difference=measured(40, 10.0, 63.0, method="newcombe", n=40),
        p=measured(Fraction(2, 89), method="exact_conditional"),
        test="stratified",
        odds_ratio=measured(6, method="mantel_haenszel"),
        homogeneity=measured(1, method="zelen"),
        equivalence="not_shown",
        detectable=measured(47, method="detectable_fisher", n=40),
        breaches=(),
        verdict="difference",
        answers=(answer("layanan-a", "ins-01", "1. angklung"), answer("layanan-b", "ins-01", "tidak", 0)),
        calls=(call("contoh-studi"),),
    )


def series() -> SeriesView:
    """A study in three runs: the second follows the first, the third is cut off from them by another suite."""

    def point(name: str, rate: int, breaks: tuple[str, ...]) -> SeriesPoint:
        rates = {"layanan-a": measured(rate, rate - 9.0, rate + 9.0, method="wilson", n=20), "layanan-b": measured(60)}
        return SeriesPoint(
            run_id=name,
            at=MOMENT,
            question=Text(id="Apakah berubah?", en="Did it change?"),
            rates=rates,
            relative={"layanan-a": measured(rate - 60, -30.0, 40.0, method="newcombe", n=40)},
            breaks=breaks,
        )

    change = measured(-10, -30.0, 10.0, method="newcombe", n=40)
    return SeriesView(
        services=("layanan-a", "layanan-b"),
        names={"layanan-a": "Layanan A", "layanan-b": "Layanan B"},
        between=("layanan-a", "layanan-b"),
        control="layanan-b",
        points=(point("contoh-studi", 80, ("first",)), point("contoh-2", 70, ()), point("contoh-3", 50, ("suite",))),
        changes=(
            SeriesChange(service="layanan-a", first="contoh-studi", last="contoh-2", absolute=change, relative=change),
        ),
    )


@cache
def site(output: str = "Semarang") -> SiteView:
    main = board(output)
    rerun = RerunView(
        declared=declared(),
        run=run("contoh-ulang", "rerun"),
        of="contoh-utama",
        tolerance=Decimal("3.00"),
        pairs=(
            RerunPair(
                service="layanan-a",
                first=ROWS[0].total,
                second=measured(93),
                difference=Decimal("-0.75"),
                within=True,
                changed_tasks=1,
                identical_answers=5,
                answers=6,
            ),
            RerunPair(
                service="layanan-d",
                first=Withheld(slug="truncated", facts={"calls": 3}),
                second=measured(9),
                difference=None,
                within=None,
                changed_tasks=0,
                identical_answers=6,
                answers=6,
            ),
        ),
        changed=(),
        calls=(call("contoh-ulang"),),
        noise=measured(Fraction(53, 100), 0.24, 3.4, method="repeatability_sd", n=2),
        limit=measured(Fraction(647, 100), method="repeatability_limit", n=2),
    )
    correction = Correction(
        at=MOMENT,
        run_id="contoh-utama",
        service="layanan-a",
        task_id="png-01",
        old="0",
        new="100",
        old_grader="nsid-v1-auto-0.9",
        new_grader=GRADER,
        reason=Text(id="Pecahan kini dibaca.", en="Fractions are read now."),
    )
    return SiteView(
        source_checks={},
        main=main,
        boards=(main,),
        studies=(study(),),
        series=(series(),),
        reruns=(rerun,),
        corrections=(correction,),
        services=SERVICES,
        audits=publish(results(), RUN)[0].audits,
        built_for=MOMENT,
        newest_price_check=date(2026, 10, 25),
    )
