"""Change impact analysis: which operations and defines of a game another version of it does not have as they are.

Both are compared as checked games, so it does not matter how a change was written.  What never comes by an affected
operation or define does the same in both versions.  Differences that no place can be given for, such as those of a
track or of a start value, affect everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.call_graph import Place
from rulekit.model.effects import retargeted, targets
from rulekit.model.game import Define, Game, Invariant, Kind
from rulekit.model.traversal import within
from rulekit.play.state.setting import Visits
from rulekit.values import evolve, fields, frozen

_WAYS = "next"
"""What is printed on the spaces of a course: where each leads."""
_SAME = ("least", "most", "neutrals", "options", "places", "variables", "main", "result", "reactions")
"""What is compared as a whole.  The rest of a game is compared place by place, or is only told."""


@frozen
class Impact:
    """What a change affects: operations by code and place; defines and invariants by their number; what is printed.

    All as they are numbered in the old version.
    """

    places: frozenset[Place] = frozenset()
    defines: frozenset[int] = frozenset()
    invariants: frozenset[int] = frozenset()
    cells: frozenset[tuple[str, str, int]] = frozenset()

    def reaches(self, visits: Visits) -> bool:
        """Whether what came by there may go otherwise in the new version."""
        return visits.apart or not (
            self.places.isdisjoint(visits.places)
            and self.defines.isdisjoint(visits.defines)
            and self.invariants.isdisjoint(visits.invariants)
            and self.cells.isdisjoint(visits.cells)
        )


def impact(old: Game, new: Game) -> Impact | None:
    """What differs between the rules of two versions, whatever their examples are; None where everything may."""
    ours, theirs = _rule_codes(old), _rule_codes(new)
    cells = _cells(old.kinds, new.kinds)
    if cells is None or any(getattr(old, name) != getattr(new, name) for name in _SAME) or len(ours) != len(theirs):
        return None
    if len(old.defines) != len(new.defines) or len(old.invariants) != len(new.invariants):
        return None
    if _unequal(old.defines, new.defines) & _asked_before_play(new):
        return None
    bare = _unprinted if cells else _as_it_is
    places = {(code, at) for code in _unequal(ours, theirs) for at in _changed(bare(ours[code]), bare(theirs[code]))}
    defines, invariants = _unequal(old.defines, new.defines, bare), _unequal(old.invariants, new.invariants, bare)
    return Impact(frozenset(places), defines, invariants, cells)


def _rule_codes(game: Game) -> list[ops.Code]:
    """Without those that examples begin with `do`, which stand last."""
    return [code for code in game.codes if code.name != "do"]


def _as_it_is(node: Any) -> Any:
    return node


def _unequal(old: Sequence[object], new: Sequence[object], bare: Callable[[Any], Any] = _as_it_is) -> frozenset[int]:
    pairs = enumerate(zip(old, new, strict=True))
    return frozenset(at for at, (one, other) in pairs if one != other and bare(one) != bare(other))


def _cells(old: Mapping[str, Kind], new: Mapping[str, Kind]) -> frozenset[tuple[str, str, int]] | None:
    """What is printed otherwise, by kind, trait and number of the member; None where there are other things.

    What is printed on pieces, and where the spaces of a course lead, is also read where no expression says so.
    """
    if list(old) != list(new) or any(_bare(kind) != _bare(new[name]) for name, kind in old.items()):
        return None
    return frozenset(
        (name, trait, row)
        for name, kind in old.items()
        for trait, values in kind.traits.items()
        for row, value in enumerate(values)
        if new[name].traits[trait][row] != value
    )


def _bare(kind: Kind) -> Kind:
    """Without what is printed on its members; a row of it is as long as before."""
    kept = {name: values if kind.piece or name == _WAYS else (len(values),) for name, values in kind.traits.items()}
    return evolve(kind, traits=kept)


def _unprinted(node: Any) -> Any:
    """A code, define, invariant or part of one, without what is printed on things."""
    if isinstance(node, tuple):
        return tuple(map(_unprinted, node))
    if not isinstance(node, x.Expr | ops.Op | ops.Target | ops.Code | Define | Invariant):
        return node
    kind: Any = type(node)
    made = {one.name: _unprinted(getattr(node, one.name)) for one in fields(kind) if one.name not in _BESIDE}
    return evolve(node, **{**made, "values": ()} if isinstance(node, x.Trait) else made)


_BESIDE = ("span", "cites", "own", "tied")
"""What does not say what is done."""


def _asked_before_play(game: Game) -> set[int]:
    """The defines that may be asked while a match is made ready, when nobody notes it."""
    places = game.places.values()
    asked = (
        game.neutrals,
        tuple(variable.start for variable in game.variables),
        tuple(guard.test for option in game.options for guard in option.guards),
        tuple((place.bounded, place.halts) for place in places),
        tuple(most for place in places for _, most in place.capacity),
        tuple(full.test for place in places for full in place.full),
        tuple(x.Invoke(each.watchers, ()) for each in game.variables if each.watchers is not None),
    )
    return {part.define for part in within(asked, game.defines) if isinstance(part, x.Invoke)}


# ---------------------------------------------------------------- inside a code


def _changed(old: ops.Code, new: ops.Code) -> Iterable[int]:
    """The places in the old code where the new one goes otherwise.

    Both are followed from their first operation: as long as none of these places is come by, each operation that is
    carried out is the same in both, and so is the next one.
    """
    if old is new or old == new:
        return ()
    every = range(len(old.ops))
    if _without_operations(old) != _without_operations(new):
        return every
    first, last, by = *_region(old, new), len(new.ops) - len(old.ops)
    if first == 0 or last == len(old.ops) or _has_condition((*old.ops[first:last], *new.ops[first : last + by])):
        return every
    # What is put between two operations is come by behind the first of them.
    between = {first - 1} if first == last else set()
    kept = (at for at in every if not first <= at < last)
    led = {at for at in kept if not _leads_alike(old.ops[at], new.ops[at if at < first else at + by], first, last, by)}
    return {*range(first, last), *between, *led}


def _without_operations(code: ops.Code) -> ops.Code:
    return evolve(code, ops=(), scopes=())


def _region(old: ops.Code, new: ops.Code) -> tuple[int, int]:
    """The operations that have no counterpart, as a slice of the old code."""
    ours, theirs = _blanked(old), _blanked(new)
    shorter = min(len(ours), len(theirs))
    first = _alike(ours, theirs, shorter)
    return first, len(ours) - _alike(ours[::-1], theirs[::-1], shorter - first)


def _alike(ours: Sequence[object], theirs: Sequence[object], most: int) -> int:
    """How many of the first ones are equal."""
    return next((at for at in range(most) if ours[at] != theirs[at]), most)


def _blanked(code: ops.Code) -> list[object]:
    """Each operation and what is in force there, without where it leads."""
    return [(retargeted(op, lambda *_: 0), scope) for op, scope in zip(code.ops, code.scopes, strict=True)]


def _leads_alike(old: ops.Op, new: ops.Op, first: int, last: int, by: int) -> bool:
    """Whether the flow goes on at counterparts, or where it comes by the difference anyway."""
    ways = zip(targets(old), targets(new), strict=True)
    return all(first <= ours < last or theirs == (ours if ours < first else ours + by) for ours, theirs in ways)


def _has_condition(region: Sequence[ops.Op]) -> bool:
    """Whether a question before it looks ahead to what is met here."""
    return any(isinstance(op, ops.OnlyIf) for op in region)
