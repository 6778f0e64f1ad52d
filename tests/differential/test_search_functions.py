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

from rulekit.compiler.lower.search import backpropagation, reals, selection, tree
from rulekit.compiler.lower.storage.layout import Storage
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import Plan
from rulekit.compiler.runtime.protocols import Machine
from rulekit.loading import examine_text
from rulekit.play.state import counter_rng
from rulekit.source import Source
from tests.generators.handmade_plans import ENGINES, add, const, function, get, store
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
KEY, LUCK, TRIED_MOST = 77, 0x1234_5678_9ABC_DEF0, 5000
Answers = list[tuple[int, float]]
"""How often each was tried, and what that came to."""


def race() -> tuple[Plan, Storage]:
    loaded = examine_text(Source("race.rules", RACE))
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


def grown(answers: Answers) -> tuple[p.Statement, ...]:
    """A simulation begins, and there is one node, with these answers."""
    first = get("t9")
    made: list[p.Statement] = [p.Do(None, "search_begin", (const(0), const(LUCK)))]
    made += [p.Do("t9", "search_node", (const(KEY), const(len(answers))))]
    for number, (visits, worth) in enumerate(answers):
        at = p.Binary("+", first, const(2 * number))
        made += [p.SetCell(at, const(visits)), p.SetCell(p.Binary("+", at, const(1)), const(bits(worth)))]
    return tuple(made)


@pytest.mark.parametrize(
    "made", [RACE, RACE.replace("player chooses", "secretly player chooses")], ids=["open", "secret"]
)
def test_answers_alone_make_a_key_where_all_know_them(made: str) -> None:
    """What the storage holds is not in it then, but is where an answer may be unknown to a seat."""
    loaded = examine_text(Source("race.rules", made))
    assert loaded.game is not None, loaded.findings
    plan, storage = lowered(loaded.game, {}, SEATS, searching=True)
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


def check_bounds(make: Callable[[Plan], Machine], *, shown: bool = True) -> None:
    plan, _ = race()
    every = trees(least=1, shown=shown)
    choices = [(*grown(one), *given("search_choice", KEY, len(one), 1, int(shown))) for one in every]
    for answers, place in zip(every, found(make, plan, *chain(*choices)), strict=True):
        # The logarithm of a number above those of the table is a little less than it should be.
        near = 1e-3 if sum(visits for visits, _ in answers) >= reals.TABLED else 1e-9
        bounds = upper_confidence_bounds(answers, shown=shown)
        assert bounds[place] > max(bounds) - near, (answers, place)


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
@pytest.mark.parametrize("shown", [True, False])
def test_what_promises_most_is_tried(make: Any, shown: bool) -> None:
    check_bounds(make, shown=shown)


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
def test_what_was_never_tried_is_tried_first(make: Any) -> None:
    plan, _ = race()
    untried = [[place for place, (visits, _) in enumerate(answers) if not visits] for answers in trees(least=0)]
    choices = [(*grown(one), *given("search_choice", KEY, len(one), 1, 1)) for one in trees(least=0)]
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
def test_logarithms(make: Any) -> None:
    plan, _ = race()
    numbers = [1, 2, 3, 4095, 4096, 2 * 4095 + 1, 123_456_789]
    logarithms = found(make, plan, *chain(*(given("search_logarithm", number) for number in numbers)))
    for number, logarithm in zip(numbers, logarithms, strict=True):
        assert log(number) - 0.0005 < real(logarithm) <= log(number) + 1e-12


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
        body: list[p.Statement] = list(grown([(1, 0.25)] * SEATS))
        body += [p.SetCell(tree.DEPTH, const(SEATS))]
        for seat in range(SEATS):
            body += [p.SetCell(const(tree.PATH + 2 * seat), p.Binary("+", get("t9"), const(2 * seat)))]
            body += [p.SetCell(const(tree.PATH + 2 * seat + 1), const(seat))]
        for one in points:
            body += [*ended(storage, places, defeated, one), p.Do(None, "search_learn", ())]
        body += [add(0, p.Cell(p.Binary("+", get("t9"), const(at)))) for at in range(2 * SEATS)]
        learned = found(make, plan, *body)
        assert learned[::2] == [3] * SEATS
        shares = lead_shares(leads)
        for seat, utility in enumerate(utilities(places, defeated)):
            worth = sum(0.9 * utility + 0.1 * shares[one * SEATS + seat] for one in range(2))
            assert isclose(real(learned[2 * seat + 1]), 0.25 + worth, abs_tol=1e-6), (places, defeated, seat)


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
def test_places_and_leads_are_what_a_simulation_is_worth(make: Any) -> None:
    check_worths(make)


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
def test_without_leads_places_alone_count(make: Any) -> None:
    plan, storage = race()
    for places, defeated in ENDS:
        body = ended(storage, places, defeated, (3, p.NONE, 1, 2))
        read = [add(0, p.Cell(const(tree.WORTHS + at))) for at in range(SEATS)]
        learned = found(make, plan, *grown([]), *body, p.Do(None, "search_learn", ()), *read)
        assert [real(worth) for worth in learned] == pytest.approx(utilities(places, defeated))


# ---------------------------------------------------------------- nodes


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
def test_nodes_are_found_by_their_keys_until_a_new_search(make: Any) -> None:
    """Keys that share a place in the table lie in those behind it."""
    plan, _ = race()
    keys = [5, 5 + tree.SLOTS, -tree.SLOTS + 5, 6, -1]
    new, again = ([given("search_node", key, size) for key in keys] for size in (3, 0))
    anew = (p.Do(None, "search_begin", (const(0), const(LUCK))), *given("search_node", 6, 0))
    first = tree.FIRST_NODE + 1
    wanted = [first + 7 * number for number in range(len(keys))]
    assert found(make, plan, *chain(*new, *again), *anew) == [*wanted, *wanted, 0]


@pytest.mark.parametrize("make", ENGINES.values(), ids=list(ENGINES))
def test_a_full_table_leaves_the_rest_to_chance(make: Any) -> None:
    plan, _ = race()
    begin = p.Do(None, "search_begin", (const(0), const(LUCK)))
    full = (p.SetCell(tree.NODES, const(tree.MAX_NODES)), *given("search_choice", KEY, 6, 0, 1))
    assert found(make, plan, begin, *full, add(0, p.Cell(tree.INSIDE))) == [counter_rng.below(LUCK, 0, 6)[0], 0]
    room = p.SetCell(tree.ANSWERS, const(tree.MAX_ANSWERS - 5))
    nodes = (*given("search_node", KEY, 6), *given("search_node", KEY, 5))
    none, some = found(make, plan, begin, room, *nodes)
    assert (none, some > 0) == (0, True)


# ---------------------------------------------------------------- planted faults


PLANTED: tuple[tuple[str, Any, str, Any, Callable[[Any], None]], ...] = (
    ("another constant", selection, "EXPLORATION", 0.5, check_bounds),
    ("another logarithm", reals, "log", lambda number: log(number) / 2, check_bounds),
    ("worths by visits forgotten", selection, "converted", lambda value: reals.ONE_REAL, check_bounds),
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
