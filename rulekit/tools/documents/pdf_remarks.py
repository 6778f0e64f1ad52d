"""Remarks put into a PDF: a highlight over each word with the words of the remark, and what was answered to them.

A private entry of the catalogue keeps which remarks were ever made, so that
one that somebody deleted is not made again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from rulekit.tools.documents.pdf_package import annotation, content, dictionary, name, opened, resolved
from rulekit.tools.documents.pdf_text import text_on_pages
from rulekit.tools.documents.placed_text import Box
from rulekit.tools.documents.remarks import (
    AGREED,
    AUTHOR,
    DELETED,
    MARK,
    REJECTED,
    RESOLVED,
    Remark,
    Remarked,
    Reply,
    Thread,
    parted,
    unchanged,
)
from rulekit.values import frozen

_YELLOW = (1.0, 0.87, 0.35)
_PRINTED = 4
_STATES = {
    "Rejected": REJECTED,
    "Cancelled": REJECTED,
    "Accepted": AGREED,
    "Completed": AGREED,
    "Marked": RESOLVED,
}
"""What the history of a comment can say: that it is turned down, agreed to, or ticked off."""
_DEPTH = 100
"""So long a chain of answers is followed."""


@frozen(eq=False)
class Note:
    """An annotation of a page, with its reference."""

    page: Any
    reference: Any
    entries: Any

    @property
    def id(self) -> object:
        """What others refer to it by."""
        return getattr(self.reference, "idnum", self)

    def text(self, key: str) -> str:
        found = resolved(self.entries.get(key))
        return str(found) if isinstance(found, str) else ""


def with_remarks(file: str, data: bytes, text: str, remarks: Sequence[Remark], found: Collection[str]) -> Remarked:
    """The file with each remark that it lacks; the rest as for Word.  Errors: `Unreadable`, `NoPackage`."""
    writer, placed = opened(file, data), text_on_pages(file, data)
    unchanged(file, text, placed.text)
    notes = list(_notes(writer))
    marked, answered = _marked(notes), _answers(notes)
    idle = [note for note, (digest, _) in marked if digest not in found and note.id not in answered]
    for page in {id(note.page): note.page for note in idle}.values():
        _remove(page, {note.id for note in idle if note.page is page})
    traces = _traces(writer)
    missing, there = parted(remarks, {digest for _, (digest, _) in marked} | traces)
    for remark in missing:
        boxes = [one.place for one in placed.within(remark.start, remark.end) if isinstance(one.place, Box)]
        _put(writer, remark, boxes or [_nearest(placed.stretches, remark)])
    _trace(writer, (traces & set(found)) | {remark.digest for remark in remarks})
    return Remarked(content(writer), len(missing), len(there), len(idle))


def threads(file: str, data: bytes) -> tuple[Thread, ...]:
    """Every remark that the file holds or has held.  Errors: `Unreadable`, `NoPackage`."""
    writer = opened(file, data)
    notes = list(_notes(writer))
    marked, answered = _marked(notes), _answers(notes)
    found = [_thread(digest, code, answered.get(note.id, [])) for note, (digest, code) in marked]
    lost = _traces(writer) - {one.digest for one in found}
    return (*found, *(Thread(digest, "", state=DELETED) for digest in sorted(lost)))


# ---------------------------------------------------------------- what is there


def _notes(writer: Any) -> Iterator[Note]:
    for page in writer.pages:
        for reference in resolved(page.get("/Annots")) or ():
            entries = resolved(reference)
            if isinstance(entries, dict):
                yield Note(page, reference, entries)


def _marked(notes: Sequence[Note]) -> list[tuple[Note, tuple[str, str]]]:
    """The notes that rulekit made, with their digest and code."""
    found = []
    for note in notes:
        marks = MARK.findall(note.text("/Contents"))
        if marks and "/IRT" not in note.entries and note.text("/Subtype") != "/Popup":
            found.append((note, (marks[-1][1], marks[-1][0])))
    return found


def _answers(notes: Sequence[Note]) -> dict[object, list[Note]]:
    """By id of a note all that answers it, or answers an answer to it, in order."""
    parents = {note.id: _raw(note, "/IRT").idnum for note in notes if hasattr(_raw(note, "/IRT"), "idnum")}
    found: dict[object, list[Note]] = {}
    for note in notes:
        root = note.id
        for _ in range(_DEPTH):
            if root not in parents:
                break
            root = parents[root]
        if root is not note.id:
            found.setdefault(root, []).append(note)
    return found


def _raw(note: Note, key: str) -> Any:
    """An entry as it is written: a reference, not what it stands for."""
    return note.entries.raw_get(key) if key in note.entries else None


def _thread(digest: str, code: str, answers: Sequence[Note]) -> Thread:
    """A remark with what was said, and the last that was decided."""
    decided = [note for note in answers if note.text("/State")]
    said = [note for note in answers if not note.text("/State") and note.text("/Contents").strip()]
    replies = tuple(Reply(note.text("/T"), note.text("/Contents").strip()) for note in said)
    last = decided[-1] if decided else None
    state = _STATES.get(last.text("/State"), "") if last else ""
    return Thread(digest, code, replies, state, last.text("/T") if last else "")


def _traces(writer: Any) -> set[str]:
    """The digests of all remarks that were ever made in this file."""
    own = resolved((resolved(writer.root_object.get("/PieceInfo")) or {}).get(f"/{AUTHOR}"))
    listed = resolved(own.get("/Private")) if isinstance(own, dict) else None
    return {str(resolved(one)) for one in listed} if isinstance(listed, list) else set()


# ---------------------------------------------------------------- changes


def _remove(page: Any, ids: Collection[object]) -> None:
    """Take notes off a page, with the windows that show them."""
    kept = []
    for reference in resolved(page.get("/Annots")) or ():
        note = Note(page, reference, resolved(reference))
        shown = _raw(note, "/Parent") if isinstance(note.entries, dict) else None
        if note.id not in ids and getattr(shown, "idnum", None) not in ids:
            kept.append(reference)
    page[name("/Annots")] = dictionary(A=kept)["/A"]


def _put(writer: Any, remark: Remark, boxes: Sequence[Box]) -> None:
    """A highlight over some boxes; of those on a second page none, since a note belongs to one."""
    here = [box for box in boxes if box.page == boxes[0].page]
    corners = [
        each
        for box in here
        for each in (box.left, box.top, box.right, box.top, box.left, box.bottom, box.right, box.bottom)
    ]
    around = (
        min(box.left for box in here),
        min(box.bottom for box in here),
        max(box.right for box in here),
        max(box.top for box in here),
    )
    page = writer.pages[boxes[0].page - 1]
    made = annotation(
        "/Highlight",
        Rect=around,
        QuadPoints=corners,
        C=_YELLOW,
        F=_PRINTED,
        T=AUTHOR,
        NM=f"{AUTHOR}_{remark.digest}",
        Contents=remark.marked,
        P=page.indirect_reference,
    )
    listed = [*(resolved(page.get("/Annots")) or ()), writer._add_object(made)]
    page[name("/Annots")] = dictionary(A=listed)["/A"]


def _nearest(stretches: Sequence[Any], remark: Remark) -> Box:
    """Where the next word stands, else the last."""
    behind = next((one for one in stretches if one.end > remark.start), stretches[-1])
    assert isinstance(behind.place, Box), remark
    return behind.place


def _trace(writer: Any, digests: Collection[str]) -> None:
    known = resolved(writer.root_object.get("/PieceInfo"))
    info = known if isinstance(known, dict) else dictionary()
    info[name(f"/{AUTHOR}")] = dictionary(Private=sorted(digests))
    writer.root_object[name("/PieceInfo")] = info
