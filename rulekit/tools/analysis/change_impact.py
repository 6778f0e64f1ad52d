"""Change impact analysis: which operations and defines of a game another version of it does not have as they are.

Both are compared as checked games, so it does not matter how a change was written.  What never comes by an affected
operation or define does the same in both versions.  Differences that no place can be given for, such as those of a
track or of a start value, affect everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.call_graph import Place
from rulekit.model.effects import retargeted, targets
from rulekit.model.game import Game, Kind
from rulekit.model.traversal import within
from rulekit.play.state.setting import Visits

_WAYS = "next"
"""What is printed on the spaces of a course: where each leads."""
_SAME = ("least", "most", "neutrals", "options", "places", "variables", "main", "result", "reactions")
"""What is compared as a whole.  The rest of a game is compared place by place, or is only told."""


@frozen
class Impact:
    """What a change affects: operations by code and place; defines and invariants by their number.

    All as they are numbered in the old version.
    """

    places: frozenset[Place] = frozenset()
    defines: frozenset[int] = frozenset()
    invariants: frozenset[int] = frozenset()

    def reaches(self, visits: Visits) -> bool:
        """Whether what came by there may go otherwise in the new version."""
        return visits.apart or not (
            self.places.isdisjoint(visits.places)
            and self.defines.isdisjoint(visits.defines)
            and self.invariants.isdisjoint(visits.invariants)
        )


def impact(old: Game, new: Game) -> Impact | None:
    """What differs between two versions; None where everything may."""
    if any(getattr(old, name) != getattr(new, name) for name in _SAME) or not _same_kinds(old.kinds, new.kinds):
        return None
    if any(len(getattr(old, name)) != len(getattr(new, name)) for name in ("codes", "defines", "invariants")):
        return None
    places = {(code, at) for code, pair in enumerate(zip(old.codes, new.codes, strict=True)) for at in _changed(*pair)}
    defines = _unequal(old.defines, new.defines)
    if defines & _asked_before_play(new):
        return None
    return Impact(frozenset(places), defines, _unequal(old.invariants, new.invariants))


def _unequal(old: Iterable[object], new: Iterable[object]) -> frozenset[int]:
    return frozenset(at for at, (one, other) in enumerate(zip(old, new, strict=True)) if one != other)


def _same_kinds(old: Mapping[str, Kind], new: Mapping[str, Kind]) -> bool:
    """Whether there are the same things; what is printed on them stands in what reads it (`model.expr.Trait`).

    What is printed on pieces, and where the spaces of a course lead, is also read where no expression says so.
    """
    pairs = zip(old.values(), new.values(), strict=False)
    return list(old) == list(new) and all(_bare(one) == _bare(other) for one, other in pairs)


def _bare(kind: Kind) -> Kind:
    return kind if kind.piece else evolve(kind, traits={_WAYS: kind.traits.get(_WAYS, ())})


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
