"""Message catalogues as PO and POT files of gettext, written and read; the only module that knows polib.

What is ours in a PO file: `msgctxt` is the id, the extracted comments (`#.`)
say what the engine does, and the last of them holds a digest of the rules behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from rulekit.diagnostics import Problems
from rulekit.distribution import install_hint
from rulekit.errors import BadInput
from rulekit.legibility import has_visible_character
from rulekit.library import ABSENT, NoPackage
from rulekit.source import Source, Span
from rulekit.tools.gettext_files.languages import plural_line
from rulekit.tools.gettext_files.po_parser import PoEntry, PoFault, PoText, parse_po
from rulekit.tools.language.message_extraction import Entry
from rulekit.values import frozen

if TYPE_CHECKING:
    import polib

_BEHAVIOUR = re.compile(r"^behaviour: ([0-9a-f]+)$", re.MULTILINE)
_HOLDS = re.compile(r"\{\w+\}")
_WIDTH = 100
_INITIAL = re.compile(r"PACKAGE VERSION|FULL NAME <|LANGUAGE <|YEAR-MO-DA|^nplurals=INTEGER")
"""What is in a header that nobody has filled in yet."""


def polib_module() -> Any:
    """The package that reads and writes PO files.  Errors: `NoPackage`."""
    try:
        import polib
    except ABSENT:
        raise NoPackage(f"rulekit is not installed whole: {install_hint('', 'polib')}") from None
    return polib


# ---------------------------------------------------------------- a template


def template(entries: Iterable[Entry], title: str) -> str:
    """The text of a POT file."""
    pot = blank()
    pot.metadata = header(title, "", "nplurals=INTEGER; plural=EXPRESSION;")
    pot.extend(po_entry(entry) for entry in entries)
    return f"{pot}"


def blank() -> Any:
    """A file without entries."""
    return polib_module().POFile(wrapwidth=_WIDTH, check_for_duplicates=True)


def header(title: str, language: str, plurals: str) -> dict[str, str]:
    """Header fields that Poedit, Weblate and `msgfmt --check-header` want; no date of today."""
    return {
        "Project-Id-Version": title,
        "Report-Msgid-Bugs-To": "",
        "PO-Revision-Date": "2026-11-21 00:00+0000",
        "Last-Translator": "rulekit",
        "Language-Team": language or "LANGUAGE",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": plurals,
        "X-Source-Language": "en",
        "X-Generator": "rulekit",
        "X-Poedit-Basepath": "..",
    }


def completed_header(told: Mapping[str, str], title: str, language: str) -> dict[str, str]:
    """The header fields of a file; a field that is missing, or still as a tool has begun it, is filled in."""
    said = {name: value for name, value in told.items() if value and not _INITIAL.search(value)}
    spoken = said.get("Language", language)
    fields = header(title, spoken, plural_line(spoken))
    return {**fields, **said, "Project-Id-Version": title}


def po_entry(entry: Entry, n_plurals: int = 2) -> polib.POEntry:
    """A text without a translation, with room for one, or for so many if it has a plural."""
    notes = [*entry.notes, *([f"behaviour: {entry.behaviour}"] if entry.behaviour else [])]
    empty = dict.fromkeys(range(n_plurals), "")
    more: dict[str, Any] = {"msgid_plural": entry.plural, "msgstr_plural": empty} if entry.plural else {}
    return polib_module().POEntry(
        msgctxt=entry.id,
        msgid=entry.text,
        comment="\n".join(notes),
        occurrences=[(re.split(r"[/\\]", span.source)[-1], str(span.line)) for span in entry.spans if span.line],
        flags=["python-brace-format"] if _HOLDS.search(entry.text + entry.plural) else [],
        **more,
    )


# ---------------------------------------------------------------- reading


class Broken(BadInput):
    """A text that is no PO file; its text says why, `line` where."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.line = line


@frozen
class Translated:
    """One entry of a PO file.

    forms:        the translation, or one for each plural form by its index; "" where there is none, or none of which
                  anything is seen.
    line:         where the entry begins; msgstr_line: where its translation begins.
    """

    id: str
    text: str
    plural: str
    forms: tuple[str, ...]
    fuzzy: bool
    line: int
    msgstr_line: int


@frozen
class Written:
    """What a PO file holds.

    plurals, language, project:  the `Plural-Forms`, `Language` and `Project-Id-Version` lines of its header; "" for a
                        project that no tool has filled in.
    faults:             entries that cannot be read; duplicates: those that stand there a second time.  Neither are in
                        `entries`.
    with_line_breaks:   ids of texts in which line separators of other programs became blanks.
    """

    entries: tuple[Translated, ...]
    plurals: str
    language: str = ""
    project: str = ""
    faults: tuple[PoFault, ...] = ()
    duplicates: tuple[PoFault, ...] = ()
    with_line_breaks: tuple[str, ...] = ()


def read_po(source: Source) -> Written:
    """The entries of a PO file in their order, without obsolete ones.

    What cannot be read is in its faults.  Of an entry that stands there twice the first counts.
    Errors: `Broken`, where there is no entry that can be read.
    """
    text = parse_po(source.text)
    if text.faults and not text.entries:
        raise Broken(text.faults[0].text, text.faults[0].line)
    fields = _header_fields(text.header)
    living = [entry for entry in text.entries if not entry.is_obsolete]
    doubled = duplicates(text)
    repeated = {id(double.entry) for double in doubled}
    entries = tuple(_translated(entry) for entry in living if id(entry) not in repeated)
    told = tuple(PoFault(double.entry.line, double.title) for double in doubled)
    breaks = tuple(entry.msgctxt or entry.msgid or "" for entry in living if entry.has_breaks)
    project = fields.get("Project-Id-Version", "")
    return Written(
        entries,
        fields.get("Plural-Forms", ""),
        fields.get("Language", ""),
        "" if _INITIAL.search(project) else project,
        text.faults,
        told,
        breaks,
    )


