"""Lower scalar expressions: those whose value is one number, flag, thing or nothing.

Nothing is `NOTHING`, a number that no value has.  Checks that interval
analysis (`interval_of`) or non-null analysis (`may_be_nothing`) prove needless are
not written.
"""

from __future__ import annotations

from rulekit import limits
from rulekit.compiler.lower.analysis.abstract_interpretation import interval_of, may_be_nothing
from rulekit.compiler.lower.analysis.intervals import interval_of_arithmetic
from rulekit.compiler.lower.analysis.side_effects import has_effects
from rulekit.compiler.lower.builder.ir_builder import ANY, VALUES, Builder, Interval
from rulekit.compiler.lower.storage.layout import encoded
from rulekit.compiler.lower.storage.non_null import variables_named
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, negation, same, word
from rulekit.model import expr as x
from rulekit.model import game as model


def not_nothing(m: Builder, e: x.Expr) -> p.Expr:
    """The value of an expression, after a null check where it may be nothing: a fault `of-nothing`."""
    value = m.value(e)
    if not may_be_nothing(m, e):
        return value
    value = m.atom(value)
    m.fault(same(value, NOTHING), "of-nothing")
    return value


# ---------------------------------------------------------------- reading


def _option(m: Builder, e: x.OptionValue) -> p.Expr:
    note_unclear(m, e)
    return p.Const(encoded(m.setting.options[e.index]))


def note_unclear(m: Builder, e: x.OptionValue) -> None:
    """Record in the outcome that the match met an option whose reading the rules leave open."""
    if m.setting.game.options[e.index].unclear and e.index not in m.noted:
        m.noted.add(e.index)
        m.emit(p.Store(p.Const(m.storage.unclear[e.index]), ONE))


def owner_index(m: Builder, variable: model.Variable, of: x.Expr | None) -> p.Expr:
    """Which of a variable's owners is meant, from 0."""
    if variable.owner == "" or of is None:
        return ZERO
    owner = not_nothing(m, of)
    if variable.owner == "player":
        return owner
    return binary("-", row_of(m, variable.owner, owner), p.Const(m.setting.kind_base[variable.owner]))


def entry_by_card(m: Builder, kind: str, thing: p.Expr, values: tuple[int, ...], known: Interval) -> p.Expr:
    """An entry of a table over the printed members of a kind, for a member or a copy of one.

    values:  by member, in order.
    known:   the bounds of `thing`.
    """
    base, rows = m.setting.kind_base[kind], m.setting.row_of
    inside = range(base, base + len(values))
    return m.program.entry(tuple(values[row - base] if row in inside else 0 for row in rows), thing, known)


def row_of(m: Builder, kind: str, thing: p.Expr) -> p.Expr:
    """The printed member that a thing of a kind is a copy of, or the thing itself."""
    copied = any(one.kind == kind for one in m.setting.things[m.setting.copy_base :])
    return printed_row(m, thing) if copied else thing


def printed_row(m: Builder, thing: p.Expr) -> p.Expr:
    """The printed card of a thing, which must not be nothing."""
    if m.setting.copy_base == len(m.setting.things):
        return thing
    return m.program.entry(tuple(m.setting.row_of), thing)


def _stored(m: Builder, e: x.Stored) -> p.Expr:
    variable = m.setting.game.variables[e.variable]
    return word(m.storage.word_base[e.variable], owner_index(m, variable, e.of))


def _piece_of(m: Builder, e: x.PieceOf) -> p.Expr:
    variable = m.setting.game.variables[e.variable]
    return add(owner_index(m, variable, e.of), p.Const(m.setting.piece_first[e.variable]))


def _space_of(m: Builder, e: x.SpaceOf) -> p.Expr:
    piece = not_nothing(m, e.piece)
    if variables_named(m.setting, e.piece) <= m.storage.always_placed:
        return word(m.storage.pieces, piece)
    return where_it_stands(m, piece)


def where_it_stands(m: Builder, piece: p.Expr) -> p.Expr:
    """The space or cell of a piece: a fault `not-placed` where it has none, unless it surely has."""
    space = word(m.storage.pieces, piece)
    stands = binary("!=", space, NOTHING)
    if stands not in m.holds:
        space = m.atom(space)
        m.fault(same(space, NOTHING), "not-placed")
        m.holds = (*m.holds, stands)
    return space


def _placed(m: Builder, e: x.Placed) -> p.Expr:
    piece = m.value(e.piece)
    if not may_be_nothing(m, e.piece):
        return binary("!=", word(m.storage.pieces, piece), NOTHING)
    piece, result = m.atom(piece), m.temp()
    m.emit(p.Set(result, ZERO))
    is_there = p.Binary("!=", word(m.storage.pieces, piece), NOTHING)
    m.when(binary("!=", piece, NOTHING), lambda: m.emit(p.Set(result, is_there)))
    return p.Get(result)


