"""The text of a PDF, with the boxes of its words: letters and lines as pdfminer finds them, columns in their order.

Page numbers and what stands at the same place of most pages are left out.  Words
broken at a line end stay broken, as in plain text.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from typing import Any

from rulekit import limits
from rulekit.distribution import install_hint
from rulekit.library import ABSENT, NoPackage, Unreadable
from rulekit.tools.documents.column_order import reading_order
from rulekit.tools.documents.pdf_letters import (
    Letter,
    Rectangle,
    by_angle,
    drawn_once,
    laid_level,
    letter_of,
    mark_note,
    mark_scripts,
    turned_box,
    without_void_blanks,
    words_of,
)
from rulekit.tools.documents.pdf_package import broken, looked_through, too_large
from rulekit.tools.documents.placed_text import Box, PlacedText, Stretch
from rulekit.tools.documents.reader_text import UNREADABLE, Doubt, DoubtKind
from rulekit.values import frozen

_HYPHENS = ("-", "\xad", "‐")
_EDGE, _LEVEL = 0.2, 4
"""So much of a page at its top and foot may hold what is no part of the text, if nothing stands beyond it; so many
points apart is the same height."""
_SAME_LINE = 0.2
"""In parts of the size: so near are baselines of one line."""
_OFTEN = 3
"""On so many pages, and on most, the same words at the same place are a running head."""
_NUMBER, _ALONE = re.compile(r"\d{1,9}"), re.compile(r"\W*(\d{1,9})\W*")
_PAGE_WORD = re.compile(r"\b(?:page|pages|p|pp|seite|s|pagina|pag)\b\W*$", re.IGNORECASE)
_IMPRINT = re.compile(r"©|\(c\)|copyright|reserved|riservati|vorbehalten|www\.|@", re.IGNORECASE)
_WIDEST_BLANK = 4
"""In parts of the size: a blank of a justified line may be so wide."""
_STOPS = (".", "!", "?", ":", ";", "|")


@frozen
class Word:
    """Letters without a blank, in one line.  doubt: why they may be read wrongly, None if they are clear."""

    text: str
    box: Box
    doubt: DoubtKind | None = None


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
    return text_on_pages(name, looked_through(name, data))


def text_on_pages(name: str, data: bytes) -> PlacedText:
    """The same of a file that was looked through already."""
    blocks = list(_blocks(name, data))
    running, offsets = _running(blocks), _page_offsets(blocks)
    return _joined([block for block in blocks if not _is_beside(block, running, offsets)])


# ---------------------------------------------------------------- what is no text


def _running(blocks: Sequence[Block]) -> frozenset[tuple[str, int]]:
    """The page numbers and running heads, by their words without numbers and their height.

    A running head stands at the same height of most pages and is the same on each but for its page number, which
    rises with the pages.
    """
    pages = len({block.page for block in blocks})
    places: dict[tuple[str, int], list[Block]] = {}
    for block in blocks:
        if (key := _key(block)) is not None:
            places.setdefault(key, []).append(block)
    found = set()
    for key, repeated in places.items():
        is_often = len({block.page for block in repeated}) >= max(_OFTEN, pages // 2 + 1)
        if is_often and _differ_by_page(repeated) and not _is_sentence(repeated[0].words):
            found.add(key)
    return frozenset(found)


def _key(block: Block) -> tuple[str, int] | None:
    return None if block.at_edge is None else (_NUMBER.sub("", block.words), block.at_edge)


def _differ_by_page(blocks: Sequence[Block]) -> bool:
    """Whether lines are the same on all pages but for numbers that count the pages."""
    for place in zip(*(_NUMBER.finditer(block.words) for block in blocks), strict=False):
        is_same = len({number.group() for number in place}) == 1
        offsets = {int(number.group()) - block.page for number, block in zip(place, blocks, strict=True)}
        is_page = len(offsets) == 1 and _is_page_number(place[0], blocks[0].words)
        if not (is_same or is_page):
            return False
    return True


def _is_page_number(number: re.Match[str], words: str) -> bool:
    """Whether a number stands where page numbers do: at an end of its line, or behind the word for a page."""
    before, behind = words[: number.start()], words[number.end() :]
    is_at_end = not any(map(str.isalnum, before)) or not any(map(str.isalnum, behind))
    return is_at_end or _PAGE_WORD.search(before) is not None


def _is_sentence(words: str) -> bool:
    """Whether a line is a sentence that may state a rule, on however many pages it stands; an imprint states none."""
    is_closed = words.endswith((".", "!", "?")) and len(words.split()) > _OFTEN
    return is_closed and _IMPRINT.search(words) is None


def _page_offsets(blocks: Sequence[Block]) -> frozenset[int]:
    """By how much lone numbers at the edges of pages differ from the pages, where they count these."""
    counted = Counter(int(number[1]) - block.page for block in blocks if (number := _lone_number(block)) is not None)
    return frozenset(offset for offset, count in counted.items() if count > 1 or offset == 0)


def _lone_number(block: Block) -> re.Match[str] | None:
    return None if block.at_edge is None else _ALONE.fullmatch(block.words)


def _is_beside(block: Block, running: frozenset[tuple[str, int]], offsets: frozenset[int]) -> bool:
    """Whether a block is a page number or a running head."""
    number = _lone_number(block)
    return (number is not None and int(number[1]) - block.page in offsets) or _key(block) in running


# ---------------------------------------------------------------- words in order


def _joined(blocks: Sequence[Block]) -> PlacedText:
    parts: list[str] = []
    stretches: list[Stretch] = []
    doubts: list[Doubt] = []
    at = 0
    for block in blocks:
        for number, line in enumerate(block.lines):
            before = block.lines[number - 1] if number else ()
            gap = _gap(parts, line[0], before, max(word.box.right for each in block.lines for word in each))
            for place, word in enumerate(line):
                between = " " if place else gap
                parts += (between, word.text)
                at += len(between)
                stretches.append(Stretch(at, at + len(word.text), word.box))
                if word.doubt is not None:
                    doubts.append(Doubt(at, at + len(word.text), word.doubt))
                at += len(word.text)
    return PlacedText("".join(parts), tuple(stretches), tuple(doubts))


def _gap(parts: Sequence[str], behind: Word, line: Sequence[Word], margin: float) -> str:
    """What parts a word from the line before it, which is empty in a new block; a broken word goes on in a new line."""
    if not parts:
        return ""
    last, goes_on = parts[-1], behind.text[:1].islower()
    if len(last) > 1 and last.endswith(_HYPHENS) and last[-2].isalnum() and (goes_on or line):
        return "\n"
    is_closed = last.endswith(_STOPS)
    if not line:
        return "\n" if goes_on and not is_closed else "\n\n"
    # A number at the beginning of a line is that of a list where the line before ends by itself.
    is_full = line[-1].box.right + behind.box.right - behind.box.left > margin
    return " " if is_full and not is_closed else "\n"


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
    layout, groups = _drawn(name, number, page)
    counted = Counter(one.angle for group in groups for one in group if not one.is_blank)
    main = counted.most_common(1)[0][0] if counted else 0
    boxes = [box for group in groups for box in _boxes(group, layout, main)]
    _, ground, _, top = turned_box(layout.bbox, -main)
    level = [box.around for box in boxes if box.is_level]
    foot, head = min((box[1] for box in level), default=0), max((box[3] for box in level), default=0)
    for box in reading_order(boxes, lambda one: one.around):
        lines = tuple(words for line in box.lines if (words := tuple(_words(line, number, page))))
        if lines:
            _, low, _, high = box.around
            is_last = low - foot < _LEVEL and high - ground < _EDGE * (top - ground)
            is_first = head - high < _LEVEL and low - ground > (1 - _EDGE) * (top - ground)
            at_edge = round((low - ground) / _LEVEL) if box.is_level and (is_first or is_last) else None
            yield Block(number, lines, at_edge)


def _drawn(name: str, number: int, page: Any) -> tuple[Any, list[list[Letter]]]:
    """What stands on a page, not put in order yet: its layout, and its letters by figure.

    Errors: `Unreadable`, if it is too much.
    """
    from pdfminer.converter import PDFPageAggregator
    from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager

    class Counting(PDFPageAggregator):
        """Counts letters and figures: figures can be drawn in figures, again and again."""

        drawn = 0

        def count(self) -> None:
            self.drawn += 1
            if self.drawn > limits.PAGE_LETTERS:
                raise too_large(name, f"page {number} has more than {limits.PAGE_LETTERS} letters")

        def render_char(
            self, matrix: Any, font: Any, fontsize: float, scaling: float, rise: float, *given: Any
        ) -> float:
            self.count()
            advance = float(super().render_char(matrix, font, fontsize, scaling, rise, *given))
            groups[open_groups[-1]].append(letter_of(self.cur_item._objs[-1], matrix, fontsize, rise))
            return advance

        def begin_figure(self, *given: Any) -> None:
            self.count()
            open_groups.append(len(groups))
            groups.append([])
            super().begin_figure(*given)

        def end_figure(self, *given: Any) -> None:
            super().end_figure(*given)
            open_groups.pop()

    groups: list[list[Letter]] = [[]]
    open_groups = [0]
    manager = PDFResourceManager()
    device = Counting(manager, laparams=None)
    PDFPageInterpreter(manager, device).process_page(page)
    return device.get_result(), groups


@frozen
class TextBox:
    """Lines that stand together.  around: the box of them where the main text of the page is laid level."""

    lines: tuple[tuple[Letter, ...], ...]
    around: Rectangle
    is_level: bool


def _boxes(letters: Sequence[Letter], layout: Any, main: int) -> Iterator[TextBox]:
    """The text of a page or figure, put into lines for each direction in which it is written."""
    from pdfminer.layout import LAParams, LTLayoutContainer, LTTextBox

    for angle, shown in by_angle(drawn_once(letters)).items():
        group = without_void_blanks(shown)
        _widen_blanks(group)
        references = mark_scripts(group)
        container: Any = LTLayoutContainer(turned_box(layout.bbox, -angle))
        for one in group:
            if angle:
                one.item.set_bbox(laid_level(one))
            one.item._text = one.text
            one.item.letter = one
            container.add(one.item)
        # Words are parted here, not there: letters may stand apart inside of them.
        container.analyze(LAParams(boxes_flow=None, word_margin=0))
        for box in container:
            if isinstance(box, LTTextBox):
                lines = tuple(_lines([[each.letter for each in line if hasattr(each, "letter")] for line in box]))
                for line in lines:
                    mark_note(line, references)
                drawn = _around([one.drawn for line in lines for one in line])
                yield TextBox(lines, box.bbox if angle == main else turned_box(drawn, -main), angle == main)


def _widen_blanks(letters: Sequence[Letter]) -> None:
    """Let each blank reach the letter drawn behind it: a justified line has wide gaps and is one line nevertheless."""
    for one, other in pairwise(letters):
        if not one.is_blank or other.is_blank:
            continue
        (_, low, right, _), (left, base, _, _) = laid_level(one), laid_level(other)
        if 0 < left - right < _WIDEST_BLANK * one.size and abs(base - low) < _SAME_LINE * one.size:
            one.width += left - right
            if not one.angle:
                x0, y0, _, y1 = one.item.bbox
                one.item.set_bbox((x0, y0, x0 + one.width, y1))


def _lines(parts: Sequence[Sequence[Letter]]) -> Iterator[tuple[Letter, ...]]:
    """Lines, put together from parts that wide blanks have set apart, from left to right."""
    line: list[Sequence[Letter]] = []
    for part in filter(None, parts):
        if line and abs(_base(part) - _base(line[0])) > _SAME_LINE * part[0].size:
            yield _from_left(line)
            line = []
        line.append(part)
    if line:
        yield _from_left(line)


def _from_left(parts: Sequence[Sequence[Letter]]) -> tuple[Letter, ...]:
    ordered = sorted(parts, key=_left)
    return tuple(one for part in ordered for one in part)


def _base(part: Sequence[Letter]) -> float:
    return laid_level(part[0])[1]


def _left(part: Sequence[Letter]) -> float:
    return laid_level(part[0])[0]


def _around(boxes: Sequence[Rectangle]) -> Rectangle:
    left, bottom, right, top = zip(*boxes, strict=True)
    return min(left), min(bottom), max(right), max(top)


def _words(line: Sequence[Letter], number: int, page: Any) -> Iterator[Word]:
    """The words of a line; a letter without a meaning counts only where it is a word by itself."""
    for word in words_of(line):
        text = "".join(one.text for one in word.letters)
        box = _around([_unturned(one.drawn, page) for one in word.letters])
        yield Word(text.replace(UNREADABLE, "") or UNREADABLE, Box(number, *box), word.doubt)


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
