"""Syntax to a checked game: the whole road from declarations to codes.

Every pass goes on after a fault, so that one run reports what it can.
"""

from __future__ import annotations

from typing import Any

import attrs
from attrs import define, evolve, field

from rulekit import limits
from rulekit.diagnostics import ERROR, Problems
from rulekit.model import (
    calls,
    declare,
    flow,
    infer,
    lower_changes,
    lower_choices,
    lower_flow,
    names,
    operators,
    ops,
    queries,
)
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.attributes import space_type
from rulekit.model.cited import clauses
from rulekit.model.extend import Expanded
from rulekit.model.lower import Lowering, Tally
from rulekit.model.lower_flow import woven
from rulekit.model.scenes import scenario
from rulekit.model.tables import Kinds, declare_kinds
from rulekit.model.types import FLAG, NUMBER, PLAYER, UNKNOWN, Type, set_of, thing
from rulekit.model.world import Scope, World
from rulekit.source import Source, Span
from rulekit.syntax import nodes
from rulekit.syntax.walk import cites

FORMS = (calls, names, operators, queries, lower_changes, lower_choices, lower_flow)
"""The modules that say how each form of expression and statement is resolved; importing them fills the tables."""
_PARTS = ("setup", "play", "result")
_NAMED = (
    nodes.Kind | nodes.KindBlock | nodes.Deck | nodes.Pieces | nodes.Define | nodes.Action | nodes.Option | nodes.Track
    | nodes.Course | nodes.Grid | nodes.Die | nodes.VariableLine
)  # fmt: skip
"""What takes a name that nothing else in the game may have."""


@define(eq=False)
class _Codes:
    """Codes by place: actions first, then what members do, reactions, parts."""

    world: World
    tally: Tally = field(factory=Tally)
    made: dict[int, ops.Code] = field(factory=dict)
    count: int = 0

    def reserve(self) -> int:
        self.count += 1
        return self.count - 1

    def lower(
        self, index: int, name: str, parameters: list[tuple[str, object]], node: nodes.Line, body: nodes.Body
    ) -> None:
        scope = Scope(self.world)
        low = Lowering(self.world, self.tally, index, name, scope)
        for parameter, kind in parameters:
            scope.bind(parameter, kind)  # type: ignore[arg-type]
        low.cites.append(cites(node))
        low.span = node.span
        woven(low, name, body)
        low.span = node.span
        self.made[index] = low.finish(len(parameters), node.span, cites(node))

    def run(self, node: nodes.Run, scope: Scope) -> int:
        """The code of a scenario's `do`."""
        index = self.reserve()
        low = Lowering(self.world, self.tally, index, "do", scope)
        # A scenario may run an action alone that would leave another; then it just ends.
        call = nodes.Do(node.call, node.owner, span=node.span)
        before = len(self.tally.calls)
        low.statement(call)
        del self.tally.calls[before:]
        low.made = [self._with_copies(op) for op in low.made]
        self.made[index] = low.finish(0, node.span, ())
        return index

    def _with_copies(self, op: ops.Op) -> ops.Op:
        """A scenario names a printed card and means a copy of it that lies somewhere."""
        if not isinstance(op, ops.Call):
            return op
        return evolve(op, args=tuple(self._copy(arg) for arg in op.args))

    def _copy(self, arg: x.Expr) -> x.Expr:
        copied = isinstance(arg, x.Lookup) and self.world.kinds[arg.kind].copied
        return x.Builtin("a_copy", (arg,), span=arg.span) if copied else arg


def resolve(text: Expanded, source: Source, sources: dict[str, Source], problems: Problems) -> model.Game | None:
    """The game, or None where it could not be made; every reason is in `problems`."""
    world = World(problems, text.lost)
    flat, assumptions = _unwrapped(text.declarations)
    if text.broken:
        return None
    heads = [node for node in flat if isinstance(node, nodes.GameHead)]
    head = heads[0] if heads else None
    for other in heads[1:]:
        problems.add("duplicate", "a file holds one game, and this is another", other.span)
    if head is None:
        if not problems.has_errors:
            place = Span(source.name, 1, 1, 1, 1)
            problems.add("no-game", "this file declares no game", place, hint='begin with `game "Title"`')
        return None
    kinds = _names(world, flat)
    codes = _Codes(world)
    _reserve(codes, flat)
    _complete(world, flat)
    return _game(world, codes, kinds, flat, assumptions, head, text, sources)


def _unwrapped(declarations: list[nodes.Declaration]) -> tuple[list[nodes.Declaration], list[model.Assumption]]:
    """Declarations out of their `assume`, which are noted."""
    flat: list[nodes.Declaration] = []
    found: list[model.Assumption] = []
    for node in declarations:
        if isinstance(node, nodes.Assume):
            inner, more = _unwrapped(list(node.declarations))
            names = tuple(str(getattr(part, "name", getattr(part, "word", ""))) for part in inner)
            found += [model.Assumption(node.text, names, cites(node), node.span), *more]
            flat += inner
        else:
            flat.append(node)
    return flat, found


