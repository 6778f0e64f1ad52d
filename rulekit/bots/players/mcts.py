"""`mcts:N`: information set Monte Carlo tree search with N simulations, each from a position sampled from the belief.

Source: Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012; its variant with a tree a seat
(MO-ISMCTS): a seat's answers are counted by what that seat saw since the search began, never by what it could not see.
So secret answers, given at the same time or not, are chosen without knowing one another, and where a seat's options
depend on what is hidden, they are compared by how often each was available.  Which answer a simulation tries next is
said by an upper confidence bound (UCB1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from math import log, sqrt

from rulekit.bots.belief.history import Node
from rulekit.bots.players.belief_bot import BeliefBot, candidate_answers
from rulekit.bots.players.compiled_search import POSITIONS, Unsearched, compiled_search
from rulekit.bots.players.evaluation import Evaluation, evaluation_of
from rulekit.bots.random_playout import chance_resolved, playout, with_sampled_chance
from rulekit.bots.rng import Rng
from rulekit.compiler.lower.search.parameters import EXPLORATION, LEAD_WEIGHT, MAX_DEPTH, MIN_VARIANCE
from rulekit.play import engine
from rulekit.play.state.errors import Refused, RuleError
from rulekit.play.state.event import Event, heard
from rulekit.play.state.match_state import Action, Decision, State
from rulekit.play.state.value import Value
from rulekit.values import define, field

_LONGEST = 2_000
"""Decisions of a simulation, before it is cut off and evaluated as it stands."""


@define(eq=False)
class AnswerStatistics:
    """An answer in a seat's tree.

    offered:  how often it could be chosen.
    worth:    the sum over its visits; each of them is worth 0 to 1.
    """

    visits: int = 0
    offered: int = 0
    worth: float = 0.0

    def upper_confidence_bound(self) -> float:
        """UCB1 (Auer, Cesa-Bianchi, Fischer, 2002), with how often the answer was offered in the place of visits."""
        return self.worth / self.visits + EXPLORATION * sqrt(log(self.offered) / self.visits)


@define(eq=False)
class LeadScale:
    """Running mean and spread of the leads in this search, so that a lead counts by what is usual in this game."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def normalized(self, lead: float) -> float:
        """A lead as a number from 0 to 1; a usual one is 1/2."""
        self.count += 1
        self.total += lead
        self.squares += lead * lead
        mean = self.total / self.count
        spread = sqrt(max(self.squares / self.count - mean * mean, MIN_VARIANCE))
        away = (lead - mean) / spread
        return 0.5 + 0.5 * away / (1 + abs(away))


@define(eq=False)
class Search:
    """One search for one seat.  trees: by seat and what it saw, the answers tried there."""

    seat: int
    rng: Rng
    trees: dict[tuple[int, int], dict[Value, AnswerStatistics]] = field(factory=dict)
    leads: LeadScale = field(factory=LeadScale)

    def simulate(self, state: State) -> None:
        """One simulation from a sampled position: down the trees, one new answer, then a random playout."""
        saw = [0] * state.setting.players
        path: list[tuple[int, AnswerStatistics]] = []
        fresh = False
        while not fresh and len(path) < MAX_DEPTH and (asked := self._asked(state)) is not None:
            answer, tried, fresh = self._chosen(asked, saw[asked.seat])
            path.append((asked.seat, tried))
            try:
                step = engine.apply(state, Action(asked.seat, answer))
            except Refused:
                # Worth nothing, so that it is hardly tried again.
                tried.visits += 1
                return
            state = step.state
            _noticed(saw, asked.seat, answer, step.events)
        worths = self._worths(playout(state, self.rng, _LONGEST))
        for seat, tried in path:
            tried.visits += 1
            tried.worth += worths[seat]

    def _asked(self, state: State) -> Decision | None:
        """Who goes on: the searching seat first where several are asked apart."""
        waiting = engine.decisions(state)
        return next((asked for asked in waiting if asked.seat == self.seat), waiting[0] if waiting else None)

    def _chosen(self, asked: Decision, saw: int) -> tuple[Value, AnswerStatistics, bool]:
        """An answer never tried, else the one with the highest upper confidence bound; whether it is new."""
        tree = self.trees.setdefault((asked.seat, saw), {})
        answers = candidate_answers(asked, self.rng) if not asked.several else self._sets(asked, tree)
        here = [(answer, tree.setdefault(answer, AnswerStatistics())) for answer in answers]
        for _, tried in here:
            tried.offered += 1
        if new := [pair for pair in here if not pair[1].visits]:
            return (*self.rng.choice(new), True)
        return (*max(here, key=lambda pair: pair[1].upper_confidence_bound()), False)

    def _sets(self, asked: Decision, tree: dict[Value, AnswerStatistics]) -> tuple[Value, ...]:
        """The sets that were weighed here before and are offered; new ones where there are few of those."""
        offered = Counter(asked.options)
        known = tuple(
            answer
            for answer in tree
            # Of equal copies a set may hold only as many as are offered in the position at hand.
            if isinstance(answer, tuple) and asked.least <= len(answer) <= asked.most and Counter(answer) <= offered
        )
        return known if len(known) > 1 else candidate_answers(asked, self.rng)

    def _worths(self, state: State) -> tuple[float, ...]:
        value = evaluation_of(state) or Evaluation((0.5,) * state.setting.players)
        if value.leads is None:
            return value.utilities
        return tuple(
            (1 - LEAD_WEIGHT) * utility + LEAD_WEIGHT * self.leads.normalized(lead)
            for utility, lead in zip(value.utilities, value.leads, strict=True)
        )

    def best(self, decision: Decision) -> Value:
        """The answer tried most; of several that fared alike any."""
        tree = self.trees.get((self.seat, 0), {})
        best = max((tried.visits, tried.worth) for tried in tree.values())
        return self.rng.choice([answer for answer, tried in tree.items() if (tried.visits, tried.worth) == best])


def _noticed(saw: list[int], actor: int, answer: Value, events: tuple[Event, ...]) -> None:
    """What each seat knows more after an answer: its own, and the events that it may see."""
    for seat in range(len(saw)):
        known = [event for event in (heard(event, seat) for event in events) if event is not None]
        if known or seat == actor:
            own: Hashable = answer if seat == actor else None
            facts = tuple((event.name, *((fact.name, fact.value) for fact in event.facts)) for event in known)
            saw[seat] = hash((saw[seat], own, facts))


@define(eq=False)
class Mcts(BeliefBot):
    """simulations: of each decision."""

    simulations: int

    def choose(self, decision: Decision, rng: Rng) -> Value:
        machine = compiled_search(self.chair)
        if machine is None:
            return self._interpreted(decision, rng)
        found = machine.best(decision, self._histories(rng), self.simulations, rng)
        return self._interpreted(decision, rng) if isinstance(found, Unsearched) else found

    def _histories(self, rng: Rng) -> list[Node]:
        drawn = [self.belief.drawn_history(rng) for _ in range(min(self.simulations, POSITIONS))]
        return [node for node in drawn if node is not None]

    def _interpreted(self, decision: Decision, rng: Rng) -> Value:
        """For games that no plan can say, and where WebAssembly cannot run."""
        search = Search(self.chair.seat, rng)
        for _ in range(self.simulations):
            state = self.belief.draw(rng)
            assert state is not None
            try:
                search.simulate(chance_resolved(with_sampled_chance(state, rng), rng))
            except RuleError:
                # A rule that fails in a sampled position says nothing about the real one.
                continue
        return search.best(decision)
