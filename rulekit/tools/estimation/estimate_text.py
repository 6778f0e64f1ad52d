"""Estimates and counted things as text in a language: shares, means, intervals, and the names of what was counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.diagnostics import printable
from rulekit.tools.estimation.aggregates import Measure, Occurrence
from rulekit.tools.estimation.confidence_intervals import Estimate
from rulekit.tools.language.messages import PHRASES
from rulekit.tools.language.translation import Tongue

SHARES = {"ties": "ties", "failed": "figure-failed", "who begins wins": "figure-beginner"}
"""Shares of matches that are told of every game, with the phrases for them."""
_UNFINISHED = {"done": "match-done", "endless": "match-endless", "failed": "match-failed"}


def percent(part: Estimate, tongue: Tongue, width: int = 0) -> str:
    value, low, high = (100 * number for number in (part.value, part.low, part.high))
    return tongue.say("percent", value=f"{value:{width}.1f}", low=f"{low:.1f}", high=f"{high:.1f}")


def points(part: Estimate, tongue: Tongue) -> str:
    """A difference of two shares, in percentage points."""
    value, low, high = (100 * number for number in (part.value, part.low, part.high))
    return tongue.say("hundredths", value=f"{value:+6.2f}", low=f"{low:+.2f}", high=f"{high:+.2f}")


def mean(measure: Measure, tongue: Tongue) -> str:
    if not measure.count:
        return tongue.say("never-known")
    found = measure.mean()
    return tongue.say(
        "mean-and-spread",
        mean=f"{found.value:.2f}",
        half=f"{(found.high - found.low) / 2:.2f}",
        deviation=f"{measure.deviation():.2f}",
        least=measure.least,
        most=measure.most,
    )


def unfinished_id(why: str) -> str:
    """The phrase for the end of a match.  why: as `status` has it."""
    return _UNFINISHED[why]


def aligned(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Names with what is told of each, one under the other."""
    pairs = list(told)
    width = max((len(name) for name, _ in pairs), default=0)
    yield from (f"{name:{width}}  {text}" for name, text in pairs)


# ---------------------------------------------------------------- names


def phrase_id(kind: str, name: str) -> str:
    """The phrase about a measure that every game has: phrases are called after it.  kind: what is said."""
    return f"{kind}-{name.replace(' ', '-')}"


def figure(name: str, seat: int | None, seats: tuple[str, ...], tongue: Tongue) -> str:
    """A number at the end: `red.score`; without a translation as the rules write it."""
    plain = name.replace("_", " ")
    said = (tongue.words(sort, plain) for sort in ("name", "place", "kind"))
    own = next((words for words in said if words != plain), name)
    return own if seat is None else f"{seats[seat]}.{own}"


def display_name(name: str, seats: tuple[str, ...], tongue: Tongue) -> str:
    """A figure by its name: `red wins`, `rounds`, `red.score`."""
    if tongue.is_source:
        return name
    if name in SHARES:
        return tongue.say(SHARES[name])
    if (id_ := phrase_id("measure", name)) in PHRASES:
        return tongue.say(id_)
    seat = next((seat for seat in seats if name == f"{seat} wins"), None)
    if seat is not None:
        return tongue.say("figure-wins", seat=seat)
    owner, _, own = name.partition(".")
    return figure(own, seats.index(owner), seats, tongue) if owner in seats else figure(name, None, seats, tongue)


def bounded(of: Estimate, tongue: Tongue, *, is_share: bool) -> str:
    """A number with its interval."""
    if not of.known:
        return tongue.say("never-known")
    factor, sign = (100, "%") if is_share else (1, "")
    ends = {"low": f"{factor * of.low:.2f}", "high": f"{factor * of.high:.2f}"}
    return tongue.say("figure-value", value=f"{factor * of.value:.2f}{sign}", **ends)


def occurrence(one: Occurrence, tongue: Tongue) -> str:
    """What came up: an answer to a question, a space, what a card does."""
    if tongue.is_source:
        return one.name
    return _thing(one.label, tongue) if one.kind == "rule" else _answer(one.group, one.label, tongue)


def never_chosen(name: str, tongue: Tongue) -> str:
    """The name of something that nobody ever chose.  name: as `Tally.never_chosen` has it."""
    group, colon, label = name.partition(": ")
    return name if tongue.is_source or not colon else _answer(group, label, tongue)


def _answer(group: str, label: str, tongue: Tongue) -> str:
    return f"{tongue.words('asked', group.replace('_', ' '))}: {_titled(label, tongue)}"


def _titled(label: str, tongue: Tongue) -> str:
    """`3 Sail`: the title in the language; the words of a way; else as it is."""
    key, _, title = label.partition(" ")
    same = (forms[0] for (id_, text), forms in tongue.texts.items() if text == title and id_.endswith(f" {key}"))
    found = next(same, "")
    return f"{printable(key)} {found}" if found else tongue.words("way", label)


def _thing(label: str, tongue: Tongue) -> str:
    """`card 3`."""
    kind, _, key = label.partition(" ")
    return tongue.text(f"one {kind}", f"{kind.replace('_', ' ')} {{title}}", title=key) if key else label
