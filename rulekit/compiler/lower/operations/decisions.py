"""Lower decisions: who decides, which options are offered, and which of them are feasible.

Options that nobody can tell apart are offered once (symmetry reduction).
Where an `only if` lies ahead, options from which it cannot be met are left out
(look-ahead by trying them).
"""

from __future__ import annotations

from functools import partial
from typing import Any

from rulekit.compiler.lower.analysis.abstract_interpretation import (
    element_maybe,
    known_of,
    known_of_element,
    may_be_nothing,
    shape,
)
from rulekit.compiler.lower.analysis.cardinality import distinct
from rulekit.compiler.lower.builder import verdicts
from rulekit.compiler.lower.builder.environment import bound
from rulekit.compiler.lower.builder.ir_builder import ANY, OPS, Builder
from rulekit.compiler.lower.counting.instrumentation import count_answer
from rulekit.compiler.lower.expressions import bitsets
from rulekit.compiler.lower.expressions.interned_sets import keep_named
from rulekit.compiler.lower.expressions.scalars import not_nothing
from rulekit.compiler.lower.moves import ownership_checks
from rulekit.compiler.lower.moves.occupancy_index import stands_alone
from rulekit.compiler.lower.operations import verification
from rulekit.compiler.lower.operations.assignments import only_seen
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, binary, negation, same, word
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.values import evolve

# ---------------------------------------------------------------- choosing things


def _ask(m: Builder, op: ops.Ask) -> None:
    seat = deciding_seat(m, op.who)
    _see_values(m, op)
    shaped = shape(m, op.options) - 1
    if op.least is not None:
        if shaped:
            raise Unsupported("several sets to choose, which are no numbers")
        _ask_several(m, op, seat)
        return
    offered = options = _offered(m, op)
    if shaped:
        keep_named(m)
        options = _places(m, offered)
    if op.manner == "may":
        options = _or_nothing(m, options)
    always = _always_asked(m, op)
    kept = _feasible(m, options, always)
    place = _answered(m, op, seat, kept, options, "one", always=always)
    chosen = m.program.item(kept, place)
    value = bound(m, op.local, _at_place(m, offered, chosen) if shaped else chosen)
    if isinstance(options, p.Stored) and kept == options:
        m.lying[op.local] = options.list, place
    known = known_of_element(m, op.options, value)
    maybe = known.maybe or op.manner == "may"
    m.locals[op.local] = evolve(known, maybe=maybe, reach=ANY if maybe else known.reach)


def _places(m: Builder, of: p.Expr) -> p.Expr:
    """Interned sets are chosen by position, since the numbers under which they are interned mean nothing outside."""
    places = m.new()
    m.each_number(ZERO, binary("-", p.Size(of), ONE), lambda i: m.emit(p.Push(places, i)))
    return p.Get(places)


def _at_place(m: Builder, of: p.Expr, place: p.Expr) -> p.Expr:
    place = m.atom(place)
    return p.Pick(same(place, NOTHING), NOTHING, p.Item(of, place))


def _or_nothing(m: Builder, options: p.Expr) -> p.Expr:
    own = m.temp("list", "s")
    m.emit(p.Copy(own, options))
    m.when(negation(p.Has(p.Get(own), NOTHING)), lambda: m.emit(p.Push(own, NOTHING)))
    return p.Get(own)


def _see_values(m: Builder, op: ops.Ask | ops.AskWay) -> None:
    """What texts show is worked out where that could go wrong, or takes chance."""
    for _, value, _ in op.values:
        only_seen(m, value)


def deciding_seat(m: Builder, who: x.Expr) -> p.Expr:
    """The seat that decides, after a check that it is a player who may be asked here."""
    seat = m.atom(m.value(who))
    if may_be_nothing(m, who):
        m.fault(same(seat, NOTHING), "of-nothing")
    if m.setting.neutrals:
        m.fault(binary("<=", p.Const(m.setting.players), seat), "neutral-decides")
    ownership_checks.check_seat(m, seat, "secret")
    return seat


def _always_asked(m: Builder, op: ops.Ask | ops.AskWay) -> bool:
    """Whether a decision with one option is asked as well: to leave out a secret question would reveal its options."""
    return op.manner == "always" or op.secretly or op.hidden or m.apart


