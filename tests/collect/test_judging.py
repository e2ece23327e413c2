"""The jury at work, on a real server: who is asked, what judges are shown, and what becomes of their replies."""

import json
from collections import Counter
from hashlib import sha256

import pytest

from generator.collect.projecting import project_jury
from generator.findings import Faults
from generator.store.read import read_results
from generator.store.write import secret_of
from tests.collect.conftest import JUDGES, ONE_ANSWER, PRICED, RUN, Place, judge_all, says, start
from tests.collect.misbehaving import Server


def test_two_judges_who_agree_are_enough(judged: Place, server: Server) -> None:
    _, ended = judge_all(judged)
    assert ended == []
    assert Counter((line.by, line.role, line.status) for line in judged.verdicts) == {
        ("juri-a", "first", "ok"): 2,
        ("juri-b", "second", "ok"): 2,
    }
    read_results(judged.layout.root)


@pytest.mark.parametrize(("gap", "thirds"), [(1, 0), (2, 2)])
def test_a_third_is_asked_only_over_one_point(judged: Place, server: Server, gap: int, thirds: int) -> None:
    server.answer = says({"juri-a": 2, "juri-b": 2 + gap})
    judge_all(judged)
    assert sum(line.role == "third" for line in judged.verdicts) == thirds


def test_a_judge_of_the_same_vendor_is_replaced(judged: Place, server: Server) -> None:
    services = judged.layout.services
    services.write_text(services.read_text().replace('vendor = "Vendor juri-a"', 'vendor = "Vendor model-x"'))
    judge_all(judged)
    vendors = {call.call_id: call.service for call in judged.calls}
    panels: dict[str, set[str]] = {}
    for line in judged.verdicts:
        panels.setdefault(vendors[line.subject], set()).add(line.by)
    assert panels == {"model-x": {"juri-b", "juri-c"}, "model-y": {"juri-a", "juri-b"}}


def test_judges_see_nothing_that_tells_who_answered(judged: Place, server: Server) -> None:
    judge_all(judged)
    secret = secret_of(judged.layout, RUN)
    assert secret is not None
    for request in server.requests:
        sent = request.data
        assert set(sent) == {"model", "messages", "temperature", "max_tokens", "seed", "response_format"}
        assert [message["role"] for message in sent["messages"]] == ["user"]
        prompt = request.prompt
        for call in judged.calls:
            for telling in (call.call_id, call.service, "Vendor", "uji/lokal", "test-model", RUN, str(call.started_at)):
                assert telling not in prompt
        assert secret.hex() not in request.body.decode()
        (line,) = (line for line in judged.verdicts if line.blind_id in prompt and line.by == sent["model"])
        (answer,) = (call.output for call in judged.calls if call.call_id == line.subject)
        assert answer is not None
        for text in (answer, "Tulis salam.", "Sopan.", "Singkat.", "Selamat pagi.", "Skor 1 sampai 5."):
            assert text in prompt
    rubric = (judged.layout.suite_dir("uji-v1") / "rubric.id.md").read_bytes()
    assert {line.rubric_sha256 for line in judged.verdicts} == {sha256(rubric).hexdigest()}


def test_the_secret_lies_outside_and_is_ignored_by_git(judged: Place) -> None:
    judge_all(judged)
    folder = judged.layout.secret(RUN).parent
    assert (folder / ".gitignore").read_text() == "*\n"
    assert judged.layout.root not in folder.parents
    secret = secret_of(judged.layout, RUN)
    assert secret is not None
    stored = b"".join(path.read_bytes() for path in judged.layout.root.rglob("*") if path.is_file())
    assert secret not in stored
    assert secret.hex().encode() not in stored


def test_a_lost_secret_stops_the_jury(judged: Place, server: Server) -> None:
    server.answer = says({"juri-b": "rusak"})
    judge_all(judged)
    judged.layout.secret(RUN).unlink()
    with pytest.raises(Faults, match="missing-secret"):
        judge_all(judged)


def test_an_unusable_verdict_is_a_line_and_is_tried_again(judged: Place, server: Server) -> None:
    server.answer = says({"juri-b": "Menurut saya 4"})
    jury, ended = judge_all(judged)
    assert ended == []
    unusable = [line for line in judged.verdicts if line.by == "juri-b"]
    assert [(line.status, line.score) for line in unusable] == [("unusable", None)] * 6
    assert sorted(line.attempt for line in unusable) == [1, 1, 2, 2, 3, 3]
    assert all(b"Menurut saya 4" in judged.artifact(line) for line in unusable)
    assert jury.wanted() == []


def test_a_network_failure_is_a_line_and_is_tried_again(judged: Place, server: Server) -> None:
    server.script = ["http-500", "cut", "hang"]
    _, ended = judge_all(judged)
    assert ended == []
    assert Counter(line.status for line in judged.verdicts) == {"ok": 4, "error": 1, "cut": 1, "timeout": 1}


def test_a_prompt_that_is_too_long_is_asked_once(judged: Place, server: Server) -> None:
    server.script = ["http-400 says exceed_context_size_error"]
    jury, _ = judge_all(judged)
    assert Counter(line.status for line in judged.verdicts) == {"ok": 3, "error": 1}
    assert jury.wanted() == []


