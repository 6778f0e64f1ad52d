"""Whether a loop may end at the element that decides: not if a later element could fail where the first did not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rulekit.compiler.lower.analysis.side_effects import has_later_effects
from rulekit.compiler.plan import ir as p

PROGRAM: Any = SimpleNamespace(functions={})
NOTHING, ZERO = p.Const(p.NONE), p.Const(0)
PLACED = p.Set("t", p.Word(p.Const(7)))
DIFFERS = p.Binary("==", p.Get("i"), p.Const(3))


def fails(local: str) -> p.If:
    return p.If(p.Binary("==", p.Get(local), NOTHING), (p.Fail(p.Const(1)),))


def later(*body: p.Statement) -> bool:
    leave = p.If(DIFFERS, (p.Break("found"),))
    loop = p.Count("each", "i", ZERO, p.Const(9), (*body, leave))
    return has_later_effects(PROGRAM, (p.Block("found", (loop,)),))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ((PLACED, fails("t")), False),
        ((PLACED, p.If(DIFFERS, (fails("t"),))), True),
    ],
    ids=["in every pass", "in some passes"],
)
def test_a_later_element_that_may_fail_is_looked_at(body: tuple[p.Statement, ...], found: bool) -> None:
    assert later(*body) is found


IN_SOME_PASSES = p.If(DIFFERS, (p.Fail(p.Const(1)),))


def test_a_loop_is_looked_at_where_a_test_stands_before_it() -> None:
    leave = p.If(p.Binary("==", p.Get("i"), p.Const(1)), (p.Break("found"),))
    loop = p.Count("each", "i", ZERO, p.Const(9), (IN_SOME_PASSES, leave))
    assert has_later_effects(PROGRAM, (p.If(p.Word(ZERO), (loop,)),))
    assert has_later_effects(PROGRAM, (p.If(p.Word(ZERO), (), (loop,)),))
    assert not has_later_effects(PROGRAM, (p.If(p.Word(ZERO), (p.Count("each", "i", ZERO, p.Const(9), (leave,)),)),))


def test_a_walk_without_a_counter_is_looked_at() -> None:
    step = p.Set("i", p.Binary("+", p.Get("i"), p.Const(1)))
    end = p.If(p.Binary("<", p.Const(9), p.Get("i")), (p.Break("each"),))
    leave = p.If(p.Binary("==", p.Get("i"), p.Const(1)), (p.Break("found"),))
    start = p.Set("i", ZERO)
    assert has_later_effects(PROGRAM, (start, p.Loop("each", (end, IN_SOME_PASSES, leave, step))))
    assert not has_later_effects(PROGRAM, (start, p.Loop("each", (end, leave, step))))
    assert not has_later_effects(PROGRAM, (start, p.Loop("each", (end, IN_SOME_PASSES, step))))
