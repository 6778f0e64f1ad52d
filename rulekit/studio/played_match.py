"""The match beside the rules: played in every seat or with bots, looked at from any, and put under each new text.

It is a table as people have it in the browser, but in memory alone and for practice: one person sees all and may take
everything back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from rulekit.bots.players import registry
from rulekit.compiler.legality.oracle import standard
from rulekit.hosting.bot_threads import BotThreads
from rulekit.hosting.match_log import first_rows, new_header
from rulekit.hosting.rule_change import Parted
from rulekit.hosting.seat_page import Accepted, Refused
from rulekit.hosting.table import Table
from rulekit.model.declare.contents import Known
from rulekit.model.game import Game
from rulekit.play.beginning import Beginning
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.match_state import Decision, State
from rulekit.play.state.value import Value
from rulekit.play.view import REFEREE
from rulekit.record.log import HUMAN
from rulekit.record.match import started
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, field, frozen

BOTS = 1
"""So many bots think at a time."""


@frozen
class Arrangement:
    """How a match is begun.

    players:  `human` or the name of a bot, by seat; names: of the seats, () for the usual ones.
    at:       a position instead of the setup.
    """

    players: tuple[str, ...]
    options: Mapping[str, Value] = field(factory=dict)
    seed: str = "studio"
    at: Beginning | None = None
    names: tuple[str, ...] = ()


@frozen
class Kept:
    """Why the match keeps older rules than the text: where it parts, and how it stands there under either.

    here, there: under the rules that it keeps, and under those of the text; None where it cannot even be set up.
    """

    parted: Parted
    here: State | None
    there: State | None


def usual(game: Game) -> Arrangement:
    """People at as many seats as the game needs."""
    return Arrangement((HUMAN,) * game.least)


@define(eq=False)
class PlayedMatch:
    """changed: told whenever a bot has answered.  table: None before the first text under which a match can begin.

    why:  why the last text that is a game was none, for a person; "" if nothing speaks against it.
    """

    changed: Callable[[], None]
    table: Table | None = field(init=False, default=None)
    kept: Kept | None = field(init=False, default=None)
    why: str = field(init=False, default="")
    _bots: BotThreads = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._bots = BotThreads(ThreadPoolExecutor(BOTS, "bots"), lambda _: self.changed())

    def close(self) -> None:
        self._bots.close()

    def begin(self, game: Game, how: Arrangement) -> None:
        """A new match.  Errors: `BadSetup`, `RuleError`, `UnknownBot`."""
        for kind in how.players:
            if kind != HUMAN:
                registry.maker(kind)
        people = frozenset(seat for seat, kind in enumerate(how.players) if kind == HUMAN)
        match = started(
            game,
            how.options,
            how.names or len(how.players),
            how.seed,
            at=how.at,
            people=people,
            practice=True,
            oracle=standard(),
        )
        header = new_header(game.sources[0][0], match, how.players, how.seed, how.at)
        self.table = Table(
            "studio", header.file, match, header, first_rows(header, match), lambda rows: None, oracle=standard()
        )
        self.kept, self.why = None, ""
        self._bots.wake(self.table)

    def go_over(self, game: Game, paused: Callable[[], None] = lambda: None, known: Known | None = None) -> None:
        """Put the match under other rules, or say where it parts from them.  Begins one if there is none.

        paused, known:  as of `Table.go_over`.
        """
        table = self.table
        if table is None:
            self._first(game)
            return
        if game is table.game:
            self.kept = None
            return
        with table.lock:
            parted = table.go_over(game, paused, known)
            self.kept = None if parted is None else _kept(table, parted)
        self._bots.wake(table)

    def _first(self, game: Game) -> None:
        try:
            self.begin(game, usual(game))
        except (BadSetup, RuleError) as fault:
            self.why = str(fault)

    # ------------------------------------------------------------ playing

    def answer(self, seat: int, number: int, chosen: Sequence[int]) -> Message | None:
        """Answer a question of a seat; returns why it was refused, None if it was not."""
        return self._after(lambda table: table.answer(seat, number, chosen))

    def undo(self) -> Message | None:
        """Take back the last answer of a person; returns why it was refused, None if it was not."""
        table = self.table
        last = None if table is None else _last_person(table)
        return Message("studio-undecided") if last is None else self._after(lambda table: table.undo(last))

    def _after(self, act: Callable[[Table], Accepted | Refused]) -> Message | None:
        table = self.table
        if table is None:
            return Message("studio-no-match")
        result = act(table)
        self._bots.wake(table)
        return result.reason if isinstance(result, Refused) else None

    def go_back(self, place: int) -> Message | None:
        """Go on from an earlier position, by the number of decisions before it, with the same chance.

        Bots choose anew from there.  Returns why it was refused, None if it was not.
        """
        table = self.table
        if table is None or not 0 <= place <= len(table.match.history):
            return Message("studio-no-position")
        table.back_to(place)
        self._bots.wake(table)
        return None


def _last_person(table: Table) -> int | None:
    """The seat of the last answer that a person gave."""
    seats = (past.action.seat for past in reversed(table.match.history))
    return next((seat for seat in seats if seat in table.people), None)


def asked_person(table: Table) -> Decision | None:
    """The first question that a person is asked."""
    return next((one for one in table.match.decisions() if one.seat in table.people), None)


def seat_shown(table: Table, wanted: str) -> int:
    """Whose view a person looks at: that of a seat by its name; `everything`; else of who is asked."""
    seats = table.state.setting.seats[: table.state.setting.players]
    if wanted in seats:
        return seats.index(wanted)
    asked = asked_person(table)
    return REFEREE if asked is None or wanted == "everything" else asked.seat


def _kept(table: Table, parted: Parted) -> Kept:
    """Both positions at the decision that does not hold."""
    place = parted.decision - 1
    return Kept(parted, None if place < 0 else table.position(place), parted.state)
