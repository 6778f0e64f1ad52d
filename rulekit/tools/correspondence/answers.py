"""What people made of the remarks in a book: each finding decided, or what keeps it open.

A finding that is still there and that somebody let stand becomes a line of the
list of accepted findings, with the reason in the words that were written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from rulekit.tools.audit.baseline import as_line
from rulekit.tools.audit.findings import Finding
from rulekit.tools.audit.reports import Report
from rulekit.tools.documents.remarks import AGREED, DELETED, REJECTED, RESOLVED, Thread, plain
from rulekit.tools.language.lazy_message import Message, Text
from rulekit.tools.language.translation import Tongue
from rulekit.values import frozen

STAYS, CORRECTED, TO_CORRECT, UNDECIDED, WAITING = "stays", "corrected", "to correct", "undecided", "waiting"
_DONE = {
    RESOLVED: Message("remark-resolved"),
    REJECTED: Message("remark-rejected"),
    DELETED: Message("remark-deleted"),
}
_AFTER = re.compile(r"\s*[:,.;–—-]?\s*")


@frozen
class Decision:
    """What became of one remark.

    finding:  None where nothing like it is found any more.
    verdict:  `STAYS`, `CORRECTED`, `TO_CORRECT` (agreed, but still there), `UNDECIDED` (answered with something
              else), `WAITING` (for an answer).
    reason:   what was written or done.
    """

    digest: str
    finding: Finding | None
    verdict: str
    reason: Text = ""

    def line(self, tongue: Tongue) -> str:
        """The line that accepts the finding.  Only where it stays."""
        assert self.finding is not None, self.digest
        reason = self.reason.by(tongue) if isinstance(self.reason, Message) else self.reason
        return as_line(self.finding) + reason


def decisions(report: Report, threads: Sequence[Thread], stays: Collection[str]) -> tuple[Decision, ...]:
    """What became of each remark whose finding is not accepted already, in the order of the document.

    stays:  the words that begin an answer by which the text stands.
    """
    there = {finding.digest: finding for finding in report.open}
    settled = {finding.digest for finding in report.settled}
    return tuple(_decision(one, there.get(one.digest), stays) for one in threads if one.digest not in settled)


def tally(made: Sequence[Decision], report: Report) -> Counter[str]:
    """How many of each verdict; under "" the findings that no remark is about."""
    counted = Counter(one.verdict for one in made)
    counted[""] = len({finding.digest for finding in report.open} - {one.digest for one in made})
    return counted


def _decision(thread: Thread, finding: Finding | None, stays: Collection[str]) -> Decision:
    if finding is None:
        return Decision(thread.digest, None, CORRECTED)
    last = thread.replies[-1] if thread.replies else None
    said = " ".join(plain(last.text).split()) if last else ""
    signed = f" ({plain(last.author)})" if last and last.author else ""
    reason = _after(said, stays)
    if reason is not None:
        return Decision(thread.digest, finding, STAYS, (reason or said) + signed)
    if thread.state == AGREED:
        return Decision(thread.digest, finding, TO_CORRECT, said + signed)
    if thread.state:
        return Decision(thread.digest, finding, STAYS, said + signed if said else _DONE[thread.state])
    if said:
        return Decision(thread.digest, finding, UNDECIDED, said + signed)
    if thread.instead and not thread.pending:
        return Decision(thread.digest, finding, STAYS, Message("remark-refused", instead=thread.instead))
    return Decision(thread.digest, finding, WAITING)


def _after(said: str, stays: Collection[str]) -> str | None:
    """What follows the word by which a text stands; None where an answer does not begin with it."""
    for word in stays:
        if re.match(rf"{re.escape(word)}\b", said, re.IGNORECASE):
            rest = said[len(word) :]
            gap = _AFTER.match(rest)
            return rest[gap.end() :] if gap else rest
    return None
