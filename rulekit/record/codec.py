"""Serialization of whole states: to canonical JSON and back, with validation.

A state is saved at any decision and loaded with the game it belongs to; a
save of another game is refused.  Nothing is coerced: a field that is missing,
unknown or of another type is an error with its path.  The only module that
knows cattrs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args, get_origin

from cattrs import BaseConverter, Converter
from cattrs.errors import ClassValidationError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.v import transform_error

from rulekit.model.game import Game
from rulekit.model.types import Type
from rulekit.play.engine import prepared
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.event import Reasons, Unread
from rulekit.play.state.match_state import State
from rulekit.play.state.setting import copy_of
from rulekit.play.state.value import Ref, Value
from rulekit.record import strict_json
from rulekit.record.json_values import BadSave, chosen_options, questions, rules_digest, value_from_json, value_to_json
from rulekit.record.strict_json import BadJson
from rulekit.values import evolve, fields, frozen, has

VERSION = 3


# ---------------------------------------------------------------- whole states


@frozen
class Save:
    """A state with all that is needed to make its setting again.

    seed:    sixteen hexadecimal digits, or None where the caller answers for chance.
    copies:  the printed member of every copy of a card, in order of making.
    """

    version: int
    rules: str
    title: str
    options: tuple[tuple[str, Value], ...]
    seats: tuple[str, ...]
    seed: str | None
    checked: bool
    copies: tuple[int, ...]
    state: State


def dump(state: State) -> bytes:
    """A state as canonical JSON, with a line end.  It holds every secret of the match."""
    setting = state.setting
    save = Save(
        version=VERSION,
        rules=rules_digest(setting.game),
        title=setting.game.title,
        options=chosen_options(setting),
        seats=setting.seats[: setting.players],
        seed=None if setting.seed is None else f"{setting.seed:016x}",
        checked=setting.watched,
        copies=tuple(setting.row_of[setting.copy_base :]),
        state=state,
    )
    return (strict_json.dumps(_CONVERTER.unstructure(save)) + "\n").encode()


def restore(data: bytes, game: Game) -> State:
    """The state of a save, to go on with in `game`; raises `BadSave`."""
    try:
        plain = strict_json.loads(data)
    except BadJson as fault:
        raise BadSave(f"this is no saved state: {fault}") from None
    if not isinstance(plain, dict) or plain.get("version") != VERSION:
        raise BadSave(f"this is not a state saved in format {VERSION}")
    if plain.get("rules") != rules_digest(game):
        raise BadSave(f"this state of {plain.get('title')!r} was saved under other rules")
    try:
        save = _CONVERTER.structure(plain, Save)
    except ClassValidationError as fault:
        raise BadSave(transform_error(fault, format_exception=_words)[0]) from None
    return _checked(_with_setting(save, game))


def _words(fault: BaseException, kind: type[Any] | None) -> str:
    """The hooks below say what is wrong; for all else the name of the fault does."""
    return str(fault) if isinstance(fault, TypeError | ValueError) else type(fault).__name__


def _with_setting(save: Save, game: Game) -> State:
    try:
        machine = prepared(game, dict(save.options), save.seats, None, checked=save.checked)
    except BadSetup as fault:
        raise BadSave(str(fault)) from None
    setting = machine.setting
    setting.seed = None if save.seed is None else _seed(save.seed)
    made = setting.row_of[setting.copy_base :]
    if tuple(made) != save.copies[: len(made)] or any(not 0 <= row < setting.copy_base for row in save.copies):
        raise BadSave("the copies of cards are not those of this game")
    for row in save.copies[len(made) :]:
        copy_of(setting, row)
    return evolve(save.state, setting=setting)


def _seed(digits: str) -> int:
    if len(digits) != 16 or set(digits) - set("0123456789abcdef"):
        raise BadSave("a seed is sixteen hexadecimal digits")
    return int(digits, 16)


def _checked(state: State) -> State:
    """A state whose numbers all mean something in its game; raises `BadSave`."""
    setting = state.setting
    lies = len(setting.things) - setting.copy_base
    if len(state.values) != len(setting.values) or len(state.lies) != lies:
        raise BadSave("the state has not as many values as this game")
    for branch in state.branches:
        if len(branch.values) != len(setting.values) or len(branch.lies) != lies:
            raise BadSave("a seat's state has not as many values as this game")
        if not 0 <= branch.seat < setting.players:
            raise BadSave("a secret block of a seat that is not there")
    _check_frames(state)
    _check_things(state)
    return state


def _check_frames(state: State) -> None:
    codes = state.setting.game.codes
    for frames in (state.frames, *(branch.frames for branch in state.branches)):
        for code, pc, kept, _, _ in frames:
            if not (0 <= code < len(codes) and 0 <= pc <= len(codes[code].ops) and len(kept) == codes[code].locals):
                raise BadSave("the place in the flow is none of this game")


def _check_things(state: State) -> None:
    setting = state.setting
    for values in (state.values, *(branch.values for branch in state.branches)):
        for slot in setting.pile_slots:
            pile = values[slot]
            known = range(len(setting.things))
            if not isinstance(pile, tuple) or any(type(thing) is not int or thing not in known for thing in pile):
                raise BadSave(f"`{setting.path(slot)}` holds something that is no card of this game")
    for question in questions(state):
        if not -1 <= question.seat < setting.players:
            raise BadSave("a question to a seat that is not there")


# ---------------------------------------------------------------- hooks: nothing is coerced


Hook = Callable[..., Any]
"""Called with what is to be read and the type wanted, which most need not look at."""


def _exactly(wanted: type) -> Hook:
    def hook(data: Any, _: Any = None) -> Any:
        if type(data) is not wanted:
            raise TypeError(f"expected {wanted.__name__}, found {type(data).__name__}")
        return data

    return hook


_listed, _word = _exactly(list), _exactly(str)


def _inner_in(data: Any, _: Any = None) -> Any:
    """An engine's value: number, flag, nothing, or a tuple of these."""
    if isinstance(data, list):
        return tuple(_inner_in(item) for item in data)
    if data is None or type(data) in (int, bool):
        return data
    raise TypeError(f"expected a number, flag, list or null, found {type(data).__name__}")


