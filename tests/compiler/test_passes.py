"""Plans made simpler by the compiler's passes do the same."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulekit.compiler.passes.inlining import inlined
from rulekit.compiler.passes.unrolling import unrolled
from rulekit.compiler.plan import ir as p
from tests.compiler.test_plan_random import runs
from tests.generators.handmade_plans import binary, counted, function, get, plan, store, when, word
from tests.generators.random_plans import plan_by_chance
from tests.plans.evaluator import Evaluator
from tests.plans.validator import faults

ONE = p.Const(1)


def simpler(made: p.Plan) -> p.Plan:
    functions = inlined(made.functions, (made.main, made.result))
    return evolve(made, functions=tuple(evolve(f, body=unrolled(made.tables, f.body)) for f in functions))


@pytest.mark.parametrize("seed", range(500, 560))
def test_plans_by_chance_do_the_same_when_simpler(seed: int) -> None:
    made = plan_by_chance(seed)
    again = simpler(made)
    assert faults(again) == []
    assert list(runs(Evaluator(again))) == list(runs(Evaluator(made)))


def test_a_function_that_is_called_once_is_written_where_it_is_called() -> None:
    inner = function("inner", store(1, get("n1")), params="n1")
    outer = function("outer", p.Do(None, "inner", (word(0),)), store(0, 3))
    made = plan(p.Do(None, "outer", ()), p.Do(None, "twice", ()), p.Do(None, "twice", ()), functions=(
        inner, outer, function("twice", store(2, binary("+", word(2), 1))),
    ))  # fmt: skip
    assert [f.name for f in simpler(made).functions if f.name in ("inner", "outer", "twice")] == ["twice"]


def test_a_short_loop_is_written_out_and_a_search_becomes_branches() -> None:
    found = when(binary("==", word(get("i1")), 7), store(9, get("i1")), p.Break("b1"))
    search = p.Block("b1", (counted("c1", "i1", 1, 2, found),))
    assert unrolled((), (search,)) == (
        when(binary("==", word(1), 7), store(9, 1), other=(when(binary("==", word(2), 7), store(9, 2)),)),
    )
    left = counted("c1", "i1", 1, 2, when(word(get("i1")), p.Break("c1")))
    assert unrolled((), (left,)) == (left,)
