"""Views: the observation of one seat, all that it may see of a state now.

Built up from what is declared visible, never by taking secrets away.  Made
of the present alone: what was seen and is covered again is in no view.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from attrs import frozen

from rulekit.diagnostics import nearest
from rulekit.model import game as model
from rulekit.play.engine import decisions, outcome
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import Machine, thaw, thawed_known
from rulekit.play.meaning.travel import shown_space
from rulekit.play.state.errors import RuleError
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import CHANCE, Branch, Decision, Outcome, Seat, State
from rulekit.play.state.setting import seat_number
from rulekit.play.state.value import Value, notation

SPECTATOR = -2
"""A seat that owns nothing: what everybody may see."""


@frozen
class Seen:
    """One value by its path (`red.hand`).

    shown:  the value; for a pile the things that may be seen, in order.
    count:  of a pile, how many things lie in it; None for other values.
    hidden: the value may not be seen; of a pile, that things lie in it that may not be seen.
    """

    path: str
    shown: Value = None
    count: int | None = None
    hidden: bool = False


@frozen
class View:
    """Everything that a seat may know of a position.

    asked:    the decisions that it must answer.
    waiting:  all seats that have not yet decided.
    """

    seat: int
    seats: tuple[str, ...]
    options: tuple[tuple[str, Value], ...]
    starter: int
    values: tuple[Seen, ...]
    asked: tuple[Decision, ...]
    waiting: tuple[int, ...]
    outcome: Outcome | None = None

    def __getitem__(self, path: str) -> Seen:
        for seen in self.values:
            if seen.path == path:
                return seen
        raise KeyError(_no_value(self, path))


def _no_value(known: View, path: str) -> str:
    paths = [seen.path for seen in known.values]
    near = nearest(str(path), paths)
    return f"there is no value `{path}`; {near or 'the values are ' + ', '.join(paths)}"


def view(state: State, seat: Seat) -> View:
    """The view of a seat, by its number from 0 or by its name, or of `SPECTATOR`.

    Errors: `ValueError` if there is no such seat.
    """
    setting = state.setting
    seat = seat if seat == SPECTATOR else seat_number(setting, seat, setting.everyone)
    own = next((branch for branch in state.branches if branch.seat == seat), None)
    asked = decisions(state)
    return View(
        seat=seat,
        seats=setting.seats,
        options=tuple(
            (option.name, outward(setting, option.type, value))
            for option, value in zip(setting.game.options, setting.options, strict=True)
        ),
        starter=state.starter,
        values=_values(_seen_by(state, own), state, seat),
        asked=tuple(question for question in asked if question.seat == seat),
        waiting=tuple(question.seat for question in asked if question.seat != CHANCE),
        outcome=outcome(state),
    )


def worth_seeing(state: State) -> tuple[tuple[model.Show, Value], ...]:
    """What `show` names with its value, as far as it depends on nothing that anybody may not see.

    What cannot be worked out now is left out.
    """
    setting, found = state.setting, []
    defines = {define.name: define for define in setting.game.defines}
    for show in setting.game.shows:
        if show.is_open:
            m = thaw(state)
            m.locals, m.elements = [], m.fresh_elements()
            with suppress(RuleError):
                value = evaluate(m, defines[show.name].value)
                found.append((show, outward(setting, defines[show.name].type, value)))
    return tuple(found)


def covered(before: State, after: State) -> bool:
    """Whether something that everybody saw was covered where it lies: no view shows it any more."""
    old, new = thaw(before), thaw(after)
    piles = [(old.values[slot], new.values[slot]) for slot in old.setting.pile_slots if _shows_its_top(old, slot)]
    return any(was and was[-1] in now[:-1] and was[-1] not in new.open_things for was, now in piles)


def _shows_its_top(m: Machine, slot: int) -> bool:
    return m.setting.game.variables[m.setting.slot_variable[slot]].seen == model.TOP


def _seen_by(state: State, own: Branch | None) -> Machine:
    """The position as it is for a seat: in a secret block its own things as it left them, else the start's."""
    m = thaw(state)
    if own is not None:
        m.values, m.lies, m.known = list(own.values), list(own.lies), thawed_known(own.known)
    return m


def _values(m: Machine, state: State, seat: int) -> tuple[Seen, ...]:
    return tuple(_seen(m, slot, seat) for slot in range(len(m.values)))


def _seen(m: Machine, slot: int, seat: int) -> Seen:
    variable = m.setting.game.variables[m.setting.slot_variable[slot]]
    path = m.setting.told_path(slot)
    if variable.form == "pile":
        things, count = _things(m, variable, slot, seat), len(m.values[slot])
        return Seen(path, things, count, hidden=len(things) < count)
    audience = m.sees(slot)
    if audience is not None and seat not in audience:
        return Seen(path, hidden=True)
    return Seen(path, _value(m, variable, slot))


def _value(m: Machine, variable: model.Variable, slot: int) -> Value:
    value = m.values[slot]
    if variable.form in ("piece", "group"):
        return shown_space(m, m.setting.piece_at(slot), value)
    if variable.form == "snapshot":
        return _snapshot(m, value)
    return outward(m.setting, variable.type, value)


def _snapshot(m: Machine, value: Any) -> Value:
    if value is None:
        return None
    return tuple((m.setting.ref(piece), shown_space(m, piece, cell)) for piece, cell in value)


def _things(m: Machine, variable: model.Variable, slot: int, seat: int) -> tuple[Value, ...]:
    """The things of a pile that a seat may see, in order of arrival; of a shuffled pile in no order of its own."""
    pile = m.values[slot]
    audience = m.sees(slot)
    whole = variable.seen != "top" and (audience is None or seat in audience)
    seen = [
        thing for thing in pile if whole or thing in m.open_things or (variable.seen == "top" and thing == pile[-1])
    ]
    refs: list[Value] = [m.setting.ref(thing) for thing in seen]
    return tuple(sorted(refs, key=notation)) if slot in m.known else tuple(refs)