def _offered(m: Builder, op: ops.Ask) -> p.Expr:
    """The options, one for each class of indistinguishable things; nothing changes them before the answer."""
    if _all_distinguishable(m, op):
        return m.list(op.options)
    kept, marks = m.new(), m.new()

    def perhaps_alike(item: p.Expr) -> None:
        mark = m.atom(_signature(m, op, item))
        m.when(
            p.Not(p.Has(p.Get(marks), mark)),
            lambda: m.emit(p.Push(kept, item), p.Push(marks, mark)),
        )

    def one(item: p.Expr) -> None:
        if not _are_alone(m, op):
            perhaps_alike(item)
            return
        placed = binary("!=", word(m.storage.pieces, item), NOTHING)
        m.when(placed, lambda: m.emit(p.Push(kept, item)), lambda: perhaps_alike(item))

    m.over(op.options, one)
    return p.Get(kept)


def _are_alone(m: Builder, op: ops.Ask) -> bool:
    """Whether the options are distinct pieces of a kind that never shares a cell or space."""
    kind: Any = op.type
    if kind.name != "thing" or element_maybe(m, op.options) or not distinct(m, op.options):
        return False
    return bool(m.setting.game.kinds[kind.kind].piece) and stands_alone(m, kind.kind)


def _all_distinguishable(m: Builder, op: ops.Ask) -> bool:
    """Whether no two options can ever be indistinguishable."""
    if not distinct(m, op.options):
        return False
    kind: Any = op.type
    if kind.name == "thing" and kind.kind in m.storage.unique_kinds and _of_one_pile(op.options):
        return True
    if kind.name != "thing":
        return not kind.is_set
    alone = not _doubles(m, kind.kind) and not (m.setting.game.kinds[kind.kind].piece and _groups(m, kind.kind))
    return alone and any(thing.kind == kind.kind for thing in m.setting.things)


def _doubles(m: Builder, kind: str) -> bool:
    """Whether some printed member of a kind has several copies."""
    rows = [one.row for one in m.setting.things[m.setting.copy_base :] if one.kind == kind]
    return len({*rows}) < len(rows)


def _of_one_pile(of: x.Expr) -> bool:
    while isinstance(of, x.Filter | x.Without | x.Extreme | x.Ordered):
        of = of.of
    return isinstance(of, x.Stored)


def _groups(m: Builder, kind: str) -> list[int]:
    """The `pieces` declarations whose pieces may stand for each other."""
    if m.setting.game.kinds[kind].members:
        return []
    return [
        index
        for index, variable in enumerate(m.setting.game.variables)
        if variable.form == "group" and variable.type.element.kind == kind
    ]


def _signature(m: Builder, op: ops.Ask, item: p.Expr) -> p.Expr:
    """A number that is equal for indistinguishable options; nothing is only like itself."""
    kind: Any = op.type
    if kind.name != "thing":
        return item
    if any(one.kind == kind.kind for one in m.setting.things[m.setting.copy_base :]):
        return _copy_signature(m, item)
    if m.setting.game.kinds[kind.kind].piece and _groups(m, kind.kind):
        return _piece_signature(m, kind.kind, item)
    return item


def _copy_signature(m: Builder, item: p.Expr) -> p.Expr:
    """The signature of a card: for a copy its printed card and pile as one number, else its own number."""
    lists = len(m.storage.lists) + 2
    result = m.temp()
    m.emit(p.Set(result, item))

    def mark() -> None:
        row = binary("*", m.program.entry(tuple(m.setting.row_of), item), p.Const(lists))
        lies = binary("+", m.lies(item), p.Const(2))
        m.emit(p.Set(result, binary("-", ZERO, binary("+", row, lies))))

    m.when(binary("<=", p.Const(m.setting.copy_base), item), mark)
    return p.Get(result)


