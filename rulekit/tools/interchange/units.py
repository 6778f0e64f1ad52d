"""Translation units: the entries of a catalogue one by one, as XLIFF and spreadsheets hold them, and back.

A text with a plural is as many units as the language has forms.  What comes back becomes a catalogue again, in which
`catalogue_return` finds all that was sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulekit.legibility import has_visible_character
from rulekit.source import Source
from rulekit.tools.gettext_files.line_breaks import has_line_breaks, replace_line_breaks
from rulekit.tools.language.catalogue_return import BackFile, Refusal, squeeze
from rulekit.tools.language.po_files import Broken, blank, parsed, polib_module, remarks_of
from rulekit.values import evolve, frozen

NEW, REVIEW, TRANSLATED = "needs-translation", "needs-review-translation", "translated"
STATES = (NEW, REVIEW, TRANSLATED)
"""What XLIFF 1.2 calls a text without a translation, one to look at again (*fuzzy* in gettext), and one that is
done."""
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
"""What XML 1.0 cannot hold; and the carriage return, which it changes."""


@frozen
class Unit:
    """One text and its translation.

    id, form:  the id of the entry, and which form of its plural this is; None where it has none.
    state:     one of `STATES`; "" where a program does not tell.
    fault:     why the translation is refused; "" if it is not.
    note:      for translators, as the catalogue has it; remark: what a translator wrote beside it.
    """

    id: str
    source: str
    target: str
    state: str
    note: str = ""
    remark: str = ""
    form: int | None = None
    fault: str = ""

    @property
    def name(self) -> str:
        """The id with its form, as in `kind card[1]`."""
        return self.id if self.form is None else f"{self.id}[{self.form}]"


@frozen
class Sent:
    """The units of a catalogue, and the language of its translations; title: of the game."""

    units: tuple[Unit, ...]
    language: str
    title: str


def named(name: str) -> tuple[str, int | None]:
    """An id and its form of what `Unit.name` made of them."""
    found = re.fullmatch(r"(.*)\[(\d)\]", name, re.DOTALL)
    return (found[1], int(found[2])) if found else (name, None)


def sent(catalogue: Source) -> Sent:
    """The units of a PO file in its order, obsolete entries left out.  Errors: `Broken`."""
    po = parsed(catalogue.text)
    made = tuple(unit for entry in po if not entry.obsolete for unit in _units(entry))
    return Sent(made, po.metadata.get("Language", ""), po.metadata.get("Project-Id-Version", ""))


def _units(entry: Any) -> Iterator[Unit]:
    id_, remark = entry.msgctxt or "", remarks_of(entry)
    _check(entry, remark)
    if not entry.msgid_plural:
        yield Unit(id_, entry.msgid, entry.msgstr, _state(entry, entry.msgstr), entry.comment, remark)
        return
    for form, target in sorted(entry.msgstr_plural.items()):
        source = entry.msgid_plural if form else entry.msgid
        yield Unit(id_, source, target, _state(entry, target), entry.comment, remark, form)


def _check(entry: Any, remark: str) -> None:
    for text in (entry.msgid, entry.msgid_plural, entry.msgstr, *entry.msgstr_plural.values(), entry.comment, remark):
        if (found := _UNWRITABLE.search(text or "")) is not None:
            raise Broken(f"a character that such a file cannot hold: {found[0]!r}", entry.linenum)


def _state(entry: Any, target: str) -> str:
    return NEW if not target else REVIEW if entry.fuzzy else TRANSLATED


def returned(units: Sequence[Unit], kept: Source, language: str = "") -> BackFile:
    """What came back, as a catalogue to be put into the one that was sent.  Errors: `Broken`, if that is no PO file.

    Where a program tells no state, a text that was to be looked at counts as looked at if its translation changed.
    """
    sent_units = sent(kept).units
    before = {_key(unit): unit for unit in sent_units}
    listed = [_without_line_breaks(unit) for unit in units]
    if not {unit.id.casefold() for unit in sent_units} & {unit.id.casefold() for unit in listed}:
        # The program counts texts by itself.
        listed = [evolve(unit, id="") for unit in listed]
    plurals = {squeeze(entry.msgid_plural): entry.msgid for entry in parsed(kept.text) if entry.msgid_plural}
    groups, refused = _grouped(listed, plurals)
    po = blank()
    po.extend(_entry(source, group, before) for (_, source), group in groups.items())
    breaks = tuple(unit.name for unit in units if has_line_breaks(unit.target))
    return BackFile(Source(kept.name, f"{po}"), language, tuple(refused), breaks)


def _without_line_breaks(unit: Unit) -> Unit:
    """Replace line separators, and drop line feeds at the ends of a translation whose source has none."""
    source, target, note, remark = map(replace_line_breaks, (unit.source, unit.target, unit.note, unit.remark))
    if source.strip("\n") == source:
        target = target.strip("\n")
    return evolve(unit, source=source, target=target, note=note, remark=remark)


def _key(unit: Unit) -> tuple[str, int | None, str]:
    return unit.id.casefold(), unit.form, squeeze(unit.source)


_Groups = dict[tuple[str, str], list[Unit]]


def _grouped(units: Iterable[Unit], plurals: dict[str, str]) -> tuple[_Groups, list[Refusal]]:
    """The units of each entry, by its id and singular; what stands there twice in other words is refused."""
    groups: _Groups = {}
    refused = []
    for unit in units:
        if unit.fault:
            refused.append(Refusal(unit.name, unit.fault))
            continue
        key = (unit.id, unit.source)
        if unit.form:
            singular = plurals.get(squeeze(unit.source), unit.source)
            begun = [other for other in groups if other[0] == unit.id and groups[other][0].form is not None]
            exact = [other for other in begun if squeeze(other[1]) == squeeze(singular)]
            key = next(iter(exact or begun[-1:]), (unit.id, singular))
        group = groups.setdefault(key, [])
        twin = next((other for other in group if other.form == unit.form), None)
        if twin is None:
            group.append(unit)
        elif has_visible_character(unit.target) and unit.target != twin.target:
            refused.append(Refusal(unit.name, "it came back twice, and the first text counts"))
    return groups, refused


def _entry(source: str, units: Sequence[Unit], before: dict[tuple[str, int | None, str], Unit]) -> Any:
    first = units[0]
    plural = next((unit.source for unit in units if unit.form), source)
    forms = {unit.form: unit.target for unit in units}
    more = {"msgstr": first.target} if first.form is None else {"msgid_plural": plural, "msgstr_plural": forms}
    fuzzy = any(_is_fuzzy(unit, before.get(_key(unit))) for unit in units)
    # Notes tell the catalogue from a bare list of words, which knows nothing of what is fuzzy.
    return polib_module().POEntry(
        msgctxt=first.id,
        msgid=source,
        comment=first.note or "-",
        tcomment=first.remark,
        flags=["fuzzy"] if fuzzy else [],
        **more,
    )


def _is_fuzzy(unit: Unit, before: Unit | None) -> bool:
    if unit.state:
        return bool(unit.target) and unit.state != TRANSLATED
    return before is not None and before.state == REVIEW and before.target == unit.target
