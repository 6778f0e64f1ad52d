"""A match under other rules: it goes on if its decisions hold there; else where it parts from them, by which clause.

Whether decisions hold is asked of the replay of logs; what made them fail is proved by taking changes of the rules
back, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable

import rulekit
from rulekit.model.declare.contents import Known
from rulekit.model.game import Game
from rulekit.play.state.match_state import State
from rulekit.record.json_values import chosen_options, rules_digest
from rulekit.record.log import Header, Log
from rulekit.record.match import Match
from rulekit.record.replay import LogReplay, Played
from rulekit.tools.examples.mutation_operators import known_of, rules_with
from rulekit.tools.language.lazy_message import Message, Text
from rulekit.tools.structure.clause_relevance import nearest_clauses
from rulekit.tools.structure.structural_difference import structural_difference, taken_back
from rulekit.values import evolve, field, frozen

_TRIED = 8
"""So many changes are taken back at most to see which of them parts match and rules."""


@frozen
class Parted:
    """Rules under which a match cannot go on.

    decision:  the first that does not hold, from 1; 0 for the setup.
    reason:    why not; it names answers, secret ones too, and is for who wrote the rules.
    clauses:   of the rules that changed, what decided it first; where none of them has any, those of the rule that
               cannot be carried out, else those that acted last.
    state:     where the new rules stand before it, None if they cannot be set up; not for who plays.
    """

    decision: int
    reason: Text
    clauses: tuple[str, ...]
    state: State | None = field(eq=False, repr=False)


@frozen
class Reloaded:
    """What became of the running matches of a rules file that was changed.

    problem:  why the file is no game now, as `check` tells it; nothing else was tried then.
    over:     the matches that go on under the new rules.
    parted:   those that keep the old ones, and where they part.
    """

    problem: str = ""
    over: tuple[str, ...] = ()
    parted: tuple[tuple[str, Parted], ...] = ()


def parting(
    log: Log, old: Game, new: Game, paused: Callable[[], None] = lambda: None, known: Known | None = None
) -> Parted | None:
    """Where a match parts from other rules; None if all its decisions hold.

    paused:  called after each decision, so that whoever no longer wants to know can raise something.
    known:   what was read of such rules, and need not be read again.
    """
    begun = log.header.begun
    if begun is not None and begun.scenario and begun.scenario not in {one.name for one in new.scenarios}:
        return Parted(0, Message("example-gone", name=begun.scenario), (), None)
    again = LogReplay(log, new, verified=True)
    steps: list[Played] = []
    for played in again:
        paused()
        steps.append(played)
    if again.fault is None:
        return None
    fault, before = again.fault, again.fault.decision - 1
    acted = dict.fromkeys(clause for step in steps[-1:] for event in step.events for clause in event.all_clauses)
    found = _clauses(log, (old, new), fault.decision, acted, paused, known or known_of(old.sources))
    clauses = found or fault.clauses or tuple(acted)
    return Parted(fault.decision, fault.reason, clauses, None if before < 0 else steps[before].state)


def header_under(header: Header, match: Match) -> Header:
    """The header of a match that was played again under the rules it has now."""
    setting = match.state.setting
    return evolve(
        header,
        rulekit=rulekit.__version__,
        rules=rules_digest(setting.game),
        title=setting.game.title,
        options=dict(chosen_options(setting)),
    )


def _clauses(
    log: Log,
    games: tuple[Game, Game],
    decision: int,
    acted: dict[str, None],
    paused: Callable[[], None],
    known: Known,
) -> tuple[str, ...]:
    """Those of the changes without which the decision holds; of all changes, if it is none alone."""
    begun = log.header.begun
    # Of examples a match knows only that from whose position it was begun.
    examples = {begun.scenario} if begun is not None else set()
    before, after = (rules_with(game, examples, known) for game in games)
    hunks = structural_difference(before.declarations, after.declarations)
    near = [(nearest_clauses(hunk, games, acted), hunk) for hunk in hunks]
    near.sort(key=lambda pair: not any(clause in acted for clause in pair[0]))
    if len(near) == 1:
        # Without the only change they are the old rules, under which every decision holds.
        return tuple(dict.fromkeys(near[0][0]))
    needed = [
        pair
        for pair in near[:_TRIED]
        if _holds(log, after.resolved(taken_back(after.declarations, [pair[1]])), decision, paused)
    ]
    return tuple(dict.fromkeys(clause for clauses, _ in needed or near for clause in clauses))


def _holds(log: Log, game: Game | None, decision: int, paused: Callable[[], None]) -> bool:
    if game is None:
        return False
    again = LogReplay(log, game, decision, verified=True)
    for _ in again:
        paused()
    return again.fault is None
