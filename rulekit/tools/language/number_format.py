"""Number formatting in a language: digit grouping, and phrases in the plural form for a number."""

from __future__ import annotations

from rulekit.tools.language.translation import Tongue

_THIN = "\N{NARROW NO-BREAK SPACE}"


def grouped(number: int, tongue: Tongue) -> str:
    """A number with its thousands apart: a comma is a decimal sign in half of the languages."""
    return with_separators(f"{number:,}", tongue)


def with_separators(shown: str, tongue: Tongue) -> str:
    """A number that is written with commas, as the language sets its thousands apart."""
    return shown if tongue.is_source else shown.replace(",", _THIN)


def counted(id_: str, number: int, tongue: Tongue, **values: object) -> str:
    """A phrase with a number in it that may be large."""
    return tongue.count(id_, number, **{"count": grouped(number, tongue), **values})
