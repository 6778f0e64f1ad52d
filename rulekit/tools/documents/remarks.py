"""Remarks on a document, and what people made of them; the same for Word and PDF.

A remark ends in a mark, `[number-differs e5a55fb49b]`, by which the next round
knows it, whatever programs the document went through in between.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rulekit.library import unreadable
from rulekit.values import field, frozen

AUTHOR = "rulekit"
MARK = re.compile(r"\[([a-z-]+) ([0-9a-f]{10})(?: → ([^\[\]]+))?\]")


@frozen
class Remark:
    """Something to say about a range of the text.

    digest, code:  what it is known by, and what kind of thing it is.
    instead:       what should stand there, where that is certain; else "".
    """

    digest: str
    code: str
    start: int
    end: int
    text: str
    instead: str = ""

    @property
    def marked(self) -> str:
        """What people read, with the mark at its end."""
        arrow = f" → {self.instead}" if self.instead else ""
        return "\n".join(map(plain, f"{self.text}\n[{self.code} {self.digest}{arrow}]".split("\n")))


@frozen
class Remarked:
    """A document with remarks.  added, kept, removed: how many are new, were there, and went since nothing is wrong."""

    content: bytes = field(repr=False)
    added: int
    kept: int
    removed: int


@frozen
class Reply:
    """What somebody wrote under a remark."""

    author: str
    text: str


@frozen
class Thread:
    """A remark as it came back.

    replies:   what people wrote, in order.
    state:     `RESOLVED`, `REJECTED` or `AGREED` where somebody said so; `DELETED` where only its trace is left.
    by:        who said so, if the document tells.
    instead:   the edit that was suggested; pending: whether nobody has decided about it.
    """

    digest: str
    code: str
    replies: tuple[Reply, ...] = ()
    state: str = ""
    by: str = ""
    instead: str = ""
    pending: bool = False


RESOLVED, REJECTED, AGREED, DELETED = "resolved", "rejected", "agreed", "deleted"


def plain(text: str) -> str:
    """A text in one line, without signs that steer a terminal or that XML forbids."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def unchanged(name: str, text: str, now: str) -> None:
    """A document still says what the remarks are about.  Errors: `Unreadable`, if somebody saved it meanwhile."""
    if now != text:
        raise unreadable(name, "changed-document", "this file has changed while it was read", "begin again")


def parted(remarks: Sequence[Remark], there: Collection[str]) -> tuple[list[Remark], list[Remark]]:
    """The remarks that a document lacks, and those that it has."""
    return [one for one in remarks if one.digest not in there], [one for one in remarks if one.digest in there]
