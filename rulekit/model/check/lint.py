"""Lint: warnings about a game that is whole, such as declarations never read and actions never reached."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from rulekit.diagnostics import Problems, nearest
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops, traversal
from rulekit.model.check import (
    never_none,
    pile_order,
    shifted_members,
    taint_analysis,
    tried_chance,
    unbound_choices,
)
from rulekit.model.declare.contents import contents
from rulekit.model.declare.file_extension import Expanded
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.looks import is_look
from rulekit.syntax.traversal import all_cites, cites_inside, walk
from rulekit.values import frozen

_NUMERAL = re.compile(r"(?<![\w-])\d+(?![\w-])")


@frozen
class _Whole:
    """What every check looks at.

    read:  all expressions that a rule may evaluate; every: all nodes declared; tied: those that carry out clauses.
    """

    game: model.Game
    declarations: list[nodes.Declaration]
    read: tuple[x.Expr, ...]
    every: tuple[nodes.Node, ...]
    tied: tuple[tuple[nodes.Node, tuple[str, ...]], ...]


def check(game: model.Game, text: Expanded, problems: Problems) -> None:
    """Adds warnings that need the whole game; see the table in docs/language.md.

    Of a game that extends another only its own lines are warned about: its author cannot mend the base.
    """
    found_in = [contents(text.kept, node) for node in text.declarations]
    every = tuple(chain.from_iterable(one.every for one in found_in))
    tied = tuple(chain.from_iterable(one.tied for one in found_in))
    whole = _Whole(game, text.declarations, tuple(_read(game)), every, tied)
    found = Problems()
    for one in _CHECKS:
        one(whole, found)
    own = game.sources[0][0]
    problems.found.extend(entry for entry in found.found if entry.span.source == own)


def _read(game: model.Game) -> Iterator[x.Expr]:
    """Every expression that a rule of the game may evaluate."""
    places = game.places.values()
    holding = (
        *(op for code in game.codes for op in code.ops),
        *(define.value for define in game.defines),
        *(variable.start for variable in game.variables),
        *((one.bounded, one.halts, *(hold for _, hold in one.capacity), *(f.test for f in one.full)) for one in places),
        *((reaction.low, reaction.high) for reaction in game.reactions),
        tuple(invariant.test for invariant in game.invariants),
        game.neutrals,
    )
    return chain.from_iterable(map(traversal.parts, holding))


def _unread_options(whole: _Whole, problems: Problems) -> None:
    """An option may be there only to say what another one may be; what it says of itself is no reading."""
    options = whole.game.options
    by_rules = _about_options(whole.read)
    by_guards = [_about_options(traversal.parts(tuple(guard.test for guard in one.guards))) for one in options]
    for index, option in enumerate(options):
        read = (*by_rules, *chain.from_iterable(by_guards[:index] + by_guards[index + 1 :]))
        if not any(isinstance(e, x.OptionValue) and e.index == index for e in read):
            problems.warn("never-read", f"no rule reads the option `{option.name}`", option.span)
        elif option.readings:
            _uncompared(read, index, option, problems)


def _about_options(read: Iterable[x.Expr]) -> list[x.Expr]:
    """What reads an option, or may compare one."""
    return [e for e in read if isinstance(e, x.OptionValue | x.Same | x.Among)]


def _guarding(options: Iterable[model.Option]) -> Iterator[x.Expr]:
    return traversal.parts(tuple(guard.test for option in options for guard in option.guards))


def _uncompared(read: Iterable[x.Expr], index: int, option: model.Option, problems: Problems) -> None:
    """Of n readings all but one must be compared somewhere, or two of them do the same."""
    compared: set[object] = set()
    for e in read:
        if isinstance(e, x.Same):
            sides = (e.left, e.right)
            if any(isinstance(side, x.OptionValue) and side.index == index for side in sides):
                compared |= {side.value for side in sides if isinstance(side, x.Const)}
        elif isinstance(e, x.Among) and isinstance(e.left, x.OptionValue) and e.left.index == index:
            compared |= {p.value for p in traversal.parts(e.right) if isinstance(p, x.Const)}
    same = [name for number, (name, _) in enumerate(option.readings) if number not in compared]
    if len(same) > 1:
        names = " and ".join(f"`{name}`" for name in same)
        problems.warn("never-read", f"no rule tells {names} of `{option.name}` apart", option.span)


def _unread_variables(whole: _Whole, problems: Problems) -> None:
    read = {e.variable for e in whole.read if isinstance(e, x.Stored | x.PieceOf | x.GroupOf)}
    kinds = {e.kind for e in whole.read if isinstance(e, x.AllOf)}
    filled, compared = _filled(whole.game), _compared(whole.game)
    for index, variable in enumerate(whole.game.variables):
        kind = variable.type.element.kind if variable.type.is_set else variable.type.kind
        if index in read or variable.owner in compared or (variable.form in ("piece", "group") and kind in kinds):
            continue
        if index not in filled:
            problems.warn("never-read", f"no rule reads `{variable.name}`", variable.span)
        elif variable.seen == model.NOBODY:
            hint = "what nobody needs any more is taken out of the game by `remove`; an invariant may count the pile"
            problems.warn(
                "never-read", f"no rule reads `{variable.name}`, and nobody sees it", variable.span, hint=hint
            )


def _compared(game: model.Game) -> set[str]:
    """Kinds of pieces of which histories look at all that each of them has."""
    return {one.kind for variable in game.variables for one in variable.compared if one.kind}


def _filled(game: model.Game) -> set[int]:
    """Piles that rules put things on: where somebody sees them, people may look at what no rule asks for."""
    return {getattr(op, name).variable for code in game.codes for op in code.ops for name in op.effects.fills}


def _unread_traits(whole: _Whole, problems: Problems) -> None:
    """Traits and columns that no rule asks for; `copies`, and what courses, pictures, comparisons look at, is read."""
    read = {(e.kind, e.name) for e in chain(whole.read, _guarding(whole.game.options)) if isinstance(e, x.Trait)}
    read |= {(place.kind, "next") for place in whole.game.places.values()}
    alike = any(isinstance(e, x.Builtin) and e.word in ("alike", "seen_before") for e in whole.read)
    for kind, name, span in _written_traits(whole):
        made = whole.game.kinds[kind]
        looked_at = made.piece and (alike or _is_pictured(whole.game, made.trait_types[name].kind))
        if (kind, name) not in read and not looked_at:
            near = nearest(name, {other for its, other in read if its == kind})
            problems.warn("never-read", f"no rule reads `{name}` of a {kind}", span, hint=near)


def _is_pictured(game: model.Game, kind: str) -> bool:
    return kind in game.kinds and any(member.glyph for member in game.kinds[kind].members)


def _written_traits(whole: _Whole) -> Iterator[tuple[str, str, Span]]:
    """Each trait of a kind once, where it is written first: a column by its head row, without the key."""
    found: dict[tuple[str, str], Span] = {}
    for node in whole.every:
        if isinstance(node, nodes.Deck | nodes.Pieces) and node.rows and isinstance(node.rows[0], nodes.Row):
            for index, name in enumerate(node.rows[0].cells[1:], 1):
                found.setdefault((node.kind, name), node.rows[0].cell(index))
        elif isinstance(node, nodes.Member):
            for trait in node.traits:
                found.setdefault((node.kind, trait.name), trait.span)
    return ((kind, name, span) for (kind, name), span in found.items() if name != "copies" and not is_look(name))


def _unread_defines(whole: _Whole, problems: Problems) -> None:
    read = {e.define for e in chain(whole.read, _guarding(whole.game.options)) if isinstance(e, x.Invoke)}
    shown = {each.name for each in whole.game.shows}
    if whole.game.teams is not None:
        read.add(whole.game.teams)
    unread = [one for index, one in enumerate(whole.game.defines) if index not in read and one.name not in shown]
    words = _words(whole) if unread else set()
    for define in unread:
        if define.name not in words:
            problems.warn("never-read", f"no rule uses `{define.name}`", define.span)


_NAMING = (nodes.Scenario, nodes.Bounds, nodes.ListVariable, nodes.History, nodes.OptionType, nodes.Grid)
"""Where a define is used though no rule reads it: in scenarios, and where a bound goes by its name."""


def _words(whole: _Whole) -> set[str]:
    places = tuple(node for node in whole.every if isinstance(node, _NAMING))
    seeing = {node.whom for node in whole.every if isinstance(node, nodes.Seen)}
    return seeing | {node.name for node in walk(places) if isinstance(node, nodes.Word)}


def _unreached_actions(whole: _Whole, problems: Problems) -> None:
    called = {getattr(op, op.effects.calls) for code in whole.game.codes for op in code.ops if op.effects.calls}
    called |= {e.code for e in whole.read if isinstance(e, x.Possible)}
    names = {node.name for node in whole.every if isinstance(node, nodes.Action)}
    for index, code in enumerate(whole.game.codes):
        if code.name in names and index not in called:
            problems.warn("never-reached", f"nothing runs the action `{code.name}`", code.span)


def _uncited(whole: _Whole, problems: Problems) -> None:
    """Rules without any clause around them: a translator could not say where they come from.

    One finding for all of a file: a prototype has many, among which another one would be lost.  None for a file
    without clauses of its own, as a variant of a game that has some.
    """
    bare = [node for node in whole.declarations if isinstance(node, _CITING) and not _is_tied(node)]
    citing = {clause.span.source for clause in whole.game.clauses.values()}
    for source in dict.fromkeys(node.span.source for node in bare if node.span.source in citing):
        here = [node for node in bare if node.span.source == source]
        names = [f"`{_called(node)}`" for node in here[:_NAMED]]
        left = [f"{len(here) - _NAMED} more"] * (len(here) > _NAMED)
        title = f"no line of {_listed([*names, *left])} cites a clause"
        problems.warn("no-clause", title, here[0].span, hint="write the clause above it, or cite it with @ID")


_CITING = (nodes.Action, nodes.When, nodes.Part, nodes.Change)
_NAMED = 8
"""So many rules are named in one finding."""


def _is_tied(node: nodes.Action | nodes.When | nodes.Part | nodes.Change) -> bool:
    lines = (line for line in walk(node.body) if isinstance(line, nodes.Line))
    return bool(all_cites(node)) or any(map(all_cites, lines)) or any(cites_inside(node.body))


def _called(node: nodes.Action | nodes.When | nodes.Part | nodes.Change) -> str:
    """How the rule begins: `after wake`, `setup`, the name of an action."""
    if isinstance(node, nodes.Change):
        return f"{node.word} {'of ' * (node.word == 'instead')}{node.target}"
    if isinstance(node, nodes.When):
        return f"when {node.piece} {node.word}"
    return node.word if isinstance(node, nodes.Part) else node.name


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _numbers(whole: _Whole, problems: Problems) -> None:
    """A clause and the lines tied to it both name numbers, and share none: text and rule may have parted."""
    clauses = whole.game.clauses
    said = {one.id: {int(n) for n in _NUMERAL.findall(one.text)} for one in clauses.values() if one.needs_rule}
    used = _by_clause(whole, _numerals, {id_ for id_, numbers in said.items() if numbers})
    apart = {id_ for id_, done in used.items() if done and not done & said[id_]}
    counted = _by_clause(whole, _counts, apart)
    for clause in (one for one in clauses.values() if one.id in apart and not said[one.id] & counted[one.id]):
        title = f"{clause.id} says {_and(said[clause.id])}, but the lines tied to it say {_and(used[clause.id])}"
        problems.warn("number-unused", title, clause.span)


def _and(numbers: set[int]) -> str:
    return _listed([str(number) for number in sorted(numbers)[:6]])


def _by_clause(whole: _Whole, numbers: Callable[[nodes.Node], Iterable[int]], ids: set[str]) -> dict[str, set[int]]:
    """The numbers of the lines and parts that are tied to each of these clauses."""
    found: dict[str, set[int]] = {id_: set() for id_ in ids}
    for node, tied in whole.tied if ids else ():
        here = set(numbers(node)) if not ids.isdisjoint(tied) else set()
        for id_ in ids.intersection(tied):
            found[id_] |= here
    return found


def _counts(node: nodes.Node) -> Iterator[int]:
    """How many there are of what lines list: the spaces of a track, the numbers of a range, the rows of a table."""
    for part in walk(node):
        if isinstance(part, nodes.Bounds | nodes.Reach):
            low, high = _signed(part.low), _signed(part.high)
            if low is not None and high is not None:
                yield high - low + 1
        elif isinstance(part, nodes.Deck | nodes.Pieces) and part.rows:
            yield len(part.rows) - 1
        elif isinstance(part, nodes.Deck | nodes.KindBlock):
            yield len(part.members)
        elif isinstance(part, nodes.Kind):
            yield len(part.faces)


def _signed(node: object) -> int | None:
    if isinstance(node, nodes.Unary) and node.op == "-" and isinstance(node.of, nodes.Number):
        return -node.of.value
    return node.value if isinstance(node, nodes.Number) else None


def _numerals(node: nodes.Node) -> Iterator[int]:
    for part in walk(node):
        if isinstance(part, nodes.Number):
            yield part.value
        elif isinstance(part, nodes.Row):
            yield from (int(n) for cell in part.cells for n in re.findall(r"\d+", cell))
        elif isinstance(part, nodes.Member) and part.key.isdigit():
            yield int(part.key)
        elif isinstance(part, nodes.PieceGroup):
            yield part.count


def _room(whole: _Whole, problems: Problems) -> None:
    """A track whose spaces all have a limit must have room for the pieces that start on it."""
    for place in whole.game.places.values():
        if place.form != "track" or place.high is None or not place.capacity:
            continue
        holds = [_hold(place, space) for space in range(place.low, min(place.high, place.low + 200) + 1)]
        pieces = sum(
            variable.count * (whole.game.most if variable.owner == "player" else 1)
            for variable in whole.game.variables
            if variable.place == place.name and variable.form in ("piece", "group")
        )
        room = [hold for hold in holds if hold is not None]
        if len(room) == len(holds) and sum(room) < pieces:
            title = f"`{place.name}` holds {sum(room)} pieces at most, and there may be {pieces}"
            problems.warn("no-room", title, place.span)


def _hold(place: model.Place, space: int) -> int | None:
    for spaces, hold in place.capacity:
        if spaces is None or space in spaces:
            return hold.value if isinstance(hold, x.Const) and isinstance(hold.value, int) else None
    return None


def _loops(whole: _Whole, problems: Problems) -> None:
    """A `repeat` that nothing can leave and that asks nobody would only meet the step limit."""
    for node in whole.every:
        if isinstance(node, nodes.Repeat) and not any(isinstance(part, _LEAVING) for part in walk(node.body)):
            problems.warn("endless", "nothing in this `repeat` can leave it, ask or end the game", node.span)


_LEAVING = (nodes.Stop, nodes.End, nodes.Do, nodes.Choose, nodes.Ways)


def _constant_keys(whole: _Whole, problems: Problems) -> None:
    """A key that does not look at the element sorts nothing and singles nothing out."""
    for slot, key in _keys(whole):
        if not any(isinstance(part, x.Element) and part.index == slot for part in traversal.parts(key)):
            title = "what is compared here is the same for all of them"
            problems.warn("same-for-all", title, key.span, hint="`it` is the one that is looked at")


def _keys(whole: _Whole) -> Iterator[tuple[int, x.Expr]]:
    """What sets are sorted, ranked and picked from by, with the number of the element looked at."""
    for e in whole.read:
        if isinstance(e, x.Ordered):
            yield from ((e.slot, key) for key, _ in e.keys)
        elif isinstance(e, x.Extreme):
            yield e.slot, e.key
    for op in (op for code in whole.game.codes for op in code.ops if isinstance(op, ops.Rank)):
        yield from ((op.slot, key) for key, _ in op.keys)


def _orders(whole: _Whole, problems: Problems) -> None:
    pile_order.check(whole.game, problems)


def _surprises(whole: _Whole, problems: Problems) -> None:
    never_none.check(whole.game, problems)
    shifted_members.check(whole.game, problems)
    unbound_choices.check(whole.game, problems)
    tried_chance.check(whole.game, problems)


def _secrets(whole: _Whole, problems: Problems) -> None:
    taint_analysis.check(whole.game, problems)


_CHECKS: tuple[Callable[[_Whole, Problems], None], ...] = (
    _unread_options,
    _unread_variables,
    _unread_traits,
    _unread_defines,
    _unreached_actions,
    _uncited,
    _numbers,
    _room,
    _loops,
    _constant_keys,
    _orders,
    _surprises,
    _secrets,
)
