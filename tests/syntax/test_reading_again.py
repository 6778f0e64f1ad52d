"""Incremental parsing: a text read again after an edit is what it is when it is read from nothing."""

from __future__ import annotations

import random
from typing import Any

import attrs
import pytest

from rulekit.diagnostics import Problems
from rulekit.source import Source
from rulekit.syntax import nodes, parse
from rulekit.syntax.blocks import Block, blocks, joined
from rulekit.syntax.parse import Blocks
from tests import paths
from tests.exactness import exact
from tests.generators.random_edits import edited
from tests.sizes import IS_LONG, some
from tests.syntax.random_texts import grow

GAMES = sorted(paths.GAMES.glob("*.rules"))


def read(text: str, known: Blocks | None = None) -> tuple[Any, ...]:
    """All that is read of a text, down to the places."""
    problems = Problems()
    parsed = parse.parse(Source("t", text), problems, known)
    return exact(parsed.file.declarations), exact(parsed.file.tail), parsed.lost, parsed.broken, problems.found


@pytest.mark.parametrize("path", some(GAMES, 3), ids=lambda path: path.stem)
def test_after_every_edit_a_text_is_read_as_from_nothing(path: Any) -> None:
    rng = random.Random(path.stem)
    start = text = path.read_text(encoding="utf-8")
    known = Blocks()
    for number in range(12 if IS_LONG else 5):
        text = edited(start if number % 4 == 0 else text, rng)
        known.forget()
        assert read(text, known) == read(text)


def test_texts_by_chance_are_read_as_from_nothing_after_every_edit() -> None:
    for seed in range(20 if IS_LONG else 8):
        rng, known, text = random.Random(seed), Blocks(), grow(seed).text
        for _ in range(8):
            text = edited(text, rng)
            known.forget()
            assert read(text, known) == read(text), (seed, text)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_blocks_are_read_as_one_text_is(path: Any) -> None:
    assert_whole(path.read_text(encoding="utf-8"))


def test_blocks_of_texts_by_chance_are_read_as_one_text_is() -> None:
    for seed in range(30):
        assert_whole(grow(seed).text)


def assert_whole(text: str) -> None:
    whole = parse._read(Block("t", 1, text.count("\n") + 2, text))
    assert whole.declarations is not None
    assert exact(parse.parse(Source("t", text), Problems()).file.declarations) == exact(whole.declarations)


def test_what_an_edit_leaves_alone_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = GAMES[-1].read_text(encoding="utf-8")
    known, fresh = Blocks(), []
    reads = parse._read
    monkeypatch.setattr(parse, "_read", lambda block: fresh.append(block.first) or reads(block))
    before = parse.parse(Source("t", text), Problems(), known).file.declarations
    assert len(fresh) == len(before)
    fresh.clear()
    known.forget()
    after = parse.parse(Source("t", text), Problems(), known).file.declarations
    assert all(one is other for one, other in zip(before, after, strict=True))
    known.forget()
    down = parse.parse(Source("t", "\n" * 3 + text), Problems(), known).file.declarations
    assert down[-1].span.line == before[-1].span.line + 3
    assert fresh == [1]


def test_what_was_not_in_the_last_texts_is_forgotten() -> None:
    known = Blocks()
    for number in range(50):
        known.forget()
        parse.parse(Source("t", f'game "G {number}"\n'), Problems(), known)
    assert len(known._before) + len(known._now) == 2


CUT = 'game "G"\n    players 2\n\n# of x\n> A-1 X.\ndefine x is 1\n\n# the end\n'


def test_margins_belong_to_the_block_below_them() -> None:
    found, below = blocks(Source("t", CUT))
    assert [one.text for one in found] == ['game "G"\n    players 2', "\n# of x\n> A-1 X.\ndefine x is 1"]
    assert [(one.first, one.next) for one in found] == [(1, 6), (3, 10)]
    assert (below.first, below.text) == (7, "\n# the end\n")


def test_an_open_bracket_joins_its_block_with_the_one_that_closes_it() -> None:
    text = "define x is (1\ndefine y is 2\ndefine z is 3)\ndefine w is (4\n"
    found, _ = blocks(Source("t", text))
    unmatched = [(0, 1), (0, 0), (1, 0), (0, 1)]
    assert [one.text.count("\n") + 1 for one in joined(found, unmatched)] == [3, 1]
    problems = Problems()
    file = parse.parse(Source("t", "define x is (1\n+ 2)\n"), problems).file
    assert not problems.found
    assert isinstance(file.declarations[0], nodes.Define)


def test_two_open_brackets_join_as_far_as_the_outer_is_closed() -> None:
    found, _ = blocks(Source("t", "a (\nb (\nc )\nd )\ne"))
    assert [one.text for one in joined(found, [(0, 1), (0, 1), (1, 0), (1, 0), (0, 0)])] == ["a (\nb (\nc )\nd )", "e"]


def test_a_finding_moves_with_its_block() -> None:
    known = Blocks()
    text = 'game "G"\n> nothing\ndefine x is 1\n'
    first, second = Problems(), Problems()
    parse.parse(Source("t", text), first, known)
    parse.parse(Source("t", text.replace("> ", "\n\n# c\n> ")), second, known)
    assert [entry.span.line for entry in first.found] == [2]
    assert attrs.evolve(second.found[0], span=first.found[0].span) == first.found[0]
    assert [entry.span.line for entry in second.found] == [5]
