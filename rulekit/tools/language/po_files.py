"""Message catalogues as PO and POT files of gettext, written and read; the only module that knows polib.

What is ours in a PO file: `msgctxt` is the id, the extracted comments (`#.`)
say what the engine does, and the last of them holds a digest of the rules behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rulekit.distribution import install_hint
from rulekit.errors import BadInput
from rulekit.library import ABSENT, NoPackage
from rulekit.source import Source
from rulekit.tools.language.message_extraction import Entry
from rulekit.tools.language.plural_forms import LINES
from rulekit.values import frozen

if TYPE_CHECKING:
    import polib

_BEHAVIOUR = re.compile(r"^behaviour: ([0-9a-f]+)$", re.MULTILINE)
_LINE = re.compile(r'#.*|((msgctxt|msgid|msgid_plural|msgstr(\[\d\])?)\s*)?"([^"\\]|\\.)*"')
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
    fields = header(title, spoken, LINES.get(spoken.partition("_")[0], LINES[""]))
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
    """One entry of a PO file.  forms: the translation, or one for each plural form; "" where there is none."""

    id: str
    text: str
    plural: str
    forms: tuple[str, ...]
    fuzzy: bool
    line: int


@frozen
class Written:
    """What a PO file holds.  plurals: the `Plural-Forms` line of its header."""

    entries: tuple[Translated, ...]
    plurals: str


def read_po(source: Source) -> Written:
    """The entries of a PO file in their order, obsolete ones left out; raises `Broken`."""
    po = parsed(source.text)
    entries = tuple(_translated(entry) for entry in po if not entry.obsolete)
    return Written(entries, po.metadata.get("Plural-Forms", ""))


def parsed(text: str) -> Any:
    """The file as polib has it; raises `Broken`."""
    _check_lines(text)
    # The blank line at the end keeps polib from taking a short text for the name of a file.
    try:
        return polib_module().pofile(text + "\n\n", wrapwidth=_WIDTH)
    except NoPackage:
        raise
    except Exception as fault:
        # It raises whatever it stumbles over; the text is a stranger's.
        found = re.search(r"\(line (\d+)\)", str(fault))
        reason = re.sub(r"^.*\(line \d+\):?\s*", "", str(fault), flags=re.DOTALL)
        raise Broken(reason or "it cannot be read", int(found[1]) if found else 1) from None


def _check_lines(text: str) -> None:
    """Every line is blank, a comment, or a keyword with a quoted text: polib cuts off what it takes for quotes."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not _LINE.fullmatch(line.strip()):
            raise Broken("this line is neither a comment nor a quoted text", number)


def _translated(entry: Any) -> Translated:
    forms = tuple(entry.msgstr_plural[place] for place in sorted(entry.msgstr_plural)) or (entry.msgstr,)
    return Translated(entry.msgctxt or "", entry.msgid, entry.msgid_plural or "", forms, entry.fuzzy, entry.linenum)


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
