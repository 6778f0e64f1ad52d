"""What a hint says is carried out by one click, tried on the cases of the codes, as `cases` keeps them."""

from __future__ import annotations

import re

import pytest

from rulekit.diagnostics import Diagnostic
from rulekit.loading import Loaded
from rulekit.source import Source
from rulekit.tools.editing.corrections.corrections import corrections
from rulekit.tools.editing.corrections.formatting import formatting
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import applied
from tests.editing.texts import GAME, at, document, games, shipped
from tests.model.test_check import BASES, chunks, whole
from tests.sizes import IS_LONG

_CODE = re.compile(r"(?:###|;) ([a-z0-9-]+):")
FOLDERS = ("check/bad", "check/mended", "syntax/bad")


PER_CODE = 1_000 if IS_LONG else 5
"""So many findings of each code are looked at, those in the smallest cases first."""


def _mended() -> dict[str, list[bool]]:
    """By code, of findings with a hint: whether the first correction that is offered takes it away."""
    found: dict[str, list[bool]] = {}
    for text in sorted((text for folder in FOLDERS for _, text in chunks(folder)), key=len):
        if all(len(found.get(code, ())) >= PER_CODE for code in _CODE.findall(text)):
            continue
        of = Document(Source(str(BASES / "case.rules"), whole(text)))
        for entry in of.loaded.findings:
            ends = found.setdefault(entry.code, []) if entry.hint else []
            if entry.hint and len(ends) < PER_CODE:
                ends.append(_ends(of, entry))
    return found


def _ends(of: Document, entry: Diagnostic) -> bool:
    offered = corrections(of, entry, 1)
    after = Document(applied(of.source, offered[0].edits)).loaded if offered else of.loaded
    return _count(after, entry.code) < _count(of.loaded, entry.code)


def _count(loaded: Loaded, code: str) -> int:
    return sum(one.code == code for one in loaded.findings)


def test_most_codes_with_a_hint_can_be_carried_out_by_one_click() -> None:
    cases = _mended()
    never = sorted(code for code, ends in cases.items() if not any(ends))
    assert len(never) <= 0.2 * len(cases), never
    every = [end for ends in cases.values() for end in ends]
    least = 0.65 if IS_LONG else 0.55  # The smallest cases of a code are the hardest: they have nothing beside them.
    assert sum(every) >= least * len(every), {code: f"{sum(ends)}/{len(ends)}" for code, ends in cases.items()}


@pytest.mark.parametrize(
    ("old", "new", "title", "line"),
    [
        ("lower sleeper.score", "lower sleeper.│skore", "write `score` in place of `skore`",
         "lower sleeper.score by 1"),
        ("owner.tired to", "owner.tired│ =", "write `step lying: set owner.tired to no`",
         "step lying: set owner.tired to no"),
        ("round 0..20", "round -5│..20", "write `starts 0`", "counter round -5..20 starts 0"),
        ("counter round", "counter st│arter", "call it `starter_2`", "counter starter_2 0..20"),
        ("> HI-1 Who", "> │who", "write `> N-1 who is tired rests.` in place of `> who is tired rests.`",
         "> N-1 who is tired rests."),
    ],
)  # fmt: skip
def test_a_hint_is_carried_out(old: str, new: str, title: str, line: str) -> None:
    of, number, _ = at(GAME.replace(old, new))
    entry = next(one for one in of.loaded.findings if one.span.line == number and one.hint)
    offered = corrections(of, entry)
    assert offered[0].title == title
    assert applied(of.source, offered[0].edits).line(number).strip() == line


def test_what_has_to_be_thought_about_is_left_to_people() -> None:
    of, number, _ = at('game "Ring"\n    extends "no│where"\n')
    (entry,) = [one for one in of.loaded.findings if one.span.line == number]
    assert entry.hint
    assert not corrections(of, entry)


# ---------------------------------------------------------------- layout


def test_lines_get_their_layout_and_others_are_left() -> None:
    text = GAME.replace("    set owner", "    set  owner").replace(
        "lower sleeper.score by 1", "lower  sleeper.score  by 1"
    )
    of = document(text)
    whole_file = applied(of.source, formatting(of.source))
    assert whole_file.text == applied(document(GAME).source, formatting(document(GAME).source)).text
    (part,) = formatting(of.source, 31, 31)
    assert part.text.strip() == "lower sleeper.score by 1"


def test_a_text_that_cannot_be_read_keeps_its_layout() -> None:
    assert not formatting(document(GAME.replace("counter round", "cuonter  round")).source)


def test_what_has_its_layout_is_left() -> None:
    for path in games():
        assert not formatting(shipped(path).source)
