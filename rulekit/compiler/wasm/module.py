"""From a plan to the text of its WebAssembly module.

Besides the plan's functions there is one to try each that is tried, and one
that runs what a guard remembers again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rulekit import limits
from rulekit.compiler.passes.unrolling import max_nodes
from rulekit.compiler.plan.ir import (
    AHEAD,
    NONE,
    REPEATED,
    SAMPLE,
    STANDS_IN,
    SURE,
    Entry,
    Function,
    Plan,
    Row,
    Status,
    Try,
)
from rulekit.compiler.plan.traversal import expressions, statements
from rulekit.compiler.runtime.wasm_host import MOST, STOP_REQUEST
from rulekit.compiler.wasm import (
    runtime_backtracking,
    runtime_driving,
    runtime_matches,
    runtime_memory,
    runtime_simulations,
    runtime_suspension,
)
from rulekit.compiler.wasm.functions import argument, parameters, unwinding, write
from rulekit.compiler.wasm.memory_layout import ANSWER, ANSWERS, BEHIND, DRAWN, PAGE, QUEUES, Layout, lay_out
from rulekit.compiler.wasm.writer import KINDS, Module
from rulekit.play.state import counter_rng
from rulekit.play.state.cost_model import ANSWER as ANSWER_STEPS
from rulekit.values import evolve, field, fields, frozen

_UNCAUGHT = 1 << 30
_BATCH = 1 << 20
"""Decisions after which a series pauses, so that whoever waits can stop it: about half a second."""
_SAID = re.compile(rb"[^\0](?:\0{0,15}[^\0])*", re.DOTALL)
"""A stretch of memory with no more than 15 zeros on end."""
_SPARED = """(i64.store (i32.const {cell}) (i64.extend_i32_u (i64.ne (i64.const 0) (i64.rem_u
        (i64.add (local.get $first) (i64.extend_i32_u (global.get $done))) (global.get $every)))))"""
_FIELD = re.compile(r"^(?=\((?:func|global) )", re.MULTILINE)
"""Between the fields of what every module brings along, which begin their lines."""
_NAME, _CALL = re.compile(r"^\(func (\S+).*", re.MULTILINE), re.compile(r"call (\$[^\s)]+)")
_HOST = '(import "host" "ask" (func $host))'


@frozen(eq=False)
class Written:
    """The functions of a plan by name, as they were written.  beside: all else that the text of each depends on."""

    plan: Plan
    beside: tuple[object, ...]
    functions: Mapping[str, tuple[Function, list[str]]]

    def same(self, plan: Plan, beside: tuple[object, ...]) -> Mapping[str, list[str]]:
        """The functions of a plan like this one that would be written as before."""
        if beside != self.beside:
            return {}
        tables, rows = (_changed(*both) for both in ((self.plan.tables, plan.tables), (self.plan.rows, plan.rows)))
        return {
            one.name: self.functions[one.name][1]
            for one in plan.functions
            if one.name in self.functions and self.functions[one.name][0] == one and not _looks_up(one, tables, rows)
        }


def _changed(before: tuple[object, ...], now: tuple[object, ...]) -> set[int]:
    """The tables that are others now."""
    return {place for place, (one, other) in enumerate(zip(before, now, strict=True)) if one != other}


def _looks_up(function: Function, tables: set[int], rows: set[int]) -> bool:
    """Whether what stands in one of these tables may have come into the text of a function."""
    if not tables and not rows:
        return False
    found = (e for s in statements(function.body) for e in expressions(s) if isinstance(e, Entry | Row))
    return any(e.table in (tables if isinstance(e, Entry) else rows) for e in found)


@frozen
class Text:
    """A module as text, and where in its memory the storage and the exchange lie."""

    text: str
    layout: Layout
    written: Written = field(repr=False, eq=False)


def text(plan: Plan, like: Written | None = None) -> Text:
    """The module of a plan; if that can be suspended, and searched or driven, so can the module.

    like:  of a plan that may have functions in common with it, which are not written again (incremental compilation).
    """
    streams = (*plan.streams, *(f"bot:{name}" for name in plan.names[: plan.seats]))
    numbers = tuple(counter_rng.stream_number(stream) for stream in streams)
    layout = lay_out(plan, numbers)
    module = _module(plan, layout)
    written = _written(module, like)
    made = [body for _, body in written.functions.values()]
    made += [_attempts(module, module.functions[name]) for name in _tried(plan)]
    made += [_again(module), _start(module, "main", plan.main), _start(module, "result", plan.result)]
    made.append(_after(module, plan))
    functions = _reached([*_FIELD.split(_brought(plan, layout)), *map("\n".join, made)])
    return Text("\n".join(["(module", _HOST, *_data(layout), *functions, ")"]), layout, written)


def _written(module: Module, like: Written | None) -> Written:
    plan = module.plan
    outside = tuple((one.name, one.params, one.gives, one.bounds) for one in plan.functions)
    beside = (plan.rooms, evolve(module.layout, data=()), outside, module.unwinding, module.most)
    same = {} if like is None else like.same(plan, beside)
    return Written(plan, beside, {one.name: (one, same.get(one.name) or write(module, one)) for one in plan.functions})


def _reached(parts: list[str]) -> Iterator[str]:
    """Dead code elimination: the fields of a module without functions that nobody calls."""
    fields = [(_NAME.search(field), field) for field in parts]
    functions = {name[1]: field for name, field in fields if name}
    exported = [(name[1], field) for name, field in fields if name and '(export "' in name[0]]
    found, waiting = {name for name, _ in exported}, [field for _, field in exported]
    while waiting:
        more = {*_CALL.findall(waiting.pop())} & functions.keys() - found
        found |= more
        waiting += [functions[name] for name in more]
    return (field for name, field in fields if not name or name[1] in found)


def _module(plan: Plan, layout: Layout) -> Module:
    functions = {function.name: function for function in plan.functions}
    bounding = {f.name: number for number, f in enumerate(f for f in plan.functions if f.bounds)}
    return Module(plan, layout, functions, unwinding(plan.functions), bounding, max_nodes(plan.functions))


def _brought(plan: Plan, layout: Layout) -> str:
    """What every module brings along."""
    parts: tuple[str, ...] = (
        runtime_memory.MEMORY, runtime_memory.SEQUENCES, runtime_memory.LOOKING,
        runtime_matches.NUMBERS, runtime_matches.CHANCE, runtime_matches.MATCH, runtime_matches.ASKING,
        runtime_backtracking.TRYING, runtime_backtracking.GUARDS,
    )  # fmt: skip
    numbers, ways = _numbers(plan, layout), runtime_matches.PLAIN
    if any(function.stops for function in plan.functions):
        parts, ways = (*parts, runtime_suspension.STOPPING), runtime_suspension.WAYS
        if plan.search is not None:
            parts, ways = (*parts, runtime_simulations.TEXT), runtime_simulations.WAYS
            numbers |= runtime_simulations.numbers(plan.search, layout)
        if plan.drive is not None:
            parts = (*parts, runtime_driving.TEXT)
            numbers |= runtime_driving.numbers(plan.drive, layout, plan.seats)
    return "".join(parts).format_map(numbers | {name: way.format_map(numbers) for name, way in ways.items()})


def _numbers(plan: Plan, layout: Layout) -> dict[str, Any]:
    """What the names in braces mean; `end` is the status."""
    size = layout.end - layout.storage
    return {
        **{one.name: getattr(layout, one.name) for one in fields(Layout)},
        "most": MOST // PAGE,
        "top": layout.pages * PAGE - BEHIND,
        "spare": BEHIND,
        "none": NONE,
        "storage_size": size,
        "undone_size": size - 8 * plan.kept,
        "numbers_size": 8 * (len(plan.streams) + plan.seats),
        "seat_keys": layout.keys + 8 * len(plan.streams),
        "batch": _BATCH,
        "turns_size": 8 * plan.seats,
        "turn": counter_rng.TURN,
        "draws": layout.words + 8 * plan.first_draw,
        "answer_size": layout.exchange + ANSWER,
        "answer": layout.exchange + ANSWER + 8,
        "queues": layout.exchange + QUEUES,
        "drawn": layout.exchange + DRAWN,
        "script_limit": layout.script + ANSWERS,
        "log_limit": layout.log + ANSWERS,
        "try_size": 32 + size - 8 * plan.kept,
        "guard_size": 16 + size,
        "sample": SAMPLE,
        "spared": "" if plan.spares is None else _SPARED.format(cell=layout.cells + 8 * plan.spares),
        "stop_request": STOP_REQUEST,
        "steps": limits.STEPS_PER_DECISION,
        "answer_steps": ANSWER_STEPS,
        "repeated": REPEATED,
        "game_steps": limits.STEPS_PER_GAME,
        "decisions": limits.DECISIONS,
        "ahead": AHEAD,
        "sure": SURE,
        "stands_in": STANDS_IN,
        "uncaught": _UNCAUGHT,
        "status_bits": _UNCAUGHT - 1,
        **{status.name.lower(): int(status) for status in Status},
    }


def _data(layout: Layout) -> list[str]:
    """What is not 0: that need not be said, and most of a storage is."""
    return [
        f'(data (i32.const {address + found.start()}) "{_escaped(found.group())}")'
        for address, content in layout.data
        for found in _SAID.finditer(content)
    ]


def _escaped(content: bytes) -> str:
    return "\\" + content.hex("\\")


def _tried(plan: Plan) -> list[str]:
    found = (s.function for f in plan.functions for s in statements(f.body) if isinstance(s, Try))
    return list(dict.fromkeys(found))


def _attempts(module: Module, function: Function) -> list[str]:
    """A function that tries another with its arguments."""
    return [
        f"(func $try.{function.name}{parameters(function)} (result i64 i32) (local $frame i32) (local $.status i32)",
        "(local.set $frame (call $begin_try))",
        "(loop $again",
        *(f"local.get ${name}" for name, _ in function.params),
        *_status(module, function),
        "local.set $.status",
        "(br_if $again (call $next_try (local.get $frame) (local.get $.status))))",
        "(call $end_try (local.get $frame) (local.get $.status)))",
    ]


def _status(module: Module, function: Function) -> list[str]:
    """Call a function whose arguments are on the stack, for its status alone."""
    lines = [f"call $plan.{function.name}"]
    if function.name not in module.unwinding:
        return [*lines, *(["drop"] if function.gives else []), "i32.const 0"]
    return [*lines, *(["local.set $.status", "drop", "local.get $.status"] if function.gives else [])]


def _again(module: Module) -> list[str]:
    """A function that runs what a guard remembers: which function, with which arguments."""
    lines = ["(func $rerun (param $guard i32) (result i32) (local $.status i32)"]
    for name, number in module.bounding.items():
        function = module.functions[name]
        lines += ["local.get $guard", "i32.load offset=8", f"i32.const {number}", "i32.eq", "if"]
        for place, (_, kind) in enumerate(function.params):
            lines += ["local.get $guard", f"{KINDS[kind]}.load offset={argument(module.layout, place)}"]
        lines += [*_status(module, function), "return", "end"]
    return [*lines, "unreachable)"]


def _start(module: Module, name: str, function: str) -> list[str]:
    inner = _status(module, module.functions[function])
    return [f"(func ${name} (result i32) (local $.status i32)", *inner, ")"]


def _after(module: Module, plan: Plan) -> list[str]:
    """What runs behind every match of a series."""
    heading = '(func $after (export "after") (param $status i64) (param $decisions i64) (local $.status i32)'
    if not plan.after:
        return [heading, ")"]
    call = ["local.get $status", "local.get $decisions", *_status(module, module.functions[plan.after]), "drop"]
    return [heading, *call, ")"]
