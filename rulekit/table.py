"""Rows with named columns: what a study came to, for programs, notebooks and data frames.

pyarrow is asked for where a table is handed over as Arrow, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulekit.diagnostics import nearest
from rulekit.library import ABSENT
from rulekit.values import field, frozen

_SHOWN = 50
"""So many rows are shown in a notebook; the rest is counted."""


def _as_names(columns: Iterable[str]) -> tuple[str, ...]:
    return tuple(columns)


def _as_rows(rows: Iterable[Sequence[Any]]) -> tuple[tuple[Any, ...], ...]:
    return tuple([tuple(row) for row in rows])


@frozen
class Table:
    """Rows of plain values: numbers, texts, yes and no, and None where there is none.

    columns:  their names, each once.
    rows:     each with a value for every column.
    """

    columns: tuple[str, ...] = field(converter=_as_names)
    rows: tuple[tuple[Any, ...], ...] = field(converter=_as_rows, repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Each row as a mapping from columns."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def __getitem__(self, column: str) -> tuple[Any, ...]:
        """The values of a column; `KeyError` with the nearest name."""
        if column not in self.columns:
            near = nearest(str(column), self.columns) or f"the columns are {', '.join(self.columns)}"
            raise KeyError(f"there is no column `{column}`; {near}")
        at = self.columns.index(column)
        return tuple([row[at] for row in self.rows])

    def arrow(self) -> Any:
        """The table in Arrow, for pandas, Polars or DuckDB.  Errors: `ImportError` where pyarrow is missing."""
        try:
            import pyarrow
        except ABSENT as fault:
            raise ImportError("an Arrow table needs the package pyarrow: pip install pyarrow") from fault
        return pyarrow.table({column: list(self[column]) for column in self.columns})

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The PyCapsule interface of Arrow: `polars.DataFrame(table)`, `pandas.DataFrame.from_arrow(table)`."""
        return self.arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self, most: int = _SHOWN) -> str:
        """As a notebook shows it."""
        from html import escape

        heads = "".join(f"<th>{escape(column)}</th>" for column in self.columns)
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in self.rows[:most])
        more = len(self.rows) - most
        rest = f"<p>… and {more} more rows</p>" if more > 0 else ""
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{rest}"


def _cell(value: Any) -> str:
    from html import escape

    if value is None:
        return "<td></td>"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"<td>{escape(str(value))}</td>"
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return f'<td style="text-align: right">{text}</td>'
