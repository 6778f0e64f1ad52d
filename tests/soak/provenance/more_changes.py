"""Changes of a clause's part that `mutation_operators` leaves out, as coming to the same as others or as no slip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from rulekit.model.declare.places import EDGE_WORDS, GRID_EDGE_WORDS
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.syntax.unparse_expr import written
from rulekit.tools.examples.mutation_operators import Located, rule_variants
from rulekit.tools.examples.mutation_variant import Constants, Variant, without

CHOICE = "choice replacement"
"""Another value of an option, also where somebody has chosen one."""


def every_variant(place: Located, constants: Constants) -> Iterator[Variant]:
    """All changes of a node of the rules."""
    if any(isinstance(line, nodes.Scenario | nodes.Invariant) for line in place.lines):
        return
    yield from rule_variants(place, constants)
    node = place.node
    if isinstance(node, nodes.Cited):
        yield from _forced(node)
        yield from _another(node)
        yield _one_fewer(node)
    elif isinstance(node, nodes.Choice):
        yield from _branches(node)
    elif isinstance(node, nodes.Ordered):
        yield from _keys(node)
    elif isinstance(node, nodes.Option):
        yield from _chosen(node)
    elif isinstance(node, nodes.Body):
        yield from _left_out(node)
    elif isinstance(node, nodes.Edge):
        for word in dict.fromkeys([*GRID_EDGE_WORDS, *EDGE_WORDS]):
            if word != node.word:
                yield Variant("edge replacement", node.word, word, evolve(node, word=word), node.span)
    elif isinstance(node, nodes.Amount):
        one = nodes.Number(1, span=node.span)
        less = nodes.Binary("-", node.low, one, span=node.span)
        yield Variant("constant replacement", written(node), f"{written(node)} - 1", evolve(node, low=less), node.span)
    elif isinstance(node, nodes.Stop | nodes.Next | nodes.Skip | nodes.End | nodes.Do):
        yield _never(node)
    elif isinstance(node, nodes.Choose | nodes.Chance):
        yield _settled(node)
    elif getattr(node, "seen", None) is not None:
        yield from _seen(node)


def _left_out(node: nodes.Body) -> Iterator[Variant]:
    """Lines with a clause of their own around one line: leaving out either comes to the same, but for their clauses."""
    for index, line in enumerate(node.statements):
        if cites(line) and isinstance(line, nodes.If | nodes.Each | nodes.Step):
            rest = without(node.statements, index)
            yield Variant("statement deletion", written(line), "", rest, line.span, ("statements",), (line,))


def _never(line: nodes.Statement) -> Variant:
    """As left out, where other lines say that it may come to this."""
    no = nodes.Flag(False, span=line.span)
    inside = nodes.Body((evolve(line, margin=nodes.EMPTY),), inline=True, span=line.span)
    guarded = nodes.If((nodes.Arm(no, inside, span=line.span),), margin=line.margin, span=line.span)
    return Variant("statement deletion", written(line), f"if no: {written(line)}", guarded, line.span)


def _seen(line: Any) -> Iterator[Variant]:
    """Seen by everybody, or by nobody, whatever was said of it."""
    old, span = written(line.seen), line.seen.span
    for new in (None, nodes.Seen("by", "nobody", span=span)):
        text = "" if new is None else written(new)
        if text != old:
            yield Variant("visibility replacement", old, text, evolve(line, seen=new), span)


def _settled(line: nodes.Choose | nodes.Chance) -> Variant:
    """Nobody chooses, nothing falls: it is the first that there is, or all."""
    value = line.source if line.amount is not None else nodes.Unary("first", line.source, span=line.span)
    let = nodes.Let(line.name, value, margin=line.margin, span=line.span)
    return Variant("statement deletion", written(line), written(let), let, line.span)


# ---------------------------------------------------------------- cited parts of lines


def _forced(node: nodes.Cited) -> Iterator[Variant]:
    for value in (True, False):
        forced = evolve(node, of=nodes.Flag(value, span=node.span))
        yield Variant("condition forced", written(node.of), "yes" if value else "no", forced, node.span)


def _another(node: nodes.Cited) -> Iterator[Variant]:
    """Another player, or another way, where it is one."""
    for family in ("players", "orthogonals"):
        others = nodes.Except(nodes.Word(family, span=node.span), node.of, span=node.span)
        other = nodes.Unary("first", others, span=node.span)
        changed = evolve(node, of=other)
        yield Variant("member replacement", written(node.of), written(other), changed, node.span)


def _one_fewer(node: nodes.Cited) -> Variant:
    """All but the first, where it is a set."""
    first = nodes.Unary("first", node.of, span=node.span)
    rest = nodes.Except(node.of, first, span=node.span)
    return Variant("element deletion", written(node.of), written(rest), evolve(node, of=rest), node.span)


def _branches(node: nodes.Choice) -> Iterator[Variant]:
    """A cited branch that is the other one."""
    for name, branch, other in (("then", node.then, node.other), ("other", node.other, node.then)):
        if isinstance(branch, nodes.Cited):
            yield Variant("branch replacement", written(branch), written(other), other, branch.span, (name,), (branch,))


def _keys(node: nodes.Ordered) -> Iterator[Variant]:
    """A cited key the other way round, or left out."""
    for at, key in enumerate(node.keys):
        if not isinstance(key.value, nodes.Cited):
            continue
        other = "lowest" if key.ranking == "highest" else "highest"
        turned = (*node.keys[:at], evolve(key, ranking=other), *node.keys[at + 1 :])
        changed = [(other, turned)] if len(node.keys) == 1 else [(other, turned), ("", without(node.keys, at))]
        for new, keys in changed:
            yield Variant("order replacement", written(key.value), new, keys, key.value.span, ("keys",), (key.value,))


# ---------------------------------------------------------------- options


def _chosen(node: nodes.Option) -> Iterator[Variant]:
    """Every value that it can have, if these are few; whoever asks for one plays without what was agreed."""
    lines = (node, *node.readings)
    for at, reading in enumerate(node.readings):
        readings = tuple(evolve(each, default=index == at) for index, each in enumerate(node.readings))
        yield Variant(CHOICE, node.name, reading.name, readings, node.span, ("readings",), lines)
    if isinstance(node.default, nodes.Flag):
        for value in (True, False):
            default = evolve(node.default, value=value)
            yield Variant(CHOICE, node.name, "yes" if value else "no", default, node.span, ("default",), lines)
