"""Play turned into examples: a position, or a stretch of decisions with what came of them, as a scenario's text.

What chance did in the stretch is searched for, since a scenario says it: the options of chance are tried, depth first,
until the next position is the one that the match was in.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count

from rulekit.diagnostics import Problems
from rulekit.hosting.table import Table
from rulekit.play import engine
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.match_state import CHANCE, Action, State
from rulekit.play.state.value import Value
from rulekit.play.view import REFEREE, view
from rulekit.record.json_values import chosen_options
from rulekit.record.log import Header
from rulekit.record.match import Past
from rulekit.source import Source
from rulekit.syntax import nodes
from rulekit.syntax.parse import parse
from rulekit.syntax.traversal import cites
from rulekit.tools.compare.breakpoints import Breakpoint, breakpoints
from rulekit.tools.compare.divergence import changes
from rulekit.tools.examples.mutation_operators import Rules, rules_of
from rulekit.tools.examples.scenario_writer import (
    CannotSay,
    Example,
    answer_line,
    example_at,
    is_same_position,
    passes,
    running_calls,
    started,
)
from rulekit.values import define, frozen

_TRIES = 400
"""So many answers of chance are tried for one stretch."""
_NEAR = 12
"""So many positions before a stretch are tried as its beginning, and so many calls of actions."""
_EXPECTED = 8
"""So many facts are expected at the end of a stretch, at most."""


def position_text(table: Table, at: int) -> str:
    """The position before decision `at` as an example that others can change; "" where words are missing."""
    with table.lock:
        state = table.position(min(at, len(table.match.history)))
        rules, options = rules_under(table), dict(chosen_options(state.setting))
    found = [*_exact(rules, state, options)]
    with suppress(CannotSay):
        found.append(example_at(state, options))
    made = next((one for one in found if passes(rules, one)), None)
    return "" if made is None else made.text(f"a position after {at} decisions")


@frozen
class Stretch:
    """Decisions as an example.  first, last: which, from 1.  begun: the example from which the match began, or ""."""

    example: Example
    first: int
    last: int
    begun: str

    def text(self, names: Container[str] = (), clauses: Sequence[str] = ()) -> str:
        """As it stands in a file.  names: of the examples there are; clauses: that it cites."""
        told = f"decisions {self.first} to {self.last}"
        return self.example.text(_new(f"{self.begun}, {told}" if self.begun else told, names), clauses)


def _new(name: str, names: Container[str]) -> str:
    """A name that no other example has."""
    return next(one for number in count(1) if (one := name if number == 1 else f"{name} ({number})") not in names)


@frozen
class Bare:
    """An example that checks nothing yet: its lines, from the first to the last, and the clauses that it cites."""

    lines: tuple[int, int]
    clauses: tuple[str, ...]


def examples_of(source: Source) -> dict[str, Bare | None]:
    """By name the examples of a text, those that only say a position as what they are."""
    found = [node for node in parse(source, Problems()).file.declarations if isinstance(node, nodes.Scenario)]
    return {one.name: _bare(one) for one in found}


def _bare(one: nodes.Scenario) -> Bare | None:
    if not all(isinstance(scene, _POSITION) for scene in one.scenes):
        return None
    return Bare((one.span.line, one.scenes[-1].span.end_line), cites(one))


_POSITION = (nodes.Seats, nodes.Use, nodes.Given, nodes.GivenPicture, nodes.Run)
"""What of an example says how it begins."""


def stretch(table: Table, at: int, decisions: int) -> Stretch | None:
    """So many decisions before `at`, with what came of them, as an example; None where none can say them.

    More decisions are told where the position before the first has no words.
    """
    with table.lock:
        at = min(at, len(table.match.history))
        history, end = list(table.match.history[:at]), table.position(at)
        rules = rules_under(table)
    begun = table.header.begun
    for example, first in _starts(rules, table.header, history, max(0, at - decisions)):
        made = _played(rules, example, history[first:], end)
        if made is not None:
            return Stretch(made, first + 1, at, "" if begun is None else begun.scenario)
    return None


def rules_under(table: Table) -> Rules:
    """The rules of a match, ready for examples to be tried."""
    first, *bases = (Source(name, text) for name, text in table.game.sources)
    return rules_of(first, tuple(bases))


def _starts(rules: Rules, header: Header, history: Sequence[Past], last: int) -> Iterator[tuple[Example, int]]:
    """Examples from which the match went on, and how many decisions it had then: at most `last`, the nearest first.

    Where it waited, then where an action was about to begin, then from its beginning.
    """
    options = header.options
    for first in range(last, max(-1, last - _NEAR), -1):
        for example in _exact(rules, history[first].state, options) if first < len(history) else ():
            yield example, first
    if header.begun is None and header.seed is not None:
        for begin in _calls(rules, header, history[:last]):
            with suppress(CannotSay, BadSetup, RuleError):
                yield example_at(begin.state, options, begin.call), begin.after
        yield Example(header.seats, options), 0


def _calls(rules: Rules, header: Header, history: Sequence[Past]) -> list[Breakpoint]:
    """Where actions were about to begin, the last and outermost first."""
    try:
        every = breakpoints(
            rules.game, header.options, len(header.players), header.seed or "", [past.action for past in history]
        )
        near = [each for each in every if each.after <= len(history)][-_NEAR:]
    except (BadSetup, RuleError):
        return []
    near.reverse()
    return sorted(near, key=lambda each: (-each.after, len(each.state.frames)))


def _exact(rules: Rules, state: State, options: Mapping[str, Value]) -> Iterator[Example]:
    """Examples in which play stands where it stood, from the beginning of play or of an action that is running."""
    for call in ("", *reversed(running_calls(state))):
        with suppress(CannotSay, BadSetup, RuleError):
            example = example_at(state, options, call)
            if is_same_position(started(rules, example).state, state, exactly=not call):
                yield example


def _played(rules: Rules, example: Example, stretch: Sequence[Past], end: State) -> Example | None:
    """The example with the answers of a stretch and what came of them, if it holds."""
    with suppress(CannotSay, BadSetup, RuleError):
        state = started(rules, example).state
        lines = _Search([*(past.state for past in stretch), end], [past.action for past in stretch]).lines(state)
        facts = [] if lines is None else changes(stretch[0].state, end)[:_EXPECTED]
        made = None if lines is None else example.then(*lines, *(f"expect {fact}" for fact in facts))
        if made is not None and passes(rules, made):
            return made
    return None


@define(eq=False)
class _Search:
    """positions: in which the match stood, the end included; actions: what was decided in each but the last."""

    positions: Sequence[State]
    actions: Sequence[Action]
    left: int = _TRIES

    def lines(self, state: State, place: int = 0) -> list[str] | None:
        """What has to be answered from a position on so that the match comes by all of its own; None if nothing has."""
        asked = engine.decisions(state)
        if asked and asked[0].seat == CHANCE:
            return self._by_chance(state, place)
        if _shown(state) != _shown(self.positions[place]):
            return None
        if place == len(self.actions):
            return []
        action = self.actions[place]
        rest = self.lines(engine.apply(state, action).state, place + 1)
        return None if rest is None else [answer_line(state, action), *rest]

    def _by_chance(self, state: State, place: int) -> list[str] | None:
        for option in engine.decisions(state)[0].options:
            self.left -= 1
            if self.left < 0:
                return None
            action = Action(CHANCE, option)
            with suppress(RuleError):
                rest = self.lines(engine.apply(state, action).state, place)
                if rest is not None:
                    return [answer_line(state, action), *rest]
        return None


def _shown(state: State) -> tuple[object, ...]:
    """What is asked and what stands where; a pile by what lies in it, since nobody may have decided its order yet."""
    everything = view(state, REFEREE)
    asked = tuple((one.seat, one.name, frozenset(one.options)) for one in everything.asked if one.seat != CHANCE)
    values = tuple((one.path, one.shown if one.count is None else _heap(one.shown)) for one in everything.values)
    return asked, values


def _heap(shown: object) -> object:
    return frozenset(shown) if isinstance(shown, tuple) else shown
