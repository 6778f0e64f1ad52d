"""Which printed things an edit of the rules has changed, by the names under which a series counts them."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from rulekit.model.game import Game, Member

FEW = 400
"""So many lines that differ are compared one by one; of more each counts as changed."""


def changed_things(before: Game, now: Game) -> frozenset[str]:
    """Names of cards and other printed things whose lines differ: as answers, and as what they do."""
    changed = changed_lines(before.sources[0][1].split("\n"), now.sources[0][1].split("\n"))
    if not changed:
        return frozenset()
    members = [member for kind in now.kinds.values() for member in kind.members]
    return frozenset(name for one in members if changed & _lines(one, now) for name in _names(one, now))


def changed_lines(before: list[str], now: list[str]) -> set[int]:
    """Lines of `now`, from 1, that do not stand in `before`."""
    first, last = 0, 0
    while first < min(len(before), len(now)) and before[first] == now[first]:
        first += 1
    while last < min(len(before), len(now)) - first and before[-1 - last] == now[-1 - last]:
        last += 1
    old, new = before[first : len(before) - last], now[first : len(now) - last]
    if max(len(old), len(new)) > FEW:
        return set(range(first + 1, first + 1 + len(new)))
    moves = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return {first + 1 + place for tag, _, _, begin, end in moves if tag != "equal" for place in range(begin, end)}


def _lines(of: Member, game: Game) -> set[int]:
    file = game.sources[0][0]
    spans = [of.span, *(op.span for op in (game.codes[of.code].ops if of.code is not None else ()))]
    return {line for span in spans if span.source == file for line in range(span.line, span.end_line + 1)}


def _names(of: Member, game: Game) -> Iterator[str]:
    yield of.key if of.title in ("", of.key) else f"{of.key} {of.title}"
    if of.code is not None:
        yield game.codes[of.code].name
