"""The static environment of a match: a game set up for given seats and options.

Which things there are and in which slot each value lies; constant through a
match.  A thing is a small integer: first all printed members, then pieces,
then copies of cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulekit import limits
from rulekit.model import game as model
from rulekit.model.expr import Value as Inner
from rulekit.model.traversal import words_read
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.event import Audience
from rulekit.play.state.value import Ref
from rulekit.values import define, field, frozen


@frozen
class Thing:
    """row: its printed member (itself for pieces).  owner: the seat of a piece."""

    kind: str
    row: int
    key: str
    title: str
    number: int | None = None
    owner: int | None = None


@define(eq=False)
class Visits:
    """Where matches came by, in what was tried as well.

    places: operations by code and place; defines, invariants: by their number.
    cells:  what is printed, by kind, trait and the number of the member.
    apart:  whether the match was one of another game, such as one with observers put in, which has other places.
    """

    places: set[tuple[int, int]] = field(factory=set)
    defines: set[int] = field(factory=set)
    invariants: set[int] = field(factory=set)
    cells: set[tuple[str, str, int]] = field(factory=set)
    apart: bool = False


@define(eq=False)
class Setting:
    """Shared by all states of a match; never changed after it is made.

    refs:       by thing, how it is spoken of, one between all that read alike; seat_refs by seat.
    own_slots:  by seat, where what belongs to it lies; seat_of by slot, whose it is.
    audiences:  by slot, who may know what lies in it as it is declared; tops whether its top alone is seen.
    told_paths: by slot the path in views, in which each piece of a group has one of its own.
    teams:      the seats of each team, in the order of their first ones; of players who play alone none.
    grid:       the first grid there is, if there is one.
    positions:  what was worked out from positions of late; kept here by `machine.memo`.
    values_of_position:  takes out of all values those that a position is made of; kept here too.
    codes:      how positions are written in histories, by kind; kept here by `position_codes`.
    meanings:   what its expressions mean, by how closely one looks; kept here by `closure_compilation.meanings`.
    told:       whether it can be asked later what decided an event.
    untraced:   while that is being found: the setting as it was.
    visits:     filled while the match runs, if somebody wants to know: see `note`.
    """

    game: model.Game
    options: tuple[Inner, ...]
    seats: tuple[str, ...]
    neutrals: int
    places: dict[str, model.Place] = field(factory=dict, repr=False)
    things: list[Thing] = field(factory=list, repr=False)
    row_of: list[int] = field(factory=list, repr=False)
    refs: list[Ref] = field(factory=list, repr=False)
    one_ref: dict[Ref, Ref] = field(factory=dict, repr=False)
    seat_refs: list[Ref] = field(factory=list, repr=False)
    bases: list[int] = field(factory=list, repr=False)
    kind_base: dict[str, int] = field(factory=dict, repr=False)
    kind_count: dict[str, int] = field(factory=dict, repr=False)
    piece_first: dict[int, int] = field(factory=dict, repr=False)
    piece_slot: dict[int, int] = field(factory=dict, repr=False)
    piece_place: dict[int, str] = field(factory=dict, repr=False)
    place_at: dict[int, model.Place] = field(factory=dict, repr=False)
    piece_home: dict[int, Inner] = field(factory=dict, repr=False)
    on_place: dict[str, list[int]] = field(factory=dict, repr=False)
    pile_slots: list[int] = field(factory=list, repr=False)
    is_pile: list[bool] = field(factory=list, repr=False)
    own_slots: list[list[int]] = field(factory=list, repr=False)
    seat_of: list[int | None] = field(factory=list, repr=False)
    slot_variable: list[int] = field(factory=list, repr=False)
    slot_owner: list[int] = field(factory=list, repr=False)
    audiences: list[Audience] = field(factory=list, repr=False)
    tops: list[bool] = field(factory=list, repr=False)
    paths: list[str] = field(factory=list, repr=False)
    told_paths: list[str] = field(factory=list, repr=False)
    values: list[Inner] = field(factory=list, repr=False)
    copy_base: int = 0
    teams: tuple[tuple[int, ...], ...] = ()
    seed: int | None = None
    checked: bool = False
    watched: bool = False
    told: bool = True
    untraced: Setting | None = None
    entered: Callable[[Any, int, list[Any]], None] | None = None
    round_begun: Callable[[Any], Callable[[], None]] | None = None
    visits: Visits | None = None
    meanings: dict[str, Any] = field(factory=dict, repr=False)
    codes: dict[str, Any] = field(factory=dict, repr=False)
    positions: dict[Any, dict[Any, Any]] = field(factory=dict, repr=False)
    values_of_position: Callable[[list[Any]], Any] | None = field(default=None, repr=False)
    grid: model.Place | None = field(init=False, repr=False)
    everyone: int = field(init=False)
    players: int = field(init=False)
    has_only_if: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.everyone = len(self.seats)
        self.grid = next((place for place in self.places.values() if place.form == "grid"), None)
        self.has_only_if = any(code.has_only_if for code in self.game.codes)
        self.players = self.everyone - self.neutrals

    @property
    def asks_for_order(self) -> bool:
        """Whether anything in the game asks who answered last."""
        return "answered_last" in words_read(self.game)

    def note(self, visits: Visits) -> None:
        """Have it noted where this match comes by, before it begins; the meanings of other matches note nothing."""
        self.visits, self.meanings = visits, {}

    def open(self, name: str, place: model.Place) -> None:
        """Another place than the declared one, before a match begins."""
        if self.grid is self.places[name]:
            self.grid = place
        self.places[name] = place
        self.place_at |= dict.fromkeys(self.on_place.get(name, ()), place)
        self.meanings.clear()

    def show(self, slot: int, seats: frozenset[int]) -> None:
        """Say who sees what lies in a slot, before a match begins; all of them is everybody."""
        self.audiences[slot] = None if len(seats) == self.everyone else seats

    def team_of(self, seat: int) -> tuple[int, ...]:
        """The seats of a player's team; the player alone where there are none."""
        return next((team for team in self.teams if seat in team), (seat,))

    def team_numbers(self) -> tuple[int, ...]:
        """By seat the number of its team; each seat that is nobody's has one of its own."""
        found = {seat: number for number, team in enumerate(self.teams) for seat in team}
        return tuple(found.get(seat, len(self.teams) + seat) for seat in range(self.everyone))

    def owners(self, variable: model.Variable) -> int:
        """How many owners a variable has: one, everyone, or the members of a kind."""
        if variable.owner == "":
            return 1
        return self.everyone if variable.owner == "player" else self.kind_count[variable.owner]

    def slot(self, variable: int, owner: Inner) -> int:
        """Where the value of a variable lies; `owner` is a seat or thing, or None."""
        declared = self.game.variables[variable]
        return self.bases[variable] + self.owner_index(declared, owner) * (
            declared.count if declared.form == "group" else 1
        )

    def owner_index(self, variable: model.Variable, owner: Inner) -> int:
        if variable.owner == "" or owner is None:
            return 0
        assert isinstance(owner, int)
        if variable.owner == "player":
            return owner
        return self.row_of[owner] - self.kind_base[variable.owner]

    def path(self, slot: int) -> str:
        """The name of a slot as people write it: `red.hand`."""
        return self.paths[slot]

    def piece_at(self, slot: int) -> int:
        """The piece whose space is the value of a slot."""
        index = self.slot_variable[slot]
        return self.piece_first[index] + slot - self.bases[index]

    def place_path(self, slot: int, index: int) -> str:
        """The name of one place of a list, as people write it: `red.sheet[2]`, `red.goods[salt]`."""
        variable = self.game.variables[self.slot_variable[slot]]
        if variable.keys:
            return f"{self.paths[slot]}[{self.things[self.kind_base[variable.keys] + index - 1].key}]"
        return f"{self.paths[slot]}[{variable.first + index - 1}]"

    def lies_in(self, lies: Sequence[int], thing: int) -> int | None:
        """The slot of the pile that a copy lies in; None for printed members and things out of the game."""
        index = thing - self.copy_base
        return None if index < 0 or lies[index] < 0 else lies[index]

    def ref(self, thing: int) -> Ref:
        return self.refs[thing]


