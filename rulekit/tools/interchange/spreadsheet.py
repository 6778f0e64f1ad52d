"""Tables as XLSX and CSV, in which no text is ever taken for a formula; the only module that knows openpyxl."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from rulekit import limits
from rulekit.distribution import install_hint
from rulekit.library import ABSENT, NoPackage
from rulekit.tools.language.po_files import Broken
from rulekit.values import frozen

Row = tuple[str, ...]
_WIDEST = 60
"""How wide a column is at most, in letters; longer texts go on below."""
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
"""How a workbook writes a character that XML cannot hold; the underscore is one of them where this follows."""
_NOT_TEXTS = {"e": "an error of a formula", "d": "a date", "b": "a logical value"}
"""What a program makes of a text that is typed into a cell, by the type of the cell."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@frozen
class Choice:
    """A column in which one of some words stands."""

    column: int
    words: tuple[str, ...]


@frozen
class SheetTexts:
    """The cells of a sheet as texts.

    not_texts:  by row and column, both from 0, what a cell holds in place of a text or a number.
    """

    rows: tuple[Row, ...]
    not_texts: Mapping[tuple[int, int], str]


def xlsx(title: str, head: Row, rows: Sequence[Row], choice: Choice | None = None) -> bytes:
    """A workbook with one sheet: the head stays in sight, texts are wrapped.  Errors: `NoPackage`."""
    openpyxl = _package()
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title[:31]
    for number, row in enumerate((head, *rows), 1):
        for column, text in enumerate(row, 1):
            _put(sheet.cell(number, column), text)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    _set_widths(sheet, (head, *rows))
    if choice is not None:
        _restrict(sheet, choice, len(rows) + 1)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def _package() -> Any:
    try:
        import openpyxl
    except ABSENT:
        raise NoPackage(f"a spreadsheet needs one more package: {install_hint('office', 'openpyxl')}") from None
    return openpyxl


def _put(cell: Any, text: str) -> None:
    """A text as text: neither now nor when somebody edits it is it a formula or a number."""
    from openpyxl.styles import Alignment, Font

    cell.value = _escaped(text)
    cell.data_type = "s"
    cell.quotePrefix = True
    cell.number_format = "@"
    cell.alignment = Alignment(wrap_text=True, vertical="top")
    if cell.row == 1:
        cell.font = Font(bold=True)


def _set_widths(sheet: Any, rows: Sequence[Row]) -> None:
    from openpyxl.utils import get_column_letter

    for column, texts in enumerate(zip(*rows, strict=True), 1):
        longest = max(len(line) for text in texts for line in (text.split("\n") or [""]))
        sheet.column_dimensions[get_column_letter(column)].width = min(longest + 2, _WIDEST)


def _restrict(sheet: Any, choice: Choice, last: int) -> None:
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    letter = get_column_letter(choice.column)
    listed = DataValidation(type="list", formula1=f'"{",".join(choice.words)}"', allow_blank=True)
    listed.add(f"{letter}2:{letter}{last}")
    sheet.add_data_validation(listed)


def read_xlsx(data: bytes) -> SheetTexts:
    """The first sheet, the head first.  Errors: `Broken`, `NoPackage`."""
    openpyxl = _package()
    _check_archive(data)
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
        sheet = book.worksheets[0]
        if sheet.max_row * sheet.max_column > limits.TABLE_CELLS:
            raise Broken(f"a sheet of more than {limits.TABLE_CELLS} cells", 1)
        cells = [list(row) for row in sheet.iter_rows()]
        not_texts = {
            (line, column): _NOT_TEXTS[cell.data_type]
            for line, row in enumerate(cells)
            for column, cell in enumerate(row)
            if cell.data_type in _NOT_TEXTS
        }
        return SheetTexts(tuple(tuple(_text(cell.value) for cell in row) for row in cells), not_texts)
    except Broken:
        raise
    except Exception as fault:
        # It raises whatever it stumbles over; the file is a stranger's.
        raise Broken(f"this is no workbook that can be read: {fault}", 1) from None


def _check_archive(data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(part.file_size for part in archive.infolist())
    except (zipfile.BadZipFile, OSError):
        raise Broken("this is no workbook: save it as .xlsx, without a password", 1) from None
    if size > limits.DOCUMENT_EXPANDED_BYTES:
        raise Broken(f"unpacked it is larger than {limits.DOCUMENT_EXPANDED_BYTES // 1024 // 1024} MiB", 1)


def _text(value: object) -> str:
    return "" if value is None else _ESCAPED.sub(lambda found: chr(int(found[1], 16)), str(value))


def _escaped(text: str) -> str:
    """A text in which nothing looks like a character that a workbook writes as a code."""
    return _ESCAPED.sub(r"_x005F_x\1_", text)


def csv_table(head: Row, rows: Sequence[Row]) -> str:
    """A table as CSV with a mark that it is UTF-8, as spreadsheets want it.

    What looks like a formula has an apostrophe before it, as spreadsheets themselves show text that is none.
    """
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\r\n")
    writer.writerows([tuple(_harmless(text) for text in row) for row in (head, *rows)])
    return "\ufeff" + made.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