def _value_in(data: Any, _: Any = None) -> Value:
    try:
        return value_from_json(data)
    except BadSave as fault:
        raise TypeError(str(fault)) from None


def _type_in(data: Any, _: Any = None) -> Type | None:
    if data is None:
        return None
    name, kind, of = _listed(data)
    return Type(_word(name), _word(kind), _type_in(of))


def _type_out(kind: Type) -> list[Any]:
    return [kind.name, kind.kind, None if kind.of is None else _type_out(kind.of)]


def _is_set(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is frozenset


def _is_because(kind: Any) -> bool:
    return Unread in get_args(kind)


def _is_collection(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return _is_set(kind) or origin is tuple


def _collection_in(kind: Any, made: BaseConverter) -> Hook:
    """For a set, a tuple of equals or one of so many fields; each is written as a list."""
    build: Any = get_origin(kind)
    of = get_args(kind)
    hooks = [(made.get_structure_hook(one), one) for one in of if one is not Ellipsis]
    if _is_set(kind) or of[-1] is Ellipsis:
        hook, one = hooks[0]
        return lambda data, _: build(hook(item, one) for item in _listed(data))
    return lambda data, _: tuple(hook(item, one) for (hook, one), item in zip(hooks, _listed(data), strict=True))


def _class_in(kind: Any, made: BaseConverter) -> Hook:
    """For a class: each field must be there, also where it has a default."""
    names = {one.name for one in fields(kind)} - set(_LEFT_OUT)
    again = {"setting": None} if kind is State else {}
    structure = make_dict_structure_fn(kind, made, **_UNTYPED)

    def strictly(data: Any, _: Any) -> Any:
        if not isinstance(data, dict) or set(data) != names:
            raise TypeError(f"expected the fields {', '.join(sorted(names))}")
        return structure({**data, **again}, kind)

    return strictly


_LEFT_OUT = ("span", "setting")
"""Where something stands in the rules is not saved, and a setting is made again."""
_UNTYPED: dict[str, Any] = {
    "span": override(omit=True),
    "setting": override(struct_hook=lambda data, _: data),
    "type": override(struct_hook=_type_in),
}


def _reasons_out(because: Reasons | Unread) -> Any:
    """The reasons themselves, for who goes on with the state; where they could be found is not saved."""
    found = because[0].reasons(because[1]) if isinstance(because, tuple) else because
    return _CONVERTER.unstructure(found, Reasons)


def _class_out(kind: Any, made: BaseConverter) -> Hook:
    left_out: dict[str, Any] = dict.fromkeys(_LEFT_OUT, override(omit=True))
    return make_dict_unstructure_fn(kind, made, **left_out)


def _converter() -> Converter:
    """Everything follows from the fields' types.

    Values are known by what is in their unions: a flag in the engine's, a `Ref` in those by meaning.  Of two hooks that
    fit, the later one counts.
    """
    made = Converter(forbid_extra_keys=True)
    made.register_structure_hook_factory(_is_collection, _collection_in)
    made.register_structure_hook_factory(has, _class_in)
    made.register_unstructure_hook_factory(has, _class_out)
    for plain in (int, str, bool):
        made.register_structure_hook(plain, _exactly(plain))
    made.register_structure_hook_func(lambda kind: bool in get_args(kind), _inner_in)
    made.register_structure_hook_func(lambda kind: Ref in get_args(kind), _value_in)
    made.register_unstructure_hook_func(lambda kind: Ref in get_args(kind), value_to_json)
    made.register_unstructure_hook_func(_is_set, sorted)
    made.register_structure_hook_func(_is_because, lambda data, _: made.structure(data, Reasons))
    made.register_unstructure_hook_func(_is_because, _reasons_out)
    made.register_structure_hook(Type, _type_in)
    made.register_unstructure_hook(Type, _type_out)
    return made


_CONVERTER = _converter()
