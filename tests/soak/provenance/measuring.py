"""Precision and recall of what events say of their clauses, by changing the rules.

Precision: of pairs (event, clause of its first rank) drawn by chance, those in
which a change of the clause's part changes the event or whether it happens.
Recall: of the clauses that need a rule, those that some event cites, and
whose part, when changed, changes it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from statistics import median

from attrs import define, field, frozen

from rulekit.source import Source
from rulekit.tools.examples import statement_mutations
from rulekit.tools.examples.mutation_operators import Edit
from tests.soak.provenance.more_changes import CHOICE
from tests.soak.provenance.parts import Parts, fewest, owners, spread
from tests.soak.provenance.replaying import DECISION, EVENT, SAME, Replay
from tests.soak.provenance.stories import Example, Place, Story, choices, enough, examples, matches

OWN, LINE, SHARED, NOTHING = "its part", "its line", "shared", "nothing"
NO_CHANGE, UNCITED = "no change", "uncited"
"""What a pair comes to.

OWN:        a change of the clause's part changes the event: one that tells as much of the clause as any.
LINE:       so does a change of the line on which it happens, but not of the other lines that cite the clause.
SHARED:     so does a change of a line that cites more clauses, but not of one that tells more of this clause.
DECISION:   no change changes the event, but one changes what else happens by the same decision.
NOTHING:    no change changes anything.
NO_CHANGE:  none could be made of its part, or none left a game that comes so far.
UNCITED:    of a clause: no event cites it.
"""
_GRADES = (UNCITED, NO_CHANGE, NOTHING, DECISION, SHARED, LINE, OWN)
_ROUNDS = 4
"""So many events that are much alike are tried of a clause before it counts as told wrongly."""
_FROM_START = 8
"""So many changes of what there is, and how it is laid out, are followed through whole matches."""


@frozen
class Pair:
    """An event and a clause that it cites.  rank: 1 those of its line, 2 what decided it."""

    place: Place
    clause: str
    rank: int = 1


_Kept = dict[tuple[object, ...], list[Pair]]


@define
class Verdict:
    """What was found of a pair, with the changes that were tried; by: that which changed it, if any."""

    pair: Pair | None
    clause: str
    grade: str = NO_CHANGE
    by: Edit | None = None
    tried: list[tuple[Edit, str]] = field(factory=list)

    @property
    def counts(self) -> bool:
        return self.grade != NO_CHANGE

    @property
    def holds(self) -> bool:
        return self.grade in (OWN, LINE)

    def grades(self, edit: Edit, outcome: str, *, is_shared: bool) -> str:
        """What an outcome comes to."""
        if outcome != EVENT:
            return {DECISION: DECISION, SAME: NOTHING}.get(outcome, NO_CHANGE)
        if is_shared:
            return SHARED
        elsewhere = any(found in (SAME, DECISION) for each, found in self.tried if not self._is_on_its_line(each))
        return LINE if self._is_on_its_line(edit) and elsewhere else OWN

    def _is_on_its_line(self, edit: Edit) -> bool:
        return self.pair is not None and edit.span.line == self.pair.place.event.span.line


@define
class Told:
    """How many clauses events tell, by rank."""

    first: Counter[int] = field(factory=Counter)
    second: Counter[int] = field(factory=Counter)
    both: Counter[int] = field(factory=Counter)

    def add(self, first: int, second: int) -> None:
        self.first[first] += 1
        self.second[second] += 1
        self.both[first + second] += 1


def middle(counted: Counter[int]) -> float:
    return median(counted.elements()) if counted else 0


# ---------------------------------------------------------------- a game


class Measurement:
    """One game, its stories and what was tried on them."""

    def __init__(self, source: Source, *, seed: str, matches_: int | None = None) -> None:
        self.parts = Parts(source)
        self.game = self.parts.game
        self._seed = seed
        count = enough(self.game) if matches_ is None else matches_
        self._made: dict[tuple[object, ...], bool] = {}
        self.stories: list[Story] = [*matches(self.game, count, seed), *examples(self.game)]

    # ------------------------------------------------------------ precision

    def pairs(self, count: int | None) -> list[Verdict]:
        """So many pairs drawn by chance, or each clause of each line once, where something happened on it."""
        drawn = self._by_line() if count is None else self.drawn(count)
        return self.judged(drawn)

    def drawn(self, count: int) -> list[Pair]:
        """So many pairs, each as likely as any other."""
        every = [Pair(place, clause) for place in self._places() for clause in place.event.clauses]
        return Random(self._seed).sample(every, min(count, len(every)))

    def _by_line(self) -> list[Pair]:
        found: dict[tuple[object, ...], list[Pair]] = defaultdict(list)
        for place in self._places():
            event = place.event
            for clause in event.clauses:
                found[event.span.line, event.name, clause].append(Pair(place, clause))
        return [Random(self._seed).choice(pairs) for pairs in found.values()]

    def _places(self) -> Iterator[Place]:
        for story in self.stories:
            for step, events in enumerate(story.told):
                for number in range(len(events)):
                    yield Place(story, step, number)

    # ------------------------------------------------------------ recall

    def clauses(self, each: int = 12) -> list[Verdict]:
        """For each clause that needs a rule the best that any event can show: so many in either rank, and then more."""
        found = self._citing()
        wanted = [clause.id for clause in self.parts.clauses if clause.needs_rule]
        return [self._best(clause, self._in_turn(clause, found, each)) for clause in wanted]

    def _best(self, clause: str, rounds: Iterable[Sequence[Pair]]) -> Verdict:
        best = Verdict(None, clause, UNCITED)
        for pairs in rounds:
            best = max([best, *self.judged(pairs, at_once=True)], key=_grade)
            if best.holds:
                break
        return best

    def _in_turn(self, clause: str, found: Mapping[tuple[str, int], _Kept], each: int) -> Iterator[list[Pair]]:
        """First the examples that cite the clause, then events of different lines or choices, then others of these."""
        kept = [found.get((clause, rank), {}) for rank in (1, 2)]
        every = [pair for some in kept for pairs in some.values() for pair in pairs]
        yield [pair for pair in every if isinstance(pair.place.story, Example) and clause in pair.place.story.clauses]
        chance = Random(self._seed)
        for number in range(_ROUNDS):
            nth = [[pairs[number] for pairs in some.values() if len(pairs) > number] for some in kept]
            yield [pair for pairs in nth for pair in chance.sample(pairs, min(each, len(pairs)))]

    def _citing(self) -> dict[tuple[str, int], _Kept]:
        """By clause and rank events that cite it, by the line and the choices under which they happened."""
        found: dict[tuple[str, int], _Kept] = defaultdict(lambda: defaultdict(list))
        for place in self._places():
            event = place.event
            for rank, clauses in ((1, event.clauses), (2, event.decided_by)):
                for clause in clauses:
                    kept = found[clause, rank][event.span.line, event.name, str(choices(place.story))]
                    if len(kept) < _ROUNDS or isinstance(place.story, Example):
                        kept.append(Pair(place, clause, rank))
        return found

    def told(self, most: int = 12) -> Told:
        """How many clauses the events of some matches and of all examples tell, by rank."""
        told = Told()
        played = [story for story in self.stories if not isinstance(story, Example)][:most]
        shown: list[Story] = [*played, *(story for story in self.stories if isinstance(story, Example))]
        for story in shown:
            for events in story.told:
                for event in events:
                    told.add(len(event.clauses), len(event.decided_by))
        return told

    # ------------------------------------------------------------ judging

    def judged(self, pairs: Sequence[Pair], *, at_once: bool = False) -> list[Verdict]:
        """What the changes of their clauses' parts do to pairs.  at_once: one that holds is enough."""
        verdicts = [Verdict(pair, pair.clause) for pair in pairs]
        together: dict[tuple[str, int], list[Verdict]] = defaultdict(list)
        for verdict, pair in zip(verdicts, pairs, strict=True):
            together[pair.clause, pair.place.event.span.line].append(verdict)
        held: set[str] = set()
        for (clause, line), some in together.items():
            if not (at_once and clause in held):
                self._judge(clause, line, some, at_once=at_once)
                held |= {clause} if any(each.holds for each in some) else set()
        return verdicts

    def _judge(self, clause: str, line: int, verdicts: list[Verdict], *, at_once: bool) -> None:
        """Pairs of one clause on one line, whose own changes come last."""
        found = self.parts.by_clause.get(clause, [])
        least = fewest(found, self._can_be_made)
        laid_out = spread([edit for edit in found if self.parts.acts_at_the_start(edit)], _FROM_START)
        for edit in sorted(found, key=lambda each: (len(owners(each)), each.span.line == line)):
            is_shared = len(owners(edit)) > least
            waiting = [each for each in verdicts if not _is_settled(each, is_shared)]
            if not waiting or (at_once and len(waiting) < len(verdicts)):
                return
            self._try(edit, waiting, is_shared, from_start=any(edit is each for each in laid_out))

    def _try(self, edit: Edit, verdicts: Iterable[Verdict], is_shared: bool, *, from_start: bool) -> None:
        replays: dict[bool, Replay | None] = {}
        for verdict in verdicts:
            assert verdict.pair is not None
            in_example = isinstance(verdict.pair.place.story, Example)
            if in_example not in replays:
                replays[in_example] = self._replay(edit, in_example, from_start)
            replay = replays[in_example]
            outcome = "no game" if replay is None else replay.outcome(verdict.pair.place)
            _note(verdict, edit, verdict.grades(edit, outcome, is_shared=is_shared))
            verdict.tried.append((edit, outcome))

    def _can_be_made(self, edit: Edit) -> bool:
        """Whether a change leaves a game; what cannot be changed tells no more of a clause than what can."""
        key = (edit.path, edit.operator, edit.new)
        if key not in self._made:
            self._made[key] = self.parts.changed(edit) is not None
        return self._made[key]

    def _replay(self, edit: Edit, scenarios: bool, from_start: bool) -> Replay | None:
        changed = self.parts.changed(edit, scenarios=scenarios)
        if changed is None:
            return None
        leaves_out = edit.operator == statement_mutations.DELETION
        unset = edit.old if edit.operator == CHOICE else ""
        return Replay(self.game, changed, from_start=from_start, leaves_out=leaves_out, unset=unset)


def _note(verdict: Verdict, edit: Edit, grade: str) -> None:
    if _GRADES.index(grade) > _GRADES.index(verdict.grade):
        verdict.grade = grade
        verdict.by = None if grade in (NOTHING, NO_CHANGE) else edit


def _grade(verdict: Verdict) -> int:
    return _GRADES.index(verdict.grade)


def _is_settled(verdict: Verdict, is_shared: bool) -> bool:
    """Whether nothing better can come of it.  is_shared: what comes now is shared with more clauses."""
    return verdict.holds or (is_shared and verdict.grade == SHARED)
