"""The golden files: whole matches by bots, and screens, made anew with `python -m tests.cli.golden`.

Golden-master (approval) testing.  A playthrough says the first position once and then, decision by decision,
what became different.  The diff is to be reviewed.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rulekit import library
from rulekit.bots.players.random_bot import RandomBot
from rulekit.loading import examine
from rulekit.model.game import Game
from rulekit.play.state.match_state import Action, State
from rulekit.play.state.value import notation
from rulekit.record.json_values import state_digest
from rulekit.record.match import started
from rulekit.tools.drawing.picture_making import seen_values
from rulekit.tools.language.display_names import Names
from rulekit.tools.tell.narration import result
from tests.paths import PLAYTHROUGHS, ROOT, SCREENS

MORE_SEATS = {"fuzzy_tiger": (2, 4)}
SEED = "golden"
KEPT = 60
"""So many lines of a screen stand at its beginning and end."""


def games() -> list[Path]:
    """The rules files that ship."""
    return sorted(library.games().glob("*.rules"))


@cache
def loaded(path: Path) -> Game:
    game = examine(path).game
    assert game is not None, f"{path.name} has errors"
    return game


def names_of_playthroughs(path: Path, game: Game) -> dict[str, int]:
    """File name by number of seats."""
    return {f"{path.stem}.{seats}.txt": seats for seats in MORE_SEATS.get(path.stem, (max(2, game.least),))}


def playthrough(game: Game, seats: int) -> str:
    return "\n".join(_lines(game, seats)) + "\n"


def _lines(game: Game, seats: int) -> Iterator[str]:
    match = started(game, seats=seats, seed=SEED)
    yield f"{game.title}, {seats} seats, seed {SEED}"
    before = _values(match.state)
    yield from (f"  {name}: {text}" for name, text in before.items())
    number = 0
    while asked := match.decisions():
        decision, number = asked[0], number + 1
        seat = match.state.setting.seats[decision.seat]
        value = RandomBot(SEED, seat).answer(decision, match.answers(decision.seat))
        yield f"{number}. {seat} {decision.name}: {notation(value)} (of {len(decision.options)})"
        match.act(Action(decision.seat, value))
        after = _values(match.state)
        yield from (f"  {name}: {after[name]}" for name in after if after[name] != before[name])
        before = after
    outcome = match.outcome()
    assert outcome is not None
    yield from result(outcome, Names(match.state.setting))
    yield f"unclear: {', '.join(outcome.unclear) or 'none'}"
    yield f"state {state_digest(match.state)}"


def _values(state: State) -> dict[str, str]:
    result: dict[str, str] = {}
    for seen in seen_values(state, None):
        shown = len(seen.shown) if isinstance(seen.shown, tuple) else 0
        covered = f" + {seen.count - shown} covered" if seen.count and seen.count > shown else ""
        result[seen.path] = "hidden" if seen.hidden and seen.count is None else notation(seen.shown) + covered
    return result


SCREEN_COMMANDS = {
    "run_help.txt": (["run", "--help"], None),
    "run_bots.txt": (["run", "games/fuzzy_tiger.rules", "--seed", "screens"], None),
    "run_human.txt": (
        ["run", "games/fuzzy_tiger.rules", "--seed", "screens", "--seats", "human", "--players", "3"],
        "?\nten\n5\nu\n2\nb\nq\n",
    ),
    "run_json.txt": (["run", "games/fuzzy_tiger.rules", "--seed", "screens", "--json", "--seats", "human"], "3\n"),
}


def screen(arguments: list[str], typed: str | None) -> str:
    """What a command writes on standard output; of a long text the middle is left out."""
    command = [sys.executable, "-m", "rulekit", *arguments]
    done = subprocess.run(command, input=typed or "", capture_output=True, text=True, cwd=ROOT, check=False)
    lines = done.stdout.splitlines()
    if len(lines) > 2 * KEPT:
        lines = [*lines[:KEPT], f"... {len(lines) - 2 * KEPT} lines ...", *lines[-KEPT:]]
    return "\n".join(lines) + "\n"


def main() -> None:
    for path in games():
        game = loaded(path)
        for name, seats in names_of_playthroughs(path, game).items():
            (PLAYTHROUGHS / name).write_text(playthrough(game, seats), encoding="utf-8")
    for name, (arguments, typed) in SCREEN_COMMANDS.items():
        (SCREENS / name).write_text(screen(arguments, typed), encoding="utf-8")


if __name__ == "__main__":
    main()
