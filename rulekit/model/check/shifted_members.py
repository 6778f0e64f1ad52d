"""Places in a set of pieces behind a `remove`: what stands behind a removed piece moves up."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.diagnostics import Problems
from rulekit.model import effects, ops
from rulekit.model import expr as x
from rulekit.model.check.reaching_reveals import Reached
from rulekit.model.game import Game
from rulekit.model.traversal import parts
from rulekit.model.types import Type


def check(game: Game, problems: Problems) -> None:
    """Warns of a piece that is named by its place in its set where one of the set may be removed already."""
    places = {(index, pc): op for index, code in enumerate(game.codes) for pc, op in enumerate(code.ops)}
    removing = {place: _removed_groups(game, place[0], op) for place, op in places.items() if op.effects.removes}
    reached = Reached(game)
    for group in sorted(frozenset[int]().union(*removing.values())):
        behind = reached.behind([place for place, groups in removing.items() if group in groups])
        for place in sorted(behind):
            for item in _items(game, places[place]):
                of = item.of.value if isinstance(item.of, x.Mapped) and not item.of.flat else item.of
                if isinstance(of, x.GroupOf | x.PieceOf) and of.variable == group:
                    name = game.variables[group].name
                    title = f"a piece of `{name}` may be removed by now, and those behind it have moved up"
                    note = "a piece keeps a name by `let`, in a `value` or as a row of its own"
                    problems.warn("moved-up", title, item.span, note=note)


def _removed_groups(game: Game, code: int, op: ops.Op) -> frozenset[int]:
    """The sets of pieces that an operation may take one out of: groups, and the single pieces of several owners."""
    groups = {index: one for index, one in enumerate(game.variables) if one.form in ("group", "piece")}
    removed = getattr(op, op.effects.removes[0])
    single = removed.value if isinstance(removed, x.Mapped) else removed
    if isinstance(single, x.PieceOf):
        return frozenset((single.variable,))
    named = frozenset(part.variable for part in parts(removed) if isinstance(part, x.GroupOf))
    if named:
        return named
    kinds = {part.kind for part in parts(removed) if isinstance(part, x.AllOf)} or _kinds_of_locals(game, code, removed)
    return frozenset(
        index
        for index, one in groups.items()
        if not kinds or (one.type.element.kind if one.type.is_set else one.type.kind) in kinds
    )


def _kinds_of_locals(game: Game, code: int, removed: x.Expr) -> set[str]:
    """The kinds of what was chosen, drawn or looped over, as far as the operation that named it tells."""
    named = {part.index for part in parts(removed) if isinstance(part, x.Local)}
    types = [getattr(op, "type", None) for op in game.codes[code].ops if effects.binds(op) in named]
    return {kind.element.kind if kind.is_set else kind.kind for kind in types if isinstance(kind, Type)} - {""}


def _items(game: Game, whole: object) -> Iterator[x.ItemOf]:
    """Places of sets that are written as a number, also in the defines that are asked."""
    waiting, seen = [whole], set[int]()
    while waiting:
        for part in parts(waiting.pop()):
            if isinstance(part, x.ItemOf) and isinstance(part.index, x.Const):
                yield part
            elif isinstance(part, x.Invoke) and part.define not in seen:
                seen.add(part.define)
                waiting.append(game.defines[part.define].value)
