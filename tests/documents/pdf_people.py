"""PDF files for tests: set by Typst, and answered as people answer in a reader of PDF files."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any

import pypdf
import typst
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, TextStringObject

_PAGE = """#set page(width: 300pt, height: 140pt, margin: (x: 20pt, y: 28pt), columns: 2,
  header: [Il regolamento], header-ascent: 12pt, numbering: "1")
#set text(size: 9pt, lang: "it", hyphenate: true)
#set par(justify: true)
"""


@cache
def pdf_of(markdown: str, setting: str = _PAGE) -> bytes:
    """Narrow columns with parted words, a running head and page numbers."""
    body = re.sub(r"(?m)^#+ (.*)$", r"\n*\1*\n", markdown)
    return bytes(typst.compile((setting + re.sub(r"(?m)^(\d+)\. ", r"\n\1\\. ", body)).encode()))


def changed(content: bytes, change: Callable[[Any], None]) -> bytes:
    """The file once somebody has done something to it."""
    writer = pypdf.PdfWriter(clone_from=BytesIO(content))
    change(writer)
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


def notes(content: bytes) -> list[tuple[int, Any]]:
    """All annotations with the numbers of their pages."""
    pages = enumerate(pypdf.PdfReader(BytesIO(content)).pages, 1)
    return [(number, one.get_object()) for number, page in pages for one in page.get("/Annots", ())]


def answer(writer: Any, text: str = "", state: str = "", author: str = "Anna") -> None:
    """Answer the first note, or decide about it; a decision answers the last answer, as in some readers."""
    page = next(page for page in writer.pages if page.get("/Annots"))
    listed = page["/Annots"]
    parent = listed[-1] if state else listed[0]
    entries = {"/Type": NameObject("/Annot"), "/Subtype": NameObject("/Text"), "/IRT": parent}
    entries |= {"/Contents": TextStringObject(text), "/T": TextStringObject(author), "/Rect": listed[0]["/Rect"]}
    if state:
        entries |= {"/State": TextStringObject(state), "/StateModel": TextStringObject("Review")}
    made = DictionaryObject({NameObject(key): value for key, value in entries.items()})
    page[NameObject("/Annots")] = ArrayObject([*listed, writer._add_object(made)])


def delete_notes(writer: Any) -> None:
    for page in writer.pages:
        page.pop("/Annots", None)


def raw(stream: bytes, filters: str = "/FlateDecode", box: str = "0 0 200 200", more: str = "") -> bytes:
    """A file of one page, written by hand, with what it draws."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[{box}]{more}/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>"
        "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>".encode(),
        _stream(f"/Filter[{filters}]" if filters else "", stream),
        _stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>", b"/X Do /X Do " * 9),
    )
    made, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 6\n0000000000 65535 f \n" + table + b"trailer <</Size 6/Root 1 0 R>>\n"
    return made + head + b"startxref\n%d\n%%%%EOF\n" % len(made)


def _stream(head: str, content: bytes) -> bytes:
    return f"<<{head}/Length {len(content)}>>\nstream\n".encode() + content + b"\nendstream"


def packed(content: bytes) -> bytes:
    return zlib.compress(content, 1)
