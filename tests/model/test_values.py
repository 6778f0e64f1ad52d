"""Value classes do what attrs does with the same text, and attrs knows them."""

from __future__ import annotations

import copy
import inspect
import pickle
from functools import cached_property
from typing import Any, ClassVar

import attrs
import pytest
from attrs.exceptions import FrozenInstanceError

from rulekit import values


def classes(of: Any) -> dict[str, Any]:
    """Classes of every sort that there is, made by `of`: attrs itself or `rulekit.values`."""

    @of.frozen(kw_only=True)
    class Placed:
        span: int = 0
        cites: tuple[str, ...] = of.field(default=(), eq=False, repr=False)

    @of.frozen
    class Plain(Placed):
        KINDS: ClassVar[int] = 3
        name: str
        number: int = 7
        _inner: list[int] = of.field(factory=list, hash=False)

        def told(self) -> str:
            return f"{super().__repr__()}!"

    @of.frozen
    class Narrower(Plain):
        number: str = "seven"
        more: int = of.field(default=1, converter=int)

    @of.frozen(eq=False)
    class Alone:
        one: int
        twice: int = of.field(init=False)
        kept: dict[str, int] = of.field(init=False, factory=dict, repr=False)
        fixed: str = of.field(init=False, default="x")

        def __attrs_post_init__(self) -> None:
            object.__setattr__(self, "twice", 2 * self.one)

        @cached_property
        def many(self) -> list[int]:
            return [self.one] * 3

    @of.define
    class Changing:
        first: int
        rest: list[int] = of.field(factory=list, kw_only=True)

        def __repr__(self) -> str:
            return "changes"

    @of.frozen(init=False)
    class Own:
        id: str

        def __init__(self, number: int) -> None:
            self.__attrs_init__(str(number))  # type: ignore[attr-defined]

        def __hash__(self) -> int:
            return 5

    @of.define(eq=False)
    class Nothing:
        pass

    every = (Placed, Plain, Narrower, Alone, Changing, Own, Nothing)
    return {one.__name__: one for one in every}


BY_ATTRS, OURS = classes(attrs), classes(values)
MADE: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Placed", (), {}),
    ("Placed", (), {"span": 2, "cites": ("A",)}),
    ("Plain", ("x",), {}),
    ("Plain", ("x", 3, [1]), {"span": 9}),
    ("Plain", (), {"inner": [2], "name": "y"}),
    ("Narrower", ("x", [3], "eight", "12"), {}),
    ("Narrower", ("x",), {"cites": ("B",)}),
    ("Alone", (4,), {}),
    ("Changing", (4,), {"rest": [1, 2]}),
    ("Changing", (5,), {}),
    ("Own", (6,), {}),
    ("Nothing", (), {}),
]


