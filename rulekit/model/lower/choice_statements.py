"""Lowering of decisions and chance: who chooses from what, draws, deals and shuffles."""

from __future__ import annotations

import re

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.lower import triggers
from rulekit.model.lower.change_statements import is_laid_on, known_pile
from rulekit.model.lower.code_builder import LOWER, Label, Lowering
from rulekit.model.resolve import type_inference
from rulekit.model.types import NUMBER, PLAYER, fits
from rulekit.source import PLACEHOLDER, Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.syntax.unparse_expr import written

_MEANT = re.compile(r"\{[a-z][a-z0-9_]*([. ][a-z0-9_]+)*\}")
"""What somebody wrote who meant a value: names with something behind them in braces; other braces stay as they are."""


def _choose(low: Lowering, node: nodes.Choose) -> None:
    who = type_inference.expect(low.scope, node.who, PLAYER)
    options = type_inference.expect_set(low.scope, node.source)
    least, most = _amount(low, node.amount)
    kind = options.type if node.amount is not None else options.type.element
    if node.amount is not None and node.manner == "may":
        low.error("may-amount", "`may` and a number of things do not go together", node.span, "write `chooses 0..n`")
    name, values = node.name, _named_in_braces(low, (_prompted(node), node.prompt))
    local = low.bind(name, kind, node.span)
    if node.manner == "may" and kind.is_set:
        low.scope.declinable.add(local)
    low.emit(
        ops.Ask(
            local, name, who, options.expr, least, most, node.manner,
            node.secretly, node.prompt or "", kind, values=values,
        )
    )  # fmt: skip


def _named_in_braces(low: Lowering, *texts: tuple[Span, str | None]) -> tuple[tuple[str, x.Expr, object], ...]:
    """The values that texts name in braces, as in "pay {price} coins"; each once.  texts: with what they begin."""
    names: dict[str, Span] = {}
    for span, text in texts:
        for meant in _MEANT.finditer(PLACEHOLDER.sub("", text or "")):
            hint = "only a name stands in braces: `let price be …`, then `{price}`"
            low.error("wrong-type", f"`{meant[0]}` is more than a name", span, hint)
        names = {found[1]: _inside(span, found) for found in PLACEHOLDER.finditer(text or "")} | names
    found = [(name, type_inference.infer(low.scope, nodes.Word(name, span=span))) for name, span in names.items()]
    return tuple((name, value.expr, value.type) for name, value in found)


def _amount(low: Lowering, amount: nodes.Amount | None) -> tuple[x.Expr | None, x.Expr | None]:
    if amount is None:
        return None, None
    if isinstance(amount.low, nodes.Reach):
        return low.number(amount.low.low), low.number(amount.low.high)
    least = low.number(amount.low)
    return least, least if amount.high is None else low.number(amount.high)


def _prompted(node: nodes.Choose | nodes.Ways) -> Span:
    """Where the text of a question stands, which is the last of its line."""
    span, length = node.span, len(f'"{node.prompt}"')
    return Span(span.source, span.end_line, span.end_column - length, span.end_line, span.end_column)


def _inside(span: Span, name: re.Match[str]) -> Span:
    """Where a name in braces stands in the text with which a stretch begins."""
    column = span.column + 1 + name.start(1)
    return Span(span.source, span.line, column, span.line, column + len(name[1]))


def _ways(low: Lowering, node: nodes.Ways) -> None:
    who = type_inference.expect(low.scope, node.who, PLAYER)
    labels = [way.label for way in node.ways]
    for label in {label for label in labels if labels.count(label) > 1}:
        low.error("duplicate", f'"{label}" stands twice in this choice', node.span)
    ways = tuple((way.label, None if way.test is None else low.flag(way.test), -1) for way in node.ways)
    starts = [Label() for _ in ways]
    low.world.ways |= {label for label, _, _ in ways}
    tied = tuple(cites(way) for way in node.ways)
    values = _named_in_braces(low, (_prompted(node), node.prompt), *((way.span, way.label) for way in node.ways))
    op = ops.AskWay(who, ways, node.secretly, node.prompt or "", values=values, manner=node.manner, tied=tied)
    low.emit(op, **{f"way{number}": label for number, label in enumerate(starts)})
    end = Label()
    for way, start in zip(node.ways, starts, strict=True):
        low.here(start)
        if way.body is not None:
            with low.line(cites(way)):
                low.body(way.body)
        low.emit(ops.Jump(-1), to=end)
    low.here(end)


def _only_if(low: Lowering, node: nodes.OnlyIf) -> None:
    low.emit(ops.OnlyIf(low.flag(node.test)))


