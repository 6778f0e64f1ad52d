"""Anchors, a standoff annotation of a published book: which of its passages belong to which clauses.

The book itself is not changed.  Turns the text of an anchors file into anchors
and findings.  Each anchor is a short quote, at most six words, from whose end
a passage runs to the next quote:

    language it
    "some exact words" to "words after it" : @CL-1 @CL-2
        reads players:least, @CL-1#2, -
        says may 1
        denies "nobody takes" @CL-1, "not yet" -, @CL-2

`reads` names for each number of the passage, in order, the value of the rules
that it must agree with; `-` is a number that states no rule, `?` one that
the rules carry out without a number (the first free space).  `says` counts
permissions and duties (none where nothing is said), `denies` names for each
negation the clause that denies as well, and every clause that denies what the
book says in other words or elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulekit.diagnostics import Problems
from rulekit.source import NOWHERE, Source, Span
from rulekit.tools.audit.numeral_tables import LANGUAGES
from rulekit.tools.audit.text_layout import TAG
from rulekit.tools.documents.reader_text import SCRIPTS
from rulekit.values import evolve, field, frozen

QUOTE_WORDS = 6
_WORD = re.compile(rf"[^\W_{SCRIPTS}]+")
_MOST = 2000
"""Anchors beyond so many are not looked at; a book needs some dozens."""
_ANCHOR = re.compile(r'"(?P<quote>[^"]+)"(?P<rest>(?: +(?:after|to) "[^"]+")*) *: *(?P<clauses>.+)')
_PART = re.compile(r'(after|to) "([^"]+)"')
_NAME = re.compile(r'(?! )(?:"[^"]*"|\([^()]*\)|[^,"(])+')
_DENIAL = re.compile(r'(?:"([^"]+)" )?(@\S+|[-?=]|\?\?\?)')
_MOOD = re.compile(r"(not|may|must) (\d{1,3})")


@frozen
class Denial:
    """A negation and the clause that denies as well.

    words:   of the book, the negation first; empty where the book says it in other words.
    clause:  `-` if the negation states no rule, `?` if the rules say it without one, `=` if it only goes with
             another (`nobody ever`, `non … mai`).
    """

    words: tuple[str, ...]
    clause: str
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Anchor:
    """One quote and what its passage belongs to.

    after, to:  a quote that must come before, and one where the passage ends; "" for none.
    clauses:    empty for a passage that states no rule.
    reads:      for each number the name of a value, as written; None: any value of the clauses will do.
    moods:      how often the passage says not, may and must; what is not listed it never says.
    claims:     words by which it claims what the rules have, in their order.
    denies:     its negations; None: any negation of the clauses will do.
    """

    quote: str
    after: str = ""
    to: str = ""
    clauses: tuple[str, ...] = ()
    reads: tuple[str, ...] | None = None
    moods: tuple[tuple[str, int], ...] = ()
    denies: tuple[Denial, ...] | None = None
    claims: tuple[str, ...] = ()
    span: Span = field(default=NOWHERE, eq=False, repr=False)
    places: tuple[Span, ...] = field(default=(), eq=False, repr=False)
    """Where each of `reads` is written."""

    def place(self, index: int) -> Span:
        return self.places[index] if index < len(self.places) else self.span


@frozen
class Anchors:
    """What an anchors file holds.  language: of the book."""

    language: str
    anchors: tuple[Anchor, ...]


def parse_anchors(source: Source, problems: Problems) -> Anchors:
    """The anchors of a file; lines that cannot be understood are reported and left out."""
    language = ""
    found: list[Anchor] = []
    for text, place in source.entries():
        if text.startswith("language "):
            language = _language(text.removeprefix("language ").strip(), place, problems)
        elif text.startswith('"') and len(found) < _MOST:
            found += _anchor(text, place, problems)
        elif text.startswith('"'):
            problems.add("anchor-many", f"there are more than {_MOST} anchors", place, hint="keep one for each passage")
            break
        elif found and text.startswith(("reads ", "says ", "denies ", "claims ")):
            found[-1] = _more(found[-1], text, place, problems)
        else:
            hint = 'a line is `language it`, `"some words" : @CLAUSE`, `reads …`, `says …`, `denies …` or `claims …`'
            problems.add("anchor-syntax", "this line of anchors cannot be understood", place, hint=hint)
    if not language:
        hint = f"begin with `language CODE`; there are {', '.join(sorted(LANGUAGES))}"
        problems.add("anchor-language", "the anchors do not say the book's language", _at(source, 1), hint=hint)
    elif not found:
        problems.add("no-anchors", "there is no anchor in this file", _at(source, 1))
    return Anchors(language, tuple(found))


def words(text: str) -> list[tuple[str, int, int]]:
    """Words and numbers in lower case with their places; mark-up and punctuation count for nothing."""
    blank = TAG.sub(lambda match: " " * len(match.group()), text)
    return [(match.group().lower(), match.start(), match.end()) for match in _WORD.finditer(blank)]


def join_contractions(parts: Iterable[str]) -> tuple[str, ...]:
    """Words with English contractions of *not* as words of their own: `doesn`, `t` is `doesn't`."""
    joined: list[str] = []
    for part in parts:
        if part == "t" and joined and joined[-1].endswith("n"):
            joined[-1] += "'t"
        else:
            joined.append(part)
    return tuple(joined)


def _at(source: Source, line: int) -> Span:
    return Span(source.name, line, 1, line, len(source.line(line)) + 1)


def _language(code: str, place: Span, problems: Problems) -> str:
    if code not in LANGUAGES:
        hint = f"there are {', '.join(sorted(LANGUAGES))}"
        problems.add("anchor-language", f"there is no table of numerals for the language `{code}`", place, hint=hint)
        return ""
    return code


def _anchor(text: str, place: Span, problems: Problems) -> list[Anchor]:
    match = _ANCHOR.fullmatch(text)
    if match is None:
        hint = 'write `"some words" : @CLAUSE`, or `: -` for a passage without rules'
        problems.add("anchor-syntax", "this anchor cannot be understood", place, hint=hint)
        return []
    parts = dict(_PART.findall(match["rest"]))
    for quote in (match["quote"], *parts.values()):
        if not 0 < len(words(quote)) <= QUOTE_WORDS:
            title = f"a quote has one to {QUOTE_WORDS} words, this one {len(words(quote))}"
            problems.add("anchor-quote", title, place)
            return []
    clauses = match["clauses"].split()
    wrong = [word for word in clauses if not word.startswith("@")]
    if wrong and clauses != ["-"]:
        problems.add("anchor-syntax", f"`{wrong[0]}` is no clause", place, hint="clauses are written `@ID`")
        return []
    ids = tuple(word[1:] for word in clauses if word != "-")
    return [Anchor(match["quote"], parts.get("after", ""), parts.get("to", ""), ids, span=place)]


def _more(anchor: Anchor, text: str, place: Span, problems: Problems) -> Anchor:
    """The anchor with what an indented line adds to it."""
    word, _, rest = text.partition(" ")
    if word == "reads":
        return _reads(anchor, rest, place)
    if word == "denies":
        return _denies(anchor, rest, place, problems)
    if word == "claims":
        return evolve(anchor, claims=(*anchor.claims, *(part.strip() for part in rest.split(","))))
    found = _MOOD.findall(rest)
    if not found:
        problems.add("anchor-syntax", "`says` counts words", place, hint="write `says not 1, may 2, must 0`")
    return evolve(anchor, moods=tuple((name, int(count)) for name, count in found))


def _reads(anchor: Anchor, text: str, place: Span) -> Anchor:
    """The anchor with the names of further values."""
    names, places = named_values(text, place)
    return evolve(anchor, reads=(*(anchor.reads or ()), *names), places=(*anchor.places, *places))


def named_values(text: str, line: Span) -> tuple[tuple[str, ...], tuple[Span, ...]]:
    """The names at the end of a line, with their places; commas inside brackets do not part them."""
    names, places = [], []
    first = line.end_column - len(text)
    for match in _NAME.finditer(text):
        name = match.group().rstrip()
        column = first + match.start()
        names.append(name)
        places.append(Span(line.source, line.line, column, line.line, column + len(name)))
    return tuple(names), tuple(places)


def _denies(anchor: Anchor, text: str, place: Span, problems: Problems) -> Anchor:
    """The anchor with further negations."""
    made = list(anchor.denies or ())
    for part in text.split(", "):
        match = _DENIAL.fullmatch(part.strip())
        quote = join_contractions(word for word, _, _ in words(match[1] or "")) if match is not None else ()
        if match is None or len(quote) > QUOTE_WORDS or not (quote or match[2][0] == "@"):
            hint = 'write `denies "nobody takes" @CLAUSE`, or `-` or `?` for no clause, with commas between them'
            problems.add("anchor-syntax", f"`{part.strip()}` is no negation with its clause", place, hint=hint)
        else:
            made.append(Denial(quote, match[2].removeprefix("@"), place))
    return evolve(anchor, denies=tuple(made))
