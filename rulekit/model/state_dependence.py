"""What a define reads beside what it is asked with: nothing, where things stand and what they count, or more.

What reads nothing comes to the same whenever it is asked the same, and what reads places and plain values does so
until one of them changes; so who evaluates it may keep what it came to (memoization).  Of whatever is not known here
it is taken for granted that it reads more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit.model import expr as x
from rulekit.model.builtin_signatures import WORDS
from rulekit.model.game import Game
from rulekit.model.traversal import parts
from rulekit.model.types import CELL, Type
from rulekit.values import frozen


@frozen
class Reading:
    """places: whether it reads where things stand, plain values or who begins.  calls: how deep the calls in it go."""

    places: bool
    calls: int


PLAIN_FORMS = ("counter", "flag", "value")
"""Forms of variables whose values are read here; piles, lists and what was noted before are not."""
_NOTHING_READ = (
    *(x.Const, x.Local, x.Element, x.Cells, x.CellAt, x.Spaces, x.Listed, x.Interval),
    *(x.Not, x.Both, x.Either, x.Choice, x.Arithmetic, x.Negative, x.Compare, x.Same, x.Among),
    *(x.Count, x.Some, x.End, x.ItemOf, x.Fold, x.Mapped, x.Filter, x.Without, x.Union, x.Extreme, x.Ordered),
)
_PLACES_READ = (
    *(x.PieceOf, x.GroupOf, x.AllOf, x.Seats, x.SpaceOf, x.Placed, x.HomeOf, x.NumberOf, x.Ordinal, x.Trait, x.Lookup),
)
_ARGUMENTS_ALONE = frozenset(("min", "max", "abs", "index", "cycle", "seat", "left", "right", "opposite"))
_ARGUMENTS_ALONE |= frozenset(("column", "row", "length", "behind", "links"))
_BY_PLACES = frozenset(("seats_after", "turns_after", "starter", "touching", "neighbours", "beside", "chain", "ahead"))
_BY_PLACES |= frozenset(("first_gap", "depth", "groups", "shifted", "contact_steps", "free_steps", "contact_jumps"))
_BY_PLACES |= frozenset(("empty",))


def reading(game: Game, number: int) -> Reading | None:
    """What a define reads; None for more than can be said here."""
    known: dict[int, Reading | None] = game.kept.setdefault("readings", {})
    waiting = [number]
    while waiting:  # A chain of defines may be longer than calls of Python may be deep.
        behind = [one for one in _invoked(game, waiting[-1]) if one not in known]
        if behind and waiting[-1] not in known:
            waiting += behind
        elif (last := waiting.pop()) not in known:
            known[last] = _reading(game, last)
    return known[number]


def _invoked(game: Game, number: int) -> list[int]:
    """The defines that a define calls, none of which calls it again."""
    return [one.define for one in parts(game.defines[number].value) if isinstance(one, x.Invoke)]


def _reading(game: Game, number: int) -> Reading | None:
    define = game.defines[number]
    handed = tuple(one.type for one in define.handed)
    sources: dict[int, list[x.Expr]] = {}
    for one in parts(define.value):
        if isinstance(one, _LOOKING):
            sources.setdefault(one.slot, []).append(one.of)
    places, calls = False, 0
    for one in parts(define.value):
        found = _of(game, one, handed, sources)
        if found is None:
            return None
        places, calls = places or found.places, max(calls, found.calls)
    return Reading(places, calls)


_LOOKING = (x.Filter, x.Mapped, x.Fold, x.Extreme, x.Ordered)
"""Queries that look at one element after the other."""


def _of(game: Game, one: x.Expr, handed: Sequence[Type], sources: Mapping[int, list[x.Expr]]) -> Reading | None:
    """What a node reads, apart from what stands in it."""
    match one:
        case x.Invoke(define):
            inner = reading(game, define)
            return None if inner is None else Reading(inner.places, inner.calls + 1)
        case x.OptionValue(index):
            return None if game.options[index].unclear else Reading(False, 0)
        case x.Stored(variable):
            return Reading(True, 0) if game.variables[variable].form in PLAIN_FORMS else None
        case x.OwnerOf():
            return None if any(variable.form == "pile" for variable in game.variables) else Reading(True, 0)
        case x.Builtin("beside", (spot, _)) if _is_cell(game, spot, handed, sources):
            return Reading(False, 0)
        case x.Builtin(word):
            known = word in _ARGUMENTS_ALONE | _BY_PLACES and not WORDS[word].reads_order
            return Reading(word in _BY_PLACES, 0) if known else None
    return Reading(isinstance(one, _PLACES_READ), 0) if isinstance(one, _NOTHING_READ + _PLACES_READ) else None


def _is_cell(game: Game, e: x.Expr, handed: Sequence[Type], sources: Mapping[int, list[x.Expr]]) -> bool:
    """Whether it gives a cell or cells, and no piece that stands on one."""
    match e:
        case x.CellAt() | x.Cells() | x.Builtin("beside"):
            return True
        case x.Local(index):
            return index < len(handed) and CELL in (handed[index], handed[index].element)
        case x.Invoke(define):
            return CELL in (game.defines[define].type, game.defines[define].type.element)
        case x.Element(index):
            return index in sources and all(_is_cell(game, of, handed, sources) for of in sources[index])
        case x.End(of) | x.ItemOf(of) | x.Filter(of) | x.Extreme(of) | x.Ordered(of) | x.Without(of):
            return _is_cell(game, of, handed, sources)
    return False
