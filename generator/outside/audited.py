"""What the pages of the audits must print, given ``data/audits.json``. The wing ``outside``.

The audits rest in part on held-out tasks, which nobody outside has: their findings are published as data, and the pages
are held against those data. What can be computed again without held-out material is, in ``reaudit``.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from generator.findings import Finding, shown
from generator.outside.expected import bounds, chance, facts, point, unless_withheld
from generator.outside.printed import Cells, Comparison, Grid, Printed, written
from generator.publish.audit_views import AuditsView, GraderView, TransformView
from generator.publish.probe_views import DuelResultView, TranslationView, VocabularyView
from generator.records import Figure, Measured

FILE = "data/audits.json"
Check = Callable[[Comparison, Printed, AuditsView], None]


def read_audits(files: Mapping[str, bytes], faults: list[Finding]) -> AuditsView | None:
    """What the audits found; None where the file is missing or malformed, which is added to ``faults``."""
    try:
        return msgspec.json.decode(files[FILE], type=AuditsView, dec_hook=_fraction)
    except KeyError:
        faults.append(Finding(FILE, 0, "", "missing-file", "nothing", "the file"))
    except (msgspec.DecodeError, ValueError, ArithmeticError, RecursionError) as error:
        faults.append(Finding(FILE, 0, "", "malformed-line", shown(str(error)), "the findings of the audits"))
    return None


def _fraction(kind: type, value: Any) -> Any:
    """Fractions are written as text; for any other type msgspec wants to hear ``NotImplementedError``."""
    if kind is Fraction and isinstance(value, str):
        return Fraction(value)
    raise NotImplementedError


def share(figure: Figure) -> list[str]:
    """A share from 0 to 1 as printed: percent."""
    return [written(figure.point * 100, 1)] if isinstance(figure, Measured) else []


def share_bounds(figure: Figure, digits: int = 1) -> list[str]:
    """Its interval in percent; nothing where it has none."""
    if not isinstance(figure, Measured) or figure.low is None or figure.high is None:
        return []
    return [written(Fraction(bound) * 100, digits) for bound in (figure.low, figure.high)]


def truncation(compare: Comparison, page: Printed, found: AuditsView) -> None:
    """Answers looked at and cut, by service; every cut answer with its repeat, tokens and cap."""
    for run in found.truncation:
        services = {each.service: {"calls": [str(each.calls)], "cut": [str(each.cut)]} for each in run.services}
        compare.table(page, f"cut-services--{run.run_id}", services)
        cuts: dict[str, Cells] = {
            cut.call_id: {
                "repeat": [str(cut.repeat)],
                "tokens": _whole(cut.output_tokens),
                "cap": _whole(cut.max_output_tokens),
            }
            for cut in run.cuts
        }
        compare.table(page, f"cuts--{run.run_id}", cuts)


def _whole(number: int | None) -> list[str]:
    return [] if number is None else [str(number)]


def grader(compare: Comparison, page: Printed, found: AuditsView) -> None:
    """The stress test of every grader: shares by transform and in all, and the scores of the examples."""
    for suite in found.stress:
        for each in suite.graders:
            name = f"{suite.suite}--{each.grader}"
            sides = (("right", each.right, each.still_right), ("wrong", each.wrong, each.certainly_wrong))
            for side, figure, transforms in sides:
                told = unless_withheld(figure, share(figure), share_bounds(figure))
                facts(compare, page, {f"{name}--{side}": told})
                compare.table(page, f"{name}--{side}", {row.transform: _transform(row) for row in transforms})
            scores = [example.score for _, _, rows in sides for row in rows for example in row.examples]
            facts(compare, page, {f"{name}--examples": [written(score, 1) for score in scores]} if scores else {})
            facts(compare, page, _counts(name, each))


def _counts(name: str, each: GraderView) -> Cells:
    """What a grader refused and accepted, where it has a pass mark."""
    if each.refused_right is None or each.accepted_wrong is None:
        return {}
    of = [sum(row.variants for row in rows) for rows in (each.still_right, each.certainly_wrong)]
    return {f"{name}--counts": [str(n) for n in (each.refused_right, of[0], each.accepted_wrong, of[1])]}


def _transform(row: TransformView) -> Cells:
    return {
        "share": share(row.share),
        "interval": share_bounds(row.share),
        "variants": [str(row.variants)],
        "tasks": [str(row.tasks)],
        "score": [written(row.score, 1)],
    }


def vocabulary(compare: Comparison, page: Printed, found: AuditsView) -> None:
    """Words known by service and by region, and words that nobody knew."""
    for view in found.vocabulary:
        counts = [len(view.nobody), view.nobody_held_out, view.counted]
        nobody = {f"{view.suite}--nobody": [str(n) for n in counts]} if sum(counts[:2]) else {}
        facts(compare, page, {f"{view.suite}--words": [str(view.words), str(len(view.public))]} | nobody)
        compare.table(page, f"{view.suite}--known", _known(view))
        compare.table(page, f"{view.suite}--regions", _regions(view))


def _known(view: VocabularyView) -> Grid:
    whole = view.regions[0].known
    return {
        each.service: {
            "known": _whole(each.known),
            "share": share(whole[each.service]),
            "interval": share_bounds(whole[each.service]),
            "reasons": [str(count) for count in each.reasons.values()],
        }
        for each in view.services
    }


def _regions(view: VocabularyView) -> Grid:
    return {
        each.region or "all": {
            "words": [str(each.words)],
            **{
                service: [*([written(figure.point * 100, 0)] if isinstance(figure, Measured) else []),
                          *share_bounds(figure, 0)]
                for service, figure in each.known.items()
            },
        }
        for each in view.regions
    }  # fmt: skip


def translation(compare: Comparison, page: Printed, found: AuditsView) -> None:
    """Metrics by service, by speech level, and services in pairs."""
    for view in found.translation:
        name = f"{view.suite}--{view.direction}"
        facts(compare, page, {f"{name}--sentences": [str(view.sentences), str(view.public)]})
        compare.table(page, f"{name}--metrics", _metrics(view))
        if view.services[0].registers:
            registers: Grid = {
                each.service: {register: point(figure, 2) for register, figure in each.registers.items()}
                for each in view.services
            }
            compare.table(page, f"{name}--registers", registers)
        pairs: Grid = {
            f"{pair.a}--{pair.b}": {
                "difference": point(pair.difference, 2),
                "p": chance(pair.p),
                "p_adjusted": chance(pair.p_adjusted),
            }
            for pair in view.pairs
        }
        compare.table(page, f"{name}--pairs", pairs)


def _metrics(view: TranslationView) -> Grid:
    return {
        each.service: {
            **{metric.metric: point(metric.value, 2) for metric in each.metrics},
            "copies": _whole(each.copies),
            "technical": [str(each.technical)],
        }
        for each in view.services
    }


def answer_key(compare: Comparison, page: Printed, found: AuditsView) -> None:
    """Pairs, ballots, counts and figures of every blind test."""
    for view in found.duels:
        counts = {"pairs": view.pairs, "identical": view.identical, "without": view.without_answer}
        facts(compare, page, {f"{view.duel}--{name}": [str(n)] for name, n in counts.items()})
        if view.state != "opened" and view.ballots:
            facts(compare, page, {f"{view.duel}--ballots": [*map(str, view.ballots.values())]})
        for name in ("ties", "reference", "service") if view.results else ():
            facts(compare, page, {f"{view.duel}--{name}": [str(getattr(each, name)) for each in view.results]})
        for each in view.results:
            compare.table(page, f"{view.duel}--{each.judge}", _ballots(each))


def _ballots(each: DuelResultView) -> Grid:
    ratio = unless_withheld(each.log_ratio, point(each.log_ratio, 3))
    shares = {name: getattr(each, name) for name in ("tie_rate", "decisive", "net")}
    return {
        **{
            name: {"value": unless_withheld(figure, share(figure)), "interval": share_bounds(figure)}
            for name, figure in shares.items()
        },
        "log_ratio": {"value": ratio, "interval": bounds(each.log_ratio, 3)},
        "nu": {"value": unless_withheld(each.nu, point(each.nu, 3)), "interval": []},
    }


def audits(compare: Comparison, page: Printed, found: AuditsView) -> None:
    """The summary of all audits."""
    expected: dict[str, Sequence[str] | None] = {"independence": [str(found.independence.services)]}
    for run in found.truncation:
        looked = sum(each.calls for each in run.services)
        expected[f"{run.run_id}--cut"] = [str(len(run.cuts)), str(looked)]
    for suite in found.stress:
        for each in suite.graders:
            if each.in_use:
                both = [share(each.right), share(each.wrong)]
                expected[f"{suite.suite}--{each.grader}"] = [*both[0], *both[1]] if all(both) else None
    for view in found.juries:
        expected[f"{view.suite}--disagreed"] = [str(view.disagreed), str(view.paired)]
    for words in found.vocabulary:
        nobody = len(words.nobody) + words.nobody_held_out
        expected[f"{words.suite}--words"] = [str(n) for n in (nobody, words.words, words.counted)]
    for sentences in found.translation:
        expected[f"{sentences.suite}--{sentences.direction}"] = [str(sentences.sentences)]
    facts(compare, page, expected)


KINDS: dict[str, Check] = {
    "truncation": truncation,
    "grader": grader,
    "vocabulary": vocabulary,
    "translation": translation,
    "answer-key": answer_key,
    "audits": audits,
}
"""Name of an audit's page, as its English address calls it -> its check."""
