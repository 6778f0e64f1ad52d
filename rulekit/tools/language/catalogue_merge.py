"""Merging a catalogue with the texts of today (as by `msgmerge`).

Changed words and changed behaviour both make a fuzzy entry: it is shown to a
translator, and not to players, until somebody has looked.  Nothing translated
is dropped: what has no text any more is kept as obsolete, with the digest of
its rules, so that it is whole again when the text comes back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from rulekit.source import Source
from rulekit.tools.language.catalogue_matching import Link, forms, id_of, links
from rulekit.tools.language.catalogue_return import tells_more, unescape
from rulekit.tools.language.message_extraction import Entry
from rulekit.tools.language.plural_forms import plural_forms
from rulekit.tools.language.po_files import (
    behaviour_of,
    blank,
    completed_header,
    parsed,
    po_entry,
    remarks_of,
    retire,
)
from rulekit.values import frozen

_LATER = "The rules behind this changed after it was translated."
_UNKNOWN = "It is not known which rules this was translated for."


@frozen
class Merged:
    """A catalogue as text, and its entries counted.

    kept:  translations taken over as they are; new: without any; gone: obsolete now, and offered for nothing else.
    """

    text: str
    kept: int
    fuzzy: int
    new: int
    gone: int


def new_catalogue(texts: Iterable[Entry], title: str, language: str) -> Merged:
    """A new translation, all of it still to do."""
    return _merged(blank(), texts, title, language)


def merged(old: Source, texts: Iterable[Entry], title: str, language: str) -> Merged:
    """The translations of `old` under the texts of today; raises `Broken`.

    language:  where the file does not name its own.
    """
    before, today = parsed(old.text), list(texts)
    unescape(before, (entry.text for entry in today))
    return _merged(before, today, title, language)


def _merged(before: Any, texts: Iterable[Entry], title: str, language: str) -> Merged:
    po = blank()
    po.header, po.metadata = before.header, completed_header(before.metadata, title, language)
    plurals = plural_forms(po.metadata["Plural-Forms"])
    count = plurals[0] if plurals is not None else 2
    made = [po_entry(entry, count) for entry in texts]
    found = links(made, before)
    _take_over(made, found, before)
    po.extend(made)
    moved = {id(link.old) for link in found if link is not None and not link.is_lent}
    lent = {id(link.old) for link in found if link is not None and link.is_lent}
    gone = 0
    for entry in _leftover(before, moved, made):
        gone += not entry.obsolete and id(entry) not in lent
        retire(entry)
        po.append(entry)
    fuzzy = sum(entry.fuzzy for entry in made)
    new = sum(not any(forms(entry)) for entry in made)
    return Merged(f"{po}", len(made) - fuzzy - new, fuzzy, new, gone)


def _leftover(before: Iterable[Any], moved: set[int], made: Sequence[Any]) -> Iterator[Any]:
    """What no text of today has taken, each id with its words once; nothing that was only lent and stands elsewhere."""
    keys = {(entry.msgctxt, entry.msgid) for entry in made}
    said = {tuple(forms(entry)) for entry in made}
    for entry in sorted(before, key=_is_lent):
        key, says = (entry.msgctxt, entry.msgid), tuple(forms(entry))
        if id(entry) in moved or key in keys or not any(says) or (_is_lent(entry) and says in said):
            continue
        keys.add(key)
        said.add(says)
        yield entry


def _is_lent(entry: Any) -> bool:
    """Whether an entry of a file has a translation that was made for other words, and that nobody has confirmed."""
    return bool(entry.fuzzy and entry.previous_msgid)


# ---------------------------------------------------------------- one entry


def _take_over(made: Sequence[Any], found: Sequence[Link | None], before: Collection[Any]) -> None:
    """Give fresh entries the translations and remarks that they have in the file."""
    untranslated = {(entry.msgctxt, entry.msgid): entry for entry in before if not any(forms(entry))}
    is_bare = not tells_more(before)
    for entry, link in zip(made, found, strict=True):
        old = untranslated.get((entry.msgctxt, entry.msgid)) if link is None else link.old
        if old is not None:
            entry.tcomment = remarks_of(old)
            entry.flags += [flag for flag in old.flags if flag not in (*entry.flags, "fuzzy", "python-brace-format")]
        if link is not None:
            _translate(entry, old)
            _judge(entry, link, is_unsure=is_bare and not id_of(old))


def _translate(made: Any, old: Any) -> None:
    says = forms(old)
    if made.msgid_plural:
        # A tool for two forms leaves an empty one where the language has one form.
        last = max(place for place, said in enumerate(says) if said)
        places = range(max(len(made.msgstr_plural), last + 1))
        other = "" if old.msgid_plural else says[0]
        made.msgstr_plural = {place: says[place] if place < len(says) else other for place in places}
    else:
        made.msgstr = next(filter(None, says))


def _judge(made: Any, link: Link, *, is_unsure: bool) -> None:
    """Make an entry fuzzy where its translation may no longer hold, and say why."""
    old = link.old
    changed_words = (old.msgid, old.msgid_plural) != (made.msgid, made.msgid_plural)
    reason = "" if link.is_lent and id_of(old) != id_of(made) else _doubt(behaviour_of(made), behaviour_of(old))
    if changed_words or link.is_lent or _is_lent(old):
        _remember(made, old)
    if not (reason or changed_words or link.is_lent or old.fuzzy or is_unsure):
        return
    made.flags.append("fuzzy")
    reason = reason or next((known for known in (_LATER, _UNKNOWN) if old.fuzzy and old.comment.startswith(known)), "")
    if reason:
        made.comment = f"{reason}\n{made.comment}"


def _doubt(now: str, then: str) -> str:
    """Why the rules may be others than those that were translated, "" if they are not."""
    if not now or now == then:
        return ""
    return _LATER if then else _UNKNOWN


def _remember(made: Any, old: Any) -> None:
    """Put the id and the words beside a translation for which it was made, if those of today are others."""
    first = (id_of(old), old.msgid, old.msgid_plural)
    if _is_lent(old):
        first = (old.previous_msgctxt, old.previous_msgid, old.previous_msgid_plural)
    id_, words, plural = (before or "" for before in first)
    if (words, plural) == (made.msgid, made.msgid_plural) and id_ in ("", made.msgctxt):
        return
    # An id alone without the words is no valid comment.
    made.previous_msgctxt = id_ if id_ not in ("", made.msgctxt) else None
    made.previous_msgid, made.previous_msgid_plural = words or made.msgid, plural or None
