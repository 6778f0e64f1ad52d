"""The host: all matches of one store, who may sit where, bots that think in threads of their own, and who hears of it.

Knows nothing of HTTP.  Everything may be called from several threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Condition, RLock

from attrs import define, field, frozen

import rulekit
from rulekit.bots.players import registry
from rulekit.bots.players.seating import catch_up, joined
from rulekit.bots.seated_bots import SeatedBots
from rulekit.hosting import table as tables
from rulekit.hosting import tokens
from rulekit.hosting.seat_page import Accepted, Refused
from rulekit.hosting.store import Row, Store, Stored, StoreFault
from rulekit.hosting.table import Table
from rulekit.loading import load, load_sources
from rulekit.model.game import Game
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.match_state import Decision
from rulekit.play.state.value import Value
from rulekit.play.view import SPECTATOR
from rulekit.record.json_values import chosen_options, rules_digest
from rulekit.record.log import HUMAN, Damaged, Header
from rulekit.record.match import Match, started

Listener = Callable[[], None]
THREADS = 2
"""So many bots think at a time."""


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
class _Thinking:
    """The bots at one table, as far as they were told: only one thread at a time has them."""

    bots: SeatedBots
    turns: int
    told: int


@define(eq=False)
class Host:
    """store:  where the matches are kept.  games: the rules files that can be played."""

    store: Store
    games: tuple[str, ...] = ()
    threads: int = field(default=THREADS, kw_only=True)
    _games: dict[str, Game] = field(init=False, factory=dict)
    _tables: dict[str, Table] = field(init=False, factory=dict)
    _minds: dict[str, _Thinking] = field(init=False, factory=dict)
    _busy: set[str] = field(init=False, factory=set)
    _listeners: dict[str, dict[int, tuple[int, Listener]]] = field(init=False, factory=dict)
    _shown: dict[tuple[str, int], object] = field(init=False, factory=dict)
    _last_listener: int = field(init=False, default=0)
    _lock: RLock = field(init=False, factory=RLock)
    _idle: Condition = field(init=False)
    _pool: ThreadPoolExecutor = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._idle = Condition(self._lock)
        self._pool = ThreadPoolExecutor(self.threads, "bots")

    # ------------------------------------------------------------ matches

    def game(self, file: str) -> Game:
        """The game in a rules file as it stands there now.  Errors: `RulesError`."""
        return self._kept(load(file))

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
        match = started(game, options, names or len(players), seed, people=people, practice=practice)
        if len(players) != match.state.setting.players:
            raise BadSetup("there must be as many players as names")
        return self._opened(file, game, match, _header(file, match, players, seed))

    def _opened(self, file: str, game: Game, match: Match, header: Header) -> Created:
        """A match, new to the store, with its tokens."""
        made = [tokens.new_token() if kind == HUMAN else "" for kind in header.players]
        watching, name = tokens.new_token(), tokens.new_name()
        hashes = {tokens.hashed(one): seat for seat, one in enumerate(made) if one}
        hashes[tokens.hashed(watching)] = SPECTATOR
        rows = tables.first_rows(header, match)
        self.store.add_match(Stored(name, file, header.rules), game.sources, hashes, rows)
        table = Table(name, file, match, header, rows, self._saving(name))
        with self._lock:
            self._tables[name] = table
        self._wake(table)
        return Created(name, tuple(made), watching)

    def seat_of(self, token: str) -> Place | None:
        """What a token opens; None for one that opens nothing."""
        found = self.store.seat_of(tokens.hashed(token))
        return None if found is None else Place(*found)

    def matches(self) -> tuple[Stored, ...]:
        """All matches of the store."""
        return self.store.matches()

    def table(self, match: str) -> Table:
        """A match at its table.  Errors: `KeyError` if there is none of this name; `StoreFault` if it is damaged."""
        with self._lock:
            found = self._tables.get(match)
            if found is not None and not found.broken:
                return found
            stored = self.store.stored(match)
            if stored is None:
                raise KeyError(match)
            found = self._tables[match] = self._loaded(stored)
            self._minds.pop(match, None)
        self._wake(found)
        return found

    def _loaded(self, stored: Stored) -> Table:
        rows = self.store.rows(stored.id)
        try:
            digest = tables.header_of(rows).rules
            return tables.loaded(stored.id, stored.file, self._game(digest), rows, self._saving(stored.id))
        except (Damaged, BadSetup, RuleError) as fault:
            raise StoreFault(f"the match {stored.id} cannot be read: {fault}") from None

    def _game(self, digest: str) -> Game:
        """The game with this digest, from the texts that the store keeps."""
        with self._lock:
            if digest not in self._games:
                self._kept(load_sources(self.store.sources(digest)))
            return self._games[digest]

    def _kept(self, game: Game) -> Game:
        with self._lock:
            return self._games.setdefault(rules_digest(game), game)

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
            self._wake(table)
            self._tell(table)
        return result

    # ------------------------------------------------------------ listening

    def subscribe(self, match: str, seat: int, listener: Listener) -> Callable[[], None]:
        """Call `listener` whenever what this seat is shown has changed, from any thread; what is returned ends it."""
        table = self.table(match)
        with self._lock:
            self._last_listener += 1
            key = self._last_listener
            self._listeners.setdefault(match, {})[key] = seat, listener
            self._shown.setdefault((match, seat), table.page(seat))

        def end() -> None:
            with self._lock:
                self._listeners.get(match, {}).pop(key, None)

        return end

    def _tell(self, table: Table) -> None:
        """Tell those whose page is another one now: who sees no difference must not notice that somebody decided."""
        with self._lock:
            waiting = list(self._listeners.get(table.match_id, {}).values())
            changed = {seat for seat in {seat for seat, _ in waiting} if self._has_changed(table, seat)}
        for seat, listener in waiting:
            if seat in changed:
                listener()

    def _has_changed(self, table: Table, seat: int) -> bool:
        now, key = table.page(seat), (table.match_id, seat)
        before, self._shown[key] = self._shown.get(key), now
        return now != before

    # ------------------------------------------------------------ bots

    def _wake(self, table: Table) -> None:
        """Let bots think if one is asked, in another thread."""
        with self._lock:
            if table.match_id in self._busy or not _asked_bots(table):
                return
            self._busy.add(table.match_id)
            done = self._pool.submit(self._think, table)
        done.add_done_callback(lambda one: self._thought(table, one))

    def _think(self, table: Table) -> None:
        """Bots answer as long as one is asked."""
        while not table.broken and self._one_answer(table):
            self._tell(table)

    def _one_answer(self, table: Table) -> bool:
        with table.lock:
            asked = _asked_bots(table)
            if not asked or table.fault:
                return False
            mind, turns, state = self._mind(table), table.turns, table.state
        value = mind.bots.answer(state, asked[0])
        with table.lock:
            if table.turns != turns or asked[0] not in table.match.decisions():
                return True
            return isinstance(table.decide(asked[0], value), Accepted)

    def _mind(self, table: Table) -> _Thinking:
        """The bots of a table, told all that has happened."""
        mind = self._minds.get(table.match_id)
        count = len(table.match.history)
        if mind is None or mind.turns != table.turns:
            bots = joined(table.match, table.header.players, table.header.seed or "")
            mind = self._minds[table.match_id] = _Thinking(bots, table.turns, count)
        elif mind.told < count:
            catch_up(mind.bots, table.match, mind.told)
            mind.told = count
        return mind

    def _thought(self, table: Table, done: Future[None]) -> None:
        with self._lock:
            self._busy.discard(table.match_id)
            self._idle.notify_all()
        if done.cancelled():
            return
        if done.exception() is None and not table.broken and not table.fault:
            self._wake(table)

    def settled(self, timeout: float | None = None) -> bool:
        """Wait until no bot thinks; whether that came within the time."""
        with self._idle:
            return self._idle.wait_for(lambda: not self._busy, timeout)

    def close(self) -> None:
        """Let bots finish, and close the store."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        self.store.close()

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _asked_bots(table: Table) -> list[Decision]:
    with table.lock:
        return [one for one in table.match.decisions() if one.seat >= 0 and one.seat not in table.people]


def _header(file: str, match: Match, players: Sequence[str], seed: str) -> Header:
    setting = match.state.setting
    return Header(
        rulekit=rulekit.__version__,
        file=file.encode("utf-8", "backslashreplace").decode(),
        rules=rules_digest(setting.game),
        title=setting.game.title,
        options=dict(chosen_options(setting)),
        ruleset="",
        seats=setting.seats[: setting.players],
        players=tuple(players),
        seed=seed,
        practice=match.practice,
    )
