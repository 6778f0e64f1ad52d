"""What every statement and expression of a plan does, in every engine; results reckoned by hand."""

from __future__ import annotations

from itertools import chain
from math import inf, nextafter, sqrt
from typing import Any

import pytest
from attrs import evolve

from rulekit import limits
from rulekit.bots.players.random_bot import RandomBot
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import NONE, Status
from rulekit.play.state import counter_rng
from rulekit.play.state.match_state import Decision
from tests.generators.handmade_plans import (
    ENGINES,
    FAULT,
    SEATS,
    STOP,
    Machine,
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
from tests.plans.reals import bits, signed

EMPTY, ONE_ROW, THREE_ROW = (p.Row(0, const(number)) for number in range(3))


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest) -> Any:
    return ENGINES[request.param]


def played(machine: Machine, status: int = Status.DONE, seed: int = 1) -> tuple[list[int], list[list[int]]]:
    assert machine.play(seed) == status
    return machine.words(), machine.lists()


# ---------------------------------------------------------------- expressions

EXPRESSIONS: tuple[tuple[p.Expr, int], ...] = (
    (const(2**63 - 1), 2**63 - 1),
    (const(-(2**63)), -(2**63)),
    (const(NONE), NONE),
    (binary("+", 2, -5), -3),
    (binary("-", 2, -5), 7),
    (binary("-", binary("-", 9, 3), 2), 4),
    (binary("-", 9, binary("-", 3, 2)), 8),
    (binary("*", binary("+", 1, 2), binary("-", 3, 5)), -6),
    (binary("*", 3_000_000_000, -3_000_000_000), -9_000_000_000_000_000_000),
    (binary("//", 7, 2), 3),
    (binary("//", -7, 2), -4),
    (binary("//", 7, -2), -4),
    (binary("//", -7, -2), 3),
    (binary("//", -8, 2), -4),
    (binary("//", binary("*", 4, 3), binary("*", 2, 3)), 2),
    (binary("%", 7, 3), 1),
    (binary("%", -7, 3), 2),
    (binary("%", 7, -3), -2),
    (binary("%", -7, -3), -1),
    (binary("%", -6, 3), 0),
    (binary("<", -1, 0), 1),
    (binary("<", 0, 0), 0),
    (binary("<=", 0, 0), 1),
    (binary("<=", 1, 0), 0),
    (binary("==", NONE, NONE), 1),
    (binary("==", 2**62, 2**62 + 1), 0),
    (binary("!=", 2**62, 2**62 + 1), 1),
    (binary("==", binary("<", 1, 2), binary("<", 3, 4)), 1),
    (binary("+", binary("<", 1, 2), binary("==", 3, 3)), 2),
    (binary("&", 1, 1), 1),
    (binary("&", 1, 0), 0),
    (binary("|", 0, 0), 0),
    (binary("|", 1, 1), 1),
    (binary("&", binary("|", 0, 1), binary("|", 1, 0)), 1),
    (binary("&", 0, binary("==", p.Item(EMPTY, const(0)), 1)), 0),
    (binary("|", 1, binary("==", p.Item(EMPTY, const(0)), 1)), 1),
    (binary("or", 6, binary("-", 4, 1)), 7),
    (binary("min", 3, -3), -3),
    (binary("max", 3, -3), 3),
    (binary("min", binary("+", 1, 1), binary("max", 5, 4)), 2),
    (binary("max", binary("*", 2, 2), binary("*", 3, 1)), 4),
    (binary("*", binary("min", word(8), 4), 2), 8),
    (p.Not(const(0)), 1),
    (p.Not(const(1)), 0),
    (p.Not(p.Not(binary("<", 1, 2))), 1),
    (p.Not(binary("<=", 1, 2)), 0),
    (p.Not(binary("&", binary("<", 1, 2), binary("<", 2, 2))), 1),
    (binary("==", p.Not(binary("<", 1, 2)), 0), 1),
    (p.Pick(const(1), const(10), const(20)), 10),
    (p.Pick(const(0), const(10), const(20)), 20),
    (p.Pick(const(-2), const(10), const(20)), 10),
    (p.Pick(const(2**32), const(10), const(20)), 10),
    (p.Pick(binary("<", 0, p.Size(EMPTY)), p.Item(EMPTY, const(0)), const(-1)), -1),
    (binary("+", p.Pick(const(1), const(10), const(20)), 1), 11),
    (p.Pick(p.Pick(const(0), const(1), const(0)), const(1), p.Pick(const(1), const(2), const(3))), 2),
    (p.Entry(0, const(0)), 5),
    (p.Entry(0, binary("-", 3, 1)), 11),
    (p.Entry(1, const(1)), 2**62),
    (p.Size(EMPTY), 0),
    (p.Size(THREE_ROW), 3),
    (p.Size(p.Pick(const(1), ONE_ROW, THREE_ROW)), 1),
    (p.Size(stored(1)), 4),
    (p.Item(THREE_ROW, const(1)), 2),
    (p.Item(p.Row(1, const(0)), const(1)), 8),
    (p.Item(stored(binary("-", 2, 1)), const(3)), 7),
    (p.Has(THREE_ROW, const(2)), 1),
    (p.Has(THREE_ROW, const(3)), 0),
    (p.Not(p.Has(EMPTY, const(3))), 1),
    (p.Find(THREE_ROW, const(4)), 0),
    (p.Find(THREE_ROW, const(2)), 1),
    (p.Find(EMPTY, const(2)), -1),
    (p.Find(stored(1), word(8)), 3),
    (p.Find(stored(0), word(8)), -1),
    (binary("+", p.Find(stored(1), word(8)), 1), 4),
    (p.Alike(THREE_ROW, THREE_ROW, ordered=True), 1),
    (p.Alike(THREE_ROW, ONE_ROW, ordered=True), 0),
    (p.Alike(stored(1), stored(2), ordered=True), 0),
    (p.Alike(stored(1), stored(2), ordered=False), 1),
    (p.Alike(stored(1), stored(3), ordered=True), 0),
    (p.Alike(stored(1), stored(3), ordered=False), 0),
    (p.Alike(EMPTY, stored(0), ordered=False), 1),
    (word(8), 7),
    (word(binary("+", word(7), 5)), 7),
)
LISTS = ((), (3, 3, 5, 7), (7, 3, 5, 3), (3, 5, 5, 7))


