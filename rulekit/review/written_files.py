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
_PROPOSED = re.compile(r"^#.*  \[(?P<offered>@\S+ \d+%(?:, @\S+ \d+%)*)\](?P<unsure> \S.*)?$")
"""The remark above an anchor that was proposed: the clauses offered, and whether it wants a close look."""
_DETAILS = ("reads ", "says ", "denies ", "claims ")
_WIDTH, _SHORT = 96, 88
"""Of the lines of a catalogue, and of an entry that stands in one."""


def with_accepted(text: str, finding: Finding, reason: str) -> str:
    """A list of accepted findings with one more, at its end."""
    before = text if not text or text.endswith("\n") else text + "\n"
    return f"{before}{as_line(finding)}{one_line(reason)}\n"


def without_accepted(text: str, digest: str) -> str:
    """A list of accepted findings without those of a digest."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(f"{digest} "))


def offered(text: str, line: int) -> tuple[tuple[str, ...], bool]:
    """The clauses that were proposed for the anchor at a line counted from 1, and whether a close look is wanted."""
    found = _PROPOSED.match(text.split("\n")[line - 2]) if line > 1 else None
    if found is None:
        return (), False
    return tuple(part.split()[0].removeprefix("@") for part in found["offered"].split(", ")), bool(found["unsure"])


def with_tie(text: str, line: int, clauses: Sequence[str], words: Sequence[str] | None = None) -> str:
    """Anchors of which one, at a line counted from 1, belongs to other clauses; without any it states no rule.

    words:  the lines of what its passage says, claims and denies, in the place of those that it had; None keeps them.
    What it reads stays where there still is a rule, and it needs no close look any more.
    """
    lines = text.split("\n")
    lines[line - 1] = _TIED.sub(
        lambda found: found[1] + (" ".join(f"@{id_}" for id_ in clauses) or "-"), lines[line - 1]
    )
    end = _details_end(lines, line)
    if not clauses or words is not None:
        kept = [one for one in lines[line:end] if one.strip().startswith("reads ")]
        lines[line:end] = [*kept, *(f"    {one}" for one in words or ())] if clauses else []
    mark = _PROPOSED.match(lines[line - 2]) if line > 1 else None
    if mark is not None and mark["unsure"]:
        lines[line - 2] = lines[line - 2].removesuffix(mark["unsure"])
    return "\n".join(lines)


def with_detail(text: str, line: int, detail: str) -> str:
    """Anchors of which one, at a line counted from 1, has another detail, like `reads a, b`, where the first stood."""
    lines = text.split("\n")
    end = _details_end(lines, line)
    old = [at for at in range(line, end) if lines[at].strip().startswith(detail.split()[0] + " ")]
    written = f"    {detail}"
    if not old:
        lines.insert(end, written)
        return "\n".join(lines)
    lines[old[0]] = written
    return "\n".join(each for at, each in enumerate(lines) if at not in old[1:])


def anchor_lines(text: str, line: int) -> str:
    """The lines of an anchor that begins at a line counted from 1, with what is said of it below."""
    lines = text.split("\n")
    return "\n".join(lines[line - 1 : _details_end(lines, line)])


def _details_end(lines: Sequence[str], line: int) -> int:
    """The place behind the lines that say more of the anchor above them."""
    end = line
    while end < len(lines) and lines[end].strip().startswith(_DETAILS):
        end += 1
    return end


def with_translation(text: str, line: int, words: str) -> str:
    """A catalogue of which one entry, whose `msgstr` begins at a line counted from 1, has another translation."""
    lines = text.split("\n")
    end = line
    while end < len(lines) and lines[end].lstrip().startswith('"'):
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
