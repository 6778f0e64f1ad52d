"""What plans say of tries and guards, in every engine; results reckoned by hand."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import Status
from rulekit.play.state import counter_rng
from tests.generators.handmade_plans import (
    ENGINES,
    FAULT,
    STOP,
    WORDS,
    add,
    ask,
    binary,
    const,
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

FAIL = unwind(Status.FAILED)


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest) -> Any:
    return ENGINES[request.param]


def tried(name: str, to: str = "t1", *args: p.Expr) -> p.Statement:
    return p.Try(to, name, args)


def is_(expr: p.Expr, value: int) -> p.Expr:
    return binary("==", expr, value)


# ---------------------------------------------------------------- tries


def test_what_runs_knows_whether_it_is_tried(engine: Any) -> None:
    last = WORDS - 1
    inner = function("code_1", store(0, 5), store(last, p.Trying()), when(p.Not(p.Trying()), FAIL))
    machine = engine(plan(tried("code_1"), store(1, get("t1")), store(2, p.Trying()), functions=(inner,), kept=1))
    assert machine.play(1) == Status.DONE
    assert machine.words()[:3] == [0, 1, 0]
    assert machine.words()[last] == 1


@pytest.mark.parametrize(
    ("ending", "passed"), [((), 1), ((p.Return(),), 1), ((FAIL,), 0), ((unwind(Status.END),), 1), ((store(0, 3),), 1)]
)
def test_a_try_tells_whether_something_comes_to_its_end(engine: Any, ending: p.Body, passed: int) -> None:
    inner = function(
        "code_1", store(1, 5), add(0, 5), p.Fill(const(1), get("s1")), put("t1", 9), *ending, params="t1 s1"
    )
    body = (put("t2", 4), tried("code_1", "t1", get("t2"), stored(2)), store(2, get("t1")), store(3, get("t2")))
    made = plan(*body, functions=(inner,), lists=((1,), (2,), (3, 4), ()))
    machine = engine(made)
    assert machine.play(1) == Status.DONE
    assert machine.words()[:4] == [0, 0, passed, 4]
    assert machine.lists() == [[1], [2], [3, 4], []]


PAIRS = [(first, second) for first in range(3) for second in range(2)]


@pytest.mark.parametrize("bad", PAIRS)
@pytest.mark.parametrize("good", PAIRS)
def test_answers_are_tried_depth_first(engine: Any, bad: tuple[int, int], good: tuple[int, int]) -> None:
    """What ends the run before it passes was tried first."""
    here = binary("+", binary("*", get("t1"), 10), get("t2"))
    inner = function(
        "code_1",
        *sequence("s1", 7, 7, 7),
        ask("t1", 0, get("s1")),
        add(0, get("t1")),
        p.Drop("s1", const(0)),
        ask("t2", 1, get("s1")),
        when(is_(here, bad[0] * 10 + bad[1]), unwind(FAULT + 1)),
        when(is_(here, good[0] * 10 + good[1]), p.Return()),
        FAIL,
    )
    machine = engine(plan(tried("code_1"), store(0, get("t1")), functions=(inner,)))
    assert machine.play(1) == (Status.DONE if good < bad else FAULT + 1)
    assert machine.words()[0] == (good < bad)
    assert (machine.decisions(), machine.lists()[0]) == (0, [])


CHOICES = [places for size in (1, 2, 3) for places in combinations(range(4), size)]


def test_choices_of_several_are_tried_smallest_first(engine: Any) -> None:
    def same(row: int) -> p.Expr:
        return p.Alike(get("s1"), p.Row(0, const(row)), ordered=True)

    inner = function(
        "code_1", several("s1", 0, get("s2"), 1, 3), when(same(0), unwind(FAULT)), when(same(1), p.Return()), FAIL
    )
    inner = function("code_1", *sequence("s2", 6, 7, 8, 9), *inner.body)
    for early, late in pairwise(CHOICES):
        for bad, good in ((early, late), (late, early)):
            rows = tuple(tuple(place + 6 for place in places) for places in (bad, good))
            machine = engine(plan(tried("code_1"), store(0, get("t1")), functions=(inner,), rows=(rows,)))
            assert machine.play(1) == (FAULT if bad == early else Status.DONE), (bad, good)


def test_what_no_answer_leads_on_fails(engine: Any) -> None:
    inner = function("code_1", several("s1", 0, p.Row(0, const(2)), 0, 3), ask("t1", 0, p.Row(0, const(2))), FAIL)
    machine = engine(plan(tried("code_1"), store(0, binary("+", get("t1"), 5)), functions=(inner,)))
    assert machine.play(1) == Status.DONE
    assert machine.words()[0] == 5


def test_tries_stand_inside_tries(engine: Any) -> None:
    """The inner one wants the third answer and a word that only the outer one's second answer makes."""
    inner = function(
        "code_1",
        ask("t1", 0, p.Row(0, const(2))),
        store(1, get("t1")),
        when(binary("&", is_(get("t1"), 2), is_(word(0), 1)), p.Return()),
        FAIL,
    )
    outer = function(
        "code_2",
        ask("t1", 0, p.Row(1, const(0))),
        store(0, get("t1")),
        tried("code_1", "t2"),
        when(binary("!=", word(1), 0), unwind(FAULT)),
        ask("t3", 0, p.Row(1, const(0))),
        when(binary("&", get("t2"), is_(get("t3"), 1)), p.Return()),
        FAIL,
    )
    body = (
        tried("code_2"),
        add(0, get("t1")),
        tried("code_1"),
        add(0, get("t1")),
        store(0, 1),
        tried("code_1"),
        add(0, get("t1")),
    )
    machine = engine(plan(*body, functions=(inner, outer)))
    assert machine.play(1) == Status.DONE
    assert (machine.lists()[0], machine.words()[:2]) == ([1, 0, 1], [1, 0])


