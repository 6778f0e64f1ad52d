"""Lowering of changes and results: variables, pieces, things in piles, who is ranked."""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.declare import places
from rulekit.model.declare.pictures import placed
from rulekit.model.game import TOP
from rulekit.model.lower import triggers
from rulekit.model.lower.code_builder import LOWER, Lowering
from rulekit.model.resolve import type_inference
from rulekit.model.resolve.attributes import on_squares, space_type
from rulekit.model.resolve.call_expressions import list_index
from rulekit.model.resolve.symbol_table import Typed
from rulekit.model.types import DIRECTION, FLAG, NUMBER, OFFSET, PLAYER, UNKNOWN, Type, fits, set_of
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.unparse_expr import written
from rulekit.values import evolve


def target(low: Lowering, node: nodes.Expr) -> tuple[ops.Target, Type] | None:
    """The variable that an expression names, to be changed; None if it names none."""
    if isinstance(node, nodes.Cited):
        return _cited(target(low, node.of), node)
    if isinstance(node, nodes.Item):
        inner = target(low, node.of)
        if inner is None or low.world.variables[inner[0].variable].form != "list":
            return None
        index = list_index(low.scope, inner[0].variable, node)
        return evolve(inner[0], index=index, span=node.span), NUMBER
    if not isinstance(node, nodes.Word | nodes.Attribute):
        return None
    found = type_inference.infer(low.scope, node)
    if isinstance(found.expr, x.Stored | x.PieceOf):
        return ops.Target(found.expr.variable, found.expr.of, span=node.span), found.type
    return None


def _cited(found: tuple[ops.Target, Type] | None, node: nodes.Cited) -> tuple[ops.Target, Type] | None:
    if found is None:
        return None
    place, kind = found
    return evolve(place, cites=(*place.cites, *(cite.id for cite in node.cites))), kind


def pile_target(low: Lowering, node: nodes.Expr) -> ops.Target | None:
    local = isinstance(node, nodes.Word) and low.scope.local(node.name) is not None
    found = None if local or isinstance(node, nodes.Item) else target(low, node)
    return found[0] if found is not None and low.world.variables[found[0].variable].form == "pile" else None


def _set(low: Lowering, node: nodes.Set) -> None:
    if isinstance(node.target, nodes.Word) and node.target.name == "starter":
        low.emit(ops.SetStarter(type_inference.expect(low.scope, node.value, PLAYER)))
        return
    found = _changeable(low, node.target, ("counter", "flag", "value", "list", "snapshot"))
    if found is None:
        return
    place, kind = found
    if low.world.variables[place.variable].form == "snapshot":
        _set_snapshot(low, place, node)
        return
    triggers.assigned(low, place, type_inference.expect(low.scope, node.value, kind))


def _set_snapshot(low: Lowering, place: ops.Target, node: nodes.Set) -> None:
    """A snapshot takes another one, `none`, or pieces as they stand now."""
    value = type_inference.infer(low.scope, node.value)
    pieces = value.type.is_set and type_inference.on_form(low.world, value.type.element, "grid")
    if not pieces and value.type.name not in ("snapshot", "none", "unknown"):
        low.error("wrong-type", f"pieces on a grid are needed here, but this is {value.type}", node.value.span)
    low.emit(ops.Assign(place, value.expr))


def _changeable(
    low: Lowering, node: nodes.Expr, forms: tuple[str, ...], title: str = "this cannot be set"
) -> tuple[ops.Target, Type] | None:
    found = target(low, node)
    whole_list = found is not None and found[0].index is None and low.world.variables[found[0].variable].form == "list"
    if found is not None and low.world.variables[found[0].variable].form in forms and not whole_list:
        return found
    if found is None and type_inference.infer(low.scope, node).type == UNKNOWN:
        return None
    hint = ""
    if found is not None and low.world.variables[found[0].variable].form == "piece":
        hint = "a piece is moved: `move it to …`, or `move it up by …`"
    if found is not None and low.world.variables[found[0].variable].form == "pile":
        hint = "things are moved: `move things to pile`"
    if whole_list:
        keys = found is not None and low.world.variables[found[0].variable].keys
        hint = f"a list is changed place by place: `name[{keys or 1}]`"
    if isinstance(node, nodes.Word) and low.scope.local(node.name) is not None:
        hint = f"`{node.name}` is a name for one value and keeps it: declare a counter, flag or value for what changes"
    low.error("not-changeable", title, node.span, hint or "only counters, flags, values and places of lists can")
    return None


