"""Bodies to flat operations: structure becomes jumps, names become places.

One `Lowering` makes one code.  `before`, `after` and `instead of` are woven
in where the step or action stands that they change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, evolve, field, frozen

from rulekit.model import declare, infer, names, ops
from rulekit.model import expr as x
from rulekit.model.attributes import space_type
from rulekit.model.pictures import placed
from rulekit.model.types import DIRECTION, FLAG, NUMBER, OFFSET, PLAYER, UNKNOWN, Type, fits, set_of, thing
from rulekit.model.world import Scope, Typed, World
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.walk import cites


@define
class _Label:
    """A place in the code that is not known yet."""

    at: int = -1


@frozen
class _Loop:
    name: str
    again: int
    leave: _Label
    secret_depth: int


@frozen
class CallSite:
    """A call, for the checks over all codes: who calls, what, and what the author says it may stop."""

    caller: int
    code: int | None
    kind: str | None
    may_stop: str | None
    span: Span


@define(eq=False)
class Tally:
    """What lowering finds out about all codes together."""

    calls: list[CallSite] = field(factory=list)
    stops: dict[int, set[int]] = field(factory=dict)
    skips: list[tuple[int, str, Span]] = field(factory=list)
    steps: dict[int, set[str]] = field(factory=dict)
    changes: list[nodes.Change] = field(factory=list)
    changed: set[str] = field(factory=set)
    conflicts: list[tuple[nodes.Change, nodes.Change]] = field(factory=list)


@define(eq=False)
class Lowering:
    """The code under construction."""

    world: World
    tally: Tally
    index: int
    name: str
    scope: Scope
    made: list[ops.Op] = field(factory=list)
    scopes: list[tuple[int, ...]] = field(factory=list)
    labels: list[tuple[int, str, _Label]] = field(factory=list)
    cites: list[tuple[str, ...]] = field(factory=list)
    loops: list[_Loop] = field(factory=list)
    steps: set[str] = field(factory=set)
    originals: list[tuple[str, nodes.Body]] = field(factory=list)
    secret: int = 0
    span: Span | None = None

    # ------------------------------------------------------------ building

    def emit(self, op: ops.Op, **labels: _Label) -> int:
        """Add an operation.  Its scope leaves out the local that it is about to bind."""
        at = len(self.made)
        binds = op.local if isinstance(op, ops.Ask | ops.Draw | ops.Let) else None
        cites = tuple(dict.fromkeys(cite for level in reversed(self.cites) for cite in level))
        self.made.append(evolve(op, cites=cites, span=self.span or op.span))
        self.scopes.append(tuple(index for index in self.scope.in_force() if index != binds))
        self.labels += [(at, name, label) for name, label in labels.items()]
        return at

    def here(self, label: _Label) -> None:
        label.at = len(self.made)

    def finish(self, parameters: int, span: Span, cites: tuple[str, ...]) -> ops.Code:
        self.emit(ops.Return())
        for at, name, label in self.labels:
            assert label.at >= 0, (self.name, at, name)
            self.made[at] = _with_label(self.made[at], name, label.at)
        only_if = any(isinstance(op, ops.OnlyIf) for op in self.made)
        self.tally.steps[self.index] = self.steps
        return ops.Code(
            self.name, parameters, self.scope.count, tuple(self.made), tuple(self.scopes), frozenset(self.steps),
            only_if, span, cites,
        )  # fmt: skip

    def body(self, body: nodes.Body) -> None:
        self.scope.blocks.append({})
        for statement in body.statements:
            self.statement(statement)
        self.scope.blocks.pop()

    def statement(self, node: nodes.Statement) -> None:
        before = self.span
        self.span = node.span
        self.cites.append(cites(node))
        _LOWER[type(node)](self, node)
        self.cites.pop()
        self.span = before

    def error(self, code: str, title: str, span: Span, hint: str = "") -> None:
        self.world.error(code, title, span, hint)

    def bind(self, name: str, kind: Type, span: Span) -> int:
        if self.scope.local(name) is not None:
            self.error("shadowed-name", f"`{name}` is already something else here", span, "give it another name")
        return self.scope.bind(name, kind)

    def flag(self, node: nodes.Expr) -> x.Expr:
        return infer.expect(self.scope, node, FLAG)

    def number(self, node: nodes.Expr) -> x.Expr:
        return infer.expect(self.scope, node, NUMBER)


def _with_label(op: ops.Op, name: str, at: int) -> ops.Op:
    if isinstance(op, ops.AskWay):
        number = int(name.removeprefix("way"))
        ways = list(op.ways)
        ways[number] = (ways[number][0], ways[number][1], at)
        return evolve(op, ways=tuple(ways))
    if isinstance(op, ops.Jump | ops.Unless):
        return evolve(op, to=at)
    if isinstance(op, ops.EachNext):
        return evolve(op, exit=at)
    assert isinstance(op, ops.EnterStep | ops.SecretStart), op
    return evolve(op, end=at)


# ---------------------------------------------------------------- flow


def _let(low: Lowering, node: nodes.Let) -> None:
    typed = infer.infer(low.scope, node.value)
    low.emit(ops.Let(low.bind(node.name, typed.type, node.span), typed.expr))


def _if(low: Lowering, node: nodes.If) -> None:
    end = _Label()
    for number, arm in enumerate(node.arms):
        after = _Label()
        low.cites.append(cites(arm))
        if arm.test is not None:
            low.emit(ops.Unless(low.flag(arm.test), -1), to=after)
        low.body(arm.body)
        low.cites.pop()
        if number < len(node.arms) - 1:
            low.emit(ops.Jump(-1), to=end)
        low.here(after)
    low.here(end)


def _each(low: Lowering, node: nodes.Each) -> None:
    over = _each_set(low, node)
    if node.secretly:
        _secret(low, node, over)
        return
    low.scope.blocks.append({})
    items = low.scope.bind(f"{node.name} items", over.type)
    position = low.scope.bind(f"{node.name} position", NUMBER)
    element = low.bind(node.name, over.type.element, node.span)
    low.emit(ops.EachStart(items, position, over.expr))
    exit_, again = _Label(), len(low.made)
    low.emit(ops.EachNext(items, position, element, -1), exit=exit_)
    _loop_body(low, node.name, node.body, again, exit_)
    low.scope.blocks.pop()


def _loop_body(low: Lowering, name: str, body: nodes.Body, again: int, leave: _Label) -> None:
    low.loops.append(_Loop(name, again, leave, low.secret))
    low.body(body)
    low.loops.pop()
    low.emit(ops.Jump(again))
    low.here(leave)


def _each_set(low: Lowering, node: nodes.Each) -> Typed:
    if node.over is not None:
        return infer.expect_set(low.scope, node.over)
    if node.name == "player":
        return Typed(x.Seats("players", span=node.span), set_of(PLAYER))
    if node.name in low.world.kinds:
        low.world.used.add(node.name)
        return Typed(x.AllOf(node.name, span=node.span), set_of(thing(node.name)))
    hint = f"say of what: `each {node.name} in …`"
    low.error("unknown-name", f"there is no kind called `{node.name}`", node.span, hint)
    return Typed(x.Const((), span=node.span), set_of(UNKNOWN))


def _secret(low: Lowering, node: nodes.Each, over: Typed) -> None:
    if low.secret:
        low.error("secret", "`secretly each` cannot stand inside another", node.span)
    if not fits(over.type.element, PLAYER):
        low.error("wrong-type", f"only players can do something secretly, not {over.type.element}", node.span)
    low.scope.blocks.append({})
    local = low.bind(node.name, PLAYER, node.span)
    end = _Label()
    low.emit(ops.SecretStart(over.expr, local, -1), end=end)
    low.secret += 1
    exit_ = _Label()
    low.loops.append(_Loop(node.name, -1, exit_, low.secret))
    low.body(node.body)
    low.loops.pop()
    low.secret -= 1
    low.here(exit_)
    low.emit(ops.SecretEnd())
    low.here(end)
    low.scope.blocks.pop()


def _while(low: Lowering, node: nodes.While) -> None:
    again, leave = len(low.made), _Label()
    low.emit(ops.Unless(low.flag(node.test), -1), to=leave)
    _loop_body(low, "while", node.body, again, leave)


def _repeat(low: Lowering, node: nodes.Repeat) -> None:
    _loop_body(low, "repeat", node.body, len(low.made), _Label())


def _step(low: Lowering, node: nodes.Step) -> None:
    low.world.used.add(f"step {node.name}")
    low.steps.add(node.name)
    end = _Label()
    low.emit(ops.EnterStep(node.name, -1), end=end)
    woven(low, node.name, node.body)
    low.here(end)


def woven(low: Lowering, name: str, body: nodes.Body) -> None:
    """The body with what `before`, `after` and `instead of` say about it."""
    mine = [change for change in low.tally.changes if change.target == name]
    low.tally.changed.update(change.target for change in mine)
    low.originals.append((name, body))
    for change in (c for c in mine if c.word == "before"):
        _changed(low, change)
    end = _Label()
    for change in (c for c in mine if c.word == "instead"):
        after = _Label()
        if change.test is not None:
            low.emit(ops.Unless(low.flag(change.test), -1), to=after)
        _changed(low, evolve(change, test=None))
        low.emit(ops.Jump(-1), to=end)
        low.here(after)
    _check_instead(low, [c for c in mine if c.word == "instead"])
    low.body(body)
    low.here(end)
    for change in (c for c in mine if c.word == "after"):
        _changed(low, change)
    low.originals.pop()


def _check_instead(low: Lowering, changes: list[nodes.Change]) -> None:
    """Two replacements that may both hold clash: order would decide in silence."""
    for number, first in enumerate(changes):
        for second in changes[number + 1 :]:
            if first.test is None or second.test is None or not _apart(first.test, second.test):
                low.tally.conflicts.append((first, second))


def _apart(a: nodes.Expr, b: nodes.Expr) -> bool:
    """Whether two conditions plainly exclude each other: one thing compared with two values, or a negation."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, nodes.Unary) and one.op == "not" and one.of == other:
            return True
    if not (isinstance(a, nodes.Binary) and isinstance(b, nodes.Binary) and a.left == b.left):
        return False
    if a.op == b.op == "is":
        return a.right != b.right
    return {a.op, b.op} == {"is", "is not"} and a.right == b.right


