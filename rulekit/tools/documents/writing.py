"""Remarks put into the file of a book, and threads read from it: the kinds of documents behind one door."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulekit import library
from rulekit.library import unreadable
from rulekit.tools.documents import word_answers, word_remarks
from rulekit.tools.documents.reading import PLAIN, kind_of, read_book
from rulekit.tools.documents.remarks import Remark, Remarked, Thread


def remarked(book: str, out: str, text: str, remarks: Sequence[Remark], found: Collection[str]) -> Remarked:
    """The document of a book with remarks, to be written to `out`.

    text:    what the remarks are about: the book as it was read; found: digests of all that is so.
    Errors:  `Unreadable`, `NoPackage`.
    """
    kind = _document(book)
    if kind_of(out) != kind:
        raise unreadable(out, "other-document", "this is not the kind of file that the book is", f"as {book}")
    if read_book(book).text != text:
        raise unreadable(book, "changed-document", "this file has changed while it was read", "begin again")
    return _WRITERS[kind](book, library.read_document(book), remarks, found)


def threads(book: str) -> tuple[Thread, ...]:
    """What people made of the remarks in a document.  Errors: `Unreadable`, `NoPackage`."""
    return _THREADS[_document(book)](book, library.read_document(book))


def _document(book: str) -> str:
    kind = kind_of(book)
    if kind == PLAIN:
        title = "a file of plain text takes no comments"
        raise unreadable(book, "no-document", title, "give the book as Word document (.docx) or PDF")
    return kind


_WRITERS = {"word": word_remarks.with_remarks}
_THREADS = {"word": word_answers.threads}
