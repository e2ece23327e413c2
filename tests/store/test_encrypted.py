"""A private directory survives encryption, opens with its key only, and is unpacked into memory only."""

import io
import tarfile
from pathlib import Path

import pyrage
import pytest
from click.testing import CliRunner

from generator.cli_private import private
from generator.findings import Faults
from generator.store.encrypted import MEMORY, decrypt, encrypt, opened

FILES = {"suites/kecil/tasks.held_out.toml": "salt = “é”\n".encode(), "runs/r/calls.jsonl": b"{}\n"}


@pytest.fixture
def key() -> pyrage.x25519.Identity:
    return pyrage.x25519.Identity.generate()


def sealed(files: dict[str, bytes], key: pyrage.x25519.Identity) -> bytes:
    return encrypt(files, [str(key.to_public())])


def test_what_was_encrypted_comes_back_with_any_of_its_keys(key: pyrage.x25519.Identity) -> None:
    other = pyrage.x25519.Identity.generate()
    data = encrypt(FILES, [str(key.to_public()), str(other.to_public())])
    assert b"salt" not in data
    assert decrypt(data, str(key)) == decrypt(data, f"# created today\n{other}\n") == FILES


def test_the_wrong_key_and_no_key_are_said(key: pyrage.x25519.Identity) -> None:
    data = sealed(FILES, key)
    with pytest.raises(Faults, match="cannot-decrypt"):
        decrypt(data, str(pyrage.x25519.Identity.generate()))
    with pytest.raises(Faults, match="cannot-decrypt"):
        decrypt(data[:-9], str(key))
    for identity in ("", "# nothing\n", "AGE-SECRET-KEY-1"):
        with pytest.raises(Faults, match="bad-identity"):
            decrypt(data, identity)
    for recipients in ([], ["age1x"]):
        with pytest.raises(Faults, match="bad-recipient"):
            encrypt(FILES, recipients)


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "a\\b", "a\nb"])
def test_a_path_that_leads_out_is_refused(name: str, key: pyrage.x25519.Identity) -> None:
    with pytest.raises(Faults, match="path-traversal"):
        decrypt(sealed({name: b"x"}, key), str(key))


def test_a_hole_of_eight_gigabytes_is_refused(key: pyrage.x25519.Identity) -> None:
    """A sparse file, in GNU's old form: type S, and at byte 483 the size that it claims to have."""
    header = bytearray(tarfile.TarInfo("x").tobuf(tarfile.GNU_FORMAT))
    header[156:157], header[386:410], header[483:495] = b"S", b"00000000000\0" * 2, b"77777777777\0"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    with pytest.raises(Faults, match="not-a-file"):
        decrypt(bytes(pyrage.encrypt(bytes(header) + bytes(1024), [key.to_public()])), str(key))


def test_links_are_refused(key: pyrage.x25519.Identity, tmp_path: Path) -> None:
    with io.BytesIO() as buffer:
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            entry = tarfile.TarInfo("x")
            entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(entry)
        data = bytes(pyrage.encrypt(buffer.getvalue(), [key.to_public()]))
    with pytest.raises(Faults, match="not-a-file"):
        decrypt(data, str(key))
    with pytest.raises(Faults, match="not-an-archive"):
        decrypt(bytes(pyrage.encrypt(b"no tar at all" * 99, [key.to_public()])), str(key))


@pytest.mark.skipif(not MEMORY.is_dir(), reason="this system has no folder that is memory")
def test_a_build_opens_it_in_memory_and_leaves_nothing(key: pyrage.x25519.Identity, tmp_path: Path) -> None:
    file = tmp_path / "private.age"
    file.write_bytes(sealed(FILES, key))
    with opened(file, str(key)) as folder:
        assert folder is not None
        assert folder.is_relative_to(MEMORY)
        assert folder.stat().st_mode & 0o077 == 0
        assert {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()} == FILES
    assert not folder.exists()
    assert list(tmp_path.iterdir()) == [file]


def test_without_its_key_or_without_memory_it_stays_closed(
    key: pyrage.x25519.Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "private.age"
    file.write_bytes(sealed(FILES, key))
    with pytest.raises(Faults, match="no-identity"), opened(file, None):
        pass
    monkeypatch.setattr("generator.store.encrypted.MEMORY", tmp_path)
    with pytest.raises(Faults, match="no-memory-folder"), opened(file, str(key)):
        pass


def test_the_commands_go_there_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runner = CliRunner()
    lines = runner.invoke(private, ["key"]).output.splitlines()
    public, secret = lines[0].removeprefix("# public: "), lines[1]
    for name, data in FILES.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(data)
    file, out = tmp_path / "private.age", tmp_path / "out"
    done = runner.invoke(private, ["encrypt", str(tmp_path / "in"), "--to", public, "--out", str(file)])
    assert done.exit_code == 0, done.output
    monkeypatch.delenv("RAPOR_IDENTITY", raising=False)
    assert runner.invoke(private, ["decrypt", str(file), str(out)]).exit_code == 2
    done = runner.invoke(private, ["decrypt", str(file), str(out)], env={"RAPOR_IDENTITY": secret})
    assert done.exit_code == 0, done.output
    assert {name: (out / name).read_bytes() for name in FILES} == FILES
    assert all((out / name).stat().st_mode & 0o077 == 0 for name in FILES)
    wrong = runner.invoke(private, ["decrypt", str(file), str(tmp_path / "o2")], env={"RAPOR_IDENTITY": "x"})
    assert (wrong.exit_code, "bad-identity" in wrong.output) == (1, True)