@pytest.mark.parametrize(("expr", "value"), EXPRESSIONS, ids=lambda one: str(one) if isinstance(one, int) else "")
def test_an_expression_has_its_value(engine: Any, expr: p.Expr, value: int) -> None:
    words = (0,) * 7 + (3, 7, 0, 0, 0)
    assert played(engine(plan(store(0, expr), words=words, lists=LISTS)))[0][0] == value
    test = plan(when(expr, store(0, 1), other=(store(0, 2),)), words=words, lists=LISTS)
    assert played(engine(test))[0][0] == (1 if value else 2)
    held = plan(put("t1", expr), store(0, get("t1")), words=words, lists=LISTS)
    assert played(engine(held))[0][0] == value


# ---------------------------------------------------------------- storage and sequences


def test_words_and_lists_are_changed_where_they_are_said(engine: Any) -> None:
    body = (
        store(0, 4),
        store(binary("+", word(0), 1), 6),
        store(0, binary("+", word(0), 1)),
        add(0, 1),
        add(0, 2),
        p.Add(word(11), const(3)),
        add(0, 4),
        p.Take(const(0), const(1)),
        p.Put(const(0), const(0), const(9)),
        p.Fill(const(1), stored(0)),
        p.Fill(const(2), THREE_ROW),
        p.Fill(binary("-", 4, 1), EMPTY),
        p.Add(const(2), const(8)),
        p.Move(const(2), const(3), const(1)),
        p.Move(const(2), const(2), const(2)),
    )
    words, lists = played(engine(plan(*body, lists=((), (1, 2), (), (5,)))))
    assert words == [5, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0]
    assert lists == [[9, 3, 4], [9, 3, 4], [4, 8, 2, 4], []]


def test_a_list_is_filled_from_itself(engine: Any) -> None:
    machine = engine(plan(p.Fill(const(0), stored(0)), p.Add(const(0), p.Size(stored(0))), lists=((1, 2), (), (), ())))
    assert played(machine)[1][0] == [1, 2, 2]


def test_one_is_taken_from_each_place(engine: Any) -> None:
    """From lists and sequences of all short lengths; the others keep their order, and what lies behind stays."""
    rows = (tuple(range(100, 121)), *(tuple(range(size)) for size in range(1, 21)))
    take = (
        p.Fill(const(0), p.Row(0, get("n"))),
        p.Take(const(0), get("at")),
        p.Copy("s", p.Row(0, get("n"))),
        p.Drop("s", get("at")),
        add(2, p.Alike(get("s"), stored(0), ordered=True)),
        add(2, p.Has(stored(0), get("at"))),
        add(2, p.Size(stored(0))),
        each("e", "x", stored(0), add(2, get("x"))),
    )
    body = p.Count("a", "at", const(0), binary("-", get("n"), const(1)), take)
    sizes = p.Count("b", "n", const(1), const(20), (body,))
    lists = ((), rows[0], ())
    machine = engine(plan(sizes, rows=(rows,), lists=lists, rooms=(20, 21, 4000), list_names=("a", "b", "c")))
    wanted: list[int] = []
    for row in rows[1:]:
        for at in row:
            wanted += [1, 0, len(row) - 1, *row[:at], *row[at + 1 :]]
    assert played(machine)[1][1:] == [list(rows[0]), wanted]


def test_every_match_begins_anew(engine: Any) -> None:
    made = plan(add(0, word(0)), store(0, binary("+", word(0), 5)), words=(1,) + (0,) * 11, lists=((8,), (), (), ()))
    machine = engine(made)
    assert (machine.words(), machine.lists()[0]) == ([1] + [0] * 11, [8])
    assert played(machine) == played(machine)
    assert (machine.words()[0], machine.lists()[0]) == (6, [8, 1])


def test_local_sequences_are_changed(engine: Any) -> None:
    body = (
        *sequence("s1", 4, 5, 6),
        p.Copy("s2", get("s1")),
        p.Drop("s1", const(1)),
        p.Push("s1", p.Size(get("s1"))),
        p.Set("s3", get("s2")),
        p.Fill(const(0), get("s1")),
        p.Fill(const(1), get("s2")),
        p.Fill(const(2), get("s3")),
        p.Copy("s2", get("s1")),
        p.New("s1"),
        add(3, p.Size(get("s1"))),
        add(3, p.Item(get("s2"), const(2))),
        p.Copy("s2", THREE_ROW),
        p.Push("s2", const(1)),
        add(3, p.Size(get("s2"))),
        add(3, p.Size(THREE_ROW)),
        p.Copy("s4", stored(1)),
        p.Drop("s4", const(0)),
        add(3, p.Size(stored(1))),
    )
    assert played(engine(plan(*body)))[1] == [[4, 6, 2], [4, 5, 6], [4, 5, 6], [0, 2, 4, 3, 3]]


