"""What a bot believes of hidden things is what can be behind what its seat was told, each as likely as it is."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from rulekit import Action, apply, start, view
from rulekit.bots.belief import weighted_rollout
from rulekit.bots.belief.particle_filter import Belief, Particle, effective_sample_size
from rulekit.bots.rng import Rng
from rulekit.loading import examine_text
from rulekit.play.view import View
from rulekit.source import Source
from tests.bots.hidden_games import TEXTS, Told, behind, small, told
from tests.sizes import some_of_each

SEEDS = ("a", "b")
MISLED = ("a shuffled pile, partly looked at", "a secret colour beside an irrelevant open choice")
"""Games in which what is told later names what has nothing to do with what was hidden before."""


def believing(match: Told, seat: int, rng: str, **bounds: int) -> Belief:
    belief = Belief(match.chair(seat), Rng.of(rng, "belief"), **bounds)
    for message in match.messages[seat]:
        belief.told(message)
    return belief


def moments(name: str, seed: str) -> list[tuple[Told, int]]:
    """The seats of one match just before each decision."""
    longest = sum(len(answers) for answers in told(small(name), seed, 100).answers.values())
    matches = [told(small(name), seed, most) for most in range(min(longest, 6))]
    return [(match, seat) for match in matches for seat in match.messages]


def widest(name: str, most: int) -> tuple[Told, int]:
    """The moment with the most positions behind it, but no more than can be told apart in so many draws."""
    return _widest(name, "a", most)[0]


def latest(name: str, most: int) -> tuple[Told, int]:
    """The last of such moments, when most has been told of what was guessed."""
    return _widest(name, "abc", most)[-1]


@cache
def _widest(name: str, seeds: str, most: int) -> list[tuple[Told, int]]:
    found = [(len(behind(*moment)), moment) for seed in seeds for moment in moments(name, seed)]
    size = max(pair[0] for pair in found if pair[0] <= most)
    assert size > 1
    return [moment for count, moment in found if count == size]


def chi_square(drawn: Counter[Any], chances: dict[Any, float]) -> tuple[float, int]:
    """The statistic and its degrees of freedom; rare positions are put together."""
    count = sum(drawn.values())
    cells, rare = [], [0.0, 0.0]
    for key, chance in chances.items():
        if chance * count >= 5:
            cells.append((drawn[key], chance * count))
        else:
            rare = [rare[0] + drawn[key], rare[1] + chance * count]
    cells += [(rare[0], rare[1])] if rare[1] >= 1 else []
    return sum((seen - wanted) ** 2 / wanted for seen, wanted in cells), len(cells) - 1


def passes(statistic: float, freedom: int) -> bool:
    """Whether so much or more comes by chance in at least one of 1,000 trials (Wilson and Hilferty, 1931)."""
    assert freedom >= 1
    bound = freedom * (1 - 2 / (9 * freedom) + 3.09 * (2 / (9 * freedom)) ** 0.5) ** 3
    return statistic <= bound


@pytest.mark.parametrize(("name", "seed"), some_of_each(list(TEXTS), SEEDS))
def test_all_that_fits_is_believed_and_nothing_else(name: str, seed: str) -> None:
    for match, seat in moments(name, seed):
        chances = behind(match, seat)
        believed = {state.key(): weight for state, weight in believing(match, seat, "x", width=5000).positions()}
        assert believed == pytest.approx(chances)


@pytest.mark.parametrize("name", TEXTS)
def test_positions_are_drawn_as_likely_as_they_are(name: str) -> None:
    match, seat = widest(name, 100)
    chances, belief, rng = behind(match, seat), believing(match, seat, "x", width=5000), Rng.of("draws", "x")
    drawn = Counter(state.key() for _ in range(1000) if (state := belief.draw(rng)) is not None)
    assert drawn.keys() <= chances.keys()
    assert passes(*chi_square(drawn, chances))


@pytest.mark.parametrize("name", TEXTS)
def test_guessed_histories_are_as_likely_as_they_are(name: str) -> None:
    """Where there are too many histories to keep all: a width of one, and one draw from each of many beliefs."""
    match, seat = widest(name, 20)
    chances, drawn = behind(match, seat), Counter[Any]()
    for number in range(100):
        state = believing(match, seat, f"l{number}", width=1, count=12).draw(Rng.of(f"d{number}", "x"))
        assert state is not None
        assert view(state, seat) == match.messages[seat][-1].view
        drawn[state.key()] += 1
    assert drawn.keys() <= chances.keys()
    assert passes(*chi_square(drawn, chances))


def guessed(moment: tuple[Told, int], draws: int) -> Counter[Any]:
    """One draw from each of many beliefs that are sampled and never moved."""
    drawn = Counter[Any]()
    for number in range(draws):
        belief = believing(*moment, f"l{number}", width=1, count=12, moves=0)
        state = belief.draw(Rng.of(f"d{number}", "x"))
        assert state is not None
        drawn[state.key()] += 1
    return drawn


@pytest.mark.parametrize("name", MISLED)
def test_hints_that_mislead_change_nothing(name: str) -> None:
    moment = latest(name, 20)
    assert passes(*chi_square(guessed(moment, 120), behind(*moment)))


@pytest.mark.parametrize("name", MISLED)
def test_guesses_without_their_weights_are_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test above is worth: it fails for histories that count alike however they were drawn."""
    monkeypatch.setattr(weighted_rollout, "_log_mixture", lambda hinted, plain: plain)
    moment = latest(name, 20)
    assert not passes(*chi_square(guessed(moment, 120), behind(*moment)))


