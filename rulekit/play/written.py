"""Expressions written out as Python, for codes that run often: the same meaning without a call for every node.

Whatever is not written here stays a call of the meaning that the tables give.
An expression that goes wrong as Python (nothing where something is needed) is
asked of its meaning again, which says what is wrong in words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, evolve, field, frozen

from rulekit import limits
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.secrecy import parts
from rulekit.play.evaluate import WORDS, Meanings, spend
from rulekit.play.machine import Machine
from rulekit.play.operators import SAME, written_range
from rulekit.play.reading import pile_under

Given = Callable[[Meanings], Any]
"""What a name stands for at a table."""


class Amiss(Exception):
    """Something has to be said about an expression that text cannot say."""


_DEEP = 20
"""So many defines inside one another are written out; beyond, their meanings count how deep they go."""
AMISS = (Amiss, TypeError, ZeroDivisionError)


@frozen
class Scope:
    """What locals and elements are called where an expression stands; everything there gets `names` handed on."""

    names: tuple[str, ...]
    locals: str | tuple[str, ...]
    elements: tuple[tuple[int, str], ...] = ()

    def local(self, index: int) -> str:
        return f"{self.locals}[{index}]" if isinstance(self.locals, str) else self.locals[index]

    def element(self, slot: int) -> str:
        return dict(self.elements)[slot]

    def within(self, slot: int, name: str) -> Scope:
        others = tuple(pair for pair in self.elements if pair[0] != slot)
        return evolve(self, elements=(*others, (slot, name)))

    def handed(self) -> str:
        return ", ".join(("m", *self.names, *(name for _, name in self.elements)))


FRAME = Scope(("own",), "own")
"""In an operation: locals are those of its frame."""


@define
class Writer:
    """Text and what it needs.

    needs:     what the names k0, k1 … stand for.
    lines:     functions that the text calls.
    calls:     how often the text calls a meaning.
    """

    game: model.Game
    needs: list[Given] = field(factory=list)
    lines: list[str] = field(factory=list)
    calls: int = 0
    _numbers: int = 0
    _defines: dict[int, str | None] = field(factory=dict)
    _shallow: frozenset[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._shallow = _shallow(self.game)

    def need(self, given: Given) -> str:
        self.needs.append(given)
        return f"k{len(self.needs) - 1}"

    def same(self, value: Any) -> str:
        return self.need(lambda c: value)

    def fresh(self, letter: str) -> str:
        self._numbers += 1
        return f"{letter}{self._numbers}"

    def text(self, e: x.Expr, at: Scope = FRAME) -> str | None:
        """An expression as Python; None if it cannot be written so."""
        written = _WRITTEN.get(type(e))
        if written is not None:
            needs, lines, defines = len(self.needs), len(self.lines), self._defines.copy()
            found = written(self, e, at)
            if found is not None:
                return found
            del self.needs[needs:], self.lines[lines:]
            self._defines = defines
        if any(isinstance(part, x.Local | x.Element) for part in parts(e)):
            return None
        self.calls += 1
        return f"{self.need(lambda c: c.of(e))}(m)"

    def texts(self, several: tuple[x.Expr, ...], at: Scope) -> list[str] | None:
        found = [self.text(e, at) for e in several]
        return None if None in found else found  # type: ignore[return-value]

    def function(self, at: Scope, body: list[str], more: tuple[str, ...] = ()) -> str:
        """A function of everything in scope; its name."""
        name = self.fresh("q")
        handed = ", ".join((at.handed(), *more))
        self.lines += [f"def {name}({handed}):", *(f"    {line}" for line in body)]
        return name

    def define(self, number: int) -> str | None:
        """The function of a `define`; None if it cannot be written or leads back to itself."""
        if number not in self._defines:
            self._defines[number] = None
            self._defines[number] = self._define(number)
        return self._defines[number]

    def _define(self, number: int) -> str | None:
        one = self.game.defines[number]
        names = tuple(f"a{place}" for place in range(one.parameters))
        value = self.text(one.value, Scope(names, names)) if number in self._shallow else None
        if value is None:
            return None
        return self.function(Scope(names, names), ["m.steps += 1", f"return {value}"])


def _shallow(game: model.Game) -> frozenset[int]:
    """The defines within which not more than `_DEEP` lie inside one another, themselves counted."""
    inner = [{part.define for part in parts(one.value) if isinstance(part, x.Invoke)} for one in game.defines]
    found: frozenset[int] = frozenset()
    for _ in range(_DEEP):
        found = frozenset(number for number, others in enumerate(inner) if others <= found)
    return found


Written = Callable[[Writer, Any, Scope], str | None]

# ---------------------------------------------------------------- names and places


def _const(w: Writer, e: x.Const, at: Scope) -> str:
    value = e.value
    return str(value) if value is None or isinstance(value, int) else w.same(value)


def _local(w: Writer, e: x.Local, at: Scope) -> str:
    return at.local(e.index)


def _element(w: Writer, e: x.Element, at: Scope) -> str:
    return at.element(e.index)


def _option(w: Writer, e: x.OptionValue, at: Scope) -> str | None:
    if w.game.options[e.index].unclear:
        return None
    return w.need(lambda c: c.setting.options[e.index])


def _slot(w: Writer, variable: int, of: x.Expr | None, at: Scope, first: Given) -> str | None:
    """Where what belongs to an owner begins, as an index."""
    declared = w.game.variables[variable]
    if of is None:
        return w.need(first)
    owner = w.text(of, at)
    if owner is None or declared.form == "group" or declared.owner != "player":
        return None
    return f"{w.need(first)} + {owner}"


def _stored(w: Writer, e: x.Stored | x.PieceOf, at: Scope) -> str | None:
    slot = _slot(w, e.variable, e.of, at, lambda c: c.setting.bases[e.variable])
    return None if slot is None else f"m.values[{slot}]"


def _piece_of(w: Writer, e: x.PieceOf, at: Scope) -> str | None:
    first = _slot(w, e.variable, e.of, at, lambda c: c.setting.piece_first[e.variable])
    return None if first is None else f"({first})"


def _space_of(w: Writer, e: x.SpaceOf, at: Scope) -> str | None:
    space = _stored(w, e.piece, at) if isinstance(e.piece, x.PieceOf) else _space(w, e.piece, at)
    return None if space is None else _something(w, space)


def _space(w: Writer, e: x.Expr, at: Scope) -> str | None:
    piece = w.text(e, at)
    return None if piece is None else f"m.values[{w.need(lambda c: c.setting.piece_slot)}[{piece}]]"


def _something(w: Writer, text: str) -> str:
    """A value that must not be nothing."""
    name = w.fresh("t")
    return f"({name} if ({name} := {text}) is not None else {w.same(amiss)}())"


def amiss() -> None:
    raise Amiss


def _placed(w: Writer, e: x.Placed, at: Scope) -> str | None:
    if not isinstance(e.piece, x.PieceOf):
        return None
    space = _stored(w, e.piece, at)
    return None if space is None else f"({space} is not None)"


def _seats(w: Writer, e: x.Seats, at: Scope) -> str | None:
    if e.who != "players":
        return None
    return f"{w.need(lambda c: _turned(c.setting.players))}[m.starter]"


def _turned(players: int) -> tuple[tuple[int, ...], ...]:
    seats = tuple(range(players))
    return tuple(seats[first:] + seats[:first] for first in seats)


# ---------------------------------------------------------------- things


def _number_of(w: Writer, e: x.NumberOf, at: Scope) -> str | None:
    thing = w.text(e.thing, at)
    return None if thing is None else f"{w.need(lambda c: c.setting.things)}[{thing}].number"


def _trait(w: Writer, e: x.Trait, at: Scope) -> str | None:
    thing = w.text(e.thing, at)
    if thing is None:
        return None
    base = w.need(lambda c: c.setting.kind_base[e.kind])
    return f"{w.same(e.values)}[{w.need(_rows)}[{thing}] - {base}]"


def _rows(c: Meanings) -> list[int]:
    return c.setting.row_of


# ---------------------------------------------------------------- operators


def _not(w: Writer, e: x.Not, at: Scope) -> str | None:
    of = w.text(e.of, at)
    return None if of is None else f"(not {of})"


def _joined(word: str) -> Written:
    def joined(w: Writer, e: x.Both | x.Either, at: Scope) -> str | None:
        both = w.texts((e.left, e.right), at)
        return None if both is None else f"({both[0]} {word} {both[1]})"

    return joined


def _choice(w: Writer, e: x.Choice, at: Scope) -> str | None:
    three = w.texts((e.test, e.then, e.other), at)
    return None if three is None else f"({three[1]} if {three[0]} else {three[2]})"


_SIGNS = {"/": "//", "mod": "%", "below": "<", "above": ">", "at least": ">=", "at most": "<="}


def _arithmetic(w: Writer, e: x.Arithmetic, at: Scope) -> str | None:
    both = w.texts((e.left, e.right), at)
    return None if both is None else bounded(w, f"{both[0]} {_SIGNS.get(e.op, e.op)} {both[1]}")


def bounded(w: Writer, text: str) -> str:
    name = w.fresh("t")
    return f"({name} if -{limits.INTEGER} <= ({name} := {text}) <= {limits.INTEGER} else {w.same(amiss)}())"


def _negative(w: Writer, e: x.Negative, at: Scope) -> str | None:
    of = w.text(e.of, at)
    return None if of is None else f"(-{of})"


def _compare(w: Writer, e: x.Compare, at: Scope) -> str | None:
    both = w.texts((e.left, e.right), at)
    return None if both is None else f"({both[0]} {_SIGNS[e.op]} {both[1]})"


def _count(w: Writer, e: x.Count, at: Scope) -> str | None:
    of = w.text(e.of, at)
    return None if of is None else f"len({of})"


def _some(w: Writer, e: x.Some, at: Scope) -> str | None:
    of = w.text(e.of, at)
    return None if of is None else f"(len({of}) {'==' if e.negate else '!='} 0)"


def _same(w: Writer, e: x.Same, at: Scope) -> str | None:
    both = w.texts((e.left, e.right), at)
    if both is None:
        return None
    sign, left = "!=" if e.negate else "==", both[0]
    if e.how == "plain":
        return f"({left} {sign} {both[1]})"
    if e.how == "thing" and isinstance(e.right, x.Const) and isinstance(e.right.value, int):
        thing, row, name = e.right.value, w.need(_rows), w.fresh("t")
        is_same = f"(({name} := {left}) is not None and {row}[{name}] == {w.need(lambda c: c.setting.row_of[thing])})"
        return f"(not {is_same})" if e.negate else is_same
    return f"({w.same(SAME[e.how])}(m, {left}, {both[1]}) {sign} True)"


def _among(w: Writer, e: x.Among, at: Scope) -> str | None:
    left, numbers = w.text(e.left, at), written_range(e.right)
    right = w.text(e.right, at) if numbers is None else w.same(numbers)
    if left is None or right is None:
        return None
    if e.how == "thing":
        found = f"{w.same(_lies_among)}({w.need(_rows)}, {left}, {right})"
        return f"(not {found})" if e.negate else found
    return f"({left} {'not in' if e.negate else 'in'} {right})"


def _lies_among(row_of: list[int], thing: int | None, things: tuple[int | None, ...]) -> bool:
    """A printed thing stands for its copies, and they for it."""
    row = None if thing is None else row_of[thing]
    return any(item is not None and row_of[item] == row for item in things)


def _invoke(w: Writer, e: x.Invoke, at: Scope) -> str | None:
    name = w.define(e.define)
    args = None if name is None else w.texts(e.args, at)
    return None if args is None else f"{name}({', '.join(['m', *args])})"


def _builtin(w: Writer, e: x.Builtin, at: Scope) -> str | None:
    args = w.texts(e.args, at)
    return None if args is None else f"{w.same(_worded(e))}(m, [{', '.join(args)}])"


def _worded(e: x.Builtin) -> Callable[[Machine, list[Any]], Any]:
    word = WORDS[e.word]

    def worded(m: Machine, args: list[Any]) -> Any:
        spend(m, 1)
        return word(m, e, args)

    return worded


# ---------------------------------------------------------------- queries


def _over(
    w: Writer,
    e: Any,
    inner: tuple[x.Expr, ...],
    at: Scope,
    each: Callable[..., list[str]],
    *,
    first: list[str],
    end: list[str],
) -> str | None:
    """A function that goes through a set: `each` is given the name of a member and the texts of what is asked of it."""
    items, name = w.text(e.of, at), f"e{e.slot}_{w.fresh('')}"
    asked = None if items is None else w.texts(inner, at.within(e.slot, name))
    if asked is None:
        return None
    body = [
        f"items = {items}",
        f"m.steps += len(items) * {len(inner)}",
        "if m.steps > m.step_limit: m.out_of_steps()",
        *first,
        f"for {name} in items:",
        *(f"    {line}" for line in each(name, *asked)),
        *end,
    ]
    return f"{w.function(at, body)}({at.handed()})"


def _filter(w: Writer, e: x.Filter, at: Scope) -> str | None:
    test = e.test
    if isinstance(test, x.Among) and test.how == "thing" and not test.negate and not _reads(test.left, e.slot):
        return _who_has(w, e, test, at)

    def each(item: str, holds: str) -> list[str]:
        return [f"if {holds}: found.append({item})"]

    return _over(w, e, (test,), at, each, first=["found = []"], end=["return tuple(found)"])


def _who_has(w: Writer, e: x.Filter, test: x.Among, at: Scope) -> str | None:
    """Those for whom one thing lies in some set."""
    thing, rows = w.text(test.left, at), w.need(_rows)
    if thing is None:
        return None

    def each(item: str, things: str) -> list[str]:
        lying = f"for lying in {things}:"
        return [
            lying,
            f"    if lying is not None and {rows}[lying] == row:",
            f"        found.append({item})",
            "        break",
        ]

    first = ["found = []", f"row = {thing}", f"row = None if row is None else {rows}[row]"]
    return _over(w, e, (test.right,), at, each, first=first, end=["return tuple(found)"])


def _reads(e: x.Expr, slot: int) -> bool:
    return any(isinstance(part, x.Element) and part.index == slot for part in parts(e))


def _gather(item: str, value: str) -> list[str]:
    return [f"found.append({value})"]


def _mapped(w: Writer, e: x.Mapped, at: Scope) -> str | None:
    found = "dict.fromkeys(found)" if e.distinct else "found"

    def each(item: str, value: str) -> list[str]:
        return [f"found.{'extend' if e.flat else 'append'}({value})"]

    return _over(w, e, (e.value,), at, each, first=["found = []"], end=[f"return tuple({found})"])


_FOLDS = {"sum": "sum(found)", "least": "min(found, default=0)", "most": "max(found, default=0)"}


def _fold(w: Writer, e: x.Fold, at: Scope) -> str | None:
    end = [f"return {bounded(w, _FOLDS[e.op])}"]
    return _over(w, e, (e.value,), at, _gather, first=["found = []"], end=end)


def _extreme(w: Writer, e: x.Extreme, at: Scope) -> str | None:
    best = f"best = {'min' if e.lowest else 'max'}(found)"
    end = [_no_nothing(w), best, "return tuple([item for item, key in zip(items, found) if key == best])"]
    return _over(w, e, (e.key,), at, _gather, first=["if not items: return items", "found = []"], end=end)


def _ordered(w: Writer, e: x.Ordered, at: Scope) -> str | None:
    def each(item: str, *keys: str) -> list[str]:
        signed = [key if low else f"-{key}" for key, (_, low) in zip(keys, e.keys, strict=True)]
        return [f"found.append({signed[0]})" if len(signed) == 1 else f"found.append(({', '.join(signed)}))"]

    whole = _no_nothing(w) if len(e.keys) == 1 else f"if None in sum(found, ()): {w.same(amiss)}()"
    end = "return tuple([items[at] for at in sorted(range(len(items)), key=found.__getitem__)])"
    keys = tuple(key for key, _ in e.keys)
    first = ["if not items: return ()", "found = []"]
    return _over(w, e, keys, at, each, first=first, end=[whole, end])


def _no_nothing(w: Writer) -> str:
    """Nothing cannot be ordered by."""
    return f"{w.same(_all_something)}(found)"


def _all_something(found: list[Any]) -> None:
    if None in found:
        raise Amiss


# ---------------------------------------------------------------- whole sets


def _end(w: Writer, e: x.End, at: Scope) -> str | None:
    items = w.text(e.of, at) if pile_under(e.of) is None else None
    name = w.fresh("t")
    return None if items is None else f"({name}[{-1 if e.last else 0}] if ({name} := {items}) else None)"


def _without(w: Writer, e: x.Without, at: Scope) -> str | None:
    both = w.texts((e.of, e.less), at)
    if both is None:
        return None
    if e.how == "thing":
        return f"{w.same(_without_things)}({w.need(_rows)}, {both[0]}, {both[1]})"
    return f"{w.same(_without_plain)}({both[0]}, {both[1]})"


def _without_plain(items: tuple[Any, ...], less: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([item for item in items if item not in less])


def _without_things(row_of: list[int], items: tuple[Any, ...], less: tuple[Any, ...]) -> tuple[Any, ...]:
    rows = {row_of[item] for item in less if item is not None}
    return tuple([item for item in items if row_of[item] not in rows])


def _union(w: Writer, e: x.Union, at: Scope) -> str | None:
    both = w.texts((e.left, e.right), at)
    return None if both is None else f"{w.same(_united)}({both[0]}, {both[1]})"


def _united(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    return left + tuple([item for item in right if item not in left])


def _listed(w: Writer, e: x.Listed, at: Scope) -> str | None:
    items = w.texts(e.items, at)
    return None if items is None else f"({''.join(f'{item}, ' for item in items)})"


def _interval(w: Writer, e: x.Interval, at: Scope) -> str | None:
    known, both = written_range(e), w.texts((e.low, e.high), at)
    if known is not None:
        return w.same(known)
    return None if both is None else f"{w.same(_range)}({both[0]}, {both[1]})"


def _range(low: int, high: int) -> tuple[int, ...]:
    if high - low >= limits.SET:
        raise Amiss
    return tuple(range(low, high + 1))


_WRITTEN: dict[type, Written] = {
    x.Const: _const,
    x.Direction: _const,
    x.Local: _local,
    x.Element: _element,
    x.OptionValue: _option,
    x.Stored: _stored,
    x.PieceOf: _piece_of,
    x.SpaceOf: _space_of,
    x.Placed: _placed,
    x.Seats: _seats,
    x.NumberOf: _number_of,
    x.Trait: _trait,
    x.Not: _not,
    x.Both: _joined("and"),
    x.Either: _joined("or"),
    x.Choice: _choice,
    x.Arithmetic: _arithmetic,
    x.Negative: _negative,
    x.Compare: _compare,
    x.Count: _count,
    x.Some: _some,
    x.Same: _same,
    x.Among: _among,
    x.Invoke: _invoke,
    x.Builtin: _builtin,
    x.Filter: _filter,
    x.Mapped: _mapped,
    x.Fold: _fold,
    x.Extreme: _extreme,
    x.Ordered: _ordered,
    x.End: _end,
    x.Without: _without,
    x.Union: _union,
    x.Listed: _listed,
    x.Interval: _interval,
}
