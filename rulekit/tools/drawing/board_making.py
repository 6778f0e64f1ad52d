"""Boards of a picture: the spaces of tracks, grids and courses with what stands and lies on them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from rulekit.model import game as model
from rulekit.play.state.value import Ref
from rulekit.play.view import Seen
from rulekit.syntax.looks import COLOUR, GLYPH, X, Y
from rulekit.tools.drawing.card_making import Cards, look
from rulekit.tools.drawing.picture import Board, Mark, Spot, Token
from rulekit.tools.language.display_names import Kept, Names
from rulekit.values import evolve

_NO_LOOK: Mapping[str, str] = {}
_MORE = 1
"""Spaces that are drawn beyond the last piece on a track or grid without an end."""
_LONGEST, _SIDE, _AROUND = 150, 60, 2
"""So many spaces of a track, or cells along a side, are drawn; of more of them those so near to pieces."""


def made_board(
    place: model.Place,
    standing: Sequence[Token],
    marks: Mapping[int, tuple[Mark, ...]],
    cards: Cards,
    looks: Mapping[int, Mapping[str, str]],
) -> Board:
    """A place with the pieces that stand on it.

    marks:  by the place of a space in its course what belongs to it.  looks: as of `view.space_looks`.
    """
    title, on = cards.names.place_name(place), _by_space(standing)
    if place.form == "course":
        return _course(place, title, on, marks, cards)
    if place.form == "grid":
        spots, size = tuple(_cells(place, on, cards.names.kept)), (place.width, place.height)
        return Board(place.name, title, place.form, spots, size=size, hexagonal=place.hexagonal)
    taken = [space for space in on if isinstance(space, int)]
    high = place.high if place.high is not None else max([place.low, *taken, *looks]) + _MORE
    numbers = _drawn(range(place.low, high + 1), taken, _LONGEST)
    kept = cards.names.kept
    track = tuple(
        kept.as_before(
            ("space", place.name, number),
            (tokens := on.get(number, ()), look := looks.get(number, _NO_LOOK)),
            partial(_of_track, place, number, tokens, look, cards.names),
        )
        for number in numbers
    )
    return Board(place.name, title, place.form, track, ends=(place.low, high))


def _of_track(
    place: model.Place, number: int, tokens: tuple[Token, ...], look: Mapping[str, str], names: Names
) -> Spot:
    """A space; what is written on it is in the language."""
    glyph = names.tongue.text(f"glyph {place.name}", look[GLYPH]) if GLYPH in look else ""
    title = f"{names.place_name(place)} {number}"
    return Spot(number, str(number), title, tokens, fill=look.get(COLOUR, ""), glyph=glyph)


def compared(board: Board, before: Mapping[str, Seen]) -> Board:
    """A board with the pieces that left a space since an earlier look, of which `before` tells by path."""
    left: dict[Hashable, list[Token]] = {}
    for token in (token for spot in board.spots for token in spot.tokens):
        stood = before[token.path].shown if token.path in before else None
        if stood is not None and stood != token.on:
            left.setdefault(stood, []).append(token)
    if not left:
        return board
    spots = (evolve(spot, left=tuple(left[spot.value])) if spot.value in left else spot for spot in board.spots)
    return evolve(board, spots=tuple(spots))


def _by_space(standing: Sequence[Token]) -> dict[Hashable, tuple[Token, ...]]:
    found: dict[Hashable, tuple[Token, ...]] = {}
    for token in standing:
        found[token.on] = (*found.get(token.on, ()), token)
    return found


def _cells(place: model.Place, on: Mapping[Hashable, tuple[Token, ...]], kept: Kept) -> Iterator[Spot]:
    taken = [tuple(map(int, cell.key.split(","))) for cell in on if isinstance(cell, Ref)]
    columns, rows = (
        _drawn(_reach([cell[side] for cell in taken], size), [cell[side] for cell in taken], _SIDE)
        for side, size in enumerate((place.width, place.height))
    )
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            value = Ref("cell", f"{column},{row}")
            tokens = on.get(value, ())
            make = partial(Spot, value, "", value.key, tokens, column=x, row=y)
            yield kept.as_before(("space", place.name, value), (tokens, x, y), make)


def _reach(numbers: list[int], size: int | None) -> range:
    """The columns or rows to draw: all of them, or where there is no end those in use and some around them."""
    if size is not None:
        return range(1, size + 1)
    return range(min(numbers) - _MORE, max(numbers) + _MORE + 1) if numbers else range(0)


def _drawn(numbers: range, taken: Iterable[int], most: int) -> Sequence[int]:
    """All of the numbers, or of very many those around what stands there."""
    if len(numbers) <= most:
        return numbers
    near = {number for here in taken for number in range(here - _AROUND, here + _AROUND + 1)}
    return sorted(number for number in near if number in numbers)


# ---------------------------------------------------------------- courses


def _course(
    place: model.Place,
    title: str,
    on: Mapping[Hashable, tuple[Token, ...]],
    marks: Mapping[int, tuple[Mark, ...]],
    cards: Cards,
) -> Board:
    kept = cards.names.kept
    empty = kept.as_before(("course", place.name), None, lambda: _empty(place, title, cards))
    spots = [
        kept.as_before(
            ("space", place.name, number),
            (tokens := on.get(spot.value, ()), lying := marks.get(number, ())),
            partial(evolve, spot, tokens=tokens, marks=lying),
        )
        for number, spot in enumerate(empty.spots)
    ]
    return evolve(empty, spots=tuple(spots))


def _empty(place: model.Place, title: str, cards: Cards) -> Board:
    """A course on which nothing stands."""
    kind = cards.kind(place.kind)
    at = {member.key: number for number, member in enumerate(kind.members)}
    sort_of = _sorts(kind, cards)
    short = _shorts(sort_of)
    spots = []
    for number, member in enumerate(kind.members):
        value, sort = Ref(place.kind, member.key), sort_of[number]
        fill, glyph = _look_of_sort(kind, COLOUR, number, cards), _look_of_sort(kind, GLYPH, number, cards)
        links = tuple(at[key] for key in _next(kind, number, cards))
        looks = {"fill": fill, "glyph": glyph or short[sort], "at": _place(kind, number)}
        spots.append(Spot(value, member.key, cards.names.ref(value), (), sort, links, **looks))  # type: ignore[arg-type]
    return Board(place.name, title, place.form, tuple(spots), tuple(dict.fromkeys(sort_of)), place.kind)


def _sorts(kind: model.Kind, cards: Cards) -> list[str]:
    """By member its first trait that is a thing; "" for all where they have none."""
    trait = _sort_trait(kind)
    return ["" if trait is None else cards.trait(kind, trait, number) for number in range(len(kind.members))]


def _sort_trait(kind: model.Kind) -> str | None:
    """The first trait that is a thing: spaces are sorted by it."""
    return next((name for name, sort in kind.trait_types.items() if sort.name == "thing"), None)


def _shorts(sorts: Sequence[str]) -> dict[str, str]:
    """By sort the beginning of its name that no other has, or of each of its words; "" for that of most spaces."""
    names = list(dict.fromkeys(sorts))
    most = max(names, key=sorts.count, default="")
    single = [name for name in names if " " not in name]
    found = {most: ""}
    for name in names:
        length = next((n for n in range(1, 4) if [other[:n] for other in single].count(name[:n]) == 1), 4)
        found.setdefault(name, "".join(word[0] for word in name.split()) if " " in name else name[:length])
    return found


def _next(kind: model.Kind, number: int, cards: Cards) -> tuple[str, ...]:
    following = cards.value(kind, "next", number)
    spaces = following if isinstance(following, tuple) else (following,)
    return tuple(space.key for space in spaces if isinstance(space, Ref))


def _look_of_sort(kind: model.Kind, name: str, number: int, cards: Cards) -> str:
    """A look of a space; where it has none, of its sort."""
    trait = _sort_trait(kind)
    sort = None if trait is None else cards.value(kind, trait, number)
    own = look(kind, name, number)
    row = cards.row(sort) if isinstance(sort, Ref) else None
    return own if own or row is None or not isinstance(sort, Ref) else look(cards.kind(sort.kind), name, row)


def _place(kind: model.Kind, number: int) -> tuple[int, int] | None:
    """Where the look of a space says that it lies."""
    x, y = look(kind, X, number), look(kind, Y, number)
    return (int(x), int(y)) if x and y else None
