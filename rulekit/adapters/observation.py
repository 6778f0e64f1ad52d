"""What a seat may see of a position as a row of numbers, as long in every match of a setting.

Made of the seat's view and of what it has itself begun to answer; nothing
else is ever looked at, so that no secret can get in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulekit.adapters.action_space import PAGE, ActionSpace, Block, Name, Partial
from rulekit.adapters.number_coding import (
    Bounds,
    Coding,
    Numbers,
    flag,
    heap,
    in_order,
    members,
    number,
    of_type,
    one_of,
    space_of,
    sure_number,
)
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.types import Type
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value
from rulekit.play.view import Seen, View
from rulekit.values import frozen


@frozen
class Part:
    """Some of the numbers of an observation.  numbers: from a view, and from what its seat has begun to answer."""

    names: tuple[str, ...]
    bounds: tuple[Bounds, ...]
    numbers: Callable[[View, Partial | None], Numbers]


@frozen
class ObservationSpace:
    """names: of all numbers, for people; bounds: of each, both included."""

    parts: tuple[Part, ...]
    names: tuple[str, ...]
    bounds: tuple[Bounds, ...]

    def observed(self, view: View, asked: Partial | None = None) -> Numbers:
        """A view as numbers.  asked: what its seat must answer, as far as it is answered."""
        return [one for part in self.parts for one in part.numbers(view, asked)]


def observation_space(setting: Setting, space: ActionSpace) -> ObservationSpace:
    """The numbers of every view in matches of this setting, in the same order in each of them."""
    values = [_value(setting, slot) for slot in range(len(setting.values))]
    boards = [_board(setting, index, owner) for index, owner in _groups(setting)]
    parts = (*_seats(setting), *values, *boards, *_asking(setting, space))
    names = tuple(name for part in parts for name in part.names)
    return ObservationSpace(parts, names, tuple(one for part in parts for one in part.bounds))


# ---------------------------------------------------------------- who


def _seats(setting: Setting) -> list[Part]:
    """Whose view it is, who has yet to decide, whose turn it is, and who began."""
    return [
        _by_seat(setting, "is me", lambda view, seat: view.seat == seat),
        _by_seat(setting, "is waited for", lambda view, seat: seat in view.waiting),
        _by_seat(setting, "has the turn", lambda view, seat: view.turn == seat),
        _by_seat(setting, "began", lambda view, seat: view.starter == seat),
    ]


def _by_seat(setting: Setting, what: str, holds: Callable[[View, int], bool]) -> Part:
    seats = range(setting.everyone)
    names = tuple(f"{setting.seats[seat]} {what}" for seat in seats)
    return Part(names, ((0, 1),) * len(names), lambda view, _: [float(holds(view, seat)) for seat in seats])


# ---------------------------------------------------------------- values


def _value(setting: Setting, slot: int) -> Part:
    """One value of the view, with whether it is hidden if it ever can be; of a pile, how many things lie in it."""
    variable, path = setting.game.variables[setting.slot_variable[slot]], setting.told_paths[slot]
    coding = _coding(setting, variable, slot)
    beside = _beside(setting, variable, slot)
    names = tuple(f"{path} {name}" for name in (*coding.names, *beside.names))

    def numbers(view: View, _: Partial | None) -> Numbers:
        seen = view.values[slot]
        hides = seen.hidden and seen.count is None
        return [*(coding.zeros if hides else coding.numbers(seen.shown)), *beside.numbers(_told_beside(seen))]

    return Part(names, (*coding.bounds, *beside.bounds), numbers)


def _beside(setting: Setting, variable: model.Variable, slot: int) -> Coding:
    if variable.form == "pile":
        size = sure_number(0, _most(setting, variable))
        return Coding(("size",), size.bounds, size.numbers)
    hidden = flag()
    return Coding(("hidden",), hidden.bounds, hidden.numbers) if setting.audiences[slot] is not None else one_of(())


def _told_beside(seen: Seen) -> Value:
    return seen.hidden if seen.count is None else seen.count


def _most(setting: Setting, variable: model.Variable) -> int:
    """How many things a pile can hold."""
    kind = variable.type.element.kind
    return sum(thing.kind == kind for thing in setting.things[setting.copy_base :])


def _coding(setting: Setting, variable: model.Variable, slot: int) -> Coding:
    kind = variable.type
    if variable.form == "pile":
        return heap(members(setting, kind.element), _most(setting, variable))
    if variable.form == "counter":
        return sure_number(variable.low, variable.high)
    if variable.form == "history":
        return Coding(("noted",), ((0, variable.last),), lambda value: [float(len(_entries(value)))])
    if variable.form == "list":
        return in_order(of_type(setting, kind.element, variable.low, variable.high), _places(setting, variable))
    if variable.form in ("piece", "group"):
        return space_of(setting, setting.place_at[setting.piece_at(slot)])
    return _snapshot(setting, kind) if variable.form == "snapshot" else of_type(setting, kind)


def _places(setting: Setting, variable: model.Variable) -> list[str]:
    if variable.keys:
        return [str(key) for key in members(setting, Type("thing", kind=variable.keys))]
    return [str(place) for place in range(variable.first, variable.last + 1)]


def _entries(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else ()


def _snapshot(setting: Setting, kind: Type) -> Coding:
    """Where each piece of a kind stood; all zeros if nothing was noted."""
    pieces = [piece for piece in setting.place_at if setting.things[piece].kind == kind.kind]
    codings = [space_of(setting, setting.place_at[piece]) for piece in pieces]
    refs = [setting.ref(piece) for piece in pieces]
    names = tuple(f"{ref} {name}" for ref, one in zip(refs, codings, strict=True) for name in one.names)
    bounds = tuple(bound for one in codings for bound in one.bounds)

    def numbers(value: Value) -> Numbers:
        stood: dict[Value, Value] = {}
        for noted in _entries(value):
            assert isinstance(noted, tuple), noted
            stood[noted[0]] = noted[1]
        return [
            number
            for ref, one in zip(refs, codings, strict=True)
            for number in (one.numbers(stood[ref]) if ref in stood else one.zeros)
        ]

    return Coding(("is noted", *names), ((0, 1), *bounds), lambda value: [float(value is not None), *numbers(value)])


# ---------------------------------------------------------------- boards


def _groups(setting: Setting) -> list[tuple[int, int]]:
    """The groups of pieces that stand on a grid with an end: variable and owner."""
    found = []
    for index, variable in enumerate(setting.game.variables):
        place = setting.places.get(variable.place)
        is_board = place is not None and place.form == "grid" and place.width is not None and place.height is not None
        if variable.form in ("piece", "group") and is_board:
            found += [(index, owner) for owner in range(setting.owners(variable))]
    return found


def _board(setting: Setting, index: int, owner: int) -> Part:
    """How many pieces of a group stand on each cell, row by row: where each of them stands, as a picture."""
    variable = setting.game.variables[index]
    place = setting.places[variable.place]
    cells = [f"{column + 1},{row + 1}" for row in range(place.height or 0) for column in range(place.width or 0)]
    count = variable.count if variable.form == "group" else 1
    first = setting.bases[index] + owner * count
    path = setting.paths[first]

    def numbers(view: View, _: Partial | None) -> Numbers:
        standing = [str(view.values[slot].shown) for slot in range(first, first + count)]
        return [float(standing.count(cell)) for cell in cells]

    return Part(tuple(f"{path} on {cell}" for cell in cells), ((0, count),) * len(cells), numbers)


# ---------------------------------------------------------------- the question


def _asking(setting: Setting, space: ActionSpace) -> list[Part]:
    """What the seat is asked: which question, what its texts name, and what it has chosen of a set so far."""
    questions = tuple(space.blocks)
    which = Part(
        tuple(f"asked {' '.join(dict.fromkeys(name))}" for name in questions),
        ((0, 1),) * len(questions),
        lambda _, asked: [float(_name(asked) == name) for name in questions],
    )
    named = [_named(name, one) for name, one in _named_values(setting).items()]
    offered = [_offered()] if any(block.values is None for block in space.blocks.values()) else []
    return [which, *named, *offered, *(_picked(name, block) for name, block in space.blocks.items() if block.several)]


def _name(asked: Partial | None) -> Name | None:
    return None if asked is None else (asked.decision.rule, asked.decision.name)


def _named_values(setting: Setting) -> Mapping[str, Coding]:
    """What texts of questions name in braces."""
    asking = [op for code in setting.game.codes for op in code.ops if isinstance(op, ops.Ask | ops.AskWay)]
    found: dict[str, Coding] = {}
    for op in asking:
        for name, _, kind in op.values:
            assert isinstance(kind, Type), kind
            if not kind.is_set:
                found.setdefault(str(name), of_type(setting, kind))
    return found


def _named(name: str, coding: Coding) -> Part:
    def numbers(_: View, asked: Partial | None) -> Numbers:
        values = dict(asked.decision.values) if asked is not None else {}
        return coding.numbers(values[name]) if name in values else coding.zeros

    return Part(tuple(f"{name} {one}" for one in coding.names), coding.bounds, numbers)


def _offered() -> Part:
    """Where options are told by their places: how many there are, the first and the last if numbers, and the page."""
    ends = number(None, None)

    def numbers(_: View, asked: Partial | None) -> Numbers:
        if asked is None:
            return [0.0] * 6
        options, page = asked.decision.options, 0 if asked.page is None else asked.page + 1
        return [float(len(options)), *ends.numbers(options[0]), *ends.numbers(options[-1]), float(page)]

    names = ("options", "first option", "first is a number", "last option", "last is a number", "page")
    return Part(names, ((0, float("inf")), *ends.bounds, *ends.bounds, (0, PAGE)), numbers)


def _picked(name: Name, block: Block) -> Part:
    """How many of each were chosen for a set so far."""

    def numbers(_: View, asked: Partial | None) -> Numbers:
        found = [0.0] * block.size
        if asked is not None and _name(asked) == name:
            for at in asked.picked:
                found[block.place(asked.decision.options[at], at)] += 1
        return found

    names = tuple(f"{' '.join(dict.fromkeys(name))} picked {at}" for at in range(block.size))
    return Part(names, ((0, float("inf")),) * block.size, numbers)
