"""Meaning of expressions that read: values, names, pieces, spaces, what is printed on a thing."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.model import expr as x
from rulekit.play.machine import taint_check
from rulekit.play.machine.closure_compilation import MEANING, Inner, Meaning, Meanings, NeedsOrder, always, fail
from rulekit.play.machine.working_state import Machine
from rulekit.play.state.errors import RuleError

# ---------------------------------------------------------------- names


def _const(c: Meanings, e: x.Const) -> Meaning:
    return always(e.value)


def _local(c: Meanings, e: x.Local) -> Meaning:
    index = e.index

    def local(m: Machine) -> Inner:
        return m.locals[index]

    def noted(m: Machine) -> Inner:
        if m.reads is not None:
            taint_check.note_local(m, index)
        return m.locals[index]

    return chosen_set(e, noted if c.watched else local)


def chosen_set(e: x.Local, local: Meaning) -> Meaning:
    """A local that is read as a set, though nobody may have chosen one."""
    if not e.is_set_or_none:
        return local

    def known(m: Machine) -> Inner:
        value = local(m)
        if value is None:
            raise fail(m, e, "of-nothing", "nobody chose this set, and it is read as one")
        return value

    return known


def _element(c: Meanings, e: x.Element) -> Meaning:
    index = e.index

    def element(m: Machine) -> Inner:
        return m.elements[index]

    return element


def _option(c: Meanings, e: x.OptionValue) -> Meaning:
    index, value = e.index, c.setting.options[e.index]
    if not c.setting.game.options[index].unclear:
        return always(value)

    def reading(m: Machine) -> Inner:
        m.unclear.add(index)
        return value

    return reading


# ---------------------------------------------------------------- where values lie


def slot_of(c: Meanings, variable: int, of: x.Expr | None, e: x.Expr) -> Callable[[Machine], int]:
    """Where a variable's value lies; an error if its owner is nothing."""
    return _counted(c, c.setting.bases[variable], variable, of, e)


def _counted(c: Meanings, first: int, variable: int, of: x.Expr | None, e: x.Expr) -> Callable[[Machine], int]:
    """What belongs to an owner among the slots or pieces of a variable, where those of the first owner begin."""
    if of is None:
        return always(first)
    setting, declared, owner_of = c.setting, c.setting.game.variables[variable], c.of(of)
    step = declared.count if declared.form == "group" else 1

    def of_player(m: Machine) -> int:
        owner = owner_of(m)
        if owner is None:
            raise _of_nothing(m, e, declared.name)
        return first + owner * step  # type: ignore[no-any-return]

    def of_thing(m: Machine) -> int:
        owner = owner_of(m)
        if owner is None:
            raise _of_nothing(m, e, declared.name)
        return first + setting.owner_index(declared, owner) * step

    return of_player if declared.owner == "player" else of_thing


def _of_nothing(m: Machine, e: x.Expr, variable: str) -> RuleError:
    return fail(m, e, "of-nothing", f"there is nothing whose `{variable}` could be asked")


def _value_of(c: Meanings, variable: int, of: x.Expr | None, e: x.Expr) -> Meaning:
    """What lies there; where a player with a name owns it, without asking what the name means."""
    declared, base = c.setting.game.variables[variable], c.setting.bases[variable]
    if of is None:
        return lambda m: m.values[base]
    is_players = declared.owner == "player" and declared.form != "group"
    if c.watched or not is_players or not isinstance(of, x.Local | x.Element):
        slot_in = slot_of(c, variable, of, e)
        return lambda m: m.values[slot_in(m)]
    index = of.index

    def of_local(m: Machine) -> Inner:
        owner = m.locals[index]
        if owner is None:
            raise _of_nothing(m, e, declared.name)
        return m.values[base + owner]

    def of_element(m: Machine) -> Inner:
        owner = m.elements[index]
        if owner is None:
            raise _of_nothing(m, e, declared.name)
        return m.values[base + owner]

    return of_local if isinstance(of, x.Local) else of_element


def _stored(c: Meanings, e: x.Stored) -> Meaning:
    if not c.watched:
        return _value_of(c, e.variable, e.of, e)
    slot_in = slot_of(c, e.variable, e.of, e)

    def noted(m: Machine) -> Inner:
        slot = slot_in(m)
        if m.reads is not None:
            taint_check.note_slot(m, slot)
        return m.values[slot]

    return noted


def _piece_of(c: Meanings, e: x.PieceOf) -> Meaning:
    return _counted(c, c.setting.piece_first[e.variable], e.variable, e.of, e)


