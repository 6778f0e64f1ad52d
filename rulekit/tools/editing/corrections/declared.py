"""Proposals about declarations: what is missing is written, what clashes is kept apart, a game to extend is named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from rulekit import library
from rulekit.diagnostics import Diagnostic
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.tools.editing.corrections.lines import STAND_IN, FaultyLine, Proposal, blamed, faulty_line, forms_in
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit
from rulekit.tools.editing.occurrences import CLAUSE
from rulekit.tools.editing.rename import Refused, renamed

_STEP = "    "
_DECLARATIONS = (
    "counter {}", "flag {}", "kind {}: first_one, second_one", "define {} is 1", "define {} is players",
    "track {} 0..9", "die {}: 1..6", 'option {} "…?" flag default no', 'option {} "…?" 1..9 default 1',
    "action {}: end game", "action {}(player): end game",
)  # fmt: skip
"""The shortest declaration of each sort."""
_BASES = 12
"""So many games are tried for one to extend."""


def from_declarations(document: Document, entry: Diagnostic) -> Iterator[Proposal]:
    """By what the hint asks for, in its own words."""
    line, hint = faulty_line(document, entry), entry.hint
    if hint.startswith("declare `"):
        yield from _declared(document, line, forms_in(hint)[0])
    if hint.startswith("give one of them another name"):
        yield from _told_apart(document, entry)
    if "conditions that exclude each other" in hint:
        yield from _excluding(document, line, hint)
    if "extend" in hint or entry.code == "no-such-base":
        yield from _extending(document, line, entry)
    if "cite it with @ID" in hint:
        yield from _all_cited(document, line, entry)
    if hint.startswith("write `replace` before it"):
        yield line.told(len(line.indent), len(line.indent), "replace ")
    if match := re.fullmatch(r"`(add .*)` adds a new one", hint):
        yield from _found(line, f"replace {match[1].removeprefix('add ')}", match[1])


def _found(line: FaultyLine, old: str, new: str) -> Iterator[Proposal]:
    start = line.text.find(old)
    if start >= 0:
        yield line.told(start, start + len(old), new)


def _declared(document: Document, line: FaultyLine, name: str) -> Iterator[Proposal]:
    """A declaration of the missing name above the one in which it is used."""
    top = next((n for n in range(line.number, 0, -1) if _is_head(document.source.line(n))), 1)
    while top > 1 and document.source.line(top - 1).startswith(">"):
        top -= 1
    forms: tuple[str, ...] = _DECLARATIONS
    if re.search(rf"\bdo {re.escape(name)}\b", line.text):
        forms = tuple(form for form in forms if form.startswith("action"))
    for form in forms:
        text = form.format(name)
        yield Proposal(f"declare `{text}`{STAND_IN}", (Edit(Span(line.source, top, 1, top, 1), f"{text}\n"),))


def _is_head(text: str) -> bool:
    return bool(text) and text[0].isalpha()


def _told_apart(document: Document, entry: Diagnostic) -> Iterator[Proposal]:
    """Each of the things of that name under another one, where it is declared and meant."""
    for name in blamed(entry):
        for symbol, place in document.declared.items():
            if symbol.name == name and place.source == document.source.name:
                new = f"{symbol.owner or symbol.sort}_{name}"
                made = renamed(document, place.line, place.column, new)
                if not isinstance(made, Refused):
                    yield Proposal(f"call that of {symbol.owner or symbol.sort} `{new}`", made)


# ---------------------------------------------------------------- replacements that may hold at once


def _excluding(document: Document, line: FaultyLine, hint: str) -> Iterator[Proposal]:
    """The condition of one of the two, denied, added to the other; where neither has one, an option decides."""
    match = re.search(r"line (\d+)", hint)
    found = {node.span.line: node for node in walk(document.file.declarations) if isinstance(node, nodes.Change)}
    here, other = found.get(line.number), found.get(int(match[1]) if match else 0)
    if here is None or other is None:
        return
    first, second = _condition(document, here), _condition(document, other)
    if not first and not second:
        yield _by_option(document, here, other)
    if second:
        yield Proposal(f"hold it unless `{second}`", (_denied(document, here, first, second),))
    if first:
        yield Proposal(f"hold the other unless `{first}`", (_denied(document, other, second, first),))


def _condition(document: Document, node: nodes.Change) -> str:
    if node.test is None:
        return ""
    span = node.test.span
    return document.source.line(span.line)[span.column - 1 : span.end_column - 1]


def _denied(document: Document, node: nodes.Change, own: str, other: str) -> Edit:
    if node.test is not None:
        return Edit(node.test.span, f"({own}) and not ({other})")
    return Edit(_behind_target(document, node), f" if not ({other})")


def _behind_target(document: Document, node: nodes.Change) -> Span:
    match = re.match(r"\s*(?:before|after|instead of) '?\w+'?", document.source.line(node.span.line))
    end = match.end() + 1 if match else 1
    return Span(document.source.name, node.span.line, end, node.span.line, end)


def _by_option(document: Document, here: nodes.Change, other: nodes.Change) -> Proposal:
    known = {symbol.name for symbol in document.declared}
    name = next(name for number in range(1, 99) if (name := f"as_in_line_{here.span.line}_{number}"[:64]) not in known)
    top = min(here.span.line, other.span.line)
    option = Edit(Span(document.source.name, top, 1, top, 1), f'option {name} "…?" flag default no\n')
    yes, no = (
        Edit(_behind_target(document, here), f" if {name}"),
        Edit(_behind_target(document, other), f" if not {name}"),
    )
    return Proposal(f"let an option `{name}` decide", (option, yes, no))


# ---------------------------------------------------------------- games to extend


def _extending(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """The games beside this text and those that ship, the likest first, in the head of the game."""
    head = next((node for node in document.file.declarations if isinstance(node, nodes.GameHead)), None)
    if head is None:
        return
    said = next((fact for fact in head.facts if isinstance(fact, nodes.Extends)), None)
    if said is None and entry.code != "extends-nothing":
        return
    wanted = (str(said.base) if said is not None else "").rpartition("/")[2]
    names = sorted(library.bases(document.source.name), key=lambda name: -SequenceMatcher(None, wanted, name).ratio())
    for name in names[:_BASES]:
        if said is not None:
            start = document.source.line(said.span.line).index('"')
            end = document.source.line(said.span.line).rindex('"') + 1
            yield line.told(start, end, f'"{name}"')
        else:
            below = Span(line.source, head.span.line + 1, 1, head.span.line + 1, 1)
            yield Proposal(f"extend `{name}`", (Edit(below, f'{_STEP}extends "{name}"\n'),), is_told=True)


# ---------------------------------------------------------------- citations


def _all_cited(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """All lines that the finding names cite the clause next above, or any."""
    lines = [number for word in blamed(entry) if (number := _head_of(document, word))]
    clauses = [(place.line, symbol.name) for symbol, place in document.declared.items() if symbol.sort == CLAUSE]
    for _, id_ in sorted(clauses, key=lambda one: (one[0] > line.number, -one[0]))[:3]:
        edits = []
        for number in lines or [line.number]:
            end = faulty_line(document, _at(entry, number)).said[1] + 1
            edits.append(Edit(Span(line.source, number, end, number, end), f"  @{id_}"))
        yield Proposal(f"cite {id_}, if that is the clause that says so", tuple(edits))


def _at(entry: Diagnostic, number: int) -> Diagnostic:
    return Diagnostic(entry.code, entry.title, Span(entry.span.source, number, 1, number, 1))


def _head_of(document: Document, words: str) -> int:
    """The line that declares what is called so; 0 if none of this text does."""
    pattern = re.compile(rf"(?:(?:replace )?(?:action|define) )?{re.escape(words)}(?!\w)")
    return next((n for n, text in enumerate(document.source.text.split("\n"), 1) if pattern.match(text)), 0)
