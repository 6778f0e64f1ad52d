"""Edits of the files behind a review: a line put in or changed, all others left as they are, byte for byte.

What is written is what a person would write by hand, so that a difference of two versions shows what was decided.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import wrap

from rulekit.tools.audit.baseline import as_line
from rulekit.tools.audit.findings import Finding

_TIED = re.compile(r'^("[^"]+"(?: +(?:after|to) "[^"]+")* *: *)(?:@\S+(?: +@\S+)*|-)')
_WIDTH, _SHORT = 96, 88
"""Of the lines of a catalogue, and of an entry that stands in one."""


def with_accepted(text: str, finding: Finding, reason: str) -> str:
    """A list of accepted findings with one more, at its end."""
    before = text if not text or text.endswith("\n") else text + "\n"
    return f"{before}{as_line(finding)}{one_line(reason)}\n"


def with_tie(text: str, line: int, clauses: Sequence[str]) -> str:
    """Anchors of which one, at a line counted from 1, belongs to other clauses; without any it states no rule.

    What a passage reads, says and denies goes with its rule; it stays where there still is one.
    """
    lines = text.split("\n")
    lines[line - 1] = _TIED.sub(
        lambda found: found[1] + (" ".join(f"@{id_}" for id_ in clauses) or "-"), lines[line - 1]
    )
    if not clauses:
        del lines[line : _details_end(lines, line)]
    return "\n".join(lines)


def with_reads(text: str, line: int, names: Sequence[str]) -> str:
    """Anchors of which one, at a line counted from 1, reads other values; they stand where its first ones stood."""
    lines = text.split("\n")
    end = _details_end(lines, line)
    old = [at for at in range(line, end) if lines[at].strip().startswith("reads ")]
    written = "    reads " + ", ".join(names)
    if not old:
        lines.insert(end, written)
        return "\n".join(lines)
    lines[old[0]] = written
    return "\n".join(each for at, each in enumerate(lines) if at not in old[1:])


def _details_end(lines: Sequence[str], line: int) -> int:
    """The place behind the lines that say more of the anchor above them."""
    end = line
    while end < len(lines) and lines[end].strip().startswith(("reads ", "says ", "denies ")):
        end += 1
    return end


def with_translation(text: str, line: int, words: str) -> str:
    """A catalogue of which one entry, whose `msgstr` begins at a line counted from 1, has another translation."""
    lines = text.split("\n")
    end = line
    while end < len(lines) and lines[end].startswith('"'):
        end += 1
    quoted = words.replace("\\", "\\\\").replace('"', '\\"')
    rows = wrap(quoted, _WIDTH, break_long_words=False, break_on_hyphens=False)
    written = [f'"{row} "' for row in rows[:-1]] + [f'"{row}"' for row in rows[-1:]]
    is_short = len(rows) <= 1 and len(quoted) <= _SHORT
    lines[line - 1 : end] = [f'msgstr "{quoted}"'] if is_short else ['msgstr ""', *written]
    return "\n".join(lines)


def with_question(text: str, quote: str, clauses: Sequence[str], question: str) -> str:
    """A list of questions to the publisher with one more, at its end."""
    before = text if not text or text.endswith("\n") else text + "\n"
    return f'{before}"{one_line(quote)}" {" ".join(clauses) or "-"}: {one_line(question)}\n'


def one_line(written: str) -> str:
    """What somebody wrote, as it can stand in one line."""
    return " ".join(written.split())
