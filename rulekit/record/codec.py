"""Serialization of whole states: to canonical JSON and back, with validation.

A state is saved at any decision and loaded with the game it belongs to; a
save of another game is refused.  Nothing is coerced: a field that is missing,
unknown or of another type is an error with its path.  The only module that
knows cattrs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import fields, frozen
from cattrs import Converter
from cattrs.errors import ClassValidationError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.v import transform_error

from rulekit.model.game import Game
from rulekit.model.types import Type
from rulekit.play.engine import prepared
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.event import Event, Told
from rulekit.play.state.match_state import Branch, Pending, State
from rulekit.play.state.setting import Setting, copy_of
from rulekit.play.state.value import Value
from rulekit.record import strict_json
from rulekit.record.json_values import BadSave, chosen_options, questions, rules_digest, value_from_json, value_to_json
from rulekit.record.strict_json import BadJson

VERSION = 1


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
        checked=setting.checked,
        copies=tuple(setting.row_of[setting.copy_base :]),
        state=state,
    )
    return (strict_json.dumps(_CONVERTER.unstructure(save)) + "\n").encode()


def load(data: bytes, game: Game) -> State:
    """The state of a save, to go on with in `game`; raises `BadSave`."""
    try:
        plain = strict_json.loads(data)
    except BadJson as fault:
        raise BadSave(str(fault)) from None
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
    values = {name.name: getattr(save.state, name.name) for name in fields(State)}
    return State(**{**values, "setting": setting})


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
            if not isinstance(pile, tuple) or any(not _is_thing(setting, thing) for thing in pile):
                raise BadSave(f"`{setting.path(slot)}` holds something that is no card of this game")
    for question in questions(state):
        if not -1 <= question.seat < setting.players:
            raise BadSave("a question to a seat that is not there")


def _is_thing(setting: Setting, thing: Any) -> bool:
    return isinstance(thing, int) and not isinstance(thing, bool) and 0 <= thing < len(setting.things)


# ---------------------------------------------------------------- hooks: nothing is coerced


def _exactly(wanted: type) -> Callable[[Any, Any], Any]:
    def hook(data: Any, _: Any) -> Any:
        if type(data) is not wanted:
            raise TypeError(f"expected {wanted.__name__}, found {type(data).__name__}")
        return data

    return hook


def _inner_in(data: Any, _: Any = None) -> Any:
    """An engine's value: number, flag, nothing, or a tuple of these."""
    if isinstance(data, list):
        return tuple(_inner_in(item) for item in data)
    if data is None or type(data) in (int, bool):
        return data
    raise TypeError(f"expected a number, flag, list or null, found {type(data).__name__}")


def _inner_out(value: Any) -> Any:
    return [_inner_out(item) for item in value] if isinstance(value, tuple) else value


def _value_in(data: Any, _: Any = None) -> Value:
    try:
        return value_from_json(data)
    except BadSave as fault:
        raise TypeError(str(fault)) from None


def _inners_in(data: Any, _: Any = None) -> Any:
    result = _inner_in(data)
    if not isinstance(result, tuple):
        raise TypeError("expected a list")
    return result


def _seats_in(data: Any, _: Any = None) -> Any:
    """An audience: a list of seats, or null for everybody."""
    return None if data is None else frozenset(_number(seat) for seat in _listed(data))


def _numbers_in(data: Any, _: Any = None) -> frozenset[int]:
    return frozenset(_number(item) for item in _listed(data))


def _numbers_out(value: frozenset[Any] | None) -> Any:
    return None if value is None else sorted(value)


