"""Remarks put into a Word document: comments at the word, and edits suggested as tracked changes.

Runs are cut where a remark begins and ends; nothing else of the document
changes.  A bookmark stays where a comment stood, so that one that somebody
deleted is not made again.  Comments of people are never touched.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any

from rulekit.tools.documents.remarks import AUTHOR, MARK, Remark, Remarked, parted, unchanged
from rulekit.tools.documents.word_package import WordFile, name_of, opened
from rulekit.tools.documents.word_text import Piece, is_ours, pieces, placed_text
from rulekit.values import evolve, frozen

_START, _END, _REFERENCE = map(name_of, ("w:commentRangeStart", "w:commentRangeEnd", "w:commentReference"))
_BOOKMARK, _BOOKMARK_END = name_of("w:bookmarkStart"), name_of("w:bookmarkEnd")
_R, _RPR, _T, _GONE, _P = map(name_of, ("w:r", "w:rPr", "w:t", "w:delText", "w:p"))
_INS, _DEL = name_of("w:ins"), name_of("w:del")
_ID, _NAME, _AUTHOR = name_of("w:id"), name_of("w:name"), name_of("w:author")
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_TRACE = re.compile(rf"{AUTHOR}_([0-9a-f]{{10}})")


@frozen(eq=False)
class Comment:
    """A comment that ends in a mark.  element: its XML; paragraph: the id by which others answer it."""

    digest: str
    code: str
    instead: str
    id: str
    element: Any
    paragraph: str


def with_remarks(name: str, data: bytes, text: str, remarks: Sequence[Remark], found: Collection[str]) -> Remarked:
    """The document with each remark that it lacks.

    text:    what the remarks are about: the document as it was read.
    found:   the digests of all that is still so; comments about other things go, unless somebody answered them.
    Errors:  `Unreadable`, `NoPackage`.
    """
    file = opened(name, data)
    unchanged(name, text, placed_text(file).text)
    known = marked_comments(file)
    answered, suggested = answers_by_parent(file), suggestions(file)
    gone = [one for one in known if one.digest not in found]
    idle = [one for one in gone if one.paragraph not in answered]
    for one in gone:
        _undo(suggested.get(one.id, ()))
    _remove(file, idle, traces(file) - {*found, *(one.digest for one in gone if one not in idle)})
    missing, there = parted(remarks, {one.digest for one in known} | traces(file))
    for piece, at in _cuts(pieces(file), missing):
        _cut(piece, at)
    placed, numbers = pieces(file), _Numbers(file)
    for remark in missing:
        _put(file, remark, _over(placed, remark), numbers)
    return Remarked(file.content(), len(missing), len(there), len(idle))


# ---------------------------------------------------------------- what is there


def marked_comments(file: WordFile) -> list[Comment]:
    """The comments that rulekit made, each by its mark; an answer may quote one and is none."""
    replies = {id_ for ids in answers_by_parent(file).values() for id_ in ids}
    found = []
    for comment in file.comments():
        marks = MARK.findall(comment.text)
        element = comment._comment_elm
        if marks and paragraph_id(element) not in replies:
            code, digest, instead = marks[-1]
            found.append(Comment(digest, code, instead, element.get(_ID), element, paragraph_id(element)))
    return found


def paragraph_id(comment: Any) -> str:
    """The id of its last paragraph, by which other parts speak of a comment; "" where it has none."""
    paragraphs = comment.findall(_P)
    return str(paragraphs[-1].get(name_of("w14:paraId"), "")) if paragraphs else ""


def answers_by_parent(file: WordFile) -> dict[str, list[str]]:
    """By paragraph id of a comment those of its answers, in order."""
    found: dict[str, list[str]] = {}
    threads = file.threads()
    for one in () if threads is None else threads:
        parent = one.get(name_of("w15:paraIdParent"))
        child = one.get(name_of("w15:paraId"))
        if parent and child:
            found.setdefault(parent, []).append(child)
    return found


def traces(file: WordFile) -> set[str]:
    """The digests of all remarks that were ever made in this document, as far as their words are there."""
    names = (bookmark.get(_NAME, "") for bookmark in file.body.iter(_BOOKMARK))
    return {match[1] for name in names if (match := _TRACE.fullmatch(name))}


def suggestions(file: WordFile) -> dict[str, list[Any]]:
    """By id of a comment the edits that rulekit suggested beside it and nobody decided."""
    found: dict[str, list[Any]] = {}
    inside: dict[str, None] = {}
    claimed: set[Any] = set()
    for node in file.body.iter(_START, _END, _INS, _DEL):
        if node.tag == _START:
            inside[node.get(_ID)] = None
            # LibreOffice puts the beginning of a comment into the edit that begins there.
            around = [one for one in node.iterancestors(_INS, _DEL) if is_ours(one) and one not in claimed]
            claimed.update(around)
            found.setdefault(node.get(_ID), []).extend(around)
        elif node.tag == _END:
            inside.pop(node.get(_ID), None)
        elif is_ours(node) and inside:
            # The edit of a comment stands in it alone; a comment that begins later is nearer.
            claimed.add(node)
            found.setdefault(next(reversed(inside)), []).append(node)
    return {id_: edits for id_, edits in found.items() if edits}


# ---------------------------------------------------------------- taking away


def _undo(edits: Iterable[Any]) -> None:
    """Take back suggested edits: what was there before stays."""
    for edit in edits:
        if edit.tag == _DEL:
            _renamed(edit, _GONE, _T)
            for child in list(edit):
                edit.addprevious(child)
        edit.getparent().remove(edit)


def _remove(file: WordFile, comments: Sequence[Comment], digests: Collection[str]) -> None:
    """Take comments away with all that stands for them in the text, and the traces of remarks."""
    ids, names = {one.id for one in comments}, {f"{AUTHOR}_{digest}" for digest in digests}
    for one in comments:
        one.element.getparent().remove(one.element)
    lost = [node for node in file.body.iter(_START, _END, _REFERENCE) if node.get(_ID) in ids]
    marks = [node for node in file.body.iter(_BOOKMARK) if node.get(_NAME) in names]
    ends = {node.get(_ID) for node in marks}
    lost += [*marks, *(node for node in file.body.iter(_BOOKMARK_END) if node.get(_ID) in ends)]
    for node in lost:
        shown = node.getparent() if node.tag == _REFERENCE else node
        shown.getparent().remove(shown)


# ---------------------------------------------------------------- putting in


class _Numbers:
    """Ids that nothing in the document has."""

    def __init__(self, file: WordFile) -> None:
        used = (node.get(_ID, "") for node in file.body.iter(_BOOKMARK, _INS, _DEL))
        self._last = max((int(id_) for id_ in used if id_.isdecimal()), default=0)

    def next(self) -> str:
        self._last += 1
        return str(self._last)


def _over(placed: Sequence[Piece], remark: Remark) -> Sequence[Piece]:
    """The pieces that share letters with a range, else the first behind it."""
    first = bisect_right(placed, remark.start, key=lambda piece: piece.end)
    last = bisect_left(placed, remark.end, key=lambda piece: piece.start)
    return placed[first : max(last, first + 1)] or placed[-1:]


def _cuts(placed: Sequence[Piece], remarks: Sequence[Remark]) -> Iterator[tuple[Piece, int]]:
    """Where runs have to be cut, from the end of the text on: what lies before a cut stays as it was."""
    for at in sorted({at for one in remarks for at in (one.start, one.end)}, reverse=True):
        place = bisect_right(placed, at, key=lambda piece: piece.start) - 1
        if place >= 0 and at < placed[place].end and placed[place].element is not None:
            yield placed[place], at


def _cut(piece: Piece, at: int) -> None:
    """Part a run in two at an offset of the text."""
    content = [child for child in piece.run if child.tag != _RPR]
    place, letters = content.index(piece.element), at - piece.start
    if letters == place == 0:
        return
    behind = _alike(piece.run)
    piece.run.addnext(behind)
    if letters:
        tail = deepcopy(piece.element)
        tail.text, piece.element.text = piece.element.text[letters:], piece.element.text[:letters]
        for one in (piece.element, tail):
            one.set(_SPACE, "preserve")
        behind.append(tail)
    behind.extend(content[place + bool(letters) :])


def _alike(run: Any) -> Any:
    """An empty run of the same look."""
    made = deepcopy(run)
    for child in [child for child in made if child.tag != _RPR]:
        made.remove(child)
    return made


def _put(file: WordFile, remark: Remark, over: Sequence[Piece], numbers: _Numbers) -> None:
    """A comment over some runs, and the edit that it suggests."""
    chosen = list(dict.fromkeys(one.run for one in over))
    first, last = chosen[0], chosen[-1]
    is_free = all(run.getparent() is first.getparent() and run.getparent().tag == _P for run in chosen)
    shown = remark if is_free else evolve(remark, instead="")
    made = file.comments().add_comment(shown.marked, AUTHOR, AUTHOR[:2])
    id_, trace = str(made.comment_id), numbers.next()
    first.addprevious(_element(file, _BOOKMARK, {_ID: trace, _NAME: f"{AUTHOR}_{remark.digest}"}))
    first.addprevious(_element(file, _START, {_ID: id_}))
    if shown.instead:
        last = _suggest(file, chosen, shown.instead, numbers)
    reference = _element(file, _R, {})
    reference.append(_element(file, _REFERENCE, {_ID: id_}))
    for one in (reference, _element(file, _BOOKMARK_END, {_ID: trace}), _element(file, _END, {_ID: id_})):
        last.addnext(one)


def _suggest(file: WordFile, chosen: list[Any], instead: str, numbers: _Numbers) -> Any:
    """Other words in the place of some runs, as an edit to be accepted or rejected."""
    out = _element(file, _DEL, {_ID: numbers.next(), _AUTHOR: AUTHOR})
    chosen[0].addprevious(out)
    new = _alike(chosen[0])
    new.append(_element(file, _T, {}, instead))
    out.extend(chosen)
    _renamed(out, _T, _GONE)
    put = _element(file, _INS, {_ID: numbers.next(), _AUTHOR: AUTHOR})
    put.append(new)
    out.addnext(put)
    return put


def _renamed(edit: Any, old: str, new: str) -> None:
    for text in list(edit.iter(old)):
        text.tag = new


def _element(file: WordFile, name: str, attributes: dict[str, str], text: str = "") -> Any:
    made = file.body.makeelement(name, attributes)
    if text:
        made.text = text
    return made
