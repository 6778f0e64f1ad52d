"""The content of a rulebook: what a page shows, in one language and with the chosen options, and nothing of its look.

Clauses stand in the order of the file under its headings; those of a printed
card stand beside its name.  Clauses whose letters are not those of most are
remarks about the text: they and what was assumed or can be read in two ways
are for the keeper of the rules, and a book for players is without them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import takewhile

from rulekit.model import game as model
from rulekit.model import ops
from rulekit.play.state.value import Value
from rulekit.record.json_values import option_outward
from rulekit.source import Span
from rulekit.tools.drawing.picture import Picture
from rulekit.tools.language.display_names import assumed_id, plain, plural
from rulekit.tools.language.outline import Heading, heading_of, headings, printed, speaks_of_examples
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.rulebook.worked_examples import Example, examples, lying_at_first, opening
from rulekit.tools.tell.clause_text import option_words, value_words
from rulekit.values import evolve, frozen

_LONGEST_TABLE = 60
"""Members of a kind that are listed one by one."""


@frozen
class Rule:
    """A clause.  remark: about how the text is read, not a rule itself."""

    id: str
    text: str
    remark: bool = False


@frozen
class Table:
    """A table of things.  columns: their heads; rows: a text for each column."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Card:
    """A printed thing with its rules."""

    key: str
    title: str
    traits: str
    rules: tuple[Rule, ...]


@frozen
class Section:
    title: str
    rules: tuple[Rule, ...]
    cards: tuple[Card, ...] = ()


@frozen
class Choice:
    """A question with its answers; chosen: the one that holds here."""

    question: str
    answers: tuple[tuple[str, bool], ...]
    chosen: str
    rules: tuple[Rule, ...]


@frozen
class Book:
    """A whole rulebook, ready for a template.

    components:  what is in the box, counted for as many players as there may be.
    board:    what is printed on the boards: tracks and grids.
    agreed:   what a table agrees before a match.
    unclear:  what the text leaves open.
    start:    what everybody sees when play begins.
    """

    language: str
    title: str
    author: str
    players: str
    components: tuple[str, ...]
    board: tuple[str, ...]
    tables: tuple[Table, ...]
    sections: tuple[Section, ...]
    agreed: tuple[Choice, ...]
    variants: tuple[tuple[str, str], ...]
    unclear: tuple[Choice, ...]
    assumed: tuple[str, ...]
    examples: tuple[Example, ...]
    beside_examples: tuple[Rule, ...]
    start: Picture | None


def rulebook(game: model.Game, options: Mapping[str, Value], tongue: Tongue = SOURCE) -> Book:
    """The rulebook of a game.  options: chosen by meaning, as for a match; the others have their defaults."""
    maker, authors = _Maker(game, options, tongue), re.split(r",? and |, ", game.author)
    return Book(
        language=tongue.language,
        title=tongue.text("title", game.title),
        author=tongue.say("by-author", author=tongue.listed(authors)) if game.author else "",
        players=maker.players(),
        components=maker.components(),
        board=maker.board(),
        tables=maker.tables(),
        sections=maker.sections(about_examples=False),
        agreed=maker.choices(unclear=False),
        variants=maker.variants(),
        unclear=maker.choices(unclear=True),
        assumed=tuple(tongue.text(assumed_id(a, n), a.text) for n, a in enumerate(game.assumptions, 1)),
        examples=examples(game, tongue),
        beside_examples=tuple(rule for section in maker.sections(about_examples=True) for rule in section.rules),
        start=opening(game, options, tongue),
    )


def for_players(book: Book) -> Book:
    """The same book without what only the keeper of the rules asks: remarks, readings and assumptions.

    A rule that stands at a question of reading stays, with its question.
    """
    read = [evolve(choice, rules=_without_remarks(choice.rules)) for choice in book.unclear]
    return evolve(
        book,
        sections=tuple(evolve(each, rules=_without_remarks(each.rules), cards=_plain(each)) for each in book.sections),
        agreed=tuple(evolve(choice, rules=_without_remarks(choice.rules)) for choice in book.agreed),
        unclear=tuple(choice for choice in read if choice.rules),
        assumed=(),
        beside_examples=_without_remarks(book.beside_examples),
    )


