"""What a series counted, in words of a language: shares, means, and the names of what came up."""

from __future__ import annotations

from rulekit.diagnostics import printable
from rulekit.tools.tally import Came, Measure, Range
from rulekit.tools.translate import Tongue

_THIN = "\N{NARROW NO-BREAK SPACE}"
_FIGURES = {
    "ties": "ties",
    "without an end": "figure-endless",
    "decisions": "measure-decisions",
    "rounds": "measure-rounds",
    "turns": "measure-turns",
    "lead changes": "measure-lead-changes",
    "spread": "measure-spread",
}
"""What every game has."""
_LOST = {"done": "match-done", "no end": "match-endless", "a rule failed": "match-failed"}


def whole(number: int, tongue: Tongue) -> str:
    """A number with its thousands apart: a comma is a decimal sign in half of the languages."""
    return apart(f"{number:,}", tongue)


def apart(shown: str, tongue: Tongue) -> str:
    """A number that is written with commas, as the language sets its thousands apart."""
    return shown if tongue.is_source else shown.replace(",", _THIN)


def counted(id_: str, number: int, tongue: Tongue, **values: object) -> str:
    """A phrase with a number in it that may be large."""
    return tongue.count(id_, number, **{"count": whole(number, tongue), **values})


def percent(part: Range, tongue: Tongue, width: int = 0) -> str:
    value, low, high = (100 * number for number in (part.value, part.low, part.high))
    return tongue.say("percent", value=f"{value:{width}.1f}", low=f"{low:.1f}", high=f"{high:.1f}")


def points(part: Range, tongue: Tongue) -> str:
    """A difference of two shares, in hundredths."""
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


def lost(why: str, tongue: Tongue) -> str:
    """What became of a match, see `summary.status`."""
    return tongue.say(_LOST[why])


# ---------------------------------------------------------------- names


def figure(name: str, seat: int | None, seats: tuple[str, ...], tongue: Tongue) -> str:
    """A number at the end: `red.score`; without a translation as the rules write it."""
    plain = name.replace("_", " ")
    said = (tongue.words(sort, plain) for sort in ("name", "place", "kind"))
    own = next((words for words in said if words != plain), name)
    return own if seat is None else f"{seats[seat]}.{own}"


def called(name: str, seats: tuple[str, ...], tongue: Tongue) -> str:
    """A figure by its name: `red wins`, `rounds`, `red.score`."""
    if tongue.is_source:
        return name
    if name in _FIGURES:
        return tongue.say(_FIGURES[name])
    seat = next((seat for seat in seats if name == f"{seat} wins"), None)
    if seat is not None:
        return tongue.say("figure-wins", seat=seat)
    owner, _, own = name.partition(".")
    return figure(own, seats.index(owner), seats, tongue) if owner in seats else figure(name, None, seats, tongue)


def bounded(of: Range, tongue: Tongue, *, is_share: bool) -> str:
    """A number with its interval."""
    if not of.known:
        return tongue.say("never-known")
    factor, sign = (100, "%") if is_share else (1, "")
    ends = {"low": f"{factor * of.low:.2f}", "high": f"{factor * of.high:.2f}"}
    return tongue.say("figure-value", value=f"{factor * of.value:.2f}{sign}", **ends)


def came(one: Came, tongue: Tongue) -> str:
    """What came up: an answer to a question, a space, what a card does."""
    if tongue.is_source:
        return one.name
    return _thing(one.label, tongue) if one.kind == "rule" else _answer(one.group, one.label, tongue)


def never(name: str, tongue: Tongue) -> str:
    """What nobody chose, as a tally names it."""
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
