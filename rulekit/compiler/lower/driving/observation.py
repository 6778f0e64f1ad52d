"""The observation: what the seat that is asked sees by declaration, as numbers of a fixed shape.

Every word and list that some seat may see has its places.  For a seat that does not see it, and inside `secretly each`
where another may change it at the same time, they stay 0.  Of a number n from 0 on stands n + 1 there, of one below 0
the number itself, of nothing 0.  A card is its printed one; a pile is how many of each lie in it, in no order.  What
was revealed or told on the way is not here: views show that, and so an observation is never more than a view.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby

from rulekit.compiler.lower.analysis.dependence import changed_apart
from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.search import information_sets as sets
from rulekit.compiler.lower.storage.layout import Storage, Unsupported
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same
from rulekit.compiler.plan.ir import Get
from rulekit.model import game as model
from rulekit.play.state.setting import Setting
from rulekit.values import evolve, frozen

CELL, BOARD = 100, 101
"""Forms besides those of `information_sets`: a word that is a pair; the cells of a grid, and how many pieces of a group
stand on each."""
MOST = 20_000
"""Places of an observation, at most."""


@frozen
class Feature:
    """A word or list in an observation.

    path:    what it is called.  size: how many places it takes.
    form, number:  as of `information_sets.Observable`; owner: the seat that alone sees it inside `secretly each`, as it
             may change it there, or SHARED.  first: of things the number of the first printed one.
    seats:   which see it.
    width, count:  of a board how many columns it has, and how many pieces the group; `number` is the word of the first.
    """

    path: str
    size: int
    form: int
    number: int
    owner: int
    seats: tuple[int, ...]
    first: int = 0
    width: int = 0
    count: int = 0


HEADING = ("seat", "question", "chosen")
"""What stands before all features: who is asked, which question, how many things it has chosen for it already."""


def features(storage: Storage) -> tuple[Feature, ...]:
    """What observations show behind `HEADING`, in the order of their places."""
    seen: dict[sets.Observable, list[int]] = {}
    for seat in range(storage.setting.players):
        for one in sets.observables(storage, seat):
            seen.setdefault(one, []).append(seat)
    slots, changed = _slots(storage), changed_apart(storage.setting.game)
    ordered = sorted(seen, key=lambda one: (one.form in _LISTED, one.number, one.form))
    made = [_feature(storage, one, slots.get((one.form in _LISTED, one.number)), changed) for one in ordered]
    shown = [evolve(feature, seats=tuple(seen[one])) for feature, one in zip(made, ordered, strict=True)]
    found = (*(one for one in shown if one.size), *_boards(storage, changed))
    if sum(one.size for one in found) > MOST:
        raise Unsupported("an observation of so many numbers")
    return found


_LISTED = (sets.SIZE, sets.NUMBERS, sets.THINGS, sets.TOP)


def _slots(storage: Storage) -> dict[tuple[bool, int], int]:
    """By word or list (which of the two) and number, the slot of what lies there."""
    setting = storage.setting
    found = {(False, storage.pieces + piece): slot for piece, slot in setting.piece_slot.items()}
    for bases, listed in ((storage.word_base, False), (storage.list_base, True)):
        for index, first in bases.items():
            owners = range(setting.owners(setting.game.variables[index]))
            found |= {(listed, first + owner): setting.bases[index] + owner for owner in owners}
    return found


def _feature(storage: Storage, one: sets.Observable, slot: int | None, changed: frozenset[int]) -> Feature:
    """One that nobody sees yet."""
    setting = storage.setting
    if slot is None:
        return Feature(storage.word_names[one.number], 1, one.form, one.number, sets.SHARED, ())
    variable = setting.game.variables[setting.slot_variable[slot]]
    form, size, first = one.form, 1, 0
    if _is_pair(storage, slot, variable):
        form, size = CELL, 2
    elif form == sets.NUMBERS:
        size = storage.rooms[one.number] if variable.form == "list" else 0
    elif form == sets.THINGS:
        kind = variable.type.element.kind
        first, size = setting.kind_base[kind], len(setting.game.kinds[kind].members)
    return Feature(setting.told_paths[slot], size, form, one.number, _apart_owner(setting, slot, changed), (), first)


def _apart_owner(setting: Setting, slot: int, changed: frozenset[int]) -> int:
    """The seat that alone sees a value inside `secretly each`, where it may change it; else SHARED."""
    owner = setting.seat_of[slot]
    return sets.SHARED if owner is None or setting.slot_variable[slot] not in changed else owner


def _boards(storage: Storage, changed: frozenset[int]) -> Iterator[Feature]:
    """For each owner of a group of pieces that stand on a grid with an end, where everybody sees them: the grid."""
    setting, everyone = storage.setting, tuple(range(storage.setting.players))
    for index, variable in enumerate(setting.game.variables):
        place = setting.places.get(variable.place) if variable.form in ("piece", "group") else None
        if place is None or place.form != "grid" or place.width is None or place.height is None:
            continue
        count = variable.count if variable.form == "group" else 1
        for owner in range(setting.owners(variable)):
            slot = setting.bases[index] + owner * count
            if setting.audiences[slot] is None:
                number = storage.pieces + setting.piece_at(slot)
                path, size = f"{setting.path(slot)} on board", place.width * place.height
                apart = _apart_owner(setting, slot, changed)
                yield Feature(path, size, BOARD, number, apart, everyone, width=place.width, count=count)


def names_of(storage: Storage) -> tuple[str, ...]:
    """What each number of an observation is called."""
    return (
        *HEADING,
        *(f"{one.path} {at}" if one.size > 1 else one.path for one in features(storage) for at in _ats(one)),
    )


def _ats(one: Feature) -> tuple[str, ...]:
    if one.form == CELL:
        return ("column", "row")
    if one.form == BOARD:
        return tuple(f"{at % one.width + 1},{at // one.width + 1}" for at in range(one.size))
    return tuple(str(at + 1) for at in range(one.size))


def _is_pair(storage: Storage, slot: int, variable: model.Variable) -> bool:
    if variable.form in ("piece", "group"):
        place = storage.setting.piece_place[storage.setting.piece_at(slot)]
        return storage.setting.places[place].form == "grid"
    return variable.form == "value" and variable.type.name in ("cell", "direction", "offset")


def observe(program: Program, first: int, count: int) -> p.Function:
    """Writes the observation of a seat into the cells from `first` on.  count: the cell with how many are chosen."""
    m = Builder(program, "drive_observe")
    numbers = tuple(number + 1 for number in _told_apart(program))
    at = first
    for value in (add(Get("seat"), ONE), program.entry(numbers, Get("number")), p.Cell(p.Const(count))):
        m.emit(p.SetCell(p.Const(at), value))
        at += 1
    for features_, test in _grouped(m, features(program.storage)):
        m.when(test, partial(_write, m, features_, at))
        at += sum(one.size for one in features_)
    return m.function("number seat")


def _told_apart(program: Program) -> tuple[int, ...]:
    """By number of a question, which of the operations that ask it is, in the order of the rules."""
    asking = sorted({(one.code, one.place) for one in program.asks})
    return tuple(asking.index((one.code, one.place)) for one in program.asks) or (0,)


def _grouped(m: Builder, all_: tuple[Feature, ...]) -> Iterator[tuple[list[Feature], p.Expr]]:
    """Runs of features that the same seats see, with the test for that."""
    for _, same_seats in groupby(all_, lambda one: (one.seats, one.owner)):
        group = list(same_seats)
        yield group, _test(m, group[0])


def _test(m: Builder, one: Feature) -> p.Expr:
    sees = tuple(int(seat in one.seats) for seat in range(m.setting.players))
    own = tuple(int(seat in one.seats and one.owner in (sets.SHARED, seat)) for seat in range(m.setting.players))
    apart = sets.question_flag(m.program, lambda asked: asked.apart)
    if sees == own:
        return m.program.entry(sees, Get("seat"))
    return p.Pick(apart, m.program.entry(own, Get("seat")), m.program.entry(sees, Get("seat")))


# ---------------------------------------------------------------- writing


def _write(m: Builder, some: list[Feature], at: int) -> None:
    for one in some:
        _written(m, one, at)
        at += one.size


def _written(m: Builder, one: Feature, at: int) -> None:
    number, to = p.Const(one.number), p.Const(at)
    if one.form == CELL:
        _pair(m, p.Word(number), at)
    elif one.form == sets.WORD:
        m.emit(p.SetCell(to, _shifted(m, p.Word(number))))
    elif one.form == sets.THING:
        m.emit(p.SetCell(to, _shifted(m, sets.as_printed(m.program, m.atom(p.Word(number))))))
    elif one.form == BOARD:
        m.each_number(number, p.Const(one.number + one.count - 1), lambda word: _standing(m, one, word, at))
    elif one.form == sets.SIZE:
        m.emit(p.SetCell(to, p.Size(p.Stored(number))))
    elif one.form == sets.TOP:
        size = m.atom(p.Size(p.Stored(number)))
        last = m.collect(lambda: _last(m, number, size, to))
        m.emit(p.If(binary("<", ZERO, size), last))
    elif one.form == sets.NUMBERS:
        last_place = binary("-", p.Size(p.Stored(number)), ONE)
        m.each_number(ZERO, last_place, lambda place: _entry(m, number, place, at))
    else:
        _counted(m, one, at)


def _entry(m: Builder, number: p.Expr, place: p.Expr, at: int) -> None:
    """An entry of a list."""
    m.emit(p.SetCell(add(place, p.Const(at)), _shifted(m, p.Item(p.Stored(number), place))))


def _standing(m: Builder, one: Feature, word: p.Expr, at: int) -> None:
    """A piece more on its cell, row by row."""
    value = m.atom(p.Word(word))

    def there() -> None:
        down = binary("*", binary("%", value, p.Const(p.WIDTH)), p.Const(one.width))
        place = m.atom(add(p.Binary("+", down, binary("//", value, p.Const(p.WIDTH))), p.Const(at)))
        m.emit(p.SetCell(place, add(p.Cell(place), ONE)))

    m.when(binary("!=", value, NOTHING), there)


def _counted(m: Builder, one: Feature, at: int) -> None:
    """How many of each printed card lie in a pile."""

    def card(thing: p.Expr) -> None:
        row = m.atom(sets.as_printed(m.program, thing))
        place = m.atom(add(row, p.Const(at - one.first)))
        m.emit(p.SetCell(place, add(p.Cell(place), ONE)))

    m.each_in(p.Stored(p.Const(one.number)), card)


def _last(m: Builder, number: p.Expr, size: p.Expr, to: p.Expr) -> None:
    last = m.atom(p.Item(p.Stored(number), binary("-", size, ONE)))
    m.emit(p.SetCell(to, _shifted(m, sets.as_printed(m.program, last))))


def _shifted(m: Builder, value: p.Expr) -> p.Expr:
    """0 for nothing, a number from 0 on as 1 more, one below 0 as it is."""
    value = m.atom(value)
    return p.Pick(same(value, NOTHING), ZERO, p.Binary("+", value, p.Binary("<=", ZERO, value)))


def _pair(m: Builder, value: p.Expr, at: int) -> None:
    """Column and row, each as `_shifted`."""
    value = m.atom(value)
    half = p.pair(0, p.WIDTH // 2)
    moved = add(value, p.Const(half))

    def there() -> None:
        column = m.atom(binary("//", moved, p.Const(p.WIDTH)))
        row = m.atom(binary("-", binary("%", moved, p.Const(p.WIDTH)), p.Const(p.WIDTH // 2)))
        m.emit(p.SetCell(p.Const(at), _shifted(m, column)), p.SetCell(p.Const(at + 1), _shifted(m, row)))

    m.when(binary("!=", value, NOTHING), there)
