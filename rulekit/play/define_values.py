"""What the defines of the rules come to in a position: points, what is possible, whatever has a name."""

from __future__ import annotations

from rulekit.diagnostics import nearest
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.play.machine.closure_compilation import NeedsOrder, evaluate
from rulekit.play.state.external_values import handed, outward
from rulekit.play.state.match_state import Seat, State
from rulekit.play.state.setting import Setting, seat_number
from rulekit.play.state.value import Value
from rulekit.play.view import REFEREE, SPECTATOR, joined


def read(state: State, name: str, *arguments: object, seat: Seat = REFEREE) -> Value:
    """What a define comes to now; one with parameters is handed `arguments`: seats by name, things as a `Ref`.

    seat:    who reads it.  A referee may read everything, others what depends on nothing that anybody may not see.
    Errors:  `KeyError` if there is no such define; `ValueError` for arguments that it does not take, for a seat that
             may not read it, and if it needs an order that is not decided yet; `RuleError` if it cannot be worked out.
    """
    setting = state.setting
    place, define = _found(setting.game, name)
    if seat not in (SPECTATOR, REFEREE):
        seat_number(setting, seat, setting.everyone)
    if seat != REFEREE and not define.is_open:
        raise ValueError(f"`{name}` depends on what not everybody may see: only REFEREE may read it")
    given = tuple(x.Const(value) for value in handed(setting, name, define.handed, arguments))
    return _worked_out(state, x.Invoke(place, given), define)


def _found(game: model.Game, name: str) -> tuple[int, model.Define]:
    for place, define in enumerate(game.defines):
        if define.name == name:
            return place, define
    known = [define.name for define in game.defines]
    raise KeyError(f"there is no define `{name}`; {nearest(str(name), known) or 'there are ' + ', '.join(known)}")


def _worked_out(state: State, invoked: x.Invoke, define: model.Define) -> Value:
    m = joined(state)
    m.locals, m.elements = [], m.fresh_elements()
    try:
        return _outward(state.setting, define, evaluate(m, invoked))
    except NeedsOrder as need:
        path = state.setting.path(need.slot)
        raise ValueError(f"`{define.name}` needs the order of `{path}`, which is not decided yet") from None


def _outward(setting: Setting, define: model.Define, value: object) -> Value:
    return outward(setting, define.type, value)
