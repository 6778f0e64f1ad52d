"""Text to syntax and back: what can be read is kept by the formatter, what cannot is reported on its line.

`cases/syntax/good/*.rules` parse without findings.  `cases/syntax/bad/*.rules`
hold chunks, separated by lines `# ---- chunk`; a comment `### code: words` says
that a finding with this code, and these words in its title, is on its line
(several in one comment are separated by `;`).  Nothing else may be found.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest
from lark import Lark

from rulekit import library, limits
from rulekit.diagnostics import Diagnostic, Problems, render_all
from rulekit.source import Source
from rulekit.syntax import nodes
from rulekit.syntax.ast_builder import AstBuilder
from rulekit.syntax.parse import keywords, parse
from rulekit.syntax.parse_tables import tables
from rulekit.syntax.traversal import all_cites, walk, without_citations
from rulekit.syntax.unparse import WIDTH, unparse
from rulekit.syntax.unparse_expr import BEGINNERS, BY_HAND, CONFUSED, QUANTIFIERS, form, written
from tests import paths
from tests.sizes import some
from tests.syntax.random_texts import Grown, grammar, grow, mutant

CASES = paths.CASES / "syntax"
SHIPPED = sorted(path for folder in ("games", "examples") for path in (paths.ROOT / folder).glob("*.rules"))
GROWN = 400
"""Texts grown to see every alternative of the grammar."""
ROUND_TRIPS = 200
"""The first of them, which are also formatted."""
MUTANTS = 300
SECONDS = 2.0


def findings(text: str) -> list[Diagnostic]:
    problems = Problems()
    parse(Source("text", text), problems)
    return problems.found


def clean(text: str) -> nodes.File:
    """The syntax of a text that must have no findings."""
    problems = Problems()
    source = Source("text", text)
    file = parse(source, problems).file
    assert not problems.found, render_all(problems.found, {"text": source})
    return file


def check_kept(text: str) -> str:
    """The formatted text, after it was found to say the same and to be left alone by a second run."""
    file = clean(text)
    formatted = unparse(file)
    again = clean(formatted)
    assert again == file
    assert unparse(again) == formatted
    return formatted


@cache
def grown(seed: int) -> Grown:
    return grow(seed)


# ---------------------------------------------------------------- grammar


def test_the_grammar_has_no_conflicts_and_no_overlapping_terminals() -> None:
    Lark(library.grammar(), parser="lalr", lexer="basic", strict=True)


def test_every_character_is_in_a_token() -> None:
    every = "".join(map(chr, range(1, 0x300))) + "龍 ☃\u2028\ufeff"
    assert "".join(match.group() for match in tables().scanner.finditer(every)) == every


def test_every_alternative_of_the_grammar_is_grown_in_one_text_of_a_hundred() -> None:
    seen = Counter(rule for seed in range(GROWN) for rule in grown(seed).used)
    rare = [f"{seen[rule]} in {GROWN}: {rule}" for rule in grammar().rules if seen[rule] * 100 < GROWN]
    assert not rare, "\n".join(rare)


@pytest.mark.parametrize("chain", [" + ".join(["1"] * limits.CHAIN), "not " * (limits.CHAIN - 1) + "b"])
def test_the_deepest_text_can_be_compared_hashed_and_shown(chain: str) -> None:
    levels = limits.NESTING - 3
    blocks = "".join(f"{'    ' * (level + 1)}if yes\n" for level in range(levels))
    text = f'game "Deep"\n    players 2\nplay\n{blocks}{"    " * (levels + 1)}set a to {chain}\n'
    one, other = clean(text), clean(text)
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == repr(other)
    assert one != clean(text.replace("set a", "set b"))


# ---------------------------------------------------------------- nodes and their forms

KINDS = [kind for kind in vars(nodes).values() if isinstance(kind, type) and issubclass(kind, nodes.Node)]
IN_NO_LINE = {
    nodes.Node,
    nodes.Line,
    nodes.VariableLine,
    nodes.TitledLine,
    nodes.File,
    nodes.Body,
    nodes.Cases,
    nodes.Row,
}
"""Bases of other classes, and what the layout writes."""


def fields(kind: Any) -> list[str]:
    return [a.name for a in attrs.fields(kind) if a.name not in ("span", "margin")]


def told(kind: Any) -> list[str]:
    return [slot.field for part in form(kind) for slot in part.slots]


def test_every_node_is_written_by_a_form_or_by_hand() -> None:
    by_form = {kind for kind in KINDS if kind.form}
    assert len(by_form) > 80
    assert by_form | set(BY_HAND) == set(KINDS) - IN_NO_LINE
    assert by_form & set(BY_HAND) == set()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.form], ids=lambda kind: kind.__name__)
def test_a_form_tells_the_fields_in_their_order_up_to_the_block(kind: Any) -> None:
    hanging = fields(kind)[len(told(kind)) :]
    assert told(kind) == fields(kind)[: len(told(kind))]
    assert len(hanging) <= 1 or hanging in (["rows", "members"], ["readings", "guards"])
    assert all(attrs.fields_dict(kind)[name].type.startswith(("tuple[", "Body")) for name in hanging)


def test_words_are_confused_in_fields_that_there_are() -> None:
    assert [
        name for name in CONFUSED if name.partition(".")[2] not in told(getattr(nodes, name.partition(".")[0]))
    ] == []


def test_every_rule_of_the_grammar_makes_something_of_its_children() -> None:
    """By a method, or the class with its name, which has a field for each child but those in a list at its end."""
    by_name = {kind.__name__: kind for kind in KINDS}
    for rule in tables().rules:
        if rule.makes and not hasattr(AstBuilder, rule.makes):
            kind: Any = by_name[rule.makes.title().replace("_", "")]
            types = [a.type for a in attrs.fields(kind) if a.name in fields(kind)]
            assert len(rule.picks) == len(types) or types[-1].startswith(("tuple[", "Body | None")), rule


# ---------------------------------------------------------------- formatting


@pytest.mark.parametrize("part", range(10))
def test_grown_texts_are_kept(part: int) -> None:
    for seed in range(part, ROUND_TRIPS, 10):
        check_kept(grown(seed).text)


@pytest.mark.parametrize("path", [*SHIPPED, *sorted(CASES.glob("good/*.rules"))], ids=lambda path: path.stem)
def test_files_are_kept(path: Path) -> None:
    check_kept(path.read_text(encoding="utf-8"))


def canonical() -> Iterator[tuple[str, str, str]]:
    """(name, text, formatted text): the pairs in `canonical.txt`."""
    parts = re.split(r"^# ---- (.+)\n", (CASES / "canonical.txt").read_text(encoding="utf-8"), flags=re.M)
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        before, arrow, after = body.partition("# becomes\n")
        yield name, before, after if arrow else before


@pytest.mark.parametrize(("before", "after"), [pytest.param(*pair, id=name) for name, *pair in canonical()])
def test_layout_is_canonical(before: str, after: str) -> None:
    assert check_kept(before) == after


_OF_A_PART = re.compile(r"(?<=[^ ])(?: @[A-Za-z0-9-]+)+(?= ?[^ @#])")
"""Citations of parts of a line: one blank before them, and something of the line behind them."""


def test_grown_texts_come_out_within_the_layout() -> None:
    for seed in range(0, ROUND_TRIPS, 4):
        depth = 0
        for line in unparse(clean(grown(seed).text)).splitlines():
            text, at, _ = _OF_A_PART.sub(lambda part: "_" * len(part[0]), line).partition("@")
            assert line == line.rstrip(), line
            assert (len(line) - len(line.lstrip())) % 4 == 0, line
            in_column = len(text) == 82 or (len(text) > 82 and text.endswith("  "))
            depth += sum((mark in "([") - (mark in ")]") for mark in re.sub(r'"[^"]*"|#.*|[|].*', "", line))
            assert not at or in_column or depth or '"' in line or "#" in text or "|" in text or ">" in text, line


def test_names_are_quoted_only_where_bare_words_would_be_keywords() -> None:
    """Beginners, what leads a statement and what stands after `no` or `all` are always quoted; else none needlessly."""
    for seed in range(0, ROUND_TRIPS, 20):
        formatted = unparse(clean(grown(seed).text))
        file = clean(formatted)
        for match in re.finditer(r"(?<!no )(?<!all )'([a-z]+)'", formatted):
            if match[1] in BEGINNERS or _leads(formatted, match.start()) or _is_in_margin(formatted, match.start()):
                continue
            bare = formatted[: match.start()] + match[1] + formatted[match.end() :]
            problems = Problems()
            assert parse(Source("bare", bare), problems).file != file or problems.found, match[0]


def _leads(text: str, place: int) -> bool:
    before = text[text.rfind("\n", 0, place) + 1 : place]
    return not before.strip() or before.endswith((": ", "secretly "))


def _is_in_margin(text: str, place: int) -> bool:
    before = text[text.rfind("\n", 0, place) + 1 : place]
    return "#" in before or '"' in before or "|" in before or before.lstrip().startswith(">")


def test_each_keyword_can_be_a_name_in_quotes() -> None:
    for word in keywords():
        value = check_kept(f"die '{word}': '{word}'.{word}('{word}')\n").partition(": ")[2]
        first = f"'{word}'" if word in BEGINNERS | QUANTIFIERS else word
        second = f"'{word}'" if word in BEGINNERS else word
        assert value == f"{first}.{word}({second})\n"


def test_long_lines_break_only_inside_brackets() -> None:
    call = "do act(" + ", ".join(f"argument_{number} + 1" for number in range(20)) + ")"
    lines = check_kept(f"play\n    {call}\n").splitlines()
    assert len(lines) > 3
    assert all(len(line) <= WIDTH for line in lines)
    assert all(line.endswith(",") for line in lines[1:-1])
    assert all(line.startswith("        argument") for line in lines[2:])
    long = "define x is " + " + ".join(["name"] * 40) + "\n"
    assert check_kept(long) == long


# ---------------------------------------------------------------- findings


def chunks() -> Iterator[tuple[str, int, str]]:
    """(file, number of its first line, text) of every chunk of the bad cases."""
    for path in sorted(CASES.glob("bad/*.rules")):
        line, texts = 1, re.split(r"^# ---- chunk\n", path.read_text(encoding="utf-8"), flags=re.M)
        for text in texts:
            yield path.stem, line, text
            line += text.count("\n") + 1


def expected(text: str) -> list[tuple[int, str, str]]:
    """(line, code, words) for each `### code: words; code: words`."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        for part in line.partition("###")[2].split(";") if "###" in line else []:
            code, colon, words = part.partition(":")
            assert colon, f"an expectation reads `### code: words`, not {line}"
            found.append((number, code.strip(), words.strip()))
    return found


