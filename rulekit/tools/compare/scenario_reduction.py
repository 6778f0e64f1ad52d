"""Delta debugging: an example by which two games part, reduced until nothing can be left out of it.

Left out are options, players, what is given, single things of a list, pieces
of a picture, answers and draws.  What is left still holds in the first game
and fails in the second, in its last line as before (1-minimality).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from rulekit.diagnostics import Problems
from rulekit.model import game as model
from rulekit.play.state.match_state import State
from rulekit.source import Source
from rulekit.syntax.parse import parse
from rulekit.tools.compare.divergence import told_again
from rulekit.tools.compare.shrinking import Difference, Version
from rulekit.tools.examples import runner
from rulekit.tools.examples.mutation_operators import Rules
from rulekit.tools.examples.scenario_writer import NAME, Example
from rulekit.values import define, evolve, frozen

Part = tuple[str | int, ...]
"""A part of an example: what it is, and where it stands."""
_AT_ONCE = 40
"""So many examples are tried between two looks at the time."""
_LIST = re.compile(r"(?P<path>.*) is \[(?P<items>.*)\]")
_WORD = re.compile(r"\w+")


def reduced(a: Version, b: Version, found: Difference, in_time: Callable[[], bool]) -> Difference:
    """The difference with a smaller example; with the smallest found, if the time ends before nothing can be left out.

    in_time:  whether to go on.
    """
    if found.example is None or found.is_of_the_agreement:
        return found
    example = _Reduction(a, b, found, in_time).of(found.example)
    return evolve(found, example=example, decisions=sum(line.startswith("when ") for line in example.lines))


@define(eq=False)
class _Reduction:
    """place:  how far from the end of the example the line stands that fails in the second game."""

    a: Version
    b: Version
    found: Difference
    in_time: Callable[[], bool]
    place: int = 0

    def of(self, example: Example) -> Example:
        place = self._places(self.b.rules, [self._there(example)])[0]
        if place is None:
            return example
        self.place = place
        for parts in (_coarse, _every):
            example = self._without_parts(example, parts)
        return example

    def _without_parts(self, example: Example, parts: Callable[[Example], list[Part]]) -> Example:
        """Until no single part can be left out any more."""
        while self.in_time():
            single = parts(example)
            still = self._tried([without(example, {part}) for part in single])
            spare = [part for part, made in zip(single, still, strict=True) if made is not None]
            if not spare:
                break
            example = self._without_many(example, spare)
        return example

    def _without_many(self, example: Example, spare: list[Part]) -> Example:
        """Without as many as can go together, each of which can go alone: all, or else in halves."""
        gone: set[Part] = set()
        waiting, best = [spare], example
        while waiting and self.in_time():
            chunk = waiting.pop(0)
            made = self._tried([without(example, gone | set(chunk))])[0]
            if made is not None:
                gone, best = gone | set(chunk), made
            elif len(chunk) > 1:
                half = len(chunk) // 2
                waiting[:0] = [chunk[:half], chunk[half:]]
        return best

    # ------------------------------------------------------------ trying

    def _tried(self, examples: Sequence[Example]) -> list[Example | None]:
        """Those by which the two games part as before; where a value is told, with what it is now."""
        found: list[Example | None] = []
        for first in range(0, len(examples), _AT_ONCE):
            some = examples[first : first + _AT_ONCE]
            found += self._parting(some) if self.in_time() else [None] * len(some)
        return found

    def _parting(self, examples: Sequence[Example]) -> Iterator[Example | None]:
        path = self._path(examples[0])
        if path:
            yield from self._told(examples, path)
            return
        holding = [at for at, place in enumerate(self._places(self.a.rules, examples)) if place == _HOLDS]
        there = self._places(self.b.rules, [self._there(examples[at]) for at in holding])
        same = {at for at, place in zip(holding, there, strict=True) if place == self.place}
        yield from (example if at in same else None for at, example in enumerate(examples))

    def _path(self, example: Example) -> str:
        """The value that the last line says is one thing in the first game and another in the second; "" if none."""
        what = self.found.divergence.what
        path = what.strip("`") if isinstance(what, str) else ""
        return path if path and example.lines[-1].startswith(f"expect {path} is ") else ""

    def _told(self, examples: Sequence[Example], path: str) -> Iterator[Example | None]:
        before = [evolve(example, lines=example.lines[:-1]) for example in examples]
        ones = _ends(self.a.rules, before)
        others = _ends(self.b.rules, [self._there(example) for example in before])
        for example, one, other in zip(before, ones, others, strict=True):
            line = told_again(one, other, path) if one is not None and other is not None else ""
            yield example.then(line) if line.startswith(f"expect {path} is ") else None

    def _there(self, example: Example) -> Example:
        """The example with what is agreed in the second game."""
        shared = {name: value for name, value in self.found.options.items() if name in example.options}
        return evolve(example, options={**shared, **self.b.options})

    def _places(self, rules: Rules, examples: Sequence[Example]) -> list[int | None]:
        """Of each example how far from its end it fails, `_HOLDS` if it holds; None where it is none."""
        return [None if made is None else made.place() for made in _made(rules, examples)]


_HOLDS = -1


def _ends(rules: Rules, examples: Sequence[Example]) -> list[State | None]:
    """The position in which each example ends; None where it does not come out."""
    return [None if made is None else runner.played(made.game, made.scenario) for made in _made(rules, examples)]


@frozen
class _Made:
    """An example as part of a game.  end: the number of its last line."""

    game: model.Game
    scenario: model.Scenario
    end: int

    def place(self) -> int:
        failure = runner.run(self.game, self.scenario).failure
        return _HOLDS if failure is None else self.end - failure.span.line


def _made(rules: Rules, examples: Sequence[Example]) -> list[_Made | None]:
    """The examples in one game, which takes less time; each alone, if the rules do not understand all of them."""
    texts = [example.text(f"{NAME} {number}") for number, example in enumerate(examples)]
    problems = Problems()
    file = parse(Source(NAME, "".join(texts)), problems).file
    game = None if problems.has_errors else rules.with_examples(file.declarations)
    if game is None or len(game.scenarios) != len(examples):
        return [None] if len(examples) == 1 else [_made(rules, [example])[0] for example in examples]
    ends = accumulate(text.count("\n") for text in texts)
    return [_Made(game, scenario, end) for scenario, end in zip(game.scenarios, ends, strict=True)]


# ---------------------------------------------------------------- parts of an example


def _coarse(example: Example) -> list[Part]:
    """Options, players, facts, pictures and answers; the last line says in what the games part, so it stays."""
    return [
        *(("option", name) for name in example.options),
        *(("seat", name) for name in example.seats if len(example.seats) > 1 and _may_go(example, name)),
        *(("given", at) for at in range(len(example.given))),
        *(("picture", at) for at in range(len(example.pictures))),
        *(("line", at) for at in range(len(example.lines) - 1)),
    ]


def _every(example: Example) -> list[Part]:
    """Those, things of lists, and pieces of pictures."""
    lists = [(at, match) for at, fact in enumerate(example.given) if (match := _LIST.fullmatch(fact))]
    return [
        *_coarse(example),
        *(
            ("row", at, row)
            for at, picture in enumerate(example.pictures)
            for row, drawn in enumerate(picture[1:], 1)
            if len(picture) > 2 and not set(drawn.split()) - {"|", "."}
        ),
        *(("item", at, item) for at, match in lists for item in range(len(_items(match["items"])))),
        *(
            ("cell", at, row, cell)
            for at, picture in enumerate(example.pictures)
            for row, drawn in enumerate(picture[1:], 1)
            for cell, word in enumerate(drawn.split())
            if word not in ("|", ".")
        ),
    ]


def without(example: Example, gone: Iterable[Part]) -> Example:
    """The example without some of its parts; a player takes along what is said of that player alone."""
    left_out = set(gone)
    away = {name for kind, name, *_ in left_out if kind == "seat"}
    given = (_fact(at, fact, left_out) for at, fact in enumerate(example.given) if ("given", at) not in left_out)
    pictures = (pair for pair in enumerate(example.pictures) if ("picture", pair[0]) not in left_out)
    lines = (line for at, line in enumerate(example.lines) if ("line", at) not in left_out)
    return evolve(
        example,
        options={name: value for name, value in example.options.items() if ("option", name) not in left_out},
        seats=tuple(name for name in example.seats if name not in away),
        given=tuple(fact for fact in given if not away & set(_WORD.findall(fact))),
        pictures=tuple((picture[0], *_rows(at, picture, left_out)) for at, picture in pictures),
        lines=tuple(line for line in lines if not away & set(_WORD.findall(line))),
    )


def _may_go(example: Example, seat: str) -> bool:
    """Whether neither what is done nor what is expected in the end names a player."""
    return seat not in _WORD.findall(f"{example.call} {example.lines[-1] if example.lines else ''}")


def _fact(at: int, fact: str, gone: set[Part]) -> str:
    match = _LIST.fullmatch(fact)
    if match is None:
        return fact
    items = _items(match["items"])
    kept = [item for place, item in enumerate(items) if ("item", at, place) not in gone]
    return fact if len(kept) == len(items) else f"{match['path']} is [{', '.join(kept)}]"


def _items(text: str) -> list[str]:
    """The members of a list; a comma in brackets is part of one."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and not depth:
            found.append("")
        else:
            found[-1] += letter
    return [item.strip() for item in found if item.strip()]


def _rows(at: int, picture: tuple[str, ...], gone: set[Part]) -> Iterator[str]:
    for row, drawn in enumerate(picture[1:], 1):
        if ("row", at, row) in gone:
            continue
        words = drawn.split()
        yield " ".join("." if ("cell", at, row, cell) in gone else word for cell, word in enumerate(words))
