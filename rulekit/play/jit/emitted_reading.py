"""Emission of what reads as Python: names, values, pieces, spaces, what is printed on a thing."""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.play.jit.expression_emitter import WRITTEN, Given, Scope, Writer, rows_of, take_slow_path


def _const(w: Writer, e: x.Const, at: Scope) -> str:
    value = e.value
    return str(value) if value is None or isinstance(value, int) else w.same(value)


def _local(w: Writer, e: x.Local, at: Scope) -> str:
    return at.local(e.index)


def _element(w: Writer, e: x.Element, at: Scope) -> str:
    return at.element(e.index)


def _option(w: Writer, e: x.OptionValue, at: Scope) -> str | None:
    if w.game.options[e.index].unclear:
        return None
    return w.need(lambda c: c.setting.options[e.index])


def _slot(w: Writer, variable: int, of: x.Expr | None, at: Scope, first: Given) -> str | None:
    """Where what belongs to an owner begins, as an index."""
    declared = w.game.variables[variable]
    if of is None:
        return w.need(first)
    owner = w.text(of, at)
    if owner is None or declared.form == "group" or declared.owner != "player":
        return None
    return f"{w.need(first)} + {owner}"


def _stored(w: Writer, e: x.Stored | x.PieceOf, at: Scope) -> str | None:
    slot = _slot(w, e.variable, e.of, at, lambda c: c.setting.bases[e.variable])
    return None if slot is None else f"m.values[{slot}]"


def _piece_of(w: Writer, e: x.PieceOf, at: Scope) -> str | None:
    first = _slot(w, e.variable, e.of, at, lambda c: c.setting.piece_first[e.variable])
    return None if first is None else f"({first})"


def _space_of(w: Writer, e: x.SpaceOf, at: Scope) -> str | None:
    space = _stored(w, e.piece, at) if isinstance(e.piece, x.PieceOf) else _space(w, e.piece, at)
    return None if space is None else _something(w, space)


def _space(w: Writer, e: x.Expr, at: Scope) -> str | None:
    piece = w.text(e, at)
    return None if piece is None else f"m.values[{w.need(lambda c: c.setting.piece_slot)}[{piece}]]"


def _something(w: Writer, text: str) -> str:
    """A value that must not be nothing."""
    name = w.fresh("t")
    return f"({name} if ({name} := {text}) is not None else {w.same(take_slow_path)}())"


def _placed(w: Writer, e: x.Placed, at: Scope) -> str | None:
    if not isinstance(e.piece, x.PieceOf):
        return None
    space = _stored(w, e.piece, at)
    return None if space is None else f"({space} is not None)"


def _seats(w: Writer, e: x.Seats, at: Scope) -> str | None:
    if e.who != "players":
        return None
    return f"{w.need(lambda c: _turned(c.setting.players))}[m.starter]"


def _turned(players: int) -> tuple[tuple[int, ...], ...]:
    seats = tuple(range(players))
    return tuple(seats[first:] + seats[:first] for first in seats)


# ---------------------------------------------------------------- things


def _number_of(w: Writer, e: x.NumberOf, at: Scope) -> str | None:
    thing = w.text(e.thing, at)
    return None if thing is None else f"{w.need(lambda c: c.setting.things)}[{thing}].number"


def _trait(w: Writer, e: x.Trait, at: Scope) -> str | None:
    thing = w.text(e.thing, at)
    if thing is None:
        return None
    base = w.need(lambda c: c.setting.kind_base[e.kind])
    return f"{w.same(e.values)}[{w.need(rows_of)}[{thing}] - {base}]"


WRITTEN.update(
    {
        x.Const: _const,
        x.Direction: _const,
        x.Local: _local,
        x.Element: _element,
        x.OptionValue: _option,
        x.Stored: _stored,
        x.PieceOf: _piece_of,
        x.SpaceOf: _space_of,
        x.Placed: _placed,
        x.Seats: _seats,
        x.NumberOf: _number_of,
        x.Trait: _trait,
    }
)
