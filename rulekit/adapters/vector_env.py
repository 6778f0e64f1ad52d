"""A vectorized environment: many matches of a game at once, played on by one call inside the compiled engine.

For programs that learn.  Answers are indices, as everywhere in this folder.  At each step every match waits for one
seat; what that seat may answer and what it sees come as arrays with a row for each match.  A match that ends is
followed by the next one in the same step.  A game that the compiler cannot take is refused with the reason: such a game
the interpreter plays, in the other environments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulekit.adapters.action_space import ActionSpace, action_space
from rulekit.adapters.answering import IllegalIndex
from rulekit.adapters.compiled_actions import compiled_actions
from rulekit.compiler.driving import DrivenMatches, Undriven, driven
from rulekit.compiler.lower.driving.observation import names_of
from rulekit.compiler.plan.ir import Status
from rulekit.library import ABSENT, NoPackage
from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.state.value import Value
from rulekit.values import frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@frozen(eq=False)
class Turn:
    """Where all matches wait.  Arrays are read-only and hold until the next call; copy what is to last.

    observations:  by match what the seat that is asked sees, `VectorEnv.names` says of each number what it is.
    masks:      by match and index whether it may be given now.
    seats:      by match who is asked.
    rewards:    by match and seat, where a match has just ended: 1 for the first place, -1 for the last, shared places
                averaged; else 0.
    terminated: by match, whether one has just come to its end; what the other arrays say is of the match after it.
    truncated:  likewise, whether it met a bound of the engine instead.
    """

    observations: NDArray[np.int64]
    masks: NDArray[np.bool_]
    seats: NDArray[np.int64]
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


class VectorEnv:
    """So many matches of one game, for the same options and number of seats.

    space:  what indices mean, the same as in all environments of the game.  names: of the numbers of an observation.

    Errors: `Unsupported` with the reason for a game that the compiler cannot take, `Missing` where no WebAssembly runs,
    `TooMany`, `BadSetup` as of `rulekit.start`.
    """

    space: ActionSpace
    names: tuple[str, ...]
    seat_names: tuple[str, ...]

    def __init__(
        self, game: Game, matches: int = 256, options: Mapping[str, Value] | None = None, seats: int | None = None
    ) -> None:
        if matches < 1:
            raise ValueError(f"{matches} matches cannot be played")
        setting = engine.prepared(game, options or {}, seats, None, checked=False).setting
        self.matches, self.seat_names = matches, setting.seats[: setting.players]
        self.space = action_space(setting)
        actions = compiled_actions(setting, self.space)
        self.at_work, self.storage = driven(game, dict(options or {}), seats, actions, matches)
        self.names = names_of(self.storage)
        self.plan = self.at_work.plan
        self._arrays = _Arrays.of(self.at_work)

    def reset(self, seed: str | int = 0) -> Turn:
        """All matches from their beginning: in place i the matches with the seeds `seed#i#0`, `seed#i#1` and so on.

        Errors: `Undriven` where matches end before anybody is asked anything, or a rule fails.
        """
        self.at_work.begin(str(seed))
        self._see_that_no_rule_failed()
        return self._arrays.turn()

    def step(self, indices: Sequence[int] | NDArray[np.integer[Any]]) -> Turn:
        """Each match gets its index and goes on to its next question.

        Errors: `IllegalIndex`, and then nothing was played; `ValueError` for what is not one whole number for each
        match; `Undriven` where a rule fails.
        """
        if not self.at_work.begun:
            raise ValueError("no match has begun; call `reset` first")
        given = _numpy().asarray(indices)
        if given.shape != (self.matches,) or given.dtype.kind not in "iu":
            raise ValueError(f"an index for each of {self.matches} matches is wanted, not {given.dtype} {given.shape}")
        self._arrays.actions[:] = given
        refused = self.at_work.go_on()
        if refused is not None:
            raise IllegalIndex(f"match {refused} may not be given {given[refused]} now")
        self._see_that_no_rule_failed()
        return self._arrays.turn()

    def seed_of(self, match: int) -> str:
        """The seed of the match that is now played in a place: `rulekit.start` with it begins the same one."""
        return f"{self.at_work.seed}#{match}#{self.at_work.rounds[match]}"

    @property
    def stride(self) -> int:
        """Bytes that each match has in the module's memory."""
        return self.at_work.stride

    def _see_that_no_rule_failed(self) -> None:
        match = int(self._arrays.ended.argmax())
        if self._arrays.ended[match] > Status.ENDLESS:
            at = self.at_work
            raise Undriven(f"a rule fails in the match with the seed {at.seed}#{match}#{at.ended_rounds[match]}")


@frozen(eq=False)
class _Arrays:
    """The arrays of the engine: `actions` to be written, the others read-only."""

    actions: NDArray[np.int64]
    ended: NDArray[np.int64]
    observations: NDArray[np.int64]
    masks: NDArray[np.bool_]
    seats: NDArray[np.int64]
    rewards: NDArray[np.float64]

    @classmethod
    def of(cls, at_work: DrivenMatches) -> _Arrays:
        np, many = _numpy(), at_work.matches

        def rows(view: memoryview[Any], kind: Any) -> Any:
            found = np.frombuffer(view, dtype=kind).reshape(many, -1)
            found.flags.writeable = False
            return found

        return cls(
            np.frombuffer(at_work.actions, dtype=np.int64),
            rows(at_work.ended, np.int64)[:, 0],
            rows(at_work.seen, np.int64),
            rows(at_work.masks, np.bool_),
            rows(at_work.asked_seats, np.int64)[:, 0],
            rows(at_work.rewards, np.float64),
        )

    def turn(self) -> Turn:
        terminated, truncated = self.ended == Status.DONE, self.ended == Status.ENDLESS
        return Turn(self.observations, self.masks, self.seats, self.rewards, terminated, truncated)


def _numpy() -> Any:
    try:
        import numpy
    except ABSENT as fault:
        raise NoPackage("arrays of many matches need the package numpy; pip install numpy") from fault
    return numpy
