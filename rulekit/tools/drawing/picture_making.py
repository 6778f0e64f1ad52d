"""Makes the picture of a position from what a seat sees of it: whose is what; boards are made in `board_making`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rulekit.model import game as model
from rulekit.model.traversal import piles_in_order
from rulekit.model.types import DIRECTION
from rulekit.play.engine import decisions
from rulekit.play.state.match_state import CHANCE, State
from rulekit.play.state.value import Ref, Value
from rulekit.play.view import SPECTATOR, Seen, space_looks, turn, view, worth_seeing
from rulekit.tools.drawing import palette
from rulekit.tools.drawing.board_making import made_board
from rulekit.tools.drawing.card_making import Cards, as_printed
from rulekit.tools.drawing.picture import Board, Figure, Mark, Owned, Picture, Pile, Strip, Token
from rulekit.tools.drawing.token_making import standing
from rulekit.tools.language.display_names import Names, plain
from rulekit.values import define, evolve, field

EMPTY = "-"
"""The text of a value that is not there."""
_SIDES = ("north", "east", "south", "west")
_NOTHING = (None, False, 0, ())


def picture(state: State, seat: int | None, names: Names) -> Picture:
    """What a seat sees, as values to draw or to tell; None sees all that anybody sees."""
    return pictured(state, seen_values(state, seat), names)


def pictured(state: State, seen: tuple[Seen, ...], names: Names) -> Picture:
    """The same of values that somebody sees."""
    return _Sight(state, names, seen).picture()


def seen_values(state: State, seat: int | None) -> tuple[Seen, ...]:
    """What a seat sees, slot by slot; None sees all that any seat sees."""
    if seat is not None:
        return view(state, seat).values
    views = [view(state, SPECTATOR), *(view(state, other) for other in range(state.setting.players))]
    return tuple(max(slot, key=_openness) for slot in zip(*(each.values for each in views), strict=True))


def _openness(seen: Seen) -> int:
    if seen.hidden and seen.count is None:
        return -1
    return len(seen.shown) if isinstance(seen.shown, tuple) else 0


@define(eq=False)
class _Sight:
    """A position as somebody sees it, while its picture is made.

    tokens: all pieces, each with the place that it can stand on.
    """

    state: State
    names: Names
    seen: tuple[Seen, ...]
    cards: Cards = field(init=False)
    tokens: list[tuple[str, Token]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.cards = Cards(self.state.setting, self.names)
        self.tokens = list(standing(self.state.setting, self.seen, self.names, self.cards))

    def picture(self) -> Picture:
        owned = self._by_owner()
        shared = tuple(self._part(slot) for slot in owned.pop("", {}).get(0, ()))
        owners = tuple(self._owner(kind, index, slots) for kind in owned for index, slots in owned[kind].items())
        off = tuple(token for _, token in self.tokens if token.on is None)
        worth = tuple(
            Figure("", self.names.shown(show), self.names.short(value), (), value, value in _NOTHING)
            for show, value in worth_seeing(self.state)
        )
        return Picture(
            boards=tuple(self._board(place, owned) for place in self.state.setting.places.values()),
            owners=owners,
            shared=Owned("", None, None, shared, tuple(token for token in off if _waits(token, None))),
            worth=worth,
            off=off,
            seats=self.state.setting.seats,
            colours=self._colours([owner for owner in owners if owner.seat is not None]),
            deciding=tuple(decision.seat for decision in decisions(self.state) if decision.seat != CHANCE),
            turn=turn(self.state),
            decides=self.names.tongue.say("decides"),
            you=self.names.tongue.say("own-seat"),
        )

    # ------------------------------------------------------------ whose it is

    def _colours(self, players: list[Owned]) -> tuple[str, ...]:
        """Of each seat that of what it has, if nobody has pieces and all have different colours; else its own."""
        had = [next(filter(None, map(self._colour, player.figures)), "") for player in players]
        if all(had) and len(set(had)) == len(had) and all(token.owner is None for _, token in self.tokens):
            return tuple(palette.of_thing(colour, 0) for colour in had)
        return tuple(palette.of_seat(seat, number) for number, seat in enumerate(self.state.setting.seats))

    def _colour(self, figure: Figure) -> str:
        """How a value is coloured that is a thing; "" for any other."""
        row = self.cards.row(figure.shown) if isinstance(figure.shown, Ref) else None
        if row is None or not isinstance(figure.shown, Ref):
            return ""
        return self.cards.colour(self.cards.kind(figure.shown.kind), row)

    def _variable(self, slot: int) -> model.Variable:
        return self.state.setting.game.variables[self.state.setting.slot_variable[slot]]

    def _by_owner(self) -> dict[str, dict[int, list[int]]]:
        """The slots of values and piles, by the kind of their owner and its number; all players are among them."""
        found: dict[str, dict[int, list[int]]] = {}
        for slot in range(len(self.seen)):
            variable = self._variable(slot)
            if self._is_drawn(slot):
                continue
            if variable.form not in ("piece", "group", *model.PAST):
                index = self.state.setting.slot_owner[slot] if variable.owner else 0
                found.setdefault(variable.owner, {}).setdefault(index, []).append(slot)
        players = found.setdefault("player", {})
        for index in range(len(self.state.setting.seats)):
            players.setdefault(index, [])
        return found

    def _is_drawn(self, slot: int) -> bool:
        """Whether pieces are drawn by a value, so that it need not be told beside the board."""
        index = self.state.setting.slot_variable[slot]
        shown = self.state.setting.game.pictured.get(self._variable(slot).owner)
        return shown is not None and shown.variable == index

    def _owner(self, kind: str, index: int, slots: list[int]) -> Owned:
        parts = tuple([self._part(slot) for slot in slots])
        off = tuple([token for _, token in self.tokens if _waits(token, index)]) if kind == "player" else ()
        make = partial(self._made_owner, kind, index, parts, off)
        return self.names.kept.as_before(("owner", kind, index), (parts, off), make)

    def _made_owner(self, kind: str, index: int, parts: tuple[Pile | Figure, ...], off: tuple[Token, ...]) -> Owned:
        setting = self.state.setting
        if kind == "player":
            name, group = self.names.seat(setting.seats[index]), self.names.tongue.say("players")
            return Owned(name, index, setting.seat_refs[index], parts, off, kind, name, group)
        thing = setting.things[setting.kind_base[kind] + index]
        value = Ref(thing.kind, thing.key)
        name, short = self.names.ref(value), self.names.short(value)
        strips = tuple(self._strips(value)) if any(isinstance(part, Pile) for part in parts) else ()
        return Owned(name, None, value, parts, (), kind, short, self.names.kinds(kind), strips)

    def _strips(self, thing: Ref) -> Iterator[Strip]:
        """Of a printed thing the traits that are several things."""
        kind, row = self.cards.kind(thing.kind), self.cards.row(thing)
        for trait in kind.traits if row is not None else ():
            value = self.cards.value(kind, trait, row or 0)
            if isinstance(value, tuple) and value and all(isinstance(one, Ref) for one in value):
                yield Strip(plain(trait), tuple(self.cards.card(one) for one in value if isinstance(one, Ref)))

    # ------------------------------------------------------------ values and piles

    def _part(self, slot: int) -> Pile | Figure:
        return self.names.kept.as_before(("part", slot), self.seen[slot], lambda: self._made(slot))

    def _made(self, slot: int) -> Pile | Figure:
        variable, seen = self._variable(slot), self.seen[slot]
        if variable.form != "pile":
            return self._figure(variable, seen)
        order = piles_in_order(self.state.setting.game)
        own = variable.seen == model.OWNER and self.state.setting.slot_variable[slot] not in order
        return self._pile(variable, seen, arranged=own)

    def _pile(self, variable: model.Variable, seen: Seen, *, arranged: bool) -> Pile:
        """arranged: in the order of print, as a player holds cards of which no rule names the places."""
        things = [thing for thing in seen.shown if isinstance(thing, Ref)] if isinstance(seen.shown, tuple) else []
        if arranged:
            things = [things[at] for at in as_printed(things, self.names)]
        cards = tuple(self.cards.card(thing) for thing in things)
        covered = (seen.count or 0) - len(cards)
        text = self._pile_text(variable, tuple(card.name for card in cards), covered)
        return Pile(seen.path, self.names.column(variable), cards, covered, text)

    def _pile_text(self, variable: model.Variable, cards: tuple[str, ...], covered: int) -> str:
        """What can be seen of a pile, and how many things cannot."""
        shown = ", ".join(self.names.counted(cards, "times-short"))
        if not covered:
            return shown or EMPTY
        if shown:
            return f"{shown} + {self.names.tongue.count('hidden-count', covered)}"
        return f"{covered} {self.names.kinds(variable.type.element.kind, covered)}"

    def _figure(self, variable: model.Variable, seen: Seen) -> Figure:
        title, shown = self.names.column(variable), seen.shown
        if seen.hidden:
            return Figure(seen.path, title, self.names.tongue.say("hidden"))
        boxes = self._boxes(variable, shown) if variable.form == "list" and isinstance(shown, tuple) else ()
        return Figure(seen.path, title, self._text(variable, shown), boxes, shown, shown in _NOTHING)

    def _text(self, variable: model.Variable, shown: Value) -> str:
        if shown is None or shown == ():
            return EMPTY
        if variable.keys and isinstance(shown, tuple):
            return ", ".join(self.names.places(variable, shown)) or EMPTY
        return self.names.short(shown)

    def _boxes(self, variable: model.Variable, values: tuple[Value, ...]) -> tuple[tuple[str, str], ...]:
        if variable.keys:
            members = self.state.setting.game.kinds[variable.keys].members
            places = [self.names.short(Ref(variable.keys, one.key)) for one in members]
        else:
            places = [str(variable.first + number) for number in range(len(values))]
        texts = ["" if value is None else self.names.short(value) for value in values]
        return tuple(zip(places, texts, strict=True))

    # ------------------------------------------------------------ boards

    def _board(self, place: model.Place, owned: dict[str, dict[int, list[int]]]) -> Board:
        here = [token for name, token in self.tokens if name == place.name and token.on is not None]
        marks = {index: tuple(self._marks(slots)) for index, slots in owned.get(place.kind, {}).items()}
        looks = self.names.kept.as_before(("looks", place.name), None, lambda: space_looks(self.state, place.name))
        made = made_board(place, here, marks if place.form == "course" else {}, self.cards, looks)
        return evolve(made, sides=self._sides()) if place.form == "grid" and not place.hexagonal else made

    def _sides(self) -> tuple[str, ...]:
        """What is written on the sides of a grid: the first letters of their names, and which values point there."""
        slots = [slot for slot in range(len(self.seen)) if self._variable(slot).type == DIRECTION]
        if not slots:
            return ()
        shared = [self._part(slot) for slot in slots if not self._variable(slot).owner]
        sides = []
        for key in _SIDES:
            side = Ref("direction", key)
            here = [part.title for part in shared if isinstance(part, Figure) and part.shown == side]
            sides.append(": ".join(filter(None, (self.names.ref(side)[:1].upper(), ", ".join(here)))))
        return tuple(sides)

    def _marks(self, slots: list[int]) -> Iterator[Mark]:
        """What belongs to a space and is not nothing."""
        for part in (self._part(slot) for slot in slots):
            if isinstance(part, Figure):
                if not part.is_nothing:
                    yield Mark(part.path, part.title, "" if part.shown is True else part.text, shown=part.shown)
                continue
            for card in part.cards:
                yield Mark(part.path, part.title, card.name, card.colour, card.value, in_pile=True)
            if part.covered:
                yield Mark(part.path, part.title, str(part.covered), shown=part.covered, in_pile=True)


def _waits(token: Token, owner: int | None) -> bool:
    """Whether a piece of an owner stands nowhere and may come again."""
    return token.on is None and token.owner == owner and not token.is_out
