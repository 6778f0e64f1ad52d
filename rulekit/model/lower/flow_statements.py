"""Lowering of control flow: naming, branches, loops, steps, calls, stopping, ending.

`before`, `after` and `instead of` are advice in the sense of aspect-oriented
programming: woven in where the step or action stands that they change.
"""

from __future__ import annotations

from itertools import combinations

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.lower.code_builder import LOWER, CallSite, Label, Loop, Lowering
from rulekit.model.resolve import name_resolution, type_inference
from rulekit.model.resolve.symbol_table import Typed
from rulekit.model.types import NUMBER, PLAYER, UNKNOWN, fits, set_of, thing
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.values import evolve


def _let(low: Lowering, node: nodes.Let) -> None:
    typed = type_inference.infer(low.scope, node.value)
    low.emit(ops.Let(low.bind(node.name, typed.type, node.span), typed.expr))


def _if(low: Lowering, node: nodes.If) -> None:
    end = Label()
    for number, arm in enumerate(node.arms):
        after = Label()
        with low.line(cites(arm), beside=number == 0):
            if arm.test is not None:
                low.emit(ops.Unless(low.flag(arm.test), -1), to=after)
            low.body(arm.body)
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
    exit_, again = Label(), len(low.made)
    low.emit(ops.EachNext(items, position, element, -1, node.name, over.type.element), exit=exit_)
    _loop_body(low, node.name, node.body, again, exit_)
    low.scope.blocks.pop()


def _loop_body(low: Lowering, name: str, body: nodes.Body, again: int, leave: Label) -> None:
    low.loops.append(Loop(name, again, leave, low.secret, len(low.cites)))
    low.body(body)
    low.loops.pop()
    low.emit(ops.Jump(again))
    low.here(leave)


def _each_set(low: Lowering, node: nodes.Each) -> Typed:
    if node.over is not None:
        return type_inference.expect_set(low.scope, node.over)
    if node.name == "player":
        return Typed(x.Seats("players", span=node.span), set_of(PLAYER))
    if node.name in low.world.kinds:
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
    end = Label()
    low.emit(ops.SecretStart(over.expr, local, -1), end=end)
    low.secret += 1
    exit_ = Label()
    low.loops.append(Loop(node.name, -1, exit_, low.secret))
    low.body(node.body)
    low.loops.pop()
    low.secret -= 1
    low.here(exit_)
    low.emit(ops.SecretEnd())
    low.here(end)
    low.scope.blocks.pop()


def _while(low: Lowering, node: nodes.While) -> None:
    again, leave = len(low.made), Label()
    low.emit(ops.Unless(low.flag(node.test), -1), to=leave)
    _loop_body(low, "while", node.body, again, leave)


def _repeat(low: Lowering, node: nodes.Repeat) -> None:
    _loop_body(low, "repeat", node.body, len(low.made), Label())


def _step(low: Lowering, node: nodes.Step) -> None:
    low.steps.add(node.name)
    end = Label()
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
    end = Label()
    for change in (c for c in mine if c.word == "instead"):
        after = Label()
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
    for first, second in combinations(changes, 2):
        if first.test is None or second.test is None or not _apart(first.test, second.test):
            low.tally.conflicts.append((first, second))


def _apart(a: nodes.Expr, b: nodes.Expr) -> bool:
    """Whether two conditions plainly exclude each other: one thing compared with two values, or a negation.

    Of conditions that must all hold, two that do are enough.
    """
    for one, other in ((a, b), (b, a)):
        if isinstance(one, nodes.Binary) and one.op == "and":
            return _apart(one.left, other) or _apart(one.right, other)
        if isinstance(one, nodes.Unary) and one.op == "not" and one.of == other:
            return True
    if not (isinstance(a, nodes.Binary) and isinstance(b, nodes.Binary) and a.left == b.left):
        return False
    if a.op == b.op == "is":
        return a.right != b.right
    return {a.op, b.op} == {"is", "is not"} and a.right == b.right


