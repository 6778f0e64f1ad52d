"""Catalogues in other forms, by the ending of a file: written for translators, and read when they come back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from rulekit import library
from rulekit.source import Source
from rulekit.tools.interchange import unit_table, xliff
from rulekit.tools.interchange.units import Sent, Unit, returned, sent
from rulekit.values import frozen


@frozen
class Form:
    """One form of a catalogue.  name: of the catalogue that is written; Errors: `Broken`, `NoPackage`."""

    write: Callable[[Sent, str], bytes]
    read: Callable[[str], tuple[Unit, ...]]


def _xliff_bytes(told: Sent, name: str) -> bytes:
    return xliff.xliff(told, name).encode()


def _xliff_units(path: str) -> tuple[Unit, ...]:
    return xliff.units_of(library.read_catalogue(path))


def _table_bytes(told: Sent, name: str) -> bytes:
    return unit_table.table(told)


def _table_units(path: str) -> tuple[Unit, ...]:
    return unit_table.units_of(library.read_document(path))


_XLIFF = Form(_xliff_bytes, _xliff_units)
_FORMS = {".xlf": _XLIFF, ".xliff": _XLIFF, ".xlsx": Form(_table_bytes, _table_units)}
FORMS = tuple(_FORMS)


def written(catalogue: Source, ending: str) -> tuple[bytes, int]:
    """A PO file in the form of an ending, and how many texts it holds.  Errors: `Broken`, `NoPackage`."""
    told = sent(catalogue)
    texts = sum(not unit.form for unit in told.units)
    return _FORMS[ending].write(told, PurePath(catalogue.name).name), texts


def came_back(path: str, kept: Source) -> Source | None:
    """A file that came back, as a catalogue; None where its ending is none of `FORMS`.  Errors: `Broken`,
    `NoPackage`, `Unreadable`."""
    form = _FORMS.get(PurePath(path).suffix.lower())
    return None if form is None else returned(form.read(path), kept)