def seat_number(setting: Setting, who: object, among: int) -> int:
    """The number of one of the first `among` seats, given as such, by its name or as a player.

    Errors: `ValueError` with the seats that there are.
    """
    if type(who) is int and 0 <= who < among:
        return who
    names = setting.seats[:among]
    name = who.key if isinstance(who, Ref) and who.kind == "player" else who
    if isinstance(name, str) and name in names:
        return names.index(name)
    said = f"`{name}`" if isinstance(name, str) else repr(who)
    raise ValueError(f"there is no seat {said}; {_seat_meant(name, names)}")


def _seat_meant(name: object, names: tuple[str, ...]) -> str:
    from rulekit.diagnostics import nearest

    near = nearest(name, names) if isinstance(name, str) else ""
    return near or f"the seats are {', '.join(f'{seat} ({name})' for seat, name in enumerate(names))}"


def lay_out(
    game: model.Game, options: tuple[Inner, ...], seats: tuple[str, ...], neutrals: int, seed: int | None
) -> Setting:
    """The things and slots of a match; start values come later, since they may read anything."""
    setting = Setting(game, options, seats, neutrals, dict(game.places), seed=seed)
    setting.seat_refs = [Ref("player", seat) for seat in seats]
    _prints(setting)
    _pieces(setting)
    _slots(setting)
    setting.copy_base = len(setting.things)
    return setting


