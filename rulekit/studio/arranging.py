"""A position arranged by hand, from one of the match: pieces and cards are put elsewhere, values are set.

Each step makes a new position, so that the last can be taken back; when it is done the position is said as an example
and tried.  Things and places have the keys that a drawing gives them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from rulekit.errors import RulekitError
from rulekit.hosting.table import Table
from rulekit.model import game as model
from rulekit.model.types import CELL, thing
from rulekit.play import position_setup
from rulekit.play.given_piles import GivenPile, fill
from rulekit.play.machine.working_state import Machine, freeze, thaw
from rulekit.play.meaning import travel
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.external_values import inward
from rulekit.play.state.match_state import State
from rulekit.play.state.value import Ref, Value
from rulekit.play.view import REFEREE, view
from rulekit.record.json_values import chosen_options, option_outward
from rulekit.source import NOWHERE
from rulekit.tools.drawing.marks import owners
from rulekit.tools.drawing.picture import Figure, Pile
from rulekit.tools.drawing.picture_making import picture
from rulekit.tools.examples import runner
from rulekit.tools.examples.mutation_operators import Rules
from rulekit.tools.examples.scenario_writer import (
    CannotSay,
    Example,
    example_at,
    is_same_position,
    path_of,
    place_names,
    running_calls,
    started,
    with_example,
)
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, evolve, frozen

NOWHERE_KEY = "nowhere"
"""Where a piece goes that is taken from its board."""


class CannotBe(RulekitError):
    """Why a step cannot be made, or a position not be said, for a person."""

    def __init__(self, why: Message) -> None:
        super().__init__(str(why))
        self.why = why


@frozen
class Choice:
    """Something of a position: its key, and what it is called.  now: of a value, what it is."""

    key: str
    words: str
    now: str = ""


@frozen
class Choices:
    """What can be moved, and to where; what can be set."""

    things: tuple[Choice, ...]
    places: tuple[Choice, ...]
    values: tuple[Choice, ...]


@define(eq=False)
class Arranging:
    """rules: of the match; begun: its position; steps: the values there, then after each step."""

    rules: Rules
    begun: State
    steps: list[State]

    @property
    def state(self) -> State:
        return self.steps[-1]

    def take_back(self) -> None:
        del self.steps[max(1, len(self.steps) - 1) :]

    # ------------------------------------------------------------ steps

    def move(self, what: str, to: str) -> None:
        """Put a piece on a space or a card into a pile.  Errors: `CannotBe`."""
        sort, _, rest = what.partition(" ")
        m = thaw(self.state)
        try:
            if sort == "piece":
                _stand(m, self._slot(rest), to)
            else:
                self._lay(m, *rest.rpartition(" ")[::2], to)
        except (RuleError, ValueError) as fault:
            raise CannotBe(Message("studio-not-put", why=str(fault))) from None
        self.steps.append(freeze(m))

    def set(self, path: str, value: str) -> None:
        """Give a value, or one place of a list, what is written as in the rules.  Errors: `CannotBe`.

        path: of the value, as a drawing has it; places of lists are numbered from 0.  value: a number, `yes`, a name.
        """
        setting = self.state.setting
        example = Example(setting.seats[: setting.players], self._options, (f"{self._said(path)} is {value}",))
        try:
            _, scenario = with_example(self.rules, example)
            given = [scene for scene in scenario.scenes if isinstance(scene, model.Given)]
            if len(scenario.scenes) != 1 or [len(one.facts) for one in given] != [1]:
                raise CannotSay(value)
            self.steps.append(position_setup.arranged(self.state, given))
        except CannotSay:
            raise CannotBe(Message("studio-no-value", what=path, value=value)) from None
        except (RuleError, BadSetup) as fault:
            raise CannotBe(Message("studio-not-put", why=str(fault))) from None

    def _said(self, path: str) -> str:
        """What a scenario calls a value."""
        whole, _, place = path.removesuffix("]").partition("[#")
        slot = self._slot(whole)
        if not place:
            return path_of(self.state, slot)
        variable = self.state.setting.game.variables[self.state.setting.slot_variable[slot]]
        known = place_names(self.state, variable) if variable.form == "list" else []
        if not place.isdecimal() or int(place) >= len(known):
            raise CannotBe(Message("studio-no-thing", what=path))
        return f"{path_of(self.state, slot)}[{known[int(place)]}]"

    @property
    def _options(self) -> Mapping[str, Value]:
        """Those that were not left as they are usually."""
        usual = {option.name: option_outward(option, option.default) for option in self.state.setting.game.options}
        return {name: value for name, value in chosen_options(self.state.setting) if value != usual[name]}

    def _slot(self, path: str) -> int:
        known = slot_paths(self.state)
        if path not in known:
            raise CannotBe(Message("studio-no-thing", what=path))
        return known.index(path)

    def _lay(self, m: Machine, path: str, key: str, to: str) -> None:
        """A card from one pile on top of another."""
        sort, _, there = to.partition(" ")
        if sort not in ("pile", "value"):
            raise CannotBe(Message("studio-no-place"))
        slots = [self._slot(each) for each in (path, there)]
        kinds = [m.setting.game.variables[m.setting.slot_variable[slot]] for slot in slots]
        if any(one.form != "pile" for one in kinds) or kinds[0].type != kinds[1].type:
            raise CannotBe(Message("studio-no-place"))
        rows = [[m.setting.row_of[thing] for thing in m.values[slot]] for slot in slots]
        taken = next((row for row in rows[0] if m.setting.things[row].key == key), None)
        if taken is None:
            raise CannotBe(Message("studio-no-thing", what=key))
        if slots[0] != slots[1]:
            rows[0].remove(taken)
            rows[1].append(taken)
            fill(m, {slot: GivenPile(tuple(row), NOWHERE) for slot, row in zip(slots, rows, strict=True)})
            m.open_slots.difference_update(slots)

    # ------------------------------------------------------------ what there is

    def choices(self, names: Names) -> Choices:
        shown = picture(self.state, REFEREE, names)
        every = [*(token for board in shown.boards for spot in board.spots for token in spot.tokens), *shown.off]
        pieces = [Choice(f"piece {token.path}", token.title) for token in every]
        spaces = [
            Choice(f"space {board.name} {spot.value}", spot.title) for board in shown.boards for spot in board.spots
        ]
        parts = [(owner, part) for owner in owners(shown) for part in owner.parts]
        piles = [part for _, part in parts if isinstance(part, Pile)]
        cards = [
            Choice(f"card {pile.path} {card.value}", f"{card.title or card.name} ({pile.path})")
            for pile in piles
            for card in pile.cards
        ]
        figures = [part for _, part in parts if isinstance(part, Figure) and part.path]
        # Of a long track not every space is drawn; its number can be typed.
        tracks = [board for board in shown.boards if board.form == "track"]
        on_tracks = [token for board in tracks for spot in board.spots for token in spot.tokens]
        numbers = [Choice(f"value {token.path}", token.title, str(token.on)) for token in on_tracks]
        return Choices(
            (*pieces, *cards),
            (*spaces, *(Choice(f"pile {pile.path}", pile.path) for pile in piles)),
            (*(one for figure in figures for one in _values(figure)), *numbers),
        )

    # ------------------------------------------------------------ an example

    def example(self, name: str) -> str:
        """The position as the text of an example.  Errors: `CannotBe`."""
        why = Message("studio-no-words")
        for call in dict.fromkeys((*self._calls(), "")):
            try:
                example = example_at(self.state, self._options, call)
                result = runner.run(*with_example(self.rules, example))
            except CannotSay:
                continue
            except (BadSetup, RuleError) as fault:
                why = Message("studio-not-put", why=str(fault))
                continue
            if result.failure is None:
                return example.text(name)
            why = Message("studio-not-so", said=result.failure.said, found=result.failure.found)
        raise CannotBe(why)

    def _calls(self) -> Iterator[str]:
        """From where play goes on in an example of the position of the match: from its beginning or an action."""
        for call in ("", *reversed(running_calls(self.begun))):
            with suppress(CannotSay, BadSetup, RuleError):
                found = started(self.rules, example_at(self.begun, self._options, call)).state
                if is_same_position(found, self.begun, exactly=not call):
                    yield call


def slot_paths(state: State) -> list[str]:
    """By slot what a view, and so a drawing, calls it."""
    return [one.path for one in view(state, REFEREE).values]


def arranging(table: Table, rules: Rules, at: int) -> Arranging:
    """From the position before a decision."""
    with table.lock:
        place = min(at, len(table.match.history))
        position = table.position(place)
        # What seats decide in secret meanwhile is on copies of their own, which no example can say.
        return Arranging(rules, position, [evolve(position, branches=())])


def _stand(m: Machine, slot: int, to: str) -> None:
    variable = m.setting.game.variables[m.setting.slot_variable[slot]]
    if variable.form not in ("piece", "group"):
        raise CannotBe(Message("studio-no-place"))
    place = m.setting.places[variable.place]
    if to == NOWHERE_KEY:
        position_setup.stand(m, slot, None)
        return
    sort, board, value = (*to.split(" ", 2), "", "")[:3]
    if sort != "space" or board != place.name:
        raise CannotBe(Message("studio-no-place"))
    if place.form == "track":
        space: object = int(value)
    else:
        kind = CELL if place.form == "grid" else thing(place.kind)
        space = inward(m.setting, kind, Ref(kind.kind or kind.name, value))
    position_setup.stand(m, slot, space)
    if full := travel.overfull(m, m.setting.piece_at(slot)):
        raise CannotBe(Message("studio-not-put", why=full))


def _values(figure: Figure) -> Iterator[Choice]:
    """A value, or each place of a list."""
    if figure.boxes:
        for number, (place, text) in enumerate(figure.boxes):
            yield Choice(f"value {figure.path}[#{number}]", f"{figure.path}[{place}]", text)
    else:
        yield Choice(f"value {figure.path}", figure.path, figure.text)
