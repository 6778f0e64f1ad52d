"""Writes a position and what is done in it as a scenario that can be pasted into a rules file, and tries it.

Only what differs from the start of play is given.  What no scenario can say
(a snapshot, what was shown before) is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.diagnostics import Problems
from rulekit.errors import RulekitError
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.types import UNKNOWN
from rulekit.play import engine, position_setup
from rulekit.play.invariants import setup_codes
from rulekit.play.machine.working_state import thaw
from rulekit.play.meaning.travel import shown_space
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import Action, State, Step
from rulekit.play.state.value import Ref, Value, notation
from rulekit.source import Source
from rulekit.syntax.parse import parse
from rulekit.tools.analysis.setup_check import first_answered
from rulekit.tools.analysis.type_reconstruction import ExpressionTypes
from rulekit.tools.examples import runner
from rulekit.tools.examples.mutation_operators import Rules
from rulekit.tools.examples.scenario_values import seat_name
from rulekit.values import evolve, frozen

NAME = "an example"
_WIDTH = 100


class CannotSay(RulekitError):
    """Something that has no words in a scenario."""


@frozen
class Example:
    """A scenario in the making.

    given:  facts of the position, `X is V` each.
    call:   what runs from the position, `turn(red)`; "" for play from its beginning.
    lines:  what follows, in order: `when …`, `refuse …`, `expect …`.
    """

    seats: tuple[str, ...]
    options: Mapping[str, Value]
    given: tuple[str, ...] = ()
    pictures: tuple[tuple[str, ...], ...] = ()
    call: str = ""
    lines: tuple[str, ...] = ()

    def text(self, name: str = NAME, clauses: Sequence[str] = ()) -> str:
        """The scenario as it is written in a rules file."""
        cites = "".join(f" @{clause}" for clause in clauses)
        made = [f'scenario "{name}"{cites}', f"players {', '.join(self.seats)}"]
        made += [f"use {option} is {notation(value)}" for option, value in self.options.items()]
        made += [f"given {line}" for line in _joined(self.given)]
        for picture in self.pictures:
            made += [f"given picture {picture[0]}", *(f"    {row}" for row in picture[1:])]
        made += [f"do {self.call}"] if self.call else []
        return "\n    ".join([*made, *self.lines]) + "\n"

    def then(self, *lines: str) -> Example:
        return evolve(self, lines=(*self.lines, *lines))


def _joined(facts: Sequence[str]) -> list[str]:
    """Facts with commas between, as many on a line as fit."""
    made: list[str] = []
    for fact in facts:
        if made and len(made[-1]) + len(fact) < _WIDTH:
            made[-1] += f", {fact}"
        else:
            made.append(fact)
    return made


# ---------------------------------------------------------------- trying


def with_example(rules: Rules, example: Example) -> tuple[model.Game, model.Scenario]:
    """The game with this example alone; raises `CannotSay` if the rules do not understand it."""
    problems = Problems()
    file = parse(Source(NAME, example.text()), problems).file
    game = None if problems.has_errors else rules.with_examples(file.declarations)
    if game is None or len(game.scenarios) != 1:
        raise CannotSay(example.text())
    return game, game.scenarios[0]


def passes(rules: Rules, example: Example) -> bool:
    """Whether an example holds; one that the rules do not understand does not."""
    try:
        return runner.run(*with_example(rules, example)).passed
    except CannotSay:
        return False


def started(rules: Rules, example: Example) -> Step:
    """The first question of play in the position of an example, with chance asked of the caller.

    Errors:  `CannotSay`; `BadSetup` and `RuleError` of the rules.
    """
    return placed_and_started(rules, example)[1]


def placed_and_started(rules: Rules, example: Example) -> tuple[State, Step]:
    """The position of an example, and the first question of play from there.  Errors: as of `started`."""
    game, scenario = with_example(rules, example)
    given = [scene for scene in scenario.scenes if isinstance(scene, model.Given | model.GivenCells)]
    state = position_setup.arranged(_before(game, example.options, example.seats, example.call), given)
    calls = [scene.code for scene in scenario.scenes if isinstance(scene, model.Run)]
    return state, position_setup.run_alone(state, calls[0]) if calls else position_setup.begin_play(state)


def _before(game: model.Game, options: Mapping[str, Value], seats: Sequence[str], call: str) -> State:
    """The position to which what is given is added."""
    return position_setup.position(game, options, seats) if call else set_up(game, options, seats)


def set_up(game: model.Game, options: Mapping[str, Value], seats: Sequence[str]) -> State:
    """The position before play as scenarios make it: every question of the setup gets the first answer."""
    state = position_setup.position(game, options, seats)
    for code in setup_codes(game):
        step = position_setup.run_alone(state, code)
        while waiting := engine.decisions(step.state):
            step = position_setup.settled(first_answered(step.state, waiting[0]))
        state = step.state
    return state


def is_same_position(first: State, state: State, *, exactly: bool) -> bool:
    """Whether a position that was said stands where the match stood: the same values, asking the same there.

    exactly:  with all that runs around it; else only in the innermost action.
    """
    places = [[(code, pc) for code, pc, *_ in each.frames] for each in (first, state)]
    asked = [[(q.seat, q.name, q.options) for q in engine.decisions(each)] for each in (first, state)]
    told = [[_told(each, slot) for slot in range(len(each.values))] for each in (first, state)]
    there = places[0] == places[1] if exactly else places[0][-1:] == places[1][-1:]
    return there and asked[0] == asked[1] and told[0] == told[1]


def _told(state: State, slot: int) -> Any:
    """What a slot holds, but for what no scenario can say exactly."""
    variable = state.setting.game.variables[state.setting.slot_variable[slot]]
    if variable.form in model.PAST or (variable.place and state.setting.places[variable.place].form == "grid"):
        return None
    whole = variable.form in ("pile", "value")
    return outward(state.setting, variable.type, state.values[slot]) if whole else state.values[slot]


# ---------------------------------------------------------------- saying a position


def example_at(state: State, options: Mapping[str, Value], call: str = "") -> Example:
    """The position of a match as an example; raises `CannotSay` where words are missing."""
    game, seats = state.setting.game, state.setting.seats[: state.setting.players]
    try:
        base = _before(game, options, seats, call)
    except (BadSetup, RuleError) as fault:
        raise CannotSay(str(fault)) from None
    if base.setting.seats != state.setting.seats:
        raise CannotSay("other seats")
    facts = [f"starter is {seats[state.starter]}"] if state.starter != base.starter else []
    pictures: list[tuple[str, ...]] = []
    for slot, index in enumerate(state.setting.slot_variable):
        variable = game.variables[index]
        if variable.form == "group" and is_pictured(game, variable):
            pictures += pictured(state, index) if slot == state.setting.bases[index] else ()
        elif variable.form == "group":
            facts += _group(state, base, index, slot)
        elif variable.may_be_empty:
            facts += _places(state, base, slot)
        elif variable.form not in model.PAST and _meaning(state, slot) != _meaning(base, slot):
            facts.append(f"{path_of(state, slot)} is {_meaning(state, slot)}")
    return Example(seats, options, tuple(facts), tuple(pictures), call)


def is_pictured(game: model.Game, variable: model.Variable) -> bool:
    """Whether a group stands on a grid, and its pieces have names by which a picture shows them."""
    on_grid = bool(variable.place) and game.places[variable.place].form == "grid"
    return on_grid and bool(game.kinds[variable.type.element.kind].members)


def path_of(state: State, slot: int) -> str:
    """What a scenario calls a value: `red.hand`, `rows[3].line`, `neutrals[1].score`."""
    setting = state.setting
    variable = setting.game.variables[setting.slot_variable[slot]]
    owner = setting.slot_owner[slot]
    if variable.owner == "player" and owner >= setting.players:
        return f"neutrals[{owner - setting.players + 1}].{variable.name}"
    if variable.owner in ("", "player"):
        return setting.path(slot)
    thing = setting.kind_base[variable.owner] + owner
    return f"{_thing(state, thing)}.{variable.name}"


def _thing(state: State, thing: int) -> str:
    """A printed thing or a piece as the rules name it: `deck[3]`, `red.guards[2]`, or its key."""
    setting = state.setting
    entry = setting.things[thing]
    kind = setting.game.kinds[entry.kind]
    if kind.members or not kind.piece:
        return f"{kind.set_name}[{entry.key}]" if kind.numbered and kind.set_name else entry.key
    slot = setting.piece_slot[thing]
    index = setting.slot_variable[slot]
    variable = setting.game.variables[index]
    number = (slot - setting.bases[index]) % variable.count + 1
    return path_of(state, slot) + (f"[{number}]" if variable.count > 1 else "")


def running_calls(state: State) -> list[str]:
    """The actions that are running where a match waits, as a scenario calls them, outermost first."""
    types, game = ExpressionTypes(state.setting.game), state.setting.game
    found: list[str] = []
    for code_id, _, values, *_ in state.frames:
        code = game.codes[code_id]
        try:
            args = [_argument(state, types, code_id, local, values[local]) for local in range(code.parameters)]
        except CannotSay:
            continue
        member = next((m for k in game.kinds.values() for m in k.members if m.code == code_id), None)
        if member is not None:
            thing: Any = values[1]
            found.append(f"{_thing(state, thing)} for {args[0]}")
        elif code_id != game.main and code.name not in ("play", "setup", "result"):
            found.append(f"{code.name}({', '.join(args)})" if args else code.name)
    return found


def _argument(state: State, types: ExpressionTypes, code: int, local: int, value: Any) -> str:
    kind = types.of(x.Local(local), code)
    if kind == UNKNOWN and value is not None:
        raise CannotSay(f"argument {local + 1}")
    return value_text(state, outward(state.setting, kind, value))


def _meaning(state: State, slot: int) -> str:
    """What a slot holds, as a scenario says it."""
    setting = state.setting
    variable = setting.game.variables[setting.slot_variable[slot]]
    value: Any = state.values[slot]
    if variable.form == "piece":
        piece = setting.piece_first[setting.slot_variable[slot]] + slot - setting.bases[setting.slot_variable[slot]]
        return value_text(state, shown_space(thaw(state), piece, value))
    return value_text(state, outward(setting, variable.type, value))


def _places(state: State, base: State, slot: int) -> list[str]:
    """The places of a list that are not as they were, one by one: an empty one stands in no set of numbers."""
    variable, path = state.setting.game.variables[state.setting.slot_variable[slot]], path_of(state, slot)
    now: Any = state.values[slot]
    before: Any = base.values[slot]
    places = zip(place_names(state, variable), now, before, strict=True)
    return [f"{path}[{place}] is {value_text(state, value)}" for place, value, old in places if value != old]


def place_names(state: State, variable: model.Variable) -> list[str]:
    """What a scenario calls the places of a list: their numbers, or the things that they are for."""
    if variable.keys:
        return [member.key for member in state.setting.game.kinds[variable.keys].members]
    return [str(place) for place in range(variable.first, variable.last + 1)]


def _group(state: State, base: State, index: int, slot: int) -> list[str]:
    """A group of pieces by their spaces, told once at its first piece."""
    setting = state.setting
    variable = setting.game.variables[index]
    if (slot - setting.bases[index]) % variable.count or setting.game.kinds[variable.type.element.kind].members:
        return []
    slots = range(slot, slot + variable.count)
    first = setting.piece_first[index] - setting.bases[index]
    spaces = [value_text(state, shown_space(thaw(state), first + each, state.values[each])) for each in slots]
    if [state.values[each] for each in slots] == [base.values[each] for each in slots]:
        return []
    while spaces and spaces[-1] == "none":
        spaces.pop()
    return [f"{path_of(state, slot)} is [{', '.join(spaces)}]"]


def pictured(state: State, index: int) -> list[tuple[str, ...]]:
    """A group on a grid as a picture of its pieces' names."""
    setting, variable = state.setting, state.setting.game.variables[index]
    at: dict[tuple[int, int], str] = {}
    for slot in range(setting.bases[index], setting.bases[index] + variable.count):
        piece = setting.piece_first[index] + slot - setting.bases[index]
        cell: Any = state.values[slot]
        if cell is not None and piece not in state.gone:
            at[cell] = setting.things[piece].key
    if not at:
        return []
    place = setting.places[variable.place]
    whole = place.width is not None and place.height is not None
    columns = range(place.width or 0) if whole else range(min(c for c, _ in at), max(c for c, _ in at) + 1)
    rows = range(place.height or 0) if whole else range(min(r for _, r in at), max(r for _, r in at) + 1)
    drawn = [f"| {' '.join(at.get((column, row), '.') for column in columns)} |" for row in rows]
    return [(variable.name, *drawn)]


