"""Orders with trails: by which keys something comes where it does.

A later key decides only between those that are equal by the ones before; and
where there is but one, none does.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.play.machine.closure_compilation import (
    TRACED,
    TRACED_HANDLERS,
    TRACED_SETS,
    Act,
    Inner,
    Meaning,
    Meanings,
)
from rulekit.play.machine.provenance import Trail, meet
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.meaning.control_flow import put_in_places, unplaced
from rulekit.play.state.event import Audience
from rulekit.play.tracing.sets import each_member, hand_on, member
from rulekit.play.tracing.values import all_read, apart
from rulekit.values import frozen

Keys = list[tuple[int, ...]]
"""Of each member of a set its keys, all so that the lowest comes first."""


@frozen
class _Order:
    """Keys by which sets are ordered.  slot: of the member that a key is asked of."""

    slot: int
    columns: tuple[tuple[Meaning, bool], ...]

    def keyed(self, m: Machine, items: Inner, trail: Trail) -> tuple[Keys, dict[Any, Trail], Audience]:
        """Of each member its keys, then its trail; and who may know what all of them were read from."""
        members = {item: member(trail, item, Trail(), None) for item in items}
        keys: Keys = [()] * len(items)
        read: Audience = None
        for key_of, low in self.columns:
            found = each_member(m, self, items, trail, key_of)
            alike = Counter(keys)
            read = meet(read, all_read(found)) if len(items) > 1 else read  # a single one is in order without keys
            for item, before, (_, why) in zip(items, keys, found, strict=True):
                if alike[before] > 1:
                    members[item].join(why, read)
                members[item].read = meet(members[item].read, read)
            keys = [(*key, value if low else -value) for key, (value, _) in zip(keys, found, strict=True)]
        return keys, members, read


def _order(c: Meanings, slot: int, keys: tuple[tuple[x.Expr, bool], ...]) -> _Order:
    return _Order(slot, tuple((c.of(key), low) for key, low in keys))


def _in_order(c: Meanings, e: x.Extreme | x.Ordered) -> Meaning:
    items_of = c.of(e.of)
    order = _order(c, e.slot, ((e.key, e.lowest),) if isinstance(e, x.Extreme) else e.keys)

    def in_order(m: Machine) -> Inner:
        items, trail = apart(m, items_of)
        keys, members, read = order.keyed(m, items, trail)
        found = _picked(e, items, keys)
        hand_on(m, trail, read, {item: members[item] for item in found})
        return found

    return in_order


def _picked(e: x.Extreme | x.Ordered, items: Inner, keys: Keys) -> Inner:
    """What is left of a set, or its new order, by the keys of its members."""
    if isinstance(e, x.Extreme):
        best = min(keys, default=())
        return tuple(item for item, key in zip(items, keys, strict=True) if key == best)
    return tuple(items[place] for place in sorted(range(len(items)), key=keys.__getitem__))


def _rank(c: Meanings, op: ops.Rank) -> Act:
    players, order = c.of(op.players), _order(c, op.slot, op.keys)

    def rank(m: Machine, frame: CallFrame) -> None:
        found, trail = apart(m, players)
        seats = unplaced(m, found)
        keys, members, read = order.keyed(m, seats, trail)
        hand_on(m, trail, read, members)
        put_in_places(m, op, seats, keys)

    return rank


TRACED.update({x.Extreme: _in_order, x.Ordered: _in_order})
TRACED_SETS.update({x.Extreme, x.Ordered})
TRACED_HANDLERS[ops.Rank] = _rank
