"""The table of codes: actions first, then what members do, reactions, and the parts of a game."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.declare import places
from rulekit.model.declare.kinds import Printed
from rulekit.model.lower.code_builder import Lowering, Tally
from rulekit.model.lower.flow_statements import woven
from rulekit.model.resolve import constants, type_inference
from rulekit.model.resolve.attributes import space_type
from rulekit.model.resolve.symbol_table import Scope, World
from rulekit.model.types import NUMBER, PLAYER, UNKNOWN, Parameter, Type, set_of, thing
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.values import define, evolve, field

_PARTS = ("setup", "play", "result")


@define(eq=False)
class Codes:
    """Codes by place: actions first, then what members do, reactions, parts."""

    world: World
    tally: Tally = field(factory=Tally)
    made: dict[int, ops.Code] = field(factory=dict)
    count: int = 0

    def continued(self, world: World) -> Codes:
        """The same codes but for those that examples run, which stand last; those of other examples can be added."""
        tally = evolve(self.tally, calls=[*self.tally.calls], steps={**self.tally.steps})
        made = {index: code for index, code in self.made.items() if code.name != "do"}
        return Codes(world, tally, made, self.count - (len(self.made) - len(made)))

    def reserve(self) -> int:
        self.count += 1
        return self.count - 1

    def lower(self, index: int, name: str, handed: list[Parameter], node: nodes.Line, body: nodes.Body) -> None:
        scope = Scope(self.world)
        low = Lowering(self.world, self.tally, index, name, scope)
        for parameter in handed:
            scope.bind(parameter.name, parameter.type)
        low.span = node.span
        with low.line(cites(node)):
            woven(low, name, body)
            low.span = node.span
            self.made[index] = low.finish(tuple(handed), node.span, cites(node))

    def run(self, node: nodes.Run, scope: Scope) -> int:
        """The code of a scenario's `do`."""
        index = self.reserve()
        low = Lowering(self.world, self.tally, index, "do", scope)
        # A scenario may run an action alone that would leave another; then it just ends.
        call = nodes.Do(node.call, node.owner, span=node.span)
        before = len(self.tally.calls)
        low.statement(call)
        del self.tally.calls[before:]
        for place, op in enumerate(low.made):
            if isinstance(op, ops.Call):
                handed = self.made[op.code].handed if op.code in self.made else ()
                copies = [self._copy(arg, one.type) for arg, one in zip(op.args, handed, strict=False)]
                low.made[place] = evolve(op, args=(*copies, *op.args[len(copies) :]))
        self.made[index] = low.finish((), node.span, ())
        return index

    def take(self, made: Iterable[ops.Code]) -> None:
        """Add codes of examples that were made before."""
        for code in made:
            index = self.reserve()
            self.made[index] = code
            self.tally.steps[index] = set(code.steps)

    def _copy(self, arg: x.Expr, kind: Type) -> x.Expr:
        """A scenario names a printed card and means a copy of it that lies somewhere."""
        copied = (
            isinstance(arg, x.Lookup | x.Const) and arg != x.Const(None) and type_inference.has_copies(self.world, kind)
        )
        return x.Builtin("a_copy", (arg,), span=arg.span) if copied else arg


def reserve(codes: Codes, flat: list[nodes.Declaration]) -> None:
    """Gives every action its number, so that bodies may call what stands below them; collects changes."""
    for node in flat:
        if isinstance(node, nodes.Action) and node.name not in codes.world.code_ids:
            codes.world.code_ids[node.name] = codes.reserve()
        elif isinstance(node, nodes.Change):
            codes.tally.changes.append(node)


def actions(codes: Codes, flat: list[nodes.Declaration]) -> None:
    for node in flat:
        if isinstance(node, nodes.Action) and codes.world.actions.get(node.name) is node:
            handed = [Parameter(p.name, type_inference.parameter_type(codes.world, p)) for p in node.parameters]
            codes.lower(codes.world.code_ids[node.name], node.name, handed, node, node.body)


def members(codes: Codes, bodies: list[Printed]) -> None:
    """What cards, spaces and words do: `owner` and `this` are known there."""
    for kind, index, node in bodies:
        assert node.body is not None, node
        code = codes.reserve()
        handed = [Parameter("owner", PLAYER), Parameter("this", thing(kind))]
        codes.lower(code, f"{kind} {node.key}", handed, node, node.body)
        old = codes.world.kinds[kind]
        members = list(old.members)
        members[index] = evolve(members[index], code=code)
        codes.world.kinds[kind] = evolve(old, members=tuple(members))


