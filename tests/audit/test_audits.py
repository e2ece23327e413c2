"""All audits together on small results: what stops a build, what is told, and that nothing held out is shown."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from generator.findings import Faults, Finding
from generator.publish.site import publish
from generator.publish.views import SiteView
from generator.records import Acknowledged, Correction, Measured, Rerun, Results, ScoreLock, Text, Withheld
from tests.audit import small
from tests.audit.small import HIDDEN, MOMENT, RUN, calls, results, sample_suite, stored, verdict, verdicts


@pytest.fixture(scope="module")
def site() -> SiteView:
    view, _ = publish(results(), RUN)
    return view


def remarks(of: Results) -> list[Finding]:
    return list(publish(of, RUN)[1])


def slugs(found: list[Finding]) -> set[str]:
    return {each.slug for each in found}


def faults(of: Results) -> list[Finding]:
    with pytest.raises(Faults) as caught:
        publish(of, RUN)
    return list(caught.value.findings)


def test_sound_results_are_told_their_remarks_and_published() -> None:
    found = remarks(results())
    assert not [each for each in found if each.blocking]
    assert slugs(found) == {"not-published-yet", "jury-failed-calibration", "key-not-preferred"}


def test_nothing_held_out_is_in_any_audit(site: SiteView) -> None:
    said = msgspec.json.encode(site.audits, enc_hook=str).decode()
    for secret in (HIDDEN, "senses rahasia", "Ukara trj-04", "Rahasia."):
        assert secret not in said
    for public in ("Payung itu", "bala-bala", "Semarang"):
        assert public in said


def cut(count: int = 20) -> Results:
    """The pilot's fault: every answer of one service stops at 196 of 200 tokens, and no reason is given."""
    made = [
        msgspec.structs.replace(each, finish_reason=None, output_tokens=196, max_output_tokens=200)
        if each.service == "layanan-a"
        else each
        for each in calls()
    ]
    return results(runs={RUN: stored(made)})


def test_cut_answers_stop_the_build_by_name() -> None:
    (fault,) = faults(cut())
    assert (fault.slug, fault.field) == ("truncated", "layanan-a")
    assert "13 answers cut off" in fault.found


def test_an_acknowledged_cut_is_published_without_its_figures_and_with_the_reason() -> None:
    reason = Text(id="batasnya terlalu rendah", en="the cap was too low")
    of = cut()
    run = msgspec.structs.replace(
        of.runs[RUN],
        contract=small.contract(acknowledged=(Acknowledged(slug="truncated", service="layanan-a", reason=reason),)),
    )
    view, _ = publish(msgspec.structs.replace(of, runs={RUN: run}), RUN)
    (row,) = [row for row in view.main.unranked if row.service.id == "layanan-a"]
    assert row.total == Withheld(slug="truncated", facts={"calls": 13})
    (guard,) = view.audits.truncation
    assert [each.acknowledged for each in guard.services] == [reason, None, None, None]
    assert len(guard.cuts) == 13
    (words,) = view.audits.vocabulary
    assert isinstance(words.regions[0].known["layanan-a"], Withheld)
    (corpus,) = view.audits.translation
    assert isinstance(corpus.services[0].metrics[0].value, Withheld)
    assert {pair.a for pair in corpus.pairs} == {"layanan-b", "layanan-c"}


def test_where_a_cut_counts_as_a_failure_nothing_stops() -> None:
    of = cut()
    rules = msgspec.structs.replace(sample_suite().file.score, truncation="count-as-failure")
    suite = sample_suite(score=rules)
    view, found = publish(msgspec.structs.replace(of, suites={"contoh-v1": suite}), RUN)
    assert "truncated" not in slugs(list(found))
    assert view.audits.truncation[0].policy == "count-as-failure"


def lock_of(of: Results) -> tuple[ScoreLock, ...]:
    view, _ = publish(of, RUN)
    rows = {row.service.id: row for row in (*view.main.rows, *view.main.unranked)}
    return tuple(
        ScoreLock(service=name, task_id=score.task_id, score=str(score.score), failed=score.failed, grader="g-0.9")
        for name in small.ASKED
        for score in rows[name].scores
    )


def with_lock(of: Results, lock: tuple[ScoreLock, ...], **changes: Any) -> Results:
    run = msgspec.structs.replace(of.runs[RUN], score_lock=lock)
    return msgspec.structs.replace(of, runs={RUN: run}, **changes)