# ---------------------------------------------------------------- names


def _names(world: World, flat: list[nodes.Declaration]) -> Kinds:
    """Everything that has a name, in an order in which each is known before it is needed."""
    for node in flat:
        if isinstance(node, _NAMED):
            declare.claim(world, node.name, node.span)
    kinds = declare_kinds(world, flat)
    for node in flat:
        if isinstance(node, nodes.Track | nodes.Course | nodes.Grid):
            declare.declare_place(world, node)
    for node in flat:
        if isinstance(node, nodes.Pieces):
            declare.declare_row_pieces(world, node)
    for node in flat:
        if isinstance(node, nodes.Define):
            world.defines.setdefault(node.name, node)
        elif isinstance(node, nodes.Action):
            world.actions.setdefault(node.name, node)
    _variables(world, flat)
    for node in flat:
        if isinstance(node, nodes.Option):
            declare.declare_option(world, node)
    for node in flat:
        if isinstance(node, nodes.Die):
            declare.declare_die(world, node)
    return kinds


def _variables(world: World, flat: list[nodes.Declaration]) -> None:
    """Pieces first: what they are called is a kind that other variables may name."""
    owned = list(_owned(flat))
    for owner, node in sorted(owned, key=lambda pair: not isinstance(pair[1], nodes.Piece | nodes.PieceGroup)):
        if owner in ("", "player") or owner in world.kinds:
            declare.declare_variable(world, owner, node)
    for has in flat:
        if isinstance(has, nodes.Has) and has.kind != "player" and has.kind not in world.kinds:
            world.unknown(has.kind, has.span, "kind", set(world.kinds) | {"player"})


def _owned(flat: list[nodes.Declaration]) -> list[tuple[str, nodes.Variable]]:
    found: list[tuple[str, nodes.Variable]] = []
    for node in flat:
        if isinstance(node, nodes.Has):
            found += [(node.kind, _inheriting(variable, node)) for variable in node.variables]
        elif isinstance(node, nodes.VariableLine):
            found.append(("", node))
    return found


def _inheriting(variable: nodes.Variable, has: nodes.Has) -> nodes.Variable:
    """A variable with the citations of the `each … has` around it."""
    own = variable.margin
    extra = tuple(nodes.Citation(clause) for clause in cites(has))
    return evolve(variable, margin=evolve(own, cites=(*own.cites, *extra)))


def _complete(world: World, flat: list[nodes.Declaration]) -> None:
    """What may read any name: start values, arrival policies, guards, defines."""
    for owner, variable in _owned(flat):
        if (owner, variable.name) in world.by_owner:
            declare.complete_variable(world, owner, variable)
    for node in flat:
        if isinstance(node, nodes.Track | nodes.Course | nodes.Grid):
            declare.complete_place(world, node)
        elif isinstance(node, nodes.Option):
            declare.declare_guards(world, node)
        elif isinstance(node, nodes.Define):
            calls.resolve_define(world, node.name, node.span)


# ---------------------------------------------------------------- codes


def _reserve(codes: _Codes, flat: list[nodes.Declaration]) -> None:
    for node in flat:
        if isinstance(node, nodes.Action) and node.name not in codes.world.code_ids:
            codes.world.code_ids[node.name] = codes.reserve()
        elif isinstance(node, nodes.Change):
            codes.tally.changes.append(node)


def _actions(codes: _Codes, flat: list[nodes.Declaration]) -> None:
    for node in flat:
        if isinstance(node, nodes.Action) and codes.world.actions.get(node.name) is node:
            kinds = [(p.name, infer.parameter_type(codes.world, p)) for p in node.parameters]
            codes.lower(codes.world.code_ids[node.name], node.name, list(kinds), node, node.body)


def _members(codes: _Codes, kinds: Kinds) -> None:
    """What cards, spaces and words do: `owner` and `this` are known there."""
    for kind, index, node in kinds.bodies:
        assert node.body is not None, node
        code = codes.reserve()
        codes.lower(code, f"{kind} {node.key}", [("owner", PLAYER), ("this", thing(kind))], node, node.body)
        old = codes.world.kinds[kind]
        members = list(old.members)
        members[index] = evolve(members[index], code=code)
        codes.world.kinds[kind] = evolve(old, members=tuple(members))


def _reactions(codes: _Codes, flat: list[nodes.Declaration]) -> tuple[model.Reaction, ...]:
    found: list[model.Reaction] = []
    for node in flat:
        if isinstance(node, nodes.When):
            reaction = _reaction(codes, node)
            if reaction is not None:
                found.append(reaction)
    return tuple(found)


