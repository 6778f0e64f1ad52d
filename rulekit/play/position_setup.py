"""A position set up from outside: any piece, number, flag, list or pile as it is given.

What is not given stays as it is.  Nothing is announced and nothing reacts:
a position has no history.  What runs alone in it (a setup, an action that a
scenario calls) leaves it waiting, without any flow, when it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.elaborate.scenario_resolution import STARTER
from rulekit.model.types import PLAYER
from rulekit.play import engine
from rulekit.play.given_piles import GivenPile, fill
from rulekit.play.interpreter.main_loop import run
from rulekit.play.invariants import setup_codes
from rulekit.play.machine.closure_compilation import evaluate, meanings
from rulekit.play.machine.working_state import CallFrame, Machine, freeze, thaw
from rulekit.play.meaning import state_changes, travel
from rulekit.play.recording import recorded
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.event import telling
from rulekit.play.state.match_state import State, Step, keep_recording
from rulekit.play.state.value import Value
from rulekit.values import evolve

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


def run_alone(state: State, code: int, arguments: Sequence[Any] = ()) -> Step:
    """Run one code of the game in a position that waits, until it needs an answer or returns."""
    assert is_idle(state), state.pending
    frame = _frame(state.setting.game, code, 0)
    frame.locals[: len(arguments)] = arguments
    return _run(state, frame)


def begin_play(state: State) -> Step:
    """Go on as a match does once its setup is made."""
    assert is_idle(state), state.pending
    game = state.setting.game
    return _run(state, CallFrame(game.main, len(setup_codes(game)), []))


def begin_turn(state: State, seat: int) -> Step:
    """Go on as a match does at a player's turn: where the first loop of `play` over players comes to that player.

    Errors:  `BadSetup` if `play` has no such loop, or it does not come to that player.
    """
    assert is_idle(state), state.pending
    m, game = thaw(state), state.setting.game
    found = _first_loop(game)
    if found is None:
        raise BadSetup("`play` of this game has no `each player`, so nobody has a turn there: begin with an action")
    call, code, at, loop = found
    m.frames = [_frame(game, game.main, call + 1), _frame(game, code, at)]
    m.frames[1].locals[loop.items], m.frames[1].locals[loop.position] = _from(m, game.codes[code], loop, seat)
    return _go(freeze(m), run)


def _first_loop(game: model.Game) -> tuple[int, int, int, ops.EachNext] | None:
    """The first loop over players of what play is made of: the place of its call, its code, and its place in that."""
    for call, op in enumerate(game.codes[game.main].ops):
        if isinstance(op, ops.Call) and not op.args and op.code not in setup_codes(game):
            for at, inner in enumerate(game.codes[op.code].ops):
                if isinstance(inner, ops.EachNext) and inner.kind == PLAYER:
                    return call, op.code, at, inner
    return None


def _frame(game: model.Game, code: int, pc: int) -> CallFrame:
    return CallFrame(code, pc, [None] * game.codes[code].locals)


def _from(m: Machine, code: ops.Code, loop: ops.EachNext, seat: int) -> tuple[tuple[int, ...], int]:
    """The players of a loop, and the place of one of them."""
    begin = next(op for op in code.ops if isinstance(op, ops.EachStart) and op.items == loop.items)
    players: tuple[int, ...] = tuple(evaluate(m, begin.over))
    if seat not in players:
        raise BadSetup(f"{m.setting.seats[seat]} has no turn in this position")
    return players, players.index(seat)


def _run(state: State, frame: CallFrame) -> Step:
    def begin(m: Machine) -> None:
        m.frames.append(frame.copy())
        run(m)

    return _go(state, begin)


def _go(state: State, begin: Callable[[Machine], None]) -> Step:
    m = thaw(state)
    recording = m.origin = recorded(state, begin)
    begin(m)
    after = freeze(m)
    keep_recording(after, recording)
    return settled(telling(Step(after, ()), m.events))


def settled(step: Step) -> Step:
    """The step, where what ran alone has returned: the match is then not over but waits."""
    if step.state.over and not step.state.ending:
        return evolve(step, state=evolve(step.state, over=False))
    return step


def is_idle(state: State) -> bool:
    return not (state.frames or state.branches or state.over)


# ---------------------------------------------------------------- what is given


def arranged(state: State, given: Iterable[Given]) -> State:
    """The position with everything given put in place; `RuleError` at the first fact that cannot be."""
    m, scenes = thaw(state), tuple(given)
    facts = [fact for scene in scenes if isinstance(scene, model.Given) for fact in scene.facts]
    piles: dict[int, GivenPile] = {}
    for picture in scenes:
        if isinstance(picture, model.GivenCells):
            _show(m, picture)
    for fact in facts:
        with _placed(fact):
            _put(m, fact, piles)
    fill(m, piles)
    for fact in facts:
        with _placed(fact):
            _check_room(m, fact)
    return freeze(m)


@contextmanager
def _placed(fact: model.Fact) -> Iterator[None]:
    """What goes wrong is said of the fact's own place."""
    try:
        yield
    except RuleError as fault:
        fault.span = fault.span if fault.span.line else fact.span
        raise


