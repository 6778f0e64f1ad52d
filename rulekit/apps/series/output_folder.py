"""The output folder of a long run: always a new one; what was written in it stays whole (CSV, JSON, Parquet)."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from rulekit import library
from rulekit.apps.console import Failed
from rulekit.distribution import install_hint
from rulekit.library import ABSENT
from rulekit.values import define, field

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a formula begins with, or has before it."""
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?%?")


def new_folder(out: str) -> Path:
    """Make the folder.  Errors: `Failed` where there is one already, or none can be made."""
    folder = Path(out)
    try:
        folder.mkdir()
    except FileExistsError:
        raise Failed(f"error: {out} exists already; nothing in it was changed") from None
    except (OSError, ValueError) as fault:
        raise Failed(f"error: {out}: {error_text(fault)}") from None
    return folder


def error_text(fault: Exception) -> str:
    """What the system says of an error, without numbers and paths."""
    number = getattr(fault, "errno", None)
    return os.strerror(number).lower() if number else str(fault)


def _as_text(cell: Any) -> Any:
    """A cell as a spreadsheet shall show it: a text that it would carry out as a formula begins with an apostrophe."""
    is_formula = isinstance(cell, str) and cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


@define(eq=False)
class CsvTable:
    """A CSV table that grows by whole rows; after a fault it ends with the last rows that were written whole."""

    path: Path
    _file: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        # Unbuffered: what the disk does not take is known at once.
        self._file = self.path.open("xb", buffering=0)

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Errors: `OSError`; then none of these rows is in the file."""
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(map(_as_text, row) for row in rows)
        content, end = memoryview(text.getvalue().encode()), self._file.tell()
        try:
            while content:
                content = content[self._file.write(content) :]
        except OSError:
            self._file.truncate(end)
            raise

    def close(self) -> None:
        self._file.close()


def write_table(path: Path, heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with closing(CsvTable(path)) as table:
        table.add([heading, *rows])


def parquet_writer() -> Callable[[Path], None]:
    """Writes a table of comma-separated values again, as Parquet beside it."""
    try:
        from pyarrow import csv as reader
        from pyarrow import parquet
    except ABSENT:
        raise Failed(f"error: --parquet needs the package pyarrow: {install_hint('parquet')}") from None

    def write(table: Path) -> None:
        parquet.write_table(reader.read_csv(table), table.with_suffix(".parquet"))

    return write


def write_json(path: Path, value: Any) -> None:
    library.write_whole(path, json.dumps(value, indent=2) + "\n")
