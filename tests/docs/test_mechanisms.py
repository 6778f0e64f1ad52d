"""The page of mechanisms: its share is that of its rows."""

from __future__ import annotations

import re

from tests.paths import ROOT


def test_the_share_that_the_page_tells_is_that_of_its_rows() -> None:
    page = (ROOT / "docs" / "mechanisms.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (yes|no) \| (.+) \|$", page, re.MULTILINE)
    said = sum(answer == "yes" for _, answer, _ in rows)
    assert f"**{said} of {len(rows)} can be said ({100 * said / len(rows):.0f} %).**" in page
    assert len({name for name, _, _ in rows}) == len(rows) > 150
