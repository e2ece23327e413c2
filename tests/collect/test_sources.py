"""Sources are opened on a real server, once each; what was found is kept, and nothing else is touched."""

import json
import time
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli_sources import sources
from generator.collect.sources import addresses
from generator.store.layout import Layout
from generator.store.read import read_results
from generator.store.suites import lock_suite
from generator.store.write import write_new
from tests.outside.test_source import Server


@pytest.fixture
def results(sources: Path, tmp_path: Path) -> Path:
    import shutil

    return Path(shutil.copytree(sources / "results", tmp_path / "results"))


@pytest.fixture(autouse=True)
def nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fixture names one page of another host: it is asked through a proxy that is not there."""
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")


def with_sources(results: Path, *urls: str) -> None:
    """Give the first service these sources."""
    path = results / "services.toml"
    listed = ", ".join(f'{{ url = "{url}" }}' for url in urls)
    path.write_text(
        path.read_text("utf-8").replace(
            'name = "Fixture alpha"\n', f'name = "Fixture alpha"\nsources = [{listed}]\n', 1
        ),
        "utf-8",
    )


def moved(handler, path: str) -> bool:  # type: ignore[no-untyped-def]
    if path != "moved":
        return False
    handler.send_response(301)
    handler.send_header("Location", "/rapor/here")
    handler.send_header("Content-Length", "0")
    handler.end_headers()
    return True


def test_each_source_is_opened_once_and_its_state_kept(results: Path) -> None:
    with Server({"here": b"text"}, moved) as server:
        with_sources(results, f"{server.address}/here", f"{server.address}/moved", f"{server.address}/gone")
        before = {path: path.read_bytes() for path in results.rglob("*") if path.is_file()}
        done = CliRunner().invoke(sources, ["check", "--results", str(results), "--pause", "0"])
        assert sorted(server.asked) == ["gone", "here", "here", "moved"]
    assert done.exit_code == 1, done.output
    assert "1 gone, 1 moved, 1 open, 1 unclear" in done.output
    assert done.output.count("once you have read it: checked = ") == 1
    checks = {check.url.rsplit("/", 1)[1]: check for check in read_results(results).sources}
    assert {name: check.state for name, check in checks.items()} == {
        "here": "open",
        "moved": "moved",
        "gone": "gone",
        "fixture": "unclear",
    }
    assert checks["here"].sha256 == "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"
    assert checks["moved"].final_url == checks["here"].url
    after = {path: path.read_bytes() for path in results.rglob("*") if path.is_file() and path.name != "sources.jsonl"}
    assert after == before


def test_without_a_connection_nothing_is_recorded(results: Path) -> None:
    with_sources(results, "http://127.0.0.1:9/a", "http://127.0.0.1:9/b")
    done = CliRunner().invoke(sources, ["check", "--results", str(results), "--pause", "0"])
    assert done.exit_code == 1
    assert "no connection: none of 3 sources answered" in done.output
    assert not (results / "sources.jsonl").exists()


def test_the_source_of_a_held_out_task_is_opened_and_its_address_written_nowhere(results: Path) -> None:
    layout = Layout(results)
    with Server({"secret": b"text", "here": b"text"}) as server:
        with_sources(results, f"{server.address}/here")
        canary = "7a1cf2a4-0000-4000-8000-000000000002"
        suite = layout.suites / "rahasia-v1"
        rules = (layout.suites / "mini-v1" / "suite.toml").read_text("utf-8")
        rules = rules.replace("mini-v1", "rahasia-v1").replace("00000000-0000-4000-8000-000000000001", canary)
        write_new(suite / "suite.toml", rules.encode())
        write_new(suite / "tasks.toml", (layout.suites / "mini-v1" / "tasks.toml").read_bytes())
        held_out = (layout.suites / "mini-v1" / "tasks.held_out.toml").read_text("utf-8")
        held_out = held_out.replace("00000000-0000-4000-8000-000000000001", canary)
        named = (
            f'kind = "exact"\nsources = [{{ url = "{server.address}/secret" }}, {{ url = "{server.address}/here" }}]\n'
        )
        write_new(suite / "tasks.held_out.toml", held_out.replace('kind = "exact"\n', named).encode())
        for name in ("rubric.id.md", "rubric.en.md"):
            write_new(suite / name, (layout.suites / "mini-v1" / name).read_bytes())
        write_new(layout.suite_lock("rahasia-v1"), lock_suite(layout, "rahasia-v1"))
        done = CliRunner().invoke(sources, ["check", "--results", str(results), "--pause", "0"])
        assert sorted(server.asked) == ["here", "secret"]
    assert "a source of the held-out task rahasia-v1/f-eksak-2; not recorded" in done.output
    assert "secret" not in done.output
    assert "secret" not in (results / "sources.jsonl").read_text("utf-8")
    assert len(read_results(results).sources) == 2


def test_a_host_is_left_alone_between_two_requests(results: Path) -> None:
    times: list[float] = []

    def note(_handler, _path: str) -> bool:  # type: ignore[no-untyped-def]
        times.append(time.monotonic())
        return False

    with Server({"a": b"", "b": b"", "c": b""}, note) as server:
        with_sources(results, *(f"{server.address}/{name}" for name in "abc"))
        CliRunner().invoke(sources, ["check", "--results", str(results), "--pause", "0.3"])
    assert len(times) == 3
    assert all(later - earlier >= 0.29 for earlier, later in pairwise(times))


def test_an_address_that_is_only_spelled_differently_has_not_moved(results: Path) -> None:
    with Server({"a é": b"text"}) as server:
        with_sources(results, f"{server.address.upper().replace('RAPOR', 'rapor').replace('HTTP', 'http')}/a é#part")
        CliRunner().invoke(sources, ["check", "--results", str(results), "--pause", "0"])
    assert [check.state for check in read_results(results).sources if "part" in check.url] == ["open"]


def test_prices_are_opened_too(results: Path) -> None:
    path = results / "services.toml"
    path.write_text(path.read_text("utf-8").replace('source = "fixture"', 'source = "https://x.example/p"'), "utf-8")
    read = read_results(results)
    assert "https://x.example/p" in addresses(read.services.values(), read.suites.values())


def test_a_broken_line_of_checks_is_a_finding(results: Path) -> None:
    (results / "sources.jsonl").write_text(json.dumps({"url": "x"}) + "\n", "utf-8")
    done = CliRunner().invoke(sources, ["check", "--results", str(results)])
    assert done.exit_code == 1
    assert "sources.jsonl:1: at: missing-field" in done.output


def test_only_addresses_of_the_web_are_opened(results: Path) -> None:
    with_sources(results, "file:///etc/passwd", "ftp://x/y", "https://example.org/a")
    read = read_results(results)
    assert addresses(read.services.values(), read.suites.values()) == [
        "https://example.org/a",
        "https://example.org/fixture",
    ]
