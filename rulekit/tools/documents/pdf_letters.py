"""The letters of a page of a PDF as a reader sees them, before they are put into lines.

Letters that are drawn twice count once, raised and lowered digits become superscripts and subscripts, and turned text
is laid level.  Also parts the letters of a line into words, since letters may stand apart inside a word.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise, takewhile
from math import atan2, cos, degrees, hypot, radians, sin
from typing import Any

from rulekit.tools.documents.reader_text import UNREADABLE, DoubtKind, lowered, raised
from rulekit.values import define, frozen

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_NO_LETTER = re.compile(r"(?:\(cid:\d+\)|\0)+")
_SYMBOL_FONT, _FIRST_SYMBOL = re.compile("wingdings|webdings|dingbats", re.IGNORECASE), "\u2000"
"""In these fonts an ordinary letter is a picture."""
_CROWD = 8
"""So many letters of one place are compared with the next."""
_AGAIN = 0.12
"""A letter this near to the same letter, in parts of its size, is drawn again to look bold."""
_SMALLER, _RAISE, _SAME_SIZE_RAISE, _LOWER, _REACH = 0.85, 0.12, 0.3, -0.08, 0.9
"""How small a script is beside its text, and how far its baseline is from that of the text, in parts of its size."""
_NARROW, _FULL = 0.7, 0.9
"""How wide a small digit of a font is beside its usual ones, and how wide these are at least."""
_NOTE = 0.95
"""How small a note is beside the text."""
_BESIDE = (-0.3, 0.5)
"""Where a script begins behind its text, in parts of the size."""
_SCRIPT = re.compile(r"\s*\d[\d\s,;*†‡–-]*")
_GAP, _EVEN, _WORD_GAP, _WIDEST = 0.1, 0.06, 0.2, 0.6
"""In parts of the size: what parts two words, how even the gaps of a spaced word are, how small a space between words
is, and from where on gaps are columns."""
_GROUPING = "\u00a0\u2007\u2009\u202f"
"""Blanks that group the digits of a number, where a font has them."""
_TOUCH, _OVERLAP = 0.05, 0.3
"""In parts of the size: letters no farther apart touch, and letters that overlap no more are beside each other."""
_RUN = 4
"""So many letters with even gaps are a spaced word."""
_CLOSE, _APART = 0.25, 1.2
"""Digits nearer than this may be one number: on any line, and where blanks part all other words of the line."""

Rectangle = tuple[float, float, float, float]


@define(eq=False)
class Letter:
    """A letter of a page.

    text:   may be several letters (ligatures), or a blank.
    is_doubtful:  whether it is a digit that may be a superscript.
    is_barely_apart:  whether the blank beside it is so narrow that it may part no words.
    drawn:  its box on the page; box: the same where turned text is laid level.
    item:   what pdfminer knows of it.
    """

    text: str
    x: float
    y: float
    width: float
    size: float
    angle: int
    drawn: Rectangle
    item: Any
    is_doubtful: bool = False
    is_barely_apart: bool = False

    @property
    def is_blank(self) -> bool:
        return self.text.isspace()


def letter_of(item: Any, matrix: Sequence[float], font_size: float, rise: float) -> Letter:
    """A letter as pdfminer draws it.  matrix: of the text at this letter; rise: as PDF has it, in text space."""
    a, b, c, d, e, f = matrix
    x, y = e + c * rise, f + d * rise
    angle, width = round(degrees(atan2(b, a))), abs(item.adv) * hypot(a, b)
    return Letter(_text(item), x, y, width, abs(font_size) * hypot(c, d), angle, item.bbox, item)


def _text(item: Any) -> str:
    # A soft hyphen that is drawn is a hyphen.
    text = "".join(_LIGATURES.get(each, each) for each in item.get_text()).replace("\xad", "-")
    is_symbol = _SYMBOL_FONT.search(item.fontname) is not None and max(text, default=" ") < _FIRST_SYMBOL
    return UNREADABLE if _NO_LETTER.fullmatch(text) or (is_symbol and text.strip()) else text


def laid_level(one: Letter) -> Rectangle:
    """The box of a letter once its text is level."""
    x, y = turned(one.x, one.y, -one.angle)
    return x, y - one.size / 5, x + one.width, y + one.size * 4 / 5


def turned(x: float, y: float, angle: int) -> tuple[float, float]:
    """A point turned about the origin, counterclockwise by degrees."""
    turn = radians(angle)
    return x * cos(turn) - y * sin(turn), y * cos(turn) + x * sin(turn)


def turned_box(box: Rectangle, angle: int) -> Rectangle:
    """The box around a turned box."""
    corners = [turned(x, y, angle) for x in (box[0], box[2]) for y in (box[1], box[3])]
    return (
        min(x for x, _ in corners),
        min(y for _, y in corners),
        max(x for x, _ in corners),
        max(y for _, y in corners),
    )


def by_angle(letters: Sequence[Letter]) -> dict[int, list[Letter]]:
    """The letters by the angle of their text, the most frequent first."""
    counted = Counter(one.angle for one in letters if not one.is_blank)
    made: dict[int, list[Letter]] = {angle: [] for angle, _ in counted.most_common()}
    for one in letters:
        made.setdefault(one.angle, []).append(one)
    return made


def drawn_once(letters: Sequence[Letter]) -> list[Letter]:
    """The letters without those that are drawn again, slightly moved, to look bold or to cast a shadow."""
    kept: list[Letter] = []
    near: dict[tuple[str, float, int, int], deque[Letter]] = {}
    for one in letters:
        size = round(one.size, 1)
        cell = max(_AGAIN * size, 0.01)
        column, row = int(one.x // cell), int(one.y // cell)
        around = (near.get((one.text, size, column + i, row + j), ()) for i in (-1, 0, 1) for j in (-1, 0, 1))
        if not any(_is_again(one, other) for others in around for other in others):
            kept.append(one)
            near.setdefault((one.text, size, column, row), deque(maxlen=_CROWD)).append(one)
    return kept


def _is_again(one: Letter, other: Letter) -> bool:
    reach = min(_AGAIN * one.size, one.width / 2 or _AGAIN * one.size)
    return one.angle == other.angle and abs(one.x - other.x) < reach and abs(one.y - other.y) < _AGAIN * one.size


def without_void_blanks(letters: Sequence[Letter]) -> list[Letter]:
    """The letters without blanks and soft hyphens that take no room between letters that touch: both are in a word.

    Letters with a blank between them that parts no words by its width are marked.
    """
    kept: list[Letter] = []
    for one in letters:
        first = len(kept)
        while first and _is_blank_or_soft(kept[first - 1]):
            first -= 1
        if 0 < first < len(kept) and not _is_blank_or_soft(one):
            before = kept[first - 1]
            gap = _gap_on_line(before, one)
            if gap is not None and gap <= _TOUCH:
                del kept[first:]
            elif gap is not None and gap <= _GAP:
                before.is_barely_apart = one.is_barely_apart = True
        kept.append(one)
    return kept


def _is_blank_or_soft(one: Letter) -> bool:
    return one.is_blank or one.item.get_text() == "\xad"


def _gap_on_line(one: Letter, other: Letter) -> float | None:
    """How far a letter begins behind another, in parts of the size; None where it is not beside it."""
    (_, low, right, _), (left, base, _, _) = laid_level(one), laid_level(other)
    size = max(one.size, other.size, 0.1)
    gap = (left - right) / size
    return gap if abs(base - low) < size / 30 and gap >= -_OVERLAP else None


# ---------------------------------------------------------------- scripts


@frozen
class _Stretch:
    """Letters of one size on one baseline, side by side, without blanks at their ends.  y: of the baseline."""

    letters: list[Letter]
    text: str
    left: float
    right: float
    y: float
    size: float


def mark_scripts(letters: Sequence[Letter]) -> dict[str, float]:
    """Make superscripts and subscripts of the digits that stand higher or lower than the text beside them.

    Returns the superscripts, as digits, with the size of the text that has them.
    """
    _mark_narrow(letters)
    references: dict[str, float] = {}
    stretches = list(_stretches(letters))
    for place, one in enumerate(stretches):
        if not _SCRIPT.fullmatch(one.text):
            continue
        before = stretches[place - 1] if place else None
        behind = stretches[place + 1] if place + 1 < len(stretches) else None
        beside = next((text for text in (before, behind) if _shift(text, one)), None)
        shift = _shift(beside, one)
        if beside is not None and shift > 0:
            references[one.text] = beside.size
        for each in one.letters if shift else ():
            each.text = (raised if shift > 0 else lowered)(each.text)
    return references


def _mark_narrow(letters: Sequence[Letter]) -> None:
    """Make superscripts of the digits that a font draws small by itself: they are narrower than its other digits.

    Where the font shows no other digit of the kind they are doubtful.
    """
    fonts: dict[str, list[Letter]] = {}
    for one in letters:
        if one.text.isdecimal() and one.text.isascii() and one.size:
            fonts.setdefault(one.item.fontname, []).append(one)
    for digits in fonts.values():
        widest = max(one.width / one.size for one in digits)
        narrow = [one for one in digits if one.width / one.size < _NARROW * widest]
        wide = {one.text for one in digits} - {one.text for one in narrow}
        wide |= {one.text for one in digits if one.width / one.size > _FULL * widest}
        for one in narrow:
            if one.text in wide or (one.text != "1" and len(wide) > 1):
                one.text = raised(one.text)
            else:
                one.is_doubtful = True


def mark_note(line: Sequence[Letter], references: Mapping[str, float]) -> None:
    """Make a superscript of the number before a note, if larger text of the page has it as a reference."""
    first = list(takewhile(lambda one: one.text.isdecimal(), line))
    size = references.get("".join(one.text for one in first), 0)
    if 0 < len(first) < len(line) and line[len(first)].is_blank and first[0].size < size * _NOTE:
        for one in first:
            one.text = raised(one.text)


def _stretches(letters: Sequence[Letter]) -> Iterator[_Stretch]:
    run: list[Letter] = []
    for one in letters:
        if run and not _goes_on(run[-1], one):
            yield from _stretch(run)
            run = []
        run.append(one)
    yield from _stretch(run)


def _goes_on(last: Letter, one: Letter) -> bool:
    size = max(last.size, one.size)
    is_level = abs(one.y - last.y) < size / 30 and abs(one.size - last.size) < size / 20
    left, right = laid_level(one)[0], laid_level(last)[2]
    return is_level and -size < left - right < 2 * size


def _stretch(run: Sequence[Letter]) -> Iterator[_Stretch]:
    shown = [one for one in run if not one.is_blank]
    if shown:
        boxes = [laid_level(one) for one in shown]
        text = "".join(one.text for one in run).strip()
        base = boxes[0][1] + shown[0].size / 5
        yield _Stretch(list(run), text, boxes[0][0], boxes[-1][2], base, shown[0].size)


def _shift(text: _Stretch | None, one: _Stretch) -> int:
    """1 where a stretch is raised beside some text, -1 where it is lowered, 0 where it is no script."""
    if text is None or text.size < one.size * 0.98:
        return 0
    gap = (one.left - text.right if text.left < one.left else text.left - one.right) / text.size
    shift, ratio = (one.y - text.y) / text.size, one.size / text.size
    if not _BESIDE[0] <= gap <= _BESIDE[1] or abs(shift) > _REACH:
        return 0
    if shift >= (_RAISE if ratio <= _SMALLER else _SAME_SIZE_RAISE):
        return 1
    return -1 if ratio <= _SMALLER and shift <= _LOWER else 0


# ---------------------------------------------------------------- words


@frozen
class LetteredWord:
    """Letters without a blank.  doubt: why they may be read wrongly, None if they are clear."""

    letters: tuple[Letter, ...]
    doubt: DoubtKind | None = None


def words_of(line: Sequence[Letter]) -> Iterator[LetteredWord]:
    """The words of a line of level letters: parted by blanks, and by gaps that are no spacing of letters."""
    spacing, has_blanks = _spacing(line), any(one.is_blank for one in line)
    for is_blank, stretch in groupby(range(len(line)), key=lambda place: _parts_words(line, place)):
        if not is_blank:
            letters = [line[place] for place in stretch]
            gaps = [(laid_level(b)[0] - laid_level(a)[2]) / max(a.size, b.size, 0.1) for a, b in pairwise(letters)]
            yield from _parted(letters, gaps, spacing, has_blanks=has_blanks)


def _parts_words(line: Sequence[Letter], place: int) -> bool:
    """Whether a letter is a blank, and not one that groups the digits of a number."""
    is_inside = 0 < place < len(line) - 1 and line[place].text in _GROUPING
    is_grouping = is_inside and line[place - 1].text.isdecimal() and line[place + 1].text.isdecimal()
    return line[place].is_blank and not is_grouping


def _spacing(line: Sequence[Letter]) -> tuple[float, bool] | None:
    """The even gap inside the spaced words of a line, and whether it is doubtful; None where there are none."""
    gaps: list[float | None] = []
    for one, other in pairwise(line):
        is_blank = one.is_blank or other.is_blank
        gaps.append(None if is_blank else (laid_level(other)[0] - laid_level(one)[2]) / max(one.size, 0.1))
    widest = max((_WIDEST if gap is None else gap for gap in gaps), default=0)
    for first in range(len(gaps) - _RUN + 2):
        run = [gap for gap in gaps[first : first + _RUN - 1] if gap is not None and _GAP < gap < _WIDEST]
        if len(run) == _RUN - 1 and max(run) - min(run) <= _EVEN:
            base = sum(run) / len(run)
            if base < _WORD_GAP or widest > base + 2 * _EVEN:
                return base, base >= _WORD_GAP
    return None


def _parted(
    letters: Sequence[Letter], gaps: Sequence[float], spacing: tuple[float, bool] | None, *, has_blanks: bool
) -> Iterator[LetteredWord]:
    """Letters without a blank, parted at wide gaps.

    has_blanks:  whether blanks part the words of the line, so that digits apart without one are one number.
    """
    word = [letters[0]]
    is_apart = False
    for (one, other), gap in zip(pairwise(letters), gaps, strict=True):
        are_digits = one.text.isdecimal() and other.text.isdecimal()
        is_spacing = gap > _GAP and spacing is not None and abs(gap - spacing[0]) <= _EVEN
        is_close = are_digits and gap < (_APART if has_blanks else _CLOSE)
        is_apart |= are_digits and gap > _GAP and (spacing[1] if is_spacing and spacing else is_close)
        if gap <= _GAP or is_spacing or (is_close and has_blanks and gap < _WIDEST):
            word.append(other)
        else:
            yield _word(word, is_apart)
            word, is_apart = [other], is_close
    yield _word(word, is_apart)


def _word(letters: Sequence[Letter], is_apart: bool) -> LetteredWord:
    is_reference = any(one.is_doubtful for one in letters)
    is_apart |= any(one.is_barely_apart for one in letters)
    doubt = DoubtKind.SPACED if is_apart else DoubtKind.REFERENCE if is_reference else None
    return LetteredWord(tuple(letters), doubt)
