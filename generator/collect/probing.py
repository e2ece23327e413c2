"""``rapor run --probe``: which settings does each service reject? Asked before the first call, written into run.toml.

In the collecting wing. A contract does not change after its first call, so what is *applied* has to be known before
it: one short question per service, with every setting of the contract. A setting that the service names in its
refusal becomes ``applied = "unsupported"`` and is not sent by the run; one that it accepts stays as declared, which
is ``"unknown"`` unless the publisher knows better. The probe's answers are no data; only its cost is kept.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

import httpx

from generator.collect.ask import Asked, Clock, ask
from generator.collect.budget import month_of, price_of, usd
from generator.collect.opening import Opened
from generator.collect.order import Slot, sent
from generator.collect.protocols import question, rejected_setting
from generator.findings import Faults, Finding
from generator.records import Entry, Run, Service, Setting
from generator.store.layout import Layout
from generator.store.write import append, write_new

QUESTION = "Balas dengan satu kata: siap."
_HEADER = re.compile(r"\s*\[\s*params\s*\.\s*[\"']?([^\"'\]]+?)[\"']?\s*\]")
_APPLIED = re.compile(r"(\bapplied\s*=\s*)(\"[^\"]*\"|'[^']*'|[^\s,}]+)")


@dataclass(frozen=True)
class Probed:
    """What a service did with the settings of its contract.

    Attributes:
        rejected: names of the settings it rejects, in the order of its refusals.
        asked: every exchange, for its cost.
    """

    rejected: tuple[str, ...]
    asked: tuple[Asked, ...]


async def probe(client: httpx.AsyncClient, contract: Run, service: Service, key: str | None, clock: Clock) -> Probed:
    """Ask once with every setting, and again without each one that the refusal names."""
    settings = dict(contract.params[service.id])
    rejected: list[str] = []
    asked: list[Asked] = []
    while True:
        values = sent(settings, contract.design.seed, Slot(1, service.id, "probe", 1))
        body = question(service, "", QUESTION, values)
        asked.append(await ask(client, service, key, body, contract.timeout_s, clock))
        data = asked[-1].data if asked[-1].cause in ("http-400", "http-422") else None
        name = rejected_setting(data, values, service) if data is not None else None
        if name is None:
            return Probed(tuple(rejected), tuple(asked))
        rejected.append(name)
        settings[name] = Setting(asked=settings[name].asked, applied="unsupported")


def declared(text: str, rejected: Mapping[str, tuple[str, ...]]) -> str:
    """The text of ``run.toml`` with ``applied = "unsupported"`` for every rejected setting of every service.

    Raises:
        ValueError: a rejected setting is not written on a line of its own under ``[params.SERVICE]``.
    """
    missing = {(service, name) for service, names in rejected.items() for name in names}
    lines, service = [], None
    for line in text.split("\n"):
        if line.lstrip().startswith("["):
            header = _HEADER.match(line)
            service = header[1] if header else None
        name = line.partition("=")[0].strip()
        if service is not None and (service, name) in missing:
            changed = _APPLIED.sub(r'\1"unsupported"', line, count=1)
            missing -= {(service, name)} if _APPLIED.search(line) else set()
            lines.append(changed)
        else:
            lines.append(line)
    if missing:
        raise ValueError(f"write each on its own line with asked and applied: {sorted(missing)}")
    return "\n".join(lines)


async def probe_all(opened: Opened, layout: Layout, clock: Clock) -> dict[str, tuple[str, ...]]:
    """Probe every service of a run and write what they reject into its contract; gives service -> settings.

    Raises:
        Faults: the run has calls already, a service cannot be asked, or the contract is written unusually.
    """
    contract, path = opened.contract, layout.contract(opened.contract.run_id)
    if opened.calls:
        raise Faults([_fault(layout.relative(path), "too-late", f"{len(opened.calls)} calls", "a run without calls",
                             "a contract does not change after its first call")])  # fmt: skip
    rejected: dict[str, tuple[str, ...]] = {}
    async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113 - the whole attempt has its own time limit
        for name in contract.services:
            probed = await probe(client, contract, opened.services[name], opened.keys.get(name), clock)
            append(layout.ledger, _charge(opened, name, probed, clock))
            if probed.asked[-1].status != "ok":
                raise Faults([_fault("services.toml", "no-answer", f"{name}: {probed.asked[-1].cause}", "an answer",
                                     "the settings of the other services are as they were")])  # fmt: skip
            rejected[name] = probed.rejected
    try:
        text = declared(path.read_text("utf-8"), rejected)
    except ValueError as error:
        raise Faults([_fault(layout.relative(path), "unusual-contract", str(error), "asked and applied on one line",
                             "rewrite those lines and probe again")]) from None  # fmt: skip
    write_new(path, text.encode())
    return rejected


def _charge(opened: Opened, service: str, probed: Probed, clock: Clock) -> Entry:
    """The ledger line of a probe."""
    replies = [asked.reply for asked in probed.asked if asked.reply is not None]
    tokens_in = sum(reply.input_tokens or 0 for reply in replies)
    tokens_out = sum(reply.output_tokens or 0 for reply in replies)
    price, now = price_of(opened.services[service]), clock()
    return Entry(
        at=now, month=month_of(now), kind="charge", run_id=opened.contract.run_id, suite=opened.suite.file.id,
        phase="probe", service=service, calls=len(probed.asked), input_tokens=tokens_in, output_tokens=tokens_out,
        usd=usd(price, tokens_in, tokens_out) if price else Decimal(0), assumed=price.assumed if price else False,
    )  # fmt: skip


def _fault(file: str, slug: str, found: str, expected: str, todo: str) -> Finding:
    """A blocking finding."""
    return Finding(file=file, line=0, field="", slug=slug, found=found, expected=expected, todo=todo)
