"""A private directory as one encrypted file that may lie in a public repository. In the third room.

The file is an age file (https://age-encryption.org/v1) around a tar archive, so that the ``age`` tool opens it too:
``age -d -i key.txt private.age | tar x``. A build opens it in memory only.
"""

import io
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from generator.findings import Faults, Finding, shown

ENDING = ".age"
MEMORY = Path("/dev/shm")  # noqa: S108 - the point is that it is memory, and the folder made in it is ours alone
MOUNTS = Path("/proc/self/mounts")
MAX_UNPACKED = 2**31
"""Bytes that an encrypted directory may unfold to."""


def encrypt(files: Mapping[str, bytes], recipients: Sequence[str]) -> bytes:
    """The files as an age file that any of ``recipients`` (``age1…``) can open.

    Raises:
        Faults: no recipient, or one that is none.
    """
    import pyrage

    keys = []
    for recipient in recipients:
        try:
            keys.append(pyrage.x25519.Recipient.from_str(recipient.strip()))
        except pyrage.RecipientError:
            raise _fault("--to", "bad-recipient", shown(recipient), "a recipient such as age1…") from None
    if not keys:
        raise _fault("--to", "bad-recipient", "nothing", "at least one recipient such as age1…")
    return bytes(pyrage.encrypt(_packed(files), keys))


def decrypt(data: bytes, identity: str) -> dict[str, bytes]:
    """Path -> bytes of what ``encrypt`` packed.

    Args:
        data: the age file.
        identity: one or more secret keys (``AGE-SECRET-KEY-…``), a line each, as ``age-keygen`` writes them.

    Raises:
        Faults: no usable key, the wrong key, or an archive that is not ours.
    """
    import pyrage

    lines = [line.strip() for line in identity.splitlines() if line.strip() and not line.startswith("#")]
    try:
        keys = [pyrage.x25519.Identity.from_str(line) for line in lines]
    except pyrage.IdentityError:
        keys = []
    if not keys:
        raise _fault("RAPOR_IDENTITY", "bad-identity", "no usable key", "AGE-SECRET-KEY-…")
    try:
        plain = pyrage.decrypt(data, keys)
    except pyrage.DecryptError as error:
        raise _fault("", "cannot-decrypt", shown(str(error)), "a file encrypted to this key") from None
    try:
        return dict(_unpacked(plain))
    except (tarfile.TarError, EOFError, ValueError, OverflowError) as error:
        raise _fault("", "not-an-archive", shown(str(error)), "a tar archive inside") from None


def folder_files(folder: Path) -> dict[str, bytes]:
    """Path -> bytes of every plain file in a private directory, hidden ones left out.

    Raises:
        Faults: a link or a device in it.
    """
    files, found = {}, []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if any(part.startswith(".") for part in PurePosixPath(name).parts):
            continue
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            found.append(_finding(name, "not-a-file", "a link or a device", "plain files only"))
        elif path.is_file():
            files[name] = path.read_bytes()
    if found:
        raise Faults(found)
    return files


@contextmanager
def opened(private: Path | None, identity: str | None) -> Iterator[Path | None]:
    """A private directory to read from: as given, or an encrypted one unpacked in memory for as long as it is used.

    Args:
        private: a directory, an ``.age`` file, or None.
        identity: the key of the file, from the environment.

    Raises:
        Faults: it cannot be opened, or this machine has no folder that is memory.
    """
    if private is None or private.is_dir():
        yield private
        return
    if identity is None:
        expected = "the environment variable RAPOR_IDENTITY"
        raise _fault(str(private), "no-identity", "an encrypted directory without its key", expected)
    try:
        files = decrypt(private.read_bytes(), identity)
    except Faults as faults:
        raise Faults([finding.at(str(private)) for finding in faults.findings]) from None
    if not _is_memory(MEMORY):
        todo = "decrypt it to a directory with `rapor private decrypt` and name that"
        raise _fault(str(private), "no-memory-folder", f"{MEMORY} is not memory here", "a tmpfs", todo)
    with tempfile.TemporaryDirectory(prefix="rapor-", dir=MEMORY) as name:
        write_files(files, Path(name))
        yield Path(name)


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files below ``folder``, readable by their owner only."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        path.write_bytes(data)


def _is_memory(folder: Path) -> bool:
    if not MOUNTS.is_file():
        return False
    kinds = {fields[1]: fields[2] for fields in map(str.split, MOUNTS.read_text("utf-8").splitlines())}
    return kinds.get(str(folder)) in {"tmpfs", "ramfs"}


def _packed(files: Mapping[str, bytes]) -> bytes:
    """The files as a tar archive that depends on nothing but them."""
    with io.BytesIO() as buffer:
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, data in sorted(files.items()):
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = len(data), 0o600
                archive.addfile(entry, io.BytesIO(data))
        return buffer.getvalue()


def _unpacked(data: bytes) -> Iterator[tuple[str, bytes]]:
    if len(data) > MAX_UNPACKED:
        raise _fault("", "file-too-large", f"{len(data)} bytes", f"at most {MAX_UNPACKED}")
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for entry in archive:
            path = PurePosixPath(entry.name)
            if path.is_absolute() or ".." in path.parts or "\\" in entry.name or not entry.name.isprintable():
                raise _fault("", "path-traversal", shown(entry.name), "a relative path inside the directory")
            if entry.isdir():
                continue
            # a sparse file of a few bytes may say that it unfolds to any size
            file = archive.extractfile(entry) if entry.isreg() and not entry.issparse() else None
            if file is None:
                raise _fault("", "not-a-file", shown(entry.name), "plain files only")
            yield path.as_posix(), file.read()


def _fault(file: str, slug: str, found: str, expected: str, todo: str = "") -> Faults:
    return Faults([_finding(file, slug, found, expected, todo)])


def _finding(file: str, slug: str, found: str, expected: str, todo: str = "") -> Finding:
    return Finding(file=file, line=0, field="", slug=slug, found=found, expected=expected, todo=todo)