@pytest.mark.parametrize("text", [pytest.param(text, id=f"{file}-{line}") for file, line, text in chunks()])
def test_faults_are_found_on_their_lines_and_nothing_else(text: str) -> None:
    found = sorted((entry.span.line, entry.code, entry.title) for entry in findings(text))
    wanted = sorted(expected(text))
    assert wanted, "a bad chunk must expect something"
    shown = render_all(findings(text), {"text": Source("text", text)})
    assert [entry[:2] for entry in found] == [entry[:2] for entry in wanted], shown
    for (_, _, title), (_, _, words) in zip(found, wanted, strict=True):
        assert words in title, shown


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('game "X"\nplayers 2..4\n', "indent this line by 4 blanks, so that it stands below `game`"),
        ('game "X"\n    players 2..4\nextends "y"\n', "indent this line by 4 blanks, so that it stands below `game`"),
        ("play\n    let x be 1\nstop repeat\n", "indent this line by 4 blanks, so that it stands below `play`"),
        ("play\n    let x be 1\nacton day\n    end game\n", "did you mean `action`?"),
        ("play\n    let x be 1\nreslt\n    rank players by highest x\n", "did you mean `result`?"),
    ],
)
def test_a_line_at_the_margin_that_fits_in_the_block_above_is_told_to_be_indented(text: str, hint: str) -> None:
    assert [entry.hint for entry in findings(text)] == [hint]


