"""The engine of a vectorized environment: many matches in one compiled module, all played on by one call.

Each match gets an answer and goes on to its next question.  Answers are numbers, as `actions.Actions` says.  What comes
back lies in the module's memory, in arrays with an entry or a row for each match; nothing here goes through the matches
one by one, but for one that takes too much room.
"""

from __future__ import annotations

from typing import Any

from rulekit.compiler.compiler_faults import faults_refused
from rulekit.compiler.lower.driving.actions import Actions
from rulekit.compiler.lower.storage.layout import Storage, Unsupported
from rulekit.compiler.passes.suspension import suspendable
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Drive, Status
from rulekit.compiler.runtime import wasm_host
from rulekit.compiler.runtime.wasm_host import signed
from rulekit.compiler.wasm import backend
from rulekit.compiler.wasm.memory_layout import DRIVEN, FIELDS, SLOTS
from rulekit.compiler.wasm.runtime_driving import (
    ANEW,
    FINE,
    FULL,
    HEAD,
    KEEP,
    MOST_UNASKED,
    ON,
    REFUSED,
    UNASKED,
)
from rulekit.errors import BadInput
from rulekit.model import game as model
from rulekit.play.state import counter_rng
from rulekit.play.state.value import Value
from rulekit.values import define, field

NOT_ENDED = -1
"""In `ended`, of a match that goes on."""
_SPARE = 4096
"""Bytes that a match has at first besides its storage, for functions at work."""


class TooMany(BadInput, ValueError):
    """So many matches have no room in one module."""


class Undriven(BadInput):
    """Matches cannot go on: none comes to a question, or an option has no number."""


def driven(
    game: model.Game, options: dict[str, Value], seats: int | None, actions: Actions, matches: int
) -> tuple[DrivenMatches, Storage]:
    """So many matches of a game, none of them begun, and where in each of them everything lies.

    Errors:  `Unsupported` for a game that no plan can say, `Missing` where no WebAssembly runs, `TooMany`, `BadSetup`.
    """
    with faults_refused(game.title):
        plan, storage = lowered(game, options, seats, driving=actions)
    if not plan.asks:
        raise Unsupported("a game in which nobody decides, for matches that are driven")
    return DrivenMatches(backend.compiled(suspendable(plan)), matches), storage