def value_text(state: State, value: Value) -> str:
    """A value as a scenario writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(value_text(state, item) for item in value)}]"
    if isinstance(value, Ref):
        return _named(state, value)
    return f'"{value}"' if isinstance(value, str) else notation(value)


def _named(state: State, ref: Ref) -> str:
    if ref.kind == "cell":
        grids = [place.name for place in state.setting.places.values() if place.form == "grid" and place.width]
        if len(grids) != 1:
            raise CannotSay(ref.key)
        column, row = ref.key.split(",")
        return f"{grids[0]}[{column}, {row}]"
    if " in " in ref.key or "," in ref.key:
        raise CannotSay(ref.key)
    kind = state.setting.game.kinds.get(ref.kind)
    if kind is not None and kind.piece and not kind.members:
        pieces = [thing for thing in state.setting.piece_slot if state.setting.ref(thing) == ref]
        return _thing(state, pieces[0]) if len(pieces) == 1 else ref.key
    return ref.key


def answer_line(state: State, action: Action) -> str:
    """`when red chooses 3`."""
    return f"when {seat_name(state, action.seat)} chooses {value_text(state, action.answer)}"


def refusal_line(state: State, seat: int, value: Value) -> str:
    return f"refuse {seat_name(state, seat)} chooses {value_text(state, value)}"
