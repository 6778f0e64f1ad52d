"""What things, places and values are called in plain English.

Made from titles and declared names alone; a name is shown to people, so its
underscores are blanks and nothing in it can steer a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define, field

from rulekit.diagnostics import printable
from rulekit.model import game as model
from rulekit.play.setting import Setting
from rulekit.play.value import Ref, Value, notation


@define(eq=False)
class Names:
    """The words for one match."""

    setting: Setting
    _kinds: dict[str, model.Kind] = field(init=False, repr=False)
    _slots: dict[str, int] = field(init=False, repr=False)
    _pieces: dict[tuple[str, str], tuple[str, str]] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        setting = self.setting
        self._kinds = setting.game.kinds
        self._slots = {}
        for slot in range(len(setting.values)):
            self._slots.setdefault(setting.path(slot), slot)
        self._pieces = {}
        for piece, slot in setting.piece_slot.items():
            thing = setting.things[piece]
            variable = setting.game.variables[setting.slot_variable[slot]]
            self._pieces[thing.kind, thing.key] = (self._piece(piece, variable), variable.place)

    def _piece(self, piece: int, variable: model.Variable) -> str:
        thing = self.setting.things[piece]
        if self._kinds[thing.kind].members:
            return f"{plain(thing.kind)} {self._title(thing.kind, thing.key)}"
        number = f" {thing.key.rpartition('_')[2]}" if variable.count > 1 else ""
        if thing.owner is not None:
            return f"{plain(self.setting.seats[thing.owner])}'s {plain(thing.kind)}{number}"
        return f"the {plain(variable.name if variable.count == 1 else thing.kind)}{number}"

    def place(self, ref: Ref) -> str:
        """Where a piece can stand, "" for other things."""
        return self._pieces.get((ref.kind, ref.key), ("", ""))[1]

    def on(self, ref: Ref) -> str:
        """` on the sleep track`, or "" for what stands nowhere."""
        place = self.setting.places.get(self.place(ref))
        if place is None:
            return ""
        return f" {place_words(place)}"

    def is_piece(self, ref: Ref) -> bool:
        return (ref.kind, ref.key) in self._pieces

    # ------------------------------------------------------------ values

    def value(self, value: Value) -> str:
        """A value as it stands in a sentence: `card 8 (Sail)`, `red`, `yes`, `nothing`."""
        if value is None:
            return "nothing"
        if isinstance(value, tuple):
            return self.things(value)
        if isinstance(value, Ref):
            return self.ref(value)
        return printable(notation(value))

    def ref(self, ref: Ref) -> str:
        if self.is_piece(ref):
            return self._pieces[ref.kind, ref.key][0]
        if ref.kind in ("player", "direction", "reading"):
            return plain(ref.key)
        title = self._title(ref.kind, ref.key)
        return title if title.startswith(("a ", "an ", "the ")) else f"{plain(ref.kind)} {title}"

    def short(self, value: Value) -> str:
        """The least that tells a value apart, for tables and menus."""
        if isinstance(value, Ref):
            if self.is_piece(value) and not self._kinds[value.kind].members:
                return self.ref(value)
            return plain(value.key)
        if isinstance(value, tuple):
            return " ".join(self.short(item) for item in value) or "none"
        return "none" if value is None else printable(notation(value))

    def entry(self, value: Value) -> str:
        """A value as one line of a menu."""
        if isinstance(value, Ref) and not self.is_piece(value) and value.kind != "player":
            return self._title(value.kind, value.key)
        return self.value(value)

    def _title(self, kind: str, key: str) -> str:
        """`8 (Sail)`, or the title alone where it says what the key says."""
        base, _, pile = key.partition(" in ")
        where = f" from {self.path(pile)}" if pile else ""
        member = next((m for m in self._kinds[kind].members if m.key == base), None) if kind in self._kinds else None
        title = printable(member.title) if member is not None else ""
        if not title or title == base:
            return plain(base) + where
        if title.lower() in (base.lower(), plain(base).lower()):
            return title + where
        return (f"{base} ({title})" if base.isdigit() else title) + where

    def things(self, values: Sequence[Value]) -> str:
        """Several values: like things under one noun, equal ones counted."""
        if not values:
            return "nothing"
        first = values[0]
        if len(values) == 1 or not _alike(values) or not isinstance(first, Ref):
            return listed([self.value(item) for item in values])
        if self.is_piece(first) or first.kind in ("player", "direction", "reading"):
            return listed([self.ref(item) for item in values if isinstance(item, Ref)])
        titles = [self._title(item.kind, item.key) for item in values if isinstance(item, Ref)]
        return f"{plural(plain(first.kind))} {listed(counted(titles))}"

    # ------------------------------------------------------------ where values lie

    def path(self, path: Value) -> str:
        """`red.hand` as `red's hand`, `red.sheet[2]` as `number 2 of red's sheet`."""
        text = notation(path)
        name, _, index = text.partition("[")
        if index:
            return f"number {index.rstrip(']')} of {self.path(name)}"
        owner, dot, _ = name.rpartition(".")
        variable = self.variable(name)
        last = plain(name.rpartition(".")[2]) if variable is None else participle(variable)
        if not dot:
            return f"the {last}"
        if variable is not None and variable.owner not in ("", "player"):
            owner = self.ref(Ref(variable.owner, owner))
            return f"{owner}'s {last}" if not owner[-1].isdigit() else f"the {last} of {owner}"
        return f"{plain(owner)}'s {last}"

    def is_many(self, path: Value) -> bool:
        """Whether what a path is called is a plural: `red's played cards`."""
        variable = self.variable(notation(path))
        return variable is not None and _is_participle(variable)

    def owner(self, path: Value) -> str:
        """Whose a value is: a player's or thing's name, or ""."""
        owner, dot, _ = notation(path).rpartition(".")
        variable = self.variable(notation(path))
        if not dot or variable is None:
            return plain(owner)
        return plain(owner) if variable.owner == "player" else self.ref(Ref(variable.owner, owner))

    def variable(self, path: str) -> model.Variable | None:
        slot = self._slots.get(path.partition("[")[0])
        return None if slot is None else self.setting.game.variables[self.setting.slot_variable[slot]]

    def some(self, count: int, path: Value) -> str:
        """So many of the things that lie in a pile, when nothing more is known: `2 tiles`."""
        variable = self.variable(notation(path))
        kind = plain(variable.type.element.kind) if variable is not None and variable.form == "pile" else "thing"
        return f"a {kind}" if count == 1 else f"{count} {plural(kind)}"


# ---------------------------------------------------------------- English


def plain(name: str) -> str:
    return printable(name.replace("_", " "))


def place_words(place: model.Place) -> str:
    """`on the sleep track`, `on the meadow`."""
    name = plain(place.name)
    return f"on the {name}" if place.form != "track" or "track" in name else f"on the {name} track"


def participle(variable: model.Variable) -> str:
    """What a variable is called in a sentence: `hand`, `played cards`."""
    name = plain(variable.name)
    return f"{name} {plural(plain(variable.type.element.kind))}" if _is_participle(variable) else name


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def counted(words: Iterable[str]) -> list[str]:
    """Each word once, with how often it stands there if more than once."""
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return [word if count == 1 else f"{word} ({count} times)" for word, count in counts.items()]


_IRREGULAR = {"die": "dice", "person": "people", "foot": "feet", "mouse": "mice", "goose": "geese"}
_VES = ("leaf", "loaf", "sheaf", "thief", "calf", "half", "elf", "shelf", "wolf", "knife", "wife", "life")
_SAME = ("deer", "fish", "series", "species")


def plural(noun: str) -> str:
    """The plural of a noun, by the common rules."""
    head, _, last = noun.rpartition(" ")
    before = f"{head} " if head else ""
    if last in _SAME:
        return noun
    if last in _IRREGULAR:
        return before + _IRREGULAR[last]
    if last in _VES:
        return f"{before}{last.rstrip('e')[:-1]}ves"
    if last.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if last.endswith("y") and last[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def _is_participle(variable: model.Variable) -> bool:
    """Whether a pile is called by what was done to its things (`played`), which needs the noun."""
    return variable.form == "pile" and variable.name.endswith(("ed", "shown", "drawn", "taken"))


def _alike(values: Sequence[Value]) -> bool:
    return len({item.kind if isinstance(item, Ref) else None for item in values}) == 1
