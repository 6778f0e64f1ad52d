"""Names of seats in every script: joiners are allowed, what hides or turns a line is not."""

from __future__ import annotations

import pytest

from rulekit.diagnostics import Problems, printable
from rulekit.legibility import is_legible
from rulekit.loading import load
from rulekit.play.engine import start
from rulekit.play.seat_names import is_seat_name
from rulekit.play.state.errors import BadSetup
from rulekit.source import Source
from rulekit.syntax.parse import parse
from tests.paths import GAMES

FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}"
HEART = "\N{WOMAN}\u200d\N{HEAVY BLACK HEART}\ufe0f\u200d\N{MAN}"
PERSIAN = "می\u200cخواهم"
MALAYALAM = "ന\u0d4d\u200dഅ"
SCOTLAND = "\N{WAVING BLACK FLAG}" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbsct\x7f")


@pytest.mark.parametrize("name", [FAMILY, HEART, PERSIAN, MALAYALAM, SCOTLAND, "Zoë", "李", "أحمد"])
def test_a_name_with_joiners_is_a_name_and_is_shown_as_it_is(name: str) -> None:
    assert is_seat_name(name)
    assert printable(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "red\u202e",
        "\u2066red",
        "re\u200dd",
        "\u200d",
        f"{FAMILY}\u200d",
        "\u3164",
        "\u2800",
        "\ufe0f",
        "a\u200bb",
        "\x07",
        "",
    ],
)
def test_a_name_that_hides_or_turns_something_is_none(name: str) -> None:
    assert not is_seat_name(name)


def test_two_names_that_differ_in_a_joiner_alone_are_one() -> None:
    with pytest.raises(BadSetup, match="a name of its own"):
        start(load(GAMES / "foxy.rules"), seats=(PERSIAN, PERSIAN.replace("\u200c", "")), seed="names")


def test_blanks_of_other_widths_are_shown_as_they_are() -> None:
    assert printable("Bravo\u202f! 5\u00a0points\u2028") == "Bravo\u202f! 5\u00a0points\\x2028"
    assert not is_legible("a\u2028b")


def test_joiners_may_stand_in_texts_of_a_rules_file() -> None:
    problems = Problems()
    parse(Source("text", f'game "{FAMILY} {PERSIAN}"\n'), problems)
    assert "bad-character" not in [entry.code for entry in problems.found]
