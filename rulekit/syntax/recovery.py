"""Error recovery at synchronising tokens: faulty lines are reported and dropped, and the rest is parsed again.

Lines are what the parser synchronises on: a faulty logical line goes with the block hanging on it, so that several
faults give several findings.
"""

from __future__ import annotations

from rulekit.diagnostics import Problems, closest, nearest
from rulekit.source import Source, Span
from rulekit.syntax import error_repair, indentation, nodes
from rulekit.syntax.ast_builder import AstBuilder
from rulekit.syntax.indentation import Margins, Mark, span_of
from rulekit.syntax.lalr_parser import LalrParser
from rulekit.syntax.parse_tables import tables
from rulekit.values import frozen

_FAULTS = 20
_NAMES = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": 'words in "quotes"',
    "ROW": "a row `| … |`",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
}
"""How a person calls what the grammar calls by these names."""
_BAD = {
    '"': ("this text has no end", 'close it with `"` on the same line'),
    "'": ("this quoted name has no end", "write it as `'name'`, in small letters"),
    "|": ("this row has no end", "close it with `|` on the same line"),
    "@": ("a citation needs an id", "write it as `@AB-12`"),
    ">": ("a clause stands on a line of its own", "put it above this line; to compare, write `above` or `at least`"),
}
"""Characters that begin something which is not complete: title and hint."""
_DECIDING = ("chooses", "may", "always")
_HABITS = {
    "=": "write `is` to compare, `set … to …` to change, `starts …` for what something is at first",
    "then": "after the condition of a line comes `:`, or an indented block",
    "for": "write `each name in set`",
    "else": "it stands below its `if`, as far left",
    "equals": "write `is`",
    "holds": "write `thing in pile`",
    "contains": "write `thing in pile`",
    "choose": "say who: `owner chooses …`",
    "<": "write `below` or `at most`",
    "“": 'use straight quotes: `"`',
    "”": 'use straight quotes: `"`',
    "’": "write `owner.thing` for the owner's thing",
}
"""What people write out of habit, and what it is here."""
_STATING = frozenset(["action", "play", "setup", "result", "when", "before", "after", "instead", "scenario"])
"""Top-level words below which a lost line is a statement: nothing else hangs on its names but what it names itself."""


@frozen
class Parsed:
    """A parsed file.

    lost:    the words of dropped lines: names that later passes must not miss.
    broken:  a declaration was dropped, so that nothing can be said about names.
    """

    file: nodes.File
    lost: frozenset[str] = frozenset()
    broken: bool = False


def recovering(tokens: list[Mark], source: Source, margins: Margins, problems: Problems) -> Parsed:
    """Parse, dropping faulty lines; every round is shorter than the one before, so it ends."""
    lost: set[str] = set()
    broken = False
    for _ in range(_FAULTS):
        parser = LalrParser(tables(), source.name, AstBuilder(source.name, margins).make)
        index = parser.feed_all(tokens)
        if index is None:
            return Parsed(parser.whole(), frozenset(lost), broken)
        if parser.expected() == ["_INDENT"]:
            index = _headless(tokens, index, source, problems)
        elif not (
            _reported_depth(tokens, index, source, problems)
            or _reported_habit(tokens, index, source, problems)
            or _reported_leader(tokens, index, source, problems)
            or _reported_slip(parser, tokens, index, source, problems)
            or _reported_counters(tokens, index, source, problems)
        ):
            _report(parser, tokens[index] if index < len(tokens) else None, source, problems)
        if _has_idle_colon(tokens, index):
            tokens = tokens[: index - 1] + tokens[index:]
            continue
        start, stop = faulty_lines(tokens, min(index, len(tokens) - 1))
        lost.update(t.text for t in tokens[start:stop] if t.type == "NAME")
        broken = broken or not _is_statement(tokens, start)
        tokens = tokens[:start] + tokens[stop:]
    return Parsed(nodes.File(()), frozenset(lost), True)


def _has_idle_colon(tokens: list[Mark], index: int) -> bool:
    """Whether what does not fit is the end of a line behind a colon, with a block below it: that can be read."""
    types = [token.type for token in tokens[index - 1 : index + 2]]
    return types == ["COLON", "_NL", "_INDENT"]


def _is_statement(tokens: list[Mark], start: int) -> bool:
    """Whether what is dropped is a line inside a body, on which no other line can depend for a name."""
    if start >= len(tokens) or tokens[start].column == 1:
        return False
    heads = (
        t
        for n, t in enumerate(tokens[:start])
        if t.column == 1 and (n == 0 or tokens[n - 1].type in indentation.LAYOUT)
    )
    head = None
    for token in heads:
        head = token if token.type not in indentation.LAYOUT else head
    return head is not None and head.text in _STATING


