"""Query inversion: collect what others refer to, instead of testing each member of a kind.

`deck where it in players.played` tests every card against every player.
Cheaper is to collect the cards that the players refer to: as bits, which are
in order.  In databases this is a semi-join driven from its other side.
"""

from __future__ import annotations

from rulekit.compiler.lower.analysis.abstract_interpretation import element_interval, element_maybe, with_element
from rulekit.compiler.lower.analysis.side_effects import has_effects
from rulekit.compiler.lower.builder.ir_builder import Builder, Write
from rulekit.compiler.lower.expressions.defines import expand_inline, is_outlined
from rulekit.compiler.lower.expressions.scalars import entry_by_card
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ZERO
from rulekit.errors import RulekitError
from rulekit.model import expr as x
from rulekit.model import traversal
from rulekit.values import frozen

MEMBERS = range(8, 61)
"""A kind with fewer members is tested member by member, and one with more has no word of bits."""


class NotInvertible(RulekitError):
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
    if not isinstance(e.of, x.AllOf) or m.setting.kind_count.get(e.of.kind, 0) not in MEMBERS:
        return None
    named = None if m.counts_on_the_way(e) else _inversion(m, e)
    if named is None or m.setting.game.kinds[e.of.kind].piece or (named.each and element_maybe(m, named.each)):
        return None
    if named.define is not None and is_outlined(m):
        return None
    mask = m.temp()
    try:
        written = m.collect(lambda: _gather(m, e, named, mask))
    except NotInvertible:
        return None
    if has_effects(m.program, written):
        return None
    m.emit(p.Set(mask, ZERO), *written)
    found, bits = m.new(), p.Bits(m.setting.kind_base[e.of.kind], p.Get(mask))
    m.each_in(bits, lambda row: m.emit(p.Push(found, row)))
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


def _gather(m: Builder, e: x.Filter, named: _Inversion, mask: str) -> None:
    assert isinstance(e.of, x.AllOf)
    kind, count = e.of.kind, m.setting.kind_count[e.of.kind]
    with_element(m, e.slot, p.Const(m.setting.kind_base[kind]), e.of)

    bits = tuple(1 << row for row in range(count))

    def write(item: p.Expr) -> None:
        bit = entry_by_card(m, kind, item, bits, element_interval(m, named.things))
        m.emit(p.Set(mask, p.Binary("or", p.Get(mask), bit)))

    if named.define is None:
        _each(m, named, write)
    else:
        expand_inline(m, named.define, lambda _: _each(m, named, write))


def _each(m: Builder, named: _Inversion, write: Write) -> None:
    def things() -> None:
        if element_maybe(m, named.things):
            raise NotInvertible
        m.over(named.things, write)

    def one(item: p.Expr) -> None:
        with_element(m, named.slot, item, named.each or named.things)
        things()

    if named.each is None:
        things()
    else:
        m.over(named.each, one)
