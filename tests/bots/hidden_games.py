"""Small games in which little is hidden, each in another way, and all that can be behind what a seat was told.

The test oracle for beliefs: the counting here plays every outcome of chance and every secret answer through the rules,
and keeps those histories in which the seat receives what it received; it knows nothing of how bots think.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

from attrs import define, field

from rulekit import Action, Decision, Game, State, Value, apply, decisions, start
from rulekit.bots.belief.history import Message
from rulekit.bots.bot import Chair
from rulekit.bots.seated_bots import SeatedBots
from rulekit.loading import examine_text
from rulekit.play.state.event import Event, heard
from rulekit.play.state.match_state import CHANCE, Step
from rulekit.play.view import View
from rulekit.source import Source
from tests.generators.random_matches import Answers

_CARDS = """
cards deck of card
    | card | worth | copies |
    | 1    | 1     | 2      |
    | 2    | 2     | 1      |
    | 3    | 3     | 1      |
    | 4    | 4     | 1      |
"""

TEXTS = {
    "a dealt hand, played openly": f"""
game "Dealt"
    players 2
{_CARDS}
pile stock of card starts deck, seen by nobody
pile table of card
each player has
    pile hand of card, seen by owner
setup
    each player: deal 2 from stock to player.hand
play
    each player
        player chooses card from player.hand "Which?"
        move card to table
    each player
        player chooses "Go on?"
            "yes"
            "no"
result: rank players by highest count it.hand
""",
    "secret bids, of which only the highest is told": """
game "Bids"
    players 3
each player has
    counter bid 0..3, seen by owner
    counter won 0..9
play
    while no (players where it.won above 1)
        secretly each player
            player chooses offer from 0..3 "Bid?"
            set player.bid to offer
        let high be most of bid over players
        announce high to players
        each player in players whose bid is high
            raise player.won by 1
result: rank players by highest won
""",
    "a shuffled pile, partly looked at": f"""
game "Looks"
    players 2
{_CARDS}
pile stock of card starts deck, seen by nobody
pile shown of card
each player has
    pile hand of card, seen by owner
setup: shuffle stock
play
    each player: move first stock to player.hand
    each player
        move first stock to shown
        move shown to player.hand
        secretly player chooses given from player.hand "Which goes under the stock?"
        move given to stock
    move first stock to shown
    each player
        player chooses "Go on?"
            "yes"
            "no"
result: rank players by highest count it.hand
""",
    "seen, and covered again": f"""
game "Covered"
    players 2
{_CARDS}
pile stock of card starts deck, seen by nobody
each player has
    pile hand of card, seen by owner
setup
    each player: deal 2 from stock to player.hand
play
    each player
        player chooses card from player.hand "Show which?"
        reveal [card]
        secretly player chooses kept from player.hand "Which is put away?"
        move kept to stock
        deal 1 from stock to player.hand
    each player
        player chooses "Go on?"
            "yes"
            "no"
result: rank players by highest sum of worth over it.hand
""",
    "answers that say what is not held": """
game "Follow"
    players 2
kind suit: low, high
cards deck of card
    | card | suit |
    | 1    | low  |
    | 2    | low  |
    | 3    | low  |
    | 4    | high |
    | 5    | high |
    | 6    | high |
pile stock of card starts deck, seen by nobody
pile trick of card
each player has
    pile hand of card, seen by owner
setup
    each player: deal 2 from stock to player.hand
define led is (first trick).suit
define follows(card, player) is no trick or card.suit is led or no (player.hand whose suit is led)
play
    each player
        player chooses card from player.hand where follows(it, player) "Which?"
        move card to trick
    each player
        player chooses "Go on?"
            "yes"
            "no"
result: rank players by highest count it.hand
""",
    "a secret colour beside an irrelevant open choice": """
game "Colours"
    players 2
kind colour: red, green, blue
each player has
    value secret of colour, seen by owner
    value named of colour
play
    each player
        secretly player chooses hidden from [red, green, blue] "Which is yours?"
        set player.secret to hidden
        player chooses said from [red, green, blue] "Name any."
        set player.named to said
    each player
        player chooses "Go on?"
            "yes"
            "no"
result: rank players
""",
    "cards chosen at once, then shown": f"""
game "At once"
    players 2
{_CARDS}
pile stock of card starts deck, seen by nobody
each player has
    pile hand of card, seen by owner
    pile laid of card, seen by owner
    counter ones 0..1
setup
    each player: deal 2 from stock to player.hand
play
    repeat
        secretly each player
            player chooses card from player.hand "Lay which?"
            move card to player.laid
            if card is 1: set player.ones to 1
        reveal players.laid
        each player
            if any stock: deal 1 from stock to player.hand
        if any (players whose no hand): end game
result: rank players by highest ones
""",
    "hands of three, shown card by card": """
game "Three"
    players 3
cards deck of card
    | card |
    | 1..6 |
pile stock of card starts deck, seen by nobody
pile table of card
each player has
    pile hand of card, seen by owner
setup
    each player: deal 2 from stock to player.hand
play
    each player
        player chooses card from player.hand "Which?"
        move card to table
    each player
        player chooses "Go on?"
            "yes"
            "no"
