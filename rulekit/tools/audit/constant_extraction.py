"""Extraction of constants: the numbers that rules hold, each with its line, its clauses and what it is about.

Works on syntax alone, before any constant folding, so that every number that
was written is found.  What only another reading than the default would use is
kept and marked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, cast

import attrs
from attrs import evolve, field, frozen

from rulekit.source import NOWHERE, Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import all_cites, walk
from rulekit.syntax.unparse_expr import QUERY, at
from rulekit.tools.audit.numeral_parsing import AT_LEAST, AT_MOST, EXACT

_NUMBER = re.compile(r"-?\d{1,15}")
_CONTAINERS = (
    nodes.Action | nodes.Part | nodes.Deck | nodes.KindBlock | nodes.Step | nodes.Has | nodes.Assume | nodes.GameHead
)
"""Lines whose clauses hold for the lines in them only where those have none."""
_BOUNDS = {"below": (AT_MOST, -1), "at most": (AT_MOST, 0), "above": (AT_LEAST, 1), "at least": (AT_LEAST, 0)}
_DENIED = {"below": "at least", "above": "at most", "at most": "above", "at least": "below"}
_OTHER_WAY = {"below": "above", "above": "below", "at most": "at least", "at least": "at most"}
_LABEL = 60


@frozen
class Constant:
    """One number of the rules.

    bound, limit:  as in `Numeral`: `below 1` is at most 0.
    end:           `at least` and `at most` for the two ends of a range, where no comparison stands beside it.
    homes:         names under which it is declared, outermost first: an action and its step, a deck and its card.
    label:         what it is compared with, added to or a column of.
    clauses:       those that its line carries out.
    unless:        the option on which it depends, if the default reading does not use it.
    sinks:         something is lowered by it.
    is_word:       the rules say it with a word of the language (`first`, `push`), which is its label.
    """

    value: int
    bound: str
    limit: int
    homes: tuple[str, ...]
    label: str
    clauses: tuple[str, ...]
    unless: str = ""
    is_example: bool = False
    is_word: bool = False
    end: str = EXACT
    sinks: bool = False
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen
class _Place:
    """Where the walk is: what a number found here would be called."""

    homes: tuple[str, ...] = ()
    label: str = ""
    near: tuple[str, ...] = ()
    far: tuple[str, ...] = ()
    unless: str = ""
    is_example: bool = False
    op: str = ""
    is_denied: bool = False
    end: str = EXACT
    sinks: bool = False
    line: Span = NOWHERE
    defaults: dict[str, str] = field(factory=dict, repr=False)

    @property
    def clauses(self) -> tuple[str, ...]:
        return self.near or self.far


Found = Iterator[Constant]


def constants(declarations: list[nodes.Declaration]) -> tuple[Constant, ...]:
    """All numbers of a game in the order of its file; those of scenarios that are printed wrong left out."""
    start = _Place(defaults=_defaults(declarations))
    return tuple(found for node in declarations for found in _line(node, start))


def _defaults(declarations: list[nodes.Declaration]) -> dict[str, str]:
    """For every unclear point what holds unless somebody chooses; variants are no readings, and all of them count."""
    options = [node for node in walk(tuple(declarations)) if isinstance(node, nodes.Option) and node.word == "unclear"]
    found = {option.name: reading.name for option in options for reading in option.readings if reading.default}
    flags = {option.name: option.default for option in options if isinstance(option.default, nodes.Flag)}
    return found | {name: "yes" if flag.value else "no" for name, flag in flags.items()}


# ---------------------------------------------------------------- lines


def _line(node: nodes.Line, place: _Place) -> Found:
    if isinstance(node, nodes.Scenario):
        if any(isinstance(scene, nodes.Fails) for scene in node.scenes):
            return
        place = evolve(place, is_example=True)
    inner = _tied(node, place)
    name = _home(node)
    if name:
        inner = evolve(inner, homes=(*place.homes, name), label="")
    handler = _HANDLERS.get(type(node))
    yield from handler(node, inner) if handler else _parts(node, inner)


def _tied(node: nodes.Line, place: _Place) -> _Place:
    own = all_cites(node)
    place = evolve(place, line=node.span)
    if isinstance(node, _CONTAINERS):
        return evolve(place, far=own or place.far)
    return evolve(place, near=tuple(dict.fromkeys((*own, *place.near))))


def _home(node: nodes.Line) -> str:
    if isinstance(node, nodes.Players):
        return "players"
    if isinstance(node, nodes.Part):
        return node.word
    if isinstance(node, nodes.Neutrals):
        return "neutrals"
    named = nodes.Statement | nodes.Ruleset | nodes.Reading | nodes.Show | nodes.Parameter
    name = "" if isinstance(node, named) and not isinstance(node, nodes.Step) else getattr(node, "name", "")
    return str(name)


def _parts(node: Any, place: _Place) -> Found:
    yield from _word(node, place)
    for part in attrs.fields(type(node)):
        if part.name not in ("span", "margin"):
            yield from _value(getattr(node, part.name), place)


def _value(value: object, place: _Place) -> Found:
    if isinstance(value, tuple):
        for item in value:
            yield from _value(item, place)
    elif isinstance(value, nodes.Line):
        yield from _line(value, place)
    elif isinstance(value, nodes.Node):
        yield from _expression(value, place)


def _about(name: str) -> Callable[[Any, _Place], Found]:
    """A handler for lines whose numbers all are about the thing in the field `name`."""

    def handler(node: Any, place: _Place) -> Found:
        value = getattr(node, name)
        label = str(value) if isinstance(value, str) else _said(value)
        yield from _parts(node, evolve(place, label=label))

    return handler


def _change_by(node: nodes.ChangeBy, place: _Place) -> Found:
    yield from _about("target")(node, evolve(place, sinks=node.verb == "lower"))


def _run(node: nodes.Run, place: _Place) -> Found:
    """`do place(ann, 3)`: its numbers are about `place(ann)`, whatever they are."""
    call = node.call
    label = _said(call)
    if isinstance(call, nodes.Call):
        names = [_said(part) for part in call.args if isinstance(part, nodes.Word | nodes.Attribute)]
        label = _said(call.function) + (f"({names[0]})" if names else "")
    yield from _parts(node, evolve(place, label=label))


def _bounded(node: Any, place: _Place) -> Found:
    """Declarations with bounds: `least` and `most` of players, `low` and `high` of everything else."""
    names = ("least", "most") if isinstance(node, nodes.Players) else ("low", "high")
    bounds = getattr(node, "bounds", None)
    if bounds is not None:
        yield from _ends(evolve(place, label=names[0]), bounds.low, None if bounds.high is None else ())
        yield from _ends(evolve(place, label=names[1]), None, bounds.high)
    yield from _each(place, **{part: getattr(node, part, None) for part in ("starts", "at", "arrivals")})


def _each(place: _Place, /, **parts: object) -> Found:
    """The numbers of parts of a line, each about what the part is called."""
    for label, value in parts.items():
        yield from _value(value, evolve(place, label=label))


def _ends(place: _Place, low: object, high: object) -> Found:
    """The numbers at the two ends of a range; what is reckoned out there is no end itself."""
    for value, name in ((low, AT_LEAST if high is not None else EXACT), (high, AT_MOST)):
        yield from _value(value, evolve(place, end=name) if isinstance(value, nodes.Number) else place)


def _capacity(node: nodes.Capacity, place: _Place) -> Found:
    yield from _each(place, spaces=(node.spaces.low, node.spaces.high))
    yield from _ends(evolve(place, label="hold"), None, node.hold)


def _group(node: nodes.PieceGroup, place: _Place) -> Found:
    yield from _made(str(node.count), evolve(place, label="count"), node.span)
    yield from _value(node.at, evolve(place, label="at"))


def _option(node: nodes.Option, place: _Place) -> Found:
    if node.type is not None and isinstance(node.type.range, nodes.Reach):
        yield from _ends(evolve(place, label="low"), node.type.range.low, ())
        yield from _ends(evolve(place, label="high"), None, node.type.range.high)
    yield from _each(place, default=node.default, requires=(*node.readings, *node.guards))


def _member(node: nodes.Member, place: _Place) -> Found:
    deck = place.homes[-1] if place.homes else str(node.kind)
    inner = evolve(place, homes=(*place.homes, f"{deck}[{node.key}]"))
    yield from _made(node.key, evolve(inner, label="key"), node.span)
    yield from _each(inner, **{str(trait.name): trait.value for trait in node.traits})
    yield from _value(node.body, inner)


def _deck(node: nodes.Deck, place: _Place) -> Found:
    header = node.rows[0].cells if node.rows and isinstance(node.rows[0], nodes.Row) else ()
    for row in node.rows[1:]:
        if isinstance(row, nodes.Row):
            yield from _row(row, header, _tied(row, place), str(node.name))
        else:
            yield from _line(row, place)
    yield from _value(node.members, place)


def _row(row: nodes.Row, header: tuple[str, ...], place: _Place, name: str) -> Found:
    inner = evolve(place, homes=(*place.homes, f"{name}[{row.cells[0]}]"))
    for index, (cell, column) in enumerate(zip(row.cells, header, strict=False)):
        for part in _NUMBER.findall(cell):
            yield from _made(part, evolve(inner, label=column), row.cell(index))


def _if(node: nodes.If, place: _Place) -> Found:
    """Arms that the default readings never take are marked; so are all after one that they always take."""
    for arm in node.arms:
        inner = _tied(arm, place)
        yield from _test(arm.test, inner)
        yield from _value(arm.body, _where(arm.test, True, inner))
        place = _where(arm.test, False, place)


def _way(node: nodes.Way, place: _Place) -> Found:
    yield from _test(node.test, place)
    for part in _NUMBER.findall(node.label):
        yield from _made(part, evolve(place, label="label"), node.span)
    yield from _value(node.body, _where(node.test, True, place))


def _change(node: nodes.Change, place: _Place) -> Found:
    inner = evolve(place, homes=(*place.homes, str(node.target)))
    yield from _test(node.test, inner)
    yield from _value(node.body, _where(node.test, True, inner))


def _test(test: nodes.Expr | None, place: _Place) -> Found:
    """The numbers of a condition; none of them matters if the default readings settle it."""
    if test is not None:
        yield from _value(test, place if _holds(test, place.defaults) is None else _off(place, test))


def _where(test: nodes.Expr | None, wanted: bool, place: _Place) -> _Place:
    """The place of what a condition must hold for (or must not), marked if the default readings settle it otherwise."""
    settled = None if test is None else _holds(test, place.defaults)
    return place if settled is None or settled is wanted else _off(place, test)


def _off(place: _Place, test: nodes.Expr | None) -> _Place:
    names = [part.name for part in walk(test) if isinstance(part, nodes.Word) and part.name in place.defaults]
    return place if place.unless else evolve(place, unless=str(names[0]) if names else "another reading")


_HANDLERS: dict[type, Callable[[Any, _Place], Found]] = {
    nodes.Travel: _about("piece"),
    nodes.MoveTo: _about("thing"),
    nodes.ChangeBy: _change_by,
    nodes.Set: _about("target"),
    nodes.Let: _about("name"),
    nodes.Choose: _about("name"),
    nodes.Chance: _about("name"),
    nodes.Declassify: _about("name"),
    nodes.Dice: _about("name"),
    nodes.Different: _about("name"),
    nodes.Answer: _about("who"),
    nodes.Refuse: _about("who"),
    nodes.Run: _run,
    nodes.Use: _about("option"),
    nodes.Players: _bounded,
    nodes.Track: _bounded,
    nodes.Counter: _bounded,
    nodes.Piece: _bounded,
    nodes.PieceGroup: _group,
    nodes.Capacity: _capacity,
    nodes.Option: _option,
    nodes.Member: _member,
    nodes.Deck: _deck,
    nodes.If: _if,
    nodes.Way: _way,
    nodes.Change: _change,
}


# ---------------------------------------------------------------- words that are numbers

_QUARTER = 90
_UNARY = {"first": (1, EXACT), "last": (1, EXACT), "any": (1, AT_LEAST), "no": (0, AT_MOST), "not": (0, EXACT)}
_FIRSTS = ("first_free", "first_gap")
_WAYS = {"orthogonals": 4, "diagonals": 4, "directions": 8}
"""How many a set of ways holds, where a line means all of them."""
_NAMED = {"left": _QUARTER, "right": _QUARTER, "opposite": 2 * _QUARTER}


def _word(node: nodes.Node, place: _Place) -> Found:
    """The number that a word of the language stands for, by what the reference says of it."""
    if isinstance(node, nodes.Unary) and node.op in _UNARY:
        value, bound = _UNARY[node.op]
        yield _spoken(node.op, value, place, node.span, bound)
    elif isinstance(node, nodes.Push) and node.verb == "push":
        yield _spoken("push", 1, place, node.span)
    elif isinstance(node, nodes.Choose) and node.amount is None:
        yield _spoken("chooses", 1, place, node.span)
    elif isinstance(node, nodes.Full) and node.word in ("goes_on", "pushes"):
        yield _spoken(node.word, 1, place, node.span)
    elif isinstance(node, nodes.Action) and any(isinstance(part, nodes.Step) for part in node.body.statements):
        yield _spoken("step", sum(isinstance(part, nodes.Step) for part in node.body.statements), place, node.span)
    elif isinstance(node, nodes.Picture):
        yield _spoken("rows", len(node.rows), place, node.span)
        yield _spoken(
            "columns", max((len(" ".join(row.cells).split()) for row in node.rows), default=0), place, node.span
        )
    elif isinstance(node, nodes.Attribute) and node.name in _NAMED:
        yield _spoken(node.name, _NAMED[node.name], place, node.span)
    elif isinstance(node, nodes.Ordered):
        yield _spoken("by", 1, place, node.keys[0].value.span)
        yield _spoken("keys", len(node.keys), place, node.keys[0].value.span)
    elif isinstance(node, nodes.Extreme):
        yield _spoken("lowest" if node.lowest else "highest", 1, place, node.span)
    elif isinstance(node, nodes.Word) and node.name in _WAYS:
        yield _spoken(str(node.name), _WAYS[node.name], place, node.span)
    elif isinstance(node, nodes.Word) and node.name in _FIRSTS:
        yield _spoken(str(node.name), 1, place, node.span)


def _spoken(word: str, value: int, place: _Place, span: Span, bound: str = EXACT) -> Constant:
    made = _constant(value, evolve(place, label=word, op=""), span)
    return evolve(made, bound=bound, is_word=True)


# ---------------------------------------------------------------- expressions


def _expression(node: nodes.Node, place: _Place) -> Found:
    if isinstance(node, nodes.Number):
        yield _constant(node.value, place, node.span)
    elif isinstance(node, nodes.Unary) and node.op == "-" and isinstance(node.of, nodes.Number):
        yield _constant(-node.of.value, place, node.of.span)
    elif isinstance(node, nodes.Binary) and node.op in _COMPARISONS:
        yield from _value(node.left, evolve(place, label=_said(node.right), op=_OTHER_WAY.get(node.op, "")))
        yield from _value(node.right, evolve(place, label=_said(node.left), op=node.op))
    elif isinstance(node, nodes.Reach | nodes.Amount):
        yield from _ends(place, node.low, node.high)
    elif isinstance(node, nodes.Choice):
        yield from _choice(node, place)
    elif isinstance(node, nodes.Call) and _said(node.function) in _LIMITS:
        yield from _limited(node, place)
    elif isinstance(node, nodes.Cited):
        ids = tuple(cite.id for cite in node.cites)
        yield from _value(node.of, evolve(place, near=tuple(dict.fromkeys((*ids, *place.near)))))
    elif isinstance(node, nodes.Label):
        for part in _NUMBER.findall(node.text):
            yield from _made(part, place, node.span)
    elif isinstance(node, nodes.Binary) and node.op in ("and", "or"):
        yield from _test(node.left, place)
        yield from _test(node.right, place)
    elif isinstance(node, nodes.Unary) and node.op in ("no", "not"):
        yield from _word(node, place)
        yield from _value(node.of, evolve(place, is_denied=not place.is_denied))
    else:
        yield from _parts(node, place)


_LIMITS = {"min": AT_MOST, "max": AT_LEAST}
"""What a number is to the smaller or the larger of it and others."""


def _limited(node: nodes.Call, place: _Place) -> Found:
    for part in node.args:
        is_limit = isinstance(part.of if isinstance(part, nodes.Cited) else part, nodes.Number)
        yield from _value(part, evolve(place, end=_LIMITS[_said(node.function)]) if is_limit else place)


_COMPARISONS = frozenset(("is", "is not", "in", "not in", *_BOUNDS))


def _choice(node: nodes.Choice, place: _Place) -> Found:
    yield from _test(node.test, evolve(place, op=""))
    yield from _value(node.then, _where(node.test, True, place))
    yield from _value(node.other, _where(node.test, False, place))


def _holds(test: nodes.Expr, defaults: dict[str, str]) -> bool | None:
    """Whether a condition holds under the default readings; None if they do not settle it."""
    test = test.of if isinstance(test, nodes.Cited) else test
    if isinstance(test, nodes.Word) and defaults.get(test.name) in ("yes", "no"):
        return defaults[test.name] == "yes"
    if isinstance(test, nodes.Unary) and test.op == "not":
        inner = _holds(test.of, defaults)
        return None if inner is None else not inner
    if isinstance(test, nodes.Binary) and test.op in ("is", "is not"):
        return _is_default(test, defaults)
    if isinstance(test, nodes.Binary) and test.op in ("and", "or"):
        sides = (_holds(test.left, defaults), _holds(test.right, defaults))
        decides = test.op == "or"
        return decides if decides in sides else (None if None in sides else not decides)
    return None


def _is_default(test: nodes.Binary, defaults: dict[str, str]) -> bool | None:
    left, right = test.left, test.right
    if not (isinstance(left, nodes.Word) and isinstance(right, nodes.Word) and left.name in defaults):
        return None
    return (defaults[left.name] == right.name) == (test.op == "is")


def _said(node: object) -> str:
    """An expression as a short label: what a number beside it is about."""
    if isinstance(node, nodes.Number) or not isinstance(node, nodes.Node):
        return ""
    return at(cast(nodes.Expr, node), QUERY)[:_LABEL]


def _made(text: str, place: _Place, span: Span) -> Found:
    """The constant that letters stand for, if they are a number."""
    if _NUMBER.fullmatch(str(text)):
        yield _constant(int(text), place, span)


def _constant(value: int, place: _Place, span: Span) -> Constant:
    op = _DENIED.get(place.op, "") if place.is_denied else place.op
    bound, shift = _BOUNDS.get(op, (EXACT, 0))
    made = Constant(value, bound, value + shift, place.homes, place.label, place.clauses)
    told = evolve(made, unless=place.unless, is_example=place.is_example, end=place.end, sinks=place.sinks)
    return evolve(told, span=span if span.line else place.line)
