"""The host: all matches of one store, who may sit where, bots that think in threads of their own, and who hears of it.

Knows nothing of HTTP.  Everything may be called from several threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Lock, RLock
from typing import TypeVar

from rulekit.bots.players import registry
from rulekit.hosting import match_log, tokens
from rulekit.hosting.bot_threads import BotThreads
from rulekit.hosting.known_games import KnownGames
from rulekit.hosting.listeners import Listener, Listeners
from rulekit.hosting.rule_change import Parted, Reloaded
from rulekit.hosting.seat_page import Accepted, Refused
from rulekit.hosting.store import Row, Store, Stored, StoreFault
from rulekit.hosting.table import Table, loaded
from rulekit.hosting.taking_up import taken_up
from rulekit.hosting.trial import Trial, trial_of
from rulekit.hosting.why_not import not_offered
from rulekit.loading import RulesError
from rulekit.model.game import Game
from rulekit.play.machine.legality import LegalityOracle
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.value import Value
from rulekit.play.view import SPECTATOR
from rulekit.record.json_values import rules_digest
from rulekit.record.log import HUMAN, Damaged, Header, parse
from rulekit.record.match import Match, started
from rulekit.record.resumption import DoesNotHold, played_again
from rulekit.tools.explain.why_not import Refused as NotOffered
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, evolve, field, frozen

T = TypeVar("T")
THREADS = 2
"""So many bots think at a time."""
MOST_TABLES = 500
"""So many tables are kept at hand, if nothing more goes on at some of them; each takes about a megabyte."""

MOST_PLACES = 10_000
"""Of so many tokens it is kept what they open, in two megabytes."""


@frozen
class Created:
    """A new match.  tokens: by seat, "" where a bot sits; spectator: for who watches."""

    match: str
    tokens: tuple[str, ...]
    spectator: str


@frozen
class Place:
    """What a token opens: a seat of a match, or `SPECTATOR`."""

    match: str
    seat: int


@define(eq=False)
class Host:
    """store:  where the matches are kept.  games: the rules files that can be played.

    pool:   where bots think, and what takes as long is done; if None, in so many threads.
    known:  games that need not be read again.
    oracle: as of `engine.start`, of all matches.
    """

    store: Store
    games: tuple[str, ...] = ()
    threads: int = field(default=THREADS, kw_only=True)
    pool: Executor | None = field(default=None, kw_only=True)
    known: KnownGames = field(factory=KnownGames, kw_only=True)
    oracle: LegalityOracle | None = field(default=None, kw_only=True)
    _tables: dict[str, Table] = field(init=False, factory=dict)
    _places: dict[str, Place] = field(init=False, factory=dict)
    _loading: dict[str, Lock] = field(init=False, factory=dict)
    _listeners: Listeners = field(init=False, factory=Listeners)
    _bots: BotThreads = field(init=False)
    _asides: Executor = field(init=False)
    _lock: RLock = field(init=False, factory=RLock)

    def __attrs_post_init__(self) -> None:
        self._asides = self.pool or ThreadPoolExecutor(1, "asides")
        self._bots = BotThreads(self.pool or ThreadPoolExecutor(self.threads, "bots"), self._listeners.tell)

    # ------------------------------------------------------------ matches

    def game(self, file: str) -> Game:
        """The game in a rules file as it stands there now.  Errors: `RulesError`."""
        return self.known.now_in(file)

    def create(
        self,
        file: str,
        players: Sequence[str],
        names: Sequence[str] | None = None,
        options: Mapping[str, Value] | None = None,
        seed: str | None = None,
        *,
        practice: bool = False,
    ) -> Created:
        """A new match.

        players:  who sits at each seat: `human` or the name of a bot.  names: of the seats.
        seed:     one that nobody knows if None.
        Errors:   `RulesError`, `BadSetup`, `UnknownBot`, `RuleError`, `StoreFault`.
        """
        for kind in players:
            if kind != HUMAN:
                registry.maker(kind)
        game, seed = self.game(file), tokens.new_seed() if seed is None else seed
        people = frozenset(seat for seat, kind in enumerate(players) if kind == HUMAN)
        match = started(
            game, options, names or len(players), seed, people=people, practice=practice, oracle=self.oracle
        )
        if len(players) != match.state.setting.players:
            raise BadSetup("there must be as many players as names")
        return self._opened(file, game, match, match_log.new_header(file, match, players, seed))

    def _opened(self, file: str, game: Game, match: Match, header: Header) -> Created:
        """A match, new to the store, with its tokens."""
        made = [tokens.new_token() if kind == HUMAN else "" for kind in header.players]
        watching, name = tokens.new_token(), tokens.new_name()
        hashes = {tokens.hashed(one): seat for seat, one in enumerate(made) if one}
        hashes[tokens.hashed(watching)] = SPECTATOR
        rows = match_log.first_rows(header, match)
        self.store.add_match(Stored(name, file, header.rules), game.sources, hashes, rows)
        table = Table(name, file, match, header, rows, self._saving(name), oracle=self.oracle)
        self._seat(table)
        return Created(name, tuple(made), watching)

    def seat_of(self, token: str) -> Place | None:
        """What a token opens; None for one that opens nothing.

        It is asked of the store once: that answers nobody while it writes, and what a token opens never changes.
        """
        hashed = tokens.hashed(token)
        known = self._places.get(hashed)
        if known is None and (found := self.store.seat_of(hashed)) is not None:
            if len(self._places) >= MOST_PLACES:
                self._places.clear()
            known = self._places[hashed] = Place(*found)
        return known

    def matches(self) -> tuple[Stored, ...]:
        """All matches of the store."""
        return self.store.matches()

    def table(self, match: str) -> Table:
        """A match at its table.  Errors: `KeyError` if there is none of this name; `StoreFault` if it is damaged."""
        found = self._tables.get(match)
        if found is not None and not found.broken:
            return found
        with self._lock:
            loading = self._loading.setdefault(match, Lock())
        with loading:
            return self._again(match)

    def _again(self, match: str) -> Table:
        """The table from the store, unless another thread has just had it."""
        found = self._tables.get(match)
        if found is not None and not found.broken:
            return found
        stored = self.store.stored(match)
        if stored is None:
            raise KeyError(match)
        found = self._loaded(stored)
        self._seat(found)
        return found

    def _seat(self, table: Table) -> None:
        """Keep a table at hand; of too many, one at which nothing goes on is left to the store."""
        with self._lock:
            self._tables[table.match_id] = table
            spare = [name for name in self._tables if name != table.match_id and self._is_quiet(name)]
            for name in spare[: max(0, len(self._tables) - MOST_TABLES)]:
                del self._tables[name]
        self._bots.wake(table)

    def _is_quiet(self, match: str) -> bool:
        return not self._bots.is_busy(match) and not self._listeners.has_some(match)

    def _loaded(self, stored: Stored) -> Table:
        rows = self.store.rows(stored.id)
        try:
            digest = match_log.header_of(rows).rules
            return loaded(
                stored.id, stored.file, self.known.of(digest, self.store.sources), rows, self._saving(stored.id)
            )
        except (Damaged, BadSetup, RuleError, DoesNotHold) as fault:
            raise StoreFault(f"the match {stored.id} cannot be read: {fault}") from None

    def _saving(self, match: str) -> Callable[[Sequence[Row]], None]:
        return lambda rows: self.store.append(match, rows)

    # ------------------------------------------------------------ playing

    def answer(self, match: str, seat: int, number: int, chosen: Sequence[int]) -> Accepted | Refused:
        """As `Table.answer`; bots go on and listeners hear of it."""
        table = self.table(match)
        return self._after(table, table.answer(seat, number, chosen))

    def undo(self, match: str, seat: int) -> Accepted | Refused:
        """As `Table.undo`."""
        table = self.table(match)
        return self._after(table, table.undo(seat))

    def _after(self, table: Table, result: Accepted | Refused) -> Accepted | Refused:
        if isinstance(result, Accepted):
            self._bots.wake(table)
        if isinstance(result, Accepted) or result.code == "rules":
            self._listeners.tell(table)
        return result

    def trial(self, match: str, seat: int) -> Trial | Refused:
        """A copy in which a seat tries moves, and that nobody else sees; it may take as long as a bot's answer."""
        copy = self._copied(match, seat)
        if copy is None:
            return Refused("no-trial", Message("table-who-tries"))
        made = trial_of(copy, seat, tokens.new_seed())
        return made or Refused("no-trial", Message("table-nothing-fits"))

    def why_not(self, match: str, seat: int) -> tuple[NotOffered, ...] | Refused:
        """What the seat is not offered now, with reasons that it may know; it may take as long as a bot's answer."""
        copy = self._copied(match, seat)
        if copy is None or all(one.seat != seat for one in copy.decisions()):
            return Refused("no-why-not", Message("table-not-asked"))
        found = not_offered(copy, seat)
        return Refused("no-why-not", Message("table-nothing-fits")) if found is None else found

    def _copied(self, match: str, seat: int) -> Match | None:
        """The match as it is now, for who plays in it while it goes on."""
        table = self.table(match)
        copy = table.copied()
        return copy if seat in table.people and copy.outcome() is None else None

    def branch(self, match: str, seat: int, number: int) -> Created | Refused:
        """A new match that goes on from an earlier position, by its number in `history` of the seat.

        Chance goes on there as it did in the first; so it is refused while other people play that one.
        """
        table = self.table(match)
        with table.lock:
            place, reason = table.place(seat, number), table.why_no_log()
            if reason or place is None:
                return Refused("no-branch", reason or Message("table-no-position"))
            log = parse(table.log())
        made = played_again(evolve(log, entries=log.entries[:place]), table.game, oracle=self.oracle)
        return self._opened(table.file, table.game, made, table.header)

    def take_up(self, log: bytes) -> Created | Refused:
        """A new match that goes on where the one in a log stands."""
        found = taken_up(log, self._playable(), self.oracle)
        return found if isinstance(found, Refused) else self._opened(found.file, found.game, found.match, found.header)

    def _playable(self) -> dict[str, Game]:
        """The games of the files that are games now."""
        found: dict[str, Game] = {}
        for file in self.games:
            with suppress(RulesError):
                found[file] = self.game(file)
        return found

    # ------------------------------------------------------------ rules that change

    def reload(self, file: str) -> Reloaded:
        """Put what a rules file holds now under its running matches, as far as their decisions hold there."""
        try:
            game = self.game(file)
        except RulesError as fault:
            return Reloaded(str(fault))
        over: list[str] = []
        parted: list[tuple[str, Parted]] = []
        for stored in self.store.running(file):
            table = self.table(stored.id)
            if table.header.rules == rules_digest(game):
                table.stay()
            elif (found := self._go_over(table, game)) is not None:
                parted.append((stored.id, found))
            else:
                over.append(stored.id)
            self._bots.wake(table)
            self._listeners.tell(table)
        return Reloaded("", tuple(over), tuple(parted))

    def _go_over(self, table: Table, game: Game) -> Parted | None:
        # The rules first: lines under them could not be read without them.
        self.store.add_rules(rules_digest(game), game.sources)
        return table.go_over(game)

    # ------------------------------------------------------------ listening

    def subscribe(self, match: str, seat: int, listener: Listener) -> Callable[[], None]:
        """Call `listener` whenever what this seat is shown has changed, from any thread; what is returned ends it."""
        return self._listeners.add(self.table(match), seat, listener)

    def aside(self, work: Callable[[], T]) -> Future[T]:
        """Do what takes as long as a bot's answer and only one person waits for: one such thing at a time."""
        return self._asides.submit(work)

    def settled(self, timeout: float | None = None) -> bool:
        """Wait until no bot thinks; whether that came within so many seconds."""
        return self._bots.settled(timeout)

    def close(self) -> None:
        """Let bots finish, and close the store."""
        self._asides.shutdown(wait=True, cancel_futures=True)
        self._bots.close()
        self.store.close()

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
