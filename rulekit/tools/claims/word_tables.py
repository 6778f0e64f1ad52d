"""Word tables: by which words and phrases a language makes claims, read from a file that a translator can mend.

    low: lowest, smallest*, least
    nothing: at least once more

A line names a sense and its words; a star stands for any ending, `~` for any
thing of the game.  What a game calls its own things comes from its catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rulekit import library
from rulekit.errors import BadInput
from rulekit.source import Source
from rulekit.tools.claims.claim_values import JOINT, KINDS, ClaimWord
from rulekit.values import field, frozen

SENTENCE_END = re.compile(r"[.!?;:](?=\s|$)|\n\s*\n|<[^<>]*>")
_NAME = "~"
_BLANK = re.compile(r"\s+")
_ARTICLES = "article"
_NOTHING = "nothing"
"""What begins the line of words before names, and that of phrases that claim nothing though a part of them does."""


class BadTable(BadInput, ValueError):
    """A line of a word table that cannot be understood; the text names its place."""


@frozen
class WordTable:
    """Phrases in lower case with their senses.  pattern: finds them, of several at a place the longest."""

    senses: Mapping[str, frozenset[str]] = field(repr=False)
    pattern: re.Pattern[str] = field(repr=False)
    starred: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = field(default=(), repr=False)


def parsed_table(source: Source) -> dict[str, frozenset[str]]:
    """By phrase, with its star, the senses of a file; raises `BadTable`."""
    found: dict[str, frozenset[str]] = {}
    for text, place in source.entries():
        sense, colon, phrases = text.partition(":")
        if sense == _ARTICLES:
            continue
        if not colon or sense not in (KINDS.keys() - JOINT | {_NOTHING}):
            raise BadTable(f"{place}: `{sense}` is no sense")
        for phrase in phrases.split(","):
            word = _BLANK.sub(" ", phrase.strip().lower())
            if word:
                found[word] = found.get(word, frozenset()) | ({sense} - {_NOTHING})
    return found


def articles(language: str) -> re.Pattern[str]:
    """The articles in front of a name, which do not belong to it."""
    lines = (text for text, _ in library.claim_words(language).entries())
    found = (line.partition(":")[2] for line in lines if line.startswith(f"{_ARTICLES}:"))
    words = [re.escape(word.strip()) for line in found for word in line.split(",")]
    return re.compile(rf"^(?:{'|'.join(words) or '(?!)'})(?:\s+|(?<='))")


def table_of(language: str, names: Mapping[str, frozenset[str]]) -> WordTable:
    """The words of a language, and the names of the things of a game."""
    words = _with_names(parsed_table(library.claim_words(language)), names)
    for name, senses in names.items():
        words[name] = words.get(name, frozenset()) | senses
    starred = tuple((re.compile(_expression(word)), senses) for word, senses in words.items() if "*" in word)
    plain = {word: senses for word, senses in words.items() if "*" not in word}
    return WordTable(plain, _pattern(words), starred)


def _with_names(words: Mapping[str, frozenset[str]], names: Iterable[str]) -> dict[str, frozenset[str]]:
    """The phrases of a table, those with a place for a name once for each name, unless they say something else."""
    found = {word: senses for word, senses in words.items() if _NAME not in word}
    other = _pattern(found)
    wanted = [(word, senses) for word, senses in words.items() if _NAME in word]
    for name in names:
        for word, senses in wanted:
            phrase = word.replace(_NAME, name)
            if not other.fullmatch(phrase):
                found[phrase] = senses
    return found


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    longest = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_expression, longest)) or '(?!)'})(?!\w)")


def _expression(word: str) -> str:
    return re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"[\s*_]+")


def read_words(text: str, table: WordTable) -> tuple[ClaimWord, ...]:
    """The words of a text that claim something, in their order."""
    found = []
    for match in table.pattern.finditer(_plain(text)):
        phrase = _BLANK.sub(" ", re.sub(r"[*_]", " ", match.group()))
        senses = table.senses.get(phrase, frozenset()).union(
            *(senses for pattern, senses in table.starred if pattern.fullmatch(phrase))
        )
        found.append(ClaimWord(senses, phrase, match.start(), match.end()))
    return tuple(word for word in found if word.senses)


@frozen
class JointWords:
    """Two senses of a sentence that make one: who wins, by the word for the extreme.  starts: where all begin."""

    word: ClaimWord
    starts: frozenset[int]


_LITTLE, _MUCH = frozenset({"low", "few", "young"}), frozenset({"high", "many", "old"})


def joint_words(text: str, words: Sequence[ClaimWord]) -> tuple[JointWords, ...]:
    """Who wins: *the fewest win*, *the most lose*; nothing where a sentence has several extremes or outcomes."""
    made = []
    begin = 0
    for end in (*(match.end() for match in SENTENCE_END.finditer(text)), len(text)):
        inside = [word for word in words if begin <= word.start < end]
        begin = end
        extremes = [word for word in inside if word.senses & (_LITTLE | _MUCH)]
        outcomes = [word for word in inside if word.senses & {"win", "beaten"}]
        is_little = {bool(word.senses & _LITTLE) for word in extremes}
        is_win = {"win" in word.senses for word in outcomes}
        if len(is_little) == len(is_win) == 1:
            sense = frozenset({"least_wins" if is_little == is_win else "most_wins"})
            starts = frozenset(word.start for word in (*extremes, *outcomes))
            made += [JointWords(ClaimWord(sense, word.text, word.start, word.end), starts) for word in extremes]
    return tuple(made)


def _plain(text: str) -> str:
    """In lower case and with one apostrophe, letter by letter."""
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text).replace("’", "'")
