"""Abstract interpretation of expressions: what is known of a value before anything runs.

Whether it may be nothing (nullness), between which bounds it lies (an
interval), and its shape (one thing, a set, or a set of sets).  A plan need not
look for what cannot be.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from rulekit import limits
from rulekit.compiler.lower.analysis.intervals import (
    interval_of_arithmetic,
    interval_of_values,
    join,
    places_of,
    space_bounds,
)
from rulekit.compiler.lower.builder.environment import inside_define
from rulekit.compiler.lower.builder.ir_builder import ANY, GRID, Builder, Interval, Known
from rulekit.compiler.lower.storage.layout import LISTED
from rulekit.compiler.lower.storage.non_null import pieces_of
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ZERO
from rulekit.model import builtin_signatures
from rulekit.model import expr as x
from rulekit.model.types import Type


def sources(e: x.Expr) -> tuple[x.Expr, ...]:
    """The expressions of which one gives what this gives, or the members of it; none where it is made otherwise."""
    if isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered):
        return (e.of,)
    if isinstance(e, x.Union):
        return e.left, e.right
    return (e.then, e.other) if isinstance(e, x.Choice) else ()


# ---------------------------------------------------------------- one thing


def may_be_nothing(m: Builder, e: x.Expr) -> bool:
    """Whether a value may be nothing; False only if it surely is not."""
    if isinstance(e, x.Const):
        return e.value is None
    if isinstance(e, x.Local | x.Element):
        return known_here(m, e).maybe
    if isinstance(e, x.Stored):
        return m.setting.game.variables[e.variable].form == "value"
    if isinstance(e, x.Choice):
        return may_be_nothing(m, e.then) or may_be_nothing(m, e.other)
    if isinstance(e, x.Trait):
        return None in e.values
    if isinstance(e, x.Invoke):
        return bool(through_define(m, e, may_be_nothing, True))
    if isinstance(e, x.OwnerOf):
        return _may_have_no_owner(m, e)
    if isinstance(e, x.HomeOf | x.End):
        return True
    if isinstance(e, x.ItemOf):
        return element_maybe(m, e.of)
    if isinstance(e, x.Builtin):
        return builtin_signatures.WORDS[e.word].may_be_nothing or (_gives_same(e) and may_be_nothing(m, e.args[0]))
    return False


def _may_have_no_owner(m: Builder, e: x.OwnerOf) -> bool:
    """Pieces of players always have one; copies lie where they lie."""
    first, last = interval_of(m, e.thing)
    if last >= m.setting.copy_base or first < 0:
        return True
    return any(thing.owner is None for thing in m.setting.things[first : last + 1])


def interval_of(m: Builder, e: x.Expr) -> Interval:
    """Between which bounds a number lies."""
    if isinstance(e, x.Const) and isinstance(e.value, int):
        return int(e.value), int(e.value)
    if isinstance(e, x.Local | x.Element):
        return known_here(m, e).reach
    if isinstance(e, x.Stored):
        variable = m.setting.game.variables[e.variable]
        return (ANY[0] if variable.low is None else variable.low, ANY[1] if variable.high is None else variable.high)
    if isinstance(e, x.Count):
        return 0, limits.THINGS
    if isinstance(e, x.SpaceOf):
        return _spaces(m, e.piece)
    if isinstance(e, x.PieceOf):
        return _pieces(m, e.variable)
    if isinstance(e, x.OwnerOf):
        return -1, m.setting.copy_base - 1
    if isinstance(e, x.Invoke):
        known: Interval = through_define(m, e, interval_of, ANY)
        return known
    if isinstance(e, x.Trait):
        return interval_of_values(e.values)
    if isinstance(e, x.NumberOf):
        return interval_of_values(tuple(thing.number for thing in m.setting.things if thing.number is not None))
    if isinstance(e, x.Ordinal):
        return 1, m.setting.kind_count[e.kind]
    if isinstance(e, x.OptionValue):
        return interval_of_values((m.setting.options[e.index],))
    if isinstance(e, x.Choice):
        return join(interval_of(m, e.then), interval_of(m, e.other))
    if isinstance(e, x.Negative):
        low, high = interval_of(m, e.of)
        return -high, -low
    if isinstance(e, x.Arithmetic):
        return interval_of_arithmetic(e.op, interval_of(m, e.left), interval_of(m, e.right))
    if isinstance(e, x.Builtin):
        return _of_word(m, e)
    return ANY


def _pieces(m: Builder, variable: int) -> Interval:
    numbers = pieces_of(m.setting, variable)
    return numbers[0], numbers[-1]


def _spaces(m: Builder, piece: x.Expr) -> Interval:
    """The numbers of the spaces on which a piece may stand."""
    bounds = [space_bounds(m, name) for name in places_of(m, piece)]
    return (min(low for low, _ in bounds), max(high for _, high in bounds)) if bounds else ANY


def _of_word(m: Builder, e: x.Builtin) -> Interval:
    if e.word in ("min", "max"):
        return join(interval_of(m, e.args[0]), interval_of(m, e.args[1]))
    if e.word in ("seat", "seats_after", "turns_after", "index", "links", "depth"):
        return 0, limits.THINGS
    return ANY


# ---------------------------------------------------------------- sets


def shape(m: Builder, e: x.Expr) -> int:
    """0: one thing, 1: a set, 2: a set of sets."""
    if isinstance(e, x.GroupOf | x.AllOf | x.Seats | x.Spaces | x.Cells | x.Interval):
        return 1
    if found := sources(e):
        return max(shape(m, one) for one in found)
    if isinstance(e, x.Listed):
        return 1 + (shape(m, e.items[0]) if e.items else 0)
    if isinstance(e, x.Local | x.Element):
        return known_here(m, e).shape
    if isinstance(e, x.Const):
        return 1 if isinstance(e.value, tuple) and not isinstance(e, x.Direction) else 0
    return _shape_by_type(m, e)


def _shape_by_type(m: Builder, e: x.Expr) -> int:
    game = m.setting.game
    if isinstance(e, x.Stored):
        variable = game.variables[e.variable]
        return 1 if variable.form in LISTED else depth(variable.type)
    if isinstance(e, x.Trait):
        return depth(game.kinds[e.kind].trait_types[e.name])
    if isinstance(e, x.OptionValue):
        return depth(game.options[e.index].type)
    if isinstance(e, x.Invoke):
        return depth(game.defines[e.define].type)
    if isinstance(e, x.ItemOf | x.End):
        return shape(m, e.of) - 1
    if isinstance(e, x.Mapped):
        return _mapped_shape(m, e)
    if isinstance(e, x.Builtin):
        return _word_shape(m, e)
    return 0


def _mapped_shape(m: Builder, e: x.Mapped) -> int:
    if e.flat:
        return 1
    with_element(m, e.slot, ZERO, e.of)
    return 1 + shape(m, e.value)


def _word_shape(m: Builder, e: x.Builtin) -> int:
    return shape(m, e.args[0]) if _gives_same(e) else builtin_signatures.WORDS[e.word].depth


def _gives_same(e: x.Builtin) -> bool:
    """Whether a word gives what its first argument is, or members of it."""
    return builtin_signatures.WORDS[e.word].gives == "same"


def depth(kind: Type) -> int:
    """The shape of a type: how many sets stand inside one another."""
    return 1 + depth(kind.element) if kind.is_set else 0


def element_maybe(m: Builder, e: x.Expr) -> bool:
    """Whether an element of a set may be nothing."""
    if found := sources(e):
        return any(element_maybe(m, one) for one in found)
    if isinstance(e, x.Listed):
        return any(may_be_nothing(m, item) for item in e.items)
    if isinstance(e, x.Const):
        return isinstance(e.value, tuple) and None in e.value
    if isinstance(e, x.Mapped) and not e.flat:
        with_element(m, e.slot, ZERO, e.of)
        return may_be_nothing(m, e.value)
    if isinstance(e, x.Local):
        return known_here(m, e).maybe
    if isinstance(e, x.Stored):
        return m.setting.game.variables[e.variable].may_be_empty
    if isinstance(e, x.Invoke):
        return bool(through_define(m, e, element_maybe, True))
    if isinstance(e, x.Builtin) and _gives_same(e):
        return element_maybe(m, e.args[0])
    return isinstance(e, x.Element)


def element_interval(m: Builder, e: x.Expr) -> Interval:
    """Between which bounds the elements of a set lie."""
    if found := sources(e):
        return reduce(join, (element_interval(m, one) for one in found))
    if isinstance(e, x.Interval):
        return interval_of(m, e.low)[0], interval_of(m, e.high)[1]
    if isinstance(e, x.Spaces):
        return e.low, e.high
    if isinstance(e, x.Seats):
        return 0, m.setting.everyone - 1
    if isinstance(e, x.AllOf):
        first = m.setting.kind_base.get(e.kind, 0)
        return first, first + m.setting.kind_count.get(e.kind, 1) - 1
    if isinstance(e, x.GroupOf):
        return _pieces(m, e.variable)
    if isinstance(e, x.Stored) and m.setting.game.variables[e.variable].form == "pile":
        return m.setting.copy_base, len(m.setting.things) - 1
    if isinstance(e, x.Listed) and e.items:
        return reduce(join, (interval_of(m, item) for item in e.items))
    if isinstance(e, x.Mapped) and e.flat:
        with_element(m, e.slot, ZERO, e.of)
        return element_interval(m, e.value)
    if isinstance(e, x.Invoke):
        known: Interval = through_define(m, e, element_interval, ANY)
        return known
    if isinstance(e, x.Mapped) and not e.flat:
        with_element(m, e.slot, ZERO, e.of)
        return interval_of(m, e.value)
    if isinstance(e, x.Local):
        return known_here(m, e).reach
    return ANY


# ---------------------------------------------------------------- all of that


def known_here(m: Builder, e: x.Local | x.Element) -> Known:
    """What is known of a name, or of the element of a query around."""
    return m.locals.get(e.index, _UNKNOWN) if isinstance(e, x.Local) else m.elements[e.index]


_UNKNOWN = Known(ZERO)


def known_of(m: Builder, e: x.Expr, value: p.Expr = ZERO) -> Known:
    """What is known of an expression, which is worked out to this value."""
    shaped = shape(m, e)
    reach, maybe = (element_interval, element_maybe) if shaped else (interval_of, may_be_nothing)
    return Known(value, shaped, reach(m, e), maybe(m, e), GRID["are_cells"](m, e))


def known_of_element(m: Builder, of: x.Expr, value: p.Expr) -> Known:
    """The same of the elements of a set."""
    return Known(value, shape(m, of) - 1, element_interval(m, of), element_maybe(m, of), GRID["are_cells"](m, of))


def with_element(m: Builder, slot: int, item: p.Expr, of: x.Expr) -> None:
    """What an element stands for from now on; one that is a set itself is written out as a sequence."""
    if shape(m, of) == 2 and item != ZERO:
        item = GRID["members"](m, item)
    m.elements[slot] = known_of_element(m, of, item)


# ---------------------------------------------------------------- defines


DEEPEST = 40
"""Defines inside one another that are looked through, and written out where they are used."""


def through_define(m: Builder, e: x.Invoke, ask: Callable[[Builder, x.Expr], Any], unknown: Any) -> Any:
    """Ask something about what a define stands for, with its parameters as far as they are known here.

    Answers are kept, so that each question is asked once for each kind of arguments.

    unknown:  the answer where defines stand too deep inside one another.
    """
    if m.depth >= DEEPEST:
        return unknown
    parameters = tuple(known_of(m, arg) for arg in e.args)
    key = ask, e.define, parameters
    if key not in m.program.answers:
        with inside_define(m, parameters):
            m.program.answers[key] = ask(m, m.setting.game.defines[e.define].value)
    return m.program.answers[key]
