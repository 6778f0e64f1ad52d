"""Reaching definitions, of what was revealed: where the flow may come after a rule revealed a variable.

A forward analysis over the whole game that knows no contexts: from the end of a
code the flow may go on behind everything that may have run it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulekit.model import call_graph, effects, ops
from rulekit.model import expr as x
from rulekit.model.call_graph import Place
from rulekit.model.game import Game
from rulekit.model.traversal import parts
from rulekit.values import define


def revealed(op: ops.Op) -> frozenset[int]:
    """The variables that an operation reveals, or things in them."""
    if not isinstance(op, ops.Reveal):
        return frozenset()
    things = {part.variable for part in parts(op.things) if isinstance(part, x.Stored)}
    return frozenset(things.union(variable for variable, _ in op.targets))


@define(eq=False)
class Reached:
    """By place, the variables that may have been revealed before; worked out when first asked for."""

    game: Game

    def at(self, place: Place) -> frozenset[int]:
        return frozenset(variable for variable, places in self._places.items() if place in places)

    @cached_property
    def _places(self) -> dict[int, set[Place]]:
        begun: dict[int, list[Place]] = {}
        for index, code in enumerate(self.game.codes):
            for pc, op in enumerate(code.ops) if code.name != "result" else ():
                for variable in revealed(op):
                    begun.setdefault(variable, []).append((index, pc))
        return {variable: self.behind(places) for variable, places in begun.items()}

    @cached_property
    def _callers(self) -> dict[int, list[Place]]:
        return call_graph.callers(self.game)

    def behind(self, places: list[Place]) -> set[Place]:
        """Return the places to which the flow may come after one of these."""
        waiting = [after for place in places for after in self._after(place)]
        found: set[Place] = set()
        while waiting:
            place = waiting.pop()
            if place not in found:
                found.add(place)
                waiting += self._after(place)
                waiting += [(called, 0) for called in call_graph.run_by(self.game, self._op(place))]
        return found

    def _op(self, place: Place) -> ops.Op:
        return self.game.codes[place[0]].ops[place[1]]

    def _after(self, place: Place) -> Iterator[Place]:
        (code, pc), op = place, self._op(place)
        yield from ((code, to) for to in effects.targets(op))
        if op.effects.continues:
            yield code, pc + 1
        elif not op.effects.jumps:
            yield from ((caller, at + 1) for caller, at in self._callers.get(code, ()) if self._goes_on(caller, at))

    def _goes_on(self, code: int, pc: int) -> bool:
        return self.game.codes[code].ops[pc].effects.continues


def _whole_pile(op: ops.Op) -> frozenset[int]:
    """The pile of which an operation reveals all things, not only some."""
    things = op.things if isinstance(op, ops.Reveal) else None
    while isinstance(things, x.Mapped):
        things = things.value
    return frozenset((things.variable,)) if isinstance(things, x.Stored) else frozenset()


@define(eq=False)
class WhollyRevealed:
    """By place, the piles of which everything lies open whichever way the flow came: a forward must-analysis.

    It tells the piles of different owners not apart.
    """

    game: Game

    def at(self, place: Place) -> frozenset[int]:
        return self._before.get(place, frozenset())

    @cached_property
    def _before(self) -> dict[Place, frozenset[int]]:
        """Begins with every pile that is revealed anywhere, and takes out until nothing changes."""
        places = {(code, pc): op for code, made in enumerate(self.game.codes) for pc, op in enumerate(made.ops)}
        most = frozenset[int]().union(*map(_whole_pile, places.values()))
        if not most:
            return {}
        called = call_graph.callers(self.game)
        before = {place: most if place[1] or place[0] in called else frozenset() for place in places}
        behind = [most] * len(self.game.codes)
        left = -1
        while left != (left := sum(map(len, before.values())) + sum(map(len, behind))):
            for (code, pc), op in places.items():
                runs = call_graph.run_by(self.game, op)
                after = before[code, pc] - self._filled(op) | _whole_pile(op)
                for callee in runs:
                    before[callee, 0] &= after
                    after -= self._filled_by[callee]
                after = after.union(*(behind[callee] for callee in runs)) if op.effects.calls else after
                for to in (*effects.targets(op), *((pc + 1,) if op.effects.continues else ())):
                    before[code, to] &= after
                if not op.effects.continues and not op.effects.jumps:
                    behind[code] &= after
        return before

    @cached_property
    def _filled_by(self) -> list[frozenset[int]]:
        """By code, the piles on which it or what it runs may put something."""
        codes = self.game.codes
        own = [frozenset[int]().union(*map(self._filled, code.ops)) for code in codes]
        reached = (call_graph.reachable(self.game, (index,)) for index in range(len(codes)))
        return [frozenset[int]().union(*(own[code] for code in found)) for found in reached]

    def _filled(self, op: ops.Op) -> frozenset[int]:
        if op.effects.exchanges:
            return frozenset(range(len(self.game.variables)))
        return frozenset(getattr(op, name).variable for name in op.effects.fills)