def test_what_fails_is_a_fault_only_where_nothing_is_tried(engine: Any) -> None:
    fails = function(
        "code_1", ask("t1", 0, p.Row(1, const(0))), when(get("t1"), p.Fail(const(FAULT + 1))), p.Fail(const(STOP))
    )
    catches = function("code_2", p.Do(None, "code_1", ()), catches=(STOP,))
    body = (tried("code_1"), store(0, get("t1")), tried("code_2"), store(1, get("t1")), p.Do(None, "code_2", ()))
    machine = engine(plan(*body, store(2, 1), functions=(fails, catches)))
    assert machine.play(1, first) == Status.DONE
    assert machine.words()[:3] == [0, 0, 1]
    assert machine.play(1, last) == FAULT + 1
    assert machine.words()[:3] == [0, 0, 0]


def test_stops_are_caught_inside_tries_but_not_around_them(engine: Any) -> None:
    stops = function("code_1", ask("t1", 0, p.Row(1, const(0))), when(get("t1"), unwind(STOP + 1)), FAIL)
    inside = function("code_2", p.Do(None, "code_1", ()), store(0, 1), catches=(STOP + 1,))
    around = function("code_3", tried("code_1"), store(0, 1), catches=(STOP + 1,))
    machine = engine(plan(tried("code_2"), store(1, get("t1")), functions=(stops, inside, around)))
    assert machine.play(1) == Status.DONE
    assert machine.words()[:2] == [0, 1]
    machine = engine(plan(store(2, 1), p.Do(None, "code_3", ()), functions=(stops, inside, around)))
    assert machine.play(1) == STOP + 1
    assert machine.words()[:3] == [0, 0, 1]


def test_the_end_is_caught_by_tries_alone(engine: Any) -> None:
    ends = function("code_1", unwind(Status.END))
    outer = function("code_2", p.Do(None, "code_1", ()), FAIL)
    made = plan(
        tried("code_2"), store(0, get("t1")), p.Do(None, "code_2", ()), functions=(ends, outer), result=(add(0, 1),)
    )
    machine = engine(made)
    assert machine.play(1) == Status.DONE
    assert (machine.words()[0], machine.lists()[0]) == (1, [1])


def test_chance_cannot_be_tried(engine: Any) -> None:
    draws = function("code_1", ask("t2", 0, p.Row(0, const(2))), p.Draw("t1", 0, const(6)), catches=(STOP,))
    machine = engine(plan(tried("code_1"), functions=(draws,)))
    assert machine.play(1) == Status.CHANCE
    assert machine.words()[10] == 0
    assert engine(plan(p.Do(None, "code_1", ()), functions=(draws,))).play(1) == Status.DONE


def test_decisions_after_a_try_go_on_where_they_were(engine: Any) -> None:
    inner = function("code_1", ask("t1", 0, p.Row(0, const(2))), ask("t1", 0, p.Row(0, const(2))), p.Noted(const(3)))
    question = (ask("t2", 0, p.Row(0, const(2))), add(0, get("t2")))
    machine = engine(plan(*question, tried("code_1"), *question, functions=(inner,)))
    plain = engine(plan(*question, *question))
    for seed in range(20):
        assert machine.play(seed) == plain.play(seed) == Status.DONE
        assert machine.lists() == plain.lists()
        assert machine.decisions() == 2


# ---------------------------------------------------------------- guards


def guarded(name: str, among: str, options: str, to: str, seat: int = 0) -> p.Body:
    """A question whose options are those that a guard leaves; the answer is the place among all."""
    first, chosen = (p.Find(get(among), p.Item(get(options), place)) for place in (const(0), get(to)))
    return (
        p.Feasible(options, get(among)),
        when(
            is_(p.Size(get(options)), 0),
            unwind(FAULT + 1),
        ),
        when(
            binary("&", is_(p.Size(get(options)), 1), binary("<", 1, p.Size(get(among)))),
            p.Noted(first),
            put(to, first),
            other=(ask(to, seat, get(options), get(among)), put(to, chosen)),
        ),
    )


