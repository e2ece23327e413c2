"""A duel: its declaration, the sheet and the key held against their seals, the ballots held against the sheet."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from generator.findings import Faults, Finding
from generator.records import Ballot, DuelFile, Key, Opening, Pair, StoredDuel, Suite
from generator.store.jsonl import document, records
from generator.store.layout import Layout
from generator.store.names import Sides
from generator.store.sheet import Sheet
from generator.store.strict import told
from generator.store.toml import table
from generator.store.write import encode, hash_of, write_new


def gather_duel(
    sides: Sides, name: str, suites: Mapping[str, Suite | None], runs: Collection[str]
) -> StoredDuel | None:
    """A duel, or None where its declaration is not sound; all faults are added to ``sides``.

    A closed key is not read, wherever it lies. Only public tasks may be on a sheet: it is offered to everybody.

    Args:
        sides: where stored files lie.
        name: of the duel's directory.
        suites: id -> suite, None where it is not sound itself.
        runs: ids of the runs that are there.
    """
    layout = sides.layout
    sheet = Sheet(layout, layout.duel(name), sides.faults)
    read = table(sheet, DuelFile)
    if read is None:
        return None
    declared = read[0]
    known = {"id": (declared.id, {name}), "suite.id": (declared.suite.id, suites), "run": (declared.run, runs)}
    for field, (found, allowed) in known.items():
        if found not in allowed:
            slug = "wrong-name" if field == "id" else f"unknown-{field.partition('.')[0]}"
            sheet.fault(slug, told(found), f"one of {', '.join(sorted(allowed))}", field=field)
    suite = suites.get(declared.suite.id)
    public = {lock.id for lock in suite.lock if lock.access == "public"} if suite else None
    pairs = _sheet(Sheet(layout, layout.duel_sheet(name), sides.faults), declared, public)
    ballots = Sheet(layout, layout.ballots(name), sides.faults)
    given = tuple(checked(ballots, declared, pairs)) if ballots.there() and ballots.readable() else ()
    key = _key(Sheet(layout, layout.duel_key(name), sides.faults), declared, pairs)
    return StoredDuel(
        declared=declared, sheet=pairs, ballots=given, key=key, opening=_opening(sides, name, with_key=key is not None)
    )


def _sheet(sheet: Sheet, declared: DuelFile, public: Collection[str] | None) -> tuple[Pair, ...]:
    """The pairs, as many as declared, with the bytes that were declared, each on a public task."""
    if not sheet.readable():
        return ()
    pairs: tuple[Pair, ...] = ()
    for line, pair in records(sheet, Pair):
        pairs = (*pairs, pair)
        if public is not None and pair.task_id not in public:
            sheet.fault("wrong-access", told(pair.task_id), "a public task of the suite", line=line, field="task_id",
                        todo="make another sheet; this one is offered to everybody")  # fmt: skip
    _sealed(sheet, declared.sheet_sha256)
    if len({pair.pair for pair in pairs}) != len(pairs) or len(pairs) != declared.pairs:
        sheet.fault("contradiction", f"{len(pairs)} pairs", f"{declared.pairs} different ones")
    return pairs


def checked(sheet: Sheet, declared: DuelFile, pairs: Iterable[Pair]) -> Iterable[Ballot]:
    """The ballots of a file, each on a pair of the sealed sheet, one a judge and pair, none before the sheet."""
    known = {pair.pair for pair in pairs}
    seen: set[tuple[str, str]] = set()
    for line, ballot in records(sheet, Ballot):
        if ballot.duel != declared.id:
            sheet.fault("wrong-name", told(ballot.duel), declared.id, line=line, field="duel")
        if ballot.sheet_sha256 != declared.sheet_sha256:
            expected = f"{declared.sheet_sha256}, the sealed sheet"
            sheet.fault("seal-broken", ballot.sheet_sha256, expected, line=line, field="sheet_sha256",
                        todo="these ballots were cast on another sheet; they cannot be counted")  # fmt: skip
        if ballot.pair not in known:
            sheet.fault("unknown-task", told(ballot.pair), "a pair of the sheet", line=line, field="pair")
        if (ballot.judge, ballot.pair) in seen:
            sheet.fault("duplicate-id", f"{ballot.judge}, {ballot.pair}", "one ballot a judge and pair", line=line,
                        field="pair")  # fmt: skip
        if ballot.at < declared.made_at:
            sheet.fault("contradiction", ballot.at.isoformat(), f"after {declared.made_at.isoformat()}", line=line,
                        field="at", todo="nobody can vote before the sheet was made")  # fmt: skip
        seen.add((ballot.judge, ballot.pair))
        yield ballot


def _key(sheet: Sheet, declared: DuelFile, pairs: tuple[Pair, ...]) -> Key | None:
    """The opened key, with the bytes that were sealed before the first ballot; None while it is closed."""
    if not sheet.there() or not sheet.readable():
        return None
    key = document(sheet, Key)
    _sealed(sheet, declared.key_sha256)
    if key and key.left.keys() != {pair.pair for pair in pairs}:
        sheet.fault("contradiction", f"sides of {len(key.left)} pairs", "those of the sheet", field="left")
        return None
    return key


def _opening(sides: Sides, name: str, *, with_key: bool) -> Opening | None:
    """When the key was opened; the ballots are those of that moment.

    An opening without a key is one that was interrupted: the duel is still closed and can be opened again.
    """
    layout = sides.layout
    sheet = Sheet(layout, layout.opening(name), sides.faults)
    if not sheet.there():
        if with_key:
            sheet.fault(
                "missing-file", "nothing", "the moment when the key was opened", todo="open it with: rapor duel open"
            )
        return None
    opening = document(sheet, Opening) if sheet.readable() else None
    ballots = Sheet(layout, layout.ballots(name), sides.faults)
    if opening and with_key and ballots.readable():
        _sealed(ballots, opening.ballots_sha256)
    return opening


def _sealed(sheet: Sheet, stored: str) -> None:
    made = hash_of(sheet.path)
    if made != stored:
        sheet.fault("seal-broken", f"SHA-256 {made}", f"{stored}, as sealed", todo="restore the file; it never changes")


def add_ballots(layout: Layout, stored: StoredDuel, files: Sequence[Path]) -> tuple[Ballot, ...]:
    """Add exported ballots to those of a duel, all or none; gives all of them.

    A judge who exported too early exports again: ballots that are kept already, unchanged, are no second ballots.

    Raises:
        Faults: a ballot is on another sheet, twice, or malformed; then nothing was added.
    """
    declared, faults = stored.declared, list[Finding]()
    given = list(stored.ballots)
    for path in files:
        sheet = Sheet(Layout(path.parent), path, faults)
        if sheet.readable():
            given += [ballot for ballot in checked(sheet, declared, stored.sheet) if ballot not in given]
    twice = [place for place, count in Counter((b.judge, b.pair) for b in given).items() if count > 1]
    if twice and not faults:
        sheet.fault("duplicate-id", f"{len(twice)} other ballots of a judge on pairs it has judged",
                    "one ballot a judge and pair", todo="leave those out; a ballot handed in stands")  # fmt: skip
    if faults:
        raise Faults(faults)
    if files:
        write_new(layout.ballots(declared.id), b"".join(map(encode, given)))
    return tuple(given)


def closed_key(layout: Layout, private: Layout | None, name: str, declared: DuelFile) -> Path:
    """Where the closed key lies, with the bytes that were sealed.

    Raises:
        Faults: it is nowhere, or not the one that was sealed.
    """
    faults: list[Finding] = []
    for side in (private, layout):
        sheet = Sheet(side, side.closed_key(name), faults) if side else None
        if sheet and sheet.there():
            _sealed(sheet, declared.key_sha256)
            if faults:
                raise Faults(faults)
            return sheet.path
    Sheet(layout, layout.closed_key(name), faults).fault(
        "missing-file", "nothing", "the closed key", todo="give the directory that holds it with --private"
    )
    raise Faults(faults)
