"""Every name of a game renamed, one by one, and all back again: `python -m tests.editing.all_renames --game NAME`.

Rules, catalogues, anchors and the list of renames are changed together.  In between a log that was recorded under the
old names must replay by that list; in the end every file must be as it was, byte for byte.  What is refused is told
with the reason.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from rulekit import library
from rulekit.bots.players.random_bot import RandomBot
from rulekit.model.game import Game
from rulekit.play.state import errors
from rulekit.play.state.match_state import Decision
from rulekit.play.state.value import Value
from rulekit.record import renames
from rulekit.record.log import Log
from rulekit.record.recorder import Recorder
from rulekit.record.replay import Fault, replay
from rulekit.source import Source
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit, applied
from rulekit.tools.editing.occurrences import CLAUSE, Symbol
from rulekit.tools.editing.rename import Refused, renamed
from rulekit.values import define, field
from tests.paths import EXAMPLES, GAMES

_NEW, _NEW_ID = "renamed_", "RENAMED-"


@define(eq=False)
class Renaming:
    """A text with the files beside it, in which names are changed.

    done:     where each change was made, and what stood there, in their order.
    refused:  what could not be changed, with the reason.
    """

    document: Document
    beside: list[Source]
    done: list[tuple[int, int, str]] = field(factory=list)
    refused: list[tuple[str, str]] = field(factory=list)

    def forth(self, every: int = 1) -> None:
        """Each name in turn, or every so many, to one that nothing else has."""
        seen = 0
        while (symbol := self._next()) is not None:
            seen += 1
            place, new = self.document.declared[symbol], f"{_NEW}{seen}"
            if (seen - 1) % every:
                self.refused.append((str(place), ""))
                continue
            found = self._change(place.line, place.column, f"{_NEW_ID}{seen}" if symbol.sort == CLAUSE else new)
            if found is None:
                self.done.append((place.line, place.column, symbol.name))
            else:
                self.refused.append((str(place), f"{symbol.sort} {symbol.name}: {found.reason}"))

    def back(self) -> None:
        for line, column, name in reversed(self.done):
            found = self._change(line, column, name)
            assert found is None, (line, column, name, found)

    def _next(self) -> Symbol | None:
        passed = {place for place, _ in self.refused}
        for symbol, place in self.document.declared.items():
            own = place.source == self.document.source.name and str(place) not in passed
            if own and not symbol.name.startswith((_NEW, _NEW_ID)):
                return symbol
        return None

    def _change(self, line: int, column: int, new: str) -> Refused | None:
        edits: tuple[Edit, ...] | Refused = renamed(self.document, line, column, new, self.beside)
        if isinstance(edits, Refused):
            return edits
        for name, text in self.document.loaded.sources.items():
            if name != self.document.source.name and (after := applied(text, edits)) != text:
                Path(name).write_text(after.text, encoding="utf-8")  # What it extends is read again.
        self.document = self.document.changed(applied(self.document.source, edits))
        self.beside = [applied(text, edits) for text in self.beside]
        return None


def opened(path: Path) -> Renaming:
    beside = [library.decode(str(each), each.read_bytes()) for each in library.companions(str(path))]
    listed = Source(str(path.parent / "text" / f"{path.stem}.renames"), "")
    return Renaming(Document(library.read(path)), [*beside, listed])


def recorded(game: Game, seed: str = "renames") -> Log:
    """A whole match by bots that draw their answers."""
    match, bot = Recorder(game, seed=seed), RandomBot(seed, "all")
    turn = 0
    while asked := match.decisions():
        _answered(match, asked[0], bot.answer(asked[0], turn))
        turn += 1
    return match.log()


def _answered(match: Recorder, asked: Decision, first: Value) -> None:
    """By what the bot likes, or else by what no `only if` forbids."""
    for answer in (first, *asked.options):
        with suppress(errors.Refused):
            match.answer(asked.seat, answer)
            return
    raise AssertionError(asked)


def replayed(log: Log, renaming: Renaming) -> Fault | str | None:
    """Why a log does not replay under the new names by the list; None if it does."""
    game = renaming.document.loaded.game
    if game is None:
        return "no game"
    try:
        return replay(*renames.applied(log, game, renames.parse(renaming.beside[-1]))).fault
    except renames.BadRenames as fault:
        return str(fault)


def lived(path: Path, every: int) -> Iterator[str]:
    """What is to be told of a game, which stands beside all that it extends."""
    renaming = opened(path)
    bases = {each: each.read_bytes() for each in path.parent.glob("*.rules")}
    text, beside = renaming.document.source, list(renaming.beside)
    game = renaming.document.loaded.game
    assert game is not None, path
    log = recorded(game)
    renaming.forth(every)
    yield from (f"  refused: {reason}" for _, reason in renaming.refused if reason)
    fault = replayed(log, renaming)
    count, listed = len(renaming.done), renaming.beside[-1].text.count("\n")
    renaming.back()
    is_same = renaming.document.source == text and renaming.beside == beside
    is_same = is_same and bases == {each: each.read_bytes() for each in bases}
    yield f"{path.stem}: {count} names there and back, {'the same bytes' if is_same else 'OTHER BYTES'}"
    yield f"  {len(log.entries)} decisions by a list of {listed}: {fault or 'replayed'}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", help="the stem of one file; else all games and examples")
    parser.add_argument("--every", type=int, default=1, help="only one name of so many")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for each in (GAMES, EXAMPLES):
            shutil.copytree(each, folder, dirs_exist_ok=True)
        for path in sorted(Path(folder).glob("*.rules")):
            if asked.game in (None, path.stem):
                for line in lived(path, asked.every):
                    print(line, flush=True)


if __name__ == "__main__":
    main()
