"""Query inversion: collect what others refer to, instead of testing each member of a kind.

`deck where it in players.played` tests every card against every player.
Cheaper is to collect the cards that the players refer to, and to sort them.  In
databases this is a semi-join driven from its other side.
"""

from __future__ import annotations

from rulekit.compiler.lower.analysis.abstract_interpretation import element_maybe, with_element
from rulekit.compiler.lower.analysis.side_effects import has_effects
from rulekit.compiler.lower.builder.ir_builder import Builder, negation
from rulekit.compiler.lower.expressions.defines import expand_inline, is_outlined
from rulekit.compiler.lower.expressions.membership import element_row
from rulekit.compiler.plan import ir as p
from rulekit.model import expr as x
from rulekit.model import traversal
from rulekit.values import frozen

MIN_MEMBERS = 8
"""A kind with fewer members is tested member by member."""


class NotInvertible(Exception):
    """What is referred to may be nothing, so that it has no place in an order."""


@frozen
class _Inversion:
    """The pattern found in a filter.

    each, slot:  the set of those who refer to members, and its element; None if `things` names no one of them.
    things:      what one of them refers to.
    define:      the define in which the test stands, if any.
    """

    each: x.Expr | None
    slot: int
    things: x.Expr
    define: x.Invoke | None = None


def inverted(m: Builder, e: x.Filter) -> p.Expr | None:
    """The members of a filter in their order, if its test only asks whether others refer to them; else None."""
    if not isinstance(e.of, x.AllOf) or m.setting.kind_count.get(e.of.kind, 0) < MIN_MEMBERS:
        return None
    named = _inversion(m, e)
    if named is None or m.setting.game.kinds[e.of.kind].piece or (named.each and element_maybe(m, named.each)):
        return None
    if named.define is not None and is_outlined(m):
        return None
    found = m.temp("list", "s")
    try:
        written = m.collect(lambda: _gather(m, e, named, found))
    except NotInvertible:
        return None
    if has_effects(m.program, written):
        return None
    m.emit(p.New(found), *written, p.Sort(found, p.Get(found), 1))
    return p.Get(found)


def _inversion(m: Builder, e: x.Filter) -> _Inversion | None:
    item: x.Expr = x.Element(e.slot)
    test, define = e.test, None
    if isinstance(test, x.Among):
        return _Inversion(None, e.slot, test.right) if _asks_only(test, item) else None
    if not isinstance(test, x.Some) or test.negate:
        return None
    among = test.of
    if isinstance(among, x.Invoke) and among.args == (item,):
        define, item, among = among, x.Local(0), m.setting.game.defines[among.define].value
    if not isinstance(among, x.Filter) or not isinstance(among.test, x.Among):
        return None
    if not _asks_only(among.test, item) or item in traversal.parts(among.of):
        return None
    return _Inversion(among.of, among.slot, among.test.right, define)


def _asks_only(test: x.Among, item: x.Expr) -> bool:
    """Whether it is asked for the member itself alone, in a set that is the same for all members."""
    return not test.negate and test.left == item and item not in traversal.parts(test.right)


def _gather(m: Builder, e: x.Filter, named: _Inversion, found: str) -> None:
    assert isinstance(e.of, x.AllOf)
    base = m.setting.kind_base[e.of.kind]
    with_element(m, e.slot, p.Const(base), e.of)
    if named.define is None:
        _each(m, named, found)
    else:
        expand_inline(m, named.define, lambda _: _each(m, named, found))


def _each(m: Builder, named: _Inversion, found: str) -> None:
    def one(item: p.Expr) -> None:
        if named.each is not None:
            with_element(m, named.slot, item, named.each)
        things()

    def things() -> None:
        if element_maybe(m, named.things):
            raise NotInvertible
        m.over(named.things, thing)

    def thing(item: p.Expr) -> None:
        row = m.atom(element_row(m, named.things, item))
        m.when(negation(p.Has(p.Get(found), row)), lambda: m.emit(p.Push(found, row)))

    if named.each is None:
        things()
        return
    m.over(named.each, one)
