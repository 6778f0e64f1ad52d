"""What `when` a piece lands, enters, leaves or reaches becomes."""

from __future__ import annotations

from rulekit.fast.layout import Unsupported
from rulekit.fast.maker import Maker
from rulekit.model import game as model


def reacting_codes(game: model.Game) -> set[int]:
    return {reaction.code for reaction in game.reactions}


def react(m: Maker) -> None:
    if m.setting.game.reactions:
        raise Unsupported("reactions")
