"""Taint flow: which values may depend on something that not everybody may see.

A flow-insensitive fixed point over the locals of all codes; sources are secret
answers and variables that are not public.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.model import call_graph, effects, ops
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.check.reaching_reveals import Reached, revealed
from rulekit.model.set_sizes import size_parts
from rulekit.model.traversal import children
from rulekit.values import evolve


class Reader:
    """Which locals may hold something hidden, found by going over all codes until nothing changes."""

    def __init__(self, game: model.Game, codes: tuple[ops.Code, ...], but: frozenset[int] = frozenset()) -> None:
        self.game = game
        self.but = but
        self.codes = codes
        self.locals: list[set[int]] = [set() for _ in codes]
        self.defines = self._defines()
        kinds = game.kinds.values()
        self.performed = [one.code for kind in kinds for one in kind.members if one.code is not None]

    def _defines(self) -> list[bool]:
        """Whether each define reads something hidden by itself or through others, in whatever order they stand."""
        found = [False] * len(self.game.defines)
        before = -1
        while before != (before := sum(found)):
            for index, define in enumerate(self.game.defines):
                found[index] = found[index] or self._reads(define.value, set(), found)
        return found

    def hides(self, node: object, code: int) -> bool:
        return self._reads(node, self.locals[code], self.defines)

    def _reads(self, node: object, hidden: set[int], defines: list[bool]) -> bool:
        """Whether a value may depend on something hidden.  How many things lie in a pile is public."""
        if isinstance(node, x.Count | x.Some):
            sizes = size_parts(self.game, node.of, is_exact=isinstance(node, x.Count))
            return any(self._reads(part, hidden, defines) for part in sizes)
        if isinstance(node, x.End) and self._is_on_top(node):
            return False
        if isinstance(node, x.Stored) and self.is_hidden(node.variable):
            return True
        if isinstance(node, x.Local) and node.index in hidden:
            return True
        if isinstance(node, x.Invoke) and defines[node.define]:
            return True
        return any(self._reads(part, hidden, defines) for part in children(node))

    def hidden_reads(self, node: object) -> Iterator[x.Stored]:
        """The hidden variables that an expression reads itself, but for how many things lie in a pile."""
        if isinstance(node, x.Count | x.Some):
            for size_part in size_parts(self.game, node.of, is_exact=isinstance(node, x.Count)):
                yield from self.hidden_reads(size_part)
            return
        if isinstance(node, x.Stored) and self.is_hidden(node.variable):
            yield node
        for part in children(node):
            yield from self.hidden_reads(part)

    def _is_on_top(self, node: x.End) -> bool:
        """Whether it is what lies on top of a pile of which all see that."""
        of = node.of
        if not node.last or not isinstance(of, x.Stored) or of.of is not None:
            return False
        return self.game.variables[of.variable].seen == model.TOP

    def is_hidden(self, variable: int) -> bool:
        return variable not in self.but and self.game.variables[variable].seen != model.PUBLIC

    def is_open(self, show: model.Show) -> bool:
        defines = enumerate(self.game.defines)
        return any(define.name == show.name and not self.defines[index] for index, define in defines)

    def settle(self) -> None:
        before = -1
        while before != (before := sum(map(len, self.locals))):
            for index, code in enumerate(self.codes):
                for op in code.ops:
                    self._flow(index, op)

    def _flow(self, index: int, op: ops.Op) -> None:
        local = effects.binds(op)
        if local is not None and self._binds_hidden(index, op):
            self.locals[index].add(local)
        if isinstance(op, ops.Call):
            self.locals[op.code] |= {place for place, arg in enumerate(op.args) if self.hides(arg, index)}
        elif isinstance(op, ops.Perform) and self.hides(op.thing, index):
            for code in self.performed:
                self.locals[code].add(1)

    def _binds_hidden(self, index: int, op: ops.Op) -> bool:
        row = op.effects
        if row.declassifies:
            return False
        if row.hides:
            # An open choice is told to everybody, also one from what only the chooser sees.
            return bool(getattr(op, row.hides))
        source = getattr(op, row.source) if row.source else ()
        return source in self.locals[index] if isinstance(source, int) else self.hides(source, index)

    def marked(self, index: int, code: ops.Code) -> ops.Code:
        return evolve(code, ops=tuple(self._marked(index, op) for op in code.ops))

    def _marked(self, index: int, op: ops.Op) -> ops.Op:
        if isinstance(op, ops.Ask):
            asked: tuple[Any, ...] = (op.who, op.options, op.least or (), op.most or ())
            return evolve(op, hidden=self.hides(asked, index))
        if isinstance(op, ops.AskWay):
            tests = tuple(test for _, test, _ in op.ways if test is not None)
            return evolve(op, hidden=self.hides((op.who, tests), index))
        if isinstance(op, ops.Rank):
            return evolve(op, is_open=not self.hides((op.players, op.keys), index))
        return op


class Readers:
    """By place who reads there: to it is hidden what no rule can have revealed before."""

    def __init__(self, game: model.Game) -> None:
        self._game = game
        self._reached = Reached(game)
        self._known: dict[frozenset[int], Reader] = {}

    def at(self, place: call_graph.Place) -> Reader:
        return self.of(self._reached.at(place))

    def of(self, but: frozenset[int]) -> Reader:
        """but: what counts as public."""
        if but not in self._known:
            self._known[but] = Reader(self._game, self._game.codes, but)
            self._known[but].settle()
        return self._known[but]


def revealed_in(game: model.Game, but: ops.Op | None = None) -> frozenset[int]:
    """Variables that some other rule than `but` reveals during play: whether they are hidden depends on the play."""
    found: set[int] = set()
    for code in game.codes:
        for op in code.ops if code.name != "result" else ():
            found |= revealed(op) if op is not but else set()
    return frozenset(found)
