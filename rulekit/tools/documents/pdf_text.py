"""The text of a PDF, with the boxes of its words: letters and lines as pdfminer finds them, columns in their order.

Page numbers and what stands at the same place of most pages are left out; a
word that was parted at the end of a line is put together.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any

from rulekit import limits
from rulekit.distribution import install_hint
from rulekit.library import ABSENT, NoPackage, Unreadable
from rulekit.tools.documents.column_order import reading_order
from rulekit.tools.documents.pdf_package import broken, looked_through, too_large
from rulekit.tools.documents.placed_text import Box, PlacedText, Stretch
from rulekit.values import frozen

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_NO_LETTER = re.compile(r"\(cid:\d+\)|\0")
_HYPHENS = ("-", "\xad", "‐")
_EDGE, _LEVEL = 0.2, 4
"""So much of a page at its top and foot may hold what is no part of the text, if nothing stands beyond it; so many
points apart is the same height."""
_OFTEN = 3
"""On so many pages, and on most, the same words at the same place are a running head."""
_STOPS = (".", "!", "?", ":", ";", "|")


@frozen
class Word:
    """Letters without a blank, in one line."""

    text: str
    box: Box


@frozen
class Block:
    """Lines that belong together.  at_edge: at which height of the page, if it is at its top or foot; else None."""

    page: int
    lines: tuple[tuple[Word, ...], ...]
    at_edge: int | None

    @property
    def words(self) -> str:
        return " ".join(word.text for line in self.lines for word in line)


def placed_text(name: str, data: bytes) -> PlacedText:
    """The whole text.  Errors: `Unreadable`, `NoPackage`."""
    try:
        import pdfminer.layout  # noqa: F401
    except ABSENT:
        raise NoPackage(f"PDF files need pdfminer.six: {install_hint('office', 'pdfminer')}") from None
    looked_through(name, data)
    return text_on_pages(name, data)


def text_on_pages(name: str, data: bytes) -> PlacedText:
    """The same of a file that was looked through already."""
    blocks = list(_blocks(name, data))
    running = _running(blocks)
    return _joined([block for block in blocks if not _is_beside(block, running)])


# ---------------------------------------------------------------- what is no text


def _running(blocks: Sequence[Block]) -> frozenset[tuple[str, int]]:
    """What stands at the same height of most pages, numbers aside."""
    pages = len({block.page for block in blocks})
    seen = Counter({(key, block.page) for block in blocks if (key := _key(block)) is not None})
    counted = Counter(key for key, _ in seen)
    return frozenset(key for key, count in counted.items() if count >= max(_OFTEN, pages // 2 + 1))


def _key(block: Block) -> tuple[str, int] | None:
    return None if block.at_edge is None else (re.sub(r"\d+", "", block.words), block.at_edge)


def _is_beside(block: Block, running: frozenset[tuple[str, int]]) -> bool:
    """Whether a block is a page number or a running head."""
    is_number = block.at_edge is not None and re.fullmatch(r"\W*\d+\W*", block.words) is not None
    return is_number or _key(block) in running


# ---------------------------------------------------------------- words in order


def _joined(blocks: Sequence[Block]) -> PlacedText:
    parts: list[str] = []
    stretches: list[Stretch] = []
    at = 0
    for block in blocks:
        for number, line in enumerate(block.lines):
            before = block.lines[number - 1] if number else ()
            gap = _gap(parts, line[0], before, max(word.box.right for each in block.lines for word in each))
            at -= _unhyphenated(parts, stretches) if gap is None else 0
            for place, word in enumerate(line):
                between = " " if place else gap or ""
                parts += (between, word.text)
                at += len(between)
                stretches.append(Stretch(at, at + len(word.text), word.box))
                at += len(word.text)
    return PlacedText("".join(parts), tuple(stretches))


def _gap(parts: Sequence[str], behind: Word, line: Sequence[Word], margin: float) -> str | None:
    """What parts a word from the line before it, which is empty in a new block; None where a word goes on in it."""
    if not parts:
        return ""
    last, goes_on = parts[-1], behind.text[:1].islower()
    if goes_on and len(last) > 1 and last.endswith(_HYPHENS) and last[-2].isalpha():
        return None
    is_closed = last.endswith(_STOPS)
    if not line:
        return "\n" if goes_on and not is_closed else "\n\n"
    # A number at the beginning of a line is that of a list where the line before ends by itself.
    is_full = line[-1].box.right + behind.box.right - behind.box.left > margin
    return " " if is_full and not is_closed else "\n"


def _unhyphenated(parts: list[str], stretches: list[Stretch]) -> int:
    """Take the hyphen off the last word; how many letters that were."""
    parts[-1] = parts[-1][:-1]
    last = stretches[-1]
    stretches[-1] = Stretch(last.start, last.end - 1, last.place)
    return 1


# ---------------------------------------------------------------- pages


def _blocks(name: str, data: bytes) -> Iterator[Block]:
    from pdfminer.pdfdocument import PDFDocument
    from pdfminer.pdfpage import PDFPage
    from pdfminer.pdfparser import PDFParser

    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
    try:
        for number, page in enumerate(PDFPage.create_pages(PDFDocument(PDFParser(BytesIO(data)))), 1):
            if number > limits.DOCUMENT_PAGES:
                raise too_large(name, f"it has more than {limits.DOCUMENT_PAGES} pages")
            yield from _of_page(name, number, page)
    except Unreadable:
        raise
    except Exception as fault:  # Of a broken file it raises whatever its objects run into.
        raise broken(name, fault) from None


def _of_page(name: str, number: int, page: Any) -> Iterator[Block]:
    from pdfminer.layout import LAParams

    layout = _drawn(name, number, page)
    layout.analyze(LAParams(all_texts=True, boxes_flow=None))
    boxes = list(_boxes(layout))
    foot, head = min((box.y0 for box in boxes), default=0), max((box.y1 for box in boxes), default=0)
    for box in reading_order(boxes, lambda one: one.bbox):
        lines = tuple(words for line in box if (words := tuple(_words(line, number, page))))
        if lines:
            is_last = box.y0 - foot < _LEVEL and box.y1 < _EDGE * layout.height
            is_first = head - box.y1 < _LEVEL and box.y0 > (1 - _EDGE) * layout.height
            yield Block(number, lines, round(box.y0 / _LEVEL) if is_first or is_last else None)


def _drawn(name: str, number: int, page: Any) -> Any:
    """What stands on a page, not put in order yet.  Errors: `Unreadable`, if it is too much."""
    from pdfminer.converter import PDFPageAggregator
    from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager

    class Counting(PDFPageAggregator):
        """Counts letters and figures: figures can be drawn in figures, again and again."""

        drawn = 0

        def count(self) -> None:
            self.drawn += 1
            if self.drawn > limits.PAGE_LETTERS:
                raise too_large(name, f"page {number} has more than {limits.PAGE_LETTERS} letters")

        def render_char(self, *given: Any) -> float:
            self.count()
            return float(super().render_char(*given))

        def begin_figure(self, *given: Any) -> None:
            self.count()
            super().begin_figure(*given)

    manager = PDFResourceManager()
    device = Counting(manager, laparams=None)
    PDFPageInterpreter(manager, device).process_page(page)
    return device.get_result()


def _boxes(layout: Any) -> Iterator[Any]:
    from pdfminer.layout import LTFigure, LTTextBox

    for one in layout:
        if isinstance(one, LTTextBox):
            yield one
        elif isinstance(one, LTFigure):
            yield from _boxes(one)


def _words(line: Any, number: int, page: Any) -> Iterator[Word]:
    """The words of a line; blanks are letters without a place."""
    letters: list[tuple[str, Any]] = []
    for one in line:
        text = _NO_LETTER.sub("", "".join(_LIGATURES.get(each, each) for each in one.get_text()))
        if text and not text.isspace():
            letters.append((text, getattr(one, "bbox", None)))
        elif text and letters:
            yield _word(letters, number, page)
            letters = []
    if letters:
        yield _word(letters, number, page)


def _word(letters: Sequence[tuple[str, Any]], number: int, page: Any) -> Word:
    boxes = [_unturned(bbox, page) for _, bbox in letters if bbox is not None] or [(0.0, 0.0, 0.0, 0.0)]
    left, bottom, right, top = zip(*boxes, strict=True)
    return Word("".join(text for text, _ in letters), Box(number, min(left), min(bottom), max(right), max(top)))


def _unturned(bbox: tuple[float, float, float, float], page: Any) -> tuple[float, float, float, float]:
    """A box as it stands in the coordinates of a page that is shown turned."""
    left, bottom, right, top = page.mediabox
    x0, y0, x1, y1 = bbox
    turned = {
        90: (right - y1, x0 + bottom, right - y0, x1 + bottom),
        180: (right - x1, top - y1, right - x0, top - y0),
        270: (y0 + left, top - x1, y1 + left, top - x0),
    }
    return turned.get(page.rotate, (x0 + left, y0 + bottom, x1 + left, y1 + bottom))
