"""Values by meaning as plain JSON, and digests (SHA-256) of rules and positions.

Numbers of the engine's own never stand here, so that what is written means
the same to every version of it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from rulekit.errors import BadInput
from rulekit.model.game import PAST, Game, Option
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import Pending, State
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref, Value
from rulekit.record import strict_json
from rulekit.record.strict_json import Json
from rulekit.syntax.looks import without_looks


class BadSave(BadInput):
    """A save that cannot be loaded with this game; its text says why."""


def value_to_json(value: Value) -> Json:
    """A value by meaning: a thing is `{kind: key}`, a set is a list."""
    if isinstance(value, Ref):
        return {value.kind: value.key}
    if isinstance(value, tuple):
        return [value_to_json(item) for item in value]
    return value


def value_from_json(data: Json) -> Value:
    """The inverse; raises `BadSave` for what no value is written as."""
    if isinstance(data, list):
        return tuple(value_from_json(item) for item in data)
    if isinstance(data, dict):
        if len(data) != 1 or not all(isinstance(key, str) for key in data.values()):
            raise BadSave("a thing is written as one kind with its key")
        kind, key = next(iter(data.items()))
        return Ref(kind, key)
    if data is None or isinstance(data, bool | int | str):
        return data
    raise BadSave(f"{type(data).__name__} is not the type of a value")


def rules_digest(game: Game) -> str:
    """SHA-256 of the rules text with all that it extends, whatever the files are called and however things look."""
    known: dict[str, str] = game.kept.setdefault("digest", {})
    if not known:
        texts = [without_looks(text) for _, text in game.sources]
        known["rules"] = sha256(strict_json.dumps(texts).encode()).hexdigest()
    return known["rules"]


def state_digest(state: State) -> str:
    """SHA-256 of a position by meaning, hidden things included: the same for equal states, and for no others.

    Of a match that is over it means the same to every version; else it holds places in the rules as code.
    """
    return _digest(state, state.printed_values(), _more(state))


def earlier_digest(state: State) -> str:
    """What logs were ended with before a digest held all that makes states equal."""
    return _digest(state, state.values, {})


def _digest(state: State, values: tuple[Any, ...], more: dict[str, Json]) -> str:
    setting = state.setting
    told = [[setting.path(slot), value_to_json(_meaning(setting, slot, value))] for slot, value in enumerate(values)]
    flow = [state.over, state.ending, state.starter, state.ranks, state.defeated, state.streams]
    asked = [[question.seat, question.name] for question in questions(state)]
    whole = [told, flow, asked, *([more] if more else [])]
    return sha256(strict_json.dumps(whole).encode()).hexdigest()


def _more(state: State) -> dict[str, Json]:
    """The rest of what makes states equal, as far as there is any."""
    setting, last = state.setting, state.last_if_asked()
    found: dict[str, Json] = {
        "last": [] if last is None else [last],
        "undecided": [[setting.path(slot), top, under] for slot, top, under in state.known],
        "open": [
            [value_to_json(setting.ref(row)), None if slot < 0 else setting.path(slot), nth]
            for row, slot, nth in state.opened()
        ],
        "shown": [setting.path(slot) for slot in sorted(state.open_slots)],
        "gone": [setting.path(setting.piece_slot[piece]) for piece in sorted(state.gone)],
        "place": state.place_key() if any(state.place_key()) else [],
    }
    return {name: facts for name, facts in found.items() if facts}


def questions(state: State) -> list[Pending]:
    """All that waits for an answer, in secret blocks too."""
    waiting = [state.pending, *(branch.pending for branch in state.branches)]
    return [question for question in waiting if question is not None]


def _meaning(setting: Setting, slot: int, value: Any) -> Value:
    variable = setting.game.variables[setting.slot_variable[slot]]
    if variable.form in ("piece", "group", *PAST, "list") or value is None:
        return value  # type: ignore[no-any-return]
    if variable.form == "pile":
        return tuple(setting.ref(thing) for thing in value)
    return outward(setting, variable.type, value)


def chosen_options(setting: Setting) -> tuple[tuple[str, Value], ...]:
    """Every option with its value in this match, as `start` takes them; readings by name."""
    return tuple(
        (option.name, option_outward(option, value))
        for option, value in zip(setting.game.options, setting.options, strict=True)
    )


def option_outward(option: Option, value: Any) -> Value:
    """An option's inner value as `start` takes it."""
    return option.readings[value][0] if option.readings else value  # type: ignore[no-any-return]