def _changed(low: Lowering, change: nodes.Change) -> None:
    skip = _Label()
    low.cites.append(cites(change))
    if change.test is not None:
        low.emit(ops.Unless(low.flag(change.test), -1), to=skip)
    low.body(change.body)
    low.here(skip)
    low.cites.pop()


def _do(low: Lowering, node: nodes.Do) -> None:
    if node.owner is not None:
        _perform(low, node)
        return
    call = node.call
    name = call.function.name if isinstance(call, nodes.Call) and isinstance(call.function, nodes.Word) else None
    name = call.name if isinstance(call, nodes.Word) else name
    original = next((body for own, body in reversed(low.originals) if own == name), None)
    if original is not None and name is not None:
        kept, low.originals = low.originals, [pair for pair in low.originals if pair[0] != name]
        low.body(original)
        low.originals = kept
        return
    if name is None or name not in low.world.actions:
        _no_action(low, call, name)
        return
    low.world.used.add(name)
    args = call.args if isinstance(call, nodes.Call) else ()
    values = infer.arguments(low.scope, low.world.actions[name].parameters, args, name, call.span)
    code = low.world.code_ids[name]
    low.tally.calls.append(CallSite(low.index, code, None, node.may_stop, node.span))
    low.emit(ops.Call(code, values))


