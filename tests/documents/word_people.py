"""Word documents for tests: made of Markdown, and answered as people answer in a word processor."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from io import BytesIO
from typing import Any

import docx
from docx.opc.packuri import PackURI
from docx.opc.part import Part

from rulekit.tools.documents.word_package import name_of

_THREADS = "http://schemas.microsoft.com/office/2011/relationships/commentsExtended"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.commentsExtended+xml"
_SPACES = (
    'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"'
    ' xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
)


def word_of(markdown: str) -> bytes:
    """A document with the words of a text: headings, and paragraphs whose runs end in the middle of words."""
    document = docx.Document()
    for block in markdown.strip().split("\n\n"):
        if block.startswith("#"):
            document.add_heading(block.lstrip("# "), 1)
            continue
        for line in re.split(r"\n(?=\d+\. )", block):
            paragraph = document.add_paragraph()
            for part in re.findall(r"(?s).{1,7}", " ".join(line.split())):
                paragraph.add_run(part).bold = len(part) % 2 == 0
    return saved(document)


def saved(document: Any) -> bytes:
    made = BytesIO()
    document.save(made)
    return made.getvalue()


def changed(content: bytes, change: Callable[[Any], None]) -> bytes:
    """The document once somebody has done something to it."""
    document = docx.Document(BytesIO(content))
    change(document)
    return saved(document)


def comments(content: bytes) -> list[Any]:
    return list(docx.Document(BytesIO(content)).comments)


def answer(document: Any, text: str = "", *, is_done: bool = False, number: int = 0, author: str = "Anna") -> None:
    """Answer the comment of a number, resolve it, or both: comments get ids, and a part says how they belong."""
    listed = list(document.comments)
    if text:
        listed.append(document.add_comment(document.paragraphs[0].runs[0], text, author))
    for place, one in enumerate(listed):
        one._comment_elm.findall(name_of("w:p"))[-1].set(name_of("w14:paraId"), f"{place + 1:08X}")
    parent = f"{number + 1:08X}"
    entries = f'<w15:commentEx w15:paraId="{parent}" w15:done="{int(is_done)}"/>'
    if text:
        child = f"{len(listed):08X}"
        entries += f'<w15:commentEx w15:paraId="{child}" w15:paraIdParent="{parent}" w15:done="0"/>'
    blob = f"<w15:commentsEx {_SPACES}>{entries}</w15:commentsEx>".encode()
    part = Part(PackURI("/word/commentsExtended.xml"), _TYPE, blob, document.part.package)
    document.part.relate_to(part, _THREADS)


def decide(document: Any, *, takes: bool) -> None:
    """Accept or reject all tracked changes."""
    body = document.element
    kept, lost = (name_of("w:ins"), name_of("w:del")) if takes else (name_of("w:del"), name_of("w:ins"))
    for edit in list(body.iter(lost)):
        edit.getparent().remove(edit)
    for edit in list(body.iter(kept)):
        for text in list(edit.iter(name_of("w:delText"))):
            text.tag = name_of("w:t")
        for child in list(edit):
            edit.addprevious(child)
        edit.getparent().remove(edit)


def delete_comments(document: Any) -> None:
    """Delete every comment as a word processor does: its text, its ends and its sign."""
    for one in list(document.comments):
        one._comment_elm.getparent().remove(one._comment_elm)
    marks = [name_of(name) for name in ("w:commentRangeStart", "w:commentRangeEnd", "w:commentReference")]
    for mark in list(document.element.iter(*marks)):
        mark.getparent().remove(mark)


def begin_inside_edits(document: Any) -> None:
    """Move the beginning of each comment into the edit that begins there, as LibreOffice saves it."""
    for mark in list(document.element.iter(name_of("w:commentRangeStart"))):
        behind = mark.getnext()
        if behind.tag == name_of("w:del"):
            behind.insert(0, mark)


def write_behind_comments(document: Any, words: str) -> None:
    """Write words behind every commented stretch."""
    for mark in list(document.element.iter(name_of("w:commentReference"))):
        run = mark.getparent().makeelement(name_of("w:r"), {})
        mark.getparent().addnext(run)
        run.text = words


def edit(document: Any, old: str, new: str) -> None:
    """Replace words in the first paragraph that has them, as a tracked change by a person."""
    paragraph = next(one for one in document.paragraphs if old in one.text)
    before, _, behind = paragraph.text.partition(old)
    look = paragraph.runs[0]
    for run in paragraph.runs:
        run._r.getparent().remove(run._r)
    for text, kind in ((before, ""), (old, "w:del"), (new, "w:ins"), (behind, "")):
        run = deepcopy(look._r)
        paragraph._p.append(run)
        run.text = text
        if kind:
            wrap = run.makeelement(name_of(kind), {name_of("w:id"): "900", name_of("w:author"): "Anna"})
            run.addprevious(wrap)
            wrap.append(run)
            for letters in run.findall(name_of("w:t")) if kind == "w:del" else ():
                letters.tag = name_of("w:delText")
