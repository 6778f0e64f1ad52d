"""Things with trails: where they are, whose they are, and what is printed on them."""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.play.machine.closure_compilation import MEANING, TRACED, Inner, Meaning, Meanings
from rulekit.play.machine.provenance import meet
from rulekit.play.machine.working_state import Machine
from rulekit.play.tracing.values import apart, flat, here, knowing


def _space_of(c: Meanings, e: x.SpaceOf | x.Placed) -> Meaning:
    piece_of, is_asked = c.of(e.piece), isinstance(e, x.Placed)

    def space_of(m: Machine) -> Inner:
        piece = piece_of(m)
        if piece is None:
            return False
        slot = m.setting.piece_slot[piece]
        here(m).read = meet(here(m).read, m.sees(slot))
        return m.values[slot] is not None if is_asked else m.values[slot]

    return space_of


def _owner_of(c: Meanings, e: x.OwnerOf) -> Meaning:
    thing_of, setting = c.of(e.thing), c.setting

    def owner_of(m: Machine) -> Inner:
        thing = thing_of(m)
        if thing in setting.piece_slot:
            return setting.things[thing].owner
        slot = m.lies_in(thing)
        if slot is None or setting.game.variables[setting.slot_variable[slot]].owner != "player":
            return None
        here(m).read = meet(here(m).read, knowing(m, slot))
        return setting.slot_owner[slot]

    return owner_of


def _trait(c: Meanings, e: x.Trait) -> Meaning:
    """What is printed on a thing is told with the clauses of that thing: who is told them knows which thing it was."""
    thing_of, kind = c.of(e.thing), c.setting.game.kinds[e.kind]

    def trait(m: Machine) -> Inner:
        thing, trail = apart(m, thing_of)
        place = m.setting.row_of[thing] - kind.base
        here(m).join(trail)
        here(m).add(kind.members[place].behind(e.name), trail.read)
        return e.values[place]

    return trait


def _number_of(c: Meanings, e: x.NumberOf) -> Meaning:
    """The number of a thing stands on its own line, as its traits do."""
    value_of, thing_of, setting = MEANING[x.NumberOf](c, e), c.of(e.thing), c.setting

    def number_of(m: Machine) -> Inner:
        value = value_of(m)
        thing, trail = apart(m, thing_of)
        kind = setting.game.kinds[setting.things[thing].kind]
        here(m).flatten()
        here(m).add(kind.members[setting.row_of[thing] - kind.base].behind("number"), trail.read)
        return value

    return number_of


def which(c: Meanings, e: x.Expr, compared: x.Expr) -> Meaning:
    """What is compared with numbers that the rules name; of a thing that asks which it is, and nothing of its line."""
    named = isinstance(compared, x.Const) or (
        isinstance(compared, x.Listed) and all(isinstance(item, x.Const) for item in compared.items)
    )
    return MEANING[x.NumberOf](c, e) if named and isinstance(e, x.NumberOf) and not e.cites else c.of(e)


def _same(c: Meanings, e: x.Same) -> Meaning:
    if not isinstance(e.left, x.NumberOf):
        return flat(MEANING[x.Same](c, e))
    left_of, right_of = which(c, e.left, e.right), c.of(e.right)
    return flat(lambda m: (left_of(m) == right_of(m)) != e.negate)


TRACED.update(
    {
        x.SpaceOf: _space_of,
        x.Placed: _space_of,
        x.OwnerOf: _owner_of,
        x.Trait: _trait,
        x.NumberOf: _number_of,
        x.Same: _same,
    }
)
