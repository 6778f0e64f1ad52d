"""What a scenario says is refused, in plain words and texts: each must name something that can be chosen.

What nobody could ever choose is always refused, so a slip would never show.
"""

from __future__ import annotations

import re
from itertools import chain

from rulekit.model import words
from rulekit.model.world import World
from rulekit.syntax import nodes
from rulekit.syntax.walk import walk

_NUMBERED = re.compile(r"_\d+$")
_SHORT_TEXT = re.compile(r"\S*[^a-z_\s]\S*|.* in .*")
"""Texts that stand for things without a name: `4,-2`, `[3, 5]`, `8 in red.hand`."""


def check_refused(world: World, seats: tuple[str, ...], reply: nodes.Expr | nodes.Label) -> None:
    """Adds `unknown-name` for a plain answer that names no thing, player, direction or way."""
    names = {*_names(world), *seats}
    if isinstance(reply, nodes.Label):
        if reply.text not in names | world.ways and not _SHORT_TEXT.fullmatch(reply.text):
            world.unknown(reply.text, reply.span, "way to choose", world.ways)
        return
    for part in walk(reply):
        if isinstance(part, nodes.Word) and not {part.name, _NUMBERED.sub("", part.name)} & names:
            world.unknown(part.name, part.span, "answer", {name for name in names if name[0].isalpha()})


def _names(world: World) -> set[str]:
    """The keys of all things that do not belong to a player, and the directions."""
    keys = chain.from_iterable((member.key for member in kind.members) for kind in world.kinds.values())
    pieces = (variable.name for variable in world.variables if variable.form in ("piece", "group"))
    return {*keys, *pieces, *words.DIRECTIONS, "neutral"}
