"""What the grader of one version says of every case, so that it cannot change under an old name.

``python -m tests.score.grader_lock`` records it anew: after a change that changes no outcome, after new cases, or
after ``GRADER`` was raised. It refuses where an outcome changed and the version did not.
"""

import ast
import json
import sys
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from generator import score
from generator.records import Check, JuryRules, ScoreRules, TranslationTask, VocabularyTask, Withheld
from generator.score import checks, exact, grade, judged
from generator.score.translation import Hypothesis, References, corpus

from .verdicts import verdict

CASES = Path(__file__).parents[1] / "cases"
LOCK = CASES / "grader.lock.json"
SOURCE = Path(score.__file__).parent
COMMON = {"id": "t", "category": "c", "access": "public", "prompt": "…"}


def locked() -> dict[str, Any]:
    """The lock as recorded: ``grader``, ``source`` (module -> fingerprint), ``outcomes`` (case -> what was said)."""
    return json.loads(LOCK.read_text(encoding="utf-8"))


def current() -> dict[str, Any]:
    """The same, of the grader as it is now."""
    return {
        "grader": score.GRADER,
        "source": {path.name: fingerprint(path.read_text("utf-8")) for path in sorted(SOURCE.glob("*.py"))},
        "outcomes": dict(outcomes()),
    }


def changed(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Cases of the lock that the grader now treats otherwise, or that are gone."""
    return [
        f"{case}: was {said}, is {now['outcomes'].get(case, 'gone')}"
        for case, said in before["outcomes"].items()
        if now["outcomes"].get(case) != said
    ]


def fingerprint(source: str) -> str:
    """Hash of what a module does: its syntax tree without comments, layout and docstrings, in any Python."""
    return sha256(json.dumps(_plain(ast.parse(source)), default=repr).encode()).hexdigest()[:16]


def _plain(node: Any) -> Any:
    if isinstance(node, list):
        return [_plain(each) for each in node if not _is_docstring(each)]
    if not isinstance(node, ast.AST):
        return node
    fields = [(name, _plain(value)) for name, value in ast.iter_fields(node) if value not in (None, [])]
    return [type(node).__name__, *fields]


def _is_docstring(node: Any) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def outcomes() -> Iterator[tuple[str, str]]:
    """What the grader says of every case, as ``(file/id, outcome)``."""
    for name, said in (
        ("exact", _exact), ("checks", _check), ("panel", _panel), ("translation", _translation), ("vocabulary", _word),
    ):  # fmt: skip
        file = tomllib.loads((CASES / f"{name}.toml").read_text("utf-8"))
        for case in file["case"]:
            yield f"{name}/{case['id']}", said(file, case)
    signature = corpus("chrf", [Hypothesis("a")], [References(("a",))]).signature
    yield "translation/signature", signature


def _exact(file: dict[str, Any], case: dict[str, Any]) -> str:
    names = case.get("normalise", file["usual"])
    reading = exact.accepts(case["answer"], case["references"], names, case.get("question", ""))
    return f"{reading.reason} {reading.read}"


def _check(_: dict[str, Any], case: dict[str, Any]) -> str:
    seen = checks.look(msgspec.convert(case["check"], Check), case["answer"])
    return f"{'passed' if seen.passed else 'failed'} {seen.saw}"


def _panel(_: dict[str, Any], case: dict[str, Any]) -> str:
    lines = [
        verdict(f"judge of {role}", role, None if case[role] == "unusable" else case[role])
        for role in ("first", "second", "third")
        if role in case
    ]
    jury = JuryRules(
        pair=("a", "b"), third_if_gap_over=case.get("gap", 1), without_third=case.get("without_third", "failed")
    )
    worth = judged.panel(lines, jury)
    return worth.slug if isinstance(worth, Withheld) else str(worth)


def _translation(file: dict[str, Any], case: dict[str, Any]) -> str:
    task = TranslationTask(
        source_text=file["source"], references=tuple(file["references"]), direction="jv-id", **COMMON
    )
    mark = grade(task, case["answer"], (), ScoreRules(), None)
    return f"{mark.reason} {mark.score}"


def _word(file: dict[str, Any], case: dict[str, Any]) -> str:
    word = file[case["of"]]
    task = VocabularyTask(
        word="x",
        word_language="jv",
        senses=tuple(word["senses"]),
        distractors=tuple(word["distractors"]),
        **COMMON,
    )
    return grade(task, case["answer"], (), ScoreRules(), None).reason


def record() -> str:
    """Write the lock; raises ``SystemExit`` with the changed cases where the version has to be raised first."""
    now = current()
    if LOCK.exists() and (before := locked())["grader"] == now["grader"] and (said := changed(before, now)):
        raise SystemExit("\n".join([*said, f"raise GRADER ({now['grader']}) in generator/score/__init__.py first"]))
    LOCK.write_text(json.dumps(now, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return f"{len(now['outcomes'])} outcomes of {now['grader']} recorded"


if __name__ == "__main__":
    sys.stdout.write(record() + "\n")
