"""The outline of a rules file as a rulebook shows it: its headings, and the scenarios that are printed as examples.

A heading is a comment line such as `# ------- the end`.  Printed are the
scenarios with a clause of their own, and those under a heading that speaks of
examples, but not those that hold a misprint.
"""

from __future__ import annotations

import re

from rulekit.model import game as model
from rulekit.model.traversal import parts
from rulekit.source import Span
from rulekit.values import frozen

_HEADING = re.compile(r"# ?-{8,} *(\S.*?)[ -]*")


@frozen
class Heading:
    """A heading of the rules.  text: as it is written; id: stable as long as the words are."""

    text: str
    span: Span

    @property
    def id(self) -> str:
        return "heading " + re.sub(r"\W+", "_", self.text.lower()).strip("_")


def headings(game: model.Game) -> tuple[Heading, ...]:
    """The headings of a game, file by file in the order of the sources."""
    found = []
    for name, text in game.sources:
        for number, line in enumerate(text.split("\n"), 1):
            match = _HEADING.fullmatch(line.rstrip())
            if match is not None:
                found.append(Heading(match[1], Span(name, number, 1, number, len(line) + 1)))
    return tuple(found)


def heading_of(found: tuple[Heading, ...], span: Span) -> Heading | None:
    """The heading that a place of the rules stands under; None above the first."""
    above = [each for each in found if each.span.source == span.source and each.span.line < span.line]
    return above[-1] if above else None


def has_rules(game: model.Game, found: tuple[Heading, ...], heading: Heading) -> bool:
    """Whether clauses stand under it, so that a rulebook shows it."""
    return any(heading_of(found, clause.span) == heading for clause in game.clauses.values())


# ---------------------------------------------------------------- printed examples


@frozen
class Printed:
    """A scenario that is printed.  own: the clauses that say what it shows."""

    scenario: model.Scenario
    own: tuple[str, ...]


def printed(game: model.Game) -> tuple[Printed, ...]:
    """The scenarios that a rulebook prints, in the order of the file."""
    found, above = [], headings(game)
    acting = [op for code in game.codes for op in code.ops]
    cited = {id_ for op in acting for id_ in (*op.cites, *(id_ for part in parts(op) for id_ in part.cites))}
    for scenario in game.scenarios:
        own = tuple(id_ for id_ in scenario.cites if id_ not in cited and _stands_above(game, id_, scenario))
        heading = heading_of(above, scenario.span)
        if (own or speaks_of_examples(heading)) and not any(
            isinstance(scene, model.Expect) and scene.fails for scene in scenario.scenes
        ):
            found.append(Printed(scenario, own))
    return tuple(found)


def speaks_of_examples(heading: Heading | None) -> bool:
    """Whether what stands under a heading is printed as examples."""
    return heading is not None and "example" in heading.text.lower()


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


def example_id(scenario: model.Scenario) -> str:
    """The id of its name in a catalogue; stable as long as the words are."""
    return "example " + re.sub(r"\W+", "_", scenario.name.lower()).strip("_")