def _group_of(c: Meanings, e: x.GroupOf) -> Meaning:
    first_of = _counted(c, c.setting.piece_first[e.variable], e.variable, e.of, e)
    count = c.setting.game.variables[e.variable].count

    def group(m: Machine) -> Inner:
        first = first_of(m)
        if not m.gone:
            return tuple(range(first, first + count))
        return tuple([piece for piece in range(first, first + count) if piece not in m.gone])

    return group


def _all_of(c: Meanings, e: x.AllOf) -> Meaning:
    first = c.setting.kind_base.get(e.kind, 0)
    whole = tuple(range(first, first + c.setting.kind_count.get(e.kind, 0)))

    def all_of(m: Machine) -> Inner:
        return tuple([thing for thing in whole if thing not in m.gone]) if m.gone else whole

    return all_of


def _seats(c: Meanings, e: x.Seats) -> Meaning:
    """Players from the starter on."""
    players = tuple(range(c.setting.players))
    neutrals = tuple(range(c.setting.players, c.setting.everyone))
    if e.who == "neutrals":
        return always(neutrals)
    behind = () if e.who == "players" else neutrals
    turned = tuple(players[first:] + players[:first] + behind for first in players)
    return lambda m: turned[m.starter]


# ---------------------------------------------------------------- spaces


def _spaces(c: Meanings, e: x.Spaces) -> Meaning:
    return always(tuple(range(e.low, e.high + 1)))


def _cells(c: Meanings, e: x.Cells) -> Meaning:
    def cells(m: Machine) -> Inner:
        place = m.setting.places[e.place]
        if place.width is None or place.height is None:
            raise fail(m, e, "outside", f"`{e.place}` has no end in this match, so its cells are no set")
        return tuple((column, row) for row in range(place.height) for column in range(place.width))

    return cells


def _cell_at(c: Meanings, e: x.CellAt) -> Meaning:
    column_of, row_of = c.of(e.column), c.of(e.row)

    def cell_at(m: Machine) -> Inner:
        column, row = column_of(m), row_of(m)
        if column is None or row is None:
            raise fail(m, e, "of-nothing", "a cell needs a column and a row")
        return column - 1, row - 1

    return cell_at


def _space_of(c: Meanings, e: x.SpaceOf) -> Meaning:
    piece_of, slots, things = c.of(e.piece), c.setting.piece_slot, c.setting.things

    def space_of(m: Machine) -> Inner:
        piece = piece_of(m)
        if piece is None:
            raise fail(m, e, "of-nothing", "there is no piece whose space could be asked")
        space = m.values[slots[piece]]
        if space is None:
            raise fail(m, e, "not-placed", f"`{things[piece].title}` stands nowhere")
        return space

    if not isinstance(e.piece, x.PieceOf):
        return space_of
    value_of = _value_of(c, e.piece.variable, e.piece.of, e.piece)

    def space_of_declared(m: Machine) -> Inner:
        space = value_of(m)
        return space_of(m) if space is None else space

    return space_of_declared


def _placed(c: Meanings, e: x.Placed) -> Meaning:
    piece_of, slots = c.of(e.piece), c.setting.piece_slot

    def placed(m: Machine) -> Inner:
        piece = piece_of(m)
        return piece is not None and m.values[slots[piece]] is not None

    return placed


def _home_of(c: Meanings, e: x.HomeOf) -> Meaning:
    piece_of, homes = c.of(e.piece), c.setting.piece_home
    return lambda m: homes.get(piece_of(m))


# ---------------------------------------------------------------- things


def _number_of(c: Meanings, e: x.NumberOf) -> Meaning:
    thing_of, things = c.of(e.thing), c.setting.things

    def number_of(m: Machine) -> Inner:
        thing = thing_of(m)
        if thing is None:
            raise fail(m, e, "of-nothing", "there is nothing whose number could be asked")
        return things[thing].number

    return number_of


def _ordinal(c: Meanings, e: x.Ordinal) -> Meaning:
    thing_of, row_of = c.of(e.thing), c.setting.row_of
    base = c.setting.kind_base[e.kind]

    def ordinal(m: Machine) -> Inner:
        thing = thing_of(m)
        if thing is None:
            raise fail(m, e, "of-nothing", f"nothing is no place in a list for each {e.kind}")
        return row_of[thing] - base + 1

    return ordinal


