"""Traceability of the rule text to the rules: at which points of a match each clause is carried out.

A clause stands at lines, at parts of lines, at defines, rows of tables, lines
about full spaces and options.  It is exercised where what carries it is: a
line where it runs, a part where it is worked out, a row where it is read, an
option where its value is looked at, a variant in matches that play it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.call_graph import Place, callers
from rulekit.model.effects import expressions
from rulekit.model.expr import Value
from rulekit.model.traversal import within
from rulekit.tools.analysis.branch_coverage import Point, Points
from rulekit.tools.analysis.control_operations import non_control_operations
from rulekit.tools.analysis.statement_coverage import CoverageProbes
from rulekit.values import define, field


@define(eq=False)
class Traceability:
    """Which operations carry out which clauses, line by line.

    places:  by clause the operations that do what it says.
    calls:   by code the operations that may begin it.
    of_places:  the clauses of pushes on full spaces.
    """

    game: model.Game
    places: dict[str, tuple[Place, ...]] = field(init=False, repr=False)
    calls: dict[int, list[Place]] = field(init=False, repr=False)
    of_places: frozenset[str] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        pushing = [full.cites for place in self.game.places.values() for full in place.full if full.word == "pushes"]
        self.of_places = frozenset(clause for cites in pushing for clause in cites)
        own: dict[str, list[Place]] = {}
        for place, op in doing(self.game):
            for clause in dict.fromkeys((*op.cites, *self._read(op))):
                own.setdefault(clause, []).append(place)
        self.places = {clause: tuple(self._nearest(clause, found)) for clause, found in own.items()}
        self.calls = callers(self.game)

    def _nearest(self, clause: str, found: list[Place]) -> list[Place]:
        """What a clause stands at, without what is called from there: its own lines if it has any."""
        return [place for place in found if clause in self.game.codes[place[0]].ops[place[1]].cites] or found

    def _read(self, op: ops.Op) -> Iterator[str]:
        """The clauses of its parts, and those of the defines and options that an operation reads."""
        kind: Any = type(op)
        for part in (getattr(op, name) for name in expressions(kind)):
            yield from part.cites if isinstance(part, ops.Target) else ()
        for e in within(op, self.game.defines):
            yield from e.cites
            if isinstance(e, x.Invoke):
                yield from self.game.defines[e.define].cites
            elif isinstance(e, x.OptionValue):
                yield from self.game.options[e.index].cites


def doing(game: model.Game) -> Iterator[tuple[Place, ops.Op]]:
    """The operations that do what a line of the rules says; what a scenario calls is not of the rules."""
    for index, code in enumerate(game.codes):
        acts = non_control_operations(code) if code.name != "do" else set[int]()
        yield from (((index, pc), code.ops[pc]) for pc in sorted(acts))


@define(eq=False)
class ClausePoints:
    """At which points of a match clauses are exercised.

    lines:    by clause those of the lines and parts of lines that it stands at.
    looked:   by clause those at which a define, row, action or line about full spaces is looked at that it stands at.
    options:  by clause the options that it stands at, with the points where they are looked at.
    choices:  by option with readings the points where it is looked at.
    variants: by clause the variants that it tells of: it counts only where one of them is played.
    """

    probes: CoverageProbes
    lines: dict[str, list[Point]] = field(init=False, factory=dict, repr=False)
    looked: dict[str, Points] = field(init=False, factory=dict, repr=False)
    options: dict[str, list[tuple[int, Points]]] = field(init=False, factory=dict, repr=False)
    choices: dict[int, Points] = field(init=False, factory=dict, repr=False)
    variants: dict[str, list[int]] = field(init=False, factory=dict, repr=False)
    _agreed: dict[tuple[Value, ...], dict[str, Points]] = field(init=False, factory=dict, repr=False)

    def __attrs_post_init__(self) -> None:
        branches = self.probes.branches
        for place, op in doing(self.game):
            for clause in op.cites:
                self.lines.setdefault(clause, []).append(place)
            if isinstance(op, ops.AskWay):
                self._ways(place[0], op)
        for clause, points in branches.parts.items():
            self.lines.setdefault(clause, []).extend(points)
        self.looked = {clause: frozenset(points) for clause, points in branches.reads.items()}
        for index, at in branches.options:
            option = self.game.options[index]
            if option.readings:
                self.choices[index] = self.choices.get(index, frozenset()) | self.probes.points(at)
            for clause in dict.fromkeys((*option.cites, *(one for tied in option.tied for one in tied))):
                self.options.setdefault(clause, []).append((index, at))
        for index, option in enumerate(self.game.options):
            for clause in option.cites if option.type.name == "flag" and not option.unclear else ():
                self.variants.setdefault(clause, []).append(index)

    @property
    def game(self) -> model.Game:
        return self.probes.game

    def _ways(self, code: int, op: ops.AskWay) -> None:
        """A way of a choice begins where it is taken, also if nothing is done there."""
        for (_, _, begin), tied in zip(op.ways, op.tied, strict=False):
            for clause in tied:
                self.lines.setdefault(clause, []).append((code, begin))

    def of(self, clause: str) -> tuple[Point, ...]:
        """All points at which a clause may be exercised, whatever is agreed; those of its lines first."""
        if clause in self.lines:
            return tuple(self.lines[clause])
        options = [point for _, points in self.options.get(clause, ()) for point in points]
        return tuple(dict.fromkeys((*sorted(self.looked.get(clause, ()), key=str), *options)))

    @property
    def carried_out(self) -> Iterable[str]:
        """The clauses that play can show."""
        return dict.fromkeys((*self.lines, *self.looked, *self.options))

    def exercised(self, came: Points, options: Sequence[Value]) -> set[str]:
        """The clauses that are exercised in a match with these options that came by these points."""
        return {clause for clause, points in self.agreed(options).items() if not points.isdisjoint(came)}

    def agreed(self, options: Sequence[Value]) -> dict[str, Points]:
        """By clause the points that exercise it in matches with these options."""
        key = tuple(options[: len(self.game.options)])
        if key not in self._agreed:
            found = {clause: self._under(clause, key) for clause in self.carried_out if self.is_played(clause, key)}
            self._agreed[key] = {clause: self.probes.points(points) for clause, points in found.items()}
        return self._agreed[key]

    def is_played(self, clause: str, options: Sequence[Value]) -> bool:
        """Whether a match with these options plays a variant of which a clause tells; any match does, if it is none."""
        told = self.game.options
        if clause in self.variants:
            return any(options[index] for index in self.variants[clause])
        at_options = clause in self.options and clause not in self.lines and clause not in self.looked
        return not at_options or any(clause in told[i].behind(options[i]) for i, _ in self.options[clause])

    def variant(self, clause: str) -> str:
        """What would have to be agreed so that a clause counts."""
        for index in self.variants.get(clause, ()):
            return str(self.game.options[index].name)
        option = self.game.options[self.options[clause][0][0]]
        readings = [
            f"{option.name}={name}"
            for (name, _), tied in zip(option.readings, option.tied, strict=True)
            if clause in tied
        ]
        return " | ".join(readings) or str(option.name)

    def _under(self, clause: str, options: Sequence[Value]) -> Iterator[Point]:
        if clause in self.lines:
            yield from self.lines[clause]
            return
        yield from self.looked.get(clause, ())
        for index, points in self.options.get(clause, ()):
            if clause in self.game.options[index].behind(options[index]):
                yield from points
