"""Put what a translator sends back into the catalogue that was sent out, and account for every text of it.

A way through XLIFF or CSV loses much: ids always; from CSV also notes, what is fuzzy and most forms of a plural.
All that stays as it was sent; translations and translators' remarks alone are taken over.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from rulekit.legibility import has_visible_character
from rulekit.source import Source
from rulekit.tools.language.catalogue_matching import forms, id_of, is_alike, links, places_of
from rulekit.tools.language.plural_forms import Form, plural_forms
from rulekit.tools.language.po_files import parsed, parsed_leniently, read_po, remarks_of
from rulekit.values import define, field, frozen

_FEWEST = 5
"""Of so many texts of a file that names no game at least one fits, or the file is another game's."""
_COUNTED = range(1, 200)
"""Numbers for which plural forms are compared; not 0, in which headers for one language differ."""
_ESCAPED = re.compile(r"^'(?=[-+=@])")
"""What keeps a spreadsheet from taking a text for a formula."""
_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
_NO_TEXT = re.compile(f"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff{_NONCHARACTERS}]")
"""Characters that no text for people holds: controls, surrogates, noncharacters."""


@frozen
class Refusal:
    """A text that was not taken over.  name: its id, or the line where it stands."""

    name: str
    reason: str


@frozen
class BackFile:
    """A file that came back.

    catalogue:  its texts as a PO.
    language:   the language that it names; "" if none.
    project:    the title of the game that it names; "" if none.
    refused:    texts that are not in `catalogue`.
    with_line_breaks: ids of texts in which line separators of other programs became blanks.
    """

    catalogue: Source
    language: str = ""
    refused: tuple[Refusal, ...] = ()
    with_line_breaks: tuple[str, ...] = ()
    project: str = ""


@define
class ReturnReport:
    """The catalogue after the merge, and what became of each text that came back.

    text:       the catalogue as a PO.
    changed, missing:  ids of texts with another translation or state, and of those that the catalogue does not have.
    unchanged:  how many say what the catalogue says already, or nothing.
    fuzzy:      ids, all of them in `changed`, of texts that were translated from other words than those of today.
    unlike:     how many of the changed and unchanged were found by their id alone, over words that are not alike.
    obsolete:   ids of texts that have another translation among the obsolete entries of the file; it is not taken.
    """

    text: str = ""
    changed: list[str] = field(factory=list)
    unchanged: int = 0
    missing: list[str] = field(factory=list)
    refused: list[Refusal] = field(factory=list)
    fuzzy: list[str] = field(factory=list)
    unlike: int = 0
    obsolete: list[str] = field(factory=list)

    @property
    def read(self) -> int:
        return len(self.changed) + self.unchanged + len(self.missing) + len(self.refused)

    def is_of_other_game(self, project: str, title: str) -> bool:
        """Return whether the file is rather another game's, by its project and by the share of texts that fit.

        project: the game that the file names, "" if none; title: that of the catalogue.
        Nothing fits in the file of another game; from one without a project a fifth must, from one that names
        another project a half, since platforms write their own project there.
        """
        fitting = len(self.changed) + self.unchanged - self.unlike
        judged = fitting + self.unlike + len(self.missing)
        if is_same_project(project, title):
            return judged > 0 and fitting + self.unlike == 0
        if project:
            return 2 * fitting < judged
        return _FEWEST * (fitting + self.unlike / 2) < judged


def is_same_project(project: str, title: str) -> bool:
    """Return whether a `Project-Id-Version` is the title of a game, with a version or without."""
    named, own = squeeze(project).casefold(), squeeze(title).casefold()
    return bool(own) and re.fullmatch(re.escape(own) + r"([\W_]*v?[\d.]+)?", named) is not None


def back_catalogue(back: Source) -> BackFile:
    """Read a PO that came back.  Errors: `Broken`, where nothing of it can be read."""
    written = read_po(back)
    return BackFile(back, written.language, with_line_breaks=written.with_line_breaks, project=written.project)


def with_returned(kept: Source, back: Source) -> ReturnReport:
    """Put the translations of `back` into `kept`; what `back` lacks stays.

    Errors: `Broken`, if `kept` cannot be read whole, or nothing of `back` can.
    """
    ours, (theirs, faults) = parsed(kept.text), parsed_leniently(back.text)
    unescape(theirs, (entry.msgid for entry in ours))
    _restore_sources(theirs, ours)
    report = ReturnReport(refused=[Refusal(f"line {fault.line}", fault.text) for fault in faults])
    living = [entry for entry in theirs if not entry.obsolete]
    tells_fuzzy = tells_more(living)
    plurals = plural_forms(ours.metadata.get("Plural-Forms", ""))
    n_forms = None if plurals is None else plurals[0]
    counted = _renumber_forms(living, plurals, plural_forms(theirs.metadata.get("Plural-Forms", "")), report)
    returned = _join_rows(list(_without_refused(counted, n_forms, report)), ours, n_forms)
    ordered = sorted(ours, key=lambda entry: bool(entry.obsolete))
    found = zip(ordered, links(ordered, returned), strict=True)
    own = [(entry, link.old) for entry, link in found if link is not None and not link.is_lent]
    for entry, other in own:
        if id_of(other) and not entry.msgid_plural and len(set(forms(other)) - {""}) > 1:
            report.refused.append(Refusal(_name(other), "it has plural forms where the catalogue has none"))
            continue
        if entry.msgid_plural and squeeze(other.msgid_plural or entry.msgid_plural) != squeeze(entry.msgid_plural):
            _take_as_fuzzy(entry, other, report)
            continue
        before = _state(entry)
        changed = _take(entry, other)
        entry.tcomment = remarks_of(other) or entry.tcomment
        if entry.fuzzy and not (other.fuzzy if tells_fuzzy else not changed):
            _approve(entry)
        elif other.fuzzy and not entry.fuzzy:
            entry.flags.append("fuzzy")
        _count(report, entry, before)
    _take_leftovers(returned, own, ours, report)
    report.obsolete = list(_differing_obsolete(theirs, ours))
    report.text = f"{ours}"
    return report