def _piece_signature(m: Builder, kind: str, item: p.Expr) -> p.Expr:
    """The signature of a piece: the first of its group and owner on the same space with the same values."""
    setting = m.setting
    result, label = m.temp(), m.fresh("f")
    m.emit(p.Set(result, item))
    first = [p.NONE] * len(setting.things)
    for index in _groups(m, kind):
        variable = setting.game.variables[index]
        for owner in range(setting.owners(variable)):
            start = setting.piece_first[index] + owner * variable.count
            for piece in range(start, start + variable.count):
                first[piece] = start
    own = [i for i, v in enumerate(setting.game.variables) if v.owner == kind]

    def look() -> None:
        start = m.atom(m.program.entry(tuple(first), item))
        end = binary("-", item, ONE)
        m.when(binary("!=", start, NOTHING), lambda: m.each_number(start, end, alike))

    def alike(piece: p.Expr) -> None:
        test = same(word(m.storage.pieces, piece), word(m.storage.pieces, item))
        for index in own:
            base = m.storage.word_base[index] - setting.kind_base[kind]
            test = binary("&", test, same(word(base, piece), word(base, item)))
        m.emit(p.If(test, (p.Set(result, piece), p.Break(label))))

    m.when(binary("!=", item, NOTHING), lambda: m.emit(p.Block(label, m.collect(look))))
    return p.Get(result)


def _feasible(m: Builder, options: p.Expr, always: bool) -> p.Expr:
    """The feasible options: where an `only if` may lie ahead, those from which it can be met.

    A single option is taken without a question, also while options are tried, so that it is not tried itself.
    While something is tried, all options are tried in turn.
    """
    if m.code not in m.program.guarded:
        return options
    kept, looked = m.temp("list", "s"), m.temp()
    several = ONE if always else binary("!=", m.program.size(options), ONE)

    def tried() -> None:
        m.emit(p.Feasible(kept, options))
        verdicts.note_feasible(m, options, p.Get(kept))

    m.emit(p.Set(looked, binary("&", p.Not(p.Trying()), several)))
    m.emit(p.If(p.Get(looked), m.collect(tried)))
    return p.Pick(p.Get(looked), p.Get(kept), options)


def _answered(
    m: Builder, op: ops.Ask | ops.AskWay, seat: p.Expr, kept: p.Expr, options: p.Expr, form: str, *, always: bool
) -> p.Expr:
    """Ask, or take the only option where that reveals nothing.

    kept:   the feasible options; options: all; form: of the question, see `ir.Question`.
    always: ask even for one option.
    Shape:  the position of the answer in `kept`.
    """
    place, size = m.temp(), m.program.size(kept)
    number = _question(m, op, form)
    m.when(same(size, ZERO), lambda: m.emit(p.Fail(m.program.fault(f"no-answer: {m.name}"))))
    among = options if kept != options else None
    ask = partial(_put_question, m, p.Ask(place, number, seat, kept, among))
    if always:
        ask()
        return p.Get(place)
    only: p.Body = (p.Set(place, ZERO),)
    if among is not None:
        noted = p.Noted(p.Find(among, m.program.item(kept, ZERO)))
        several = binary("!=", m.program.size(among), ONE)
        only = (*only, *m.collect(lambda: m.when(several, lambda: m.emit(noted))))
    m.when(same(size, ONE), lambda: m.emit(*only), ask)
    return p.Get(place)


def _put_question(m: Builder, asked: p.Ask | p.AskSeveral) -> None:
    """Ask, after a look at the invariants, and count the answer."""
    verification.check(m)
    m.emit(asked)
    count_answer(m, asked)


def _question(m: Builder, op: ops.Ask | ops.AskWay, form: str) -> int:
    name = op.name if isinstance(op, ops.Ask) else m.rule
    m.program.asks.append(p.Question(m.code, m.place, name, form, m.apart))
    return len(m.program.asks) - 1


