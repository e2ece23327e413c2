"""The leak gate: no byte of the site may give a held-out task away. In the room ``verify``.

What counts as a secret is said in ``secrets``; how a file is read, in ``forms``. A finding names file, byte, task,
kind of secret and form, and never quotes the secret: build logs are public too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from generator.findings import Finding
from generator.records import Results
from generator.verify.archives import UnreadableError, members
from generator.verify.forms import WORD, View, views
from generator.verify.secrets import DIFFERENT, LETTERS, RUN, SHORT, Secret, held_out, public_texts, secrets

KNOWN_BINARY = (b"\x89PNG\r\n\x1a\n", b"wOF2", b"\xff\xd8\xff", b"\x00\x00\x01\x00", b"RIFF")
"""Pictures and fonts: their bytes are read as they are, like everybody's."""


class Gate:
    """The secrets, ready to be looked for.

    Attributes:
        runs: eight words joined by spaces -> the secret they come from.
        whole: first word -> (all words, secret) of markers and of texts shorter than eight words.
        words: every word of a run; where fewer than eight of them follow one another, nothing need be compared.
    """

    def __init__(self, hidden: Iterable[Secret], public: Iterable[str]) -> None:
        """Take the secrets, and take out of them what public texts hold as well."""
        self.runs: dict[str, Secret] = {}
        self.whole: dict[str, list[tuple[tuple[str, ...], Secret]]] = {}
        for secret in hidden:
            self._learn(secret)
        self.words = frozenset(word for run in self.runs for word in run.split(" "))
        for text in public:
            self._forget(text)
        self.words = frozenset(word for run in self.runs for word in run.split(" "))

    def _learn(self, secret: Secret) -> None:
        words = words_of(secret.text)
        if secret.marker or (len(words) < RUN and len(secret.text) >= SHORT):
            if words:
                self.whole.setdefault(words[0], []).append((tuple(words), secret))
            return
        for start in range(len(words) - RUN + 1):
            run = words[start : start + RUN]
            if identifying(run):
                self.runs.setdefault(" ".join(run), secret)

    def _forget(self, text: str) -> None:
        words = words_of(text)
        for run in [" ".join(words[start : start + RUN]) for start in self._runs_at(words)]:
            self.runs.pop(run, None)
        for start in self._wholes_at(words):
            kept = [(w, s) for w, s in self.whole[words[start]] if tuple(words[start : start + len(w)]) != w]
            self.whole[words[start]] = kept

    def hits(self, words: list[str]) -> Iterator[tuple[int, Secret]]:
        """(index of its first word, secret) for every secret in a sequence of words."""
        for start in self._wholes_at(words):
            for whole, secret in self.whole[words[start]]:
                if tuple(words[start : start + len(whole)]) == whole:
                    yield start, secret
        for start in self._runs_at(words):
            yield start, self.runs[" ".join(words[start : start + RUN])]

    def _wholes_at(self, words: list[str]) -> list[int]:
        return [start for start, word in enumerate(words) if word in self.whole]

    def _runs_at(self, words: list[str]) -> list[int]:
        known = bytes(map(self.words.__contains__, words))
        found: list[int] = []
        for stretch in re.finditer(b"\x01{%d,}" % RUN, known):
            starts = range(stretch.start(), stretch.end() - RUN + 1)
            found += [start for start in starts if " ".join(words[start : start + RUN]) in self.runs]
        return found


def words_of(text: str) -> list[str]:
    """The words of a text without letter case."""
    return WORD.findall(text.casefold())


def identifying(run: list[str]) -> bool:
    """Whether eight words say enough to give a task away."""
    lettered = [word for word in run if not word.isdigit()]
    return len(set(lettered)) >= DIFFERENT and sum(map(len, lettered)) >= LETTERS


