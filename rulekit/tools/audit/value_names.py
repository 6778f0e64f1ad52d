"""Resolution of value names: what an anchors file means by the name of a value of the rules.

A name is a place in the rules, and never the number itself:

    players:least            a number of a declaration: what it is declared as, and what it is about
    distance:high            deck[7]:stirs            act:owner.piece#2
    @CL-1                    the number in the lines that carry out a clause
    @CL-1#2                  the second of several;  @CL-1:owner.piece  the one about something
    open_row:first           a number that the rules say with a word: first, push, chooses, left, …
    "a scenario":score#1     a number of a worked example
    size(TRACK)              how many spaces it has; of the row `table[1..3]`: how many it stands for
    count(option:default)    how many numbers it stands for: the spaces of a list, say
    count(KIND)              how many cards or things there are of a kind
    nth(MEMBER)              which of its kind a card or word is, from 1
    nth(A in B)              which of the numbers named B the number A is, from 1
    count(score, harm)       how many these are: things declared, cards, columns, players of an example
    just NAME                the number alone, where the rules have it as a bound and the book leaves that unsaid
    at least NAME            with a bound that the rules have in another form; `at most` likewise
    other NAME               the number that only another reading or a variant uses
    A + B, A - B, A * B      several together, from left to right, `*` first; one of them may be a bare number
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import prod

from rulekit.diagnostics import closest
from rulekit.errors import BadInput
from rulekit.model.game import Game
from rulekit.source import NOWHERE, Span
from rulekit.tools.constants.constant_values import AT_LEAST, AT_MOST, EXACT, Constant
from rulekit.values import evolve, field, frozen

_DIGITS = 6
_SIGNS = re.compile(r" ([-+*]) ")
_QUALIFIED = re.compile(f"(just|{AT_LEAST}|{AT_MOST}) (.+)")
_OTHER = "other "
_CALL = re.compile(r"(size|count|nth)\(([^()]*)\)")
_NAME = re.compile(
    r'(?:"(?P<scene>[^"]+)"|@(?P<clause>[^:#\s]+)|(?P<home>[^:#"@]+))(?::(?P<label>[^#]+))?(?:#(?P<nth>\d{1,4}))?'
)


class NoValue(BadInput):
    """Nothing in the rules has this name; its text is a sentence for the author of the anchors."""


@frozen
class Value:
    """A value of the rules: bound and limit as in `Numeral`, end and sinks as in `Constant`, and where it stands."""

    value: int
    bound: str
    limit: int
    name: str
    span: Span = field(default=NOWHERE, eq=False, repr=False)
    end: str = EXACT
    sinks: bool = False


@frozen
class Rules:
    """What names are looked up in."""

    game: Game
    constants: tuple[Constant, ...] = field(repr=False)


def value_of(name: str, rules: Rules) -> Value:
    """The value that a name stands for; raises `NoValue`."""
    if all(part.strip().isdigit() for part in _SIGNS.split(name)[::2]):
        raise NoValue(f"`{name}` is only a number; name where the rules have it")
    said = _QUALIFIED.fullmatch(name)
    if said is not None:
        return evolve(_qualified(said[1], value_of(said[2], rules)), name=name)
    if name.startswith(_OTHER):
        kept = tuple(evolve(c, unless="") for c in rules.constants if c.unless)
        return evolve(value_of(name.removeprefix(_OTHER), evolve(rules, constants=kept)), name=name)
    first, *others = _terms(name)
    found = _product(first, rules)
    for sign, term in zip(others[::2], others[1::2], strict=True):
        more = _product(term, rules)
        total = found.value + more.value if sign == "+" else found.value - more.value
        found = Value(total, EXACT, total, name, found.span if found.span.line else more.span)
    return evolve(found, name=name)


def _qualified(word: str, found: Value) -> Value:
    """A value with another bound than where it is written, or with none."""
    if word == "just":
        return evolve(found, value=found.limit, bound=EXACT, end=EXACT)
    return evolve(found, value=found.limit, bound=word)


def _terms(name: str) -> list[str]:
    """Products with the signs between them."""
    parts = _SIGNS.split(name)
    joined = [parts[0]]
    for sign, part in zip(parts[1::2], parts[2::2], strict=True):
        if sign == "*":
            joined[-1] += f" * {part}"
        else:
            joined += [sign, part]
    return joined


def _product(name: str, rules: Rules) -> Value:
    first, *others = [_single(part.strip(), rules) for part in name.split(" * ")]
    if not others:
        return first
    total = prod(part.value for part in (first, *others))
    span = next((part.span for part in (first, *others) if part.span.line), NOWHERE)
    return Value(total, EXACT, total, name, span)


def _single(name: str, rules: Rules) -> Value:
    if name.isdigit() and len(name) <= _DIGITS:
        return Value(int(name), EXACT, int(name), name)
    call = _CALL.fullmatch(name)
    if call is not None:
        return _CALLS[call[1]](call[2], rules)
    match = _NAME.fullmatch(name)
    if match is None:
        raise NoValue(f"`{name}` is no name of a value; numbers themselves are none either")
    found = _selected(match, rules.constants)
    if not found:
        raise NoValue(_unknown(name, match, rules.constants))
    return _chosen(name, match["nth"], found)


def _selected(match: re.Match[str], constants: tuple[Constant, ...]) -> list[Constant]:
    """The constants with a name; worked examples only where nothing else has it."""
    label = match["label"]
    called = [c for c in constants if _is_called(c, match) and not c.unless]
    found = [c for c in called if c.label == label or (label is None and not c.is_word)]
    rules = [constant for constant in found if not constant.is_example]
    return rules if rules and not match["scene"] else found


def _is_called(constant: Constant, match: re.Match[str]) -> bool:
    if match["clause"]:
        return match["clause"] in constant.clauses
    return (match["scene"] or match["home"]) in constant.homes


def _chosen(name: str, nth: str | None, found: list[Constant]) -> Value:
    """One of the constants: the nth, or the only one; several with the same value are one."""
    if nth is not None:
        if not 0 < int(nth) <= len(found):
            raise NoValue(f"`{name}`: there are only {len(found)}")
        return as_value(name, found[int(nth) - 1])
    values = {(constant.value, constant.bound) for constant in found}
    if len(values) > 1:
        listed = ", ".join(f"#{i} {c.value}" for i, c in enumerate(found[:8], 1))
        raise NoValue(f"`{name}` has several numbers: {listed}")
    return as_value(name, found[0])


def as_value(name: str, constant: Constant) -> Value:
    return Value(
        constant.value, constant.bound, constant.limit, name, constant.span, end=constant.end, sinks=constant.sinks
    )


def _unknown(name: str, match: re.Match[str], constants: tuple[Constant, ...]) -> str:
    """Why nothing has a name, and which is near."""
    called = [constant for constant in constants if _is_called(constant, match) and not constant.unless]
    if called:
        labels = sorted({constant.label for constant in called if constant.label})
        return f"`{name}`: its numbers are about {', '.join(labels[:8]) or 'nothing with a name'}"
    near = closest(match["clause"] or match["home"] or match["scene"], _names(constants))
    return f"no number of the rules is called `{name}`" + (f"; did you mean `{near}`?" if near else "")


def _names(constants: Iterable[Constant]) -> set[str]:
    return {name for constant in constants for name in (*constant.homes, *constant.clauses)}


def _size(name: str, rules: Rules) -> Value:
    row = [c for c in rules.constants if c.homes and c.homes[-1] == name.strip() and ".." in name]
    if len(row) >= 2:
        return Value(size := row[1].value - row[0].value + 1, EXACT, size, f"size({name})", row[0].span)
    place = rules.game.places.get(name.strip())
    if place is None or place.high is None:
        raise NoValue(f"`size({name})`: there is no closed track called {name}")
    size = place.high - place.low + 1
    return Value(size, EXACT, size, f"size({name})", place.span)


def _count(names: str, rules: Rules) -> Value:
    """Members of a kind, or of several declared things how many there are."""
    listed = [name.strip() for name in names.split(",")]
    match = _NAME.fullmatch(names.strip())
    if match is not None and (match["label"] or match["clause"]):
        found = _selected(match, rules.constants)
        return Value(len(found), EXACT, len(found), f"count({names})", found[0].span if found else NOWHERE)
    kinds = [kind for kind in rules.game.kinds.values() if kind.members]
    kind = next((kind for kind in kinds if listed in ([kind.name], [kind.set_name])), None)
    if kind is not None:
        total = sum(member.copies for member in kind.members)
        return Value(total, EXACT, total, f"count({names})", kind.members[0].span)
    spans: dict[str, Span] = {variable.name: variable.span for variable in rules.game.variables}
    spans |= {option.name: option.span for option in rules.game.options}
    spans |= {place.name: place.span for place in rules.game.places.values()}
    spans |= {m.key: m.span for k in rules.game.kinds.values() for m in k.members}
    spans |= {trait: k.members[0].span for k in kinds for trait in k.traits}
    spans |= {seat: scenario.span for scenario in rules.game.scenarios for seat in scenario.seats}
    for name in listed:
        if name not in spans:
            raise NoValue(f"`count({names})`: nothing declared is called {name}")
    return Value(len(listed), EXACT, len(listed), f"count({names})", spans[listed[0]])


def _nth(name: str, rules: Rules) -> Value:
    one, _, listed = name.partition(" in ")
    if listed:
        return _nth_number(one.strip(), listed.strip(), rules)
    for kind in rules.game.kinds.values():
        for place, member in enumerate(kind.members, 1):
            if member.key == name.strip():
                return Value(place, EXACT, place, f"nth({name})", member.span)
    raise NoValue(f"`nth({name})`: no kind has a member called {name}")


def _nth_number(one: str, listed: str, rules: Rules) -> Value:
    """The place of one number among those of a name."""
    sought, match = _single(one, rules), _NAME.fullmatch(listed)
    found = _selected(match, rules.constants) if match is not None else []
    for place, constant in enumerate(found, 1):
        if constant.value == sought.value:
            return Value(place, EXACT, place, f"nth({one} in {listed})", sought.span)
    raise NoValue(f"`nth({one} in {listed})`: {sought.value} is none of these numbers")


_CALLS = {"size": _size, "count": _count, "nth": _nth}
