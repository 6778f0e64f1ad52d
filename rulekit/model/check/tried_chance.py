"""Chance in what is tried: behind a question whose answers an `only if` binds, up to the end of its action."""

from __future__ import annotations

from rulekit.diagnostics import Problems
from rulekit.model import call_graph, ops
from rulekit.model.call_graph import Place
from rulekit.model.control_flow import conditions_ahead, reachable
from rulekit.model.game import Game


def check(game: Game, problems: Problems) -> None:
    """Warns of chance that would fail in play: each answer is tried first, and chance cannot be."""
    found: dict[Place, str] = {}
    for index, code in enumerate(game.codes):
        for pc, op in enumerate(code.ops) if code.has_only_if else ():
            asking = _questions(game, op)
            conditions = conditions_ahead(game, index, pc) if asking or _is_question(op) else ()
            if conditions:
                tried = {(index, at) for at in reachable(code.ops, pc)}
                tried.update((one, at) for one, after in asking for at in reachable(game.codes[one].ops, after))
                for place in _with_calls(game, tried):
                    if _is_chance(game.codes[place[0]].ops[place[1]]):
                        found.setdefault(place, game.quoted(conditions[0].span))
    for place, condition in sorted(found.items()):
        title = f"chance cannot be tried, and this is, for {condition} decides which answers may be given before it"
        note = "put the choice and its `only if` into an action of their own, and chance behind the call"
        problems.warn("trial", title, game.codes[place[0]].ops[place[1]].span, note=note)


def _is_question(op: ops.Op) -> bool:
    return isinstance(op, ops.Ask | ops.AskWay)


def _is_chance(op: ops.Op) -> bool:
    return bool(op.effects.draws)


def _questions(game: Game, op: ops.Op) -> list[Place]:
    """The questions that an operation may come to in other codes."""
    codes = call_graph.reachable(game, call_graph.run_by(game, op))
    return [(code, pc) for code in codes for pc, one in enumerate(game.codes[code].ops) if _is_question(one)]


def _with_calls(game: Game, places: set[Place]) -> set[Place]:
    """These places, and those of all that they may run."""
    run = (call_graph.run_by(game, game.codes[code].ops[pc]) for code, pc in places)
    codes = call_graph.reachable(game, frozenset[int]().union(*run))
    return places | {(code, pc) for code in codes for pc in range(len(game.codes[code].ops))}
