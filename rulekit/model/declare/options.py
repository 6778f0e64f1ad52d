"""Options and open readings: their values, defaults and conditions."""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.resolve import type_inference
from rulekit.model.resolve.constants import bounds, constant
from rulekit.model.resolve.symbol_table import Scope, World
from rulekit.model.types import FLAG, NUMBER, UNKNOWN, Type, set_of
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.values import evolve


def declare_option(world: World, node: nodes.Option) -> None:
    kind, low, high = _option_type(world, node)
    _once(world, [(reading.name, reading.span) for reading in node.readings], f"among the readings of `{node.name}`")
    readings = tuple((reading.name, reading.text) for reading in node.readings)
    default: x.Value = 0
    if node.readings:
        marked = [i for i, reading in enumerate(node.readings) if reading.default]
        if len(marked) != 1:
            world.error("no-default", f"`{node.name}` needs one reading marked `default`, not {len(marked)}", node.span)
        default = marked[0] if marked else 0
    elif node.default is not None:
        default = constant(world, type_inference.expect(Scope(world), node.default, kind), node.default.span)
        check_choice(world, node.name, kind, (low, high), default, node.default.span)
    elif node.type is None:
        world.error("no-readings", f"`{node.name}` has neither readings nor a type", node.span)
    world.options.append(
        model.Option(
            name=node.name,
            text=node.text,
            unclear=node.word == "unclear",
            type=kind,
            readings=readings,
            low=low,
            high=high or 0,
            default=default,
            tied=_tied(node),
            cites=(*cites(node), *_of_all(node)),
            span=node.span,
        )
    )


def _of_all(node: nodes.Option) -> tuple[str, ...]:
    """What stands above the first reading alone speaks of all of them."""
    above = [any(isinstance(line, nodes.Clause) for line in reading.margin.above) for reading in node.readings]
    if not above or not above[0] or any(above[1:]):
        return ()
    behind = {cite.id for cite in node.readings[0].margin.cites}
    return tuple(clause for clause in cites(node.readings[0]) if clause not in behind)


def _tied(node: nodes.Option) -> tuple[tuple[str, ...], ...]:
    """The clauses of each reading alone."""
    shared = _of_all(node)
    return tuple(tuple(clause for clause in cites(reading) if clause not in shared) for reading in node.readings)


def _option_type(world: World, node: nodes.Option) -> tuple[Type, int, int | None]:
    if node.type is None:
        return (Type("reading", kind=node.name) if node.readings else UNKNOWN), 0, 0
    if node.type.kind == "flag":
        return FLAG, 0, 0
    low, high = _option_range(world, node.type)
    return (NUMBER if node.type.kind == "number" else set_of(NUMBER)), low, high


def _option_range(world: World, node: nodes.OptionType) -> tuple[int, int | None]:
    if isinstance(node.range, nodes.Reach):
        return bounds(world, nodes.Bounds(node.range.low, node.range.high, span=node.range.span), "an option's values")
    world.error("not-a-literal", "an option's values are a range such as 1..8", node.span)
    return 0, None


def check_choice(
    world: World, name: str, kind: Type, within: tuple[int, int | None], value: x.Value, span: Span
) -> None:
    """Adds `out-of-bounds` for a number, or one in a set, that the option does not have."""
    low, high = within
    numbers = value if isinstance(value, tuple) else (value,)
    if (kind if not kind.is_set else kind.element) != NUMBER or high is None or high < low:
        return
    for number in numbers:
        if isinstance(number, int) and not low <= number <= high:
            world.error("out-of-bounds", f"`{name}` takes {low}..{high}, not {number}", span)


def _once(world: World, names: list[tuple[str, Span]], where: str) -> None:
    """Adds `duplicate` for every name after its first."""
    seen: set[str] = set()
    for name, span in names:
        if name in seen:
            world.error("duplicate", f"`{name}` stands twice {where}", span)
        seen.add(name)


def declare_guards(world: World, node: nodes.Option) -> None:
    """`requires` and `conflicts`: conditions on the options and the number of players."""
    index = world.option_index(node.name)
    assert index is not None, node.name
    option = world.options[index]
    guards = tuple(_guard(world, guard, option) for guard in node.guards)
    world.options[index] = evolve(option, guards=guards)


def _guard(world: World, node: nodes.Guard, option: model.Option) -> model.Guard:
    test = type_inference.expect(Scope(world), node.test, FLAG)
    return model.Guard(node.word == "conflicts", test, cites=cites(node) or option.cites, span=node.test.span)


def option_choice(world: World, use: nodes.Use) -> tuple[str, x.Value] | None:
    """`use option is value`, checked."""
    index = world.option_index(use.option)
    if index is None:
        world.unknown(use.option, use.span, "option", {option.name for option in world.options})
        return None
    option = world.options[index]
    value = constant(world, type_inference.expect(Scope(world), use.value, option.type), use.value.span)
    check_choice(world, option.name, option.type, (option.low, option.high), value, use.value.span)
    return use.option, value