def test_a_sequence_that_grows_is_searched_for_what_may_be_in_it(engine: Any) -> None:
    """Values 64 apart, pairs, and a sequence that is begun anew; as a local and as a parameter searched in a loop."""
    values = (0, 3, 67, p.pair(1, 3), p.pair(8, 3), -1, 2**60, p.NONE)
    asked = (*values, 1, 64, 128, p.pair(0, 3), p.pair(1, 11), p.pair(-1, 3), -65)
    rows = p.Row(0, const(0))
    found = p.Push("s_found", p.Has(get("s_given"), get("x")))
    searches = function(
        "among", p.New("s_found"), each("e", "x", rows, found), p.Return(get("s_found")), params="s_given", gives="list"
    )
    body = [p.New("s"), p.Push("s", const(1)), p.New("s"), *(p.Push("s", const(value)) for value in values)]
    looks = (add(0, p.Has(get("s"), const(value))) for value in asked)
    called = (p.Do("s_all", "among", (get("s"),)), each("a", "y", get("s_all"), add(1, get("y"))))
    machine = engine(
        plan(
            *body,
            *looks,
            *called,
            functions=(searches,),
            rows=((asked,),),
            lists=((), ()),
            rooms=(20, 20),
            list_names=("list", "other"),
        )
    )
    wanted = [int(value in values) for value in asked]
    assert played(machine)[1] == [wanted, wanted]


def test_locals_begin_at_nought_and_empty_at_every_call(engine: Any) -> None:
    counts = function(
        "code_1",
        put("t1", binary("+", get("t1"), get("t2"))),
        p.Push("s3", get("t1")),
        store(0, binary("+", word(0), get("t1"))),
        store(1, binary("+", word(1), p.Size(get("s3")))),
        params="t2",
    )
    call = p.Do(None, "code_1", (const(3),))
    assert played(engine(plan(call, call, functions=(counts,))))[0][:2] == [6, 2]


def test_locals_set_on_some_paths_only(engine: Any) -> None:
    body = (
        counted("c1", "i1", 1, 3, when(binary("==", get("i1"), 2), put("t1", 7)), add(0, get("t1"))),
        when(word(0), p.New("s2"), p.Push("s2", const(1))),
        add(0, p.Size(get("s2"))),
        p.Block("b1", (when(word(0), p.Break("b1")), put("t3", 5))),
        add(0, get("t3")),
        p.Block("b2", (when(binary("==", word(0), 0), p.Break("b2")), put("t4", 5))),
        add(0, get("t4")),
    )
    assert played(engine(plan(*body)))[1][0] == [0, 7, 7, 0, 5, 0]


@pytest.mark.parametrize(
    ("entries", "keys", "width", "sorted_"),
    [
        ((), (), 1, []),
        ((1, 2, 3, 4), (2, 1, 2, 1), 1, [2, 4, 1, 3]),
        ((1, 2, 3), (-5, NONE, 2**62), 1, [2, 1, 3]),
        ((1, 2, 3, 4), (1, 9, 0, 3, 1, 2, 0, 3), 2, [2, 4, 3, 1]),
        (tuple(range(12)), tuple(number * 7 % 12 for number in range(12)), 1, [0, 7, 2, 9, 4, 11, 6, 1, 8, 3, 10, 5]),
    ],
)
def test_sequences_are_sorted_and_equals_stay_in_order(
    engine: Any, entries: tuple[int, ...], keys: tuple[int, ...], width: int, sorted_: list[int]
) -> None:
    body = (
        *sequence("s1", *entries),
        *sequence("s2", *keys),
        p.Sort("s1", get("s2"), width),
        p.Fill(const(0), get("s1")),
    )
    assert played(engine(plan(*body)))[1][0] == sorted_


# ---------------------------------------------------------------- control


def test_loops_count_and_go_through(engine: Any) -> None:
    body = (
        counted("c1", "i1", 2, 4, add(0, get("i1"))),
        counted("c1", "i1", 3, 2, add(0, 99)),
        counted("c2", "i1", -1, word(0), counted("c1", "i2", get("i1"), 1, add(1, binary("+", get("i1"), get("i2"))))),
        each("e1", "i1", THREE_ROW, add(2, get("i1"))),
        each("e1", "i1", EMPTY, add(2, 99)),
        each("e1", "i1", stored(0), add(3, binary("*", get("i1"), 2))),
        *sequence("s1", 3, 1),
        each("e2", "i1", get("s1"), each("e1", "i2", get("s1"), add(3, binary("-", get("i1"), get("i2"))))),
    )
    lists = [[2, 3, 4], [-2, -1, 0, 0, 1], [4, 2, 4], [4, 6, 8, 0, 2, -2, 0]]
    assert played(engine(plan(*body)))[1] == lists


@pytest.mark.parametrize("first", [0, 3])
def test_a_set_of_bits_is_gone_through(engine: Any, first: int) -> None:
    subsets = tuple(tuple(first + bit for bit in range(3) if mask >> bit & 1) for mask in range(8))
    loop = each("e1", "i1", p.Row(0, get("i2")), put("t1", 0), add(0, get("i1")), p.If(word(0), (p.Break("e1"),)))
    body = counted("c1", "i2", 0, 7, put("t1", get("i2")), loop)
    assert played(engine(evolve(plan(body), rows=(subsets,))))[1][0] == [one for row in subsets for one in row]
    left = evolve(plan(body, words=(1,) + (0,) * 11), rows=(subsets,))
    assert played(engine(left))[1][0] == [row[0] for row in subsets[1:]]
    bits = p.Bits(first, binary("+", word(1), 0))
    many = plan(each("e1", "i1", bits, store(1, 0), add(0, get("i1"))), words=(0, 2**60 + 5) + (0,) * 10)
    assert played(engine(many))[1][0] == [first, first + 2, first + 60]


