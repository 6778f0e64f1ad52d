"""The page of mechanisms: its share is that of its rows."""

from __future__ import annotations

import re

from rulekit.model.builtin_signatures import sides
from tests.paths import ROOT


def test_the_share_that_the_page_tells_is_that_of_its_rows() -> None:
    page = (ROOT / "docs" / "mechanisms.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (yes|no) \| (.+) \|$", page, re.MULTILINE)
    said = sum(answer == "yes" for _, answer, _ in rows)
    assert f"**{said} of {len(rows)} can be said ({100 * said / len(rows):.0f} %).**" in page
    assert len({name for name, _, _ in rows}) == len(rows) > 150


Cell = tuple[int, int]


def _beside(cell: Cell, steps: int = 1) -> list[Cell]:
    return [(cell[0] + steps * column, cell[1] + steps * row) for column, row in sides(hexagonal=True)]


def _is_hexagon(cell: Cell) -> bool:
    return (cell[0] - cell[1]) % 3 == 0


def test_hexagons_have_edges_and_corners_where_the_page_says() -> None:
    cells = [(column, row) for column in range(6) for row in range(6)]
    for cell in cells:
        fine = (2 * cell[0], 2 * cell[1])
        assert all(column % 2 or row % 2 for column, row in _beside(fine))
        corners = [one for one in _beside(cell) if not _is_hexagon(one)]
        assert len(corners) == (6 if _is_hexagon(cell) else 3)
    edges = [one for one in cells if one[0] % 2 or one[1] % 2]
    assert all(sum(not (column % 2 or row % 2) for column, row in _beside(edge)) == 2 for edge in edges)
