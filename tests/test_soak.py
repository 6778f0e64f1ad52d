"""The short form of the long runs, and every text that once failed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.soak_texts import CORPUS, Chooser, batch, one


def test_mutated_texts_never_raise_and_are_quick() -> None:
    tally, failed, slowest = batch(("ci", 0, 250, False))
    assert not failed, failed[0]
    assert sum(tally.values()) == 250
    assert tally["findings"] > 100
    assert slowest < 2


def test_mutated_cases_never_raise_and_are_quick() -> None:
    tally, failed, slowest = batch(("ci", 0, 1500, True))
    assert not failed, failed[0]
    assert tally["findings"] > 500
    assert slowest < 2


def test_texts_that_once_failed() -> None:
    for path in sorted(CORPUS.glob("*.rules")) if CORPUS.is_dir() else []:
        one(path.read_text(encoding="utf-8"), Chooser("kept"))
