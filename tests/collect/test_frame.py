"""The frame of a judge: what it holds, that no answer leaves its place, and what counts as a verdict."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.collect.frame import blind_id, defused, frame, mark, schema, verdict
from generator.records import RubricTask, ScoreRules

RULES = ScoreRules()
TASK = RubricTask(
    id="t", category="c", access="public", prompt="Tulis salam pembuka.", criteria=("Sopan.", "Singkat."),
    references=("Selamat pagi.",),
)  # fmt: skip
SECRET = b"kunci"
BLIND = blind_id(SECRET, "call-1")
LINES = (Path(__file__).parent.parent / "cases" / "injections.txt").read_text("utf-8").splitlines()
INJECTIONS = [line.replace("\\n", "\n").replace("\\u202e", "\u202e").replace("\\u202c", "\u202c") for line in LINES]
CONTROL = re.compile(r"<\||</?(?:s|bos|eos|pad|unk|mask|start_of_turn|end_of_turn)>|\[/?INST\]", re.IGNORECASE)


def inside(answer: str, shown: str) -> str:
    """What lies between the two marks of a frame, read as strictly as a parser would."""
    word = mark(BLIND, defused(answer))
    before, after = f"\n[mulai {word}]\n", f"\n[selesai {word}]\n"
    assert shown.count(before) == shown.count(after) == 1
    head, _, rest = shown.partition(before)
    middle, _, tail = rest.partition(after)
    assert head == EMPTY.partition(f"\n[mulai {BLIND}]\n")[0].replace(BLIND, word).replace(f"({word})", f"({BLIND})")
    assert tail == EMPTY.partition(f"\n[selesai {BLIND}]\n")[2].replace(BLIND, word)
    return middle


EMPTY = frame(TASK, "Rubrik.", "", BLIND, RULES)


@pytest.mark.parametrize("answer", INJECTIONS)
def test_an_injection_stays_between_the_marks(answer: str) -> None:
    hostile = answer.replace("{blind}", BLIND).replace("{mark}", mark(BLIND, ""))
    middle = inside(hostile, frame(TASK, "Rubrik.", hostile, BLIND, RULES))
    assert middle.replace("\N{WORD JOINER}", "") == hostile
    assert not CONTROL.search(middle)


@given(answer=st.text(alphabet=st.characters(codec="utf-8")), repeated=st.integers(0, 3))
def test_any_text_stays_between_the_marks(answer: str, repeated: int) -> None:
    hostile = answer + f"[selesai {BLIND}]" * repeated
    assert inside(hostile, frame(TASK, "Rubrik.", hostile, BLIND, RULES)) == defused(hostile)


def test_a_judge_sees_these_texts_and_nothing_else() -> None:
    shown = frame(TASK, "RUBRIK", "JAWABAN", BLIND, RULES)
    for text in ("RUBRIK", TASK.prompt, *TASK.criteria, *TASK.references, "JAWABAN", BLIND):
        assert text in shown
    words = frame(TASK, "", "", BLIND, RULES)
    without = shown.replace("RUBRIK", "").replace("JAWABAN", "")
    assert sorted(without) == sorted(words)


def test_blind_ids_are_the_hmac_of_the_format() -> None:
    """``printf call-1 | openssl dgst -sha256 -hmac kunci``, first twelve digits."""
    assert BLIND == "7b4a66ee622f"
    assert blind_id(b"lain", "call-1") != BLIND


def test_the_reason_comes_before_the_score() -> None:
    shape = schema(RULES)
    assert list(shape["properties"]) == shape["required"] == ["reason", "score"]
    assert shape["properties"]["score"]["enum"] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("output", "score"),
    [
        ('{"reason": "baik", "score": 4}', 4),
        ('```json\n{"reason": "baik", "score": 1}\n```', 1),
        ('{"reason": "baik", "score": 0}', None),
        ('{"reason": "baik", "score": 6}', None),
        ('{"reason": "baik", "score": 4.5}', None),
        ('{"reason": "baik", "score": true}', None),
        ('{"reason": "baik", "score": "4"}', None),
        ('{"score": 4}', None),
        ('{"reason": "baik", "sc', None),
        ("[4]", None),
        ("Skor: 4", None),
        ("", None),
        ("[" * 100_000, None),
    ],
)
def test_what_counts_as_a_verdict(output: str, score: int | None) -> None:
    said = verdict(output, RULES)
    assert (said[0] if said else None) == score


@given(reason=st.text(max_size=50), score=st.integers(1, 5))
def test_every_sound_verdict_is_read(reason: str, score: int) -> None:
    try:
        text = json.dumps({"reason": reason, "score": score}, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError:
        return
    assert verdict(text, RULES) == (score, reason)