def _no_action(low: Lowering, call: nodes.Expr, name: str | None) -> None:
    word = nodes.Word(name or "", span=call.span)
    value = names.named(low.scope, word) if name is not None else infer.infer(low.scope, call)
    if value is None:
        low.world.unknown(name or "", call.span, "action", set(low.world.actions))
    elif value.type != UNKNOWN:
        hint = "`do thing for player` runs what a card, space or word does"
        low.error("not-a-word", f"only an action can be done, and this is {value.type}", call.span, hint)


def _perform(low: Lowering, node: nodes.Do) -> None:
    typed = infer.infer(low.scope, node.call)
    assert node.owner is not None
    owner = infer.expect(low.scope, node.owner, PLAYER)
    if typed.type.name not in ("thing", "unknown"):
        low.error("wrong-type", f"a card, space or word is needed here, but this is {typed.type}", node.call.span)
        return
    low.tally.calls.append(CallSite(low.index, None, typed.type.kind, node.may_stop, node.span))
    low.emit(ops.Perform(typed.expr, owner))


def _skip(low: Lowering, node: nodes.Skip) -> None:
    low.tally.skips.append((low.index, node.step, node.span))
    low.emit(ops.Skip(node.step))


def _stop(low: Lowering, node: nodes.Stop) -> None:
    loop = next((loop for loop in reversed(low.loops) if loop.name == node.what), None)
    if loop is not None:
        _leave(low, loop, node.span)
        low.emit(ops.Jump(-1), to=loop.leave)
    elif node.what == low.name:
        if low.secret:
            low.error("secret", "a `secretly each` block cannot be left from inside", node.span)
        low.emit(ops.Return())
    elif node.what in low.world.code_ids:
        if low.secret:
            low.error("secret", "a `secretly each` block cannot be left from inside", node.span)
        target = low.world.code_ids[node.what]
        low.tally.stops.setdefault(low.index, set()).add(target)
        low.emit(ops.StopCode(target))
    else:
        names = {loop.name for loop in low.loops} | set(low.world.code_ids) | {low.name}
        low.world.unknown(node.what, node.span, "loop or action to stop", names)


