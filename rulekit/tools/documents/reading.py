"""A book from a file: plain text and Markdown as they are, Word and PDF as the text on their pages."""

from __future__ import annotations

import os

from rulekit import library
from rulekit.library import unreadable
from rulekit.source import Source
from rulekit.tools.documents.placed_text import PlacedText
from rulekit.tools.documents.reader_text import Doubt
from rulekit.values import frozen

WORD, PDF, PLAIN = "word", "pdf", "plain"
_KINDS = {".docx": WORD, ".pdf": PDF}
_OTHERS = (".doc", ".docm", ".dotx", ".odt", ".rtf", ".pages", ".epub", ".indd", ".idml")


def kind_of(path: str) -> str:
    """What kind of file a book is, by its name's ending.  Errors: `Unreadable`, where none is known."""
    ending = os.path.splitext(path)[1].lower()
    if ending in _OTHERS:
        hint = "save it as Word document (.docx), PDF or plain text"
        raise unreadable(path, "unknown-document", f"books are not read from {ending} files", hint)
    return _KINDS.get(ending, PLAIN)


@frozen
class Manuscript:
    """A book as it was read.  doubts: stretches of its text that may be read wrongly."""

    source: Source
    doubts: tuple[Doubt, ...] = ()


def read_book(path: str) -> Source:
    """The text of a book.  Errors: `Unreadable`, `NoPackage`."""
    return read_manuscript(path).source


def read_manuscript(path: str) -> Manuscript:
    """A book with what is uncertain in it.  Errors: `Unreadable`, `NoPackage`."""
    kind = kind_of(path)
    if kind == PLAIN:
        return Manuscript(library.read(path))
    data = library.read_document(path)
    placed = _of_word(path, data) if kind == WORD else _of_pdf(path, data)
    if not placed.text.strip():
        raise _empty(path, kind)
    return Manuscript(Source(path, placed.text), placed.doubts)


# Whoever reads plain text waits for neither.


def _of_word(name: str, data: bytes) -> PlacedText:
    from rulekit.tools.documents.word_package import opened
    from rulekit.tools.documents.word_text import placed_text

    return placed_text(opened(name, data))


def _of_pdf(name: str, data: bytes) -> PlacedText:
    from rulekit.tools.documents.pdf_text import placed_text

    return placed_text(name, data)


def _empty(path: str, kind: str) -> library.Unreadable:
    hint = "the pages may be pictures: have a program for reading scans (OCR) put a text behind them"
    return unreadable(path, "no-text", "this document has no text", hint if kind == PDF else "")
