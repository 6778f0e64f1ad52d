"""`rulekit new`: begins a rules file, a small game that already plays or a variant of one that ships."""

from __future__ import annotations

from pathlib import Path

import click

from rulekit import library
from rulekit.apps.console import Failed

_GAME = """\
game "{title}"
    players 2..4

# What there is.  Every player has a score that everybody sees.
die cube: 1..6
each player has
    counter score 0..

# What happens.  A clause, `> ID words`, says what the lines below it do.
> {id}-1 There are five rounds; in each every player has a turn.
play
    each round in 1..5
        each player: do turn(player)

> {id}-2 On your turn you roll the die, and keep what it shows, or roll once more and have to take that.
action turn(player)
    roll first_roll from cube
    player chooses "Keep it?"
        "keep"
            raise player.score by first_roll
        "roll again"
            roll second_roll from cube
            raise player.score by second_roll

> {id}-3 Whoever has the highest score after five rounds wins.
result: rank players by highest score

# An example that `rulekit test` runs.
scenario "keeping a five"
    players ann, bob
    do turn(ann)
    when chance chooses 5
    when ann chooses "keep"
    expect ann.score is 5
"""

_VARIANT = """\
game "{title}"
    extends "{base}"

# What stands here is added to the rules of {base}, or changes them.  Some ways to do that:
#
# after ACTION                 more behind an action, or before it
#     raise starter.score by 1
# replace counter score 0..20  a line of {base} written anew
#
# `rulekit diff {base} {file}` shows where the two part.
"""


@click.command("new")
@click.argument("name")
@click.option("--extends", "base", metavar="GAME", help="Begin a variant of this game: `rulekit games` lists them.")
def command(name: str, base: str | None) -> None:
    """Begin a rules file NAME.rules in this folder.

    It is a small game that plays, to be changed line by line; or a variant
    of a game that ships.

    \b
    rulekit new my_game
    rulekit new my_variant --extends NAME
    """
    stem = name.removesuffix(".rules")
    if not library.GAME_NAME.fullmatch(stem):
        raise click.UsageError(f"{name[:60]!a}: a name is made of small letters, digits and _, as `my_game`")
    if base is not None and library.find_base(base.removesuffix(".rules"), f"{stem}.rules") is None:
        raise Failed(f"error: there is no game {base[:60]!a} here or among those that ship (`rulekit games`)")
    text = _GAME if base is None else _VARIANT
    facts = {"title": stem.replace("_", " ").title(), "id": _initials(stem), "file": f"{stem}.rules"}
    path = Path(f"{stem}.rules")
    if library.is_there(path):
        raise Failed(f"error: {path} is there already; choose another name, or move it")
    library.write_new(path, text.format(**facts, base="" if base is None else base.removesuffix(".rules")).encode())
    click.echo(f"{path} begun.  Next: rulekit run {path} --seats human,random")


def _initials(stem: str) -> str:
    """`MG` for `my_game`: what the ids of its clauses begin with."""
    return "".join(word[0] for word in stem.split("_") if word and word[0].isalpha()).upper() or "A"
