"""Other positions in which a seat would have been told the same: drawn from the belief that our own bots keep.

Made from what the seat was told, never from the position itself.  Each is checked: the seat's information state there
is the same, byte for byte.
"""

from __future__ import annotations

from rulekit.adapters.openspiel.extensive_form import Match, Table
from rulekit.adapters.openspiel.information import Told, information_state, knowledge
from rulekit.bots.belief.history import Node
from rulekit.bots.belief.particle_filter import Belief
from rulekit.bots.bot import Chair
from rulekit.bots.rng import Rng
from rulekit.errors import BadInput
from rulekit.play.state.match_state import State
from rulekit.values import define, field

_TRIES = 64
"""So many histories are drawn at most until one fits byte for byte."""


class NothingFits(BadInput, RuntimeError):
    """No history was found that fits all that a seat was told."""


@define(eq=False)
class Resampler:
    """seat: who was told.  seed: any text; the same questions in the same order are answered the same.

    What is found is kept as long as the same is asked: where histories lead, by their positions, and which of them fit.
    """

    table: Table
    seat: int
    seed: str
    _rng: Rng = field(init=False)
    _belief: Belief = field(init=False)
    _last: str = field(init=False, default="")
    _about: Match | None = field(init=False, default=None)
    _fits: dict[Node, Match | None] = field(init=False, factory=dict)
    _reached: dict[int, tuple[State, Match]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._rng = Rng.of(self.seed, f"resampled:{self.table.seats[self.seat]}")
        self._begin()

    def drawn(self, match: Match) -> Match:
        """A match in which the seat was told the same.  Errors: `NothingFits`."""
        assert match.waits, "nobody was told yet what chance brings"
        if match is not self._about:
            self._listen(match)
        for _ in range(_TRIES):
            node = self._belief.drawn_history(self._rng)
            if node is None:
                break
            if node not in self._fits:
                self._fits[node] = self._fitting(node, match)
            if (found := self._fits[node]) is not None:
                return found
        raise NothingFits(f"no history was found that fits what {self.table.seats[self.seat]} was told")

    # ------------------------------------------------------------ what the seat was told

    def _begin(self) -> None:
        chair = Chair(self.table.game, self.table.options, self.table.seats, self.seat, self.seed)
        self._belief, self._last, self._reached = Belief(chair, self._rng), "", {}

    def _listen(self, match: Match) -> None:
        """Bring the belief up to what the seat was told; from the start on, if that is another match."""
        told = knowledge(match, self.seat).told
        assert told is not None
        fresh = self._since(told)
        if fresh is None:
            self._begin()
            fresh = told.chain()
        for each in fresh:
            self._belief.told(each.message)
        self._last, self._about, self._fits = told.digest, match, {}

    def _since(self, told: Told) -> list[Told] | None:
        """What is new since the last time, the oldest first; None if it does not go on from there."""
        chain = told.chain()
        heard = [each.digest for each in chain]
        if not self._last:
            return chain
        return chain[heard.index(self._last) + 1 :] if self._last in heard else None

    # ------------------------------------------------------------ where a history leads

    def _fitting(self, node: Node, match: Match) -> Match | None:
        """Where a history leads, if the seat is told there what it is told in a match."""
        found = self._at(node)
        for move in _begun(match, self.seat):
            found = found.after(move)
        same = information_state(found, self.seat) == information_state(match, self.seat)
        return found if same else None

    def _at(self, node: Node) -> Match:
        """The match that a history is, move by move."""
        way: list[Node] = []
        at: Node | None = node
        while at is not None and at.before is not None and id(at.state) not in self._reached:
            way.append(at)
            at = at.before
        assert at is not None
        match = self._reached[id(at.state)][1] if at.before is not None else self.table.opening
        for step in reversed(way):
            match = match.answered(step.answer)
            self._reached[id(step.state)] = step.state, match
        return match


def _begun(match: Match, seat: int) -> list[int]:
    """The moves by which a seat has begun an answer that takes several."""
    found: list[int] = []
    at: Match | None = match
    while at is not None and at.partial is not None and at.partial.decision.seat == seat:
        found.append(at.move)
        at = at.before
    return found[::-1]
