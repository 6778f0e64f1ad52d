"""Values with trails: conditions, what is read, what is called.

The same values as in `play.meaning`, each with the clauses that decided it.
Only what decided is noted: of a choice the branch taken, of an `or` the half
that held.  Who may know a clause follows from all that was read to decide it.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.model import expr as x
from rulekit.play.machine.closure_compilation import MEANING, TRACED, TRACED_SETS, WORDS, Inner, Meaning, Meanings
from rulekit.play.machine.provenance import Trail, meet
from rulekit.play.machine.working_state import Machine, trace_of
from rulekit.play.meaning.operators import queried
from rulekit.play.meaning.reading import chosen_set, slot_of
from rulekit.play.state.event import Audience


def apart(m: Machine, value_of: Meaning) -> tuple[Inner, Trail]:
    """A value with a trail of its own."""
    trace = trace_of(m)
    outer, trace.trail = trace.trail, Trail()
    value, trail = value_of(m), trace.trail
    trace.trail = outer
    return value, trail


def here(m: Machine) -> Trail:
    """The trail of what is being worked out."""
    return trace_of(m).trail


def flat(value_of: Meaning) -> Meaning:
    """A value that follows from all members of the sets in it."""

    def flat(m: Machine) -> Inner:
        value = value_of(m)
        here(m).flatten()
        return value

    return flat


def all_read(found: Iterable[tuple[Inner, Trail]]) -> Audience:
    """Who may know all that was read for several values."""
    read: Audience = None
    for _, trail in found:
        read = meet(read, trail.read)
    return read


# ---------------------------------------------------------------- conditions


def _two(c: Meanings, e: x.Both | x.Either) -> Meaning:
    """The half that decides; whoever is told which one it was must know what both halves read."""
    left, right, settles = c.of(e.left), c.of(e.right), isinstance(e, x.Either)

    def two(m: Machine) -> Inner:
        first, before = apart(m, left)
        if bool(first) is settles:
            here(m).join(before, before.read)
            return first
        second, after = apart(m, right)
        read = meet(before.read, after.read)
        if bool(second) is not settles:
            here(m).join(before, read)
        here(m).join(after, read)
        here(m).read = meet(here(m).read, read)
        return second

    return two


def _choice(c: Meanings, e: x.Choice) -> Meaning:
    test, then, other = c.of(e.test), c.of(e.then), c.of(e.other)

    def choice(m: Machine) -> Inner:
        holds, tested = apart(m, test)
        value, taken = apart(m, then if holds else other)
        here(m).join(tested)
        here(m).join(taken, tested.read)
        if taken.members is not None:
            here(m).hold(taken.members)
        return value

    return choice


# ---------------------------------------------------------------- what is read


def _local(c: Meanings, e: x.Local) -> Meaning:
    index = e.index

    def local(m: Machine) -> Inner:
        value = m.locals[index]
        _bring(m, trace_of(m).locals.get(index), value)
        return value

    return chosen_set(e, local)


def _element(c: Meanings, e: x.Element) -> Meaning:
    index = e.index

    def element(m: Machine) -> Inner:
        value = m.elements[index]
        _bring(m, trace_of(m).elements[index], value)
        return value

    return element


def _bring(m: Machine, trail: Trail | None, value: Inner) -> None:
    """What decided a value that has a name decides what it is read for."""
    if trail is None:
        return
    if trail.members is None:
        here(m).join(trail)
        return
    chosen = trail.chosen(value)
    here(m).join(chosen)
    if chosen.members is not None:
        here(m).hold(chosen.members)


def _option(c: Meanings, e: x.OptionValue) -> Meaning:
    value_of, cites = MEANING[x.OptionValue](c, e), c.setting.game.options[e.index].behind(c.setting.options[e.index])

    def option(m: Machine) -> Inner:
        here(m).add(cites)
        return value_of(m)

    return option


def _seats(c: Meanings, e: x.Seats) -> Meaning:
    """That a neutral seat takes part is decided by the line that says so."""
    value_of, setting = MEANING[x.Seats](c, e), c.setting
    behind = () if e.who == "players" else range(setting.players, setting.everyone)
    neutrals = setting.game.neutrals
    if not behind or neutrals is None or not neutrals.cites:
        return value_of
    cites = neutrals.cites

    def seats(m: Machine) -> Inner:
        here(m).hold({seat: Trail(dict.fromkeys(cites)) for seat in behind})
        return value_of(m)

    return seats


def _stored(c: Meanings, e: x.Stored) -> Meaning:
    slot_in = slot_of(c, e.variable, e.of, e)

    def stored(m: Machine) -> Inner:
        slot = slot_in(m)
        here(m).read = meet(here(m).read, knowing(m, slot))
        return m.values[slot]

    return stored


def knowing(m: Machine, slot: int) -> Audience:
    """Who may know what a slot holds."""
    value, setting = m.values[slot], m.setting
    if slot in setting.pile_slots and all(thing in m.open_things for thing in value):
        return None
    return frozenset() if setting.tops[slot] else m.sees(slot)


# ---------------------------------------------------------------- what is called


def _invoke(c: Meanings, e: x.Invoke) -> Meaning:
    define, args_of = c.setting.game.defines[e.define], [c.of(arg) for arg in e.args]
    deep = queried(define.value)

    def invoke(m: Machine) -> Inner:
        found, trace = [apart(m, arg) for arg in args_of], trace_of(m)
        outer = m.locals, m.elements, trace.locals, trace.elements
        m.locals, trace.locals = [value for value, _ in found], {at: why for at, (_, why) in enumerate(found)}
        m.elements, trace.elements = [None] * deep, [None] * deep
        trace.trail.add(define.cites)
        value = c.of(define.value)(m)
        m.locals, m.elements, trace.locals, trace.elements = outer
        return value

    return invoke


def _builtin(c: Meanings, e: x.Builtin) -> Meaning:
    """Of the smaller or larger of two numbers only the one that it is decides; of other words all of their parts."""
    args_of, word = c.each(e.args), WORDS[e.word]

    def one_of_two(m: Machine) -> Inner:
        found = [apart(m, arg) for arg in args_of]
        value, read = word(m, e, [value for value, _ in found]), all_read(found)
        for one, trail in found:
            if one == value:
                here(m).join(trail, read)
        here(m).read = meet(here(m).read, read)
        return value

    return one_of_two if e.word in ("min", "max") else flat(MEANING[x.Builtin](c, e))


def _possible(c: Meanings, e: x.Possible) -> Meaning:
    value_of, cites = MEANING[x.Possible](c, e), c.setting.game.codes[e.code].cites

    def possible(m: Machine) -> Inner:
        here(m).add(cites)
        return value_of(m)

    return possible


TRACED.update(
    {
        x.Both: _two,
        x.Either: _two,
        x.Choice: _choice,
        x.Local: _local,
        x.Element: _element,
        x.OptionValue: _option,
        x.Seats: _seats,
        x.Stored: _stored,
        x.Invoke: _invoke,
        x.Builtin: _builtin,
        x.Possible: _possible,
    }
)
TRACED_SETS.update({x.Choice, x.Local, x.Element, x.Seats, x.Invoke})
