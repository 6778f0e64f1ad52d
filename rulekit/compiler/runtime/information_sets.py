"""Information sets: what each seat sees of the storage by declaration, and how the seats end.

A seat's information set is the question, its options, what the seat sees of
the storage, the open answers since the search began and its own.  What was
revealed or told on the way is not in it: a set may be larger than it is, never
smaller.  Inside `secretly each` nothing of other seats is in it, as only these
things may have changed in the meantime.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulekit.compiler.lower.storage.layout import LISTED, Storage
from rulekit.compiler.plan.ir import Plan
from rulekit.model import game as model
from rulekit.model import ops

WORD, NUMBERS, THINGS, SIZE, TOP, THING = range(6)
"""How something is looked at: a word that is a number; a list of numbers or of things; only how long it is; its last
thing; a word that is a thing."""
SHARED = -1


@frozen
class Observable:
    """One word or list of which a seat sees something.

    number:  of the word or list.  owner: the seat that owns it, or SHARED.
    """

    form: int
    number: int
    owner: int


@frozen
class Asking:
    """What of a question enters information sets.

    things: whether its options are things, of which copies are alike.  open: whether all learn the answer."""

    things: bool
    open: bool
    apart: bool


@frozen
class Observer:
    """What every seat observes, and where a search reads how the seats end.

    looks:    by seat.
    asks:     by question of the plan.
    rows:     the printed thing of each thing.
    rank, defeated, leads:  the first of the words for all seats; leads may be None.
    """

    looks: tuple[tuple[Observable, ...], ...]
    asks: tuple[Asking, ...]
    rows: tuple[int, ...]
    rank: int
    defeated: int
    leads: int | None


def observer(plan: Plan, storage: Storage) -> Observer:
    """What the seats of a plan observe, as the rules declare who sees what."""
    setting = storage.setting
    return Observer(
        tuple(tuple(_looks(storage, seat)) for seat in range(setting.players)),
        tuple(_asking(setting.game, question.code, question.place, question.apart) for question in plan.asks),
        tuple(setting.row_of),
        storage.rank,
        storage.defeated,
        storage.leads,
    )


def _asking(game: model.Game, code: int, place: int, apart: bool) -> Asking:
    op = game.codes[code].ops[place]
    assert isinstance(op, ops.Ask | ops.AskWay)
    kind = getattr(op, "type", None)
    kind = getattr(kind, "element", None) or kind
    return Asking(getattr(kind, "name", "") == "thing", not (op.secretly or apart), apart)


def _looks(storage: Storage, seat: int) -> Iterator[Observable]:
    setting = storage.setting
    yield Observable(WORD, storage.starter, SHARED)
    for index, variable in enumerate(setting.game.variables):
        for owner in range(setting.owners(variable)):
            of = owner if variable.owner == "player" else SHARED
            sees = variable.seen in (model.PUBLIC, model.TOP) or (variable.seen == model.OWNER and of == seat)
            if variable.form in LISTED:
                yield Observable(_form(variable, sees), storage.list_base[index] + owner, of)
            elif sees and index in storage.word_base:
                form = THING if variable.type.name == "thing" else WORD
                yield Observable(form, storage.word_base[index] + owner, of)
    for piece, slot in setting.piece_slot.items():
        if setting.game.variables[setting.slot_variable[slot]].seen == model.PUBLIC:
            yield Observable(WORD, storage.pieces + piece, SHARED)


def _form(variable: model.Variable, sees: bool) -> int:
    if not sees:
        return SIZE
    if variable.seen == model.TOP:
        return TOP
    return THINGS if variable.form == "pile" else NUMBERS
