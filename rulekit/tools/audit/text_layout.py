"""Text layout: the numbers of a text that only lay it out, such as list items, dates and links.

Turns a text into one of the same length in which they are blanks.  Never blanks a number that may count something:
a label is one of a list only in its sequence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from rulekit.values import frozen

TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
_LAYOUT = re.compile(
    r"<su[bp]\b[^<>]*>[\d\s,;*]*</su[bp]>|\[\^[^\]\s]+\]|https?://\S+|www\.\S+|</?[A-Za-z!][^<>]*>"
    r"|\b(?:0\d/\d{1,2}|\d{1,2}/0\d)/\d{2,4}\b|\b\d{1,2}/\d{1,2}/(?:19|20)\d\d\b"
    r"|\b[A-WYZa-wyz]-?\d+(?:\.\d+)*\b|©[ \t]*\d+"
)
_ITEM = re.compile(r"<li>\s*\d+[.)](?=\s)")
_LABEL = re.compile(r"(?m)^[ \t]*(?:[-*>#•]+[ \t]*)*(?P<number>\d+)(?P<style>[.)]|[ \t][-–])(?=\s)")
_CONTENTS = re.compile(
    r"(?im)^[^\w\n]*(?:table of contents|inhaltsverzeichnis|indice|sommario)[^\w\n]*$(?P<lines>(?:\n[^\n]*){1,200})"
)
"""Headings of a list of pages; `Contents` is as often a list of what lies in the box."""
_PAGE = re.compile(r"(?:\.{3,}|…|\t)[ \t.]*(?P<number>\d{1,3})[ \t]*$")
_BETWEEN_PAGES = 2
"""So many lines without a page may stand between two with one."""
_CLOSED = re.compile(r"[.!?:;|»”\")*>…]\s*$")
_SHORT = 40
_LONGEST = 6
"""A label with more digits is none."""


@frozen
class _Label:
    """A number at the beginning of a line, with the sign behind it.

    is_apart:  whether the line before it is empty, ends a sentence, or is an item itself.
    is_behind_short:  whether that line is so short that the next is no continuation of it.
    """

    start: int
    end: int
    value: int
    style: str
    is_apart: bool
    is_behind_short: bool


def blank_layout(text: str) -> str:
    """The text with everything that only numbers or lays out the text itself turned into blanks."""
    text = _CONTENTS.sub(_without_pages, _ITEM.sub(_blanks, text))
    parts: list[str] = []
    at = 0
    for label in sorted(_item_labels(text), key=lambda one: one.start):
        parts += (text[at : label.start], _blank(text[label.start : label.end]))
        at = label.end
    return _LAYOUT.sub(_blanks, "".join((*parts, text[at:])))


def _blanks(match: re.Match[str]) -> str:
    return _blank(match.group())


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _without_pages(match: re.Match[str]) -> str:
    """A table of contents without its page numbers, as long as they rise."""
    lines = match.group().split("\n")
    last, without = 0, 0
    for place, line in enumerate(lines):
        page = _PAGE.search(line)
        if (page is None and without >= _BETWEEN_PAGES) or (page is not None and int(page["number"]) < last):
            break
        without = without + 1 if page is None else 0
        if page is not None:
            last = int(page["number"])
            lines[place] = line[: page.start()] + _blank(line[page.start() :])
    return "\n".join(lines)


def _item_labels(text: str) -> Iterator[_Label]:
    """The labels that number items: the first of a list, and those that follow or precede another by one."""
    by_style: dict[str, list[_Label]] = {}
    for label in _labels(text):
        by_style.setdefault(label.style, []).append(label)
    for labels in by_style.values():
        follows = [False, *(other.value == one.value + 1 for one, other in pairwise(labels))]
        precedes = [*follows[1:], False]
        for label, is_next, is_before in zip(labels, follows, precedes, strict=True):
            if is_next or (is_before and label.is_behind_short) or (label.is_apart and (is_before or label.value == 1)):
                yield label


def _labels(text: str) -> Iterator[_Label]:
    last = None
    for match in _LABEL.finditer(text):
        if len(match["number"]) > _LONGEST:
            continue
        line_end = max(0, match.start() - 1)
        line_start = text.rfind("\n", 0, line_end) + 1
        before = text[line_start:line_end]
        is_item_before = last is not None and line_start <= last.start() < line_end
        is_apart = not before.strip() or is_item_before or _CLOSED.search(before) is not None
        style, is_short = match["style"].strip().replace("–", "-"), len(before.strip()) < _SHORT
        yield _Label(match.start(), match.end(), int(match["number"]), style, is_apart, is_short)
        last = match