def test_there_are_enough_bad_chunks() -> None:
    assert len(list(chunks())) >= 25


@pytest.mark.parametrize("char", ["\ufeff", "\0", "\u202e", "\u2066", "\u200b", "\x1b", "\x0c", "\u2028", "\ue000"])
def test_characters_that_mislead_are_found_wherever_they_stand(char: str) -> None:
    for line in (f'game "a{char}b"', f'game "a" # {char}', f"> A1 a{char}b", f"define x is y{char}"):
        found = [entry for entry in findings(f'show x as "x"\n{line}\n') if entry.code == "bad-character"]
        assert [(entry.span.line, entry.span.column) for entry in found] == [(2, line.index(char) + 1)]
        assert f"U+{ord(char):04X}" in found[0].title
        assert char not in render_all(found, {"text": Source("text", f"\n{line}")})


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"define {'n' * (limits.NAME + 1)} is 1", "too-long"),
        (f'game "{"n" * (limits.STRING + 1)}"', "too-long"),
        (f"define x is {limits.INTEGER + 1}", "number-too-large"),
        (f"define x is {'9' * 5000}", "number-too-large"),
        (f"pieces {'9' * 5000} x of y on z", "number-too-large"),
        (f"define x is {'(' * limits.NESTING}y{')' * limits.NESTING}", "nesting"),
        (f"define x is {'(' * 100_000}", "nesting"),
        (f"define x is {'-' * 100_000}y", "nesting"),
        (f"define x is y{' + y' * limits.CHAIN} + y", "nesting"),
        (f"define x is {'not ' * 100_000}y", "nesting"),
        (f"define x is y{'.z' * 100_000}", "nesting"),
    ],
    ids=lambda part: part[:20],
)
def test_limits_are_found_on_their_line(line: str, code: str) -> None:
    assert [(entry.code, entry.span.line) for entry in findings(f'game "x"\n{line}\n')] == [(code, 2)]


