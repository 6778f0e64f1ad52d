"""Sets with trails: what let each member in, and which of them a value follows from."""

from __future__ import annotations

from typing import Any

from rulekit.model import expr as x
from rulekit.play.machine.closure_compilation import TRACED, TRACED_SETS, Inner, Meaning, Meanings
from rulekit.play.machine.provenance import Trail, meet
from rulekit.play.machine.working_state import Machine, trace_of
from rulekit.play.meaning.queries import FOLD, pieces_in_game, without_printed
from rulekit.play.meaning.reading import ordered_pile
from rulekit.play.state.event import Audience
from rulekit.play.tracing.things import which
from rulekit.play.tracing.values import all_read, apart, here

# ---------------------------------------------------------------- member by member


def each_member(m: Machine, e: Any, items: Inner, trail: Trail, value_of: Meaning) -> list[tuple[Inner, Trail]]:
    """For each member what an expression gives, with a trail; who looks at one knows what the set was read from."""
    found = []
    for item in items:
        m.elements[e.slot] = item
        trace_of(m).elements[e.slot] = one = Trail(read=trail.read)
        if trail.members and item in trail.members:
            one.join(trail.members[item])
        found.append(apart(m, value_of))
    trace_of(m).elements[e.slot] = None
    return found


def _filter(c: Meanings, e: x.Filter) -> Meaning:
    items_of, test = c.of(e.of), c.of(e.test)

    def filtered(m: Machine) -> Inner:
        items, trail = apart(m, items_of)
        tested = each_member(m, e, items, trail, test)
        read = all_read(tested)
        members: dict[Any, Trail] = {}
        for item, (holds, why) in zip(items, tested, strict=True):
            if holds:
                members[item] = member(trail, item, why, read)
        hand_on(m, trail, read, members)
        if not members:
            for _, why in tested:
                here(m).join(why, read)
        return tuple(item for item, (holds, _) in zip(items, tested, strict=True) if holds)

    return filtered


def member(trail: Trail, item: Inner, why: Trail, read: Audience) -> Trail:
    """A member's trail: what let it into the set it comes from, and more."""
    made = Trail()
    if trail.members and item in trail.members:
        made.join(trail.members[item])
    made.join(why, read)
    made.read = meet(made.read, read)
    return made


def hand_on(m: Machine, trail: Trail, read: Audience, members: dict[Any, Trail] | None) -> None:
    """The trail of a set that was made of another one."""
    here(m).join(trail)
    here(m).read = meet(here(m).read, read)
    here(m).hold(members or None)


def _mapped(c: Meanings, e: x.Mapped) -> Meaning:
    items_of, value_of, flat = c.of(e.of), c.of(e.value), e.flat

    def mapped(m: Machine) -> Inner:
        items, trail = apart(m, items_of)
        found = each_member(m, e, items, trail, value_of)
        members: dict[Any, Trail] = {}
        for item, (value, why) in zip(items, found, strict=True):
            for one in value if flat else (value,):
                made = member(trail, item, why.of(one) if flat else why, why.read)
                members.setdefault(one, Trail()).join(made)
        hand_on(m, trail, None, members)
        values = [one for value, _ in found for one in (value if flat else (value,))]
        if isinstance(e.value, x.PieceOf):
            values = pieces_in_game(m, values)
        return tuple(dict.fromkeys(values)) if e.distinct else tuple(values)

    return mapped


def _fold(c: Meanings, e: x.Fold) -> Meaning:
    """Of a sum all members decide; of the least and the most only those that have it."""
    items_of, each_of = c.of(e.of), c.of(e.value)

    def fold(m: Machine) -> Inner:
        items, trail = apart(m, items_of)
        found = each_member(m, e, items, trail, each_of)
        read, whole = all_read(found), FOLD[e.op]([value for value, _ in found])
        here(m).join(trail)
        here(m).read = meet(here(m).read, read)
        for item, (value, why) in zip(items, found, strict=True):
            if e.op == "sum" or value == whole:
                here(m).join(member(trail, item, why, read))
        return whole

    return fold


# ---------------------------------------------------------------- sets as wholes, and one of them


