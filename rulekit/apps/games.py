"""`rulekit games`: the games that ship, by the names that every command takes."""

from __future__ import annotations

import json
from itertools import dropwhile, takewhile
from pathlib import Path

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.diagnostics import Problems
from rulekit.syntax import nodes
from rulekit.syntax.parse import parse
from rulekit.syntax.unparse_expr import written
from rulekit.values import asdict, frozen


@frozen
class _Shipped:
    """What the head of a rules file says.

    about:      the comment above it, in a line; "" where there is none.
    languages:  those into which its text is translated.
    """

    name: str
    title: str
    about: str
    players: str
    author: str
    languages: tuple[str, ...]
    file: str


@click.command("games")
@o.as_json("One JSON object for each game.")
def command(as_json: bool) -> None:
    """List the games that ship with rulekit.

    Every command takes their names, wherever you are:

    \b
    rulekit run NAME
    rulekit simulate NAME --games 1000

    The line below a game is the comment above the `game` of its file.
    To change one, begin a variant of it: `rulekit new my_variant --extends NAME`.
    """
    found = [_described(path) for path in library.shipped_games()]
    if as_json:
        for game in found:
            click.echo(json.dumps(asdict(game), ensure_ascii=False))
        return
    width = max(len(game.name) for game in found)
    for game in found:
        spoken = f"; also in {', '.join(game.languages)}" if game.languages else ""
        click.echo(f"{game.name:{width}}  {game.title}, by {game.author}; {game.players} players{spoken}")
        if game.about:
            click.echo(f"{'':{width}}  {game.about}")


def _described(path: Path) -> _Shipped:
    declared = parse(library.read(path), Problems([])).file.declarations
    head = next(node for node in declared if isinstance(node, nodes.GameHead))
    author = next((fact.author for fact in head.facts if isinstance(fact, nodes.By)), "")
    bounds = next((fact.bounds for fact in head.facts if isinstance(fact, nodes.Players)), None)
    languages = sorted(po.name.split(".")[1] for po in (path.parent / "text").glob(f"{path.stem}.*.po"))
    players = "" if bounds is None else written(bounds).replace("..", " to ")
    return _Shipped(path.stem, head.title, _about(head), players, author, tuple(languages), str(path))


def _about(head: nodes.GameHead) -> str:
    """The comment that stands first above the head of a file, up to an empty line, in a line."""
    above = [part.text.lstrip("#").strip() for part in head.margin.above if isinstance(part, nodes.Comment)]
    return " ".join(takewhile(bool, dropwhile(lambda text: not text, above)))
