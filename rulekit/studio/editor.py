"""The editor of the page: Ace, as a package of the index brings it, and the words of the language that it colours."""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from rulekit.syntax.parse_tables import tables

PACKAGE = "django_ace"
"""Brings a current Ace as plain files; nothing of it is imported."""


def editor_folder() -> str:
    """Where the files of the editor lie.  Errors: `ModuleNotFoundError` if its package is not installed."""
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"No module named {PACKAGE!r}", name=PACKAGE)
    return str(Path(found.origin).parent / "static" / "django_ace" / "ace")


@cache
def words() -> tuple[str, ...]:
    """The words of the grammar."""
    return tuple(sorted(word for word in tables().words if re.fullmatch(r"[a-z]+", word)))
