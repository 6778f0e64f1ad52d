"""Statements of a plan without others inside, as lines of Python.

Names of the runtime in the text are reserved or hold capitals; a valid plan
has no such names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from attrs import frozen

from rulekit import limits
from rulekit.compiler.plan import ir as p
from rulekit.compiler.python.expressions import ATOM, storage, text


@frozen
class Site:
    """Where statements are written.

    own:     the sequences that the function may give away without a copy.
    hooked:  whether a hook answers; tries: whether anything is ever tried; guards: whether any function bounds;
    ticks: whether work is ever counted.
    """

    plan: p.Plan
    function: p.Function
    own: frozenset[str]
    hooked: bool
    tries: bool
    guards: bool
    ticks: bool


Lines = list[str]


def lines(site: Site, statement: p.Statement) -> Lines:
    """The statement's lines, without the margin."""
    return _WRITERS[type(statement)](site, statement)


def comment(words: str) -> str:
    """Words of a rules file behind a line; never more than a comment."""
    return f"  # {re.sub(r'[^!-~ ]+', ' ', words)}" if words else ""


def _set(site: Site, s: p.Set) -> Lines:
    return [_assigned(s.local, s.value, p.Get(s.local))]


def _store(site: Site, s: p.Store) -> Lines:
    line = _assigned(f"M[{text(s.at)}]", s.value, p.Word(s.at))
    return [line + comment(_named(site.plan.word_names, s.at))]


def _sum(site: Site, s: p.Sum) -> Lines:
    at = f"SUMS[{text(s.at)}]"
    if s.manner == "+":
        return [f"{at} += {text(s.value)}"]
    return [f"{at} = {s.manner}({at}, {text(s.value)})"]


def _assigned(to: str, value: p.Expr, old: p.Expr) -> str:
    if isinstance(value, p.Binary) and value.op in ("+", "-", "*") and value.left == old:
        return f"{to} {value.op}= {text(value.right)}"
    return f"{to} = {text(value)}"


def _named(names: tuple[str, ...], at: p.Expr) -> str:
    return names[at.value] if names and isinstance(at, p.Const) else ""


def _do(site: Site, s: p.Do) -> Lines:
    call = f"{s.function}({_listed(*s.args)})"
    return [call if s.local is None else f"{s.local} = {call}"]


def _listed(*values: p.Expr) -> str:
    return ", ".join(text(value) for value in values)


def _tuple(values: tuple[p.Expr, ...]) -> str:
    return f"({_listed(*values)},)" if values else "()"


def _return(site: Site, s: p.Return) -> Lines:
    if s.value is None:
        return ["return"]
    owned = isinstance(s.value, p.Get) and s.value.local in site.own
    return [f"return {_copied(s.value) if site.function.gives == 'list' and not owned else text(s.value)}"]


def _copied(of: p.Expr) -> str:
    return f"{text(of, ATOM)}[:]"


def _unwind(site: Site, s: p.Unwind) -> Lines:
    if not isinstance(s.status, p.Const):
        return [f"raise Unwound({text(s.status)})"]
    if s.status.value in site.function.catches:
        return ["return"]
    return [f"raise Unwound({s.status.value})" + comment(_meaning(site.plan, s.status.value))]


def _fail(site: Site, s: p.Fail) -> Lines:
    about = comment(_meaning(site.plan, s.status.value)) if isinstance(s.status, p.Const) else ""
    return [f"raise Unwound({p.Status.FAILED.value} if trying else {text(s.status)})" + about]


def _meaning(plan: p.Plan, status: int) -> str:
    if status >= p.Status.FAULT:
        return plan.faults[status - p.Status.FAULT] if plan.faults else "fault"
    return f"stop {status - p.Status.STOP}" if status >= p.Status.STOP else p.Status(status).name.lower()


def _sort(site: Site, s: p.Sort) -> Lines:
    if s.keys == p.Get(s.local) and s.width == 1:
        return [f"{s.local}.sort()"]
    return [f"sort({s.local}, {text(s.keys)}, {s.width})"]


def _fill(site: Site, s: p.Fill) -> Lines:
    of, pile = s.of, storage(s.list)
    empty = isinstance(of, p.Row) and isinstance(of.at, p.Const) and not site.plan.rows[of.table][of.at.value]
    line = f"{pile}.clear()" if empty else f"{pile}[:] = {text(of)}"
    return [line + comment(_named(site.plan.list_names, s.list))]


def _on_list(write: Callable[[str, Any], str]) -> Callable[[Site, Any], Lines]:
    def written(site: Site, s: Any) -> Lines:
        return [write(storage(s.list), s) + comment(_named(site.plan.list_names, s.list))]

    return written


# ---------------------------------------------------------------- chance, decisions, tries


