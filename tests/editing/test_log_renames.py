"""A log recorded before names were changed replays with the list of what they became; the log is left as it is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from rulekit.apps.commands import ended
from rulekit.loading import load_text
from rulekit.model.game import Game
from rulekit.record import renames
from rulekit.record.log import Log, parse
from rulekit.record.recorder import Recorder
from rulekit.record.replay import replay
from rulekit.source import Source
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import applied
from rulekit.tools.editing.rename import Refused, renamed

OLD = """game "Trial"
    players 2
option long "Longer?" flag default no
option tie "Ties?"
    early "the first" default
    late "the last"
kind mood: calm, angry
cards deck of card
    | card | copies |
    | fox  | 2      |
    | hen  | 2      |
each player has
    pile hand of card, seen by owner
    counter score 0..9
action rest(owner of player)
    owner chooses
        "in": raise owner.score by 1
        "out": raise owner.score by 2
pile stock of card starts deck
die bone: 1..6
setup
    shuffle stock
    each player: deal 2 from stock to player.hand
play
    each player
        player chooses card from player.hand
        player chooses feeling from mood
        do rest(player)
        roll steps from bone
        if steps above 3: raise player.score by 3
result: rank players by highest score
"""
LIST = """option long -> slow      # the oldest first
option slow -> slower
reading tie.late -> later
kind mood -> state
member state.angry -> cross
kind card -> leaf
member leaf.fox -> vixen
variable hand -> held
action rest -> nap
choice card -> leaf
choice feeling -> felt
variable stock -> heap
die bone -> cube
"""
NEW = """game "Trial"
    players 2
option slower "Longer?" flag default no
option tie "Ties?"
    early "the first" default
    later "the last"
kind state: calm, cross
cards deck of leaf
    | leaf  | copies |
    | vixen | 2      |
    | hen   | 2      |
each player has
    pile held of leaf, seen by owner
    counter score 0..9
action nap(owner of player)
    owner chooses
        "in": raise owner.score by 1
        "out": raise owner.score by 2
pile heap of leaf starts deck
die cube: 1..6
setup
    shuffle heap
    each player: deal 2 from heap to player.held
play
    each player
        player chooses leaf from player.held
        player chooses felt from state
        do nap(player)
        roll steps from cube
        if steps above 3: raise player.score by 3
result: rank players by highest score
"""


def _listed(text: str) -> tuple[renames.Rename, ...]:
    return renames.parse(Source("game.renames", text))


def _played(game: Game, values: bool = False) -> bytes:
    """The log of a whole match, of which each answer is the last one offered."""
    given = {"ann.hand": ["hen"], "bob.hand": ["fox", "fox"], "ann.score": 2} if values else None
    return _recorded(game, {"tie": "late"}, given)


def _recorded(game: Game, options: Any = None, given: Any = None) -> bytes:
    match = Recorder(game, options, seats=["ann", "bob"], seed="renames", values=given)
    while match.outcome() is None:
        asked = match.decisions()[0]
        match.answer(asked.seat, asked.options[-1])
    return bytes(match)


@pytest.fixture(scope="module")
def log() -> Log:
    return parse(_played(load_text(OLD)))


def test_a_log_replays_by_the_list_of_what_its_names_became(log: Log) -> None:
    old, new = load_text(OLD), load_text(NEW)
    before = replay(log, old)
    assert replay(log, new).fault is not None
    found = _listed(LIST)
    after = replay(*renames.applied(log, new, found))
    assert after.fault is None
    assert after.outcome == before.outcome
    assert after.held == before.held == len(log.entries)


SHARED = """game "Shared"
    players 2
counter sum 0..99
action one(owner of player)
    owner chooses pace from 1..3
    raise sum by pace
action two(owner of player)
    owner chooses pace from 4..6
    raise sum by pace
play
    each player
        do one(player)
        do two(player)
result: rank players by highest seat
"""


def test_of_two_actions_that_ask_under_one_name_each_has_its_own_line_and_there_and_back_is_as_before() -> None:
    log, beside = parse(_recorded(load_text(SHARED))), Source("text/shared.renames", "")
    document, lists = Document(Source("shared.rules", SHARED)), [beside.text]
    for line, new in ((5, "first"), (8, "second"), (8, "pace"), (5, "pace")):
        edits = renamed(document, line, 20, new, [beside])
        assert not isinstance(edits, Refused)
        document, beside = document.changed(applied(document.source, edits)), applied(beside, edits)
        assert document.loaded.game is not None
        lists.append(beside.text)
        assert replay(*renames.applied(log, document.loaded.game, renames.parse(beside))).fault is None, beside.text
    first, second = "choice one.pace -> first\n", "choice one.pace -> first\nchoice pace -> second\n"
    assert lists == ["", first, second, first, ""]
    assert document.source.text == SHARED


@pytest.mark.parametrize("left_out", range(2, len(LIST.splitlines())))
def test_a_list_in_which_a_name_is_missing_does_not_do(log: Log, left_out: int) -> None:
    lines = LIST.splitlines()
    found = _listed("\n".join([*lines[:left_out], *lines[left_out + 1 :]]))
    try:
        fault = replay(*renames.applied(log, load_text(NEW), found)).fault
    except renames.BadRenames as refused:
        fault = refused
    # This match began with its setup, so that its log has no variable; a choice between ways is known by their texts.
    assert (fault is None) == lines[left_out].startswith(("variable hand", "action")), lines[left_out]


def test_a_match_that_began_in_a_position_replays_too() -> None:
    log = parse(_played(load_text(OLD), values=True))
    found = _listed(LIST)
    assert replay(*renames.applied(log, load_text(NEW), found)).fault is None
    without = tuple(one for one in found if one.sort != "variable")
    assert replay(*renames.applied(log, load_text(NEW), without)).fault is not None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("option long slower", "line 1: a rename is written as in"),
        ("\nclause FX-1 -> FX2", "line 2: a rename is written as in"),
        ("step rest -> nap", "line 1: a log holds no names of a step, but of: option, reading"),
        ("member fox -> vixen", "line 1: the name of a member is written behind its kind and a dot"),
        ("option a.long -> slower", "line 1: the name of a option is written without a dot"),
        ("option long -> slow", "line 1: these rules have no option `slow`"),
        ("kind card -> leaf\nmember card.fox -> fox2", "line 2: these rules have no member `fox2`"),
        ("variable hand -> score", "line 1: `hand` is still a variable"),
    ],
)
def test_a_list_that_does_not_fit_is_refused_with_the_reason(text: str, reason: str) -> None:
    game = load_text(NEW.replace("pile held of", "pile hand of").replace("player.held", "player.hand"))
    with pytest.raises(renames.BadRenames) as refused:
        renames.check(_listed(text), game)
    assert str(refused.value).startswith(reason)


def test_the_command_takes_the_list_and_leaves_the_log_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log, rules, listed = tmp_path / "a.log", tmp_path / "new.rules", tmp_path / "new.renames"
    log.write_bytes(_played(load_text(OLD)))
    rules.write_text(NEW, encoding="utf-8")
    listed.write_text(LIST, encoding="utf-8")
    before = log.read_bytes()
    arguments = ["replay", str(log), "--rules", str(rules), "--all", "--renames", str(listed)]
    monkeypatch.setattr(sys, "argv", ["rulekit", *arguments])
    assert ended() == 0
    assert log.read_bytes() == before
    listed.write_text("option long -> slow\n", encoding="utf-8")
    capsys.readouterr()
    assert ended() == 1
    assert f"error[renames]: {listed}: line 1: these rules have no option `slow`" in capsys.readouterr().err