def _prints(setting: Setting) -> None:
    for kind in setting.game.kinds.values():
        if not kind.members:
            continue
        assert kind.base == len(setting.things), kind.name
        setting.kind_base[kind.name] = kind.base
        setting.kind_count[kind.name] = len(kind.members)
        for member in kind.members:
            number = int(member.key) if kind.numbered else None
            _add(setting, Thing(kind.name, len(setting.things), member.key, member.title, number))


def _add(setting: Setting, thing: Thing) -> int:
    setting.things.append(thing)
    setting.row_of.append(thing.row)
    ref = Ref(thing.kind, thing.key)
    setting.refs.append(setting.one_ref.setdefault(ref, ref))
    return len(setting.things) - 1


def _pieces(setting: Setting) -> None:
    """Pieces that variables declare; those laid out in rows are printed members already."""
    for index, variable in enumerate(setting.game.variables):
        if variable.form not in ("piece", "group"):
            continue
        kind = variable.type.kind if variable.form == "piece" else variable.type.element.kind
        if setting.game.kinds[kind].members:
            setting.piece_first[index] = setting.kind_base[kind]
            continue
        owners = 1 if variable.owner == "" else setting.everyone
        setting.piece_first[index] = len(setting.things)
        setting.kind_base.setdefault(kind, len(setting.things))
        if len(setting.things) + owners * variable.count > limits.SET:
            raise BadSetup(f"the game has more than {limits.SET} pieces")
        for owner in range(owners):
            for number in range(variable.count):
                _add(setting, _piece(setting, variable, kind, owner, number))
        setting.kind_count[kind] = setting.kind_count.get(kind, 0) + owners * variable.count


def _piece(setting: Setting, variable: model.Variable, kind: str, owner: int, number: int) -> Thing:
    mine = variable.owner == "player"
    key = setting.seats[owner] if mine else variable.name
    if variable.count > 1:
        key = f"{key}_{number + 1}"
    title = f"{setting.seats[owner]}'s {kind}" if mine else kind.replace("_", " ")
    return Thing(kind, len(setting.things), key, title, None, owner if mine else None)


def _slots(setting: Setting) -> None:
    setting.own_slots = [[] for _ in setting.seats]
    for index, variable in enumerate(setting.game.variables):
        setting.bases.append(len(setting.values))
        for owner in range(setting.owners(variable)):
            for number in range(variable.count if variable.form == "group" else 1):
                slot = len(setting.values)
                setting.values.append(None)
                setting.slot_variable.append(index)
                setting.slot_owner.append(owner)
                setting.audiences.append(_audience(setting, variable, owner))
                setting.tops.append(variable.seen == model.TOP)
                setting.paths.append(_path(setting, variable, owner))
                setting.told_paths.append(_told_path(setting, index, variable, owner, number))
                setting.seat_of.append(owner if variable.owner == "player" else None)
                setting.is_pile.append(variable.form == "pile")
                if variable.owner == "player":
                    setting.own_slots[owner].append(slot)
                if variable.form == "pile":
                    setting.pile_slots.append(slot)
                if variable.form in ("piece", "group"):
                    _stand(setting, index, variable, owner, number, slot)
    if len(setting.values) > limits.SET:
        raise BadSetup(f"the game has more than {limits.SET} values")


def _audience(setting: Setting, variable: model.Variable, owner: int) -> Audience:
    """As far as the declaration itself says it; of a define, `show` says it."""
    if variable.seen in (model.PUBLIC, model.TOP):
        return None
    if variable.seen == model.OTHERS:
        return frozenset(range(setting.everyone)) - {owner}
    return frozenset([owner]) if variable.seen == model.OWNER else frozenset()


def _path(setting: Setting, variable: model.Variable, owner: int) -> str:
    if variable.owner == "":
        return variable.name
    if variable.owner == "player":
        return f"{setting.seats[owner]}.{variable.name}"
    return f"{setting.things[setting.kind_base[variable.owner] + owner].key}.{variable.name}"


def _told_path(setting: Setting, index: int, variable: model.Variable, owner: int, number: int) -> str:
    if variable.form != "group":
        return setting.paths[-1]
    piece = setting.piece_first[index] + owner * variable.count + number
    return f"{variable.name}.{setting.things[piece].key}"


def _stand(setting: Setting, index: int, variable: model.Variable, owner: int, number: int, slot: int) -> None:
    piece = setting.piece_first[index] + owner * variable.count + number
    setting.piece_slot[piece] = slot
    setting.piece_place[piece] = variable.place
    setting.place_at[piece] = setting.places[variable.place]
    setting.on_place.setdefault(variable.place, []).append(piece)


def copy_of(setting: Setting, printed: int) -> int:
    """A new copy of a printed card."""
    origin = setting.things[printed]
    return _add(setting, Thing(origin.kind, printed, origin.key, origin.title, origin.number))