def reactions(codes: Codes, flat: list[nodes.Declaration]) -> tuple[model.Reaction, ...]:
    made = (_reaction(codes, node) for node in flat if isinstance(node, nodes.When))
    return tuple(reaction for reaction in made if reaction is not None)


def _reaction(codes: Codes, node: nodes.When) -> model.Reaction | None:
    world = codes.world
    place = world.places.get(world.places_of.get(node.piece, ""))
    if place is None:  # its place is not there, which was told where it is declared; or it is no piece
        return None
    space = space_type(world, node.piece)
    if (place.form != "track" and node.word == "reaches") or (place.form == "grid" and node.spaces is not None):
        title = f"`{place.name}` is a {place.form}: only along a track can spaces be reached or counted"
        world.error("not-on-a-track", title, node.span)
        return None
    low, high = bounds_of(world, node, space)
    code = codes.reserve()
    handed = [Parameter(node.piece, thing(node.piece)), Parameter("space", space)]
    codes.lower(code, f"when {node.piece} {node.word}", handed, node, node.body)
    is_open = node.spaces is not None and node.spaces.open
    return model.Reaction(node.piece, node.word, low, high, is_open, code)


def bounds_of(world: World, node: nodes.When, space: Type) -> tuple[x.Expr | None, x.Expr | None]:
    """Bounds as numbers, or a set of spaces in `low` alone."""
    if node.spaces is None or space == UNKNOWN:
        return None, None
    scope = Scope(world)
    if space != NUMBER:
        return _spaces_of_course(world, node.spaces, space), None
    if isinstance(node.spaces.low, nodes.Number) and isinstance(node.spaces.high, nodes.Number):
        constants.bounds(world, node.spaces, "spaces")
    low = type_inference.infer(scope, node.spaces.low, set_of(NUMBER) if node.spaces.high is None else NUMBER)
    if node.spaces.high is not None:
        number = type_inference.as_type(scope, low, NUMBER, node.spaces.low.span)
        return number, type_inference.expect(scope, node.spaces.high, NUMBER)
    if low.type.is_set:
        return low.expr, None
    number = type_inference.expect(scope, node.spaces.low, NUMBER)
    return (number, None) if node.spaces.open else (number, number)


def _spaces_of_course(world: World, node: nodes.Bounds, space: Type) -> x.Expr:
    """Spaces of a course as a set of things; numbers stand for those with numbers as keys."""
    scope = Scope(world)
    if isinstance(node.low, nodes.Number) and (node.open or node.high is not None):
        return x.Const(places.on_course(world, world.kinds[space.kind], node), span=node.span)
    if node.high is not None:
        return type_inference.expect(scope, nodes.Reach(node.low, node.high, span=node.span), set_of(space))
    typed = type_inference.infer(scope, node.low, set_of(space))
    if typed.type.is_set:
        return type_inference.expect(scope, node.low, set_of(space))
    return x.Listed((type_inference.expect(scope, node.low, space),), span=node.span)


def parts(codes: Codes, flat: list[nodes.Declaration], head: nodes.GameHead) -> tuple[int, int]:
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


def _sequence(codes: Codes, name: str, calls: list[int], *, end: bool) -> int:
    """A code that calls others one after the other."""
    index = codes.reserve()
    made: list[ops.Op] = [ops.Call(code, ()) for code in calls]
    made.append(ops.EndGame() if end else ops.Return())
    codes.made[index] = ops.Code(name, (), 0, tuple(made), tuple(() for _ in made), frozenset())
    codes.tally.steps[index] = set()
    return index


def changes_without_target(codes: Codes) -> None:
    """Adds `unknown-name` for changes of steps that are not there, and `clash` for two that may hold at once."""
    known = {step for steps in codes.tally.steps.values() for step in steps} | set(codes.world.actions)
    for change in codes.tally.changes:
        if change.target not in codes.tally.changed:
            codes.world.unknown(change.target, change.span, "step or action", known)
    for first, second in codes.tally.conflicts:
        title = f"two replacements of `{first.target}` may hold at once"
        hint = "give them conditions that exclude each other"
        codes.world.error("clash", title, second.span, f"the other is in line {first.span.line}; {hint}")
