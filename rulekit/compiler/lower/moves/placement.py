"""Place a piece, and queue the event of its move for the reactions to it (`reactions` handles the queue)."""

from __future__ import annotations

from rulekit import limits
from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.moves import ownership_checks
from rulekit.compiler.lower.moves.occupancy_index import put_piece
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import add
from rulekit.model import game as model


def place_piece(m: Builder, place: model.Place, piece: p.Expr, space: p.Expr, moved: p.Expr) -> None:
    """Put a piece on a space, and queue that where something may react to it.

    moved:  whether it travelled there, so that it may have reached what lies between.
    """
    ownership_checks.check_piece(m, piece)
    if has_reactions(m, place):
        at = add(piece, p.Const(m.storage.pieces))
        m.emit(p.Add(p.Const(landing_queue(m.program)), piece))
        m.emit(p.Add(p.Const(landing_queue(m.program)), p.Word(at)))
        m.emit(p.Add(p.Const(landing_queue(m.program)), space))
        m.emit(p.Add(p.Const(landing_queue(m.program)), moved))
    put_piece(m, place, piece, space)


def has_reactions(m: Builder, place: model.Place) -> bool:
    """Whether some rule reacts to pieces of a kind that belongs to a place."""
    kinds = {m.setting.things[piece].kind for piece in m.setting.on_place.get(place.name, ())}
    return any(reaction.kind in kinds for reaction in m.setting.game.reactions)


LANDINGS = "landings"
"""The event queue: for each move four numbers, piece, old space, new space, whether it travelled."""


def landing_queue(program: Program) -> int:
    """The number of the list that is the event queue, which is laid out when first asked for."""
    if LANDINGS not in program.storage.list_names:
        program.storage.list(LANDINGS, (), 4 * limits.REACTIONS + 4 * len(program.setting.things))
    return program.storage.list_names.index(LANDINGS)