def _draw(site: Site, s: p.Draw) -> Lines:
    return [f"{s.local} = draw({s.stream}, {text(s.n)})" + comment(site.plan.streams[s.stream])]


def _ask(site: Site, s: p.Ask) -> Lines:
    name = comment(site.plan.asks[s.ask].name)
    if site.hooked:
        among = () if s.among is None else (s.among,)
        return [f"{s.local} = ask({s.ask}, {_listed(s.seat, s.options, *among)})" + name]
    answer = _by_chance(site, s)
    if not site.tries:
        return [answer[0] + name, *answer[1:]]
    explored = f"    {s.local} = explore(len({text(s.options)}))"
    return ["if trying:" + name, explored, "else:", *("    " + line for line in answer)]


def _by_chance(site: Site, s: p.Ask) -> Lines:
    lines = []
    if site.ticks:
        over = f"    if work > {limits.STEPS_PER_GAME}:"
        lines += [
            "if ticks:",
            "    work += ticks",
            "    ticks = 0",
            over,
            f"        raise Unwound({p.Status.ENDLESS.value})",
        ]
    lines.append(f"{s.local} = next({_chance(site, s.seat)}) % len({text(s.options)})")
    if site.guards:
        place = s.local if s.among is None else f"{text(s.among, ATOM)}.index({text(s.options, ATOM)}[{s.local}])"
        lines += ["if guards:", f"    log.append({place})"]
    return lines


def _chance(site: Site, seat: p.Expr) -> str:
    """The answers of a seat."""
    known = isinstance(seat, p.Const) and 0 <= seat.value < site.plan.seats
    return f"CHANCE{text(seat)}" if known else f"CHANCE[{text(seat)}]"


def _ask_several(site: Site, s: p.AskSeveral) -> Lines:
    call = f"ask_several({s.ask}, {_listed(s.seat, s.options, s.least, s.most)})"
    return [f"{s.local} = {call}" + comment(site.plan.asks[s.ask].name)]


def _noted(site: Site, s: p.Noted) -> Lines:
    return [f"note({text(s.answer)})"]


def _live(site: Site, s: p.Live) -> Lines:
    return ["if guard:", f"    guard.live = {bool(s.on)}"]


def _try(site: Site, s: p.Try) -> Lines:
    return [f"{s.local} = attempt({s.function}, {_tuple(s.args)})"]


def _feasible(site: Site, s: p.Feasible) -> Lines:
    return [f"{s.local} = 1 if trying else feasible({text(s.answer)})"]


def _taken(pile: str, s: p.Take) -> str:
    if isinstance(s.at, p.Find) and s.at.of == p.Stored(s.list):
        return f"{pile}.remove({text(s.at.item)})"
    return f"del {pile}[{text(s.at)}]"


def popped(first: p.Statement, then: p.Statement | None = None) -> str:
    """What is read and then taken out of a list, in one; or nothing."""
    match first, then:
        case p.Set(local, p.Item(p.Stored(pile), at)), p.Take(of, place) if of == pile and place == at:
            return f"{local} = {storage(pile)}.pop({text(at)})" if p.Get(local) not in (at, pile) else ""
    return ""


def _tick(site: Site, s: p.Tick) -> Lines:
    over = f"if ticks > {limits.STEPS_PER_DECISION}:"
    return ["ticks += 1", over, f"    raise Unwound({p.Status.ENDLESS.value})"]


_WRITERS: dict[type, Callable[[Site, Any], Lines]] = {
    p.Set: _set,
    p.Store: _store,
    p.Sum: _sum,
    p.Do: _do,
    p.Return: _return,
    p.Unwind: _unwind,
    p.Fail: _fail,
    p.New: lambda site, s: [f"{s.local} = []"],
    p.Copy: lambda site, s: [f"{s.local} = {_copied(s.of)}"],
    p.Push: lambda site, s: [f"{s.local}.append({text(s.value)})"],
    p.Drop: lambda site, s: [f"del {s.local}[{text(s.at)}]"],
    p.Sort: _sort,
    p.Add: _on_list(lambda pile, s: f"{pile}.append({text(s.value)})"),
    p.Take: _on_list(lambda pile, s: _taken(pile, s)),
    p.Put: _on_list(lambda pile, s: f"{pile}[{text(s.at)}] = {text(s.value)}"),
    p.Move: _on_list(lambda pile, s: f"{pile}.insert({text(s.end)}, {pile}.pop({text(s.start)}))"),
    p.Fill: _fill,
    p.Draw: _draw,
    p.Ask: _ask,
    p.AskSeveral: _ask_several,
    p.Noted: _noted,
    p.Live: _live,
    p.Try: _try,
    p.Feasible: _feasible,
    p.Tick: _tick,
}
