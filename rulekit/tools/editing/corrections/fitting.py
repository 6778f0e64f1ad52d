"""Proposals of values that fit: numbers and colours within their bounds, what is known early, what has the type."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.diagnostics import Diagnostic
from rulekit.tools.editing.completion import completion
from rulekit.tools.editing.corrections.lines import IF_MEANT, FaultyLine, Proposal, blamed, faulty_line, forms_in
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import applied
from rulekit.values import evolve

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_BOUNDS = re.compile(r"a whole number from (-?\d+) to (-?\d+)")
_SHADES = 12
"""So many steps lead from a colour to black, and to white."""
_NAMES = 8


def from_values(document: Document, entry: Diagnostic) -> Iterator[Proposal]:
    """By what the hint asks for, in its own words."""
    line, hint = faulty_line(document, entry), entry.hint
    if bounds := _BOUNDS.search(hint):
        yield from _within(line, entry, int(bounds[1]), int(bounds[2]))
    if "a darker or a lighter one" in hint:
        yield from _shades(line, entry)
    if match := re.search(r"at most (\d+) letters", hint):
        yield from _shortened(line, entry, int(match[1]))
    if entry.code == "not-a-literal" and "options and the number of players" in hint:
        yield from _known_early(document, line)
    if hint.startswith("write a range, or a kind"):
        yield from _listed(document, line)
    if "`it` is the one that is looked at" in hint:
        yield from _of_each(document, line)
    if hint.startswith("here may stand `") and entry.code == "picture":
        yield from _drawn(line, entry)


def _within(line: FaultyLine, entry: Diagnostic, low: int, high: int) -> Iterator[Proposal]:
    """The nearest whole number that is allowed, for each number that the finding is about."""
    for word in blamed(entry):
        if _NUMBER.fullmatch(word):
            for match in re.finditer(rf"(?<![\w.]){re.escape(word)}(?![\w.])", line.text):
                yield line.told(*match.span(), str(min(high, max(low, round(float(word))))))


def _shades(line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """Darker ones and lighter ones, those next to it first."""
    for word in blamed(entry):
        start = line.text.find(word)
        if start >= 0 and re.fullmatch(r"#[0-9a-fA-F]{6}", word):
            parts = [int(word[at : at + 2], 16) for at in (1, 3, 5)]
            for step in range(1, _SHADES + 1):
                for end in (0, 255):
                    shade = "".join(f"{part + (end - part) * step // _SHADES:02x}" for part in parts)
                    yield line.told(start, start + len(word), f"#{shade}")


def _shortened(line: FaultyLine, entry: Diagnostic, most: int) -> Iterator[Proposal]:
    for word in blamed(entry):
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", line.text[: line.said[1]]):
            yield line.told(*match.span(), word[:most])


def _known_early(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """What is known before any game, in place of a name that is not: options, how many play, a number."""
    options = [symbol.name for symbol in document.declared if symbol.sort == "option"]
    values = [*options, "count players", "2"]
    for match in re.finditer(r"[a-z]\w*", line.text[line.start : line.end]):
        for value in values:
            yield _for_now(line.with_(line.start + match.start(), line.start + match.end(), value))
    for value in [*options, "count players is 2", "count players", "2"]:
        yield _for_now(line.with_(line.start, line.end, value))


def _for_now(proposal: Proposal) -> Proposal:
    """Another value than the one that was meant, which nobody knows before a match."""
    return evolve(proposal, title=f"{proposal.title}: another value, known before a match")


def _listed(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """A kind, or a range."""
    kinds = [symbol.name for symbol in document.declared if symbol.sort == "kind"]
    if match := re.search(r"\bfor (\S+)", line.text[: line.said[1]]):
        yield from (line.with_(match.start(1), match.end(1), value) for value in (*kinds, "1..4"))


def _of_each(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """What is compared, read of the one that is looked at."""
    begun = f"{line.text[: line.start]}it."
    trial = document.changed(applied(document.source, line.with_(0, line.end, begun).edits))
    for offer in completion(trial, line.number, len(begun) + 1)[:_NAMES]:
        made = line.with_(line.start, line.end, f"it.{offer.word}")
        yield evolve(made, title=made.title + IF_MEANT)


def _drawn(line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """What may stand there in the cell that is wrong."""
    for wrong in blamed(entry)[1:]:
        for match in re.finditer(rf"(?<=[|\s]){re.escape(wrong)}(?=[|\s])", line.text):
            yield line.told(*match.span(), forms_in(entry.hint)[0])
