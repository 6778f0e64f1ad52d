"""Of the positions of a worked example what it is about: what it gives, and what changes in it.

Boards, columns and far parts of a course that stay as every match begins are
left out, so that a reader looks where something happens.  Changes no match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulekit.play.state.value import Value
from rulekit.tools.drawing.picture import Board, Figure, Mark, Owned, Picture, Pile, Spot, Token
from rulekit.values import evolve

_AROUND = 2
"""Spaces of a course that are printed before and behind those on which something happens."""
_Held = Mapping[Value, tuple[tuple[Token, ...], tuple[Mark, ...]]]


def focused(
    first: Picture, before: Picture, after: Picture, is_unsaid: Callable[[str], bool]
) -> tuple[Picture, Picture]:
    """Both positions without what says nothing; whole if all of it would go.

    first:      the position before the example gives anything.
    is_unsaid:  by its path whether nobody at a table speaks of a value; of things' values those are left out.
    """
    first, before, after = (_spoken_of(picture, is_unsaid) for picture in (first, before, after))
    boards = {
        board.name: _places(*(_held(each, board.name) for each in (first, before, after))) for board in before.boards
    }
    told = _told(first, before) | _told(before, after)
    if not any(boards.values()) and not told:
        return before, after
    near, far = (_cut(picture, boards, told) for picture in _used(before, after))
    return near, far


def _spoken_of(picture: Picture, is_unsaid: Callable[[str], bool]) -> Picture:
    owners = (
        evolve(owner, parts=tuple(part for part in owner.parts if not is_unsaid(part.path)))
        if owner.seat is None
        else owner
        for owner in picture.owners
    )
    return evolve(picture, owners=tuple(owners))


def _used(before: Picture, after: Picture) -> tuple[Picture, Picture]:
    """Without printed things that hold nothing in either."""
    held = {_key(owner) for picture in (before, after) for owner in picture.owners if any(p.cards for p in owner.piles)}
    near, far = (
        evolve(picture, owners=tuple(o for o in picture.owners if not o.strips or _key(o) in held))
        for picture in (before, after)
    )
    return near, far


def _key(owner: Owned) -> tuple[str, Value]:
    return owner.kind, owner.value


def _held(picture: Picture, name: str) -> _Held:
    """By space of a board what stands and lies there."""
    spots = [spot for board in picture.boards if board.name == name for spot in board.spots]
    return {spot.value: (spot.tokens, spot.marks) for spot in spots if spot.tokens or spot.marks}


def _places(first: _Held, before: _Held, after: _Held) -> set[Value]:
    """The spaces to which something was brought for the example, and those on which something changes in it."""
    gained = {value for value, held in before.items() if set(held[0]) - set(first.get(value, ((), ()))[0])}
    lying = {value for value, held in before.items() if held[1] != first.get(value, ((), ()))[1]}
    return gained | lying | {value for value in {*before, *after} if before.get(value) != after.get(value)}


def _told(one: Picture, other: Picture) -> set[tuple[str, str]]:
    """The columns in which two positions differ, each by the kind of its owners and its title."""
    old, new = dict(_texts(one)), dict(_texts(other))
    return {
        (kind, title)
        for kind, owner, title in {*old, *new}
        if old.get((kind, owner, title)) != new.get((kind, owner, title))
    }


def _texts(picture: Picture) -> Iterator[tuple[tuple[str, Value, str], str]]:
    for owner in picture.owners:
        for part in owner.parts:
            yield (owner.kind, owner.value, part.title), part.text


def _cut(picture: Picture, boards: Mapping[str, set[Value]], told: set[tuple[str, str]]) -> Picture:
    kept = tuple(_near(board, boards[board.name]) for board in picture.boards if boards.get(board.name))
    return evolve(picture, boards=kept, owners=tuple(_owned(owner, told) for owner in picture.owners))


def _owned(owner: Owned, told: set[tuple[str, str]]) -> Owned:
    parts: tuple[Pile | Figure, ...] = tuple(part for part in owner.parts if (owner.kind, part.title) in told)
    return evolve(owner, parts=parts)


def _near(board: Board, places: set[Value]) -> Board:
    """Of a course the stretch in which something happens, and the spaces right before and behind it."""
    at = [number for number, spot in enumerate(board.spots) if spot.value in places]
    if board.form != "course" or not at:
        return board
    first, last = max(0, min(at) - _AROUND), min(len(board.spots) - 1, max(at) + _AROUND)
    stretch = range(first, last + 1)
    spots = (_moved(board.spots[number], stretch) for number in stretch)
    return evolve(board, spots=tuple(spots))


def _moved(spot: Spot, stretch: range) -> Spot:
    """A space of a stretch of its course, with the links that stay inside it."""
    return evolve(spot, links=tuple(link - stretch.start for link in spot.links if link in stretch), at=None)
