"""Views: the observation of one seat, all that it may see of a state now.

Built up from what is declared visible, never by taking secrets away.  Made
of the present alone: what was seen and is covered again is in no view.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rulekit.diagnostics import nearest
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.types import PLAYER
from rulekit.play.engine import decisions, outcome
from rulekit.play.interpreter import fork_join
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import Machine, thaw, thawed_known
from rulekit.play.meaning.travel import shown_space
from rulekit.play.state.errors import RuleError
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import CHANCE, Decision, Outcome, Seat, State
from rulekit.play.state.setting import seat_number
from rulekit.play.state.value import Value, notation
from rulekit.values import evolve, frozen

SPECTATOR = -2
"""A seat that owns nothing: what everybody may see."""
REFEREE = -3
"""Who sees everything, and plays for nobody."""


@frozen
class Seen:
    """One value by its path (`red.hand`).

    shown:  the value; for a pile the things that may be seen, in order.
    count:  of a pile, how many things lie in it; None for other values.
    hidden: the value may not be seen; of a pile, that things lie in it that may not be seen.
    is_out: of a piece, that it is out of the game.
    """

    path: str
    shown: Value = None
    count: int | None = None
    hidden: bool = False
    is_out: bool = False


@frozen
class View:
    """Everything that a seat may know of a position.

    asked:    the decisions that it must answer; a referee sees those of all, and of chance.
    waiting:  all seats that have not yet decided.
    turn:     for whom the outermost loop over players now runs: whose turn it is, where a game has turns.
    neutrals: how many of the seats, the last ones, are nobody's.
    """

    seat: int
    seats: tuple[str, ...]
    options: tuple[tuple[str, Value], ...]
    starter: int
    values: tuple[Seen, ...]
    asked: tuple[Decision, ...]
    waiting: tuple[int, ...]
    outcome: Outcome | None = None
    turn: int | None = None
    neutrals: int = 0

    def __getitem__(self, path: str) -> Seen:
        for seen in self.values:
            if seen.path == path:
                return seen
        raise KeyError(_no_value(self, path))

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        from rulekit.table import Table

        rows = [(seen.path, _told(seen), seen.count) for seen in self.values]
        return Table(("value", "shown", "things"), rows)._repr_html_(most=len(rows))


def _told(seen: Seen) -> str:
    shown = notation(seen.shown)
    if not seen.hidden:
        return shown
    return f"{shown} and hidden ones" if seen.shown else "hidden"


def _no_value(known: View, path: str) -> str:
    paths = [seen.path for seen in known.values]
    near = nearest(str(path), paths)
    return f"there is no value `{path}`; {near or 'the values are ' + ', '.join(paths)}"


def view(state: State, seat: Seat) -> View:
    """The view of a seat, by its number from 0 or by its name, of `SPECTATOR` or of `REFEREE`.

    Errors: `ValueError` if there is no such seat.
    """
    setting = state.setting
    seat = seat if seat in (SPECTATOR, REFEREE) else seat_number(setting, seat, setting.everyone)
    asked = decisions(state)
    return View(
        seat=seat,
        seats=setting.seats,
        options=tuple(
            (option.name, outward(setting, option.type, value))
            for option, value in zip(setting.game.options, setting.options, strict=True)
        ),
        starter=state.starter,
        values=_values(joined(state) if seat == REFEREE else _seen_by(state, seat), seat),
        asked=tuple(question for question in asked if seat in (question.seat, REFEREE)),
        waiting=tuple(question.seat for question in asked if question.seat != CHANCE),
        outcome=_outcome_for(state, seat),
        turn=turn(state),
        neutrals=setting.neutrals,
    )


def turn(state: State) -> int | None:
    """For whom the outermost loop over players runs; None outside of one, and where the match is over."""
    for code, pc, kept, _, _ in state.frames:
        for begin, end, local in _loops(state.setting.game, code):
            if begin < pc < end and kept[local] is not None:
                return kept[local]  # type: ignore[return-value]
    return None


def _loops(game: model.Game, code: int) -> list[tuple[int, int, int]]:
    """Loops over players of a code, the outermost first: where each begins and ends, and the local of its player."""
    known: dict[int, list[tuple[int, int, int]]] = game.kept.setdefault("loops over players", {})
    if code not in known:
        steps = enumerate(game.codes[code].ops)
        known[code] = [
            (at, op.exit, op.element) for at, op in steps if isinstance(op, ops.EachNext) and op.kind == PLAYER
        ]
    return known[code]


def _outcome_for(state: State, seat: int) -> Outcome | None:
    """The outcome without scores that not everybody may see, but for a referee."""
    end = outcome(state)
    if end is None or seat == REFEREE or all(score.is_open for score in state.scores):
        return end
    hidden = {score.seat for score in state.scores if not score.is_open}
    return evolve(end, scores=tuple(None if at in hidden else told for at, told in enumerate(end.scores)))


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


def space_looks(state: State, place: str) -> dict[int, dict[str, str]]:
    """How spaces of a track are drawn: by space the words of its looks.  They are known before any game."""
    found: dict[int, dict[str, str]] = {}
    for look in state.setting.places[place].looks:
        with suppress(RuleError):
            for space in evaluate(thaw(state), look.at):
                found.setdefault(space, {})[look.look] = look.word
    return found


def covered(before: State, after: State) -> bool:
    """Whether something that everybody saw was covered where it lies: no view shows it any more."""
    old, new = thaw(before), thaw(after)
    piles = [(old.values[slot], new.values[slot]) for slot in old.setting.pile_slots if _shows_its_top(old, slot)]
    return any(was and was[-1] in now[:-1] and was[-1] not in new.open_things for was, now in piles)


def _shows_its_top(m: Machine, slot: int) -> bool:
    return m.setting.game.variables[m.setting.slot_variable[slot]].seen == model.TOP


def joined(state: State) -> Machine:
    """The position as it is: in a secret block everybody's things as they left them until now."""
    m = thaw(state)
    for branch in state.branches:
        fork_join.join(m, branch)
    return m


