"""A catalogue as a table, a row for each text, and back: for translators who work in a spreadsheet."""

from __future__ import annotations

from rulekit.tools.interchange.spreadsheet import Choice, Row, read_xlsx, xlsx
from rulekit.tools.interchange.units import STATES, Sent, Unit, named
from rulekit.tools.language.po_files import Broken

HEAD = ("id", "note", "source", "translation", "state", "remark")


def table(told: Sent) -> bytes:
    """A workbook of all units.  Errors: `NoPackage`."""
    rows = [(unit.name, unit.note, unit.source, unit.target, unit.state, unit.remark) for unit in told.units]
    return xlsx(told.title, HEAD, rows, Choice(HEAD.index("state") + 1, STATES))


def units_of(data: bytes) -> tuple[Unit, ...]:
    """The units of a workbook that came back; columns may have moved, and others may have come.  Errors: `Broken`."""
    rows = read_xlsx(data)
    head = [text.strip().lower() for text in rows[0]] if rows else []
    missing = [name for name in HEAD if name not in head and name not in ("note", "remark")]
    if missing:
        raise Broken(f"the first row names no column {', '.join(missing)}", 1)
    places = {name: head.index(name) for name in HEAD if name in head}
    return tuple(_unit(row, places, line) for line, row in enumerate(rows[1:], 2) if any(row))


def _unit(row: Row, places: dict[str, int], line: int) -> Unit:
    says = {name: row[place] for name, place in places.items()}
    if (state := says["state"].strip()) and state not in STATES:
        raise Broken(f"there is no state `{state}`; there are {', '.join(STATES)}", line)
    id_, form = named(says["id"])
    return Unit(id_, says["source"], says["translation"], state, says.get("note", ""), says.get("remark", ""), form)
