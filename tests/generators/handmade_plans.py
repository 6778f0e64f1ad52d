"""Small plans made by hand, and every engine that runs plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rulekit.compiler.plan import ir as p
from rulekit.compiler.wasm import backend
from tests.plans.evaluator import Evaluator

Machine = Evaluator | backend.WasmMachine


def wasm_machine(made: p.Plan) -> Machine:
    pytest.importorskip("wasmtime", reason="wasmtime is not installed")
    return backend.compiled(made).machine()


ENGINES: dict[str, Callable[[p.Plan], Machine]] = {"evaluator": Evaluator, "wasm": wasm_machine}

STOP, FAULT = p.Status.STOP.value, p.Status.FAULT.value
SEATS = ("Ann", "Bob", "Cat")
STREAMS = ("deck", "dice")
WORDS, LISTS, ROOM = 12, 4, 20
"""What the plans here have; the words of the draws are the last ones."""

ONE = p.Question(0, 0, "one", "one")
SEVERAL = p.Question(0, 1, "several", "several")
TABLES = ((5, 7, 11), (-1, 2**62, 0))
ROWS = (((), (4,), (4, 2, 4)), ((9, 8),))


def const(value: int | p.Expr) -> p.Expr:
    return value if isinstance(value, p.Expr) else p.Const(value)


def get(name: str) -> p.Expr:
    return p.Get(name)


def word(at: int | p.Expr) -> p.Expr:
    return p.Word(const(at))


def store(at: int | p.Expr, value: int | p.Expr) -> p.Statement:
    return p.Store(const(at), const(value))


def binary(op: str, left: int | p.Expr, right: int | p.Expr) -> p.Expr:
    return p.Binary(op, const(left), const(right))


def stored(at: int | p.Expr) -> p.Expr:
    return p.Stored(const(at))


def put(name: str, value: int | p.Expr) -> p.Statement:
    """Set a local."""
    return p.Set(name, const(value))


def add(to: int, value: int | p.Expr) -> p.Statement:
    """Append to a list: what happened, in order."""
    return p.Add(const(to), const(value))


def when(test: int | p.Expr, *then: p.Statement, other: p.Body = ()) -> p.Statement:
    return p.If(const(test), then, other)


def each(label: str, name: str, of: p.Expr, *body: p.Statement) -> p.Statement:
    return p.Each(label, name, of, body)


def counted(label: str, name: str, low: int | p.Expr, high: int | p.Expr, *body: p.Statement) -> p.Statement:
    return p.Count(label, name, const(low), const(high), body)


def unwind(status: int | p.Expr) -> p.Statement:
    return p.Unwind(const(status))


def sequence(name: str, *values: int | p.Expr) -> list[p.Statement]:
    """A local sequence with these entries."""
    return [p.New(name), *(p.Push(name, const(value)) for value in values)]


def ask(name: str, seat: int | p.Expr, options: p.Expr, among: p.Expr | None = None) -> p.Statement:
    return p.Ask(name, 0, const(seat), options, among)


def several(name: str, seat: int, options: p.Expr, least: int, most: int) -> p.Statement:
    return p.AskSeveral(name, 1, const(seat), options, const(least), const(most))


def kind(name: str) -> str:
    """Here locals whose names begin with s are sequences."""
    return "list" if name.startswith("s") else "int"


def function(
    name: str,
    *body: p.Statement,
    params: str = "",
    gives: str = "",
    catches: tuple[int, ...] = (),
    bounds: bool = False,
) -> p.Function:
    """A function; its locals are those that it sets or reads."""
    given = tuple((one, kind(one)) for one in params.split())
    locals_ = dict.fromkeys(name for name in _locals(body) if name not in params.split())
    return p.Function(name, given, tuple((one, kind(one)) for one in locals_), body, gives, catches, bounds)


def _locals(node: Any) -> Iterator[str]:
    if isinstance(node, tuple):
        for one in node:
            yield from _locals(one)
        return
    for name in getattr(node, "__match_args__", ()):
        value = getattr(node, name)
        if name == "local" and value is not None:
            yield value
        elif isinstance(value, tuple | p.Expr | p.Statement):
            yield from _locals(value)


def plan(*body: p.Statement, functions: tuple[p.Function, ...] = (), result: p.Body = (), **other: Any) -> p.Plan:
    """A plan whose first function has this body."""
    main = function("main_0", *body)
    last = function("result_0", *result)
    fields: dict[str, Any] = {
        "title": "Made by hand",
        "words": (0,) * WORDS,
        "lists": ((),) * LISTS,
        "rooms": (ROOM,) * LISTS,
        "tables": TABLES,
        "rows": ROWS,
        "streams": STREAMS,
        "first_draw": WORDS - len(STREAMS),
        "functions": (*functions, main, last),
        "main": "main_0",
        "result": "result_0",
        "seats": len(SEATS),
        "names": (*SEATS, "Nobody"),
        "asks": (ONE, SEVERAL),
        "faults": ("nothing-there", "no-answer"),
        "word_names": tuple(f"word {number}" for number in range(WORDS)),
        "list_names": tuple(f"list {number}" for number in range(LISTS)),
    }
    return p.Plan(**{**fields, **other})
