"""What to say about a place in a rules file: one type, as text or as data.

A diagnostic is about the author's text.  It is collected, never raised;
its code is stable, its title one plain sentence in the author's own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rulekit import limits
from rulekit.legibility import has_use, is_blank, is_joined, stray_directions
from rulekit.source import Source, Span
from rulekit.values import field, frozen

_WIDEST = 160
"""So much of a long line is shown around a finding."""
_WORDY, _LONGEST = 400, 2000
"""A message is looked at for words that are no words from so many letters on, and never longer than this."""
_ENDLESS = re.compile(r"(\S{60})[^\s`]{60,}")
ERROR = "error"
WARNING = "warning"
NOTE = "note"
"""Nothing is wrong: it is told to whoever asks."""


def _brief(text: str) -> str:
    """A message that quotes what somebody wrote; what is endlessly long in it is cut, since it stands in the file."""
    if len(text) <= _WORDY:
        return text
    short = _ENDLESS.sub(r"\1…", text)
    return short if len(short) <= _LONGEST else f"{short[:_LONGEST]}…"


@frozen
class Label:
    """A second place that matters, and why."""

    span: Span
    text: str = field(converter=_brief)


@frozen
class Diagnostic:
    """One finding: `level[code]: title`, with the place and what to do about it."""

    code: str
    title: str = field(converter=_brief)
    span: Span
    note: str = field(default="", converter=_brief)
    hint: str = field(default="", converter=_brief)
    level: str = ERROR
    labels: tuple[Label, ...] = ()


@frozen
class Problems:
    """Collects diagnostics while a pass goes on; each place and code once.

    notes:  what is right, and told on request.
    """

    found: list[Diagnostic] = field(factory=list)
    notes: list[Diagnostic] = field(factory=list)
    _known: set[Diagnostic] = field(factory=set)

    def add(
        self,
        code: str,
        title: str,
        span: Span,
        *,
        note: str = "",
        hint: str = "",
        level: str = ERROR,
        labels: tuple[Label, ...] = (),
    ) -> None:
        entry = Diagnostic(code, title, span, note, hint, level, labels)
        if entry not in self._known:
            self._known.add(entry)
            self.found.append(entry)

    def warn(self, code: str, title: str, span: Span, *, note: str = "", hint: str = "") -> None:
        self.add(code, title, span, note=note, hint=hint, level=WARNING)

    def remark(self, code: str, title: str, span: Span) -> None:
        self.notes.append(Diagnostic(code, title, span, level=NOTE))

    @property
    def has_errors(self) -> bool:
        return any(entry.level == ERROR for entry in self.found)


def nearest(word: str, candidates: Iterable[str]) -> str:
    """A hint that names the nearest right word, or "" when none is near."""
    near = closest(word, candidates)
    return f"did you mean `{near}`?" if near else ""


def closest(word: str, candidates: Iterable[str]) -> str:
    """The nearest right word, or "" when none is near."""
    from difflib import get_close_matches  # Seldom needed.

    matches = get_close_matches(word, sorted(set(candidates)), n=1, cutoff=0.6)
    return matches[0] if matches else ""


@frozen
class Frame:
    """What stands around a finding that is read: words for its level and its hint, and for findings left out."""

    levels: Mapping[str, str]
    hint: str
    more: str


PLAIN = Frame({level: level for level in (ERROR, WARNING, NOTE)}, "hint", "… and {count} more")


def render(entry: Diagnostic, sources: Mapping[str, Source], frame: Frame = PLAIN) -> str:
    """The finding as a person reads it: title, place, the line with carets, hint."""
    lines = [f"{frame.levels[entry.level]}[{entry.code}]: {printable(entry.title)}"]
    lines += _excerpt(entry.span, entry.note, sources)
    for label in entry.labels:
        lines += _excerpt(label.span, label.text, sources)
    if entry.hint:
        lines.append(f"  {frame.hint}: {printable(entry.hint)}")
    return "\n".join(lines)


def _excerpt(span: Span, note: str, sources: Mapping[str, Source]) -> list[str]:
    if not span.line:
        return [f"  {printable(span.source)}" + (f": {printable(note)}" if note else "")]
    lines = [f"  {printable(span.source)}:{span.line}:{span.column}"]
    source = sources.get(span.source)
    if source is None:
        return lines + ([f"    {note}"] if note else [])
    text, column = _window(printable(source.line(span.line).replace("\t", " ")), span.column)
    width = (span.end_column if span.end_line == span.line else len(text) + 1) - span.column
    width = max(1, min(width, len(text) + 1 - column))
    number = f"{span.line:>5} | "
    caret = " " * (len(number) - 2) + "| " + " " * (column - 1) + "^" * width
    return [*lines, number + text, caret + (f" {printable(note)}" if note else "")]


def _window(text: str, column: int) -> tuple[str, int]:
    """A line short enough to be read, and where the column is in it: books have paragraphs in one line."""
    if len(text) <= _WIDEST:
        return text, column
    first = max(0, column - 1 - _WIDEST // 2)
    shown = text[first : first + _WIDEST]
    before, after = "… " if first else "", " …" if first + _WIDEST < len(text) else ""
    return before + shown + after, column - first + len(before)


def render_all(found: Iterable[Diagnostic], sources: Mapping[str, Source], frame: Frame = PLAIN) -> str:
    """All findings in the order of their places, at most `limits.ERRORS` of them."""
    ordered = sorted(found, key=lambda entry: (entry.span.source, entry.span.line, entry.span.column))
    parts = [render(entry, sources, frame) for entry in ordered[: limits.ERRORS]]
    if len(ordered) > limits.ERRORS:
        parts.append(frame.more.format(count=len(ordered) - limits.ERRORS))
    return "\n\n".join(parts)


def as_data(entry: Diagnostic) -> dict[str, object]:
    """The finding for scripts: plain values, stable keys."""
    return {
        "code": entry.code,
        "level": entry.level,
        "title": entry.title,
        "file": entry.span.source,
        "line": entry.span.line,
        "column": entry.span.column,
        "end_line": entry.span.end_line,
        "end_column": entry.span.end_column,
        "note": entry.note,
        "hint": entry.hint,
        "labels": [
            {"file": x.span.source, "line": x.span.line, "column": x.span.column, "text": x.text} for x in entry.labels
        ],
    }


def printable(text: str) -> str:
    """Control and direction-changing characters shown as escapes, so that no text can steer a terminal."""
    if text.isprintable():
        return text
    return "".join(_shown(text, index) for index in range(len(text)))


def printable_translation(text: str) -> str:
    """Characters shown as escapes that no script needs, or that would turn the direction of what follows."""
    if text.isprintable():
        return text
    stray = stray_directions(text)
    return "".join(
        text[index] if index not in stray and has_use(text, index) else _shown(text, index)
        for index in range(len(text))
    )


def _shown(text: str, index: int) -> str:
    """A character, or its escape; blanks of any width and joiners are what they are."""
    character = text[index]
    if character.isprintable() or is_blank(character) or is_joined(text, index):
        return character
    return f"\\x{ord(character):02x}"
