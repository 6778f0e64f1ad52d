"""The headings of a rules file: comment lines such as `# ------- the end`, and what stands under them."""

from __future__ import annotations

import re

from attrs import frozen

from rulekit.model.game import Game
from rulekit.source import Span

_HEADING = re.compile(r"# ?-{8,} *(\S.*?)[ -]*")


@frozen
class Heading:
    """text: as it is written; id: stable as long as the words are."""

    text: str
    span: Span

    @property
    def id(self) -> str:
        return "heading " + re.sub(r"\W+", "_", self.text.lower()).strip("_")


def headings(game: Game) -> tuple[Heading, ...]:
    """All of them, file by file in the order of the sources."""
    found = []
    for name, text in game.sources:
        for number, line in enumerate(text.split("\n"), 1):
            match = _HEADING.fullmatch(line.rstrip())
            if match is not None:
                found.append(Heading(match[1], Span(name, number, 1, number, len(line) + 1)))
    return tuple(found)


def heading_of(found: tuple[Heading, ...], span: Span) -> Heading | None:
    """The one that a place stands under."""
    above = [each for each in found if each.span.source == span.source and each.span.line < span.line]
    return above[-1] if above else None


def has_rules(game: Game, found: tuple[Heading, ...], heading: Heading) -> bool:
    """Whether clauses stand under it, so that a rulebook shows it."""
    return any(heading_of(found, clause.span) == heading for clause in game.clauses.values())
