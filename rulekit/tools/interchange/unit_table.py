"""A catalogue as a table, a row for each text, and back: for translators who work in a spreadsheet."""

from __future__ import annotations

import re

from rulekit.tools.gettext_files.languages import canonical_code
from rulekit.tools.interchange.spreadsheet import Choice, Row, read_xlsx, xlsx
from rulekit.tools.interchange.units import STATES, Sent, Unit, named
from rulekit.tools.language.po_files import Broken

HEAD = ("id", "note", "source", "translation", "state", "remark")


_TRANSLATION = re.compile(r"translation\s*(\(?\[?\s*(?P<language>[\w@-]+)\s*\]?\)?)?")


def table(told: Sent) -> bytes:
    """A workbook of all units; the head of the translations names their language.  Errors: `NoPackage`."""
    rows = [(unit.name, unit.note, unit.source, unit.target, unit.state, unit.remark) for unit in told.units]
    language = f"translation ({told.language})" if told.language else "translation"
    head = tuple(language if name == "translation" else name for name in HEAD)
    return xlsx(told.title, head, rows, Choice(HEAD.index("state") + 1, STATES))


def read_table(data: bytes) -> Sent:
    """The units of a workbook that came back, and its language.

    Columns may have moved, and others may have come.  Errors: `Broken`, with the row.
    """
    sheet = read_xlsx(data)
    rows = sheet.rows
    head = [text.strip().lower() for text in rows[0]] if rows else []
    translation = next(filter(None, map(_TRANSLATION.fullmatch, head)), None)
    language = translation["language"] if translation and translation["language"] else ""
    head = ["translation" if translation and name == translation[0] else name for name in head]
    missing = [name for name in HEAD if name not in head and name not in ("note", "remark")]
    if missing:
        raise Broken(f"the first row names no column {', '.join(missing)}", 1)
    places = {name: head.index(name) for name in HEAD if name in head}
    column = places["translation"]
    units = tuple(
        _unit(row, places, line, sheet.not_texts.get((line - 1, column), ""))
        for line, row in enumerate(rows[1:], 2)
        if any(row)
    )
    return Sent(units, canonical_code(language), "")


def _unit(row: Row, places: dict[str, int], line: int, not_text: str) -> Unit:
    says = {name: row[place] for name, place in places.items()}
    if (state := says["state"].strip().lower()) and state not in STATES:
        raise Broken(f"there is no state `{state}`; there are {', '.join(STATES)}", line)
    id_, form = named(says["id"].strip())
    fault = f"row {line} holds {not_text}, not a text" if not_text else ""
    return Unit(
        id_, says["source"], says["translation"], state, says.get("note", ""), says.get("remark", ""), form, fault
    )
