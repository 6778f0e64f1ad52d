"""Entries as gettext files and back; the only module that knows polib.

What is ours in a PO file: `msgctxt` is the id, `#.` lines say what the
engine does, and the last of them holds a digest of the rules behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rulekit.tools.catalogue import Entry

if TYPE_CHECKING:
    import polib

_HOLDS = re.compile(r"\{\w+\}")
_WIDTH = 100


class NoPolib(Exception):
    """The package that reads and writes PO files is not installed; the text says how to."""


def polib_module() -> Any:
    try:
        import polib
    except ImportError:
        raise NoPolib("catalogues need one more package: python -m pip install 'rulekit[text]'") from None
    return polib


# ---------------------------------------------------------------- a template


def template(entries: Iterable[Entry], title: str) -> str:
    """The text of a POT file."""
    pot = polib_module().POFile(wrapwidth=_WIDTH, check_for_duplicates=True)
    pot.metadata = _header(title, "", "nplurals=INTEGER; plural=EXPRESSION;")
    pot.extend(_po_entry(entry) for entry in entries)
    return f"{pot}"


def _header(title: str, language: str, plurals: str) -> dict[str, str]:
    """Fields that Poedit, Weblate `msgfmt --check-header` want; no date of today."""
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


def _po_entry(entry: Entry) -> polib.POEntry:
    notes = [*entry.notes, *([f"behaviour: {entry.behaviour}"] if entry.behaviour else [])]
    more: dict[str, Any] = {"msgid_plural": entry.plural, "msgstr_plural": {0: "", 1: ""}} if entry.plural else {}
    return polib_module().POEntry(
        msgctxt=entry.id,
        msgid=entry.text,
        comment="\n".join(notes),
        occurrences=[(_file(span.source), str(span.line)) for span in entry.spans if span.line],
        flags=["python-brace-format"] if _HOLDS.search(entry.text + entry.plural) else [],
        **more,
    )


def _file(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]
