"""Random rules texts: grammatical, with margins everywhere, and without any meaning.

Generative, grammar-based fuzzing: grown from the grammar's own compiled rules, so that a new rule is tried from
the day it is written.  The same seed gives the same text.  And texts in which a few things were exchanged: mutants.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from attrs import field, frozen
from lark import Lark
from lark.grammar import NonTerminal, Rule, Symbol

from rulekit import library

DECLARATIONS = 20
TOKENS = 150
"""For one declaration; when they are used up, every rule takes its shortest way out."""
EXPRESSION_TOKENS = 40
"""For one expression, likewise."""
DEPTH = 46
"""Rules one inside the other; an expression alone takes about a dozen."""
_GOES_ON = 0.8
"""How often a repetition takes one more, while there are tokens."""
_STAYS_CALM = 0.85
"""How often an expression takes an alternative that only leads on to the next tighter rule."""

_PLAIN = ["a", "b", "card", "hand", "x_1", "left2", "kind_of_a_long_name", "n" * 64]
_STRINGS = ["", "words", "two words", "# no comment", "@A1 > B2 | c |", "é 龍 ☃", "(", "it's [", "1..4"]
_CELLS = ["", "a", "12", "# x", '"q"', "(", "@A1", "two words", "龍", "[]", "> A1 b"]
_TEXTS = ["words", "a (b", 'say "it', "> A1 b", "# more", "@B2 c", "it's 龍", "x, [y"]
_IDS = ["A1", "R16", "AB-12", "X-y-9"]


@frozen
class Grown:
    """A text and the alternatives of the grammar that went into it."""

    text: str
    used: frozenset[Rule]


@cache
def grammar() -> Lark:
    return Lark(library.grammar(), parser="lalr", lexer="basic")


def grow(seed: int) -> Grown:
    """The text of one seed."""
    rng = random.Random(seed)
    growth = _Growth(rng)
    growth.file()
    used = frozenset(rule for rule in grammar().rules if id(rule) in growth.used)
    return Grown(_Writer(rng).write(growth.tokens), used)


def mutant(text: str, rng: random.Random) -> str:
    """The text with one to four characters, tokens or lines taken out, doubled or exchanged."""
    for _ in range(rng.randint(1, 4)):
        parts = re.findall(rng.choice([r"(?s).", r"\w+|\s+|.", r".*\n|.+"]), text)
        if not parts:
            return text  # its only line was taken out
        one, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        match rng.choice(["delete", "duplicate", "swap"]):
            case "delete":
                del parts[one]
            case "duplicate":
                parts.insert(one, parts[one])
            case _:
                parts[one], parts[other] = parts[other], parts[one]
        text = "".join(parts)
    return text


# ---------------------------------------------------------------- rules to tokens


@cache
def _alternatives() -> dict[str, tuple[Rule, ...]]:
    by_name: dict[str, list[Rule]] = {}
    for rule in grammar().rules:
        by_name.setdefault(rule.origin.name, []).append(rule)
    return {name: tuple(rules) for name, rules in by_name.items()}


@cache
def _heights() -> dict[str, int]:
    """How many rules deep the shortest text of each name is."""
    heights: dict[str, int] = {}
    while True:
        new = {name: _least(rules, heights) for name, rules in _alternatives().items()}
        found = {name: height for name, height in new.items() if height is not None}
        if found == heights:
            return heights
        heights = found


@cache
def _expressions() -> frozenset[str]:
    """The names of all rules that an expression is made of."""
    found, new = set[str](), {"query"}
    while new:
        found |= new
        rules = [rule for name in new for rule in _alternatives()[name]]
        new = {x.name for rule in rules for x in rule.expansion if isinstance(x, NonTerminal)} - found
    return frozenset(found)


@cache
def _weight(rule: Rule) -> float:
    """More for a way that leads to many alternatives, so that each of them is seen."""
    if rule.origin.name in _expressions():
        return 1
    ways = [_ways(x.name) for x in rule.expansion if isinstance(x, NonTerminal)]
    return max(ways, default=1) ** 0.5 if len(rule.expansion) == 1 else 1


@cache
def _ways(name: str) -> int:
    """How many alternatives a name leads to: its own, or for a single one or a repetition those of its parts."""
    rules = _alternatives()[name]
    if len(rules) > 1 and not name.startswith("__"):
        return len(rules)
    parts = {x.name for rule in rules for x in rule.expansion if isinstance(x, NonTerminal)}
    return max([len(rules), *(_ways(part) for part in parts - {name} - _expressions())])


def _least(rules: Sequence[Rule], heights: dict[str, int]) -> int | None:
    known = [height for rule in rules if (height := _height(rule, heights)) is not None]
    return min(known, default=None)


def _height(rule: Rule, heights: dict[str, int]) -> int | None:
    parts = [heights.get(x.name) for x in rule.expansion if isinstance(x, NonTerminal)]
    known = [part for part in parts if part is not None]
    return 1 + max(known, default=0) if len(known) == len(parts) else None


@frozen
class _Way:
    """What is asked of an alternative again and again: how many rules deep its shortest text is, its weight, and
    whether it takes one more of a repetition.
    """

    height: int
    weight: float
    goes_on: bool


@cache
def _known() -> dict[int, _Way]:
    """By the identity of an alternative: Lark reckons its hash anew each time."""
    rules, heights = grammar().rules, _heights()
    return {
        id(rule): _Way(
            _height(rule, heights) or 0,
            _weight(rule),
            rule.origin.name.startswith("__") and rule.origin in rule.expansion,
        )
        for rule in rules
    }


@frozen
class _Growth:
    """Grows one file: `tokens` are (terminal, text); `used` counts the alternatives, by their identity."""

    rng: random.Random
    tokens: list[tuple[str, str]] = field(factory=list)
    used: Counter[int] = field(factory=Counter)

    def file(self) -> None:
        """The first rule by hand: its list would else be too short, and one budget would serve the whole file."""
        one, more = sorted(_alternatives()["__start_star_0"], key=lambda rule: len(rule.expansion))
        start = {len(rule.expansion): rule for rule in _alternatives()["start"]}
        for number in range(self.rng.randint(0, 2 * DECLARATIONS)):
            self.used.update([id(start[1]), id(more if number else one)])
            self._grow(NonTerminal("_declaration"), DEPTH, len(self.tokens) + TOKENS)
        if not self.tokens:
            self.used[id(start[0])] += 1

    def _grow(self, symbol: Symbol, depth: int, stop: int) -> None:
        if not isinstance(symbol, NonTerminal):
            self.tokens.append((symbol.name, self._text(symbol.name)))
            return
        rule = self._chosen(symbol.name, depth, stop)
        self.used[id(rule)] += 1
        for part in rule.expansion:
            begins = part.name in _expressions() and symbol.name not in _expressions()
            part_stop = min(stop, len(self.tokens) + EXPRESSION_TOKENS) if begins else stop
            self._grow(part, depth - (not part.name.startswith("__")), part_stop)

    def _chosen(self, name: str, depth: int, stop: int) -> Rule:
        """Any alternative, those seldom used in this file rather than others, or the shortest one."""
        rules, known, used = _alternatives()[name], _known(), self.used
        room = depth if len(self.tokens) < stop else 0
        if name in _expressions() and self.rng.random() < _STAYS_CALM:
            rules = tuple(rule for rule in rules if len(rule.expansion) == 1) or rules
        fitting = [rule for rule in rules if (way := known[id(rule)]).height <= room and self._may_go_on(way)]
        if not fitting:
            least = min(known[id(rule)].height for rule in rules)
            fitting = [rule for rule in rules if (way := known[id(rule)]).height == least and not way.goes_on]
        return self.rng.choices(fitting, [known[id(rule)].weight / (1 + used[id(rule)]) for rule in fitting])[0]

    def _may_go_on(self, way: _Way) -> bool:
        return not way.goes_on or self.rng.random() < _GOES_ON

    def _text(self, terminal: str) -> str:
        rng = self.rng
        if terminal == "NAME":
            return rng.choice(_PLAIN) if rng.random() < 0.7 else f"'{rng.choice(_keywords())}'"
        if terminal == "INT":
            return rng.choice(["0", "1", "7", "12", "007", str(2**53 - 1)])
        if terminal == "STRING":
            return f'"{rng.choice(_STRINGS)}"'
        if terminal == "CITE":
            return f"@{rng.choice(_IDS)}"
        if terminal == "ROW":
            return f"|{'|'.join(self._cell() for _ in range(rng.randint(1, 4)))}|"
        return _fixed().get(terminal, "")

    def _cell(self) -> str:
        return self.rng.choice(["", " ", "  "]) + self.rng.choice(_CELLS) + self.rng.choice(["", " "])


@cache
def _fixed() -> dict[str, str]:
    return {t.name: t.pattern.value for t in grammar().terminals if t.pattern.type == "str"}


@cache
def _keywords() -> list[str]:
    return sorted(text for text in _fixed().values() if text.isidentifier())


# ---------------------------------------------------------------- tokens to text


@frozen
class _Writer:
    """Puts tokens on lines, with blanks and margins as they come."""

    rng: random.Random
    parts: list[str] = field(factory=list)

    def write(self, tokens: Sequence[tuple[str, str]]) -> str:
        level = 0
        step = self.rng.randint(1, 5)
        for line in _lines(tokens):
            level += line.indents
            self._above()
            self._line(line.tokens, " " * (step * level))
        self._above()
        return "".join(self.parts)

    def _line(self, tokens: Sequence[tuple[str, str]], indent: str) -> None:
        self.parts.append(indent)
        depth = 0
        for number, (terminal, text) in enumerate(tokens):
            depth += (terminal in ("LPAR", "LSQB")) - (terminal in ("RPAR", "RSQB"))
            self.parts.append(text)
            if number + 1 < len(tokens):
                self._between(text, tokens[number + 1][1], depth)
        self._beside(has_row=tokens[-1][0] == "ROW")

    def _between(self, left: str, right: str, depth: int) -> None:
        if depth and self.rng.random() < 0.04:
            self._beside(has_row=False)
            self._above()
            self.parts.append(" " * self.rng.randint(0, 9))
        elif self.rng.random() < 0.01:
            self.parts.append(f" @{self.rng.choice(_IDS)} ")
        else:
            self.parts.append(self.rng.choice([" ", " ", "  "] if _are_words(left, right) else [" ", "", "  "]))

    def _beside(self, *, has_row: bool) -> None:
        rng = self.rng
        while rng.random() < 0.15:
            self.parts.append(f" {' ' * rng.randint(0, 3)}@{rng.choice(_IDS)}")
        if rng.random() < 0.08:
            texts = [text for text in _TEXTS if not (has_row and "|" in text)]
            self.parts.append(f" # {rng.choice(texts)}")
        self.parts.append(rng.choice(["\n", "\n", " \n"]))

    def _above(self) -> None:
        rng = self.rng
        while rng.random() < 0.12:
            blanks = " " * rng.randint(0, 6)
            mark = rng.choice(["", "#", f"> {rng.choice(_IDS)}", f">- {rng.choice(_IDS)}"])
            self.parts.append(f"{blanks}{mark and f'{mark} {rng.choice(_TEXTS)}'}\n")


@frozen
class _TokenLine:
    """The tokens of one logical line, and how many levels deeper it stands than the one before."""

    tokens: tuple[tuple[str, str], ...]
    indents: int


def _lines(tokens: Sequence[tuple[str, str]]) -> Iterator[_TokenLine]:
    line: list[tuple[str, str]] = []
    indents = 0
    for terminal, text in tokens:
        if terminal == "_NL":
            yield _TokenLine(tuple(line), indents)
            line, indents = [], 0
        elif terminal in ("_INDENT", "_DEDENT"):
            indents += 1 if terminal == "_INDENT" else -1
        else:
            line.append((terminal, text))


def _are_words(left: str, right: str) -> bool:
    return (left[-1].isalnum() or left[-1] in "_'") and (right[0].isalnum() or right[0] in "_'")