def test_what_keeps_the_limits_is_read() -> None:
    depth = limits.NESTING - 2
    check_kept(f"define {'n' * limits.NAME} is {'(' * depth}{limits.INTEGER}{')' * depth}\n")
    check_kept(f"define x is y{' + y' * (limits.CHAIN - 1)}\n")
    blocks = "".join(f"{' ' * 4 * level}{'while x' if level else 'play'}\n" for level in range(limits.NESTING - 2))
    check_kept(f"{blocks}{' ' * 4 * (limits.NESTING - 2)}end game\n")


def test_blocks_too_deep_are_found() -> None:
    blocks = "".join(f"{' ' * level}while x\n" for level in range(1, 300))
    assert [entry.code for entry in findings(f"play\n{blocks}")] == ["nesting"]


def test_one_fault_does_not_hide_what_stands_around_it() -> None:
    text = "define a is 1\ndefine b is (\ndefine c is 3\n"
    problems = Problems()
    file = parse(Source("text", text), problems).file
    assert [line.name for line in file.declarations if isinstance(line, nodes.Define)] == ["a", "c"]
    assert [entry.span.line for entry in problems.found] == [2]


# ---------------------------------------------------------------- margins


def test_margins_inside_brackets_belong_to_their_line() -> None:
    text = "define x is (a @B1 # one\n  > A1 words @C1\n  # two\n  + b) @B2 # three\n"
    (line,) = clean(text).declarations
    assert isinstance(line, nodes.Define)
    assert line.margin.above == (nodes.Clause("A1", "words @C1"), nodes.Comment("# two"))
    assert [cite.id for cite in line.margin.cites] == ["B1", "B2"]
    assert line.margin.comment == "# one # three"


