"""Value classes as attrs makes them, quick to define and as quick to use.

attrs writes a program for each class and has it compiled whenever Python
starts, which was half of what a command spent before it began.  Here a
program is written and compiled for each *shape* of class, such as "two
arguments, then one that is converted"; a class takes it, with its own names in
place of those of the shape, when it is used for the first time.  To type checkers these are the functions of
attrs, and attrs is told of a class what it asks for, when it asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property, partial
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attrs import asdict as asdict
    from attrs import define as define
    from attrs import evolve as evolve
    from attrs import field as field
    from attrs import fields as fields
    from attrs import frozen as frozen
    from attrs import has as has
else:

    def frozen(made=None, /, **how):
        """As `attrs.frozen`."""
        return partial(_made, True, **how) if made is None else _made(True, made, **how)

    def define(made=None, /, **how):
        """As `attrs.define`."""
        return partial(_made, False, **how) if made is None else _made(False, made, **how)

    def has(kind):
        """As `attrs.has`."""
        return hasattr(kind, "_value_fields")

    def fields(kind):
        """As `attrs.fields`."""
        return kind._value_fields

    def evolve(value, /, **changes):
        """As `attrs.evolve`."""
        for one in value._value_fields:
            if one.init and one.alias not in changes:
                changes[one.alias] = getattr(value, one.name)
        return value.__class__(**changes)

    def asdict(value, recurse=True):
        """As `attrs.asdict`."""
        parts = {one.name: getattr(value, one.name) for one in value._value_fields}
        return {name: _plain(part) for name, part in parts.items()} if recurse else parts


def _plain(value: Any) -> Any:
    if has(type(value)):
        return asdict(value)
    if isinstance(value, dict):
        return {_plain(key): _plain(one) for key, one in value.items()}
    return type(value)(map(_plain, value)) if isinstance(value, tuple | list | set | frozenset) else value


_NONE: Mapping[str, str] = {}
_MISSING: Any = type("_Missing", (), {"__slots__": ()})()


class Field:
    """An attribute; its parts are called as attrs calls them."""

    __slots__ = ("alias", "converter", "default", "eq", "factory", "hash", "init", "kw_only", "name", "repr", "type")
    name: str
    alias: str
    type: Any

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        factory: Callable[[], Any] | None = None,
        converter: Callable[[Any], Any] | None = None,
        init: bool = True,
        repr: bool = True,
        eq: bool = True,
        hash: bool | None = None,
        kw_only: bool = False,
    ) -> None:
        assert default is _MISSING or factory is None, "a default is one value, or made each time"
        assert converter is None or (init and factory is None), "what is converted was given"
        self.default, self.factory, self.converter = default, factory, converter
        self.init, self.repr, self.kw_only = init, repr, kw_only
        self.eq, self.hash = eq, eq if hash is None else hash

    @property
    def is_optional(self) -> bool:
        return self.factory is not None or self.default is not _MISSING


if not TYPE_CHECKING:
    field = Field


# ---------------------------------------------------------------- classes


def _made(is_frozen: bool, written: Any, /, *, eq: bool = True, init: bool = True, kw_only: bool = False) -> Any:
    """A class with slots in place of the one that is written; what that says itself stays as it is."""
    own = tuple(_own_fields(written, kw_only))
    names = {one.name for one in own}
    known = (*(one for one in getattr(written, "_value_fields", ()) if one.name not in names), *own)
    body = {name: value for name, value in vars(written).items() if name not in names | {"__dict__", "__weakref__"}}
    body |= {"_value_fields": known, "__attrs_attrs__": _ToldToAttrs(known), "__slots__": _slots(written, own)}
    body["__replace__"] = evolve
    body["__match_args__"] = tuple(one.name for one in known if one.init and not one.kw_only)
    if is_frozen:
        body |= {"__setattr__": _refuse, "__delattr__": _refuse, "__setstate__": _restore}
    if eq and "__eq__" not in body:
        body["__eq__"] = _Later(_equality)
        body.setdefault("__hash__", _Later(_hashing) if is_frozen else None)
    body.setdefault("__repr__", _shown)
    body.setdefault("__init__" if init else "__attrs_init__", _Later(_frozen_init if is_frozen else _init))
    kind = type(written)(written.__name__, written.__bases__, body)
    _look_into(kind, written)
    return kind


def _own_fields(written: Any, kw_only: bool) -> Iterator[Field]:
    for name, annotation in written.__annotations__.items():
        if str(annotation).startswith("ClassVar"):
            continue
        given = vars(written).get(name, _MISSING)
        one = given if isinstance(given, Field) else Field(default=given)
        one.name, one.alias, one.type, one.kw_only = name, name.lstrip("_"), annotation, one.kw_only or kw_only
        yield one


def _slots(written: Any, own: tuple[Field, ...]) -> tuple[str, ...]:
    """Room for what no class before has; a dictionary for what is worked out once; and to be referred to weakly."""
    bases = written.__mro__[1:-1]
    taken = {name for base in bases for name in getattr(base, "__slots__", ())}
    wanted = [one.name for one in own]
    if any(isinstance(value, cached_property) for value in vars(written).values()):
        wanted.append("__dict__")
    if not any("__weakref__" in vars(base) for base in bases):
        wanted.append("__weakref__")
    return tuple(name for name in wanted if name not in taken)


def _look_into(kind: Any, written: Any) -> None:
    """Functions that mean the class as it was written, as by `super()`, mean the one in its place."""
    for value in vars(kind).values():
        of = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        for cell in getattr(of, "__closure__", None) or ():
            with suppress(ValueError):  # Of a name that has no value yet.
                if cell.cell_contents is written:
                    cell.cell_contents = kind


class _ToldToAttrs:
    """The attributes of a class for attrs and cattrs, made when one of them asks for the first time."""

    __slots__ = ("known", "told")

    def __init__(self, known: tuple[Field, ...]) -> None:
        self.known, self.told = known, None

    def __get__(self, _: object, kind: Any) -> Any:
        if self.told is None:
            import attrs

            made = {one.name: _for_attrs(one) for one in self.known}
            self.told = attrs.fields(attrs.make_class(kind.__name__, made))
        return self.told


def _for_attrs(one: Field) -> Any:
    import attrs

    given: dict[str, Any] = {
        name: getattr(one, name) for name in ("converter", "init", "repr", "eq", "kw_only", "type")
    }
    if one.factory is not None:
        given["factory"] = one.factory
    elif one.default is not _MISSING:
        given["default"] = one.default
    return attrs.field(**given)


# ---------------------------------------------------------------- functions of their own


class _Later:
    """Stands for a function of a class until that is used: of most classes nobody compares two (lazy evaluation)."""

    __slots__ = ("kind", "make", "name")

    def __init__(self, make: Callable[[Any], FunctionType]) -> None:
        self.make = make

    def __set_name__(self, kind: Any, name: str) -> None:
        self.kind, self.name = kind, name

    def __get__(self, instance: Any, _: Any = None) -> Any:
        made = self.make(self.kind)
        setattr(self.kind, self.name, made)
        return made if instance is None else made.__get__(instance)


def _frozen_init(kind: Any) -> FunctionType:
    return _init(kind, is_frozen=True)


def _init(kind: Any, is_frozen: bool = False) -> FunctionType:
    known = kind._value_fields
    code = _beginning(tuple(map(_sort, known)), is_frozen, hasattr(kind, "__attrs_post_init__"))
    names = {f"a_{index}": one.alias for index, one in enumerate(known)}
    made = FunctionType(_renamed(code, [one.name for one in known], names), _needed(code, kind, known))
    made.__module__, made.__qualname__ = kind.__module__, f"{kind.__qualname__}.__init__"
    optional = [one for one in known if one.init and one.is_optional]
    made.__defaults__ = tuple(one.default for one in optional if not one.kw_only)
    made.__kwdefaults__ = {one.alias: one.default for one in optional if one.kw_only}
    return made


def _needed(code: CodeType, kind: Any, known: tuple[Field, ...]) -> dict[str, Any]:
    """What the names of a program stand for that it has for attributes by number: `set_2`, `factory_3`."""
    found = {}
    for name in code.co_names:
        part, _, index = name.rpartition("_")
        if part == "set":
            found[name] = getattr(kind, known[int(index)].name).__set__
        elif part in Field.__slots__:
            found[name] = getattr(known[int(index)], part)
    return found


_VALUES = {
    "given": "a_{0}",
    "converted": "converter_{0}(a_{0})",
    "given or made": "factory_{0}() if a_{0} is default_{0} else a_{0}",
    "made": "factory_{0}()",
    "constant": "default_{0}",
}


def _sort(one: Field) -> tuple[str, bool, bool]:
    """Where the first value of an attribute comes from; whether that is an argument, and one by name alone."""
    if one.init:
        come = "converted" if one.converter else "given or made" if one.factory else "given"
    else:
        come = "made" if one.factory else "constant" if one.is_optional else "later"
    return come, one.init, one.kw_only


@cache
def _beginning(sorts: tuple[tuple[str, bool, bool], ...], is_frozen: bool, goes_on: bool) -> CodeType:
    """`__init__` of a shape: attributes are `b_0`, `b_1`, ..., their arguments `a_0`, `a_1`, ..."""
    first = [f"a_{index}" for index, (_, is_taken, by_name) in enumerate(sorts) if is_taken and not by_name]
    named = [f"a_{index}" for index, (_, is_taken, by_name) in enumerate(sorts) if is_taken and by_name]
    store = "set_{0}(self, {1})" if is_frozen else "self.b_{0} = {1}"
    lines = [store.format(i, _VALUES[come].format(i)) for i, (come, _, _) in enumerate(sorts) if come in _VALUES]
    lines += ["self.__attrs_post_init__()"] * goes_on
    arguments = ", ".join(["self", *first, *["*"] * bool(named), *named])
    return _compiled(f"def __init__({arguments}):", lines or ["pass"])


def _equality(kind: Any) -> FunctionType:
    """Equal are values of one class with equal attributes."""
    same = [one.name for one in kind._value_fields if one.eq]
    return FunctionType(_renamed(_equal(len(same)), same), {})


def _hashing(kind: Any) -> FunctionType:
    hashed = [one.name for one in kind._value_fields if one.hash]
    return FunctionType(_renamed(_hashed(len(hashed)), hashed), {})


@cache
def _equal(count: int) -> CodeType:
    # One by one, not as two tuples: deep values would meet Python's limit sooner.
    same = " and ".join(f"self.b_{index} == other.b_{index}" for index in range(count)) or "True"
    other = ["if other.__class__ is not self.__class__:", "    return NotImplemented"]
    return _compiled("def __eq__(self, other):", [*other, f"return {same}"])


@cache
def _hashed(count: int) -> CodeType:
    parts = "".join(f"self.b_{index}, " for index in range(count))
    return _compiled("def __hash__(self):", [f"return hash(({parts}))"])


def _compiled(head: str, lines: list[str]) -> CodeType:
    """The program of one function, as yet in no namespace."""
    whole = compile("\n    ".join([head, *lines]), "<value class>", "exec")
    return next(part for part in whole.co_consts if isinstance(part, CodeType))


def _renamed(code: CodeType, names: Sequence[str], arguments: Mapping[str, str] = _NONE) -> CodeType:
    """The program of a shape for a class whose attributes are called so."""
    named = {f"b_{index}": name for index, name in enumerate(names)}
    return code.replace(
        co_names=tuple(named.get(name, name) for name in code.co_names),
        co_varnames=tuple(arguments.get(name, name) for name in code.co_varnames),
    )


# ---------------------------------------------------------------- functions that all share


def _shown(self: Any) -> str:
    parts = []
    for one in self._value_fields:  # No generator: deep values would meet Python's limit sooner.
        if one.repr:
            parts.append(f"{one.name}={getattr(self, one.name)!r}")
    return f"{type(self).__qualname__.rpartition('>.')[2]}({', '.join(parts)})"


def _refuse(self: object, name: str, _: object = None) -> None:
    from attrs.exceptions import FrozenInstanceError

    raise FrozenInstanceError


def _restore(self: object, state: Any) -> None:
    """What was pickled or copied: as Python keeps slots, and a dictionary beside them."""
    for values in state if isinstance(state, tuple) else (state,):
        for name, value in (values or {}).items():
            object.__setattr__(self, name, value)
