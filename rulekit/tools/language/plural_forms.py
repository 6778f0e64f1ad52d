"""The `Plural-Forms` header of gettext as a function, by a parser of its own: nothing of the file is ever run.

The line is a C expression: numbers, `n`, arithmetic, comparison, logic, `? :`.
A recursive-descent parser makes closures of it; their results are checked for
the first thousand numbers.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from rulekit.values import define

Form = Callable[[int], int]
_LINE = re.compile(r"\s*nplurals\s*=\s*([1-6])\s*;\s*plural\s*=\s*([^;]+);?\s*")
_TOKEN = re.compile(r"\d{1,9}|n|\|\||&&|[=!<>]=|[-+*/%<>!?:()]")
_TRIED = 1000
_DEEPEST = 30
_LONGEST = 200

_LEVELS: tuple[dict[str, Callable[[int, int], int]], ...] = (
    {"||": lambda a, b: bool(a or b)},
    {"&&": lambda a, b: bool(a and b)},
    {"==": operator.eq, "!=": operator.ne},
    {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge},
    {"+": operator.add, "-": operator.sub},
    {"*": operator.mul, "/": operator.floordiv, "%": operator.mod},
)


def plural_forms(line: str) -> tuple[int, Form] | None:
    """How many forms there are, and which one a number takes; None if the line says no such thing."""
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    count = int(match[1])
    try:
        form = _Reader(_tokens(match[2])).whole()
        if all(0 <= form(number) < count for number in range(_TRIED)):
            return count, lambda number: _within(form, abs(number), count)
    except (ValueError, ZeroDivisionError, IndexError):
        pass
    return None


def _within(form: Form, number: int, count: int) -> int:
    """The form of any number, as far beyond those that were tried as it may be."""
    try:
        found = form(number)
    except ZeroDivisionError:
        return 0
    return found if 0 <= found < count else 0


def _tokens(text: str) -> list[str]:
    found = _TOKEN.findall(text)
    if len(found) > _LONGEST or "".join(found) != "".join(text.split()):
        raise ValueError(text)
    return found


@define
class _Reader:
    tokens: list[str]
    at: int = 0
    depth: int = 0

    def whole(self) -> Form:
        form = self._choice()
        if self.at != len(self.tokens):
            raise ValueError(self.tokens[self.at])
        return form

    def _take(self, *wanted: str) -> str:
        token = self.tokens[self.at] if self.at < len(self.tokens) else ""
        if token not in wanted:
            return ""
        self.at += 1
        return token

    def _must(self, token: str) -> None:
        if not self._take(token):
            raise ValueError(token)

    def _choice(self) -> Form:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("too deep")
        test = self._level(0)
        if self._take("?"):
            then = self._choice()
            self._must(":")
            other = self._choice()
            self.depth -= 1
            return lambda n: then(n) if test(n) else other(n)
        self.depth -= 1
        return test

    def _level(self, level: int) -> Form:
        if level == len(_LEVELS):
            return self._atom()
        left = self._level(level + 1)
        while token := self._take(*_LEVELS[level]):
            left = _joined(_LEVELS[level][token], left, self._level(level + 1))
        return left

    def _atom(self) -> Form:
        if self._take("!"):
            of = self._atom()
            return lambda n: int(not of(n))
        if self._take("("):
            inner = self._choice()
            self._must(")")
            return inner
        if self._take("n"):
            return lambda n: n
        number = int(self.tokens[self.at])
        self.at += 1
        return lambda n: number


def _joined(do: Callable[[int, int], int], left: Form, right: Form) -> Form:
    return lambda n: int(do(left(n), right(n)))
