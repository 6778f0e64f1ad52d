"""What every expression means.

A table from node type to meaning; `m` is the machine whose values, locals
and elements are read.  Nothing here changes a value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulekit import limits
from rulekit.model import expr as x
from rulekit.play import watch
from rulekit.play.errors import LimitError, RuleError

if TYPE_CHECKING:
    from rulekit.play.machine import Machine

Inner = Any
"""A value inside the engine: see `model.expr`."""


class NeedsOrder(Exception):
    """A rule needs to know which thing lies where in a shuffled pile; whole: the order of all of it."""

    def __init__(self, slot: int, whole: bool) -> None:
        super().__init__(slot)
        self.slot = slot
        self.whole = whole


def evaluate(m: Machine, e: x.Expr) -> Inner:
    return MEANING[type(e)](m, e)


def fail(m: Machine, e: x.Expr, code: str, title: str) -> RuleError:
    return RuleError(code, title, e.span, m.cites(), m.rule())


def spend(m: Machine, n: int) -> None:
    m.steps += n
    if m.steps > m.step_limit:
        m.out_of_steps()


# ---------------------------------------------------------------- reading


def _const(m: Machine, e: x.Const) -> Inner:
    return e.value


def _local(m: Machine, e: x.Local) -> Inner:
    if m.reads is not None:
        watch.note_local(m, e.index)
    return m.locals[e.index]


def _element(m: Machine, e: x.Element) -> Inner:
    return m.elements[e.index]


def _option(m: Machine, e: x.OptionValue) -> Inner:
    if m.setting.game.options[e.index].unclear:
        m.unclear.add(e.index)
    return m.setting.options[e.index]


def slot_of(m: Machine, variable: int, of: x.Expr | None, e: x.Expr) -> int:
    """Where a variable's value lies; an error if its owner is nothing."""
    setting = m.setting
    if of is None:
        return setting.bases[variable]
    owner = MEANING[type(of)](m, of)
    if owner is None:
        name = setting.game.variables[variable].name
        raise fail(m, e, "of-nothing", f"there is nothing whose `{name}` could be asked")
    declared = setting.game.variables[variable]
    if declared.owner == "player":
        return setting.bases[variable] + int(owner) * (declared.count if declared.form == "group" else 1)
    return setting.slot(variable, owner)


def _stored(m: Machine, e: x.Stored) -> Inner:
    slot = slot_of(m, e.variable, e.of, e)
    if m.reads is not None:
        watch.note_slot(m, slot)
    return m.values[slot]


def _piece_of(m: Machine, e: x.PieceOf) -> Inner:
    slot = slot_of(m, e.variable, e.of, e)
    return m.setting.piece_first[e.variable] + slot - m.setting.bases[e.variable]


def _group_of(m: Machine, e: x.GroupOf) -> Inner:
    setting = m.setting
    slot = slot_of(m, e.variable, e.of, e)
    first = setting.piece_first[e.variable] + slot - setting.bases[e.variable]
    count = setting.game.variables[e.variable].count
    return tuple(p for p in range(first, first + count) if p not in m.gone)


def _all_of(m: Machine, e: x.AllOf) -> Inner:
    first = m.setting.kind_base.get(e.kind, 0)
    count = m.setting.kind_count.get(e.kind, 0)
    ids = range(first, first + count)
    return tuple(p for p in ids if p not in m.gone) if m.gone else tuple(ids)


def _seats(m: Machine, e: x.Seats) -> Inner:
    n = m.setting.players
    if e.who == "players":
        return tuple((m.starter + i) % n for i in range(n))
    rest = tuple(range(n, m.setting.everyone))
    return rest if e.who == "neutrals" else tuple((m.starter + i) % n for i in range(n)) + rest


def _spaces(m: Machine, e: x.Spaces) -> Inner:
    return tuple(range(e.low, e.high + 1))


def _cells(m: Machine, e: x.Cells) -> Inner:
    place = m.setting.places[e.place]
    if place.width is None or place.height is None:
        raise fail(m, e, "outside", f"`{e.place}` has no end in this match, so its cells are no set")
    spend(m, place.width * place.height)
    return tuple((column, row) for row in range(place.height) for column in range(place.width))


def _cell_at(m: Machine, e: x.CellAt) -> Inner:
    column, row = evaluate(m, e.column), evaluate(m, e.row)
    if column is None or row is None:
        raise fail(m, e, "of-nothing", "a cell needs a column and a row")
    return column - 1, row - 1