def _next(low: Lowering, node: nodes.Next) -> None:
    loop = next((loop for loop in reversed(low.loops) if loop.name == node.what), None)
    if loop is None:
        names = {loop.name for loop in low.loops}
        low.world.unknown(node.what, node.span, "loop around this line", names)
        return
    _leave(low, loop, node.span)
    if loop.again < 0:
        low.emit(ops.Jump(-1), to=loop.leave)
    else:
        low.emit(ops.Jump(loop.again))


def _leave(low: Lowering, loop: _Loop, span: Span) -> None:
    if loop.secret_depth != low.secret:
        low.error("secret", "a `secretly each` block cannot be left from inside", span)


def _end(low: Lowering, node: nodes.End) -> None:
    if low.secret:
        low.error("secret", "the game cannot end inside `secretly each`", node.span)
    low.emit(ops.EndGame())


# ---------------------------------------------------------------- decisions and chance


def _choose(low: Lowering, node: nodes.Choose) -> None:
    who = infer.expect(low.scope, node.who, PLAYER)
    options = infer.expect_set(low.scope, node.source)
    least, most = _amount(low, node.amount)
    kind = options.type if node.amount is not None else options.type.element
    if node.amount is not None and node.manner == "may":
        low.error("may-amount", "`may` and a number of things do not go together", node.span, "write `chooses 0..n`")
    name = node.name
    low.emit(
        ops.Ask(
            low.bind(name, kind, node.span), name, who, options.expr, least, most, node.manner,
            node.secretly, node.prompt or "", kind,
        )
    )  # fmt: skip


def _amount(low: Lowering, amount: nodes.Amount | None) -> tuple[x.Expr | None, x.Expr | None]:
    if amount is None:
        return None, None
    if isinstance(amount.low, nodes.Reach):
        return low.number(amount.low.low), low.number(amount.low.high)
    least = low.number(amount.low)
    if amount.is_open and amount.high is None:
        return least, x.Const(10**9)
    return least, least if amount.high is None else low.number(amount.high)


