"""A blind test of a key as a reader sees it: what was declared, how far it is, and what the ballots support."""

from generator.audit.duel import Tally, preferred, result_of, sentence, state, tallies
from generator.publish.figures import figure, withheld
from generator.publish.probe_views import DuelResultView, DuelView, NoteView
from generator.records import Figure, Recipe, StoredDuel
from generator.uncertainty.duel import Share
from generator.uncertainty.interval import Interval, normal_quantile
from generator.uncertainty.undefined import Undefined


def duel_view(stored: StoredDuel) -> DuelView:
    """A duel; results and notes only once its key is open."""
    declared, key = stored.declared, stored.key
    ballots: dict[str, int] = {}
    for ballot in stored.ballots:
        ballots[ballot.judge] = ballots.get(ballot.judge, 0) + 1
    is_open = state(stored) == "opened"
    return DuelView(
        duel=declared.id,
        suite=declared.suite.id,
        run_id=declared.run,
        service=declared.service,
        made_at=declared.made_at,
        question=declared.question,
        pairs=declared.pairs,
        identical=declared.identical,
        without_answer=declared.without_answer,
        sheet=stored.sheet,
        sheet_sha256=declared.sheet_sha256,
        key_sha256=declared.key_sha256,
        state=state(stored),
        ballots=dict(sorted(ballots.items())),
        results=tuple(result_view(tally) for tally in tallies(stored)),
        notes=tuple(
            NoteView(judge=each.judge, pair=each.pair, choice=preferred(each, key), note=each.note)
            for each in stored.ballots
            if is_open and key and each.note.strip()
        ),
    )


def result_view(tally: Tally) -> DuelResultView:
    """What one judge's counts give.

    Raises:
        ValueError: there is no ballot at all.
    """
    n = tally.reference + tally.service + tally.ties
    result = result_of(tally)
    if isinstance(result, Undefined):
        raise ValueError("an opened duel has a ballot for every pair")  # noqa: TRY004 - the count is wrong, not a type
    decisive = tally.reference + tally.service
    strength = result.strength

    def share(value: Share | Undefined, method: str, of: int) -> Figure:
        if isinstance(value, Undefined):
            return withheld(value)
        return figure(value.point, value.interval, _recipe(method, of))

    def davidson(name: str) -> Figure:
        if isinstance(strength, Undefined):
            return withheld(strength)
        if name == "nu":
            return figure(strength.nu, None, _recipe("davidson", n))
        half = normal_quantile(0.95) * strength.standard_error
        bounds = Interval(strength.log_ratio - half, strength.log_ratio + half)
        return figure(strength.log_ratio, bounds, _recipe("davidson", n))

    return DuelResultView(
        judge=tally.judge,
        reference=tally.reference,
        service=tally.service,
        ties=tally.ties,
        p=figure(result.p, None, _recipe("sign_test", decisive)),
        decisive=share(result.decisive, "wilson_share", decisive),
        tie_rate=share(result.tie_rate, "wilson_share", n),
        net=share(result.net_preference, "tango", n),
        log_ratio=davidson("log_ratio"),
        nu=davidson("nu"),
        sentence=sentence(tally),
    )


def _recipe(method: str, n: int) -> Recipe:
    return Recipe(method=method, n=n, unit="pairs")
