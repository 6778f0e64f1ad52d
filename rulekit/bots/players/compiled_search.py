"""Tree search inside a compiled machine, begun from the histories that a seat believes in.

The game is compiled once for all seats of its matches.  Only what the seat was told goes in: the histories of its
belief, each as a script that the machine follows: the answers and draws by which it comes to the same position.  A
game that no plan can say is searched by the reference engine, and so is every game where WebAssembly cannot run.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Any
from weakref import WeakKeyDictionary, finalize

from rulekit.bots.belief.history import Node, steps
from rulekit.bots.bot import Chair
from rulekit.bots.rng import Rng
from rulekit.compiler.compiler_faults import faults_refused
from rulekit.compiler.lower.storage.layout import Storage, Unsupported
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Status
from rulekit.compiler.runtime.questions import Script
from rulekit.compiler.runtime.state_encoding import answer_places
from rulekit.compiler.runtime.wasm_host import Missing
from rulekit.compiler.wasm.stepping import WasmStepping, stepping
from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.meaning import chance
from rulekit.play.state.match_state import CHANCE, Decision, State
from rulekit.play.state.value import Value
from rulekit.values import define, field

POSITIONS = 24
"""How many histories a search begins with at most; each of them serves many simulations."""
AT_ONCE = 200
"""Simulations between which whoever waits can stop a search."""
_KEPT = 4


class Unsearched(Enum):
    """Why a search came to no answer; None is an answer, where somebody may pass."""

    OTHER_QUESTION = auto()
    NOTHING_WEIGHED = auto()


@define(eq=False)
class CompiledSearch:
    machine: WasmStepping
    scripts: Scripts

    def best(self, decision: Decision, histories: Sequence[Node], simulations: int, rng: Rng) -> Value | Unsearched:
        """The answer tried most, of several that fared alike any; `Unsearched` where the machine has none.

        That is where it comes to another question than the rules did.
        """
        known: dict[int, tuple[Any, Any] | None] = {}
        for node in histories:
            if id(node) not in known:
                known[id(node)] = self._position(decision, node)
        positions = [known[id(node)] for node in histories]
        fitting = [one for one in positions if one is not None]
        if not fitting:
            return Unsearched.OTHER_QUESTION
        seed, done = rng.below(2**64), 0
        while done < simulations:
            count = min(AT_ONCE, simulations - done)
            self.machine.search([begin for begin, _ in fitting], seed, done, count)
            done += count
        found = self.machine.weighed(fitting[0][1])
        if not found:
            return Unsearched.NOTHING_WEIGHED
        best = max((one.visits, one.worth) for one in found)
        places = rng.choice([one.places for one in found if (one.visits, one.worth) == best])
        chosen = tuple(decision.options[place] for place in places)
        return chosen if decision.several else chosen[0]

    def _position(self, decision: Decision, node: Node) -> tuple[Any, Any] | None:
        """Where a history leads, and the same where the seat itself is asked: others may be asked apart before it."""
        machine = self.machine
        status = machine.enter(self.scripts.of(node))
        begin = None
        while status == Status.WAITING:
            asked = machine.waiting()
            begin = begin or machine.saved()
            if asked.seat == decision.seat:
                fits = len(asked.options) == len(decision.options)
                return (begin, machine.saved()) if fits else None
            several = machine.plan.asks[asked.ask].form == "several"
            status = machine.resume(tuple(range(asked.least)) if several else 0)
        return None


@define(eq=False)
class _Known:
    """The machines of a thread, by game, options and number of seats.

    They go when their thread does or, what a thread's end does not see to, before the interpreter takes apart the
    modules that a machine needs to go.
    """

    engines: dict[tuple[int, str, int], tuple[Game, CompiledSearch | None]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        finalize(self, self.engines.clear)


class _Compiled(threading.local):
    def __init__(self) -> None:
        self.known = _Known()


_compiled = _Compiled()


def compiled_search(chair: Chair) -> CompiledSearch | None:
    """The machine of a game with its options and number of seats; None where no plan can say it or nothing runs one."""
    known = _compiled.known.engines
    key = id(chair.game), repr(sorted(chair.options.items())), len(chair.seats)
    if key not in known:
        while len(known) >= _KEPT:
            del known[next(iter(known))]
        # The game is kept with it, so that its number is not given to another.
        known[key] = chair.game, _made(chair)
    return known[key][1]


def search_engine(game: Game, options: Mapping[str, Value], seats: tuple[str, ...]) -> str:
    """The engine in which bots search a game: `wasm`, or `interpreter` where no plan can say it or nothing runs one."""
    return "interpreter" if compiled_search(Chair(game, options, seats, 0, "")) is None else "wasm"


def _made(chair: Chair) -> CompiledSearch | None:
    try:
        with faults_refused(chair.game.title):
            plan, storage = lowered(chair.game, chair.options, len(chair.seats), searching=True)
            return CompiledSearch(stepping(plan), Scripts(storage))
    except (Unsupported, Missing):
        return None


# ---------------------------------------------------------------- replay scripts


_Drawn = tuple[int, int, int]
_Answered = tuple[int, tuple[int, ...]]


@define(eq=False)
class Scripts:
    """Makes replay scripts for the machines of one plan.  Histories share their steps, so each is translated once.

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
                self._known[step] = seat, answer_places(decision.options, answer, several=decision.several)
        return self._known[step]

    def _drawn(self, before: State, place: int) -> _Drawn:
        pending = before.pending
        assert pending is not None
        options, _ = chance.weights(before.setting, pending)
        which = pending.options.index(options[place])
        return self.storage.stream(pending.stream), len(pending.options), which