def _ask_several(m: Builder, op: ops.Ask, seat: p.Expr) -> None:
    assert op.least is not None
    assert op.most is not None
    refusing = m.code in m.program.guarded
    if refusing and m.program.searching:
        # What is refused has no worth, which the trees of a compiled search cannot say.
        raise Unsupported("a search among several things that an `only if` may refuse")
    if refusing and m.program.driven:
        # Which things can still be added is found by trying all that may follow, which no plan does.
        raise Unsupported("several things to choose that an `only if` may refuse, for matches that are driven")
    options = m.held(op.options)
    least = m.atom(not_nothing(m, op.least))
    most = not_nothing(m, op.most) if op.most != op.least else least
    size = p.Size(p.Get(options))
    m.fault(binary("<", size, least), "too-few")
    most = m.atom(binary("max", ZERO, binary("min", most, size)))
    least = m.atom(binary("max", ZERO, least))
    chosen = f"v{op.local}"
    m.types[chosen] = "list"
    number = _question(m, op, "several")
    nothing = m.program.fault(f"only-if: {m.name}") if refusing else None
    ask = partial(_put_question, m, p.AskSeveral(chosen, number, seat, p.Get(options), least, most, nothing))
    if _always_asked(m, op):
        ask()
    else:
        whole = binary("&", same(least, most), same(most, size))
        settled = binary("|", same(most, ZERO), whole)
        first = m.collect(lambda: _first_ones(m, chosen, options, most))
        m.emit(p.If(settled, first, m.collect(ask)))
    _first_alike(m, op, options, chosen)
    m.locals[op.local] = evolve(known_of(m, op.options, p.Get(chosen)), reach=ANY)


def _first_alike(m: Builder, op: ops.Ask, options: str, chosen: str) -> None:
    """Replace what was chosen by the first of the indistinguishable options, so that equal choices are identical."""
    kind = op.type.element  # type: ignore[attr-defined]
    if kind.name != "thing" or not _doubles(m, kind.kind):
        return
    marks, meant, place = m.new(), m.new(), m.temp()
    m.each_in(p.Get(chosen), lambda item: m.emit(p.Push(marks, _copy_signature(m, item))))

    def one(item: p.Expr) -> None:
        m.emit(p.Set(place, p.Find(p.Get(marks), _copy_signature(m, item))))
        there = (p.Push(meant, item), p.Drop(marks, p.Get(place)))
        m.emit(p.If(binary("<=", ZERO, p.Get(place)), there))

    m.each_in(p.Get(options), one)
    m.emit(p.Copy(chosen, p.Get(meant)))


def _first_ones(m: Builder, chosen: str, options: str, most: p.Expr) -> None:
    m.emit(p.New(chosen))
    m.each_number(ZERO, binary("-", most, ONE), lambda i: m.emit(p.Push(chosen, p.Item(p.Get(options), i))))


# ---------------------------------------------------------------- choosing branches


def ask_way(m: Builder, op: ops.AskWay) -> p.Expr:
    """Ask which branch is taken; gives its number."""
    seat = deciding_seat(m, op.who)
    _see_values(m, op)
    options = _ways_on(m, op)
    kept = _feasible(m, options, _always_asked(m, op))
    place = _answered(m, op, seat, kept, options, "way", always=_always_asked(m, op))
    return m.atom(m.program.item(kept, place))


def _ways_on(m: Builder, op: ops.AskWay) -> p.Expr:
    """The numbers of the branches whose conditions hold, as a bitset where there are few."""
    count = len(op.ways)
    tests = [ONE if test is None else m.value(test) for _, test, _ in op.ways]
    open_ = tuple(number for number, test in enumerate(tests) if test != ZERO)
    if all(isinstance(test, p.Const) for test in tests):
        return m.program.row((open_,), ZERO)
    if count <= bitsets.MAX_BITS:
        mask = m.temp()
        m.emit(p.Set(mask, ZERO))
        for number, test in enumerate(tests):
            marked = bitsets.set_bit(m, range(count), mask, p.Const(number))
            m.when(test, partial(m.emit, marked))
        return bitsets.row_of_bits(m, range(count), p.Get(mask))
    options = m.new()
    for number, test in enumerate(tests):
        push = p.Push(options, p.Const(number))
        m.when(test, partial(m.emit, push))
    return p.Get(options)


def _only_if(m: Builder, op: ops.OnlyIf) -> None:
    test = m.value(op.test)
    m.when(negation(test), lambda: m.emit(p.Fail(m.program.fault(f"only-if: {m.name}"))))


OPS.update({ops.Ask: _ask, ops.OnlyIf: _only_if})
