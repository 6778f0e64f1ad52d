"""Replay scripts: from a history to the answers and draws by which a compiled machine comes to the same position.

Every step of a history is translated once (memoised), as histories share their steps.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from attrs import define, field

from rulekit.bots.belief.history import Node, steps
from rulekit.compiler.lower.storage.layout import Storage
from rulekit.compiler.runtime.machine import Script
from rulekit.play import engine
from rulekit.play.meaning import chance
from rulekit.play.state.state import CHANCE, Decision, State
from rulekit.play.state.value import Value

_Drawn = tuple[int, int, int]
_Answered = tuple[int, tuple[int, ...]]


@define(eq=False)
class Scripts:
    """Makes scripts for the machines of one plan.

    _known:  by step, its answer as seat and places among the options; or what was drawn: stream, count, place.
    """

    storage: Storage
    _known: WeakKeyDictionary[Node, _Drawn | _Answered] = field(factory=WeakKeyDictionary)

    def of(self, node: Node) -> Script:
        """The script of a history."""
        answers: list[list[tuple[int, ...]]] = [[] for _ in range(self.storage.setting.players)]
        drawn: list[_Drawn] = []
        for step in reversed(list(steps(node))):
            if step.action is None:
                continue
            made = self._step(step)
            if len(made) == 3:
                drawn.append(made)
            else:
                answers[made[0]].append(made[1])
        return Script(tuple(map(tuple, answers)), tuple(drawn))

    def _step(self, step: Node) -> Any:
        if step not in self._known:
            assert step.before is not None
            assert step.action is not None
            before, seat, answer = step.before.state, step.action.seat, step.action.answer
            decision = next(asked for asked in engine.decisions(before) if asked.seat == seat)
            if seat == CHANCE:
                self._known[step] = self._drawn(before, decision.options.index(answer))
            else:
                self._known[step] = seat, places(decision, answer)
        return self._known[step]

    def _drawn(self, before: State, place: int) -> _Drawn:
        pending = before.pending
        assert pending is not None
        options, _ = chance.weights(before.setting, pending)
        which = pending.options.index(options[place])
        return self.storage.stream(pending.stream), len(pending.options), which


def places(decision: Decision, answer: Value) -> tuple[int, ...]:
    """Where an answer stands among the options; of several things in rising order."""
    if not decision.several:
        return (decision.options.index(answer),)
    assert isinstance(answer, tuple)
    left = list(range(len(decision.options)))
    for item in answer:
        left.remove(next(place for place in left if decision.options[place] == item))
    return tuple(place for place in range(len(decision.options)) if place not in left)