def test_a_word_grows_where_it_stands(engine: Any) -> None:
    at = binary("+", word(0), 3)
    grown = store(at, binary("+", p.Word(at), binary("*", word(4), 2)))
    assert played(engine(plan(grown, grown, words=(1, 0, 0, 0, 5) + (0,) * 7)))[0][4] == 45


def test_bounds_of_a_count_are_reckoned_once(engine: Any) -> None:
    body = counted("c1", "i1", word(0), word(1), store(0, 9), store(1, 0), add(0, get("i1")))
    assert played(engine(plan(body, words=(1, 3) + (0,) * 10)))[1][0] == [1, 2, 3]


def test_bits_that_are_written_down_stay_as_they_were(engine: Any) -> None:
    """Read by one loop, in which the mask changes, or by more."""
    bits = p.Bits(2, get("t1"))
    body = (
        put("t1", 0b1011),
        p.New("s1"),
        each("a", "x", bits, p.Push("s1", get("x"))),
        each("b", "y", get("s1"), put("t1", binary("+", get("t1"), 16)), add(0, get("y"))),
        p.New("s2"),
        each("c", "x", bits, p.Push("s2", get("x"))),
        each("d", "y", get("s2"), add(1, get("y"))),
        add(2, p.Size(get("s2"))),
    )
    assert played(engine(plan(*body)))[1][:3] == [[2, 3, 5], [2, 3, 5, 6, 7], [5]]


def test_loops_are_left_and_gone_on_with(engine: Any) -> None:
    def one(label: str) -> p.Body:
        return (
            when(binary("==", get("i1"), 2), p.Again(label)),
            when(binary("==", get("i1"), 4), p.Break(label)),
            add(0, get("i1")),
        )

    body = (
        counted("c1", "i1", 1, 6, *one("c1")),
        each("e1", "i1", p.Row(0, const(2)), when(binary("==", get("i1"), 2), p.Break("e1")), add(1, get("i1"))),
        p.Loop(
            "l1",
            (
                store(0, binary("+", word(0), 1)),
                when(binary("==", word(0), 3), p.Again("l1")),
                when(binary("<", 5, word(0)), p.Break("l1")),
                add(2, word(0)),
            ),
        ),
        p.Loop("l2", (when(binary("<=", word(0), 2), p.Break("l2")), store(0, binary("-", word(0), 2)))),
    )
    words, lists = played(engine(plan(*body)))
    assert (words[0], lists[:3]) == (2, [[1, 3], [4], [1, 2, 4, 5]])


def test_blocks_are_left_from_anywhere(engine: Any) -> None:
    """For each of eight words of three flags, which way was gone."""

    def bit(number: int) -> p.Expr:
        return binary("==", binary("%", binary("//", get("i1"), 2**number), 2), 1)

    def said(number: int) -> p.Statement:
        return add(0, number)

    body = counted(
        "c1",
        "i1",
        0,
        7,
        p.Block(
            "b1",
            (
                p.Block(
                    "b2",
                    (
                        when(bit(0), when(bit(1), said(1), p.Break("b1")), p.Break("b2")),
                        when(bit(2), p.Again("c1"), other=(when(bit(1), said(2)),)),
                        p.Break("b1"),
                    ),
                ),
                when(bit(2), said(3), p.Break("b1")),
                said(4),
            ),
        ),
        said(5),
    )
    # 0: 5; 1: 4 5; 2: 2 5; 3: 1 5; 4: -; 5: 3 5; 6: -; 7: 1 5
    assert played(engine(plan(body)))[1][0] == [5, 4, 5, 2, 5, 1, 5, 3, 5, 1, 5]


def test_several_loops_are_left_at_once(engine: Any) -> None:
    body = (
        p.Loop(
            "l1",
            (
                store(0, binary("+", word(0), 1)),
                when(binary("==", word(0), 5), p.Break("l1")),
                counted(
                    "c1",
                    "i1",
                    1,
                    3,
                    each(
                        "e1",
                        "i2",
                        p.Row(1, const(0)),
                        when(binary("==", binary("+", word(0), get("i1")), 3), p.Again("c1")),
                        when(binary("==", binary("+", word(0), get("i1")), 5), p.Again("l1")),
                        when(binary("==", word(0), 4), p.Break("l1")),
                        add(
                            0,
                            binary("+", binary("*", word(0), 100), binary("+", binary("*", get("i1"), 10), get("i2"))),
                        ),
                    ),
                    add(1, get("i1")),
                ),
                add(2, word(0)),
            ),
        ),
        add(3, word(0)),
    )
    # word 0 = 1: (1,9)(1,8), i1 = 2 goes on, (3,9)(3,8); 2: i1 = 1 goes on, (2,9)(2,8), i1 = 3 to the outer loop;
    # 3: (1,9)(1,8), i1 = 2 to the outer loop; 4: i1 = 1 is 5 together: to the outer loop; 5: left
    lists = [[119, 118, 139, 138, 229, 228, 319, 318], [1, 3, 2, 1], [1], [5]]
    assert played(engine(plan(body[0], body[1])))[1] == lists


def test_a_search_runs_what_follows_only_if_it_finds_nothing(engine: Any) -> None:
    def search(wanted: int) -> p.Statement:
        found = (add(0, get("i1")), p.Break("b1"))
        return p.Block(
            "b1", (each("e1", "i1", THREE_ROW, when(binary("==", get("i1"), wanted), *found)), add(0, -wanted))
        )

    assert played(engine(plan(search(2), search(3), search(4), add(0, 0))))[1][0] == [2, -3, 4, 0]


