"""Teams: a line in the head of a game becomes the define `team`, which gives the players of a player's team.

Who plays with whom is known before a match begins, as who sees a variable is.
"""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.model.declare.variables import reads_what_changes
from rulekit.model.resolve import call_expressions
from rulekit.model.resolve.symbol_table import World
from rulekit.model.traversal import parts
from rulekit.model.types import FLAG, NUMBER, PLAYER, UNKNOWN
from rulekit.syntax import nodes

TEAM = "team"
_KEY = "team key"
"""A name that no rule can write."""


def defines(head: nodes.GameHead) -> list[nodes.Declaration]:
    """`define team(player)`, and what is the same for two players of one team."""
    return [define for fact in head.facts if isinstance(fact, nodes.Teams) for define in _defines(fact)]


def _defines(fact: nodes.Teams) -> tuple[nodes.Define, nodes.Define]:
    span, player = fact.span, nodes.Parameter("player", None, span=fact.span)
    of_one, of_other = (
        nodes.Call(nodes.Word(_KEY, span=span), (nodes.Word(name, span=span),), span=span) for name in ("it", "player")
    )
    alike = nodes.Binary("is", of_one, of_other, span=span)
    mates = nodes.Filter(nodes.Word("players", span=span), alike, False, span=span)
    return (
        nodes.Define(_KEY, (player,), fact.key, margin=fact.margin, span=span),
        nodes.Define(TEAM, (player,), mates, margin=fact.margin, span=span),
    )


def declared(world: World, head: nodes.GameHead) -> int | None:
    """The place of the define; None where the head names no teams, or what cannot tell them apart."""
    fact = next((fact for fact in head.facts if isinstance(fact, nodes.Teams)), None)
    if fact is None:
        return None
    key = call_expressions.resolve_define(world, _KEY, fact.span)
    team = call_expressions.resolve_define(world, TEAM, fact.span)
    if key is None or team is None or UNKNOWN in (key[1].type, team[1].type):
        return None
    hint = "players of one team have the same, as in `teams by player.seat mod 2`"
    if key[1].type not in (NUMBER, FLAG, PLAYER) and key[1].type.name != "thing":
        world.error("wrong-type", "a number, a thing, or yes and no tells teams apart", fact.span, hint)
    elif reads_what_changes(world, key[1]):
        title = "this looks at what changes, and who plays with whom is known before the game begins"
        world.error("wrong-type", title, fact.span, "it may look at seats, options and the number of players")
    elif not any(isinstance(part, x.Local) for part in parts(key[1].value)):
        world.error("wrong-type", "this is the same for all players", fact.span, hint)
    return team[0]