def test_a_killed_jury_goes_on_where_it_stopped(judged: Place, server: Server) -> None:
    server.script = ["ok", "http-401"]
    _, (finding,) = judge_all(judged)
    assert finding.slug == "refused"
    asked = len(server.requests)
    judge_all(judged)
    assert len(server.requests) == asked + 3
    assert Counter(line.status for line in judged.verdicts) == {"ok": 4, "error": 1}
    with pytest.raises(Faults, match="sealed"):
        _seal_and_open(judged)


def _seal_and_open(place: Place) -> None:
    process = start(place, "seal", RUN)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, said
    place.open()


def test_identical_answers_are_judged_once(judged: Place, server: Server) -> None:
    judged.layout.calls(RUN).unlink()
    judged.layout.ledger.unlink()
    server.answer = lambda data: (
        json.dumps({"reason": "sama", "score": 3}) if data["model"].startswith("juri") else "Selamat pagi."
    )
    judged.record()
    judge_all(judged)
    assert len(judged.verdicts) == 2


def test_an_empty_answer_needs_no_judge(judged: Place, server: Server) -> None:
    judged.layout.calls(RUN).unlink()
    judged.layout.ledger.unlink()
    server.script = ["empty", "ok"]
    judged.record()
    judge_all(judged)
    assert {line.subject for line in judged.verdicts} == {call.call_id for call in judged.calls if call.output}


def test_calibration_shows_every_anchor_to_every_judge(judged: Place, server: Server) -> None:
    judge_all(judged, calibrate=True)
    assert Counter((line.by, line.role) for line in judged.verdicts) == {(name, "calibration"): 2 for name in JUDGES}
    assert {line.subject for line in judged.verdicts} == {"t-03-baik", "t-03-buruk"}
    read_results(judged.layout.root)
    asked = len(server.requests)
    judge_all(judged, calibrate=True)
    assert len(server.requests) == asked


def test_the_jury_has_a_cap_too(judged: Place, server: Server) -> None:
    services = judged.layout.services
    free = '{ source = "local", currency = "USD", input_per_mtok = "0", output_per_mtok = "0" }'
    services.write_text(services.read_text().replace(free, PRICED))
    judged.layout.budget.write_text('schema = 1\n[[cap]]\naccount = "semua"\nusd_per_month = "0.01"\n')
    _, (finding,) = judge_all(judged)
    assert finding.slug == "budget-exceeded"
    assert judged.verdicts == []
    judged.layout.budget.write_text('schema = 1\n[[cap]]\naccount = "semua"\nusd_per_month = "10"\n')
    judge_all(judged)
    paid = [line for line in judged.ledger if (line.kind, line.phase) == ("charge", "verdicts")]
    assert sum(line.usd for line in paid) == 4 * ONE_ANSWER
    assert {line.cost_usd for line in judged.verdicts} == {ONE_ANSWER}


def test_judging_waits_for_the_last_answer(judged: Place) -> None:
    lines = judged.layout.calls(RUN).read_bytes().splitlines(keepends=True)
    judged.layout.calls(RUN).write_bytes(lines[0])
    with pytest.raises(Faults, match="open-slots"):
        judge_all(judged)


def test_plan_asks_nothing_and_makes_no_secret(judged: Place, server: Server) -> None:
    process = start(judged, "judge", RUN, "--plan")
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert "juri-a" in said
    assert server.requests == []
    assert not judged.layout.secret(RUN).exists()


def test_judge_and_seal_from_the_door(judged: Place, server: Server) -> None:
    early = start(judged, "seal", RUN)
    said, _ = early.communicate(timeout=60)
    assert early.returncode == 1
    assert "open-verdicts" in said
    process = start(judged, "judge", RUN)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert "juri-a: 2 x ok" in said
    closing = start(judged, "seal", RUN)
    said, _ = closing.communicate(timeout=60)
    assert closing.returncode == 0, said
    assert "sealed with 2 calls and 4 verdicts" in said


def test_the_jury_is_projected_with_the_run(judged: Place, server: Server) -> None:
    judged.layout.calls(RUN).unlink()
    rows = {row.service: row for row in project_jury(judged.open(), ())}
    assert {name: row.calls for name, row in rows.items()} == {"juri-a": 2, "juri-b": 2}
    assert all(row.input_tokens > 2 * 64 for row in rows.values())
    judged.layout.ledger.unlink()
    judged.record()
    assert project_jury(judged.open(), ()) == []


def test_a_run_whose_jury_cannot_be_paid_is_not_begun(judged: Place, server: Server) -> None:
    judged.layout.calls(RUN).unlink()
    judged.layout.ledger.unlink()
    services = judged.layout.services.read_text()
    head, _, juries = services.partition('[[service]]\nid = "juri-a"')
    free = '{ source = "local", currency = "USD", input_per_mtok = "0", output_per_mtok = "0" }'
    judged.layout.services.write_text(f'{head}[[service]]\nid = "juri-a"{juries.replace(free, PRICED)}')
    judged.layout.budget.write_text('schema = 1\n[[cap]]\naccount = "semua"\nusd_per_month = "0.01"\n')
    (finding,) = judged.record()
    assert finding.slug == "budget-exceeded"
    assert server.requests == []
