"""The content of a rulebook: what a page shows, in one language and with the chosen options, and nothing of its look.

Clauses stand where the edition of the game has them; without one, in the
order of the file under its headings.  Those of a printed card stand beside
its name, examples beside the rules that they show.  Clauses whose letters are
not those of most are remarks about the text: they and what was assumed or can
be read in two ways are for the keeper of the rules, and a book for players is
without them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulekit.model import game as model
from rulekit.play.state.value import Value
from rulekit.record.json_values import option_outward
from rulekit.tools.language.display_names import assumed_id, plain
from rulekit.tools.language.outline import Heading, heading_of, headings, printed, speaks_of_examples
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.rulebook.book import Book, Card, Choice, Rule, Section
from rulekit.tools.rulebook.box import Box
from rulekit.tools.rulebook.chapters import homes_of
from rulekit.tools.rulebook.clause_places import card_clauses, letters, option_clauses, usual_letters
from rulekit.tools.rulebook.edition import FACTS, LISTED, PARTS, Edition
from rulekit.tools.rulebook.worked_examples import Example, examples, opening
from rulekit.tools.tell.clause_text import option_words, value_words
from rulekit.values import evolve

NO_EDITION = Edition({}, {})


def rulebook(
    game: model.Game,
    options: Mapping[str, Value],
    tongue: Tongue = SOURCE,
    edition: Edition | None = None,
) -> Book:
    """The rulebook of a game.  options: chosen by meaning, as for a match; the others have their defaults."""
    maker, box = _Maker(game, options, tongue, edition or NO_EDITION), Box(game, options, tongue, *_printed(edition))
    authors = re.split(r",? and |, ", game.author)
    sections, left = _with_examples(maker.sections(), examples(game, tongue))
    return Book(
        language=tongue.language,
        title=tongue.text("title", game.title),
        author=tongue.say("by-author", author=tongue.listed(authors)) if game.author else "",
        facts=maker.facts(),
        components=box.components(),
        board=box.board(),
        by_players=box.by_players() if edition is not None else None,
        tables=box.tables(frozenset(kind for kind, _ in maker.cards), maker.edition.tables),
        sections=sections,
        agreed=maker.choices(unclear=False),
        variants=maker.variants(),
        unclear=maker.choices(unclear=True),
        assumed=tuple(tongue.text(assumed_id(a, n), a.text) for n, a in enumerate(game.assumptions, 1)),
        examples=left,
        beside_examples=maker.beside_examples(),
        start=opening(game, options, tongue),
        crib=maker.again("crib"),
    )


def _agreed(edition: Edition) -> dict[str, str]:
    """By clause the option at which an edition has it."""
    return {id_: stretch.title for stretch in edition.parts.get("agreed", ()) for id_ in stretch.ids}


def _printed(edition: Edition | None) -> tuple[tuple[str, ...], ...]:
    return () if edition is None else (edition.printed,)


def _with_examples(
    sections: tuple[Section, ...], found: tuple[Example, ...]
) -> tuple[tuple[Section, ...], tuple[Example, ...]]:
    """Each example beside the last rule that it shows, when all of them are told; and those that show none.

    Without an edition they stand together at the end.
    """
    home = {rule.id: n for n, s in enumerate(sections) for rule in s.all_rules if s.part and not rule.again}
    places = [max((home[id_] for id_ in each.cites if id_ in home), default=None) for each in found]
    filled = tuple(
        evolve(section, examples=tuple(each for each, at in zip(found, places, strict=True) if at == n))
        for n, section in enumerate(sections)
    )
    return filled, tuple(each for each, at in zip(found, places, strict=True) if at is None)


class _Maker:
    """game and options in words; the members are the parts of a book."""

    def __init__(self, game: model.Game, options: Mapping[str, Value], tongue: Tongue, edition: Edition) -> None:
        self.game, self.options, self.tongue, self.edition = game, options, tongue, edition
        self.values = option_words(game, options, tongue)
        self.headings = headings(game)
        self.letters = usual_letters(game)
        self.cards = card_clauses(game)
        self.shown = {clause for scenario in printed(game) for clause in scenario.own}
        self.joined = edition.joined()
        self.named, self.noted = frozenset(edition.ids(*PARTS)), frozenset(edition.ids("notes"))
        here = option_clauses(game) | _agreed(edition)
        self.asked = {id_: option for id_, option in here.items() if id_ not in self.named}

    def rule(self, clause: model.Clause) -> Rule:
        text = self.tongue.text(clause.id, clause.text, **self.values)
        is_other = letters(clause.id) != self.letters and clause.id not in self.named
        joined = clause.id in self.joined
        return Rule(clause.id, text, remark=is_other or clause.id in self.noted, joined=joined)

    def facts(self) -> tuple[str, ...]:
        known = [
            self.tongue.say(f"fact-{name}", value=self.edition.facts[name])
            for name in FACTS
            if name in self.edition.facts
        ]
        return (self._players(), *known)

    def _players(self) -> str:
        if self.game.least == self.game.most:
            return self.tongue.count("players-count", self.game.least)
        return self.tongue.say("players-range", least=self.game.least, most=self.game.most)

    # ------------------------------------------------------------ the text

    def sections(self) -> tuple[Section, ...]:
        """Those of the edition in its order, or one for each heading."""
        if not self.edition.parts:
            return tuple(self._section("", *pair) for pair in self._under(about_examples=False).items())
        beside = (rule.id for rule in self.beside_examples())
        homes = homes_of(self.game, self.edition, frozenset((*self.shown, *self.asked, *beside)))
        return tuple(self._read_section(part, title, ids) for part, title, ids in homes)

    def beside_examples(self) -> tuple[Rule, ...]:
        placed = set(self.edition.ids(*PARTS))
        found = (clause for clauses in self._under(about_examples=True).values() for clause in clauses)
        return tuple(self.rule(clause) for clause in found if clause.id not in placed)

    def again(self, part: str) -> tuple[Rule, ...]:
        return tuple(self.rule(self.game.clauses[id_]) for id_ in self.edition.ids(part) if id_ in self.game.clauses)

    def _under(self, *, about_examples: bool) -> dict[Heading | None, list[model.Clause]]:
        under: dict[Heading | None, list[model.Clause]] = {}
        for clause in self.game.clauses.values():
            if clause.id not in self.shown and clause.id not in self.asked:
                under.setdefault(heading_of(self.headings, clause.span), []).append(clause)
        return {head: found for head, found in under.items() if speaks_of_examples(head) is about_examples}

    def _read_section(self, part: str, title: str, ids: tuple[str, ...]) -> Section:
        heading = next((each for each in self.headings if each.text == title), None)
        clauses = [self.game.clauses[id_] for id_ in ids if id_ in self.game.clauses]
        section = self._section(part, heading, clauses)
        if part not in LISTED:
            return section
        elsewhere = set(self.edition.ids(*(each for each in PARTS if each not in LISTED)))
        return evolve(section, rules=tuple(evolve(rule, again=rule.id in elsewhere) for rule in section.rules))

    def _section(self, part: str, heading: Heading | None, clauses: list[model.Clause]) -> Section:
        title = "" if heading is None else self.tongue.text(heading.id, heading.text)
        ids = {clause.id for clause in clauses}
        cards = [(kind, member) for kind, member in self._members() if ids & set(self._of_card(kind, member))]
        of_cards = {id_ for kind, member in cards for id_ in self._of_card(kind, member)}
        rules = tuple(self.rule(clause) for clause in clauses if clause.id not in of_cards)
        printed_cards = tuple(self._card(kind, member) for kind, member in cards)
        return Section(title[:1].upper() + title[1:], rules, printed_cards, part)

    def _of_card(self, kind: model.Kind, member: model.Member) -> tuple[str, ...]:
        return self.cards.get((kind.name, member.key), ())

    def _members(self) -> list[tuple[model.Kind, model.Member]]:
        return [(kind, member) for kind in self.game.kinds.values() for member in kind.members]

    def _card(self, kind: model.Kind, member: model.Member) -> Card:
        title = self.tongue.text(f"{kind.name} {member.key}", member.title or plain(member.key))
        rules = tuple(_untitled(self.rule(self.game.clauses[id_]), title) for id_ in self._of_card(kind, member))
        key = member.key if member.title and member.key.isdigit() and not member.renamed else ""
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
            option.name,
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


def _untitled(rule: Rule, title: str) -> Rule:
    """A rule beside a title does not say the title once more."""
    if not rule.text.startswith(f"{title}: "):
        return rule
    text = rule.text.removeprefix(f"{title}: ")
    return evolve(rule, text=text[:1].upper() + text[1:])
