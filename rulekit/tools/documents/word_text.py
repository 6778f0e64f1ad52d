"""The text of a Word document, with the runs in which it stands.

Paragraphs of the body, of tables, of text boxes; notes behind the paragraph
that refers to them.  What people inserted counts, what they deleted does not.
Edits that rulekit itself suggested are not decided yet, so with them it is the
other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.tools.documents.placed_text import PlacedText, RunPlace, Stretch
from rulekit.tools.documents.remarks import AUTHOR
from rulekit.tools.documents.word_package import WordFile, name_of
from rulekit.values import frozen

_P, _R, _PPR, _TBL, _ROW, _CELL = map(name_of, ("w:p", "w:r", "w:pPr", "w:tbl", "w:tr", "w:tc"))
_INS, _DEL, _MOVED = name_of("w:ins"), name_of("w:del"), name_of("w:moveFrom")
_COMPATIBLE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_SIGNS = {name_of("w:tab"): "\t", name_of("w:br"): "\n", name_of("w:cr"): "\n", name_of("w:noBreakHyphen"): "-"}
_NOTES = {name_of(f"w:{kind}Reference"): name_of(f"w:{kind}") for kind in ("footnote", "endnote")}
TEXTS = (name_of("w:t"), name_of("w:delText"))
_BLANK, _CELLS = "\n\n", " | "


@frozen(eq=False)
class Piece:
    """Letters that stand in one element of a run; of a note, in the run that refers to it.

    start:    where they begin in the text; element: whose letters they are, None where none may be cut.
    """

    start: int
    text: str
    run: Any
    element: Any
    place: RunPlace

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def placed_text(file: WordFile) -> PlacedText:
    """The whole text."""
    found = pieces(file)
    return PlacedText(_joined(found), tuple(Stretch(one.start, one.end, one.place) for one in found))


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
    found: list[Piece] = []
    at, last = 0, None
    for number, (paragraph, reference) in enumerate(_paragraphs(file), 1):
        gap = _gap(last, paragraph) if found else 0
        for run_number, run in enumerate(runs(paragraph)):
            place = RunPlace(number, run_number)
            for element, text in _letters(run):
                own = element if reference is None else None
                found.append(Piece(at + gap, text, run if reference is None else reference, own, place))
                at, gap, last = at + gap + len(text), 0, paragraph
    return found


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
    """Whether somebody deleted its end, so that the next goes on in it."""
    mark = paragraph.find(f"{_PPR}/{name_of('w:rPr')}/{_DEL}")
    return mark is not None and not is_ours(mark)


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
    """The runs of a paragraph that count as its text."""
    for child in node:
        if child.tag == _R:
            yield child
        elif child.tag not in (_P, _PPR, _MOVED, f"{_COMPATIBLE}Fallback") and not _is_left_out(child):
            yield from runs(child)


def is_ours(edit: Any) -> bool:
    """Whether rulekit suggested an edit."""
    return bool(edit.get(name_of("w:author")) == AUTHOR)


def _is_left_out(node: Any) -> bool:
    return bool((node.tag == _INS and is_ours(node)) or (node.tag == _DEL and not is_ours(node)))


def _letters(run: Any) -> Iterator[tuple[Any, str]]:
    """The elements of a run that are letters, with these."""
    for child in run:
        if child.tag in TEXTS and child.text:
            yield child, child.text
        elif child.tag in _SIGNS:
            yield child, _SIGNS[child.tag]