def _ways(low: Lowering, node: nodes.Ways) -> None:
    who = infer.expect(low.scope, node.who, PLAYER)
    labels = [way.label for way in node.ways]
    for label in {label for label in labels if labels.count(label) > 1}:
        low.error("duplicate", f'"{label}" stands twice in this choice', node.span)
    ways = tuple((way.label, None if way.test is None else low.flag(way.test), -1) for way in node.ways)
    starts = [_Label() for _ in ways]
    op = ops.AskWay(who, ways, node.secretly, node.prompt or "")
    low.emit(op, **{f"way{number}": label for number, label in enumerate(starts)})
    end = _Label()
    for way, start in zip(node.ways, starts, strict=True):
        low.here(start)
        low.cites.append(cites(way))
        low.body(way.body)
        low.cites.pop()
        low.emit(ops.Jump(-1), to=end)
    low.here(end)


def _only_if(low: Lowering, node: nodes.OnlyIf) -> None:
    low.emit(ops.OnlyIf(low.flag(node.test)))


def _chance(low: Lowering, node: nodes.Chance) -> None:
    _no_secret(low, node.span, f"`{node.verb}`")
    source = infer.expect_set(low.scope, node.source)
    amount, _ = _amount(low, node.amount)
    kind = source.type if node.amount is not None else source.type.element
    stream = _stream(node.source)
    local = low.bind(node.name, kind, node.span)
    low.emit(ops.Draw(node.verb, local, node.name, source.expr, amount, stream, kind))


def _no_secret(low: Lowering, span: Span, what: str) -> None:
    if low.secret:
        low.error("secret", f"{what} cannot stand inside `secretly each`", span)


def _stream(node: nodes.Expr) -> str:
    """The stream of chance is named by the pile, die or set that is drawn from."""
    while not isinstance(node, nodes.Word | nodes.Attribute):
        inner = getattr(node, "of", None) or getattr(node, "then", None)
        if inner is None:
            return "set"
        node = inner
    return node.name


def _deal(low: Lowering, node: nodes.Deal) -> None:
    _no_secret(low, node.span, "`deal`")
    source = infer.expect_set(low.scope, node.source)
    to = _known_pile(low, node.to, "things are dealt to a pile")
    amount = low.number(node.amount)
    if to is None:
        return
    holds = low.world.variables[to.variable].type
    if not fits(source.type, holds):
        title = f"this pile holds {holds.element.kind}s, and this is {source.type}"
        low.error("wrong-type", title, node.source.span)
    low.emit(ops.Deal(amount, source.expr, to, _stream(node.source)))


def _known_pile(low: Lowering, node: nodes.Expr, title: str) -> ops.Target | None:
    """The pile that must stand here; adds `not-a-pile`, but not for a word that means nothing at all."""
    pile = _pile(low, node)
    if pile is None and infer.infer(low.scope, node).type != UNKNOWN:
        low.error("not-a-pile", title, node.span)
    return pile


def _shuffle(low: Lowering, node: nodes.Shuffle) -> None:
    _no_secret(low, node.span, "`shuffle`")
    pile = _known_pile(low, node.pile, "only a pile can be shuffled")
    if pile is not None:
        low.emit(ops.Shuffle(pile))


# ---------------------------------------------------------------- changes


def target(low: Lowering, node: nodes.Expr) -> tuple[ops.Target, Type] | None:
    """The variable that an expression names, to be changed; None if it names none."""
    if isinstance(node, nodes.Item):
        inner = target(low, node.of)
        if inner is None or low.world.variables[inner[0].variable].form != "list":
            return None
        variable = low.world.variables[inner[0].variable]
        index = low.number(node.index)
        if variable.first != 1:
            index = x.Arithmetic("-", index, x.Const(variable.first - 1), span=node.span)
        return evolve(inner[0], index=index, span=node.span), NUMBER
    if not isinstance(node, nodes.Word | nodes.Attribute):
        return None
    found = infer.infer(low.scope, node)
    if isinstance(found.expr, x.Stored | x.PieceOf):
        return ops.Target(found.expr.variable, found.expr.of, span=node.span), found.type
    return None


