"""Arithmetic on plans: operators of expressions, with constant folding."""

from __future__ import annotations

from collections.abc import Callable
from operator import add as plus
from operator import and_, eq, floordiv, le, lt, mod, mul, ne, or_, sub

from rulekit.compiler.plan import ir as p

ZERO, ONE, NOTHING = p.Const(0), p.Const(1), p.Const(p.NONE)
_MEANING: dict[str, Callable[[int, int], int]] = {
    "+": plus,
    "-": sub,
    "*": mul,
    "//": floordiv,
    "%": mod,
    "min": min,
    "max": max,
    "<": lt,
    "<=": le,
    "==": eq,
    "!=": ne,
    "&": and_,
    "|": or_,
    "or": or_,
}
"""What operators of `ir.Binary` make of constants."""
_REACH = range(-(2**63), 2**63)


def binary(op: str, left: p.Expr, right: p.Expr) -> p.Expr:
    """A `Binary`, or less: constants are folded, and so are 0 and 1 where they decide."""
    if isinstance(left, p.Const) and isinstance(right, p.Const) and not (op in ("//", "%") and right == ZERO):
        value = int(_MEANING[op](left.value, right.value))
        return p.Const(value) if value in _REACH else p.Binary(op, left, right)
    if op in "+-" and right == ZERO:
        return left
    if op == "+" and left == ZERO:
        return right
    match op, left, right:
        case "+", p.Binary("+", inner, p.Const(by)), p.Const(more):
            return binary("+", inner, p.Const(by + more))
    if op == "*" and right == ONE:
        return left
    if op == "&" and ZERO in (left, right):
        return ZERO
    if op == "&" and ONE in (left, right):
        return right if left == ONE else left
    if op == "|" and ZERO in (left, right):
        return right if left == ZERO else left
    if op == "|" and ONE in (left, right):
        return ONE
    return p.Binary(op, left, right)


def add(left: p.Expr, right: p.Expr) -> p.Expr:
    if isinstance(left, p.Const):
        left, right = right, left
    return binary("+", left, right)


def same(left: p.Expr, right: p.Expr) -> p.Expr:
    return binary("==", left, right)


def negation(of: p.Expr) -> p.Expr:
    """1 for a flag that is 0, and 0 for one that is 1."""
    if isinstance(of, p.Const):
        return p.Const(int(not of.value))
    if isinstance(of, p.Not):
        return of.of
    if isinstance(of, p.Binary) and of.op in ("==", "!="):
        return p.Binary("!=" if of.op == "==" else "==", of.left, of.right)
    return p.Not(of)


def word(base: int, at: p.Expr) -> p.Expr:
    """The word that stands `at` places behind the word `base`."""
    return p.Word(add(at, p.Const(base)))
