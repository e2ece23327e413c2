"""The grader cannot change under an old version: improving a normaliser without raising it fails here."""

import pytest

from generator.score import normalise

from .grader_lock import changed, current, fingerprint, locked

HOW = "run `python -m tests.score.grader_lock`; it asks for a new GRADER where an outcome changed"


def test_the_recorded_version_is_the_one_in_the_code() -> None:
    assert current()["grader"] == locked()["grader"], HOW


def test_no_case_is_treated_otherwise_under_the_same_version() -> None:
    assert changed(locked(), current()) == [], "raise GRADER in generator/score/__init__.py, then " + HOW


def test_the_source_is_the_one_that_was_recorded() -> None:
    assert current()["source"] == locked()["source"], HOW


def test_every_case_is_recorded() -> None:
    assert current()["outcomes"].keys() == locked()["outcomes"].keys(), HOW


def test_an_improved_normaliser_shows_in_the_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(normalise.ORDER, "punctuation", lambda text: normalise.punctuation(text).replace("-", " "))
    assert any(line.startswith("exact/hyphen-in-word: was no_match") for line in changed(locked(), current()))


def test_a_fingerprint_sees_code_and_not_comments_or_layout() -> None:
    code = 'def f(x: int) -> int:\n    """Says."""\n    return x + 1\n'
    assert fingerprint(code) == fingerprint(
        '# why\ndef f(\n    x: int,\n) -> int:\n    """Said otherwise."""\n    return x + 1'
    )
    assert fingerprint(code) != fingerprint(code.replace("1", "2"))
    assert fingerprint(code) != fingerprint(code.replace("+", "-"))
