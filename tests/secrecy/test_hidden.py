"""What is not declared visible to a seat never reaches it; what is, does.  See `tests.secrecy.noninterference`."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import Game
from rulekit.model.game import OWNER, PUBLIC
from tests import paths
from tests.generators.random_matches import GAMES, game
from tests.secrecy.noninterference import Tally, searched
from tests.secrecy.twins import every_value, otherwise

TEXTS = sorted((paths.CASES / "hidden").glob("*.rules"))
"""Games without sense, in which things move between what is seen and what is not in every way there is."""
ENOUGH = 5
MATCHES = 6
"""At most; two are enough if everything hidden came to differ in them."""
every_case = pytest.mark.parametrize("path", [*GAMES, *TEXTS], ids=lambda p: p.stem)
READERS = ("seat", "spectator")


def hidden(rules: Game) -> set[tuple[str, str]]:
    """Every variable that not everybody sees, with those who may not see somebody's."""
    return {(variable.name, who) for variable in rules.variables if variable.seen != PUBLIC for who in READERS}


def visible(rules: Game) -> set[tuple[str, str]]:
    """Every variable, with those who see something of it: of a pile at least how many things lie in it."""
    found = {(variable.name, "seat") for variable in rules.variables if variable.seen in (PUBLIC, OWNER)}
    found |= {(variable.name, "seat") for variable in rules.variables if variable.form == "pile"}
    shown = {variable.name for variable in rules.variables if variable.seen == PUBLIC or variable.form == "pile"}
    return found | {(name, "spectator") for name in shown}


def missing(wanted: set[tuple[str, str]], found: dict[tuple[str, str], int], least: int = ENOUGH) -> list[str]:
    return sorted(f"{name} for a {who}" for name, who in wanted if found.get((name, who), 0) < least)


@every_case
def test_nothing_hidden_reaches_anybody(path: Path) -> None:
    rules, tally = game(path), Tally()
    is_open, is_short = not hidden(rules), path in TEXTS
    seats, every = min(rules.most, rules.least + 1), 40 if is_open else 4 if is_short else 9
    for number in range(1 if is_open else MATCHES):
        even = number % 2 == 0
        searched(rules, seats, f"ci {number}", tally, chance=even, screens=not even, every=every, horizon=10)
        if number and not missing(hidden(rules), tally.equal):
            break
    assert not missing(hidden(rules), tally.equal), "never exercised"


@every_case
def test_what_is_visible_shows(path: Path) -> None:
    rules, tally = game(path), Tally()
    for number in range(MATCHES):
        seats, every = min(rules.most, rules.least + number % 2), 2 if path in TEXTS else 30
        searched(rules, seats, f"shown {number}", tally, ways=(every_value,), every=every, horizon=0)
        if number and not missing(visible(rules), tally.shown, least=1):
            break
    assert not missing(visible(rules), tally.shown, least=1), "never changed"


def test_what_was_seen_and_is_covered_again_leaves_no_trace() -> None:
    rules, tally = game(next(path for path in GAMES if path.stem == "foxy")), Tally()
    searched(rules, 2, "covered", tally, ways=(otherwise,), every=2, horizon=12, beyond=True)
    assert not missing({("shown", who) for who in READERS}, tally.again, least=20)
