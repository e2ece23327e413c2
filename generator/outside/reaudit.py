"""The published findings of the audits, computed again where no held-out material is needed. The wing ``outside``.

Cut answers follow from the call log, words known from the published scores, the figures of a blind test from its
counts, and translation metrics from the answers where all sentences are public. What a finding says about an answer
that is not published is taken as said.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256

from msgspec.structs import replace

from generator.audit.duel import Tally
from generator.audit.truncation import cut_answers
from generator.findings import Finding, shown
from generator.outside.audited import FILE
from generator.outside.published import ScoreRow
from generator.outside.recompute import Recomputed
from generator.publish.audit_views import AuditsView, CutView, TruncationView
from generator.publish.duel import result_view
from generator.publish.probe_views import DuelView, TranslationView, VocabularyView
from generator.publish.scored import truncated_services
from generator.publish.translation import translation_views
from generator.records import Call, Measured
from generator.uncertainty.proportion import wilson
from generator.uncertainty.undefined import Undefined

Logs = Mapping[str, Sequence[Call]]
"""Run -> its calls; those that answer a public task with their answers, as far as these are published."""


def check_audits(
    files: Mapping[str, bytes], found: AuditsView, boards: Mapping[str, Recomputed], logs: Logs
) -> Iterator[Finding]:
    """Where the published findings are not those that the published data give.

    Args:
        files: of the site.
        found: the findings.
        boards: id of a run that has a board -> the board computed again.
        logs: of every published run but pilots, which nothing is asked of.
    """
    missing = sorted({*logs} - {run.run_id for run in found.truncation})
    for run in missing:
        yield _finding(f"truncation {run}", "no run", "the run")
    for run_view in found.truncation:
        if run_view.run_id in logs:
            yield from _truncation(run_view, logs[run_view.run_id])
    for view in found.vocabulary:
        if made := boards.get(view.run_id):
            yield from _vocabulary(view, made)
    for corpus in found.translation:
        if made := boards.get(corpus.run_id):
            yield from _translation(corpus, made)
    for duel in found.duels:
        yield from _duel(duel, files)


def _finding(field: str, found: object, expected: object) -> Finding:
    return Finding(FILE, 0, field, "not-recomputed", shown(str(found)), shown(str(expected)))


def _truncation(view: TruncationView, calls: Sequence[Call]) -> Iterator[Finding]:
    """Every cut answer is a call of the log that shows the sign; every call that shows one is listed."""
    where = f"truncation {view.run_id}"
    ended = {call.call_id: call for call in calls if call.status == "ok"}
    made = {cut.call_id: cut for cut in cut_answers(calls)}
    listed = {cut.call_id: cut for cut in view.cuts}
    for name in sorted(made.keys() - listed.keys()):
        yield _finding(f"{where} {name}", "not listed", f"a cut answer: {made[name].sign}")
    for name, cut in listed.items():
        right = made.get(name)
        if right is None and cut.sign == "little_text" and name in ended and ended[name].output is None:
            call, sign = ended[name], cut.sign
        elif right is not None:
            call, sign = ended[name], right.sign
        else:
            yield _finding(f"{where} {name}", "a cut answer", "no sign of it in the call log")
            continue
        told = _told(call, sign)
        if cut != told:
            yield _finding(f"{where} {name}", cut, told)
    for each in view.services:
        own = [call for call in ended.values() if call.service == each.service]
        counts = (len(own), sum(cut.service == each.service for cut in view.cuts))
        if (each.calls, each.cut) != counts:
            yield _finding(f"{where} {each.service}", (each.calls, each.cut), counts)


def _told(call: Call, sign: str) -> CutView:
    return CutView(
        service=call.service,
        task_id=call.task_id,
        repeat=call.repeat,
        call_id=call.call_id,
        sign=sign,
        output_tokens=call.output_tokens,
        max_output_tokens=call.max_output_tokens,
    )


def _vocabulary(view: VocabularyView, made: Recomputed) -> Iterator[Finding]:
    """Words known by each service and by nobody, from the scores of all words at hand, held-out ones too."""
    where = f"vocabulary {view.suite}"
    rules = made.board.declared.suite.score.exact
    half = Fraction(rules.right + rules.wrong, 2)
    rows: dict[str, list[ScoreRow]] = {name: [] for name in made.board.declared.run.services}
    for row in made.board.scores:
        if row.kind == "vocabulary" and row.recomputed:
            rows[row.service].append(row)
    known = {
        name: {row.task_id for row in own if row.points is not None and row.points > half}
        for name, own in rows.items()
        if all(row.points is not None for row in own)
    }
    words = {row.task_id for own in rows.values() for row in own}
    if view.words != len(words):
        yield _finding(where, view.words, len(words))
    for each in view.services:
        count = len(known[each.service]) if each.service in known else None
        if each.known != count:
            yield _finding(f"{where} {each.service}", each.known, count)
        elif count is not None:
            yield from _share(view, each.service, count, f"{where} {each.service}")
            reasons = Counter(row.reason for row in rows[each.service] if row.task_id not in known[each.service])
            if all(row.repeats == 1 for row in rows[each.service]) and each.reasons != reasons:
                yield _finding(f"{where} {each.service}", each.reasons, dict(sorted(reasons.items())))
    nobody = words.difference(*known.values()) if known else set()
    public = {task.id for task in made.board.tasks}
    right = (len(known), sorted(nobody & public), len(nobody - public))
    said = (view.counted, sorted(word.task_id for word in view.nobody), view.nobody_held_out)
    if said != right:
        yield _finding(f"{where} nobody", said, right)


def _share(view: VocabularyView, service: str, known: int, where: str) -> Iterator[Finding]:
    """The share of all words, with Wilson's interval."""
    interval, figure = wilson(known, view.words), view.regions[0].known[service]
    if isinstance(interval, Undefined) or not isinstance(figure, Measured):
        return
    right = (Fraction(known, view.words), interval.low, interval.high)
    if (figure.point, figure.low, figure.high) != right:
        yield _finding(where, (figure.point, figure.low, figure.high), right)


