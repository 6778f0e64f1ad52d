"""Errors that pages report: of scripts and styles, of loading, and what the content security policy refused."""

from __future__ import annotations

import re
from typing import Any

from attrs import define, field

_REFUSED = re.compile(r"status of (409|429)")
"""A refused answer has this status, which browsers report as an error of loading."""


@define(eq=False)
class ConsoleErrors:
    """The errors of all watched contexts.

    expected:  parts of messages that a test causes on purpose, such as `status of 404`.
    """

    expected: list[str] = field(factory=list)
    _lists: list[list[str]] = field(init=False, factory=list)

    def watch(self, context: Any) -> list[str]:
        """Collect the errors of all pages of a browser context, also of those that it opens later."""
        errors: list[str] = []

        def report(message: Any) -> None:
            if message.type in ("error", "warning") and not _REFUSED.search(message.text):
                errors.append(message.text)

        context.on("console", report)
        context.on("weberror", lambda fault: errors.append(str(fault.error)))
        self._lists.append(errors)
        return errors

    @property
    def unexpected(self) -> list[str]:
        """All errors but the expected, and those of the network: most tests end their server before their pages."""
        passed_over = ("net::ERR_", *self.expected)
        found = [error for errors in self._lists for error in errors]
        return [error for error in found if not any(part in error for part in passed_over)]