def home_of(m: Builder, piece: p.Expr, known: Interval) -> p.Expr:
    homes = tuple(encoded(m.setting.piece_home.get(thing)) for thing in range(len(m.setting.things)))
    return m.program.entry(homes, piece, known)


def _number_of(m: Builder, e: x.NumberOf) -> p.Expr:
    thing = not_nothing(m, e.thing)
    return m.program.entry(tuple(encoded(one.number) for one in m.setting.things), thing, interval_of(m, e.thing))


def _ordinal(m: Builder, e: x.Ordinal) -> p.Expr:
    row = row_of(m, e.kind, not_nothing(m, e.thing))
    return binary("-", row, p.Const(m.setting.kind_base[e.kind] - 1))


def _trait(m: Builder, e: x.Trait) -> p.Expr:
    thing = not_nothing(m, e.thing)
    return entry_by_card(m, e.kind, thing, tuple(encoded(value) for value in e.values), interval_of(m, e.thing))


def _owner_of(m: Builder, e: x.OwnerOf) -> p.Expr:
    """A piece's owner stands in a table, a copy's is the owner of the pile where it lies."""
    thing = m.atom(not_nothing(m, e.thing))
    setting, printed = m.setting, table_owner(m, thing)
    for known in m.holds:
        if isinstance(known, p.Binary) and known.op == "==" and known.left == printed:
            return known.right
    if setting.copy_base == len(setting.things):
        return printed
    of_list = list_owners(m, p.NONE)
    result = m.temp()
    m.emit(p.Set(result, printed))

    def of_copy() -> None:
        lies = m.atom(m.lies(thing))
        m.when(
            binary("<=", ZERO, lies),
            lambda: m.emit(p.Set(result, m.program.entry(of_list, lies))),
            lambda: m.emit(p.Set(result, NOTHING)),
        )

    m.when(binary("<=", p.Const(setting.copy_base), thing), of_copy)
    return p.Get(result)


def table_owner(m: Builder, thing: p.Expr) -> p.Expr:
    """The owner that a thing has from the start."""
    return m.program.entry(tuple(encoded(one.owner) for one in m.setting.things), thing)


def list_owners(m: Builder, nobody: int) -> tuple[int, ...]:
    """By stored list the player that owns it, or `nobody`."""
    owners = [nobody] * len(m.storage.lists)
    for index, base in m.storage.list_base.items():
        variable = m.setting.game.variables[index]
        if variable.owner == "player":
            owners[base : base + m.setting.owners(variable)] = range(m.setting.owners(variable))
    return tuple(owners)


def _lookup(m: Builder, e: x.Lookup) -> p.Expr:
    base, count = m.setting.kind_base[e.kind], m.setting.kind_count[e.kind]
    numbers = {m.setting.things[thing].number: thing for thing in reversed(range(base, base + count))}
    known = [number for number in numbers if number is not None]
    low, high = min(known), max(known)
    key = m.atom(m.value(e.key))
    m.fault(binary("|", binary("<", key, p.Const(low)), binary("<", p.Const(high), key)), "no-such-member")
    table = tuple(numbers.get(number, p.NONE) for number in range(low, high + 1))
    found = m.program.entry(table, binary("-", key, p.Const(low)))
    if p.NONE in table:
        found = m.atom(found)
        m.fault(same(found, NOTHING), "no-such-member")
    return found


# ---------------------------------------------------------------- operators


def _short(m: Builder, e: x.Both | x.Either) -> p.Expr:
    """Short-circuit evaluation; where the right side is pure, both sides are evaluated without a branch."""
    op, start = "&" if isinstance(e, x.Both) else "|", len(m.body)
    first = m.value(e.left)
    if isinstance(first, p.Const):
        if bool(first.value) != (op == "&"):
            return first
        m.spend_deferred(e.right)
        return m.value(e.right)
    made: list[p.Expr] = []
    statements = m.collect(lambda: made.append(_under_condition(m, e.right)))
    if not statements:
        return binary(op, first, made[0])
    if isinstance(made[0], p.Const):
        # What the right side is does not hang on what it does, such as meeting an open reading.
        first = m.atom(first)
        m.when(first if op == "&" else negation(first), lambda: m.emit(*statements))
        whole = binary(op, first, made[0])
        notes = {(p.Store(p.Const(word), ONE),): p.Word(p.Const(word)) for word in m.storage.unclear.values()}
        if isinstance(whole, p.Const) and statements in notes and len(m.body) > start + 1:
            _unless(m, start, notes[statements])
        return whole
    result = m.temp()
    m.emit(p.Set(result, first))
    test: p.Expr = p.Get(result)
    m.emit(p.If(test if op == "&" else p.Not(test), (*statements, p.Set(result, made[0]))))
    return p.Get(result)


