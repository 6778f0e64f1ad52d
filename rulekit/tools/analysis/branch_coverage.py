"""Branch coverage and condition coverage: which ways the expressions of the rules went in a match.

The game is instrumented with probes.  A probe is an option of our own that is
read where the rules come by: engines note which open readings a match met, in
a try too, and nothing follows from what this one says.  So the matches stay
the same, no engine knows that it is watched, and no optimization may leave a
probe out.

What is told has a *point*: an operation, or the number of a probe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.call_graph import Place
from rulekit.model.effects import expressions
from rulekit.model.traversal import parts, within
from rulekit.model.types import FLAG, Parameter, thing
from rulekit.tools.analysis.condition_outcomes import NOWHERE, Chosen, Joined, Known, Leaf, Negated, Outcomes, Reach
from rulekit.tools.analysis.condition_outcomes import Point as Point
from rulekit.tools.analysis.condition_outcomes import Points as Points
from rulekit.tools.analysis.tie_breaks import leaves_tie
from rulekit.values import define, evolve, field, fields, frozen

Keys = tuple[tuple[x.Expr, bool], ...]
_NO = x.Const(False)
_FLAGS = (x.Compare, x.Same, x.Among, x.Some, x.Placed, x.Possible)
"""What is a condition wherever it stands."""
_AGREED = (x.OptionValue, x.Const, x.Same, x.Among, x.Compare, x.Not, x.Both, x.Either, x.Listed, x.Arithmetic)
"""What says the same all through a match, if an option is in it."""


@frozen
class Condition:
    """A condition of the rules, which can hold and fail.

    held, failed:  the probes.
    clauses:       its own, or those of its line.
    """

    test: x.Expr
    clauses: tuple[str, ...]
    held: int
    failed: int


@frozen
class Guard:
    """What decides whether a match comes by a probe.

    kind:   held or failed (a condition), member (of a set), tied (what stands before a key), called (a define), row (of
            a table), full (a space) or block (of lines).
    name:   of the define, the rows or the place.
    outer:  where it is decided.
    """

    kind: str
    e: x.Expr | None
    name: str
    outer: Reach


@define(eq=False)
class BranchProbes:
    """A game with probes in its expressions.

    watched:   the game with them.
    parts:     by clause the points of the parts of lines that cite it.
    reads:     by clause the points at which a define, a row or an action that it stands at is looked at.
    options:   the options that are looked at: which, and where.
    """

    game: model.Game
    watched: model.Game = field(init=False, repr=False)
    guards: list[Guard] = field(init=False, factory=list, repr=False)
    conditions: list[Condition] = field(init=False, factory=list, repr=False)
    parts: dict[str, set[Point]] = field(init=False, factory=dict, repr=False)
    reads: dict[str, set[Point]] = field(init=False, factory=dict, repr=False)
    options: list[tuple[int, Points]] = field(init=False, factory=list, repr=False)
    _calls: dict[int, list[Reach]] = field(init=False, factory=dict, repr=False)
    _rows: dict[tuple[str, str], tuple[int, list[int]]] = field(init=False, factory=dict, repr=False)
    _added: list[model.Define] = field(init=False, factory=list, repr=False)
    _line: tuple[str, ...] = field(init=False, default=())
    _is_made: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        game = self.game
        codes = tuple(self._code(index, code) for index, code in enumerate(game.codes))
        places = {name: self._place(place) for name, place in game.places.items()}
        reached = self._reached()
        defines = tuple(self._define(index, one) if index in reached else one for index, one in enumerate(game.defines))
        # What invariants and scenarios look at is not of a match.
        whole = evolve(game, codes=codes, places=places, defines=(*defines, *self._added), invariants=())
        self._is_made = True
        self.watched = self.with_options(whole)

    # ------------------------------------------------------------ probes

    def probe(self, guard: Guard) -> int:
        self.guards.append(guard)
        return len(self.guards) - 1

    def read(self, probe: int) -> x.Expr:
        """An expression that does not hold, and by which a match is seen to come by."""
        return x.OptionValue(len(self.game.options) + probe)

    def with_options(self, game: model.Game) -> model.Game:
        """The game with an option for every probe there is by now."""
        known = len(game.options) - len(self.game.options)
        more = [
            model.Option(f"probe {number}", "", True, FLAG, default=False) for number in range(known, len(self.guards))
        ]
        return evolve(game, options=(*game.options, *more))

    def _entered(self, e: x.Expr, probe: int | None) -> x.Expr:
        """The same value; that it is worked out is noted."""
        return e if probe is None else x.Choice(self.read(probe), e, e)

    def _inside(self, guard: Guard) -> tuple[Reach, Callable[[x.Expr], x.Expr]]:
        """Where something begins that need not come up: its reach, and what puts in the probe if that was asked for."""
        made: list[int] = []

        def reach() -> Points:
            if not made:
                if self._is_made:
                    return guard.outer()
                made.append(self.probe(guard))
            return frozenset(made)

        return reach, lambda e: self._entered(e, made[0] if made else None)

    def _tie(self, e: x.Expr | ops.Target, reach: Reach) -> None:
        for clause in e.cites:
            self.parts.setdefault(clause, set()).update(reach())

    def _reads(self, clauses: tuple[str, ...], reach: Reach) -> None:
        for clause in clauses:
            self.reads.setdefault(clause, set()).update(reach())

    # ------------------------------------------------------------ where expressions stand

    def _code(self, index: int, code: ops.Code) -> ops.Code:
        if index == self.game.main or code.name == "do":
            return code
        return evolve(code, ops=tuple(self._operation((index, pc), op) for pc, op in enumerate(code.ops)))

    def _operation(self, place: Place, op: ops.Op) -> ops.Op:
        self._line = op.own or op.cites

        def reach() -> Points:
            return frozenset([place])

        if isinstance(op, ops.AskWay):
            ways = [(label, None if test is None else self._held(test, reach), to) for label, test, to in op.ways]
            return evolve(op, who=self.value(op.who, reach), ways=tuple(ways))
        if isinstance(op, ops.Rank):
            players, keys = self._keys(op.players, op.slot, op.keys, reach)
            return evolve(op, players=players, keys=keys)
        kind: Any = type(op)
        made: Any = {name: self._part(getattr(op, name), reach) for name in expressions(kind) if name != "test"}
        if isinstance(op, ops.Unless | ops.OnlyIf):
            made["test"] = self._held(op.test, reach)
        return evolve(op, **made)

    def _part(self, part: Any, reach: Reach) -> Any:
        if isinstance(part, x.Expr):
            return self.value(part, reach)
        if isinstance(part, ops.Target):
            self._tie(part, reach)
            return evolve(part, of=self._part(part.of, reach), index=self._part(part.index, reach))
        return tuple([self._part(one, reach) for one in part]) if isinstance(part, tuple) else part

    def _define(self, index: int, one: model.Define) -> model.Define:
        self._line = one.cites
        guard = Guard("called", one.value, one.name, lambda: self._called(index))
        reach, entered = self._inside(guard)
        self._reads(one.cites, reach)
        return evolve(one, value=entered(self.value(one.value, reach)))

    def _reached(self) -> set[int]:
        """The defines that matches look at; others are there for examples, invariants and views."""
        game = self.game
        whole = (*(code.ops for code in game.codes if code.name != "do"), tuple(v.start for v in game.variables))
        spaces = tuple(
            (full.test, place.halts, *place.capacity) for place in game.places.values() for full in place.full
        )
        return {e.define for e in within((whole, spaces), game.defines) if isinstance(e, x.Invoke)}

    def _called(self, index: int) -> Points:
        """Where a define is called from, or a row looked at."""
        calls = self._calls.pop(index, [])  # Defines that call each other come round.
        found = NOWHERE.union(*(reach() for reach in calls))
        self._calls[index] = calls
        return found

    def _place(self, place: model.Place) -> model.Place:
        return evolve(place, full=tuple(self._full(place.name, full) for full in place.full))

    def _full(self, place: str, full: model.Full) -> model.Full:
        """A line about full spaces, which counts where its condition holds; without one, wherever it is come to."""
        self._line = full.cites
        cites = full.cites if full.word != "refuses" else ()  # Nothing comes to where it is refused.
        if full.test is not None:
            test = self._test(full.test, lambda: NOWHERE)
            self._reads(cites, lambda: test.when(True))
            return evolve(full, test=test.built())
        if not cites:
            return full
        probe = self.probe(Guard("full", None, place, lambda: NOWHERE))
        self._reads(cites, lambda: frozenset([probe]))
        return evolve(full, test=x.Not(self.read(probe)))

    # ------------------------------------------------------------ expressions

    def value(self, e: x.Expr, reach: Reach) -> x.Expr:
        """The expression with probes in it, where it is worked out at these points."""
        if isinstance(e, (*_FLAGS, x.Not, x.Both, x.Either)):
            return self._held(e, reach)
        self._tie(e, reach)
        return self._with_parts(e, reach)

    def _held(self, e: x.Expr, reach: Reach) -> x.Expr:
        return self._test(e, reach).built()

    def _with_parts(self, e: x.Expr, reach: Reach) -> x.Expr:
        made = _PARTS.get(type(e))
        if made is not None:
            return made(self, e, reach)
        kind: Any = type(e)
        names = [a.name for a in fields(kind) if isinstance(getattr(e, a.name), x.Expr | tuple)]
        held = {name: self._part(getattr(e, name), reach) for name in names if name not in ("cites", "values")}
        return evolve(e, **held) if held else e

    def _choice(self, e: x.Choice, reach: Reach) -> x.Expr:
        test = self._test(e.test, reach)
        then = self.value(e.then, lambda: test.when(True))
        other = self.value(e.other, lambda: test.when(False))
        return evolve(e, test=test.built(), then=then, other=other)

    def _filter(self, e: x.Filter, reach: Reach) -> x.Expr:
        inner, entered = self._inside(Guard("member", e.of, "", reach))
        return evolve(e, of=self.value(e.of, reach), test=entered(self._held(e.test, inner)))

    def _mapped(self, e: x.Mapped | x.Fold, reach: Reach) -> x.Expr:
        inner, entered = self._inside(Guard("member", e.of, "", reach))
        return evolve(e, of=self.value(e.of, reach), value=entered(self.value(e.value, inner)))

    def _extreme(self, e: x.Extreme, reach: Reach) -> x.Expr:
        inner, entered = self._inside(Guard("member", e.of, "", reach))
        return evolve(e, of=self.value(e.of, reach), key=entered(self.value(e.key, inner)))

    def _ordered(self, e: x.Ordered, reach: Reach) -> x.Expr:
        of, keys = self._keys(e.of, e.slot, e.keys, reach)
        return evolve(e, of=of, keys=keys)

    def _keys(self, of: x.Expr, slot: int, keys: Keys, reach: Reach) -> tuple[x.Expr, Keys]:
        """What is ordered and by what; a key behind the first is looked at where those before it leave a tie."""
        whole, made, before = self.value(of, reach), list[tuple[x.Expr, bool]](), list[x.Expr]()
        for key, low in keys:
            tied = leaves_tie(of, slot, before) if before else None
            guard = Guard("member", of, "", reach) if tied is None else Guard("tied", key, "", reach)
            inner, entered = self._inside(guard)
            value = self.value(key, inner)
            if tied is None:
                value = entered(value)
            else:
                noted = entered(_NO)
                whole = whole if isinstance(noted, x.Const) else x.Choice(x.Choice(tied, noted, _NO), whole, whole)
            made.append((value, low))
            before.append(key)
        return whole, tuple(made)

    def _option(self, e: x.OptionValue, reach: Reach) -> x.Expr:
        option = self.game.options[e.index]
        if option.cites or option.readings:
            self.options.append((e.index, reach()))
        return e

    def _invoke(self, e: x.Invoke, reach: Reach) -> x.Expr:
        self._calls.setdefault(e.define, []).append(reach)
        return evolve(e, args=self._part(e.args, reach))

    def _possible(self, e: x.Possible, reach: Reach) -> x.Expr:
        self._reads(self.game.codes[e.code].cites, reach)
        return evolve(e, args=self._part(e.args, reach))

    # ------------------------------------------------------------ rows and traits

    def _trait(self, e: x.Trait, reach: Reach) -> x.Expr:
        """A trait of a thing: by a define of our own, if things differ in the clauses that they are printed with."""
        made = evolve(e, thing=self.value(e.thing, reach))
        members = self.game.kinds[e.kind].members
        behind = list(dict.fromkeys(member.behind(e.name) for member in members))
        if len(behind) < 2:
            self._reads(behind[0] if behind else (), reach)
            return made
        if (e.kind, e.name) not in self._rows:
            self._rows[e.kind, e.name] = self._by_row(e, behind)
        number, probes = self._rows[e.kind, e.name]
        for probe in probes:
            self._calls.setdefault(-1 - probe, []).append(reach)
        return x.Invoke(number, (made.thing,), span=e.span, cites=e.cites)

    def _by_row(self, e: x.Trait, behind: list[tuple[str, ...]]) -> tuple[int, list[int]]:
        kind, read = self.game.kinds[e.kind], evolve(e, thing=x.Local(0), cites=())
        ways, probes = list[x.Expr](), list[int]()
        for clauses in behind:
            if not clauses:
                ways.append(read)
                continue
            probe = len(self.guards)
            names = ", ".join(member.key for member in kind.members if member.behind(e.name) == clauses)
            self.probe(Guard("row", None, names, lambda probe=probe: self._called(-1 - probe)))  # type: ignore[misc]
            self._reads(clauses, lambda probe=probe: frozenset([probe]))  # type: ignore[misc]
            ways.append(self._entered(read, probe))
            probes.append(probe)
        # Which row it is says a trait of our own: engines find it sooner than a thing among those of a row.
        numbers = tuple(behind.index(member.behind(e.name)) for member in kind.members)
        row = evolve(read, name=f"row behind {e.name}", values=numbers)
        number = len(self.game.defines) + len(self._added)
        handed, value = (Parameter(e.kind, thing(e.kind)),), _by_number(row, ways)
        self._added.append(model.Define(f"{e.kind} {e.name}", handed, value, kind.trait_types[e.name]))
        return number, probes

    # ------------------------------------------------------------ conditions

    def _test(self, e: x.Expr, reach: Reach) -> Outcomes:
        self._tie(e, reach)
        if isinstance(e, x.Not):
            return Negated(e, self._test(e.of, reach))
        if isinstance(e, x.Both | x.Either):
            left = self._test(e.left, reach)
            return Joined(e, left, self._test(e.right, lambda: left.when(isinstance(e, x.Both))))
        if isinstance(e, x.Choice):
            test = self._test(e.test, reach)
            then = self._test(e.then, lambda: test.when(True))
            return Chosen(e, test, then, self._test(e.other, lambda: test.when(False)))
        if isinstance(e, x.Const):
            return Known(e, reach)
        made = self._leaf(e, self._with_parts(e, reach), reach)
        if not is_agreed(e):
            self.conditions.append(Condition(e, e.cites or self._line, made.held, made.failed))
        return made

    def _leaf(self, e: x.Expr, inner: x.Expr, reach: Reach) -> Leaf:
        held, failed = (self.probe(Guard(kind, e, "", reach)) for kind in ("held", "failed"))
        both = x.Choice(inner, x.Not(self.read(held)), self.read(failed), span=e.span)
        return Leaf(both, held, failed)


def _by_number(number: x.Expr, ways: Sequence[x.Expr], first: int = 0) -> x.Expr:
    """Which of these it is, as a number says that begins with `first`."""
    if len(ways) == 1:
        return ways[0]
    half = len(ways) // 2
    low, high = _by_number(number, ways[:half], first), _by_number(number, ways[half:], first + half)
    return x.Choice(x.Compare("below", number, x.Const(first + half)), low, high)


def is_agreed(e: x.Expr) -> bool:
    """Whether a condition says the same all through a match, since it looks at options alone."""
    found = list(parts(e))
    return any(isinstance(part, x.OptionValue) for part in found) and all(isinstance(part, _AGREED) for part in found)


_PARTS: dict[type, Callable[[BranchProbes, Any, Reach], x.Expr]] = {
    x.Choice: BranchProbes._choice,
    x.Filter: BranchProbes._filter,
    x.Mapped: BranchProbes._mapped,
    x.Fold: BranchProbes._mapped,
    x.Extreme: BranchProbes._extreme,
    x.Ordered: BranchProbes._ordered,
    x.OptionValue: BranchProbes._option,
    x.Invoke: BranchProbes._invoke,
    x.Possible: BranchProbes._possible,
    x.Trait: BranchProbes._trait,
}
"""The expressions of which not all is worked out, or that are tied to clauses elsewhere."""
