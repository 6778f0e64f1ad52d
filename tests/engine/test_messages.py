"""What is said where a game cannot start or a rule not be carried out: the line in its own words, and its clauses."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.loading import examine_text, load
from rulekit.play.engine import start
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.source import Source

_OPTIONS = """game "Case"
    players 2..4
> AB-1 Eight rounds are the most.
option size "How many rounds?" 1..9 default 5
    requires size at most 8
    > AB-2 Two play more than four.
    conflicts size is 4 and count players is 2
play
    if size is 3: end game
result: rank players
"""


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (9, "the choice of `size` requires `size at most 8` (case:5:14); AB-1: Eight rounds are the most."),
        (
            4,
            "the choice of `size` conflicts with `size is 4 and count players is 2` (case:7:15); "
            "AB-2: Two play more than four.",
        ),
    ],
)
def test_choices_that_do_not_go_together_are_told_with_the_line(size: int, told: str) -> None:
    game = examine_text(Source("case", _OPTIONS)).game
    assert game is not None
    with pytest.raises(BadSetup) as fault:
        start(game, {"size": size})
    assert str(fault.value) == told


def test_yes_and_no_may_be_given_as_the_rules_write_them() -> None:
    text = _OPTIONS.replace("play\n", 'option open "Open?" flag default no\nplay\n    if open: end game\n')
    game = examine_text(Source("case", text)).game
    assert game is not None
    for given, wanted in (("yes", True), ("no", False), (True, True)):
        assert start(game, {"open": given}).state == start(game, {"open": wanted}).state
    with pytest.raises(BadSetup, match="`open` is yes or no, not maybe"):
        start(game, {"open": "maybe"})


_BASE = """game "Base"
    players 2
cards deck of card
    | card |
    | 1..9 |
pile stock of card starts deck, seen by nobody
counter n 0..99
each player has
    pile hand of card, seen by owner
    pile shown of card, seen by owner
setup
    each player
        deal 2 from stock to player.hand
        deal 1 from stock to player.shown
play
    do round
    starter always chooses x from 1..2
    raise n by x
action round
    reveal players.shown
    do looks
action looks
    if (first starter.shown).number above 4: raise n by 1
result: rank players by highest n
"""


@pytest.mark.parametrize(
    "line", ["swap (first starter.shown) for (first starter.hand)", "move (first starter.hand) to starter.shown"]
)
def test_a_line_of_a_variant_that_hides_again_is_named_with_the_line_of_the_base(tmp_path: Path, line: str) -> None:
    (tmp_path / "base.rules").write_text(_BASE, encoding="utf-8")
    variant = tmp_path / "variant.rules"
    variant.write_text(f'game "Variant"\n    extends "base"\nbefore looks: {line}\n', encoding="utf-8")
    start(load(tmp_path / "base.rules"), checked=True)
    with pytest.raises(RuleError) as fault:
        start(load(variant), checked=True)
    assert (fault.value.code, fault.value.span.source) == ("secret-shown", str(tmp_path / "base.rules"))
    assert fault.value.title.startswith(f"perhaps since `{line}` ({variant}:3:15) this shows something of `red.shown`")
