"""Static taint analysis: which values may depend on something that not everybody may see.

A flow-insensitive fixed point over the locals of all codes; sources are secret
answers and variables that are not public.  A decision with one answer may be taken in
silence only if everybody could know that it has one: so each decision whose
set or conditions are tainted is marked, and is always asked.  The same
analysis finds branches that would show a secret by what happens next
(implicit flows).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from attrs import evolve

from rulekit.diagnostics import Problems
from rulekit.model import call_graph, effects, ops
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.traversal import children, parts

_REVEAL = "let all hear just this first, `reveal … as answer`, or decide it inside `secretly each`"
_ASK = "let all hear the answer first, `reveal whether … as answer`, or decide it inside `secretly each`"


def marked(game: model.Game) -> model.Game:
    """The game with every decision marked that is always asked, and with what may be shown to everybody.

    Always asked is where options or conditions are tainted.
    """
    reader = _Reader(game, game.codes)
    reader.settle()
    codes = tuple(reader.marked(index, code) for index, code in enumerate(game.codes))
    shows = tuple(evolve(each, is_open=reader.is_open(each)) for each in game.shows)
    defines = tuple(evolve(each, is_open=not hides) for each, hides in zip(game.defines, reader.defines, strict=True))
    return evolve(game, codes=codes, shows=shows, defines=defines)


class _Reader:
    """Which locals may hold something hidden, found by going over all codes until nothing changes."""

    def __init__(self, game: model.Game, codes: tuple[ops.Code, ...], but: frozenset[int] = frozenset()) -> None:
        self.game = game
        self.but = but
        self.codes = codes
        self.locals: list[set[int]] = [set() for _ in codes]
        self.defines = self._defines()
        kinds = game.kinds.values()
        self.performed = [one.code for kind in kinds for one in kind.members if one.code is not None]

    def _defines(self) -> list[bool]:
        """Whether each define reads something hidden by itself or through others, in whatever order they stand."""
        found = [False] * len(self.game.defines)
        before = -1
        while before != (before := sum(found)):
            for index, define in enumerate(self.game.defines):
                found[index] = found[index] or self._reads(define.value, set(), found)
        return found

    def hides(self, node: object, code: int) -> bool:
        return self._reads(node, self.locals[code], self.defines)

    def _reads(self, node: object, hidden: set[int], defines: list[bool]) -> bool:
        """Whether a value may depend on something hidden.  How many things lie in a pile is public."""
        if isinstance(node, x.Count | x.Some) and isinstance(node.of, x.Stored):
            variable = self.game.variables[node.of.variable]
            if variable.form == "pile":
                return node.of.of is not None and self._reads(node.of.of, hidden, defines)
        if isinstance(node, x.End) and self._is_on_top(node):
            return False
        if isinstance(node, x.Stored) and self.is_hidden(node.variable):
            return True
        if isinstance(node, x.Local) and node.index in hidden:
            return True
        if isinstance(node, x.Invoke) and defines[node.define]:
            return True
        return any(self._reads(part, hidden, defines) for part in children(node))

    def hidden_reads(self, node: object) -> Iterator[x.Stored]:
        """The hidden variables that an expression reads itself, but for how many things lie in a pile."""
        if isinstance(node, x.Count | x.Some) and isinstance(node.of, x.Stored):
            return
        if isinstance(node, x.Stored) and self.is_hidden(node.variable):
            yield node
        for part in children(node):
            yield from self.hidden_reads(part)

    def _is_on_top(self, node: x.End) -> bool:
        """Whether it is what lies on top of a pile of which all see that."""
        of = node.of
        if not node.last or not isinstance(of, x.Stored) or of.of is not None:
            return False
        return self.game.variables[of.variable].seen == model.TOP

    def is_hidden(self, variable: int) -> bool:
        return variable not in self.but and self.game.variables[variable].seen != model.PUBLIC

    def is_open(self, show: model.Show) -> bool:
        defines = enumerate(self.game.defines)
        return any(define.name == show.name and not self.defines[index] for index, define in defines)

    def is_open_pile(self, variable: int) -> bool:
        """Whether everybody sees what lies in it."""
        return self.game.variables[variable].form == "pile" and not self.is_hidden(variable)

    def settle(self) -> None:
        before = -1
        while before != (before := sum(map(len, self.locals))):
            for index, code in enumerate(self.codes):
                for op in code.ops:
                    self._flow(index, op)

    def _flow(self, index: int, op: ops.Op) -> None:
        local = effects.binds(op)
        if local is not None and self._binds_hidden(index, op):
            self.locals[index].add(local)
        if isinstance(op, ops.Call):
            self.locals[op.code] |= {place for place, arg in enumerate(op.args) if self.hides(arg, index)}
        elif isinstance(op, ops.Perform) and self.hides(op.thing, index):
            for code in self.performed:
                self.locals[code].add(1)

    def _binds_hidden(self, index: int, op: ops.Op) -> bool:
        row = op.effects
        if row.declassifies:
            return False
        if row.hides:
            # An open choice is told to everybody, also one from what only the chooser sees.
            return bool(getattr(op, row.hides))
        source = getattr(op, row.source) if row.source else ()
        return source in self.locals[index] if isinstance(source, int) else self.hides(source, index)

    def marked(self, index: int, code: ops.Code) -> ops.Code:
        return evolve(code, ops=tuple(self._marked(index, op) for op in code.ops))

    def _marked(self, index: int, op: ops.Op) -> ops.Op:
        if isinstance(op, ops.Ask):
            asked: tuple[Any, ...] = (op.who, op.options, op.least or (), op.most or ())
            return evolve(op, hidden=self.hides(asked, index))
        if isinstance(op, ops.AskWay):
            tests = tuple(test for _, test, _ in op.ways if test is not None)
            return evolve(op, hidden=self.hides((op.who, tests), index))
        if isinstance(op, ops.Rank):
            return evolve(op, is_open=not self.hides((op.players, op.keys), index))
        return op


def check(game: model.Game, problems: Problems) -> None:
    """Warns of what everybody can tell, outside of `secretly`, though it follows from what not everybody may see."""
    reader = _Reader(game, game.codes, _revealed(game))
    reader.settle()
    runs = _Runs(game)
    _check_tried(game, problems)
    for index, code in enumerate(game.codes):
        _check_taken(reader, code, problems)
        _check_rolled(reader, index, code, problems)
        for place, op in enumerate(code.ops):
            if op.effects.shows or op.effects.steers or op.effects.counts:
                _check_shown(reader, runs, (index, place), op, problems)
            if isinstance(op, ops.Reveal):
                _check_revealed(game, runs, (index, place), op, problems)
            elif isinstance(op, ops.Ask | ops.AskWay):
                _check_offer(reader, op, problems)


def _check_tried(game: model.Game, problems: Problems) -> None:
    """What is tried before anybody answers reveals nothing: what is offered would tell it."""
    told = [(index, op) for index, code in enumerate(game.codes) for op in code.ops if op.effects.declassifies]
    if not told:
        return
    whole = (*(code.ops for code in game.codes), *(define.value for define in game.defines))
    possible = {part.code for part in parts(whole) if isinstance(part, x.Possible)}
    tried = call_graph.guarded(game) | call_graph.reachable(game, possible)
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


def _check_shown(reader: _Reader, runs: _Runs, at: call_graph.Place, op: ops.Op, problems: Problems) -> None:
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
        reader = _Reader(game, game.codes, _revealed(game, op))
        reader.settle()
        _check_shown(reader, runs, at, op, problems)


def _given(op: ops.Op, name: str) -> Any:
    """What stands in a field of an operation: of a variable that it names, whose and which."""
    held = getattr(op, name)
    return (held.of, held.index) if isinstance(held, ops.Target) else held


def _check_offer(reader: _Reader, op: ops.Ask | ops.AskWay, problems: Problems) -> None:
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


def _check_taken(reader: _Reader, code: ops.Code, problems: Problems) -> None:
    """What is chosen secretly out of a pile that everybody sees is seen to leave it, also to a hidden pile."""
    taken: dict[int, str] = {}
    for op in code.ops:
        if isinstance(op, ops.Ask) and op.secretly:
            piles = (part.variable for part in parts(op.options) if isinstance(part, x.Stored))
            open_piles = (reader.game.variables[pile].name for pile in piles if reader.is_open_pile(pile))
            taken[op.local] = next(open_piles, "")
        things = [getattr(op, name) for name in op.effects.takes]
        pile = next((taken[one.index] for one in things if isinstance(one, x.Local) and one.index in taken), "")
        to = [getattr(op, name).variable for name in op.effects.fills]
        if pile and any(not reader.is_open_pile(variable) for variable in to):
            problems.warn(
                "secret-taken",
                f"everybody sees which of these leave `{pile}`, though they were chosen secretly",
                op.span,
                hint=f"move all of `{pile}` there, and what was not chosen on from there",
            )


def _check_rolled(reader: _Reader, index: int, code: ops.Code, problems: Problems) -> None:
    """What is rolled everybody sees: it becomes no secret by being kept where not everybody looks."""
    rolled = {op.local for op in code.ops if isinstance(op, ops.Draw) and op.verb == "roll"}
    for op in code.ops:
        if not isinstance(op, ops.Assign) or reader.game.variables[op.target.variable].seen == model.PUBLIC:
            continue
        is_known = any(isinstance(part, x.Local) and part.index in rolled for part in parts(op.value))
        if is_known and not reader.hides(op.value, index):
            hint = "draw it from a pile of faces that is seen by nobody: `draw face from faces`"
            problems.warn("secret-rolled", "everybody sees what is rolled: this is no secret", op.span, hint=hint)


def _revealed(game: model.Game, but: ops.Op | None = None) -> frozenset[int]:
    """Variables that some other rule than `but` reveals during play: whether they are hidden depends on the play."""
    found: set[int] = set()
    for code in game.codes:
        for op in code.ops if code.name != "result" else ():
            if isinstance(op, ops.Reveal) and op is not but:
                found |= {variable for variable, _ in op.targets}
                found |= {part.variable for part in parts(op.things) if isinstance(part, x.Stored)}
    return frozenset(found)