@define(eq=False)
class DrivenMatches(backend.WasmMachine):
    """Matches side by side.  All arrays are views of the module's memory, which every call changes.

    actions:  by match, the number that it gets next; the one array that is written from outside.
    masks:    by match and number, 1 where the number may be given now.
    seen:     by match, the observation of the seat that is asked.
    asked_seats, asks:  by match, who is asked, and the number of the question in `Plan.asks`.
    ended:    by match, the status of the one that ended in the last call, `NOT_ENDED` if none did.
    rewards:  by match and seat, of the one that ended.
    begun:    whether all matches wait at a question, so that they can go on.
    rounds:   by place, how many matches have been played there: place i plays `seed#i#round`; ended_rounds: likewise of
              the one that ended last.
    """

    matches: int
    raw: memoryview[int] = field(init=False, repr=False)
    actions: memoryview[int] = field(init=False, repr=False)
    masks: memoryview[int] = field(init=False, repr=False)
    seen: memoryview[int] = field(init=False, repr=False)
    asked_seats: memoryview[int] = field(init=False, repr=False)
    asks: memoryview[int] = field(init=False, repr=False)
    ended: memoryview[int] = field(init=False, repr=False)
    rewards: memoryview[float] = field(init=False, repr=False)
    rounds: memoryview[int] = field(init=False, repr=False)
    ended_rounds: memoryview[int] = field(init=False, repr=False)
    seed: str = field(init=False, default="")
    begun: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.raw = self.memory.cast("B")
        layout = self.compiled.layout
        self._set("matches", self.matches)
        self._set("stride", layout.arena - layout.storage + HEAD + _SPARE)
        self._need_room(self._get("stride"))
        self._lay_out_arrays()

    @property
    def drive(self) -> Drive:
        found = self.plan.drive
        assert found is not None
        return found

    @property
    def stride(self) -> int:
        return self._get("stride")

    def _lay_out_arrays(self) -> None:
        drive, many = self.drive, self.matches
        at = self.compiled.layout.driven + 8 * len(FIELDS)
        widths = {
            "actions": 8,
            "codes": 4 * drive.actions,
            "masks": drive.actions,
            "seen": 8 * drive.width,
            "seats": 8,
            "asks": 8,
            "ended": 8,
            "rewards": 8 * self.plan.seats,
            "rounds": 8,
            "ended_rounds": 8,
        }
        made: dict[str, memoryview[int]] = {}
        for name, width in widths.items():
            size = width * many
            self._set(name, at)
            made[name] = self.raw[at : at + size]
            at += -(-size // 8) * 8
        if at > self.compiled.layout.driven + DRIVEN:
            raise TooMany(f"{many} matches are too many for one module; it has room for about {_share(many, at, self)}")
        whole: dict[str, Any] = {name: view.cast("q") for name, view in made.items() if name not in ("codes", "masks")}
        self.actions, self.masks, self.seen, self.asks = whole["actions"], made["masks"], whole["seen"], whole["asks"]
        self.asked_seats, self.ended, self.rounds = whole["seats"], whole["ended"], whole["rounds"]
        self.rewards, self.ended_rounds = made["rewards"].cast("d"), whole["ended_rounds"]

    # ------------------------------------------------------------ driving

    def begin(self, seed: str) -> None:
        """All matches anew, each up to its first question.  Errors: `Undriven`."""
        self.seed = seed
        self._set("series", signed(counter_rng.seed_number(seed)))
        for match in range(self.matches):
            self.rounds[match] = -1
        self.begun = True
        self._set("at", 0)
        self._finished(self._called_on("drive", ANEW, ANEW), ANEW)

    def go_on(self) -> int | None:
        """Give every match its number; or nothing, and the first match whose number may not be given now.

        Errors:  `Undriven`.
        """
        assert self.begun
        came = self._called_on("go_on_all")
        if came == FINE:
            return None
        if came == REFUSED:
            return self._get("at")
        for match in self._finished(came, ON):
            self.ended[match] = Status.ENDLESS
        return None

    def _finished(self, came: int | None, how: int) -> list[int]:
        """All others played on, after a call that came so far; which matches took more room than there is."""
        endless: list[int] = []
        while came != FINE:
            if came is None:
                endless.append(self._get("at"))
                came = self._called_on("drive", ANEW, how)
            elif came == FULL:
                self._need_room(self._get("need") * 3 // 2)
                came = self._called_on("drive", KEEP, how)
            else:
                self.begun = False
                raise Undriven(_why(came))
        return endless

    def _called_on(self, name: str, *hows: int) -> int | None:
        """How far a call came, `at` says with which match; None where that took more room than there is."""
        try:
            return int(self.call(name, *hows))
        except wasm_host.trap() as trap:
            if not self.number("overfull"):
                raise AssertionError(f"{self.plan.title}: the plan is not valid") from trap
            wasm_host.forget_frames(trap)
            return None

    # ------------------------------------------------------------ room

    def _need_room(self, stride: int) -> None:
        """So many bytes for each match; those that lie there keep what they have."""
        before, stride = self._get("stride"), -(-stride // 8) * 8
        if stride * self.matches > SLOTS:
            self.begun = False
            raise TooMany(f"{self.matches} matches are too many for one module; it has room for {SLOTS // stride}")
        begin = self.compiled.layout.slots
        for match in reversed(range(self.matches if stride > before else 0)):
            moved = self.raw[begin + match * before : begin + (match + 1) * before].tobytes()
            self.raw[begin + match * stride : begin + match * stride + before] = moved
        self._set("stride", stride)

    def _address(self, name: str) -> int:
        return (self.compiled.layout.driven >> 3) + FIELDS.index(name)

    def _get(self, name: str) -> int:
        return self.memory[self._address(name)]

    def _set(self, name: str, value: int) -> None:
        self.memory[self._address(name)] = value


def _share(many: int, end: int, of: DrivenMatches) -> int:
    return many * DRIVEN // (end - of.compiled.layout.driven)


def _why(came: int) -> str:
    if came == UNASKED:
        return f"{MOST_UNASKED} matches in a row ended before anybody was asked anything"
    return "something is offered that no number stands for"
