"""Plans made simpler by the compiler's passes do the same; what analyses of plans claim is so."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulekit.compiler.passes.dead_stores import without_dead_stores
from rulekit.compiler.passes.list_rooms import rooms
from rulekit.compiler.passes.unrolling import unrolled
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import statements
from tests.compiler.test_plan_random import runs
from tests.generators.handmade_plans import function, get, plan
from tests.generators.random_plans import plan_by_chance
from tests.plans.evaluator import Evaluator
from tests.plans.validator import faults


def simpler(made: p.Plan) -> p.Plan:
    return evolve(made, functions=tuple(evolve(f, body=without_dead_stores(f.body)) for f in made.functions))


@pytest.mark.parametrize("seed", range(500, 560))
def test_plans_by_chance_do_the_same_when_simpler(seed: int) -> None:
    made = plan_by_chance(seed)
    again = simpler(made)
    assert faults(again) == []
    assert list(runs(Evaluator(again))) == list(runs(Evaluator(made)))


PUSH, NEW = p.Push("s", p.Const(7)), p.New("s")


def counted(label: str, times: int, *body: p.Statement) -> p.Statement:
    return p.Count(label, f"i_{label}", p.Const(1), p.Const(times), body)


AS_MANY = p.Each("e", "x", get("s"), (p.Push("t", get("x")),))
LEFT = p.Block("out", (PUSH, PUSH, p.If(get("n"), (p.Break("out"),)), NEW))
LENGTHS = {
    "one after the other": ((NEW, PUSH, PUSH), 2),
    "the longer branch": ((NEW, p.If(get("n"), (PUSH, PUSH, PUSH), (PUSH,)), PUSH), 4),
    "rounds of rounds": ((NEW, counted("a", 3, counted("b", 4, PUSH), PUSH)), 15),
    "anew in each round": ((counted("a", 100, NEW, PUSH, PUSH),), 2),
    "left before it is anew": ((NEW, LEFT, PUSH), 3),
    "without a bound": ((NEW, p.Loop("a", (PUSH, p.If(get("n"), (p.Break("a"),))))), None),
    "another's place": ((NEW, PUSH, p.Copy("s", get("t"))), None),
}  # fmt: skip


@pytest.mark.parametrize("name", LENGTHS)
def test_a_sequence_has_room_for_what_it_becomes(name: str) -> None:
    body, most = LENGTHS[name]
    assert rooms(plan(), function("made", *body, params="n")).get("s") == most


def test_a_sequence_has_room_for_as_many_as_another() -> None:
    made = function("made", NEW, counted("a", 5, PUSH), p.New("t"), AS_MANY)
    assert rooms(plan(), made) == {"s": 5, "t": 5}


def test_what_is_no_flag_stays_negated_twice_where_a_loop_is_written_out() -> None:
    """`not not 5` is 1."""

    def set_by(more: p.Expr) -> p.Statement:
        return p.Set("t", p.Not(p.Not(p.Binary("+", more, get("n")))))

    (made,) = unrolled(plan(), (counted("a", 1, set_by(get("i_a"))),), 100)
    assert set_by(p.Const(1)) in [*statements((made,))]
