"""A book as it is read for its faults: the rules it is made of, its order and its words."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.model import game as model
from rulekit.source import NOWHERE, Span
from rulekit.tools.language.display_names import plain, several
from rulekit.tools.language.outline import Heading, headings, printed
from rulekit.tools.language.translation import Tongue
from rulekit.tools.rulebook.book import Book, Rule
from rulekit.tools.rulebook.edition import PARTS, Edition
from rulekit.tools.rulebook.glossary import Term
from rulekit.values import field, frozen


@frozen
class Proof:
    """terms: the glossary of the book's language; english: that of English, by which clauses are read.

    forms:  the sentences of play that English has, by their ids.
    """

    game: model.Game
    book: Book
    tongue: Tongue
    edition: Edition | None
    terms: tuple[Term, ...] = ()
    english: tuple[Term, ...] = ()
    forms: Mapping[str, str] = field(factory=dict)

    def rules(self, *parts: str) -> tuple[Rule, ...]:
        """The rules of parts of the book, without remarks and without what only repeats another; of all without any."""
        wanted = parts or ("", *PARTS)
        found = (rule for s in self.book.sections if s.part in wanted for rule in s.all_rules)
        return tuple(rule for rule in found if not rule.remark and not rule.again)

    def span(self, id_: str) -> Span:
        return self.game.clauses[id_].span

    def place(self) -> Span:
        """Where the order of the book is said, or else the beginning of the rules."""
        if self.edition is not None and self.edition.span != NOWHERE:
            return self.edition.span
        return Span(self.game.sources[0][0], 1, 1, 1, 1) if self.game.sources else NOWHERE

    def kind_place(self, kind: str) -> Span:
        members = self.game.kinds[kind].members if kind in self.game.kinds else ()
        return members[0].span if members else self.place()

    def kind_words(self, kind: str) -> tuple[str, ...]:
        """The words by which a text of the book may speak of things of a kind."""
        term = next((term for term in self.terms if term.name == plain(kind)), None)
        if kind in self.game.kinds:
            named = tuple(
                self.tongue.number(f"kind {kind}", plain(kind), several(kind, self.tongue), n) for n in (1, 2)
            )
        else:
            named = (self.tongue.text(f"source {kind}", plain(kind)),)
        return (*named, *(() if term is None else term.words))

    def headings(self) -> tuple[Heading, ...]:
        return headings(self.game)

    def printed(self) -> tuple[model.Scenario, ...]:
        return tuple(each.scenario for each in printed(self.game))

    def shown(self) -> set[str]:
        """The clauses that stand at examples."""
        found = {rule.id for rule in self.book.beside_examples}
        return found | {id_ for each in printed(self.game) for id_ in each.own}
