"""Whether the seats of a `secretly each` may be asked one after the other.

The reference engine runs the block of each seat on a copy of its own.  A plan
runs them in turn, which comes to the same where no block reads what another's
has changed.  Whether that is so is looked up here; where it is not, the plan
is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rulekit.fast.layout import Unsupported
from rulekit.fast.maker import Maker
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops


@frozen
class Access:
    """One place where a variable is read or changed; own: surely that of the seat itself."""

    variable: int
    own: bool
    changes: bool


def refuse_shared(m: Maker, inside: tuple[ops.Op, ...], seat: int) -> None:
    """Raises `Unsupported` if a block may read what the block of another seat has changed."""
    game = m.setting.game
    found = list(_of_ops(game, inside, frozenset([seat])))
    changed = {access.variable for access in found if access.changes}
    if any(isinstance(op, ops.MoveToPile) for op in _all_ops(game, inside)):
        changed |= {i for i, v in enumerate(game.variables) if v.form == "pile" and v.owner == "player"}
    if any(access.variable in changed and not access.own for access in found):
        raise Unsupported("a secret block that reads what others change")


def _all_ops(game: model.Game, inside: tuple[ops.Op, ...]) -> Iterator[ops.Op]:
    for op in inside:
        yield op
        if isinstance(op, ops.Call):
            yield from _all_ops(game, game.codes[op.code].ops)
        elif isinstance(op, ops.Perform | ops.MovePiece | ops.Travel | ops.GoHome | ops.Swap):
            raise Unsupported("moves and cards inside `secretly each`")


def _of_ops(game: model.Game, inside: tuple[ops.Op, ...], own: frozenset[int]) -> Iterator[Access]:
    """own: the locals that are the seat itself."""
    for op in inside:
        if isinstance(op, ops.Call):
            yield from _parts(game, op.args, own)
            yield from _of_ops(game, game.codes[op.code].ops, _passed(op.args, own))
        else:
            if isinstance(op, ops.Let) and op.value in [x.Local(index) for index in own]:
                own = own | {op.local}
            yield from _parts(game, op, own)


def _passed(args: tuple[x.Expr, ...], own: frozenset[int]) -> frozenset[int]:
    return frozenset(i for i, arg in enumerate(args) if isinstance(arg, x.Local) and arg.index in own)


def _parts(game: model.Game, value: Any, own: frozenset[int]) -> Iterator[Access]:
    if isinstance(value, x.Stored | ops.Target):
        mine = isinstance(value.of, x.Local) and value.of.index in own
        yield Access(value.variable, mine, isinstance(value, ops.Target))
    if isinstance(value, x.Invoke):
        yield from _parts(game, game.defines[value.define].value, _passed(value.args, own))
    names = getattr(type(value), "__attrs_attrs__", ())
    inner = [getattr(value, name.name) for name in names] if names else value if isinstance(value, tuple) else ()
    for part in inner:
        if isinstance(part, tuple | ops.Op | ops.Target | x.Expr):
            yield from _parts(game, part, own)