def _reaction(codes: _Codes, node: nodes.When) -> model.Reaction | None:
    world = codes.world
    place = world.places.get(world.places_of.get(node.piece, ""))
    if place is None:
        world.unknown(node.piece, node.span, "piece", set(world.places_of))
        return None
    space = space_type(world, node.piece)
    if (place.form != "track" and node.word == "reaches") or (place.form == "grid" and node.spaces is not None):
        title = f"`{place.name}` is a {place.form}: only along a track can spaces be reached or counted"
        world.error("not-on-a-track", title, node.span)
        return None
    low, high = _spaces(world, node, space)
    code = codes.reserve()
    parameters: list[tuple[str, object]] = [(node.piece, thing(node.piece)), ("space", space)]
    codes.lower(code, f"when {node.piece} {node.word}", parameters, node, node.body)
    is_open = node.spaces is not None and node.spaces.open
    return model.Reaction(node.piece, None, node.word, low, high, is_open, code)


def _spaces(world: World, node: nodes.When, space: Type) -> tuple[x.Expr | None, x.Expr | None]:
    """Bounds as numbers, or a set of spaces in `low` alone."""
    if node.spaces is None:
        return None, None
    scope = Scope(world)
    if space == UNKNOWN:
        return None, None
    if space != NUMBER:
        return _spaces_of_course(world, node.spaces, space), None
    if isinstance(node.spaces.low, nodes.Number) and isinstance(node.spaces.high, nodes.Number):
        declare.bounds(world, node.spaces, "spaces")
    low = infer.infer(scope, node.spaces.low, set_of(NUMBER) if node.spaces.high is None else NUMBER)
    if node.spaces.high is not None:
        return infer.expect(scope, node.spaces.low, NUMBER), infer.expect(scope, node.spaces.high, NUMBER)
    if low.type.is_set:
        return low.expr, None
    number = infer.expect(scope, node.spaces.low, NUMBER)
    return (number, None) if node.spaces.open else (number, number)


def _spaces_of_course(world: World, node: nodes.Bounds, space: Type) -> x.Expr:
    """Spaces of a course as a set of things; numbers stand for those with numbers as keys."""
    scope = Scope(world)
    high = node.high
    if node.open:
        high = nodes.Number(max((int(m.key) for m in world.kinds[space.kind].members if m.key.isdigit()), default=0))
    if high is not None:
        return infer.expect(scope, nodes.Reach(node.low, high, span=node.span), set_of(space))
    typed = infer.infer(scope, node.low, set_of(space))
    if typed.type.is_set:
        return infer.expect(scope, node.low, set_of(space))
    return x.Listed((infer.expect(scope, node.low, space),), span=node.span)


def _parts(codes: _Codes, flat: list[nodes.Declaration], head: nodes.GameHead) -> tuple[int, int]:
    """The main code (all setups, then play) and the result."""
    calls: dict[str, list[int]] = {word: [] for word in _PARTS}
    for node in flat:
        if isinstance(node, nodes.Part):
            index = codes.reserve()
            codes.lower(index, node.word, [], node, node.body)
            calls[node.word].append(index)
    for word in ("play", "result"):
        if not calls[word] and word not in codes.world.lost:
            hint = "write `play` with what happens" if word == "play" else "write `result` with `rank players by …`"
            codes.world.error("no-part", f"the game has no `{word}`", head.span, hint)
    main = _sequence(codes, "game", [*calls["setup"], *calls["play"]], end=True)
    return main, _sequence(codes, "the end", calls["result"], end=False)


def _sequence(codes: _Codes, name: str, calls: list[int], *, end: bool) -> int:
    """A code that calls others one after the other."""
    index = codes.reserve()
    made: list[ops.Op] = [ops.Call(code, ()) for code in calls]
    made.append(ops.EndGame() if end else ops.Return())
    codes.made[index] = ops.Code(name, 0, 0, tuple(made), tuple(() for _ in made), frozenset())
    codes.tally.steps[index] = set()
    return index


# ---------------------------------------------------------------- the game


