"""Word documents (DOCX) opened with care and closed again: the one place that knows their package, python-docx.

What a file may hold is bounded before anything of it is read, and XML that
declares entities is refused: no Word document does.
"""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from typing import Any

from rulekit import limits
from rulekit.distribution import install_hint
from rulekit.library import ABSENT, NoPackage, Unreadable, unreadable
from rulekit.values import field, frozen

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How files of the old kind begin, and those that a password closes."""
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SPACES = {"w": _W, "w14": _W14, "w15": _W15}
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
"""Names of the strict variant of the format, which says the same under other names."""
_STRICT_MARK = re.compile(rb"""\s(?:\w+:)?conformance=(["'])strict\1""")
_THREADS = "http://schemas.microsoft.com/office/2011/relationships/commentsExtended"
_AS_WORD = "save it again as a Word document (.docx)"


def name_of(short: str) -> str:
    """A name as XML trees have it: `w:p`."""
    space, _, name = short.partition(":")
    return _SPACES[space] + name


@frozen
class WordFile:
    """An open document.  body: its XML; notes: by kind, `footnote` or `endnote`, the XML of those; styles: theirs."""

    document: Any = field(repr=False)
    body: Any = field(repr=False)
    notes: dict[str, Any] = field(repr=False)
    styles: Any | None = field(default=None, repr=False)

    def comments(self) -> Any:
        """All comments, as python-docx has them; the part is made where there is none."""
        return self.document.comments

    def threads(self) -> Any | None:
        """The XML that says which comment answers which and what is resolved; None where nothing says it."""
        return _related(_THREADS, self.document)

    def content(self) -> bytes:
        """The file's bytes."""
        made = BytesIO()
        self.document.save(made)
        return made.getvalue()


def opened(name: str, data: bytes) -> WordFile:
    """A document ready to be read and changed.  Errors: `Unreadable`, `NoPackage`."""
    try:
        import docx
    except ABSENT:
        raise NoPackage(f"Word documents need python-docx: {install_hint('office', 'python-docx')}") from None
    _look_through(name, data)
    try:
        document = docx.Document(BytesIO(_transitional(data)))
        notes = {kind: _related(f"{_OFFICE}/{kind}s", document) for kind in ("footnote", "endnote")}
        read = {kind: xml for kind, xml in notes.items() if xml is not None}
        return WordFile(document, document.element, read, _related(f"{_OFFICE}/styles", document))
    except Exception as fault:  # Of a broken package it raises whatever its parts run into.
        raise _broken(name, fault) from None


def _transitional(data: bytes) -> bytes:
    """A document of the strict variant under the usual names; any other as it is."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        if not any(_STRICT.search(archive.read(part)) for part in archive.namelist() if part.endswith("_rels/.rels")):
            return data
        made = BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as written:
            for part in archive.infolist():
                content = archive.read(part)
                if _is_xml(part.filename):
                    content = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", content)
                    content = _STRICT_MARK.sub(b"", content, count=1)
                written.writestr(part.filename, content)
    return made.getvalue()


def parsed(blob: bytes) -> Any:
    """XML read without entities."""
    from docx.oxml import parse_xml

    return parse_xml(blob)


def _related(kind: str, document: Any) -> Any | None:
    try:
        return parsed(document.part.part_related_by(kind).blob)
    except KeyError:
        return None


def _broken(name: str, fault: Exception) -> Unreadable:
    told = " ".join(str(fault).split())[:120] or type(fault).__name__
    return unreadable(name, "broken-document", f"this is no whole Word document: {told}", _AS_WORD)


def _look_through(name: str, data: bytes) -> None:
    """The archive is one, is no bomb, and its XML declares nothing.  Errors: `Unreadable`."""
    if data.startswith(_OLE):
        hint = f"open it with its password, and {_AS_WORD} without one"
        raise unreadable(name, "closed-document", "this file is closed by a password, or of Word before 2007", hint)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            _bounded(name, archive.infolist())
            for part in archive.infolist():
                if _is_xml(part.filename) and b"<!DOCTYPE" in archive.read(part).replace(b"\0", b""):
                    title = f"the part {part.filename[:80]} declares a document type, which no Word document does"
                    raise unreadable(name, "hostile-document", title, _AS_WORD)
    except Unreadable:
        raise
    except Exception as fault:  # A name, a checksum, a way of compression: an archive can be broken in many ways.
        raise _broken(name, fault) from None


def _bounded(name: str, parts: list[zipfile.ZipInfo]) -> None:
    expanded = sum(part.file_size for part in parts)
    written = sum(part.file_size for part in parts if _is_xml(part.filename))
    over = (
        (len(parts), limits.DOCUMENT_PARTS, f"it has more than {limits.DOCUMENT_PARTS} parts"),
        (expanded, limits.DOCUMENT_EXPANDED_BYTES, f"it expands to more than {_mib(limits.DOCUMENT_EXPANDED_BYTES)}"),
        (written, limits.DOCUMENT_XML_BYTES, f"its XML is more than {_mib(limits.DOCUMENT_XML_BYTES)}"),
    )
    for count, limit, told in over:
        if count > limit:
            raise unreadable(name, "document-too-large", f"this document is too large: {told}", "save it in parts")


def _is_xml(part: str) -> bool:
    return part.lower().endswith((".xml", ".rels"))


def _mib(count: int) -> str:
    return f"{count // (1024 * 1024)} MiB"
