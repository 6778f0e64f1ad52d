"""The call graph: which codes an operation may run, and which are reachable from others.

An operation runs a code by calling it, by performing what is printed on a
thing, or by moving pieces, to which rules react.  What is tried by `possible`
is part of an expression and stands elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.model import effects, ops
from rulekit.model import expr as x
from rulekit.model.game import Game, Kind, Member
from rulekit.model.traversal import parts

Place = tuple[int, int]
"""A code and the place of an operation in it."""


def member_codes(game: Game) -> frozenset[int]:
    """What printed things do for their owners."""
    return frozenset(member.code for kind in game.kinds.values() for member in kind.members if member.code is not None)


def reacting_codes(game: Game) -> frozenset[int]:
    return frozenset(reaction.code for reaction in game.reactions)


def run_by(game: Game, op: ops.Op) -> frozenset[int]:
    """The codes that an operation may run: called, performed or reacting."""
    row = op.effects
    found = reacting_codes(game) if effects.may_react(row) else frozenset[int]()
    if row.calls:
        found |= {getattr(op, row.calls)}
    return found | performed(game, op) if isinstance(op, ops.Perform) else found


def performed(game: Game, op: ops.Perform) -> frozenset[int]:
    """What may run if a thing does what is printed on it: where it is named, as in `deck[3]`, that alone."""
    named = named_member(game.kinds.values(), op.thing)
    members = (named,) if named is not None else game.kinds[op.kind].members if op.kind in game.kinds else ()
    return frozenset(member.code for member in members if member.code is not None)


def named_member(kinds: Iterable[Kind], thing: x.Expr) -> Member | None:
    """The printed thing that an expression names whatever happens, by its key or its word; None if it depends."""
    for kind in kinds:
        for place, member in enumerate(kind.members) if not kind.piece else ():
            if isinstance(thing, x.Const) and thing.value == kind.base + place:
                return member
            if isinstance(thing, x.Lookup) and thing.kind == kind.name and thing.key == x.Const(_number(member.key)):
                return member
    return None


def _number(key: str) -> int | None:
    return int(key) if key.isdecimal() else None


def callees(game: Game, code: ops.Code) -> set[int]:
    """The codes that the operations of a code may run."""
    return {called for op in code.ops for called in run_by(game, op)}


def callers(game: Game) -> dict[int, list[Place]]:
    """By code the operations that may run it, the end of the game among them; what a scenario does is none of them."""
    found: dict[int, list[Place]] = {}
    for index, code in enumerate(game.codes):
        for pc, op in enumerate(code.ops) if code.name != "do" else ():
            for called in run_by(game, op) | ({game.result} if op.effects.ends else set()):
                found.setdefault(called, []).append((index, pc))
    return found


def tried(game: Game) -> frozenset[int]:
    """The codes that `possible` tries somewhere; worked out once for a game."""
    found: frozenset[int] | None = game.kept.get("tried")
    if found is None:
        whole = (*(code.ops for code in game.codes), *(define.value for define in game.defines))
        found = game.kept["tried"] = frozenset(part.code for part in parts(whole) if isinstance(part, x.Possible))
    return found


def most_calls(game: Game) -> int:
    """A bound of how many actions may be inside one another, each reaction being counted once."""
    reacting = reacting_codes(game)
    longest = dict[int, int]()

    def calls_below(code: int) -> int:
        if code not in longest:
            below = callees(game, game.codes[code]) - reacting
            longest[code] = max((1 + calls_below(called) for called in below), default=0)
        return longest[code]

    parts = max(calls_below(game.main), calls_below(game.result)) - 1
    return parts + sum(1 + calls_below(code) for code in reacting)


def most_defines(game: Game) -> int:
    """A bound of how many defines may ask for one another, each inside the one before."""
    asked = [{part.define for part in parts(define.value) if isinstance(part, x.Invoke)} for define in game.defines]
    longest = dict[int, int]()
    waiting = list(range(len(asked)))
    while waiting:
        number = waiting[-1]
        if below := [other for other in asked[number] if other not in longest]:
            waiting += below
        else:
            longest[waiting.pop()] = 1 + max((longest[other] for other in asked[number]), default=0)
    return max(longest.values(), default=0)


def reachable(game: Game, codes: Iterable[int]) -> set[int]:
    """These codes and all that they may run."""
    waiting, found = list(codes), set[int]()
    while waiting:
        code = waiting.pop()
        if code not in found:
            found.add(code)
            waiting += callees(game, game.codes[code])
    return found


def guarded(game: Game) -> frozenset[int]:
    """Codes in which a question may have an `only if` ahead of it, in them or around them."""
    return frozenset(reachable(game, [number for number, code in enumerate(game.codes) if code.has_only_if]))
