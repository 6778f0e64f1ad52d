"""Language codes as gettext writes them (`it`, `pt_BR`, `sr@latin`), and the plural forms of languages."""

from __future__ import annotations

import re
from functools import cache

from rulekit.tools.gettext_files.language_table import CODES, OTHER_CODES, PLURALS

_PARTS = re.compile(
    r"(?P<language>[A-Za-z]{2,3})"
    r"([-_](?P<script>[A-Za-z]{4}))?([-_](?P<country>[A-Za-z]{2}|\d{3}))?(@(?P<modifier>[A-Za-z]+))?"
)
_DEFAULT = "nplurals=2; plural=(n != 1);"


def canonical_code(written: str) -> str:
    """Write a code as gettext does: `pt-br` is `pt_BR`, `IT` is `it`; what is no code stays as it is."""
    found = _PARTS.fullmatch(written.strip())
    if found is None:
        return written
    parts = [found["language"].lower(), (found["script"] or "").title(), (found["country"] or "").upper()]
    modifier = f"@{found['modifier'].lower()}" if found["modifier"] else ""
    return "_".join(filter(None, parts)) + modifier


def is_language(code: str) -> bool:
    """Return whether a code begins with a language of ISO 639."""
    return _language(canonical_code(code)) in _codes()


def nearest_code(written: str) -> str:
    """Return the code of the language that may have been meant, "" if that is not known.

    Codes of countries, English names and codes of three letters are known: `jp`, `japanese` and `jpn` for `ja`.
    """
    code = canonical_code(written)
    if is_language(code):
        return code
    others = dict(pair.split(":") for pair in OTHER_CODES.split())
    name = _language(code).lower()
    return others.get(name, "")


def is_same_language(one: str, other: str) -> bool:
    """Return whether two codes name one language; a code without a script or country fits any.

    English names are taken for their codes, as `Italian` for `it`.
    """
    first, second = (_PARTS.fullmatch(nearest_code(code) or canonical_code(code)) for code in (one, other))
    if first is None or second is None:
        return one == other
    return all(
        first[part] == second[part] or (part != "language" and not (first[part] and second[part]))
        for part in ("language", "script", "country", "modifier")
    )


def plural_line(code: str) -> str:
    """Return the `Plural-Forms` of a language, that of English if it is not known."""
    code = canonical_code(code)
    lines = _lines()
    return lines.get(code.partition("@")[0]) or lines.get(_language(code)) or _DEFAULT


def _language(code: str) -> str:
    return re.split("[_@]", code)[0]


@cache
def _codes() -> frozenset[str]:
    return frozenset(code for code in CODES.split() if "_" not in code)


@cache
def _lines() -> dict[str, str]:
    return {code: line for line, codes in PLURALS.items() for code in codes.split()}
