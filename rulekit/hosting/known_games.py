"""Games that were read: those of rules files as they stand now, and those of the texts that a store keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock

from rulekit import library
from rulekit.loading import load, load_sources
from rulekit.model.game import Game
from rulekit.record.json_values import rules_digest
from rulekit.values import define, field

Sources = Sequence[tuple[str, str]]


@define(eq=False)
class KnownGames:
    """Each game is read once, and again where its file has changed; may be called from several threads."""

    _by_digest: dict[str, Game] = field(init=False, factory=dict)
    _by_file: dict[str, Game] = field(init=False, factory=dict)
    _lock: RLock = field(init=False, factory=RLock)

    def now_in(self, file: str) -> Game:
        """The game in a rules file as it stands there now.  Errors: `RulesError`."""
        known = self._by_file.get(file)
        if known is None or not _is_as_read(known):
            known = self._by_file[file] = self._kept(load(file))
        return known

    def of(self, digest: str, sources: Callable[[str], Sources]) -> Game:
        """The game with this digest; if it was not read yet, from the texts that `sources` gives for it."""
        with self._lock:
            if digest not in self._by_digest:
                self._kept(load_sources(sources(digest)))
            return self._by_digest[digest]

    def keep(self, file: str, game: Game) -> None:
        """Who has read a rules file says what is in it."""
        self._by_file[file] = self._kept(game)

    def _kept(self, game: Game) -> Game:
        with self._lock:
            return self._by_digest.setdefault(rules_digest(game), game)


def _is_as_read(game: Game) -> bool:
    """Whether the files of a game still hold what was read."""
    try:
        return all(library.read(name).text == text for name, text in game.sources)
    except library.Unreadable:
        return False
