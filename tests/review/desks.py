"""Desks for tests: the small book with its files in a folder of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

from rulekit.review.desk import Desk, Papers
from tests.paths import BOOKS, EXAMPLES


def papers(folder: Path) -> Papers:
    """Copies that may be changed, with one finding open: that of the small book, which nobody has accepted here."""
    rules = shutil.copy(EXAMPLES / "goat_path.rules", folder)
    book = shutil.copy(BOOKS / "goat_path.it.md", folder)
    anchors = shutil.copy(BOOKS / "goat_path.it.anchors", folder)
    return Papers(str(rules), str(book), str(anchors), str(anchors).removesuffix("anchors") + "accepted")


def desk(folder: Path) -> Desk:
    return Desk(papers(folder))
