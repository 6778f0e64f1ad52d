"""Non-null analysis: which pieces stand somewhere at all times, so that nobody need look whether they do.

It begins with all variables of pieces that stand at the start.  One is taken
away again as soon as some rule might take its pieces off the board; what
changes places with such a piece goes with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.model import effects, ops
from rulekit.model import expr as x
from rulekit.play.machine.working_state import Machine
from rulekit.play.state.setting import Setting

_KEEPING = ("stops", "wraps", "bounces")
"""Edges of tracks beyond which no piece leaves the board."""


def always_placed(m: Machine) -> frozenset[int]:
    """Variables of pieces that stand at the start and that no rule takes off their track."""
    found = {variable for variable in m.setting.piece_first if _begins(m, variable)}
    everything = [op for code in m.setting.game.codes for op in code.ops]
    for op in everything:
        found -= _taken_off(m.setting, op)
    while not all(pair <= found or not pair & found for pair in _exchanging(m.setting, everything)):
        for pair in _exchanging(m.setting, everything):
            if not pair <= found:
                found -= pair
    return frozenset(found)


def _begins(m: Machine, variable: int) -> bool:
    setting = m.setting
    place = setting.game.places[setting.game.variables[variable].place]
    slots = [setting.piece_slot[piece] for piece in pieces_of(setting, variable)]
    return place.form == "track" and place.edge in _KEEPING and all(m.values[slot] is not None for slot in slots)


def pieces_of(setting: Setting, variable: int) -> range:
    """The numbers of the pieces of a variable, of all owners."""
    declared, first = setting.game.variables[variable], setting.piece_first[variable]
    return range(first, first + setting.owners(declared) * declared.count)


def variables_named(setting: Setting, piece: x.Expr) -> frozenset[int]:
    """The variables whose pieces an expression may give."""
    if isinstance(piece, x.PieceOf | x.GroupOf):
        return frozenset([piece.variable])
    return frozenset(setting.piece_first)


def _taken_off(setting: Setting, op: ops.Op) -> frozenset[int]:
    if isinstance(op, ops.MovePiece) and _is_number(op.to):
        return frozenset()
    return frozenset(variable for name in op.effects.lifts for variable in variables_named(setting, getattr(op, name)))


def _is_number(to: x.Expr) -> bool:
    """Whether a goal is surely a space."""
    if isinstance(to, x.Const):
        return to.value is not None
    if isinstance(to, x.Choice):
        return _is_number(to.then) and _is_number(to.other)
    if isinstance(to, x.Trait):
        return None not in to.values
    return isinstance(to, x.Arithmetic | x.SpaceOf | x.Count | x.Negative)


def _exchanging(setting: Setting, everything: Iterable[ops.Op]) -> Iterator[frozenset[int]]:
    """Variables of which one's pieces may come to stand where another's stood."""
    for op in everything:
        if op.effects.moves and op.effects.exchanges:
            yield frozenset().union(*(variables_named(setting, piece) for piece in effects.moved(op)))
    for place in setting.game.places.values():
        if any(full.word == "swaps" for full in place.full):
            yield frozenset(v for v in setting.piece_first if setting.game.variables[v].place == place.name)
