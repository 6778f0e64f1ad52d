"""What is not declared visible to a seat never reaches it; what is, does.  See `tests.secrecy.noninterference`.

What reaches a seat are views, events and all that `rulekit run` shows: `tests.secrecy.terminal`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import Game, load_text, start
from rulekit.model.game import OTHERS, OWNER, PUBLIC, SOME
from tests import paths
from tests.generators.random_matches import GAMES, game
from tests.secrecy.changes import with_slots
from tests.secrecy.noninterference import Tally, searched
from tests.secrecy.twins import every_value, is_askable, otherwise
from tests.soak.leaks import looked_through

TEXTS = sorted((paths.CASES / "hidden").glob("*.rules"))
"""Games without sense, in which things move between what is seen and what is not in every way there is."""
ENOUGH = 5
MATCHES = 6
"""At most, of short games twice as many; two are enough if everything hidden came to differ in them."""
SMALL = [path for path in sorted(paths.EXAMPLES.glob("*.rules")) if "seen by" in path.read_text(encoding="utf-8")]
"""Examples with something hidden."""
every_case = pytest.mark.parametrize("path", [*GAMES, *SMALL, *TEXTS], ids=lambda p: p.stem)
READERS = ("seat", "spectator")


def hidden(rules: Game) -> set[tuple[str, str]]:
    """Every variable that not everybody sees, with those who may not see somebody's."""
    return {(variable.name, who) for variable in rules.variables if variable.seen != PUBLIC for who in READERS}


def visible(rules: Game) -> set[tuple[str, str]]:
    """Every variable, with those who see something of it: of a pile at least how many things lie in it."""
    found = {(variable.name, "seat") for variable in rules.variables if variable.seen in (PUBLIC, OWNER, OTHERS, SOME)}
    found |= {(variable.name, "seat") for variable in rules.variables if variable.form == "pile"}
    shown = {variable.name for variable in rules.variables if variable.seen == PUBLIC or variable.form == "pile"}
    return found | {(name, "spectator") for name in shown}


def missing(wanted: set[tuple[str, str]], found: dict[tuple[str, str], int], least: int = ENOUGH) -> list[str]:
    return sorted(f"{name} for a {who}" for name, who in wanted if found.get((name, who), 0) < least)


@every_case
def test_nothing_hidden_reaches_anybody(path: Path) -> None:
    rules, tally = game(path), Tally()
    is_open, is_short = not hidden(rules), path in (*SMALL, *TEXTS)
    seats, every = min(rules.most, rules.least + 1), 40 if is_open else 3 if is_short else 9
    for number in range(1 if is_open else MATCHES * (1 + is_short)):
        screens = number % 2 == 1
        between = 2 * every if screens and not is_short else every
        searched(rules, seats, f"ci {number}", tally, chance=not screens, screens=screens, every=between, horizon=10)
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


@pytest.mark.parametrize("wide", [False, True])
def test_nothing_hidden_reaches_anybody_in_games_by_chance(wide: bool) -> None:
    """Until much was compared, since some break their own rules soon.  Many more: `python -m tests.soak.leaks`."""
    whole = Tally()
    for seed in range(6):
        whole.add(looked_through(seed, wide=wide, every=20))
        if seed and whole.messages > 150:
            break
    assert whole.messages > 150


CONTRADICTED = """game "Contradicted"
    players 2
cards deck of card
    | card | rank | copies |
    | low  | 1    | 2      |
pile heap of card starts deck
value top of card
track way 0..9
each player has
    pieces 2 men of man on way at 0
play
    set top to first heap
    starter always chooses man from (if top.rank above 2 then players.men else starter.men)
    move man up by 1
result: rank players
"""


def test_a_value_that_contradicts_the_question_makes_no_twin() -> None:
    state = start(load_text(CONTRADICTED), seats=2).state
    top = next(slot for slot in range(len(state.values)) if state.setting.path(slot) == "top")
    assert is_askable(state)
    assert not is_askable(with_slots(state, {top: None}))