def test_a_block_inside_a_loop_is_left_from_a_loop_inside_it(engine: Any) -> None:
    body = counted(
        "c1",
        "i1",
        1,
        4,
        p.Block(
            "b1",
            (
                when(
                    binary("<", 1, get("i1")),
                    p.Loop(
                        "l1",
                        (
                            store(0, binary("+", word(0), 1)),
                            when(binary("==", get("i1"), 2), p.Break("b1")),
                            when(binary("==", get("i1"), 3), p.Again("c1")),
                            when(binary("<", 4, word(0)), p.Break("l1")),
                        ),
                    ),
                    add(0, 10),
                ),
                add(0, get("i1")),
            ),
        ),
        add(0, 0),
    )
    assert played(engine(plan(body)))[1][0] == [1, 0, 0, 10, 4, 0]


def test_what_stands_behind_a_jump_is_never_run(engine: Any) -> None:
    body = (
        p.Block("b1", (p.Break("b1"), add(0, 1))),
        p.Loop("l1", (p.Block("b1", (p.Break("l1"),)), add(0, 2))),
        when(1, p.Return(), add(0, 3), other=(p.Return(),)),
        add(0, 4),
    )
    assert played(engine(plan(*body)))[1][0] == []


# ---------------------------------------------------------------- functions


def test_functions_take_and_give(engine: Any) -> None:
    least = function(
        "define_1",
        each("e1", "i1", get("s1"), when(binary("<", get("i1"), get("t2")), put("t2", get("i1")))),
        p.Return(get("t2")),
        params="s1 t2",
        gives="int",
    )
    above = function(
        "define_2",
        p.New("s2"),
        each("e1", "i1", get("s1"), when(binary("<", get("t1"), get("i1")), p.Push("s2", get("i1")))),
        p.Return(get("s2")),
        params="s1 t1",
        gives="list",
    )
    body = (
        p.Do("t5", "define_1", (stored(0), const(100))),
        p.Do("s5", "define_2", (stored(0), get("t5"))),
        p.Do(None, "define_2", (stored(0), get("t5"))),
        p.Do("s6", "define_2", (get("s5"), p.Size(get("s5")))),
        p.Push("s5", get("t5")),
        p.Fill(const(1), get("s5")),
        p.Fill(const(2), get("s6")),
    )
    lists = played(engine(plan(*body, functions=(least, above), lists=((7, 2, 9, 3), (), (), ()))))[1]
    assert lists[1:3] == [[7, 9, 3, 2], [7, 9]]


def test_what_is_given_is_new(engine: Any) -> None:
    same = function("define_1", p.Return(get("s1")), params="s1", gives="list")
    pile = function("define_2", p.Return(stored(0)), gives="list")
    row = function("define_3", p.Return(p.Pick(const(1), THREE_ROW, EMPTY)), gives="list")
    body = (
        *sequence("s1", 1),
        p.Do("s2", "define_1", (get("s1"),)),
        p.Push("s2", const(2)),
        p.Do("s3", "define_2", ()),
        p.Push("s3", const(5)),
        p.Do("s4", "define_3", ()),
        p.Push("s4", const(6)),
        add(0, p.Size(get("s1"))),
        p.Fill(const(1), get("s2")),
        p.Fill(const(2), get("s3")),
        p.Do("s4", "define_3", ()),
        p.Fill(const(3), get("s4")),
    )
    assert played(engine(plan(*body, functions=(same, pile, row))))[1] == [[1], [1, 2], [5], [4, 2, 4]]


def test_sequences_of_a_caller_outlive_calls(engine: Any) -> None:
    """Sequences that grow by turns in callers and called ones do not run into each other."""
    grow = function(
        "code_1",
        counted("c1", "i1", 1, 5, p.Push("s1", binary("*", get("i1"), get("t1")))),
        p.Return(get("s1")),
        params="t1",
        gives="list",
    )
    body = (
        p.New("s1"),
        counted(
            "c1",
            "i1",
            1,
            6,
            p.Do("s2", "code_1", (get("i1"),)),
            p.Push("s1", p.Item(get("s2"), const(4))),
            p.Push("s3", p.Size(get("s1"))),
        ),
        p.Fill(const(0), get("s1")),
        p.Fill(const(1), get("s2")),
        p.Fill(const(2), get("s3")),
    )
    lists = [[5, 10, 15, 20, 25, 30], [6, 12, 18, 24, 30], [1, 2, 3, 4, 5, 6], []]
    assert played(engine(plan(*body, functions=(grow,))))[1] == lists


def test_long_loops_need_no_more_room(engine: Any) -> None:
    body = counted(
        "c1", "i1", 1, 20_000, p.Copy("s1", THREE_ROW), p.Push("s1", get("i1")), store(0, p.Item(get("s1"), const(3)))
    )
    assert played(engine(plan(body)))[0][0] == 20_000


# ---------------------------------------------------------------- unwinding


@pytest.mark.parametrize("status", [Status.FAILED, Status.ENDLESS, STOP + 3, FAULT + 1])
def test_an_unwinding_run_ends_with_its_status(engine: Any, status: int) -> None:
    inner = function("code_1", store(0, 1), unwind(get("t1")), store(0, 2), params="t1")
    made = plan(p.Do(None, "code_1", (const(status),)), store(1, 1), functions=(inner,), result=(store(2, 1),))
    words, _ = played(engine(made), status)
    assert words[:3] == [1, 0, 0]