def check_leaks(files: Mapping[str, bytes], results: Results) -> Iterator[Finding]:
    """Every held-out text in any file, in a file's name, or in an archive; and files that cannot be searched."""
    gate = Gate(secrets(results), public_texts(results))
    yield from _remarks(results)
    for path in sorted(files):
        yield from _search(gate, path, path, path.encode(), in_name=True)
        yield from _search_file(gate, path, files[path])


def _search_file(gate: Gate, path: str, data: bytes) -> Iterator[Finding]:
    try:
        for name, inner in members(path, data):
            if name != path:
                yield from _search(gate, name, name, name.encode(), in_name=True)
            if not _readable(inner):
                yield _unsearchable(name, "bytes that are neither text nor an archive")
            yield from _search(gate, name, name, inner)
    except UnreadableError as error:
        yield _unsearchable(path, str(error))


def _unsearchable(file: str, found: str) -> Finding:
    expected, todo = "something the leak gate can read", "publish it as text"
    return Finding(file=file, line=0, field="", slug="unsearchable", found=found, expected=expected, todo=todo)


def _readable(data: bytes) -> bool:
    if data.startswith(KNOWN_BINARY):
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _search(gate: Gate, file: str, path: str, data: bytes, *, in_name: bool = False) -> Iterator[Finding]:
    """One finding for each secret in one text: its first place, and how many places there are."""
    text = data.decode("utf-8", "surrogateescape")
    places: dict[tuple[str, str], list[int]] = {}
    forms: dict[tuple[str, str], str] = {}
    for view in views("" if in_name else path, text):
        words = words_of(view.text)
        hits = list(gate.hits(words))
        if not hits:
            continue
        origins = _origins(view, {start for start, _ in hits})
        for start, secret in hits:
            key = (secret.task, secret.kind)
            places.setdefault(key, []).append(origins[start])
            forms.setdefault(key, "file name" if in_name else _form(view, origins[start], text, secret))
    for (task, kind), found in sorted(places.items()):
        first = min(found)
        yield Finding(
            file=file,
            line=0 if in_name else text.count("\n", 0, first) + 1,
            field=f"byte {len(text[:first].encode('utf-8', 'surrogateescape'))}",
            slug="leak",
            found=f"{kind} of {task}, form {forms[task, kind]}, {len(set(found))} places",
            expected="nothing of a held-out task",
            todo="find what put it there; never publish this build",
        )


def _origins(view: View, starts: set[int]) -> dict[int, int]:
    """Index of a word -> the character of the file where it begins."""
    found: dict[int, int] = {}
    index = 0
    for match in WORD.finditer(view.text):
        count = len(WORD.findall(match[0].casefold()))
        found |= dict.fromkeys(starts.intersection(range(index, index + count)), match.start())
        index += count
    return dict(zip(found, view.origins(list(found.values())), strict=True))


def _form(view: View, origin: int, text: str, secret: Secret) -> str:
    """``raw``: the words as stored; ``normalised``: with other case, spaces or marks; else the escapes undone."""
    if set(view.form.split("+")) - {"raw", "html"}:
        return view.form
    piece = text[origin : origin + SHORT]
    if piece in secret.text:
        return "raw"
    return view.form if "&" in piece else "normalised"


def _remarks(results: Results) -> Iterator[Finding]:
    """What the gate cannot guard, said so that nobody believes that it does."""
    for suite in results.suites.values():
        missing = held_out(suite) - {task.id for task in suite.tasks}
        short = [
            task.id
            for task in suite.tasks
            if task.access == "held_out" and len(words_of(task.prompt)) < RUN and len(task.prompt) < SHORT
        ]
        for slug, ids in (("held-out-not-at-hand", sorted(missing)), ("prompt-too-short-to-guard", short)):
            if ids:
                yield Finding(
                    file=f"suites/{suite.file.id}", line=0, field="", slug=slug, blocking=False,
                    found=f"{len(ids)}: {', '.join(ids[:5])}", expected="held-out texts the leak gate can look for",
                )  # fmt: skip
