"""Text to syntax: the only module that knows Lark.

Never raises for bad text.  A faulty logical line is reported, dropped with
the block hanging on it, and the rest parsed again, so that several faults
give several findings.  A keyword is taken as a name wherever the parser
cannot take it as a keyword.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from attrs import frozen
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.lark import PostLex
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_interactive_parser import InteractiveParser
from lark.visitors import Transformer_NonRecursive, v_args

from rulekit import library, limits
from rulekit.diagnostics import Problems, nearest
from rulekit.source import Source, Span
from rulekit.syntax import layout, nodes
from rulekit.syntax.layout import Margins, Mark

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
"""How a person calls what Lark calls by these names."""
_BAD = {
    '"': ("this text has no end", 'close it with `"` on the same line'),
    "'": ("this quoted name has no end", "write it as `'name'`, in small letters"),
    "|": ("this row has no end", "close it with `|` on the same line"),
    "@": ("a citation needs an id", "write it as `@AB-12`"),
    ">": ("a clause stands on a line of its own", "put it above this line"),
}
"""Characters that begin something which is not complete: title and hint."""


@frozen
class Parsed:
    """A parsed file.  `lost` holds the words of dropped lines: names that later passes must not miss."""

    file: nodes.File
    lost: frozenset[str] = frozenset()


class _KeepBad(PostLex):
    """Makes Lark keep the terminal for unknown characters, though no rule has it: each is reported in its place."""

    always_accept = ("BAD",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


@cache
def _lark() -> Lark:
    return Lark(library.grammar(), parser="lalr", lexer="basic", propagate_positions=True, postlex=_KeepBad())


@cache
def keywords() -> dict[str, str]:
    """Every keyword of the grammar with the name of its terminal."""
    named = {t.pattern.value: t.name for t in _lark().terminals if t.pattern.type == "str"}
    return {word: name for word, name in named.items() if word.isidentifier()}


def parse(source: Source, problems: Problems) -> Parsed:
    """The syntax of a rules file; what could not be read is left out and in `problems`."""
    layout.check_characters(source, problems)
    try:
        tokens = _tokens(source, problems)
    except layout.TooDeep as fault:
        title = f"nested more than {limits.NESTING} deep, or more than {limits.CHAIN} operators in one expression"
        problems.add("nesting", title, fault.span, hint="name a part of it with `define` or `let`")
        return Parsed(nodes.File(()))
    margins = layout.margins(source, layout.logical_lines(tokens), problems)
    tree, lost = _recovering(tokens, source, problems)
    if tree is None:
        return Parsed(nodes.File((), margins.tail), lost)
    file: nodes.File = _Build(source.name, margins).transform(tree)
    return Parsed(file, lost)


def _tokens(source: Source, problems: Problems) -> list[Mark]:
    # `Lark.lex` would build its lexer anew each time.
    lexer: Any = _lark().parse_interactive("\n" + source.text + "\n").lexer_thread
    tokens = list(layout.indented([_mark(token) for token in lexer.lex(None)], source, problems))
    for token in tokens:
        _check_length(token, source, problems)
    return tokens[1:] if tokens and tokens[0].type == "_NL" else tokens


def _mark(token: Token) -> Mark:
    # One line was put before the text, so that a first indented line is seen as such.
    line, end_line = (token.line or 1) - 1, (token.end_line or 1) - 1
    return Mark(token.type, str(token), line, token.column or 1, end_line, token.end_column or 1)


def _check_length(token: Mark, source: Source, problems: Problems) -> None:
    if token.type == "NAME" and len(token.text) > limits.NAME:
        _too_long(token, "name", limits.NAME, source, problems)
    elif token.type == "STRING" and len(token.text) > limits.STRING:
        _too_long(token, "text", limits.STRING, source, problems)
    elif token.type == "INT" and (len(token.text) > 16 or int(token.text) > limits.INTEGER):
        place = _place(source, token)
        problems.add("number-too-large", f"this number is larger than {limits.INTEGER}", place)


def _too_long(token: Mark, what: str, limit: int, source: Source, problems: Problems) -> None:
    problems.add("too-long", f"this {what} is longer than {limit} characters", _place(source, token))


def _place(source: Source, token: Mark) -> Span:
    return Span(source.name, token.line, token.column, token.end_line, token.end_column)


# ---------------------------------------------------------------- recovery


def _recovering(tokens: list[Mark], source: Source, problems: Problems) -> tuple[Tree[Any] | None, frozenset[str]]:
    """Parse, dropping faulty lines; every round is shorter than the one before, so it ends."""
    lost: set[str] = set()
    for _ in range(_FAULTS):
        parser = _lark().parse_interactive("")
        index = _feed(parser, tokens)
        if index is None:
            return _finish(parser), frozenset(lost)
        if _expected(parser) == ["_INDENT"]:
            index = _headless(tokens, index, source, problems)
        elif not _reported_leader(tokens, index, source, problems):
            _report(parser, tokens[index] if index < len(tokens) else None, source, problems)
        start, stop = _faulty_lines(tokens, min(index, len(tokens) - 1))
        lost.update(t.text for t in tokens[start:stop] if t.type == "NAME")
        tokens = tokens[:start] + tokens[stop:]
    return None, frozenset(lost)


def _feed(parser: InteractiveParser, tokens: list[Mark]) -> int | None:
    """Feed all tokens and the end; the index of the one that did not fit, or None."""
    for index, token in enumerate(tokens):
        try:
            parser.feed_token(_token(token, _role(parser, token)))
        except UnexpectedInput:
            return index
    return None if _takes(parser, "$END") else len(tokens)


def _role(parser: InteractiveParser, token: Mark) -> str:
    """The terminal that this token is here: a keyword that cannot stand here is a name."""
    if keywords().get(token.text) != token.type or _takes(parser, token.type) or not _takes(parser, "NAME"):
        return token.type
    return "NAME"


def _takes(parser: InteractiveParser, terminal: str) -> bool:
    """Whether `terminal` can really come next.

    A row of the table alone does not tell: it also reduces before words that only fit elsewhere.
    So the reductions are walked through, on the state numbers only.
    """
    state = parser.parser_state
    table = state.parse_conf.parse_table.states
    stack = list(state.state_stack)
    while terminal in table[stack[-1]]:
        action, rule = table[stack[-1]][terminal]
        if action is Shift:
            return True
        if rule.expansion:
            del stack[-len(rule.expansion) :]
        stack.append(table[stack[-1]][rule.origin.name][1])
        if stack[-1] == state.parse_conf.end_state:
            return terminal == "$END"
    return False


def _expected(parser: InteractiveParser) -> list[str]:
    """The terminals that can come next, in alphabetical order."""
    state = parser.parser_state
    row = state.parse_conf.parse_table.states[state.position]
    return sorted(name for name in row if name.isupper() and _takes(parser, name))


def _token(mark: Mark, role: str) -> Token:
    return Token(role, mark.text, 0, mark.line, mark.column, mark.end_line, mark.end_column, 0)


def _finish(parser: InteractiveParser) -> Tree[Any]:
    tree: Tree[Any] = parser.feed_token(Token("$END", ""))
    return tree


def _reported_leader(tokens: list[Mark], index: int, source: Source, problems: Problems) -> bool:
    """Whether the fault is the word before, which leads its line and was taken as a name; then it is reported.

    A misspelt keyword, or one in the wrong place, is only noticed by what follows it.
    """
    if index < 1 or index >= len(tokens) or not tokens[index - 1].text.isidentifier():
        return False
    if index > 1 and tokens[index - 2].type not in layout.LAYOUT | {"COLON"}:
        return False
    parser = _lark().parse_interactive("")
    _feed(parser, tokens[: index - 1])
    expected, word = _expected(parser), tokens[index - 1]
    near = nearest(word.text, [text for text, name in keywords().items() if name in expected])
    is_keyword = word.type != "NAME"
    if (is_keyword and word.type in expected) or not (is_keyword or near):
        return False
    hint = near or _may_stand(expected)
    problems.add("syntax", f"`{word.text}` does not fit here", _place(source, word), hint=hint)
    return True


def _headless(tokens: list[Mark], index: int, source: Source, problems: Problems) -> int:
    """Reports the line before `tokens[index]`, which should have a block; the index of its last token."""
    index -= 1
    while tokens[index].type in layout.LAYOUT:
        index -= 1
    place = _place(source, tokens[index])
    problems.add("layout", "a block must follow here", place, hint="indent the lines below by 4 blanks more")
    return index


def _report(parser: InteractiveParser, token: Mark | None, source: Source, problems: Problems) -> None:
    expected = _expected(parser)
    if token is None:
        line = source.text.count("\n") + 1
        place = Span(source.name, line, 1, line, 1)
        problems.add("unfinished", "the file ends too early", place, hint=_may_stand(expected))
        return
    place = _place(source, token)
    if token.type in layout.LAYOUT:
        title, hint = _layout_fault(token, expected)
        problems.add("layout", title, place, hint=hint)
        return
    if token.type == "BAD":
        title, hint = _BAD.get(token.text, (f"the character `{token.text}` has no meaning here", _may_stand(expected)))
        problems.add("syntax", title, place, hint=hint)
        return
    words = [word for word, name in keywords().items() if name in expected]
    hint = nearest(token.text, words) or _may_stand(expected)
    problems.add("syntax", f"`{token.text}` does not fit here", place, hint=hint)


def _layout_fault(token: Mark, expected: list[str]) -> tuple[str, str]:
    if token.type == "_INDENT":
        title = "this line is indented, but nothing above it opens a block"
        return title, "take the blanks away, or mend the line above"
    return "the line ends too early", _may_stand(expected)


def _may_stand(expected: list[str]) -> str:
    words = {name: f"`{word}`" for word, name in keywords().items()}
    marks = {t.name: f"`{t.pattern.value}`" for t in _lark().terminals if t.pattern.type == "str"}
    named = [_NAMES.get(name) or words.get(name) or marks.get(name) for name in expected]
    shown = sorted(text for text in named if text)
    if not shown:
        return ""
    more = f" and {len(shown) - 8} more" if len(shown) > 8 else ""
    return "here may stand " + ", ".join(shown[:8]) + more


def _faulty_lines(tokens: list[Mark], index: int) -> tuple[int, int]:
    """The logical line around `index` with the block hanging on it, as a slice of `tokens`."""
    start = stop = index
    if tokens[index].type not in ("_INDENT", "_DEDENT"):
        while start > 0 and tokens[start - 1].type not in layout.LAYOUT:
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
        while start > 0 and tokens[start - 1].type not in layout.LAYOUT:
            start -= 1
    return start, stop


def _line_end(tokens: list[Mark], index: int) -> int:
    """Just past the logical line around `index`; never past a `_DEDENT`, which the lines above still need."""
    while index < len(tokens) and tokens[index].type not in layout.LAYOUT:
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


# ---------------------------------------------------------------- tree to nodes

_Children = list[Any]


def _only(children: _Children, kind: Any) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))


def _one(children: _Children, kind: Any) -> Any:
    return next((child for child in children if isinstance(child, kind)), None)


def _said(token: Any) -> str | None:
    return None if token is None else str(token)


def _integer(token: Any) -> int:
    # A longer number has been reported; its first digits will do.
    return int(str(token)[:20])


def _text(token: Any) -> str:
    return str(token)[1:-1]


@v_args(meta=True)
class _Build(Transformer_NonRecursive[Token, Any]):
    """One method a grammar rule; children arrive in the order of the rule, absent ones as None."""

    def __init__(self, source: str, margins: Margins) -> None:
        super().__init__(visit_tokens=False)
        self._source = source
        self._margins = margins

    def _span(self, meta: Any) -> Span:
        if getattr(meta, "empty", True):
            return Span(self._source, 1, 1, 1, 1)
        return Span(self._source, meta.line, meta.column, meta.end_line, meta.end_column)

    def _line(self, meta: Any) -> dict[str, Any]:
        """Span and margin of a node that begins a line; its span ends with its first logical line."""
        end = self._margins.ends.get(meta.line, (meta.line, meta.column + 1))
        margin = self._margins.by_place.get((meta.line, meta.column), nodes.EMPTY)
        return {"span": Span(self._source, meta.line, meta.column, *end), "margin": margin}

    def start(self, meta: Any, c: _Children) -> nodes.File:
        return nodes.File(tuple(c), self._margins.tail, span=self._span(meta))

    def name(self, meta: Any, c: _Children) -> str:
        return str(c[0]).strip("'")

    # ------------------------------------------------------------ declarations

    def game(self, meta: Any, c: _Children) -> nodes.GameHead:
        return nodes.GameHead(_text(c[0]), _only(c[1:], nodes.Line), **self._line(meta))

    def by(self, meta: Any, c: _Children) -> nodes.By:
        return nodes.By(_text(c[0]), **self._line(meta))

    def extends(self, meta: Any, c: _Children) -> nodes.Extends:
        return nodes.Extends(_text(c[0]), **self._line(meta))

    def players(self, meta: Any, c: _Children) -> nodes.Players:
        return nodes.Players(c[0], **self._line(meta))

    def neutrals(self, meta: Any, c: _Children) -> nodes.Neutrals:
        return nodes.Neutrals(c[0], **self._line(meta))

    def option(self, meta: Any, c: _Children) -> nodes.Option:
        word, name, text, *rest = c
        kind = _one(rest, nodes.OptionType)
        default = rest[rest.index(kind) + 1] if kind else None
        readings, guards = _only(rest, nodes.Reading), _only(rest, nodes.Guard)
        return nodes.Option(str(word), name, _text(text), kind, default, readings, guards, **self._line(meta))

    def flag_type(self, meta: Any, c: _Children) -> nodes.OptionType:
        return nodes.OptionType("flag", span=self._span(meta))

    def number_type(self, meta: Any, c: _Children) -> nodes.OptionType:
        return nodes.OptionType("number", c[0], span=self._span(meta))

    def set_type(self, meta: Any, c: _Children) -> nodes.OptionType:
        return nodes.OptionType("set", c[0], span=self._span(meta))

    def reading(self, meta: Any, c: _Children) -> nodes.Reading:
        return nodes.Reading(c[0], _text(c[1]), c[2] is not None, **self._line(meta))

    def guard(self, meta: Any, c: _Children) -> nodes.Guard:
        return nodes.Guard(str(c[0]), c[1], **self._line(meta))

    def ruleset(self, meta: Any, c: _Children) -> nodes.Ruleset:
        return nodes.Ruleset(_text(c[0]), tuple(c[1:]), **self._line(meta))

    def use(self, meta: Any, c: _Children) -> nodes.Use:
        return nodes.Use(c[0], c[1], **self._line(meta))

    def assume(self, meta: Any, c: _Children) -> nodes.Assume:
        return nodes.Assume(_text(c[0]), tuple(c[1:]), **self._line(meta))

    def kind(self, meta: Any, c: _Children) -> nodes.Kind:
        return nodes.Kind(c[0], tuple(c[1:]), **self._line(meta))

    def face(self, meta: Any, c: _Children) -> nodes.Face:
        return nodes.Face(c[0], None if c[1] is None else _text(c[1]), span=self._span(meta))

    def kind_block(self, meta: Any, c: _Children) -> nodes.KindBlock:
        return nodes.KindBlock(c[0], tuple(c[1:]), **self._line(meta))

    def deck(self, meta: Any, c: _Children) -> nodes.Deck:
        rows, members = _only(c, nodes.Row), _only(c, nodes.Member)
        return nodes.Deck(str(c[0]), c[1], c[2], rows, members, **self._line(meta))

    def member(self, meta: Any, c: _Children) -> nodes.Member:
        title = None if c[2] is None else _text(c[2])
        body = _one(c[3:], nodes.Body)
        return nodes.Member(c[0], c[1], title, _only(c[3:], nodes.Trait), body, **self._line(meta))

    def key(self, meta: Any, c: _Children) -> str:
        return str(c[0])

    def trait(self, meta: Any, c: _Children) -> nodes.Trait:
        return nodes.Trait(c[0], c[1], span=self._span(meta))

    def row(self, meta: Any, c: _Children) -> nodes.Row:
        cells = tuple(cell.strip() for cell in str(c[0])[1:-1].split("|"))
        return nodes.Row(cells, **self._line(meta))

    def pieces(self, meta: Any, c: _Children) -> nodes.Pieces:
        return nodes.Pieces(c[0], c[1], c[2], _only(c[3:], nodes.Row), **self._line(meta))

    def track(self, meta: Any, c: _Children) -> nodes.Track:
        return nodes.Track(c[0], c[1], _only(c[2:], nodes.Line), **self._line(meta))

    def course(self, meta: Any, c: _Children) -> nodes.Course:
        return nodes.Course(c[0], c[1], _only(c[2:], nodes.Line), **self._line(meta))

    def grid(self, meta: Any, c: _Children) -> nodes.Grid:
        size = [x for x in c[1:] if x is not None and not isinstance(x, nodes.Line)]
        width, height = size if len(size) == 2 else (None, None)
        return nodes.Grid(c[0], width, height, _only(c[1:], nodes.Line), **self._line(meta))

    def capacity(self, meta: Any, c: _Children) -> nodes.Capacity:
        return nodes.Capacity(c[0], c[1], **self._line(meta))

    def full(self, meta: Any, c: _Children) -> nodes.Full:
        return nodes.Full(c[0], c[1], c[2], **self._line(meta))

    def edge(self, meta: Any, c: _Children) -> nodes.Edge:
        return nodes.Edge(c[0], **self._line(meta))

    def steps(self, meta: Any, c: _Children) -> nodes.Steps:
        return nodes.Steps(c[0], **self._line(meta))

    def halts(self, meta: Any, c: _Children) -> nodes.Halts:
        return nodes.Halts(c[0], **self._line(meta))

    def headings(self, meta: Any, c: _Children) -> nodes.Headings:
        return nodes.Headings(tuple(c), **self._line(meta))

    def heading(self, meta: Any, c: _Children) -> nodes.Heading:
        return nodes.Heading(c[0], c[1], span=self._span(meta))

    def die(self, meta: Any, c: _Children) -> nodes.Die:
        return nodes.Die(c[0], c[1], **self._line(meta))

    def has(self, meta: Any, c: _Children) -> nodes.Has:
        return nodes.Has(c[0], tuple(c[1:]), **self._line(meta))

    def counter(self, meta: Any, c: _Children) -> nodes.Counter:
        return nodes.Counter(name=c[0], bounds=c[1], starts=c[2], seen=c[3], **self._line(meta))

    def flag(self, meta: Any, c: _Children) -> nodes.FlagVariable:
        return nodes.FlagVariable(name=c[0], starts=c[1], seen=c[2], **self._line(meta))

    def value(self, meta: Any, c: _Children) -> nodes.Value:
        return nodes.Value(name=c[0], of=c[1], starts=c[2], seen=c[3], **self._line(meta))

    def piece(self, meta: Any, c: _Children) -> nodes.Piece:
        return nodes.Piece(name=c[0], place=c[1], at=c[2], seen=c[3], **self._line(meta))

    def piece_group(self, meta: Any, c: _Children) -> nodes.PieceGroup:
        count, name, kind, place, at, seen = c
        line = self._line(meta)
        return nodes.PieceGroup(name=name, count=_integer(count), kind=kind, place=place, at=at, seen=seen, **line)

    def pile(self, meta: Any, c: _Children) -> nodes.Pile:
        return nodes.Pile(name=c[0], of=c[1], starts=c[2], seen=c[3], **self._line(meta))

    def snapshot(self, meta: Any, c: _Children) -> nodes.Snapshot:
        return nodes.Snapshot(name=c[0], of=c[1], seen=c[2], **self._line(meta))

    def list(self, meta: Any, c: _Children) -> nodes.ListVariable:
        return nodes.ListVariable(name=c[0], of=c[1], index=c[2], seen=c[3], **self._line(meta))

    def seen(self, meta: Any, c: _Children) -> nodes.Seen:
        return nodes.Seen(str(c[0]), c[1], span=self._span(meta))

    def define(self, meta: Any, c: _Children) -> nodes.Define:
        return nodes.Define(c[0], c[1] or (), c[2], **self._line(meta))

    def parameters(self, meta: Any, c: _Children) -> tuple[nodes.Parameter, ...]:
        return tuple(c)

    def parameter(self, meta: Any, c: _Children) -> nodes.Parameter:
        return nodes.Parameter(c[0], c[1], span=self._span(meta))

    def action(self, meta: Any, c: _Children) -> nodes.Action:
        return nodes.Action(c[0], c[1] or (), c[2], **self._line(meta))

    def change(self, meta: Any, c: _Children) -> nodes.Change:
        return nodes.Change(str(c[0]), c[1], c[2], c[3], **self._line(meta))

    def when(self, meta: Any, c: _Children) -> nodes.When:
        return nodes.When(c[0], str(c[1]), c[2], c[3], **self._line(meta))

    def invariant(self, meta: Any, c: _Children) -> nodes.Invariant:
        return nodes.Invariant(_text(c[0]), c[1], **self._line(meta))

    def part(self, meta: Any, c: _Children) -> nodes.Part:
        return nodes.Part(str(c[0]), c[1], **self._line(meta))

    def show(self, meta: Any, c: _Children) -> nodes.Show:
        return nodes.Show(c[0], _text(c[1]), **self._line(meta))

    def replace(self, meta: Any, c: _Children) -> nodes.Replace:
        return nodes.Replace(c[0], **self._line(meta))

    def add(self, meta: Any, c: _Children) -> nodes.Add:
        return nodes.Add(c[0], **self._line(meta))

    # ------------------------------------------------------------ scenarios

    def scenario(self, meta: Any, c: _Children) -> nodes.Scenario:
        return nodes.Scenario(_text(c[0]), tuple(c[1:]), **self._line(meta))

    def seats(self, meta: Any, c: _Children) -> nodes.Seats:
        return nodes.Seats(tuple(c), **self._line(meta))

    def given(self, meta: Any, c: _Children) -> nodes.Given:
        return nodes.Given(c[0], **self._line(meta))

    def given_picture(self, meta: Any, c: _Children) -> nodes.GivenPicture:
        return nodes.GivenPicture(c[0], tuple(c[1:]), **self._line(meta))

    def answer(self, meta: Any, c: _Children) -> nodes.Answer:
        return nodes.Answer(c[0], tuple(c[1:]), **self._line(meta))

    def run(self, meta: Any, c: _Children) -> nodes.Run:
        return nodes.Run(c[0], c[1], **self._line(meta))

    def expect(self, meta: Any, c: _Children) -> nodes.Expect:
        return nodes.Expect(c[0], **self._line(meta))

    def expect_picture(self, meta: Any, c: _Children) -> nodes.ExpectPicture:
        return nodes.ExpectPicture(c[0], tuple(c[1:]), **self._line(meta))

    def refuse(self, meta: Any, c: _Children) -> nodes.Refuse:
        return nodes.Refuse(c[0], c[1], **self._line(meta))

    def fails(self, meta: Any, c: _Children) -> nodes.Fails:
        return nodes.Fails(c[0], **self._line(meta))

    def reply(self, meta: Any, c: _Children) -> Any:
        return c[0]

    def label(self, meta: Any, c: _Children) -> nodes.Label:
        return nodes.Label(_text(c[0]), span=self._span(meta))

    # ------------------------------------------------------------ statements

    def body(self, meta: Any, c: _Children) -> nodes.Body:
        # An indented body begins with the layout after its head, so its first statement tells the form.
        inline = c[0].span.line == meta.line
        return nodes.Body(tuple(c), inline, span=self._span(meta))

    def if_(self, meta: Any, c: _Children) -> nodes.If:
        first = nodes.Arm(c[0], c[1], span=self._span(meta))
        rest = _only(c[2:], nodes.Arm)
        return nodes.If((first, *rest), **self._line(meta))

    def else_if(self, meta: Any, c: _Children) -> nodes.Arm:
        return nodes.Arm(c[0], c[1], **self._line(meta))

    def otherwise(self, meta: Any, c: _Children) -> nodes.Arm:
        return nodes.Arm(None, c[0], **self._line(meta))

    def each(self, meta: Any, c: _Children) -> nodes.Each:
        return nodes.Each(c[1], c[2], c[3], c[0] is not None, **self._line(meta))

    def while_(self, meta: Any, c: _Children) -> nodes.While:
        return nodes.While(c[0], c[1], **self._line(meta))

    def repeat(self, meta: Any, c: _Children) -> nodes.Repeat:
        return nodes.Repeat(c[0], **self._line(meta))

    def step(self, meta: Any, c: _Children) -> nodes.Step:
        return nodes.Step(c[0], c[1], **self._line(meta))

    def ways(self, meta: Any, c: _Children) -> nodes.Ways:
        prompt = None if c[2] is None else _text(c[2])
        return nodes.Ways(c[1], tuple(c[3:]), c[0] is not None, prompt, **self._line(meta))

    def way(self, meta: Any, c: _Children) -> nodes.Way:
        return nodes.Way(_text(c[0]), c[1], c[2], **self._line(meta))

    def picture(self, meta: Any, c: _Children) -> nodes.Picture:
        return nodes.Picture(c[0], tuple(c[1:]), **self._line(meta))

    def let(self, meta: Any, c: _Children) -> nodes.Let:
        return nodes.Let(c[0], c[1], **self._line(meta))

    def set(self, meta: Any, c: _Children) -> nodes.Set:
        return nodes.Set(c[0], c[1], **self._line(meta))

    def change_by(self, meta: Any, c: _Children) -> nodes.ChangeBy:
        return nodes.ChangeBy(str(c[0]), c[1], c[2], **self._line(meta))

    def move_to(self, meta: Any, c: _Children) -> nodes.MoveTo:
        return nodes.MoveTo(c[0], c[1], **self._line(meta))

    def travel(self, meta: Any, c: _Children) -> nodes.Travel:
        return nodes.Travel(c[0], c[1], c[2], **self._line(meta))

    def go_home(self, meta: Any, c: _Children) -> nodes.GoHome:
        return nodes.GoHome(c[0], **self._line(meta))

    def swap(self, meta: Any, c: _Children) -> nodes.Swap:
        return nodes.Swap(c[0], c[1], **self._line(meta))

    def push(self, meta: Any, c: _Children) -> nodes.Push:
        return nodes.Push(str(c[0]), c[1], c[2], **self._line(meta))

    def shift(self, meta: Any, c: _Children) -> nodes.Shift:
        toward = c[1] if len(c) == 3 else None
        return nodes.Shift(c[0], toward, c[-1], **self._line(meta))

    def remove(self, meta: Any, c: _Children) -> nodes.Remove:
        return nodes.Remove(c[0], **self._line(meta))

    def shuffle(self, meta: Any, c: _Children) -> nodes.Shuffle:
        return nodes.Shuffle(c[0], **self._line(meta))

    def reveal(self, meta: Any, c: _Children) -> nodes.Reveal:
        return nodes.Reveal(c[0], **self._line(meta))

    def announce(self, meta: Any, c: _Children) -> nodes.Announce:
        return nodes.Announce(c[0], c[1], **self._line(meta))

    def deal(self, meta: Any, c: _Children) -> nodes.Deal:
        return nodes.Deal(c[0], c[1], c[2], **self._line(meta))

    def chance(self, meta: Any, c: _Children) -> nodes.Chance:
        return nodes.Chance(str(c[0]), c[1], c[2], c[3], **self._line(meta))

    def do(self, meta: Any, c: _Children) -> nodes.Do:
        return nodes.Do(c[0], c[1], c[2], **self._line(meta))

    def skip(self, meta: Any, c: _Children) -> nodes.Skip:
        return nodes.Skip(c[0], **self._line(meta))

    def stop(self, meta: Any, c: _Children) -> nodes.Stop:
        return nodes.Stop(c[0], **self._line(meta))

    def next(self, meta: Any, c: _Children) -> nodes.Next:
        return nodes.Next(c[0], **self._line(meta))

    def end(self, meta: Any, c: _Children) -> nodes.End:
        return nodes.End(**self._line(meta))

    def rank(self, meta: Any, c: _Children) -> nodes.Rank:
        return nodes.Rank(c[0], **self._line(meta))

    def defeat(self, meta: Any, c: _Children) -> nodes.Defeat:
        return nodes.Defeat(c[0], **self._line(meta))

    def only_if(self, meta: Any, c: _Children) -> nodes.OnlyIf:
        return nodes.OnlyIf(c[0], **self._line(meta))

    def choose(self, meta: Any, c: _Children) -> nodes.Choose:
        secretly, who, manner, amount, name, source, prompt = c
        text = None if prompt is None else _text(prompt)
        line = self._line(meta)
        return nodes.Choose(who, name, source, amount, _said(manner), secretly is not None, text, **line)

    def amount(self, meta: Any, c: _Children) -> nodes.Amount:
        if not isinstance(c[0], Token):
            return nodes.Amount(c[0], span=self._span(meta))
        high = None if c[1] is None else nodes.Number(_integer(c[1]))
        return nodes.Amount(nodes.Number(_integer(c[0])), high, span=self._span(meta))

    # ------------------------------------------------------------ expressions

    def _filter(self, meta: Any, c: _Children, bare: bool) -> nodes.Filter:
        return nodes.Filter(c[0], c[1], bare, span=self._span(meta))

    def where(self, meta: Any, c: _Children) -> nodes.Filter:
        return self._filter(meta, c, False)

    def whose(self, meta: Any, c: _Children) -> nodes.Filter:
        return self._filter(meta, c, True)

    def except_(self, meta: Any, c: _Children) -> nodes.Except:
        return nodes.Except(c[0], c[1], span=self._span(meta))

    def naming(self, meta: Any, c: _Children) -> nodes.Naming:
        return nodes.Naming(c[0], c[1], span=self._span(meta))

    def extreme(self, meta: Any, c: _Children) -> nodes.Extreme:
        return nodes.Extreme(c[0], str(c[1]) == "lowest", c[2], span=self._span(meta))

    def ordered(self, meta: Any, c: _Children) -> nodes.Ordered:
        return nodes.Ordered(c[0], tuple(c[1:]), span=self._span(meta))

    def order(self, meta: Any, c: _Children) -> nodes.Key:
        return nodes.Key(c[1], _said(c[0]), span=self._span(meta))

    def choice(self, meta: Any, c: _Children) -> nodes.Choice:
        return nodes.Choice(c[0], c[1], c[2], span=self._span(meta))

    def _chain(self, meta: Any, c: _Children, op: str) -> Any:
        result = c[0]
        for part in c[1:]:
            result = nodes.Binary(op, result, part, span=self._span(meta))
        return result

    def disjunction(self, meta: Any, c: _Children) -> Any:
        return self._chain(meta, c, "or")

    def conjunction(self, meta: Any, c: _Children) -> Any:
        return self._chain(meta, c, "and")

    def not_(self, meta: Any, c: _Children) -> nodes.Unary:
        return nodes.Unary("not", c[0], span=self._span(meta))

    def comparison(self, meta: Any, c: _Children) -> nodes.Binary:
        op = " ".join(str(token) for token in c[1:-1])
        return nodes.Binary(op, c[0], c[-1], span=self._span(meta))

    def span(self, meta: Any, c: _Children) -> nodes.Reach:
        return nodes.Reach(c[0], c[1], span=self._span(meta))

    def bounds(self, meta: Any, c: _Children) -> nodes.Bounds:
        high = c[2] if len(c) > 2 else None
        is_open = c[1] is not None and high is None
        return nodes.Bounds(c[0], high, is_open, span=self._span(meta))

    def _operators(self, meta: Any, c: _Children) -> Any:
        result = c[0]
        for op, part in zip(c[1::2], c[2::2], strict=True):
            result = nodes.Binary(str(op), result, part, span=self._span(meta))
        return result

    sum = _operators
    product = _operators

    def minus(self, meta: Any, c: _Children) -> nodes.Unary:
        return nodes.Unary("-", c[0], span=self._span(meta))

    def ask(self, meta: Any, c: _Children) -> nodes.Unary:
        return nodes.Unary(str(c[0]), c[1], span=self._span(meta))

    def fold(self, meta: Any, c: _Children) -> nodes.Fold:
        return nodes.Fold(str(c[0]), c[1], c[2], span=self._span(meta))

    def number(self, meta: Any, c: _Children) -> nodes.Number:
        return nodes.Number(_integer(c[0]), span=self._span(meta))

    def yes(self, meta: Any, c: _Children) -> nodes.Flag:
        return nodes.Flag(True, span=self._span(meta))

    def no(self, meta: Any, c: _Children) -> nodes.Flag:
        return nodes.Flag(False, span=self._span(meta))

    def none(self, meta: Any, c: _Children) -> nodes.Nothing:
        return nodes.Nothing(span=self._span(meta))

    def word(self, meta: Any, c: _Children) -> nodes.Word:
        return nodes.Word(c[0], span=self._span(meta))

    def attribute(self, meta: Any, c: _Children) -> nodes.Attribute:
        return nodes.Attribute(c[0], c[1], span=self._span(meta))

    def call(self, meta: Any, c: _Children) -> nodes.Call:
        return nodes.Call(c[0], c[1] or (), span=self._span(meta))

    def item(self, meta: Any, c: _Children) -> nodes.Item:
        return nodes.Item(c[0], c[1], span=self._span(meta))

    def listing(self, meta: Any, c: _Children) -> nodes.Listing:
        return nodes.Listing(c[0] or (), span=self._span(meta))

    def args(self, meta: Any, c: _Children) -> tuple[Any, ...]:
        return tuple(c)
