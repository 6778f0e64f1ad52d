"""Why something never happened in the matches that were played: the reason nearest to play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.call_graph import Place
from rulekit.model.control_dependence import around
from rulekit.tools.analysis.branch_coverage import Guard, Point
from rulekit.tools.analysis.statement_coverage import CoverageProbes
from rulekit.tools.explain.source_text import written
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define


@define(eq=False)
class Unreached:
    """Finds reasons.

    calls:   by code the operations that may begin it.
    counts:  by point the number of matches that came by.
    """

    probes: CoverageProbes
    calls: Mapping[int, Sequence[Place]]
    counts: Mapping[Point, int]

    @property
    def game(self) -> model.Game:
        return self.probes.game

    def why(self, points: Sequence[Point]) -> Message:
        """Why no match came by any of these points."""
        return self._why(points[0], frozenset()) if points else Message("never-reached")

    def came(self, point: Point) -> bool:
        return any(self.counts.get(one, 0) > 0 for one in self.probes.points([point]))

    def _why(self, point: Point, seen: frozenset[Point]) -> Message:
        if point in seen:
            return Message("never-reached")
        return self._of_part(point, seen) if isinstance(point, int) else self._of_line(point, seen)

    # ------------------------------------------------------------ parts of lines

    def _of_part(self, probe: int, seen: frozenset[Point]) -> Message:
        guard = self.probes.branches.guards[probe]
        outer = sorted(guard.outer(), key=str)
        if outer and not any(self.came(point) for point in outer):
            return self._why(outer[0], seen | {probe})
        line = guard.e.span.line if guard.e is not None else 0
        return self._closed_part(guard, line)

    def _closed_part(self, guard: Guard, line: int) -> Message:
        """Why what decides about a part, which was looked at, never let play come there."""
        if guard.e is not None and guard.kind in ("held", "failed", "member", "tied"):
            text = written(self.game, guard.e.span)
            if guard.kind == "member":
                return Message("never-anything", set=text, line=line)
            if guard.kind == "tied":
                return Message("never-tied", key=text, line=line)
            return Message("never-true" if guard.kind == "held" else "shadowed", test=text, line=line)
        if guard.kind in ("row", "full"):
            return Message("row-never-read" if guard.kind == "row" else "never-full", name=guard.name)
        return Message("never-reached")

    # ------------------------------------------------------------ lines

    def _of_line(self, place: Place, seen: frozenset[Point]) -> Message:
        index, pc = place
        code = self.game.codes[index]
        if not self.came((index, 0)):
            return self._uncalled(index, seen | {place})
        for at in around(code.ops, pc):
            if not self.came((index, at)):
                continue
            reason = self._closed(index, at, pc)
            if reason is not None:
                return reason
        return self._way(index, pc)

    def _closed(self, index: int, at: int, pc: int) -> Message | None:
        """Why the condition or loop at `at`, which ran, never led on to the operation at `pc`; None if it did."""
        op = self.game.codes[index].ops[at]
        if isinstance(op, ops.Unless):
            inside = pc < op.to
            behind = at + 1 if inside else op.to
            if self.came((index, behind)):
                return None
            text = written(self.game, op.test.span)
            return Message("never-true" if inside else "shadowed", test=text, line=op.span.line)
        if isinstance(op, ops.EachStart) and not self.came((index, at + 2)):
            return Message("never-anything", set=written(self.game, op.over.span), line=op.span.line)
        return None

    def _way(self, index: int, pc: int) -> Message:
        for at, op in enumerate(self.game.codes[index].ops[:pc]):
            if isinstance(op, ops.AskWay) and self.came((index, at)):
                for label, _, begin in op.ways:
                    if begin == self.probes.block[index, pc][1]:
                        return Message("way-never-chosen", texts={"label": ("way", label)}, line=op.span.line)
            if isinstance(op, ops.EnterStep) and at < pc < op.end and not self.came((index, at + 1)):
                return Message("always-skipped", step=op.step, line=op.span.line)
        return Message("left-before")

    def _uncalled(self, index: int, seen: frozenset[Point]) -> Message:
        """Why a code was never begun: nobody calls it, or no caller came so far."""
        begun = {place[0] for place in seen if not isinstance(place, int)}
        calls = [place for place in self.calls.get(index, ()) if place[0] not in begun]
        if not calls:
            return Message("uncalled", name=self.game.codes[index].name)
        for place in calls:
            if self.came(place):
                line = self.game.codes[place[0]].ops[place[1]].span.line
                return Message("never-came-up", name=self.game.codes[index].name, line=line)
        return self._why(calls[0], seen)
