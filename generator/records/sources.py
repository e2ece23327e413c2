"""What was found when a source was opened: a line of ``sources.jsonl``."""

from typing import Literal

from generator.records.base import Count, Record, Sha256, Time


class SourceCheck(Record, frozen=True, kw_only=True):
    """One look at one page that a fact or a price rests on; never changed, a later look is a later line."""

    url: str
    at: Time
    status: int | None
    """HTTP status of the last answer; None: no answer came."""
    final_url: str | None
    """Where redirects led; None: no answer came."""
    sha256: Sha256 | None
    """Of the bytes that came, so that a later look can tell whether the page changed."""
    bytes: Count | None
    problem: str | None
    """Why no answer came, in the words of the network."""

    @property
    def state(self) -> Literal["open", "moved", "gone", "unclear"]:
        """``open``: it answered where it was; ``moved``: elsewhere; ``gone``: 404 or 410; else ``unclear``."""
        if self.status in {404, 410}:
            return "gone"
        if self.status is None or not 200 <= self.status < 300:
            return "unclear"
        return "open" if self.final_url == self.url else "moved"
