"""Bots: who they are, that they play to the end and well, and that they know nothing but what their seat was told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulekit import Action, Game, apply, decisions, start
from rulekit.bots.bot import Bot, Chair
from rulekit.bots.players import registry
from rulekit.bots.players.evaluation import Evaluation, evaluation_of
from rulekit.bots.players.mcts import Search
from rulekit.bots.random_playout import with_sampled_chance
from rulekit.bots.rng import Rng
from rulekit.bots.seated_bots import SeatedBots
from rulekit.loading import examine_text
from rulekit.play.state import counter_rng
from rulekit.play.state.match_state import State
from rulekit.source import Source
from tests.bots.hidden_games import TEXTS, small, told
from tests.generators.random_matches import GAMES
from tests.generators.random_matches import game as loaded
from tests.sizes import IS_LONG, quick

MOST = 6 if IS_LONG else 3
"""Decisions of a match, at least one for each bot."""
HEAP = """
game "Heap"
    players 2
counter heap 0..9 starts 9
value taker of player
play
    repeat
        each player
            player chooses taken from 1..min(3, heap) "Take how many?"
            lower heap by taken
            set taker to player
            if heap is 0: end game
result: rank players where it is taker
"""
HIDING = """
game "Hiding"
    players 2
counter hidden 0..3, seen by nobody
flag found
play
    let hider be first players
    let seeker be last players
    secretly hider chooses place from 1..3 "Hide where?"
    set hidden to place
    seeker chooses guess from 1..3 "Look where?"
    if guess is hidden: set found to yes
result: rank players where found is (it is last players)
"""
USELESS = """
game "Useless"
    players 2
cards deck of card
    card good: raise owner.score by 2
    card plain: raise owner.score by 1
    card useless
each player has
    counter score
    pile hand of card starts deck, seen by owner
    pile played of card, seen by owner
play
    repeat
        secretly each player
            player chooses card from player.hand "Play which?"
            move card to player.played
        reveal players.played
        each player
            let card be first player.played
            do card for player
        each player: remove player.played
        if any (players whose count it.hand below 2): end game
