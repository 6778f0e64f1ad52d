"""Storage layout: the words and lists of a plan, and their first values, from a match that is set up.

Words and lists are numbered here and nowhere else.
"""

from __future__ import annotations

from typing import Any

from rulekit.compiler.lower.storage.non_null import always_placed
from rulekit.compiler.lower.storage.uniqueness import own_copies, unique_kinds
from rulekit.compiler.plan.ir import NONE, WIDTH, pair
from rulekit.errors import RulekitError
from rulekit.model import game as model
from rulekit.model import traversal
from rulekit.play.machine.working_state import Machine
from rulekit.play.state.position_codes import width
from rulekit.play.state.setting import Setting
from rulekit.values import define, field

LARGEST = 1024
"""Cells of a grid for which is kept who stands there: a copy of a larger one would cost more than looking."""
LISTED = ("pile", "list", *model.PAST)
"""Forms of variables that are lists; the others are words."""


class Unsupported(RulekitError):
    """The plan cannot say this; the reference engine plays such a game."""


DEEP, APART = "deep", "apart"
"""Features that a plan has only where it must.

DEEP: recursion depth is counted.  APART: ownership is checked inside `secretly each`.
"""


class Restart(Unsupported):
    """The plan can say this if it is lowered again with a feature that costs too much to be always there.

    need:  DEEP or APART.
    """

    def __init__(self, need: str) -> None:
        super().__init__(f"rules that need to be made with {need}")
        self.need = need


@define(eq=False)
class Storage:
    """The words and lists of a plan, what each is called and what it begins with.

    word_base, list_base:  the first word or list of a variable, its owners following.  list_of: by slot, its list.
    pieces:   the word of piece p is pieces + p; gone: likewise, whether it was taken off the board.
    unique_kinds:  kinds of copies of which nobody ever holds two that are alike.
    boards:   by grid with edges, the first of the words of its cells; see `occupancy_index`.
    own_copies:  of these kinds, by player, the copy of each printed card.
    apart_for:  the word with the seat whose block of `secretly each` runs, where that has to be looked at; such blocks
              may bring pieces to one cell that has no room for both.
    deep:     where reactions may come back to themselves, the word of how many rules are running, one in another.
    always_placed:  variables whose pieces stand somewhere at all times.
    order_matters:  whether some rule asks who answered last.
    unclear:  by option, the word that says whether its open reading was met, in a try too.
    kept:     the first of the last words, which no try takes back.
    notes_lies:  whether these words are kept up to date; known when the plan is made.
    lies:     the word of copy c is lies + c: the list in which it lies, or -1.
    known:    by list, the word that says how many of a shuffled pile are known; `NONE` in it: all.
    counters: what matches count, see `counters`, or None.
    leads:    the first of the words that hold by seat the value that ranks it first, the more the better; or None.
    under:    by list, the word that says how many were put under it since, where some may be.
    """

    setting: Setting
    words: list[int] = field(factory=list)
    word_names: list[str] = field(factory=list)
    lists: list[tuple[int, ...]] = field(factory=list)
    rooms: list[int] = field(factory=list)
    list_names: list[str] = field(factory=list)
    word_base: dict[int, int] = field(factory=dict)
    list_base: dict[int, int] = field(factory=dict)
    list_of: dict[int, int] = field(factory=dict)
    streams: list[str] = field(factory=list)
    known: dict[int, int] = field(factory=dict)
    under: dict[int, int] = field(factory=dict)
    pieces: int = 0
    gone: int | None = None
    boards: dict[str, int] = field(factory=dict)
    lies: int = 0
    starter: int = 0
    last_answer: int = 0
    ending: int = 0
    unclear: dict[int, int] = field(factory=dict)
    kept: int = 0
    places: int = 0
    rank: int = 0
    defeats: int = 0
    defeated: int = 0
    leads: int | None = None
    first_draw: int = 0
    shuffled: set[int] = field(factory=set)
    always_placed: frozenset[int] = frozenset()
    unique_kinds: frozenset[str] = frozenset()
    own_copies: dict[str, tuple[dict[int, int], ...]] = field(factory=dict)
    order_matters: bool = False
    notes_lies: bool = True
    deep: int | None = None
    apart_for: int | None = None
    counters: Any = None

    def word(self, name: str, value: int) -> int:
        self.words.append(value)
        self.word_names.append(name)
        return len(self.words) - 1

    def list(self, name: str, values: tuple[int, ...], room: int) -> int:
        self.lists.append(values)
        self.rooms.append(room)
        self.list_names.append(name)
        return len(self.lists) - 1

    def stream(self, name: str) -> int:
        return self.streams.index(name)