def test_after_the_end_comes_the_result(engine: Any) -> None:
    made = plan(store(0, 1), unwind(Status.END), store(0, 2), result=(store(1, word(0)),))
    assert played(engine(made))[0][:2] == [1, 1]
    assert played(engine(plan(unwind(Status.END), result=(unwind(FAULT),))), FAULT)
    assert played(engine(plan(store(0, 1), result=(store(1, 1),))))[0][:2] == [1, 0]


def test_stops_end_where_they_are_caught(engine: Any) -> None:
    stops = function("code_1", unwind(binary("+", STOP, get("t1"))), params="t1")
    call = p.Do(None, "code_1", (get("t1"),))
    inner = function("code_2", add(0, 1), call, add(0, 2), params="t1", catches=(STOP + 4, STOP + 5))
    outer = function("code_3", p.Do(None, "code_2", (get("t1"),)), add(0, 3), params="t1", catches=(STOP + 6,))
    own = function("code_4", when(get("t1"), unwind(STOP + 4)), add(0, 5), params="t1", catches=(STOP + 4,))

    def lists(number: int, status: int) -> list[int]:
        body = (p.Do(None, "code_3", (const(number),)), add(0, 4), p.Do(None, "code_4", (const(1),)))
        more = (p.Do(None, "code_4", (const(0),)),)
        return played(engine(plan(*body, *more, functions=(stops, inner, outer, own))), status)[1][0]

    assert lists(4, Status.DONE) == lists(5, Status.DONE) == [1, 3, 4, 5]
    assert lists(6, Status.DONE) == [1, 4, 5]
    assert lists(7, STOP + 7) == [1]


# ---------------------------------------------------------------- chance and decisions


def test_draws_are_the_generators(engine: Any) -> None:
    body = (
        counted("c1", "i1", 1, 6, p.Draw("t1", 0, get("i1")), add(0, get("t1"))),
        p.Draw("t1", 1, const(2**62 + 12345)),
        store(0, get("t1")),
        p.Draw("t1", 0, const(1)),
    )
    for seed in (1, 2**64 - 1, 77):
        words, lists = played(engine(plan(*body)), seed=seed)
        expected, used = [], 0
        for n in range(1, 7):
            value, used = counter_rng.below(counter_rng.stream_key(seed, "deck"), used, n)
            expected.append(value)
        big, times = counter_rng.below(counter_rng.stream_key(seed, "dice"), 0, 2**62 + 12345)
        assert (lists[0], words[0], words[10:]) == (expected, big, [7, times])


def test_outputs_that_would_favour_some_are_passed_over(engine: Any) -> None:
    """Of 2^62 * 3 about a quarter is passed over."""
    body = counted("c1", "i1", 1, 40, p.Draw("t1", 0, const(3 * 2**61)), store(0, get("t1")))
    key = counter_rng.stream_key(5, "deck")
    used, last = 0, 0
    for _ in range(40):
        last, used = counter_rng.below(key, used, 3 * 2**61)
    words, _ = played(engine(plan(body)), seed=5)
    assert used > 41
    assert (words[0], words[10]) == (last, used)


def unmixed(z: int) -> int:
    """The number of which `generator.splitmix64` makes this."""
    mask = 2**64 - 1
    z = (z ^ z >> 31 ^ z >> 62) * pow(counter_rng.SECOND_FACTOR, -1, 2**64) & mask
    z = (z ^ z >> 27 ^ z >> 54) * pow(counter_rng.FIRST_FACTOR, -1, 2**64) & mask
    return z ^ z >> 30 ^ z >> 60


def seed_for(stream: str, index: int, output: int) -> int:
    """The seed with which a stream has this output at this index."""
    key = (unmixed(output) - (index + 1) * counter_rng.GOLDEN) % 2**64
    seed = (unmixed(key) - counter_rng.stream_number(stream)) % 2**64
    assert counter_rng.output(counter_rng.stream_key(seed, stream), index) == output
    return seed


@pytest.mark.parametrize("turn", [0, 1, 40])
@pytest.mark.parametrize("output", [2**64 - 1, 2**64 - 2])
def test_the_one_output_too_many_is_passed_over(engine: Any, turn: int, output: int) -> None:
    """2^64 leaves 1 when it is divided by 3: of all outputs only the last one is passed over."""
    questions = counted("c1", "i1", 0, turn, ask("t1", 1, SOME), store(0, get("t1")))
    seed = seed_for("bot:Bob", turn * counter_rng.TURN, output)
    expected, used = counter_rng.below(counter_rng.stream_key(seed, "bot:Bob"), turn * counter_rng.TURN, 3)
    assert used == turn * counter_rng.TURN + (2 if output == 2**64 - 1 else 1)
    assert played(engine(plan(questions)), seed=seed)[0][0] == expected
    draws = counted("c1", "i1", 0, turn, p.Draw("t1", 1, const(3)), store(0, get("t1")))
    seed = seed_for("dice", turn, output)
    expected, used = counter_rng.below(counter_rng.stream_key(seed, "dice"), turn, 3)
    words, _ = played(engine(plan(draws)), seed=seed)
    assert (words[0], words[11]) == (expected, used)


SOME = p.Row(0, const(2))
QUESTIONS = (
    *sequence("s1", 10, 20, 30, 40, 50),
    ask("t1", 0, get("s1")),
    add(0, get("t1")),
    several("s2", 1, get("s1"), 1, 4),
    p.Fill(const(1), get("s2")),
    ask("t1", 1, get("s1")),
    add(0, get("t1")),
    several("s2", 1, get("s1"), 2, 2),
    p.Fill(const(2), get("s2")),
    several("s2", 2, get("s1"), 0, 0),
    add(0, p.Size(get("s2"))),
    ask("t1", p.Size(ONE_ROW), ONE_ROW),
    add(0, get("t1")),
    ask("t1", 1, SOME),
    add(0, get("t1")),
)


