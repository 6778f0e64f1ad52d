"""Dependence analysis of `secretly each`: which variables may one seat's block read and another's change?

The reference engine runs the block of each seat on a copy of its own.  A plan
runs them in turn (sequentialization), which is equivalent where no block reads
what another's has changed (no data race), and each changes nothing but its
seat's own.  Where there may be a race, everything is snapshotted; where it is
not known whose things change, ownership is checked at run time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.compiler.lower.analysis.ownership import Known, bound, is_mine, is_seat, passed
from rulekit.compiler.lower.builder.ir_builder import Builder
from rulekit.compiler.lower.storage.layout import APART, LISTED, Restart
from rulekit.model import builtin_signatures, effects, ops
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.call_graph import performed
from rulekit.model.state_dependence import PLAIN_FORMS
from rulekit.values import evolve, fields, frozen, has

CARDS, PIECES, ALL, ANSWERS = -1, -2, -3, -4
"""Among the numbers of variables: where cards lie, where pieces stand, anything at all; who decides."""

_PIECES = ("piece", "group")
_MEANT = {CARDS: ("pile",), PIECES: _PIECES, ALL: (*PLAIN_FORMS, *LISTED, *_PIECES)}
"""Which forms of variables these may be."""


@frozen
class Access:
    """One access to a variable; own: surely the variable of the seat itself; changes: a write, else a read."""

    variable: int
    own: bool
    changes: bool


def may_race(m: Builder, inside: tuple[ops.Op, ...], seat: int) -> bool:
    """Whether one seat's block may read what another's changes.

    Errors:  `Restart` if ownership must be checked at run time and this plan does not do so yet.
    """
    game = m.setting.game
    found = list(_of_ops(game, inside, Known(frozenset([seat]))))
    changed = {access.variable for access in found if access.changes}
    if CARDS in changed:
        changed |= {i for i, v in enumerate(game.variables) if v.form == "pile" and v.owner == "player"}
    shared = changed & {access.variable for access in found if not access.own and access.variable != ANSWERS}
    unsure = any(number < 0 or game.variables[number].form not in PLAIN_FORMS for number in shared)
    if m.storage.apart_for is None and (unsure or any(access.changes and not access.own for access in found)):
        raise Restart(APART)
    return bool(shared)


def changed_apart(game: model.Game) -> frozenset[int]:
    """The variables that some block may change: nobody else may see that before all have finished."""
    placed = ((code, place, op) for code in game.codes for place, op in enumerate(code.ops))
    blocks = [(code.ops[place + 1 : op.end], op.local) for code, place, op in placed if isinstance(op, ops.SecretStart)]
    accesses = [one for inside, seat in blocks for one in _of_ops(game, inside, Known(frozenset([seat])))]
    found = {one.variable for one in accesses if one.changes}
    forms = {form for number in found if number < 0 for form in _MEANT.get(number, ())}
    return frozenset(index for index, one in enumerate(game.variables) if index in found or one.form in forms)


def _of_ops(game: model.Game, inside: tuple[ops.Op, ...], known: Known) -> Iterator[Access]:
    for op in inside:
        if op.effects.asks and not is_seat(getattr(op, op.effects.asks), known):
            yield Access(ANSWERS, own=False, changes=True)
        yield from _parts(game, op, known)
        yield from _moves(game, op, known)
        for code, args in _run(game, op):
            yield from _of_code(game, code, passed(game, args, known))
        known = bound(game, op, known)


def _of_code(game: model.Game, code: int, known: Known) -> Iterator[Access]:
    yield from _of_ops(game, game.codes[code].ops, known)


def _run(game: model.Game, op: ops.Op) -> Iterator[tuple[int, tuple[x.Expr, ...]]]:
    """The codes that an operation may run, with what they are given."""
    if isinstance(op, ops.Call):
        yield op.code, op.args
    if isinstance(op, ops.Perform):
        yield from ((code, (op.owner, op.thing)) for code in sorted(performed(game, op)))


# ---------------------------------------------------------------- what moves


def _moves(game: model.Game, op: ops.Op, known: Known) -> Iterator[Access]:
    """What an operation moves, as accesses to the positions of things."""
    row = op.effects

    def mine(names: effects.Fields) -> bool:
        return all(is_mine(game, getattr(op, name), known) for name in names)

    if row.takes:
        yield Access(CARDS, mine(row.takes), changes=True)
    if row.removes:
        yield Access(PIECES, mine(row.removes), changes=True)
    if row.along:
        yield Access(ALL, own=False, changes=True)
    if row.moves:
        yield from _stand(game, mine(row.moves))
        if any(place.capacity or place.free_only for place in game.places.values()):
            yield Access(PIECES, own=False, changes=False)


def _stand(game: model.Game, own: bool) -> Iterator[Access]:
    if game.reactions:
        yield Access(ALL, own=False, changes=True)
    yield Access(PIECES, own, changes=True)
    for place in game.places.values():
        yield from _parts(game, place.halts, Known())


# ---------------------------------------------------------------- what is read


def _parts(game: model.Game, value: Any, known: Known) -> Iterator[Access]:
    yield from _read(game, value, known)
    if isinstance(value, x.Invoke):
        yield from _parts(game, game.defines[value.define].value, passed(game, value.args, known))
    if isinstance(value, x.Possible):
        yield from _of_code(game, value.code, passed(game, value.args, known))
    for part, inner in _within(game, value, known):
        if isinstance(part, tuple | ops.Op | ops.Target | x.Expr):
            yield from _parts(game, part, inner)


def _within(game: model.Game, value: Any, known: Known) -> Iterator[tuple[Any, Known]]:
    """The parts of an expression or operation; the elements of a query are the seat's own if its set is."""
    kind: Any = type(value)
    names = fields(kind) if has(kind) else ()
    inner = known
    if isinstance(value, x.Expr) and hasattr(value, "slot") and hasattr(value, "of"):
        elements = known.elements | {value.slot} if is_mine(game, value.of, known) else known.elements - {value.slot}
        inner = evolve(known, elements=elements)
    for part in [getattr(value, name.name) for name in names] if names else value if isinstance(value, tuple) else ():
        yield part, inner


def _read(game: model.Game, value: Any, known: Known) -> Iterator[Access]:
    if isinstance(value, x.Stored | ops.Target):
        mine = isinstance(value.of, x.Local) and value.of.index in known.seats
        yield Access(value.variable, mine, isinstance(value, ops.Target))
    if isinstance(value, ops.Assign) and game.variables[value.target.variable].form == "snapshot":
        yield Access(PIECES, is_mine(game, value.value, known), changes=False)
    if isinstance(value, x.OwnerOf):
        yield Access(CARDS, is_mine(game, value.thing, known), changes=False)
    if isinstance(value, x.SpaceOf | x.Placed):
        yield Access(PIECES, is_mine(game, value.piece, known), changes=False)
    if isinstance(value, x.NumberOf):
        yield Access(PIECES, is_mine(game, value.thing, known), changes=False)
    looks = isinstance(value, x.Builtin) and builtin_signatures.WORDS[value.word].reads_positions
    if looks or isinstance(value, x.GroupOf | x.AllOf):
        yield Access(PIECES, is_mine(game, value, known), changes=False)
