"""Traversal of expressions and operations: everything that stands inside one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.builtin_signatures import WORDS
from rulekit.model.game import Define, Game
from rulekit.values import fields, has

_NODES = (x.Expr, ops.Op, ops.Target)
_HOLDING = (tuple, *_NODES)
_INNER = (tuple, x.Expr)
_PLAIN = frozenset({"int", "str", "bool", "str | None", "tuple[str, ...]"})
"""Types of what holds no node."""


def parts(node: object) -> Iterator[x.Expr]:
    """All expressions in an expression or operation, itself first if it is one; tuples are gone through."""
    waiting: list[Any] = [node]
    while waiting:
        this = waiting.pop()
        if isinstance(this, tuple):
            waiting.extend(this)
        elif isinstance(this, _NODES):
            if isinstance(this, x.Expr):
                yield this
            kind: Any = type(this)
            for name in _names(kind):
                inner = getattr(this, name)
                if isinstance(inner, _HOLDING):
                    waiting.append(inner)


def within(node: object, defines: Sequence[Define]) -> Iterator[x.Expr]:
    """As `parts`, in preorder, and also what stands in those of the game's defines that are invoked; each once."""
    gone_into: set[int] = set()
    waiting: list[Any] = [node]
    while waiting:
        this = waiting.pop()
        if isinstance(this, tuple):
            waiting.extend(reversed(this))
            continue
        if isinstance(this, x.Expr):
            yield this
        if isinstance(this, x.Invoke) and this.define not in gone_into:
            gone_into.add(this.define)
            waiting.append(defines[this.define].value)
        if isinstance(this, _NODES):
            kind: Any = type(this)
            waiting.extend(getattr(this, name) for name in reversed(_names(kind)))


def children(node: object) -> Iterator[object]:
    """The expressions and tuples directly inside an expression or tuple."""
    if isinstance(node, tuple):
        yield from node
    elif isinstance(node, x.Expr):
        kind: Any = type(node)
        for name in _names(kind):
            value = getattr(node, name)
            if isinstance(value, _INNER):
                yield value


def piles_in_order(game: Game) -> frozenset[int]:
    """The variables of piles of which a rule names the first, the last or some other place, or deals from the top."""
    found: frozenset[int] | None = game.kept.get("piles in order")
    if found is None:
        done = tuple(op for code in game.codes for op in code.ops)
        taken = [op.source for op in done if isinstance(op, ops.Deal)]
        taken += _by_place((done, tuple(define.value for define in game.defines)))
        read = (one.variable for whole in taken for one in parts(whole) if isinstance(one, x.Stored))
        found = game.kept["piles in order"] = frozenset(read)
    return found


def _by_place(node: object) -> Iterator[x.Expr]:
    """That of which something is taken by its place."""
    for one in parts(node):
        if isinstance(one, x.End | x.ItemOf):
            yield one.of
        elif isinstance(one, x.Builtin) and WORDS[one.word].reads_order:
            yield from one.args


def words_read(game: Game) -> frozenset[str]:
    """The built-in words that anything in a game reads, its scenarios left out; worked out once for a game."""
    found: frozenset[str] | None = game.kept.get("words read")
    if found is None:
        whole = (game.codes, game.defines, game.variables, tuple(game.places.values()), game.options, game.invariants)
        found = game.kept["words read"] = frozenset(_words_in(whole))
    return found


def _words_in(node: object) -> Iterator[str]:
    waiting: list[Any] = [node]
    while waiting:
        this = waiting.pop()
        if isinstance(this, tuple):
            waiting.extend(this)
        elif has(this.__class__):
            if isinstance(this, x.Builtin):
                yield this.word
            waiting.extend([getattr(this, name) for name in _names(this.__class__)])


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """The attributes of a node that may hold others."""
    return tuple(a.name for a in fields(kind) if a.name not in ("span", "cites") and a.type not in _PLAIN)