def _chance(low: Lowering, node: nodes.Chance) -> None:
    if node.verb == "roll" and node.amount is not None:
        line = (node.amount, node.name, node.source)
        same, different = written(nodes.Dice(*line)), written(nodes.Different(*line))
        hint = f"write `{same}` for dice that may be equal, or `{different}` for faces of which no two are"
        low.error("dice", "this does not say whether the dice may be equal", node.span, hint)
    _drawn(low, node, node.verb)


def _dice(low: Lowering, node: nodes.Dice) -> None:
    _drawn(low, node, "roll", replaced=True)


def _different(low: Lowering, node: nodes.Different) -> None:
    _drawn(low, node, "roll")


def _until(low: Lowering, node: nodes.Until) -> None:
    """To roll again until a face will do comes to rolling among those that will."""
    faces = nodes.Filter(nodes.Naming(node.source, node.name, span=node.source.span), node.test, False, span=node.span)
    _drawn(low, nodes.Chance("roll", None, node.name, faces, span=node.span), "roll")


def _drawn(low: Lowering, node: nodes.Chance | nodes.Dice | nodes.Different, verb: str, replaced: bool = False) -> None:
    low.not_secretly(node.span, f"`{verb}`")
    source = type_inference.expect_set(low.scope, node.source)
    amount, _ = _amount(low, node.amount)
    kind = source.type if node.amount is not None else source.type.element
    stream = _stream(node.source)
    local = low.bind(node.name, kind, node.span)
    low.emit(ops.Draw(verb, local, node.name, source.expr, amount, stream, kind, replaced))


def _stream(node: nodes.Expr) -> str:
    """The stream of chance is named by the pile, die or set that is drawn from."""
    while not isinstance(node, nodes.Word | nodes.Attribute):
        inner = getattr(node, "of", None) or getattr(node, "then", None)
        if inner is None:
            return "set"
        node = inner
    return node.name


def _deal(low: Lowering, node: nodes.Deal) -> None:
    low.not_secretly(node.span, "`deal`")
    source = type_inference.expect_set(low.scope, node.source)
    to = known_pile(low, node.to, "things are dealt to a pile")
    amount = low.number(node.amount)
    if to is None:
        return
    holds = low.world.variables[to.variable].type
    if not fits(source.type, holds):
        title = f"this pile holds {holds.element.kind}s, and this is {source.type}"
        low.error("wrong-type", title, node.source.span)
    triggers.filled(low, ops.Deal(amount, source.expr, to, _stream(node.source)))


def _deal_from(low: Lowering, node: nodes.DealFrom) -> None:
    """One after the other, so that no more of a shuffled order is decided than is dealt."""
    source = known_pile(low, node.source, "only a pile has a top and a bottom")
    to = known_pile(low, node.to, "things are dealt to a pile")
    amount = low.number(node.amount)
    if source is None or to is None:
        return
    kinds = low.world.variables[source.variable].type, low.world.variables[to.variable].type
    if not fits(*kinds):
        low.error("wrong-type", f"this pile holds {kinds[1].element.kind}s, not {kinds[0]}", node.source.span)
    is_last = (node.end == "bottom") != is_laid_on(low, source)
    _deal_one_by_one(low, x.Stored(source.variable, source.of, span=node.source.span), to, amount, is_last)


def _deal_one_by_one(low: Lowering, pile: x.Stored, to: ops.Target, amount: x.Expr, is_last: bool) -> None:
    low.scope.blocks.append({})
    numbers = x.Interval(x.Const(1), amount, span=low.span or pile.span)
    items, position, number = (low.scope.bind(f"dealt {name}", NUMBER) for name in ("items", "position", "number"))
    low.emit(ops.EachStart(items, position, numbers))
    again, leave = len(low.made), Label()
    low.emit(ops.EachNext(items, position, number, -1, "dealt", NUMBER), exit=leave)
    low.emit(ops.Unless(x.Some(pile, negate=False, span=pile.span), -1), to=leave)
    triggers.filled(low, ops.MoveToPile(x.End(pile, is_last, span=pile.span), to, many=False, dealt=True))
    low.emit(ops.Jump(again))
    low.here(leave)
    low.scope.blocks.pop()


def _shuffle(low: Lowering, node: nodes.Shuffle) -> None:
    low.not_secretly(node.span, "`shuffle`")
    pile = known_pile(low, node.pile, "only a pile can be shuffled")
    if pile is not None:
        low.emit(ops.Shuffle(pile))


LOWER.update(
    {
        nodes.Shuffle: _shuffle,
        nodes.Deal: _deal,
        nodes.DealFrom: _deal_from,
        nodes.Chance: _chance,
        nodes.Dice: _dice,
        nodes.Different: _different,
        nodes.Until: _until,
        nodes.OnlyIf: _only_if,
        nodes.Choose: _choose,
        nodes.Ways: _ways,
    }
)