def _change_by(low: Lowering, node: nodes.ChangeBy) -> None:
    found = _changeable(low, node.target, ("counter", "list"), "only a number can be raised or lowered")
    if found is None:
        return
    place, _ = found
    old: x.Expr = x.Stored(place.variable, place.of, span=node.span)
    if place.index is not None:
        old = x.ItemOf(old, place.index, span=node.span)
    op = "+" if node.verb == "raise" else "-"
    way = triggers.UP if node.verb == "raise" else triggers.DOWN
    value = x.Arithmetic(op, old, low.number(node.amount), span=node.span)
    triggers.assigned(low, place, value, way if isinstance(node.amount, nodes.Number) else 0)


def _move_to(low: Lowering, node: nodes.MoveTo) -> None:
    pile = pile_target(low, node.to)
    things = type_inference.infer(low.scope, node.thing)
    if pile is not None:
        _to_pile(low, node, things, pile)
        return
    kind = things.type.element if things.type.is_set else things.type
    if kind == UNKNOWN:
        return
    if kind.kind not in low.world.places_of:
        if type_inference.infer(low.scope, node.to).type == UNKNOWN:
            return
        hint = "pieces move to spaces, cards and other things to piles"
        if isinstance(node.to, nodes.Choice):
            hint = f"write `if …: move {written(node.thing)} to …`, and the other pile below `else`"
            low.error("not-movable", "a pile is named, and not worked out", node.to.span, hint)
            return
        low.error("not-movable", f"{things.type} cannot be moved there", node.span, hint)
        return
    to = type_inference.expect(low.scope, node.to, space_type(low.world, kind.kind))
    low.emit(ops.MovePiece(things.expr, to, things.type.is_set))


def _move_onto(low: Lowering, node: nodes.MoveOnto) -> None:
    pile = known_pile(low, node.to, "only a pile has a top and a bottom")
    things = type_inference.infer(low.scope, node.thing)
    if pile is not None:
        _to_pile(low, node, things, pile, ahead=(node.end == "top") != is_laid_on(low, pile))


def known_pile(low: Lowering, node: nodes.Expr, title: str) -> ops.Target | None:
    """The pile that must stand here; adds `not-a-pile`, but not for a word that means nothing at all."""
    pile = pile_target(low, node)
    if pile is None and type_inference.infer(low.scope, node).type != UNKNOWN:
        low.error("not-a-pile", title, node.span)
    return pile


def is_laid_on(low: Lowering, pile: ops.Target) -> bool:
    """Whether the top of a pile is its last thing: where all see it, since each thing is laid on the others."""
    return low.world.variables[pile.variable].seen == TOP


def _to_pile(
    low: Lowering, node: nodes.MoveTo | nodes.MoveOnto, things: Typed, pile: ops.Target, *, ahead: bool = False
) -> None:
    holds = low.world.variables[pile.variable].type
    wanted = holds if things.type.is_set else holds.element
    if not fits(things.type, wanted):
        title = f"this pile holds {holds.element.kind}s, and this is {things.type}"
        low.error("wrong-type", title, node.span)
        return
    triggers.filled(low, ops.MoveToPile(things.expr, pile, things.type.is_set, ahead))


def _travel(low: Lowering, node: nodes.Travel) -> None:
    piece = type_inference.infer(low.scope, node.piece)
    if piece.type == UNKNOWN:
        return
    place = low.world.places.get(low.world.places_of.get(piece.type.kind, ""))
    if place is None or place.form != "track":
        title = f"only a piece on a track moves {node.heading}, and this is {piece.type}"
        low.error("not-on-a-track", title, node.piece.span)
        return
    way = places.heading(low.world, place, node.heading, node.span)
    low.emit(ops.Travel(piece.expr, way, low.number(node.amount)))


def _go_home(low: Lowering, node: nodes.GoHome) -> None:
    piece = type_inference.infer(low.scope, node.piece)
    kind = piece.type.element if piece.type.is_set else piece.type
    if kind.kind not in low.world.places_of and kind != UNKNOWN:
        low.error("not-movable", f"only a piece has a home, and this is {piece.type}", node.piece.span)
        return
    low.emit(ops.GoHome(piece.expr, piece.type.is_set))


