"""What is peculiar to plans that run as WebAssembly: the package, memory, threads, answers from outside."""

from __future__ import annotations

import builtins
import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from attrs import evolve

from rulekit.compiler.passes import unrolling
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import Status
from rulekit.compiler.runtime.wasm_host import Missing
from rulekit.compiler.wasm import backend, module
from rulekit.compiler.wasm.memory_layout import EXCHANGE, PAGE
from tests.generators.handmade_plans import (
    add,
    ask,
    binary,
    counted,
    function,
    get,
    plan,
    put,
    sequence,
    several,
    store,
    stored,
    wasm_machine,
    when,
    word,
)
from tests.plans.evaluator import Evaluator

ASKING = plan(
    *sequence("s1", 4, 5, 6),
    ask("t1", 1, get("s1")),
    store(0, p.Item(get("s1"), get("t1"))),
    several("s2", 2, get("s1"), 1, 2),
    p.Fill(p.Const(0), get("s2")),
)


def pushing(count: int | p.Expr) -> p.Body:
    """As many entries, counted up in word 0 while they are made."""
    on = (p.Push("s1", get("i1")), store(0, binary("+", word(0), 1)))
    return (p.New("s1"), counted("l1", "i1", 1, count, *on), store(1, p.Item(get("s1"), p.Const(5))))


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "wasmtime":
            raise ModuleNotFoundError(name)
        return usual(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(Missing, match="pip install wasmtime"):
        backend.compiled(plan())


def test_memory_grows_with_what_is_in_it() -> None:
    machine = wasm_machine(plan(*pushing(400_000)))
    assert machine.play(1) == Status.DONE
    assert machine.words()[:2] == [400_000, 6]


def small(monkeypatch: pytest.MonkeyPatch, body: p.Body) -> Any:
    """A machine with hardly more memory than it begins with, which sums up how its matches end."""
    told = (p.Sum(p.Const(0), get("status_of")),)
    behind = p.Function("behind", (("status_of", "int"), ("decided", "int")), (), told)
    made = evolve(plan(*body, functions=(behind,)), sums=(0,), after="behind")
    monkeypatch.setattr(module, "MOST", (module.text(made).layout.pages + 32) * PAGE)
    return wasm_machine(made)


def test_a_match_that_fills_the_memory_is_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = small(monkeypatch, pushing(2**40))
    assert machine.play(1) == Status.ENDLESS
    assert machine.words()[0] > 100_000


def test_a_match_too_large_ends_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other matches of the series go on; each seat's answer is its count of entries."""
    body = (*sequence("s2", 10, 2**40), ask("t1", 0, get("s2")), *pushing(p.Item(get("s2"), get("t1"))))
    machine = small(monkeypatch, body)
    made = machine.playouts(3, 0, 24, [1])
    fair = Evaluator(plan(*sequence("s2", 0, 1), ask("t1", 0, get("s2")), store(0, get("t1"))))
    chosen = [words[2] for words in fair.playouts(3, 0, 24, [0])]
    assert {0, 1} == set(chosen)
    assert [(status, asked) for status, asked, _ in made] == [(3 * large, 1) for large in chosen]
    assert all(word == 6 for status, _, word in made if status == Status.DONE)
    assert machine.sums() == [sum(status for status, _, _ in made)], "what is behind a match that has to be ended too"


def test_a_trial_with_too_many_answers_is_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWERS", 800)
    deep = function(
        "code_1", *sequence("s1", 7), counted("l1", "i1", 1, get("t9"), ask("t1", 0, get("s1"))), params="t9"
    )
    for count, status in ((100, Status.DONE), (101, Status.ENDLESS)):
        machine = wasm_machine(plan(p.Try("t1", "code_1", (p.Const(count),)), store(0, get("t1")), functions=(deep,)))
        assert machine.play(1) == status


def test_a_series_is_longer_than_the_exchange_has_room() -> None:
    figures = [0] * (EXCHANGE // 8 // 3)
    body = (*sequence("s1", 0, 1, 2), ask("t1", 0, get("s1")), store(0, get("t1")))
    many = wasm_machine(plan(*body)).playouts(9, 5, 20, figures)
    few = wasm_machine(plan(*body)).playouts(9, 5, 20, [0])
    assert [one[:3] for one in many] == few
    assert {one[2:] for one in many} == {(value,) * len(figures) for value in range(3)}


def test_loops_written_out_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with jumps out of two at once, empty ones, and ones too long to be written out."""
    inner = counted(
        "l2", "i2", 0, 3,
        when(binary("==", get("i2"), 1), p.Again("l2")),
        when(binary("==", binary("+", get("i1"), get("i2")), 5), p.Break("l1")),
        when(binary("<", get("i1"), get("i2")), p.Again("l1")),
        store(binary("+", get("i2"), 1), p.Entry(0, binary("%", get("i2"), 3))),
        add(0, binary("-", binary("*", get("i1"), 10), p.Not(get("i2")))),
    )  # fmt: skip
    leave = when(binary("==", get("x5"), 2), p.Break("l5"))
    row = p.Each("l5", "x5", p.Row(0, p.Const(2)), (leave, add(0, binary("//", get("x5"), 2))))
    loops = (
        counted("l1", "i1", -1, 3, inner),
        counted("l3", "i3", 2, 1, store(9, 1)),
        counted("l4", "i4", 1, 10**6),
        row,
    )
    results = []
    for most in (0, 5000):
        monkeypatch.setattr(unrolling, "MOST", most)
        machine = wasm_machine(plan(*loops))
        assert machine.play(1) == Status.DONE
        results.append((machine.words(), machine.lists()))
    assert results[0] == results[1]
    assert results[0][1][0] == [0 - 1, 10 - 1, 20 - 1, 20, 2]


def test_a_series_pauses_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = wasm_machine(ASKING).playouts(1, 3, 50, [0])
    for batch in (1, 7):
        monkeypatch.setattr(module, "_BATCH", batch)
        assert wasm_machine(ASKING).playouts(1, 3, 50, [0]) == usual


def test_one_module_serves_several_threads() -> None:
    wasm_machine(ASKING)
    compiled = backend.compiled(ASKING)
    alone = compiled.machine().playouts(1, 0, 400, [0])
    with ThreadPoolExecutor(4) as pool:
        parts = pool.map(lambda start: compiled.machine().playouts(1, start, 100, [0]), range(0, 400, 100))
    assert [one for part in parts for one in part] == alone


def test_answers_come_from_outside() -> None:
    seen: list[Any] = []

    def answer(machine: Any, *question: Any) -> int | tuple[int, ...]:
        seen.append((question, machine.words()[0], machine.decisions()))
        return 2 if question[0] == 0 else (0, 2)

    machine = wasm_machine(ASKING)
    assert machine.play(1, answer) == Status.DONE
    assert seen == [((0, 1, (4, 5, 6), 1, 1), 0, 1), ((1, 2, (4, 5, 6), 1, 2), 6, 2)]
    assert machine.words()[0] == 6
    assert machine.lists()[0] == [4, 6]


def test_whoever_answers_may_stop_the_match() -> None:
    machine = wasm_machine(ASKING)
    usual = machine.play(1), machine.words(), machine.lists()

    def stop(*question: Any) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        machine.play(1, stop)
    assert (machine.play(1), machine.words(), machine.lists()) == usual


@pytest.mark.parametrize("wrong", [-1, 3, (0, 1), ()])
def test_an_answer_that_is_none_is_not_taken(wrong: Any) -> None:
    with pytest.raises(AssertionError):
        wasm_machine(ASKING).play(1, lambda *question: wrong)


def test_a_list_beyond_its_room_is_noticed() -> None:
    machine = wasm_machine(plan(counted("l1", "i1", 1, 30, add(0, get("i1")))))
    with pytest.raises(AssertionError, match="not valid"):
        machine.play(1)
    assert len(machine.lists()[0]) == 20


def test_a_machine_that_nobody_has_goes() -> None:
    machine = wasm_machine(ASKING)
    machine.play(1)
    known = weakref.ref(machine)
    del machine
    gc.collect()
    assert known() is None


@pytest.mark.parametrize("size", [0, 1, 2, 15, 16, 17, 31, 33, 64, 100])
def test_long_sequences_are_sorted_like_short_ones(size: int) -> None:
    """Keys are few, so that many are equal; those keep their order."""
    keys = tuple((place * 7919 % 5, place * 104729 % 3) for place in range(size))
    flat = tuple(key for both in keys for key in both)
    body = (p.Copy("s1", p.Row(0, p.Const(0))), p.Sort("s1", p.Row(0, p.Const(1)), 2), p.Fill(p.Const(0), get("s1")))
    made = plan(*body, rows=((tuple(range(size)), flat),), rooms=(100, 0, 0, 0))
    machine = wasm_machine(made)
    assert machine.play(1) == Status.DONE
    assert machine.lists()[0] == sorted(range(size), key=lambda place: keys[place])


def test_a_sequence_keeps_its_place() -> None:
    """What a loop makes anew again and again takes room once, so the smallest memory does."""
    body = (
        put("t1", 0),
        p.Loop(
            "l1",
            (
                *sequence("s1", *range(40)),
                p.Copy("s2", get("s1")),
                p.Drop("s2", p.Const(0)),
                p.Do("s3", "define_1", (get("s2"),)),
                several("s4", 0, get("s3"), 1, 3),
                put("t1", binary("+", get("t1"), 1)),
                when(binary("<", 20_000, get("t1")), p.Break("l1")),
            ),
        ),
        p.Fill(p.Const(0), stored(1)),
    )
    same = function("define_1", p.Copy("s2", get("s1")), p.Return(get("s2")), params="s1", gives="list")
    machine: Any = wasm_machine(plan(*body, functions=(same,)))
    memory = machine.exports["memory"]
    before = memory.size(machine.store)
    assert machine.play(1) == Status.DONE
    assert memory.size(machine.store) == before


def test_words_of_the_rules_stand_in_comments_alone() -> None:
    """A name of a rule may hold anything; the module is the same without it."""
    bad = 'x\n(func $f)\r(func $f)\x0b(func $f)\x85(func $f)\u2028(func $f);;")\\'
    named = evolve(ASKING, title=bad, word_names=(bad,) * 12, list_names=(bad,) * 4, faults=(bad, bad))
    asks = tuple(evolve(question, name=bad) for question in ASKING.asks)
    functions = tuple(evolve(one, origin=bad) for one in ASKING.functions)
    lines, plain = (
        module.text(one).text.splitlines() for one in (evolve(named, asks=asks, functions=functions), ASKING)
    )
    assert sum(line.startswith(";; x (func $f) (func $f) ") for line in lines) == len(functions)
    assert [line.partition(";;")[0] for line in lines] == [line.partition(";;")[0] for line in plain]


def test_functions_that_nobody_calls_are_not_written() -> None:
    dead = function("dead", store(1, 1))
    made = module.text(plan(p.Do(None, "live", ()), functions=(function("live", p.New("s1")), dead))).text
    assert "(func $plan.live" in made
    assert "(func $plan.dead" not in made
    assert "(func $begin_try" not in made
    assert "(func $begin_try" in module.text(plan(p.Try("t1", "dead", ()), functions=(dead,))).text
    written = {line.split()[1] for line in made.splitlines() if line.startswith("(func")}
    assert {name.strip(")") for name in made.split() if name.startswith("$plan.")} <= written


def test_a_plan_like_one_before_comes_to_the_same_text() -> None:
    """Whatever differs, and so where a table was looked up when its loop was written out."""
    looked_up = function("looked", counted("l1", "i1", 0, 2, store(0, p.Entry(0, get("i1")))))
    other = function("other", store(1, 7))
    first = evolve(
        plan(p.Do(None, "looked", ()), p.Do(None, "other", ()), functions=(looked_up, other)), tables=((1, 2, 3),)
    )

    def with_other(*body: p.Statement) -> dict[str, Any]:
        changed = function("other", *body)
        return {"functions": tuple(changed if one is other else one for one in first.functions)}

    changes: tuple[dict[str, Any], ...] = (
        {"tables": ((1, 9, 3),)},
        {"tables": ((1, 2, 3), (4,))},
        with_other(store(1, 8)),
        with_other(p.Unwind(p.Const(Status.FAULT)), store(1, 7)),
        {"words": (*first.words, 1)},
    )
    before = module.text(first).written
    for change in changes:
        now = evolve(first, **change)
        assert module.text(now, before).text == module.text(now).text, change
    kept = module.text(evolve(first, tables=((1, 9, 3),)), before).written.functions
    assert kept["other"][1] is before.functions["other"][1]
    assert kept["looked"][1] is not before.functions["looked"][1]
