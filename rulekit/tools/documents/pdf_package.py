"""PDF files opened with care and written again: the one place that knows pypdf.

What a file may hold is bounded before it is read.  Changes are written behind
what is there, so that all else stays byte by byte.
"""

from __future__ import annotations

import logging
import re
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from rulekit import limits
from rulekit.distribution import install_hint
from rulekit.library import ABSENT, NoPackage, Unreadable, unreadable

_AS_PDF = "save it again as a PDF from the program that made it"
_HEADER, _HEADER_WITHIN = b"%PDF-", 2048
"""How a file begins, and within how many bytes of its beginning and end readers look for it and for its table."""
_TABLE_PLACE, _TABLE = re.compile(rb"startxref\s+(\d{1,12})"), re.compile(rb"\s*(?:xref\b|\d+\s+\d+\s+obj\b)")
_PICTURES = ("/DCTDecode", "/JPXDecode", "/JBIG2Decode", "/CCITTFaxDecode")


def opened(name: str, data: bytes) -> Any:
    """A writer that holds the pages of a file.  Errors: `Unreadable`, `NoPackage`."""
    data = from_header(data)
    looked_through(name, data)
    import pypdf

    if not data.startswith(_HEADER):
        raise _broken(name, "something stands before its beginning")
    try:
        if pypdf.PdfReader(BytesIO(data)).is_encrypted:
            hint = "save a copy without restrictions"
            raise unreadable(
                name, "restricted-document", "this PDF may be read, but its restrictions forbid changes", hint
            )
        return pypdf.PdfWriter(BytesIO(data), incremental=True)
    except Unreadable:
        raise
    except Exception as fault:  # Of a broken file it raises whatever its objects run into.
        raise broken(name, fault) from None


def looked_through(name: str, data: bytes) -> bytes:
    """The file is whole, open without a password and of a size that can be read: its bytes, without restrictions.

    Errors: `Unreadable`, `NoPackage`.
    """
    try:
        import pypdf
    except ABSENT:
        raise NoPackage(f"PDF files need pypdf: {install_hint('office', 'pypdf')}") from None
    data = from_header(data)
    # It tells of every oddity that it passes over.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            hint = "save a copy without a password"
            raise unreadable(name, "closed-document", "this PDF is closed by a password", hint)
        _bounded(name, reader)
        _require_whole_pages(name, reader)
        return content(pypdf.PdfWriter(clone_from=reader)) if reader.is_encrypted else data
    except Unreadable:
        raise
    except Exception as fault:  # The same.
        raise broken(name, fault) from None


def from_header(data: bytes) -> bytes:
    """A file without what a mail or download has put before its beginning, if its places count from there."""
    start = data.find(_HEADER, 0, _HEADER_WITHIN)
    places = _TABLE_PLACE.findall(data[-_HEADER_WITHIN:]) if start > 0 else []
    is_moved = bool(places) and _TABLE.match(data, start + int(places[-1])) is not None
    return data[start:] if is_moved else data


def broken(name: str, fault: Exception) -> Unreadable:
    return _broken(name, " ".join(str(fault).split())[:120] or type(fault).__name__)


def _broken(name: str, told: str) -> Unreadable:
    return unreadable(name, "broken-document", f"this is no whole PDF: {told}", _AS_PDF)


def _require_whole_pages(name: str, reader: Any) -> None:
    """Each page can be decompressed to its end.  Errors: `Unreadable`, which names the first that cannot."""
    for number, page in enumerate(reader.pages, 1):
        try:
            is_whole = all(map(_is_whole, _drawings(page)))
        except Exception:  # What a page refers to may be anything.
            is_whole = False
        if not is_whole:
            raise _broken(name, f"page {number} is damaged, so that its text cannot be read")


def _drawings(page: Any) -> Iterator[Any]:
    """The streams that draw a page: its own, and the forms that it may draw."""
    content = page.get("/Contents")
    if content is not None:
        found = content.get_object()
        yield from (one.get_object() for one in found) if isinstance(found, list) else (found,)
    resources = resolved(page.get("/Resources")) or {}
    forms = resolved(resources.get("/XObject")) or {}
    for form in (resolved(form) for form in forms.values()):
        if form is not None and form.get("/Subtype") == "/Form":
            yield form