@pytest.fixture(params=MADE, ids=[f"{number}-{case[0]}" for number, case in enumerate(MADE)])
def pair(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    name, taken, named = request.param
    return BY_ATTRS[name](*taken, **named), OURS[name](*taken, **named)


def state(of: Any) -> dict[str, Any]:
    return {one.name: getattr(of, one.name) for one in attrs.fields(type(of))}


def test_values_begin_alike(pair: tuple[Any, Any]) -> None:
    theirs, ours = pair
    assert repr(ours) == repr(theirs)
    assert state(ours) == state(theirs)
    assert attrs.asdict(ours) == attrs.asdict(theirs) == values.asdict(ours)
    assert values.asdict(ours, recurse=False) == attrs.asdict(theirs, recurse=False)


def test_attrs_is_told_what_it_would_have_known(pair: tuple[Any, Any]) -> None:
    theirs, ours = map(type, pair)
    parts = ("name", "alias", "type", "default", "converter", "init", "repr", "eq", "kw_only")

    told = {one.name: [getattr(one, part) for part in parts] for one in attrs.fields(ours)}
    known = {one.name: [getattr(one, part) for part in parts] for one in attrs.fields(theirs)}
    assert told == known
    assert list(told) == list(known) == [one.name for one in values.fields(ours)]
    assert [attrs.has(ours), values.has(ours), values.has(int)] == [True, True, False]
    assert ours.__match_args__ == theirs.__match_args__


@pytest.mark.parametrize("name", BY_ATTRS)
def test_arguments_are_the_same(name: str) -> None:
    theirs, ours = (inspect.signature(of[name]) for of in (BY_ATTRS, OURS))
    told = [(one.name, one.kind, one.default is inspect.Parameter.empty) for one in ours.parameters.values()]
    assert told == [(one.name, one.kind, one.default is inspect.Parameter.empty) for one in theirs.parameters.values()]
    wrong = []
    for of in (BY_ATTRS, OURS):
        with pytest.raises(TypeError) as met:
            of[name](what=1)
        wrong.append(str(met.value).removeprefix("classes.<locals>."))
    assert wrong[0] == wrong[1]


def test_equal_are_values_of_one_class_with_equal_attributes() -> None:
    made = [(name, taken, named) for name, taken, named in MADE]
    for of in (BY_ATTRS, OURS):
        again = [[of[name](*taken, **named) for name, taken, named in made] for _ in range(2)]
        for index, one in enumerate(again[0]):
            same = [other for other in again[1] if one == other]
            assert same == [] if made[index][0] in ("Alone", "Nothing") else same == [again[1][index]], one
    of_plain = OURS["Plain"]
    assert of_plain("x", inner=[1]) != of_plain("x")
    assert hash(of_plain("x", inner=[1])) == hash(of_plain("x"))
    assert of_plain("x") != OURS["Narrower"]("x", number=7)
    assert of_plain("x", cites=("A",)) == of_plain("x")
    assert hash(OURS["Own"](2)) == 5
    with pytest.raises(TypeError):
        hash(OURS["Changing"](1))


def test_what_is_frozen_refuses_and_the_rest_does_not() -> None:
    one = OURS["Plain"]("x")
    with pytest.raises(FrozenInstanceError):
        setattr(one, "name", "y")
    with pytest.raises(FrozenInstanceError):
        delattr(one, "name")
    with pytest.raises(FrozenInstanceError):
        setattr(one, "other", 1)
    other = OURS["Changing"](1)
    other.first = 2
    assert other.first == 2
    with pytest.raises(AttributeError):
        setattr(other, "another", 1)
    assert not hasattr(one, "__dict__")


def test_what_is_worked_out_once_is_kept() -> None:
    one = OURS["Alone"](2)
    assert one.many is one.many
    assert (one.twice, one.many) == (4, [2, 2, 2])
    assert OURS["Plain"]("x").told() == f"{BY_ATTRS['Plain']('x')!r}!"


def test_a_class_may_speak_of_what_comes_after_it() -> None:
    @values.frozen
    class Early:
        def later(self) -> int:
            return late

    late = 3
    assert Early().later() == 3


def test_a_changed_value_is_made_anew(pair: tuple[Any, Any]) -> None:
    theirs, ours = pair
    for name in [one.alias for one in attrs.fields(type(ours)) if one.init and type(ours).__name__ != "Own"]:
        assert state(values.evolve(ours, **{name: 3})) == state(attrs.evolve(theirs, **{name: 3}))
        assert state(attrs.evolve(ours, **{name: 3})) == state(attrs.evolve(theirs, **{name: 3}))


@values.frozen
class Kept:
    name: str
    rest: tuple[int, ...] = ()

    @cached_property
    def length(self) -> int:
        return len(self.rest)


def test_copied_and_pickled_they_are_the_same() -> None:
    one = Kept("x", (1, 2))
    for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert again == one
        assert (again.rest, again.length) == ((1, 2), 2)
    assert Kept.__replace__(one, rest=()) == Kept("x")  # type: ignore[attr-defined]
    match one:
        case Kept(name, rest):
            assert (name, rest) == ("x", (1, 2))
