"""The line of a finding, and changes of it: what all makers of proposals share."""

from __future__ import annotations

import re

from rulekit.diagnostics import Diagnostic
from rulekit.source import Span
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit
from rulekit.values import evolve, frozen

IF_MEANT = ", if that is meant"
"""Behind the title of what is one of several, without a sign which."""
STAND_IN = ", to be filled in"
"""Behind the title of what is written only so that the rest can be read."""
_MARGIN = re.compile(r'^(?P<said>(?:"[^"\n]*"|\|[^\n]*\||[^#@"|]|@(?![A-Z])|")*?)\s*(?:(?:@[A-Z][\w-]*\s*)+|#.*|$)')
_CODE = re.compile(r"`([^`]+)`")


@frozen
class Proposal:
    """What would be done, in words, and how; they say where it changes the game, or is a guess.

    is_told:  it is word by word what the hint says, so that what else is wrong with the line may come out by it.
    """

    title: str
    edits: tuple[Edit, ...]
    is_told: bool = False


@frozen
class FaultyLine:
    """The line of a finding.

    number:      counted from 1; text: all of it.
    start, end:  from which to which character the finding goes, from 0; on several lines to the end.
    said:        the characters of it that are no margin, without what it is indented by.
    """

    source: str
    number: int
    text: str
    start: int
    end: int

    @property
    def indent(self) -> str:
        return self.text[: len(self.text) - len(self.text.lstrip())]

    @property
    def said(self) -> tuple[int, int]:
        match = _MARGIN.match(self.text)
        return len(self.indent), max(len(self.indent), match.end("said") if match else len(self.text))

    def with_(self, start: int, end: int, text: str, title: str = "") -> Proposal:
        """`text` in place of the characters from `start` up to `end`."""
        place = Span(self.source, self.number, start + 1, self.number, end + 1)
        old = self.text[start:end].strip()
        said = "` and below it `".join(line.strip() for line in text.strip().split("\n"))
        words = f"write `{said}`" + (f" in place of `{old}`" if old else "") if text.strip() else f"take `{old}` away"
        return Proposal(title or words, (Edit(place, text),))

    def told(self, start: int, end: int, text: str) -> Proposal:
        """The same, where it is word by word what the hint says."""
        return evolve(self.with_(start, end, text), is_told=True)

    def with_line_above(self, text: str) -> Proposal:
        return Proposal(
            f"write `{text.strip()}` above", (Edit(Span(self.source, self.number, 1, self.number, 1), f"{text}\n"),)
        )

    def with_line_below(self, text: str) -> Proposal:
        end = len(self.text) + 1
        place = Span(self.source, self.number, end, self.number, end)
        return Proposal(f"write `{text.strip()}` below", (Edit(place, f"\n{text}"),))


def faulty_line(document: Document, entry: Diagnostic) -> FaultyLine:
    text = document.source.line(entry.span.line)
    end = entry.span.end_column - 1 if entry.span.end_line == entry.span.line else len(text)
    return FaultyLine(document.source.name, entry.span.line, text, entry.span.column - 1, end)


def forms_in(hint: str) -> list[str]:
    """What a hint writes out."""
    return _CODE.findall(hint)


def blamed(entry: Diagnostic) -> list[str]:
    """The words that a finding is about."""
    return _CODE.findall(entry.title)