def _is_whole(stream: Any) -> bool:
    """Whether a stream is there and can be decompressed to its end, as far as its compression tells."""
    from pypdf.generic import StreamObject

    if not isinstance(stream, StreamObject):
        return False
    filters = stream.get("/Filter")
    first = filters[0] if isinstance(filters, list) and filters else filters
    if first != "/FlateDecode" or not stream._data:
        return True
    inflating = zlib.decompressobj()
    try:
        inflating.decompress(stream._data, limits.DOCUMENT_EXPANDED_BYTES)
    except zlib.error:
        return False
    return inflating.eof or bool(inflating.unconsumed_tail)


def too_large(name: str, told: str) -> Unreadable:
    return unreadable(name, "document-too-large", f"this document is too large: {told}", "save it in parts")


def _bounded(name: str, reader: Any) -> None:
    """Pages, objects, and what they come to once they are decompressed.  Errors: `Unreadable`."""
    if len(reader.pages) > limits.DOCUMENT_PAGES:
        raise too_large(name, f"it has more than {limits.DOCUMENT_PAGES} pages")
    ids = [(id_, generation) for generation, known in reader.xref.items() for id_ in known]
    ids += [(id_, 0) for id_ in reader.xref_objStm]
    if len(ids) > limits.DOCUMENT_OBJECTS:
        raise too_large(name, f"it has more than {limits.DOCUMENT_OBJECTS} objects")
    expanded = 0
    for size in _sizes(reader, ids):
        expanded += size
        if expanded > limits.DOCUMENT_EXPANDED_BYTES:
            raise too_large(name, f"it expands to more than {limits.DOCUMENT_EXPANDED_BYTES // 2**20} MiB")


def _sizes(reader: Any, ids: list[tuple[int, int]]) -> Iterator[int]:
    """How large each stream is that is no picture; one that cannot be read counts as one that is full."""
    from pypdf.errors import LimitReachedError
    from pypdf.generic import IndirectObject, StreamObject

    for id_, generation in ids:
        try:
            found = reader.get_object(IndirectObject(id_, generation, reader))
            is_read = isinstance(found, StreamObject) and not _is_picture(found)
            yield len(found.get_data()) if is_read else 0
        except LimitReachedError:
            yield limits.DOCUMENT_EXPANDED_BYTES + 1
        except Exception:  # A part that is broken harms only who needs it.
            yield 0


def _is_picture(stream: Any) -> bool:
    filters = stream.get("/Filter", [])
    last = filters if isinstance(filters, str) else filters[-1] if filters else ""
    return stream.get("/Subtype") == "/Image" or last in _PICTURES


def content(writer: Any) -> bytes:
    """The file's bytes."""
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


# ---------------------------------------------------------------- values


def annotation(kind: str, **entries: object) -> Any:
    """An annotation.  entries: texts, lists of numbers, or what is a value of pypdf already."""
    return dictionary(Type=name("/Annot"), Subtype=name(kind), **entries)


def dictionary(**entries: object) -> Any:
    from pypdf.generic import DictionaryObject

    return DictionaryObject({name(f"/{key}"): _value(entry) for key, entry in entries.items()})


def name(text: str) -> Any:
    from pypdf.generic import NameObject

    return NameObject(text)


def _value(entry: object) -> Any:
    from pypdf.generic import ArrayObject, FloatObject, NumberObject, PdfObject, TextStringObject

    if isinstance(entry, PdfObject):
        return entry
    if isinstance(entry, str):
        return TextStringObject(entry)
    if isinstance(entry, int):
        return NumberObject(entry)
    if isinstance(entry, float):
        return FloatObject(entry)
    assert isinstance(entry, list | tuple), entry
    return ArrayObject(_value(one) for one in entry)


def resolved(value: Any) -> Any:
    """What a reference stands for, else the value itself; None where there is nothing."""
    from pypdf.generic import NullObject

    found = value.get_object() if value is not None and hasattr(value, "get_object") else value
    return None if isinstance(found, NullObject) else found
