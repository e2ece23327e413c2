"""Answers whose worth is certain before any grader sees them, made mechanically from every key and reference.

What is still right differs from a reference only in ways that the kind of task declares not to matter; what is wrong
denies it, changes a fact in it, gives nothing, or hides it among other answers. Rules make only what somebody wrote a
rule for, so a suite may declare further answers of either kind by hand. No model is asked.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from generator.audit import certainly_wrong, still_right
from generator.records import DeclaredAnswer, ExactTask, Record, Suite, TranslationTask, Variants, VocabularyTask

Keyed = ExactTask | TranslationTask | VocabularyTask
"""Kinds of task that have a key. Checks have none, and writing is judged by models: those are tested by anchors."""
Made = Iterator[tuple[str, str]]
"""(transform, text)."""


class Variant(Record, frozen=True, kw_only=True):
    """One made answer to one task."""

    task_id: str
    transform: str
    right: bool
    text: str


def variants(suite: Suite) -> tuple[Variant, ...]:
    """Every variant of every task at hand, in suite order; each text once a task and side.

    A wrong variant that happens to read like one of its task's own references is left out: nobody could say that
    it is wrong.
    """
    tasks = [task for task in suite.tasks if isinstance(task, Keyed)]
    words = suite.variants or Variants(schema=1)
    made: list[Variant] = []
    for task in tasks:
        keys = {_loosely(key) for key in keys_of(task)}
        accept = _declared("declared_right", words.must_accept, task.id)
        reject = _declared("declared_wrong", words.must_reject, task.id)
        right = _once(chain(still_right.of(task, words, suite.file.language), accept), set())
        wrong = _once(chain(certainly_wrong.of(task, _others(task, tasks), suite.file.language), reject), keys)
        made += [Variant(task_id=task.id, transform=name, right=True, text=text) for name, text in right]
        made += [Variant(task_id=task.id, transform=name, right=False, text=text) for name, text in wrong]
    return tuple(made)


def _declared(transform: str, answers: Iterable[DeclaredAnswer], task_id: str) -> Made:
    return ((transform, answer.text) for answer in answers if answer.task_id == task_id)


def keys_of(task: Keyed) -> tuple[str, ...]:
    """The accepted answers of a task."""
    return task.senses if isinstance(task, VocabularyTask) else task.references


def _others(task: Keyed, tasks: Sequence[Keyed]) -> list[Keyed]:
    """Tasks of the same kind, category and access, beginning behind ``task`` and going round.

    The same access, because a variant of a public task may be shown and must hold nothing that is held out.
    """
    kind = (type(task), task.category, task.access)
    alike = [each for each in tasks if (type(each), each.category, each.access) == kind]
    place = alike.index(task)
    return [*alike[place + 1 :], *alike[:place]]


def _once(made: Made, refused: set[str]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for name, text in made:
        if text not in seen and _loosely(text) not in refused:
            seen.add(text)
            yield name, text


def _loosely(text: str) -> str:
    """``text`` as a hasty reader sees it: letters and digits only, small."""
    return "".join(character for character in text.casefold() if character.isalnum())
