"""Breakpoints at the ends of steps: the states of a match in which a named step has just ended, inside a round.

The game is instrumented with a question that has one answer where such a step
begins and where it ends.  What also comes by the place behind a step, as the
other arm of an `if` does, has not begun it and is let go on.  Steps that are
only tried, or done in secret, are left alone.
"""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.call_graph import reachable
from rulekit.model.traversal import within
from rulekit.model.types import NUMBER
from rulekit.play import engine
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Action, State, Step
from rulekit.tools.analysis.rule_instrumentation import instrumented
from rulekit.tools.analysis.statement_coverage import secret_places
from rulekit.values import define, evolve, field

_BEGINS, _ENDS = "a step begins: ", "a step ends: "
"""No rule can give a question such a name."""


def with_pauses(game: model.Game, steps: frozenset[str]) -> model.Game:
    """The game with a question where these steps begin and where they end; the game itself if there are none."""
    if not steps:
        return game
    apart, secret = secret_places(game)
    never = secret | tried(game) | {game.main, game.result}

    def insert(index: int, pc: int, op: ops.Op) -> list[ops.Op]:
        if index in never or (index, pc) in apart:
            return []
        code = game.codes[index]
        ended = [one.step for one in code.ops[:pc] if isinstance(one, ops.EnterStep) and one.end == pc]
        names = [_ENDS + step for step in reversed(ended) if step in steps]
        if isinstance(op, ops.EnterStep) and op.step in steps:
            names.append(_BEGINS + op.step)
        one = x.Const((0,))
        return [ops.Ask(code.locals, name, x.Const(0), one, manner="always", type=NUMBER) for name in names]

    made = instrumented(game, insert)
    return evolve(made, codes=tuple(evolve(code, locals=code.locals + 1) for code in made.codes))


def tried(game: model.Game) -> set[int]:
    """Codes that may run as a trial: those with an `only if`, those asked for by `possible`, and what they call."""
    found = {index for index, code in enumerate(game.codes) if code.has_only_if}
    found |= {e.code for code in game.codes for e in within(code.ops, game.defines) if isinstance(e, x.Possible)}
    return reachable(game, found)


def is_pause(event: Event) -> bool:
    """Whether an event is the answer to a question of ours."""
    return event.name == "choose" and str(event["what"]).startswith((_BEGINS, _ENDS))


@define(eq=False)
class Pauses:
    """Leads a match past the questions of ours.

    begun:  steps that have begun and not ended.
    ended:  the step at whose end the match stands; "" if it stands at none.
    """

    begun: set[str] = field(factory=set)
    ended: str = ""

    def onward(self, step: Step, goal: str | None) -> Step:
        """The match led on to the end of the step `goal`, or to the next question of the rules."""
        while (name := self._paused(step.state)) is not None:
            if name.startswith(_BEGINS):
                self.begun.add(name.removeprefix(_BEGINS))
            elif (ended := name.removeprefix(_ENDS)) in self.begun:
                self.begun.discard(ended)
                if ended == goal:
                    self.ended = ended
                    return step
            step = self._passed(step)
        return step

    def resumed(self, state: State, goal: str | None) -> Step:
        """The match led on from the end of a step at which it stands."""
        self.ended = ""
        return self.onward(self._passed(Step(state, ())), goal)

    def _paused(self, state: State) -> str | None:
        waiting = engine.decisions(state)
        return waiting[0].name if waiting and waiting[0].name.startswith((_BEGINS, _ENDS)) else None

    def _passed(self, step: Step) -> Step:
        after = engine.apply(step.state, Action(0, 0))
        events = [event for event in after.events if not is_pause(event)]
        return Step(after.state, (*step.events, *events))
