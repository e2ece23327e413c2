"""A key of any known form stops the build wherever it stands; what a model wrote is its own word."""

import msgspec
import pytest

from generator.records import Results
from generator.verify import verify
from generator.verify.keys import check_keys
from tests.verify.test_leaks import ARCHIVES

KEYS = {
    "age": "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE",
    "a private key": "-----BEGIN RSA PRIVATE KEY-----",
    "a model service": "sk-ant-api03-abcdefghijklmnopqrstuvwxyz",
    "Hugging Face": "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "Google": "AIza" + "Sy0123456789abcdefghijklmnopqrstuvw",
    "Amazon": "AKIA" + "IOSFODNN7EXAMPLE",
    "GitHub": "ghp_" + "0123456789abcdefghijklmnopqrstuvwxyz",
    "Slack": "xoxb-" + "123456789012-abcdefghijkl",
}
"""Whose -> one that opens nothing."""


@pytest.mark.parametrize("whose", KEYS)
def test_a_key_is_found_in_any_file_and_never_quoted(whose: str, results: Results) -> None:
    key = KEYS[whose]
    files = {
        "a.html": f'<p title="{key}">x</p>'.encode(),
        "b.csv": f"x\n1,{key}\n".encode(),
        "c.js": f"const k='{key}'".encode(),
    }
    files |= {f"d-{name}": pack(key.encode()) for name, pack in ARCHIVES.items()}
    found = list(check_keys(files, results))
    assert [finding.file.partition("!")[0] for finding in found] == sorted(files)
    assert all(finding.blocking and finding.found.endswith(whose) for finding in found)
    assert all(key not in str(finding) for finding in found)
    assert found[1].line == 2


def test_a_key_fails_the_whole_check(files: dict[str, bytes], results: Results) -> None:
    spoilt = {**files, "data/scores.csv": f"{KEYS['GitHub']}\n".encode()}
    assert "key-in-site" in {finding.slug for finding in verify(spoilt, results)}


def test_what_a_model_wrote_is_its_own_word(results: Results) -> None:
    run = results.runs["r"]
    key = KEYS["a model service"]
    calls = (msgspec.structs.replace(run.calls[0], output=f"export KEY={key}"), *run.calls[1:])
    said = msgspec.structs.replace(results, runs={"r": msgspec.structs.replace(run, calls=calls)})
    site = {"a.html": f"<pre>{key}</pre>".encode()}
    assert list(check_keys(site, said)) == []
    assert list(check_keys(site, results))


@pytest.mark.parametrize("text", ["sk-short", "task-0123456789abcdefghijklmnop", "AIza", "hf_x", "BEGIN PUBLIC KEY"])
def test_what_is_no_key_passes(text: str, results: Results) -> None:
    assert list(check_keys({"a.txt": text.encode()}, results)) == []
