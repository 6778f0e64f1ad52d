"""`mcts:N`: searches by N simulations, each from a position that fits what its seat was told.

Information-set search (Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012), with a tree for
each seat: a seat's answers are counted by what that seat saw since the search began, never by what it could not see.
So secret answers, given at the same time or not, are chosen without knowing one another, and where a seat's options
depend on what is hidden, they are compared by how often each was available.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import log, sqrt

from attrs import define, field

from rulekit.bots.candidates import candidates
from rulekit.bots.compiled import POSITIONS, engine_for
from rulekit.bots.history import Node
from rulekit.bots.luck import Luck
from rulekit.bots.playing import played_on, seeded, settled
from rulekit.bots.standing import Standing, standing
from rulekit.bots.thinker import Thinker
from rulekit.play import engine
from rulekit.play.errors import RuleError
from rulekit.play.event import Event, seen
from rulekit.play.state import Action, Decision, State
from rulekit.play.value import Value

_CURIOSITY = 0.6
"""How much an answer gains by having been tried seldom; worths lie from 0 to 1."""
_LEAD = 0.1
"""How much of a worth is the lead in ranking values, the rest being the place."""
_LONGEST = 2_000
"""Decisions of a simulation, before the result is read early."""
_DEEPEST = 200


@define(eq=False)
class Tried:
    """An answer in a seat's tree.  offered: how often it could be chosen."""

    visits: int = 0
    offered: int = 0
    worth: float = 0.0

    def promise(self) -> float:
        return self.worth / self.visits + _CURIOSITY * sqrt(log(self.offered) / self.visits)


@define(eq=False)
class Leads:
    """How far ahead seats came in this search, so that a lead counts by what is usual in this game."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def part(self, lead: float) -> float:
        """A lead as a number from 0 to 1; a usual one is 1/2."""
        self.count += 1
        self.total += lead
        self.squares += lead * lead
        mean = self.total / self.count
        spread = sqrt(max(self.squares / self.count - mean * mean, 1e-9))
        away = (lead - mean) / spread
        return 0.5 + 0.5 * away / (1 + abs(away))


Told = tuple[Hashable, ...]
"""All that a seat saw since the search began, as a key."""


@define(eq=False)
class Search:
    """One search for one seat.  trees: by seat and what it saw, the answers tried there."""

    seat: int
    luck: Luck
    trees: dict[tuple[int, int], dict[Value, Tried]] = field(factory=dict)
    leads: Leads = field(factory=Leads)

    def simulate(self, state: State) -> None:
        """One match from a guessed position: along the trees, one new answer, then by chance."""
        saw = [0] * state.setting.players
        path: list[tuple[int, Tried]] = []
        fresh = False
        while not fresh and len(path) < _DEEPEST and (asked := self._asked(state)) is not None:
            answer, tried, fresh = self._chosen(asked, saw[asked.seat])
            path.append((asked.seat, tried))
            step = engine.apply(state, Action(asked.seat, answer))
            state = step.state
            _noticed(saw, asked.seat, answer, step.events)
        worths = self._worths(played_on(state, self.luck, _LONGEST))
        for seat, tried in path:
            tried.visits += 1
            tried.worth += worths[seat]

    def _asked(self, state: State) -> Decision | None:
        """Who goes on: the searching seat first where several are asked apart."""
        waiting = engine.decisions(state)
        return next((asked for asked in waiting if asked.seat == self.seat), waiting[0] if waiting else None)

    def _chosen(self, asked: Decision, saw: int) -> tuple[Value, Tried, bool]:
        """An answer never tried, else the one that promises most."""
        tree = self.trees.setdefault((asked.seat, saw), {})
        answers = candidates(asked, self.luck) if not asked.several else self._sets(asked, tree)
        here = [(answer, tree.setdefault(answer, Tried())) for answer in answers]
        for _, tried in here:
            tried.offered += 1
        if new := [pair for pair in here if not pair[1].visits]:
            return (*self.luck.one_of(new), True)
        return (*max(here, key=lambda pair: pair[1].promise()), False)

    def _sets(self, asked: Decision, tree: dict[Value, Tried]) -> tuple[Value, ...]:
        """The sets that were weighed here before and are offered; new ones where there are few of those."""
        known = tuple(answer for answer in tree if isinstance(answer, tuple) and set(answer) <= set(asked.options))
        return known if len(known) > 1 else candidates(asked, self.luck)

    def _worths(self, state: State) -> tuple[float, ...]:
        stands = standing(state) or Standing((0.5,) * state.setting.players)
        if stands.leads is None:
            return stands.parts
        return tuple(
            (1 - _LEAD) * part + _LEAD * self.leads.part(lead)
            for part, lead in zip(stands.parts, stands.leads, strict=True)
        )

    def best(self, decision: Decision) -> Value:
        """The answer tried most."""
        tree = self.trees.get((self.seat, 0), {})
        return max(tree, key=lambda answer: (tree[answer].visits, tree[answer].worth))


def _noticed(saw: list[int], actor: int, answer: Value, events: tuple[Event, ...]) -> None:
    """What each seat knows more after an answer: its own, and the events that it may see."""
    for seat in range(len(saw)):
        known = [event for event in (seen(event, seat) for event in events) if event is not None]
        if known or seat == actor:
            own: Hashable = answer if seat == actor else None
            facts = tuple((event.name, *((fact.name, fact.value) for fact in event.facts)) for event in known)
            saw[seat] = hash((saw[seat], own, facts))


@define(eq=False)
class Mcts(Thinker):
    """simulations: of each decision."""

    simulations: int

    def choose(self, decision: Decision, luck: Luck) -> Value:
        machine = engine_for(self.chair)
        found = None if machine is None else machine.best(decision, self._histories(luck), self.simulations, luck)
        return self._interpreted(decision, luck) if found is None else found

    def _histories(self, luck: Luck) -> list[Node]:
        drawn = [self.belief.drawn_history(luck) for _ in range(min(self.simulations, POSITIONS))]
        return [node for node in drawn if node is not None]

    def _interpreted(self, decision: Decision, luck: Luck) -> Value:
        """For games that no plan can say."""
        search = Search(self.chair.seat, luck)
        for _ in range(self.simulations):
            state = self.belief.draw(luck)
            assert state is not None
            try:
                search.simulate(settled(seeded(state, luck), luck))
            except RuleError:
                # A rule that fails in a guessed position says nothing about the real one.
                continue
        return search.best(decision)
