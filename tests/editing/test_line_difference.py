"""The lines in which two texts differ."""

from __future__ import annotations

from random import Random

import pytest

from rulekit.tools.structure import line_difference as module
from rulekit.tools.structure.line_difference import Side, line_difference

SIGNS = {Side.BOTH: " ", Side.OLD: "-", Side.NEW: "+", Side.GAP: "~"}


def drawn(old: str, new: str) -> list[str]:
    return [SIGNS[line.side] + line.text for line in line_difference(old, new)]


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("a b c", "a b c", []),
        ("a b c", "a x c", [" a", "-b", "+x", " c"]),
        ("a", "n a", ["+n", " a"]),
        ("a", "a n", [" a", "+n"]),
        ("a a a", "a a", [" a", " a", "-a"]),
        ("1 2 3 4 5", "1 2 3 4 x", ["~", " 3", " 4", "-5", "+x"]),
        ("1 2 3 4 5", "x 2 3 4 5", ["-1", "+x", " 2", " 3", "~"]),
        ("1 2 3 4 5 6", "x 2 3 4 5 y", ["-1", "+x", " 2", " 3", " 4", " 5", "-6", "+y"]),
        ("1 2 3 4 5 6 7", "x 2 3 4 5 6 y", ["-1", "+x", " 2", " 3", "~", " 5", " 6", "-7", "+y"]),
    ],
)
def test_changed_lines_stand_between_two_equal_ones_at_most(old: str, new: str, lines: list[str]) -> None:
    assert drawn(old.replace(" ", "\n"), new.replace(" ", "\n")) == lines


@pytest.mark.parametrize("most", [module.MAX_COMPARED, 3])
def test_both_texts_can_be_read_off_the_difference(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(module, "MAX_COMPARED", most)
    monkeypatch.setattr(module, "CONTEXT", 100)
    rng = Random(5)
    for _ in range(200):
        old, new = ("\n".join(rng.choices("abc", k=rng.randrange(1, 9))) for _ in range(2))
        lines = line_difference(old, new)
        if old == new:
            assert lines == []
            continue
        assert "\n".join(line.text for line in lines if line.side is not Side.NEW) == old
        assert "\n".join(line.text for line in lines if line.side is not Side.OLD) == new
