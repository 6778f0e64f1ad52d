"""Tokens of a picture: pieces with what is written on them, and their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from rulekit.model import game as model
from rulekit.model.declare.pictures import initials
from rulekit.play.state.setting import Setting, Thing
from rulekit.play.state.value import Ref, Value
from rulekit.play.view import Seen
from rulekit.syntax.looks import GLYPH, NAME
from rulekit.tools.drawing.card_making import Cards, look
from rulekit.tools.drawing.picture import Token
from rulekit.tools.language.display_names import Names, plain
from rulekit.values import evolve, frozen

_LETTERS = 3
"""So many letters at most are written on a piece."""
_NUMBERED = re.compile(r"(\w+) (\d+)")
"""A name that is a word with a number: both are written."""


def standing(setting: Setting, seen: Sequence[Seen], names: Names, cards: Cards) -> Iterator[tuple[str, Token]]:
    """Every piece, behind the place that it can stand on."""
    made = [(piece, _made(setting, seen, piece, names, cards)) for piece in _pieces(setting, names, cards)]
    short = _beginnings({token.label for _, token in made})
    for piece, token in made:
        label = short[token.label]
        make = partial(evolve, token, label=label)
        yield piece.variable.place, names.kept.as_before(("standing", piece.slot), (token, label), make)


@frozen
class _Piece:
    """A slot of a piece.

    shown: the slot of the value by which it is drawn, if that changes; printed: the value, if it does not.
    """

    slot: int
    variable: model.Variable
    thing: Thing
    shown: int | None = None
    printed: Value = None


def _pieces(setting: Setting, names: Names, cards: Cards) -> list[_Piece]:
    return names.kept.as_before("pieces", None, lambda: [*_found(setting, cards)])


def _found(setting: Setting, cards: Cards) -> Iterator[_Piece]:
    for slot, index in enumerate(setting.slot_variable):
        variable = setting.game.variables[index]
        if variable.form in ("piece", "group"):
            number = setting.piece_first[index] + slot - setting.bases[index]
            thing = setting.things[number]
            by = setting.game.pictured.get(thing.kind)
            if by is not None and by.variable is not None:
                yield _Piece(slot, variable, thing, setting.slot(by.variable, setting.things.index(thing)))
            else:
                yield _Piece(slot, variable, thing, None, None if by is None else _printed(thing, by, cards))


def _printed(thing: Thing, by: model.Pictured, cards: Cards) -> Value:
    row = cards.row(Ref(thing.kind, thing.key))
    return None if row is None else cards.value(cards.kind(thing.kind), by.name, row)


def _made(setting: Setting, seen: Sequence[Seen], piece: _Piece, names: Names, cards: Cards) -> Token:
    one = seen[piece.slot]
    painting = None if piece.shown is None else seen[piece.shown]
    value = piece.printed if painting is None else _shown(painting)

    def made() -> Token:
        token = _token(setting, piece.variable, piece.thing, one, initials(setting.seats), names, cards)
        if painting is not None:
            token = evolve(token, painted=painting.shown, painted_path=painting.path)
        return _by_value(setting, value, piece.thing, token, names, cards)

    return names.kept.as_before(("token", piece.slot), (one, painting, value), made)


def _shown(seen: Seen) -> Value:
    return None if seen.hidden else seen.shown


def _token(
    setting: Setting,
    variable: model.Variable,
    thing: Thing,
    seen: Seen,
    marks: Sequence[str],
    names: Names,
    cards: Cards,
) -> Token:
    ref, kind = Ref(thing.kind, thing.key), cards.kind(thing.kind)
    row, title = cards.row(ref), names.ref(ref).removeprefix("the ")
    number = thing.key.rpartition("_")[2] if variable.count > 1 and thing.owner is not None else ""
    sort, name = names.kinds(thing.kind, 1), _nobodys(thing, names)
    label = _called(thing, kind, names) if kind.members else sort
    if thing.owner is not None:
        several = len([v for v in setting.game.variables if v.place == variable.place and v.owner == "player"]) > 1
        owner = names.seat(setting.seats[thing.owner])
        name = " ".join(filter(None, (owner, sort if several else "", number)))
        label = marks[thing.owner] + (sort[:1].upper() if several else "") + number
    if row is None:
        return Token(ref, seen.path, label, title, thing.kind, thing.owner, "", seen.shown, seen.is_out, name)
    label, colour = look(kind, GLYPH, row) or label, cards.colour(kind, row)
    return Token(ref, seen.path, label, title, thing.kind, thing.owner, colour, seen.shown, seen.is_out, name)


def _by_value(setting: Setting, value: Value, thing: Thing, token: Token, names: Names, cards: Cards) -> Token:
    """A piece as it is drawn by a value of its own that changes; as it is where that is nothing, or hidden."""
    shown = setting.game.pictured.get(thing.kind)
    if shown is None:
        return token
    if value in (None, False) or isinstance(value, tuple):
        return token
    text = plain(shown.name) if value is True else names.short(value)
    owned = token.owner is not None
    told = evolve(token, title=f"{token.title}, {text}", name=f"{token.name} {text}" if owned else text)
    if isinstance(value, Ref) and value.kind == "player":
        seat = setting.seats.index(value.key)
        return evolve(told, label=initials(setting.seats)[seat], side=seat)
    row = cards.row(value) if isinstance(value, Ref) else None
    if row is None or not isinstance(value, Ref):
        mark = text[:1].upper() if value is True else text
        return evolve(told, label=f"{token.label}{mark}" if owned else mark)
    of = cards.kind(value.kind)
    letter = look(of, GLYPH, row) or of.members[row].glyph or plain(value.key)
    return evolve(told, label=letter, colour=cards.colour(of, row))


def _beginnings(labels: set[str]) -> dict[str, str]:
    """What of each label is written: all of a short one, of others as much as no other begins with."""
    return {label: label if len(label) <= _LETTERS else _beginning(label, labels - {label}) for label in labels}


def _beginning(label: str, others: set[str]) -> str:
    numbered = _NUMBERED.fullmatch(label)
    if numbered:
        return numbered[1][:_LETTERS] + numbered[2]
    alone = (n for n in range(1, _LETTERS) if not any(other.startswith(label[:n]) for other in others))
    return label[: next(alone, _LETTERS)].capitalize()


def _nobodys(thing: Thing, names: Names) -> str:
    """What a piece that belongs to nobody is called in a line of text."""
    return names.kinds(thing.kind, 1) if thing.kind == thing.key else plain(thing.key)


def _called(thing: Thing, kind: model.Kind, names: Names) -> str:
    """A piece by its key, or by the name that its look gives it."""
    return names.short(Ref(thing.kind, thing.key)) if NAME in kind.looks else plain(thing.key)