def test_one_changed_score_is_one_finding_not_a_silent_new_table() -> None:
    of = results()
    lock = lock_of(of)
    assert "score-changed" not in slugs(remarks(with_lock(of, lock)))
    changed = tuple(
        msgspec.structs.replace(line, score="25") if (line.service, line.task_id) == ("layanan-a", "kos-01") else line
        for line in lock
    )
    (fault,) = faults(with_lock(of, changed))
    assert fault.field == "layanan-a.kos-01"
    assert fault.found.startswith("100 by nsid-v1-auto-")
    assert "25 by g-0.9, as published" in fault.expected


def test_a_correction_that_the_lock_contradicts_stops_the_build() -> None:
    of = results()
    line = Correction(
        at=MOMENT, run_id=RUN, service="layanan-a", task_id="kos-01", old="0", new="50", old_grader="a", new_grader="b",
        reason=Text(id="x", en="x"),
    )  # fmt: skip
    (fault,) = faults(with_lock(of, lock_of(of), corrections=(line,)))
    assert fault.slug == "corrections-broken"


@pytest.mark.parametrize(
    ("extra", "slug"),
    [
        (verdict("layanan-a.mns-01", "mns-01", "juri-satu", 5, "third"), "judged-by-own-vendor"),
        (verdict("layanan-d.mns-02", "mns-02", "layanan-b", 5, "third"), "unlisted-judge"),
    ],
    ids=["own vendor", "stranger"],
)  # fmt: skip
def test_a_judge_that_must_not_judge_stops_the_build(extra: Any, slug: str) -> None:
    found = faults(results(runs={RUN: stored(lines=[*verdicts(), extra])}))
    assert slugs(found) == {slug}


def test_a_failed_jury_is_withheld_where_the_suite_says_so() -> None:
    jury = msgspec.structs.replace(small.RULES, calibration="withhold")
    view, _ = publish(results(suites={"contoh-v1": sample_suite(jury=jury)}), RUN)
    row = view.main.unranked[0]
    assert row.judged == Withheld(slug="jury_failed_calibration")
    assert row.categories["menulis"] == row.total == row.judged
    assert isinstance(row.automatic, Measured)
    kinds = {(score.kind == "rubric", isinstance(score.score, Withheld)) for score in row.scores}
    assert kinds == {(True, True), (False, False)}
    judged = {score.task_id for score in row.scores if score.kind == "rubric"}
    assert judged
    assert not judged & {task.task_id for task in view.main.discrimination}
    warned, _ = publish(results(), RUN)
    assert warned.main.jury is not None
    assert warned.main.jury.calibration == "failed"
    assert isinstance(warned.main.rows[0].judged, Measured)


def test_the_key_that_ties_is_named_and_never_called_equal(site: SiteView) -> None:
    """The pilot: 11 ties, 5 for the model, 4 for the key."""
    (duel,) = site.audits.duels
    (result,) = duel.results
    assert (result.ties, result.service, result.reference) == (11, 5, 4)
    assert result.sentence == "not_distinguished"
    assert isinstance(result.p, Measured)
    assert result.p.point == 1
    told = next(each for each in remarks(results()) if each.slug == "key-not-preferred")
    assert "11 ties, 4 for the reference, 5 for the service" in told.found


@pytest.mark.parametrize(
    ("change", "state", "shown"),
    [
        (lambda duel: msgspec.structs.replace(duel, ballots=(), key=None, opening=None), "untested", 0),
        (
            lambda duel: msgspec.structs.replace(duel, ballots=duel.ballots[:19], key=None, opening=None),
            "unfinished",
            0,
        ),
        (lambda duel: msgspec.structs.replace(duel, key=None, opening=None), "sealed", 0),
        (lambda duel: duel, "opened", 1),
    ],
)
def test_nothing_is_counted_before_the_key_is_open(change: Callable[[Any], Any], state: str, shown: int) -> None:
    view, _ = publish(results(duels={"kunci-1": change(small.duel(small.PILOT))}), RUN)
    (duel,) = view.audits.duels
    assert (duel.state, len(duel.results), bool(duel.notes)) == (state, shown, bool(shown))