def _seen_by(state: State, seat: int) -> Machine:
    """The position as it is for a seat: in a secret block its own things as it left them, else the start's."""
    m, own = thaw(state), next((branch for branch in state.branches if branch.seat == seat), None)
    if own is not None:
        m.values, m.lies, m.known = list(own.values), list(own.lies), thawed_known(own.known)
    return m


def _values(m: Machine, seat: int) -> tuple[Seen, ...]:
    return tuple(_seen(m, slot, seat) for slot in range(len(m.values)))


def _seen(m: Machine, slot: int, seat: int) -> Seen:
    variable = m.setting.game.variables[m.setting.slot_variable[slot]]
    path = m.setting.told_paths[slot]
    if variable.form == "pile":
        things, count = _things(m, variable, slot, seat), len(m.values[slot])
        return Seen(path, things, count, hidden=len(things) < count)
    audience = m.sees(slot)
    if audience is not None and seat not in audience and seat != REFEREE:
        return Seen(path, hidden=True)
    shown = _value(m, variable, slot)
    return Seen(path, shown, is_out=True) if m.gone and _is_out(m, variable, slot) else Seen(path, shown)


def _is_out(m: Machine, variable: model.Variable, slot: int) -> bool:
    return variable.form in ("piece", "group") and m.setting.piece_at(slot) in m.gone


def _value(m: Machine, variable: model.Variable, slot: int) -> Value:
    value = m.values[slot]
    if variable.form in ("piece", "group"):
        return shown_space(m, m.setting.piece_at(slot), value)
    if variable.form == "snapshot":
        return _snapshot(m, value)
    if variable.form == "history":
        return value  # type: ignore[no-any-return]  # Numbers, which mean something to engines alone.
    return outward(m.setting, variable.type, value)


def _snapshot(m: Machine, value: Any) -> Value:
    if value is None:
        return None
    return tuple((m.setting.ref(piece), shown_space(m, piece, cell)) for piece, cell in value)


def _things(m: Machine, variable: model.Variable, slot: int, seat: int) -> tuple[Value, ...]:
    """The things of a pile that a seat may see, in order of arrival; of a shuffled pile in no order of its own."""
    pile = m.values[slot]
    audience = m.sees(slot)
    whole = seat == REFEREE or (variable.seen != model.TOP and (audience is None or seat in audience))
    seen = [
        thing for thing in pile if whole or thing in m.open_things or (variable.seen == "top" and thing == pile[-1])
    ]
    refs: list[Value] = [m.setting.ref(thing) for thing in seen]
    return tuple(sorted(refs, key=notation)) if slot in m.known else tuple(refs)