def _swap(low: Lowering, node: nodes.Swap) -> None:
    left, right = type_inference.infer(low.scope, node.left), type_inference.infer(low.scope, node.right)
    if left.type.name not in ("thing", "unknown") or not fits(right.type, left.type):
        low.error("wrong-type", f"{left.type} and {right.type} cannot change places", node.span)
        return
    kind = ops.Swap if left.type.kind in low.world.places_of else ops.SwapCards
    if kind is ops.SwapCards and triggers.on_piles(low, left.type):
        hint = "move the two one after the other"
        low.error("not-movable", f"a swap brings no {left.type.kind} in, and `when` waits for that", node.span, hint)
    low.emit(kind(left.expr, right.expr))


def _push(low: Lowering, node: nodes.Push) -> None:
    toward = type_inference.expect(low.scope, node.toward, DIRECTION)
    if node.verb == "compact":
        on_squares(low.world, node.verb, node.span)
        low.emit(ops.Compact(_on_grid(low, node.thing), toward))
        return
    what = type_inference.infer(low.scope, node.thing)
    if what.type != UNKNOWN and not type_inference.on_form(low.world, what.type, "grid"):
        low.error("wrong-type", f"only a piece on a grid is pushed, and this is {what.type}", node.thing.span)
    low.emit(ops.PushRun(what.expr, toward))


def _on_grid(low: Lowering, node: nodes.Expr) -> x.Expr:
    """Pieces of a grid that move together; a single one is a set of one."""
    pieces = type_inference.infer(low.scope, node)
    kind = pieces.type.element if pieces.type.is_set else pieces.type
    if kind != UNKNOWN and not type_inference.on_form(low.world, kind, "grid"):
        low.error("wrong-type", f"only pieces on a grid move together, and this is {pieces.type}", node.span)
    return pieces.expr if pieces.type.is_set else x.Listed((pieces.expr,), span=node.span)


def _shift(low: Lowering, node: nodes.Shift) -> None:
    pieces = _on_grid(low, node.things)
    if node.toward is None:
        low.emit(ops.Shift(pieces, None, type_inference.expect(low.scope, node.by, OFFSET)))
        return
    toward = type_inference.expect(low.scope, node.toward, DIRECTION)
    low.emit(ops.Shift(pieces, toward, low.number(node.by)))


def _remove(low: Lowering, node: nodes.Remove) -> None:
    what = type_inference.infer(low.scope, node.thing)
    kind = what.type.element if what.type.is_set else what.type
    if kind.name not in ("thing", "unknown"):
        low.error("wrong-type", f"only things can be removed, and this is {what.type}", node.span)
    made = ops.Remove if kind.kind in low.world.places_of else ops.RemoveCards
    low.emit(made(what.expr, what.type.is_set))


def _reveal(low: Lowering, node: nodes.Reveal) -> None:
    low.not_secretly(node.span, "`reveal`")
    what = type_inference.infer(low.scope, node.what)
    inner = what.expr.value if isinstance(what.expr, x.Mapped) else what.expr
    of = what.expr.of if isinstance(what.expr, x.Mapped) else getattr(inner, "of", None)
    if isinstance(inner, x.Stored) and low.world.variables[inner.variable].form != "pile":
        if of is not None and what.expr.cites:
            of = evolve(of, cites=(*of.cites, *what.expr.cites))
        low.emit(ops.Reveal(None, ((inner.variable, of),)))
    elif (what.type.element if what.type.is_set else what.type).name == "thing":
        things = what.expr if what.type.is_set else x.Listed((what.expr,))
        low.emit(ops.Reveal(things))
    elif what.type != UNKNOWN:
        whether = "whether" if what.type == FLAG else None
        answer = written(nodes.Declassify(whether, node.what, "answer"))
        hint = f"a pile, a card or a variable is; a value has a name: `{answer}`"
        low.error("wrong-type", f"{what.type} cannot be revealed", node.span, hint)


def _declassify(low: Lowering, node: nodes.Declassify) -> None:
    low.not_secretly(node.span, "`reveal`")
    if node.whether is not None:
        value, kind = low.flag(node.what), FLAG
    else:
        found = type_inference.infer(low.scope, node.what)
        value, kind = found.expr, found.type
        if kind == FLAG:
            hint = f"write `{written(evolve(node, whether='whether'))}`"
            low.error("wrong-type", "this is yes or no", node.what.span, hint)
    low.emit(ops.Declassify(low.bind(node.name, kind, node.span), node.name, value, kind))


