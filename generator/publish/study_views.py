"""What a reader may see of a service study: the contract as declared, then what happened. Views, language-neutral."""

from decimal import Decimal

from generator.publish.run_views import AnswerView, CallView, Declared, RunView, ServiceView, SuiteView
from generator.records import Comparison, Figure, Record, Task, Withheld


class StudyBlock(Record, frozen=True, kw_only=True):
    """One service in one block, or overall where ``block`` is empty."""

    service: str
    block: str
    requests: int
    passed: int
    failed: int
    technical: dict[str, int]
    all_rate: Figure
    """Passed over all requests (primary), Wilson."""
    complete_rate: Figure
    """Passed over complete answers, Wilson."""
    latency: Figure
    cost_usd: Decimal | None
    distinct: int
    """Different texts among the complete answers: where it is 1, the requests may not be independent."""
    disputed: int


class StudyView(Record, frozen=True, kw_only=True):
    """A service study: the contract as declared, then what happened."""

    run: RunView
    suite: SuiteView
    comparison: Comparison
    services: tuple[ServiceView, ...]
    task: Task | None
    """The fixed task, where it is public."""
    blocks: tuple[StudyBlock, ...]
    overall: tuple[StudyBlock, ...]
    difference: Figure
    """First-pass rate of the first minus the second service, percentage points, Newcombe."""
    p: Figure
    test: str
    odds_ratio: Figure
    homogeneity: Figure
    equivalence: str
    """Slug: ``not_declared``, ``shown``, ``not_shown``."""
    detectable: Figure
    breaches: tuple[Withheld, ...]
    """Ways in which the declared design was not kept; any of them withholds the verdict."""
    verdict: str
    """Slug of the sentence rule: ``difference``, ``no_difference``, ``equivalent``, ``withheld``."""
    answers: tuple[AnswerView, ...]
    calls: tuple[CallView, ...]
    declared: Declared
