"""What a translator sends back is put into the catalogue that was sent out.

A way through XLIFF or CSV loses much: ids always; from CSV also notes, what is fuzzy and most forms of a plural.
All that stays as it was sent; translations and translators' remarks alone are taken over.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from rulekit.source import Source
from rulekit.tools.language.catalogue_matching import forms, id_of, links
from rulekit.tools.language.po_files import parsed, remarks_of

_ESCAPED = re.compile(r"^'(?=[-+=@])")
"""What keeps a spreadsheet from taking a text for a formula."""


def with_returned(kept: Source, back: Source) -> Source:
    """The catalogue `kept` with the translations of `back`; what `back` lacks stays.  Raises `Broken`."""
    ours, theirs = parsed(kept.text), parsed(back.text)
    unescape(theirs, (entry.msgid for entry in ours))
    tells_fuzzy = tells_more(theirs)
    singles = {entry.msgid: entry.msgstr for entry in theirs if not id_of(entry) and not entry.msgid_plural}
    for entry, link in zip(ours, links(ours, theirs), strict=True):
        if link is None or link.is_lent:
            continue
        changed = _take(entry, link.old, singles)
        entry.tcomment = remarks_of(link.old) or entry.tcomment
        if entry.fuzzy and not (link.old.fuzzy if tells_fuzzy else not changed):
            _approve(entry)
        elif link.old.fuzzy and not entry.fuzzy:
            entry.flags.append("fuzzy")
    return Source(kept.name, f"{ours}")


def tells_more(entries: Collection[Any]) -> bool:
    """Whether a file holds more than words and translations, as one that was a CSV does not."""
    return any(entry.comment for entry in entries)


def unescape(entries: Collection[Any], words: Iterable[str]) -> None:
    """Take away what a CSV puts before a text that looks like a formula.

    words:  those of the catalogue, one of which may begin so by itself.
    """
    known = frozenset(words)
    if tells_more(entries):
        return
    for entry in entries:
        entry.msgstr = _ESCAPED.sub("", entry.msgstr)
        if entry.msgid not in known:
            entry.msgid = _ESCAPED.sub("", entry.msgid)


def _take(ours: Any, theirs: Any, singles: dict[str, str]) -> bool:
    """Take a translation over; whether it is another one."""
    before = forms(ours)
    says = forms(theirs)
    if ours.msgid_plural and not theirs.msgid_plural:
        # A table has a row for each of the two texts.
        says += [singles.get(ours.msgid_plural, "")]
    if not ours.msgid_plural:
        ours.msgstr = next(filter(None, says))
    else:
        ours.msgstr_plural |= {place: said for place, said in enumerate(says) if said}
    return forms(ours) != before


def _approve(entry: Any) -> None:
    entry.flags.remove("fuzzy")
    entry.previous_msgctxt = entry.previous_msgid = entry.previous_msgid_plural = None
