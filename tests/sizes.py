"""How much of a long table is looked at: some of it, or all where RULEKIT_LONG is set, as in `make long`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")
_SLOW = frozenset(["shear_panic"])
IS_LONG = bool(os.environ.get("RULEKIT_LONG"))
LONG_TESTS = frozenset(Path(__file__).with_name("long_tests.txt").read_text("utf-8").splitlines())
"""Tests that run in `make long` but not in the README's command: of many like one another those that cost most."""


def some(items: Sequence[T], part: int) -> Sequence[T]:
    """Every so many-th of the items, from the first; all in a long run."""
    return items if IS_LONG else items[::part]


def quick(paths: Sequence[Path]) -> list[Path]:
    """Rules files without those whose matches cost many times what others do; all in a long run."""
    return [path for path in paths if IS_LONG or path.stem not in _SLOW]


def some_of_each(first: Sequence[T], second: Sequence[U]) -> list[tuple[T, U]]:
    """Pairs in which everything occurs: each of the first with one of the second, in turn; all pairs in a long run."""
    if IS_LONG:
        return [(one, other) for one in first for other in second]
    return [(one, second[number % len(second)]) for number, one in enumerate(first)]
