"""State encoding: a state of the reference engine as the storage of a plan, so that both can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.compiler.lower.storage.layout import LISTED, Storage, count_pieces, encoded, encoded_list
from rulekit.compiler.plan.ir import NONE
from rulekit.play.state.match_state import State


def encoded_state(storage: Storage, state: State) -> tuple[list[int], list[list[int]]]:
    """The words and lists that a compiled engine has where the reference engine has this state.

    Not in it: in which list a copy lies where no rule asks, which steps are to be skipped, who answered last where no
    rule asks, and what is revealed, which changes views alone.
    """
    words, lists = list(storage.words), [list(values) for values in storage.lists]
    _match(storage, state, words)
    _variables(storage, state, words, lists)
    _chance(storage, state, words)
    return words, lists


def encoded_options(type_: Any, options: Sequence[Any]) -> list[int]:
    """The options of a question for one thing as a compiled engine has them: sets by their places.

    type_:  of one option.
    """
    if not getattr(type_, "is_set", False):
        return [option if type(option) is int else encoded(option) for option in options]
    return [NONE if option is None else place for place, option in enumerate(options)]


def _match(storage: Storage, state: State, words: list[int]) -> None:
    words[storage.starter] = state.starter
    if storage.order_matters:
        words[storage.last_answer] = encoded(state.last_answer)
    words[storage.ending] = int(state.ending)
    words[storage.places] = len(state.ranks)
    for place, seats in enumerate(state.ranks, 1):
        for seat in seats:
            words[storage.rank + seat] = place
    words[storage.defeats] = len(state.defeated)
    for order, seat in enumerate(state.defeated):
        words[storage.defeated + seat] = order
    for option, word in storage.unclear.items():
        words[word] = int(option in state.unclear)


def _variables(storage: Storage, state: State, words: list[int], lists: list[list[int]]) -> None:
    setting, game = storage.setting, storage.setting.game
    for index, variable in enumerate(game.variables):
        for owner in range(setting.owners(variable)):
            slot = setting.bases[index] + owner
            value: Any = state.values[slot]
            if variable.form in LISTED:
                lists[storage.list_of[slot]] = list(encoded_list(value))
            elif variable.form not in ("piece", "group"):
                words[storage.word_base[index] + owner] = encoded(value)
    for piece, slot in setting.piece_slot.items():
        words[storage.pieces + piece] = encoded(state.values[slot])
        if storage.gone is not None:
            words[storage.gone + piece] = int(piece in state.gone)
    count_pieces(storage, words)
    for number, slot in enumerate(state.lies if storage.notes_lies else ()):
        words[storage.lies + setting.copy_base + number] = -1 if slot < 0 else storage.list_of[slot]


def _chance(storage: Storage, state: State, words: list[int]) -> None:
    known = {storage.list_of[slot]: (top, under) for slot, top, under in state.known}
    for number, word in storage.known.items():
        words[word], under = known.get(number, (NONE, 0))
        if number in storage.under:
            words[storage.under[number]] = under
    for name, draws in state.streams:
        words[storage.first_draw + storage.stream(name)] = draws


def answer_places(options: Sequence[Any], answer: Any, *, several: bool) -> tuple[int, ...]:
    """Where an answer stands among the options; of several things in rising order."""
    if not several:
        return (options.index(answer),)
    left = list(range(len(options)))
    for item in answer:
        left.remove(next(place for place in left if options[place] == item))
    return tuple(place for place in range(len(options)) if place not in left)
