"""The texts that pages of a studio hold and have not saved, so that other pages can offer them.

Input: the texts as pages send them, and the text of the file.  Output: the texts that the file does not hold.  Kept in
memory only; a page keeps its own text in the browser as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock

from rulekit.values import define, field, frozen

MAX_KEPT = 20
"""Texts; the oldest is given up for a newer one."""


@frozen
class UnsavedText:
    """A text of one page.

    read: the version of the file that it was made of.  at: when it was typed, in milliseconds of the page's clock.
    """

    text: str
    read: str
    at: int


@define(eq=False)
class UnsavedTexts:
    """The unsaved text of each page, by the name that the page has for itself."""

    _texts: dict[str, UnsavedText] = field(init=False, factory=dict)
    _lock: Lock = field(init=False, factory=Lock)

    def keep(self, page: str, unsaved: UnsavedText) -> None:
        """Put a page's text in the place of its earlier one."""
        with self._lock:
            self._texts.pop(page, None)
            self._texts[page] = unsaved
            while len(self._texts) > MAX_KEPT:
                del self._texts[next(iter(self._texts))]

    def discard(self, page: str) -> None:
        """Give up the text of a page, if there is one."""
        with self._lock:
            self._texts.pop(page, None)

    def discard_saved(self, text: str | None) -> None:
        """Give up all texts that equal the text of the file."""
        with self._lock:
            for page in [page for page, unsaved in self._texts.items() if unsaved.text == text]:
                del self._texts[page]

    def texts_of_others(self, page: str) -> Mapping[str, UnsavedText]:
        """Return the texts of all other pages, the oldest first."""
        with self._lock:
            return {name: unsaved for name, unsaved in self._texts.items() if name != page}