def last(machine: Any, number: int, seat: int, options: tuple[int, ...], least: int, most: int) -> Any:
    """Takes the last option, or the last most ones."""
    return len(options) - 1 if number == 0 else tuple(range(len(options)))[len(options) - most :]


def first(machine: Any, number: int, seat: int, options: tuple[int, ...], least: int, most: int) -> Any:
    return 0 if number == 0 else tuple(range(least))


def pair_of(sum_: int | p.Expr, *before: p.Statement, bounds: bool = True) -> p.Function:
    """Two answers among four that must have a sum."""
    live = (p.Live(1),) if bounds else ()
    return function(
        "code_1",
        *before,
        *live,
        *sequence("s1", 10, 11, 12, 13),
        *guarded("code_1", "s1", "s2", "t1"),
        add(0, get("t1")),
        add(1, p.Size(get("s2"))),
        *guarded("code_1", "s1", "s2", "t2", 1),
        add(0, get("t2")),
        add(1, p.Size(get("s2"))),
        when(binary("!=", binary("+", get("t1"), get("t2")), sum_), FAIL),
        *((p.Live(0),) if bounds else ()),
        *guarded("code_1", "s1", "s2", "t2", 1),
        add(1, p.Size(get("s2"))),
        bounds=bounds,
    )


def done(machine: Any, hook: Any, status: int = Status.DONE) -> Any:
    assert machine.play(1, hook) == status
    return machine.lists()[:2]


def test_a_guard_takes_away_what_leads_nowhere(engine: Any) -> None:
    call = p.Do(None, "code_1", ())
    machine = engine(plan(call, functions=(pair_of(1),)))
    assert done(machine, last) == [[1, 0], [2, 1, 4]]
    assert machine.decisions() == 2
    assert done(machine, first) == [[0, 1], [2, 1, 4]]
    machine = engine(plan(call, call, functions=(pair_of(3),)))
    assert done(machine, last) == [[3, 0] * 2, [4, 1, 4] * 2]
    machine = engine(plan(call, functions=(pair_of(7),)))
    assert done(machine, last, FAULT + 1) == [[], []]


def test_without_a_guard_nothing_is_taken_away(engine: Any) -> None:
    call = p.Do(None, "code_1", ())
    machine = engine(plan(call, functions=(pair_of(6, bounds=False),)))
    assert done(machine, last) == [[3, 3], [4, 4, 4]]
    assert done(machine, first, Status.FAILED) == [[0, 0], [4, 4]]


def test_in_a_try_all_options_are_there(engine: Any) -> None:
    """All are feasible in a try, so both answers are explored among four."""
    for sum_ in (0, 6, 7):
        machine = engine(plan(tried("code_1"), store(0, get("t1")), functions=(pair_of(sum_),)))
        assert machine.play(1) == Status.DONE
        assert (machine.words()[0], machine.lists()[1]) == (sum_ < 7, [])


def test_chance_before_a_question_comes_out_the_same_again(engine: Any) -> None:
    """The sum that is wanted is drawn when the guarded function has begun."""
    draw = (p.Draw("t5", 0, const(4)), store(0, get("t5")))
    pair = pair_of(word(0), *draw)
    other = p.Draw("t1", 0, const(2))
    machine = engine(plan(other, p.Do(None, "code_1", ()), other, functions=(pair,)))
    seen = set()
    for seed in range(12):
        assert machine.play(seed, last) == Status.DONE
        wanted, _ = counter_rng.below(counter_rng.stream_key(seed, "deck"), 1, 4)
        assert (machine.words()[0], machine.words()[10]) == (wanted, 3)
        assert machine.lists()[:2] == [[wanted, 0], [wanted + 1, 1, 4]]
        seen.add(wanted)
    assert len(seen) > 2


def test_chance_behind_a_guarded_question_cannot_be_tried(engine: Any) -> None:
    body = (p.Live(1), *sequence("s1", 1, 2), *guarded("code_1", "s1", "s2", "t1"), p.Draw("t2", 0, const(2)))
    machine = engine(plan(p.Do(None, "code_1", ()), functions=(function("code_1", *body, bounds=True),)))
    assert machine.play(1) == Status.CHANCE


