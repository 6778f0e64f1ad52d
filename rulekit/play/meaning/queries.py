"""Meaning of queries: filtering, mapping, folding and ordering the members of sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulekit import limits
from rulekit.model import expr as x
from rulekit.play.machine.closure_compilation import MEANING, Inner, Meaning, Meanings, always, fail, spend
from rulekit.play.machine.working_state import Machine
from rulekit.play.meaning.operators import bounded, written_range
from rulekit.play.state.cost_model import MEMBER, SCANNED
from rulekit.play.state.errors import LimitError

_FEW = 32
"""Sets with fewer members are searched one by one."""

# ---------------------------------------------------------------- member by member


def _filter(c: Meanings, e: x.Filter) -> Meaning:
    items_of, test, slot, member = c.of(e.of), c.of(e.test), e.slot, c.member_steps(e)

    def filtered(m: Machine) -> Inner:
        items = items_of(m)
        if not items:
            return ()
        if member:
            spend(m, len(items) * member)
        elements = m.elements
        kept = []
        for item in items:
            elements[slot] = item
            if test(m):
                kept.append(item)
        return tuple(kept)

    return filtered


def _values(c: Meanings, slot: int, value: x.Expr, member: int) -> Callable[[Machine, Inner], list[Inner]]:
    """Return a function that evaluates an expression for each member of a set.

    member: the steps that are counted for each.
    """
    value_of = c.of(value)

    def values(m: Machine, items: Inner) -> list[Inner]:
        if member:
            spend(m, len(items) * member)
        elements = m.elements
        found = []
        for item in items:
            elements[slot] = item
            found.append(value_of(m))
        return found

    return values


def _mapped(c: Meanings, e: x.Mapped) -> Meaning:
    items_of, flat, distinct, member = c.of(e.of), e.flat, e.distinct, c.member_steps(e)
    values_of = _values(c, e.slot, e.value, member)
    if isinstance(e.value, x.PieceOf):
        values_of = _in_game(values_of)

    def mapped(m: Machine) -> Inner:
        found = values_of(m, items_of(m))
        if flat:
            found = [item for several in found for item in several]
        return tuple(dict.fromkeys(found)) if distinct else tuple(found)

    def mapped_flat(m: Machine) -> Inner:
        value_of, elements, found = c.of(e.value), m.elements, list[Inner]()
        for item in items_of(m):
            elements[e.slot] = item
            spend(m, member)
            several = value_of(m)
            spend(m, MEMBER * len(several))
            found += several
        return _distinct(m, found) if distinct else tuple(found)

    def mapped_distinct(m: Machine) -> Inner:
        return _distinct(m, values_of(m, items_of(m)))

    return mapped if not member else mapped_flat if flat else mapped_distinct if distinct else mapped


def _in_game(pieces_of: Callable[[Machine, Inner], list[Inner]]) -> Callable[[Machine, Inner], list[Inner]]:
    return lambda m, owners: pieces_in_game(m, pieces_of(m, owners))


def pieces_in_game(m: Machine, pieces: list[Inner]) -> list[Inner]:
    """The declared pieces of several owners, without those that were removed."""
    return [piece for piece in pieces if piece not in m.gone] if m.gone else pieces


def _distinct(m: Machine, items: list[Inner]) -> Inner:
    """The members without repetitions; each is counted as compared with those before it."""
    found: dict[Inner, None] = {}
    for item in items:
        m.steps += len(found) // SCANNED
        found[item] = None
    spend(m, 0)
    return tuple(found)


FOLD: dict[str, Callable[[list[int]], int]] = {
    "sum": sum,
    "least": lambda values: min(values, default=0),
    "most": lambda values: max(values, default=0),
}
"""What is made of the values of all members."""


def _fold(c: Meanings, e: x.Fold) -> Meaning:
    items_of, values_of, fold = c.of(e.of), _values(c, e.slot, e.value, c.member_steps(e)), FOLD[e.op]

    def folded(m: Machine) -> int:
        values = values_of(m, items_of(m))
        if None in values:
            raise fail(m, e.value, "of-nothing", "nothing cannot be reckoned with")
        return bounded(m, e, fold(values))

    return folded


# ---------------------------------------------------------------- by keys


def _keys(c: Meanings, slot: int, key: x.Expr, member: int = 0) -> Callable[[Machine, Inner], list[int]]:
    """Return a function that gives the key of each member of a set.  member: the steps that are counted for each."""
    key_of = c.of(key)

    def keys(m: Machine, items: Inner) -> list[int]:
        if member:
            spend(m, len(items) * member)
        elements = m.elements
        found = []
        for item in items:
            elements[slot] = item
            value = key_of(m)
            if value is None:
                raise fail(m, key, "of-nothing", "nothing cannot be ordered by")
            found.append(value)
        return found

    return keys


def _extreme(c: Meanings, e: x.Extreme) -> Meaning:
    items_of, keys_of, best_of = c.of(e.of), _keys(c, e.slot, e.key, c.member_steps(e)), min if e.lowest else max

    def extreme(m: Machine) -> Inner:
        items = items_of(m)
        if not items:
            return items
        keys = keys_of(m, items)
        best = best_of(keys)
        return tuple(item for item, key in zip(items, keys, strict=True) if key == best)

    return extreme


SortKeys = Callable[["Machine", Inner], list[Any]]


def sort_keys(c: Meanings, slot: int, keys: tuple[tuple[x.Expr, bool], ...]) -> SortKeys:
    """For each member its key, or all of them if there are several; negated where highest comes first."""
    columns = [(_keys(c, slot, key), low) for key, low in keys]
    if len(columns) == 1 and columns[0][1]:
        return columns[0][0]

    def sorting(m: Machine, items: Inner) -> list[tuple[int, ...]]:
        if not columns:
            return [() for _ in items]
        found = [[key if low else -key for key in keys_of(m, items)] for keys_of, low in columns]
        return list(zip(*found, strict=True))

    return sorting


def _ordered(c: Meanings, e: x.Ordered) -> Meaning:
    items_of, keys_of, member = c.of(e.of), sort_keys(c, e.slot, e.keys), c.member_steps(e)

    def ordered(m: Machine) -> Inner:
        items = items_of(m)
        if not items:
            return ()
        if member:
            spend(m, len(items) * member)
        keys = keys_of(m, items)
        return tuple([items[place] for place in sorted(range(len(items)), key=keys.__getitem__)])

    return ordered


# ---------------------------------------------------------------- whole sets


def _without(c: Meanings, e: x.Without) -> Meaning:
    items_of, less_of, row_of, measured = c.of(e.of), c.of(e.less), c.setting.row_of, c.is_measured(e)

    def without(m: Machine) -> Inner:
        items, less = items_of(m), _known(m, less_of(m))
        if measured:
            spend(m, len(less) * MEMBER + len(items) * (MEMBER + len(less) // SCANNED))
        known = less if len(less) < _FEW else frozenset(less)
        return tuple(item for item in items if item not in known)

    def without_things(m: Machine) -> Inner:
        items, less = items_of(m), _known(m, less_of(m))
        if measured:
            spend(m, len(less) * MEMBER + len(items) * (MEMBER + len(less) // SCANNED))
        rows = {row_of[item] for item in less if item is not None}
        return tuple(item for item in items if row_of[item] not in rows)

    def _known(m: Machine, less: Inner | None) -> Inner:
        if less is None:
            raise fail(m, e, "of-nothing", "it is not said what to leave out")
        return less

    return without_things if e.how == "thing" else without


def _union(c: Meanings, e: x.Union) -> Meaning:
    left_of, right_of, measured, row_of = c.of(e.left), c.of(e.right), c.is_measured(e), c.setting.row_of
    are_things = e.how == "thing"

    def union(m: Machine) -> Inner:
        left = left_of(m)
        right = right_of(m)
        if measured:
            spend(m, len(left) + len(right) * (MEMBER + len(left) // SCANNED))
        together = tuple(dict.fromkeys(left + right))
        return without_printed(together, row_of) if are_things else together

    return union


def without_printed(things: Inner, row_of: Sequence[int]) -> Inner:
    """The members of a set of cards but for printed cards of which a copy is in the set."""
    copied = {row_of[thing] for thing in things if thing is not None and row_of[thing] != thing}
    return tuple(thing for thing in things if thing not in copied) if copied else things


def _listed(c: Meanings, e: x.Listed) -> Meaning:
    items = c.each(e.items)
    if len(items) == 1:
        (only,) = items
        return lambda m: (only(m),)
    return lambda m: tuple([item(m) for item in items])


def _interval(c: Meanings, e: x.Interval) -> Meaning:
    low_of, high_of = c.of(e.low), c.of(e.high)
    known, member = written_range(e), c.member_steps(e)
    if known is not None:
        return always(known)

    def interval(m: Machine) -> Inner:
        low, high = low_of(m), high_of(m)
        if low is None or high is None:
            raise fail(m, e, "of-nothing", "a range needs two numbers")
        if high - low >= limits.SET:
            raise LimitError("set-too-large", f"a set of more than {limits.SET}", e.span, m.cites(), m.rule())
        if member:
            spend(m, member * max(0, high - low + 1))
        return tuple(range(low, high + 1))

    return interval


MEANING.update(
    {
        x.Filter: _filter,
        x.Mapped: _mapped,
        x.Fold: _fold,
        x.Extreme: _extreme,
        x.Ordered: _ordered,
        x.Without: _without,
        x.Union: _union,
        x.Listed: _listed,
        x.Interval: _interval,
    }
)
