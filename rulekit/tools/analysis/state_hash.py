"""State hashing: a game that mixes all values at all its open decisions into one number, its fingerprint.

Two matches with different fingerprints went different ways, even if they end
alike; every engine can tell.  Where pieces stand on a grid, and what belongs
to the members of large kinds, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.types import NUMBER
from rulekit.tools.analysis.rule_instrumentation import instrumented
from rulekit.tools.analysis.statement_coverage import secret_places
from rulekit.values import evolve

_MODULUS = 1_000_003
_STEP = 31
_OWNERS = 24
"""Members of a kind whose values still count."""


def with_state_hash(game: model.Game, seats: int) -> tuple[model.Game, int]:
    """The game with its fingerprint in a variable (0 to 1,000,003), and the index of that variable."""
    place = len(game.variables)
    variable = model.Variable("fingerprint", "counter", "", NUMBER, low=0, high=_MODULUS)
    apart, blind = secret_places(game)
    mixed = _mixed(place, list(_values(game, seats)))

    def insert(code: int, pc: int, op: ops.Op) -> list[ops.Op]:
        if not (op.effects.asks or op.effects.ends) or code in blind or (code, pc) in apart:
            return []
        return [ops.Assign(ops.Target(place, None), mixed)]

    return instrumented(evolve(game, variables=(*game.variables, variable)), insert), place


def _mixed(place: int, values: list[x.Expr]) -> x.Expr:
    """The old fingerprint and all values, each with a weight of its own."""
    total: x.Expr = x.Arithmetic("*", x.Stored(place, None), x.Const(_STEP))
    total = x.Arithmetic("+", total, x.Const(1))
    for number, value in enumerate(values, 1):
        weighed = x.Arithmetic("*", value, x.Const(number * 7919 % 9973 + 1))
        total = x.Arithmetic("mod", x.Arithmetic("+", total, weighed), x.Const(_MODULUS))
    return total


def _values(game: model.Game, seats: int) -> Iterator[x.Expr]:
    for index, variable in enumerate(game.variables):
        for owner in _owners(game, variable, seats):
            value = _value(game, index, variable, owner)
            if value is not None:
                yield value


def _owners(game: model.Game, variable: model.Variable, seats: int) -> list[x.Expr | None]:
    if variable.owner == "":
        return [None]
    if variable.owner == "player":
        return [x.Const(seat) for seat in range(seats)]
    members = game.kinds[variable.owner].ids
    return [x.Const(member) for member in members] if 0 < len(members) <= _OWNERS else []


def _value(game: model.Game, index: int, variable: model.Variable, of: x.Expr | None) -> x.Expr | None:
    """One value as a number that is never negative."""
    stored = x.Stored(index, of)
    if variable.form == "counter":
        return x.Choice(x.Compare("below", stored, x.Const(0)), x.Negative(stored), stored)
    if variable.form == "flag":
        return x.Choice(stored, x.Const(1), x.Const(0))
    if variable.form == "pile":
        return x.Count(stored)
    if variable.form == "piece" and game.places[variable.place].form == "track":
        piece = x.PieceOf(index, of)
        return x.Choice(x.Placed(piece), x.Arithmetic("+", x.SpaceOf(piece), x.Const(2)), x.Const(1))
    return None