def lay_out(m: Machine) -> Storage:
    """The storage of a match whose start values are worked out."""
    storage = Storage(m.setting)
    _of_the_match(storage, m)
    _pieces(storage, m)
    _boards(storage)
    for index, variable in enumerate(m.setting.game.variables):
        (_lists if variable.form in LISTED else _words)(storage, m, index, variable)
    _shuffled(storage)
    _copies(storage, m)
    _draws(storage)
    storage.always_placed = always_placed(m)
    storage.unique_kinds = unique_kinds(m)
    storage.own_copies = {kind: own_copies(m, kind) for kind in storage.unique_kinds}
    storage.order_matters = "answered_last" in traversal.words_read(m.setting.game)
    return storage


def keep(storage: Storage, m: Machine) -> None:
    """The first of the words that no try takes back; they stand behind all others."""
    storage.kept = len(storage.words)
    for index, option in enumerate(m.setting.game.options):
        if option.unclear:
            storage.unclear[index] = storage.word(f"{option.name} was met", int(index in m.unclear))


def encoded(value: Any) -> int:
    """A value of the reference engine as an integer."""
    if value is None:
        return NONE
    if not isinstance(value, tuple):
        return int(value)
    match value:
        case (int(first), int(second)):
            return pair(first, second)
    raise Unsupported(f"the value {value!r} of a variable")


def _of_the_match(storage: Storage, m: Machine) -> None:
    everyone = m.setting.everyone
    storage.starter = storage.word("starter", m.starter)
    storage.last_answer = storage.word("last answer", NONE)
    storage.ending = storage.word("ending", 0)
    storage.places = storage.word("places", 0)
    storage.rank = len(storage.words)
    for name in m.setting.seats:
        storage.word(f"rank of {name}", NONE)
    storage.defeats = storage.word("defeated", 0)
    storage.defeated = len(storage.words)
    for name in m.setting.seats:
        storage.word(f"defeat of {name}", NONE)
    assert len(storage.words) == storage.defeated + everyone


def _pieces(storage: Storage, m: Machine) -> None:
    setting = m.setting
    if not setting.piece_slot:
        return
    first, last = min(setting.piece_slot), max(setting.piece_slot)
    storage.pieces = len(storage.words) - first
    for piece in range(first, last + 1):
        slot = setting.piece_slot.get(piece)
        name = "(none)" if slot is None else setting.path(slot)
        storage.word(name, NONE if slot is None else encoded(m.values[slot]))
    if any(op.effects.removes for code in setting.game.codes for op in code.ops):
        storage.gone = len(storage.words) - first
        for piece in range(first, last + 1):
            storage.word(f"{setting.things[piece].key} gone", 0)


ONE_PIECE = 1 << 32
"""In the word of a cell, beside the numbers of its pieces."""


def _boards(storage: Storage) -> None:
    """For every cell of every grid with edges how many pieces stand there, in units of `ONE_PIECE`, and the sum of
    their numbers.
    """
    for place in storage.setting.places.values():
        size = (place.width or 0) * (place.height or 0) if place.form == "grid" else 0
        if 0 < size <= LARGEST:
            storage.boards[place.name] = len(storage.words)
            for cell in range((place.width or 0) * words_of_column(place)):
                storage.word(f"pieces on cell {cell} of {place.name}", 0)
    count_pieces(storage, storage.words)


