"""Merging a catalogue with the texts of today (as by `msgmerge`).

An entry is found again by its id, or by its words if another entry has that
id now.  Changed words and changed behaviour both make it a fuzzy entry: it is shown
to a translator, and not to players, until somebody has looked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from rulekit.source import Source
from rulekit.tools.language.message_extraction import Entry
from rulekit.tools.language.plural_forms import LINES
from rulekit.tools.language.po_files import behaviour_of, blank, header, parsed, po_entry

_LATER = "The rules behind this changed after it was translated."


@frozen
class Merged:
    """A catalogue as text, and its entries counted.

    kept:  translations taken over as they are; new: without any; gone: obsolete now.
    """

    text: str
    kept: int
    fuzzy: int
    new: int
    gone: int


def new_catalogue(texts: Iterable[Entry], title: str, language: str) -> Merged:
    """A new translation, all of it still to do."""
    entries = list(texts)
    po = blank()
    po.metadata = header(title, language, LINES.get(language.partition("_")[0], LINES[""]))
    po.extend(po_entry(entry) for entry in entries)
    return Merged(f"{po}", 0, 0, len(entries), 0)


def merged(old: Source, texts: Iterable[Entry], title: str) -> Merged:
    """The translations of `old` under the texts of today; raises `Broken`."""
    before = parsed(old.text)
    po = blank()
    po.header, po.metadata = before.header, {**before.metadata, "Project-Id-Version": title}
    left = _Left([entry for entry in before if not entry.obsolete])
    # Whatever has kept both id and words comes first, so that nothing else is given its translation.
    pairs = [(entry, po_entry(entry), left.same(entry)) for entry in texts]
    for entry, made, found in pairs:
        _take_over(made, found or left.like(entry))
        po.append(made)
    gone = [entry for entry in left.entries if any(_forms(entry))]
    for entry in gone:
        entry.obsolete = True
        po.append(entry)
    po.extend(entry for entry in before if entry.obsolete)
    made_now = [made for _, made, _ in pairs]
    fuzzy = sum(made.fuzzy for made in made_now)
    new = sum(not any(_forms(made)) for made in made_now)
    return Merged(f"{po}", len(made_now) - fuzzy - new, fuzzy, new, len(gone))


class _Left:
    """Old entries that no text of today has taken yet."""

    def __init__(self, entries: list[Any]) -> None:
        self.entries = entries

    def same(self, entry: Entry) -> Any:
        return self._take(lambda old: old.msgctxt == entry.id and old.msgid == entry.text)

    def like(self, entry: Entry) -> Any:
        """The same words in an entry of the same sort, or the same id."""
        sort = entry.id.partition(" ")[0]
        by_words = self._take(lambda old: old.msgid == entry.text and (old.msgctxt or "").partition(" ")[0] == sort)
        return by_words or self._take(lambda old: old.msgctxt == entry.id)

    def _take(self, fits: Any) -> Any:
        place = next((place for place, old in enumerate(self.entries) if fits(old)), None)
        return None if place is None else self.entries.pop(place)


def _forms(entry: Any) -> list[str]:
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


def _take_over(made: Any, old: Any) -> None:
    """Give a fresh entry the translation of an old one, fuzzy where it may no longer hold."""
    if old is None:
        return
    made.tcomment = old.tcomment
    made.flags += [flag for flag in old.flags if flag not in made.flags and flag != "fuzzy"]
    if not any(_forms(old)):
        return
    if made.msgid_plural:
        made.msgstr_plural = dict(old.msgstr_plural) or {0: old.msgstr, 1: old.msgstr}
    else:
        made.msgstr = old.msgstr or old.msgstr_plural.get(0, "")
    _judge(made, old)


def _judge(made: Any, old: Any) -> None:
    changed_words = (old.msgid, old.msgid_plural) != (made.msgid, made.msgid_plural)
    changed_rules = behaviour_of(old) != behaviour_of(made)
    if changed_words:
        made.previous_msgid = old.msgid
    if changed_rules:
        made.comment = f"{_LATER}\n{made.comment}"
    if changed_words or changed_rules or old.fuzzy:
        made.flags.append("fuzzy")
