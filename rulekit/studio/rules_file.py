"""The rules file on the disk: read, saved whole or not at all, and looked at for changes that others make.

Saving is optimistic: it is refused where the file holds another text than the one that was edited.
"""

from __future__ import annotations

from threading import Lock

from rulekit import library, limits
from rulekit.errors import RulekitError
from rulekit.values import define, field


class Conflict(RulekitError):
    """The file was changed by somebody else since it was read."""


class TooLong(RulekitError):
    """A text that no command would read again."""


@define(eq=False)
class RulesFile:
    """path: of the file.  known: its text when it was last read or saved by us; told: what was last told of it."""

    path: str
    known: str = field(init=False)
    told: str | None = field(init=False)
    _has_crlf: bool = field(init=False)
    _lock: Lock = field(factory=Lock, init=False)
    """Nobody looks for news while a text is saved: it would be taken for another's."""

    def __attrs_post_init__(self) -> None:
        self.known = library.read(self.path).text
        self.told = self.known
        self._has_crlf = library.ends_in_crlf(self.path)

    def now(self) -> str | None:
        """The text as it stands there now; None if it cannot be read."""
        try:
            return library.read(self.path).text
        except library.Unreadable:
            return None

    def save(self, text: str, *, over: bool = False) -> None:
        """Put a text there; a file that is gone is made again.  over: whatever others have written meanwhile.

        Errors: `Conflict`, also where something stands there that is no text; `TooLong`; `OSError` (the file is as it
        was then).
        """
        if len(text.encode("utf-8", "surrogatepass")) > limits.FILE_BYTES:
            raise TooLong(self.path)
        with self._lock:
            self._write(text, over)

    def _write(self, text: str, over: bool) -> None:
        now = self.now()
        if not over and (library.is_there(self.path) if now is None else now not in (self.known, text)):
            raise Conflict(self.path)
        library.replace(self.path, (text.replace("\n", "\r\n") if self._has_crlf else text).encode("utf-8"))
        self.known = self.told = text

    def taken(self, text: str) -> None:
        """What others wrote is what is edited from now on."""
        self.known = text

    def news(self) -> tuple[bool, str | None]:
        """Whether something has happened to the file since this was last asked; and its text, None if it is gone."""
        with self._lock:
            now = self.now()
            if now == self.told:
                return False, now
            self.told = now
            return now != self.known, now
