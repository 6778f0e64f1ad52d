"""Pairs of histories that differ in one hidden fact: whoever may not know it must receive the same, byte for byte.

This is noninterference, tested on pairs of runs (self-composition).

A match is played and kept: what each seat received after each step, beside
the ledger of what it may know (`tests.secrecy.knowledge`).  At some of its moments a
twin branches off (`tests.secrecy.twins`), in which the same decisions are replayed.
As long as the two ledgers of a seat agree, all that the seat receives must
be equal, in number and order too; where they agree again later, and so do the names in force, what it
sees of the present must be.  Where the present differs, it must show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from attrs import define, field

from rulekit import Action, Decision, Game, RuleError, State, Value, decisions, notation
from rulekit.play.view import SPECTATOR
from rulekit.record.match import Match
from tests.generators.random_matches import Answers
from tests.secrecy.histories import Base, Message, Moment, Run, begun, flow, names_in_force, played
from tests.secrecy.knowledge import secrets
from tests.secrecy.terminal import Terminals
from tests.secrecy.twins import WAYS, Twin, Way

HORIZON = 24
"""Decisions that a twin is followed for."""
AHEAD = 6
"""How far out of turn a decision of the base may be taken."""


class Leak(AssertionError):
    """A seat received something that it may not know, or was not shown what it may."""


@define
class Tally:
    """What was compared.  Counters go by variable and reader, a `seat` or the `spectator`.

    pages:  of seats that know of no difference, found equal.
    equal:  messages found equal while the variable differed where the reader may not see it.
    again:  the same of what the reader could know before, and may not any more.
    shown:  looks that had to differ in the variable, and did.
    """

    pairs: int = 0
    messages: int = 0
    pages: int = 0
    equal: Counter[tuple[str, str]] = field(factory=Counter)
    again: Counter[tuple[str, str]] = field(factory=Counter)
    shown: Counter[tuple[str, str]] = field(factory=Counter)
    ways: Counter[str] = field(factory=Counter)

    def add(self, other: Tally) -> None:
        self.pairs += other.pairs
        self.messages += other.messages
        self.pages += other.pages
        for name in ("equal", "again", "shown", "ways"):
            getattr(self, name).update(getattr(other, name))


def searched(
    rules: Game,
    seats: int,
    seed: str,
    tally: Tally,
    *,
    options: dict[str, Value] | None = None,
    ways: tuple[Way, ...] = WAYS,
    every: int = 8,
    chance: bool = True,
    screens: bool = False,
    horizon: int = HORIZON,
    beyond: bool = False,
    drawn: bool = False,
    pages: Callable[[Match, int], str] | None = None,
) -> None:
    """One match and its twins; raises `Leak`.

    every:    how many decisions apart, about, twins branch off.
    chance:   whether chance answers from outside, so that it can choose otherwise.
    screens:  whether what people are shown at a terminal is compared, too; they answer in turn then, as there.
    drawn:    whether this terminal draws tables and colours, which takes twice as long.
    horizon:  how many decisions a twin is followed for.
    pages:    what each seat is shown on a page, as text, where that is compared, too.
    beyond:   also when all seats have learned of the difference, which may be covered again.
    """
    answers = Answers(f"twins {seed}")
    terminals = partial(Terminals.of, drawn=drawn) if screens else None
    run = begun(rules, seats, None if chance else seed, options, terminals, pages)
    base = played(run, answers, every, in_turn=screens)
    for moment in base.moments:
        for way in ways:
            for twin in way(moment, answers):
                Pair(base, moment, twin, tally).follow(horizon, beyond=beyond)
                tally.pairs += 1
                tally.ways[twin.what] += 1


# ---------------------------------------------------------------- two histories


class Pair:
    """Two histories side by side.

    compared, matched:  how many messages of each seat, and entries of its ledger, agree.
    apart:              seats whose ledgers have differed, with the entry where they first did.
    place:              how many of the base's decisions are made.
    """

    def __init__(self, base: Base, moment: Moment, twin: Twin, tally: Tally) -> None:
        self.base, self.moment, self.twin, self.tally = base, moment, twin, tally
        self.run = twin.run
        self.seats = tuple(self.run.ledger.sheets)
        self.compared = {seat: len(messages) for seat, messages in moment.run.sent.items()}
        self.matched = {seat: len(sheet.entries) for seat, sheet in moment.run.ledger.sheets.items()}
        self.apart: dict[int, int] = {}
        self.place = moment.place

    def follow(self, horizon: int, *, beyond: bool) -> None:
        if self.twin.acted:
            self.place += 1
            self._after()
        else:
            self._at_once()
        guide = Guide(self.base, self.place, self.twin.pairs)
        for _ in range(horizon):
            action = guide.next(self.run.state)
            if action is None or (len(self.apart) == len(self.seats) and not beyond):
                return
            try:
                self.run.act(action)
            except RuleError:
                # What was changed from outside can make a position that no match comes to, and no rule knows.
                assert not self.twin.acted
                return
            self.place = guide.place
            self._after()

    def _at_once(self) -> None:
        """What was changed from outside shows at once to those who may know it, and to nobody else."""
        left, right = self.moment.run, self.run
        for seat in self.seats:
            before, after = left.ledger.sheets[seat].shown, right.ledger.sheets[seat].shown
            looks = left.look(seat), right.look(seat)
            if before == after:
                self._expect(looks[0] == looks[1], seat, looks)
                self._expect_page(left, seat)
                self._count(self.tally.equal, left.state, seat)
            else:
                self.apart[seat] = self.matched[seat]
                self._expect(looks[0] != looks[1], seat, (b"", b""), "a seat is not shown what it may know")
                self._count_shown(before, after, seat)
            right.looks[seat] = looks[1]

    def _expect_page(self, left: Run, seat: int) -> None:
        if self.run.pages is not None:
            pages = left.page(seat).encode(), self.run.page(seat).encode()
            self._expect(pages[0] == pages[1], seat, pages)
            self.tally.pages += 1

    def _after(self) -> None:
        """After a step: new messages to seats whose ledgers agree, and what others see now."""
        for seat in self.seats:
            if seat not in self.run.deaf:
                self._match(seat)
                self._compare(seat)
                # A page that is as it was before is no message; it would be one if it were not in either history.
                self.tally.pages += self.run.pages is not None and seat not in self.apart
            if seat in self.apart:
                self.run.deaf.add(seat)
        self._again()

    def _match(self, seat: int) -> None:
        """How far the ledgers agree."""
        ours, theirs = self.run.ledger.sheets[seat].entries, self.base.run.ledger.sheets[seat].entries
        at = self.matched[seat]
        while at < len(ours) and at < len(theirs) and ours[at] == theirs[at]:
            at += 1
        if at < len(ours):
            self.apart.setdefault(seat, at)
        self.matched[seat] = at

    def _compare(self, seat: int) -> None:
        """The messages that came while the ledgers agreed."""
        ours, theirs = self.run.sent.get(seat, []), self.base.run.sent.get(seat, [])
        for index in range(self.compared.get(seat, 0), len(ours)):
            if ours[index].known > self.apart.get(seat, ours[index].known):
                break
            other = theirs[index] if index < len(theirs) else Message(-1, b"nothing")
            self._expect(ours[index] == other, seat, (other.body, ours[index].body))
            self.tally.messages += 1
            if self.place:
                self._count(self.tally.equal, self.base.after[self.place - 1].state, seat)
        self.compared[seat] = len(ours)

    def _again(self) -> None:
        """Seats that have learned of the difference and may not know it any more."""
        if not (self.apart and self.place and self.run.waits):
            return
        after = self.base.after[self.place - 1]
        if after.flow != flow(self.run.state):
            return
        known = self.run.ledger.now()
        for seat in self.apart:
            same_names = names_in_force(after.state, seat) == names_in_force(self.run.state, seat)
            if same_names and after.known[seat] == known[seat]:
                looks = after.looks[seat], self.run.look(seat)
                self._expect(looks[0] == looks[1], seat, looks)
                self._count(self.tally.again, after.state, seat)

    def _count(self, counter: Counter[tuple[str, str]], left: State, seat: int) -> None:
        for name in secrets(left, self.run.state, seat, self.run.ledger.open_slots):
            counter[name, reader(seat)] += 1

    def _count_shown(self, before: list[object], after: list[object], seat: int) -> None:
        setting = self.run.state.setting
        for slot, (one, other) in enumerate(zip(before, after, strict=True)):
            if one != other:
                self.tally.shown[setting.game.variables[setting.slot_variable[slot]].name, reader(seat)] += 1

    def _expect(self, fine: bool, seat: int, looks: tuple[bytes, bytes], what: str = "") -> None:
        if fine:
            return
        who = "a spectator" if seat == SPECTATOR else f"seat {seat}"
        made = [f"{d.seat}:{d.name}={notation(a)}" for d, a in self.base.steps[: self.place]]
        where = f"{self.twin.what} at decision {self.moment.place}, seen at {self.place}"
        title = what or "a seat learns what it may not know"
        raise Leak(f"{title}: {who}, {where}\n{difference(*looks)}\nafter {' '.join(made[-12:])}")


def reader(seat: int) -> str:
    return "spectator" if seat == SPECTATOR else "seat"


def difference(left: bytes, right: bytes) -> str:
    at = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return "\n".join(f"  ...{text[max(0, at - 150) : at + 150].decode()}..." for text in (left, right))


class Guide:
    """The base's decisions, as far as a twin can follow them."""

    def __init__(self, base: Base, place: int, pairs: dict[Value, Value]) -> None:
        self.base, self.place, self.pairs = base, place, pairs
        self.used: set[int] = set()

    def next(self, state: State) -> Action | None:
        waiting = {decision.seat: decision for decision in decisions(state)}
        if not waiting or self.place >= len(self.base.steps):
            return None
        if self.base.run.screens is not None:
            # At a terminal whoever was asked first answers first.
            waiting = dict([next(iter(waiting.items()))])
        for ahead in range(self.place, min(self.place + AHEAD, len(self.base.steps))):
            decision, answer = self.base.steps[ahead]
            asked = waiting.get(decision.seat)
            if ahead not in self.used and asked is not None and asked.name == decision.name:
                self._use(ahead)
                return Action(asked.seat, self._fitting(asked, answer))
        asked = next(iter(waiting.values()))
        return Action(asked.seat, asked.options[: asked.least] if asked.several else asked.options[0])

    def _use(self, place: int) -> None:
        self.used.add(place)
        while self.place in self.used:
            self.place += 1

    def _fitting(self, asked: Decision, answer: Value) -> Value:
        """The base's answer, or what stands for it, or anything that is offered."""
        if not asked.several:
            other = self.pairs.get(answer, answer)
            return next((each for each in (answer, other) if each in asked.options), asked.options[0])
        assert isinstance(answer, tuple)
        left, chosen = list(asked.options), []
        for item in answer:
            fit = next((each for each in (item, self.pairs.get(item, item)) if each in left), None)
            if fit is not None:
                left.remove(fit)
                chosen.append(fit)
        while len(chosen) < asked.least:
            chosen.append(left.pop(0))
        return tuple(chosen[: asked.most])
