"""Elaboration, from syntax to a checked game: the whole road from declarations to codes.

Every pass goes on after a fault, so that one run reports what it can.
"""

from __future__ import annotations

from rulekit import limits
from rulekit.diagnostics import ERROR, Problems
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.check import call_checks, card_counts, printed_cards
from rulekit.model.declare import options, pictures, places, teams, variables
from rulekit.model.declare.contents import DeclarationMemo
from rulekit.model.declare.file_extension import Expanded
from rulekit.model.declare.kinds import Printed, declare_kinds
from rulekit.model.elaborate import code_table as codes_of
from rulekit.model.elaborate import trigger_table
from rulekit.model.elaborate.citations import clauses
from rulekit.model.elaborate.code_table import Codes
from rulekit.model.elaborate.example_memo import examples
from rulekit.model.lower import change_statements, choice_statements, flow_statements
from rulekit.model.resolve import (
    call_expressions,
    constants,
    name_resolution,
    operator_expressions,
    query_expressions,
    type_inference,
)
from rulekit.model.resolve.symbol_table import Scope, Watcher, World
from rulekit.model.traversal import parts
from rulekit.model.types import FLAG, NUMBER
from rulekit.source import Source, Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.values import asdict, evolve, frozen

FORMS = (
    call_expressions,
    name_resolution,
    operator_expressions,
    query_expressions,
    change_statements,
    choice_statements,
    flow_statements,
)
"""The modules that say how each form of expression and statement is resolved; importing them fills the tables."""


_NAMED = (
    nodes.Kind | nodes.KindBlock | nodes.Deck | nodes.Pieces | nodes.Define | nodes.Action | nodes.Option | nodes.Track
    | nodes.Course | nodes.Grid | nodes.Die | nodes.VariableLine
)  # fmt: skip
"""What takes a name that nothing else in the game may have."""


@frozen
class Elaborated:
    """A game, and the names and codes it was made of: examples can be read for it without reading it again."""

    game: model.Game
    world: World
    codes: Codes

    def with_examples(self, text: Expanded, problems: Problems) -> model.Game | None:
        """The game with the examples of a text instead of its own; the other declarations of the text are its own.

        The same as if the whole text were resolved; None, with the reasons in `problems`, where it could not be.
        """
        codes = self.codes.continued(evolve(self.world, problems=problems, cited=set(self.world.cited)))
        scenarios, made = _examples(codes, _unwrapped(text.declarations)[0], text.kept)
        _numbers_of_players(codes.world, scenarios, self.game.least, self.game.most)
        _missing_members(codes.world, tuple(code.ops for code in made if code.name == "do"))
        texts = clauses(codes.world, text)
        if problems.has_errors:
            return None
        return evolve(self.game, codes=made, scenarios=scenarios, clauses=texts, cited=frozenset(codes.world.cited))


def resolve(text: Expanded, source: Source, sources: dict[str, Source], problems: Problems) -> model.Game | None:
    """The game, or None where it could not be made; every reason is in `problems`."""
    made = elaborated(text, source, sources, problems)
    return None if made is None else made.game


def elaborated(
    text: Expanded, source: Source, sources: dict[str, Source], problems: Problems, watcher: Watcher | None = None
) -> Elaborated | None:
    """The same with what the game was made of.  watcher: told of every expression, also of a game that is not whole."""
    world = World(problems, text.lost, watcher=watcher)
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
    flat = [*flat, *teams.defines(head)]
    printed = _names(world, flat)
    if any(entry.code == "wrong-member" for entry in problems.found):
        return None  # a line of some body was read as a member: what the kinds hold cannot be relied on
    codes = Codes(world)
    codes_of.reserve(codes, flat)
    _complete(world, flat)
    pictures.declare(world, flat)
    sides = teams.declared(world, head)
    bodies = _bodies(codes, printed, flat, head, text.kept)
    game = _game(world, bodies, flat, assumptions, head, text, sources)
    game = None if game is None else evolve(game, teams=sides)
    return None if game is None else Elaborated(game, world, codes)


