"""The plain evaluator of plans notices whatever a plan does that its specification says it never does."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulekit.compiler.passes.suspension import suspendable
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import Status
from tests.generators.handmade_plans import (
    ROOM,
    add,
    ask,
    binary,
    const,
    counted,
    function,
    get,
    plan,
    put,
    sequence,
    several,
    store,
    stored,
    when,
    word,
)
from tests.plans.evaluator import Evaluator

FOUR = word(0)
"""A number that the validator does not know."""
THREE_ROW = p.Row(0, const(2))
FEWER = (*sequence("s1", 5), p.Ask("t1", 0, const(0), get("s1"), p.Row(1, const(0))))

BROKEN: tuple[tuple[str, p.Body], ...] = (
    ("division by 0", (store(1, binary("//", 1, word(1))),)),
    ("division by 0", (store(1, binary("%", 1, binary("-", FOUR, 4))),)),
    ("beyond 64 bits", (store(1, binary("*", 2**61, FOUR)),)),
    ("beyond 64 bits", (store(1, binary("-", -(2**63), FOUR)),)),
    ("beyond 64 bits", (store(1, binary("+", 2**63 - 1, FOUR)),)),
    ("beyond 64 bits", (store(1, binary("//", -(2**63), binary("-", 3, FOUR))),)),
    ("beyond 64 bits", (p.Sum(const(0), const(2**63 - 1)), p.Sum(const(0), FOUR))),
    ("no flag", (store(1, binary("&", FOUR, 1)),)),
    ("no flag", (store(1, binary("|", 0, FOUR)),)),
    ("no flag", (store(1, p.Not(FOUR)),)),
    ("no place 12 of 12", (store(1, word(binary("*", FOUR, 3))),)),
    ("no place -1 of 12", (store(binary("-", 3, FOUR), 1),)),
    ("no place 4 of 1", (p.Sum(FOUR, const(1)),)),
    ("no place 4 of 3", (store(1, p.Entry(0, FOUR)),)),
    ("no place 4 of 3", (store(1, p.Size(p.Row(0, FOUR))),)),
    ("no place 4 of 4", (store(1, p.Size(stored(FOUR))),)),
    ("no place 4 of 4", (p.Add(FOUR, const(1)),)),
    ("no place -1 of 3", (store(1, p.Item(THREE_ROW, p.Find(THREE_ROW, const(9)))),)),
    ("no place 0 of 0", (p.Take(const(0), const(0)),)),
    ("no place 0 of 0", (p.Put(const(0), const(0), const(1)),)),
    ("no place 1 of 1", (*sequence("s1", 5), p.Drop("s1", const(1)))),
    ("no place 3 of 3", (p.Fill(const(0), THREE_ROW), p.Move(const(0), const(3), const(0)))),
    ("behind it", (p.Fill(const(0), THREE_ROW), p.Move(const(0), const(0), const(1)))),
    ("beyond its room", (counted("c1", "i1", 0, ROOM, add(0, get("i1"))),)),
    ("3 keys for 1 entries", (*sequence("s1", 5), p.Sort("s1", THREE_ROW, 1))),
    ("draw from less than 1", (p.Draw("t1", 0, word(1)),)),
    ("without options", (ask("t1", 0, p.Row(0, const(0))),)),
    ("nobody decides at seat 4", (ask("t1", FOUR, THREE_ROW),)),
    ("1 to 4 of 3 options", (several("s1", 0, THREE_ROW, 1, 4),)),
    ("2 to 1 of 3 options", (several("s1", 0, THREE_ROW, 2, 1),)),
    ("took options away in a try", (p.Try("t1", "code_1", ()),)),
)


def made(*body: p.Statement) -> p.Plan:
    return plan(*body, words=(4,) + (0,) * 11, sums=(0,), functions=(function("code_1", *FEWER),))


@pytest.mark.parametrize(("promise", "body"), BROKEN, ids=[f"{name} {at}" for at, (name, _) in enumerate(BROKEN)])
def test_a_broken_promise_is_noticed(promise: str, body: p.Body) -> None:
    with pytest.raises(AssertionError, match=promise):
        Evaluator(made(*body)).play(1)


def test_a_plan_that_is_not_valid_is_not_run() -> None:
    with pytest.raises(AssertionError, match="Get: not int"):
        Evaluator(plan(*sequence("s1"), store(0, get("s1"))))


@pytest.mark.parametrize("answer", [-1, 3, (0, 1), ()])
def test_an_answer_that_is_none_is_not_taken(answer: int | tuple[int, ...]) -> None:
    with pytest.raises(AssertionError):
        Evaluator(made(ask("t1", 0, THREE_ROW))).play(1, lambda *question: answer)


# ---------------------------------------------------------------- waiting

ASKS = function("code_1", ask("t1", 0, THREE_ROW), store(1, get("t1")))
CALL = p.Do(None, "code_1", ())


def stopping(asks: p.Function, *body: p.Statement) -> p.Plan:
    """A plan that can be left, although none of its functions skips to where it was."""
    made = plan(*body, functions=(asks,))
    return evolve(made, functions=tuple(evolve(f, stops=True) for f in made.functions))


def test_a_match_waits_and_goes_on() -> None:
    machine = Evaluator(suspendable(plan(put("t1", 7), CALL, CALL, store(2, get("t1")), functions=(ASKS,))))
    assert machine.begin(1) == machine.resume(2) == Status.WAITING
    assert (machine.words()[:3], machine.decisions()) == ([0, 2, 0], 1)
    assert machine.resume(1) == Status.DONE
    assert (machine.words()[:3], machine.decisions()) == ([0, 1, 7], 2)


def test_a_function_that_is_left_must_stop() -> None:
    made = stopping(ASKS, CALL)
    machine = Evaluator(evolve(made, functions=(ASKS, *made.functions[1:])))
    with pytest.raises(AssertionError, match="code_1 is left, but does not stop"):
        machine.begin(1)


def test_going_on_leads_to_the_same_question() -> None:
    question = p.Ask("t1", 0, binary("%", word(3), 3), THREE_ROW)
    machine = Evaluator(stopping(function("code_1", store(3, binary("+", word(3), 1)), question), CALL))
    assert machine.begin(1) == Status.WAITING
    with pytest.raises(AssertionError, match="another question"):
        machine.resume(0)


def test_all_that_was_put_aside_is_taken_back() -> None:
    machine = Evaluator(stopping(ASKS, when(binary("==", word(3), 0), store(3, 1), CALL)))
    assert machine.begin(1) == Status.WAITING
    with pytest.raises(AssertionError, match="never took back"):
        machine.resume(0)
