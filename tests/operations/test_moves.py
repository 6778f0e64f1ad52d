"""What tools say of operations that move pieces, each told by a game in which saying less was wrong.

Every way of moving a piece may start a reaction, which may end the game or
ask something; and whoever sees where a piece goes learns what it depended on.
"""

from __future__ import annotations

import pytest

from rulekit.play import engine
from rulekit.play.state.errors import RuleError
from rulekit.play.state.match_state import Action
from rulekit.tools.coverage.clause_coverage import Agreed, Coverage, Line
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.series import simulation
from tests.operations.samples import parsed

ENDS_ON_ARRIVAL = """game "Ends on arrival"
    players 2
> P-1 The stone goes one cell east.
> P-2 Where it comes to rest, the game ends.
> P-3 Then the first player would score.
grid raft 9 by 1
    edge stops
piece stone on raft at raft[1, 1]
each player has
    counter score 0..
play
    each player
        player chooses n from 1..2 "How?"
        {line}                                            @P-1
        raise (first players).score by 1                  @P-3
when stone lands                                          @P-2
    end game                                              @P-2
result
    rank players by highest score
"""
MOVES = (
    "push stone toward east",
    "shift stone toward east by 1",
    "compact stone toward east",
    "move stone to beside(stone, east)",
)


def covered(text: str, games: int = 20) -> dict[str, Line]:
    made = Coverage(parsed(text))
    for _ in made.play(Agreed(2, {}), games, "test"):
        pass
    return {line.name: line for line in made.lines()}


@pytest.mark.parametrize("line", [each for each in MOVES if not each.startswith("compact")])
def test_what_stands_behind_a_move_that_ends_the_game_never_ran(line: str) -> None:
    found = covered(ENDS_ON_ARRIVAL.format(line=line))
    assert found["P-1"].games == 20
    assert found["P-2"].games == 20
    assert found["P-3"].games == 0
    assert str(found["P-3"].why) == "never reached: play always left before it"


@pytest.mark.parametrize("line", MOVES)
def test_a_reaction_is_called_by_what_moves_pieces(line: str) -> None:
    found = covered(ENDS_ON_ARRIVAL.format(line=f"if n is 5: {line}"))
    assert found["P-2"].games == 0
    assert str(found["P-2"].why) == "condition never true: `n is 5` (line 14)"


ASKS_ON_ARRIVAL = """game "Asks on arrival"
    players 2
grid raft 9 by 1
    edge stops
piece stone on raft at raft[1, 1]
each player has
    counter score 0..
play
    each round in 1..3
        each player
            player chooses n from 1..2 "How?"
            {line}
when stone lands
    each one in players
        one chooses extra from 1..3 "How much?"
        raise one.score by extra
result
    rank players by highest score
"""


@pytest.mark.parametrize("line", [each for each in MOVES if not each.startswith("compact")])
def test_a_question_of_a_reaction_is_counted(line: str) -> None:
    one = simulation.series(parsed(ASKS_ON_ARRIVAL.format(line=line)), {}, 2, "test")
    tally = Tally(one.counters.sheet)
    tally.add(0, one.rows(0, 20, ()), one.sums())
    assert {asked.question.name: asked.times for asked in tally.questions()} == {"n": 120, "extra": 240}


SECRET = """game "Secret"
    players 2
grid board 9 by 3
    edge stops
pieces stones of stone on board
    | stone |
    | one   |
    | two   |
each player has
    counter plan 0..5 starts 2, seen by owner
    counter score 0..
setup
    move one to board[1, 1]
    move two to board[5, 2]
play
    each player
        player chooses n from 1..2 "How?"
        {line}
result
    rank players by highest score
"""
BY_PLAN = "(if player.plan is 2 then one else two)"
SHOWING = (
    f"move {BY_PLAN} to board[9, 3]",
    "shift one toward east by player.plan",
    f"swap {BY_PLAN} for two",
    f"push {BY_PLAN} toward east",
    f"compact [{BY_PLAN}, two] toward west",
    f"move {BY_PLAN} home",
    f"remove {BY_PLAN}",
)


@pytest.mark.parametrize("line", SHOWING)
def test_where_a_piece_goes_shows_what_it_depends_on(line: str) -> None:
    state = engine.start(parsed(SECRET.format(line=line)), seats=2, seed="1", checked=True).state
    with pytest.raises(RuleError, match=r"shows something of `red\.plan`") as fault:
        engine.apply(state, Action(0, 1))
    assert fault.value.code == "secret-shown"
