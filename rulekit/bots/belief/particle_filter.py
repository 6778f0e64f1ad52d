"""A seat's belief state, kept by a particle filter over determinizations: full histories that fit all it was told.

Made from the rules and from what the seat received, never from a `State` of the match.  As long as few histories fit,
all of them are enumerated, and the belief is exact.  Where there are more, a weighted sample of them is kept: a
sequential Monte Carlo method (Doucet, de Freitas, Gordon: Sequential Monte Carlo Methods in Practice, 2001).  At each
message histories are extended by rollouts with importance weights, resampled (systematic resampling) where
their effective sample size is small, repaired where they contradict what was told, and rejuvenated by
Metropolis-Hastings moves.

While seats decide apart in secret, what they answered is sampled anew with each message, and settled only when the
block has closed: what is shown then says most about their answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from rulekit.bots.belief.history import Message, Node
from rulekit.bots.belief.history_repair import repaired
from rulekit.bots.belief.metropolis_hastings import metropolis_hastings_move
from rulekit.bots.belief.propagation import Clash, Propagator
from rulekit.bots.belief.weighted_rollout import Rollout, rollout
from rulekit.bots.bot import Chair
from rulekit.bots.random_playout import finished_seat
from rulekit.bots.rng import Rng
from rulekit.play import engine
from rulekit.play.state.match_state import State
from rulekit.values import define, field, frozen

WIDTH = 256
"""How many histories are kept at most while all of them are."""
COUNT = 24
"""How many are sampled where there are more."""
_ROLLING, _TRYING = 300, 60
"""How many answers are given at one message to sample more histories, while those that fit are too few; and how many
to estimate what that takes."""
_REPAIRING, _REPAIRING_ONE = 5_000, 800
"""How many answers are played by the rules at one message to repair histories, and to repair one of them."""
_RESTARTING = 6_000
"""How many where no history fits and one is sampled from the start of the match, each time that somebody asks."""
_MOVES = 4
_MOVING = 300
"""How many Metropolis-Hastings moves at one message, and how many answers are played for them at most."""


@frozen(eq=False)
class Particle:
    """A history and its importance weight: how likely it is beside the others, as a factor."""

    node: Node
    weight: float


@frozen(eq=False)
class Cloud:
    """A weighted sample of histories.

    message:  how many messages the histories have behind them.
    exact:    whether these are all that fit.
    """

    message: int
    particles: list[Particle]
    exact: bool = True


@define(eq=False)
class Belief:
    """width: how many histories are kept while all of them are.  count: how many are sampled where there are more.

    moves:  how many Metropolis-Hastings moves rejuvenate the sample each time.
    """

    chair: Chair
    rng: Rng
    width: int = WIDTH
    count: int = COUNT
    moves: int = _MOVES
    propagator: Propagator = field(init=False)
    _settled: Cloud | None = field(init=False, default=None)
    _now: Cloud | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self.propagator = Propagator(self.chair.seat)

    # ------------------------------------------------------------ hearing

    def told(self, message: Message) -> None:
        """Take in what the seat was told; the belief is brought up to date when somebody asks."""
        self.propagator.record.append(message)

    def now(self) -> Cloud:
        """The histories that fit everything told so far."""
        until = len(self.propagator.record)
        if self._now is not None and self._now.message == until:
            return self._now
        self.propagator.forget()
        settled, rejuvenated = self._settled or self._begun(), self._settled
        while (stop := self._stop(settled)) <= until:
            settled = self._gone_on(settled, stop)
        if settled is not rejuvenated and not settled.exact:
            self._rejuvenate(settled)
        self._settled = settled
        self._now = settled if settled.message == until else self._gone_on(settled, until)
        # Many positions that were only passed through are held there.
        self.propagator.forget()
        return self._now

    def _stop(self, cloud: Cloud) -> int:
        """The message after which histories are settled next: the one that closes a block of secret answers."""
        if not cloud.particles:
            return max(cloud.message + 1, len(self.propagator.record))
        state = cloud.particles[0].node.state
        open_seats = {branch.seat for branch in state.branches if not branch.done}
        for number, message in enumerate(self.propagator.record[cloud.message :], cloud.message + 1):
            open_seats -= {finished_seat(state, event) for event in message.events}
            if not open_seats:
                return number
        return len(self.propagator.record) + 1

    def _gone_on(self, cloud: Cloud, until: int) -> Cloud:
        made = self._all(cloud.particles, until) if cloud.exact or len(cloud.particles) == 1 else None
        if made is not None and not made and cloud.particles and not self.propagator.lenient:
            self.propagator.lenient = True
            self.propagator.forget()
            return self._gone_on(cloud, until)
        if made:
            return Cloud(until, made, cloud.exact and not self.propagator.lenient)
        return Cloud(until, self._drawn(cloud.particles, until), exact=False)

    def _begun(self) -> Cloud:
        chair = self.chair
        step = engine.start(chair.game, chair.options, chair.seats, None, told=False)
        node = self.propagator.opened(step.state, step.events)
        assert isinstance(node, Node), "the match was not begun as the seat was told"
        return Cloud(0, [Particle(node, 1.0)])

    # ------------------------------------------------------------ all histories

    def _all(self, before: list[Particle], until: int) -> list[Particle] | None:
        """Every history that goes on from these and fits; None if there are too many."""
        frontier, through = before, list[Particle]()
        while frontier:
            wider: list[Particle] = []
            for particle in frontier:
                further = self._on(particle, self.width - len(wider) - len(through))
                if further is None:
                    return None
                wider += further
            through += [particle for particle in wider if particle.node.message == until]
            frontier = [particle for particle in wider if particle.node.message < until]
        return _merged(through)

    def _on(self, particle: Particle, room: int) -> list[Particle] | None:
        """The histories that are one answer longer, or have the message behind them; None if they are too many."""
        propagator, node = self.propagator, particle.node
        question = propagator.question(node)
        if question is None:
            return [Particle(propagator.past(node), particle.weight)]
        if isinstance(question, Clash):
            return []
        if propagator.width(question) > room:
            return None
        made = ((propagator.stepped(node, question, one, prior), prior) for one, prior in propagator.answers(question))
        return [Particle(further, particle.weight * exp(prior)) for (further, clash), prior in made if clash is None]

    # ------------------------------------------------------------ some histories

    def _drawn(self, before: list[Particle], until: int) -> list[Particle]:
        """Histories sampled with probabilities that agree with the posterior, as far as repairs allow."""
        begun = at = self.propagator.taken
        made, failed = self._rolled_out(before, until)
        while at < self.propagator.taken and self._needs_more_rollouts(made, self.propagator.taken - begun):
            at = self.propagator.taken
            further, clashed = self._rolled_out(before, until)
            made, failed = made + further, failed + clashed
        if 3 * len(made) < self.count:
            made += self._repaired(failed, made, until)
        return _normalized(made or self._restarted(until))

    def _needs_more_rollouts(self, made: list[Particle], used: int) -> bool:
        """Whether the effective sample size is too small, and enough rollouts to mend that would not cost too much."""
        enough, found = 2 * self.count / 3, effective_sample_size(made)
        return found < enough and (used < _TRYING or (used < _ROLLING and used * enough < 2 * _ROLLING * found))

    def _rolled_out(self, before: list[Particle], until: int) -> tuple[list[Particle], list[Rollout]]:
        """One rollout from each of `count` histories: where they lead with their weights, and those that clashed."""
        rolled = [(rollout(self.propagator, one.node, self.rng, until), one.weight) for one in self._resampled(before)]
        made = [Particle(one.node, weight * exp(one.log_weight)) for one, weight in rolled if one.clash is None]
        return made, [one for one, _ in rolled if one.clash is not None]

    def _restarted(self, until: int) -> list[Particle]:
        """A history sampled from the start of the match, where all that were kept have turned out wrong."""
        start, last = self._begun().particles[0].node, self.propagator.applied + _RESTARTING
        while self.propagator.applied < last:
            begun = rollout(self.propagator, start, self.rng, until, with_hints=True)
            node = repaired(self.propagator, begun, self.rng, until, last)
            if node is not None:
                return [Particle(node, 1.0)]
        return []

    def _resampled(self, particles: list[Particle]) -> list[Particle]:
        """All with their weights; or, where few weigh much, `count` by systematic resampling (Kitagawa, 1996)."""
        if len(particles) <= self.count <= 2 * effective_sample_size(particles):
            return particles
        whole = sum(particle.weight for particle in particles)
        step, mark = whole / self.count, self.rng.uniform() * whole / self.count
        picked: list[Particle] = []
        for particle in particles:
            while mark < particle.weight and len(picked) < self.count:
                picked.append(Particle(particle.node, 1.0))
                mark += step
            mark -= particle.weight
        return picked

    def _repaired(self, failed: list[Rollout], fitting: list[Particle], until: int) -> list[Particle]:
        """Histories that clashed, repaired, until there are enough; each with the mean weight of those that fit."""
        weight = sum(one.weight for one in fitting) / len(fitting) if fitting else 1.0
        last, found = self.propagator.applied + _REPAIRING, list[Particle]()
        for one in failed:
            node = repaired(self.propagator, one, self.rng, until, min(last, self.propagator.applied + _REPAIRING_ONE))
            if node is not None:
                found.append(Particle(node, weight))
            if 3 * (len(found) + len(fitting)) >= self.count:
                break
        return found

    def _rejuvenate(self, cloud: Cloud) -> None:
        """Move some histories where nothing was seen, so that copies made by resampling become different again."""
        last, particles = self.propagator.applied + _MOVING, cloud.particles
        for _ in range(self.moves if particles else 0):
            place = self.rng.below(len(particles))
            one = particles[place]
            node = metropolis_hastings_move(self.propagator, one.node, self.rng, cloud.message)
            particles[place] = Particle(node, one.weight)
            if self.propagator.applied > last:
                break

    # ------------------------------------------------------------ asking

    def positions(self) -> list[tuple[State, float]]:
        """Positions that fit, with weights; none where no history was found that fits."""
        return [(particle.node.state, particle.weight) for particle in self.now().particles]

    def draw(self, rng: Rng) -> State | None:
        """One position sampled by weight (a determinization); None where no history was found that fits."""
        node = self.drawn_history(rng)
        return None if node is None else node.state

    def drawn_history(self, rng: Rng) -> Node | None:
        """The same with the way that leads there."""
        particles = self.now().particles
        return particles[rng.weighted_index([particle.weight for particle in particles])].node if particles else None


def _merged(particles: list[Particle]) -> list[Particle]:
    """One for each position, with the weight of all histories that lead there; the weights add up to 1."""
    if len(particles) < 2:
        return [Particle(one.node, 1.0) for one in particles]
    found: dict[object, Particle] = {}
    for one in particles:
        key = one.node.state.key()
        before = found.get(key)
        found[key] = Particle(one.node, one.weight + (0.0 if before is None else before.weight))
    return _normalized(list(found.values()))


def effective_sample_size(particles: Sequence[Particle]) -> float:
    """How many histories of equal weight would say as much as these with theirs (Kong, 1992)."""
    squares = sum(one.weight**2 for one in particles)
    return sum(one.weight for one in particles) ** 2 / squares if squares > 0 else 0.0


def _normalized(particles: list[Particle]) -> list[Particle]:
    """The same with weights that add up to 1."""
    whole = sum(one.weight for one in particles)
    return [Particle(one.node, one.weight / whole) for one in particles] if whole > 0 else []