def _renumber_forms(
    theirs: Iterable[Any], own: tuple[int, Form] | None, other: tuple[int, Form] | None, report: ReturnReport
) -> Iterator[Any]:
    """Put plural forms under the numbers of the catalogue, where the header of the file numbers them otherwise.

    own, other: the plural forms of the catalogue and of the file; None where a header has none that can be read.
    An entry with more forms than its header is left as it is: the header is not what the translator went by.
    """
    if own is None or other is None or all(own[1](number) == other[1](number) for number in _COUNTED):
        yield from theirs
        return
    sources = [{other[1](number) for number in _COUNTED if own[1](number) == form} for form in range(own[0])]
    for entry in theirs:
        said = forms(entry)
        if not entry.msgid_plural or not any(said) or any(said[other[0] :]):
            yield entry
            continue
        fitting = [{said[form] for form in source if form < len(said)} - {""} for source in sources]
        if other[0] < own[0] or any(len(texts) > 1 for texts in fitting):
            reason = "its plural forms are for other numbers than those of the catalogue"
            report.refused.append(Refusal(_name(entry), reason))
        else:
            entry.msgstr_plural = {form: next(iter(texts), "") for form, texts in enumerate(fitting)}
            yield entry


def _without_refused(theirs: Iterable[Any], n_forms: int | None, report: ReturnReport) -> Iterator[Any]:
    """Leave out entries with characters that no text holds, or with more plural forms than the language has."""
    for entry in theirs:
        said = forms(entry)
        found = next(filter(None, map(_NO_TEXT.search, said)), None)
        if found is not None:
            report.refused.append(Refusal(_name(entry), f"it holds the character U+{ord(found[0]):04X}"))
        elif n_forms is not None and entry.msgid_plural and any(said[n_forms:]):
            reason = f"it has {len(said)} plural forms where the catalogue has {n_forms}"
            report.refused.append(Refusal(_name(entry), reason))
        else:
            yield entry


def _restore_sources(theirs: Iterable[Any], ours: Iterable[Any]) -> None:
    """Give entries the id and source text of ours again where only blanks or the capitals of the id differ."""
    exact = {(entry.msgctxt, entry.msgid) for entry in ours}
    alike = dict[tuple[str, str], Any]()
    by_words = Counter(squeeze(entry.msgid) for entry in ours)
    for entry in ours:
        alike.setdefault((id_of(entry).casefold(), squeeze(entry.msgid)), entry)
        if by_words[squeeze(entry.msgid)] == 1:
            alike.setdefault(("", squeeze(entry.msgid)), entry)
    for entry in theirs:
        own = alike.get((id_of(entry).casefold(), squeeze(entry.msgid)))
        if own is not None and (entry.msgctxt, entry.msgid) not in exact:
            entry.msgid = own.msgid
            if id_of(entry):
                entry.msgctxt = own.msgctxt


