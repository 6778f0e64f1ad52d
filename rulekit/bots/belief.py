"""What a seat believes of everything that it does not see: positions that fit all it was told, each as likely as it is.

Made from the rules and from what the seat received, never from a `State` of the match.  As long as there are few
histories that fit, all of them are kept, and the belief is exact.  Where there are more, some are drawn: guessed with
hints from what came later, weighted by how likely they are, mended where they clash, and stirred.

While seats decide apart in secret, what they answered is guessed anew with each message, and for good only when the
answers have been put together: what is shown then says most about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from attrs import define, field, frozen

from rulekit.bots.bot import Chair
from rulekit.bots.follow import Clash, Follower
from rulekit.bots.history import Message, Node
from rulekit.bots.luck import Luck
from rulekit.bots.mending import mended
from rulekit.bots.playing import finished
from rulekit.bots.stirring import stirred
from rulekit.bots.walking import Walk, walk
from rulekit.play import engine
from rulekit.play.state import State

WIDTH = 256
"""How many histories are kept at most while all of them are."""
COUNT = 24
"""How many are drawn where there are more."""
_WALKING, _TRYING = 300, 60
"""How many answers are given at one message to draw more histories, while those that fit are too few; and how many to
see what that takes."""
_MENDING, _MENDING_ONE = 5_000, 800
"""How often rules are played on to mend histories at one message, and to mend one of them."""
_ANEW = 6_000
"""How often where no history fits and all is guessed anew, each time that somebody asks."""
_STIRS = 4
_STIRRING = 300
"""How often to stir histories."""


@frozen(eq=False)
class Particle:
    """A history and how likely it is beside the others, as a factor."""

    node: Node
    weight: float


@frozen(eq=False)
class Cloud:
    """message: how many messages the histories have behind them.  exact: whether these are all that fit."""

    message: int
    particles: list[Particle]
    exact: bool = True


@define(eq=False)
class Belief:
    """width, count: how many histories are kept at most, and how many are drawn where there are more.

    stirs:  how many of these are stirred each time.
    """

    chair: Chair
    luck: Luck
    width: int = WIDTH
    count: int = COUNT
    stirs: int = _STIRS
    follower: Follower = field(init=False)
    _settled: Cloud | None = field(init=False, default=None)
    _now: Cloud | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self.follower = Follower(self.chair.seat)

    # ------------------------------------------------------------ hearing

    def told(self, message: Message) -> None:
        """Take in what the seat was told; it is thought over when somebody asks."""
        self.follower.record.append(message)

    def now(self) -> Cloud:
        """The histories that fit everything told so far."""
        until = len(self.follower.record)
        if self._now is not None and self._now.message == until:
            return self._now
        self.follower.forget()
        settled, stirred = self._settled or self._begun(), self._settled
        while (stop := self._stop(settled)) <= until:
            settled = self._gone_on(settled, stop)
        if settled is not stirred and not settled.exact:
            self._stir(settled)
        self._settled = settled
        self._now = settled if settled.message == until else self._gone_on(settled, until)
        # Many positions that were only passed through are held there.
        self.follower.forget()
        return self._now

    def _stop(self, cloud: Cloud) -> int:
        """The message after which histories are settled next: the one that closes a block of secret answers."""
        if not cloud.particles:
            return max(cloud.message + 1, len(self.follower.record))
        state = cloud.particles[0].node.state
        open_seats = {branch.seat for branch in state.branches if not branch.done}
        for number, message in enumerate(self.follower.record[cloud.message :], cloud.message + 1):
            open_seats -= {finished(state, event) for event in message.events}
            if not open_seats:
                return number
        return len(self.follower.record) + 1

    def _gone_on(self, cloud: Cloud, until: int) -> Cloud:
        made = self._all(cloud.particles, until) if cloud.exact or len(cloud.particles) == 1 else None
        if made is not None and not made and cloud.particles and not self.follower.lenient:
            self.follower.lenient = True
            self.follower.forget()
            return self._gone_on(cloud, until)
        if made:
            return Cloud(until, made, cloud.exact and not self.follower.lenient)
        return Cloud(until, self._drawn(cloud.particles, until), exact=False)

    def _begun(self) -> Cloud:
        chair = self.chair
        step = engine.start(chair.game, chair.options, chair.seats, None)
        node = self.follower.opened(step.state, step.events)
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
        follower, node = self.follower, particle.node
        question = follower.question(node)
        if question is None:
            return [Particle(follower.past(node), particle.weight)]
        if isinstance(question, Clash):
            return []
        if follower.width(question) > room:
            return None
        made = ((follower.stepped(node, question, one, prior), prior) for one, prior in follower.answers(question))
        return [Particle(further, particle.weight * exp(prior)) for (further, clash), prior in made if clash is None]

    # ------------------------------------------------------------ some histories

    def _drawn(self, before: list[Particle], until: int) -> list[Particle]:
        """Histories drawn by chance, as likely as they are."""
        begun = at = self.follower.taken
        made, failed = self._walked(before, until)
        while at < self.follower.taken and self._is_worth_walking(made, self.follower.taken - begun):
            at = self.follower.taken
            further, clashed = self._walked(before, until)
            made, failed = made + further, failed + clashed
        if 3 * len(made) < self.count:
            made += self._mended(failed, made, until)
        return _levelled(made or self._anew(until))

    def _is_worth_walking(self, made: list[Particle], used: int) -> bool:
        """Whether more walks are needed, and as many as it seems would not be too many."""
        enough, found = 2 * self.count / 3, effective(made)
        return found < enough and (used < _TRYING or (used < _WALKING and used * enough < 2 * _WALKING * found))

    def _walked(self, before: list[Particle], until: int) -> tuple[list[Particle], list[Walk]]:
        """One walk on from each of so many histories: where they lead with their weights, and those that clashed."""
        walks = [(walk(self.follower, one.node, self.luck, until), one.weight) for one in self._picked(before)]
        made = [Particle(one.node, weight * exp(one.weight)) for one, weight in walks if one.clash is None]
        return made, [one for one, _ in walks if one.clash is not None]

    def _anew(self, until: int) -> list[Particle]:
        """A history guessed from the start on, where all that were kept have turned out wrong."""
        start, last = self._begun().particles[0].node, self.follower.applied + _ANEW
        while self.follower.applied < last:
            begun = walk(self.follower, start, self.luck, until, heeding=True)
            node = mended(self.follower, begun, self.luck, until, last)
            if node is not None:
                return [Particle(node, 1.0)]
        return []

    def _picked(self, particles: list[Particle]) -> list[Particle]:
        """All with their weights; or as many as are to be drawn, evenly along these, where few weigh much."""
        if len(particles) <= self.count <= 2 * effective(particles):
            return particles
        whole = sum(particle.weight for particle in particles)
        step, mark = whole / self.count, self.luck.part() * whole / self.count
        picked: list[Particle] = []
        for particle in particles:
            while mark < particle.weight and len(picked) < self.count:
                picked.append(Particle(particle.node, 1.0))
                mark += step
            mark -= particle.weight
        return picked

    def _mended(self, failed: list[Walk], fitting: list[Particle], until: int) -> list[Particle]:
        """Histories that clashed, mended, until there are enough."""
        weight = sum(one.weight for one in fitting) / len(fitting) if fitting else 1.0
        last, found = self.follower.applied + _MENDING, list[Particle]()
        for one in failed:
            node = mended(self.follower, one, self.luck, until, min(last, self.follower.applied + _MENDING_ONE))
            if node is not None:
                found.append(Particle(node, weight))
            if 3 * (len(found) + len(fitting)) >= self.count:
                break
        return found

    def _stir(self, cloud: Cloud) -> None:
        """Some of the histories are changed where nothing was seen, so that copies part again."""
        last, particles = self.follower.applied + _STIRRING, cloud.particles
        for _ in range(self.stirs if particles else 0):
            place = self.luck.below(len(particles))
            one = particles[place]
            particles[place] = Particle(stirred(self.follower, one.node, self.luck, cloud.message), one.weight)
            if self.follower.applied > last:
                break

    # ------------------------------------------------------------ asking

    def positions(self) -> list[tuple[State, float]]:
        """Positions that fit, with weights; none where no history was found that fits."""
        return [(particle.node.state, particle.weight) for particle in self.now().particles]

    def draw(self, luck: Luck) -> State | None:
        """One position, as likely as it is; None where no history was found that fits."""
        node = self.drawn_history(luck)
        return None if node is None else node.state

    def drawn_history(self, luck: Luck) -> Node | None:
        """The same with the way that leads there: see `history.script`."""
        particles = self.now().particles
        return particles[luck.weighted([particle.weight for particle in particles])].node if particles else None


def _merged(particles: list[Particle]) -> list[Particle]:
    """One for each position, with the weight of all histories that lead there; the weights add up to 1."""
    if len(particles) < 2:
        return [Particle(one.node, 1.0) for one in particles]
    found: dict[object, Particle] = {}
    for one in particles:
        key = one.node.state.key()
        before = found.get(key)
        found[key] = Particle(one.node, one.weight + (0.0 if before is None else before.weight))
    return _levelled(list(found.values()))


def effective(particles: Sequence[Particle]) -> float:
    """How many histories of one weight would say as much as these with theirs (Kong, 1992)."""
    squares = sum(one.weight**2 for one in particles)
    return sum(one.weight for one in particles) ** 2 / squares if squares > 0 else 0.0


def _levelled(particles: list[Particle]) -> list[Particle]:
    """The same with weights that add up to 1."""
    whole = sum(one.weight for one in particles)
    return [Particle(one.node, one.weight / whole) for one in particles] if whole > 0 else []
