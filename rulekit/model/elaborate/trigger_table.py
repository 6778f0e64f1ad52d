"""Declarations `when NAME …` of which NAME is no piece: which counter or pile they wait for.

What they run is lowered with the other codes; where they are called is up to the lines that change the counter or
fill the pile (`model.lower.triggers`).
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.diagnostics import nearest
from rulekit.model import game as model
from rulekit.model.elaborate.code_table import Codes, bounds_of
from rulekit.model.resolve.symbol_table import Trigger, World
from rulekit.model.types import NUMBER, PLAYER, Parameter, thing
from rulekit.syntax import nodes


def declare(codes: Codes, flat: list[nodes.Declaration]) -> None:
    """Fills `world.triggers`, so that every line that is lowered later knows what it may fire."""
    for node in flat:
        if isinstance(node, nodes.When) and node.piece not in codes.world.places_of:
            found = _counter(codes.world, node) if node.piece not in codes.world.kinds else _pile(codes.world, node)
            if found is not None:
                _note(codes, found, node)


def bodies(codes: Codes) -> None:
    """Lowers what each of them runs, in the order of the file."""
    pairs = [(trigger, index) for index, found in codes.world.triggers.items() for trigger in found]
    for trigger, index in sorted(pairs, key=lambda pair: pair[0].code):
        node, declared = trigger.node, codes.world.variables[index]
        name = f"when {node.piece} {node.word}" + (f" {declared.name}" if declared.form == "pile" else "")
        codes.lower(trigger.code, name, list(_parameters(declared)), node, node.body)


def _note(codes: Codes, variable: int, node: nodes.When) -> None:
    world, spaces = codes.world, node.spaces
    if world.variables[variable].form == "pile":
        world.triggers.setdefault(variable, []).append(Trigger(node, codes.reserve()))
        return
    assert spaces is not None, node
    low, high = bounds_of(world, node, NUMBER)
    made = Trigger(node, codes.reserve(), low, high, spaces.open, high is None and not spaces.open)
    if node.word == "reaches" and (made.is_set or spaces.high is not None):
        hint = f"write one number, or `when {node.piece} enters …`"
        world.error("wrong-type", "a counter reaches a number", spaces.span, hint)
    world.triggers.setdefault(variable, []).append(made)


def _parameters(declared: model.Variable) -> Iterator[Parameter]:
    """What its body may name: the thing that came, and whose the counter or pile is."""
    if declared.form == "pile":
        yield Parameter(declared.type.element.kind, declared.type.element)
    if declared.owner:
        yield Parameter(declared.owner, PLAYER if declared.owner == "player" else thing(declared.owner))


def _counter(world: World, node: nodes.When) -> int | None:
    found = [index for (_, name), index in world.by_owner.items() if name == node.piece]
    if not found:
        counters = {variable.name for variable in world.variables if variable.form == "counter"}
        what, more = ("piece", set[str]()) if node.word == "lands" else ("piece, counter or kind of card", counters)
        world.unknown(node.piece, node.span, what, {*world.places_of, *more})
        return None
    if world.variables[found[0]].form != "counter" or node.word == "lands":
        hint = "a counter `reaches 5`, `enters 3..` or `leaves 1..`, a card `enters` a pile, only a piece `lands`"
        world.error("wrong-type", f"`{node.piece} {node.word}` never happens", node.span, hint)
        return None
    return _only(world, node, found)


def _pile(world: World, node: nodes.When) -> int | None:
    where = None if node.spaces is None else node.spaces.low
    name = where.name if isinstance(where, nodes.Word) else ""
    found = [index for (_, known), index in world.by_owner.items() if known == name]
    found = [index for index in found if world.variables[index].type.element.kind == node.piece]
    if node.word != "enters" or not found:
        piles = [one.name for one in world.variables if one.form == "pile" and one.type.element.kind == node.piece]
        hint = nearest(name, piles) or f"a {node.piece} enters a pile of {node.piece}s: `when {node.piece} enters hand`"
        world.error("wrong-type", f"`{node.piece} {node.word}{' ' * bool(name)}{name}` never happens", node.span, hint)
        return None
    return _only(world, node, found)


def _only(world: World, node: nodes.When, found: list[int]) -> int | None:
    """Of variables of one name that different things have, none can be meant alone."""
    if len(found) == 1:
        return found[0]
    name = world.variables[found[0]].name
    world.error("ambiguous-name", f"several things have a `{name}`", node.span, "give one of them another name")
    return None