def _changed(low: Lowering, change: nodes.Change) -> None:
    skip = Label()
    with low.line(cites(change)):
        if change.test is not None:
            low.emit(ops.Unless(low.flag(change.test), -1), to=skip)
        low.body(change.body)
    low.here(skip)


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
    args = call.args if isinstance(call, nodes.Call) else ()
    values = type_inference.arguments(low.scope, low.world.actions[name].parameters, args, name, call.span)
    code = low.world.code_ids[name]
    low.tally.calls.append(CallSite(low.index, code, None, node.may_stop, node.span))
    low.emit(ops.Call(code, values))


def _no_action(low: Lowering, call: nodes.Expr, name: str | None) -> None:
    word = nodes.Word(name or "", span=call.span)
    value = name_resolution.named(low.scope, word) if name is not None else type_inference.infer(low.scope, call)
    if value is None:
        low.world.unknown(name or "", call.span, "action", set(low.world.actions))
    elif value.type != UNKNOWN:
        hint = "`do thing for player` runs what a card, space or word does"
        low.error("not-a-word", f"only an action can be done, and this is {value.type}", call.span, hint)


def _perform(low: Lowering, node: nodes.Do) -> None:
    typed = type_inference.infer(low.scope, node.call)
    assert node.owner is not None
    owner = type_inference.expect(low.scope, node.owner, PLAYER)
    if typed.type.name not in ("thing", "unknown"):
        low.error("wrong-type", f"a card, space or word is needed here, but this is {typed.type}", node.call.span)
        return
    low.tally.calls.append(CallSite(low.index, None, typed.type.kind, node.may_stop, node.span, typed.expr))
    low.emit(ops.Perform(typed.expr, owner, typed.type.kind))


def _skip(low: Lowering, node: nodes.Skip) -> None:
    low.tally.skips.append((low.index, node.step, node.span))
    low.emit(ops.Skip(node.step))


def _stop(low: Lowering, node: nodes.Stop) -> None:
    loop = next((loop for loop in reversed(low.loops) if loop.name == node.what), None)
    if loop is not None:
        _leave(low, loop.secret_depth, node.span)
        low.emit(ops.Jump(-1, low.passes("stop", loop.lines)), to=loop.leave)
    elif node.what == low.name:
        _leave(low, 0, node.span)
        low.emit(ops.Return(low.passes("stop", 1)))
    elif node.what in low.world.code_ids:
        _leave(low, 0, node.span)
        target = low.world.code_ids[node.what]
        low.tally.stops.setdefault(low.index, set()).add(target)
        low.emit(ops.StopCode(target, low.passes("stop", 1)))
    else:
        names = {loop.name for loop in low.loops} | set(low.world.code_ids) | {low.name}
        low.world.unknown(node.what, node.span, "loop or action to stop", names)


def _next(low: Lowering, node: nodes.Next) -> None:
    loop = next((loop for loop in reversed(low.loops) if loop.name == node.what), None)
    if loop is None:
        names = {loop.name for loop in low.loops}
        low.world.unknown(node.what, node.span, "loop around this line", names)
        return
    _leave(low, loop.secret_depth, node.span)
    if loop.again < 0:
        low.emit(ops.Jump(-1), to=loop.leave)
    else:
        low.emit(ops.Jump(loop.again, low.passes("next", loop.lines)))


def _leave(low: Lowering, depth: int, span: Span) -> None:
    """Adds `secret` if fewer `secretly each` are around where the flow goes on."""
    if depth != low.secret:
        low.error("secret", "a `secretly each` block cannot be left from inside", span)


def _end(low: Lowering, node: nodes.End) -> None:
    if low.secret:
        low.error("secret", "the game cannot end inside `secretly each`", node.span)
    low.emit(ops.EndGame())


LOWER.update(
    {
        nodes.Let: _let,
        nodes.Do: _do,
        nodes.Skip: _skip,
        nodes.Stop: _stop,
        nodes.Next: _next,
        nodes.End: _end,
        nodes.If: _if,
        nodes.Each: _each,
        nodes.While: _while,
        nodes.Repeat: _repeat,
        nodes.Step: _step,
    }
)
