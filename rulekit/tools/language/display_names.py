"""Display names: what things, places and values are called, in the language of a `Tongue`.

Made from titles and declared names alone, or from what a catalogue has for
them; a name is shown to people, so its underscores are blanks and nothing in
it can steer a terminal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from rulekit.diagnostics import printable
from rulekit.model import game as model
from rulekit.play.seat_names import SEAT_NAMES
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref, Value, notation
from rulekit.tools.language.translation import SOURCE, Tongue, filled
from rulekit.values import define, field

T = TypeVar("T")
UNSAID = "-"
"""The form of what nobody at a table would speak of."""
_NUMBERED = re.compile("([a-z]{2,})([0-9]+)$")
"""A key that is a word with a number."""


class Kept(dict[Any, Any]):
    """Memoization of the last value: what was worked out, by a place that tells it from all other things kept here."""

    def as_before(self, place: object, given: object, make: Callable[[], T]) -> T:
        """What was made of the same last time; else it is made now.  given: all that it depends on and may change."""
        before = self.get(place)
        if before is None or before[0] != given:
            before = self[place] = given, make()
        found: T = before[1]
        return found


@define(eq=False)
class Names:
    """The words for one match.

    in_print:  names of seats begin large, as in a book; a table has them as people write them.
    """

    setting: Setting
    tongue: Tongue = SOURCE
    in_print: bool = field(default=False, kw_only=True)
    kept: Kept = field(factory=Kept, init=False, repr=False)
    """What drawings work out in these words, and again only where something is otherwise."""
    _kinds: dict[str, model.Kind] = field(init=False, repr=False)
    _slots: dict[str, int] = field(init=False, repr=False)
    _pieces: dict[tuple[str, str], tuple[str, str, str]] = field(init=False, repr=False)
    _piece_slots: dict[tuple[str, str], int] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        setting = self.setting
        self._kinds = setting.game.kinds
        self._slots = {}
        for slot in range(len(setting.values)):
            self._slots.setdefault(setting.path(slot), slot)
        self._pieces, self._piece_slots = {}, {}
        for piece, slot in setting.piece_slot.items():
            thing = setting.things[piece]
            variable = setting.game.variables[setting.slot_variable[slot]]
            self._pieces[thing.kind, thing.key] = (self._piece(piece, variable), variable.place, variable.name)
            self._piece_slots[thing.kind, thing.key] = slot

    def _piece(self, piece: int, variable: model.Variable) -> str:
        thing = self.setting.things[piece]
        if self._kinds[thing.kind].members:
            title = self._title(thing.kind, thing.key)
            own = self._own_name(Ref(thing.kind, thing.key), title)
            return own or self.tongue.text(f"piece {thing.kind}", f"{plain(thing.kind)} {{title}}", title=title)
        owner = "" if thing.owner is None else self.seat(self.setting.seats[thing.owner])
        number = thing.key.rpartition("_")[2]
        return self.tongue.text(f"piece {variable.name}", piece_words(variable), owner=owner, number=number)

    def place(self, ref: Ref) -> str:
        """Where a piece can stand, "" for other things."""
        return self._pieces.get((ref.kind, ref.key), ("", "", ""))[1]

    def on(self, ref: Ref) -> str:
        """`on the sleep track`, or "" for what stands nowhere."""
        place = self.setting.places.get(self.place(ref))
        if place is None:
            return ""
        return self.tongue.text(f"on {place.name}", place_words(place))

    def piece_variable(self, ref: Ref) -> str:
        """The name under which a piece is declared."""
        return self._pieces[ref.kind, ref.key][2] if self.is_piece(ref) else ref.kind

    def thing_owner(self, ref: Ref) -> str:
        """Whose a thing is, "" for nobody's."""
        things = (t for t in self.setting.things if (t.kind, t.key) == (ref.kind, ref.key))
        return next((self.seat(self.setting.seats[t.owner]) for t in things if t.owner is not None), "")

    def spot(self, value: Value, piece: Ref) -> str:
        """Where a piece stands, in the form that a language has for spaces of its place."""
        if value is None:
            return ""
        place, title = self.place(piece), self.short(value)
        own = self.tongue.form(f"at {place} {notation(value)}") or self.tongue.form(f"at {place}", title=title)
        return own or title

    def is_piece(self, ref: Ref) -> bool:
        return (ref.kind, ref.key) in self._pieces

    def slot_of(self, piece: Ref) -> int:
        """Which value says where a piece stands."""
        return self._piece_slots[piece.kind, piece.key]

    # ------------------------------------------------------------ values

    def value(self, value: Value) -> str:
        """A value as it stands in a sentence: `card 8 (Sail)`, `red`, `yes`, `nothing`."""
        if value is None:
            return self.tongue.say("nothing")
        if isinstance(value, tuple):
            return self.things(value)
        if isinstance(value, Ref):
            return self.ref(value)
        return self.simple(value)

    def simple(self, value: Value) -> str:
        """A flag, a number, or a text that a rule has."""
        if isinstance(value, bool):
            return self.tongue.say("yes" if value else "no")
        text = notation(value)
        return self.tongue.words("way", text) if isinstance(value, str) else text

    def ref(self, ref: Ref) -> str:
        if self.is_piece(ref):
            return self._pieces[ref.kind, ref.key][0]
        if ref.kind == "direction":
            return self.tongue.say(f"direction-{ref.key}")
        if ref.kind == "player":
            return self.seat(ref.key)
        if ref.kind == "reading":
            return plain(ref.key)
        title = self._title(ref.kind, ref.key)
        own = self._own_name(ref, title)
        if own is not None:
            return own
        if title.startswith(("a ", "an ", "the ")):
            return title
        return self.tongue.text(f"one {ref.kind}", f"{plain(ref.kind)} {{title}}", title=title)

    def _own_name(self, ref: Ref, title: str) -> str | None:
        """What a language calls one thing in a sentence: this one, or any of its kind."""
        return self.tongue.form(f"thing {ref.kind} {ref.key}") or self.tongue.form(f"thing {ref.kind}", title=title)

    def seat(self, name: str) -> str:
        """What a seat is called; one without a name of its own, in the language."""
        called = seat_words(name, self.tongue)
        return called[:1].upper() + called[1:] if self.in_print and called == plain(name) else called

    def chosen(self, value: Value) -> str:
        """A value as what somebody chooses, in the form that a language has for that."""
        if isinstance(value, tuple):
            one = value[0] if len(value) == 1 else None
            return self.value(value) if one is None else self.chosen(one)
        if not isinstance(value, Ref):
            return self.value(value)
        number, title = value.key.rpartition("_")[2], self._title(value.kind, value.key)
        one = self.tongue.form(f"object {value.kind} {value.key}")
        owner = self.thing_owner(value)
        own = one or self.tongue.form(f"object {value.kind}", owner=owner, number=number, title=title)
        return own or self.value(value)

    def short(self, value: Value) -> str:
        """The least that tells a value apart, for tables and menus."""
        if isinstance(value, Ref):
            if self.is_piece(value) and not self._kinds[value.kind].members:
                return self.ref(value)
            if value.kind in ("direction", "player"):
                return self.ref(value)
            return self._key(value)
        if isinstance(value, tuple):
            words = ["-" if item is None else self.short(item) for item in value]
            return (", " if any(" " in word for word in words) else " ").join(words) or self.tongue.say("none")
        return self.tongue.say("none") if value is None else self.simple(value)

    def places(self, variable: model.Variable, values: Sequence[Value]) -> list[str]:
        """The places of a list that hold something, each with the member of the kind that it is for."""
        kind, nothing = variable.keys, None if variable.may_be_empty else 0
        said = zip(self._kinds[kind].members, values, strict=True)
        return [
            self.tongue.say("place-holds", thing=self.short(Ref(kind, member.key)), value=self.short(value))
            for member, value in said
            if value != nothing
        ]

    def _key(self, ref: Ref) -> str:
        """What tells a thing apart: its title, or its number, if that is not replaced by a look."""
        member = self._member(ref.kind, ref.key)
        if member is None or (ref.key.isdigit() and not member.renamed):
            return plain(ref.key)
        return self._titled(ref.kind, member)

    def is_renamed(self, ref: Ref) -> bool:
        """Whether people never read the key of a thing, since a look stands for it."""
        member = self._member(ref.kind, ref.key.partition(" in ")[0])
        return member is not None and member.renamed

    def _titled(self, kind: str, member: model.Member) -> str:
        """The title of a thing, or what a catalogue calls it; without one its key as words, `slam 2`."""
        own = self.tongue.form(f"title {kind} {member.key}")
        if own is not None:
            return own
        if self.tongue.is_source and member.title in ("", plain(member.key)):
            return _NUMBERED.sub(r"\1 \2", plain(member.key))
        return self.tongue.text(f"{kind} {member.key}", member.title or plain(member.key))

    def filled(self, text: str, values: Iterable[tuple[str, Value]]) -> str:
        """A text with the values that it names in braces."""
        return filled(text, {name: self.value(value) for name, value in values})

    def entry(self, value: Value) -> str:
        """A value as one line of a menu."""
        if isinstance(value, Ref) and not self.is_piece(value) and value.kind not in ("player", "direction"):
            return self._title(value.kind, value.key)
        return self.value(value)

    def _title(self, kind: str, key: str) -> str:
        """`8 (Sail)`, or the title alone where it says what the key says."""
        base, _, pile = key.partition(" in ")
        title = self._named(kind, base)
        return self.tongue.say("from-pile", title=title, pile=self.path(pile)) if pile else title

    def _named(self, kind: str, key: str) -> str:
        member = self._member(kind, key)
        if member is None:
            return plain(key)
        title = self._titled(kind, member)
        if not member.title or not key.isdigit() or title == key or member.renamed:
            return title
        return f"{key} ({title})"

    def _member(self, kind: str, key: str) -> model.Member | None:
        members = self._kinds[kind].members if kind in self._kinds else ()
        return next((member for member in members if member.key == key), None)

    def things(self, values: Sequence[Value]) -> str:
        """Several values: like things under one noun, equal ones counted."""
        if not values:
            return self.tongue.say("nothing")
        first = values[0]
        if len(values) == 1 or len({isinstance(v, Ref) and v.kind for v in values}) > 1 or not isinstance(first, Ref):
            return self.tongue.listed([self.value(item) for item in values])
        if self.is_piece(first) or first.kind in ("player", "direction", "reading"):
            return self.tongue.listed([self.ref(item) for item in values if isinstance(item, Ref)])
        titles = [self._title(item.kind, item.key) for item in values if isinstance(item, Ref)]
        said = self._listed(self.counted(titles))
        return self.tongue.text(f"several {first.kind}", f"{several(first.kind, self.tongue)} {{titles}}", titles=said)

    def _listed(self, titles: list[str]) -> str:
        """Names in a row; those that hold a list of their own are set apart more."""
        pair = self.tongue.listed(("a", "b"))[1:-1]
        if len(titles) < 2 or not any(pair in title or ", " in title for title in titles):
            return self.tongue.listed(titles)
        said = titles[0]
        for title in titles[1:]:
            said = self.tongue.say("apart", words=said, next=title)
        return said

    def counted(self, words: Iterable[str], phrase: str = "times") -> list[str]:
        """Each word once, with how often it stands there if more than once.  phrase: the id of one that says so."""
        say, counts = self.tongue.say, Counter(words)
        return [word if count == 1 else say(phrase, word=word, count=count) for word, count in counts.items()]

    # ------------------------------------------------------------ where values lie

    def path(self, path: Value) -> str:
        """`red.hand` as `red's hand`, `red.sheet[2]` as `number 2 of red's sheet`."""
        text = notation(path)
        name, _, index = text.partition("[")
        if index:
            return self._place_path(name, index.rstrip("]"))
        owner, dot, rest = name.rpartition(".")
        variable = self.variable(name)
        if variable is None:
            return f"{plain(owner)}'s {plain(rest)}" if dot else f"the {plain(rest)}"
        if not variable.owner:
            return self.tongue.text(f"path {variable.name}", f"the {participle(variable)}")
        owner = self.seat(owner) if variable.owner == "player" else self.ref(Ref(variable.owner, owner))
        if self.tongue.is_source and variable.owner != "player" and owner[-1].isdigit():
            return f"the {participle(variable)} of {owner}"
        return self.tongue.text(f"path {variable.name}", f"{{owner}}'s {participle(variable)}", owner=owner)

    def _place_path(self, path: str, index: str) -> str:
        """A place of a list, by its number or by the thing that it is for."""
        variable = self.variable(path)
        if variable is None or not variable.keys:
            return self.tongue.say("numbered", index=index, list=self.path(path))
        thing = Ref(variable.keys, index)
        if index.isdigit():
            return self.tongue.say("place-at", thing=self.value(thing), list=self.path(path))
        return self.tongue.say("place-for", thing=self.short(thing), list=self.path(path))

    def origin(self, path: Value) -> str:
        """Where things come from, as `from red's hand`."""
        return self.told("from", path) or self.tongue.say("from-place", place=self.path(path))

    def goal(self, path: Value, origin: Value = None) -> str:
        """Where things go, as `to red's hand`; where they come from the same owner's, as `to the own hand`."""
        owner = self.owner(path)
        own = (
            self.told("to", path, more=" own") if owner and origin is not None and owner == self.owner(origin) else None
        )
        return own or self.told("to", path) or self.tongue.say("to-place", place=self.path(path))

    def told(self, verb: str, path: Value, more: str = "") -> str | None:
        """The form that a language has of a variable behind a preposition; None if it has none.

        more:  behind its name, what the form is for alone.
        """
        variable = self.variable(notation(path))
        return None if variable is None else self.tongue.form(f"{verb} {variable.name}{more}", owner=self.owner(path))

    def name(self, path: Value) -> str:
        """The name under which a variable is declared, "" for none."""
        variable = self.variable(notation(path))
        return "" if variable is None else variable.name

    def is_unsaid(self, path: Value) -> bool:
        """Whether the language has it that nobody speaks of a value when it is set."""
        return self.tongue.form(f"set {self.name(path)}") == UNSAID

    def index(self, path: Value) -> str:
        """The place of a list that is told of, "" for a whole."""
        return notation(path).partition("[")[2].rstrip("]")

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
        return self.seat(owner) if variable.owner == "player" else self.ref(Ref(variable.owner, owner))

    def variable(self, path: str) -> model.Variable | None:
        slot = self._slots.get(path.partition("[")[0])
        return None if slot is None else self.setting.game.variables[self.setting.slot_variable[slot]]

    def some(self, count: int, path: Value) -> str:
        """So many of the things that lie in a pile, when nothing more is known: `2 tiles`."""
        variable = self.variable(notation(path))
        if variable is None or variable.form != "pile":
            return self.tongue.count("a-thing", count)
        kind = variable.type.element.kind
        name = plain(kind)
        return self.tongue.number(f"count {kind}", f"a {name}", f"{{count}} {several(kind, self.tongue)}", count)

    def kinds(self, kind: str, count: int = 2) -> str:
        """What so many things of a kind are called: `card`, `cards`."""
        name = plain(kind)
        return self.tongue.number(f"kind {kind}", name, several(kind, self.tongue), count)

    def place_name(self, place: model.Place) -> str:
        return self.tongue.text(f"place {place.name}", plain(place.name))

    def column(self, variable: model.Variable) -> str:
        """The name of a variable as the head of a column."""
        return self.tongue.text(f"name {variable.name}", titled(variable))

    def shown(self, show: model.Show) -> str:
        """What a thing worth seeing is called."""
        return self.tongue.text(f"show {show.name}", show.text)


