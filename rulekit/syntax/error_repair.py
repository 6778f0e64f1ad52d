"""Phrase-level error repair: a line that does not parse, and what was meant by it.

A table of what people write out of habit, each with what it is here.  Of a change only what lets the parser
read on is proposed; so what the hint says can be written.  Never changes the text: that is for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulekit.syntax.indentation import LAYOUT, Mark
from rulekit.syntax.lalr_parser import CITE, LalrParser, lexed
from rulekit.syntax.parse_tables import Tables
from rulekit.values import frozen

_LONGEST = 300
"""In longer lines nothing is looked for: patterns take a time that grows faster than the line."""
_N = r"(?:[a-z]\w*|'\w+')"
_X = rf"{_N}(?:\.{_N}|\[[^\[\]]*\]|\([^()]*\))*"
_FIRST = r"(?:^|(?<=:)|(?<=: ))"
_IS = r"(?: ?(?::=|==|=|:) ?| (?:is|equals|be|to) )"
_AT_FIRST = r"(?: ?(?::=|==|=|:) ?| (?:is|equals|default|at|with|begins|starts at|starts with) )"
_SIGNS = {
    ">=": "at least", "=>": "at least", "≥": "at least", "<=": "at most", "=<": "at most", "≤": "at most",
    "!=": "is not", "<>": "is not", "≠": "is not", "==": "is", ">": "above", "<": "below", "=": "is",
    "&&": "and", "&": "and", "||": "or", "×": "*", "÷": "/", "%": "mod", "−": "-", "–": "-",
}  # fmt: skip
"""Signs of mathematics and of programming languages, and what they are here."""
_SIGN = rf"(?:{'|'.join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True))})(?! ?[A-Z])"
"""One of them; a `>` before a capital begins a clause."""
_CAPITALS = r"(?<![@\w-])[a-z0-9_]*[A-Z]\w*"
_WAYS = rf'{_X}(?: may| always)? chooses(?: "\d+")?$'
_BELOW = "behind a colon stands what has no block: take the colon away and put `{}` below, 4 blanks further in"
_ASKING = r"\b(expect|if|while|only if)"
_QUERY = r".+? (?:where|whose|with|except) .+"
_DOING = "raise|lower|set|move|remove|reveal|announce|deal|draw|roll|do|swap|shuffle|skip|stop|next|end|let"
"""Words with which a line begins that does something."""
_COMPARED = r"( (?:is not|is|not in|in|above|below|at least|at most) )"
_BRACKETS = "put it into brackets: `{}`"


@frozen
class Habit:
    """What people write, what it is here, and how the hint says it; `{}` is what replaces it.

    written:  a pattern over a line in which texts are numbered: `"0"`, `"1"`; compiled only when it is needed.
    better:   what each of its matches becomes; a line end in it begins a block.
    shown:    the part of `better` that the hint shows; all of it unless said.
    """

    written: str
    better: str
    hint: str = "write `{}`"
    shown: str = ""


_HABITS = (
    # where brackets or a range are missing
    Habit(rf" (\d+|{_X}) ?(?:to|until|-|–|…|\.\.\.) ?(\d+|{_X})(?!\S)", r" \1..\2"),
    Habit(rf"\b(over|count|any|no|all|first|last) (\d+ ?\.\. ?(?:\d+|{_X}))", r"\1 (\2)", _BRACKETS),
    Habit(rf"\bchooses any number of ({_N}) from ({_X})", r"chooses (0..count \2) \1 from \2",
          "say how many at least and at most: `{}`"),
    Habit(rf"\b(chooses|draw|roll) (?!an? |the )({_N}(?:\.{_N})*) ({_N}) from ",
          r"\1 (\2) \3 from ", _BRACKETS, r"(\2)"),
    Habit(rf"\bdeal (?!an? |the )(\d+|{_N}(?:\.{_N})*) ({_N}) from ", r"deal \1 from ",
          "what is dealt has no name: `{}`", r"deal \1 from …"),
    Habit(r"\bthen ((?:[^()]|\([^()]*\))+? (?:where|whose|with|except|by) (?:[^()]|\([^()]*\))+?) else ",
          r"then (\1) else ", _BRACKETS, r"(\1)"),
    Habit(rf"{_FIRST}(remove|reveal|defeat) ({_QUERY})$", r"\1 (\2)", _BRACKETS, r"(\2)"),
    Habit(rf"{_FIRST}move ({_QUERY}) (to (?:the (?:top|bottom) of )?{_X}|home)$", r"move (\1) \2", _BRACKETS, r"(\1)"),
    Habit(rf"{_ASKING} (count|any|no|all) ({_QUERY}){_COMPARED}(.+)$",
          r"\1 \2 (\3)\4\5", shown=r"\2 (\3)\4\5"),
    Habit(rf"{_ASKING} ({_QUERY}){_COMPARED}(.+)$", r"\1 (\2)\3\4", shown=r"(\2)\3\4"),
    Habit(rf"\bdo (?:{_N} )?(\d+)", r"do deck[\1]", "name the set that the number is of, as in `do deck[{}]`", r"\1"),
    # what is declared
    Habit(rf"^((?:counter|flag|value|pile|list|snapshot)\b.*?){_AT_FIRST}([^,]+)",
          r"\1 starts \2", shown=r"starts \2"),
    Habit(rf"^(pieces?\b.*? on {_N})(?:{_AT_FIRST}| starts )([^,]+)", r"\1 at \2", shown=r"at \2"),
    Habit(rf"^((?:option|unclear)\b.*?)(?:{_AT_FIRST}| starts )(.+)$", r"\1 default \2", shown=r"default \2"),
    # what is named and changed
    Habit(rf"\blet ({_N}){_IS}(.+)$", r"let \1 be \2"),
    Habit(rf"\bset ({_X})(?: at|{_IS})(.+)$", r"set \1 to \2"),
    Habit(rf"\bset ({_X}) by (.+)$", r"raise \1 by \2"),
    Habit(rf"\b(?:raise|lower) ({_X}) to (.+)$", r"set \1 to \2"),
    Habit(rf"\b(raise|lower) ({_X})(?: ?[-+]?=| with)? ?(\S.*)$", r"\1 \2 by \3"),
    Habit(rf"\b(raise|lower) ({_X})$", r"\1 \2 by 1"),
    Habit(rf"{_FIRST}({_X}) ?\+= ?(.+)$", r"raise \1 by \2"),
    Habit(rf"{_FIRST}({_X}) ?-= ?(.+)$", r"lower \1 by \2"),
    Habit(rf"{_FIRST}({_X}) ?([*/]) ?= ?(.+)$", r"set \1 to \1 \2 \3"),
    Habit(rf"{_FIRST}(?:\+\+ ?({_N}(?:\.{_N})*)|({_X}) ?\+\+)$", r"raise \1\2 by 1"),
    Habit(rf"{_FIRST}(?:-- ?({_N}(?:\.{_N})*)|({_X}) ?--)$", r"lower \1\2 by 1"),
    Habit(rf"{_FIRST}({_X}) ?\+ ?(.+)$", r"raise \1 by \2"),
    Habit(rf"{_FIRST}({_X}) ?- ?(.+)$", r"lower \1 by \2"),
    Habit(rf"{_FIRST}(?:add|increase by) (\d+) to ({_X})$", r"raise \2 by \1"),
    Habit(rf"{_FIRST}(?:subtract|deduct) (.+) from ({_X})$", r"lower \2 by \1"),
    Habit(rf"{_FIRST}(?:increase|increment) ({_X})(?: by (\S.*))$", r"raise \1 by \2"),
    Habit(rf"{_FIRST}(?:decrease|decrement|reduce) ({_X})(?: by (\S.*))$", r"lower \1 by \2"),
    Habit(rf"{_FIRST}(?:put|place|add|discard) (.+?) (?:on|onto|in|into|at|to) (.+)$", r"move \1 to \2"),
    Habit(rf"{_FIRST}({_N}) ?: ?(?=\S+ )(.+)$", r"step \1: \2"),
    Habit(rf"{_FIRST}({_X}){_IS}(.+)$", r"set \1 to \2"),
    # how it is compared
    Habit(r" ?\bis (?:greater|more|larger|bigger|higher) than or equal to ", r" at least "),
    Habit(r" ?\bis (?:less|smaller|fewer|lower) than or equal to ", r" at most "),
    Habit(r" ?\bis (?:greater|more|larger|bigger|higher) than ", r" above "),
    Habit(r" ?\bis (?:less|smaller|fewer|lower) than ", r" below "),
    Habit(r"(?: is equal to| equals) ", r" is "),
    Habit(rf"({_X}) (?:contains|includes|has|holds) (\w+|{_X})", r"\2 in \1"),
    Habit(r" is (above|below|at least|at most|in|not in) ", r" \1 "),
    # ends of piles
    Habit(rf"\bmove (.+?) (?:on|onto|to|at|in) (?:the )?(top|bottom) of (?:the )?({_X})$", r"move \1 to the \2 of \3"),
    Habit(rf"\bmove (.+?) (?:under|below|beneath) ({_X})$", r"move \1 to the bottom of \2"),
    Habit(r"\bdeal (.+?) from (?:the )?(top|bottom) of (?:the )?(.+?) (?:to|for) ", r"deal \1 from the \2 of \3 to "),
    Habit(rf"(?<!from )\b(?:the )?top of (?:the )?({_X})", r"first \1", "write `{}`, or `last …` of one seen on top"),
    # words of English that are none here
    Habit(r"\b(?:the|an|a) (?=[a-z])", "", "leave articles out: the, a, an"),
    Habit(r"\b(?:count|number) of ", "count "),
    Habit(rf"({_N})['’]s (?={_N})", r"\1.", shown=r"\1.…"),
    Habit(rf"\bfor each ({_N})", r"each \1"),
    Habit(rf"\b(?:for|foreach) ({_N} in) ", r"each \1 "),
    Habit(r"\b(?:elif|elsif|elseif)\b", r"else if"),
    Habit(r"\bunless (.+?)(?=$|:)", r"if not (\1)"),
    Habit(r"\brepeat until (.+?)(?=$|:)", r"while not (\1)"),
    Habit(r'^("\d+") when ', r"\1 if "),
    Habit(r"\bmay always chooses\b|\balways may chooses\b", "may chooses",
          "`may` and `always` do not go together: write `{}`"),
    Habit(rf"^((?:{_DOING}) .+?) if (.+?)$", r"if \2: \1"),
    # names that are words of the language
    Habit(r"(?<!')\b(any|count|first|last|least|most|no|possible|sum)(?= ?(?:[:),\]]|$))", r"'\1'",
          "as a name of something this is written in quotes: `{}`"),
    # colons
    Habit(r" ?:$", "", "no colon before a block: take it away"),
    Habit(rf"^(.*?[^:\s]) ?: ?((?:(?:secretly )?(?:if|each|while|repeat|step|picture)\b.*|(?:secretly )?{_WAYS}))$",
          "\\1\n\\2", _BELOW, r"\2"),
)  # fmt: skip
"""The first that lets the parser read the whole line is proposed, else the first that lets it read on."""


@frozen
class Line:
    """A logical line that does not parse.

    before:   the parser at its start.
    words:    its tokens.
    behind:   the layout behind it, up to the start of another line.
    at:       the number of the token that did not fit; that of the first behind it, if it ends too early.
    """

    before: LalrParser
    words: Sequence[Mark]
    behind: Sequence[Mark]
    at: int


def line_around(tables: Tables, tokens: Sequence[Mark], index: int) -> Line:
    """The logical line in which the token of this number does not fit."""
    start = min(index, len(tokens))
    while start > 0 and tokens[start - 1].type not in LAYOUT:
        start -= 1
    stop = start
    while stop < len(tokens) and tokens[stop].type not in LAYOUT:
        stop += 1
    end = stop
    while end < len(tokens) and tokens[end].type in LAYOUT:
        end += 1
    before = LalrParser(tables)
    before.feed_all(tokens[:start])
    return Line(before, tokens[start:stop], tokens[stop:end], index - start)


def repair(line: Line) -> str:
    """What to write in place of a line that does not parse, as a hint; "" if nothing is known that could be read."""
    texts: list[str] = []
    best = _best(line, texts)
    return "" if best is None else _restored(best.hint, texts)


def rewritten(line: Line) -> str:
    """The line as the hint of `repair` wants it; behind a line end in it a block begins.  "" if nothing is known."""
    texts: list[str] = []
    best = _best(line, texts)
    return "" if best is None else _restored(best.text, texts)


def _best(line: Line, texts: list[str]) -> _Change | None:
    """The change with which most can be read; `texts` is filled with those of the line.

    A change that lets all be read is the best; else one at the fault itself that lets more be read.
    """
    text, fault = _numbered(line, texts)
    if len(text) > _LONGEST:
        return None
    best, found = max(1, len(line.words) - line.at), None
    for change in _changes(text, fault):
        unread = _unread(line, change.text, texts)
        if unread == 0 or (unread < best and change.begins <= fault <= change.ends):
            best, found = unread, change
        if best == 0:
            break
    return found


@frozen
class _Change:
    """A changed line, the hint for it, and from where to where its first change goes."""

    text: str
    hint: str
    begins: int
    ends: int


def _changes(text: str, fault: int) -> Iterator[_Change]:
    """The line as changed by each habit that is in it."""
    if match := re.search(_SIGN, text):
        changed = re.sub(f" ?{_SIGN} ?", lambda sign: f" {_SIGNS[sign[0].strip()]} ", text)
        yield _Change(changed, f"write `{_SIGNS[match[0]]}`", *match.span())
    if match := re.search(_CAPITALS, text):
        changed = re.sub(_CAPITALS, lambda word: _small(word[0]), text)
        yield _Change(changed, f"names are written in small letters: `{_small(match[0])}`", *match.span())
    for habit in _HABITS:
        if match := re.search(habit.written, text):
            shown = match.expand(habit.shown or habit.better).strip()
            yield _Change(re.sub(habit.written, habit.better, text), habit.hint.format(shown), *match.span())
    yield _Change(f"{text[:fault].rstrip()}: {text[fault:]}", f"put a colon before it: `: {text[fault:]}`", -1, -1)


def _small(word: str) -> str:
    """A name as it is written here: `playerScore` is `player_score`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()


