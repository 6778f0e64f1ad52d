"""Proposals for a line whose indentation was lost: at the one depth at which it can be read, with what belongs to it.

Each depth that the lines above leave open is tried.  Where several make as much sense, none is proposed: which was
meant only people know.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, takewhile

from rulekit.diagnostics import ERROR, Diagnostic
from rulekit.source import Source, Span
from rulekit.tools.editing.corrections.lines import Proposal
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit, applied
from rulekit.values import frozen

READING = ("syntax", "layout", "unfinished", "indentation", "tab")
"""Codes of texts that cannot be read."""
_STEP = 4
_MARGINS = ("#", ">")


def from_depths(document: Document, entry: Diagnostic) -> Iterator[Proposal]:
    """The line of a finding, or one above or below it by which it came, where only one depth fits."""
    if entry.code not in READING or entry.hint.startswith("write"):
        return  # It is the words that are wrong.
    lines, number = _lines(document.source), entry.span.line
    numbers = dict.fromkeys((number, lines.below(number), next(lines.above(number), 0), lines.shallower(number)))
    tried = [proposal for number in numbers if number for proposal in lines.moved(number)]
    worth = [_faults(document, proposal) for proposal in tried]
    best = min(worth, default=(0,))
    if worth.count(best) == 1 and best[0] < _count(document):
        yield tried[worth.index(best)]


def _faults(document: Document, proposal: Proposal) -> tuple[int, ...]:
    """How much of the changed text cannot be read; how many errors there are in the lines that were moved, and in all.

    Then how many steps are none of four blanks.
    """
    after = document.changed(applied(document.source, proposal.edits))
    moved = {edit.span.line for edit in proposal.edits}
    errors = [one for one in after.loaded.findings if one.level == ERROR]
    return _count(after), sum(one.span.line in moved for one in errors), len(errors), _lines(after.source).odd


def _count(document: Document) -> int:
    return sum(one.code in READING for one in document.loaded.findings)


def _lines(source: Source) -> _Lines:
    return _Lines(source.name, tuple(source.text.split("\n")))


@frozen
class _Lines:
    """The lines of a text, by their numbers from 1."""

    source: str
    texts: tuple[str, ...]

    @property
    def odd(self) -> int:
        """How many lines are deeper than the one above them by another step than the usual one."""
        widths = [self.width(number) for number in range(1, len(self.texts) + 1) if self.says(number)]
        return sum(below > above and below - above != _STEP for above, below in pairwise(widths))

    def says(self, number: int) -> bool:
        """Whether a line holds something of the rules, and not only a margin."""
        words = self.texts[number - 1].strip()
        return bool(words) and not words.startswith(_MARGINS)

    def width(self, number: int) -> int:
        text = self.texts[number - 1]
        return len(text) - len(text.lstrip())

    def above(self, number: int) -> Iterator[int]:
        return (each for each in range(min(number, len(self.texts) + 1) - 1, 0, -1) if self.says(each))

    def below(self, number: int) -> int:
        """The next line that says something; 0 if none does."""
        return next((each for each in range(number + 1, len(self.texts) + 1) if self.says(each)), 0)

    def shallower(self, number: int) -> int:
        """The next line above that stands further left; 0 if none does."""
        width = self.width(number) if number <= len(self.texts) else 0
        return next((each for each in self.above(number) if self.width(each) < width), 0)

    def moved(self, number: int) -> Iterator[Proposal]:
        """A line at each other depth that can be meant: alone, with all deeper ones below it, with those like it."""
        if not (number <= len(self.texts) and self.says(number)):
            return
        together = dict.fromkeys(((number,), self._block(number), self._run(number)))
        for depth in self._depths(number):
            by = depth - self.width(number)
            for numbers in together:
                edits = tuple(self._edit(each, self.width(each) + by) for each in numbers)
                more = f" and the {len(edits) - 1} below it" if len(edits) > 1 else ""
                yield Proposal(f"indent line {number}{more} by {depth} blanks", edits)

    def _depths(self, number: int) -> list[int]:
        """Of the line above, of those around that, and one deeper than it."""
        found: list[int] = []
        for each in self.above(number):
            width = self.width(each)
            if not found:
                found.append(width + _STEP)
            if width < found[-1]:
                found.append(width)
            if not width:
                break
        return [width for width in found if width != self.width(number)]

    def _block(self, number: int) -> tuple[int, ...]:
        numbers = [number]
        for each in range(number + 1, len(self.texts) + 1):
            if self.says(each) and self.width(each) <= self.width(number):
                break
            numbers += [each] if self.says(each) else []
        return tuple(numbers)

    def _run(self, number: int) -> tuple[int, ...]:
        """A line, and those right below it that stand as far left."""
        rest = range(number + 1, len(self.texts) + 1)
        same = takewhile(lambda each: self.says(each) and self.width(each) == self.width(number), rest)
        return (number, *same)

    def _edit(self, number: int, width: int) -> Edit:
        return Edit(Span(self.source, number, 1, number, self.width(number) + 1), " " * max(0, width))
