"""Suggested anchors: likely value names for passages without any, and a first file for a book without anchors.

Purely lexical: sentences and clauses are bags of stems and numbers, and each
word is worth the less the more clauses have it (inverse document frequency).
What is proposed is for a person to look through; nothing here decides anything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from attrs import field, frozen

from rulekit.tools.audit.anchor_matching import IndexedBook, Passage, places
from rulekit.tools.audit.anchors import QUOTE_WORDS, words
from rulekit.tools.audit.claim_checking import Audit, AuditedRules, agrees, of_clauses
from rulekit.tools.audit.constant_extraction import Constant
from rulekit.tools.audit.numeral_parsing import Numeral, numerals
from rulekit.tools.audit.value_names import NoValue, Rules, value_of
from rulekit.tools.language.translation import Tongue

_PLAIN = re.compile(r"[\w\[\]]+")
_UNKNOWN = "???"
_LEAST = 0.15
"""How alike a sentence and a clause must be to be tied at all."""
_SHOWN, _AROUND = 90, 30
"""How much of the book is shown beside a proposal and beside a number."""
_SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n\s*\n|\n(?=\s*[-*#>\d])")


@frozen
class Proposal:
    """A quote, where it stands, and clauses with how alike they are (0 to 1), the likeliest first."""

    quote: str
    start: int
    end: int
    clauses: tuple[tuple[str, float], ...]


def proposed_reads(passage: Passage, inside: Sequence[Numeral], ruled: AuditedRules) -> list[str]:
    """For each number the name of a value that has it: of several the next in the order of the rules, else `???`."""
    known = of_clauses(passage.anchor.clauses, ruled)
    names: list[str] = []
    last = -1
    for numeral in inside:
        fits = [i for i, c in enumerate(known) if agrees(numeral, c.value, c.bound, c.limit)]
        later = [i for i in fits if i > last]
        chosen = (later or fits or [-1])[0]
        names.append(name_of(known[chosen], ruled.rules) if chosen >= 0 else _UNKNOWN)
        last = chosen if chosen >= 0 else last
    return names


def name_of(constant: Constant, rules: Rules) -> str:
    """The shortest name that means this constant and no other value."""
    for group in (*reversed(constant.homes), *(f"@{id_}" for id_ in constant.clauses)):
        word = group if group.startswith("@") or _PLAIN.fullmatch(group) else f'"{group}"'
        for name in _names(word, constant):
            if _means(name, constant, rules):
                return name
    return _UNKNOWN


def _names(group: str, constant: Constant) -> Iterator[str]:
    label = f"{group}:{constant.label}" if constant.label and not set(constant.label) & set("#,") else group
    yield label
    yield from (f"{label}#{nth}" for nth in range(1, 40))


def _means(name: str, constant: Constant, rules: Rules) -> bool:
    """Whether a name means this constant; without a number it may stand for several that all have this value."""
    try:
        found = value_of(name, rules)
    except NoValue:
        return False
    # A name without a number may stand for several that all have this value.
    is_same = "#" not in name and (found.value, found.bound) == (constant.value, constant.bound)
    return found.span == constant.span or is_same


# ---------------------------------------------------------------- a first file


@frozen
class _Clauses:
    """Clauses as bags of words and numbers, with what each word is worth."""

    bags: dict[str, Counter[str]]
    worth: dict[str, float] = field(repr=False)


def proposals(book: IndexedBook, language: str, ruled: AuditedRules, texts: Mapping[str, str]) -> list[Proposal]:
    """For each sentence of a book the clauses that it might belong to.

    texts:  what each clause says, in the book's language as far as it is known.
    """
    known = _clauses(ruled, texts, language)
    made = []
    for start, end in _sentences(book.source.text):
        quote = _quote(book.source.text[start:end], language, book)
        if quote:
            made.append(Proposal(quote, start, end, _likely(book.source.text[start:end], language, known)))
    return made


def _quote(text: str, language: str, book: IndexedBook) -> str:
    """The first words of a sentence that stand nowhere else, up to its first number; "" if there are none."""
    numbers = numerals(text, language)
    free = [word for word, _, _ in words(text[: numbers[0].start] if numbers else text)]
    for size in range(2, min(QUOTE_WORDS, len(free)) + 1):
        quote = " ".join(free[:size])
        if len(places(book, quote)) == 1:
            return quote
    return ""


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _clauses(ruled: AuditedRules, texts: Mapping[str, str], language: str) -> _Clauses:
    bags = {id_: _bag(text, language) for id_, text in texts.items()}
    for id_, bag in bags.items():
        bag.update({f"={abs(c.value)}" for c in of_clauses((id_,), ruled) if not c.is_example})
    counts = Counter(word for bag in bags.values() for word in bag)
    return _Clauses(bags, {word: 1 / count for word, count in counts.items()})


def _bag(text: str, language: str) -> Counter[str]:
    stems = [word[:5] for word, _, _ in words(text) if len(word) > 3]
    return Counter(stems) + Counter(f"={number.value}" for number in numerals(text, language))


def _likely(text: str, language: str, known: _Clauses) -> tuple[tuple[str, float], ...]:
    here = _bag(text, language)
    rated = [(id_, _alike(here, bag, known.worth)) for id_, bag in known.bags.items()]
    best = sorted((entry for entry in rated if entry[1] >= _LEAST), key=lambda entry: -entry[1])
    return tuple(best[:3])


def _alike(left: Counter[str], right: Counter[str], worth: Mapping[str, float]) -> float:
    """Worth of the shared words over the mean worth of both texts (0 to 1)."""
    shared = sum(worth.get(word, 0.0) for word in left if word in right)
    whole = sum(worth.get(word, 1.0) for word in left) * sum(worth.get(word, 0.0) for word in right)
    return shared / sqrt(whole) if whole else 0.0


def first_file(made: Sequence[Proposal], book: IndexedBook, language: str, tongue: Tongue) -> str:
    """Proposals as a file of anchors; all but the likeliest clause stand in a comment."""
    lines = [f"# {tongue.say('anchor-proposed')}", f"language {language}", ""]
    for proposal in made:
        text = " ".join(book.source.text[proposal.start : proposal.end].split())
        rated = ", ".join(f"@{id_} {share:.0%}" for id_, share in proposal.clauses)
        lines.append(f"# {text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}" + (f"  [{rated}]" if rated else ""))
        first = f"@{proposal.clauses[0][0]}" if proposal.clauses else "-"
        lines.append(f'"{proposal.quote}" : {first}')
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- what is left to do


def unnamed(audit: Audit, ruled: AuditedRules, tongue: Tongue) -> list[str]:
    """For each passage whose names of values are missing, or not as many as its numbers, the likely names."""
    found = []
    for passage in audit.passages:
        inside = [reading.numeral for reading in audit.readings if reading.passage == passage]
        names = passage.anchor.reads
        if inside and passage.anchor.clauses and (names is None or len(names) != len(inside)):
            line = passage.anchor.span.line
            read = " ".join(numeral.text for numeral in inside)
            proposed = ", ".join(proposed_reads(passage, inside, ruled))
            said = tongue.say("anchor-followed", line=line, quote=passage.anchor.quote, numbers=read)
            found.append(f"{said}\n    reads {proposed}")
    return found


def untied(audit: Audit, tongue: Tongue) -> list[str]:
    """The numbers of a book that no anchor covers: those in no passage, or in a quote."""
    text = audit.book.source.text
    found = []
    for numeral in (reading.numeral for reading in audit.readings if reading.passage is None):
        place = audit.book.span(numeral.start, numeral.end)
        around = " ".join(text[max(0, numeral.start - _AROUND) : numeral.end + _AROUND].split())
        found.append(tongue.say("anchor-untied", place=place, number=numeral.text, around=f"…{around}…"))
    return found
