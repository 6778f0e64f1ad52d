"""Makes the picture of a position from what a seat sees of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field

from rulekit.model import game as model
from rulekit.model.colours import COLOURS
from rulekit.play.engine import decisions
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import CHANCE, State
from rulekit.play.state.setting import Thing
from rulekit.play.state.value import Ref, Value
from rulekit.play.view import Seen, turn, worth_seeing
from rulekit.syntax.looks import COLOUR, GLYPH, X, Y
from rulekit.tools.drawing.picture import Board, Card, Figure, Mark, Owned, Picture, Pile, Spot, Token
from rulekit.tools.language.display_names import Names, plain
from rulekit.tools.tell.position_view import seen_values

_MORE = 1
"""Spaces that are drawn beyond the last piece on a track or grid without an end."""
_LONGEST, _SIDE, _AROUND = 150, 40, 2
"""So many spaces of a track, or cells along a side, are drawn; of more of them those so near to pieces."""
_FEW = 12
"""Of a kind with so many members at most, piles are drawn also where nothing lies in them."""
_BESIDE = ("copies", "next")
"""Traits that a card does not tell of itself."""


def picture(state: State, seat: int | None, names: Names) -> Picture:
    """What a seat sees, as values to draw; None sees all that anybody sees."""
    return _Sight(state, names, tuple(seen_values(state, seat))).picture()


@define(eq=False)
class _Sight:
    """A position as somebody sees it, while its picture is made."""

    state: State
    names: Names
    seen: tuple[Seen, ...]
    standing: dict[str, list[tuple[Token, Value]]] = field(factory=dict)
    off: list[Token] = field(factory=list)
    initials: tuple[str, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.initials = _initials(self.state.setting.seats)

    def picture(self) -> Picture:
        self._stand()
        setting = self.state.setting
        waiting = tuple(decision.seat for decision in decisions(self.state) if decision.seat != CHANCE)
        owners = self._by_owner()
        kinds = [owner for owner in owners if owner not in ("", "player")]
        on_board = {place.kind for place in setting.places.values() if place.form == "course"}
        things = [
            self._owned(kind, index, owners[kind]) for kind in kinds if kind not in on_board for index in owners[kind]
        ]
        players = owners.get("player", {})
        return Picture(
            boards=tuple(self._board(place, owners.get(place.kind, {})) for place in setting.places.values()),
            players=tuple(self._owned("player", index, players) for index in range(len(setting.seats))),
            shared=self._shared(owners.get("", {}).get(0, [])),
            things=tuple(one for one in things if one.piles or one.figures),
            seats=setting.seats,
            deciding=waiting,
            turn=turn(self.state),
            decides=self.names.tongue.say("decides"),
        )

    # ------------------------------------------------------------ whose it is

    def _variable(self, slot: int) -> model.Variable:
        return self.state.setting.game.variables[self.state.setting.slot_variable[slot]]

    def _by_owner(self) -> dict[str, dict[int, list[int]]]:
        """The slots of values and piles, by the kind of their owner and its number."""
        found: dict[str, dict[int, list[int]]] = {}
        for slot in range(len(self.seen)):
            variable = self._variable(slot)
            if variable.form not in ("piece", "group", "snapshot"):
                index = self.state.setting.slot_owner[slot] if variable.owner else 0
                found.setdefault(variable.owner, {}).setdefault(index, []).append(slot)
        return found

    def _owned(self, kind: str, index: int, of: dict[int, list[int]]) -> Owned:
        slots, setting = of.get(index, []), self.state.setting
        if kind == "player":
            off = tuple(token for token in self.off if token.owner == index)
            piles, figures = tuple(self._piles(slots)), tuple(self._figures(slots))
            return Owned(plain(setting.seats[index]), index, setting.seat_refs[index], piles, figures, off)
        thing = setting.things[setting.kind_base[kind] + index]
        value = Ref(thing.kind, thing.key)
        few = len(self._kind(kind).members) <= _FEW
        piles = tuple(pile for pile in self._piles(slots) if few or pile.cards or pile.covered)
        figures = tuple(
            figure for figure, slot in zip(self._figures(slots), self._values(slots), strict=True) if self._says(slot)
        )
        return Owned(self.names.ref(value), None, value, piles, figures, kind=kind)

    def _shared(self, slots: list[int]) -> Owned:
        shows = tuple(
            Figure("", self.names.shown(show), self.names.short(value), shown=value)
            for show, value in worth_seeing(self.state)
        )
        off = tuple(token for token in self.off if token.owner is None)
        return Owned("", None, None, tuple(self._piles(slots)), (*shows, *self._figures(slots)), off)

    # ------------------------------------------------------------ values and piles

    def _values(self, slots: list[int]) -> list[int]:
        return [slot for slot in slots if self._variable(slot).form != "pile"]

    def _piles(self, slots: list[int]) -> Iterator[Pile]:
        for slot in slots:
            variable, seen = self._variable(slot), self.seen[slot]
            if variable.form == "pile":
                things = seen.shown if isinstance(seen.shown, tuple) else ()
                cards = tuple(self._card(thing) for thing in things if isinstance(thing, Ref))
                title = self.names.column(variable)
                yield Pile(seen.path, title, cards, (seen.count or 0) - len(cards))

    def _figures(self, slots: list[int]) -> Iterator[Figure]:
        for slot in self._values(slots):
            variable, seen = self._variable(slot), self.seen[slot]
            title = self.names.column(variable)
            if seen.hidden:
                yield Figure(seen.path, title, self.names.tongue.say("hidden"))
            elif variable.form == "list" and isinstance(seen.shown, tuple):
                yield Figure(seen.path, title, "", self._boxes(variable, seen.shown), seen.shown)
            else:
                text = "–" if seen.shown is None else self.names.short(seen.shown)
                yield Figure(seen.path, title, text, shown=seen.shown)

    def _boxes(self, variable: model.Variable, values: tuple[Value, ...]) -> tuple[tuple[str, str], ...]:
        if variable.keys:
            places = [self.names.short(Ref(variable.keys, one.key)) for one in self._kind(variable.keys).members]
        else:
            places = [str(variable.first + number) for number in range(len(values))]
        texts = ["" if value is None else self.names.short(value) for value in values]
        return tuple(zip(places, texts, strict=True))

    def _says(self, slot: int) -> bool:
        """Whether a value of a thing is worth drawing."""
        seen = self.seen[slot]
        return seen.hidden or seen.shown not in (None, False, 0, ())

    def _kind(self, name: str) -> model.Kind:
        return self.state.setting.game.kinds[name]

    def _card(self, thing: Ref) -> Card:
        kind = self._kind(thing.kind)
        number = next((at for at, member in enumerate(kind.members) if member.key == thing.key), None)
        name = self.names.short(thing)
        if number is None:
            return Card(thing, name, self.names.ref(thing))
        traits = [(trait, self._trait(kind, trait, number)) for trait in kind.traits if trait not in _BESIDE]
        lines = tuple(_line(plain(trait), kind.trait_types[trait].name, text) for trait, text in traits if text)
        told = kind.members[number].title
        title, glyph = "" if told.lower() == name.lower() else told, _look(kind, GLYPH, number)
        return Card(thing, name, title, lines, self._colour(kind, number), glyph)

    def _trait(self, kind: model.Kind, trait: str, number: int) -> str:
        """A trait of a thing in words; "" for one that it has not."""
        value = outward(self.state.setting, kind.trait_types[trait], kind.traits[trait][number])
        if isinstance(value, tuple):
            return " ".join(self.names.counted(map(self.names.short, value), "times-short"))
        return "" if value in (None, False, 0) else self.names.short(value)

    def _colour(self, kind: model.Kind, number: int) -> str:
        """As its look says; else what the thing, or a trait of it that is a thing, is called, if that is a colour."""
        values = (
            outward(self.state.setting, kind.trait_types[trait], kind.traits[trait][number]) for trait in kind.traits
        )
        keys = [kind.members[number].key, *(value.key for value in values if isinstance(value, Ref))]
        return _look(kind, COLOUR, number) or next((key for key in keys if key in COLOURS), "")

    def _look_of_sort(self, kind: model.Kind, look: str, number: int) -> str:
        """A look of a space; where it has none, of its sort."""
        trait = _sort_trait(kind)
        sort = (
            None if trait is None else outward(self.state.setting, kind.trait_types[trait], kind.traits[trait][number])
        )
        own = _look(kind, look, number)
        if own or not isinstance(sort, Ref):
            return own
        of = self._kind(sort.kind)
        return next((_look(of, look, at) for at, member in enumerate(of.members) if member.key == sort.key), "")

    # ------------------------------------------------------------ boards

    def _stand(self) -> None:
        """Every piece, by the place it can stand on."""
        setting = self.state.setting
        for slot, seen in enumerate(self.seen):
            variable = self._variable(slot)
            if variable.form not in ("piece", "group"):
                continue
            index = setting.slot_variable[slot]
            thing = setting.things[setting.piece_first[index] + slot - setting.bases[index]]
            token = self._token(variable, thing, seen)
            if seen.shown is None:
                self.off += [] if seen.is_out else [token]
            else:
                self.standing.setdefault(variable.place, []).append((token, seen.shown))

    def _token(self, variable: model.Variable, thing: Thing, seen: Seen) -> Token:
        ref = Ref(thing.kind, thing.key)
        number = thing.key.rpartition("_")[2] if variable.count > 1 and thing.owner is not None else ""
        kind, title = self._kind(thing.kind), self.names.ref(ref).removeprefix("the ")
        row = next((at for at, member in enumerate(kind.members) if member.key == thing.key), None)
        if thing.owner is None:
            label = plain(thing.key) if kind.members else self.names.kinds(thing.kind, 1)
        else:
            here = [v for v in self.state.setting.game.variables if v.place == variable.place and v.owner == "player"]
            sort = self.names.kinds(thing.kind, 1)[:1].upper() if len(here) > 1 else ""
            label = self.initials[thing.owner] + sort + number
        colour = "" if row is None else self._colour(kind, row)
        label = label if row is None else _look(kind, GLYPH, row) or label
        return Token(ref, seen.path, label, title, thing.kind, thing.owner, colour, seen.shown)

    def _board(self, place: model.Place, owned: dict[int, list[int]]) -> Board:
        title, standing = self.names.place_name(place), self.standing.get(place.name, [])
        if place.form == "course":
            return self._course(place, title, standing, owned)
        spots = self._cells(place, standing) if place.form == "grid" else self._numbers(place, standing)
        return Board(place.name, title, place.form, tuple(spots))

    def _numbers(self, place: model.Place, standing: list[tuple[Token, Value]]) -> Iterator[Spot]:
        on: dict[int, list[Token]] = {}
        for token, space in standing:
            assert isinstance(space, int), space
            on.setdefault(space, []).append(token)
        high = place.high if place.high is not None else max([place.low, *on]) + _MORE
        title = self.names.place_name(place)
        for number in _drawn(range(place.low, high + 1), on, _LONGEST):
            yield Spot(number, str(number), f"{title} {number}", tuple(on.get(number, ())))

    def _cells(self, place: model.Place, standing: list[tuple[Token, Value]]) -> Iterator[Spot]:
        on: dict[tuple[int, int], list[Token]] = {}
        for token, space in standing:
            assert isinstance(space, Ref), space
            column, row = map(int, space.key.split(","))
            on.setdefault((column, row), []).append(token)
        columns, rows = (
            _drawn(_reach([cell[side] for cell in on], size), [cell[side] for cell in on], _SIDE)
            for side, size in enumerate((place.width, place.height))
        )
        for y, row in enumerate(rows):
            for x, column in enumerate(columns):
                value, here = Ref("cell", f"{column},{row}"), tuple(on.get((column, row), ()))
                yield Spot(value, "", f"{column},{row}", here, column=x, row=y)

    def _course(
        self, place: model.Place, title: str, standing: list[tuple[Token, Value]], owned: dict[int, list[int]]
    ) -> Board:
        kind = self._kind(place.kind)
        at = {member.key: number for number, member in enumerate(kind.members)}
        sort_of = self._sort(kind)
        short = _shorts(sort_of)
        spots = []
        for number, member in enumerate(kind.members):
            value = Ref(place.kind, member.key)
            tokens = tuple(token for token, space in standing if space == value)
            links = tuple(at[key] for key in self._next(kind, number))
            spots.append(
                Spot(
                    value,
                    member.key,
                    self.names.ref(value),
                    tokens,
                    sort_of[number],
                    links,
                    tuple(self._marks(owned.get(number, []))),
                    fill=self._look_of_sort(kind, COLOUR, number),
                    glyph=self._look_of_sort(kind, GLYPH, number) or short[sort_of[number]],
                    at=_place(kind, number),
                )
            )
        return Board(place.name, title, place.form, tuple(spots), tuple(dict.fromkeys(sort_of)))

    def _marks(self, slots: list[int]) -> Iterator[Mark]:
        for pile in self._piles(slots):
            for card in pile.cards:
                yield Mark(pile.path, pile.title, card.name, card.colour)
            if pile.covered:
                yield Mark(pile.path, pile.title, str(pile.covered))
        for slot in self._values(slots):
            if self._says(slot):
                seen, title = self.seen[slot], self.names.column(self._variable(slot))
                text = "" if seen.shown is True else self.names.short(seen.shown)
                yield Mark(seen.path, title, text, shown=seen.shown)

    def _sort(self, kind: model.Kind) -> list[str]:
        """By member its first trait that is a thing; "" for all where they have none."""
        trait = _sort_trait(kind)
        count = range(len(kind.members))
        return ["" if trait is None else self._trait(kind, trait, number) for number in count]

    def _next(self, kind: model.Kind, number: int) -> tuple[str, ...]:
        following = outward(self.state.setting, kind.trait_types["next"], kind.traits["next"][number])
        spaces = following if isinstance(following, tuple) else (following,)
        return tuple(space.key for space in spaces if isinstance(space, Ref))


def _look(kind: model.Kind, look: str, number: int) -> str:
    """A look of a member; "" without."""
    return kind.looks[look][number] if look in kind.looks else ""


def _place(kind: model.Kind, number: int) -> tuple[int, int] | None:
    """Where the look of a space says that it lies."""
    x, y = _look(kind, X, number), _look(kind, Y, number)
    return (int(x), int(y)) if x and y else None


def _shorts(sorts: Sequence[str]) -> dict[str, str]:
    """By sort the beginning of its name that no other has; "" for that of most spaces, so that it stands for itself."""
    names = list(dict.fromkeys(sorts))
    most = max(names, key=sorts.count, default="")
    found = {most: ""}
    for name in names:
        length = next((n for n in range(1, 4) if [other[:n] for other in names].count(name[:n]) == 1), 4)
        found.setdefault(name, name[:length])
    return found


def _sort_trait(kind: model.Kind) -> str | None:
    """The first trait that is a thing: spaces are sorted by it."""
    return next((name for name, sort in kind.trait_types.items() if sort.name == "thing"), None)


def _reach(numbers: list[int], size: int | None) -> range:
    """The columns or rows to draw: all of them, or where there is no end those in use and some around them."""
    if size is not None:
        return range(1, size + 1)
    return range(min(numbers) - _MORE, max(numbers) + _MORE + 1) if numbers else range(0)


def _line(trait: str, sort: str, text: str) -> str:
    """A trait on a card: things speak for themselves, numbers do not."""
    return {"flag": trait, "thing": text}.get(sort, f"{trait} {text}")


def _drawn(numbers: range, taken: Iterable[int], most: int) -> Sequence[int]:
    """All of the numbers, or of very many those around what stands there."""
    if len(numbers) <= most:
        return numbers
    near = {number for here in taken for number in range(here - _AROUND, here + _AROUND + 1)}
    return sorted(number for number in near if number in numbers)


def _initials(seats: Sequence[str]) -> tuple[str, ...]:
    """How each seat's pieces are marked: the shortest beginning of its name that no other has, of two letters at most.

    Colours alone would not do for who sees them alike.
    """
    ones = [seat[:1] for seat in seats]
    return tuple(seat[: 1 if ones.count(seat[:1]) == 1 else 2].upper() for seat in seats)