def squeeze(text: str) -> str:
    """A text with every run of blanks as one, in composed Unicode."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _join_rows(returned: list[Any], ours: Iterable[Any], n_forms: int | None) -> list[Any]:
    """Join the two texts without ids that are the forms of one plural, as a table has a row for each of them."""
    rows: dict[str, list[Any]] = {}
    for entry in returned:
        if not id_of(entry) and not entry.msgid_plural:
            rows.setdefault(squeeze(entry.msgid), []).append(entry)
    living = [entry for entry in ours if not entry.obsolete]
    words = {squeeze(entry.msgid) for entry in living}
    joined = set[int]()
    for own in living if rows else ():
        if not own.msgid_plural:
            continue
        single = _row(rows, own, own.msgid)
        several = _row(rows, own, own.msgid_plural, other=single)
        if several is None:
            continue
        is_shared = places_of(several) != places_of(own) and squeeze(own.msgid_plural) in words
        if not is_shared:
            rows[squeeze(own.msgid_plural)].remove(several)
        said = ["" if single is None else single.msgstr, several.msgstr]
        if n_forms == 1:
            said = [said[0] if has_visible_character(said[0]) else said[1]]
        if single is not None:
            rows[squeeze(own.msgid)].remove(single)
        elif is_shared:
            continue
        entry = several if single is None else single
        entry.msgid, entry.msgid_plural, entry.msgstr = own.msgid, own.msgid_plural, ""
        entry.msgstr_plural = dict(enumerate(said))
        entry.flags = list(dict.fromkeys([*entry.flags, *several.flags]))
        if entry is not several and not is_shared:
            joined.add(id(several))
    return [entry for entry in returned if id(entry) not in joined]


def _row(rows: dict[str, list[Any]], own: Any, words: str, *, other: Any = None) -> Any:
    """Return a row with these words, but not `other`, rather one at the places of an entry; None if there is none."""
    fitting = [row for row in rows.get(squeeze(words), []) if row is not other]
    return next((row for row in fitting if places_of(row) == places_of(own)), next(iter(fitting), None))


def _differing_obsolete(theirs: Iterable[Any], ours: Iterable[Any]) -> Iterator[str]:
    """Return the names of texts of which an obsolete entry that came back says something else."""
    returned = {(entry.msgctxt, entry.msgid) for entry in theirs if not entry.obsolete}
    said: dict[tuple[str | None, str], set[tuple[str, ...]]] = {}
    for entry in ours:
        if not entry.obsolete:
            for context in (entry.msgctxt, None):
                said.setdefault((context, entry.msgid), set()).add(tuple(forms(entry)))
    for entry in theirs:
        key = (entry.msgctxt, entry.msgid)
        is_text = entry.obsolete and any(forms(entry)) and key not in returned
        if is_text and tuple(forms(entry)) not in said.get(key, {tuple(forms(entry))}):
            yield _name(entry)


def _take_leftovers(
    returned: Iterable[Any], own: list[tuple[Any, Any]], ours: Iterable[Any], report: ReturnReport
) -> None:
    """Take as fuzzy what was translated from other words under a known id; report all else that fits nowhere."""
    used = {id(other) for _, other in own}
    linked = {id(entry) for entry, _ in own}
    said = {(other.msgctxt, other.msgid): forms(other) for _, other in own}
    living = [entry for entry in ours if not entry.obsolete]
    shared = Counter(id_of(entry).casefold() for entry in living)
    by_id = {id_of(entry).casefold(): entry for entry in living if shared[id_of(entry).casefold()] == 1}
    texts = {(entry.msgctxt, entry.msgid) for entry in ours} | {(None, entry.msgid) for entry in ours}
    for other in returned:
        key = (other.msgctxt if id_of(other) else None, other.msgid)
        if id(other) in used:
            continue
        if not any(forms(other)):
            entry = by_id.get(id_of(other).casefold())
            if key not in texts and entry is None:
                report.missing.append(_name(other))
            else:
                report.unchanged += 1
                report.unlike += key not in texts and entry is not None and not is_alike(entry.msgid, other.msgid)
        elif (other.msgctxt, other.msgid) in said:
            if said[other.msgctxt, other.msgid] == forms(other):
                report.unchanged += 1
            else:
                report.refused.append(Refusal(_name(other), "it came back twice, and the first text counts"))
        elif id_of(other) and (entry := by_id.get(id_of(other).casefold())) is not None and id(entry) not in linked:
            linked.add(id(entry))
            said[other.msgctxt, other.msgid] = forms(other)
            _take_as_fuzzy(entry, other, report)
        else:
            report.missing.append(_name(other))


def _take_as_fuzzy(entry: Any, other: Any, report: ReturnReport) -> None:
    report.unlike += not is_alike(entry.msgid, other.msgid)
    if not _take(entry, other):
        report.unchanged += 1
        return
    entry.tcomment = remarks_of(other) or entry.tcomment
    if not entry.fuzzy:
        entry.flags.append("fuzzy")
    entry.previous_msgid, entry.previous_msgid_plural = other.msgid, other.msgid_plural or None
    report.changed.append(_name(entry))
    report.fuzzy.append(_name(entry))


def _state(entry: Any) -> tuple[Any, ...]:
    return (*forms(entry), entry.fuzzy)


def _count(report: ReturnReport, entry: Any, before: tuple[Any, ...]) -> None:
    if _state(entry) == before:
        report.unchanged += 1
    else:
        report.changed.append(_name(entry))


def _name(entry: Any) -> str:
    """The id of an entry, or the beginning of its words where it has none of its own."""
    id_ = id_of(entry)
    words = entry.msgid if len(entry.msgid) <= 40 else f"{entry.msgid[:40]}…"
    return id_ if id_ and id_.partition(" ")[0] != "page" else f"“{words}”"


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


def _take(ours: Any, theirs: Any) -> bool:
    """Take a translation over; whether it is another one."""
    before = forms(ours)
    says = forms(theirs)
    if not ours.msgid_plural:
        ours.msgstr = next(filter(None, says))
    else:
        ours.msgstr_plural |= {index: said for index, said in enumerate(says) if said}
    return forms(ours) != before


def _approve(entry: Any) -> None:
    entry.flags.remove("fuzzy")
    entry.previous_msgctxt = entry.previous_msgid = entry.previous_msgid_plural = None
