"""Evidence for the clause of a sentence: shared stems, parts of words, names of things, numbers (BM25).

What a word counts for is the more the fewer sentences of the book have it (inverse document frequency).  The names of
things that the lines of a clause use are looked up in the translation of the game, so that a clause is known by them
where its own text says it in other words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log

from rulekit.syntax import nodes
from rulekit.syntax.traversal import all_cites, walk
from rulekit.tools.anchoring.claim_evidence import Matrix, by_claims
from rulekit.tools.anchoring.sentences import Sentence
from rulekit.tools.audit.anchors import words
from rulekit.tools.audit.findings import AuditedRules, of_clauses
from rulekit.tools.audit.numeral_parsing import Numeral, numerals
from rulekit.tools.claims.clause_claims import ClauseClaims
from rulekit.tools.language.translator_comments import tied
from rulekit.values import field, frozen

RULE, NOTE, EXAMPLE = "rule", "note", "example"
"""What a clause is for: it is carried out, it says how an unclear passage is read, it tells a worked example."""
_PART = 4
"""So many letters of a word are a stem, or a part of it."""
_FULL, _EVENED = 2.0, 0.5
"""Of BM25: how soon a word that a clause repeats counts no more (k1), and how far a long clause counts less (b)."""
_COMMON = 0.8
"""What a word is worth by how few sentences have it."""
_NAMED = 0.5
"""What a name that only the lines use counts beside a word of the text."""
_RARE = 3.0
"""From this inverse document frequency on a number is as rare as can be."""
_CROWDED = 0.25
"""How much less a shared number says of a clause that has many."""


@frozen
class Clauses:
    """What is known of the clauses of a game, in the order of the rules.

    texts:   in the book's language, as far as it is translated; names: the words for what their lines name.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...] = field(repr=False)
    names: tuple[str, ...] = field(repr=False)
    numbers: tuple[frozenset[int], ...] = field(repr=False)
    roles: tuple[str, ...] = field(repr=False)
    told: ClauseClaims = field(repr=False)
    """What they claim beside numbers."""


@frozen
class Evidence:
    """stems to claims: how much each speaks for a clause; shared: how many stems both have."""

    stems: Matrix
    parts: Matrix
    names: Matrix
    numbers: Matrix
    things: Matrix
    claims: Matrix
    rare: Matrix
    shared: list[list[int]]


def clauses_of(
    ruled: AuditedRules, texts: Mapping[str, str], names: Mapping[str, Iterable[str]], language: str
) -> Clauses:
    """texts: by clause what it says; names: by word of the rules what the book's language calls it."""
    ids, roles = tuple(texts), _roles(ruled)
    lines: dict[str, list[str]] = defaultdict(list)
    for line in tied(list(ruled.declarations)):
        for id_ in line.clauses:
            lines[id_].append(line.text)
    return Clauses(
        ids,
        tuple(texts[id_] for id_ in ids),
        tuple(_named("\n".join(lines[id_]), names) for id_ in ids),
        tuple(_numbers(id_, texts[id_], ruled, language) for id_ in ids),
        tuple(roles.get(id_, NOTE) for id_ in ids),
        ruled.claimed(language),
    )


def _numbers(id_: str, text: str, ruled: AuditedRules, language: str) -> frozenset[int]:
    """Those of its lines, of worked examples only where there are no others; and those of its own words."""
    said = {abs(number.value) for number in numerals(text, language)}
    return frozenset(said | {abs(constant.value) for constant in of_clauses((id_,), ruled)})


def _named(lines: str, names: Mapping[str, Iterable[str]]) -> str:
    used = re.findall(r"\w+", lines.lower())
    return " ".join([*(word for name in used for word in names.get(name, ())), lines])


def _roles(ruled: AuditedRules) -> dict[str, str]:
    """By clause what it is for: one that explains a reading is that, even if rules follow it elsewhere."""
    found = {id_: NOTE for id_, clause in ruled.rules.game.clauses.items() if not clause.needs_rule}
    for declaration in ruled.declarations:
        is_example = isinstance(declaration, nodes.Scenario)
        for line in walk(declaration):
            for id_ in all_cites(line) if isinstance(line, nodes.Line) else ():
                if _explains(line):
                    found[id_] = NOTE
                elif is_example:
                    found.setdefault(id_, EXAMPLE)
                elif found.get(id_) != NOTE:
                    found[id_] = RULE
    return found


