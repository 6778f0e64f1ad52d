"""Static taint analysis: what is done, asked and shown that depends on something that not everybody may see.

A decision with one answer may be taken in silence only if everybody could know that it has one: so each decision whose
set or conditions are tainted is marked, and is always asked.  The same
analysis finds branches that would show a secret by what happens next
(implicit flows).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from rulekit.diagnostics import Problems
from rulekit.model import call_graph, ops
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.check.reaching_reveals import WhollyRevealed
from rulekit.model.check.taint_flow import Reader, Readers, revealed_in
from rulekit.model.traversal import parts
from rulekit.values import evolve

_REVEAL = "let all hear just this first, `reveal … as answer`, or decide it inside `secretly each`"
_ASK = "let all hear the answer first, `reveal whether … as answer`, or decide it inside `secretly each`"


def marked(game: model.Game) -> model.Game:
    """The game with every decision marked that is always asked, and with what may be shown to everybody.

    Always asked is where options or conditions are tainted.
    """
    reader = Reader(game, game.codes)
    reader.settle()
    codes = tuple(reader.marked(index, code) for index, code in enumerate(game.codes))
    shows = tuple(evolve(each, is_open=reader.is_open(each)) for each in game.shows)
    defines = tuple(evolve(each, is_open=not hides) for each, hides in zip(game.defines, reader.defines, strict=True))
    return evolve(game, codes=codes, shows=shows, defines=defines)


def check(game: model.Game, problems: Problems) -> None:
    """Warns of what everybody can tell, outside of `secretly`, though it follows from what not everybody may see."""
    readers, runs, lying_open = Readers(game), _Runs(game), WhollyRevealed(game)
    reader = readers.of(revealed_in(game))
    _check_tried(game, problems)
    for index, code in enumerate(game.codes):
        _check_taken(game, lying_open, index, problems)
        _check_rolled(reader, index, code, problems)
        for place, op in enumerate(code.ops):
            if op.effects.shows or op.effects.steers or op.effects.counts:
                _check_shown(readers.at((index, place)), runs, (index, place), op, problems)
            if isinstance(op, ops.Reveal):
                _check_revealed(game, runs, (index, place), op, problems)
            elif isinstance(op, ops.Ask | ops.AskWay):
                _check_offer(reader, op, problems)


def _check_tried(game: model.Game, problems: Problems) -> None:
    """What is tried before anybody answers reveals nothing: what is offered would tell it."""
    told = [(index, op) for index, code in enumerate(game.codes) for op in code.ops if op.effects.declassifies]
    if not told:
        return
    tried = call_graph.guarded(game) | call_graph.reachable(game, call_graph.tried(game))
    for op in (op for index, op in told if index in tried):
        title = "this is tried before anybody answers, so what can be answered would tell it"
        hint = "put it into an action of its own, behind the one with `only if` or `possible`"
        problems.add("secret", title, op.span, hint=hint)


class _Runs:
    """Where codes run; asked for what would be a finding, and so seldom."""

    def __init__(self, game: model.Game) -> None:
        self.game = game

    @cached_property
    def _blocks(self) -> list[dict[int, ops.SecretStart]]:
        return [ops.secret_blocks(code) for code in self.game.codes]

    @cached_property
    def _secret(self) -> frozenset[int]:
        return self._only(lambda caller, place: place in self._blocks[caller])

    @cached_property
    def _ending(self) -> frozenset[int]:
        return self._only(lambda caller, _: caller == self.game.result) | {self.game.result}

    def in_secret(self, at: call_graph.Place) -> bool:
        """Whether an operation runs inside of `secretly each`, and nowhere else."""
        return at[1] in self._blocks[at[0]] or at[0] in self._secret

    def at_the_end(self, at: call_graph.Place) -> bool:
        return at[0] in self._ending

    def _only(self, is_inside: Callable[[int, int], bool]) -> frozenset[int]:
        """The codes that nothing runs but operations inside of something, or codes that run only there themselves."""
        found, callers = set[int](), call_graph.callers(self.game)
        before = -1
        while before != (before := len(found)):
            for code, places in callers.items():
                if all(caller in found or is_inside(caller, place) for caller, place in places):
                    found.add(code)
        return frozenset(found)


def _check_shown(reader: Reader, runs: _Runs, at: call_graph.Place, op: ops.Op, problems: Problems) -> None:
    """What everybody can tell from an operation and from what follows it; the same is looked at when a match runs."""
    row, (index, _) = op.effects, at
    where = op.test.span if isinstance(op, ops.Unless) else op.span
    is_open = all(not reader.is_hidden(getattr(op, name).variable) for name in row.writes)
    if is_open and any(reader.hides(_given(op, name), index) for name in row.shows) and not runs.in_secret(at):
        problems.warn("secret-shown", "this shows something that not everybody may see", where, hint=_REVEAL)
    steering = (*(_given(op, name) for name in row.steers), *(x.Count(_given(op, name)) for name in row.counts))
    if reader.hides(steering, index) and not runs.in_secret(at) and not runs.at_the_end(at):
        title = "this condition reads something that not everybody may see"
        if not isinstance(op, ops.Unless):
            title = "how it goes on here depends on something that not everybody may see"
        hint = _ASK if isinstance(op, ops.Unless) else _REVEAL
        problems.warn("secret-branch", title, where, note="what happens next would show it", hint=hint)


def _check_revealed(game: model.Game, runs: _Runs, at: call_graph.Place, op: ops.Reveal, problems: Problems) -> None:
    """Whose thing is revealed may not follow from what only this reveals."""
    whose = tuple(of for _, of in op.targets if of is not None)
    if any(isinstance(part, x.Stored) and game.variables[part.variable].seen != model.PUBLIC for part in parts(whose)):
        reader = Reader(game, game.codes, revealed_in(game, op))
        reader.settle()
        _check_shown(reader, runs, at, op, problems)


def _given(op: ops.Op, name: str) -> Any:
    """What stands in a field of an operation: of a variable that it names, whose and which."""
    held = getattr(op, name)
    return (held.of, held.index) if isinstance(held, ops.Target) else held


def _check_offer(reader: Reader, op: ops.Ask | ops.AskWay, problems: Problems) -> None:
    """What is offered may follow only from what the one who chooses may see."""
    offered = op.options if isinstance(op, ops.Ask) else tuple(test for _, test, _ in op.ways if test is not None)
    for stored in reader.hidden_reads(offered):
        seen = reader.game.variables[stored.variable].seen
        # Who is among the others, or among those that a define gives, is certain only of the owner.
        unseen = stored.of == op.who if seen == model.OTHERS else stored.of != op.who
        if unseen and seen != model.SOME:
            problems.warn(
                "secret-options",
                "what is offered here depends on something that the one who chooses may not see",
                stored.span,
                hint="offer only what follows from public things and the chooser's own",
            )


def _check_taken(game: model.Game, lying_open: WhollyRevealed, index: int, problems: Problems) -> None:
    """What is chosen secretly out of a pile that everybody sees is seen to leave it, also to a hidden pile."""
    taken: dict[int, str] = {}
    for place, op in enumerate(game.codes[index].ops):
        if isinstance(op, ops.Ask) and op.secretly:
            piles = {part.variable for part in parts(op.options) if isinstance(part, x.Stored)}
            open_piles = (pile for pile in piles if _is_open_pile(game, lying_open, (index, place), pile))
            taken[op.local] = min((game.variables[pile].name for pile in open_piles), default="")
        things = [getattr(op, name) for name in op.effects.takes]
        pile = next((taken[one.index] for one in things if isinstance(one, x.Local) and one.index in taken), "")
        to = [getattr(op, name).variable for name in op.effects.fills]
        if pile and any(game.variables[variable].seen != model.PUBLIC for variable in to):
            problems.warn(
                "secret-taken",
                f"everybody sees which of these leave `{pile}`, though they were chosen secretly",
                op.span,
                hint=f"move all of `{pile}` there, and what was not chosen on from there",
            )


def _is_open_pile(game: model.Game, lying_open: WhollyRevealed, at: call_graph.Place, pile: int) -> bool:
    """Whether everybody sees what lies in a pile: always, or since all of it was revealed."""
    variable = game.variables[pile]
    return variable.form == "pile" and (variable.seen == model.PUBLIC or pile in lying_open.at(at))


def _check_rolled(reader: Reader, index: int, code: ops.Code, problems: Problems) -> None:
    """What is rolled everybody sees: it becomes no secret by being kept where not everybody looks."""
    rolled = {op.local for op in code.ops if isinstance(op, ops.Draw) and op.verb == "roll"}
    for op in code.ops:
        if not isinstance(op, ops.Assign) or reader.game.variables[op.target.variable].seen == model.PUBLIC:
            continue
        is_known = any(isinstance(part, x.Local) and part.index in rolled for part in parts(op.value))
        if is_known and not reader.hides(op.value, index):
            hint = "draw it from a pile of faces that is seen by nobody: `draw face from faces`"
            problems.warn("secret-rolled", "everybody sees what is rolled: this is no secret", op.span, hint=hint)