def _trait(c: Meanings, e: x.Trait) -> Meaning:
    thing_of, values, row_of = _noted(c, e), e.values, c.setting.row_of
    base = c.setting.kind_base[e.kind]

    def trait(m: Machine) -> Inner:
        thing = thing_of(m)
        if thing is None:
            raise fail(m, e, "of-nothing", f"there is nothing whose `{e.name}` could be asked")
        return values[row_of[thing] - base]

    return trait


def _noted(c: Meanings, e: x.Trait) -> Meaning:
    """The thing whose trait is read; where it is wanted, it is noted what is read."""
    thing_of, visits = c.of(e.thing), c.setting.visits
    if visits is None:
        return thing_of
    cells, row_of, base = visits.cells, c.setting.row_of, c.setting.kind_base[e.kind]

    def noted(m: Machine) -> Inner:
        thing = thing_of(m)
        if thing is not None:
            cells.add((e.kind, e.name, row_of[thing] - base))
        return thing

    return noted


def _owner_of(c: Meanings, e: x.OwnerOf) -> Meaning:
    thing_of, setting = c.of(e.thing), c.setting

    def owner_of(m: Machine) -> Inner:
        thing = thing_of(m)
        if thing is None:
            raise fail(m, e, "of-nothing", "there is nothing whose owner could be asked")
        if thing in setting.piece_slot:
            return setting.things[thing].owner
        slot = m.lies_in(thing)
        if slot is None or setting.game.variables[setting.slot_variable[slot]].owner != "player":
            return None
        return setting.slot_owner[slot]

    return owner_of


def _lookup(c: Meanings, e: x.Lookup) -> Meaning:
    key_of, base = c.of(e.key), c.setting.kind_base[e.kind]
    members: dict[int | None, int] = {}
    for thing in range(base, base + c.setting.kind_count[e.kind]):
        members.setdefault(c.setting.things[thing].number, thing)

    def lookup(m: Machine) -> Inner:
        key = key_of(m)
        if key not in members:
            raise fail(m, e, "no-such-member", f"there is no {e.kind} {key}")
        return members[key]

    return lookup


# ---------------------------------------------------------------- sets with an order


def ordered_pile(c: Meanings, of: x.Expr, whole: bool = True) -> Meaning:
    """A set whose order matters: that of a shuffled pile must be decided first.

    whole:  all of it matters, not its first thing alone; so it does where some are picked from it.
    """
    pile, items_of = _pile_under(of), c.of(of)
    if pile is None:
        return items_of
    whole = whole or pile is not of
    slot_in = slot_of(c, pile.variable, pile.of, pile)

    def ordered(m: Machine) -> Inner:
        if m.known:
            slot = slot_in(m)
            if slot in m.known and (whole or m.known[slot][0] == 0):
                raise NeedsOrder(slot, whole)
        return items_of(m)

    return ordered


def _pile_under(e: x.Expr) -> x.Stored | None:
    """The pile from which a set is picked, if it is."""
    while isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered):
        e = e.of
    return e if isinstance(e, x.Stored) else None


def _item_of(c: Meanings, e: x.ItemOf) -> Meaning:
    items_of, index_of = ordered_pile(c, e.of), c.of(e.index)

    def item_of(m: Machine) -> Inner:
        items, index = items_of(m), index_of(m)
        if not 1 <= index <= len(items):
            raise fail(m, e, "outside", f"there is no number {index} among {len(items)}")
        return items[index - 1]

    return item_of


def _end(c: Meanings, e: x.End) -> Meaning:
    items_of, last = ordered_pile(c, e.of, e.last), e.last

    def end(m: Machine) -> Inner:
        items = items_of(m)
        if not items:
            return None
        return items[-1] if last else items[0]

    return end


MEANING.update(
    {
        x.Const: _const,
        x.Direction: _const,
        x.Local: _local,
        x.Element: _element,
        x.OptionValue: _option,
        x.Stored: _stored,
        x.PieceOf: _piece_of,
        x.GroupOf: _group_of,
        x.AllOf: _all_of,
        x.Seats: _seats,
        x.Spaces: _spaces,
        x.Cells: _cells,
        x.CellAt: _cell_at,
        x.SpaceOf: _space_of,
        x.Placed: _placed,
        x.HomeOf: _home_of,
        x.NumberOf: _number_of,
        x.Ordinal: _ordinal,
        x.Trait: _trait,
        x.OwnerOf: _owner_of,
        x.Lookup: _lookup,
        x.ItemOf: _item_of,
        x.End: _end,
    }
)
