"""Putting a piece somewhere, and noting it where something may react to it."""

from __future__ import annotations

from rulekit import limits
from rulekit.fast import only_own
from rulekit.fast import plan as p
from rulekit.fast.board import put_piece
from rulekit.fast.maker import Maker, Program, add
from rulekit.model import game as model


def stand(m: Maker, place: model.Place, piece: p.Expr, space: p.Expr, moved: p.Expr) -> None:
    """Put a piece somewhere, and note it where something may react to it."""
    only_own.of_piece(m, piece)
    if reacts(m, place):
        at = add(piece, p.Const(m.storage.pieces))
        m.emit(p.Add(p.Const(landings(m.program)), piece))
        m.emit(p.Add(p.Const(landings(m.program)), p.Word(at)))
        m.emit(p.Add(p.Const(landings(m.program)), space))
        m.emit(p.Add(p.Const(landings(m.program)), moved))
    put_piece(m, place, piece, space)


def reacts(m: Maker, place: model.Place) -> bool:
    kinds = {m.setting.things[piece].kind for piece in m.setting.on_place.get(place.name, ())}
    return any(reaction.kind in kinds for reaction in m.setting.game.reactions)


LANDINGS = "landings"
"""The list that holds, between a move and what reacts to it: piece, old space, new space, whether it travelled."""


def landings(program: Program) -> int:
    if LANDINGS not in program.storage.list_names:
        program.storage.list(LANDINGS, (), 4 * limits.REACTIONS + 4 * len(program.setting.things))
    return program.storage.list_names.index(LANDINGS)
