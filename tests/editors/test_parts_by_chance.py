"""Rules made by chance, in whose lines every part cites a clause: exactly the parts that are looked at are counted."""

from __future__ import annotations

from random import Random

import pytest
from attrs import define, field

from rulekit.loading import examine_text
from rulekit.model.game import Game
from rulekit.play.state.value import Value
from rulekit.source import Source
from rulekit.tools.analysis.branch_coverage import Points
from rulekit.tools.analysis.statement_coverage import CoverageProbes
from rulekit.tools.coverage.traceability import ClausePoints
from rulekit.tools.series.simulation import series
from tests.differential.random_games import WIDE, agreed

LINES = 12
VALUES = {"a": 3, "b": 7, "c": 0}
HEAD = 'game "Parts"\n    players 2\noption odd "Odd?" flag default no\n' + "".join(
    f"counter {name} 0..9 starts {value}\n" for name, value in VALUES.items()
)


@define(eq=False)
class Parts:
    """Writes lines, and says of each clause in them whether its part is looked at, and of each value what it is."""

    random: Random
    taken: dict[str, bool] = field(factory=dict)

    def cited(self, *, live: bool) -> str:
        id_ = f"P-{len(self.taken)}"
        self.taken[id_] = live
        return f"@{id_}"

    def value(self, depth: int, *, live: bool) -> tuple[str, int]:
        """A number, as text and as what it is."""
        if depth == 0:
            number = self.random.randrange(10)
            return str(number), number
        kind = self.random.choice(["if", "if", "sum", "count"])
        if kind == "sum":
            (left, a), (right, b) = (self.value(depth - 1, live=live) for _ in range(2))
            return f"({left} + {right})", a + b
        if kind == "count":
            least = self.random.randrange(12)
            inside = [number for number in range(3) if number + least > 9]
            test, _ = self.test(depth - 1, live=live and bool(inside))
            return f"0 * count (0..2 where it + {least} above 9 and {test})", 0
        test, holds = self.test(depth - 1, live=live)
        then, one = self.value(depth - 1, live=live and holds)
        first = self.cited(live=live and holds)
        other, two = self.value(depth - 1, live=live and not holds)
        last = self.cited(live=live and not holds)
        return f"(if {test} then {then} {first} else {other} {last})", one if holds else two

    def test(self, depth: int, *, live: bool) -> tuple[str, bool]:
        """A condition in brackets, as text and whether it holds."""
        kind = self.random.choice(["and", "or", "not", "leaf"]) if depth else "leaf"
        if kind == "leaf":
            name, bound = self.random.choice([*VALUES]), self.random.randrange(10)
            return f"({name} above {bound} {self.cited(live=live)})", VALUES[name] > bound
        left, holds = self.test(depth - 1, live=live)
        if kind == "not":
            return f"(not {left})", not holds
        right, also = self.test(depth - 1, live=live and holds == (kind == "and"))
        return f"({left} {kind} {right})", (holds and also) if kind == "and" else (holds or also)

    def text(self) -> str:
        lines = [f"    let x{number} be {self.value(3, live=True)[0]}\n" for number in range(LINES)]
        tail = "".join(f"> {id_} Said.\n" for id_ in self.taken)
        return f"{HEAD}play\n{''.join(lines)}    end game\nresult: rank players by highest a\n{tail}"


def came_by(made: Game, engine: str, options: dict[str, Value], seats: int, seed: str) -> list[tuple[int, Points]]:
    """How each match ended, and the points that it came by."""
    probes = CoverageProbes(made)
    one = series(probes.marked, options, seats, seed, engine)
    points, words = probes.words(one.counters)
    return [(row[1], probes.blocks_run(points, row[2:])) for row in one.rows(0, 2, words)]


@pytest.mark.parametrize("seed", range(8))
def test_a_clause_of_a_part_counts_if_the_part_is_looked_at_and_else_never(seed: int) -> None:
    parts = Parts(Random(seed))
    loaded = examine_text(Source("parts.rules", parts.text()))
    assert loaded.game is not None, loaded.findings
    wanted = {id_ for id_, live in parts.taken.items() if live}
    assert 0 < len(wanted) < len(parts.taken)
    points = ClausePoints(CoverageProbes(loaded.game))
    for engine in ("wasm", "interpreter"):
        [(_, came), _] = came_by(loaded.game, engine, {}, 2, "parts")
        assert points.exercised(came, (False,)) == wanted, engine


@pytest.mark.parametrize("seed", [*range(6), *range(WIDE, WIDE + 3)])
def test_engines_come_by_the_same_points_of_games_by_chance(seed: int) -> None:
    made, options, seats = agreed(seed)
    found = [came_by(made, engine, options, seats, f"chance-{seed}") for engine in ("wasm", "interpreter")]
    plain = series(made, options, seats, f"chance-{seed}").rows(0, 2, ())
    assert found[0] == found[1]
    assert [decisions for decisions, _ in found[0]] == [row[1] for row in plain]
