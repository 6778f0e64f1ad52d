"""The static evaluation function: how good a position is for every seat, at the end or as if the match ended now.

The result of a game is computed early by running its rules on a copy.  That is not always possible: a result may need
what is not there yet.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.compiler.lower.search.parameters import LOSS_WEIGHT, may_be_defeated
from rulekit.model import ops
from rulekit.play.machine.closure_compilation import Meanings, NeedsOrder, evaluate, meanings
from rulekit.play.machine.working_state import CallFrame, Machine, thaw
from rulekit.play.meaning.queries import sort_keys
from rulekit.play.state.errors import RuleError
from rulekit.play.state.match_state import State
from rulekit.play.state.setting import Setting
from rulekit.values import frozen

_STEPS = 20_000
"""The most operations of a result that is computed early; those of published games take a few hundred."""


@frozen
class Evaluation:
    """utilities: by seat, 1 for the first place, 0 for the last, shared places averaged; 0 if everybody is defeated.
                Where all reach something together, how much of it they have, see `shared_success`.

    leads:      by seat, how far its first ranking value is ahead of the best other's, or the value itself of a single
                seat; None where no value ranks the seats.
    """

    utilities: tuple[float, ...]
    leads: tuple[int, ...] | None = None


def evaluation_of(state: State) -> Evaluation | None:
    """Every seat's evaluation; None if the result cannot be computed now."""
    m = thaw(state)
    first: dict[int, int] = {}
    if not state.over and not _run_result(m, first):
        return None
    seats = range(state.setting.players)
    # Seats that never decide compete with nobody.
    ranks = tuple(tuple(seat for seat in place if seat in seats) for place in m.ranks)
    utilities = utilities_of(ranks, [seat for seat in m.defeated if seat in seats], len(seats))
    together = state.setting.game.together
    if together is not None:
        reached = (evaluate(m, together.value) - together.low) / (together.high - together.low)
        success = shared_success(reached, may_lose=may_be_defeated(state.setting.game), is_lost=not any(utilities))
        utilities = (success,) * len(seats)
    known = first.keys() >= set(seats)
    return Evaluation(utilities, leads_of([first[seat] for seat in seats], state.setting) if known else None)


def shared_success(reached: float, *, may_lose: bool, is_lost: bool) -> float:
    """The worth of what all reached together, from 0 to 1.

    In a game in which all can be defeated, what they had reached counts in defeat too, and any success for more:
    where nearly every match is lost, no answer would be better than another otherwise.
    """
    if not may_lose:
        return reached
    return LOSS_WEIGHT * reached if is_lost else LOSS_WEIGHT + (1.0 - LOSS_WEIGHT) * reached


def _run_result(m: Machine, first: dict[int, int]) -> bool:
    """Run the result to its end, and note by seat the value that ranks it first, the more the better."""
    c, game = meanings(m.setting), m.setting.game
    m.branches, m.pending, m.ending = [], None, True
    m.frames = [CallFrame(game.result, 0, [None] * game.codes[game.result].locals)]
    try:
        for _ in range(_STEPS):
            if not m.frames or m.pending is not None:
                break
            _step(m, c, first)
    except (RuleError, NeedsOrder, RecursionError):
        return False
    return not m.frames and m.pending is None


def _step(m: Machine, c: Meanings, first: dict[int, int]) -> None:
    """One operation; a ranking is looked at before it is made."""
    frame = m.frames[-1]
    m.op, _, act = c.acts(frame.code)[frame.pc]
    frame.pc += 1
    m.locals = frame.locals
    if isinstance(m.op, ops.Rank) and m.op.keys:
        seats = tuple(evaluate(m, m.op.players))
        key, low = m.op.keys[0]
        for seat, value in zip(seats, sort_keys(c, m.op.slot, ((key, True),))(m, seats), strict=True):
            first.setdefault(seat, -value if low else value)
    act(m, frame)


def utilities_of(ranks: Sequence[Sequence[int]], defeated: Sequence[int], count: int) -> tuple[float, ...]:
    """See `Evaluation`.  ranks: who shares each place, best first; count: how many decide."""
    placed = {seat for place in ranks for seat in place} | set(defeated)
    rest = tuple(seat for seat in range(count) if seat not in placed)
    places = [place for place in (*ranks, rest, tuple(defeated)) if place]
    if len(defeated) == count:
        return (0.0,) * count
    if count == 1:
        return (1.0,)
    utilities, better = [0.0] * count, 0
    for place in places:
        middle = better + (len(place) - 1) / 2
        for seat in place:
            utilities[seat] = 1 - middle / (count - 1)
        better += len(place)
    return tuple(utilities)


def leads_of(values: list[int], setting: Setting) -> tuple[int, ...]:
    """How far each team is ahead of the best other; a team has what the best of its players has."""
    if len(values) == 1:
        return (values[0],)
    teams = [setting.team_of(seat) for seat in range(len(values))]
    best = [max(values[mate] for mate in team) for team in teams]
    return tuple(
        best[seat] - max(best[other] for other in range(len(values)) if other not in team)
        for seat, team in enumerate(teams)
    )
