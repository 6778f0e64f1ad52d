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
from rulekit.tools.structure.line_ends import BYTE_ORDER_MARK, with_line_ends
from rulekit.values import define, field, frozen

GONE, UNREADABLE = "gone", "unreadable"
"""Versions of a file that has no text."""


def version_of(text: str) -> str:
    """The version of a file with this text: a digest."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@frozen
class FileState:
    """A file as it stood at one moment.

    text: with LF at the ends of lines; None if it was gone, or was no text.  version: as of `version_of`.
    serial: goes up with each change.
    returns: carriage returns inside lines.  An editor shows them as line ends, and so they are in `text`.
    """

    text: str | None
    version: str
    serial: int
    returns: int = 0


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
    _written: str = field(init=False)
    """The text that the file held last, with its line ends and its byte order mark."""
    _lock: Lock = field(factory=Lock, init=False)
    """Nobody looks for changes while a text is saved: it would be taken for another's."""

    def __attrs_post_init__(self) -> None:
        self._written = library.read_unchanged(self.path)
        self.state = _state(self._written, 1)

    def look(self) -> FileState:
        """Read the file again."""
        with self._lock:
            return self._look()

    def save(self, text: str, read: str) -> FileState:
        """Write a text; a file that is gone is made again.  read: the version that the text was made of.

        Returns the new state.  Errors: `Conflict` if the file holds another version, or something that is no text;
        `TooLong`; `OSError` (the file is as it was then).
        """
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if len(text.encode("utf-8", "surrogatepass")) > limits.FILE_BYTES:
            raise TooLong(self.path)
        with self._lock:
            state = self._look()
            if state.version not in (read, GONE, version_of(text)):
                raise Conflict(state)
            written = with_line_ends(text, self._written)
            content = written.encode("utf-8")
            if len(content) > limits.FILE_BYTES:
                raise TooLong(self.path)
            library.replace(self.path, content)
            self._written = written
            return self._put(_state(written, state.serial + 1))

    def _look(self) -> FileState:
        serial = self.state.serial + 1
        try:
            written = library.read_unchanged(self.path)
        except library.Unreadable:
            return self._put(FileState(None, UNREADABLE if library.is_there(self.path) else GONE, serial))
        self._written = written
        return self._put(_state(written, serial))

    def _put(self, state: FileState) -> FileState:
        if state.version != self.state.version:
            self.state = state
            self.on_change(self.state)
        return self.state


def _state(written: str, serial: int) -> FileState:
    """Return the state of a file that holds a text with these line ends."""
    text = written.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")
    return FileState(text.replace("\r", "\n"), version_of(text), serial, text.count("\r"))
