"""Code lenses and inlay hints: what is told above and inside lines, though it is not written there.

Of each scenario how it went, of each clause where it is carried out; in a
clause the numbers that its names have if nothing else is agreed.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.diagnostics import ERROR
from rulekit.model.game import Option
from rulekit.source import Span
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.occurrences import CLAUSE
from rulekit.values import frozen


@frozen
class Told:
    """Words at a place; of a hint it is where the words stand, with no length."""

    span: Span
    text: str


def lenses(document: Document) -> tuple[Told, ...]:
    """What stands above scenarios and clauses."""
    return (*_scenarios(document), *_clauses(document))


def _scenarios(document: Document) -> Iterator[Told]:
    for result in document.examples:
        failure = result.failure
        words = "passed" if failure is None else f"failed in line {failure.span.line}"
        if result.scenario.span.source == document.source.name:
            yield Told(result.scenario.span, words)


def _clauses(document: Document) -> Iterator[Told]:
    for symbol, place in document.declared.items():
        if symbol.sort == CLAUSE and place.source == document.source.name:
            lines = sorted({one.span.line for one in document.index.of(symbol) if not one.declares})
            yield Told(place, _cited(lines)) if lines else Told(place, "carried out below")


def _cited(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:6])) + (", …" if len(lines) > 6 else "")
    return f"cited in line{'s' * (len(lines) > 1)} {shown}"


def hints(document: Document) -> tuple[Told, ...]:
    """Behind names of options in texts for people, what they are by default."""
    game = document.loaded.game
    if game is None or any(entry.level == ERROR for entry in document.loaded.findings):
        return ()
    found = []
    for one in document.index.all:
        option = game.option(one.symbol.name) if one.symbol.sort == "option" and not one.declares else None
        if option is not None and one.span.source == document.source.name and _in_braces(document, one.span):
            behind = Span(one.span.source, one.span.line, one.span.end_column, one.span.line, one.span.end_column)
            found.append(Told(behind, f" = {_default(option)}"))
    return tuple(found)


def _in_braces(document: Document, span: Span) -> bool:
    return document.source.line(span.line)[span.column - 2 : span.column - 1] == "{"


def _default(option: Option) -> str:
    if option.readings and isinstance(option.default, int):
        return option.readings[option.default][0]
    if option.type.name == "flag":
        return "yes" if option.default else "no"
    return str(option.default)
