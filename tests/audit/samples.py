"""Small suites for the audits, each field with a plain value unless the test says otherwise."""

from typing import Any

from generator.records import (
    Anchor,
    Category,
    ExactTask,
    JuryRules,
    StressRules,
    Suite,
    SuiteFile,
    Synonym,
    Task,
    TaskLock,
    Text,
    TranslationTask,
    Variants,
    VocabularyTask,
)

ZERO = "0" * 64
KINDS = {ExactTask: "exact", TranslationTask: "translation", VocabularyTask: "vocabulary"}


def exact(name: str, *references: str, **other: Any) -> ExactTask:
    fields: dict[str, Any] = {"category": "c", "access": "public", "prompt": f"Soal {name}?", "normalise": ("case",)}
    return ExactTask(id=name, references=references, **(fields | other))


def translation(name: str, *references: str, **other: Any) -> TranslationTask:
    fields: dict[str, Any] = {
        "category": "c",
        "access": "public",
        "prompt": f"Terjemahkan {name}.",
        "source_text": f"Ukara {name}.",
        "direction": "jv-id",
    }
    return TranslationTask(id=name, references=references, **(fields | other))


def vocabulary(name: str, *senses: str, **other: Any) -> VocabularyTask:
    fields: dict[str, Any] = {
        "category": "c",
        "access": "public",
        "prompt": f"Apa arti {name}?",
        "word": name,
        "word_language": "jv",
    }
    return VocabularyTask(id=name, senses=senses, **(fields | other))


def suite(
    *tasks: Task,
    words: Variants | None = None,
    stress: StressRules | None = None,
    jury: JuryRules | None = None,
    anchors: tuple[Anchor, ...] = (),
) -> Suite:
    """A suite of the given tasks, one category each name of a category."""
    names = list(dict.fromkeys(task.category for task in tasks)) or ["c"]
    file = SuiteFile(
        schema=1,
        id="s",
        version="1",
        language="id",
        title=Text(id="s", en="s"),
        licence="CC-BY-4.0",
        canary="canary",
        category=tuple(Category(id=name, name=Text(id=name, en=name)) for name in names),
        stress=stress,
        jury=jury,
    )
    locks = tuple(
        TaskLock(
            id=task.id,
            category=task.category,
            kind=KINDS.get(type(task), "rubric"),  # type: ignore[arg-type]
            access=task.access,
            repeats=task.repeats,
            commitment=ZERO,
        )
        for task in tasks
    )
    return Suite(file=file, tasks=tasks, lock=locks, sha256=ZERO, anchors=anchors, variants=words)


def pairs(*words: tuple[str, str], scaffold: tuple[str, ...] = ()) -> Variants:
    return Variants(schema=1, scaffold=scaffold, synonym=tuple(Synonym(a=a, b=b) for a, b in words))