def test_margins_belong_to_the_line_they_stand_at() -> None:
    text = "play\n    > A1 above\n    if x # if\n        end game @B1\n    > A2 else\n    else: stop y @B2\n# tail\n"
    file = clean(text)
    (part,) = file.declarations
    assert isinstance(part, nodes.Part)
    (choice,) = part.body.statements
    assert isinstance(choice, nodes.If)
    assert (choice.margin.above, choice.margin.comment) == ((nodes.Clause("A1", "above"),), "# if")
    first, other = choice.arms
    assert first.margin == nodes.EMPTY
    assert first.body.statements[0].margin.cites == (nodes.Citation("B1"),)
    assert (other.margin.above, other.margin.cites) == ((nodes.Clause("A2", "else"),), (nodes.Citation("B2"),))
    assert file.tail == (nodes.Comment("# tail"),)


# ---------------------------------------------------------------- mutants


@pytest.mark.parametrize("part", range(10))
def test_mutants_are_read_without_raising_and_in_time(part: int) -> None:
    text = (paths.GAMES / "fuzzy_tiger.rules").read_text(encoding="utf-8")
    for seed in some(range(part, MUTANTS, 10), 24):
        start = time.process_time()
        problems = Problems()
        file = parse(Source("mutant", mutant(text, random.Random(seed))), problems).file
        assert time.process_time() - start < SECONDS, seed
        if not problems.found:
            assert clean(unparse(file)) == file, seed


# ---------------------------------------------------------------- citations inside a line


def cited(text: str) -> tuple[list[str], dict[str, str]]:
    """What a line cites, and by citation the part of it that it belongs to, as it is written."""
    (line,) = clean(text).declarations
    parts = {cite.id: written(part.of) for part in walk(line) if isinstance(part, nodes.Cited) for cite in part.cites}
    return [cite.id for cite in line.margin.cites], parts


@pytest.mark.parametrize(
    ("line", "own", "parts"),
    [
        ("define x is a @A1", ["A1"], {}),
        ("define x is (a @A1)", [], {"A1": "a"}),
        ("define x is (a @A1) @B1", ["B1"], {"A1": "a"}),
        ("define x is a @A1 and b @B1", ["B1"], {"A1": "a"}),
        ("define x is not a @A1 and b", [], {"A1": "not a"}),
        ("define x is a is b @A1 or c", [], {"A1": "a is b"}),
        ("define x is (a or b @A1) and c", [], {"A1": "b"}),
        ("define x is (a or b) @A1 and c", [], {"A1": "a or b"}),
        ("define x is if a @A1 then 2 * b @B1 else c @C1", ["C1"], {"A1": "a", "B1": "2 * b"}),
        ("define x is those where it is open @A1 @A2 and near by size", [], {"A1": "it is open", "A2": "it is open"}),
        ("define x is those by lowest size @A1 then age", [], {"A1": "size"}),
        ("define x is [a @A1, b @B1]", [], {"A1": "a", "B1": "b"}),
        ("define x is (a @A1 + b)", ["A1"], {}),
        ("define x is (a @A1\n    and b @B1) @C1", ["C1"], {"A1": "a", "B1": "b"}),
        ("define x @A1 is a", ["A1"], {}),
    ],
)
def test_a_citation_belongs_to_what_ends_before_it(line: str, own: list[str], parts: dict[str, str]) -> None:
    assert cited(f"{line}\n") == (own, parts)
    check_kept(f"{line}\n")


def test_without_its_citations_a_line_is_as_if_nothing_had_been_cited() -> None:
    cited_text = "define x is if a @A1 then 2 * b @B1 @C1 else those where (it is open @D1) by size\n"
    plain = "define x is if a then 2 * b else those where it is open by size\n"
    (line,), (other,) = clean(cited_text).declarations, clean(plain).declarations
    bare = without_citations(line)
    assert attrs.evolve(bare, margin=other.margin) == other
    assert all_cites(line) == ("A1", "B1", "C1", "D1")