def test_seats_answer_by_chance_as_the_random_bot_does(engine: Any) -> None:
    options = (10, 20, 30, 40, 50)

    def answer(
        seat: int, turn: int, options: tuple[int, ...], *, least: int = 1, most: int = 1, some: bool = True
    ) -> Any:
        return RandomBot("a#3", SEATS[seat]).answer(Decision(seat, "", "", options, least, most, some), turn)

    for _ in range(2):
        machine = engine(plan(*QUESTIONS))
        assert machine.play(counter_rng.seed_number("a#3")) == Status.DONE
        first, second = answer(0, 0, options, some=False), answer(1, 1, options, some=False)
        last = answer(1, 4, (0, 1, 2), some=False)
        assert machine.lists()[0] == [options.index(first), options.index(second), 0, 0, last]
        assert machine.lists()[1] == list(answer(1, 0, options, most=4))
        assert machine.lists()[2] == list(answer(1, 2, options, least=2, most=2))
        assert machine.decisions() == 7


def test_a_hook_answers(engine: Any) -> None:
    asked: list[Any] = []

    def hook(machine: Machine, *question: Any) -> Any:
        asked.append((*question, machine.decisions(), len(machine.lists()[0])))
        return (1, 3)[: question[3]] if question[0] == 1 else len(question[2]) - 1

    machine = engine(plan(*QUESTIONS))
    assert machine.play(1, hook) == Status.DONE
    five = (10, 20, 30, 40, 50)
    assert asked == [
        (0, 0, five, 1, 1, 1, 0),
        (1, 1, five, 1, 4, 2, 1),
        (0, 1, five, 1, 1, 3, 1),
        (1, 1, five, 2, 2, 4, 2),
        (1, 2, five, 0, 0, 5, 2),
        (0, 1, (4,), 1, 1, 6, 3),
        (0, 1, (4, 2, 4), 1, 1, 7, 4),
    ]
    assert machine.lists()[:3] == [[4, 4, 0, 0, 2], [20], [20, 40]]


def test_a_series_is_its_matches(engine: Any) -> None:
    body = (
        *QUESTIONS,
        p.Draw("t1", 0, const(1000)),
        store(0, get("t1")),
        store(1, p.Item(stored(0), const(0))),
        when(binary("<", get("t1"), 500), unwind(Status.END)),
    )
    machine = engine(plan(*body, result=(store(2, 1),)))
    series = machine.playouts(9, 3, 20, (1, 0, 2, 10))
    expected = []
    for number in range(3, 23):
        status = machine.play(counter_rng.output(9, number))
        words = machine.words()
        expected.append((status, 7, words[1], words[0], words[2], words[10]))
    assert series == expected
    assert {row[4] for row in series} == {0, 1}
    assert machine.playouts(9, 0, 0, ()) == []
    assert machine.playouts(9, 3, 2, ()) == [(0, 7)] * 2


# ---------------------------------------------------------------- work

STEP = p.Spend(p.Const(1), checked=True)


def test_work_is_counted_between_answers(engine: Any) -> None:
    def steps(number: int) -> p.Statement:
        return p.Spend(const(number), checked=True)

    bound = limits.STEPS_PER_DECISION
    assert engine(plan(steps(bound))).play(1) == Status.DONE
    assert engine(plan(steps(bound), STEP)).play(1) == Status.ENDLESS
    asked = (ask("t1", 0, SOME), STEP)
    assert engine(plan(steps(bound), *asked, steps(bound - 1))).play(1) == Status.DONE
    assert engine(plan(steps(bound), *asked, steps(bound))).play(1) == Status.ENDLESS
    tried = function("code_1", *asked)
    attempt = p.Try("t1", "code_1", ())
    probe = engine(plan(attempt, functions=(tried,)))
    assert probe.play(1) == Status.DONE
    cost = probe.steps()
    assert cost >= 1
    assert engine(plan(steps(bound - cost), attempt, functions=(tried,))).play(1) == Status.DONE
    assert engine(plan(steps(bound - cost), attempt, STEP, functions=(tried,))).play(1) == Status.ENDLESS
    assert engine(plan(steps(bound), attempt, functions=(tried,))).play(1) == Status.ENDLESS


def test_an_endless_loop_is_left(engine: Any) -> None:
    machine = engine(plan(p.Loop("l1", (STEP,))))
    assert machine.play(1) == Status.ENDLESS
    assert machine.play(1) == Status.ENDLESS


def test_a_match_has_a_bound_on_decisions(engine: Any) -> None:
    made = plan(p.Loop("l1", (ask("t1", 0, SOME), store(0, binary("+", word(0), 1)))))
    machine = engine(made)
    assert machine.play(1) == Status.ENDLESS
    assert machine.words()[0] == machine.decisions() == limits.DECISIONS