def _pile(low: Lowering, node: nodes.Expr) -> ops.Target | None:
    if not isinstance(node, nodes.Word | nodes.Attribute):
        return None
    if isinstance(node, nodes.Word) and low.scope.local(node.name) is not None:
        return None
    found = infer.infer(low.scope, node)
    if isinstance(found.expr, x.Stored) and low.world.variables[found.expr.variable].form == "pile":
        return ops.Target(found.expr.variable, found.expr.of, span=node.span)
    return None


def _set(low: Lowering, node: nodes.Set) -> None:
    if isinstance(node.target, nodes.Word) and node.target.name == "starter":
        low.emit(ops.SetStarter(infer.expect(low.scope, node.value, PLAYER)))
        return
    found = _changeable(low, node.target, ("counter", "flag", "value", "list", "snapshot"))
    if found is None:
        return
    place, kind = found
    if low.world.variables[place.variable].form == "snapshot":
        _set_snapshot(low, place, node)
        return
    low.emit(ops.Assign(place, infer.expect(low.scope, node.value, kind)))


def _set_snapshot(low: Lowering, place: ops.Target, node: nodes.Set) -> None:
    """A snapshot takes another one, `none`, or pieces as they stand now."""
    value = infer.infer(low.scope, node.value)
    pieces = value.type.is_set and infer.on_form(low.world, value.type.element, "grid")
    if not pieces and value.type.name not in ("snapshot", "none", "unknown"):
        low.error("wrong-type", f"pieces on a grid are needed here, but this is {value.type}", node.value.span)
    low.emit(ops.Assign(place, value.expr))


def _changeable(
    low: Lowering, node: nodes.Expr, forms: tuple[str, ...], title: str = "this cannot be set"
) -> tuple[ops.Target, Type] | None:
    found = target(low, node)
    whole_list = found is not None and found[0].index is None and low.world.variables[found[0].variable].form == "list"
    if found is not None and low.world.variables[found[0].variable].form in forms and not whole_list:
        return found
    if found is None and infer.infer(low.scope, node).type == UNKNOWN:
        return None
    hint = ""
    if found is not None and low.world.variables[found[0].variable].form == "piece":
        hint = "a piece is moved: `move it to …`, or `move it up by …`"
    if found is not None and low.world.variables[found[0].variable].form == "pile":
        hint = "things are moved: `move things to pile`"
    if whole_list:
        hint = "a list is changed place by place: `name[1]`"
    low.error("not-changeable", title, node.span, hint or "only counters, flags, values and places of lists can")
    return None


def _change_by(low: Lowering, node: nodes.ChangeBy) -> None:
    found = _changeable(low, node.target, ("counter", "list"), "only a number can be raised or lowered")
    if found is None:
        return
    place, _ = found
    old: x.Expr = x.Stored(place.variable, place.of, span=node.span)
    if place.index is not None:
        old = x.ItemOf(old, place.index, span=node.span)
    op = "+" if node.verb == "raise" else "-"
    low.emit(ops.Assign(place, x.Arithmetic(op, old, low.number(node.amount), span=node.span)))


def _move_to(low: Lowering, node: nodes.MoveTo) -> None:
    pile = _pile(low, node.to)
    things = infer.infer(low.scope, node.thing)
    if pile is not None:
        _to_pile(low, node, things, pile)
        return
    kind = things.type.element if things.type.is_set else things.type
    if kind == UNKNOWN:
        return
    if kind.kind not in low.world.places_of:
        hint = "pieces move to spaces, cards and other things to piles"
        low.error("not-movable", f"{things.type} cannot be moved there", node.span, hint)
        return
    to = infer.expect(low.scope, node.to, space_type(low.world, kind.kind))
    low.emit(ops.MovePiece(things.expr, to, things.type.is_set))