def _under_condition(m: Builder, e: x.Expr) -> p.Expr:
    m.spend_deferred(e)
    return m.value(e)


def _unless(m: Builder, start: int, met: p.Expr) -> None:
    """What was emitted since, only to see whether an open reading is met, is not done where it was met already."""
    body = m.body[start:]
    fixed = max((place + 1 for place, one in enumerate(body[:-1]) if has_effects(m.program, (one,))), default=0)
    m.body[start + fixed :] = [p.If(negation(met), tuple(body[fixed:]))]


def _choice(m: Builder, e: x.Choice) -> p.Expr:
    test = m.value(e.test)
    if isinstance(test, p.Const):
        return _under_condition(m, e.then if test.value else e.other)
    values: list[p.Expr] = []
    then = m.collect(lambda: values.append(_under_condition(m, e.then)))
    other = m.collect(lambda: values.append(_under_condition(m, e.other)))
    if not then and not other:
        return p.Pick(test, values[0], values[1])
    result = m.temp()
    m.emit(p.If(test, (*then, p.Set(result, values[0])), (*other, p.Set(result, values[1]))))
    return p.Get(result)


def _arithmetic(m: Builder, e: x.Arithmetic) -> p.Expr:
    left = not_nothing(m, e.left)
    right = not_nothing(m, e.right)
    if e.op in ("/", "mod"):
        right = m.atom(right)
        m.fault(same(right, ZERO), "division-by-zero")
        return binary("//" if e.op == "/" else "%", left, right)
    low, high = interval_of_arithmetic(e.op, interval_of(m, e.left), interval_of(m, e.right))
    if ANY[0] <= low and high <= ANY[1]:
        return binary(e.op, left, right)
    if e.op == "*":
        left, right = m.atom(left), m.atom(right)
        m.fault(_too_far(left, right), "number-too-large")
    return overflow_checked(m, binary(e.op, left, right))


def _too_far(left: p.Expr, right: p.Expr) -> p.Expr:
    """Whether a product surely exceeds the limit, found by a division so that nothing overflows meanwhile."""
    size = binary("max", left, binary("-", ZERO, left))
    other = binary("max", right, binary("-", ZERO, right))
    return binary("<", binary("//", p.Const(limits.INTEGER), binary("max", size, ONE)), other)


def overflow_checked(m: Builder, value: p.Expr) -> p.Expr:
    """The value, after a check that it lies within the limits of integers: a fault `number-too-large`."""
    value = m.atom(value)
    beyond = binary("|", binary("<", value, p.Const(ANY[0])), binary("<", p.Const(ANY[1]), value))
    m.fault(beyond, "number-too-large")
    return value


def _compare(m: Builder, e: x.Compare) -> p.Expr:
    left = not_nothing(m, e.left)
    right = not_nothing(m, e.right)
    if e.op in ("above", "at most"):
        left, right = right, left
    return binary("<", left, right) if e.op in ("above", "below") else binary("<=", right, left)


def equality_key(m: Builder, value: p.Expr, e: x.Expr) -> p.Expr:
    """The number that equal things share: copies of one printed card are equal; nothing stays nothing."""
    if (
        m.setting.copy_base == len(m.setting.things)
        or -1 <= interval_of(m, e)[0] <= interval_of(m, e)[1] < m.setting.copy_base
    ):
        return value
    if not may_be_nothing(m, e):
        return printed_row(m, value)
    if isinstance(value, p.Const):
        return value if value == NOTHING else printed_row(m, value)
    value, result = m.atom(value), m.temp()
    m.emit(p.Set(result, value))
    m.emit(p.If(binary("!=", value, NOTHING), (p.Set(result, printed_row(m, value)),)))
    return p.Get(result)


VALUES.update(
    {
        x.Const: lambda m, e: p.Const(encoded(e.value)),
        x.Direction: lambda m, e: p.Const(encoded(e.value)),
        x.Local: lambda m, e: m.locals[e.index].value,
        x.Element: lambda m, e: m.elements[e.index].value,
        x.OptionValue: _option,
        x.Stored: _stored,
        x.PieceOf: _piece_of,
        x.SpaceOf: _space_of,
        x.Placed: _placed,
        x.HomeOf: lambda m, e: home_of(m, not_nothing(m, e.piece), interval_of(m, e.piece)),
        x.NumberOf: _number_of,
        x.Ordinal: _ordinal,
        x.Trait: _trait,
        x.OwnerOf: _owner_of,
        x.Lookup: _lookup,
        x.Not: lambda m, e: negation(m.value(e.of)),
        x.Negative: lambda m, e: binary("-", ZERO, not_nothing(m, e.of)),
        x.Both: _short,
        x.Either: _short,
        x.Choice: _choice,
        x.Arithmetic: _arithmetic,
        x.Compare: _compare,
    }
)
