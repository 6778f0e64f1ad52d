"""The symbol table: the names of a game while it is being resolved, and their scopes.

A `World` holds the declarations by name; a `Scope` adds what one action,
query or scenario names itself (lexical scope).
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.diagnostics import Problems, nearest
from rulekit.model import game as model
from rulekit.model.expr import Expr
from rulekit.model.types import Type
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.values import define, evolve, field, frozen


@frozen
class Typed:
    """An expression and its type; `name` is what its elements are called (`S as name`)."""

    expr: Expr
    type: Type
    name: str | None = None

    def at(self, span: Span) -> Typed:
        """The same, as written at another place."""
        return evolve(self, expr=evolve(self.expr, span=span))


@define(eq=False)
class World:
    """The symbol table: declarations by name; filled as they are declared, read by type inference and lowering.

    watcher:  told what each expression turned out to be, where it stands; None if nobody asks.
    """

    problems: Problems
    lost: frozenset[str] = frozenset()
    options: list[model.Option] = field(factory=list)
    kinds: dict[str, model.Kind] = field(factory=dict)
    sets: dict[str, Typed] = field(factory=dict)
    dice: dict[str, Typed] = field(factory=dict)
    places: dict[str, model.Place] = field(factory=dict)
    variables: list[model.Variable] = field(factory=list)
    by_owner: dict[tuple[str, str], int] = field(factory=dict)
    defines: dict[str, nodes.Define] = field(factory=dict)
    resolved: dict[str, tuple[int, model.Define]] = field(factory=dict)
    resolving: list[str] = field(factory=list)
    actions: dict[str, nodes.Action] = field(factory=dict)
    code_ids: dict[str, int] = field(factory=dict)
    places_of: dict[str, str] = field(factory=dict)
    pictured: dict[str, model.Pictured] = field(factory=dict)
    triggers: dict[int, list[Trigger]] = field(factory=dict)
    together: int | None = None
    ways: set[str] = field(factory=set)
    cited: set[str] = field(factory=set)
    spans: dict[str, Span] = field(factory=dict)
    watcher: Watcher | None = field(default=None, repr=False)
    _keys: dict[str, tuple[tuple[model.Member, ...], dict[str, int]]] = field(factory=dict, init=False, repr=False)

    def unknown(self, word: str, span: Span, what: str, candidates: set[str]) -> None:
        """Report a word that means nothing here, unless its declaration was lost to a syntax fault.

        span: of the line or part that the word stands in, where the word does not know its own place.
        """
        span = word.span if isinstance(word, nodes.Name) else span
        if word in self.lost:
            return
        hint = nearest(word, candidates) or f"declare `{word}`, or use one of: {_some(candidates)}"
        self.problems.add("unknown-name", f"there is no {what} called `{word}`", span, hint=hint)

    def error(self, code: str, title: str, span: Span, hint: str = "") -> None:
        self.problems.add(code, title, span, hint=hint)

    def option_index(self, name: str) -> int | None:
        return next((i for i, option in enumerate(self.options) if option.name == name), None)

    def keys_of(self, kind: model.Kind) -> dict[str, int]:
        """The place of each member of a kind, by its key; of the first, where several have the same."""
        known = self._keys.get(kind.name)
        if known is None or known[0] is not kind.members:
            places = {member.key: place for place, member in reversed([*enumerate(kind.members)])}
            known = self._keys[kind.name] = (kind.members, places)
        return known[1]

    def owned_names(self, owner: str) -> set[str]:
        return {name for kind, name in self.by_owner if kind == owner}

    def global_names(self) -> set[str]:
        options = {option.name for option in self.options}
        defines = {name for name in self.defines if " " not in name}
        return options.union(self.kinds, self.sets, self.dice, self.places, defines, self.owned_names(""))


def _some(candidates: set[str]) -> str:
    names = sorted(candidates)
    return ", ".join(names[:8]) + (", …" if len(names) > 8 else "") if names else "(none)"


@frozen
class Trigger:
    """What reacts to a counter or pile: its declaration, the code that it runs, and the numbers it waits for.

    low, high:  bounds, high None without end (is_open); or low alone is a set (is_set).
    """

    node: nodes.When
    code: int
    low: Expr | None = None
    high: Expr | None = None
    is_open: bool = False
    is_set: bool = False


@frozen
class Looked:
    """An element that a query is looking at."""

    type: Type
    name: str | None
    bare: bool


@define(eq=False)
class Scope:
    """What an expression may name: locals in blocks, elements of the queries around it, seats of a scenario."""

    world: World
    blocks: list[dict[str, tuple[int, Type]]] = field(factory=lambda: [{}])
    elements: list[Looked] = field(factory=list)
    seats: tuple[str, ...] = ()
    count: int = 0
    hidden: set[int] = field(factory=set)
    declinable: set[int] = field(factory=set)

    def local(self, name: str) -> tuple[int, Type] | None:
        return next((block[name] for block in reversed(self.blocks) if name in block), None)

    def bind(self, name: str, kind: Type) -> int:
        """A new local; an inner name may not hide an outer one of the same action."""
        index = self.count
        self.count += 1
        self.blocks[-1][name] = (index, kind)
        return index

    def local_names(self) -> set[str]:
        return {name for block in self.blocks for name in block}

    def in_force(self) -> tuple[int, ...]:
        return tuple(sorted(index for block in self.blocks for index, _ in block.values()))


Watcher = Callable[[Scope, nodes.Expr, Type | None, Typed], None]
"""Gets the scope, what is written, the type that is wanted there, and what it means."""
