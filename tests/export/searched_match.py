"""The beginning of a match between bots that search: played here, and by the same text in a browser's Python."""

from __future__ import annotations

from rulekit.bots.players import compiled_search
from rulekit.bots.players.seating import catch_up, joined
from rulekit.loading import load
from rulekit.play.state.match_state import Action
from rulekit.record.match import started


def answers(file: str, count: int) -> list[str]:
    """What was answered, and at the end by which engine was searched."""
    match = started(load(file), None, 2, "a")
    bots = joined(match, ("mcts:30", "mcts:30"), "a")
    for told in range(count):
        asked = match.decisions()[0]
        match.act(Action(asked.seat, bots.answer(match.state, asked)))
        catch_up(bots, match, told)
    engines = [type(engine).__name__ for _, engine in compiled_search._compiled.known.engines.values()]
    return [*(repr(past.action.answer) for past in match.history), engines[-1]]
