"""Cards of a picture: what things are called, their traits in words, their colours and looks."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.model import game as model
from rulekit.model.colours import COLOURS
from rulekit.play.state.external_values import outward
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref, Value
from rulekit.play.view import Seen
from rulekit.syntax.looks import COLOUR, GLYPH
from rulekit.tools.drawing.picture import Card
from rulekit.tools.language.display_names import Names, plain
from rulekit.tools.tell.clause_text import clause_words
from rulekit.values import define

_BESIDE = ("copies", "next")
"""Traits that a card does not tell of itself."""


def as_printed(values: Sequence[Value], names: Names) -> list[int]:
    """The places of things in the order in which they are printed; as they stand if one is none of them."""
    cards, places = Cards(names.setting, names), list(range(len(values)))
    rows = [cards.row(value) if isinstance(value, Ref) else None for value in values]
    alike = {value.kind for value in values if isinstance(value, Ref)}
    return places if None in rows or len(alike) != 1 else sorted(places, key=lambda at: rows[at] or 0)


def about(option: Value, names: Names, seen: Sequence[Seen]) -> str:
    """What is said of a thing on offer besides its name: its traits and what it does, of a piece where it stands."""
    if not isinstance(option, Ref):
        return ""
    if names.is_piece(option):
        one = seen[names.slot_of(option)]
        return "" if one.hidden or one.shown is None else names.tongue.say("stands-on", space=names.short(one.shown))
    cards, thing = Cards(names.setting, names), Ref(option.kind, option.key.partition(" in ")[0])
    if cards.row(thing) is None:
        return ""
    card = cards.card(thing)
    return ": ".join(filter(None, (", ".join(card.lines), card.text)))


@define(eq=False)
class Cards:
    """The printed things of a game in the words of somebody; each is worked out once and kept with the words."""

    setting: Setting
    names: Names

    def kind(self, name: str) -> model.Kind:
        return self.setting.game.kinds[name]

    def row(self, thing: Ref) -> int | None:
        """The place of a thing among the members of its kind; None if it is none of them, as a seat or a direction."""
        return self.names.kept.as_before(("rows", thing.kind), None, lambda: self._rows(thing.kind)).get(thing.key)

    def _rows(self, name: str) -> dict[str, int]:
        kind = self.setting.game.kinds.get(name)
        return {} if kind is None else {member.key: at for at, member in enumerate(kind.members)}

    def card(self, thing: Ref) -> Card:
        return self.names.kept.as_before(("card", thing), None, lambda: self._card(thing))

    def _card(self, thing: Ref) -> Card:
        kind, number, name = self.kind(thing.kind), self.row(thing), self.names.short(thing)
        if number is None:
            return Card(thing, name, self.names.ref(thing))
        traits = [(trait, self.trait(kind, trait, number)) for trait in kind.traits if trait not in _BESIDE]
        title = kind.members[number].title
        told = title and self.names.tongue.text(f"{thing.kind} {thing.key}", title)
        title = "" if _letters(told) == _letters(name) else told
        said = set(f"{name} {title}".split())
        lines = tuple(
            self._line(kind, trait, text)
            for trait, text in traits
            if text and not (_is_of_things(kind, trait) and said.issuperset(text.split()))
        )
        does = self._does(kind, number, told or name)
        return Card(thing, name, title, lines, self.colour(kind, number), look(kind, GLYPH, number), does)

    def _does(self, kind: model.Kind, number: int, called: str) -> str:
        """What a card does, in the words of the clauses that are its own; "" for one that does nothing."""
        member, game = kind.members[number], self.setting.game
        if member.code is None:
            return ""
        ids = (id_ for id_ in member.cites if not all(id_ in other.cites for other in kind.members))
        words = (clause_words(game, id_, self.names.tongue) for id_ in ids if id_ in game.clauses)
        return " ".join(text.removeprefix(f"{called}: ") for text in words)

    def _line(self, kind: model.Kind, trait: str, text: str) -> str:
        """A trait on a card: things speak for themselves, numbers do not."""
        called = self.names.tongue.text(f"trait {kind.name}.{trait}", plain(trait))
        return {"flag": called, "thing": text}.get(kind.trait_types[trait].name, f"{called} {text}")

    def value(self, kind: model.Kind, trait: str, number: int) -> Value:
        """A trait of a thing."""
        return outward(self.setting, kind.trait_types[trait], kind.traits[trait][number])

    def trait(self, kind: model.Kind, trait: str, number: int) -> str:
        """The same in words; "" for one that the thing has not."""
        value = self.value(kind, trait, number)
        if isinstance(value, tuple):
            return " ".join(self.names.counted(map(self.names.short, value), "times-short"))
        return "" if value in (None, False, 0) else self.names.short(value)

    def colour(self, kind: model.Kind, number: int) -> str:
        """As its look says; else what the thing, or a trait of it that is a thing, is called, if that is a colour."""
        own = look(kind, COLOUR, number)
        if own:
            return own
        values = (self.value(kind, trait, number) for trait in kind.traits)
        keys = [kind.members[number].key, *(value.key for value in values if isinstance(value, Ref))]
        return next((key for key in keys if key in COLOURS), "")


def _letters(words: str) -> str:
    """What tells two names apart for a reader."""
    return words.lower().replace(" ", "")


def _is_of_things(kind: model.Kind, trait: str) -> bool:
    """Whether the words of a trait are names, which need not be told twice."""
    sort = kind.trait_types[trait]
    return "thing" in (sort.name, sort.element.name)


def look(kind: model.Kind, name: str, number: int) -> str:
    """A look of a member; "" without."""
    return kind.looks[name][number] if name in kind.looks else ""
