"""Typed holes: what may stand at one place of a text, by the grammar and by what the names around it mean.

A made-up name is put at the cursor.  What the parser takes there comes out of
its own tables; the shortest words that make a line of it are put behind
(breadth-first search over the parser's stacks), and the whole is resolved,
which tells the names in scope and the type that is wanted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Any

from rulekit.diagnostics import Problems
from rulekit.model.resolve.symbol_table import Scope, Typed, Watcher
from rulekit.model.types import Type
from rulekit.source import Source
from rulekit.syntax import nodes
from rulekit.syntax.blocks import Block, blocks
from rulekit.syntax.indentation import LAYOUT, Mark, TooDeep
from rulekit.syntax.lalr_parser import CITE, END, NAME, LalrParser
from rulekit.syntax.parse import Blocks, tokenized
from rulekit.syntax.parse_tables import tables
from rulekit.syntax.traversal import walk
from rulekit.tools.editing.name_roles import ROLES, Role
from rulekit.tools.editing.occurrences import declared_at, resolved
from rulekit.values import evolve, fields, frozen

HOLE = "hole_in_the_text"
_FILLER = "filled_in"
_STACKS = 2000
"""So many states of the parser are looked at for the words behind the hole."""
_COSTS = {"INT": 0.75, "NAME": 1.25, "ALL": 2.0}
"""What costs less is looked for earlier: a number is always at hand, a name has to be known."""
_NEVER = frozenset({"PLUS", "MINUS", "STAR", "SLASH", "MOD", "LPAR", "LSQB", "DOT", "OR", "AND", "CITE", "BAD", "$END"})
"""What makes a line longer and never ends one."""


@frozen
class Expected:
    """What an expression in the hole meets: the scope there, as it was; the type that is wanted.

    of:  what stands before the dot, if the hole is behind one.
    """

    scope: Scope
    wanted: Type | None = None
    of: Type | None = None


@frozen
class Hole:
    """A place in a text.

    before:    the tokens of its block before it.
    terminals: what the parser takes there.
    others:    the blocks of the text without its own; above: how many of them stand above it.
    around:    its own block, without the rest of the line.
    role:      of a name that is no expression, with the node that has it.
    met:       what the resolver told.
    """

    before: tuple[Mark, ...]
    terminals: frozenset[str]
    others: tuple[Block, ...] = ()
    above: int = 0
    around: Block | None = None
    role: Role | None = None
    node: Any = None
    met: Expected | None = None
    text: Source | None = None


def hole(source: Source, known: Blocks, line: int, column: int, *, keeps_rest: bool = True) -> Hole | None:
    """What may stand in place of the word at the cursor; None where its block is nested too deep.

    known:       blocks of texts like this one, which need not be read again.
    keeps_rest:  whether what stands behind it in the line counts; where the line makes no sense with it, it never does.
    """
    start, end = word_around(source.line(line), column)
    cut = _with_line(source, line, source.line(line)[:start] + HOLE)
    parts, _ = blocks(cut)
    own = bisect_right(parts, line, key=lambda part: part.first) - 1
    at = _reached(parts[own], parts[own + 1 : own + 2]) if own >= 0 else None
    if at is None:
        return None
    before, parser, behind = at
    others = (*parts[:own], *parts[own + 1 :])
    found = Hole(before, frozenset(parser.expected()), others, own, parts[own], text=cut)
    if NAME not in found.terminals:
        return found
    texts = [_with_line(source, line, source.line(line)[:start] + HOLE + source.line(line)[end:])] if keeps_rest else []
    parser.feed(NAME, Mark(NAME, HOLE, 1, 1, 1, 1))
    filled = next(fillings(parser.states, behind), None)
    if filled is not None:
        rest = "".join(f" {written(word)}" for word in filled)
        texts.append(_with_line(source, line, source.line(line)[:start] + HOLE + rest))
    return _asked(found, texts, line, known)


def word_around(line: str, column: int) -> tuple[int, int]:
    """From which to which character, from 0, the word at a column goes; nothing between words."""
    start = end = min(column - 1, len(line))
    while start > 0 and (line[start - 1].isalnum() or line[start - 1] == "_"):
        start -= 1
    while end < len(line) and (line[end].isalnum() or line[end] == "_"):
        end += 1
    return start, end


def _with_line(source: Source, line: int, text: str) -> Source:
    lines = source.text.split("\n")
    lines[line - 1] = text
    return evolve(source, text="\n".join(lines))


def _reached(own: Block, following: Sequence[Block]) -> tuple[tuple[Mark, ...], LalrParser, list[Mark]] | None:
    """The tokens before the hole in its block, the parser there, the layout behind it with the word that follows.

    Between blocks the parser is where it was at the start, so that those above need not be followed.
    """
    try:
        tokens = tokenized(own, Problems())
        below = [token for part in following for token in tokenized(part, Problems())]
    except TooDeep:
        return None
    at = next((number for number, token in enumerate(tokens) if token.text == HOLE), None)
    if at is None:
        return None
    parser = LalrParser(tables())
    for number, token in enumerate(tokens[:at]):
        role = parser.role(token)
        # A line break in a bracket that the rest of the line would close fits nowhere, and must reduce nothing.
        if (token.type != CITE or parser.ends_part(tokens, number)) and parser.takes(role):
            parser.feed(role, token)
    behind = [*tokens[at + 1 :], *below[:1]]
    stop = next((number for number, token in enumerate(behind) if token.type not in LAYOUT), len(behind))
    return tuple(token for token in tokens[:at] if token.type != CITE), parser, behind[: stop + 1]


# ---------------------------------------------------------------- the rest of the line


def fillings(states: Sequence[int], behind: Sequence[Mark]) -> Iterator[tuple[str, ...]]:
    """Terminals with which the parser, in these states, reads on to what stands behind; the cheapest first."""
    waiting: list[tuple[float, int, list[int], tuple[str, ...]]] = [(0.0, 0, list(states), ())]
    known = {tuple(states)}
    while waiting and len(known) < _STACKS:
        cost, _, reached, words = heappop(waiting)
        if reads(reached, behind):
            yield words
        here = LalrParser(tables(), states=list(reached))
        for terminal in here.expected():
            if terminal in LAYOUT or terminal in _NEVER:
                continue
            there = LalrParser(tables(), states=list(reached))
            there.feed(terminal, Mark(terminal, "", 1, 1, 1, 1))
            if tuple(there.states) not in known:
                known.add(tuple(there.states))
                heappush(waiting, (cost + _COSTS.get(terminal, 1.0), len(known), there.states, (*words, terminal)))


def reads(states: Sequence[int], behind: Sequence[Mark]) -> bool:
    """Whether the parser, in these states, takes all of these tokens."""
    parser = LalrParser(tables(), states=list(states))
    fits = all(parser.feed(parser.role(mark), mark) for mark in behind)
    return fits and (behind[-1:] == [] or behind[-1].type not in LAYOUT or parser.takes(END))


def written(terminal: str) -> str:
    """A token of this terminal."""
    words = {name: word for word, name in tables().words.items()}
    plain = {"NAME": _FILLER, "INT": "1", "STRING": '""', "ROW": "| |", "COLON": ":", "COMMA": ","}
    return plain.get(terminal) or words.get(terminal) or tables().marks.get(terminal, "")


# ---------------------------------------------------------------- what the resolver says


def _asked(found: Hole, texts: Iterable[Source], line: int, known: Blocks) -> Hole:
    """With the first of the texts that can be read at the hole."""
    for text in texts:
        met: list[Expected] = []
        declarations = resolved(text, _listening(met), known, only=line).declarations
        here = declared_at(declarations, text.name, line)
        place = next((one for node in walk(here) if (one := _place(node)) is not None), None)
        if place is not None:
            node, role = place
            best = max(met, key=lambda one: (one.wanted is not None, one.of is not None), default=None)
            return evolve(found, role=role, node=node, met=best, text=text)
    return found


def _place(node: nodes.Node) -> tuple[nodes.Node, Role | None] | None:
    """The node that has the hole as its name, and what such a name is for."""
    kind: Any = type(node)
    for part in fields(kind):
        value = getattr(node, part.name)
        if any(each == HOLE for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, str)):
            return node, ROLES.get((kind, part.name))
    return None


def _listening(met: list[Expected]) -> Watcher:
    """Notes what an expression in the hole meets."""
    before: list[tuple[nodes.Expr, Typed]] = []

    def watch(scope: Scope, node: nodes.Expr, wanted: Type | None, typed: Typed) -> None:
        if isinstance(node, nodes.Word) and node.name == HOLE:
            met.append(Expected(_copied(scope), wanted))
        elif isinstance(node, nodes.Attribute) and node.name == HOLE and before and before[-1][0] is node.of:
            met.append(Expected(_copied(scope), wanted, before[-1][1].type))
        before[:] = [(node, typed)]

    return watch


def _copied(scope: Scope) -> Scope:
    """The scope as it is now: the resolver goes on and leaves it."""
    return evolve(scope, blocks=[dict(block) for block in scope.blocks], elements=list(scope.elements))