def _space_of(m: Machine, e: x.SpaceOf) -> Inner:
    piece = evaluate(m, e.piece)
    if piece is None:
        raise fail(m, e, "of-nothing", "there is no piece whose space could be asked")
    space = m.values[m.setting.piece_slot[piece]]
    if space is None:
        raise fail(m, e, "not-placed", f"`{m.setting.things[piece].title}` stands nowhere")
    return space


def _placed(m: Machine, e: x.Placed) -> Inner:
    piece = evaluate(m, e.piece)
    return piece is not None and m.values[m.setting.piece_slot[piece]] is not None


def _home_of(m: Machine, e: x.HomeOf) -> Inner:
    return m.setting.piece_home.get(evaluate(m, e.piece))


def _number_of(m: Machine, e: x.NumberOf) -> Inner:
    thing = evaluate(m, e.thing)
    if thing is None:
        raise fail(m, e, "of-nothing", "there is nothing whose number could be asked")
    return m.setting.things[thing].number


def _trait(m: Machine, e: x.Trait) -> Inner:
    thing = evaluate(m, e.thing)
    if thing is None:
        raise fail(m, e, "of-nothing", f"there is nothing whose `{e.name}` could be asked")
    return e.values[m.setting.row_of[thing] - m.setting.kind_base[e.kind]]


def _owner_of(m: Machine, e: x.OwnerOf) -> Inner:
    thing = evaluate(m, e.thing)
    if thing is None:
        raise fail(m, e, "of-nothing", "there is nothing whose owner could be asked")
    if thing in m.setting.piece_slot:
        return m.setting.things[thing].owner
    slot = m.lies_in(thing)
    if slot is None or m.setting.game.variables[m.setting.slot_variable[slot]].owner != "player":
        return None
    return m.setting.slot_owner[slot]


def _lookup(m: Machine, e: x.Lookup) -> Inner:
    key = evaluate(m, e.key)
    base, count = m.setting.kind_base[e.kind], m.setting.kind_count[e.kind]
    for thing in range(base, base + count):
        if m.setting.things[thing].number == key:
            return thing
    raise fail(m, e, "no-such-member", f"there is no {e.kind} {key}")


def _item_of(m: Machine, e: x.ItemOf) -> Inner:
    items = ordered_pile(m, e.of)
    index = evaluate(m, e.index)
    if not 1 <= index <= len(items):
        raise fail(m, e, "outside", f"there is no number {index} among {len(items)}")
    return items[index - 1]


def ordered_pile(m: Machine, of: x.Expr, whole: bool = True) -> Inner:
    """A set whose order matters: that of a shuffled pile must be decided first, also if some are picked from it."""
    pile = of
    while isinstance(pile, x.Filter | x.Without | x.Extreme | x.Ordered):
        pile, whole = pile.of, True
    if type(pile) is x.Stored and m.known:
        slot = slot_of(m, pile.variable, pile.of, pile)
        if slot in m.known and (whole or m.known[slot][0] == 0):
            raise NeedsOrder(slot, whole)
    return evaluate(m, of)


def _mapped(m: Machine, e: x.Mapped) -> Inner:
    items = evaluate(m, e.of)
    spend(m, len(items))
    elements, value, meaning = m.elements, e.value, MEANING[type(e.value)]
    result: list[Inner] = []
    for item in items:
        elements[e.slot] = item
        got = meaning(m, value)
        if e.flat:
            result.extend(got)
        else:
            result.append(got)
    return tuple(dict.fromkeys(result)) if e.distinct else tuple(result)


# ---------------------------------------------------------------- operators


def _not(m: Machine, e: x.Not) -> Inner:
    return not evaluate(m, e.of)


def _negative(m: Machine, e: x.Negative) -> Inner:
    return -evaluate(m, e.of)


def _number(m: Machine, of: x.Expr) -> int:
    """How many there are; of a pile, or of what was taken from one, everybody may know it."""
    if m.reads is None or not isinstance(of, x.Stored | x.Local):
        return len(evaluate(m, of))
    reads, m.reads = m.reads, None
    number = len(evaluate(m, of))
    m.reads = reads
    return number


def _count(m: Machine, e: x.Count) -> Inner:
    return _number(m, e.of)


