"""In which order the sections of a book stand, and their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from rulekit.model import game as model
from rulekit.tools.rulebook.book import Book, Card, Chapter, Rule, Section
from rulekit.tools.rulebook.edition import LISTED, PARTS, Edition
from rulekit.values import evolve


def homes_of(game: model.Game, edition: Edition, elsewhere: frozenset[str]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Part, title and clauses of each section of an edition, in the order in which they are read.

    elsewhere:  clauses that stand at examples and choices.  Whatever the edition leaves out comes behind the clause
    that stands before it in the file, so that nothing is lost.
    """
    stretches = [(part, each.title, list(each.ids)) for part in PARTS for each in edition.parts.get(part, ())]
    told = {id_: ids for part, _, ids in stretches if part not in LISTED for id_ in ids}
    listed = {id_: ids for part, _, ids in stretches if part in LISTED for id_ in ids if id_ not in told}
    home = told | listed
    before = next((ids for part, _, ids in stretches if part == "turn"), stretches[-1][2])
    for id_ in game.clauses:
        if id_ in home:
            before = home[id_]
        elif id_ not in elsewhere:
            before.append(id_)
    return [(part, title, tuple(ids)) for part, title, ids in stretches]


def chapters(book: Book, titles: Mapping[str, str]) -> tuple[Chapter, ...]:
    """The chapters of a book, numbered.  titles: of the parts and of what stands behind them."""
    groups: dict[str, tuple[Section, ...]] = {}
    for part, sections in groupby(book.sections, lambda section: section.part):
        groups[part] = (*groups.get(part, ()), *sections)
    found = tuple(_numbered(each, str(number)) for number, each in enumerate(_chapters_of(groups, titles), 1))
    told = numbers(found)
    return tuple(evolve(each, sections=tuple(_pointing(section, told) for section in each.sections)) for each in found)


def _chapters_of(groups: Mapping[str, tuple[Section, ...]], titles: Mapping[str, str]) -> Iterator[Chapter]:
    for part in (*PARTS[1:], ""):
        if part == "box" and "box" in titles:
            yield Chapter("box", "", titles["box"], groups.get("box", ()))
        elif part:
            if part in groups:
                yield Chapter(part, "", titles[part], groups[part])
        else:
            yield from (Chapter("", "", s.title, (s,)) for s in groups.get("", ()) if s.title and (s.rules or s.cards))
    yield from (Chapter(key, "", title) for key, title in titles.items() if key not in PARTS)


def _numbered(chapter: Chapter, number: str) -> Chapter:
    """With the numbers of its sections and rules: 5, 5.2, 5.2.1; rules of an only section are 5.1, 5.2."""
    several = len(chapter.sections) > 1
    sections = tuple(
        _numbered_section(section, f"{number}.{n}" if several else number)
        for n, section in enumerate(chapter.sections, 1)
    )
    return evolve(chapter, number=number, sections=sections)


def _numbered_section(section: Section, number: str) -> Section:
    count = len(section.rules)
    rules = tuple(evolve(rule, number=f"{number}.{n}") for n, rule in enumerate(section.rules, 1))
    cards: list[Card] = []
    for card in section.cards:
        cards.append(evolve(card, rules=tuple(_numbered_rules(card.rules, number, count))))
        count += len(card.rules)
    return evolve(section, number=number, rules=rules, cards=tuple(cards))


def _numbered_rules(rules: tuple[Rule, ...], number: str, before: int) -> Iterator[Rule]:
    return (evolve(rule, number=f"{number}.{before + n}") for n, rule in enumerate(rules, 1))


def numbers(found: tuple[Chapter, ...]) -> dict[str, str]:
    """By clause the number under which it is told."""
    return {r.id: r.number for c in found for section in c.sections for r in section.all_rules if not r.again}


def _pointing(section: Section, told: Mapping[str, str]) -> Section:
    """What only repeats a rule has the number of the other place."""
    rules = (evolve(rule, number=told.get(rule.id, "")) if rule.again else rule for rule in section.rules)
    return evolve(section, rules=tuple(rules))
