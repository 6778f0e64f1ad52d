"""Mutation operators: a rules file changed in one literal or condition, and loaded again without being parsed again.

Changes are made in the syntax tree, so every part of a file can be changed: a
number in a table, the bound of a track, a comparison, an example.  The text
that a change stands for is told with its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs
from attrs import define, evolve, field, frozen

from rulekit.diagnostics import ERROR, Problems
from rulekit.loading import RulesError
from rulekit.model.check import lint, taint_analysis
from rulekit.model.declare.file_extension import Expanded, expanded
from rulekit.model.elaborate.elaboration import resolve
from rulekit.model.game import Game
from rulekit.source import Source, Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.syntax.unparse_expr import logic as written_out

Path = tuple[str | int, ...]


@frozen
class Edit:
    """One literal or condition that becomes another.

    old, new:  as they are written.
    clauses:   of the lines around it, nearest first.
    path:      where it stands in the declarations; node: what is put there.
    """

    span: Span
    old: str
    new: str
    clauses: tuple[str, ...]
    path: Path = field(eq=False, repr=False)
    node: Any = field(eq=False, repr=False)

    def __str__(self) -> str:
        return f"{self.span.source}:{self.span.line}:{self.span.column}: `{self.old}` becomes `{self.new}`"


@define(eq=False)
class Rules:
    """A file that is parsed once and resolved as often as it is changed."""

    source: Source
    text: Expanded
    sources: dict[str, Source]
    game: Game

    @property
    def declarations(self) -> tuple[nodes.Declaration, ...]:
        return tuple(self.text.declarations)

    def changed(self, edit: Edit) -> Game | None:
        """The game after a change; None if it is no correct game any more."""
        return self.resolved(replaced(self.declarations, edit.path, edit.node))

    def edited(self, edit: Edit) -> Rules | None:
        """The rules with a change, ready to be changed again."""
        declarations = replaced(self.declarations, edit.path, edit.node)
        game = self.resolved(declarations)
        return None if game is None else self._with(declarations, game)

    def resolved(self, declarations: Iterable[nodes.Declaration]) -> Game | None:
        problems = Problems()
        text = evolve(self.text, declarations=list(declarations))
        try:
            game = resolve(text, self.source, self.sources, problems)
        except RecursionError:
            return None
        return None if game is None or problems.has_errors else _marked(game)

    def only(self, keep: Callable[[nodes.Declaration], bool]) -> Rules:
        """The same with fewer declarations, such as one scenario of many."""
        return self._with(filter(keep, self.text.declarations), self.game)

    def _with(self, declarations: Iterable[nodes.Declaration], game: Game) -> Rules:
        return evolve(self, text=evolve(self.text, declarations=list(declarations)), game=game)


def rules_of(source: Source) -> Rules:
    """A rules text ready to be changed; raises `RulesError` if it has errors as it is."""
    problems, sources = Problems(), dict[str, Source]()
    text = expanded(source, problems, sources)
    game = resolve(text, source, sources, problems)
    if game is not None:
        lint.check(game, text.declarations, problems)
    if game is None or problems.has_errors:
        raise RulesError(tuple(entry for entry in problems.found if entry.level == ERROR), sources)
    return Rules(source, text, sources, _marked(game))


def _marked(game: Game) -> Game:
    """As `loading` leaves it: questions whose answer would tell a secret are known."""
    return taint_analysis.marked(game)


# ---------------------------------------------------------------- trees


def replaced(root: Any, path: Path, new: Any) -> Any:
    """A tree with another node at one place."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return (*root[:step], replaced(root[step], rest, new), *root[step + 1 :])
    return evolve(root, **{step: replaced(getattr(root, step), rest, new)})


@frozen
class Located:
    """A node, where it stands, and the lines and cited parts of lines around it, outermost first."""

    node: Any
    path: Path
    lines: tuple[nodes.Line | nodes.Cited, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(id_ for line in reversed(self.lines) for id_ in _ids(line)))


def _ids(node: nodes.Line | nodes.Cited) -> tuple[str, ...]:
    return cites(node) if isinstance(node, nodes.Line) else tuple(cite.id for cite in node.cites)


