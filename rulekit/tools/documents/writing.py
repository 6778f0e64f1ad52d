"""Remarks put into the file of a book, and threads read from it: the kinds of documents behind one door."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulekit import library
from rulekit.library import unreadable
from rulekit.tools.documents import pdf_remarks, word_answers, word_remarks
from rulekit.tools.documents.reading import PDF, PLAIN, WORD, kind_of
from rulekit.tools.documents.remarks import Remark, Remarked, Thread


def remarked(book: str, out: str, text: str, remarks: Sequence[Remark], found: Collection[str]) -> Remarked:
    """The document of a book with remarks, to be written to `out`.

    text:    what the remarks are about: the book as it was read; found: digests of all that is so.
    Errors:  `Unreadable`, `NoPackage`.
    """
    kind = _document(book)
    if kind_of(out) != kind:
        raise unreadable(out, "other-document", "this is not the kind of file that the book is", f"as {book}")
    return _WRITERS[kind](book, library.read_document(book), text, remarks, found)


def threads(book: str) -> tuple[Thread, ...]:
    """What people made of the remarks in a document.  Errors: `Unreadable`, `NoPackage`."""
    return _THREADS[_document(book)](book, library.read_document(book))


def _document(book: str) -> str:
    kind = kind_of(book)
    if kind == PLAIN:
        title = "a file of plain text takes no comments"
        raise unreadable(book, "no-document", title, "give the book as Word document (.docx) or PDF")
    return kind


_WRITERS = {WORD: word_remarks.with_remarks, PDF: pdf_remarks.with_remarks}
_THREADS = {WORD: word_answers.threads, PDF: pdf_remarks.threads}
