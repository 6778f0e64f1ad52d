"""A twin: a compiled match that follows another one answer by answer, and tells what came of its tries on the way."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.compiler.compiler_faults import faults_refused
from rulekit.compiler.legality.way import Way
from rulekit.compiler.lower.builder.verdicts import EMPTIED, FIRST, attempt_mark, question_mark
from rulekit.compiler.lower.storage.layout import Storage, Unsupported, encoded
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Status
from rulekit.compiler.runtime.state_encoding import encoded_options
from rulekit.compiler.runtime.wasm_host import Missing
from rulekit.compiler.wasm.stepping import Saved, WasmStepping, stepping
from rulekit.model.game import Game
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.value import Value
from rulekit.values import define, field

_POSITIONS, _EACH = 32, 8
"""So many positions are kept, to go on from another answer: one of so many that the match waited at."""

_Ahead = tuple[Way, ...]
"""The answers that the twin has not been asked for yet, since it asks those who decide at once one by one."""


def twin_of(game: Game, options: Mapping[str, Value], seats: tuple[str, ...]) -> Twin | None:
    """None where no plan can say the game, or nothing runs one."""
    try:
        with faults_refused(game.title):
            plan, storage = lowered(game, options, seats, verdicts=True)
            return Twin(stepping(plan), storage)
    except (Unsupported, Missing, BadSetup, MemoryError):
        return None


@define(eq=False)
class Said:
    """What a twin noted on the way to a place, in order.  met: the open readings met by then."""

    storage: Storage
    notes: list[int]
    met: frozenset[int]
    at: int = 0

    def leads_on(self, code: int, kind: Any, options: tuple[Any, ...]) -> Sequence[bool]:
        mark, count, kept = self._next(3)
        assert (mark, count) == (question_mark(code), len(options)), (code, options, mark, count)
        left = self._next(kept)[::-1]
        found = []
        for option in encoded_options(kind, options):
            found.append(bool(left) and left[-1] == option)
            if found[-1]:
                left.pop()
        assert not left, (code, options, left)
        return found

    def is_possible(self, code: int, arguments: Sequence[Any]) -> tuple[bool, int]:
        mark, count = self._next(2)
        assert (mark, count) == (attempt_mark(code), len(arguments)), (code, arguments, mark, count)
        for argument, noted in zip(arguments, self._next(count), strict=True):
            assert isinstance(argument, tuple) or noted in (0, encoded(argument)), (code, arguments, noted)
        passed, steps = self._next(2)
        return bool(passed), steps

    def _next(self, count: int) -> list[int]:
        begin, self.at = self.at, self.at + count
        assert self.at <= len(self.notes), "the twin tried less than the rules do"
        return self.notes[begin : self.at]


@define(eq=False)
class Twin:
    """way: to where the match in the machine waits, if it does.

    ahead:  the answers it has not been asked for.  told: how often it was asked what it noted.
    """

    machine: WasmStepping
    storage: Storage
    way: Way | None = None
    ahead: _Ahead = ()
    saved: OrderedDict[Way, tuple[Saved, _Ahead]] = field(factory=OrderedDict)
    told: int = 0

    def comes_to(self, way: Way) -> Said | None:
        """What it notes at the last answer of a way; None if that is no question and no end."""
        if way.before is None:
            return self._told(self._begun(way.seed), way)
        if self.way is not way.before and not self._returned(way.before):
            return None
        return self._told(self._taken(way), way)

    def _returned(self, way: Way) -> bool:
        """Go back to where a way led, or on to there; whether the match waits there."""
        steps: list[Way] = []
        known: Way | None = way
        while known is not None and known not in self.saved:
            steps.append(known)
            known = known.before
        if known is None:
            status = self._begun(steps.pop().seed)
        else:
            kept, self.ahead = self.saved[known]
            self.machine.restore(kept)
            status = int(Status.WAITING)
        while status == Status.WAITING and steps:
            status = self._taken(steps.pop())
        return status == Status.WAITING

    def _begun(self, seed: int) -> int:
        self.ahead = ()
        self._listen()
        return self.machine.begin(seed)

    def _taken(self, step: Way) -> int:
        """On with one answer more, and all those that are asked for then."""
        self.ahead = (*self.ahead, step)
        self._listen()
        status = int(Status.WAITING)
        while status == Status.WAITING and self.ahead:
            seat, options = self.machine.asks()
            answer = next((one for one in self.ahead if one.seat == seat), None)
            if answer is None:
                break
            self.ahead = tuple([one for one in self.ahead if one is not answer])
            assert options == answer.options, (seat, options, answer.places, answer.options)
            status = self.machine.go_on((len(answer.places), *answer.places))
        return status

    def _told(self, status: int, way: Way) -> Said | None:
        cells = self.machine.compiled.layout.cells
        full, end = self.machine.read(cells, FIRST)
        self.way = way if status == Status.WAITING else None
        self.told += 1
        if self.way is not None and self.told % _EACH == 0:
            self.saved[way] = self.machine.saved(), self.ahead
            if len(self.saved) > _POSITIONS:
                self.saved.popitem(last=False)
        if full or status not in (Status.WAITING, Status.DONE):
            return None
        return Said(self.storage, self.machine.read(cells + 8 * FIRST, end - FIRST), self._met())

    def _met(self) -> frozenset[int]:
        words = self.machine.words() if self.storage.unclear else ()
        return frozenset(option for option, word in self.storage.unclear.items() if words[word])

    def _listen(self) -> None:
        """Have it noted what is tried from now on."""
        self.machine.write(self.machine.compiled.layout.cells, EMPTIED)