def seat_words(name: str, tongue: Tongue) -> str:
    """What a seat is called in a language: by the name that somebody gave it, or by its colour."""
    if name in SEAT_NAMES:
        return tongue.say(f"seat-{name}")
    return tongue.form(f"seat {name}") or plain(name)


# ---------------------------------------------------------------- English


def plain(name: str) -> str:
    return printable(name.replace("_", " "))


def assumed_id(assumption: model.Assumption, number: int) -> str:
    """By what it declares; by its place among the assumptions if that has no name."""
    return f"assumed {assumption.names[0] if assumption.names else number}"


def place_words(place: model.Place) -> str:
    """`on the sleep track`, `on the meadow`."""
    name = plain(place.name)
    return f"on the {name}" if place.form != "track" or "track" in name else f"on the {name} track"


def piece_words(variable: model.Variable) -> str:
    """What a piece without printed names is called: `{owner}'s marker`, `the marker 2`."""
    kind = variable.type.kind if variable.form == "piece" else variable.type.element.kind
    number = " {number}" if variable.count > 1 else ""
    if variable.owner:
        return f"{{owner}}'s {plain(kind)}{number}"
    return f"the {plain(variable.name if variable.count == 1 else kind)}{number}"


def titled(variable: model.Variable) -> str:
    """What a variable is called by itself."""
    return variable.title or plain(variable.name)


def participle(variable: model.Variable) -> str:
    """What a variable is called in a sentence: its title, or `hand`, `played cards`."""
    name = titled(variable)
    return f"{name} {plural(plain(variable.type.element.kind))}" if _is_participle(variable) else name


_IRREGULAR = {"die": "dice", "person": "people", "foot": "feet", "mouse": "mice", "goose": "geese"}
_VES = ("leaf", "loaf", "sheaf", "thief", "calf", "half", "elf", "shelf", "wolf", "knife", "wife", "life")
_SAME = ("deer", "fish", "series", "species")


def several(kind: str, tongue: Tongue) -> str:
    """What several things of a kind are called in English; where the common rules will not do, a game says it."""
    return tongue.form(f"many {kind}") or plural(plain(kind))


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
    return variable.form == "pile" and not variable.title and variable.name.endswith(("ed", "shown", "drawn", "taken"))
