"""The lines in which two texts differ, with a few equal lines around them, as a page shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import Enum
from itertools import takewhile

from rulekit.values import frozen

CONTEXT = 2
"""Equal lines that are shown above and below a difference."""
MAX_COMPARED = 4000
"""Lines of either text between the first and the last difference; more are shown as replaced in one block."""

Hunk = tuple[int, int, int, int]
"""Changed lines: start and end in the old text, start and end in the new one."""


class Side(Enum):
    """Which text has a line.  GAP: lines that both have are left out here."""

    BOTH = "both"
    OLD = "old"
    NEW = "new"
    GAP = "gap"


@frozen
class DiffLine:
    """One line of a difference, without its line break."""

    side: Side
    text: str


def line_difference(old: str, new: str) -> list[DiffLine]:
    """Lines to remove from the old text and to add for the new one; [] if the texts are equal."""
    before, after = old.split("\n"), new.split("\n")
    if before == after:
        return []
    return list(_lines(before, after, changed_hunks(before, after)))


def changed_hunks(before: Sequence[str], after: Sequence[str]) -> list[Hunk]:
    """Return the changed lines of two texts, in order."""
    same = _equal_count(before, after)
    shortest = min(len(before), len(after)) - same
    same_at_end = min(_equal_count(before[::-1], after[::-1]), shortest)
    return _hunks(before, after, same, same_at_end)


def _equal_count(first: Sequence[str], second: Sequence[str]) -> int:
    """How many lines are equal from the beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _hunks(before: Sequence[str], after: Sequence[str], same: int, same_at_end: int) -> list[Hunk]:
    removed, added = before[same : len(before) - same_at_end], after[same : len(after) - same_at_end]
    if max(len(removed), len(added)) > MAX_COMPARED:
        return [(same, same + len(removed), same, same + len(added))]
    codes = SequenceMatcher(None, removed, added).get_opcodes()
    return [(same + a, same + b, same + c, same + d) for tag, a, b, c, d in codes if tag != "equal"]


def _lines(before: Sequence[str], after: Sequence[str], hunks: Sequence[Hunk]) -> Iterator[DiffLine]:
    shown = 0
    for index, (start, end, new_start, new_end) in enumerate(hunks):
        first = max(shown, start - CONTEXT)
        if first > shown:
            yield DiffLine(Side.GAP, "")
        yield from (DiffLine(Side.BOTH, text) for text in before[first:start])
        yield from (DiffLine(Side.OLD, text) for text in before[start:end])
        yield from (DiffLine(Side.NEW, text) for text in after[new_start:new_end])
        following = hunks[index + 1][0] if index + 1 < len(hunks) else len(before)
        shown = min(end + CONTEXT, following)
        yield from (DiffLine(Side.BOTH, text) for text in before[end:shown])
    if shown < len(before):
        yield DiffLine(Side.GAP, "")
