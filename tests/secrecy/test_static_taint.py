"""Where a watched match stops because something shows a secret, `check` has said so, with the line."""

from __future__ import annotations

from random import Random

import pytest

from rulekit import Action, Game, RuleError, apply, decisions, start
from rulekit.bots.players.random_bot import RandomBot
from rulekit.diagnostics import Diagnostic
from rulekit.loading import examine_text
from rulekit.model.check.taint_flow import revealed_in
from rulekit.source import Source
from tests.generators.random_rules import rules_by_chance
from tests.generators.random_wide_rules import wide_rules_by_chance
from tests.secrecy.test_views import LEAK, OWN
from tests.sizes import IS_LONG

SHOWN = ("secret-branch", "secret-shown")
MANY = 150 if IS_LONG else 25


def with_a_secret(text: str, seed: int) -> str:
    """A game by chance in which something of the players that was public is now seen by its owner alone."""
    lines = text.split("\n")
    first = lines.index("each player has") + 1
    last = next(place for place in range(first, len(lines)) if not lines[place].startswith("    "))
    public = [
        place
        for place in range(first, last)
        if lines[place].split()[0] in ("counter", "flag", "pile") and "seen" not in lines[place]
    ]
    place = Random(seed).choice(public)
    lines[place] += ", seen by owner"
    return "\n".join(lines)


def warned(text: str) -> tuple[Game, list[Diagnostic]]:
    loaded = examine_text(Source("secret.rules", text))
    assert loaded.game is not None, loaded.findings
    return loaded.game, [finding for finding in loaded.findings if finding.code in SHOWN]


def stopped(game: Game, seed: str) -> int | None:
    """The line at which a checked match stops, if something shows a secret in its first decisions."""
    try:
        step = start(game, seats=2, seed=seed, checked=True)
        bots = [RandomBot(seed, name) for name in step.state.setting.seats]
        for turn in range(60):
            if not (waiting := decisions(step.state)):
                break
            asked = waiting[0]
            step = apply(step.state, Action(asked.seat, bots[asked.seat].answer(asked, turn)))
    except RuleError as fault:
        return fault.span.line if fault.code == "secret-shown" else None
    return None


def test_check_tells_whatever_stops_a_match_by_chance() -> None:
    stops = left = 0
    for seed in range(MANY):
        for made in (rules_by_chance, wide_rules_by_chance):
            game, findings = warned(with_a_secret(made(seed), seed))
            line = stopped(game, "secret")
            if line is not None and line not in {finding.span.line for finding in findings}:
                # Whether what a rule reveals is hidden again, by a card that comes later, depends on the play.
                assert revealed_in(game), (seed, made, line)
                left += 1
            stops += line is not None
    assert left <= MANY / 20, "few stops are left to the play"
    assert stops > MANY / 2


@pytest.mark.parametrize(
    "rule",
    [
        "    each player: set shown to player.secret",
        "    let much be sum of secret over players\n    raise shown by much",
        "    set starter to first (players by secret)",
        "    each p in players where it.secret is 2\n        raise shown by 1",
        "    defeat players where it.secret is 2",
    ],
)
def test_check_tells_what_shows_a_secret(rule: str) -> None:
    game, findings = warned(LEAK.format(declared=OWN, rule=rule))
    assert {finding.code for finding in findings} & set(SHOWN)
    assert stopped(game, "leak") in {finding.span.line for finding in findings}


def test_what_is_done_in_secret_shows_nothing() -> None:
    rule = "    secretly each player\n        do think(player)"
    action = "action think(one of player)\n    if one.secret is 1: set one.secret to 2\n"
    text = LEAK.format(declared=OWN, rule=rule).replace("play\n", f"{action}play\n")
    game, findings = warned(text)
    assert findings == []
    assert stopped(game, "leak") is None