def _plain(section: Section) -> tuple[Card, ...]:
    return tuple(evolve(card, rules=_without_remarks(card.rules)) for card in section.cards)


def _without_remarks(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return tuple(rule for rule in rules if not rule.remark)


class _Maker:
    """game and options in words; the members are the parts of a book."""

    def __init__(self, game: model.Game, options: Mapping[str, Value], tongue: Tongue) -> None:
        self.game, self.options, self.tongue = game, options, tongue
        self.values = option_words(game, options, tongue)
        self.headings = headings(game)
        self.letters = _usual_letters(game)
        self.cards = _card_clauses(game)
        self.shown = {clause for scenario in printed(game) for clause in scenario.own}
        self.asked = _option_clauses(game)

    def rule(self, clause: model.Clause) -> Rule:
        text = self.tongue.text(clause.id, clause.text, **self.values)
        return Rule(clause.id, text, remark=_letters(clause.id) != self.letters)

    def players(self) -> str:
        if self.game.least == self.game.most:
            return self.tongue.count("players-count", self.game.least)
        return self.tongue.say("players-range", least=self.game.least, most=self.game.most)

    # ------------------------------------------------------------ the text

    def sections(self, *, about_examples: bool) -> tuple[Section, ...]:
        under: dict[Heading | None, list[model.Clause]] = {}
        for clause in self.game.clauses.values():
            if clause.id not in self.shown and clause.id not in self.asked:
                under.setdefault(heading_of(self.headings, clause.span), []).append(clause)
        wanted = [pair for pair in under.items() if speaks_of_examples(pair[0]) is about_examples]
        return tuple(self._section(*pair) for pair in wanted)

    def _section(self, heading: Heading | None, clauses: list[model.Clause]) -> Section:
        title = "" if heading is None else self.tongue.text(heading.id, heading.text)
        ids = {clause.id for clause in clauses}
        cards = [(kind, member) for kind, member in self._members() if ids & set(self._of_card(kind, member))]
        of_cards = {id_ for kind, member in cards for id_ in self._of_card(kind, member)}
        rules = tuple(self.rule(clause) for clause in clauses if clause.id not in of_cards)
        return Section(title[:1].upper() + title[1:], rules, tuple(self._card(kind, member) for kind, member in cards))

    def _of_card(self, kind: model.Kind, member: model.Member) -> tuple[str, ...]:
        return self.cards.get((kind.name, member.key), ())

    def _members(self) -> list[tuple[model.Kind, model.Member]]:
        return [(kind, member) for kind in self.game.kinds.values() for member in kind.members]

    def _card(self, kind: model.Kind, member: model.Member) -> Card:
        title = self.tongue.text(f"{kind.name} {member.key}", member.title or plain(member.key))
        rules = tuple(_untitled(self.rule(self.game.clauses[id_]), title) for id_ in self._of_card(kind, member))
        key = member.key if member.title and member.key.isdigit() else ""
        return Card(key, title, self._traits(kind, member), rules)

    def _traits(self, kind: model.Kind, member: model.Member) -> str:
        """What is printed on it besides, as far as it says something."""
        place = kind.members.index(member)
        said = []
        for trait, values in kind.traits.items():
            name, value = self.tongue.text(f"trait {kind.name}.{trait}", plain(trait)), values[place]
            if value is True:
                said.append(name)
            elif value not in (False, None, 0, ()) and isinstance(value, int) and trait != "copies":
                said.append(f"{name} {value}")
        return ", ".join(said)

    # ------------------------------------------------------------ what is in the box

    def components(self) -> tuple[str, ...]:
        return (*self._pieces(), *self._piles(), *self._dice())

    def board(self) -> tuple[str, ...]:
        found = (self._place(place) for place in self.game.places.values())
        return tuple(words[:1].upper() + words[1:] for words in found)

    def _place(self, place: model.Place) -> str:
        name = self.tongue.text(f"place {place.name}", plain(place.name))
        if place.form == "course":
            return self.tongue.say("spaces", place=name, count=len(self.game.kinds[place.kind].members))
        if place.form == "grid":
            if place.width is None or place.bounded is not None:
                return self.tongue.say("endless-cells", place=name)
            return self.tongue.say("cells", place=name, width=place.width, height=place.height)
        if place.high is None:
            return self.tongue.say("spaces-on", place=name, low=place.low)
        return self.tongue.say("spaces-range", place=name, low=place.low, high=place.high)

    def _pieces(self) -> list[str]:
        found = []
        for variable in self.game.variables:
            if variable.form in ("piece", "group"):
                kind = variable.type.kind if variable.form == "piece" else variable.type.element.kind
                count = max(variable.count, len(self.game.kinds[kind].members))
                found.append(self._things(kind, count, for_each=variable.owner == "player"))
        return found

    def _things(self, kind: str, count: int, *, for_each: bool) -> str:
        """`45 × cards, 9 for each player`, or `49 × cards` of things that nobody has of their own."""
        number = count * self.game.most if for_each else count
        words = f"{number} × {self._kind_words(kind, number)}"
        return self.tongue.say("for-each-player", things=words, each=count) if for_each else words

    def _piles(self) -> list[str]:
        piles = [variable for variable in self.game.variables if variable.form == "pile"]
        kinds = dict.fromkeys(pile.type.element.kind for pile in piles)
        lying = {seats: lying_at_first(self.game, self.options, seats) for seats in self._seats()}
        found = []
        for name in kinds:
            kind = self.game.kinds[name]
            count = sum(member.copies for member in kind.members)
            if not kind.piece and count:
                for_each = all(there[name] == count * seats for seats, there in lying.items() if there)
                most = max(count, *(there[name] for there in lying.values()))
                found.append(self._things(name, count if for_each else most, for_each=for_each))
        return found

    def _seats(self) -> range:
        return range(self.game.least, self.game.most + 1)

    def _dice(self) -> list[str]:
        rolls = [op for code in self.game.codes for op in code.ops if isinstance(op, ops.Draw) and op.verb == "roll"]
        dice = dict.fromkeys(op.stream for op in rolls)
        return [f"1 × {self.tongue.text(f'source {die}', plain(die))}" for die in dice]

    def _kind_words(self, name: str, count: int = 2) -> str:
        return self.tongue.number(f"kind {name}", plain(name), plural(plain(name)), count)

    def tables(self) -> tuple[Table, ...]:
        """What is printed on things that have no rules of their own."""
        with_rules = {kind for kind, _ in self.cards}
        return tuple(
            self._table(kind)
            for kind in self.game.kinds.values()
            if kind.traits and 0 < len(kind.members) <= _LONGEST_TABLE and kind.name not in with_rules
        )

    def _table(self, kind: model.Kind) -> Table:
        traits = [trait for trait, values in kind.traits.items() if not _repeats_keys(kind, values)]
        heads = [self.tongue.text(f"trait {kind.name}.{trait}", plain(trait)) for trait in traits]
        rows = []
        for place, member in enumerate(kind.members):
            title = self.tongue.text(f"{kind.name} {member.key}", member.title or plain(member.key))
            values = [self._value(kind, trait, kind.traits[trait][place]) for trait in traits]
            rows.append((title, *values))
        return Table(self._kind_words(kind.name), (self._kind_words(kind.name, 1), *heads), tuple(rows))

    def _value(self, kind: model.Kind, trait: str, value: object) -> str:
        if isinstance(value, tuple):
            words = [self._value(kind, trait, item) for item in value]
            return ("" if all(word.isdigit() for word in words) else ",").join(f" {word}" for word in words).strip()
        if value is None:
            return "–"
        if isinstance(value, bool):
            return "✓" if value else "–"
        of = kind.trait_types[trait]
        of = of.element if of.is_set else of
        if of.name == "thing" and isinstance(value, int):
            other, member = self.game.member(value)
            return self.tongue.text(f"{other.name} {member.key}", member.title or plain(member.key))
        return str(value)

    # ------------------------------------------------------------ what can be chosen

    def choices(self, *, unclear: bool) -> tuple[Choice, ...]:
        return tuple(self._choice(option) for option in self.game.options if option.unclear is unclear)

    def _choice(self, option: model.Option) -> Choice:
        chosen = self.values[option.name]
        texts = [self.tongue.text(f"reading {option.name}.{n}", text or plain(n)) for n, text in option.readings]
        ids = [id_ for id_, name in self.asked.items() if name == option.name]
        return Choice(
            self.tongue.text(f"option {option.name}", option.text),
            tuple((text, text == chosen) for text in texts),
            chosen,
            tuple(self.rule(self.game.clauses[id_]) for id_ in ids),
        )

    def variants(self) -> tuple[tuple[str, str], ...]:
        options = {option.name: option for option in self.game.options}
        found = []
        for ruleset in self.game.rulesets:
            parts = []
            for name, value in ruleset.choices:
                option = options[name]
                question = self.tongue.text(f"option {name}", option.text)
                said = value_words(option, {name: option_outward(option, value)}, self.tongue)
                parts.append(f"{question} {said}")
            found.append((self.tongue.text(f"ruleset {ruleset.name}", plain(ruleset.name)), "; ".join(parts)))
        return tuple(found)


# ---------------------------------------------------------------- which clauses stand where


def _repeats_keys(kind: model.Kind, values: tuple[object, ...]) -> bool:
    """Whether a column says only what the names of the members say."""
    return all(str(value) == member.key for value, member in zip(values, kind.members, strict=True))


def _letters(id_: str) -> str:
    found = re.match(r"[A-Za-z]*", id_)
    return found[0] if found else ""


def _usual_letters(game: model.Game) -> str:
    """The letters of most clauses: `AB` of AB-1, AB-2, R1."""
    counts = Counter(_letters(id_) for id_ in game.clauses)
    return counts.most_common(1)[0][0] if counts else ""


def _above(game: model.Game) -> dict[tuple[str, int], str]:
    return {(clause.span.source, clause.span.line): id_ for id_, clause in game.clauses.items()}


def _directly_above(at: dict[tuple[str, int], str], span: Span) -> tuple[str, ...]:
    lines = takewhile(lambda line: (span.source, line) in at, range(span.line - 1, 0, -1))
    return tuple(reversed([at[span.source, line] for line in lines]))


def _untitled(rule: Rule, title: str) -> Rule:
    """A rule beside a title does not say the title once more."""
    if not rule.text.startswith(f"{title}: "):
        return rule
    text = rule.text.removeprefix(f"{title}: ")
    return evolve(rule, text=text[:1].upper() + text[1:])


def _card_clauses(game: model.Game) -> dict[tuple[str, str], tuple[str, ...]]:
    """By kind and key of a printed thing that does something: the clauses right above it."""
    at = _above(game)
    return {
        (kind.name, member.key): above
        for kind in game.kinds.values()
        for member in kind.members
        if member.code is not None and (above := _directly_above(at, member.span))
    }


def _block(game: model.Game, span: Span) -> list[int]:
    """The lines that are indented under a line."""
    lines = dict(game.sources).get(span.source, "").split("\n")
    return list(takewhile(lambda number: lines[number - 1].startswith(" "), range(span.line + 1, len(lines) + 1)))


def _option_clauses(game: model.Game) -> dict[str, str]:
    """By clause the option that it stands above or in."""
    at, found = _above(game), dict[str, str]()
    for option in game.options:
        span = option.span
        inside = [at[span.source, line] for line in _block(game, span) if (span.source, line) in at]
        for id_ in (*_directly_above(at, span), *inside):
            found.setdefault(id_, option.name)
    return found
