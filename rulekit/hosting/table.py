"""A table: one match with its people and bots, each answer kept before it is acknowledged.

It knows nothing of pages, tokens or threads of its own; whoever calls may
call from several threads.  Where the store does not take an answer, the
table is given up as `broken`, and is read from the store again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from threading import RLock

from attrs import define, field

from rulekit.hosting.rule_change import Parted, header_under, parting
from rulekit.hosting.seat_page import Accepted, Moment, Refused, RulesKept, SeatPage, Undone, chosen_value
from rulekit.hosting.store import Row, StoreFault
from rulekit.model.game import Game
from rulekit.play.state import errors
from rulekit.play.state.event import Event, heard, seen
from rulekit.play.state.match_state import CHANCE, Action, Decision, State
from rulekit.play.state.value import Value
from rulekit.play.view import SPECTATOR, view
from rulekit.record import strict_json
from rulekit.record.log import Header, Writer, parse
from rulekit.record.match import Match, Past
from rulekit.record.resumption import played_again

Save = Callable[[Sequence[Row]], None]


@define(eq=False)
class Table:
    """One match.

    rows:    its lines as they are kept, of all editions.
    save:    what keeps further ones; it returns when they are on the disk.
    fault:   why the rules could not be carried out at the last try, in words that tell nothing hidden.
    parted:  where the match parts from the rules that its file holds now, if it does.
    turns:   goes up whenever decisions were taken back or the rules changed: what was thought before is void.
    """

    match_id: str
    file: str
    match: Match
    header: Header
    rows: list[Row]
    save: Save
    turns: int = 0
    broken: bool = False
    fault: str = ""
    parted: Parted | None = None
    lock: RLock = field(init=False, factory=RLock)

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

    # ------------------------------------------------------------ looking

    def page(self, seat: int) -> SeatPage:
        """What a seat is shown; `SPECTATOR` sees what everybody may."""
        with self.lock:
            self._whole()
            now, since = view(self.match.state, seat), self._since(seat)
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
                undone=self._undone(seat),
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
            heard_now = tuple(_heard(self.match.history, self._since(seat), seat))
            told = self._undone(seat), self._kept_rules(seat), self._editions(), self.fault
            return self.number(seat), view(self.match.state, seat), heard_now, *told

    def looked(self, seat: int) -> str:
        """A digest of `look`: made of what the seat is shown alone, it tells whether a page is still as it was."""
        return sha256(repr(self.look(seat)).encode()).hexdigest()[:16]

    def _editions(self) -> int:
        return self.rows[-1].edition if self.rows else 0

    def _kept_rules(self, seat: int) -> RulesKept | None:
        if self.parted is None:
            return None
        known = [at for at in self._moments(seat) if at < max(self.parted.decision, 1)]
        return RulesKept(len(known) - 1, self.parted.clauses)

    def number(self, seat: int) -> int:
        """Of the seat's question: how often it has answered, and how often what it was asked became void since."""
        return sum(_counts_for(row, seat) for row in self.rows)

    def story(self, seat: int) -> tuple[Event, ...]:
        """All that happened, as far as the seat may know."""
        with self.lock:
            opening = _seen(self.match.opening, seat)
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
            known = view(self._position(place), seat)
            events = self._told(seat, before, place) if number else _seen(self.match.opening, seat)
            return Moment(number, len(places), known, known.asked[0] if known.asked else None, events)

    def place(self, seat: int, number: int) -> int | None:
        """How many decisions stand before an earlier position of `history`; None if there is none of this number."""
        places = self._moments(seat)
        return places[number] if 0 <= number < len(places) else None

    def earlier(self, seat: int, number: int) -> State | None:
        """The position of `history`, hidden things included: for drawings by seat, and never to be sent."""
        with self.lock:
            place = self.place(seat, number)
            return None if place is None else self._position(place)

    def _moments(self, seat: int) -> list[int]:
        """Places in the history that a seat can look at again; the present is the last."""
        past = enumerate(self.match.history)
        seen_by_all = (at for at, one in past if _is_open(one) or one.action.seat == seat)
        return [*seen_by_all, len(self.match.history)]

    def _position(self, place: int) -> State:
        history = self.match.history
        return history[place].state if place < len(history) else self.match.state

    def _since(self, seat: int) -> int:
        """From which decision on a seat is told what happened: its own last one, or for who watches the last round."""
        last = self.match.last_of(seat)
        if last is not None:
            return last
        return 0 if seat != SPECTATOR else self._moments(seat)[-self.match.state.setting.players - 1 :][0]

    def _told(self, seat: int, since: int, until: int) -> tuple[Event, ...]:
        return tuple(event for past in self.match.history[since:until] for event in _seen(past.events, seat))

    def _undone(self, seat: int) -> tuple[Undone, ...]:
        found: list[Undone] = []
        for row in self.rows:
            if row.kind == "answer" and row.seat == seat:
                found.clear()
            if row.kind == "undo" and row.seat is not None and (not row.apart or row.seat == seat):
                found.append(Undone(row.seat))
        return tuple(found)

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
            return Refused("over", "the match is over")
        if seat not in self.people:
            return _NOT_ASKED
        if number != self.number(seat):
            return Refused("stale", "this question has been answered or taken back already")
        return _NOT_ASKED if question is None else None

    def decide(self, question: Decision, value: Value) -> Accepted | Refused:
        """Take an answer that is not checked yet, a bot's too."""
        seat, action = question.seat, Action(question.seat, value)
        with self.lock:
            try:
                self.match.act(action)
            except errors.Refused as fault:
                return Refused("refused", "these cannot be chosen together", fault.cites)
            except errors.IllegalAction as fault:
                return Refused("not-offered", str(fault))
            except errors.RuleError as fault:
                self.fault = _public(fault)
                return Refused("rules", self.fault)
            self.fault = ""
            lines = _Lines(self.rows)
            lines.decision("answer", self.match.history[-1], apart=bool(self.match.history[-1].state.branches))
            lines.end_of(self.match)
            self._keep(lines.new)
            return Accepted(self.number(seat))

    # ------------------------------------------------------------ taking back

    def why_no_undo(self, seat: int) -> str:
        """Why a seat cannot take back its last answer; "" if it can."""
        if seat not in self.people:
            return "only who plays can take back"
        if self.match.outcome() is not None:
            return "the match is over"
        index = self.match.last_of(seat)
        if index is None:
            return "you have not decided anything yet"
        return "" if self.match.practice else self.match.why_not_back(seat, index)

    def undo(self, seat: int) -> Accepted | Refused:
        """Take back the seat's last answer, and what bots decided since; a trace of it stays."""
        with self.lock:
            self._whole()
            place, reason = self.match.last_of(seat), self.why_no_undo(seat)
            if reason or place is None:
                return Refused("no-undo", reason)
            apart = self.match.is_apart(place)
            self.match.undo(seat)
            lines = _Lines(self.rows)
            lines.back(place, seat, apart=apart)
            for past in self.match.history[place:]:
                lines.decision("again", past, apart=True)
            self.turns += 1
            self.fault = ""
            self._keep(lines.new)
            return Accepted(self.number(seat))

    # ------------------------------------------------------------ other rules

    def go_over(self, game: Game) -> Parted | None:
        """Go on under other rules, if all decisions hold there; else where they part, and the old rules stay."""
        with self.lock:
            self._whole()
            log = parse(log_of(self.rows))
            self.parted = parting(log, self.game, game)
            if self.parted is not None:
                return self.parted
            match = played_again(log, game)
            header = header_under(self.header, match)
            rows = first_rows(header, match, self.rows)
            self.match, self.header, self.fault = match, header, ""
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

    def why_no_log(self) -> str:
        """Why nobody who plays may have the log or go on from it elsewhere now; "" if they may."""
        if self.match.outcome() is None and len(self.people) > 1:
            return "the log tells what is hidden: it can be had when the match is over"
        return ""

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


