"""Whether a position shows a clause: something else happens there once the clause's part of the rules is changed.

A scenario that would hold all the same is no witness, whatever it cites.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from rulekit.play import engine, position_setup
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Action, Decision, State, Step
from rulekit.play.state.value import Value
from rulekit.syntax import nodes
from rulekit.tools.compare.differential_execution import Moment, Pair
from rulekit.tools.compare.divergence import Divergence, Side, changes
from rulekit.tools.examples.expression_mutations import CONSTANT, FORCED, INSERTION, RELATION
from rulekit.tools.examples.mutation_operators import Edit, Rules, of_clause
from rulekit.tools.examples.scenario_writer import (
    CannotSay,
    Example,
    answer_line,
    passes,
    placed_and_started,
    started,
)
from rulekit.values import define, field, frozen

_FEW = 10
_BEYOND = 1
"""Decisions after the clause was carried out in which its effect may show."""
_FACTS = 3
_PLAIN_FIRST = (CONSTANT, INSERTION, FORCED, RELATION)
"""The changes that are easiest to put into words; they are tried first."""


@frozen
class Proof:
    """What shows that a scenario is about a clause.

    edit:        a change of the clause's part with which it fails.
    divergence:  what is so with the rules as they are, and with the change.
    """

    edit: Edit
    divergence: Divergence


@frozen
class Carried:
    """Play from a position until a clause is carried out, and a little further.

    steps:    where play waits: at first, and after each answer; moments: the answers.
    shown:    after so many answers an event cites the clause; line: where that happened.
    before:   the position in which it all begins.
    """

    example: Example
    before: State
    steps: tuple[Step, ...]
    moments: tuple[Moment, ...]
    shown: int
    line: int

    def told(self, divergence: Divergence, at: int) -> Example:
        """The scenario with its answers, what has changed, and what is so after `at` answers with these rules alone."""
        lines, only = list[str](), divergence.holds
        # An answer that only these rules take is the last thing that can be said.
        is_last = only.startswith("when ")
        for number in range(max(at, self.shown) + 1):
            if number:
                moment = self.moments[number - 1]
                lines.append(answer_line(moment.state, moment.action))
            facts = [only] if number == at and only and not is_last else []
            if number == self.shown:
                facts += [fact for fact in self._facts() if fact not in facts][: _FACTS - len(facts)]
            lines += facts
        return self.example.then(*lines, *([only] if is_last and at >= self.shown else []))

    def _facts(self) -> list[str]:
        before = self.steps[self.shown - 1].state if self.shown else self.before
        after = self.steps[self.shown].state
        if after.over and after.ending:
            return ["expect game_over"]
        return [f"expect {fact}" for fact in changes(before, after)]


def carried(rules: Rules, example: Example, answer: Callable[[Decision], Value], clause: str) -> Carried | None:
    """Play from the position of an example until an event cites the clause; None if that does not come soon.

    Errors:  `CannotSay`; `BadSetup` and `RuleError` of the rules.
    """
    before, step = placed_and_started(rules, example)
    steps, moments = [step], list[Moment]()
    event, shown = cited_in(step.events, clause), 0
    while len(moments) < (_FEW if event is None else shown + _BEYOND):
        waiting = engine.decisions(steps[-1].state)
        if not waiting:
            break
        moments.append(Moment(steps[-1].state, Action(waiting[0].seat, answer(waiting[0]))))
        steps.append(position_setup.settled(engine.apply(steps[-1].state, moments[-1].action)))
        if event is None:
            event, shown = cited_in(steps[-1].events, clause), len(moments)
    if event is None:
        return None
    return Carried(example, before, tuple(steps), tuple(moments), shown, event.span.line)


def cited_in(events: Sequence[Event], clause: str) -> Event | None:
    """The first event that cites a clause: on its line, or else as what decided it."""
    on_line = next((event for event in events if clause in event.clauses), None)
    return on_line or next((event for event in events if clause in event.decided_by), None)


@define(eq=False)
class Prover:
    """Tries the changes of a clause's part.

    rules:  without their scenarios.
    edits:  the changes that leave correct rules, as far as they were tried.
    left:   how many more may be tried.
    """

    rules: Rules
    clause: str
    left: int
    edits: list[Edit] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.rules = self.rules.only(lambda node: not isinstance(node, nodes.Scenario))
        self.edits = list(of_clause(self.rules, self.clause))

    def of_example(self, shown: Carried) -> tuple[Example, Proof] | None:
        """The scenario that holds and, with a change of the part, does not; None if there is none."""
        for edit in self._tried(shown.line):
            found = self._failing(edit, shown)
            if found is not None:
                return found
        return None

    def of_match(self, begin: Side, past: Sequence[Moment], start: Callable[[Rules], Side]) -> Proof | None:
        """The same of a match that no scenario can tell.  start: begins it under changed rules."""
        for edit in self._tried(0):
            changed = self.rules.edited(edit)
            if changed is None:
                continue
            with suppress(BadSetup):  # An agreement that the changed rules do not take proves nothing.
                pair = _along(begin, start(changed), past)
                if pair.divergence is not None:
                    return Proof(edit, pair.divergence)
        return None

    def _tried(self, line: int) -> Iterator[Edit]:
        """The changes, those of a line first; each one tried counts."""
        for edit in sorted(self.edits, key=lambda edit: (edit.span.line != line, edit.operator not in _PLAIN_FIRST)):
            if not self.left:
                return
            self.left -= 1
            yield edit

    def _failing(self, edit: Edit, shown: Carried) -> tuple[Example, Proof] | None:
        changed = self.rules.put(edit)
        try:
            pair = _along(shown.steps[0], _started(changed, shown.example), shown.moments)
            if pair.divergence is None:
                return None
            example = shown.told(pair.divergence, len(pair.past))
        except (CannotSay, BadSetup):
            return None
        holds = passes(self.rules, example) and not passes(changed, example)
        return (example, Proof(edit, pair.divergence)) if holds else None


def _along(begin: Side, other: Side, past: Sequence[Moment]) -> Pair:
    """Both with the same answers, until they part."""
    pair = Pair(begin, other)
    for moment in past:
        if not pair.is_over:
            pair.act(moment.action)
    return pair


def _started(rules: Rules, example: Example) -> Side:
    try:
        return started(rules, example)
    except RuleError as fault:
        return fault
