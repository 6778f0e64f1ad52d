"""Lower built-in functions about courses, which are directed graphs of spaces.

Distances (all pairs, by breadth-first search) and ancestors (by reachability)
are computed when the plan is made and become constant tables; the search for
the next free spaces is a breadth-first search in the plan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiler.lower.analysis.intervals import places_of
from rulekit.compiler.lower.builder.ir_builder import Builder
from rulekit.compiler.lower.expressions.builtins import LIST_BUILTINS, VALUE_BUILTINS
from rulekit.compiler.lower.expressions.scalars import not_nothing, where_it_stands
from rulekit.compiler.lower.moves.spaces import for_place_of, has_room
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same
from rulekit.model import expr as x
from rulekit.model import game as model

Rows = tuple[tuple[int, ...], ...]


def _kinds_of_spaces(m: Builder) -> list[model.Kind]:
    names = dict.fromkeys(place.kind for place in m.setting.game.places.values() if place.form == "course")
    return sorted((m.setting.game.kinds[name] for name in names), key=lambda kind: kind.base)


def _links_of(kind: model.Kind) -> dict[int, tuple[int, ...]]:
    nexts: Any = kind.traits["next"]
    return dict(zip(kind.ids, nexts, strict=True))


def _from_first(m: Builder, of_space: Callable[[model.Kind, int], tuple[int, ...]]) -> tuple[p.Const, Rows]:
    """The first space of all courses, and a row for each thing from there on; empty for what is no space."""
    kinds = _kinds_of_spaces(m)
    rows = {space: of_space(kind, space) for kind in kinds for space in kind.ids}
    return p.Const(kinds[0].base), tuple(rows.get(thing, ()) for thing in range(min(rows), max(rows) + 1))


# ---------------------------------------------------------------- how far apart


def _links(m: Builder, e: x.Builtin) -> p.Expr:
    """The distance between two spaces of a course, in links; a fault where there is no path."""
    source, target = not_nothing(m, e.args[0]), not_nothing(m, e.args[1])
    kinds = _kinds_of_spaces(m)
    table = tuple(steps for kind in kinds for steps in _distances(kind))
    at = _place_of(m, kinds, m.atom(source), m.atom(target))
    found = m.atom(m.program.entry(table, at))
    m.fault(same(found, NOTHING), "outside")
    return found


def _place_of(m: Builder, kinds: list[model.Kind], source: p.Expr, target: p.Expr) -> p.Expr:
    """The index of a pair of spaces in the distance tables of all courses, one behind the other."""
    first, size, kind_of, begin = kinds[0].base, kinds[-1].ids[-1] + 1, dict[int, int](), dict[int, int]()
    rows = 0
    for number, kind in enumerate(kinds):
        for space in kind.ids:
            kind_of[space], begin[space] = number, rows - kind.base
            rows += len(kind.members)

    def looked_up(table: dict[int, int], space: p.Expr) -> p.Expr:
        return m.program.entry(tuple(table.get(thing, -1) for thing in range(first, size)), add(space, p.Const(-first)))

    m.fault(binary("!=", looked_up(kind_of, source), looked_up(kind_of, target)), "outside")
    return add(looked_up(begin, source), target)


def _distances(kind: model.Kind) -> list[int]:
    onward = _links_of(kind)
    count = len(kind.members)
    table = [p.NONE] * (count * count)
    for start in kind.ids:
        edge, seen, steps = {start}, {start}, 0
        while edge:
            for goal in edge:
                table[(start - kind.base) * count + goal - kind.base] = steps
            edge = {to for space in edge for to in onward[space]} - seen
            seen |= edge
            steps += 1
    return table


# ---------------------------------------------------------------- behind and ahead


def _behind(m: Builder, e: x.Builtin) -> p.Expr:
    base, rows = _from_first(m, lambda kind, goal: _reaching(kind, _links_of(kind), goal))
    return m.program.row(rows, binary("-", not_nothing(m, e.args[0]), base))


def _reaching(kind: model.Kind, onward: dict[int, tuple[int, ...]], goal: int) -> tuple[int, ...]:
    reached, found = {goal}, True
    while found:
        new = {space for space in kind.ids if space not in reached and reached & set(onward[space])}
        found = bool(new)
        reached |= new
    return tuple(space for space in kind.ids if space in reached and space != goal)


def _first_free(m: Builder, e: x.Builtin) -> p.Expr:
    """The first space with room along every path forward, or the end of a path without one; breadth-first."""
    base, rows = _from_first(m, lambda kind, space: _links_of(kind)[space])
    names = [name for name in places_of(m, e.args[0]) if m.setting.game.places[name].form == "course"]
    piece = m.atom(not_nothing(m, e.args[0]))
    start = where_it_stands(m, piece)
    waiting, seen, found, at = m.new(), m.new(), m.new(), m.temp()
    more = m.program.row(rows, binary("-", start, base))
    m.each_in(more, lambda space: m.emit(p.Push(waiting, space)))
    m.emit(p.Set(at, ZERO))
    label = m.fresh("w")

    def step(place: model.Place) -> None:
        m.emit(p.If(binary("<=", p.Size(p.Get(waiting)), p.Get(at)), (p.Break(label),)))
        space = m.atom(p.Item(p.Get(waiting), p.Get(at)))
        m.emit(p.Set(at, add(p.Get(at), ONE)), p.If(p.Has(p.Get(seen), space), (p.Again(label),)))
        m.emit(p.Push(seen, space))
        links = m.program.row(rows, binary("-", space, base))
        ends = same(p.Size(links), ZERO)
        stops = binary("|", has_room(m, place, space, piece), ends)
        go_on = m.collect(lambda: m.each_in(links, lambda one: m.emit(p.Push(waiting, one))))
        m.emit(p.If(stops, (p.Push(found, space),), go_on))

    def walk(place: model.Place) -> None:
        m.emit(p.Loop(label, m.collect(lambda: step(place))))

    for_place_of(m, names, piece, walk)
    m.emit(p.Sort(found, p.Get(found), 1))
    return p.Get(found)


VALUE_BUILTINS["links"] = _links
LIST_BUILTINS.update({"behind": _behind, "first_free": _first_free})
