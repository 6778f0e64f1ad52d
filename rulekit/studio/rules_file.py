"""The rules file on the disk: read, saved whole or not at all, and looked at for changes that others make.

Saving is optimistic (compare and swap): whoever saves names the version of the file that they have read, and is
refused where the file holds another one.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from threading import Lock

from rulekit import library, limits
from rulekit.errors import RulekitError
from rulekit.values import define, field, frozen

GONE, UNREADABLE = "gone", "unreadable"
"""Versions of a file that has no text."""


def version_of(text: str) -> str:
    """The version of a file with this text: a digest."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@frozen
class FileState:
    """A file as it stood at one moment.

    text: None if it was gone, or was no text.  version: as of `version_of`.  serial: goes up with each change.
    """

    text: str | None
    version: str
    serial: int


class Conflict(RulekitError):
    """The file holds another version than the one that was read.  state: the file as it is."""

    def __init__(self, state: FileState) -> None:
        super().__init__(state)
        self.state = state


class TooLong(RulekitError):
    """A text that no command would read again."""


@define(eq=False)
class RulesFile:
    """path: of the file.  state: the file when it was last read or saved.

    on_change: is given every new state, in the order in which they came.
    """

    path: str
    on_change: Callable[[FileState], None] = field(default=lambda state: None, repr=False)
    state: FileState = field(init=False)
    _has_crlf: bool = field(init=False)
    _lock: Lock = field(factory=Lock, init=False)
    """Nobody looks for changes while a text is saved: it would be taken for another's."""

    def __attrs_post_init__(self) -> None:
        text = library.read(self.path).text
        self.state = FileState(text, version_of(text), 1)
        self._has_crlf = library.ends_in_crlf(self.path)

    def look(self) -> FileState:
        """Read the file again."""
        with self._lock:
            return self._look()

    def save(self, text: str, read: str) -> FileState:
        """Write a text; a file that is gone is made again.  read: the version that the text was made of.

        Returns the new state.  Errors: `Conflict` if the file holds another version, or something that is no text;
        `TooLong`; `OSError` (the file is as it was then).
        """
        if len(text.encode("utf-8", "surrogatepass")) > limits.FILE_BYTES:
            raise TooLong(self.path)
        with self._lock:
            state = self._look()
            if state.version not in (read, GONE, version_of(text)):
                raise Conflict(state)
            library.replace(self.path, (text.replace("\n", "\r\n") if self._has_crlf else text).encode("utf-8"))
            return self._put(text, version_of(text))

    def _look(self) -> FileState:
        try:
            text = library.read(self.path).text
            version = version_of(text)
            if version != self.state.version:
                self._has_crlf = library.ends_in_crlf(self.path)
        except library.Unreadable:
            return self._put(None, UNREADABLE if library.is_there(self.path) else GONE)
        return self._put(text, version)

    def _put(self, text: str | None, version: str) -> FileState:
        if version != self.state.version:
            self.state = FileState(text, version, self.state.serial + 1)
            self.on_change(self.state)
        return self.state
