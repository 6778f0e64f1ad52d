"""Extraction of constants: the numbers that rules hold, each with its line, its clauses and what it is about.

Works on syntax alone, before any constant folding, so that every number that
was written is found.  What only another reading than the default would use is
kept and marked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulekit.syntax import nodes
from rulekit.syntax.looks import is_look
from rulekit.syntax.traversal import all_cites, walk
from rulekit.tools.constants.constant_values import Constant, Found, Place, RuleDenial
from rulekit.tools.constants.expression_constants import NUMBER, ends, expression, said, tested, under, written
from rulekit.tools.constants.word_constants import words
from rulekit.values import evolve, fields

_CONTAINERS = (
    nodes.Action | nodes.Part | nodes.Deck | nodes.KindBlock | nodes.Step | nodes.Has | nodes.Assume | nodes.GameHead
)
"""Lines whose clauses hold for the lines in them only where those have none."""


def constants(declarations: list[nodes.Declaration]) -> tuple[Constant, ...]:
    """All numbers of a game in the order of its file; those of scenarios that are printed wrong left out."""
    return tuple(found for found in _all(declarations) if isinstance(found, Constant))


def rule_denials(declarations: list[nodes.Declaration]) -> tuple[RuleDenial, ...]:
    """All words by which a game denies something, in the order of its file; invariants only say again what holds."""
    stated = [node for node in declarations if not isinstance(node, nodes.Invariant)]
    return tuple(found for found in _all(stated) if isinstance(found, RuleDenial))


def _all(declarations: Sequence[nodes.Declaration]) -> Found:
    start = Place(defaults=_defaults(declarations))
    for node in declarations:
        yield from _line(node, start)


def _defaults(declarations: Sequence[nodes.Declaration]) -> dict[str, str]:
    """For every unclear point what holds unless somebody chooses; variants are no readings, and all of them count."""
    options = [node for node in walk(tuple(declarations)) if isinstance(node, nodes.Option) and node.word == "unclear"]
    found = {option.name: reading.name for option in options for reading in option.readings if reading.default}
    flags = {option.name: option.default for option in options if isinstance(option.default, nodes.Flag)}
    return found | {name: "yes" if flag.value else "no" for name, flag in flags.items()}


# ---------------------------------------------------------------- lines


def _line(node: nodes.Line, place: Place) -> Found:
    if isinstance(node, nodes.Scenario):
        if any(isinstance(scene, nodes.Fails) for scene in node.scenes):
            return
        place = evolve(place, is_example=True)
    inner = _tied(node, place)
    name = _home(node)
    if name:
        inner = evolve(inner, homes=(*place.homes, name), label="")
    handler = _HANDLERS.get(type(node))
    yield from handler(node, inner) if handler else _parts(node, inner)


def _tied(node: nodes.Line, place: Place) -> Place:
    own = all_cites(node)
    place = evolve(place, line=node.span, nearest=own or place.nearest)
    if isinstance(node, _CONTAINERS):
        return evolve(place, far=own or place.far)
    return evolve(place, near=tuple(dict.fromkeys((*own, *place.near))))


def _home(node: nodes.Line) -> str:
    if isinstance(node, nodes.Players):
        return "players"
    if isinstance(node, nodes.Part):
        return node.word
    if isinstance(node, nodes.Neutrals):
        return "neutrals"
    named = nodes.Statement | nodes.Ruleset | nodes.Reading | nodes.Show | nodes.ShownAs | nodes.Parameter
    name = "" if isinstance(node, named) and not isinstance(node, nodes.Step) else getattr(node, "name", "")
    return str(name)


def _parts(node: Any, place: Place) -> Found:
    yield from words(node, place)
    for part in fields(type(node)):
        if part.name not in ("span", "margin"):
            yield from _value(getattr(node, part.name), place)


def _value(value: object, place: Place) -> Found:
    if isinstance(value, tuple):
        for item in value:
            yield from _value(item, place)
    elif isinstance(value, nodes.Line):
        yield from _line(value, place)
    elif isinstance(value, nodes.Body):
        yield from _value(value.statements, place)
    elif isinstance(value, nodes.Node):
        yield from expression(value, place)


def _about(name: str) -> Callable[[Any, Place], Found]:
    """A handler for lines whose numbers all are about the thing in the field `name`."""

    def handler(node: Any, place: Place) -> Found:
        value = getattr(node, name)
        label = str(value) if isinstance(value, str) else said(value)
        yield from _parts(node, evolve(place, label=label))

    return handler


def _change_by(node: nodes.ChangeBy, place: Place) -> Found:
    yield from _about("target")(node, evolve(place, sinks=node.verb == "lower"))


def _run(node: nodes.Run, place: Place) -> Found:
    """`do place(ann, 3)`: its numbers are about `place(ann)`, whatever they are."""
    call = node.call
    label = said(call)
    if isinstance(call, nodes.Call):
        names = [said(part) for part in call.args if isinstance(part, nodes.Word | nodes.Attribute)]
        label = said(call.function) + (f"({names[0]})" if names else "")
    yield from _parts(node, evolve(place, label=label))


def _bounded(node: Any, place: Place) -> Found:
    """Declarations with bounds: `least` and `most` of players, `low` and `high` of everything else."""
    names = ("least", "most") if isinstance(node, nodes.Players) else ("low", "high")
    bounds = getattr(node, "bounds", None)
    if bounds is not None:
        yield from ends(evolve(place, label=names[0]), bounds.low, None if bounds.high is None else ())
        yield from ends(evolve(place, label=names[1]), None, bounds.high)
    yield from _each(place, **{part: getattr(node, part, None) for part in ("starts", "at", "arrivals")})


def _each(place: Place, /, **parts: object) -> Found:
    """The numbers of parts of a line, each about what the part is called."""
    for label, value in parts.items():
        yield from _value(value, evolve(place, label=label))


def _capacity(node: nodes.Capacity, place: Place) -> Found:
    yield from _each(place, spaces=(node.spaces.low, node.spaces.high))
    yield from ends(evolve(place, label="hold"), None, node.hold)


def _group(node: nodes.PieceGroup, place: Place) -> Found:
    yield from written(str(node.count), evolve(place, label="count"), node.span)
    yield from _value(node.at, evolve(place, label="at"))


def _option(node: nodes.Option, place: Place) -> Found:
    if node.type is not None and isinstance(node.type.range, nodes.Reach):
        yield from ends(evolve(place, label="low"), node.type.range.low, ())
        yield from ends(evolve(place, label="high"), None, node.type.range.high)
    yield from _each(place, default=node.default, requires=(*node.readings, *node.guards))


def _member(node: nodes.Member, place: Place) -> Found:
    deck = place.homes[-1] if place.homes else str(node.kind)
    inner = evolve(place, homes=(*place.homes, f"{deck}[{node.key}]"))
    yield from written(node.key, evolve(inner, label="key"), node.span)
    yield from _each(inner, **{str(trait.name): trait.value for trait in node.traits if not is_look(trait.name)})
    yield from _value(node.body, inner)


def _deck(node: nodes.Deck, place: Place) -> Found:
    header = node.rows[0].cells if node.rows and isinstance(node.rows[0], nodes.Row) else ()
    for row in node.rows[1:]:
        if isinstance(row, nodes.Row):
            yield from _row(row, header, _tied(row, place), str(node.name))
        else:
            yield from _line(row, place)
    yield from _value(node.members, place)


def _row(row: nodes.Row, header: tuple[str, ...], place: Place, name: str) -> Found:
    inner = evolve(place, homes=(*place.homes, f"{name}[{row.cells[0]}]"))
    for index, (cell, column) in enumerate(zip(row.cells, header, strict=False)):
        for part in () if is_look(column) else NUMBER.findall(cell):
            yield from written(part, evolve(inner, label=column), row.cell(index))


def _if(node: nodes.If, place: Place) -> Found:
    """Arms that the default readings never take are marked; so are all after one that they always take."""
    for arm in node.arms:
        inner = _tied(arm, place)
        yield from tested(arm.test, inner)
        yield from _value(arm.body, under(arm.test, True, inner))
        place = under(arm.test, False, place)


def _way(node: nodes.Way, place: Place) -> Found:
    yield from tested(node.test, place)
    for part in NUMBER.findall(node.label):
        yield from written(part, evolve(place, label="label"), node.span)
    yield from _value(node.body, under(node.test, True, place))


def _change(node: nodes.Change, place: Place) -> Found:
    inner = evolve(place, homes=(*place.homes, str(node.target)))
    yield from tested(node.test, inner)
    yield from _value(node.body, under(node.test, True, inner))


_HANDLERS: dict[type, Callable[[Any, Place], Found]] = {
    nodes.Travel: _about("piece"),
    nodes.MoveTo: _about("thing"),
    nodes.MoveOnto: _about("thing"),
    nodes.ChangeBy: _change_by,
    nodes.Set: _about("target"),
    nodes.Let: _about("name"),
    nodes.Choose: _about("name"),
    nodes.Chance: _about("name"),
    nodes.Declassify: _about("name"),
    nodes.Dice: _about("name"),
    nodes.Different: _about("name"),
    nodes.Answer: _about("who"),
    nodes.Refuse: _about("who"),
    nodes.Offered: _about("who"),
    nodes.Happened: _about("event"),
    nodes.Run: _run,
    nodes.Use: _about("option"),
    nodes.Players: _bounded,
    nodes.Track: _bounded,
    nodes.Counter: _bounded,
    nodes.Piece: _bounded,
    nodes.PieceGroup: _group,
    nodes.Capacity: _capacity,
    nodes.SpaceColour: lambda *_: iter(()),
    nodes.SpaceGlyph: lambda *_: iter(()),
    nodes.Option: _option,
    nodes.Member: _member,
    nodes.Deck: _deck,
    nodes.If: _if,
    nodes.Way: _way,
    nodes.Change: _change,
}
