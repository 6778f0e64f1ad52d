"""A smoke test of the setup, for `rulekit check`: run by default options, and what must hold then is looked at.

With the fewest and with the most players; where the game has invariants, with
every number of players.  Whatever is asked is answered by the first thing
offered.  A number of players with which the game may not start by its options
is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations

from rulekit import limits
from rulekit.diagnostics import Diagnostic, Problems
from rulekit.model import game as model
from rulekit.play import engine, invariants, position_setup
from rulekit.play.invariants import setup_codes
from rulekit.play.machine.working_state import thaw
from rulekit.play.state.errors import BadSetup, Refused, RuleError
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Action, Decision, State, Step

_SEED = "check"
_ANSWERS = 200
"""Questions of a setup that are answered; what comes behind them is not tried."""


def findings(game: model.Game) -> list[Diagnostic]:
    """`setup-fails`, `short-deal` and `invariant`, each once for a line."""
    found: dict[tuple[str, str, int], Diagnostic] = {}
    tried = range(game.least, game.most + 1) if game.invariants else (game.least, game.most)
    for seats in sorted({*tried} - {limits.SEATS}):
        for entry in _with(game, seats):
            found.setdefault((entry.code, entry.span.source, entry.span.line), entry)
    return list(found.values())


def _with(game: model.Game, seats: int) -> list[Diagnostic]:
    problems = Problems()
    players = f"{seats} player{'s' * (seats != 1)}"
    try:
        for event in _events(game, seats):
            if event.name == "short":
                title = f"with {players} only {event['dealt']} of {event['wanted']} can be dealt here"
                problems.warn("short-deal", title, event.span)
    except BadSetup:
        return []
    except RuleError as fault:
        if fault.code == "invariant":
            problems.add("invariant", f"with {players}, where play begins, {fault.title}", fault.span)
            return problems.found
        problems.add("setup-fails", f"with {players} the setup fails: {fault.title}", fault.span)
    return problems.found


def _events(game: model.Game, seats: int) -> Iterator[Event]:
    """What happens in the setup of a match."""
    state = position_setup.position(game, seats=seats, seed=_SEED)
    for code in setup_codes(game):
        step = position_setup.run_alone(state, code)
        yield from step.events
        for _ in range(_ANSWERS):
            waiting = engine.decisions(step.state)
            if not waiting:
                break
            step = position_setup.settled(first_answered(step.state, waiting[0]))
            yield from step.events
        state = step.state
        if not position_setup.is_idle(state):
            return
    invariants.check(thaw(state))


def first_answered(state: State, decision: Decision) -> Step:
    """What follows the first answer: the first thing offered, or the fewest and first that are not refused."""
    if not decision.several:
        return engine.apply(state, Action(decision.seat, decision.options[0]))
    for size in range(decision.least, decision.most + 1):
        for several in combinations(decision.options, size):
            with suppress(Refused):
                return engine.apply(state, Action(decision.seat, several))
    raise AssertionError(f"every answer to {decision} was refused")
