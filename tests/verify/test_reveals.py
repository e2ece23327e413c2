"""A revealed task is public by computation: its text and salt leave, the answers to it and everything else do not."""

import json
from datetime import UTC, datetime

import msgspec
import pytest

from generator.records import Results, Reveal
from generator.verify.leaks import check_leaks
from tests.verify.conftest import CANARY, HELD_ANSWER, HELD_PROMPT, HELD_REASON, SALT


def leaks(text: str, results: Results) -> list[str]:
    return [each.found for each in check_leaks({"x.txt": text.encode()}, results) if each.slug == "leak"]


@pytest.fixture
def revealed(results: Results) -> Results:
    suite = results.suites["kecil"]
    task = next(msgspec.to_builtins(task) for task in suite.tasks if task.access == "held_out")
    text = json.dumps({name: value for name, value in task.items() if name != "salt"}, ensure_ascii=False)
    reveal = Reveal(at=datetime(2026, 12, 1, tzinfo=UTC), id=task["id"], salt=SALT, task=text)
    return msgspec.structs.replace(results, suites={"kecil": msgspec.structs.replace(suite, reveals=(reveal,))})


@pytest.mark.parametrize("text", [HELD_PROMPT, HELD_PROMPT.upper(), SALT])
def test_what_was_revealed_may_be_printed_in_any_form(text: str, results: Results, revealed: Results) -> None:
    assert leaks(text, results) != []
    assert leaks(text, revealed) == []


def test_the_whole_line_may_be_printed(revealed: Results) -> None:
    line = msgspec.json.encode(revealed.suites["kecil"].reveals[0]).decode()
    assert leaks(line, revealed) == []


@pytest.mark.parametrize("text", [HELD_ANSWER, HELD_REASON, CANARY])
def test_answers_reasons_and_the_canary_stay_hidden(text: str, revealed: Results) -> None:
    assert len(leaks(text, revealed)) == 1
