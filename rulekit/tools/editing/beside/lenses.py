"""Code lenses and inlay hints: what is told above and inside lines, though it is not written there.

Of each scenario how it went, to be run or played from; of each clause where
it is carried out, which examples come by it and what changed; behind names
the numbers that were agreed, behind variables who may see them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulekit.diagnostics import ERROR
from rulekit.model.game import NOBODY, OWNER, PUBLIC, TOP, Game, Option, Variable
from rulekit.play.state.value import Value
from rulekit.source import Span
from rulekit.tools.editing.beside.kept_text import changed_clauses
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.occurrences import CLAUSE
from rulekit.values import frozen

RUN, PLAY = "run", "play"
"""What a lens does that can be pressed."""
_SEEN = {
    PUBLIC: "seen by all", OWNER: "seen by owner", NOBODY: "seen by nobody", TOP: "seen on top",
    "others": "seen by others",
}  # fmt: skip
_SHOWN = 6


@frozen
class Told:
    """Words at a place; of a hint it is where the words stand, with no length.

    does:   what happens when it is pressed; "" if nothing.  about: the scenario that it is about.
    """

    span: Span
    text: str
    does: str = ""
    about: str = ""


def lenses(document: Document, before: Document | None = None) -> tuple[Told, ...]:
    """What stands above scenarios and clauses.

    before:  the text as it was kept last; what examples come by is counted in that, since it takes a second.
    """
    return (*_scenarios(document), *_clauses(document, before))


def _scenarios(document: Document) -> Iterator[Told]:
    for result in document.examples:
        failure, scenario = result.failure, result.scenario
        words = "passed" if failure is None else f"failed in line {failure.span.line}"
        if scenario.span.source == document.source.name:
            yield Told(scenario.span, words)
            yield Told(scenario.span, "run", RUN, scenario.name)
            yield Told(scenario.span, "play from here", PLAY, scenario.name)


def _clauses(document: Document, before: Document | None) -> Iterator[Told]:
    changed = changed_clauses(before, document) if before is not None else {}
    covered = (before or document).covered
    for symbol, place in document.declared.items():
        if symbol.sort == CLAUSE and place.source == document.source.name:
            lines = sorted({one.span.line for one in document.index.of(symbol) if not one.declares})
            yield Told(place, f"cited in {_in_lines(lines)}" if lines else "carried out below")
            examples = covered.get(symbol.name, ())
            if document.examples:
                yield Told(place, f"covered by {len(examples)} example{'s' * (len(examples) != 1)}")
            if symbol.name in changed:
                yield Told(place, f"changed in {_in_lines(list(changed[symbol.name]))}".removesuffix(" in line "))


def _in_lines(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:_SHOWN])) + (", …" if len(lines) > _SHOWN else "")
    return f"line{'s' * (len(lines) > 1)} {shown}"


def hints(document: Document, options: Mapping[str, Value] | None = None) -> tuple[Told, ...]:
    """Behind names of options in texts for people what was agreed; behind variables that do not say it who sees them.

    options:  those that were chosen; of the others it is what they are by default.
    """
    game = document.loaded.game
    if game is None or any(entry.level == ERROR for entry in document.loaded.findings):
        return ()
    return (*_agreed(document, game, options or {}), *_seen(document, game))


def _agreed(document: Document, game: Game, options: Mapping[str, Value]) -> Iterator[Told]:
    for one in document.index.all:
        option = game.option(one.symbol.name) if one.symbol.sort == "option" and not one.declares else None
        if option is not None and one.span.source == document.source.name and _in_braces(document, one.span):
            chosen = options.get(option.name)
            yield Told(_behind(one.span), f" = {_default(option) if chosen is None else _said(chosen)}")


def _seen(document: Document, game: Game) -> Iterator[Told]:
    """Who may see what is declared, where the line does not write it."""
    variables = {(one.name, one.owner): one for one in game.variables}
    for symbol, place in document.declared.items():
        variable = variables.get((symbol.name, symbol.owner)) if symbol.sort == "variable" else None
        if variable is not None and place.source == document.source.name:
            line = document.source.line(place.line)
            if not any(word == "seen" for word in line.partition("#")[0].split()):
                yield Told(_behind(place), f" ({_sight(variable)})")


def _sight(variable: Variable) -> str:
    return _SEEN.get(variable.seen, "seen by some")


def _behind(span: Span) -> Span:
    return Span(span.source, span.line, span.end_column, span.line, span.end_column)


def _in_braces(document: Document, span: Span) -> bool:
    return document.source.line(span.line)[span.column - 2 : span.column - 1] == "{"


def _said(value: Value) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _default(option: Option) -> str:
    if option.readings and isinstance(option.default, int):
        return option.readings[option.default][0]
    if option.type.name == "flag":
        return "yes" if option.default else "no"
    return str(option.default)
