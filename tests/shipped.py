"""Rules that ship, loaded once in a process of tests.

Most tests of commands begin with a game that ships, and loading it takes longer than all that they are about.  What is
loaded never changes; that a text is loaded as it should be is held by the tests of syntax, model and games.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulekit import loading
from rulekit.model.declare.contents import Known
from rulekit.source import Source
from rulekit.syntax.parse import Blocks
from tests.paths import EXAMPLES, GAMES

ROOMS = frozenset(
    (
        "api", "audit", "bots", "cli", "docs", "documents", "drawing", "editors", "export", "hosting", "interchange",
        "review", "secrecy", "series", "studio", "terminal", "text", "web",
    )
)  # fmt: skip
"""Folders of tests that are about what is done with a game."""
LOADS_ANEW = frozenset(("test_without_webassembly", "test_change_table"))
"""Of these, tests that change what loads or runs a game."""
_really_loaded = loading._loaded


@cache
def _once(source: Source, folder: Path, advised: bool, examples: bool) -> loading.Loaded:
    return _really_loaded(source, advised=advised, known=None if examples else Known(Blocks(examples=False)))


def _loaded(source: Source, *, known: Known | None = None, advised: bool, **more: Any) -> loading.Loaded:
    folder = Path(source.name).absolute().parent
    if folder not in (GAMES, EXAMPLES) or (known is not None and known.blocks.examples) or more:
        return _really_loaded(source, advised=advised, known=known, **more)
    return _once(source, folder, advised, known is None)


def load_once(patch: pytest.MonkeyPatch) -> None:
    """Commands that are called in this process take what ships as it was loaded before."""
    patch.setattr(loading, "_loaded", _loaded)
