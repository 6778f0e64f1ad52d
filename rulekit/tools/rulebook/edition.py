"""Reading an edition: in which part of the book, and in which order, the clauses of a game are read.

An edition is a small list beside the translations of a rules file.  It holds
ids of clauses and words of headings, and no text of its own, so that all that
is printed stands in the rules file and in its catalogues.  What is wrong with
it is a finding.
"""

from __future__ import annotations

import re

from rulekit import library
from rulekit.diagnostics import Problems, nearest
from rulekit.model import game as model
from rulekit.source import NOWHERE, Source, Span
from rulekit.values import evolve, frozen

PARTS = ("about", "aim", "box", "setup", "round", "turn", "end", "players")
"""The parts of a book that hold clauses, in the order in which they are read."""
BEHIND = ("agreed", "notes", "crib")
"""What stands behind them: clauses at the options that they are about, those that only the keeper of the rules asks
for, and those of the crib."""
LISTED = ("round", "crib")
"""Lists that may name clauses which stand elsewhere: the round as one list, and the crib."""
FACTS = ("age", "minutes")
KINDS = ("printed", "tables")
"""Lines that hold kinds of things; `-` stands for none."""
_NONE = "-"
_NEW = "/"
"""Between clauses of a line: the next one begins a paragraph, and the others go on in one."""
_LINE = re.compile(r"(?P<indent>\s*)(?P<head>[^:]+):\s*(?P<rest>.*)")


@frozen
class Place:
    """A clause that an edition names, and where it does; joined: it goes on in the paragraph of the one before."""

    id: str
    span: Span
    joined: bool = False


@frozen
class Stretch:
    """Clauses that stand together.

    title: a heading of the rules file, or under `agreed` an option; "" for clauses of the part itself.
    """

    title: str
    places: tuple[Place, ...]
    span: Span

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(place.id for place in self.places)


@frozen
class Edition:
    """The order of a book.

    parts:    by part its stretches; facts: what a box says outside, as `age 8`.
    printed:  kinds that are printed on boards and are no things in the box.
    tables:   kinds whose members are listed with what is printed on them; None: all.
    """

    parts: dict[str, tuple[Stretch, ...]]
    facts: dict[str, str]
    printed: tuple[str, ...] = ()
    tables: tuple[str, ...] | None = None
    span: Span = NOWHERE

    def places(self, *parts: str) -> tuple[Place, ...]:
        return tuple(place for part in parts for stretch in self.parts.get(part, ()) for place in stretch.places)

    def ids(self, *parts: str) -> tuple[str, ...]:
        return tuple(place.id for place in self.places(*parts))

    def joined(self) -> frozenset[str]:
        """The clauses that go on in the paragraph of the one before."""
        return frozenset(place.id for place in self.places(*PARTS) if place.joined)


def edition_of(game: model.Game, problems: Problems, sources: dict[str, Source]) -> Edition | None:
    """The edition of a game, with findings about it; None if it has none."""
    path = library.edition(game.sources[0][0]) if game.sources else None
    if path is None:
        return None
    source = library.read(path)
    sources[source.name] = source
    return read_edition(source, game, problems)


def read_edition(source: Source, game: model.Game, problems: Problems) -> Edition:
    """An edition from its text."""
    parts: dict[str, list[Stretch]] = {}
    facts, kinds = dict[str, str](), dict[str, tuple[str, ...]]()
    part, heads = "", dict[str, Span]()
    for number, line in enumerate(source.text.split("\n"), 1):
        text = line.partition("#")[0].rstrip()
        if not text:
            continue
        span = Span(source.name, number, 1, number, len(line) + 1)
        found = _LINE.fullmatch(text)
        if found is None:
            problems.add("edition-line", "this line has no colon", span, hint="write `aim: AB-1 AB-2`")
            continue
        head, title = found["head"].strip(), ""
        if found["indent"]:
            title = head
        elif head in (*PARTS, *BEHIND):
            part = head
        else:
            _other(head, found["rest"], span, facts, kinds, problems)
            continue
        places = _places(found, span)
        heads.setdefault(part, span)
        parts.setdefault(part, [])
        if title or places:
            parts[part].append(Stretch(title, places, span))
    _report_places(parts, game, problems)
    existing = {name: _without_unknown(stretches, game) for name, stretches in parts.items()}
    return Edition(
        {name: tuple(found) or (Stretch("", (), heads[name]),) for name, found in existing.items()},
        facts,
        kinds.get("printed", ()),
        kinds.get("tables"),
        Span(source.name, 1, 1, 1, 1),
    )


def _places(line: re.Match[str], span: Span) -> tuple[Place, ...]:
    begin = line.start("rest")
    words = list(re.finditer(r"\S+", line["rest"]))
    behind = [True, *(word[0] == _NEW for word in words)]
    are_joined = any(behind[1:])
    return tuple(
        Place(
            word[0], Span(span.source, span.line, begin + word.start() + 1, span.line, begin + word.end() + 1), joined
        )
        for word, joined in zip(words, (are_joined and not is_new for is_new in behind), strict=False)
        if word[0] != _NEW
    )


def _other(
    head: str, rest: str, span: Span, facts: dict[str, str], kinds: dict[str, tuple[str, ...]], problems: Problems
) -> None:
    """A line that holds no clauses: a fact, or kinds of things."""
    if head in FACTS:
        facts[head] = rest
    elif head in KINDS:
        kinds[head] = tuple(word for word in rest.split() if word != _NONE)
    else:
        hint = nearest(head, (*PARTS, *BEHIND, *FACTS, *KINDS))
        problems.add("edition-part", f"a book has no part `{head}`", span, hint=hint)


def _without_unknown(stretches: list[Stretch], game: model.Game) -> list[Stretch]:
    """Drop the clauses that the game does not have, and stretches that named nothing else."""
    kept = []
    for stretch in stretches:
        places = tuple(place for place in stretch.places if place.id in game.clauses)
        if places or not stretch.places:
            kept.append(evolve(stretch, places=places))
    return kept


def _report_places(parts: dict[str, list[Stretch]], game: model.Game, problems: Problems) -> None:
    told: dict[str, Span] = {}
    for name, stretches in parts.items():
        for place in (place for stretch in stretches for place in stretch.places):
            if place.id not in game.clauses:
                hint = nearest(place.id, game.clauses)
                problems.add("edition-clause", f"there is no clause {place.id}", place.span, hint=hint)
            elif name not in LISTED and told.setdefault(place.id, place.span) != place.span:
                problems.add("told-twice", f"{place.id} stands in two places of the book", place.span)
