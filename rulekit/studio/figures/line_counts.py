"""How often each line of the rules runs in a match, on an average over many (a profile by instrumentation).

The game is instrumented (`execution_counts`) and its matches are the same as without, so that they need not be those
of which the figures are made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from rulekit.compiler.plan.ir import Status
from rulekit.model.game import Game, Run
from rulekit.tools.analysis.execution_counts import ExecutionCounts
from rulekit.tools.series.simulation import Series
from rulekit.tools.studies.batches import doubling
from rulekit.values import frozen

GAMES = {"wasm": 1000, "interpreter": 20}
"""So many matches are counted, by engine."""
MOST_AT_ONCE = {"wasm": 64, "interpreter": 1}


@frozen
class LineCounts:
    """counts: by line of the file how often it runs in a match that comes to its end; games: over how many of these."""

    games: int
    counts: Mapping[int, float]


def line_counts(counter: ExecutionCounts, one: Series, is_stale: Callable[[], bool]) -> LineCounts | None:
    """Of matches of a series of the counted game; None if something newer waits.  Errors: `Interrupted`."""
    game = counter.game
    games, finished = GAMES[one.engine], 0
    for first, size in doubling(games, MOST_AT_ONCE[one.engine]):
        if is_stale():
            return None
        finished += sum(row[0] == Status.DONE for row in one.rows(first, size, ()))
    file, apart = game.sources[0][0], _of_examples(game)
    lines = Counter[int]()
    for span, times in counter.lines(counter.summed(one.counters.sheet, one.sums())).items():
        if span.source == file and span.line not in apart:
            lines[span.line] += times
    return LineCounts(finished, {line: times / max(1, finished) for line, times in lines.items()})


def _of_examples(game: Game) -> set[int]:
    """The lines of examples that call something: no match runs them."""
    calls = [scene.code for one in game.scenarios for scene in one.scenes if isinstance(scene, Run)]
    return {op.span.line for code in calls for op in game.codes[code].ops}
