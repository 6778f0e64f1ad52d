"""Names in the files beside a rules file: catalogues, anchors, what clauses read, and the list of renames.

These are changed where they stand, letter by letter; nothing else of them is
touched.  A list of renames, by which logs are replayed, gets a line more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.record.renames import OWNED, SHARED, SORTS, Rename
from rulekit.source import Source, Span
from rulekit.tools.editing.edits import Edit
from rulekit.tools.editing.name_roles import LOCAL
from rulekit.tools.editing.occurrences import CLAUSE, Symbol
from rulekit.tools.language.display_names import plain, plural

_CONTEXT = re.compile(r'(?:#~ )?msgctxt "([^"\n]*)"$')
_MESSAGE = re.compile(r'(?:#~ )?(?:msgid|msgid_plural) "([^"\n]*)"$')
_PROSE = re.compile(r'"[^"]*"|- \([^)]*\)|^#.*')
"""What is words for people in anchors: quotes of a book, and the reason why a number is read nowhere."""


def in_companion(text: Source, symbol: Symbol, new: str) -> tuple[Edit, ...]:
    """The changes of such a file that give a symbol another name."""
    if text.name.endswith((".po", ".pot")):
        return tuple(_in_catalogue(text, symbol, new))
    if text.name.endswith((".anchors", ".reads")):
        return tuple(_in_anchors(text, symbol, new))
    return _listed(text, symbol, new) if text.name.endswith(".renames") else ()


def _in_catalogue(text: Source, symbol: Symbol, new: str) -> Iterator[Edit]:
    """Ids of entries, with the default words that come from a name; and names in braces."""
    is_about = False
    for number, line in enumerate(text.text.split("\n"), 1):
        if line.startswith("#") and not line.startswith("#~"):
            continue
        if match := _CONTEXT.match(line):
            found = list(_in_context(match[1], symbol))
            is_about = bool(found)
            yield from (_edit(text, number, match.start(1) + at, symbol.name, new) for at in found)
        elif is_about and (match := _MESSAGE.match(line)) and match[1] in _default(symbol.name):
            word = dict(zip(_default(symbol.name), _default(new), strict=True))[match[1]]
            yield _edit(text, number, match.start(1), match[1], word)
        elif symbol.sort not in (CLAUSE, LOCAL):
            for found_at in re.finditer(rf"(?<=\{{){re.escape(symbol.name)}(?=\}})", line):
                yield _edit(text, number, found_at.start(), symbol.name, new)


def _default(name: str) -> tuple[str, str]:
    """How a name reads where no text is given."""
    return plain(name), plural(plain(name))


def _in_context(context: str, symbol: Symbol) -> Iterator[int]:
    """From which letters an id of an entry has the name."""
    if symbol.sort == CLAUSE:
        yield from (0,) if context == symbol.name else ()
        return
    first, _, rest = context.partition(" ")
    if symbol.sort == "kind" and first == symbol.name:
        yield 0
    owner = {"member": symbol.owner, "option": None, "reading": "reading"}.get(symbol.sort)
    if symbol.sort == "reading" and rest != f"{symbol.owner}.{symbol.name}":
        return
    if owner is not None and first != owner and symbol.sort == "member":
        return
    for match in re.finditer(rf"(?<![a-z0-9_]){re.escape(symbol.name)}(?![a-z0-9_])", rest):
        yield len(first) + 1 + match.start()


def _in_anchors(text: Source, symbol: Symbol, new: str) -> Iterator[Edit]:
    if symbol.sort == LOCAL:
        return
    word = re.compile(rf"(?<![A-Za-z0-9_-]){re.escape(symbol.name)}(?![A-Za-z0-9_-])")
    for number, line in enumerate(text.text.split("\n"), 1):
        prose = [match.span() for match in _PROSE.finditer(line)]
        for match in word.finditer(line):
            if not any(start <= match.start() < end for start, end in prose):
                yield _edit(text, number, match.start(), symbol.name, new)


def _listed(text: Source, symbol: Symbol, new: str) -> tuple[Edit, ...]:
    """A line more for what logs hold names of; where the last line is this rename the other way round, one less."""
    if symbol.sort not in SORTS:
        return ()
    owner = symbol.owner if symbol.sort in (*OWNED, SHARED) else ""
    line = str(Rename(symbol.sort, symbol.name, new, owner))
    lines = text.text.split("\n")
    back = re.escape(str(Rename(symbol.sort, new, symbol.name, owner)))
    if symbol.sort == SHARED:
        back = rf"{SHARED} (\w+\.)?{new} -> {symbol.name}"
    if lines[-1] == "" and re.fullmatch(back, lines[-2] if len(lines) > 1 else ""):
        return (Edit(Span(text.name, len(lines) - 1, 1, len(lines), 1), ""),)
    at = Span(text.name, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
    return (Edit(at, f"\n{line}\n" if lines[-1] else f"{line}\n"),)


def _edit(text: Source, line: int, start: int, old: str, new: str) -> Edit:
    return Edit(Span(text.name, line, start + 1, line, start + 1 + len(old)), new)
