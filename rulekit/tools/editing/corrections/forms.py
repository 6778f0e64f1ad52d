"""Proposals out of what a hint writes: a word in place of a word, or a form in place of what is most like it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from rulekit.diagnostics import Diagnostic
from rulekit.tools.editing.corrections.lines import STAND_IN, FaultyLine, Proposal, blamed, faulty_line, forms_in
from rulekit.tools.editing.corrections.single_token import MAY_STAND
from rulekit.tools.editing.document import Document
from rulekit.values import evolve

_WORD = re.compile(r"'?[A-Za-z_][\w]*'?|\d+|[^\w\s]")
_LIST = re.compile(r"(?:use one of|it has): (.*)")
_RUNS = 5
"""So many stretches of the line are tried for one form, the likest first."""


def from_forms(document: Document, entry: Diagnostic) -> Iterator[Proposal]:
    """What each form of the hint could replace, or where it could be added.

    Hints about secrets name what has to be built in another way: no form of theirs stands for one of the line.
    """
    if entry.code.startswith("secret") or (entry.code in ("syntax", "layout") and entry.hint.startswith(MAY_STAND)):
        return
    line = faulty_line(document, entry)
    for form in _written(line, entry):
        yield from _for_word(line, entry, form)
    for form in _written(line, entry):
        if "…" in form:
            yield from _begun(line, form)
        else:
            yield from _for_stretch(line, form)
            yield from _added(line, form)


def _written(line: FaultyLine, entry: Diagnostic) -> list[str]:
    """The forms of a hint, and the words that it lists; what stands for a number or name of the line is that."""
    found = forms_in(entry.hint)
    if listed := _LIST.search(entry.hint):
        found += [word.strip(" ….()") for word in listed[1].split(",")]
    number = re.search(r"\d+", line.text[line.start :] or line.text)
    name = re.search(r"[a-z_]\w*", line.text[line.start :])
    found = [form.replace("..n", f"..{number[0]}") if number else form for form in found]
    found = [form.replace("name[", f"{name[0]}[") if name else form for form in found]
    return [form for form in dict.fromkeys(found) if form]


def _for_word(line: FaultyLine, entry: Diagnostic, form: str) -> Iterator[Proposal]:
    """A word for the wrong one, where that stands; else for each word of the stretch."""
    if not _WORD.fullmatch(form):
        return
    if entry.hint.startswith("did you mean"):
        yield from _likest(line, form)
    for wrong in blamed(entry):
        for match in re.finditer(rf"(?<!\w){re.escape(wrong)}(?!\w)", line.text):
            is_it = match.start() >= line.start or match.end() <= line.end
            yield evolve(line.with_(match.start(), match.end(), form), is_told=is_it)
    for match in list(_WORD.finditer(line.text, line.start, line.end))[::-1]:
        yield line.with_(match.start(), match.end(), form)


def _likest(line: FaultyLine, form: str) -> Iterator[Proposal]:
    """The word for that of the stretch which is most like it."""
    stretch = list(_WORD.finditer(line.text, line.start, min(line.end, line.said[1])))
    for match in sorted(stretch, key=lambda one: -SequenceMatcher(None, one[0], form).ratio())[:1]:
        yield line.told(*match.span(), form)


def _for_stretch(line: FaultyLine, form: str) -> Iterator[Proposal]:
    """A form for the stretches of the line that are most like it."""
    words = [match.span() for match in _WORD.finditer(line.text, *line.said)]
    runs = [(words[a][0], words[b][1]) for a in range(len(words)) for b in range(a, len(words))]
    matcher = SequenceMatcher(None, "", form, autojunk=False)
    ranked = []
    for start, end in runs:
        matcher.set_seq1(line.text[start:end])
        if matcher.real_quick_ratio() > 0.3:
            ranked.append((-matcher.ratio(), start, end))
    if line.end > line.start:
        yield line.with_(line.start, min(line.end, line.said[1]), form)
    for match in re.finditer(rf"(?<!\w){re.escape(form.split()[0])}(?!\w)", line.text[: line.said[1]]):
        yield line.with_(*match.span(), form)
    for _, start, end in sorted(ranked)[:_RUNS]:
        yield line.with_(start, end, form)


def _added(line: FaultyLine, form: str) -> Iterator[Proposal]:
    """A form behind the line, before the stretch, behind it, before the line."""
    start, end = line.said
    yield line.with_(end, end, f" {form}" if form[:1] not in ",:" else form)
    yield line.with_(line.start, line.start, f"{form} ")
    yield line.with_(line.end, line.end, f" {form}")
    yield line.with_(start, start, f"{form} ")


def _begun(line: FaultyLine, form: str) -> Iterator[Proposal]:
    """A form that goes on as the line does: its first words come before those that they share with the line."""
    head = form.partition("…")[0].rstrip(" (")
    words = head.split()
    if not words:
        return
    start = line.said[0]
    if len(words) > 2:
        both_ends = rf"{re.escape(words[0])}(?!\w).*?(?<!\w){re.escape(words[-1])}(?!\w)"
        if match := re.match(both_ends, line.text[start:]):
            yield line.told(start, start + match.end(), head)
    if "(…)" in form:
        for match in re.finditer(rf"(?<!\w){re.escape(words[-1])}\(", line.text):
            yield line.with_(match.start(), match.start(), " ".join(words[:-1]) + " ")
        for match in re.finditer(rf"(?<!\w){re.escape(words[-1])}\([^()]*\)", line.text):
            yield line.with_(*match.span(), head)
    for cut in range(1, len(words) + 1):
        rest = " ".join(words[cut:])
        if rest and line.text[start:].startswith(rest):
            yield line.with_(start, start, " ".join(words[:cut]) + " ")
    shared = re.match(re.escape(words[0][0]) + r"-?\s*\S*", line.text[start:]) if not words[0].isalnum() else None
    if shared:
        yield line.with_(start, start + shared.end(), head)
    value = line.text[: line.said[1]].rpartition(":")[2].strip()
    if form == "else: …" and value:
        made = line.with_line_below(f"{line.indent}else: {value}")
        yield evolve(made, title=made.title + STAND_IN)
