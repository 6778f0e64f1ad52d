"""A position set up from outside: any piece, number, flag, list or pile as it is given.

What is not given stays as it is.  Nothing is announced and nothing reacts:
a position has no history.  What runs alone in it (a setup, an action that a
scenario calls) leaves it waiting, without any flow, when it returns.

Piles.  A given pile holds the listed cards in that order.  Copies are taken
from the pile itself, then from what its owner's other given piles no longer
hold and from those of the owner's piles that are not given, then the same of
everybody else, then from outside the game.  A copy that was in a given pile
and is listed nowhere goes to a pile of the same owner that is not given, or
else to a shared one, or else out of the game; among several the last one that
nobody sees, or else the last one declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field

from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.elaborate.scenario_resolution import STARTER
from rulekit.play import engine
from rulekit.play.interpreter.main_loop import run
from rulekit.play.machine.closure_compilation import evaluate, meanings
from rulekit.play.machine.working_state import CallFrame, Machine, freeze, thaw
from rulekit.play.meaning import state_changes
from rulekit.play.state.errors import RuleError
from rulekit.play.state.event import telling
from rulekit.play.state.match_state import State, Step
from rulekit.play.state.value import Value
from rulekit.source import Span

Given = model.Given | model.GivenCells

# ---------------------------------------------------------------- what runs in a position


def position(
    game: model.Game,
    options: Mapping[str, Value] | None = None,
    seats: int | Sequence[str] | None = None,
    given: Iterable[Given] = (),
    seed: str | None = None,
) -> State:
    """All start values with `given` put in place; nothing runs and no setup was made.

    options, seats, seed:  as for `engine.start`.
    Errors:  `BadSetup`; `RuleError` at the given fact that cannot be.
    """
    return arranged(freeze(engine.opened(game, options or {}, seats, seed, checked=False)), given)


def run_alone(state: State, code: int) -> Step:
    """Run one code of the game in a position that waits, until it needs an answer or returns."""
    assert is_idle(state), state.pending
    return _run(state, CallFrame(code, 0, [None] * state.setting.game.codes[code].locals))


def begin_play(state: State) -> Step:
    """Go on as a match does once its setup is made."""
    assert is_idle(state), state.pending
    game = state.setting.game
    return _run(state, CallFrame(game.main, len(setups(game)), []))


def _run(state: State, frame: CallFrame) -> Step:
    m = thaw(state)
    m.frames.append(frame)
    run(m)
    return settled(telling(Step(freeze(m), ()), m.events))


def settled(step: Step) -> Step:
    """The step, where what ran alone has returned: the match is then not over but waits."""
    if step.state.over and not step.state.ending:
        return evolve(step, state=evolve(step.state, over=False))
    return step


def is_idle(state: State) -> bool:
    return not (state.frames or state.branches or state.over)


def setups(game: model.Game) -> tuple[int, ...]:
    """The codes that set up a match, in order."""
    calls = [op.code for op in game.codes[game.main].ops if isinstance(op, ops.Call)]
    return tuple(code for code in calls if game.codes[code].name == "setup")


# ---------------------------------------------------------------- what is given


@define(eq=False)
class _Wanted:
    """A given pile while it is being filled: printed cards, and for each its copy."""

    rows: tuple[int, ...]
    span: Span
    copies: list[int | None] = field(factory=list)


def arranged(state: State, given: Iterable[Given]) -> State:
    """The position with everything given put in place; `RuleError` at the first fact that cannot be."""
    m = thaw(state)
    piles: dict[int, _Wanted] = {}
    for scene in given:
        if isinstance(scene, model.GivenCells):
            _show(m, scene)
            continue
        for fact in scene.facts:
            _put_at(m, fact, piles)
    _fill(m, piles)
    return freeze(m)


def _put_at(m: Machine, fact: model.Fact, piles: dict[int, _Wanted]) -> None:
    """One fact; a pile is only noted.  What goes wrong is said of the fact's own place."""
    try:
        _put(m, fact, piles)
    except RuleError as fault:
        fault.span = fault.span if fault.span.line else fact.span
        raise


def _put(m: Machine, fact: model.Fact, piles: dict[int, _Wanted]) -> None:
    value = evaluate(m, fact.value)
    if fact.target.variable == STARTER:
        if value is None or value >= m.setting.players:
            raise m.error("not-a-starter", "only a player can be the starter")
        m.starter = value
        return
    slot = state_changes.target_slot(meanings(m.setting), fact.target)(m)
    variable = m.setting.game.variables[fact.target.variable]
    if variable.form == "pile":
        piles[slot] = _Wanted(tuple(m.setting.row_of[thing] for thing in value), fact.span)
    elif variable.form == "piece":
        _stand(m, slot, value)
    elif variable.form == "group":
        _stand_all(m, variable, slot, value)
    elif variable.form == "list":
        _write_list(m, slot, fact.target, value)
    else:
        state_changes.check_bounds(m, slot, value)
        m.values[slot] = value
    m.open_slots.discard(slot)


def _write_list(m: Machine, slot: int, target: ops.Target, value: Any) -> None:
    """A whole list, or one item of it."""
    old = m.values[slot]
    items = list(old)
    if target.index is None:
        items = list(value)
    else:
        index = evaluate(m, target.index)
        if not 1 <= index <= len(old):
            raise m.error("outside", f"there is no number {index} in a list of {len(old)}")
        items[index - 1] = value
    if len(items) != len(old):
        raise m.error("given", f"`{m.setting.path(slot)}` is a list of {len(old)}, not {len(items)}")
    for item in items:
        state_changes.check_bounds(m, slot, item)
    m.values[slot] = tuple(items)