def _to_pile(low: Lowering, node: nodes.MoveTo, things: Typed, pile: ops.Target) -> None:
    holds = low.world.variables[pile.variable].type
    wanted = holds if things.type.is_set else holds.element
    if not fits(things.type, wanted):
        title = f"this pile holds {holds.element.kind}s, and this is {things.type}"
        low.error("wrong-type", title, node.span)
        return
    low.emit(ops.MoveToPile(things.expr, pile, things.type.is_set))


def _travel(low: Lowering, node: nodes.Travel) -> None:
    piece = infer.infer(low.scope, node.piece)
    if piece.type == UNKNOWN:
        return
    place = low.world.places.get(low.world.places_of.get(piece.type.kind, ""))
    if place is None or place.form != "track":
        title = f"only a piece on a track moves {node.heading}, and this is {piece.type}"
        low.error("not-on-a-track", title, node.piece.span)
        return
    way = declare.heading(low.world, place, node.heading, node.span)
    low.emit(ops.Travel(piece.expr, way, low.number(node.amount)))


def _go_home(low: Lowering, node: nodes.GoHome) -> None:
    piece = infer.infer(low.scope, node.piece)
    if piece.type.kind not in low.world.places_of and piece.type != UNKNOWN:
        low.error("not-movable", f"only a piece has a home, and this is {piece.type}", node.piece.span)
        return
    low.emit(ops.GoHome(piece.expr))


def _swap(low: Lowering, node: nodes.Swap) -> None:
    left, right = infer.infer(low.scope, node.left), infer.infer(low.scope, node.right)
    if left.type.name not in ("thing", "unknown") or not fits(right.type, left.type):
        low.error("wrong-type", f"{left.type} and {right.type} cannot change places", node.span)
        return
    low.emit(ops.Swap(left.expr, right.expr, left.type.kind in low.world.places_of))


def _push(low: Lowering, node: nodes.Push) -> None:
    toward = infer.expect(low.scope, node.toward, DIRECTION)
    if node.verb == "compact":
        low.emit(ops.Compact(_on_grid(low, node.thing), toward))
        return
    what = infer.infer(low.scope, node.thing)
    if what.type != UNKNOWN and not infer.on_form(low.world, what.type, "grid"):
        low.error("wrong-type", f"only a piece on a grid is pushed, and this is {what.type}", node.thing.span)
    low.emit(ops.PushRun(what.expr, toward))


def _on_grid(low: Lowering, node: nodes.Expr) -> x.Expr:
    """Pieces of a grid that move together; a single one is a set of one."""
    pieces = infer.infer(low.scope, node)
    kind = pieces.type.element if pieces.type.is_set else pieces.type
    if kind != UNKNOWN and not infer.on_form(low.world, kind, "grid"):
        low.error("wrong-type", f"only pieces on a grid move together, and this is {pieces.type}", node.span)
    return pieces.expr if pieces.type.is_set else x.Listed((pieces.expr,), span=node.span)


def _shift(low: Lowering, node: nodes.Shift) -> None:
    pieces = _on_grid(low, node.things)
    if node.toward is None:
        low.emit(ops.Shift(pieces, None, infer.expect(low.scope, node.by, OFFSET)))
        return
    toward = infer.expect(low.scope, node.toward, DIRECTION)
    low.emit(ops.Shift(pieces, toward, low.number(node.by)))


def _remove(low: Lowering, node: nodes.Remove) -> None:
    what = infer.infer(low.scope, node.thing)
    kind = what.type.element if what.type.is_set else what.type
    if kind.name not in ("thing", "unknown"):
        low.error("wrong-type", f"only things can be removed, and this is {what.type}", node.span)
    low.emit(ops.Remove(what.expr, what.type.is_set))