def located(node: Any, path: Path = (), lines: tuple[nodes.Line | nodes.Cited, ...] = ()) -> Iterator[Located]:
    """Every node of a tree in the order of the text."""
    if isinstance(node, tuple):
        for index, item in enumerate(node):
            yield from located(item, (*path, index), lines)
    elif isinstance(node, nodes.Node):
        inner = (*lines, node) if isinstance(node, nodes.Line | nodes.Cited) else lines
        yield Located(node, path, inner)
        kind: Any = type(node)
        for part in attrs.fields(kind):
            if part.name not in ("span", "margin"):
                yield from located(getattr(node, part.name), (*path, part.name), inner)


# ---------------------------------------------------------------- what can be changed


def edits(rules: Rules, variants: Callable[[Located], Iterable[tuple[str, str, Any]]]) -> Iterator[Edit]:
    """A change for each variant (old text, new text, new node) that is named for a node."""
    for place in located(rules.declarations):
        for old, new, node in variants(place):
            yield Edit(_span(place.node, node), old, new, place.clauses, place.path, node)


def _span(old: Any, new: Any) -> Span:
    """Where a change stands: of a row the cell that it changes, of a condition the condition."""
    if isinstance(old, nodes.Row):
        return old.cell(next(i for i, pair in enumerate(zip(old.cells, new.cells, strict=True)) if pair[0] != pair[1]))
    test = getattr(old, "test", None)
    span: Span = test.span if isinstance(test, nodes.Node) else old.span
    return span


_OPPOSITE = {
    "at least": "above",
    "above": "at least",
    "at most": "below",
    "below": "at most",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
    "and": "or",
    "or": "and",
    "+": "-",
    "-": "+",
}


def rule_variants(place: Located) -> Iterator[tuple[str, str, Any]]:
    """The changes of one number or condition of the rules; none inside examples and invariants."""
    if any(isinstance(line, nodes.Scenario | nodes.Invariant) for line in place.lines):
        return
    yield from _literals(place.node)
    yield from _conditions(place.node)


def _literals(node: Any) -> Iterator[tuple[str, str, Any]]:
    if isinstance(node, nodes.Number):
        for value in _beside(node.value):
            yield str(node.value), str(value), evolve(node, value=value)
    elif isinstance(node, nodes.Flag):
        yield _flag(node.value), _flag(not node.value), evolve(node, value=not node.value)
    elif isinstance(node, nodes.Row):
        yield from _cells(node)
    elif isinstance(node, nodes.Extreme):
        word, other = ("lowest", "highest") if node.lowest else ("highest", "lowest")
        yield word, other, evolve(node, lowest=not node.lowest)
    elif isinstance(node, nodes.Key) and node.ranking in ("lowest", "highest"):
        other = "highest" if node.ranking == "lowest" else "lowest"
        yield node.ranking, other, evolve(node, ranking=other)


def _beside(value: int) -> list[int]:
    return [value + 1, value - 1] if value else [1]


def _flag(value: bool) -> str:
    return "yes" if value else "no"


def _cells(row: nodes.Row) -> Iterator[tuple[str, str, Any]]:
    """Numbers in the cells of a row behind its key."""
    for index, cell in enumerate(row.cells):
        if index == 0 or not cell.isdigit():
            continue
        for value in _beside(int(cell)):
            cells = (*row.cells[:index], str(value), *row.cells[index + 1 :])
            yield cell, str(value), evolve(row, cells=cells)


def _conditions(node: Any) -> Iterator[tuple[str, str, Any]]:
    if isinstance(node, nodes.Binary) and node.op in _OPPOSITE:
        yield node.op, _OPPOSITE[node.op], evolve(node, op=_OPPOSITE[node.op])
    elif isinstance(node, nodes.Unary) and node.op == "not":
        yield "not", "", node.of
    test: Any = getattr(node, "test", None)
    if test is not None and not isinstance(node, nodes.Guard | nodes.Invariant | nodes.While):
        yield written_out(test), "yes", evolve(node, test=nodes.Flag(True, span=test.span))
