"""Closure compilation: each expression and operation is made into a function of the machine, once for a table.

For every type of node a dispatch table says how its closure is made, out of
the closures of its parts: `MEANING` for expressions, `HANDLERS` for
operations.  What stays as it is through a match (where values lie, what was
agreed, who sits where) is looked up while the closure is made.  Nothing that
an expression does changes a declared value.  The modules of `play.meaning`,
`decision_options` and `fork_join` fill the tables; the interpreter reads them
and need not know any of those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulekit.errors import RulekitError
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.rounds import round_start
from rulekit.model.traversal import children
from rulekit.play.machine.working_state import CallFrame, Machine, trace_of
from rulekit.play.state.cost_model import CostModel, cost_model
from rulekit.play.state.errors import RuleError
from rulekit.play.state.setting import Setting
from rulekit.values import define, field

Inner = Any
"""A value inside the engine: see `model.expr`."""
Meaning = Callable[[Machine], Inner]
"""What an expression gives in a machine as it is now."""
Word = Callable[[Machine, Any, list[Any]], Any]

MEANING: dict[type, Callable[[Meanings, Any], Meaning]] = {}
"""How the meaning of each node is made; filled by the modules that say it."""
WORDS: dict[str, Word] = {}
"""What each built-in word gives."""

Act = Callable[[Machine, CallFrame], bool | None]
"""What an operation does; `LEFT` if the next one may be in another frame, or something has landed or waits."""
LEFT = True
HANDLERS: dict[type, Callable[[Meanings, Any], Act]] = {}
"""How it is made what each operation does."""
TRACED: dict[type, Callable[[Meanings, Any], Meaning]] = {}
"""The nodes that note more than what is in them, where it is noted which clauses decide."""
TRACED_SETS: set[type] = set()
"""Those among them whose trail knows what let each member in.  The others leave none with members."""
TRACED_HANDLERS: dict[type, Callable[[Meanings, Any], Act]] = {}
"""The operations that are done otherwise there."""
Placed = tuple[ops.Op, int, Act]
"""An operation at its place in a code: how many steps it takes, and what it does."""


@define(eq=False)
class Meanings:
    """The closures of all expressions and operations for one table: seats and options.

    watched:  whether it is noted what is read: see `taint_check`.
    traced:   whether it is noted which clauses decide: see `play.tracing`.
    """

    setting: Setting
    watched: bool
    traced: bool = False
    _made: dict[int, tuple[x.Expr, Meaning]] = field(factory=dict, init=False, repr=False)
    _counts: dict[int, x.Count] = field(factory=dict, init=False, repr=False)
    _acts: dict[int, list[Placed]] = field(factory=dict, init=False, repr=False)

    def of(self, e: x.Expr | None) -> Meaning:
        """Made when first asked for; None stands for nothing.

        Equal nodes may stand on different lines, so each has its own.
        """
        if e is None:
            return always(None)
        made = self._made.get(id(e))
        if made is None:
            made = self._made[id(e)] = (e, self._traced(e) if self.traced else MEANING[type(e)](self, e))
        return made[1]

    def _traced(self, e: x.Expr) -> Meaning:
        """A meaning that notes the clauses of its part of a line; of all but sets it gives one trail."""
        meaning = TRACED.get(type(e), MEANING[type(e)])(self, e)
        cites, keeps = e.cites, type(e) in TRACED_SETS
        if not cites and (keeps or type(e) in TRACED or not any(children(e))):
            return meaning

        def noted(m: Machine) -> Inner:
            value, trail = meaning(m), trace_of(m).trail
            if not keeps:
                trail.flatten()
            trail.add(cites)
            return value

        return noted

    def count(self, e: x.Expr) -> x.Count:
        """The question how many a set holds: one node for each set, however often it is asked."""
        made = self._counts.get(id(e))
        if made is None:
            made = self._counts[id(e)] = x.Count(e)
        return made

    @property
    def costs(self) -> CostModel:
        return cost_model(self.setting)

    def member_steps(self, e: x.Expr) -> int:
        """The steps that a query counts for each member; 0 if its cost is known."""
        cost = self.costs.cost(e)
        return cost.member if cost.measured else 0

    def is_measured(self, e: x.Expr) -> bool:
        return self.costs.is_measured(e)

    def deferred_steps(self, e: x.Expr) -> int:
        """The steps that are counted where an expression under a condition is worked out."""
        return self.costs.deferred(e)

    def each(self, several: Iterable[x.Expr]) -> tuple[Meaning, ...]:
        return tuple(self.of(e) for e in several)

    def acts(self, code: int) -> list[Placed]:
        """The operations of a code; made when it first runs."""
        made = self._acts.get(code)
        if made is None:
            flat = self.setting.game.codes[code].ops
            handlers = {**HANDLERS, **TRACED_HANDLERS} if self.traced else HANDLERS
            costs = self.costs.code_costs(code)
            made = [(op, steps, handlers[type(op)](self, op)) for op, steps in zip(flat, costs, strict=True)]
            visits = self.setting.visits
            if visits is not None:
                places = visits.places
                made = [(op, steps, _noted(act, places, (code, at))) for at, (op, steps, act) in enumerate(made)]
            start = round_start(self.setting.game)
            if start is not None and start[0] == code:
                op, steps, act = made[start[1]]
                made[start[1]] = (op, steps, _begins_round(act))
            self._acts[code] = made
        return made


def _begins_round(act: Act) -> Act:
    """An operation with which a round begins, which whoever counts rounds is told of."""

    def begins_round(m: Machine, frame: CallFrame) -> bool | None:
        told = m.setting.round_begun
        if told is None or m.trial is not None:
            return act(m, frame)
        take_back = told(m)
        try:
            return act(m, frame)
        except NeedsOrder:
            # It runs again once the order is decided.
            take_back()
            raise

    return begins_round


def _noted(act: Act, places: set[tuple[int, int]], place: tuple[int, int]) -> Act:
    """An operation that notes that it was come by."""

    def noted(m: Machine, frame: CallFrame) -> bool | None:
        places.add(place)
        return act(m, frame)

    return noted


def meanings(setting: Setting) -> Meanings:
    """The closures for a setting; made once for watched matches, once for traced ones and once for others."""
    traced = setting.untraced is not None
    look = "traced" if traced else "watched" if setting.watched else "plain"
    made: Meanings | None = setting.meanings.get(look)
    if made is None:
        made = setting.meanings[look] = Meanings(setting, look == "watched", traced)
    return made


def evaluate(m: Machine, e: x.Expr) -> Inner:
    """The value of an expression that is no part of an operation; it counts no steps."""
    before = m.steps
    value = meanings(m.setting).of(e)(m)
    m.steps = before
    return value


class NeedsOrder(RulekitError):
    """A rule needs to know which thing lies where in a shuffled pile; whole: the order of all of it."""

    def __init__(self, slot: int, whole: bool) -> None:
        super().__init__(slot)
        self.slot = slot
        self.whole = whole


def always(value: Inner) -> Meaning:
    """The meaning of a constant."""
    return lambda m: value


def fail(m: Machine, e: x.Expr, code: str, title: str) -> RuleError:
    """An error in an expression, with its place, clauses and rule."""
    return RuleError(code, title, e.span, m.cites(), m.rule())


def spend(m: Machine, n: int) -> None:
    """Count n steps; `LimitError` beyond the limit."""
    m.steps += n
    if m.steps > m.checkpoint:
        m.pass_checkpoint()