def _reveal(low: Lowering, node: nodes.Reveal) -> None:
    _no_secret(low, node.span, "`reveal`")
    what = infer.infer(low.scope, node.what)
    inner = what.expr.value if isinstance(what.expr, x.Mapped) else what.expr
    of = what.expr.of if isinstance(what.expr, x.Mapped) else getattr(inner, "of", None)
    if isinstance(inner, x.Stored) and low.world.variables[inner.variable].form != "pile":
        low.emit(ops.Reveal(None, ((inner.variable, of),)))
    elif (what.type.element if what.type.is_set else what.type).name == "thing":
        things = what.expr if what.type.is_set else x.Listed((what.expr,))
        low.emit(ops.Reveal(things))
    elif what.type != UNKNOWN:
        low.error("wrong-type", f"{what.type} cannot be revealed", node.span, "reveal a pile, a card or a variable")


def _announce(low: Lowering, node: nodes.Announce) -> None:
    _no_secret(low, node.span, "`announce`")
    what = infer.infer(low.scope, node.what)
    to = infer.infer(low.scope, node.to, set_of(PLAYER))
    seats = to.expr if to.type.is_set else x.Listed((infer.expect(low.scope, node.to, PLAYER),))
    low.emit(ops.Announce(what.expr, seats, what.type))


def _picture(low: Lowering, node: nodes.Picture) -> None:

    group = placed(low.world, node.place, node.rows, node.span)
    if group is not None:
        low.emit(ops.Place(group.cells))


# ---------------------------------------------------------------- results


def _rank(low: Lowering, node: nodes.Rank) -> None:
    ranked = node.players
    keys: tuple[tuple[x.Expr, bool], ...] = ()
    slot = 0
    if isinstance(ranked, nodes.Ordered):
        of = infer.expect_set(low.scope, ranked.of, PLAYER)
        ordered = infer.infer(low.scope, ranked)
        assert isinstance(ordered.expr, x.Ordered) or ordered.type == UNKNOWN
        if isinstance(ordered.expr, x.Ordered):
            keys, slot = ordered.expr.keys, ordered.expr.slot
    else:
        of = infer.expect_set(low.scope, ranked, PLAYER)
    _players_only(low, of, node.span)
    low.emit(ops.Rank(of.expr, keys, slot))


def _defeat(low: Lowering, node: nodes.Defeat) -> None:
    of = infer.expect_set(low.scope, node.players, PLAYER)
    _players_only(low, of, node.span)
    low.emit(ops.Defeat(of.expr))


def _players_only(low: Lowering, of: Typed, span: Span) -> None:
    if not fits(of.type.element, PLAYER):
        low.error("wrong-type", f"players are needed here, but this is {of.type}", span)


_LOWER: dict[type, Callable[[Lowering, Any], None]] = {
    nodes.Let: _let,
    nodes.Set: _set,
    nodes.ChangeBy: _change_by,
    nodes.MoveTo: _move_to,
    nodes.Travel: _travel,
    nodes.GoHome: _go_home,
    nodes.Swap: _swap,
    nodes.Push: _push,
    nodes.Shift: _shift,
    nodes.Remove: _remove,
    nodes.Shuffle: _shuffle,
    nodes.Reveal: _reveal,
    nodes.Announce: _announce,
    nodes.Deal: _deal,
    nodes.Chance: _chance,
    nodes.Do: _do,
    nodes.Skip: _skip,
    nodes.Stop: _stop,
    nodes.Next: _next,
    nodes.End: _end,
    nodes.Rank: _rank,
    nodes.Defeat: _defeat,
    nodes.OnlyIf: _only_if,
    nodes.Choose: _choose,
    nodes.Ways: _ways,
    nodes.If: _if,
    nodes.Each: _each,
    nodes.While: _while,
    nodes.Repeat: _repeat,
    nodes.Step: _step,
    nodes.Picture: _picture,
}