def test_histories_are_drawn_anew_where_few_of_them_weigh_much() -> None:
    node = believing(told(small(MISLED[1]), "a", 0), 0, "x").now().particles[0].node
    assert effective_sample_size([Particle(node, 2.0)] * 8) == pytest.approx(8)
    assert effective_sample_size([Particle(node, 1.0), *[Particle(node, 0.0)] * 7]) == pytest.approx(1)
    assert effective_sample_size([]) == 0


ALIKE = """
game "Alike"
    players 1
cards deck of card
    | card | copies |
    | 1    | 2      |
    | 2    | 1      |
pile line of card starts deck
pile gone of card
setup: move first line to line
play
    starter chooses "Go on?"
        "yes"
        "no"
    draw card from line
    move card to gone
    starter chooses "Go on?"
        "yes"
        "no"
result: rank players
"""


def shown(seen: View) -> tuple[str, ...]:
    things = seen["line"].shown
    assert isinstance(things, tuple)
    return tuple(map(str, things))


def test_which_of_two_copies_was_drawn_may_show_in_the_order_of_a_pile() -> None:
    """Nobody who answers for chance can say it; what is believed then differs in that order alone."""
    found = examine_text(Source("alike.rules", ALIKE))
    assert found.game is not None, found.findings
    lines = set()
    for seed in "abcdefgh":
        match = told(found.game, seed, 1)
        line = shown(match.messages[0][-1].view)
        lines.add(line)
        believed = [shown(view(state, 0)) for state, _ in believing(match, 0, "x").positions()]
        assert [sorted(each) for each in believed] == [sorted(line)]
    assert len(lines) == 3


TWO_WAYS = """
game "Two ways"
    players 1
cards deck of card
    | card | copies |
    | 1    | 2      |
pile stock of card starts deck
each player has
    pile hand of card
play
    starter chooses "Put the first one under the other?"
        "yes": move first stock to stock
        "no"
    each player: deal 1 from stock to player.hand
    starter chooses (0..1) put_back from starter.hand "Put it back?"
    move put_back to stock
result: rank players
"""


def test_positions_with_copies_in_each_other_s_place_are_one() -> None:
    """Also where one of the copies is an option."""
    found = examine_text(Source("two_ways.rules", TWO_WAYS))
    assert found.game is not None, found.findings
    begun = start(found.game, seats=1, seed=None).state
    ways = [apply(begun, Action(0, answer)).state for answer in ("yes", "no")]
    options = [way.pending.options for way in ways if way.pending is not None]
    assert options[0] != options[1]
    assert ways[0] == ways[1]
