"""Tokens of a picture: pieces with what is written on them, and their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from rulekit.model import game as model
from rulekit.play.state.setting import Setting, Thing
from rulekit.play.state.value import Ref
from rulekit.play.view import Seen
from rulekit.syntax.looks import GLYPH
from rulekit.tools.drawing.card_making import Cards, look
from rulekit.tools.drawing.picture import Token
from rulekit.tools.language.display_names import Names, plain

_LETTERS = 3
"""So many letters at most are written on a piece."""


def standing(setting: Setting, seen: Sequence[Seen], names: Names, cards: Cards) -> Iterator[tuple[str, Token]]:
    """Every piece, behind the place that it can stand on."""
    made = list(_each(setting, seen, names, cards))
    short = _beginnings({token.label for _, token in made})
    yield from ((place, evolve(token, label=short[token.label])) for place, token in made)


def _each(setting: Setting, seen: Sequence[Seen], names: Names, cards: Cards) -> Iterator[tuple[str, Token]]:
    initials = _initials(setting.seats)
    for slot, one in enumerate(seen):
        index = setting.slot_variable[slot]
        variable = setting.game.variables[index]
        if variable.form in ("piece", "group"):
            thing = setting.things[setting.piece_first[index] + slot - setting.bases[index]]
            yield variable.place, _token(setting, variable, thing, one, initials, names, cards)


def _token(
    setting: Setting,
    variable: model.Variable,
    thing: Thing,
    seen: Seen,
    initials: Sequence[str],
    names: Names,
    cards: Cards,
) -> Token:
    ref, kind = Ref(thing.kind, thing.key), cards.kind(thing.kind)
    row, title = cards.row(ref), names.ref(ref).removeprefix("the ")
    number = thing.key.rpartition("_")[2] if variable.count > 1 and thing.owner is not None else ""
    sort, name = names.kinds(thing.kind, 1), _nobodys(thing, names)
    label = plain(thing.key) if kind.members else sort
    if thing.owner is not None:
        several = len([v for v in setting.game.variables if v.place == variable.place and v.owner == "player"]) > 1
        owner = plain(setting.seats[thing.owner])
        name = " ".join(filter(None, (owner, sort if several else "", number)))
        label = initials[thing.owner] + (sort[:1].upper() if several else "") + number
    if row is None:
        return Token(ref, seen.path, label, title, thing.kind, thing.owner, "", seen.shown, seen.is_out, name)
    label, colour = look(kind, GLYPH, row) or label, cards.colour(kind, row)
    return Token(ref, seen.path, label, title, thing.kind, thing.owner, colour, seen.shown, seen.is_out, name)


def _beginnings(labels: set[str]) -> dict[str, str]:
    """What of each label is written: all of a short one, of others as much as no other begins with."""
    return {label: label if len(label) <= _LETTERS else _beginning(label, labels - {label}) for label in labels}


def _beginning(label: str, others: set[str]) -> str:
    alone = (n for n in range(1, _LETTERS) if not any(other.startswith(label[:n]) for other in others))
    return label[: next(alone, _LETTERS)].capitalize()


def _nobodys(thing: Thing, names: Names) -> str:
    """What a piece that belongs to nobody is called in a line of text."""
    return names.kinds(thing.kind, 1) if thing.kind == thing.key else plain(thing.key)


def _initials(seats: Sequence[str]) -> tuple[str, ...]:
    """How each seat's pieces are marked: the shortest beginning of its name that no other has, of two letters at most.

    Colours alone would not do for who sees them alike.
    """
    ones = [seat[:1] for seat in seats]
    return tuple(seat[: 1 if ones.count(seat[:1]) == 1 else 2].upper() for seat in seats)