def _explains(line: nodes.Node) -> bool:
    return isinstance(line, nodes.Reading | nodes.Assume) or (isinstance(line, nodes.Option) and line.word == "unclear")


# ---------------------------------------------------------------- matching


def evidence(
    text: str,
    made: Sequence[Sentence],
    read: Sequence[Numeral],
    known: Clauses,
    accepted: Mapping[int, Sequence[int]] | None = None,
) -> Evidence:
    """How much each sentence speaks for each clause.

    accepted:  by sentence the clauses that somebody has tied it to: what these say in the book's own words.
    """
    bags = [text[one.start : one.end] for one in made]
    told = [[clause] for clause in known.texts]
    for place, clauses in (accepted or {}).items():
        for clause in clauses:
            told[clause].append(bags[place])
    full = [" ".join(parts) for parts in told]
    stems = [Counter(_stems(bag)) for bag in bags]
    parts = [Counter(_parts(bag)) for bag in bags]
    own = [Counter(_stems(one)) for one in full]
    named = [Counter(dict.fromkeys(_stems(names), _NAMED)) for names in known.names]
    inside = [{abs(n.value) for n in read if one.start <= n.start < one.end} for one in made]
    return Evidence(
        _rated(stems, own),
        _rated(parts, [Counter(_parts(one)) for one in full]),
        _rated(stems, [one - both for one, both in zip(named, own, strict=True)]),
        _by_numbers(inside, known.numbers),
        *by_claims(bags, known.ids, known.told),
        _by_rare_numbers(inside, known.numbers),
        [[len(bag.keys() & one.keys()) for one in own] for bag in stems],
    )


def _stems(text: str) -> list[str]:
    return [word[:_PART] for word in _plain(text)]


def _parts(text: str) -> list[str]:
    """All runs of letters inside the words."""
    return [word[i : i + _PART] for word in _plain(text) for i in range(len(word) - _PART + 1)]


def _plain(text: str) -> list[str]:
    """Words without accents; short ones are mostly articles."""
    folded = (unicodedata.normalize("NFD", word) for word, _, _ in words(text))
    bare = ("".join(letter for letter in word if not unicodedata.combining(letter)) for word in folded)
    return [word for word in bare if len(word) >= _PART and not word.isdigit()]


def _rated(bags: Sequence[Counter[str]], clauses: Sequence[Mapping[str, float]]) -> Matrix:
    """BM25 of every clause for the words of every sentence."""
    counts = Counter(word for bag in bags for word in bag)
    sizes = [sum(clause.values()) for clause in clauses]
    mean = sum(sizes) / max(len(sizes), 1) or 1.0
    index: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for place, (clause, size) in enumerate(zip(clauses, sizes, strict=True)):
        evened = _FULL * (1 - _EVENED + _EVENED * size / mean)
        for word, often in clause.items():
            if word in counts:
                worth = max(0.0, _COMMON * log((len(bags) + 1) / (counts[word] + 0.5)))
                index[word].append((place, worth * often * (_FULL + 1) / (often + evened)))
    made = []
    for bag in bags:
        row = [0.0] * len(clauses)
        for word in bag:
            for place, worth in index.get(word, ()):
                row[place] += worth
        made.append(row)
    return made


def _by_numbers(inside: Sequence[set[int]], clauses: Sequence[frozenset[int]]) -> Matrix:
    counts = Counter(number for clause in clauses for number in clause)
    worth = {number: log(1 + len(clauses) / count) for number, count in counts.items()}
    return [
        [
            sum(worth[n] for n in sorted(here & clause)) * len(clause) ** -_CROWDED if clause else 0.0
            for clause in clauses
        ]
        for here in inside
    ]


def _by_rare_numbers(inside: Sequence[set[int]], clauses: Sequence[frozenset[int]]) -> Matrix:
    """The same by numbers that few sentences have as well, however many the clause has: those of worked examples."""
    counts = Counter(number for clause in clauses for number in clause)
    often = Counter(number for here in inside for number in here)
    worth = {
        number: log(1 + len(clauses) / count) * min(1.0, log((len(inside) + 1) / (often[number] + 0.5)) / _RARE)
        for number, count in counts.items()
        if often[number]
    }
    return [[sum(worth[n] for n in sorted(here & clause)) for clause in clauses] for here in inside]
