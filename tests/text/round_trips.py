"""Catalogues on their way through the formats of other tools, by translate-toolkit as its programs do it."""

from __future__ import annotations

import csv
import io
import logging
from collections.abc import Callable, Mapping

from translate.convert.csv2po import convertcsv as csv_to_po
from translate.convert.po2csv import convertcsv as po_to_csv
from translate.convert.po2xliff import convertpo as po_to_xliff
from translate.convert.xliff2po import convertxliff as xliff_to_po
from translate.storage.poxliff import PoXliffFile


def through_xliff(po: str, said: Mapping[str, str]) -> str:
    """A PO as `po2xliff` and `xliff2po` give it back, after somebody has translated the texts of `said`."""
    sent, back = io.BytesIO(), io.BytesIO()
    po_to_xliff(_file(po), sent, None)
    store = PoXliffFile.parsestring(sent.getvalue())
    for unit in store.units:
        if str(unit.source) in said and not unit.hasplural():
            unit.target = said[str(unit.source)]
            unit.markfuzzy(False)
    _quietly(lambda: xliff_to_po(io.BytesIO(bytes(store)), back, None))
    return back.getvalue().decode()


def through_csv(po: str, said: Mapping[str, str]) -> str:
    """A PO as `po2csv` and `csv2po` give it back, after somebody has translated the texts of `said`."""
    sent, edited, back = io.BytesIO(), io.StringIO(), io.BytesIO()
    po_to_csv(_file(po), sent, None)
    rows = list(csv.reader(io.StringIO(sent.getvalue().decode("utf-8-sig"))))
    for row in rows[1:]:
        row[2] = said.get(row[1], row[2])
    csv.writer(edited, quoting=csv.QUOTE_ALL).writerows(rows)
    _quietly(lambda: csv_to_po(_file(edited.getvalue()), back, None))
    return back.getvalue().decode()


def _file(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def _quietly(convert: Callable[[], object]) -> None:
    """Without what the tool tells of texts with the same words on one line, of which it keeps one."""
    logging.disable(logging.WARNING)
    try:
        convert()
    finally:
        logging.disable(logging.NOTSET)
