"""A workspace examines a text after each edit as if it had never seen it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from rulekit.loading import Loaded, Workspace, examine_text
from rulekit.model.elaborate import example_memo
from rulekit.model.elaborate.scenario_resolution import scenario
from rulekit.source import Source
from rulekit.syntax import nodes
from tests import paths
from tests.exactness import exact
from tests.generators.random_edits import edited
from tests.generators.random_rules import rules_by_chance
from tests.sizes import IS_LONG, some

FILES = sorted((*paths.GAMES.glob("*.rules"), *paths.EXAMPLES.glob("*.rules")))
EDITS = 5 if IS_LONG else 2


def told(loaded: Loaded) -> list[Any]:
    return [loaded.findings, loaded.notes, loaded.sources, exact(loaded.declarations), exact(loaded.game, names=False)]


@pytest.mark.parametrize("path", some(FILES, 2), ids=lambda path: path.stem)
def test_after_every_edit_a_file_is_examined_as_from_nothing(path: Path) -> None:
    """Files that extend others are among them."""
    rng, workspace = random.Random(path.stem), Workspace()
    text = path.read_text(encoding="utf-8")
    good = text
    for _ in range(EDITS):
        source = Source(str(path), text)
        loaded = workspace.examine_text(source)
        assert told(loaded) == told(examine_text(source)), text
        good = text if loaded.game is not None else good
        text = edited(good, rng)


@pytest.mark.parametrize("path", some(FILES, 2), ids=lambda path: path.stem)
def test_after_lines_put_in_near_the_top_a_file_is_examined_as_from_nothing(path: Path) -> None:
    """All below stands elsewhere then; examples too, which are not resolved again."""
    rng, workspace = random.Random(path.stem), Workspace()
    good = text = path.read_text(encoding="utf-8")
    for _ in range(EDITS):
        workspace.examine_text(Source(str(path), text))
        text = with_line(good, rng)
        again = workspace.examine_text(Source(str(path), text))
        assert told(again) == told(examine_text(Source(str(path), text))), text
        good = text if again.game is not None else good
        text = edited(good, rng)


def with_line(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    lines.insert(rng.randrange(12), rng.choice(("", "# a comment", "> AB-1 Words.", "constant_of_mine", "    by 1")))
    return "\n".join(lines)


def test_every_kind_of_edit_leaves_some_games_whole_and_some_not() -> None:
    """Else the test above would compare less than it seems to."""
    whole = {True: 0, False: 0}
    for seed in range(6):
        rng, workspace = random.Random(seed), Workspace()
        good = text = rules_by_chance(seed)
        for _ in range(10):
            loaded = workspace.examine_text(Source("t", text))
            assert told(loaded) == told(examine_text(Source("t", text))), text
            whole[loaded.game is not None] += 1
            good = text if loaded.game is not None else good
            text = edited(good, rng)
    assert min(whole.values()) > 10, whole


RULES = """game "Kept"
    players 2
option wild "Is it wild?" flag default no
counter rounds 0..9
each player has
    counter coins 0..9
play
    step begin
        raise rounds by 1
    each player
        player chooses "Go on?"
            "on": do pay(player, 1)
            "off"
action pay(who of player, price of number)
    lower who.coins by price
define rich(who of player) is who.coins above 3
result: rank players by highest coins
scenario "a step"
    players red, blue
    after step begin
    expect rounds is 1
scenario "paid"
    players red, blue
    given red.coins is 5
    do pay(red, 2)
    expect red.coins is 3
    expect rich(red) is no
scenario "another"
    players red, blue
    given red.coins is 5
    do pay(blue, 0)
"""
"""Every example names what another edit below takes away."""


@pytest.fixture
def resolved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The examples that are resolved, and not taken as they were."""
    names: list[str] = []

    def noted(world: Any, tally: Any, run: Any, node: nodes.Scenario) -> Any:
        names.append(node.name)
        return scenario(world, tally, run, node)

    monkeypatch.setattr(example_memo, "scenario", noted)
    return names


def after(edit: tuple[str, str], resolved: list[str]) -> list[str]:
    """The examples that are resolved again after an edit; asserts that all is as from nothing."""
    workspace = Workspace()
    loaded = workspace.examine_text(Source("t", RULES))
    assert loaded.game is not None, loaded.findings
    text = RULES.replace(*edit)
    assert text != RULES
    resolved.clear()
    again = workspace.examine_text(Source("t", text))
    found = list(resolved)
    assert told(again) == told(examine_text(Source("t", text)))
    return found


ALL = ["a step", "paid", "another"]


@pytest.mark.parametrize(
    ("edit", "again"),
    [
        (("by price", "by price + 1"), []),
        (("rank players by highest", "rank players by lowest"), []),
        (("expect rounds is 1", "expect rounds is 2"), ["a step"]),
        (("    do pay(red, 2)\n", "    do pay(red, 2)\n    do pay(red, 1)\n"), ["paid", "another"]),
        (("step begin\n        raise", "step start\n        raise"), ALL),
        (("(who of player, price of number)", "(who of player)"), ALL),
        (("action pay", "action paid"), ALL),
        (("above 3", "above 4"), ALL),
        (("counter coins 0..9", "counter coins 0..8"), ALL),
        (("default no", "default yes"), ALL),
        (('game "Kept"', '# a line\n\ngame "Kept"'), []),
        (("counter rounds", "# a line\ncounter rounds"), []),
        (("counter rounds", "> AB-1 Words.\ncounter rounds"), []),
        (("        raise rounds by 1", "        raise rounds by 1\n        raise rounds by 1"), []),
        (("        raise rounds by 1", "        raise rounds by 1\n        do pay(player, 1)"), []),
    ],
)
def test_examples_are_resolved_again_if_what_they_may_name_has_changed(
    edit: tuple[str, str], again: list[str], resolved: list[str]
) -> None:
    assert after(edit, resolved) == again


def test_what_is_wrong_with_an_example_is_told_in_every_run(resolved: list[str]) -> None:
    workspace, text = Workspace(), RULES.replace("expect rounds is 1", "expect round is 1")
    first = workspace.examine_text(Source("t", text))
    second = workspace.examine_text(Source("t", text.replace("by price", "by price + 1")))
    assert [entry.code for entry in first.findings] == [entry.code for entry in second.findings] == ["unknown-name"]


def test_a_workspace_holds_no_more_than_its_last_texts() -> None:
    workspace = Workspace()
    sizes = []
    for number in range(12):
        workspace.examine_text(Source("t", RULES.replace("above 3", f"above {number}")))
        sizes.append(len(workspace._known.memo._found))
    assert sizes[2] == sizes[-1]