def _translation(view: TranslationView, made: Recomputed) -> Iterator[Finding]:
    """Everything, where all sentences are public; else what the scores tell of copies and missing answers."""
    where = f"translation {view.suite} {view.direction}"
    if view.public == view.sentences:
        scored = replace(made.scored, withheld=truncated_services(made.scored.cuts, made.scored.suite))
        again = {each.direction: each for each in translation_views(scored)}.get(view.direction)
        if again is None or (again.services, again.pairs) != (view.services, view.pairs):
            yield _finding(where, "other figures", "those that the published answers give")
        return
    asked = [row for row in made.board.scores if row.kind == "translation"]
    if {task.direction for task in made.board.tasks if hasattr(task, "direction")} != {view.direction}:
        return
    for each in view.services:
        own = [row for row in asked if row.service == each.service]
        copies = sum(row.reason == "source_copy" for row in own) if all(row.points is not None for row in own) else None
        right = (len(own), copies, sum(row.failed for row in own))
        said = (each.sentences, each.copies, each.technical)
        if said != right and all(row.repeats == 1 for row in own):
            yield _finding(f"{where} {each.service}", said, right)


def _duel(view: DuelView, files: Mapping[str, bytes]) -> Iterator[Finding]:
    """The sheet is the one whose hash was published, with as many pairs; the figures follow from the counts."""
    where, sheet = f"duel {view.duel}", files.get(f"data/duel-{view.duel}.jsonl", b"")
    right = (sha256(sheet).hexdigest(), sheet.count(b"\n"))
    if (view.sheet_sha256, view.pairs) != right:
        yield _finding(where, (view.sheet_sha256, view.pairs), right)
    for each in view.results:
        counts = Tally(judge=each.judge, reference=each.reference, service=each.service, ties=each.ties)
        if each.reference + each.service + each.ties != view.pairs or each != result_view(counts):
            yield _finding(f"{where} {each.judge}", "other figures", "those that the counts give")
