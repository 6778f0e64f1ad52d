"""What the language reference says of each form: its tables, looked up by the words with which a form begins.

The reference is the page that people read; nothing of it is written here a
second time.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain

from rulekit import library
from rulekit.values import frozen

_CODE = re.compile(r"`([^`]+)`")
_FORM = re.compile(r"\*\*([^*]+)\*\*")
_BOLD = re.compile(r"(?:- )?(?P<forms>\*\*[^*]+\*\*(?:(?:, | and )\*\*[^*]+\*\*)*)(?:: | )(?P<rest>.*?[.:])(?= |$)")
_WORD = re.compile(r"[a-z_]+")


@frozen
class Entry:
    """A form as the reference writes it, and its sentence."""

    form: str
    sentence: str


@cache
def entries() -> dict[str, tuple[Entry, ...]]:
    """By each word the entries whose form writes it, as the page has them."""
    found: dict[str, list[Entry]] = {}
    for entry in _all(library.reference()):
        for word in dict.fromkeys(_WORD.findall(entry.form)):
            found.setdefault(word, []).append(entry)
    return {word: tuple(each) for word, each in found.items()}


def _all(page: str) -> list[Entry]:
    """Rows of tables, then what begins with a form in bold, then every sentence that writes a form."""
    rules = page.partition("\n## 18.")[0]
    text = re.sub(r"^```.*?^```$", "", rules, flags=re.S | re.M)
    parts = [
        " ".join(part.split()) for part in re.split(r"\n\n|\n- ", text) if not part.lstrip().startswith(("|", "#"))
    ]
    rows = [line for line in rules.split("\n") if line.startswith("| ")]
    return [*chain(*map(_in_row, rows)), *chain(*map(_in_bold, parts)), *chain(*map(_in_prose, parts))]


def _in_row(line: str) -> list[Entry]:
    """A row that says what the forms in its first cell are, or in its second the forms of one level of expressions."""
    first, *others = (cell.strip() for cell in line.strip("| ").split(" | "))
    forms = _CODE.findall(first)
    if forms and others:
        is_function = "(" in first and len(others) > 1
        return [Entry(form, others[1] if is_function else others[0]) for form in forms]
    return [Entry(form, f"a form of the level {first}") for form in _CODE.findall(" ".join(others)) if "·" in line]


def _in_bold(part: str) -> list[Entry]:
    """What begins with forms in bold says what they are."""
    match = _BOLD.match(part)
    return [Entry(form, match["rest"]) for form in _FORM.findall(match["forms"])] if match else []


def _in_prose(part: str) -> list[Entry]:
    sentences = re.split(r"(?<=[.;:]) (?=[A-Z`])", part.replace("**", ""))
    return [Entry(form, sentence) for sentence in sentences for form in _CODE.findall(sentence)]


def said(word: str, line: str = "") -> Entry | None:
    """What the reference says of a word; of several forms that which shares the most words with the line."""
    fit = entries().get(word, ())
    written = set(_WORD.findall(line))
    return max(fit, key=lambda one: _shared(one, word, written), default=None)


def _shared(entry: Entry, word: str, written: set[str]) -> tuple[bool, float]:
    words = [part for part in _WORD.findall(entry.form) if part not in ("x", "p")]
    return words[:1] == [word], sum(part in written for part in words) / max(1, len(words))
