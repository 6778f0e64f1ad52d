"""Catalogues in other forms, by the ending of a file: written for translators, and read when they come back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from rulekit import library
from rulekit.source import Source
from rulekit.tools.interchange import unit_table, xliff
from rulekit.tools.interchange.units import Sent, returned, sent
from rulekit.tools.language.catalogue_return import BackFile, back_catalogue
from rulekit.tools.language.po_files import Broken
from rulekit.values import evolve, frozen


@frozen
class Form:
    """One form of a catalogue.

    write:  units and the name of the catalogue to a file; None for forms of which only files that come back are read.
    read:   a file to units.  Errors: `Broken`, `NoPackage`, `Unreadable`.
    """

    write: Callable[[Sent, str], bytes] | None
    read: Callable[[str], Sent]


def _xliff_bytes(told: Sent, name: str) -> bytes:
    return xliff.xliff(told, name).encode()


def _read_xliff(path: str) -> Sent:
    return xliff.read_xliff(library.read_xml(path))


def _table_bytes(told: Sent, name: str) -> bytes:
    return unit_table.table(told)


def _read_table(path: str) -> Sent:
    return unit_table.read_table(library.read_document(path))


_XLIFF, _TABLE = Form(_xliff_bytes, _read_xliff), Form(_table_bytes, _read_table)
_OTHER_XLIFF = Form(None, _read_xliff)
_FORMS = {
    ".xlf": _XLIFF,
    ".xliff": _XLIFF,
    ".xlsx": _TABLE,
    ".mqxliff": _OTHER_XLIFF,
    ".mxliff": _OTHER_XLIFF,
    ".sdlxliff": _OTHER_XLIFF,
}
_UNREAD = frozenset({".csv", ".tsv", ".xls", ".ods", ".tmx", ".mo", ".docx", ".odt", ".pdf", ".json", ".html", ".zip"})
"""Endings of files that translators' programs write beside those that are read here."""
FORMS = tuple(ending for ending, form in _FORMS.items() if form.write is not None)


def written(catalogue: Source, ending: str) -> tuple[bytes, int]:
    """A PO file in the form of an ending, and how many texts it holds.  Errors: `Broken`, `NoPackage`."""
    told, write = sent(catalogue), _FORMS[ending].write
    assert write is not None, ending
    texts = sum(not unit.form for unit in told.units)
    return write(told, PurePath(catalogue.name).name), texts


def read_back_file(path: str, kept: Source) -> BackFile:
    """Read a file that came back: a PO, or one of the other forms of a catalogue, by its ending.

    Errors: `Broken`, `NoPackage`, `Unreadable`.
    """
    ending = PurePath(path).suffix.lower()
    form = _FORMS.get(ending)
    if ending in _UNREAD:
        raise Broken(f"a file that ends in {ending} is none of a translation: save it as PO, XLIFF 1.2 or XLSX", 1)
    if form is None:
        return back_catalogue(library.read_catalogue(path))
    told = form.read(path)
    return evolve(returned(told.units, kept, told.language), project=told.title)
