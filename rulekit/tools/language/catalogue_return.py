"""Catalogues that come back from other tools: a way through XLIFF or CSV loses ids, and from CSV all but the words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rulekit.tools.language.catalogue_matching import id_of

_ESCAPED = re.compile(r"^'(?=[-+=@])")
"""What keeps a spreadsheet from taking a text for a formula."""


def tells_more(entries: Iterable[Any]) -> bool:
    """Whether a file holds more than words and translations, as one that was a CSV does not."""
    return any(entry.comment for entry in entries)


def unescape(entries: Iterable[Any], words: Iterable[str]) -> None:
    """Take away what a CSV puts before a text that looks like a formula, unless it belongs to the words."""
    known = frozenset(words)
    for entry in entries:
        if not id_of(entry) and entry.msgid not in known:
            entry.msgid, entry.msgstr = _ESCAPED.sub("", entry.msgid), _ESCAPED.sub("", entry.msgstr)
