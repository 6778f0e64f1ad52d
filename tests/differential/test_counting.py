"""What series count: the same in every engine, whatever comes up in a match."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.fuel import spent
from rulekit.compiler.lower.counting.counters import BINS
from rulekit.compiler.lower.counting.schema import EDGES, LEAST_BIN, OFTEN, binned
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan import ir as p
from rulekit.compiler.wasm.backend import compiled
from rulekit.model.game import Game
from rulekit.play.state.counter_rng import seed_number
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.series.simulation import Series, series
from tests import paths
from tests.generators.random_matches import game
from tests.plans.evaluator import Evaluator
from tests.plans.validator import faults

FILES = [
    *(("games", name, seats) for name, seats in (("fuzzy_tiger", 3), ("china_moon", 2), ("hornochsen", 2))),
    *(("games", name, seats) for name, seats in (("foxy", 1), ("shear_panic", 2))),
    *(("examples", name, seats) for name, seats in (("goat_path", 3), ("raft", 2), ("magpies", 4))),
    *(("examples", name, seats) for name, seats in (("open_hand", 4), ("lamplighters", 3))),
]


def counted(made: Game, seats: int, seed: str) -> tuple[Series, list[int]]:
    """A series and the sums of its first match, which are the same in every engine."""
    found = []
    for engine in ("interpreter", "wasm"):
        one = series(made, {}, seats, seed, engine)
        one.rows(0, 1, ())
        found.append(one.sums())
    evaluator = Evaluator(lowered(made, {}, seats, counting=True)[0])
    evaluator.playouts(seed_number(seed), 0, 1, ())
    assert found == [evaluator.sums()] * 2
    return one, found[0]


@pytest.mark.parametrize(("folder", "name", "seats"), FILES)
def test_every_engine_counts_the_same(folder: str, name: str, seats: int) -> None:
    one, found = counted(game(paths.ROOT / folder / f"{name}.rules"), seats, "c")
    tally = Tally(one.counters.sheet)
    tally.add(0, [(0, 0)], found)
    assert tally.questions()
    assert {one.kind for one in tally.occurrences()} >= {"rule"}


def test_counting_changes_no_match() -> None:
    made = game(paths.GAMES / "fuzzy_tiger.rules")
    bare, _ = lowered(made, {}, 4)
    counting, storage = lowered(made, {}, 4, counting=True)
    assert not faults(counting)
    words = range(storage.counters.entries)
    assert Evaluator(bare).playouts(3, 0, 6, words) == compiled(counting).machine().playouts(3, 0, 6, words)


def test_no_try_puts_counters_aside_or_counts() -> None:
    made = game(paths.ROOT / "examples" / "raft.rules")
    bare, counting = (lowered(made, {}, 2, counting=counting)[0] for counting in (False, True))
    assert len(counting.words) > 2 * len(bare.words)
    assert len(counting.words) - counting.kept == len(bare.words) - bare.kept
    assert spent(counting, 5)[0] < 1.2 * spent(bare, 5)[0]


def test_answers_spaces_rules_rounds_and_leads_of_one_match_are_those_of_its_log() -> None:
    """Goats: who climbs on, where the goat then stands, how many turns and rounds that is."""
    one = series(game(paths.EXAMPLES / "goat_path.rules"), {}, 2, "g")
    tally = Tally(one.counters.sheet)
    tally.add(0, one.rows(0, 50, ()), one.sums())
    came = {(row.kind, row.group, row.label): row for row in tally.occurrences()}
    answers = [row for row in came.values() if row.kind == "answer"]
    decisions = tally.measure("decisions")
    assert decisions is not None
    assert sum(row.times for row in answers) == decisions.total
    assert {row.label for row in answers} == {"climb on", "make camp"}
    assert sum(row.times for row in came.values() if row.kind == "space") == decisions.total
    turns, rounds = came["rule", "rule", "climb"].times, tally.measure("rounds")
    assert rounds is not None
    assert turns / 2 <= rounds.total < turns / 2 + 50
    changes = tally.measure("lead changes")
    assert changes is not None
    assert 0 < changes.total < turns
    assert all(row.options == 2 * row.times and row.most == 2 for row in tally.questions() if row.times)


def test_each_number_has_the_bin_that_holds_it() -> None:
    assert all(EDGES[place] <= value for value, place in zip(range(-LEAST_BIN, 4097), BINS, strict=True))
    assert [EDGES[binned(value)] for value in (-5000, -1, 0, 99, 127, 128, 131, 132, 99999)] == [
        *(-1024, -1, 0, 99, 127, 128, 128, 132),
        4096,
    ]


def test_a_sum_takes_what_a_series_comes_to_and_begins_anew() -> None:
    body = (
        p.Sum(p.Const(0), p.Get("decided")),
        p.Sum(p.Const(1), p.Word(p.Const(0)), "min"),
        p.Sum(p.Binary("+", p.Get("status_of"), p.Const(2)), p.Word(p.Const(0)), "max"),
    )
    after = p.Function("behind", (("status_of", "int"), ("decided", "int")), (), body)
    draw = p.Function("begin_all", (), (("n", "int"),), (p.Draw("n", 0, p.Const(9)), p.Store(p.Const(0), p.Get("n"))))
    end = p.Function("end_all", (), (), ())
    plan = p.Plan(
        "sums", (0, 0), (), (), (), (), ("dice",), 1, (draw, end, after), "begin_all", "end_all", 0, (), (), (),
        ("n", "draws"), (), sums=(0, p.LARGEST, p.NONE), after="behind",
    )  # fmt: skip
    assert not faults(plan)
    for machine in (Evaluator(plan), compiled(plan).machine()):
        rows = machine.playouts(1, 0, 20, (0,))
        drawn = [row[2] for row in rows]
        assert machine.sums() == [0, min(drawn), max(drawn)]
        assert machine.sums() == [0, p.LARGEST, p.NONE]


LONG = """game "Long"
    players 2
counter days 0..9000
play
    repeat
        starter always chooses n from [1] "?"
        raise days by 1
        if days is 1600: end game
result
    rank players by 1
"""


def test_what_is_done_very_often_stays_within_the_integers(tmp_path: Path) -> None:
    file = tmp_path / "long.rules"
    file.write_text(LONG, encoding="utf-8")
    one, found = counted(game(file), 2, "l")
    tally = Tally(one.counters.sheet)
    tally.add(0, [(0, 0)], found)
    (answer,) = (row for row in tally.occurrences() if row.kind == "answer")
    assert answer.times == 1600
    at = found.index(1600, one.counters.sheet.first_entry)
    assert found[at + 6] == 2 * OFTEN**2 - OFTEN**2