def test_flags_of_ownership_change_no_score(site: SiteView) -> None:
    both = site.audits.independence
    assert both.declared == both.flipped
    assert both.services == len(small.SERVICES)
    owned = {name: msgspec.structs.replace(each, sponsor=True) for name, each in results().services.items()}
    view, _ = publish(results(services=owned), RUN)
    assert view.audits.independence.declared == both.declared


def test_words_by_region_and_the_words_nobody_knew(site: SiteView) -> None:
    (words,) = site.audits.vocabulary
    assert [(each.region, each.words) for each in words.regions] == [
        ("", 4),
        ("Banyumas", 2),
        ("Semarang", 1),
        ("Tegal", 1),
    ]
    known = {name: each.known["layanan-a"] for name, each in {r.region: r for r in words.regions}.items()}
    assert isinstance(known["Banyumas"], Measured)
    assert known["Banyumas"].point * 2 == 1
    assert known["Banyumas"].low == pytest.approx(0.0945312, abs=1e-6)
    assert [(word.word, word.task_id) for word in words.nobody] == [("kos-03", "kos-03")]
    assert words.nobody_held_out == 1
    reasons = {each.service: (each.known, each.reasons) for each in words.services}
    assert reasons["layanan-a"] == (2, {"no_match": 2})
    assert reasons["layanan-c"] == (0, {"does_not_know": 3, "no_match": 1})


def test_translations_are_a_corpus_with_signatures(site: SiteView) -> None:
    (corpus,) = site.audits.translation
    assert (corpus.sentences, corpus.public, corpus.direction) == (4, 3, "jv-id")
    best, _, copies, _ = corpus.services
    assert [metric.metric for metric in best.metrics] == ["chrf", "bleu", "ter"]
    assert all("version:" in metric.signature for metric in best.metrics)
    assert (copies.copies, copies.technical) == (3, 1)
    assert set(best.registers) == {"krama", "ngoko"}
    assert len(corpus.pairs) == 6
    assert "seed:12345" in corpus.test
    first = corpus.pairs[0]
    values = [service.metrics[0].value for service in corpus.services[:2]]
    assert isinstance(first.difference, Measured)
    assert all(isinstance(value, Measured) for value in values)
    assert first.difference.point == values[0].point - values[1].point  # type: ignore[union-attr]


def test_the_jury_audit_counts_texts_not_services(site: SiteView) -> None:
    (jury,) = site.audits.juries
    assert (jury.answers, jury.paired, jury.third_asked) == (12, 12, 1)
    assert jury.disagreed == 3
    seats = jury.agreement[0]
    assert seats.judges == ()
    assert isinstance(seats.exact, Measured)
    assert seats.exact.point == seats.exact.point.__class__(6, 12)
    assert {each.judge: each.unusable for each in jury.judges} == {
        "juri-dua": {}, "juri-satu": {}, "juri-tiga": {"unusable": 1},
    }  # fmt: skip
    assert {each.vendor for each in jury.vendors} == {"Vendor Satu", "Vendor Dua", "Vendor Tiga", "Vendor Empat"}
    passed = {each.judge: each.passed for each in jury.calibration.judges}
    assert passed == {"juri-dua": False, "juri-satu": True, "juri-tiga": True}


def test_a_verdict_borrowed_from_the_repeated_run_is_held_against_vendors_too() -> None:
    """The re-run has no verdicts of its own; one that it takes over was given by a judge of the answer's vendor."""
    of = results()
    spoilt = [*verdicts(), verdict("layanan-a.mns-01", "mns-01", "juri-satu", 5, "third")]
    again = small.stored(lines=[])
    renamed = msgspec.structs.replace(
        again.contract, run_id="ulang", purpose="rerun", rerun=Rerun(of=RUN, tolerance=Decimal(3))
    )
    second = [msgspec.structs.replace(each, run_id="ulang", call_id=f"u.{each.call_id}") for each in again.calls]
    run = msgspec.structs.replace(again, contract=renamed, calls=tuple(second))
    both = msgspec.structs.replace(of, runs={RUN: stored(lines=spoilt), "ulang": run})
    assert {(each.file, each.field) for each in faults(both)} == {
        (f"runs/{RUN}/verdicts.jsonl", "layanan-a.mns-01"),
        ("runs/ulang/verdicts.jsonl", "u.layanan-a.mns-01"),
    }
