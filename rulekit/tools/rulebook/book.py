"""The values of which a rulebook consists, and the same book without what only the keeper of the rules asks."""

from __future__ import annotations

from rulekit.tools.drawing.picture import Picture
from rulekit.tools.rulebook.box import Component, Table
from rulekit.tools.rulebook.worked_examples import Example
from rulekit.values import evolve, frozen


@frozen
class Rule:
    """A clause.

    remark:  about how the text is read, not a rule itself.
    number:  where it stands, as `5.2.1`; of one that only repeats it, where the other stands.
    again:   it stands elsewhere too, and there in its place.
    joined:  it goes on in the paragraph of the rule before it.
    """

    id: str
    text: str
    remark: bool = False
    number: str = ""
    again: bool = False
    joined: bool = False


@frozen
class Card:
    """A printed thing with its rules."""

    key: str
    title: str
    traits: str
    rules: tuple[Rule, ...]


@frozen
class Section:
    """part: of the book; "" where there is no edition, and each heading is a chapter."""

    title: str
    rules: tuple[Rule, ...]
    cards: tuple[Card, ...] = ()
    part: str = ""
    number: str = ""
    examples: tuple[Example, ...] = ()

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        return (*self.rules, *(rule for card in self.cards for rule in card.rules))


@frozen
class Chapter:
    """What stands in the contents.  key: of its part; its sections stand under it."""

    key: str
    number: str
    title: str
    sections: tuple[Section, ...] = ()


@frozen
class Choice:
    """A question with its answers; chosen: the one that holds here."""

    question: str
    answers: tuple[tuple[str, bool], ...]
    chosen: str
    rules: tuple[Rule, ...]
    option: str = ""


@frozen
class Word:
    """A term: what it is, and the numbers of the sections or rules in which it stands."""

    term: str
    meaning: str
    where: tuple[str, ...]


@frozen
class Book:
    """A whole rulebook, ready for a template.

    facts:       what a box says outside: for how many players, from which age, how long.
    components:  what is in the box, counted for as many players as there may be.
    board:    what is printed on the boards: tracks and grids.
    by_players:  what lies where when play begins.
    agreed:   what a table agrees before a match.
    unclear:  what the text leaves open.
    start:    what everybody sees when play begins.
    crib:     what one looks up in play, on a page.
    """

    language: str
    title: str
    author: str
    facts: tuple[str, ...]
    components: tuple[Component, ...]
    board: tuple[str, ...]
    by_players: Table | None
    tables: tuple[Table, ...]
    sections: tuple[Section, ...]
    agreed: tuple[Choice, ...]
    variants: tuple[tuple[str, str], ...]
    unclear: tuple[Choice, ...]
    assumed: tuple[str, ...]
    examples: tuple[Example, ...]
    beside_examples: tuple[Rule, ...]
    start: Picture | None
    crib: tuple[Rule, ...] = ()

    def numbered_cards(self) -> tuple[Card, ...]:
        """The cards that a crib repeats: those that go by a number."""
        return tuple(card for section in self.sections for card in section.cards if card.key)

    def count_examples(self) -> int:
        return len(self.examples) + sum(len(section.examples) for section in self.sections)


def for_players(book: Book) -> Book:
    """The same book without what only the keeper of the rules asks: remarks, readings and assumptions.

    A question stays where a rule stands at it.
    """
    asked = [evolve(choice, rules=_without_remarks(choice.rules)) for choice in book.agreed]
    read = [evolve(choice, rules=_without_remarks(choice.rules)) for choice in book.unclear]
    return evolve(
        book,
        sections=tuple(evolve(each, rules=_without_remarks(each.rules), cards=_plain(each)) for each in book.sections),
        agreed=tuple(choice for choice in asked if choice.rules),
        unclear=tuple(choice for choice in read if choice.rules),
        assumed=(),
        beside_examples=_without_remarks(book.beside_examples),
    )


def _plain(section: Section) -> tuple[Card, ...]:
    return tuple(evolve(card, rules=_without_remarks(card.rules)) for card in section.cards)


def _without_remarks(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return tuple(rule for rule in rules if not rule.remark)