result: rank players by highest count it.hand
""",
}


@cache
def small(name: str) -> Game:
    found = examine_text(Source("small.rules", TEXTS[name]))
    assert found.game is not None, found.findings
    return found.game


# ---------------------------------------------------------------- a match, and what each seat was told


@define(eq=False)
class Ear:
    """A bot that writes down what it is told, and answers as it is bidden."""

    listens: bool = True
    messages: list[Message] = field(factory=list)
    mine: tuple[Value, ...] = ()

    def told(self, view: View, events: tuple[Event, ...]) -> None:
        self.messages.append(Message(self.mine, view, events))
        self.mine = ()

    def answer(self, view: View, decision: Decision) -> Value:
        raise AssertionError("it is never asked")

    def answered(self, decision: Decision, value: Value) -> None:
        self.mine += (value,)


@define(eq=False)
class Told:
    """A match up to some decision.  answers: what each seat answered, in order; messages: what each was told."""

    game: Game
    seats: tuple[str, ...]
    state: State
    answers: dict[int, list[Value]]
    messages: dict[int, list[Message]]

    def chair(self, seat: int, seed: str = "0") -> Chair:
        return Chair(self.game, {}, self.seats, seat, seed)


def told(rules: Game, seed: str, most: int) -> Told:
    """A match by chance up to its end or to decision `most`."""
    step, wishes = start(rules, seed=seed), Answers(seed)
    ears = {seat: Ear() for seat in range(step.state.setting.players)}
    table = SeatedBots(ears)
    table.tell(step.state, step.events)
    answers: dict[int, list[Value]] = {seat: [] for seat in ears}
    for _ in range(most):
        if not (waiting := decisions(step.state)):
            break
        asked, value = waiting[0], wishes.to(waiting[0])
        step = apply(step.state, Action(asked.seat, value))
        answers[asked.seat].append(value)
        table.answered(asked, value)
        table.tell(step.state, step.events, asked.seat)
    messages = {seat: ear.messages for seat, ear in ears.items()}
    return Told(rules, step.state.setting.seats, step.state, answers, messages)


# ---------------------------------------------------------------- all that can be behind it


def behind(match: Told, seat: int) -> dict[Any, float]:
    """Every position that fits what a seat was told, with how likely it is: by brute force."""
    found: Counter[Any] = Counter()
    opening = start(match.game, seats=match.seats, seed=None)
    for state, weight in _positions(match, seat, opening, _Line(match, seat), 1.0):
        found[state.key()] += weight
    whole = sum(found.values())
    return {key: weight / whole for key, weight in found.items()}


@define(eq=False)
class _Line:
    """One history as a seat receives it, beside what it did receive."""

    match: Told
    seat: int
    unheard: tuple[Event, ...] = ()
    ear: Ear = field(factory=Ear)
    table: SeatedBots = field(init=False)
    open_answers: dict[int, list[Value]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.table = SeatedBots({self.seat: self.ear})
        self.open_answers = {seat: list(answers) for seat, answers in self.match.answers.items()}

    def branched(self) -> _Line:
        line = _Line(self.match, self.seat, self.unheard, Ear(True, list(self.ear.messages), self.ear.mine))
        line.table = SeatedBots({self.seat: line.ear}, dict(self.table._views))
        line.open_answers = {seat: list(answers) for seat, answers in self.open_answers.items()}
        return line

    def may_fit(self) -> bool:
        """Whether what was heard since the last message is how the next one begins."""
        new = [known for known in (heard(event, self.seat) for event in self.unheard) if known is not None]
        true = self.match.messages[self.seat]
        at = len(self.ear.messages)
        return at >= len(true) or new == list(true[at].events[: len(new)])

    def fits(self) -> bool:
        return self.ear.messages == self.match.messages[self.seat][: len(self.ear.messages)]


def _positions(
    match: Told, seat: int, step: Step, line: _Line, weight: float, actor: int | None = None
) -> Iterator[tuple[State, float]]:
    waiting = decisions(step.state)
    line.unheard += step.events
    if not line.may_fit():
        return
    if waiting and waiting[0].seat == CHANCE:
        asked = waiting[0]
        for option, part in zip(asked.options, asked.weights, strict=True):
            further = apply(step.state, Action(CHANCE, option))
            chance = weight * part / sum(asked.weights)
            yield from _positions(match, seat, further, line.branched(), chance, actor)
        return
    line.table.tell(step.state, line.unheard, actor)
    line.unheard = ()
    if not line.fits():
        return
    if not waiting or not line.open_answers[waiting[0].seat]:
        if len(line.ear.messages) == len(match.messages[seat]):
            yield step.state, weight
        return
    yield from _answered(match, seat, step.state, waiting[0], line, weight)


def _answered(
    match: Told, seat: int, state: State, asked: Decision, line: _Line, weight: float
) -> Iterator[tuple[State, float]]:
    true = line.open_answers[asked.seat].pop(0)
    answers = _every(asked) if asked.seat != seat and asked.secret else [true]
    for answer in answers:
        if not _is_offered(asked, answer):
            continue
        branch = line.branched()
        branch.table.answered(asked, answer)
        further = apply(state, Action(asked.seat, answer))
        yield from _positions(match, seat, further, branch, weight / len(answers), asked.seat)


def _every(asked: Decision) -> list[Value]:
    if not asked.several:
        return list(asked.options)
    return [some for size in range(asked.least, asked.most + 1) for some in combinations(asked.options, size)]


def _is_offered(asked: Decision, answer: Value) -> bool:
    items = answer if asked.several and isinstance(answer, tuple) else (answer,)
    return all(item in asked.options for item in items)
