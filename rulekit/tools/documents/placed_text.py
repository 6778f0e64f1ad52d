"""The text of a document with the places of its words: offset ranges, each with where that stretch stands on paper."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from rulekit.tools.documents.reader_text import Doubt
from rulekit.values import field, frozen


@frozen
class RunPlace:
    """A stretch of a Word document.

    paragraph:  counted from 1, those of tables, text boxes and notes among them.
    run:        which of its runs, the stretches of one look into which a word processor cuts it; counted from 0.
    """

    paragraph: int
    run: int


@frozen
class Box:
    """A rectangle on a page.

    page:  counted from 1; left to top: in points, from the lower left corner of the page's own coordinates.
    """

    page: int
    left: float
    bottom: float
    right: float
    top: float


@frozen
class Stretch:
    """Some letters of the text, the end excluded, and where they stand."""

    start: int
    end: int
    place: RunPlace | Box


@frozen
class PlacedText:
    """A text and its stretches, in the order of the text; what lies between two of them stands on no paper.

    doubts:  the stretches that may be read wrongly.
    """

    text: str = field(repr=False)
    stretches: tuple[Stretch, ...] = field(repr=False)
    doubts: tuple[Doubt, ...] = field(default=(), repr=False)

    def within(self, start: int, end: int) -> tuple[Stretch, ...]:
        """The stretches that share letters with a range."""
        first = bisect_right(self.stretches, start, key=lambda stretch: stretch.end)
        last = bisect_left(self.stretches, end, key=lambda stretch: stretch.start)
        return self.stretches[first:last]
