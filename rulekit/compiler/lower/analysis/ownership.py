"""Ownership analysis: which values inside `secretly each` surely are the seat itself, or its own cards and pieces.

Cards are a seat's own if they lie in its piles.  They stay so while nothing but
its own piles takes them, which `dependence` checks.
"""

from __future__ import annotations

from rulekit.model import effects, ops
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.values import evolve, frozen

FROM_ONE = (x.Filter, x.Without, x.End, x.ItemOf, x.Extreme, x.Ordered)
"""What gives nothing but members of the set `of`."""


@frozen
class Known:
    """What is known at one place of a block.

    seats:  locals that are the seat itself.  mine, elements: locals and elements that are its own things.
    """

    seats: frozenset[int] = frozenset()
    mine: frozenset[int] = frozenset()
    elements: frozenset[int] = frozenset()


def is_seat(e: x.Expr | None, known: Known) -> bool:
    """Whether an expression surely is the seat itself."""
    return isinstance(e, x.Local) and e.index in known.seats


def is_mine(game: model.Game, e: x.Expr | None, known: Known) -> bool:
    """Whether an expression gives nothing but things that are the seat's own."""
    match e:
        case x.Const(value):
            return value is None or value == ()
        case x.Local(index):
            return index in known.mine
        case x.Element(index):
            return index in known.elements
        case x.Stored(variable, of):
            return game.variables[variable].form == "pile" and _is_own(game, variable, of, known)
        case x.PieceOf(variable, of) | x.GroupOf(variable, of):
            return _is_own(game, variable, of, known)
        case x.Union(left, right) | x.Choice(_, left, right):
            return is_mine(game, left, known) and is_mine(game, right, known)
        case x.Listed(items):
            return all(is_mine(game, item, known) for item in items)
        case x.Invoke(define, args):
            return is_mine(game, game.defines[define].value, passed(game, args, known))
    return isinstance(e, FROM_ONE) and is_mine(game, e.of, known)


def _is_own(game: model.Game, variable: int, of: x.Expr | None, known: Known) -> bool:
    return game.variables[variable].owner == "player" and is_seat(of, known)


def passed(game: model.Game, args: tuple[x.Expr, ...], known: Known) -> Known:
    """What is known of the parameters of a rule that is given these."""
    return Known(
        frozenset(i for i, arg in enumerate(args) if is_seat(arg, known)),
        frozenset(i for i, arg in enumerate(args) if is_mine(game, arg, known)),
    )


def bound(game: model.Game, op: ops.Op, known: Known) -> Known:
    """What is known after an operation, which may name something new."""
    local = effects.binds(op)
    if local is None:
        return known
    source = getattr(op, op.effects.source) if op.effects.source else None
    mine = source in known.mine if isinstance(source, int) else source is not None and is_mine(game, source, known)
    return _named(known, local, isinstance(op, ops.Let) and is_seat(op.value, known), mine)


def _named(known: Known, local: int, seat: bool, mine: bool) -> Known:
    seats = known.seats | {local} if seat else known.seats - {local}
    return evolve(known, seats=seats, mine=known.mine | {local} if mine else known.mine - {local})
