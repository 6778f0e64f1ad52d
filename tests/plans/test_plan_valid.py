"""What is no valid plan: each fault in the smallest plan that has it and no other."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import Status
from tests.generators.handmade_plans import (
    LISTS,
    STOP,
    WORDS,
    add,
    ask,
    binary,
    const,
    counted,
    each,
    function,
    get,
    plan,
    put,
    sequence,
    several,
    store,
    stored,
    unwind,
    when,
    word,
)
from tests.plans.validator import faults

CALLED = function("code_1", p.Return(get("t1")), params="t1", gives="int")
LISTED = function("code_2", p.Return(get("s1")), params="s1", gives="list")
NOTHING = p.Row(0, const(0))


def call(name: str, *args: p.Expr, to: str | None = None) -> p.Statement:
    return p.Do(to, name, args)


def renamed(name: str) -> p.Plan:
    return plan(functions=(evolve(CALLED, name=name),))


def searched(cells: int = 1, **other: p.Function) -> p.Plan:
    """A plan that can be searched, but for something; other: functions that stand for those of a search."""
    number, option = p.Return(const(0)), p.Return(get("s3"))
    functions = {
        "search_begin": function("search_begin", params="t1 t2"),
        "search_key": function("search_key", number, params="t1 t2 s3", gives="int"),
        "search_choose_one": function("search_choose_one", number, params="t1 t2 s3", gives="int"),
        "search_choose_several": function("search_choose_several", option, params="t1 t2 s3 t4 t5", gives="list"),
        "search_learn": function("search_learn"),
        "search_node": function("search_node", number, params="t1 t2", gives="int"),
        "search_behind": function("search_behind", number, params="t1 t2", gives="int"),
    }
    return plan(functions=tuple((functions | other).values()), search=p.Search(0, 3), cells=cells)


BROKEN: tuple[tuple[str, p.Plan], ...] = (
    ("not a name of a function", renamed("Code_1")),
    ("not a name of a function", renamed("code 1")),
    ("not a name of a function", renamed("code_1\n")),
    ("two of this name", plan(functions=(CALLED, CALLED))),
    ("not the name and type", plan(functions=(evolve(CALLED, locals=(("t1", "int"),)),))),
    ("not the name and type", plan(functions=(evolve(CALLED, locals=(("t2", "float"),)),))),
    ("no label", plan(p.Block("B1", ()))),
    ("inside its like", plan(p.Loop("l1", (p.Block("l1", (p.Break("l1"),)),)))),
    ("beyond 64 bits", plan(store(0, 2**63))),
    ("beyond 64 bits", plan(words=(-(2**63) - 1,) * WORDS)),
    ("beyond 64 bits", plan(rows=(((2**64,),),))),
    ("not as many", plan(rooms=(1,))),
    ("in a room for", plan(lists=((1, 2), (), (), ()), rooms=(1,) * LISTS)),
    ("not as many", plan(word_names=("one",))),
    ("more than names", plan(seats=5)),
    ("not each stream has a word", plan(first_draw=WORDS - 1)),
    ("no form", plan(asks=(p.Question(0, 0, "", "other"),))),
    ("there is no such function", plan(main="code_9")),
    ("starts with nothing", plan(functions=(CALLED,), main="code_1")),
    ("word 12: there is none", plan(store(WORDS, 1))),
    ("word -1: there is none", plan(store(0, word(-1)))),
    ("list 4: there is none", plan(add(LISTS, 1))),
    ("list 4: there is none", plan(p.Fill(const(0), stored(LISTS)))),
    ("table 2: there is none", plan(store(0, p.Entry(2, const(0))))),
    ("entry of a table 3: there is none", plan(store(0, p.Entry(0, const(3))))),
    ("row of a table 1: there is none", plan(store(0, p.Size(p.Row(1, const(1)))))),
    ("table -1: there is none", plan(store(0, p.Size(p.Row(-1, const(0)))))),
    ("stream 2: there is none", plan(p.Draw("t1", 2, const(6)))),
    ("question 2: there is none", plan(p.Ask("t1", 2, const(0), NOTHING))),
    ("question 1: of another form", plan(p.Ask("t1", 1, const(0), NOTHING))),
    ("question 0: of another form", plan(p.AskSeveral("s1", 0, const(0), NOTHING, const(0), const(0)))),
    ("no status", plan(unwind(Status.FAULT + 2))),
    ("no status", plan(unwind(Status.DONE))),
    ("no status", plan(p.Fail(const(0)))),
    ("Get: not int", plan(*sequence("s1"), store(0, get("s1")))),
    ("Const: not list", plan(store(0, p.Size(const(1))))),
    ("Row: not int", plan(store(0, binary("+", 1, NOTHING)))),
    ("Const: not list", plan(store(0, p.Size(p.Pick(const(1), NOTHING, const(1)))))),
    ("Row: not int", plan(when(NOTHING, store(0, 1)))),
    ("Const: not list", plan(each("e1", "i1", const(3)))),
    ("t1: not declared as list", plan(p.Set("t1", NOTHING))),
    ("s1: not declared as int", plan(p.Set("s1", const(1)))),
    ("s1: not declared as int", plan(p.Draw("s1", 0, const(2)))),
    ("not declared as int", plan(each("e1", "s1", NOTHING))),
    ("t1: not declared", plan(functions=(evolve(CALLED, params=()),), main="main_0")),
    ("no operator", plan(store(0, binary("**", 1, 2)))),
    ("a division by 0", plan(store(0, binary("%", 1, 0)))),
    ("among flags", plan(store(0, binary("|", word(0), 4)))),
    ("among flags", plan(store(0, p.Not(const(2))))),
    ("one of its own and a name", plan(p.Set("s1", NOTHING), p.Push("s1", const(1)))),
    ("one of its own and a name", plan(functions=(function("code_1", p.Drop("s1", const(0)), params="s1"),))),
    ("one of its own and a name", plan(p.New("s1"), p.Set("s1", NOTHING))),
    ("of a loop, read outside", plan(counted("c1", "i1", 1, 3), store(0, get("i1")))),
    ("of a loop, read outside", plan(counted("c1", "i1", 1, get("i1")))),
    ("of a loop, set by something else", plan(counted("c1", "i1", 1, 3, put("i1", 5)))),
    ("of a loop around", plan(counted("c1", "i1", 1, 3, counted("c2", "i1", 1, 3)))),
    ("set by a loop", plan(functions=(function("code_1", each("e1", "t1", NOTHING), params="t1"),))),
    ("nothing around to leave", plan(p.Break("b1"))),
    ("nothing around to leave", plan(p.Block("b1", (p.Again("b1"),)))),
    ("nothing around to leave", plan(p.Block("b1", ()), p.Break("b1"))),
    ("without giving anything", plan(functions=(function("code_1", when(1, p.Return(const(1))), gives="int"),))),
    (
        "without giving anything",
        plan(functions=(function("code_1", p.Loop("l1", (p.Break("l1"),)), gives="int"),)),
    ),
    ("returns int, but gives nothing", plan(p.Return(const(1)))),
    ("returns nothing, but gives int", plan(functions=(function("code_1", p.Return(), gives="int"),))),
    ("returns list, but gives int", plan(functions=(function("code_1", p.Return(NOTHING), gives="int"),))),
    ("there is no such function", plan(call("code_3"))),
    ("called with nothing", plan(call("code_1"), functions=(CALLED,))),
    ("called with list", plan(call("code_1", NOTHING), functions=(CALLED,))),
    ("called with int, int", plan(p.Try("t1", "code_1", (const(1), const(2))), functions=(CALLED,))),
    ("gives nothing", plan(call("code_1", to="t1"), functions=(function("code_1"),))),
    ("s1: not declared as int", plan(call("code_1", const(1), to="s1"), functions=(CALLED,))),
    ("t1: not declared as list", plan(call("code_2", NOTHING, to="t1"), functions=(LISTED,))),
    ("lead to those that do", plan(functions=(function("code_1", call("code_1")),))),
    (
        "lead to those that do",
        plan(functions=(function("code_1", call("code_2")), function("code_2", p.Try("t1", "code_1", ())))),
    ),
    ("catches what is not", plan(functions=(function("code_1", catches=(Status.END,)),))),
    ("catches and gives", plan(functions=(function("code_1", p.Return(const(1)), gives="int", catches=(STOP,)),))),
    ("of a function that does not bound", plan(p.Live(1))),
    ("cell 3: there is none", plan(p.SetCell(const(3), const(0)), cells=3)),
    ("cell 0: there is none", plan(store(0, p.Cell(const(0))))),
    ("no operator % of so many reals", plan(store(0, p.Real("%", const(1), const(1))))),
    ("no operator sqrt of so many reals", plan(store(0, p.Real("sqrt", const(1), const(1))))),
    ("no operator + of so many reals", plan(store(0, p.Real("+", const(1))))),
    ("Row: not int", plan(store(0, p.Hash(NOTHING, const(1))))),
    ("no cell says how far it came", searched(cells=0)),
    ("there is no such function", searched(search_learn=CALLED)),
    ("search_begin: does not take int, int and give nothing", searched(search_begin=function("search_begin"))),
    (
        "search_learn: does not take nothing and give nothing",
        searched(search_learn=evolve(CALLED, name="search_learn")),
    ),
    ("search_node: does not take int, int and give int", searched(search_node=function("search_node"))),
    ("sorted by no key", plan(p.New("s1"), p.Sort("s1", NOTHING, 0))),
)


@pytest.mark.parametrize(("title", "broken"), BROKEN, ids=lambda one: one if isinstance(one, str) else "")
def test_a_fault_is_told(title: str, broken: p.Plan) -> None:
    found = faults(broken)
    assert any(title in one for one in found), found
    assert len(found) == 1, found


def test_what_is_valid_has_no_faults() -> None:
    body = (
        p.Loop("l1", (p.Loop("l2", (p.Again("l1"),)),)),
        store(0, 1),
        counted("c1", "i1", 1, 3, store(0, get("i1"))),
        counted("c1", "i1", 1, 3, store(0, get("i1"))),
        ask("t1", 0, NOTHING),
        several("s1", 0, NOTHING, 0, 0),
        call("code_1", get("t1"), to="t1"),
        call("code_2", get("s1"), to="s1"),
    )
    endless = function("code_3", p.Loop("l1", ()), gives="list", bounds=True)
    assert faults(plan(*body, functions=(CALLED, LISTED, endless))) == []


def test_a_plan_that_can_be_searched_is_valid() -> None:
    assert faults(searched()) == []
