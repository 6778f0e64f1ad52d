"""What is told in matches and examples: every event, with the way that led to it.

Random matches with all numbers of players, half of them under the defaults
and half with one option changed, so that each value of each option is met.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from attrs import evolve, frozen

from rulekit import Action, Decision, Event, Game, Ref, State, Step, Value
from rulekit.model import game as model
from rulekit.play import engine
from rulekit.play.state.errors import BadSetup
from rulekit.tools.compare.differential_execution import random_match
from rulekit.tools.compare.option_combinations import single_changes
from rulekit.tools.examples import runner

MOST_SEATS = 6
"""More players than that show nothing that six do not."""
LONGEST = 600


@frozen
class Match:
    """A random match.

    states:   before each action.
    told:     what happened at the start, then by each action.
    """

    seed: str
    seats: int
    choices: Mapping[str, Value]
    states: tuple[State, ...]
    actions: tuple[Action, ...]
    told: tuple[tuple[Event, ...], ...]

    def __str__(self) -> str:
        chosen = [f"{name}={value}" for name, value in self.choices.items()]
        return " ".join([f"players={self.seats}", f"seed={self.seed}", *chosen])


@frozen
class Example:
    """A scenario without its expectations, and all that happens in it."""

    number: int
    name: str
    clauses: tuple[str, ...]
    told: tuple[tuple[Event, ...], ...]

    def __str__(self) -> str:
        return f'example "{self.name}"'


Story = Match | Example


def choices(story: Story) -> Mapping[str, Value]:
    """What was agreed before it, as far as it is known."""
    return story.choices if isinstance(story, Match) else {}


@frozen
class Place:
    """An event: that with this number in this step of a story."""

    story: Story
    step: int
    number: int

    @property
    def event(self) -> Event:
        return self.story.told[self.step][self.number]


# ---------------------------------------------------------------- stories of a game


def matches(game: Game, count: int, seed: str) -> Iterator[Match]:
    """Every second under the defaults, the others with one option changed; all of these in turn."""
    chance = Random(seed)
    changed = single_changes(game)
    chance.shuffle(changed)
    numbers = range(game.least, min(game.most, game.least + MOST_SEATS - 1) + 1)
    for number in range(count):
        choices = changed[number // 2 % len(changed)] if number % 2 and changed else {}
        made = _allowed(game, choices, numbers, number, f"{seed}#{number}")
        if made is not None:
            yield made


def enough(game: Game) -> int:
    """So many matches that each value of each option is met."""
    return max(40, 2 * len(single_changes(game)))


def _allowed(game: Game, choices: Mapping[str, Value], numbers: range, first: int, seed: str) -> Match | None:
    """A match with these choices; some go with certain numbers of players alone."""
    for more in range(len(numbers)):
        try:
            return _match(game, choices, numbers[(first // 2 + more) % len(numbers)], seed)
        except BadSetup:
            continue
    return None


def _match(game: Game, choices: Mapping[str, Value], seats: int, seed: str) -> Match:
    states: list[State] = []
    actions: list[Action] = []
    told: list[tuple[Event, ...]] = []
    for step, action in random_match(game, choices, seats, seed):
        told.append(step.events)
        if action is None or len(actions) == LONGEST:
            break
        states.append(step.state)
        actions.append(action)
    return Match(seed, seats, choices, tuple(states), tuple(actions), tuple(told))


def examples(game: Game) -> Iterator[Example]:
    for number, scenario in enumerate(game.scenarios):
        yield Example(number, scenario.name, scenario.cites, (tuple(heard(game, number)),))


def heard(game: Game, number: int, without: str = "") -> list[Event]:
    """All that happens in a scenario, whatever it expects.  without: an option that it does not choose then."""
    events: list[Event] = []
    runner.run(game, _bare(game, number, without), events.append)
    return events


def asked(game: Game, number: int, player: Value, what: Value, without: str = "") -> Iterator[Decision]:
    """The questions of a name that the answers of a player meet in a scenario, in order."""
    scenario = _bare(game, number, without)
    for at, scene in enumerate(scenario.scenes):
        if not isinstance(scene, model.Answer) or scene.who is None:
            continue
        state = runner.reached(game, evolve(scenario, scenes=scenario.scenes[:at]))
        if state is not None and Ref("player", state.setting.seats[scene.who]) == player:
            waiting = (decision for decision in engine.decisions(state) if decision.seat == scene.who)
            yield from (decision for decision in waiting if what in (decision.name, decision.rule))


def _bare(game: Game, number: int, without: str) -> model.Scenario:
    scenario = game.scenarios[number]
    chosen = tuple(choice for choice in scenario.choices if choice[0] != without)
    scenes = tuple(scene for scene in scenario.scenes if not _only_looks(scene))
    return evolve(scenario, scenes=scenes, choices=chosen)


def _only_looks(scene: model.Scene) -> bool:
    return isinstance(scene, model.Expect | model.ExpectCells) or (isinstance(scene, model.Answer) and scene.refused)


# ---------------------------------------------------------------- what is told


Shape = tuple[object, ...]


def shape(event: Event) -> Shape:
    """What is told of an event, and to whom, and on which line it happened: not why."""
    facts = tuple((fact.name, fact.value, fact.audience) for fact in event.facts)
    return (event.name, facts, event.audience, event.span.line, event.span.column)


def started(game: Game, match: Match, choices: Mapping[str, Value]) -> Step:
    """The beginning of the same match, perhaps in another game."""
    return engine.start(game, choices, match.seats, match.seed, told=False)