# ---------------------------------------------------------------- pieces


def _stand_all(m: Machine, variable: model.Variable, slot: int, spaces: tuple[Any, ...]) -> None:
    """The pieces of a group on spaces in order; those beyond the last space stand nowhere."""
    if len(spaces) > variable.count:
        raise m.error("given", f"there are only {variable.count} pieces, not {len(spaces)}")
    for number in range(variable.count):
        _stand(m, slot + number, spaces[number] if number < len(spaces) else None)


def _stand(m: Machine, slot: int, space: Any) -> None:
    """A piece on a space, or off the board; one that was out of the game is back in it."""
    index = m.setting.slot_variable[slot]
    place = m.setting.places[m.setting.game.variables[index].place]
    if not _has_space(place, space):
        raise m.error("off-the-board", f"`{place.name}` has no space {_shown(space)}")
    m.gone.discard(m.setting.piece_first[index] + slot - m.setting.bases[index])
    m.values[slot] = space


def _has_space(place: model.Place, space: Any) -> bool:
    if space is None or place.form == "course":
        return True
    if place.form == "track":
        return bool(place.low <= space and (place.high is None or space <= place.high))
    column, row = space
    inside = place.width is None or place.height is None or (column < place.width and row < place.height)
    return inside and (place.width is None or min(column, row) >= 0)


def _shown(space: Any) -> str:
    return f"{space[0]},{space[1]}" if isinstance(space, tuple) else str(space)


def _show(m: Machine, picture: model.GivenCells) -> None:
    """The pieces of a picture on its cells; the others of their group are out of the game.

    So a set of all pieces of the group holds what the picture shows.
    """
    cells = dict(picture.cells)
    for piece in picture.group:
        _stand(m, m.setting.piece_slot[piece], cells.get(piece))
        if piece not in cells:
            m.gone.add(piece)


# ---------------------------------------------------------------- piles


def _fill(m: Machine, piles: dict[int, _Wanted]) -> None:
    spare = [(slot, thing) for slot, wanted in piles.items() for thing in _keep(m, slot, wanted)]
    for slot in piles:
        m.values[slot] = ()
        m.known.pop(slot, None)
    for slot, wanted in piles.items():
        for place, row in enumerate(wanted.rows):
            if wanted.copies[place] is None:
                wanted.copies[place] = _found(m, slot, row, spare, piles)
    for slot, wanted in piles.items():
        _lay(m, slot, [copy for copy in wanted.copies if copy is not None])
    for slot, thing in spare:
        _put_away(m, slot, thing, piles)


def _keep(m: Machine, slot: int, wanted: _Wanted) -> list[int]:
    """What a given pile already has of what is listed; returns the rest, which now lies nowhere."""
    left = list(m.values[slot])
    for row in wanted.rows:
        copy = next((thing for thing in left if m.setting.row_of[thing] == row), None)
        wanted.copies.append(copy)
        if copy is not None:
            left.remove(copy)
    for thing in left:
        m.open_things.discard(thing)
        m.lies[thing - m.setting.copy_base] = -1
    return left


def _found(m: Machine, slot: int, row: int, spare: list[tuple[int, int]], piles: Mapping[int, _Wanted]) -> int:
    """A copy of a printed card for a given pile, taken from where it was."""
    near = [other for other in m.setting.pile_slots if _owner(m, other) == _owner(m, slot)]
    far = [other for other in m.setting.pile_slots if other not in near]
    for slots in (near, far):
        for at, (origin, thing) in enumerate(spare):
            if origin in slots and m.setting.row_of[thing] == row:
                del spare[at]
                return thing
        lying: list[int] = [thing for other in slots if other not in piles for thing in m.values[other]]
        for thing in lying:
            if m.setting.row_of[thing] == row:
                state_changes.take_out(m, thing)
                return thing
    return _from_outside(m, row, spare, piles, piles[slot].span)


def _from_outside(m: Machine, row: int, spare: list[tuple[int, int]], piles: Mapping[int, _Wanted], span: Span) -> int:
    taken = {thing for _, thing in spare} | {copy for wanted in piles.values() for copy in wanted.copies}
    for thing in range(m.setting.copy_base, len(m.setting.things)):
        if m.setting.row_of[thing] == row and m.lies_in(thing) is None and thing not in taken:
            return thing
    printed = m.setting.things[row]
    raise RuleError("given", f"there are not so many copies of {printed.kind} {printed.key}", span)


def _owner(m: Machine, slot: int) -> tuple[str, int]:
    return _variable(m, slot).owner, m.setting.slot_owner[slot]


def _lay(m: Machine, slot: int, copies: list[int]) -> None:
    m.values[slot] = (*m.values[slot], *copies)
    for thing in copies:
        m.lies[thing - m.setting.copy_base] = slot


def _put_away(m: Machine, origin: int, thing: int, piles: Mapping[int, _Wanted]) -> None:
    """A copy that is listed nowhere finds a pile that is not given, or is out of the game."""
    kind = m.setting.things[thing].kind
    owners = (_owner(m, origin), ("", 0))
    for owner in owners:
        free = [s for s in m.setting.pile_slots if s not in piles and _owner(m, s) == owner and _holds(m, s) == kind]
        if free:
            unseen = [s for s in free if _variable(m, s).seen == model.NOBODY]
            slot = (unseen or free)[-1]
            _lay(m, slot, [thing])
            return


def _holds(m: Machine, slot: int) -> str:
    return _variable(m, slot).type.element.kind


def _variable(m: Machine, slot: int) -> model.Variable:
    return m.setting.game.variables[m.setting.slot_variable[slot]]