result: rank players by highest score
"""


def game(text: str) -> Game:
    found = examine_text(Source("game.rules", text))
    assert found.game is not None, found.findings
    return found.game


def seated(rules: Game, kinds: Sequence[str], seed: str) -> tuple[SeatedBots, tuple[str, ...]]:
    names = tuple(f"p{number}" for number in range(len(kinds)))
    bots = {seat: registry.seated(kind, rules, {}, names, seat, seed) for seat, kind in enumerate(kinds)}
    return SeatedBots(bots), names


def played(rules: Game, kinds: Sequence[str], seed: str, most: int = 10_000) -> tuple[State, list[Action]]:
    """A match of bots, or its beginning, and all answers."""
    table, names = seated(rules, kinds, seed)
    step, made = start(rules, seats=names, seed=seed), list[Action]()
    table.tell(step.state, step.events)
    while (waiting := decisions(step.state)) and len(made) < most:
        asked = waiting[0]
        made.append(Action(asked.seat, table.answer(step.state, asked)))
        step = apply(step.state, made[-1])
        table.answered(asked, made[-1].answer)
        table.tell(step.state, step.events, asked.seat)
    return step.state, made


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("name", ["random", "greedy", "mcts:1", "mcts:200"])
def test_a_bot_is_seated_by_its_name(name: str) -> None:
    chair = Chair(small("a dealt hand, played openly"), {}, ("a", "b"), 0, "s")
    bot: Bot = registry.maker(name)(chair)
    assert isinstance(bot.listens, bool)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("rando", "did you mean `random`?"),
        ("x", "the bots are random, greedy, mcts:N (for example mcts:200)"),
        ("mcts", "mcts takes a number from 1 to 1,000,000, such as mcts:200"),
        ("mcts:0", "mcts takes a number from 1"),
        ("mcts:-3", "mcts takes a number from 1"),
        ("mcts:1000001", "mcts takes a number from 1"),
        ("mcts:９", "mcts takes a number from 1"),
        ("\n", "no bot is called `\\n`"),
    ],
)
def test_a_name_that_no_bot_has_is_refused_with_those_there_are(name: str, says: str) -> None:
    with pytest.raises(registry.UnknownBot) as refusal:
        registry.maker(name)
    assert says in str(refusal.value)


def test_no_bot_but_random_learns_the_seed_of_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    chairs: list[Chair] = []

    def spy(chair: Chair) -> Bot:
        chairs.append(chair)
        return registry.maker("random")(chair)

    monkeypatch.setitem(registry._PLAIN, "greedy", spy)
    rules = small("a dealt hand, played openly")
    for seed in ("secret", "secret", "other"):
        seated(rules, ("greedy", "greedy"), seed)
    seeds = [chair.seed for chair in chairs]
    assert seeds[:2] == seeds[2:4], "the same seed gives the same match"
    assert len(set(seeds)) == 4, "every seat of every match draws for itself"
    numbers = {counter_rng.seed_number(seed) for seed in ("secret", "other")}
    assert not any("secret" in seed or counter_rng.seed_number(seed) in numbers for seed in seeds)


# ---------------------------------------------------------------- how they play


@pytest.mark.parametrize("path", quick(GAMES), ids=lambda path: path.stem)
def test_bots_play_every_game(path: object) -> None:
    rules = loaded(path)
    kinds = ["mcts:1", "greedy", "random"][: max(2, rules.least)]
    state, made = played(rules, kinds, "s", most=MOST)
    assert len(made) == MOST
    assert evaluation_of(state) is not None


def test_the_same_seed_gives_the_same_match() -> None:
    rules = small("a shuffled pile, partly looked at")
    assert played(rules, ["mcts:20", "greedy"], "s")[1] == played(rules, ["mcts:20", "greedy"], "s")[1]


def test_a_search_takes_what_wins() -> None:
    won = 0
    for number in range(6):
        kinds = ["mcts:150", "random"] if number % 2 else ["random", "mcts:150"]
        state, _ = played(game(HEAP), kinds, f"h{number}")
        stands = evaluation_of(state)
        assert stands is not None
        won += stands.utilities[kinds.index("mcts:150")] == 1
    assert won == 6


def test_a_greedy_bot_takes_what_counts_now() -> None:
    _, made = played(game(USELESS), ["greedy", "greedy"], "g")
    assert [str(action.answer) for action in made] == ["good", "good", "plain", "plain"]


def test_a_search_leaves_a_useless_card_alone() -> None:
    _, made = played(game(USELESS), ["mcts:200", "mcts:200"], "u")
    assert "useless" not in {str(action.answer) for action in made}


# ---------------------------------------------------------------- what they know


def test_who_answers_in_secret_is_not_looked_at_by_the_search() -> None:
    state = start(game(HIDING), seats=2, seed="s").state
    search = Search(0, Rng.of("s", "search"))
    for _ in range(60):
        search.simulate(with_sampled_chance(state, search.rng))
    assert len([key for key in search.trees if key[0] == 1]) == 1


def test_an_open_answer_is_looked_at_by_the_search() -> None:
    state = start(game(HIDING.replace("secretly hider", "hider")), seats=2, seed="s").state
    search = Search(0, Rng.of("s", "search"))
    for _ in range(60):
        search.simulate(with_sampled_chance(state, search.rng))
    assert len([key for key in search.trees if key[0] == 1]) == 3


@pytest.mark.parametrize("name", [name for name in TEXTS if "bids" not in name])
def test_what_a_seat_was_not_told_changes_none_of_its_answers(name: str) -> None:
    """Histories that a seat cannot tell apart, though something hidden differs, get the same answer."""
    found = [told(small(name), f"w{number}", most) for number in range(40) for most in (1, 2)]
    pairs = [
        (one, other)
        for at, one in enumerate(found)
        for other in found[at + 1 :]
        if one.messages[1] == other.messages[1] and one.state.values != other.state.values
    ]
    asked = [pair for pair in pairs if decisions(pair[0].state) and decisions(pair[0].state)[0].seat == 1]
    assert asked
    for pair in asked[:2]:
        answers = []
        for match in pair:
            bot = registry.maker("mcts:30")(match.chair(1, "same"))
            for message in match.messages[1]:
                bot.told(message.view, message.events)
            answers.append(bot.answer(match.messages[1][-1].view, decisions(match.state)[0]))
        assert answers[0] == answers[1]


def test_nobody_notices_that_somebody_goes_on_in_secret() -> None:
    heard: list[int] = []
    state = start(small("secret bids, of which only the highest is told"), seed="s").state

    class Ear:
        listens = True

        def told(self, view: object, events: tuple[object, ...]) -> None:
            heard.append(len(events))

        def answer(self, view: object, decision: object) -> int:
            return 0

        def answered(self, decision: object, value: object) -> None:
            pass

    table = SeatedBots({0: Ear()})
    table.tell(state, ())
    table.tell(state, (), actor=1)
    assert heard == [0]


# ---------------------------------------------------------------- how a seat stands


@pytest.mark.parametrize(
    ("result", "stands"),
    [
        ("rank players by highest score", Evaluation((0.5, 1.0, 0.0), (-1, 1, -2))),
        ("rank players by lowest score", Evaluation((0.5, 0.0, 1.0), (-1, -2, 1))),
        ("rank players", Evaluation((0.5, 0.5, 0.5), None)),
        ("defeat players", Evaluation((0.0, 0.0, 0.0), None)),
        ("defeat players whose score is 3", Evaluation((0.75, 0.0, 0.75), None)),
    ],
)
def test_how_seats_stand_is_read_before_the_end(result: str, stands: Evaluation) -> None:
    rules = game(f"""
game "Scores"
    players 3
each player has
    counter score
setup
    each player: raise player.score by 2
    let ahead be players[2]
    let behind be last players
    raise ahead.score by 1
    lower behind.score by 1
play
    let one be first players
    one chooses "Go on?"
        "yes"
        "no"
result: {result}
""")
    assert evaluation_of(start(rules).state) == stands


def test_a_result_that_cannot_be_read_yet_says_nothing() -> None:
    rules = game(HEAP.replace("players where it is taker", "players where it.seat is 6 / (9 - heap)"))
    assert evaluation_of(start(rules).state) is None
