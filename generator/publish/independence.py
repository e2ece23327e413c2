"""Do ownership and sponsorship decide anything? Score twice, once with every flag the other way round, and compare.

Whoever doubts the hashes can recompute them: they cover every score, figure, order and rank set of every board.
"""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256

import msgspec

from generator.findings import Finding
from generator.publish.audit_views import IndependenceView
from generator.publish.board_views import BoardView
from generator.records import Service


def flipped(services: Mapping[str, Service]) -> dict[str, Service]:
    """The same services, each owned where it was not, and sponsored where it was not."""
    return {
        name: msgspec.structs.replace(service, owned_by_us=not service.owned_by_us, sponsor=not service.sponsor)
        for name, service in services.items()
    }


def independence_view(
    boards: Iterable[BoardView],
    services: Mapping[str, Service],
    score_again: Callable[[Mapping[str, Service]], Iterable[BoardView]],
) -> IndependenceView:
    """Both hashes.

    Args:
        boards: as published.
        services: as declared.
        score_again: from services to boards, from the stored answers on.
    """
    return IndependenceView(
        declared=fingerprint(boards),
        flipped=fingerprint(score_again(flipped(services))),
        services=len(services),
    )


def fingerprint(boards: Iterable[BoardView]) -> str:
    """SHA-256 over everything that is measured on the boards, in their order; the flags themselves are not in it."""
    measured = [
        (
            board.run.run_id,
            board.groups,
            board.pairs,
            [
                (
                    row.service.id,
                    row.rank,
                    row.unranked,
                    row.total,
                    row.automatic,
                    row.judged,
                    row.categories,
                    row.scores,
                )
                for row in (*board.rows, *board.unranked)
            ],
        )
        for board in boards
    ]
    return sha256(msgspec.json.encode(measured, enc_hook=str)).hexdigest()


def independence_findings(view: IndependenceView) -> list[Finding]:
    """A blocking finding where a flag changed anything."""
    if view.declared == view.flipped:
        return []
    return [
        Finding(
            file="services.toml",
            line=0,
            field="owned_by_us, sponsor",
            slug="not-independent",
            found=f"scores {view.flipped[:12]} with every flag flipped",
            expected=f"{view.declared[:12]}, as with the flags declared",
            todo="find what reads the flags; nothing that scores or orders may",
        )
    ]
