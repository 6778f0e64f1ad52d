"""Members of a kind of which something holds that others name: looked for the other way round.

`deck as card where any players_of(card)` asks every card of every player.  It
is quicker to gather which cards the players name and to put them in order.
"""

from __future__ import annotations

from attrs import frozen

from rulekit.fast import plan as p
from rulekit.fast.defines import inlined, stands_apart
from rulekit.fast.known import element_maybe, with_element
from rulekit.fast.maker import Maker, negation
from rulekit.fast.membership import row_in
from rulekit.fast.side_effects import has_effects
from rulekit.fast.sizes import max_size
from rulekit.model import expr as x
from rulekit.model import traversal

LEAST = 8
"""Fewer members are asked one by one."""


class NotSimple(Exception):
    """What is named may be nothing."""


@frozen
class _Named:
    """Those of `each` element's `things` that are members, `each` with its slot; define: the one around, if any."""

    each: x.Expr
    slot: int
    things: x.Expr
    define: x.Invoke | None


def gathered(m: Maker, e: x.Filter) -> p.Expr | None:
    """The members in their order, if the test only asks whether others name them."""
    if not isinstance(e.of, x.AllOf) or m.setting.kind_count.get(e.of.kind, 0) < LEAST:
        return None
    named = _named(m, e)
    if named is None or m.setting.game.kinds[e.of.kind].piece or element_maybe(m, named.each):
        return None
    if named.define is not None and stands_apart(m):
        return None
    found = m.temp("list", "s")
    try:
        written = m.collect(lambda: _gather(m, e, named, found))
    except NotSimple:
        return None
    if has_effects(m.program, written):
        return None
    m.emit(p.New(found), *written, p.Sort(found, p.Get(found), 1))
    return p.Get(found)


def _named(m: Maker, e: x.Filter) -> _Named | None:
    item: x.Expr = x.Element(e.slot)
    test, define = e.test, None
    if not isinstance(test, x.Some) or test.negate:
        return None
    among = test.of
    if isinstance(among, x.Invoke) and among.args == (item,):
        define, item, among = among, x.Local(0), m.setting.game.defines[among.define].value
    if not isinstance(among, x.Filter) or not isinstance(among.test, x.Among) or among.test.negate:
        return None
    if among.test.left != item or item in [*traversal.parts(among.of), *traversal.parts(among.test.right)]:
        return None
    return _Named(among.of, among.slot, among.test.right, define)


def _gather(m: Maker, e: x.Filter, named: _Named, found: str) -> None:
    assert isinstance(e.of, x.AllOf)
    base = m.setting.kind_base[e.of.kind]
    with_element(m, e.slot, p.Const(base), e.of)
    if named.define is None:
        _each(m, named, found)
    else:
        inlined(m, named.define, lambda _: _each(m, named, found))


def _each(m: Maker, named: _Named, found: str) -> None:
    def one(item: p.Expr) -> None:
        with_element(m, named.slot, item, named.each)
        if element_maybe(m, named.things):
            raise NotSimple
        m.over(named.things, thing)

    def thing(item: p.Expr) -> None:
        row = m.atom(row_in(m, named.things, item))
        m.when(negation(p.Has(p.Get(found), row)), lambda: m.emit(p.Push(found, row)))

    m.written_out = max_size(m, named.each) <= LEAST
    try:
        m.over(named.each, one)
    finally:
        m.written_out = False
