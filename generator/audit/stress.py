"""Test the grader before the model: does it accept what is certainly right, and refuse what is certainly wrong?

Every variant is graded by the grader that its task's answers meet. Exact match on translations is tried as well,
though nobody uses it: it shows what a single key does to good translations. chrF++ has no pass mark, so there a
right variant does as it should as far as it scores above the wrong ones of its sentence, and a wrong one as far as
it scores below the right ones; a grader that cannot tell them apart gets about a half.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from generator.audit.variants import Keyed, Variant, variants
from generator.findings import Finding
from generator.records import ExactTask, Mark, Record, Suite, TranslationTask, VocabularyTask
from generator.score import grade

EXACT_MATCH = "exact_match_on_translations"
"""Slug of the grader that is tried for comparison only."""
TOLERATED = Fraction(9, 10)
"""Least share that goes unremarked where the suite declares no thresholds."""

Grade = Callable[[str], Mark]


class Trial(Record, frozen=True, kw_only=True):
    """One variant before one grader."""

    variant: Variant
    key: str
    """The first accepted answer of its task."""
    access: str
    score: Fraction
    worth: Fraction
    """1: graded as it should be; 0: not; in between where there is no pass mark."""


class Stress(Record, frozen=True, kw_only=True):
    """One grader and everything it was tried with."""

    grader: str
    """Slug: ``exact``, ``vocabulary``, ``chrf`` or ``exact_match_on_translations``."""
    in_use: bool
    graded: bool
    """True: it has no pass mark; ``worth`` compares scores."""
    trials: tuple[Trial, ...]

    def clusters(self, *, right: bool, transform: str | None = None) -> list[list[Fraction]]:
        """``worth`` of the variants of one side, and of one transform if given, a list a task."""
        by_task: dict[str, list[Fraction]] = defaultdict(list)
        for trial in self.trials:
            if trial.variant.right is right and transform in (None, trial.variant.transform):
                by_task[trial.variant.task_id].append(trial.worth)
        return list(by_task.values())

    def transforms(self, *, right: bool) -> list[str]:
        """The transforms of one side, in order of first appearance."""
        return list(dict.fromkeys(t.variant.transform for t in self.trials if t.variant.right is right))

    def share(self, *, right: bool) -> Fraction | None:
        """Mean ``worth`` of one side; None where nothing was tried."""
        values = [worth for cluster in self.clusters(right=right) for worth in cluster]
        return sum(values, Fraction(0)) / len(values) if values else None


def stress(suite: Suite) -> tuple[Stress, ...]:
    """Every grader in use on the tasks at hand, and exact match on translations; graders without a key are absent."""
    tasks = {task.id: task for task in suite.tasks if isinstance(task, Keyed)}
    made = variants(suite)
    results = [
        _stress(slug, [v for v in made if isinstance(tasks[v.task_id], kind)], tasks, suite)
        for slug, kind in (("exact", ExactTask), ("vocabulary", VocabularyTask), ("chrf", TranslationTask))
    ]
    exact = {task.id: _as_exact(task) for task in tasks.values() if isinstance(task, TranslationTask)}
    results.append(_stress(EXACT_MATCH, [v for v in made if v.task_id in exact], exact, suite))
    return tuple(result for result in results if result.trials)


def _as_exact(task: TranslationTask) -> ExactTask:
    """The same task with its references as keys, letter case and punctuation levelled."""
    return ExactTask(
        id=task.id,
        category=task.category,
        access=task.access,
        prompt=task.prompt,
        references=task.references,
        normalise=("case", "punctuation"),
    )


def _stress(slug: str, made: Sequence[Variant], tasks: dict[str, Keyed] | dict[str, ExactTask], suite: Suite) -> Stress:
    rules = suite.file.score
    marks = [(variant, grade(tasks[variant.task_id], variant.text, (), rules, None)) for variant in made]
    worth = _by_score(marks) if slug == "chrf" else _by_outcome(marks)
    return Stress(
        grader=slug,
        in_use=slug != EXACT_MATCH,
        graded=slug == "chrf",
        trials=tuple(
            Trial(
                variant=variant,
                key=_key(tasks[variant.task_id]),
                access=tasks[variant.task_id].access,
                score=mark.score,
                worth=value,
            )
            for (variant, mark), value in zip(marks, worth, strict=True)
        ),
    )


def _key(task: Keyed) -> str:
    return task.senses[0] if isinstance(task, VocabularyTask) else task.references[0]


def _by_outcome(marks: Iterable[tuple[Variant, Mark]]) -> list[Fraction]:
    return [Fraction((mark.outcome == "passed") is variant.right) for variant, mark in marks]


def _by_score(marks: Sequence[tuple[Variant, Mark]]) -> list[Fraction]:
    """Per variant the share of the other side's variants of its sentence that it outscores, or is outscored by."""
    scores: dict[tuple[str, bool], list[Fraction]] = defaultdict(list)
    for variant, mark in marks:
        scores[variant.task_id, variant.right].append(mark.score)
    worth = []
    for variant, mark in marks:
        others = scores[variant.task_id, not variant.right]
        won = sum(mark.score > other if variant.right else mark.score < other for other in others)
        worth.append(Fraction(won, len(others)) if others else Fraction(1))
    return worth


def stress_findings(suite: Suite, results: Iterable[Stress]) -> list[Finding]:
    """What a grader in use gets wrong too often: blocking where the suite declares thresholds, else a remark."""
    rules = suite.file.stress
    wanted = {
        True: Fraction(int(rules.accept_at_least.rstrip("%")), 100) if rules else TOLERATED,
        False: Fraction(int(rules.reject_at_least.rstrip("%")), 100) if rules else TOLERATED,
    }
    found = []
    for result in results:
        for right, least in wanted.items():
            share = result.share(right=right)
            if result.in_use and share is not None and share < least:
                found.append(_finding(suite.file.id, result, share, least, right=right, blocking=rules is not None))
    return found


def _finding(suite: str, result: Stress, share: Fraction, least: Fraction, *, right: bool, blocking: bool) -> Finding:
    n = sum(trial.variant.right is right for trial in result.trials)
    side = "certainly right" if right else "certainly wrong"
    return Finding(
        file=f"suites/{suite}/suite.toml",
        line=0,
        field="stress.accept_at_least" if right else "stress.reject_at_least",
        slug="grader-refuses-right" if right else "grader-accepts-wrong",
        found=f"{result.grader}: {round(float(100 * share), 1)} % of {n} {side} variants graded as they should be",
        expected=f"{round(float(100 * least), 1)} % or more",
        todo=f"see which with: rapor audit grader {suite}",
        blocking=blocking,
    )