def nested(outer_live: int, inner_live: int) -> p.Plan:
    """An outer function asks for one answer and calls an inner one for two more; each wants a sum.

    The inner one wants its two to be 1 together, the outer one all three to be 3.
    """
    inner = function(
        "code_2",
        p.Live(inner_live),
        *sequence("s1", 5, 6, 7),
        *guarded("code_2", "s1", "s2", "t1"),
        add(1, p.Size(get("s2"))),
        *guarded("code_2", "s1", "s2", "t2"),
        add(1, p.Size(get("s2"))),
        when(binary("!=", binary("+", get("t1"), get("t2")), 1), FAIL),
        p.Live(0),
        p.Return(binary("+", get("t1"), get("t2"))),
        gives="int",
        bounds=True,
    )
    outer = function(
        "code_1",
        p.Live(outer_live),
        *sequence("s1", 5, 6, 7),
        *guarded("code_1", "s1", "s2", "t1"),
        add(1, p.Size(get("s2"))),
        p.Do("t2", "code_2", ()),
        when(binary("!=", binary("+", get("t1"), get("t2")), get("t3")), FAIL),
        params="t3",
        bounds=True,
    )
    return plan(p.Do(None, "code_1", (const(3),)), add(1, 0), functions=(inner, outer))


def test_the_outermost_live_function_decides(engine: Any) -> None:
    assert done(engine(nested(1, 1)), first)[1] == [1, 2, 1, 0]
    assert done(engine(nested(1, 0)), last)[1] == [1, 2, 1, 0]
    assert done(engine(nested(0, 1)), last)[1] == [3, 2, 1, 0]
    assert done(engine(nested(0, 1)), first, Status.FAILED)[1] == [3, 2, 1]
    assert done(engine(nested(0, 0)), last, Status.FAILED)[1] == [3, 3, 3]


def test_a_guard_ends_with_its_function(engine: Any) -> None:
    """Also where that is left by a stop; what follows is free again, and a new call remembers anew."""
    stops = function("code_1", p.Live(1), ask("t1", 0, p.Row(1, const(0))), unwind(STOP), bounds=True)
    catches = function("code_2", p.Do(None, "code_1", ()), catches=(STOP,))
    probe = (p.Feasible("s1", p.Row(1, const(0))), add(0, p.Size(get("s1"))))
    machine = engine(
        plan(p.Do(None, "code_2", ()), *probe, p.Do(None, "code_2", ()), *probe, functions=(stops, catches))
    )
    assert done(machine, first)[0] == [2, 2]
    own = function("code_1", *stops.body, bounds=True, catches=(STOP,))
    machine = engine(plan(p.Do(None, "code_1", ()), *probe, functions=(own,)))
    assert done(machine, first)[0] == [2]


def test_answers_for_several_are_given_again(engine: Any) -> None:
    """Two of four numbers are taken, then one whose sum with them must be 14."""
    body = (
        p.Live(1),
        *sequence("s1", 1, 2, 4, 8),
        several("s3", 0, get("s1"), 2, 2),
        each("e1", "i1", get("s3"), put("t5", binary("+", get("t5"), get("i1")))),
        *guarded("code_1", "s1", "s2", "t1"),
        add(0, p.Item(get("s1"), get("t1"))),
        add(1, p.Size(get("s2"))),
        when(binary("!=", binary("+", get("t5"), p.Item(get("s1"), get("t1"))), 14), FAIL),
    )
    made = plan(p.Do(None, "code_1", ()), functions=(function("code_1", *body, bounds=True),))
    assert done(engine(made), last) == [[2], [1]]
    assert done(engine(made), first, FAULT + 1) == [[], []]


def test_the_end_of_the_game_is_an_end(engine: Any) -> None:
    body = (
        p.Live(1),
        *sequence("s1", 1, 2, 3),
        *guarded("code_1", "s1", "s2", "t1"),
        add(1, p.Size(get("s2"))),
        when(is_(get("t1"), 2), unwind(Status.END)),
        FAIL,
    )
    call = p.Do(None, "code_1", ())
    machine = engine(plan(call, functions=(function("code_1", *body, bounds=True),), result=(add(0, 5),)))
    assert done(machine, first) == [[5], [1]]


def test_arguments_of_a_guarded_function_are_remembered(engine: Any) -> None:
    """It sets its parameters; the tries begin with what it was called with."""
    body = (
        put("t9", binary("+", get("t9"), 1)),
        p.Live(1),
        *guarded("code_1", "s1", "s2", "t1"),
        add(0, p.Item(get("s1"), get("t1"))),
        add(1, p.Size(get("s2"))),
        when(binary("!=", p.Item(get("s1"), get("t1")), get("t9")), FAIL),
    )
    inner = function("code_1", *body, params="t9 s1", bounds=True)
    body = (
        *sequence("s1", 4, 5, 6),
        p.Do(None, "code_1", (const(4), get("s1"))),
        p.Do(None, "code_1", (const(3), stored(2))),
    )
    machine = engine(plan(*body, functions=(inner,), lists=((), (), (4, 4), ())))
    assert done(machine, first) == [[5, 4], [1, 2]]
