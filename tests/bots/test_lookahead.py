"""What comes of an answer is the same in a compiled machine as in the reference engine."""

from __future__ import annotations

import pytest

from rulekit import Action, apply, decisions, start
from rulekit.bots.bot import Chair
from rulekit.bots.players.compiled_lookahead import compiled_lookahead
from rulekit.bots.players.evaluation import Evaluation, evaluation_of
from rulekit.bots.players.greedy import Greedy
from rulekit.bots.random_playout import after_answer, with_sampled_chance
from rulekit.bots.rng import Rng
from rulekit.bots.seated_bots import SeatedBots
from tests.bots.test_bots import HEAP, HIDING, game

RISKS = """
game "Risks"
    players 3
each player has
    counter score
play
    each round in 1..3
        each player
            player chooses risk from [0, 2, 5] "How much?"
            raise player.score by risk
            if player.score is 7: defeat [player]
            if player.score is 10: end game
result: rank players by highest score
"""


@pytest.mark.parametrize("text", [HEAP, HIDING, RISKS])
def test_the_machine_judges_as_the_reference_engine(text: str) -> None:
    """For every answer at every decision.  The machine knows no leads of the defeated, but those at an end."""
    rules, judged = game(text), list[Evaluation]()
    names = tuple("abc"[: rules.least])
    bots = {seat: Greedy(Chair(rules, {}, names, seat, "j")) for seat in range(len(names))}
    step, rng, table = start(rules, seats=names, seed="j"), Rng(5), SeatedBots(bots)
    table.tell(step.state, step.events)
    while waiting := decisions(step.state):
        asked = waiting[0]
        bot = bots[asked.seat]
        ahead = compiled_lookahead(bot.chair)
        node = bot.belief.drawn_history(rng)
        assert ahead is not None
        assert node is not None
        assert ahead.believe([node], rng)
        for answer in asked.options:
            (found,) = ahead.evaluations(asked, answer, 1)
            after = after_answer(with_sampled_chance(node.state, rng), Action(asked.seat, answer), rng)
            wanted = evaluation_of(after)
            assert found is not None
            assert wanted is not None
            assert found.utilities == wanted.utilities
            assert after.over or found.leads in (wanted.leads, None)
            judged.append(found)
        chosen = asked.options[len(judged) % len(asked.options)]
        step = apply(step.state, Action(asked.seat, chosen))
        bot.answered(asked, chosen)
        table.tell(step.state, step.events, asked.seat)
    assert len({one.utilities for one in judged}) > 1
    assert (text == RISKS) == any(one.leads for one in judged)
