"""The worked examples of a rules file as a rulebook prints them: the board before, what happens, the board after.

Printed are scenarios with a clause of their own, and those under a heading
that speaks of examples; not those that hold a misprint.
"""

from __future__ import annotations

import re

from attrs import evolve, frozen

from rulekit.model import game as model
from rulekit.play.event import Event
from rulekit.tools import narrate
from rulekit.tools.board import Board, board
from rulekit.tools.clause_words import clause_words
from rulekit.tools.headings import Heading, heading_of, headings
from rulekit.tools.names import Names
from rulekit.tools.scenarios import played
from rulekit.tools.translate import Tongue

_NOT_TOLD = ("ready", "reveal", "short")
_LONGEST = 40
"""Sentences of one example that are told."""


@frozen
class Printed:
    """A scenario that is printed.  own: the clauses that say what it shows."""

    scenario: model.Scenario
    own: tuple[str, ...]


@frozen
class Example:
    """told: what happens, sentence by sentence; more: how many sentences are left out."""

    id: str
    title: str
    caption: str
    before: Board
    told: tuple[tuple[str, str], ...]
    more: int
    after: Board


def printed(game: model.Game) -> tuple[Printed, ...]:
    found, above = [], headings(game)
    cited = _cited_by_rules(game)
    for scenario in game.scenarios:
        own = tuple(id_ for id_ in scenario.cites if id_ not in cited and _stands_above(game, id_, scenario))
        heading = heading_of(above, scenario.span)
        if (own or speaks_of_examples(heading)) and not any(
            isinstance(scene, model.Expect) and scene.fails for scene in scenario.scenes
        ):
            found.append(Printed(scenario, own))
    return tuple(found)


def speaks_of_examples(heading: Heading | None) -> bool:
    return heading is not None and "example" in heading.text.lower()


def _cited_by_rules(game: model.Game) -> set[str]:
    return {id_ for code in game.codes for op in code.ops for id_ in op.cites}


def _stands_above(game: model.Game, id_: str, scenario: model.Scenario) -> bool:
    """Whether a clause stands right above a scenario, in lines of clauses alone."""
    clause = game.clauses.get(id_)
    return (
        clause is not None
        and clause.span.source == scenario.span.source
        and 0 < scenario.span.line - clause.span.line <= _clauses_above(game, scenario)
    )


def _clauses_above(game: model.Game, scenario: model.Scenario) -> int:
    lines = {c.span.line for c in game.clauses.values() if c.span.source == scenario.span.source}
    line = scenario.span.line
    while line - 1 in lines:
        line -= 1
    return scenario.span.line - line


def examples(game: model.Game, tongue: Tongue) -> tuple[Example, ...]:
    found = (_example(game, each, tongue) for each in printed(game))
    return tuple(example for example in found if example is not None)


def _example(game: model.Game, each: Printed, tongue: Tongue) -> Example | None:
    events: list[Event] = []
    early: list[Event] = []
    before = played(game, evolve(each.scenario, scenes=_opening(each.scenario)), early.append)
    after = played(game, each.scenario, events.append)
    if before is None or after is None:
        return None
    names = Names(after.setting, tongue)
    told = [
        (narrate.sentence(event, names), " ".join(event.clauses)) for event in events[len(early) :] if _is_told(event)
    ]
    sentences = tuple(pair for pair in told if pair[0])
    caption = " ".join(clause_words(game, id_, tongue) for id_ in each.own)
    title = tongue.text(example_id(each.scenario), each.scenario.name)
    shown = (board(before, None, names), sentences[:_LONGEST], max(0, len(sentences) - _LONGEST))
    return Example(" ".join(each.own), title, caption, *shown, board(after, None, names))


def example_id(scenario: model.Scenario) -> str:
    return "example " + re.sub(r"\W+", "_", scenario.name.lower()).strip("_")


def _is_told(event: Event) -> bool:
    return event.name not in _NOT_TOLD and event.get("asked") is not False


def _opening(scenario: model.Scenario) -> tuple[model.Scene, ...]:
    """What is given at the beginning, before anything is done or said."""
    for place, scene in enumerate(scenario.scenes):
        if not isinstance(scene, model.Given | model.GivenCells):
            return scenario.scenes[:place]
    return scenario.scenes