def _reported_depth(tokens: list[Mark], index: int, source: Source, problems: Problems) -> bool:
    """Whether a line at the margin begins with a word that fits in the block above it; then it is reported."""
    if not 0 < index < len(tokens) or tokens[index].column != 1 or tokens[index].type in indentation.LAYOUT | {"NAME"}:
        return False
    word, before = tokens[index], tokens[:index]
    is_in_block = before[-1].type == "_DEDENT"
    block = _after(before[:-1] if is_in_block else before)
    if not (is_in_block or block.feed("_INDENT", word)) or not block.takes(word.type):
        return False
    heads = [token for token in before if token.column == 1 and token.type not in indentation.LAYOUT]
    hint = f"indent this line by 4 blanks, so that it stands below `{heads[-1].text}`"
    problems.add("syntax", f"`{word.text}` does not fit here", span_of(source, word), hint=hint)
    return True


def _reported_habit(tokens: list[Mark], index: int, source: Source, problems: Problems) -> bool:
    """Whether it is known what was meant by the line, so that it can be said; then it is reported."""
    hint = error_repair.repair(error_repair.line_around(tables(), tokens, index)) if index < len(tokens) else ""
    if not hint:
        return False
    token = _leader(tokens, index, hint) or tokens[index]
    title = "the line ends too early" if token.type in indentation.LAYOUT else f"`{token.text}` does not fit here"
    if token.type == "BAD":
        title = f"the character `{token.text}` has no meaning here"
    code = "layout" if token.type in indentation.LAYOUT else "syntax"
    problems.add(code, title, span_of(source, token), hint=hint)
    return True


def _leader(tokens: list[Mark], index: int, hint: str) -> Mark | None:
    """The word before this one, if it leads its line and is what does not fit; None if this one is."""
    if index < 1 or not tokens[index - 1].text.isidentifier():
        return None
    word = tokens[index - 1]
    leads = index == 1 or tokens[index - 2].type in indentation.LAYOUT | {"COLON"}
    if not leads or (word.type == "NAME" and word.text in hint):
        return None
    return word if word.type == "NAME" or not _after(tokens[: index - 1]).takes(word.type) else None


def _reported_leader(tokens: list[Mark], index: int, source: Source, problems: Problems) -> bool:
    """Whether the fault is the word before, which leads its line and was taken as a name; then it is reported.

    A misspelt keyword, or one in the wrong place, is only noticed by what follows it.
    """
    if index < 1 or index >= len(tokens) or not tokens[index - 1].text.isidentifier():
        return False
    if index > 1 and tokens[index - 2].type not in indentation.LAYOUT | {"COLON"}:
        return False
    expected, word = _after(tokens[: index - 1]).expected(), tokens[index - 1]
    if tokens[index].type == "NAME" and nearest(tokens[index].text, _DECIDING):
        return False  # `ann chosses …`: the verb is misspelt, not who decides
    near = nearest(word.text, _words(expected))
    is_keyword = word.type != "NAME"
    if (is_keyword and word.type in expected) or not (is_keyword or near):
        return False
    hint = near or _may_stand(expected)
    problems.add("syntax", f"`{word.text}` does not fit here", span_of(source, word), hint=hint)
    return True


def _reported_slip(parser: LalrParser, tokens: list[Mark], index: int, source: Source, problems: Problems) -> bool:
    """Whether the word before was taken as a name, and with a keyword near it this one fits; then it is reported."""
    if not 1 <= index < len(tokens) or tokens[index - 1].type != "NAME" or tokens[index].type in indentation.LAYOUT:
        return False
    word, this = tokens[index - 1], tokens[index]
    if not closest(word.text, tables().words) or closest(this.text, _words(parser.expected())):
        return False
    before = _after(tokens[: index - 1])
    near = closest(word.text, _words(before.expected()))
    if not near:
        return False
    before.feed(tables().words[near], word)
    if not before.takes(before.role(this)):
        return False
    problems.add("syntax", f"`{word.text}` does not fit here", span_of(source, word), hint=f"did you mean `{near}`?")
    return True


def _reported_counters(tokens: list[Mark], index: int, source: Source, problems: Problems) -> bool:
    """Whether the fault is in a counter that is to be one for each of several; then it is reported."""
    start = index
    while start > 0 and tokens[start - 1].type not in indentation.LAYOUT:
        start -= 1
    line = [token.text for token in tokens[start:index]]
    several = index < len(tokens) and (tokens[index].text in ("for", "of") or "of" in line[2:])
    if line[:1] != ["counter"] or not several:
        return False
    hint = f"numbers for each member of a kind are a list: `list {line[1] if line[1:] else 'name'} of 0..9 for kind`"
    problems.add("syntax", "a counter is one number", span_of(source, tokens[index]), hint=hint)
    return True