def _some(m: Machine, e: x.Some) -> Inner:
    return (_number(m, e.of) == 0) == e.negate


def _end(m: Machine, e: x.End) -> Inner:
    items = ordered_pile(m, e.of, whole=e.last)
    if not items:
        return None
    return items[-1] if e.last else items[0]


def _fold(m: Machine, e: x.Fold) -> Inner:
    items = evaluate(m, e.of)
    spend(m, len(items))
    values = []
    for item in items:
        m.elements[e.slot] = item
        values.append(evaluate(m, e.value))
    if e.op == "sum":
        return _bounded(m, e, sum(values))
    return (min(values) if e.op == "least" else max(values)) if values else 0


def _bounded(m: Machine, e: x.Expr, value: int) -> int:
    if -limits.INTEGER <= value <= limits.INTEGER:
        return value
    raise LimitError("number-too-large", f"a number beyond {limits.INTEGER}", e.span, m.cites(), m.rule())


def _both(m: Machine, e: x.Both) -> Inner:
    return evaluate(m, e.left) and evaluate(m, e.right)


def _either(m: Machine, e: x.Either) -> Inner:
    return evaluate(m, e.left) or evaluate(m, e.right)


def _arithmetic(m: Machine, e: x.Arithmetic) -> Inner:
    left, right = evaluate(m, e.left), evaluate(m, e.right)
    if left is None or right is None:
        raise fail(m, e, "of-nothing", "nothing cannot be reckoned with")
    if e.op == "+":
        return _bounded(m, e, left + right)
    if e.op == "-":
        return _bounded(m, e, left - right)
    if e.op == "*":
        return _bounded(m, e, left * right)
    if right == 0:
        raise fail(m, e, "division-by-zero", "division by zero")
    return left // right if e.op == "/" else left % right


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "below": lambda a, b: a < b,
    "above": lambda a, b: a > b,
    "at least": lambda a, b: a >= b,
    "at most": lambda a, b: a <= b,
}


def _compare(m: Machine, e: x.Compare) -> Inner:
    left, right = evaluate(m, e.left), evaluate(m, e.right)
    if left is None or right is None:
        raise fail(m, e, "of-nothing", "nothing cannot be compared with a number")
    return _COMPARE[e.op](left, right)


def same_row(m: Machine, thing: Inner) -> Inner:
    """What makes two things equal: the printed card they are copies of."""
    return None if thing is None else m.setting.row_of[thing]


def _same(m: Machine, e: x.Same) -> Inner:
    left, right = evaluate(m, e.left), evaluate(m, e.right)
    if e.how == "thing":
        equal = same_row(m, left) == same_row(m, right)
    elif e.how == "things":
        equal = _sorted([same_row(m, i) for i in left]) == _sorted([same_row(m, i) for i in right])
    elif e.how == "ordered things":
        equal = [same_row(m, i) for i in left] == [same_row(m, i) for i in right]
    elif e.how == "set":
        equal = _sorted(left) == _sorted(right)
    else:
        equal = left == right
    return equal != e.negate


def _sorted(items: Inner) -> list[Inner]:
    """The members of a set in one order, however they came."""
    return sorted(items, key=lambda item: (item is None, item))


def _among(m: Machine, e: x.Among) -> Inner:
    left, right = evaluate(m, e.left), evaluate(m, e.right)
    if e.how == "thing":
        row_of = m.setting.row_of
        row = same_row(m, left)
        return any(item is not None and row_of[item] == row for item in right) != e.negate
    return (left in right) != e.negate


def _choice(m: Machine, e: x.Choice) -> Inner:
    return evaluate(m, e.then if evaluate(m, e.test) else e.other)


# ---------------------------------------------------------------- queries


def _filter(m: Machine, e: x.Filter) -> Inner:
    items = evaluate(m, e.of)
    spend(m, len(items))
    elements, test, meaning = m.elements, e.test, MEANING[type(e.test)]
    kept = []
    for item in items:
        elements[e.slot] = item
        if meaning(m, test):
            kept.append(item)
    return tuple(kept)


def _without(m: Machine, e: x.Without) -> Inner:
    items, less = evaluate(m, e.of), evaluate(m, e.less)
    if e.how == "thing":
        row_of = m.setting.row_of
        rows = {row_of[item] for item in less if item is not None}
        return tuple(item for item in items if row_of[item] not in rows)
    return tuple(item for item in items if item not in less)


