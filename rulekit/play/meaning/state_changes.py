"""Operations that change the state: assignments, things in piles, what is revealed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit import limits
from rulekit.model import ops
from rulekit.model.types import Type
from rulekit.play.machine.closure_compilation import HANDLERS, Act, Meanings
from rulekit.play.machine.visibility import knowing_all, seeing, seeing_in
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.meaning.control_flow import player
from rulekit.play.state.event import Audience, Later, Told
from rulekit.play.state.external_values import outward
from rulekit.play.state.setting import Setting


def target_slot(c: Meanings, target: ops.Target) -> Callable[[Machine], int]:
    """Where what is to be changed lies; an error if its owner is nothing."""
    slot_of, owner_of = _slot_of(c, target), c.of(target.of)
    return lambda m: slot_of(m, owner_of(m))


def _slot_of(c: Meanings, target: ops.Target) -> Callable[[Machine, int | None], int]:
    """The same for an owner who is known."""
    slot_of = _plain_slot_of(c, target)

    def noted(m: Machine, owner: int | None) -> int:
        m.because(target.cites)
        return slot_of(m, owner)

    return noted if c.traced and target.cites else slot_of


def _plain_slot_of(c: Meanings, target: ops.Target) -> Callable[[Machine, int | None], int]:
    setting, base = c.setting, c.setting.bases[target.variable]
    if target.of is None:
        return lambda m, owner: base
    variable = setting.game.variables[target.variable]
    is_players = variable.owner == "player" and variable.form != "group"

    def slot_of(m: Machine, owner: int | None) -> int:
        if owner is None:
            raise m.error("of-nothing", f"there is nothing whose `{variable.name}` could change")
        return base + owner if is_players else setting.slot(target.variable, owner)

    return slot_of


# ---------------------------------------------------------------- variables


def _assign(c: Meanings, op: ops.Assign) -> Act:
    slot_of, variable = _slot_of(c, op.target), c.setting.game.variables[op.target.variable]
    owner_of, index_of, value_of = c.of(op.target.of), c.of(op.target.index), c.of(op.value)

    def assign(m: Machine, frame: CallFrame) -> None:
        owner, value = owner_of(m), value_of(m)
        slot = slot_of(m, owner)
        check_bounds(m, slot, value)
        _write(m, slot, value, variable.type)

    def assign_snapshot(m: Machine, frame: CallFrame) -> None:
        owner, value = owner_of(m), value_of(m)
        _write(m, slot_of(m, owner), _taken(m, value), variable.type)

    def assign_item(m: Machine, frame: CallFrame) -> None:
        owner, index = owner_of(m), index_of(m)
        if index is None:
            raise m.error("of-nothing", "nothing is no place in a list")
        value = value_of(m)
        _assign_item(m, slot_of(m, owner), index, value)

    if variable.form == "snapshot":
        return assign_snapshot
    return assign if op.target.index is None else assign_item


def _taken(m: Machine, pieces: Any) -> Any:
    """A snapshot: pieces with the cells they stand on; another snapshot is copied."""
    if pieces is None or (pieces and isinstance(pieces[0], tuple)):
        return pieces
    # Of no pieces it is none: nothing stood anywhere.
    return tuple((piece, m.values[m.setting.piece_slot[piece]]) for piece in pieces) or None


def _assign_item(m: Machine, slot: int, index: int, value: int) -> None:
    items = list(m.values[slot])
    if not 1 <= index <= len(items):
        raise m.error("outside", f"there is no number {index} in a list of {len(items)}")
    check_bounds(m, slot, value)
    items[index - 1] = value
    m.check_write(slot)
    m.values[slot] = tuple(items)
    m.open_slots.discard(slot)
    audience = m.sees(slot)
    facts = [Told("what", m.setting.place_path(slot, index)), Told("value", value, audience)]
    m.emit("set", facts, audience)


def check_bounds(m: Machine, slot: int, value: Any) -> None:
    """A counter or list that leaves its declared bounds is an error, never cut in silence."""
    variable = m.setting.game.variables[m.setting.slot_variable[slot]]
    if variable.form not in ("counter", "list") or (value is None and variable.may_be_empty):
        return
    low = variable.low if variable.low is not None else -limits.INTEGER
    high = variable.high if variable.high is not None else limits.INTEGER
    if value is None or not low <= value <= high:
        bounds = f"{low}..{'' if variable.high is None else high}"
        became = "nothing" if value is None else value
        raise m.error("out-of-bounds", f"`{m.setting.path(slot)}` would become {became}, outside {bounds}")


def _write(m: Machine, slot: int, value: Any, kind: Type) -> None:
    if m.branch is not None:
        m.check_write(slot)
    # Also if it stays the same: that it did is as secret as what it is.
    m.open_slots.discard(slot)
    if m.values[slot] == value:
        return
    m.values[slot] = value
    m.changed()
    if m.silent:
        return
    audience = m.sees(slot)
    m.emit("set", Later(_told_set, m.setting, slot, kind, value, audience), audience)


def _told_set(setting: Setting, slot: int, kind: Type, value: Any, audience: Audience) -> tuple[Told, ...]:
    shown = None if kind.name == "snapshot" else outward(setting, kind, value)
    return Told("what", setting.path(slot)), Told("value", shown, audience)


def _set_starter(c: Meanings, op: ops.SetStarter) -> Act:
    value = c.of(op.value)

    def set_starter(m: Machine, frame: CallFrame) -> None:
        seat = value(m)
        if m.branch is not None or seat is None or seat >= m.setting.players:
            raise m.error("not-a-starter", "only a player can be the starter")
        m.starter = seat
        m.changed()
        m.emit("set", [Told("what", "starter"), Told("value", player(m, seat))])

    return set_starter


# ---------------------------------------------------------------- piles


def _move_to_pile(c: Meanings, op: ops.MoveToPile) -> Act:
    things_of, owner_of, slot_of, many = c.of(op.things), c.of(op.to.of), _slot_of(c, op.to), op.many
    word, ahead = "deal" if op.dealt else "move", op.ahead

    def move_to_pile(m: Machine, frame: CallFrame) -> None:
        things, owner = things_of(m), owner_of(m)
        if not many:
            if things is None:
                raise m.error("of-nothing", "there is nothing to move")
            things = (things,)
        put_on_pile(m, things, slot_of(m, owner), word, ahead=ahead)

    return move_to_pile


def put_on_pile(m: Machine, things: tuple[Any, ...], slot: int, word: str, *, ahead: bool = False) -> None:
    """Take things from the piles they lie in and put them on another, in order; one event for each source.

    ahead:  before all that lies there, not behind it.
    """
    if m.branch is not None:
        m.check_write(slot)
    if m.silent and not ahead:
        _put_silently(m, things, slot)
        return
    if len(things) == 1 and not ahead:
        _put_one(m, things[0], slot, word)
        return
    by_source: dict[int | None, list[int]] = {}
    for thing in things:
        by_source.setdefault(_source(m, thing), []).append(thing)
    shown = _uncovered(m, things, slot, ahead)
    told = [(moved, _knowers(m, moved, source, slot, shown), source) for source, moved in by_source.items()]
    for thing in reversed(things) if ahead else things:
        take_out(m, thing)
        _put(m, slot, thing, ahead)
    for moved, audience, source in told:
        _tell_move(m, word, tuple(moved), audience, source, slot, ahead)


def _put_one(m: Machine, thing: int, slot: int, word: str) -> None:
    source, here = _source(m, thing), m.sees(slot)
    audience = None if here is None else _knower(m, thing, source, here)
    take_out(m, thing)
    _put(m, slot, thing)
    _tell_move(m, word, (thing,), audience, source, slot)


def _uncovered(m: Machine, things: tuple[Any, ...], slot: int, ahead: bool) -> int | None:
    """Which of the things that move to a pile comes to lie with nothing on it, if all see the thing on top."""
    lies_under = ahead and not set(m.values[slot]) <= set(things)
    return things[-1] if things and not lies_under else None


def _put_silently(m: Machine, things: tuple[Any, ...], slot: int) -> None:
    """The same where nobody is told who learns what."""
    values, lies, base = m.values, m.lies, m.setting.copy_base
    for thing in things:
        source = lies[thing - base] if thing >= base else -1
        if source < 0 or m.known:
            _source(m, thing)
            take_out(m, thing)
            _put(m, slot, thing)
            continue
        if m.branch is not None:
            m.check_write(source)
        m.open_things.discard(thing)
        pile = values[source]
        place = pile.index(thing)
        values[source] = pile[:place] + pile[place + 1 :]
        values[slot] = (*values[slot], thing)
        lies[thing - base] = slot


def _source(m: Machine, thing: int) -> int | None:
    number = thing - m.setting.copy_base
    if number < 0:
        title = f"`{m.setting.things[thing].key}` is a printed card, not one that lies somewhere"
        raise m.error("not-a-copy", title)
    source = m.lies[number]
    if source < 0:
        return None
    if m.branch is not None:
        m.check_write(source)
    return source


def take_out(m: Machine, thing: int) -> None:
    """Take a copy out of the pile it lies in, if any; what was revealed is no longer."""
    slot = m.lies[thing - m.setting.copy_base]
    m.open_things.discard(thing)
    if slot < 0:
        return
    pile = m.values[slot]
    index = pile.index(thing)
    m.values[slot] = pile[:index] + pile[index + 1 :]
    m.lies[thing - m.setting.copy_base] = -1
    if slot in m.known:
        top, under = m.known[slot]
        m.known[slot] = (top - (index < top), under - (index >= len(pile) - under))
        forget_order(m, slot)


def forget_order(m: Machine, slot: int) -> None:
    """Where nothing of a shuffled pile is undecided any more, its order is like that of any other."""
    top, under = m.known[slot]
    if top + under >= len(m.values[slot]):
        m.known.pop(slot)


def _put(m: Machine, slot: int, thing: int, ahead: bool = False) -> None:
    """Put a thing behind what lies in a pile, or before it; what is on a shuffled pile, or under it, is known to be."""
    m.values[slot] = (thing, *m.values[slot]) if ahead else (*m.values[slot], thing)
    m.lies[thing - m.setting.copy_base] = slot
    if slot in m.known:
        top, under = m.known[slot]
        m.known[slot] = (top + ahead, under + (not ahead))


def _knowers(m: Machine, moved: list[int], source: int | None, slot: int, shown: int | None) -> Audience:
    """Who learns which things move to a slot: whoever sees each where it is or where it comes to lie.

    shown:  the one of all that move there on which nothing comes to lie.
    """
    here, covers = m.sees(slot), m.setting.tops[slot]
    if here is None and not covers:
        return None
    return knowing_all(_knower(m, thing, source, frozenset() if covers and thing != shown else here) for thing in moved)


def _knower(m: Machine, thing: int, source: int | None, here: Audience) -> Audience:
    there = frozenset() if source is None else seeing_in(m, thing, source)
    return None if there is None or here is None else here | there


def _tell_move(
    m: Machine,
    word: str,
    moved: tuple[int, ...],
    audience: Audience,
    source: int | None,
    slot: int,
    ahead: bool = False,
) -> None:
    facts = Later(_told_move, m.setting, moved, audience, source, slot, ahead)
    # Inside one pile nothing changes that others could see.
    m.about(moved)
    m.emit(word, facts, m.sees(slot) if source == slot else None)


def _told_move(
    setting: Setting, moved: tuple[int, ...], audience: Audience, source: int | None, slot: int, ahead: bool
) -> tuple[Told, ...]:
    things = tuple(setting.ref(thing) for thing in moved)
    origin = None if source is None else setting.path(source)
    what, count = Told("things", things, audience, len(things)), Told("count", len(things))
    told = what, count, Told("from", origin), Told("to", setting.path(slot))
    return (*told, Told("end", "bottom" if setting.tops[slot] else "top")) if ahead else told


def _remove_cards(c: Meanings, op: ops.RemoveCards) -> Act:
    things_of, many = c.of(op.things), op.many

    def remove(m: Machine, frame: CallFrame) -> None:
        things = things_of(m)
        for thing in things if many else (things,):
            if thing is None:
                raise m.error("of-nothing", "there is nothing to remove")
            _take_away(m, thing)

    return remove


def _take_away(m: Machine, thing: int) -> None:
    source = _source(m, thing)
    audience = frozenset() if source is None else seeing(m, thing)
    take_out(m, thing)
    facts = [Told("things", (m.setting.ref(thing),), audience, 1)]
    m.about(thing)
    m.emit("remove", [*facts, Told("from", None if source is None else m.setting.path(source))])


def _reveal(c: Meanings, op: ops.Reveal) -> Act:
    things_of = None if op.things is None else c.of(op.things)
    targets = [(variable, c.of(of)) for variable, of in op.targets]

    def reveal(m: Machine, frame: CallFrame) -> None:
        if things_of is not None:
            _reveal_things(m, things_of(m))
        for variable, of in targets:
            owners = of(m)
            for owner in owners if isinstance(owners, tuple) else (owners,):
                _reveal_slot(m, m.setting.slot(variable, owner))

    return reveal


def _reveal_slot(m: Machine, slot: int) -> None:
    """What everybody sees already is not told."""
    is_hidden = m.sees(slot) is not None
    m.open_slots.add(slot)
    if is_hidden:
        m.emit("reveal", Later(_told_reveal, m.setting, slot, m.values[slot]))


def _told_reveal(setting: Setting, slot: int, value: Any) -> tuple[Told, ...]:
    kind = setting.game.variables[setting.slot_variable[slot]].type
    return Told("what", setting.path(slot)), Told("value", outward(setting, kind, value))


def _reveal_things(m: Machine, things: tuple[Any, ...]) -> None:
    """Told pile by pile, but for piles in which everybody sees already what is revealed, and will go on seeing it."""
    hidden = set() if m.silent else {thing for thing in things if not _stays_open(m, thing)}
    m.open_things.update(things)
    by_pile: dict[int | None, list[int]] = {}
    for thing in things if hidden else ():
        by_pile.setdefault(m.lies_in(thing), []).append(thing)
    for slot, shown in by_pile.items():
        if not hidden.isdisjoint(shown):
            m.about(tuple(shown))
            m.emit("reveal", Later(_told_things, m.setting, slot, tuple(shown)))


def _stays_open(m: Machine, thing: int) -> bool:
    """Whether everybody sees a thing where it lies, whatever may be laid upon it."""
    slot = m.lies_in(thing)
    return seeing(m, thing) is None and (slot is None or thing in m.open_things or not m.setting.tops[slot])


def _told_things(setting: Setting, slot: int | None, shown: tuple[int, ...]) -> tuple[Told, ...]:
    where = None if slot is None else setting.path(slot)
    return Told("what", where), Told("value", tuple(setting.ref(thing) for thing in shown))


def _declassify(c: Meanings, op: ops.Declassify) -> Act:
    value_of, setting = c.of(op.value), c.setting

    def declassify(m: Machine, frame: CallFrame) -> None:
        frame.locals[op.local] = value = value_of(m)
        m.emit("reveal", Later(_told_answer, setting, op, value))

    return declassify


def _told_answer(setting: Setting, op: ops.Declassify, value: Any) -> tuple[Told, ...]:
    kind: Any = op.type
    return Told("as", op.name), Told("value", outward(setting, kind, value))


def _announce(c: Meanings, op: ops.Announce) -> Act:
    what, to, setting = c.of(op.what), c.of(op.to), c.setting

    def announce(m: Machine, frame: CallFrame) -> None:
        value = outward(setting, op.type, what(m))  # type: ignore[arg-type]
        heard = frozenset(to(m))
        everybody = heard >= set(range(setting.players))
        m.emit("announce", [Told("value", value)], None if everybody else heard)

    return announce


HANDLERS.update(
    {
        ops.Assign: _assign,
        ops.SetStarter: _set_starter,
        ops.MoveToPile: _move_to_pile,
        ops.RemoveCards: _remove_cards,
        ops.Reveal: _reveal,
        ops.Declassify: _declassify,
        ops.Announce: _announce,
    }
)
