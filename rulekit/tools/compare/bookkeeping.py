"""Observational equivalence: which values are bookkeeping, so that a difference in them counts by what comes of it.

Two games are the same as long as nothing that is offered, told, shown or
scored differs.  Where pieces and cards lie is seen by everybody, and what the
result or a `show` reads is scored or shown.  Any other value is bookkeeping.
This follows from the rules alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.call_graph import reachable
from rulekit.model.traversal import within
from rulekit.play.state.match_state import State

Cell = tuple[str, str]
"""A variable, by whose it is and by its name."""
_REMEMBERED = ("counter", "flag", "value", "list", *model.PAST)


def bookkeeping(game: model.Game) -> frozenset[Cell]:
    """The variables of a game that are neither scored nor shown; worked out once for a game."""
    found: frozenset[Cell] | None = game.kept.get("bookkeeping")
    if found is None:
        told = set(_told(game))
        kept = [one for at, one in enumerate(game.variables) if one.form in _REMEMBERED and at not in told]
        found = game.kept["bookkeeping"] = frozenset(cell(one) for one in kept)
    return found


def cell(variable: model.Variable) -> Cell:
    return variable.owner, variable.name


def visible(game: model.Game) -> frozenset[Cell]:
    """Bookkeeping that some player may see."""
    seen = frozenset(cell(one) for one in game.variables if one.seen != model.NOBODY and one.form not in model.PAST)
    return bookkeeping(game) & seen


def _told(game: model.Game) -> Iterator[int]:
    """The variables that the result or a `show` reads, by their numbers."""
    shows = {show.name for show in game.shows}
    ops = tuple(game.codes[code].ops for code in reachable(game, {game.result}))
    shown = tuple(define.value for define in game.defines if define.name in shows and not define.parameters)
    for part in within((ops, shown), game.defines):
        if isinstance(part, x.Stored):
            yield part.variable


def differing(a: State, b: State, but: frozenset[Cell]) -> bool:
    """Whether any value differs besides those of some variables; yes, if the two do not lie alike."""
    one, other = a.setting, b.setting
    if len(a.values) != len(b.values):
        return True
    for slot, (value, there) in enumerate(zip(a.values, b.values, strict=True)):
        variable = one.game.variables[one.slot_variable[slot]]
        if cell(variable) != cell(other.game.variables[other.slot_variable[slot]]):
            return True
        if value != there and cell(variable) not in but:
            return True
    return False


def left_different(a: State, b: State) -> frozenset[Cell]:
    """Bookkeeping that somebody may see and that is not the same in two positions."""
    if len(a.values) != len(b.values):
        return frozenset()
    both = visible(a.setting.game) & visible(b.setting.game)
    variables = [a.setting.game.variables[at] for at in a.setting.slot_variable]
    pairs = zip(variables, a.values, b.values, strict=True)
    return frozenset(cell(one) for one, value, there in pairs if value != there) & both
