"""Just-in-time compilation of codes that run often: the operations of a code as one Python function.

Jumps are written out; what an operation does is called.  The text is made
once for a code, and bound for each table to what its operations and
expressions mean there.  A function can begin at any operation, since a match
may wait at any; it leaves where the next operation may be in another frame.
Operations count their steps here; whether they are too many is looked at
wherever the flow turns back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import CodeType
from typing import Any

from attrs import frozen

from rulekit import limits
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.effects import targets
from rulekit.play.jit import emitted_operators, emitted_queries, emitted_reading
from rulekit.play.jit.code_execution import compiled, execute
from rulekit.play.jit.expression_emitter import SLOW_PATH, Given, Writer
from rulekit.play.machine.closure_compilation import Meanings
from rulekit.play.machine.dispatch import DOES, MOVED, act_of
from rulekit.play.machine.working_state import CallFrame, Machine, gone_over
from rulekit.play.meaning.reading import ordered_pile, pile_under

WRITES = (emitted_reading, emitted_operators, emitted_queries)
"""The modules that say how expressions are written; importing them fills the table."""
Run = Callable[[Machine, CallFrame], object]
"""Runs a frame until the flow may have left it."""
WARM_UP = 200
"""So often a code is interpreted at a table before it is specialized, which takes as long as some hundred runs."""
_TOGETHER = 6
"""So many operations are passed over at once where the flow goes further on."""


def specialize(c: Meanings, code: int) -> Run:
    """Bind the compiled text of a code to a table; the function then runs the code there."""
    flat, (text, needs) = c.setting.game.codes[code].ops, _kept(c.setting.game)[code]
    space: dict[str, Any] = {f"k{number}": given(c) for number, given in enumerate(needs)}
    for at, op in enumerate(flat):
        space[f"o{at}"], space[f"f{at}"] = op, _called(c, op)
    execute(text, space)
    run: Run = space["run"]
    c.specialized[code] = run
    return run


def is_hot(c: Meanings, code: int) -> bool:
    """Whether a code ran often enough at this table to be compiled; makes its text if it did."""
    kept = _kept(c.setting.game)
    if code not in kept:
        runs = c.runs[code] = c.runs.get(code, 0) + 1
        if runs <= WARM_UP:
            return False
        writer = Writer(c.setting.game)
        kept[code] = compiled(_text(c.setting.game.codes[code].ops, writer), "rules"), writer.needs
    return True


def _kept(game: model.Game) -> dict[int, tuple[CodeType, list[Given]]]:
    """The texts of a game, compiled, with what each needs."""
    texts: dict[int, tuple[CodeType, list[Given]]] = game.kept.setdefault("specialized", {})
    return texts


def _called(c: Meanings, op: ops.Op) -> Any:
    """What the function calls for an operation: its expression where the rest is written out."""
    if isinstance(op, ops.Let):
        return c.of(op.value)
    if isinstance(op, ops.Unless):
        return c.of(op.test)
    if isinstance(op, ops.EachStart):
        return ordered_pile(c, op.over)
    return None if isinstance(op, ops.Jump | ops.EachNext) else act_of(c, op)


# ---------------------------------------------------------------- the text


def _text(flat: tuple[ops.Op, ...], w: Writer) -> str:
    slow_path, body = w.same(SLOW_PATH), []
    blocks = _blocks(flat, w, slow_path)
    for first in range(0, len(blocks), _TOGETHER):
        group = blocks[first : first + _TOGETHER]
        body.append(f"        if pc <= {group[-1][0]}:")
        for last, lines in group:
            body.append(f"            if pc <= {last}:")
            body += [f"                {line}" for line in lines]
    lines = [*w.lines, "def run(m, frame):", "    own = frame.locals", "    pc = frame.pc", "    while True:"]
    return "\n".join([*lines, *body, ""])


@frozen
class _Place:
    """Where an operation is written.  slow_path: the name of the exceptions upon which its meaning is asked instead."""

    flat: tuple[ops.Op, ...]
    at: int
    writer: Writer
    slow_path: str

    def value(self, name: str, e: x.Expr) -> tuple[list[str], bool]:
        """Lines that give a name to the value of an expression, which `f` gives, too; whether they call meanings."""
        calls, self.writer.calls = self.writer.calls, 0
        text = self.writer.text(e)
        called, self.writer.calls = bool(self.writer.calls), calls
        begin = [f"m.op = o{self.at}", f"frame.pc = {self.at + 1}"]
        again = f"{name} = f{self.at}(m)"
        if text is None:
            return [*begin, again], True
        if called:
            return [*begin, f"try: {name} = {text}", f"except {self.slow_path}: {again}"], True
        return [f"try: {name} = {text}", f"except {self.slow_path}: {'; '.join([*begin, again])}"], False


_Block = tuple[int, list[str]]
"""Operations that are entered at the first alone: the place of the last one, and their lines."""


def _blocks(flat: tuple[ops.Op, ...], w: Writer, slow_path: str) -> list[_Block]:
    entries = {to for op in flat for to in targets(op)} | {0}
    blocks: list[_Block] = []
    margin = ""
    for at, op in enumerate(flat):
        lines, straight, again = _WRITTEN.get(type(op), _call)(_Place(flat, at, w, slow_path), op)
        if at in entries or again or not blocks:
            blocks.append((at, []))
            margin = ""
        blocks[-1] = at, [*blocks[-1][1], *(margin + line for line in lines)]
        if not straight:
            entries.add(at + 1)
        elif isinstance(op, ops.Unless):
            margin += " "
    return blocks


def _limit(p: _Place, to: int) -> list[str]:
    steps = gone_over(p.flat, to, p.at)
    return [f"m.steps += {steps}", f"if m.steps > m.step_limit: m.op = o{p.at}; m.out_of_steps()"]


_Lines = tuple[list[str], bool, bool]
"""What an operation is written as; whether the next one always comes next; whether it may have to begin again."""


def _begin(p: _Place) -> list[str]:
    return [f"m.op = o{p.at}", f"frame.pc = {p.at + 1}", "m.steps += 1"]


def _go(p: _Place, to: int) -> list[str]:
    """A jump: forward, operations are passed over until `pc`; backward, which counts as a step, the outer loop starts
    again.
    """
    return [f"pc = {to}"] if to > p.at else [f"pc = {to}", *_limit(p, to), "continue"]


def _let(p: _Place, op: Any) -> _Lines:
    lines, again = p.value(f"own[{op.local}]", op.value)
    return lines, True, again


def _jump(p: _Place, op: Any) -> _Lines:
    return _go(p, op.to), False, False


def _unless(p: _Place, op: Any) -> _Lines:
    """What comes next stands under `else`, one blank further in."""
    lines, again = p.value("holds", op.test)
    return [*lines, "if not holds:", *(f"    {line}" for line in _go(p, op.to)), "else:", " pass"], True, again


def _each_start(p: _Place, op: Any) -> _Lines:
    items = f"own[{op.items}]"
    if pile_under(op.over) is None:
        lines, again = p.value(items, op.over)
    else:
        lines, again = [f"m.op = o{p.at}", f"frame.pc = {p.at + 1}", f"{items} = f{p.at}(m)"], True
    return [*lines, f"own[{op.position}] = 0"], True, again


def _each_next(p: _Place, op: Any) -> _Lines:
    lines = [
        "m.steps += 1",
        f"at = own[{op.position}]",
        f"items = own[{op.items}]",
        "if at < len(items):",
        f"    own[{op.element}] = items[at]",
        f"    own[{op.position}] = at + 1",
        "else:",
        *(f"    {line}" for line in _go(p, op.exit)),
    ]
    return lines, False, False


def _enter_step(p: _Place, op: Any) -> _Lines:
    skipped = [f"m.op = o{p.at}", f"frame.pc = {p.at + 1}", f"f{p.at}(m, frame)", "pc = frame.pc"]
    return ["if frame.skips:", *(f"    {line}" for line in skipped)], False, False


def _moving(p: _Place, op: Any) -> _Lines:
    """A call after which the flow may go on elsewhere in the same frame."""
    lines, _, again = _call(p, op)
    return [*lines, "pc = frame.pc", f"if pc <= {p.at}: continue"], False, again


def _enter(p: _Place, op: ops.Call) -> _Lines:
    """A call of another rule: its frame is laid down here where nobody wants to know of it."""
    texts, code = _asked(p, op), p.writer.game.codes[op.code]
    if texts is None:
        return _call(p, op)
    own = ", ".join([*texts, *["None"] * (code.locals - len(texts))])
    told = "m.setting.entered is not None"
    return [
        *_begin(p),
        f"if len(m.frames) >= {limits.CALLS} or {told}: return f{p.at}(m, frame)",
        f"try: m.frames.append({p.writer.same(CallFrame)}({op.code}, 0, [{own}]))",
        f"except {p.slow_path}: return f{p.at}(m, frame)",
        f"return {MOVED}",
    ], False, True  # fmt: skip


def _call(p: _Place, op: Any) -> _Lines:
    texts = _asked(p, op)
    if texts is None:
        return [*_begin(p), f"left = f{p.at}(m, frame)", "if left: return left"], False, True
    does, values = p.writer.need(partial(_done, op)), [f"v{place}" for place in range(len(texts))]
    worked_out = [f"    {value} = {text}" for value, text in zip(values, texts, strict=True)]
    again = f"except {p.slow_path}: left = f{p.at}(m, frame)"
    done = f"else: left = {does}({', '.join(['m', 'frame', *values])})"
    return [*_begin(p), "try:", *worked_out, again, done, "if left: return left"], False, True


def _asked(p: _Place, op: Any) -> list[str] | None:
    """The texts of what an operation works out first; None if it does not, or not all can be written."""
    doing = DOES.get(type(op))
    if doing is None or not doing.of(op):
        return None
    texts = ["None" if e is None else p.writer.text(e) for e in doing.of(op)]
    return None if None in texts else texts  # type: ignore[return-value]


def _done(op: ops.Op, c: Meanings) -> Any:
    return DOES[type(op)].does(c, op)


_WRITTEN: dict[type, Callable[[_Place, Any], _Lines]] = {
    ops.Let: _let,
    ops.Jump: _jump,
    ops.Unless: _unless,
    ops.EachStart: _each_start,
    ops.EachNext: _each_next,
    ops.EnterStep: _enter_step,
    ops.AskWay: _moving,
    ops.Call: _enter,
    ops.SecretStart: _moving,
}