def _listed(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise TypeError(f"expected a list, found {type(data).__name__}")
    return data


def _number(data: Any) -> int:
    return int(_exactly(int)(data, int))


def _word(data: Any) -> str:
    return str(_exactly(str)(data, str))


def _frames_in(data: Any, _: Any = None) -> tuple[Any, ...]:
    return tuple(_frame_in(item) for item in _listed(data))


def _frame_in(data: Any) -> Any:
    code, pc, kept, skips, secrets = _listed(data)
    steps = frozenset(_word(step) for step in _listed(skips))
    return _number(code), _number(pc), _inners_in(kept), steps, tuple(_secret_in(pair) for pair in _listed(secrets))


def _secret_in(data: Any) -> tuple[int, str]:
    local, source = _listed(data)
    return _number(local), _word(source)


def _frames_out(frames: tuple[Any, ...]) -> Any:
    return [
        [code, pc, _inner_out(kept), sorted(skips), [list(pair) for pair in secrets]]
        for code, pc, kept, skips, secrets in frames
    ]


def _pairs_in(first: Callable[[Any], Any], second: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def hook(data: Any, _: Any) -> Any:
        return tuple((first(a), second(b)) for a, b in map(_listed, _listed(data)))

    return hook


def _shuffled(data: Any) -> tuple[int, int, int]:
    slot, top, under = _listed(data)
    return _number(slot), _number(top), _number(under)


def _list_in(of: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def hook(data: Any, _: Any) -> Any:
        return tuple(of(item) for item in _listed(data))

    return hook


def _optional_in(of: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def hook(data: Any, _: Any) -> Any:
        return None if data is None else of(data)

    return hook


def _type_in(data: Any, _: Any = None) -> Type | None:
    if data is None:
        return None
    name, kind, of = _listed(data)
    return Type(_word(name), _word(kind), _type_in(of))


def _type_out(kind: Type | None) -> Any:
    return None if kind is None else [kind.name, kind.kind, _type_out(kind.of)]


def _plain_list(value: Any) -> Any:
    return [_plain_list(item) for item in value] if isinstance(value, tuple) else value


def _converter() -> Converter:
    """Field by field, since most fields hold values whose types overlap (a flag is a number to Python)."""
    made = Converter(forbid_extra_keys=True)
    for plain in (int, str, bool):
        made.register_structure_hook(plain, _exactly(plain))
    inners = (_inners_in, _inner_out)
    seats = (_seats_in, _numbers_out)
    words = (_list_in(_word), _plain_list)
    numbers = (_list_in(_number), _plain_list)
    frames = (_frames_in, _frames_out)
    _shape(made, Told, value=(_value_in, value_to_json), audience=seats, instead=(_value_in, value_to_json))
    _shape(made, Event, facts=_many(made, Told), clauses=words, audience=seats, span=None)
    _shape(
        made, Pending, options=inners, type=(_type_in, _type_out), labels=words, weights=numbers, clauses=words,
        drawn=inners, pile=(_optional_in(_number), _same), span=None,
    )  # fmt: skip
    pending = _maybe(made, Pending)
    some, known = (_numbers_in, _numbers_out), (_list_in(_shuffled), _plain_list)
    _shape(
        made, Branch, values=inners, lies=numbers, frames=frames, pending=pending, events=_many(made, Event),
        known=known, open_things=some, open_slots=some, gone=some, unclear=some,
    )  # fmt: skip
    _shape(
        made, State, setting=None, values=inners, lies=numbers, frames=frames,
        streams=(_pairs_in(_word, _number), _plain_list), known=known, open_things=some, open_slots=some,
        ranks=(_list_in(lambda place: _list_in(_number)(place, None)), _plain_list), defeated=numbers,
        last_answer=(_optional_in(_number), _same), pending=pending, branches=_many(made, Branch),
        gone=some, arrived=numbers, unclear=some,
    )  # fmt: skip
    options = (_pairs_in(_word, _value_in), lambda pairs: [[name, value_to_json(value)] for name, value in pairs])
    seed, state = (_optional_in(_word), _same), _one(made, State)
    _shape(made, Save, options=options, seats=words, seed=seed, copies=numbers, state=state)
    return made


def _same(value: Any) -> Any:
    return value


def _one(made: Converter, of: type) -> tuple[Any, Any]:
    return (lambda data, _: made.structure(data, of)), made.unstructure


def _maybe(made: Converter, of: type) -> tuple[Any, Any]:
    def structure(data: Any, _: Any) -> Any:
        return None if data is None else made.structure(data, of)

    return structure, lambda value: None if value is None else made.unstructure(value)


def _many(made: Converter, of: type) -> tuple[Any, Any]:
    def structure(data: Any, _: Any) -> Any:
        return tuple(made.structure(item, of) for item in _listed(data))

    return structure, lambda values: [made.unstructure(value) for value in values]


def _shape(made: Converter, of: type, **hooks: tuple[Any, Any] | None) -> None:
    """How one class is written: a pair of hooks for a field, None for one that is left out."""
    chosen = {
        name: override(omit=True) if pair is None else override(struct_hook=pair[0], unstruct_hook=pair[1])
        for name, pair in hooks.items()
    }
    left_out = {name for name, pair in hooks.items() if pair is None}
    structure: Callable[[Any, Any], Any] = make_dict_structure_fn(of, made, **_without_setting(chosen))
    names = {field.name for field in fields(of)} - left_out

    def strictly(data: Any, kind: Any) -> Any:
        if not isinstance(data, dict) or set(data) != names:
            raise TypeError(f"expected the fields {', '.join(sorted(names))}")
        return structure({**data, **dict.fromkeys(left_out & {"setting"})}, kind)

    made.register_structure_hook(of, strictly)
    made.register_unstructure_hook(of, make_dict_unstructure_fn(of, made, **chosen))  # type: ignore[arg-type]


def _without_setting(chosen: dict[str, Any]) -> dict[str, Any]:
    """A setting is not saved but made again; until then there is none."""
    return {**chosen, "setting": override(struct_hook=lambda data, _: data)} if "setting" in chosen else chosen


_CONVERTER = _converter()