def _union(m: Machine, e: x.Union) -> Inner:
    left = evaluate(m, e.left)
    return left + tuple(item for item in evaluate(m, e.right) if item not in left)


def _keys(m: Machine, items: Inner, slot: int, key: x.Expr) -> list[int]:
    spend(m, len(items))
    keys = []
    for item in items:
        m.elements[slot] = item
        value = evaluate(m, key)
        if value is None:
            raise fail(m, key, "of-nothing", "nothing cannot be ordered by")
        keys.append(value)
    return keys


def _extreme(m: Machine, e: x.Extreme) -> Inner:
    items = evaluate(m, e.of)
    if not items:
        return items
    keys = _keys(m, items, e.slot, e.key)
    best = min(keys) if e.lowest else max(keys)
    return tuple(item for item, key in zip(items, keys, strict=True) if key == best)


def sort_keys(m: Machine, items: Inner, slot: int, keys: tuple[tuple[x.Expr, bool], ...]) -> list[tuple[int, ...]]:
    """For each item its keys, negated where highest comes first."""
    columns = [[k if low else -k for k in _keys(m, items, slot, key)] for key, low in keys]
    return list(zip(*columns, strict=True)) if columns else [() for _ in items]


def _ordered(m: Machine, e: x.Ordered) -> Inner:
    items = evaluate(m, e.of)
    ranked = sorted(zip(sort_keys(m, items, e.slot, e.keys), range(len(items)), strict=True))
    return tuple(items[index] for _, index in ranked)


def _listed(m: Machine, e: x.Listed) -> Inner:
    return tuple(evaluate(m, item) for item in e.items)


def _interval(m: Machine, e: x.Interval) -> Inner:
    low, high = evaluate(m, e.low), evaluate(m, e.high)
    if low is None or high is None:
        raise fail(m, e, "of-nothing", "a range needs two numbers")
    if high - low >= limits.SET:
        raise LimitError("set-too-large", f"a set of more than {limits.SET}", e.span, m.cites(), m.rule())
    return tuple(range(low, high + 1))


def _invoke(m: Machine, e: x.Invoke) -> Inner:
    args = [evaluate(m, arg) for arg in e.args]
    spend(m, 1)
    outer_locals, outer_elements = m.locals, m.elements
    m.locals, m.elements = args, m.fresh_elements()
    m.in_define += 1
    try:
        return evaluate(m, m.setting.game.defines[e.define].value)
    finally:
        m.in_define -= 1
        m.locals, m.elements = outer_locals, outer_elements


def _possible(m: Machine, e: x.Possible) -> Inner:
    args = [evaluate(m, arg) for arg in e.args]
    return m.can_carry_through(e.code, args)


def _builtin(m: Machine, e: x.Builtin) -> Inner:
    args = [evaluate(m, arg) for arg in e.args]
    spend(m, 1)
    return m.words[e.word](m, e, args)


MEANING: dict[type, Callable[[Machine, Any], Inner]] = {
    x.Const: _const,
    x.Direction: _const,
    x.Local: _local,
    x.Element: _element,
    x.OptionValue: _option,
    x.Stored: _stored,
    x.PieceOf: _piece_of,
    x.GroupOf: _group_of,
    x.AllOf: _all_of,
    x.Seats: _seats,
    x.Spaces: _spaces,
    x.Cells: _cells,
    x.CellAt: _cell_at,
    x.SpaceOf: _space_of,
    x.Placed: _placed,
    x.HomeOf: _home_of,
    x.NumberOf: _number_of,
    x.Trait: _trait,
    x.OwnerOf: _owner_of,
    x.Lookup: _lookup,
    x.ItemOf: _item_of,
    x.Mapped: _mapped,
    x.Not: _not,
    x.Negative: _negative,
    x.Count: _count,
    x.Some: _some,
    x.End: _end,
    x.Fold: _fold,
    x.Both: _both,
    x.Either: _either,
    x.Arithmetic: _arithmetic,
    x.Compare: _compare,
    x.Same: _same,
    x.Among: _among,
    x.Choice: _choice,
    x.Filter: _filter,
    x.Without: _without,
    x.Union: _union,
    x.Extreme: _extreme,
    x.Ordered: _ordered,
    x.Listed: _listed,
    x.Interval: _interval,
    x.Invoke: _invoke,
    x.Possible: _possible,
    x.Builtin: _builtin,
}
