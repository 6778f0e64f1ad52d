"""The functions of a search, by themselves on trees made by hand, against the formulas of the papers.

Both engines run the same functions of a plan, so that a fault in these is none between engines.  What they must give is
reckoned here anew, in plain Python and with its `math`; a fault planted in the lowering is found by it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from math import isclose, log, sqrt
from random import Random
from statistics import fmean, pstdev
from typing import Any

import pytest
from attrs import evolve

from rulekit.compiler.lower.search import backpropagation, parameters, reals, selection, tree
from rulekit.compiler.lower.storage.layout import Storage
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import Plan
from rulekit.loading import examine_text
from rulekit.play.state import counter_rng
from rulekit.source import Source
from tests.generators.handmade_plans import ENGINES, Machine, add, const, function, get, store
from tests.plans.reals import bits, real

SEATS = 4
RACE = """game "Race"
    players 4
each player has
    counter points 0..9
play
    each player
        player chooses more from 0..3
        raise player.points by more
result
    rank players by highest points
"""
HIDDEN = RACE.replace("player chooses", "secretly player chooses")
"""Nodes are found by keys there, in the other by links."""
KEYS = {RACE: tree.ROOT.value, HIDDEN: 77}
LUCK, TRIED_MOST = 0x1234_5678_9ABC_DEF0, 5000
Answers = list[tuple[int, float]]
"""How often each was tried, and what that came to."""


def race(text: str = RACE) -> tuple[Plan, Storage]:
    loaded = examine_text(Source("race.rules", text))
    assert loaded.game is not None, loaded.findings
    return lowered(loaded.game, {}, SEATS, searching=True)


def found(make: Callable[[Plan], Machine], plan: Plan, *body: p.Statement) -> list[int]:
    """What a match finds that is this body alone."""
    functions = (f for f in plan.functions if f.name not in (plan.main, plan.result))
    done = evolve(function("main_0"), name=plan.result)
    main = function("main_0", *body)
    whole = evolve(plan, functions=(*functions, main, done), main="main_0", lists=((), *plan.lists[1:]), rooms=(99,))
    machine = make(evolve(whole, list_names=("found",)))
    assert machine.play(1) == p.Status.DONE
    return machine.lists()[0]


def given(name: str, *args: int | p.Expr) -> tuple[p.Statement, ...]:
    """What a function gives is found."""
    return p.Do("t1", name, tuple(map(const, args))), add(0, get("t1"))


def behind_node(plan: Plan, answer: int, cell: int) -> p.Expr:
    """A cell of an answer of the node in `t9`."""
    assert plan.search is not None
    return p.Binary("+", get("t9"), const(plan.search.answer * answer + cell))


def grown(plan: Plan, key: int, answers: Answers) -> tuple[p.Statement, ...]:
    """A simulation begins, and there is one node, with these answers."""
    made: list[p.Statement] = [p.Do(None, "search_begin", (const(0), const(LUCK)))]
    made += [p.Do("t9", "search_node", (const(key), const(len(answers))))]
    made += [p.SetCell(behind_node(plan, 0, -1), const(sum(visits for visits, _ in answers)))]
    for number, (visits, worth) in enumerate(answers):
        kept = visits, bits(worth), bits(1 / sqrt(visits) if visits else 0.0)
        made += [p.SetCell(behind_node(plan, number, at), const(value)) for at, value in enumerate(kept)]
    return tuple(made)


@pytest.mark.parametrize("made", [RACE, HIDDEN], ids=["open", "secret"])
def test_answers_alone_make_a_key_where_all_know_them(made: str) -> None:
    """What the storage holds is not in it then, but is where an answer may be unknown to a seat."""
    plan, storage = race(made)
    points = max(storage.word_base.values())
    asked = (p.New("s1"), p.Do("t1", "search_key", (const(0), const(1), get("s1"))), add(0, get("t1")))
    for make in ENGINES.values():
        before, after = found(make, plan, *asked, store(points + 1, 7), *asked)
        assert (before == after) == (made == RACE)


# ---------------------------------------------------------------- which answer is tried


def upper_confidence_bounds(answers: Answers, *, shown: bool) -> list[float]:
    """UCB1 with the constant 0.6; of a secret answer it is 0.6 times a number from 1/2 to 3/2."""
    total = sum(visits for visits, _ in answers)
    made = []
    for number, (visits, worth) in enumerate(answers):
        share = 1.0 if shown else 0.5 + counter_rng.output(LUCK, number) / 2**64
        made.append(worth / visits + 0.6 * share * sqrt(log(total) / visits))
    return made


def trees(*, least: int, shown: bool = True) -> list[Answers]:
    """Trees in which all that was tried promises nearly the same."""
    random = Random(least)
    made = []
    for _ in range(30):
        most = random.choice([2, 3, 60, TRIED_MOST])
        tried = [random.randrange(least, most) for _ in range(random.randrange(2, 9))]
        bounds = upper_confidence_bounds([(max(visits, 1), 0.0) for visits in tried], shown=shown)
        near = [0.7 + 0.05 * random.random() - bound for bound in bounds]
        made.append([(visits, visits * mean) for visits, mean in zip(tried, near, strict=True)])
    return made


def check_bounds(make: Callable[[Plan], Machine], text: str = RACE, *, shown: bool = True) -> None:
    plan, _ = race(text)
    key, every = KEYS[text], trees(least=1, shown=shown)
    choices = [(*grown(plan, key, one), *given("search_choice", key, len(one), 1, int(shown))) for one in every]
    for answers, place in zip(every, found(make, plan, *chain(*choices)), strict=True):
        # The logarithm of a number above those of the table is a little less than it should be.
        near = 1e-3 if sum(visits for visits, _ in answers) >= reals.TABLED else 1e-9
        bounds = upper_confidence_bounds(answers, shown=shown)
        assert bounds[place] > max(bounds) - near, (answers, place)


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
@pytest.mark.parametrize(("text", "shown"), [(RACE, True), (HIDDEN, True), (HIDDEN, False)])
def test_what_promises_most_is_tried(make: Any, text: str, shown: bool) -> None:
    check_bounds(make, text, shown=shown)


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
@pytest.mark.parametrize("text", KEYS, ids=["open", "secret"])
def test_what_was_never_tried_is_tried_first(make: Any, text: str) -> None:
    """As long as there is such an answer, no other was tried twice."""
    (plan, _), key = race(text), KEYS[text]
    every = [[(min(visits, 1), 0.5) for visits, _ in answers] for answers in trees(least=0)]
    untried = [[place for place, (visits, _) in enumerate(answers) if not visits] for answers in every]
    choices = [(*grown(plan, key, one), *given("search_choice", key, len(one), 1, 1)) for one in every]
    places = found(make, plan, *chain(*choices))
    assert sum(map(bool, untried)) > 5
    for new, place in zip(untried, places, strict=True):
        assert not new or place == new[counter_rng.below(LUCK, 0, len(new))[0]]


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
def test_numbers_by_chance_are_those_of_the_generator(make: Any) -> None:
    """Also where an output in five is passed over."""
    plan, _ = race()
    begin = p.Do(None, "search_begin", (const(0), const(LUCK)))
    sizes = [1, 2, 3, 7, 64, 10_000, 37 * 10**17] * 9
    used, expected = 0, []
    for size in sizes:
        value, used = counter_rng.below(LUCK, used, size)
        expected.append(value)
    assert used > len(sizes)
    drawn = [given("search_below", size) for size in sizes]
    assert found(make, plan, begin, *chain(*drawn)) == expected


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
def test_how_much_is_explored(make: Any) -> None:
    plan, _ = race()
    numbers = [1, 2, 3, 4095, 4096, 2 * 4095 + 1, 123_456_789]
    widths = found(make, plan, *chain(*(given("search_exploration", number) for number in numbers)))
    for number, width in zip(numbers, widths, strict=True):
        assert log(number) - 0.0005 < (real(width) / parameters.EXPLORATION) ** 2 <= log(number) + 1e-12


# ---------------------------------------------------------------- what a simulation came to

ENDS: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((1, 2, 3, 4), ()),
    ((4, 3, 2, 1), ()),
    ((1, 1, 2, 2), ()),
    ((1, 1, 1, 1), ()),
    ((2, 1, 3, 1), (1,)),
    ((1, p.NONE, p.NONE, 2), (0,)),
    ((p.NONE,) * SEATS, (2, 3)),
    ((1, 2, 3, 4), (0, 1, 2, 3)),
)
"""The places of the seats, or nothing, and who is defeated."""


def utilities(places: tuple[int, ...], defeated: tuple[int, ...]) -> list[float]:
    """Of n seats the one in the i-th place gets (n - i) / (n - 1), and who shares places their mean."""
    if len(defeated) == SEATS:
        return [0.0] * SEATS
    ended = [99 if seat in defeated else 50 if rank == p.NONE else rank for seat, rank in enumerate(places)]
    order = sorted(ended)
    return [fmean((SEATS - 1 - i) / (SEATS - 1) for i in range(SEATS) if order[i] == own) for own in ended]


def lead_shares(leads: list[int]) -> list[float]:
    """z / (1 + |z|) of standard scores by the leads so far, moved from -1 … 1 to 0 … 1."""
    made = []
    for count in range(1, len(leads) + 1):
        spread = max(pstdev(leads[:count]), sqrt(1e-9))
        score = (leads[count - 1] - fmean(leads[:count])) / spread
        made.append(0.5 + 0.5 * score / (1 + abs(score)))
    return made


def ended(storage: Storage, places: tuple[int, ...], defeated: tuple[int, ...], points: tuple[int, ...]) -> p.Body:
    assert storage.leads is not None
    made: list[p.Statement] = []
    for seat in range(SEATS):
        made += [store(storage.rank + seat, places[seat]), store(storage.leads + seat, points[seat])]
        made += [store(storage.defeated + seat, defeated.index(seat) if seat in defeated else p.NONE)]
    return tuple(made)


def check_worths(make: Callable[[Plan], Machine]) -> None:
    """Two ends, as leads are reckoned by all that there were; each counts for one answer of each seat."""
    plan, storage = race()
    for number, (places, defeated) in enumerate(ENDS):
        random = Random(number)
        points = [tuple(random.randrange(-5, 20) for _ in range(SEATS)) for _ in range(2)]
        leads = [one[seat] - max(one[:seat] + one[seat + 1 :]) for one in points for seat in range(SEATS)]
        body: list[p.Statement] = list(grown(plan, KEYS[RACE], [(1, 0.25)] * SEATS))
        body += [p.SetCell(tree.DEPTH, const(SEATS))]
        for seat in range(SEATS):
            passed = behind_node(plan, seat, 0), get("t9"), const(seat)
            at = tree.PATH + tree.STEP * seat
            body += [p.SetCell(const(at + part), value) for part, value in enumerate(passed)]
        for one in points:
            body += [*ended(storage, places, defeated, one), p.Do(None, "search_learn", ())]
        body += [add(0, p.Cell(behind_node(plan, 0, -1)))]
        body += [add(0, p.Cell(behind_node(plan, seat, at))) for seat in range(SEATS) for at in range(3)]
        node, *learned = found(make, plan, *body)
        assert [node, *learned[::3]] == [3 * SEATS, *([3] * SEATS)]
        assert [real(rarity) for rarity in learned[2::3]] == pytest.approx([1 / sqrt(3)] * SEATS)
        shares = lead_shares(leads)
        for seat, utility in enumerate(utilities(places, defeated)):
            worth = sum(0.9 * utility + 0.1 * shares[one * SEATS + seat] for one in range(2))
            assert isclose(real(learned[3 * seat + 1]), 0.25 + worth, abs_tol=1e-6), (places, defeated, seat)


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
def test_places_and_leads_are_what_a_simulation_is_worth(make: Any) -> None:
    check_worths(make)


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
def test_without_leads_places_alone_count(make: Any) -> None:
    plan, storage = race()
    for places, defeated in ENDS:
        body = ended(storage, places, defeated, (3, p.NONE, 1, 2))
        read = [add(0, p.Cell(const(tree.WORTHS + at))) for at in range(SEATS)]
        learned = found(make, plan, *grown(plan, KEYS[RACE], [(1, 0.5)]), *body, p.Do(None, "search_learn", ()), *read)
        assert [real(worth) for worth in learned] == pytest.approx(utilities(places, defeated))


# ---------------------------------------------------------------- nodes


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
def test_nodes_are_found_by_their_keys_until_a_new_search(make: Any) -> None:
    """Keys that share a place in the table lie in those behind it."""
    plan, _ = race(HIDDEN)
    keys = [5, 5 + tree.SLOTS, -tree.SLOTS + 5, 6, -1]
    new, again = ([given("search_node", key, size) for key in keys] for size in (3, 0))
    anew = (p.Do(None, "search_begin", (const(0), const(LUCK))), *given("search_node", 6, 0))
    first = tree.TABLE + tree.SLOTS + 2
    wanted = [first + (2 + 3 * 3) * number for number in range(len(keys))]
    assert found(make, plan, *chain(*new, *again), *anew) == [*wanted, *wanted, 0]


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
def test_where_nothing_is_hidden_every_answer_has_a_node_behind_it(make: Any) -> None:
    plan, _ = race()
    root = given("search_node", tree.ROOT.value, 3)
    further = p.Do("t2", "search_behind", (tree.ROOT, const(2)))
    new, again = ((further, p.Do("t3", "search_node", (get("t2"), const(n))), add(0, get("t3"))) for n in (2, 0))
    anew = (p.Do(None, "search_begin", (const(0), const(LUCK))), *given("search_node", tree.ROOT.value, 0))
    first = tree.TABLE + 1
    second = first + 3 * 4 + 1
    assert found(make, plan, *root, *new, *root, *again, *anew) == [first, second, first, second, 0]


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
@pytest.mark.parametrize("text", KEYS, ids=["open", "secret"])
def test_a_full_table_leaves_the_rest_to_chance(make: Any, text: str) -> None:
    (plan, _), key = race(text), KEYS[text]
    begin = p.Do(None, "search_begin", (const(0), const(LUCK)))
    full = (p.SetCell(tree.NODES, const(parameters.MAX_NODES)), *given("search_choice", key, 6, 0, 1))
    assert found(make, plan, begin, *full, add(0, p.Cell(tree.INSIDE))) == [counter_rng.below(LUCK, 0, 6)[0], 0]
    room = p.SetCell(tree.ANSWERS, const(parameters.MAX_ANSWERS - 5))
    nodes = (*given("search_node", key, 6), *given("search_node", key, 5))
    none, some = found(make, plan, begin, room, *nodes)
    assert (none, some > 0) == (0, True)


# ---------------------------------------------------------------- planted faults


PLANTED: tuple[tuple[str, Any, str, Any, Callable[[Any], None]], ...] = (
    ("another constant", reals, "EXPLORATION", 0.5, check_bounds),
    ("another logarithm", reals, "log", lambda number: log(number) / 2, check_bounds),
    ("worths forgotten", selection, "TOTAL", tree.VISITS, check_bounds),
    ("visits forgotten", backpropagation, "converted", lambda value: reals.ONE_REAL, check_worths),
    ("another weight of leads", backpropagation, "LEAD_WEIGHT", 0.2, check_worths),
    ("a lead over all seats", backpropagation, "NOTHING", const(0), check_worths),
    ("the defeated are as those without a place", backpropagation, "DEFEATED", const(1 << 40), check_worths),
)


@pytest.mark.parametrize(("where", "name", "fault", "check"), [one[1:] for one in PLANTED], ids=[o[0] for o in PLANTED])
def test_a_planted_fault_is_found(
    where: Any, name: str, fault: Any, check: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, fault)
    with pytest.raises(AssertionError):
        check(ENGINES["wasm"])