@pytest.mark.parametrize("bound", [1, 2, 31, 32, 33, 100, 257, 1000])
def test_whoever_is_asked_decisions_are_bounded(engine: Any, monkeypatch: pytest.MonkeyPatch, bound: int) -> None:
    monkeypatch.setattr(limits, "DECISIONS", bound)
    count, sum_ = word(0), word(1)
    seat = p.Pick(binary("<", binary("%", count, 40), 25), const(0), const(1))
    asked = (ask("t1", 0, SOME), store(0, binary("+", count, 1)), store(1, binary("+", sum_, get("t1"))))
    machine = engine(plan(p.Loop("l1", (evolve(asked[0], seat=seat), *asked[1:]))))
    hooked = machine.play(1, lambda *_: 0), machine.words()[0], machine.decisions()
    assert hooked == (Status.ENDLESS, bound, bound)
    series = machine.playouts(3, 0, 3, (0, 1))
    assert [row[:3] for row in series] == [(Status.ENDLESS, bound, bound)] * 3
    monkeypatch.undo()
    more = engine(plan(counted("c1", "i1", 1, bound, evolve(asked[0], seat=seat), *asked[1:]))).playouts(3, 0, 3, (1,))
    assert [row[2] for row in more] == [row[3] for row in series]


def test_a_match_has_a_bound_on_work(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STEPS_PER_GAME", 100)
    body = (ask("t1", 0, SOME), store(0, binary("+", word(0), 1)), *[STEP] * 7)
    for hook in (None, lambda *_: 0):
        machine = engine(plan(p.Loop("l1", body)))
        assert machine.play(1, hook) == Status.ENDLESS
        assert machine.words()[0] == machine.decisions() == 15
        assert machine.play(2, hook) == Status.ENDLESS
        assert machine.decisions() == 15


# ---------------------------------------------------------------- cells, reals and hashes


def raised(at: int | p.Expr) -> p.Statement:
    return p.SetCell(const(at), binary("+", p.Cell(const(at)), 1))


def reals(*values: p.Expr) -> list[p.Statement]:
    return [add(0, value) for value in values]


def real(value: float) -> p.Expr:
    return const(bits(value))


def test_cells_outlive_matches(engine: Any) -> None:
    machine = engine(plan(raised(1), raised(1), store(0, p.Cell(const(1))), cells=2))
    for number in range(1, 4):
        assert machine.play(number) == p.Status.DONE
        assert machine.words()[0] == 2 * number
    assert engine(machine.plan).play(1) == p.Status.DONE


def test_every_machine_has_cells_of_its_own(engine: Any) -> None:
    made = plan(raised(0), store(0, p.Cell(const(0))), cells=1)
    for machine in (engine(made), engine(made)):
        machine.play(1)
        assert machine.words()[0] == 1


def test_cells_are_found_by_numbers(engine: Any) -> None:
    at = binary("+", word(0), 1)
    machine = engine(plan(store(0, 3), p.SetCell(at, const(7)), store(1, p.Cell(const(4))), cells=5))
    machine.play(1)
    assert machine.words()[:2] == [3, 7]


def test_no_try_takes_cells_back(engine: Any) -> None:
    """But all else, also where it fails."""
    tried = function("code_1", raised(0), store(0, 5), p.Fail(const(p.Status.FAULT)))
    machine = engine(plan(p.Try("t1", "code_1", ()), store(1, p.Cell(const(0))), functions=(tried,), cells=1))
    assert machine.play(1) == p.Status.DONE
    assert machine.words()[:2] == [0, 1]


ARITHMETIC: tuple[tuple[str, float, float, float], ...] = (
    ("+", 0.1, 0.2, 0.1 + 0.2),
    ("-", 0.3, 0.1, 0.3 - 0.1),
    ("*", 1e200, 1e-200, 1e200 * 1e-200),
    ("/", 1.0, 3.0, 1.0 / 3.0),
    ("max", -1.5, -2.5, -1.5),
    ("max", -0.0, 0.0, 0.0),
    ("max", 0.0, -0.0, 0.0),
)


@pytest.mark.parametrize(("op", "left", "right", "wanted"), ARITHMETIC)
def test_reals_are_rounded_as_doubles(engine: Any, op: str, left: float, right: float, wanted: float) -> None:
    known = [p.Set("t1", real(left)), p.SetCell(const(0), real(right))]
    both = p.Real(op, real(left), real(right)), p.Real(op, get("t1"), p.Cell(const(0)))
    machine = engine(plan(*known, *reals(*both), cells=1))
    machine.play(1)
    assert machine.lists()[0] == [bits(wanted)] * 2


def test_reals_of_one_operand(engine: Any) -> None:
    large = 2**53 + 1
    made = (p.Real("sqrt", real(2.0)), p.Real("float", const(-3)), p.Real("float", const(large)))
    machine = engine(plan(*reals(*made)))
    machine.play(1)
    assert machine.lists()[0] == [bits(sqrt(2.0)), bits(-3.0), bits(float(large))]


def test_reals_are_compared_as_numbers(engine: Any) -> None:
    """As integers with the same bits those below 0 would stand in the other order."""
    one, next_ = real(-1.0), real(nextafter(-1.0, inf))
    found = [
        when(p.Real("<", left, right), add(0, 1), other=(add(0, 0),)) for left, right in ((one, next_), (next_, one))
    ]
    flags = reals(p.Real("<", real(0.0), real(-0.0)), binary("&", p.Real("<", one, next_), 1))
    machine = engine(plan(*found, *flags))
    machine.play(1)
    assert machine.lists()[0] == [1, 0, 0, 1]


def test_a_hash_is_an_output_of_the_generator(engine: Any) -> None:
    pairs = [(0, 0), (1, 2), (-1, -1), (2**63 - 1, 5), (-(2**63), p.NONE)]
    made = chain(*([put("t1", key), add(0, p.Hash(get("t1"), const(value)))] for key, value in pairs))
    machine = engine(plan(*made))
    machine.play(1)
    assert machine.lists()[0] == [signed(counter_rng.output(key % 2**64, value % 2**64)) for key, value in pairs]
