"""A table: one match with its people and bots, each answer kept before it is acknowledged.

It knows nothing of pages, tokens or threads of its own; whoever calls may
call from several threads.  Where the store does not take an answer, the
table is given up as `broken`, and is read from the store again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from threading import RLock
from typing import Any, TypeVar

from rulekit.hosting import known_past
from rulekit.hosting.match_log import Lines, first_rows, log_of
from rulekit.hosting.rule_change import Parted, header_under, parting
from rulekit.hosting.seat_page import Accepted, Moment, Refused, RulesKept, SeatPage, chosen_value, public_fault
from rulekit.hosting.store import Row, StoreFault
from rulekit.model.declare.contents import Known
from rulekit.model.game import Game
from rulekit.play.machine.legality import LegalityOracle
from rulekit.play.state import errors
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Action, Decision, State
from rulekit.play.state.value import Value
from rulekit.play.view import View, view
from rulekit.record.log import Header, parse
from rulekit.record.match import Match
from rulekit.record.resumption import played_again
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, field

T = TypeVar("T")
Save = Callable[[Sequence[Row]], None]


@define(eq=False)
class Table:
    """One match.

    rows:    its lines as they are kept, of all editions.
    save:    what keeps further ones; it returns when they are on the disk.
    fault:   why the rules could not be carried out at the last try, in words that tell nothing hidden.
    parted:  where the match parts from the rules that its file holds now, if it does.
    oracle:  as of `engine.start`, for when the match is played again.
    turns:   goes up whenever decisions were taken back or the rules changed: what was thought before is void.
    """

    match_id: str
    file: str
    match: Match
    header: Header
    rows: list[Row]
    save: Save
    oracle: LegalityOracle | None = field(default=None, kw_only=True)
    turns: int = 0
    broken: bool = False
    fault: Message | None = None
    parted: Parted | None = None
    lock: RLock = field(init=False, factory=RLock)
    _of: tuple[object, ...] = field(init=False, default=())
    _found: dict[tuple[str, int], Any] = field(init=False, factory=dict)

    @property
    def game(self) -> Game:
        return self.match.state.setting.game

    @property
    def state(self) -> State:
        """The position, hidden things included: for drawings by seat, and never to be sent."""
        return self.match.state

    @property
    def people(self) -> frozenset[int]:
        return self.match.people

    def copied(self) -> Match:
        """The match as it is now, for who looks at it at leisure and holds nobody up."""
        with self.lock:
            return Match(self.state, self.match.opening, history=list(self.match.history))

    # ------------------------------------------------------------ looking

    def page(self, seat: int) -> SeatPage:
        """What a seat is shown; `SPECTATOR` sees what everybody may."""
        with self.lock:
            self._whole()
            return self._once("page", seat, lambda: self._page(seat))

    def _page(self, seat: int) -> SeatPage:
        now, since = self._view(seat), self._since(seat)
        return SeatPage(
            match=self.match_id,
            title=self.game.title,
            seat=seat,
            seats=now.seats[: len(self.header.players)],
            players=self.header.players,
            number=self.number(seat),
            question=now.asked[0] if now.asked else None,
            view=now,
            events=self._told(seat, since, len(self.match.history)),
            undone=known_past.undone(self.rows, seat),
            waiting=now.waiting,
            outcome=now.outcome,
            undo=self.why_no_undo(seat),
            moments=len(self._moments(seat)),
            rules=self._kept_rules(seat),
            editions=self._editions(),
            fault=self.fault,
        )

    def look(self, seat: int) -> tuple[object, ...]:
        """All that makes a difference on a seat's page, found without looking for reasons: for comparing."""
        with self.lock:
            return self._once("look", seat, lambda: self._look(seat))

    def _look(self, seat: int) -> tuple[object, ...]:
        events = (event for past in self.match.history[self._since(seat) :] for event in past.events)
        heard_now = known_past.heard_by(seat, events)
        told = known_past.undone(self.rows, seat), self._kept_rules(seat), self._editions(), self.fault
        return self.number(seat), self._view(seat), heard_now, *told

    def looked(self, seat: int) -> str:
        """A digest of `look`: made of what the seat is shown alone, it tells whether a page is still as it was."""
        with self.lock:
            return self._once("digest", seat, lambda: sha256(repr(self.look(seat)).encode()).hexdigest()[:16])

    def _view(self, seat: int) -> View:
        return self._once("view", seat, lambda: view(self.match.state, seat))

    def _once(self, what: str, seat: int, find: Callable[[], T]) -> T:
        """What was found for this seat since anything last happened here; for no other seat, and found once."""
        match, state = self.match, self.match.state
        now = match, state, len(match.history), len(self.rows), self.fault, self.parted
        # A position is another one as soon as it is another object: to compare all of it would take longer.
        if not self._of or self._of[0] is not match or self._of[1] is not state or self._of[2:] != now[2:]:
            self._of, self._found = now, {}
        if (what, seat) not in self._found:
            self._found[what, seat] = find()
        found: T = self._found[what, seat]
        return found

    def _editions(self) -> int:
        return self.rows[-1].edition if self.rows else 0

    def _kept_rules(self, seat: int) -> RulesKept | None:
        if self.parted is None:
            return None
        known = [at for at in self._moments(seat) if at < max(self.parted.decision, 1)]
        return RulesKept(len(known) - 1, self.parted.clauses)

    def number(self, seat: int) -> int:
        """Of the seat's question: how often it has answered, and how often what it was asked became void since."""
        return known_past.number(self.rows, seat)

    def story(self, seat: int) -> tuple[Event, ...]:
        """All that happened, as far as the seat may know."""
        with self.lock:
            opening = known_past.seen_by(seat, self.match.opening)
            return opening + self._told(seat, 0, len(self.match.history))

    def history(self, seat: int, number: int) -> Moment | None:
        """An earlier position as the seat saw it, from 0; None if there is none of this number.

        The positions are those at its own decisions, and all at which nobody was deciding apart in secret.
        """
        with self.lock:
            places = self._moments(seat)
            if not 0 <= number < len(places):
                return None
            place = places[number]
            before = places[number - 1] if number else 0
            known = view(self.position(place), seat)
            events = self._told(seat, before, place) if number else known_past.seen_by(seat, self.match.opening)
            return Moment(number, len(places), known, known.asked[0] if known.asked else None, events)

    def place(self, seat: int, number: int) -> int | None:
        """How many decisions stand before an earlier position of `history`; None if there is none of this number."""
        places = self._moments(seat)
        return places[number] if 0 <= number < len(places) else None

    def earlier(self, seat: int, number: int) -> State | None:
        """The position of `history`, hidden things included: for drawings by seat, and never to be sent."""
        with self.lock:
            place = self.place(seat, number)
            return None if place is None else self.position(place)

    def before(self, seat: int) -> State:
        """The position before what `page` tells, hidden things included: for drawings by seat, and never to be sent."""
        with self.lock:
            return self.position(self._since(seat))

    def _moments(self, seat: int) -> list[int]:
        """Places in the history that a seat can look at again; the present is the last."""
        return known_past.moments(self.match, seat)

    def position(self, place: int) -> State:
        """Where the match stood before decision `place` of its history, hidden things included."""
        history = self.match.history
        return history[place].state if place < len(history) else self.match.state

    def _since(self, seat: int) -> int:
        """The place in the history from which a seat's page tells what happened."""
        return known_past.since(self.match, seat)

    def _told(self, seat: int, since: int, until: int) -> tuple[Event, ...]:
        return known_past.events_of(self.match.history[since:until], seat)

    # ------------------------------------------------------------ answering

    def answer(self, seat: int, number: int, chosen: Sequence[int]) -> Accepted | Refused:
        """Answer the question of this number by places among its options, from 0; nothing changes if it is refused.

        Errors: `StoreFault` where the answer could not be kept; it is not taken then.
        """
        with self.lock:
            question = next((one for one in self.match.decisions() if one.seat == seat), None)
            refused = self._unanswerable(seat, number, question)
            if refused is not None or question is None:
                return refused or _NOT_ASKED
            value = chosen_value(question, chosen)
            return value if isinstance(value, Refused) else self.decide(question, value)

    def _unanswerable(self, seat: int, number: int, question: Decision | None) -> Refused | None:
        self._whole()
        if self.match.outcome() is not None:
            return Refused("over", Message("table-over"))
        if seat not in self.people:
            return _NOT_ASKED
        if number != self.number(seat):
            return Refused("stale", Message("table-stale"))
        return _NOT_ASKED if question is None else None

    def decide(self, question: Decision, value: Value) -> Accepted | Refused:
        """Take an answer that is not checked yet, a bot's too."""
        seat, action = question.seat, Action(question.seat, value)
        with self.lock:
            try:
                self.match.act(action)
            except errors.Refused as fault:
                return Refused("refused", Message("table-not-together"), fault.cites)
            except errors.IllegalAction:
                return Refused("not-offered", Message("table-not-offered"))
            except errors.RuleError as fault:
                self.fault = public_fault(fault)
                return Refused("rules", self.fault)
            self.fault = None
            lines = Lines(self.rows)
            lines.decision("answer", self.match.history[-1], apart=bool(self.match.history[-1].state.branches))
            lines.end_of(self.match)
            self._keep(lines.new)
            return Accepted(self.number(seat))

    # ------------------------------------------------------------ taking back

    def why_no_undo(self, seat: int) -> Message | None:
        """Why a seat cannot take back its last answer; None if it can."""
        if seat not in self.people:
            return Message("back-who-plays")
        if self.match.outcome() is not None:
            return Message("table-over")
        index = self.match.last_of(seat)
        if index is None:
            return Message("back-nothing")
        reason = None if self.match.practice else self.match.why_not_back(seat, index)
        return None if reason is None else Message(f"back-{reason.code}", player=reason.by)

    def undo(self, seat: int) -> Accepted | Refused:
        """Take back the seat's last answer, and what bots decided since; a trace of it stays."""
        with self.lock:
            self._whole()
            place, reason = self.match.last_of(seat), self.why_no_undo(seat)
            if reason is not None or place is None:
                return Refused("no-undo", reason or Message("back-nothing"))
            apart = self.match.is_apart(place)
            self.match.undo(seat)
            lines = Lines(self.rows)
            lines.back(place, seat, apart=apart)
            for past in self.match.history[place:]:
                lines.decision("again", past, apart=True)
            self.turns += 1
            self.fault = None
            self._keep(lines.new)
            return Accepted(self.number(seat))

    def back_to(self, place: int) -> None:
        """Stand before decision `place` of a match for practice, whoever was asked there.

        Its log begins anew, since after the end of a match no line may follow.
        """
        with self.lock:
            self._whole()
            assert self.match.practice, "between people one's own answer is taken back"
            self.match.back_to(place)
            self.turns += 1
            self.fault = None
            self._keep(first_rows(self.header, self.match, self.rows))

    # ------------------------------------------------------------ other rules

    def go_over(
        self, game: Game, paused: Callable[[], None] = lambda: None, known: Known | None = None
    ) -> Parted | None:
        """Go on under other rules, if all decisions hold there; else where they part, and the old rules stay.

        paused:  called now and then, so that whoever no longer wants this can raise something; nothing changes then.
        known:   as of `parting`.
        """
        with self.lock:
            self._whole()
            log = parse(log_of(self.rows))
            parted = parting(log, self.game, game, paused, known)
            if parted is not None:
                self.parted = parted
                return parted
            match = played_again(log, game, paused, oracle=self.oracle)
            self.parted = None
            header = header_under(self.header, match)
            rows = first_rows(header, match, self.rows)
            self.match, self.header, self.fault = match, header, None
            self.turns += 1
            self._keep(rows)
            return None

    def stay(self) -> None:
        """Its file holds its own rules, perhaps again: there is nothing that it parts from."""
        self.parted = None

    # ------------------------------------------------------------ the log

    def log(self) -> bytes:
        """The log as `run --record` writes it; it holds the secrets of the match, see `why_no_log`."""
        with self.lock:
            return log_of(self.rows)

    def why_no_log(self) -> Message | None:
        """Why nobody who plays may have the log or go on from it elsewhere now; None if they may."""
        if self.match.outcome() is None and len(self.people) > 1:
            return Message("table-no-log")
        return None

    def _whole(self) -> None:
        if self.broken:
            raise StoreFault("this table could not keep an answer; it is read from the store again")

    def _keep(self, rows: Sequence[Row]) -> None:
        try:
            self.save(rows)
        except BaseException:
            self.broken = True
            raise
        self.rows += rows


_NOT_ASKED = Refused("not-asked", Message("table-not-asked"))


def loaded(
    match_id: str, file: str, game: Game, rows: Sequence[Row], save: Save, oracle: LegalityOracle | None = None
) -> Table:
    """The table that was kept.  Errors: `Damaged`, `StoreFault` if its lines cannot be played under these rules."""
    log = parse(log_of(rows))
    match = played_again(log, game, oracle=oracle)
    return Table(match_id, file, match, log.header, list(rows), save, oracle=oracle)