_NOT_ASKED = Refused("not-asked", "this seat is not asked now")


def loaded(match_id: str, file: str, game: Game, rows: Sequence[Row], save: Save) -> Table:
    """The table that was kept.  Errors: `Damaged`, `StoreFault` if its lines cannot be played under these rules."""
    log = parse(log_of(rows))
    return Table(match_id, file, played_again(log, game), log.header, list(rows), save)


def header_of(rows: Sequence[Row]) -> Header:
    """How the last edition was set up.  Errors: `Damaged`."""
    last = max(row.edition for row in rows)
    return parse(next(row.line for row in rows if row.edition == last)).header


def log_of(rows: Sequence[Row]) -> bytes:
    """The log in the lines of the last edition."""
    last = max(row.edition for row in rows)
    return b"".join(row.line for row in rows if row.edition == last)


def first_rows(header: Header, match: Match, rows: Sequence[Row] = ()) -> list[Row]:
    """The lines of a new edition, with all that has been decided.  rows: of those before."""
    lines = _Lines(rows)
    lines.header(header)
    for past in match.history:
        lines.decision("again", past, apart=False)
    lines.end_of(match)
    return lines.new


class _Lines:
    """Further lines of a log, as rows."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.new: list[Row] = []
        self.edition = rows[-1].edition if rows else -1
        self.number = rows[-1].number + 1 if rows else 0
        self._made = b""
        self._writer = Writer(self._put, _link(rows[-1].line) if rows else "")

    def _put(self, line: bytes) -> None:
        self._made = line

    def header(self, header: Header) -> None:
        self.edition, self.number = self.edition + 1, 0
        self._writer = Writer(self._put)
        self._writer.header(header)
        self._add("rules", None, apart=False)

    def decision(self, kind: str, past: Past, *, apart: bool) -> None:
        seat = past.action.seat
        self._writer.decision(past.state.setting.seats, past.action, past.what, past.ways)
        self._add(kind, None if seat == CHANCE else seat, apart=apart)

    def back(self, count: int, seat: int, *, apart: bool) -> None:
        self._writer.back(count)
        self._add("undo", seat, apart=apart)

    def end_of(self, match: Match) -> None:
        outcome = match.outcome()
        if outcome is not None:
            self._writer.end(match.state, outcome)
            self._add("end", None, apart=False)

    def _add(self, kind: str, seat: int | None, *, apart: bool) -> None:
        self.new.append(Row(self.edition, self.number, kind, seat, apart, self._made))
        self.number += 1


def _link(line: bytes) -> str:
    return str(strict_json.loads(line)["link"])


def _counts_for(row: Row, seat: int) -> bool:
    """Whether a line makes what the seat was asked before void: its own answer, or what all know to be taken back."""
    if row.kind == "answer":
        return row.seat == seat
    if row.kind == "undo":
        return row.seat == seat or not row.apart
    return row.kind == "rules" and row.edition > 0


def _is_open(past: Past) -> bool:
    """Whether everybody knows that this was decided; how often chance is asked can follow from what is hidden."""
    return not past.state.branches and past.action.seat != CHANCE


def _heard(history: Sequence[Past], since: int, seat: int) -> list[Event]:
    known = (heard(event, seat) for past in history[since:] for event in past.events)
    return [event for event in known if event is not None]


def _seen(events: Sequence[Event], seat: int) -> tuple[Event, ...]:
    return tuple(known for known in (seen(event, seat) for event in events) if known is not None)


def _public(fault: errors.RuleError) -> str:
    """What people who play may read of a fault: its own words can tell what is hidden from them."""
    if fault.code == "too-long":
        return str(fault)
    rule = f"the rule `{fault.rule}`" if fault.rule else "a rule"
    where = f" ({fault.span})" if fault.span.line else ""
    return f"{rule} cannot be carried out{where}"