def _without(c: Meanings, e: x.Without) -> Meaning:
    items_of, less_of, row_of = c.of(e.of), c.of(e.less), c.setting.row_of

    def without(m: Machine) -> Inner:
        items, trail = apart(m, items_of)
        others, less = apart(m, less_of)
        less.flatten()
        if e.how == "thing":
            rows = {row_of[item] for item in others if item is not None}
            items = tuple(item for item in items if row_of[item] not in rows)
        else:
            items = tuple(item for item in items if item not in others)
        hand_on(
            m,
            trail,
            None,
            {item: trail.members[item] for item in items if item in trail.members} if trail.members else None,
        )
        here(m).join(less)
        return items

    return without


def _union(c: Meanings, e: x.Union) -> Meaning:
    sides, row_of = (c.of(e.left), c.of(e.right)), c.setting.row_of

    def union(m: Machine) -> Inner:
        members: dict[Any, Trail] = {}
        for side in sides:
            items, trail = apart(m, side)
            for item in items:
                members.setdefault(item, trail.of(item))
            here(m).read = meet(here(m).read, trail.read)
        here(m).hold(members or None)
        return without_printed(tuple(members), row_of) if e.how == "thing" else tuple(members)

    return union


def _listed(c: Meanings, e: x.Listed) -> Meaning:
    items = c.each(e.items)

    def listed(m: Machine) -> Inner:
        found = [apart(m, item) for item in items]
        members: dict[Any, Trail] = {}
        for value, trail in found:
            members.setdefault(value, Trail()).join(trail)
        here(m).read = meet(here(m).read, all_read(found))
        here(m).hold(members or None)
        return tuple(value for value, _ in found)

    return listed


def _some(c: Meanings, e: x.Some) -> Meaning:
    """That there are any is decided by the first; how many lie in a pile everybody may know."""
    items_of, is_open = c.of(e.of), isinstance(e.of, x.Stored | x.Local)

    def some(m: Machine) -> Inner:
        items, trail = apart(m, items_of)
        _join_openly(m, trail.of(items[0]) if items else trail, is_open)
        return (not items) == e.negate

    return some


def _count(c: Meanings, e: x.Count) -> Meaning:
    items_of, is_open = c.of(e.of), isinstance(e.of, x.Stored | x.Local)

    def count(m: Machine) -> Inner:
        items, trail = apart(m, items_of)
        trail.flatten()
        _join_openly(m, trail, is_open)
        return len(items)

    return count


def _join_openly(m: Machine, trail: Trail, is_open: bool) -> None:
    read = here(m).read
    here(m).join(trail)
    if is_open:
        here(m).read = read


def _end(c: Meanings, e: x.End) -> Meaning:
    items_of = ordered_pile(c, e.of, e.last)

    def end(m: Machine) -> Inner:
        items, trail = apart(m, items_of)
        value = None if not items else items[-1] if e.last else items[0]
        here(m).join(trail.of(value))
        return value

    return end


def _item_of(c: Meanings, e: x.ItemOf) -> Meaning:
    items_of, index_of = ordered_pile(c, e.of), c.of(e.index)

    def item_of(m: Machine) -> Inner:
        items, trail = apart(m, items_of)
        index, why = apart(m, index_of)
        here(m).join(trail.of(items[index - 1]))
        here(m).join(why)
        return items[index - 1]

    return item_of


def _among(c: Meanings, e: x.Among) -> Meaning:
    """That something is in a set is decided by what let it in."""
    left, right, row_of = which(c, e.left, e.right), c.of(e.right), c.setting.row_of

    def among(m: Machine) -> Inner:
        item, own = apart(m, left)
        items, trail = apart(m, right)
        if e.how == "thing" and item is not None:
            item = next((each for each in items if each is not None and row_of[each] == row_of[item]), None)
        here(m).join(own)
        here(m).join(trail.of(item))
        return (item in items) != e.negate

    return among


TRACED.update(
    {
        x.Filter: _filter,
        x.Mapped: _mapped,
        x.Fold: _fold,
        x.Without: _without,
        x.Union: _union,
        x.Listed: _listed,
        x.Some: _some,
        x.Count: _count,
        x.End: _end,
        x.ItemOf: _item_of,
        x.Among: _among,
    }
)
TRACED_SETS.update({x.Filter, x.Mapped, x.Without, x.Union, x.Listed})
