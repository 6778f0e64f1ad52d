"""The text of a Word document, with the runs in which it stands.

Paragraphs of the body, of tables, of text boxes; notes behind the paragraph
that refers to them.  What people inserted counts, what they deleted does not.
Edits that rulekit itself suggested are not decided yet, so with them it is the
other way round.  Raised and lowered digits become superscripts and subscripts;
hidden text is left out; equations and symbols are read, and reported as doubts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from itertools import groupby
from typing import Any

from rulekit.tools.documents.placed_text import PlacedText, RunPlace, Stretch
from rulekit.tools.documents.reader_text import UNREADABLE, Doubt, DoubtKind, lowered, raised
from rulekit.tools.documents.remarks import AUTHOR
from rulekit.tools.documents.word_fields import instruction_elements
from rulekit.tools.documents.word_looks import Look, Looks, mark_script, text_heights
from rulekit.tools.documents.word_package import WordFile, name_of
from rulekit.values import evolve, frozen

_P, _R, _PPR, _TBL, _ROW, _CELL = map(name_of, ("w:p", "w:r", "w:pPr", "w:tbl", "w:tr", "w:tc"))
_INS, _DEL, _MOVED = name_of("w:ins"), name_of("w:del"), name_of("w:moveFrom")
_COMPATIBLE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_SIGNS = {
    name_of("w:tab"): "\t",
    name_of("w:ptab"): "\t",
    name_of("w:br"): "\n",
    name_of("w:cr"): "\n",
    name_of("w:noBreakHyphen"): "-",
}
_INSTRUCTION, _FORMULA = name_of("w:instrText"), re.compile(r"\s*EQ\b", re.IGNORECASE)
"""A field of this kind is an equation, which is only drawn."""
_DROP_CAP = f"{name_of('w:pPr')}/{name_of('w:framePr')}[@{name_of('w:dropCap')}]"
_NOTES = {name_of(f"w:{kind}Reference"): name_of(f"w:{kind}") for kind in ("footnote", "endnote")}
TEXTS = (name_of("w:t"), name_of("w:delText"))
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MATH_RUN, _MATH, _MATH_SUP, _MATH_SUB, _MATH_DENOMINATOR = (f"{_M}{name}" for name in ("r", "t", "sup", "sub", "den"))
_EQUATION = f"{_M}oMath"
_RUBY_BASE, _SYM = name_of("w:rubyBase"), name_of("w:sym")
_CODE = re.compile("[0-9A-Fa-f]{1,4}")
_WINGDINGS_ONE, _WINGDINGS_BLACK_ONE, _CIRCLED = 0x81, 0x8C, 10
"""Where the circled digits of this font begin."""
_BLANK, _CELLS = "\n\n", " | "


@frozen(eq=False)
class Piece:
    """Letters that stand in one element of a run; of a note, in the run that refers to it.

    start:    where they begin in the text; element: whose letters they are, None where none may be cut.
    doubt:    why they may be read wrongly, None if they are plain.
    """

    start: int
    text: str
    run: Any
    element: Any
    place: RunPlace
    doubt: DoubtKind | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def placed_text(file: WordFile) -> PlacedText:
    """The whole text."""
    found = list(_pieces(file))
    stretches = tuple(Stretch(one.start, one.end, one.place) for one in found if one.text)
    doubts = tuple(Doubt(one.start, one.end, one.doubt) for one in found if one.doubt is not None)
    return PlacedText(_joined(found), stretches, doubts)


def _joined(found: list[Piece]) -> str:
    parts: list[str] = []
    at = 0
    for one in found:
        parts += (_GAPS[one.start - at], one.text)
        at = one.end
    return "".join(parts)


_GAPS = {0: "", len(_BLANK): _BLANK, len(_CELLS): _CELLS}
"""What stands between two pieces, by its length."""


def pieces(file: WordFile) -> list[Piece]:
    """The text cut as the document cuts it, in order."""
    return [piece for piece in _pieces(file) if piece.text]


def _pieces(file: WordFile) -> Iterator[Piece]:
    """The same with pieces without letters where text is hidden."""
    looks = Looks(file.styles)
    hidden = _instructions(file)
    at, last = 0, None
    for number, (paragraph, reference) in enumerate(_paragraphs(file), 1):
        gap = 0 if last is None else _gap(last, paragraph)
        for letters in _with_scripts(_paragraph_letters(paragraph, looks, hidden)):
            run, text, place = letters.run, letters.text, RunPlace(number, letters.number)
            if not text:
                yield Piece(at, text, run, None, place, letters.doubt)
                continue
            whole = run if reference is None else reference
            if run.tag == _MATH_RUN and reference is None:
                whole = next(run.iterancestors(_EQUATION), run)
            own = letters.element if reference is None else None
            yield Piece(at + gap, text, whole, own, place, letters.doubt)
            at, gap, last = at + gap + len(text), 0, paragraph


def _instructions(file: WordFile) -> set[Any]:
    """What stands in instructions of fields, in the body and in each kind of notes."""
    stories = (file.body, *file.notes.values())
    return set().union(*(instruction_elements(run for p in xml.iter(_P) for run in runs(p)) for xml in stories))


def _gap(last: Any, paragraph: Any) -> int:
    """How many letters part a paragraph from the one before it."""
    if last is None or _is_joined(last):
        return 0
    cell, row = _around(paragraph, _CELL), _around(paragraph, _ROW)
    is_beside = row is not None and row is _around(last, _ROW) and cell is not _around(last, _CELL)
    return len(_CELLS if is_beside else _BLANK)


def _around(node: Any, kind: str) -> Any | None:
    return next(node.iterancestors(kind), None)


def _is_joined(paragraph: Any) -> bool:
    """Whether the next goes on in it: somebody deleted its end, or it is the drop cap of the next."""
    is_drop_cap = any(cap.get(name_of("w:dropCap")) != "none" for cap in paragraph.iterfind(_DROP_CAP))
    mark = paragraph.find(f"{_PPR}/{name_of('w:rPr')}/{_DEL}")
    return is_drop_cap or (mark is not None and not is_ours(mark))


def _paragraphs(file: WordFile) -> Iterator[tuple[Any, Any | None]]:
    """All paragraphs in reading order; those of a note, told once, with the run that refers to it."""
    notes = {(note.tag, note.get(name_of("w:id"))): note for xml in file.notes.values() for note in xml}
    for paragraph in file.body.iter(_P):
        if _around(paragraph, f"{_COMPATIBLE}Fallback") is not None:
            continue
        yield paragraph, None
        for run in runs(paragraph):
            for reference in run:
                note = notes.pop((_NOTES.get(reference.tag), reference.get(name_of("w:id"))), None)
                yield from ((inner, run) for inner in (() if note is None else note.iter(_P)))


def runs(node: Any) -> Iterator[Any]:
    """The runs of a paragraph that count as its text, those of equations and of the text under a gloss among them."""
    for child in node:
        if child.tag in (_R, _MATH_RUN):
            yield child
            for gloss in child.iter(_RUBY_BASE):
                yield from runs(gloss)
        elif child.tag not in (_P, _PPR, _MOVED, f"{_COMPATIBLE}Fallback") and not _is_left_out(child):
            yield from runs(child)


def is_ours(edit: Any) -> bool:
    """Whether rulekit suggested an edit."""
    return bool(edit.get(name_of("w:author")) == AUTHOR)


def _is_left_out(node: Any) -> bool:
    return bool((node.tag == _INS and is_ours(node)) or (node.tag == _DEL and not is_ours(node)))


@frozen(eq=False)
class _Letters:
    """The letters of one element of a run.

    number:   of the run in its paragraph; element: None where none may be cut.
    doubt:    why they may be read wrongly, None if they are plain.
    script:   1 for raised, -1 for lowered letters, 0 for letters on the line.
    """

    run: Any
    number: int
    element: Any
    text: str
    doubt: DoubtKind | None = None
    script: int = 0


def _paragraph_letters(paragraph: Any, looks: Looks, hidden: Set[Any]) -> Iterator[_Letters]:
    paragraph_runs = list(runs(paragraph))
    heights = text_heights(paragraph_runs)
    for number, run in enumerate(paragraph_runs):
        if run.tag == _MATH_RUN:
            for child in run.iter(_MATH):
                if child.text:
                    yield _Letters(run, number, None, _in_equation(run, child.text), DoubtKind.EQUATION)
        else:
            yield from _letters(run, number, looks.of(run, heights), hidden)


def _with_scripts(letters: Iterable[_Letters]) -> Iterator[_Letters]:
    """The same with raised and lowered digits as such: a stretch of one script is one, wherever its runs are cut."""
    before = ""
    for script, group in groupby(letters, key=lambda one: one.script):
        stretch = list(group)
        text = mark_script("".join(one.text for one in stretch), script, before)
        at = 0
        for one in stretch:
            yield evolve(one, text=text[at : at + len(one.text)]) if script else one
            at += len(one.text)
        before = text


def _letters(run: Any, number: int, look: Look, hidden: Set[Any]) -> Iterator[_Letters]:
    """The elements of a run that are letters.

    hidden:  elements that stand in the instruction of a field.
    """
    if look.is_hidden:
        if any(child.tag in TEXTS and (child.text or "").strip() for child in run):
            yield _Letters(run, number, None, "", DoubtKind.HIDDEN)
        return
    for child in run:
        if child.tag == _INSTRUCTION and _FORMULA.match(child.text or ""):
            yield _Letters(run, number, None, "", DoubtKind.EQUATION)
        elif child in hidden:
            continue
        elif child.tag in TEXTS and child.text:
            doubt = DoubtKind.STRUCK if look.is_struck else None
            yield _Letters(run, number, child, look.shown(child.text), doubt, look.script)
        elif child.tag in _SIGNS:
            yield _Letters(run, number, child, _SIGNS[child.tag])
        elif child.tag == _SYM:
            yield _Letters(run, number, None, _symbol(child), DoubtKind.SYMBOL)


def _in_equation(run: Any, text: str) -> str:
    """The text of a run of an equation, with a sign before a denominator, and exponents and indices as such."""
    for around in run.iterancestors():
        if around.tag in (_MATH_SUP, _MATH_SUB):
            return (raised if around.tag == _MATH_SUP else lowered)(text)
        if around.tag == _MATH_DENOMINATOR:
            is_first = next(around.iter(_MATH_RUN)) is run
            return f"/{text}" if is_first else text
        if around.tag == _P:
            break
    return text


def _symbol(node: Any) -> str:
    """A sign from a font of symbols: the circled digits of Wingdings as such, anything else as unreadable."""
    written = node.get(name_of("w:char"), "")
    code = int(written, 16) & 0xFF if _CODE.fullmatch(written) else 0
    font = (node.get(name_of("w:font")) or "").lower()
    if font == "wingdings" and _WINGDINGS_ONE <= code < _WINGDINGS_ONE + _CIRCLED:
        return chr(ord("①") + code - _WINGDINGS_ONE)
    if font == "wingdings" and _WINGDINGS_BLACK_ONE <= code < _WINGDINGS_BLACK_ONE + _CIRCLED:
        return chr(ord("❶") + code - _WINGDINGS_BLACK_ONE)
    return UNREADABLE
