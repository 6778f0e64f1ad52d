"""A rules file changed in one place by mutation operators, and loaded again without being parsed again.

Changes are made in the syntax tree, so every part of a file can be changed: a
cell of a table, the bound of a track, a comparison, a whole line, an example.
The text that a change stands for is told with its place, and the clauses
whose part of the rules it changes.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from functools import lru_cache
from typing import Any

from rulekit.diagnostics import ERROR, Problems
from rulekit.loading import RulesError
from rulekit.model.check import lint, taint_analysis
from rulekit.model.declare.contents import Known
from rulekit.model.declare.file_extension import Expanded, expanded
from rulekit.model.elaborate.elaboration import Elaborated, elaborated, resolve
from rulekit.model.game import Game
from rulekit.source import Source, Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.tools.examples.expression_mutations import (
    ARITHMETIC,
    CONNECTOR,
    CONSTANT,
    EXPRESSIONS,
    FORCED,
    NEGATION,
    ORDER,
    RELATION,
)
from rulekit.tools.examples.mutation_variant import Constants, Operator, Path, Variant, constants_of
from rulekit.tools.examples.statement_mutations import STATEMENTS
from rulekit.tools.examples.table_mutations import TABLES
from rulekit.values import define, evolve, field, fields, frozen

Texts = tuple[tuple[str, str], ...]
"""A rules file with those that it extends: names and texts."""


@frozen
class Edit:
    """One place of the rules that becomes another: a mutant, as one edit of the text.

    old, new:  as they are written; new "" where something is left out.
    clauses:   of the lines around it, nearest first.
    path:      where it stands in the declarations; node: what is put there.
    operator:  the mutation operator that made it.
    nearest:   the clauses whose part it changes: those of the innermost line, or part of a line, that cites any.
    """

    span: Span
    old: str
    new: str
    clauses: tuple[str, ...]
    path: Path = field(eq=False, repr=False)
    node: Any = field(eq=False, repr=False)
    operator: str = field(default="", eq=False)
    nearest: tuple[str, ...] = field(default=(), eq=False)

    def __str__(self) -> str:
        return f"{self.span.source}:{self.span.line}:{self.span.column}: `{self.old}` becomes `{self.new}`"


@define(eq=False)
class Rules:
    """A file that is parsed once and resolved as often as it is changed."""

    source: Source
    text: Expanded
    sources: dict[str, Source]
    game: Game
    _bare: Elaborated | None = field(default=None, init=False, repr=False)

    @property
    def declarations(self) -> tuple[nodes.Declaration, ...]:
        return tuple(self.text.declarations)

    def changed(self, edit: Edit) -> Game | None:
        """The game after a change; None if it is no correct game any more."""
        return self.resolved(replaced(self.declarations, edit.path, edit.node))

    def bare(self) -> Game | None:
        """The game without its examples; None if it is no correct game."""
        made = self._elaborated()
        return None if made is None else _marked(made.game)

    def with_examples(self, examples: Iterable[nodes.Declaration]) -> Game | None:
        """The game with these examples alone; it is resolved once, and what is read anew is only the examples."""
        return self._told((*_without_examples(self.declarations), *examples))

    def with_named(self, names: Container[str]) -> Game | None:
        """The game with those of its examples that have these names."""
        return self._told(
            node for node in self.declarations if not isinstance(node, nodes.Scenario) or node.name in names
        )

    def whole(self) -> Rules | None:
        """These rules with the game that they make, for rules that were `put`."""
        game = self._told(self.declarations)
        return None if game is None else self._with(self.declarations, game)

    def _told(self, declarations: Iterable[nodes.Declaration]) -> Game | None:
        made, problems = self._elaborated(), Problems()
        if made is None:
            return None
        try:
            game = made.with_examples(evolve(self.text, declarations=list(declarations)), problems)
        except RecursionError:
            return None
        return None if game is None else _marked(game)

    def _elaborated(self) -> Elaborated | None:
        if self._bare is None:
            problems = Problems()
            text = evolve(self.text, declarations=_without_examples(self.declarations))
            try:
                made = elaborated(text, self.source, self.sources, problems)
            except RecursionError:
                return None
            self._bare = None if problems.has_errors else made
        return self._bare

    def put(self, edit: Edit) -> Rules:
        """The rules with a change that nobody has looked at yet: the game is still the one before it."""
        return self._with(replaced(self.declarations, edit.path, edit.node), self.game)

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


def rules_of(source: Source, bases: tuple[Source, ...] | None = None) -> Rules:
    """A rules text ready to be changed; raises `RulesError` if it has errors as it is.

    bases:  what it may extend, instead of files.
    """
    problems, sources = Problems(), dict[str, Source]()
    text = expanded(source, problems, sources, bases)
    game = resolve(text, source, sources, problems)
    if game is not None:
        lint.check(game, text, problems)
    if game is None or problems.has_errors:
        raise RulesError(tuple(entry for entry in problems.found if entry.level == ERROR), sources)
    return Rules(source, text, sources, _marked(game))


def rules_with(game: Game, examples: Container[str], known: Known) -> Rules:
    """The rules of a game, with those of its examples alone that have these names.

    known:  what was read of like texts, and need not be read again.
    """
    first, text, sources = _read(game.sources, known)
    return Rules(first, text, sources, game).only(
        lambda one: not isinstance(one, nodes.Scenario) or one.name in examples
    )


@lru_cache(maxsize=2)
def known_of(texts: Texts) -> Known:
    """What is read of rules with which others are compared again and again, while these are typed over."""
    known = Known()
    _read(texts, known)
    return known


def _read(texts: Texts, known: Known) -> tuple[Source, Expanded, dict[str, Source]]:
    first, *others = (Source(name, text) for name, text in texts)
    sources: dict[str, Source] = {}
    return first, expanded(first, Problems(), sources, tuple(others), known), sources


def _without_examples(declarations: Iterable[nodes.Declaration]) -> list[nodes.Declaration]:
    return [node for node in declarations if not isinstance(node, nodes.Scenario)]


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
        return _cited_by(reversed(self.lines))

    @property
    def nearest(self) -> tuple[str, ...]:
        """The clauses of the innermost line or part of a line that cites any."""
        return next((ids for line in reversed(self.lines) if (ids := _ids(line))), ())


def _cited_by(lines: Iterable[nodes.Line | nodes.Cited]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(id_ for line in lines for id_ in _ids(line)))


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
        for part in fields(kind):
            if part.name not in ("span", "margin"):
                yield from located(getattr(node, part.name), (*path, part.name), inner)


# ---------------------------------------------------------------- what can be changed

Variants = Callable[[Located, Constants], Iterable[Variant]]

OPERATORS: dict[type, tuple[Operator, ...]] = {**EXPRESSIONS, **STATEMENTS, **TABLES}
"""What can be done to a node, by its class."""

_SMALL = frozenset({CONSTANT, RELATION, CONNECTOR, ARITHMETIC, FORCED, NEGATION, ORDER})
"""The operators that change one literal or condition."""


def edits(rules: Rules, variants: Variants) -> Iterator[Edit]:
    """A change for each variant that is named for a node."""
    constants = constants_of(rules.game, rules.declarations)
    for place in located(rules.declarations):
        for variant in variants(place, constants):
            yield _edit(place, variant)


def of_clause(rules: Rules, clause: str) -> Iterator[Edit]:
    """The changes of a clause's part: of what it is cited by, and of no part of that which cites another clause.

    What cites it may be a line, a part of a line, or the line of a define, a row, a card, an option, a track.
    """
    return (edit for edit in edits(rules, rule_variants) if clause in edit.nearest)


def rule_variants(place: Located, constants: Constants) -> Iterator[Variant]:
    """All changes of a node of the rules; none inside examples and invariants."""
    if any(isinstance(line, nodes.Scenario | nodes.Invariant) for line in place.lines):
        return
    for operator in OPERATORS.get(type(place.node), ()):
        yield from operator(place.node, constants)


def small_variants(place: Located, constants: Constants) -> Iterator[Variant]:
    """Those of one literal or condition, as a slip of the pen would make them."""
    return (variant for variant in rule_variants(place, constants) if variant.operator in _SMALL)


def _edit(place: Located, variant: Variant) -> Edit:
    own = _cited_by(variant.lines)
    # How many are drawn or chosen has no place of its own in the tree; its line has.
    span = variant.span if variant.span.line or not place.lines else place.lines[-1].span
    return Edit(
        span,
        variant.old,
        variant.new,
        tuple(dict.fromkeys([*own, *place.clauses])),
        (*place.path, *variant.path),
        variant.node,
        variant.operator,
        own or place.nearest,
    )