def _game(
    world: World,
    codes: _Codes,
    kinds: Kinds,
    flat: list[nodes.Declaration],
    assumptions: list[model.Assumption],
    head: nodes.GameHead,
    text: Expanded,
    sources: dict[str, Source],
) -> model.Game | None:
    _actions(codes, flat)
    _members(codes, kinds)
    reactions = _reactions(codes, flat)
    main, result = _parts(codes, flat, head)
    _changes_without_target(codes)
    invariants = tuple(
        model.Invariant(node.text, infer.expect(Scope(world), node.test, FLAG), cites(node), node.span)
        for node in flat
        if isinstance(node, nodes.Invariant)
    )
    least, most = _players(world, head)
    told = [node for node in flat if isinstance(node, nodes.Scenario)]
    scenarios = tuple(scenario(world, codes.tally, codes.run, node) for node in told)
    lost = ops.Code("lost", 0, 0, (ops.Return(),), ((),))
    made = tuple(codes.made.get(index) or lost for index in range(codes.count))
    flow.check(world, codes.tally, made, codes.world.code_ids)
    _numbers_of_players(world, scenarios, least, most)
    defines = tuple(define for _, define in sorted(world.resolved.values(), key=lambda pair: pair[0]))
    _missing_members(world, (*made, *invariants, *defines, *world.variables, *scenarios))
    rulesets = tuple(_ruleset(world, node) for node in flat if isinstance(node, nodes.Ruleset))
    neutrals = _neutrals(world, head)
    _shows(world, flat)
    # With the `assume` lines, which have clauses of their own.
    texts = clauses(world, text.declarations, text.tail)
    if any(entry.level == ERROR for entry in world.problems.found):
        return None
    return model.Game(
        title=head.title,
        author=next((fact.author for fact in head.facts if isinstance(fact, nodes.By)), ""),
        least=least,
        most=most,
        neutrals=neutrals,
        clauses=texts,
        cited=frozenset(world.cited),
        sources=tuple((name, source.text) for name, source in sources.items()),
        options=tuple(world.options),
        rulesets=rulesets,
        assumptions=tuple(assumptions),
        kinds=dict(world.kinds),
        places=dict(world.places),
        variables=tuple(world.variables),
        defines=defines,
        codes=made,
        main=main,
        result=result,
        reactions=reactions,
        invariants=invariants,
        scenarios=scenarios,
        shows=tuple((node.name, node.text) for node in flat if isinstance(node, nodes.Show)),
    )


def _changes_without_target(codes: _Codes) -> None:
    known = {step for steps in codes.tally.steps.values() for step in steps} | set(codes.world.actions)
    for change in codes.tally.changes:
        if change.target not in codes.tally.changed:
            codes.world.unknown(change.target, change.span, "step or action", known)
    for first, second in codes.tally.conflicts:
        title = f"two replacements of `{first.target}` may hold at once"
        hint = "give them conditions that exclude each other"
        codes.world.error("clash", title, second.span, f"the other is in line {first.span.line}; {hint}")


def _players(world: World, head: nodes.GameHead) -> tuple[int, int]:
    fact = next((fact for fact in head.facts if isinstance(fact, nodes.Players)), None)
    if fact is None:
        hint = "write `players 2..4` below its title"
        world.error("no-players", "the game does not say how many may play", head.span, hint)
        return 1, 1
    low, high = declare.bounds(world, fact.bounds, "the numbers of players")
    if low < 1 and isinstance(fact.bounds.low, nodes.Number):
        world.error("empty-range", "a game needs a player", fact.span)
    if high is None:
        high = limits.SEATS
    if high > limits.SEATS:
        world.error("too-many", f"at most {limits.SEATS} can play, not {high}", fact.span)
    return low, high


def _numbers_of_players(world: World, scenarios: tuple[model.Scenario, ...], least: int, most: int) -> None:
    for made in scenarios:
        if made.seats and not least <= len(made.seats) <= most:
            title = f"{len(made.seats)} play here, and the game is for {least} to {most}"
            world.error("wrong-players", title, made.span)


def _missing_members(world: World, values: tuple[object, ...]) -> None:
    """Adds `no-such-member` for a number, written where a thing is needed, that is no member's."""
    waiting: list[Any] = [*values]
    while waiting:
        this = waiting.pop()
        if isinstance(this, x.Lookup) and isinstance(this.key, x.Const) and isinstance(this.key.value, int):
            if all(member.key != str(this.key.value) for member in world.kinds[this.kind].members):
                world.error("no-such-member", f"there is no {this.kind} {this.key.value}", this.key.span)
        elif isinstance(this, tuple):
            waiting += this
        elif attrs.has(type(this)) and not isinstance(this, Span | nodes.Node | Type):
            waiting += [getattr(this, a.name) for a in attrs.fields(type(this))]


def _neutrals(world: World, head: nodes.GameHead) -> x.Expr | None:
    fact = next((fact for fact in head.facts if isinstance(fact, nodes.Neutrals)), None)
    return None if fact is None else infer.expect(Scope(world), fact.count, NUMBER)


def _shows(world: World, flat: list[nodes.Declaration]) -> None:
    """What is shown must be something that has a value."""
    for node in flat:
        if isinstance(node, nodes.Show):
            infer.infer(Scope(world), nodes.Word(node.name, span=node.span))


def _ruleset(world: World, node: nodes.Ruleset) -> model.Ruleset:
    choices = tuple(choice for use in node.uses if (choice := declare.option_choice(world, use)) is not None)
    return model.Ruleset(node.name, choices, cites(node), node.span)