def _numbered(line: Line, texts: list[str]) -> tuple[str, int]:
    """The line without margins, a number in place of each text; and where in it the fault is."""
    found, fault = "", 0
    last: Mark | None = None
    for number, word in enumerate(line.words):
        if last is not None and (word.line, word.column) != (last.end_line, last.end_column):
            found += " "
        fault = len(found) if number <= line.at else fault
        if word.type == "STRING":
            found += f'"{len(texts)}"'
            texts.append(word.text)
        else:
            found += word.text
        last = word
    return found, fault if line.at < len(line.words) else len(found)


def _restored(text: str, texts: list[str]) -> str:
    return re.sub(r'"(\d+)"', lambda number: texts[int(number[1])], text)


def _unread(line: Line, changed: str, texts: list[str]) -> int:
    """How many tokens of the changed line the parser does not come to; 0 if it reads all, and on."""
    tables = line.before.tables
    parser = LalrParser(tables, states=list(line.before.states))
    tokens = list(_tokens(tables, _restored(changed, texts)))
    for number, token in enumerate(tokens):
        if token.type == CITE:
            continue
        if not parser.feed(parser.role(token), token):
            return len(tokens) - number
    return 0 if all(parser.feed(mark.type, mark) for mark in line.behind) else 1


def _tokens(tables: Tables, text: str) -> Iterator[Mark]:
    """The tokens of a line; behind a line end in it a block begins."""
    for number, part in enumerate(text.split("\n")):
        if number:
            yield Mark("_NL", "", 1, 1, 1, 1)
            yield Mark("_INDENT", "", 1, 1, 1, 1)
        yield from lexed(tables, part)