def words_of_column(place: model.Place) -> int:
    """How many words a column has in the occupancy index: a power of 2 if that leaves at most a quarter of them unused.

    For then the word of a cell is found by a shift in place of a multiplication.
    """
    assert place.height is not None
    power = 1 << (place.height - 1).bit_length()
    return power if 4 * place.height >= 3 * power else place.height


def count_pieces(storage: Storage, words: list[int]) -> None:
    """Fill the words of the boards from those of the pieces."""
    for name, base in storage.boards.items():
        place = storage.setting.places[name]
        assert place.width is not None
        stride = words_of_column(place)
        words[base : base + place.width * stride] = [0] * (place.width * stride)
        for piece in storage.setting.on_place.get(name, ()):
            if (cell := words[storage.pieces + piece]) != NONE:
                column = (cell + WIDTH // 2) // WIDTH
                words[base + column * stride + cell - column * WIDTH] += ONE_PIECE + piece


def _words(storage: Storage, m: Machine, index: int, variable: model.Variable) -> None:
    if variable.form in ("piece", "group"):
        return
    storage.word_base[index] = len(storage.words)
    for owner in range(m.setting.owners(variable)):
        slot = m.setting.bases[index] + owner
        storage.word(m.setting.path(slot), encoded(m.values[slot]))


def _lists(storage: Storage, m: Machine, index: int, variable: model.Variable) -> None:
    storage.list_base[index] = len(storage.lists)
    room = variable.last - variable.first + 1
    if variable.form == "pile":
        kind = variable.type.element.kind
        things = m.setting.things[m.setting.copy_base :]
        room = sum(thing.kind == kind for thing in things)
    if variable.form == "snapshot":
        room = 2 * len(m.setting.piece_slot)
    if variable.form == "history":
        room = variable.last * width(m.setting, variable)
    for owner in range(m.setting.owners(variable)):
        slot = m.setting.bases[index] + owner
        values = encoded_list(m.values[slot])
        storage.list_of[slot] = storage.list(m.setting.path(slot), values, max(room, len(values)))


def encoded_list(values: Any) -> tuple[int, ...]:
    """A list of the reference engine as integers; a snapshot as piece, cell, piece, cell …, nothing as empty."""
    made: list[int] = []
    for value in values or ():
        made += [encoded(part) for part in value] if isinstance(value, tuple) else [encoded(value)]
    return tuple(made)


def _shuffled(storage: Storage) -> None:
    """Piles that are ever shuffled have a word for how many of their things are known."""
    setting = storage.setting
    for code in setting.game.codes:
        for op in code.ops:
            storage.shuffled |= {getattr(op, name).variable for name in op.effects.shuffles}
    for variable in sorted(storage.shuffled):
        base = storage.list_base[variable]
        for owner in range(setting.owners(setting.game.variables[variable])):
            name = storage.list_names[base + owner]
            storage.known[base + owner] = storage.word(f"known of {name}", NONE)
            if variable in _filled(setting):
                storage.under[base + owner] = storage.word(f"under {name}", 0)


def _filled(setting: Setting) -> set[int]:
    """Variables onto whose piles some rule puts things."""
    found: set[int] = set()
    for code in setting.game.codes:
        for op in code.ops:
            found |= {getattr(op, name).variable for name in op.effects.fills}
            if op.effects.takes and op.effects.exchanges:
                found |= {index for index, each in enumerate(setting.game.variables) if each.form == "pile"}
    return found


def _copies(storage: Storage, m: Machine) -> None:
    setting = m.setting
    storage.lies = len(storage.words) - setting.copy_base
    for number, slot in enumerate(m.lies):
        thing = setting.things[setting.copy_base + number]
        storage.word(f"{thing.kind} {thing.key} lies in", -1 if slot < 0 else storage.list_of[slot])


def _draws(storage: Storage) -> None:
    names: dict[str, None] = {}
    for code in storage.setting.game.codes:
        for op in code.ops:
            if op.effects.draws:
                names[getattr(op, op.effects.draws)] = None
    names.update((storage.list_names[number], None) for number in storage.known)
    storage.streams = list(names)
    storage.first_draw = len(storage.words)
    for name in storage.streams:
        storage.word(f"draws from {name}", 0)