def _announce(low: Lowering, node: nodes.Announce) -> None:
    low.not_secretly(node.span, "`announce`")
    what = type_inference.infer(low.scope, node.what)
    to = type_inference.infer(low.scope, node.to, set_of(PLAYER))
    seats = to.expr if to.type.is_set else x.Listed((type_inference.expect(low.scope, node.to, PLAYER),))
    low.emit(ops.Announce(what.expr, seats, what.type))


def _picture(low: Lowering, node: nodes.Picture) -> None:
    group = placed(low.world, node.place, node.rows, node.span)
    if group is not None:
        low.emit(ops.Place(group.cells))
        for piece, value in group.values:
            assert group.shown is not None
            low.emit(ops.Assign(ops.Target(group.shown, x.Const(piece)), x.Const(value)))


def _rank(low: Lowering, node: nodes.Rank) -> None:
    ranked = node.players
    keys: tuple[tuple[x.Expr, bool], ...] = ()
    slot = 0
    if isinstance(ranked, nodes.Ordered):
        of = type_inference.expect_set(low.scope, ranked.of, PLAYER)
        ordered = type_inference.infer(low.scope, ranked)
        assert isinstance(ordered.expr, x.Ordered) or ordered.type == UNKNOWN
        if isinstance(ordered.expr, x.Ordered):
            keys, slot = ordered.expr.keys, ordered.expr.slot
    else:
        of = type_inference.expect_set(low.scope, ranked, PLAYER)
    _players_only(low, of, node.span)
    low.emit(ops.Rank(of.expr, keys, slot))


def _defeat(low: Lowering, node: nodes.Defeat) -> None:
    of = type_inference.expect_set(low.scope, node.players, PLAYER)
    _players_only(low, of, node.span)
    low.emit(ops.Defeat(of.expr))


def _players_only(low: Lowering, of: Typed, span: Span) -> None:
    if not fits(of.type.element, PLAYER):
        low.error("wrong-type", f"players are needed here, but this is {of.type}", span)


def _together(low: Lowering, node: nodes.Together) -> None:
    """All that is reached must be of one counter, or reports would add up different things."""
    world = low.world
    index = world.by_owner.get(("", node.counter))
    if index is None or world.variables[index].form != "counter":
        counters = {one.name for one in world.variables if one.form == "counter" and one.owner == ""}
        world.unknown(node.counter, node.span, "counter of the game", counters)
        return
    reached = world.variables[index]
    if reached.low is None or reached.high is None or reached.low >= reached.high:
        hint = f"write `counter {reached.name} 0..25`, with the most that can be reached"
        low.error("wrong-type", f"nobody knows how much of `{reached.name}` there is to reach", node.span, hint)
        return
    if world.together not in (None, index):
        low.error("duplicate", "a game is about one thing that all reach, and this is another", node.span)
    world.together = index
    low.emit(ops.Together(x.Stored(index, None, span=node.span), reached.low, reached.high))


def _note(low: Lowering, node: nodes.Note) -> None:
    world = low.world
    index = world.by_owner.get(("", node.history))
    if index is None or world.variables[index].form != "history":
        histories = {one.name for one in world.variables if one.form == "history"}
        world.unknown(node.history, node.span, "history", histories)
        return
    compared = tuple(one.value for one in world.variables[index].compared)
    low.emit(ops.Note(ops.Target(index, None, span=node.span), compared))


LOWER.update(
    {
        nodes.Set: _set,
        nodes.ChangeBy: _change_by,
        nodes.MoveTo: _move_to,
        nodes.MoveOnto: _move_onto,
        nodes.Travel: _travel,
        nodes.GoHome: _go_home,
        nodes.Swap: _swap,
        nodes.Push: _push,
        nodes.Shift: _shift,
        nodes.Remove: _remove,
        nodes.Reveal: _reveal,
        nodes.Declassify: _declassify,
        nodes.Announce: _announce,
        nodes.Rank: _rank,
        nodes.Defeat: _defeat,
        nodes.Together: _together,
        nodes.Note: _note,
        nodes.Picture: _picture,
    }
)