def _after(tokens: list[Mark]) -> LalrParser:
    """Where the parser is behind tokens that fit, without their nodes."""
    parser = LalrParser(tables())
    parser.feed_all(tokens)
    return parser


def _words(expected: list[str]) -> list[str]:
    """The keywords among the terminals that can come next."""
    return [word for word, name in tables().words.items() if name in expected]


def _headless(tokens: list[Mark], index: int, source: Source, problems: Problems) -> int:
    """Reports the line before `tokens[index]`, which should have a block; the index of its last token."""
    index -= 1
    while tokens[index].type in indentation.LAYOUT:
        index -= 1
    place = span_of(source, tokens[index])
    problems.add("layout", "a block must follow here", place, hint="indent the lines below by 4 blanks more")
    return index


def _report(parser: LalrParser, token: Mark | None, source: Source, problems: Problems) -> None:
    expected = parser.expected()
    if token is None:
        line = source.text.count("\n") + 1
        place = Span(source.name, line, 1, line, 1)
        problems.add("unfinished", "the file ends too early", place, hint=_may_stand(expected))
        return
    place = span_of(source, token)
    if token.type in indentation.LAYOUT:
        title, hint = _layout_fault(token, expected)
        problems.add("layout", title, place, hint=hint)
        return
    if token.type == "BAD":
        unknown = f"the character `{token.text}` has no meaning here", _HABITS.get(token.text) or _may_stand(expected)
        title, hint = _BAD.get(token.text, unknown)
        problems.add("syntax", title, place, hint=hint)
        return
    hint = nearest(token.text, _words(expected)) or _HABITS.get(token.text, "") or _may_stand(expected)
    problems.add("syntax", f"`{token.text}` does not fit here", place, hint=hint)


def _layout_fault(token: Mark, expected: list[str]) -> tuple[str, str]:
    if token.type == "_INDENT":
        title = "this line is indented, but nothing above it opens a block"
        return title, "take the blanks away, or mend the line above"
    return "the line ends too early", _may_stand(expected)


def _may_stand(expected: list[str]) -> str:
    words = {name: f"`{word}`" for word, name in tables().words.items()}
    marks = {name: f"`{text}`" for name, text in tables().marks.items()}
    named = [_NAMES.get(name) or words.get(name) or marks.get(name) for name in expected]
    shown = sorted(text for text in named if text)
    if not shown:
        return ""
    more = f" and {len(shown) - 8} more" if len(shown) > 8 else ""
    return "here may stand " + ", ".join(shown[:8]) + more


def faulty_lines(tokens: list[Mark], index: int) -> tuple[int, int]:
    """The logical line around `index` with the block hanging on it, as a slice of `tokens`."""
    start = stop = index
    if tokens[index].type not in ("_INDENT", "_DEDENT"):
        while start > 0 and tokens[start - 1].type not in indentation.LAYOUT:
            start -= 1
        stop = _line_end(tokens, stop)
    if tokens[index].type == "_DEDENT":
        return start, index + 1
    stop = max(_block_end(tokens, stop), start + 1)
    while stop < len(tokens) and tokens[stop].type == "ELSE" and tokens[start].type != "ELSE":
        stop = _block_end(tokens, _line_end(tokens, stop))
    return _with_emptied_head(tokens, start, stop)


def _with_emptied_head(tokens: list[Mark], start: int, stop: int) -> tuple[int, int]:
    """Take the head along when its whole block goes, or it would be reported as having none."""
    while start > 0 and stop < len(tokens) and (tokens[start - 1].type, tokens[stop].type) == ("_INDENT", "_DEDENT"):
        start, stop = start - 2, stop + 1
        while start > 0 and tokens[start - 1].type not in indentation.LAYOUT:
            start -= 1
    return start, stop


def _line_end(tokens: list[Mark], index: int) -> int:
    """Just past the logical line around `index`; never past a `_DEDENT`, which the lines above still need."""
    while index < len(tokens) and tokens[index].type not in indentation.LAYOUT:
        index += 1
    return index + (index < len(tokens) and tokens[index].type == "_NL")


def _block_end(tokens: list[Mark], stop: int) -> int:
    if stop >= len(tokens) or tokens[stop].type != "_INDENT":
        return stop
    depth = 0
    while stop < len(tokens):
        depth += (tokens[stop].type == "_INDENT") - (tokens[stop].type == "_DEDENT")
        stop += 1
        if depth == 0:
            break
    return stop
