"""Emission of operators as Python: logic, numbers, comparing, and calls of defines and words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.model import expr as x
from rulekit.play.jit.expression_emitter import WRITTEN, Scope, Writer, Written, bounded, rows_of
from rulekit.play.machine.closure_compilation import WORDS, spend
from rulekit.play.machine.working_state import Machine
from rulekit.play.meaning.operators import SAME, written_range


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
        thing, row, name = e.right.value, w.need(rows_of), w.fresh("t")
        is_same = f"(({name} := {left}) is not None and {row}[{name}] == {w.need(lambda c: c.setting.row_of[thing])})"
        return f"(not {is_same})" if e.negate else is_same
    return f"({w.same(SAME[e.how])}(m, {left}, {both[1]}) {sign} True)"


def _among(w: Writer, e: x.Among, at: Scope) -> str | None:
    left, numbers = w.text(e.left, at), written_range(e.right)
    right = w.text(e.right, at) if numbers is None else w.same(numbers)
    if left is None or right is None:
        return None
    if e.how == "thing":
        found = f"{w.same(_lies_among)}({w.need(rows_of)}, {left}, {right})"
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


WRITTEN.update(
    {
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
    }
)