def report_faults(written: Written, name: str, problems: Problems) -> None:
    """Add a finding for each entry of a file that cannot be read or stands there twice."""
    for fault in written.faults:
        place = Span(name, fault.line, 1, fault.line, 1)
        problems.warn("broken-catalogue", f"this entry is left out: {fault.text}", place)
    for fault in written.duplicates:
        place = Span(name, fault.line, 1, fault.line, 1)
        problems.warn("duplicate-entry", fault.text, place, hint="the first counts: keep one of them")


@frozen(eq=False)
class Duplicate:
    """An entry whose id and text another one before it has already."""

    entry: PoEntry
    first: PoEntry

    @property
    def is_harmless(self) -> bool:
        """True if both say the same, or the second says nothing."""
        return self.entry.msgstr == self.first.msgstr or not any(map(has_visible_character, self.entry.msgstr.values()))

    @property
    def title(self) -> str:
        name = self.entry.msgctxt or shorten(self.entry.msgid or "", 40, placeholder="…")
        says = "says the same as" if self.is_harmless else "says something else than"
        return f"`{name}` stands here a second time, and {says} in line {self.first.msgstr_line}"


def duplicates(text: PoText) -> list[Duplicate]:
    """The entries of a file that stand there more than once, obsolete ones left out."""
    first: dict[tuple[str | None, str | None], PoEntry] = {}
    found = []
    for entry in (entry for entry in text.entries if not entry.is_obsolete):
        before = first.setdefault((entry.msgctxt, entry.msgid), entry)
        if before is not entry:
            found.append(Duplicate(entry, before))
    return found


def parsed(text: str) -> Any:
    """The file as polib has it.

    Errors: `Broken` at the first entry that cannot be read, or whose id another one has with another translation.
    """
    found = parse_po(text)
    if found.faults:
        raise Broken(found.faults[0].text, found.faults[0].line)
    doubled = duplicates(found)
    harmful = next((double for double in doubled if not double.is_harmless), None)
    if harmful is not None:
        raise Broken(f"{harmful.title}: keep one of them", harmful.entry.line)
    repeated = {id(double.entry) for double in doubled}
    return _as_polib(found, repeated)


def parsed_leniently(text: str) -> tuple[Any, tuple[PoFault, ...]]:
    """A file that came back, as polib has it, duplicate entries included, and the faults of those left out.

    Errors: `Broken`, where there is no entry that can be read.
    """
    found = parse_po(text)
    if found.faults and not found.entries:
        raise Broken(found.faults[0].text, found.faults[0].line)
    return _as_polib(found, set()), found.faults


def _as_polib(text: PoText, repeated: set[int]) -> Any:
    po = blank()
    po.check_for_duplicates = False
    po.header = "" if text.header is None else "\n".join(text.header.remarks)
    po.metadata = _header_fields(text.header)
    po.metadata_is_fuzzy = [] if text.header is None else text.header.flags
    po.extend(_polib_entry(entry) for entry in text.entries if id(entry) not in repeated)
    return po


def _header_fields(header: PoEntry | None) -> dict[str, str]:
    """The fields of a header; a line without a name goes on with the field before it."""
    fields, name = dict[str, str](), ""
    for line in (header.msgstr.get(0, "") if header is not None else "").split("\n"):
        head, colon, value = line.partition(":")
        if colon:
            name, fields[head] = head, value.strip()
        elif name and line.strip():
            fields[name] += "\n" + line.strip()
    return fields


def _polib_entry(entry: PoEntry) -> Any:
    has_forms = entry.is_indexed or bool(entry.msgid_plural)
    return polib_module().POEntry(
        msgctxt=entry.msgctxt,
        msgid=entry.msgid,
        msgid_plural=entry.msgid_plural or "",
        msgstr="" if has_forms else entry.msgstr[0],
        msgstr_plural=dict(entry.msgstr) if has_forms else {},
        comment="\n".join(entry.notes),
        tcomment="\n".join(entry.remarks),
        occurrences=entry.occurrences,
        flags=list(dict.fromkeys(entry.flags)),
        previous_msgctxt=entry.previous.get("msgctxt"),
        previous_msgid=entry.previous.get("msgid"),
        previous_msgid_plural=entry.previous.get("msgid_plural"),
        obsolete=entry.is_obsolete,
        linenum=entry.line,
    )


def _translated(entry: PoEntry) -> Translated:
    said = (entry.msgstr.get(index, "") for index in range(max(entry.msgstr) + 1))
    forms = tuple(text if has_visible_character(text) else "" for text in said)
    id_, text, plural = entry.msgctxt or "", entry.msgid or "", entry.msgid_plural or ""
    return Translated(id_, text, plural, forms, "fuzzy" in entry.flags, entry.line, entry.msgstr_line)


# ---------------------------------------------------------------- what an entry carries


def behaviour_of(entry: Any) -> str:
    """The digest that an entry of a file carries, or ""."""
    found = _BEHAVIOUR.search(entry.comment) or _BEHAVIOUR.search(entry.tcomment)
    return found[1] if found else ""


def remarks_of(entry: Any) -> str:
    """What translators have written beside an entry."""
    return _BEHAVIOUR.sub("", entry.tcomment).strip("\n")


def retire(entry: Any) -> None:
    """Make an entry obsolete.

    The digest goes to the translators' comments: no tool keeps the others of an obsolete entry.
    """
    remarks, digest = remarks_of(entry), behaviour_of(entry)
    entry.tcomment = "\n".join(filter(None, (remarks, digest and f"behaviour: {digest}")))
    entry.obsolete = True
