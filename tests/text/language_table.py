"""Generate the plural forms and codes of languages from CLDR: `python -m tests.text.language_table`.

It needs Babel, which nothing else needs: `pip install Babel` into an environment of its own, and run this file with it.
A category that whole numbers below a million never have is left out, such as the one for fractions; the last of those
that are left is what all other numbers take.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path
from textwrap import wrap
from typing import Any

TARGET = Path(__file__).parents[2] / "rulekit" / "tools" / "gettext_files" / "language_table.py"
ORDER = ("zero", "one", "two", "few", "many", "other")
NUMBERS = (*range(2000), *range(2000, 1_000_000, 1000))
NOT_WHOLE = "vwftec"
"""Operands of CLDR that are 0 in whole numbers: digits behind the decimal point, and exponents."""
USUAL = {
    "n == 1 ? 0 : 1": "n != 1",
    "n <= 1 ? 0 : 1": "n > 1",
    "n == 0 || n == 1 ? 0 : 1": "n > 1",
}
"""Expressions as gettext and its tools write them."""
_ONE_FORM = "bm bo dz hnj id ig ii ja jv kde kea km ko lkt lo ms my nqo osa sah ses sg su th to tpi wo yo yue zh"
WITHOUT_PLURAL = frozenset(_ONE_FORM.split())
"""Languages of which CLDR says that they have one form; where Babel has no rule it says so of every language."""
HEAD = '''"""Plural forms and codes of languages: generated, do not edit.

Source: CLDR {cldr}, as Babel {version} has it (Unicode Licence v3).  Renew with `python -m tests.text.language_table`.
"""

from __future__ import annotations

'''


def main() -> None:
    from babel import Locale, localedata
    from babel.core import get_global

    found = defaultdict[str, list[str]](list)
    for code in localedata.locale_identifiers():
        language, _, rest = code.partition("_")
        rule = Locale.parse(code).plural_form
        is_regional = bool(rest) and rule.rules != Locale.parse(language).plural_form.rules
        if (not rest or is_regional) and (rule.rules or language in WITHOUT_PLURAL):
            found[plural_line(rule)].append(code)
    names = Locale.parse("en").languages
    codes = sorted({code for code in names if code.isalpha()} | {code for codes in found.values() for code in codes})
    likely = get_global("likely_subtags")
    territories = {key[4:].lower(): value.split("_")[0] for key, value in likely.items() if is_territory(key)}
    spoken = {
        name.lower(): code for code, name in names.items() if len(code) == 2 and name.isalpha() and name.isascii()
    }
    other = {code: right for code, right in get_global("language_aliases").items() if code.isalpha() and right in codes}
    guesses = territories | spoken | other
    del guesses["ewe"]  # A word of a game, which no module may hold.
    wrong = {written: code for written, code in sorted(guesses.items()) if written not in codes}
    TARGET.write_text(
        HEAD.format(version=version("Babel"), cldr=get_global("cldr")["version"]) + module(found, codes, wrong),
        encoding="utf-8",
    )


def is_territory(key: str) -> bool:
    return key.startswith("und_") and len(key) == 6 and key[4:].isalpha()


def plural_line(rule: Any) -> str:
    """Write a rule as the `Plural-Forms` of gettext."""
    used = {rule(number) for number in NUMBERS}
    tags = [tag for tag in ORDER if tag in used]
    conditions = {tag: _condition(tree) for tag, tree in rule.abstract}
    expression = str(len(tags) - 1)
    for index, tag in reversed(list(enumerate(tags[:-1]))):
        expression = f"{conditions[tag]} ? {index} : {expression}"
    expression = USUAL.get(expression, expression)
    return f"nplurals={len(tags)}; plural={f'({expression})' if len(tags) > 1 else '0'};"


def _condition(tree: Any) -> str:
    made = _simplified(tree)
    return {True: "1", False: "0"}.get(made, made) if isinstance(made, bool) else made


def _simplified(tree: Any) -> str | bool:
    """Write a condition in C, with what is fixed in whole numbers left out."""
    kind, parts = tree
    if kind in ("and", "or"):
        left, right = (_simplified(part) for part in parts)
        neutral = kind == "and"
        if isinstance(left, bool):
            return right if left == neutral else left
        if isinstance(right, bool):
            return left if right == neutral else right
        sign = " && " if kind == "and" else " || "
        return sign.join(f"({part})" if kind == "and" and " || " in part else part for part in (left, right))
    if kind == "not":
        inner = parts[0]
        return _relation(inner[1], is_denied=True) if inner[0] == "relation" else _denied(_simplified(inner))
    assert kind == "relation", tree
    return _relation(parts, is_denied=False)


def _denied(made: str | bool) -> str | bool:
    return not made if isinstance(made, bool) else f"!({made})"


def _relation(parts: Any, *, is_denied: bool) -> str | bool:
    _, operand, (_, ranges) = parts
    name, modulus = (operand[0], 0) if operand[0] != "mod" else (operand[1][0][0], operand[1][1][1][0])
    bounds = [(low[1][0], high[1][0]) for low, high in ranges]
    if name in NOT_WHOLE:
        return any(low <= 0 <= high for low, high in bounds) != is_denied
    number = f"n%{modulus}" if modulus else "n"
    tests = []
    for low, high in bounds:
        if low == high:
            tests.append(f"{number} {'!=' if is_denied else '=='} {low}")
        elif is_denied:
            tests.append(f"({number} < {low} || {number} > {high})")
        elif low == 0:
            tests.append(f"{number} <= {high}")
        else:
            tests.append(f"{number} >= {low} && {number} <= {high}")
    return (" && " if is_denied else " || ").join(tests)


def module(found: dict[str, list[str]], codes: list[str], wrong: dict[str, str]) -> str:
    lines = ["PLURALS = {"]
    for line, languages in sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        lines += [f"    {part}" for part in _quoted(line, " ")[:-1]]
        lines += [f"    {_quoted(line, ' ')[-1]}: ("]
        lines += [f"        {part}" for part in _quoted(" ".join(sorted(languages)), " ")] + ["    ),"]
    lines += ["}", '"""By `Plural-Forms` line the codes of the languages that have it."""', ""]
    lines += ["CODES = (", *(f"    {part}" for part in _quoted(" ".join(codes), " ")), ")"]
    lines += ['"""Codes of ISO 639 that CLDR has a name for."""', ""]
    written = " ".join(f"{code}:{language}" for code, language in wrong.items())
    lines += ["OTHER_CODES = (", *(f"    {part}" for part in _quoted(written, " ")), ")"]
    lines += ['"""What people write for a code: its country, its code of three letters, its English name."""', ""]
    return "\n".join(lines)


def _quoted(text: str, end: str) -> list[str]:
    """A text as string literals, one a line."""
    rows = wrap(text, 108, break_on_hyphens=False, break_long_words=False)
    return [f'"{row}{end}"' for row in rows[:-1]] + [f'"{rows[-1]}"']


if __name__ == "__main__":
    sys.exit(main())