def _unwrapped(declarations: list[nodes.Declaration]) -> tuple[list[nodes.Declaration], list[model.Assumption]]:
    """Declarations out of their `assume`, which are noted."""
    flat: list[nodes.Declaration] = []
    found: list[model.Assumption] = []
    for node in declarations:
        if isinstance(node, nodes.Assume):
            inner, more = _unwrapped(list(node.declarations))
            names = tuple(str(getattr(part, "name", getattr(part, "word", ""))) for part in inner)
            tied = dict.fromkeys(id_ for line in (node, *inner) for id_ in cites(line))
            found += [model.Assumption(node.text, names, cites=tuple(tied), span=node.span), *more]
            flat += inner
        else:
            flat.append(node)
    return flat, found


def _names(world: World, flat: list[nodes.Declaration]) -> list[Printed]:
    """Everything that has a name, in an order in which each is known before it is needed."""
    for node in flat:
        if isinstance(node, _NAMED):
            constants.claim(world, node.name, node.span)
        if isinstance(node, nodes.Define):
            world.defines.setdefault(node.name, node)
        elif isinstance(node, nodes.Action):
            world.actions.setdefault(node.name, node)
    printed = declare_kinds(world, flat)
    for node in flat:
        if isinstance(node, nodes.Track | nodes.Course | nodes.Grid):
            places.declare_place(world, node)
    for node in flat:
        if isinstance(node, nodes.Pieces):
            variables.declare_row_pieces(world, node)
    _variables(world, flat)
    for node in flat:
        if isinstance(node, nodes.Option):
            options.declare_option(world, node)
    for node in flat:
        if isinstance(node, nodes.Die):
            variables.declare_die(world, node)
    return printed


def _variables(world: World, flat: list[nodes.Declaration]) -> None:
    """Pieces first: what they are called is a kind that other variables may name."""
    owned = list(_owned(flat))
    for owner, node, around in sorted(owned, key=lambda pair: not isinstance(pair[1], nodes.Piece | nodes.PieceGroup)):
        if owner in ("", "player") or owner in world.kinds:
            variables.declare_variable(world, owner, node, around)
    for has in flat:
        if isinstance(has, nodes.Has) and has.kind != "player" and has.kind not in world.kinds:
            world.unknown(has.kind, has.span, "kind", set(world.kinds) | {"player"})


def _owned(flat: list[nodes.Declaration]) -> list[tuple[str, nodes.Variable, tuple[str, ...]]]:
    """Whose each variable is, and the clauses of the `each … has` around it."""
    found: list[tuple[str, nodes.Variable, tuple[str, ...]]] = []
    for node in flat:
        if isinstance(node, nodes.Has):
            found += [(node.kind, variable, cites(node)) for variable in node.variables]
        elif isinstance(node, nodes.VariableLine):
            found.append(("", node, ()))
    return found


def _complete(world: World, flat: list[nodes.Declaration]) -> None:
    """What may read any name: start values, arrival policies, guards, defines."""
    owned = _owned(flat)
    for owner, variable, _ in sorted(owned, key=lambda one: not isinstance(one[1], nodes.History)):
        if (owner, variable.name) in world.by_owner:
            variables.complete_variable(world, owner, variable)
    for node in flat:
        if isinstance(node, nodes.Track | nodes.Course | nodes.Grid):
            places.complete_place(world, node)
        elif isinstance(node, nodes.Option):
            options.declare_guards(world, node)
        elif isinstance(node, nodes.Define):
            call_expressions.resolve_define(world, node.name, node.span)


@frozen
class _Bodies:
    """Everything that can be run or evaluated once all names are known."""

    codes: tuple[ops.Code, ...]
    main: int
    result: int
    reactions: tuple[model.Reaction, ...]
    invariants: tuple[model.Invariant, ...]
    scenarios: tuple[model.Scenario, ...]


