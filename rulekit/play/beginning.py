"""Where a match begins if not with its setup: a position by meaning, and what runs in it, as a log can hold them.

Made of a position in which nothing runs, and made into one again that is equal to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.model import game as model
from rulekit.play import engine, position_setup
from rulekit.play.given_values import PLAY, STARTER, arrange, begin_in, seat_of
from rulekit.play.machine.working_state import Machine, freeze, thaw
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.match_state import State, Step
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value, value_of
from rulekit.play.view import REFEREE, Seen, view
from rulekit.values import field, frozen

Order = tuple[str, int, int]
"""A shuffled pile: its path, how many things on top are decided, how many were put under it since."""


@frozen
class Beginning:
    """A position, and what runs in it.

    values:     all of them by path, `starter` too; cards of a pile in order.
    out:        paths of pieces that are out of the game.
    undecided:  shuffled piles whose order nobody has decided yet.
    open:       things that lie open in a pile: its path and their place in it, from 0.
    shown:      paths of values that were revealed.
    begin:      `play`, or an action with what it is handed.
    turn:       at whose turn `play` begins, or "".
    scenario:   the scenario that it was taken from, or ""; its first `do`, if it has one, runs alone.
    """

    values: Mapping[str, Value] = field(hash=False)
    out: tuple[str, ...] = ()
    undecided: tuple[Order, ...] = ()
    open: tuple[tuple[str, int], ...] = ()
    shown: tuple[str, ...] = ()
    begin: tuple[Value, ...] = (PLAY,)
    turn: str = ""
    scenario: str = ""


def beginning(state: State, *, begin: tuple[Value, ...] = (PLAY,), turn: str = "", scenario: str = "") -> Beginning:
    """A position in which nothing runs, as a beginning."""
    assert position_setup.is_idle(state), state.pending
    setting, m = state.setting, thaw(state)
    seen = view(state, REFEREE).values
    values = {one.path: one.shown for one in seen}
    paths = setting.told_paths
    for slot in setting.pile_slots:
        values[paths[slot]] = tuple(setting.ref(thing) for thing in m.values[slot])
    return Beginning(
        {STARTER: setting.seats[state.starter], **values},
        tuple(one.path for one in seen if one.is_out),
        tuple((paths[slot], top, under) for slot, top, under in state.known),
        tuple(
            (paths[slot], place)
            for slot in setting.pile_slots
            for place, thing in enumerate(m.values[slot])
            if thing in m.open_things
        ),
        tuple(paths[slot] for slot in sorted(state.open_slots)),
        begin, turn, scenario,
    )  # fmt: skip


def first(begin: str | Sequence[Any] | None) -> tuple[Value, ...]:
    """What runs first, as `position` takes it, by meaning.  Errors: `BadSetup`."""
    given: Sequence[Any] = () if begin is None else [begin] if isinstance(begin, str) else begin
    try:
        return tuple(value_of(one) for one in given)
    except TypeError as fault:
        raise BadSetup(str(fault)) from None


def turn_of(setting: Setting, turn: object) -> str:
    """The name of the player at whose turn play begins, as `position` takes it.  Errors: `BadSetup`."""
    return "" if turn is None else setting.seats[seat_of(setting, turn)]


def begun(
    game: model.Game,
    options: Mapping[str, Value] | None,
    seats: int | Sequence[str] | None,
    seed: str | int | None,
    at: Beginning,
) -> Step:
    """The first step of a match that begins there.

    In a scenario's position invariants hold, and are tested from then on; in what runs alone, and anywhere else, not.
    Errors:  `BadSetup` for what this game cannot be put into; `RuleError`.
    """
    m = engine.opened(game, options or {}, seats, seed, checked=False)
    arrange(m, {path: value if path == STARTER else _seen(at, path, value) for path, value in at.values.items()})
    _uncover(m, at)
    m.setting.checked = bool(at.scenario) and not runs_alone(game, at)
    state = freeze(m)
    code = _code(game, at.scenario)
    if code is not None:
        return position_setup.run_alone(state, code)
    return begin_in(state, PLAY if at.begin == (PLAY,) else at.begin or None, at.turn or None)


def runs_alone(game: model.Game, at: Beginning) -> bool:
    """Whether an action runs there, behind which nothing more is asked, rather than play."""
    return at.begin != (PLAY,) or _code(game, at.scenario) is not None


def _code(game: model.Game, name: str) -> int | None:
    """What the first `do` of a scenario runs."""
    found = next((each for each in game.scenarios if name and each.name == name), None)
    if name and found is None:
        raise BadSetup(f'there is no scenario "{name}" any more')
    scenes = () if found is None else found.scenes
    return next((scene.code for scene in scenes if isinstance(scene, model.Run)), None)


def _seen(at: Beginning, path: str, value: Value) -> Seen:
    return Seen(path, value, is_out=path in at.out)


def _uncover(m: Machine, at: Beginning) -> None:
    """Orders that nobody has decided, and what lies open.  Errors: `BadSetup`."""
    slots: dict[str, Any] = {path: slot for slot, path in enumerate(m.setting.told_paths)}
    try:
        for path, top, under in at.undecided:
            if slots[path] not in m.setting.pile_slots or not 0 <= top <= len(m.values[slots[path]]) - under:
                raise BadSetup(f"`{path}` is no pile of so many")
            m.known[slots[path]] = (top, under)
        m.open_things |= {m.values[slots[path]][place] for path, place in at.open}
        m.open_slots |= {slots[path] for path in at.shown}
    except (KeyError, IndexError, TypeError):
        raise BadSetup("what lies open or is not decided there is nothing of this game") from None
