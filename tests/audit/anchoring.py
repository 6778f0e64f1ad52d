"""How well `text anchor` proposes clauses for the sentences of published books, held against their anchors.

    python -m tests.audit.anchoring DIR [--tune ROUNDS]

goes through all `NAME.LANG.md` of a folder that have rules in `games/` and anchors in `games/text/`.  A book's own
anchors are only the truth: nothing of them is given.  A sentence counts as right if the clause proposed is one of those
that its passage is tied to.  Headings are no sentences, nor is what has fewer than three words.

--tune: coordinate descent over the weights for each book on the other ones alone, from plain weights, so many times
through all of them; the figures are then those of the book left out (leave one out).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import log
from pathlib import Path

from attrs import astuple, evolve, field, frozen

from rulekit.diagnostics import Problems
from rulekit.source import Source
from rulekit.tools.anchoring.alignment import Weights, likelihoods
from rulekit.tools.anchoring.clause_evidence import Clauses, Evidence, clauses_of, evidence
from rulekit.tools.anchoring.proposals import Proposal, proposals
from rulekit.tools.anchoring.sentences import Sentence, sentences
from rulekit.tools.anchoring.wording import Wording, wording
from rulekit.tools.audit.anchor_matching import IndexedBook, Passage, passages
from rulekit.tools.audit.anchors import words
from rulekit.tools.audit.findings import AuditedRules
from rulekit.tools.audit.numeral_parsing import numerals
from rulekit.tools.audit.reports import anchors_of, book_of, rules_of
from tests.paths import GAMES

WORST, TINY = -6.0, 1e-9
"""What a sentence can cost at most in tuning."""
LEAST = 3
"""Words of a sentence that is counted."""
PLAIN = Weights(
    words=0.5,
    parts=0.07,
    names=0.5,
    things=0.2,
    claims=0.2,
    beside=0.1,
    numbers=0.2,
    rare=0.0,
    ceiling=5.0,
    notes=-1.0,
    examples=-0.5,
    shown=0.0,
    nothing=0.0,
    stay=4.0,
    forward=0.3,
    back=0.1,
    jump=1.0,
    reach=6.0,
    apart=0.6,
)
"""Where tuning begins: round figures that no book has seen."""
TRIED: dict[str, tuple[float, ...]] = {
    "words": (0.2, 0.3, 0.4, 0.5, 0.7),
    "parts": (0.0, 0.03, 0.07, 0.12),
    "names": (0.0, 0.25, 0.5, 1.0),
    "things": (0.0, 0.2, 0.4, 0.7),
    "claims": (0.0, 0.2, 0.4, 0.7, 1.0),
    "beside": (0.0, 0.1, 0.2, 0.3),
    "numbers": (0.0, 0.1, 0.2, 0.4, 0.6),
    "rare": (0.0, 0.2, 0.4, 0.7),
    "ceiling": (4.0, 5.0, 7.0, 9.0),
    "notes": (0.0, -0.5, -1.0, -2.0),
    "examples": (0.0, -0.5, -1.0),
    "shown": (0.0, 0.5, 1.0, 2.0),
    "nothing": (-1.0, 0.0, 1.0),
    "stay": (1.0, 2.0, 4.0, 8.0),
    "forward": (0.1, 0.3, 0.5),
    "back": (0.05, 0.1, 0.3),
    "jump": (0.5, 1.0, 2.0, 3.0),
    "reach": (3.0, 6.0, 10.0),
    "apart": (0.3, 0.6, 1.0),
}


@frozen
class Tied:
    """A published book, its rules, and the passages that are the truth."""

    name: str
    language: str
    book: IndexedBook
    rules: AuditedRules
    said: Wording
    passages: tuple[Passage, ...]

    def truth(self, one: Sentence) -> frozenset[str]:
        """The clauses of all passages in which a sentence stands."""
        here = [passage for passage in self.passages if passage.quoted < one.end and passage.end > one.start]
        return frozenset(id_ for passage in here for id_ in passage.anchor.clauses)

    def counts(self, one: Sentence) -> bool:
        return not one.is_heading and len(words(self.book.source.text[one.start : one.end])) >= LEAST


@frozen
class Score:
    """sentences: that state a rule; first, among: those whose right clause came first, or among three.

    sure, wrong:  proposals offered as sure, and those of them that are not right; idle: sentences that state no rule.
    """

    sentences: int
    first: int
    among: int
    sure: int
    wrong: int
    idle: int

    def __str__(self) -> str:
        parts = (self.first / max(self.sentences, 1), self.among / max(self.sentences, 1))
        sure = f"{self.sure} sure, {self.wrong} of these wrong"
        return f"{self.sentences} sentences, first {parts[0]:.0%}, among three {parts[1]:.0%}; {sure}"


def tied(book: Path, rules: Path, anchors: Path) -> Tied:
    sources: dict[str, Source] = {}
    known = rules_of(str(rules), sources)
    told = anchors_of(str(anchors), known, sources, Problems())
    read = book_of(str(book), told.language, sources)
    placed = passages(read, told.anchors, Problems())
    return Tied(book.name, told.language, read, known, wording(str(rules), told.language, known), placed)


def books(folder: Path) -> Iterator[Tied]:
    for book in sorted(folder.glob("*.md")):
        name, language = book.name.removesuffix(".md").rsplit(".", 1)
        rules, anchors = GAMES / f"{name}.rules", GAMES / "text" / f"{name}.{language}.anchors"
        if rules.exists() and anchors.exists():
            yield tied(book, rules, anchors)


def scored(one: Tied, made: Sequence[Proposal]) -> Score:
    """How many of the proposals are right."""
    counted = [(proposal, one.truth(proposal.sentence)) for proposal in made if one.counts(proposal.sentence)]
    stating = [([id_ for id_, _ in proposal.clauses], truth) for proposal, truth in counted if truth]
    sure = [(proposal.clauses[0][0], truth) for proposal, truth in counted if proposal.is_sure]
    return Score(
        len(stating),
        sum(bool(truth & set(ids[:1])) for ids, truth in stating),
        sum(bool(truth & set(ids)) for ids, truth in stating),
        len(sure),
        sum(id_ not in truth for id_, truth in sure),
        len(counted) - len(stating),
    )


def total(scores: Sequence[Score]) -> Score:
    return Score(*(sum(column) for column in zip(*map(astuple, scores), strict=True)))


# ---------------------------------------------------------------- tuning


@frozen
class Prepared:
    """What does not depend on the weights."""

    made: tuple[Sentence, ...]
    known: Clauses
    found: Evidence
    truths: tuple[frozenset[int] | None, ...]
    """By sentence the places of its clauses; None for those that do not count."""


def prepared(one: Tied) -> Prepared:
    text = one.book.source.text
    made, known = sentences(text), clauses_of(one.rules, one.said.texts, one.said.names, one.language)
    place = {id_: number for number, id_ in enumerate(known.ids)}
    truths = (one.truth(each) if one.counts(each) else None for each in made)
    places = tuple(None if truth is None else frozenset(place[id_] for id_ in truth) for truth in truths)
    return Prepared(made, known, evidence(text, made, numerals(text, one.language), known), places)


def worth(one: Prepared, weights: Weights) -> float:
    """The mean log-likelihood of what is right: one of the clauses of a sentence, or that it states no rule."""
    rows = likelihoods(one.made, one.found, one.known, weights)
    counted = [(row, truth) for row, truth in zip(rows, one.truths, strict=True) if truth is not None]
    right = (sum(row[place] for place in sorted(truth)) if truth else row[-1] for row, truth in counted)
    return sum(max(WORST, log(share + TINY)) for share in right) / max(len(counted), 1)


@frozen
class Worths:
    """What weights are worth for each book, each worked out once."""

    given: tuple[Prepared, ...]
    known: dict[tuple[int, Weights], float] = field(factory=dict)

    def of(self, places: Sequence[int], weights: Weights) -> float:
        for place in places:
            if (place, weights) not in self.known:
                self.known[place, weights] = worth(self.given[place], weights)
        return sum(self.known[place, weights] for place in places)


def tuned(worths: Worths, places: Sequence[int], rounds: int) -> Weights:
    """Of the books at some places."""
    best = PLAIN
    for _ in range(rounds):
        for name, values in TRIED.items():
            tried = [evolve(best, **{name: value}) for value in values]
            best = max((best, *tried), key=lambda weights: worths.of(places, weights))
    return best


def left_out(given: Sequence[Tied], rounds: int) -> Iterator[tuple[Tied, Weights]]:
    """Each book with the weights that the others give."""
    worths = Worths(tuple(prepared(one) for one in given))
    for place, one in enumerate(given):
        yield one, tuned(worths, [other for other in range(len(given)) if other != place], rounds)


def main() -> None:
    asked = argparse.ArgumentParser(description="Measure the proposals of `text anchor`.")
    asked.add_argument("folder", type=Path)
    asked.add_argument("--tune", type=int, metavar="ROUNDS", help="about half a minute of processor a book and round")
    said = asked.parse_args()
    given = list(books(said.folder))
    weighed = left_out(given, said.tune) if said.tune else ((one, Weights()) for one in given)
    scores = []
    for one, weights in weighed:
        made = proposals(one.book, one.language, one.rules, one.said, weights=weights)
        scores.append(scored(one, made))
        print(f"{one.name}: {scores[-1]}", weights if said.tune else "", flush=True)
    print(f"together: {total(scores)}")


if __name__ == "__main__":
    main()
