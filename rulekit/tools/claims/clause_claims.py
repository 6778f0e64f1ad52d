"""Clause claims: all that is claimed by the rules and the texts of clauses, in the words of one language.

Puts together what lines claim, what the clause's own text and its translation
claim, and what the game calls its things.  Says whether a word is supported or
contradicted by some clauses; what is neither cannot be decided.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulekit.model.game import Clause
from rulekit.tools.claims.claim_values import CONTRARY, FIRM, ClaimWord, RuleClaim
from rulekit.tools.claims.word_tables import WordTable, articles, read_words, table_of
from rulekit.tools.claims.word_usage import Place, ReadText, learned, places_in
from rulekit.tools.language.po_files import Translated
from rulekit.values import field, frozen

SOURCE = "en"
"""The language of clauses."""
_NAMED = re.compile(r"(?:kind|piece|place|name|step|asked|trait [^.]+[.]|[a-z_]+) ?(?P<name>[^ .]+)")
_NO_NAMES = ("title", "heading ", "example ", "option ", "reading ", "assumed ", "prompt ", "way ", "path ", "on ")
_NO_NAMES_EITHER = ("one ", "several ", "count ", "invariant ", "show ", "ruleset ")
_LEAST = 3
"""Shorter names are words of the language more often."""


@frozen
class ClauseClaims:
    """What clauses claim.  table: the words of a language; by_clause: what lines and texts claim, the lines first."""

    table: WordTable = field(repr=False)
    by_clause: Mapping[str, tuple[RuleClaim, ...]] = field(repr=False)
    texts: tuple[str, ...] = field(default=(), repr=False)
    """All texts of the game in the language of the words."""
    read: list[Place] = field(factory=list, eq=False, repr=False)
    """The words of these texts, once somebody has asked for them."""

    def words(self, text: str) -> tuple[ClaimWord, ...]:
        return read_words(text, self.table)

    def text_read(self, text: str, whole: str = "") -> ReadText:
        """A text with its words, and how it, the whole of which it is a part, and the texts of the game use them."""
        if not self.read:
            self.read.extend(place for one in self.texts for place in places_in(one, self.table))
        places = places_in(text, self.table)
        return ReadText(places, learned((*self.read, *(places_in(whole, self.table) if whole else places))))

    def of(self, clauses: Iterable[str]) -> Iterator[RuleClaim]:
        for id_ in clauses:
            yield from self.by_clause.get(id_, ())

    def support(self, word: ClaimWord, clauses: Sequence[str]) -> RuleClaim | None:
        """A claim of the clauses that the word may say."""
        return next((claim for claim in self.of(clauses) if claim.sense in word.senses), None)

    def by_lines(self, word: ClaimWord, clauses: Sequence[str]) -> bool:
        """Whether lines claim what the word may say, whatever the texts do."""
        return any(claim.sense in word.senses and not claim.is_text for claim in self.of(clauses))

    def opposed(self, word: ClaimWord, clauses: Sequence[str]) -> RuleClaim | None:
        """What lines claim that is contrary to a word of the clause's own text, where no line supports it."""
        others = {CONTRARY.get(sense, "") for sense in word.senses & FIRM}
        if self.by_lines(word, clauses):
            return None
        return next((claim for claim in self.of(clauses) if claim.sense in others and not claim.is_aside), None)

    def contrary(self, word: ClaimWord, clauses: Sequence[str]) -> RuleClaim | None:
        """What lines or texts claim that is contrary to all that the word may say, where nothing supports it."""
        others = {CONTRARY.get(sense, "") for sense in word.senses}
        if self.support(word, clauses) is not None:
            return None
        stated = (claim for claim in self.of(clauses) if claim.is_text >= claim.is_aside)
        return next((claim for claim in stated if claim.sense in others), None)


def clause_claims(
    claims: Sequence[RuleClaim], clauses: Mapping[str, Clause], translated: Sequence[Translated], language: str
) -> ClauseClaims:
    """translated: the entries of the game's catalogue in that language, empty for its own or where there is none."""
    by_clause: dict[str, list[RuleClaim]] = defaultdict(list)
    for claim in claims:
        for id_ in claim.clauses:
            by_clause[id_].append(claim)
    own = table_of(SOURCE, names(translated, SOURCE))
    table = own if language == SOURCE else table_of(language, names(translated, language))
    texts = {entry.id: entry.forms[0] for entry in translated if entry.forms[0] and not entry.fuzzy}
    for id_, clause in clauses.items():
        by_clause[id_] += _told(clause, clause.text, own)
        if language != SOURCE:
            by_clause[id_] += _told(clause, texts.get(id_, ""), table)
    written = [form for entry in translated for form in ((entry.text,) if language == SOURCE else entry.forms) if form]
    return ClauseClaims(table, {id_: tuple(found) for id_, found in by_clause.items()}, tuple(written))


def _told(clause: Clause, text: str, table: WordTable) -> Iterator[RuleClaim]:
    for word in read_words(text, table):
        for sense in sorted(word.senses):
            yield RuleClaim(sense, f"“{word.text}”", (clause.id,), True, True, clause.span)


def names(translated: Iterable[Translated], language: str) -> dict[str, frozenset[str]]:
    """What the game calls its things in a language: by word the senses `=NAME`."""
    found: dict[str, frozenset[str]] = {}
    leading = articles(language)
    for entry in translated:
        match = _NAMED.fullmatch(entry.id)
        if match is None or " " not in entry.id or entry.id.startswith((*_NO_NAMES, *_NO_NAMES_EITHER)):
            continue
        for form in (entry.text, entry.plural) if language == SOURCE else entry.forms:
            name = leading.sub("", form.lower())
            if len(name) >= _LEAST and not set(name) & set("{}*"):
                found[name] = found.get(name, frozenset()) | {f"={match['name']}"}
    return found
