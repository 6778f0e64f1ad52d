"""Glossaries: for each term of a game the words that a language has for it, and words that it does not use.

A line holds a term as the rules file writes it, the words that may stand for
it, and what else is known:

    boat = barca, barche; f; not nave; told AB-7

Knows no catalogue format: texts come with the ids that a `Tongue` has for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulekit import library
from rulekit.diagnostics import Problems
from rulekit.model.game import Game
from rulekit.source import Source, Span
from rulekit.values import frozen

_SHORT = 12
_GENDERS = ("m", "f", "n")
_WITHOUT_NEUTER = frozenset({"it"})
"""Languages with rules about articles that have no third gender."""


@frozen
class Term:
    """One term.

    words:   as they may be written; the first is the one that a glossary shows.
    avoided: words for the same thing that are not used.
    told:    the clause that says what it is, or "".
    gender:  m, f or n, with which articles must agree: then the first word is the singular, the second the plural.
    """

    name: str
    words: tuple[str, ...]
    avoided: tuple[str, ...]
    told: str
    span: Span
    gender: str = ""

    def is_in(self, text: str) -> bool:
        return _holds(text, self.words)

    def avoided_in(self, text: str) -> str:
        """The first word of a text that should not be there, or ""."""
        return next((word for word in self.avoided if _holds(text, (word,))), "")


def glossary_of(game: Game, language: str, problems: Problems, sources: dict[str, Source]) -> tuple[Term, ...]:
    """The terms of a game in a language, with findings about the list; none if there is no list."""
    path = library.glossary(game.sources[0][0], language) if game.sources else None
    if path is None:
        return ()
    source = library.read(path)
    sources[source.name] = source
    return read_glossary(source, language, problems)


def read_glossary(source: Source, language: str, problems: Problems) -> tuple[Term, ...]:
    """Read the terms of a list; a line that is none, and a gender that the language lacks, are findings."""
    found: dict[str, Term] = {}
    for line, span in source.entries():
        name, sign, rest = (part.strip() for part in line.partition("="))
        words, *others = (part.strip() for part in rest.split(";"))
        if not sign or not name or not _listed([words]):
            problems.add("glossary-line", "a term and its words are wanted", span, hint="write `boat = boat, boats`")
        elif name in found:
            problems.add("glossary-twice", f"`{name}` stands here a second time", span)
        else:
            told = "".join(other.removeprefix("told ").strip() for other in others if other.startswith("told "))
            avoided = _listed(other.removeprefix("not ") for other in others if other.startswith("not "))
            gender = next((other for other in others if other in _GENDERS), "")
            if gender == "n" and language in _WITHOUT_NEUTER:
                problems.add("glossary-gender", "the language has no gender `n`", span, hint="write `m` or `f`")
                gender = ""
            found[name] = Term(name, _listed([words]), avoided, told, span, gender)
    return tuple(found.values())


def _listed(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(word.strip() for text in texts for word in text.split(",") if word.strip())


def _holds(text: str, words: Iterable[str]) -> bool:
    """Whether one of the words, or several words in a row, stand in a text as words; `*` at the end: any ending."""
    return any(re.search(_pattern(word), text, re.IGNORECASE) for word in words)


def _pattern(word: str) -> str:
    stem = word.removesuffix("*")
    return rf"(?<!\w){re.escape(stem)}" + (r"\w*" if word.endswith("*") else "") + r"(?!\w)"


# ---------------------------------------------------------------- translations


def strayed(
    terms: Iterable[Term], source: Iterable[Term], texts: Iterable[tuple[str, str, str]], problems: Problems
) -> None:
    """Where a translation does not keep to the glossary.

    terms:   of the language; source: of English, with the forms in which a term is recognised.
    texts:   ids, English texts and their translations.
    """
    english = {term.name: term for term in source}
    terms = tuple(terms)
    for id_, text, said in texts:
        for term in terms:
            for title in _faults(term, english.get(term.name), text, said):
                problems.add("not-the-term", f"{id_}: {title}", term.span, note=_short(said))


def _faults(term: Term, source: Term | None, text: str, said: str) -> Iterator[str]:
    if source is not None and source.is_in(text) and not term.is_in(said):
        yield f"`{term.name}` is not called {' or '.join(term.words)}"
    if word := term.avoided_in(said):
        yield f"`{word}` stands for `{term.name}`"


def _short(text: str) -> str:
    words = text.split()
    return " ".join(words[:_SHORT]) + (" …" if len(words) > _SHORT else "")