def _bodies(
    codes: Codes,
    printed: list[Printed],
    flat: list[nodes.Declaration],
    head: nodes.GameHead,
    memo: DeclarationMemo,
) -> _Bodies:
    trigger_table.declare(codes, flat)
    codes_of.actions(codes, flat)
    codes_of.members(codes, printed)
    reactions = codes_of.reactions(codes, flat)
    trigger_table.bodies(codes)
    main, result = codes_of.parts(codes, flat, head)
    codes_of.changes_without_target(codes)
    invariants = tuple(
        model.Invariant(
            node.text, type_inference.expect(Scope(codes.world), node.test, FLAG), cites=cites(node), span=node.span
        )
        for node in flat
        if isinstance(node, nodes.Invariant)
    )
    scenarios, made = _examples(codes, flat, memo)
    return _Bodies(made, main, result, reactions, invariants, scenarios)


def _examples(
    codes: Codes, flat: list[nodes.Declaration], memo: DeclarationMemo
) -> tuple[tuple[model.Scenario, ...], tuple[ops.Code, ...]]:
    """The examples, and all codes, of which those that examples run are the last."""
    scenarios = tuple(examples(codes, flat, memo))
    lost = ops.Code("lost", (), 0, (ops.Return(),), ((),))
    made = tuple(codes.made.get(index) or lost for index in range(codes.count))
    call_checks.check(codes.world, codes.tally, made, codes.world.code_ids)
    if not codes.world.problems.has_errors:  # What cannot be moved for another reason has its finding.
        printed_cards.check(codes.world, made)
    return scenarios, made


def _game(
    world: World,
    bodies: _Bodies,
    flat: list[nodes.Declaration],
    assumptions: list[model.Assumption],
    head: nodes.GameHead,
    text: Expanded,
    sources: dict[str, Source],
) -> model.Game | None:
    least, most = _players(world, head)
    _numbers_of_players(world, bodies.scenarios, least, most)
    if not world.problems.has_errors:
        card_counts.check(world, least)
    defines = tuple(define for _, define in world.resolved.values())
    tests, values = (one.test for one in bodies.invariants), (define.value for define in defines)
    starts = (variable.start for variable in world.variables)
    _missing_members(world, (*(code.ops for code in bodies.codes), *tests, *values, *starts))
    rulesets = tuple(_ruleset(world, node) for node in flat if isinstance(node, nodes.Ruleset))
    neutrals = _neutrals(world, head)
    _shows(world, flat)
    # With the `assume` lines, which have clauses of their own.
    texts = clauses(world, text)
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
        shows=tuple(
            model.Show(node.name, node.text, cites=cites(node), span=node.span)
            for node in flat
            if isinstance(node, nodes.Show)
        ),
        pictured=dict(world.pictured),
        **asdict(bodies, recurse=False),
    )


def _players(world: World, head: nodes.GameHead) -> tuple[int, int]:
    fact = next((fact for fact in head.facts if isinstance(fact, nodes.Players)), None)
    if fact is None:
        hint = "write `players 2..4` below its title"
        world.error("no-players", "the game does not say how many may play", head.span, hint)
        return 1, 1
    low, high = constants.bounds(world, fact.bounds, "the numbers of players")
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
    for part in parts(values):
        key = part.key if isinstance(part, x.Lookup) else None
        if isinstance(part, x.Lookup) and isinstance(key, x.Const) and isinstance(key.value, int):
            known = (member.key for member in world.kinds[part.kind].members)
            if str(key.value) not in known:
                world.error("no-such-member", f"there is no {part.kind} {key.value}", key.span)


def _neutrals(world: World, head: nodes.GameHead) -> x.Expr | None:
    fact = next((fact for fact in head.facts if isinstance(fact, nodes.Neutrals)), None)
    if fact is None:
        return None
    count = type_inference.expect(Scope(world), fact.count, NUMBER)
    return evolve(count, cites=tuple(dict.fromkeys((*cites(fact), *count.cites))))


def _shows(world: World, flat: list[nodes.Declaration]) -> None:
    """What is shown must be something that has a value."""
    for node in flat:
        if isinstance(node, nodes.Show):
            type_inference.infer(Scope(world), nodes.Word(node.name, span=node.span))


def _ruleset(world: World, node: nodes.Ruleset) -> model.Ruleset:
    choices = tuple(choice for use in node.uses if (choice := options.option_choice(world, use)) is not None)
    return model.Ruleset(node.name, choices, cites=cites(node), span=node.span)
