"""Traversal of subexpressions: every expression inside an operation, and in the defines that it invokes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.game import Game


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(a.name for a in attrs.fields(kind) if a.name not in ("span", "cites", "type"))


def within(part: object, game: Game) -> Iterator[x.Expr]:
    """Every expression in `part` (an operation, an expression, a tuple of these) in pre-order; each define once."""
    gone_into: set[int] = set()
    waiting = [part]
    while waiting:
        this = waiting.pop()
        if isinstance(this, tuple):
            waiting.extend(reversed(this))
            continue
        if isinstance(this, x.Expr):
            yield this
        if isinstance(this, x.Invoke) and this.define not in gone_into:
            gone_into.add(this.define)
            waiting.append(game.defines[this.define].value)
        if isinstance(this, x.Expr | ops.Op | ops.Target):
            kind: Any = type(this)
            waiting.extend(getattr(this, name) for name in reversed(_fields(kind)))
