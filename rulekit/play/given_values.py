"""A position set up from Python: values by the paths of a view, put in place as `given` of a scenario puts them.

What a referee sees is a position, and the other way round; nothing is
announced, nothing reacts, and no setup is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

from rulekit.diagnostics import nearest
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.types import CELL, NUMBER, Type, thing
from rulekit.play import engine, invariants, position_setup
from rulekit.play.given_piles import GivenPile, fill
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import Machine, freeze, thaw
from rulekit.play.meaning import state_changes, travel
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.event import telling
from rulekit.play.state.external_values import handed, inward, of_any_type
from rulekit.play.state.match_state import Seat, State, Step
from rulekit.play.state.position_codes import width
from rulekit.play.state.setting import Setting, seat_number
from rulekit.play.state.value import Value, value_of
from rulekit.play.view import Seen, View
from rulekit.source import Span

STARTER = "starter"
"""What begins, beside the paths of values."""
PLAY = "play"
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def position(
    game: model.Game,
    values: Mapping[str, Any] | View = _NOTHING,
    options: Mapping[str, Any] | None = None,
    seats: int | Sequence[str] | None = None,
    seed: str | int | None = "0",
    *,
    begin: str | Sequence[Any] | None = PLAY,
    turn: Seat | None = None,
    verified: bool = False,
) -> Step:
    """A match that begins in a position: the first `Step`, with what happens until somebody is asked.

    values:  by path as in a view (`red.hand`), or what a referee saw; `starter` too.  What is not given is as at the
             very start, before any setup.  A pile takes its cards from where they lie, as `given` in a scenario.
    options, seats, seed:  as for `start`; where a view is given, its own.
    begin:   `play` begins as it does once the setup is made; an action, or one with what it is handed
             (`("turn", "red")`), runs alone, and then nothing more is asked; None: nothing runs.
             Seats are handed by name, things by key, sets as lists, as a scenario's `do` has them.
    turn:    `play` begins where its `each player` comes to this player.
    verified:  the invariants of the game hold there, and are tested whenever the match waits.
    Errors:  `BadSetup` with the path that cannot be so; `RuleError` if a rule then cannot be carried out.
    """
    if isinstance(values, View):
        options = dict(values.options) if options is None else options
        seats = values.seats[: len(values.seats) - values.neutrals] if seats is None else seats
    m = engine.opened(game, options or {}, seats, seed, checked=False)
    arrange(m, _given(values))
    if verified:
        _verify(m)
    return begin_in(freeze(m), begin, turn)


def _verify(m: Machine) -> None:
    m.setting.checked = True
    try:
        invariants.check(m)
    except RuleError as fault:
        raise BadSetup(fault.title) from None


def _given(values: Mapping[str, Any] | View) -> dict[str, Any]:
    if not isinstance(values, View):
        if not isinstance(values, Mapping) or not all(isinstance(path, str) for path in values):
            raise BadSetup(f"values are given by path, as {{'red.hand': [1, 9]}}, or as a View, not {values!r:.60}")
        return dict(values)
    hidden = [seen.path for seen in values.values if seen.hidden]
    if hidden:
        raise BadSetup(f"this view does not show {', '.join(hidden)}: a position is what REFEREE sees")
    return {STARTER: values.starter, **{seen.path: seen for seen in values.values}}


# ---------------------------------------------------------------- what runs then


def begin_in(state: State, begin: str | Sequence[Any] | None, turn: Seat | None) -> Step:
    """What runs in a position in which nothing runs yet, up to the first question.  Errors: as of `position`."""
    if turn is not None:
        return position_setup.begin_turn(state, seat_of(state.setting, turn))
    if begin is None:
        return telling(Step(state, ()), ())
    if begin == PLAY:
        return position_setup.begin_play(state)
    call: list[Any] = [begin] if isinstance(begin, str) else list(begin)
    return position_setup.run_alone(state, *_call(state, str(call[0]), call[1:]))


def seat_of(setting: Setting, who: object) -> int:
    """The number of a player.  Errors: `BadSetup`."""
    try:
        return seat_number(setting, who, setting.players)
    except ValueError as fault:
        raise BadSetup(str(fault)) from None


def _call(state: State, name: str, arguments: Sequence[Any]) -> tuple[int, list[Any]]:
    """The code of an action, and what it is handed; of a printed card a copy that lies somewhere, as in a scenario."""
    setting, game = state.setting, state.setting.game
    codes = {code.name: index for index, code in enumerate(game.codes) if index not in (game.main, game.result)}
    if name not in codes:
        raise BadSetup(f"there is no action `{name}`; {nearest(name, codes) or 'the actions are ' + ', '.join(codes)}")
    try:
        wanted = game.codes[codes[name]].handed
        given = handed(setting, name, wanted, arguments)
    except ValueError as fault:
        raise BadSetup(str(fault)) from None
    return codes[name], [_lying(state, one.type, value) for one, value in zip(wanted, given, strict=True)]


def _lying(state: State, kind: Type, value: Any) -> Any:
    copied = kind.name == "thing" and value is not None and state.setting.game.kinds[kind.kind].copied
    return evaluate(thaw(state), x.Builtin("a_copy", (x.Const(value),))) if copied else value


# ---------------------------------------------------------------- what is given


def arrange(m: Machine, given: Mapping[str, Any]) -> None:
    """Everything in its place; `BadSetup` at the first value that cannot be."""
    slots = _slots(m.setting)
    piles: dict[int, GivenPile] = {}
    for path, value in given.items():
        if path == STARTER:
            m.starter = seat_of(m.setting, value)
            m.changed()
        elif path not in slots:
            raise BadSetup(f"there is no value `{path}`; {nearest(path, slots) or 'the paths are those of a view'}")
        else:
            with _told(path):
                _put(m, slots[path], value, piles)
    _fill(m, piles)
    # What was seen stood so: what seats do apart may put more on a space than there is room for.
    for path in [path for path, value in given.items() if not isinstance(value, Seen)]:
        with _told(path):
            _check_room(m, slots.get(path, ()))


def _slots(setting: Setting) -> dict[str, tuple[int, ...]]:
    """By path where its value lies; a group of pieces has a path for all of them, and each one of its own."""
    known: dict[str, tuple[int, ...]] = {}
    for slot in range(len(setting.values)):
        known[setting.path(slot)] = (*known.get(setting.path(slot), ()), slot)
    return known | {setting.told_paths[slot]: (slot,) for slot in range(len(setting.values))}


@contextmanager
def _told(path: str) -> Iterator[None]:
    """What goes wrong is said of the path that is given."""
    try:
        yield
    except RuleError as fault:
        raise BadSetup(f"`{path}`: {fault.title}") from None
    except (TypeError, ValueError) as fault:
        raise BadSetup(f"`{path}`: {fault}") from None


def _put(m: Machine, slots: tuple[int, ...], given: Any, piles: dict[int, GivenPile]) -> None:
    """A value in its place; a pile is only noted, since its cards come from the others."""
    value, slot = value_of(given.shown if isinstance(given, Seen) else given), slots[0]
    variable = m.setting.game.variables[m.setting.slot_variable[slot]]
    if variable.form == "pile":
        piles[slot] = GivenPile(inward(m.setting, variable.type, value), Span(m.setting.path(slot), 0, 0, 0, 0))
    elif variable.form in ("piece", "group"):
        _stand(m, slots, value, is_out=isinstance(given, Seen) and given.is_out)
    elif variable.form == "list":
        position_setup.write_list(m, slot, inward(m.setting, variable.type, value))
    elif variable.form == "history":
        m.values[slot] = _history(m.setting, variable, value)
    elif variable.form == "snapshot":
        m.values[slot] = _snapshot(m.setting, value)
    else:
        inner = _required(inward(m.setting, variable.type, value), variable)
        state_changes.check_bounds(m, slot, inner)
        m.values[slot] = inner
        m.changed()
    m.open_slots.discard(slot)


def _required(inner: Any, variable: model.Variable) -> Any:
    if inner is None and variable.form == "flag":
        raise ValueError("it is yes or no: give True or False")
    return inner


def _stand(m: Machine, slots: tuple[int, ...], value: Value, *, is_out: bool) -> None:
    """A piece, or the pieces of a group in order, on spaces; those beyond the last space stand nowhere."""
    setting = m.setting
    spaces = value if len(slots) > 1 and isinstance(value, tuple) else (value,)
    if len(spaces) > len(slots) or (len(slots) > 1 and spaces is not value):
        raise ValueError(f"these are {len(slots)} pieces: give a list of their spaces")
    for slot, space in zip_longest(slots, spaces):
        position_setup.stand(m, slot, _space(setting, setting.piece_at(slot), space))
    if is_out:
        m.gone |= {setting.piece_at(slot) for slot in slots}
        m.changed()


def _space(setting: Setting, piece: int, space: Value) -> Any:
    place = setting.places[setting.piece_place[piece]]
    kind = {"track": NUMBER, "course": thing(place.kind)}.get(place.form, CELL)
    return inward(setting, kind, space)


def _history(setting: Setting, variable: model.Variable, value: Value) -> Any:
    """What was noted, as a view shows it."""
    if value is None:
        return None
    size = width(setting, variable)
    if not isinstance(value, tuple) or not 1 <= len(value) <= variable.last:
        raise ValueError(f"it holds at most {variable.last} situations, as a view shows them")
    if any(not isinstance(one, tuple) or len(one) != size for one in value):
        raise ValueError(f"a situation has {size} numbers here, as a view shows them")
    return value


def _snapshot(setting: Setting, value: Value) -> Any:
    """Pieces with their spaces, as they once stood."""
    if value is None:
        return None
    found = []
    for one in value if isinstance(value, tuple) else ():
        piece, space = one if isinstance(one, tuple) else (one, None)
        inner = of_any_type(setting, piece)
        found.append((inner, _space(setting, inner, space)))
    return tuple(found)


def _check_room(m: Machine, slots: tuple[int, ...]) -> None:
    for slot in slots:
        if m.setting.game.variables[m.setting.slot_variable[slot]].form in ("piece", "group"):
            full = travel.overfull(m, m.setting.piece_at(slot))
            if full:
                raise ValueError(full)


def _fill(m: Machine, piles: dict[int, GivenPile]) -> None:
    try:
        fill(m, piles)
    except RuleError as fault:
        raise BadSetup(f"`{fault.span.source}`: {fault.title}") from None