def _put(m: Machine, fact: model.Fact, piles: dict[int, GivenPile]) -> None:
    value = evaluate(m, fact.value)
    if fact.target.variable == STARTER:
        if value is None or value >= m.setting.players:
            raise m.error("not-a-starter", "only a player can be the starter")
        m.starter = value
        m.changed()
        return
    slot = state_changes.target_slot(meanings(m.setting), fact.target)(m)
    variable = m.setting.game.variables[fact.target.variable]
    if variable.form == "pile":
        piles[slot] = GivenPile(tuple(m.setting.row_of[thing] for thing in value), fact.span)
    elif variable.form == "piece":
        stand(m, slot, value)
    elif variable.form == "group":
        _stand_all(m, variable, slot, value)
    elif variable.form == "list":
        _write_list(m, slot, fact.target, value)
    else:
        state_changes.check_bounds(m, slot, value)
        m.values[slot] = value
        m.changed()
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
    write_list(m, slot, items)


def write_list(m: Machine, slot: int, items: Sequence[Any]) -> None:
    """All items of a list.  Errors: `RuleError` for one too many or too few, and for one out of bounds."""
    old = m.values[slot]
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
        stand(m, slot + number, spaces[number] if number < len(spaces) else None)


def stand(m: Machine, slot: int, space: Any) -> None:
    """A piece on a space, or off the board; one that was out of the game is back in it.  Errors: `RuleError`."""
    index = m.setting.slot_variable[slot]
    place = m.setting.places[m.setting.game.variables[index].place]
    if not _has_space(place, space):
        raise m.error("off-the-board", f"`{place.name}` has no space {_shown(space)}")
    m.gone.discard(m.setting.piece_first[index] + slot - m.setting.bases[index])
    m.values[slot] = space
    m.changed()


def _check_room(m: Machine, fact: model.Fact) -> None:
    """No space holds more pieces than its place says, unless a full one lets pieces stand there all the same."""
    index = fact.target.variable
    if index == STARTER or m.setting.game.variables[index].form not in ("piece", "group"):
        return
    variable, base = m.setting.game.variables[index], m.setting.bases[index]
    slot = state_changes.target_slot(meanings(m.setting), fact.target)(m)
    first = m.setting.piece_first[index] + slot - base
    for piece in range(first, first + variable.count):
        full = travel.overfull(m, piece)
        if full:
            raise m.error("full", full)


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

    So a set of all pieces of the group holds what the picture shows.  Where any of them may stand for any value that
    the picture shows, they are a supply, and the others wait beside the board.
    """
    cells = dict(picture.cells)
    for piece in picture.group:
        stand(m, m.setting.piece_slot[piece], cells.get(piece))
        if piece not in cells and picture.shown is None:
            m.gone.add(piece)
            m.changed()
    for piece, value in picture.values:
        assert picture.shown is not None
        m.values[m.setting.slot(picture.shown, piece)] = value
