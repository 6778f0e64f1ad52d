"""What the size of a set depends on, where everybody knows how many things lie in a pile."""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.model.game import Game
from rulekit.model.traversal import parts

_SIZED = ("pile", "list")
"""Forms of variables of which everybody knows how many things they hold."""
_OPEN = (x.Seats, x.Const, x.Local, x.Element, x.OptionValue, x.AllOf, x.Interval, x.Spaces, x.Stored, x.Mapped)
"""What a define may be made of whose size depends on nothing but its arguments; of `Stored` only whole piles."""


def size_parts(game: Game, e: x.Expr, *, is_exact: bool) -> tuple[x.Expr, ...]:
    """Return the expressions on whose values the size of a set depends; the set itself if that is all of it.

    is_exact: whether it matters how many there are, and not only whether there are any.
    """
    if isinstance(e, x.Stored) and game.variables[e.variable].form in _SIZED:
        return () if e.of is None else (e.of,)
    if isinstance(e, x.Mapped) and not e.distinct:
        if not e.flat:
            return size_parts(game, e.of, is_exact=is_exact)
        # `players.hand`: which players they are, and how many cards each of them has.
        return (e.of,) if _is_pile_of_each(game, e) else (e,)
    if isinstance(e, x.Union) and (not is_exact or _is_whole(game, e)):
        return (*size_parts(game, e.left, is_exact=is_exact), *size_parts(game, e.right, is_exact=is_exact))
    if isinstance(e, x.Choice):
        sides = (size_parts(game, side, is_exact=is_exact) for side in (e.then, e.other))
        return (e.test, *(part for side in sides for part in side))
    if isinstance(e, x.Ordered):
        return size_parts(game, e.of, is_exact=is_exact)
    if isinstance(e, x.Invoke) and _is_whole(game, game.defines[e.define].value):
        return e.args
    return (e,)


def _is_pile_of_each(game: Game, e: x.Mapped) -> bool:
    value = e.value
    if not isinstance(value, x.Stored) or game.variables[value.variable].form not in _SIZED:
        return False
    return value.of == x.Element(e.slot)


def _is_whole(game: Game, e: x.Expr) -> bool:
    """Whether a set is made of whole piles: no thing lies in two of them, so their sizes add up."""
    if isinstance(e, x.Stored):
        owner = () if e.of is None else tuple(parts(e.of))
        return game.variables[e.variable].form == "pile" and all(isinstance(part, _OPEN[:5]) for part in owner)
    if isinstance(e, x.Mapped):
        is_open = all(isinstance(part, _OPEN[:8]) for part in parts(e.of))
        return e.flat and not e.distinct and _is_pile_of_each(game, e) and is_open
    if isinstance(e, x.Union):
        return _is_whole(game, e.left) and _is_whole(game, e.right)
    return False
