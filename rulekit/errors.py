"""Base classes of every exception that the package raises.

`BadInput` is the one answer to the question whose fault it was: a command
ends with its message and its exit code.  Any other exception that reaches the
user is a fault of the program.
"""

from __future__ import annotations

from typing import Any


class RulekitError(Exception):
    """Exception that keeps its class, message and attributes when it is pickled.

    Python rebuilds an exception by calling its class with the message alone, which fails
    where the class takes other arguments; a pool of worker processes then waits for ever.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args), self.__dict__ or None


def _rebuild(kind: type[RulekitError], args: tuple[Any, ...]) -> RulekitError:
    return kind.__new__(kind, *args)


class BadInput(RulekitError):
    """Input that cannot be used: a file, an option, a store, an answer.

    exit_code: exit code of a command that ends with this error.
    """

    exit_code: int = 1

    def report(self) -> str:
        """Return the lines that a command prints for it."""
        return f"error: {self}"


class Interrupted(RulekitError):
    """Work that was broken off because nobody wants its result any more."""
