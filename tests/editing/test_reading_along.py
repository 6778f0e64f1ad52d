"""What an editor shows of a text as it stands: colours, hover, findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.syntax.parse_tables import tables
from rulekit.tools.editing import reference
from rulekit.tools.editing.document import findings
from rulekit.tools.editing.hover import hover
from rulekit.tools.editing.semantic_tokens import SORTS, semantic_tokens
from tests.editing.texts import GAME, at, document, games, shipped


def _colours(text: str) -> list[tuple[str, str]]:
    of = document(text)
    return [
        (of.source.line(one.span.line)[one.span.column - 1 : one.span.end_column - 1], one.sort)
        for one in semantic_tokens(of)
    ]


def test_words_have_the_colour_of_what_they_mean() -> None:
    found = _colours(GAME)
    for expected in (
        ("option", "keyword"), ("long", "option"), ('"A long game?"', "string"), ("score", "variable"),
        ("sleeper", "local"), ("tired_ones", "define"), ("rest", "action"), ("lying", "step"), ("calm", "member"),
        ("players", "builtin"), ("3", "number"), ("HI-1", "clause"), (">", "margin"), ("*", "operator"),
    ):  # fmt: skip
        assert expected in found


def test_a_keyword_that_is_a_name_has_the_colour_of_a_name() -> None:
    found = _colours(GAME.replace("counter round", "counter track").replace("round is", "track is"))
    assert ("track", "variable") in found
    assert ("track", "keyword") in found


def test_a_name_in_a_text_is_a_name() -> None:
    found = _colours(GAME + "> HI-2 There are {round} rounds.\n>- HI-3 Rest. # no comment\n")
    assert ("round", "variable") in found[-8:]
    assert (" There are {", "margin") in found


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem)
def test_colours_lie_in_order_and_apart(path: Path) -> None:
    end = (0, 0)
    for one in semantic_tokens(shipped(path)):
        assert one.sort in SORTS
        assert end <= (one.span.line, one.span.column) < (one.span.end_line, one.span.end_column)
        end = one.span.end_line, one.span.end_column


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            GAME.replace("do rest", "do re│st"),
            ("**rest** — action", "action rest(owner of player)", "Who is tired rests."),
        ),
        (GAME.replace("@HI-1", "@HI-│1"), ("**HI-1** Who is tired rests.",)),
        (
            GAME.replace("lower sleeper.score", "lower sleeper.sc│ore"),
            ("variable of player", "counter score 0..99 starts 3"),
        ),
        (GAME.replace("lower sleeper", "lo│wer sleeper"), ("`lower X by E` — changes a counter",)),
        (GAME.replace("rank players", "rank pla│yers"), ("who plays",)),
        (GAME.replace("is number * 2", "is m│ax(number, 2)"), ("**max(number, number)** — the larger",)),
        (GAME.replace("where it", "where i│t"), ("**it** — `it` is what a query looks at",)),
    ],
)
def test_hover_says_what_stands_there(text: str, told: tuple[str, ...]) -> None:
    of, line, column = at(text)
    shown = hover(of, line, column)
    assert shown is not None
    assert all(part in shown.text for part in told), shown.text


def test_hover_says_nothing_of_nothing() -> None:
    of, line, column = at(GAME.replace("\n\n> HI-1", "\n│\n> HI-1"))
    assert hover(of, line, column) is None


def test_the_reference_says_something_of_nearly_every_keyword() -> None:
    silent = {word for word in tables().words if reference.said(word) is None}
    assert silent <= {"die", "table"}


def test_findings_are_those_of_check() -> None:
    assert {one.code for one in findings(document(GAME))} == {"no-clause", "never-read"}
    (finding,) = findings(document(GAME.replace("sleeper.score by", "sleeper.skore by")))
    assert finding.code == "unknown-attribute"
    failed = findings(document(GAME.replace("expect ann.score is 4", "expect ann.score is 5")))
    assert ("scenario", 39) in {(one.code, one.span.line) for one in failed}
