"""What `rulekit run` shows people, as text: written by the session's own functions, on a screen that keeps it.

Two sorts of session are followed: for each seat one in which a person holds
this seat and bots the others, and one in which people hold all seats and
share a screen (hot seat).  A person who is asked types everything there is
to type, see `TYPED`.

What nobody compares is the line with the seed and the number of decisions,
after the last board: from the seed and the answers, anybody who likes can
play the whole match again.  Typing `q` shows this line and ends the match.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from unittest import mock

from attrs import define, evolve, field, frozen

from rulekit import CHANCE, Action, Decision, State, Value
from rulekit.apps.play import session
from rulekit.apps.play.screen import JsonLines, Screen, Situation
from rulekit.apps.play.session import Session, Setup
from rulekit.bots.players.registry import RANDOM
from rulekit.bots.seated_bots import SeatedBots
from rulekit.play.state.event import Event
from rulekit.play.view import SPECTATOR
from rulekit.record.log import HUMAN
from rulekit.record.match import Match
from rulekit.tools.tell.menu import menu

TYPED = ("?", "b", "nonsense", "u")
"""What a person types who wants to know everything; `u` last, since it may lead away from the question.

`h` and `help` are other words for `?`; `q` ends the match.
"""
TYPED_LATER = ("n",)
"""What tells what a seat has heard since its last answer, which is no part of what there is to see now."""
CLEARED = "\x1b[H\x1b[2J\x1b[3J"


@frozen
class Step:
    """A decision that was made.  match: as it stands since."""

    match: Match
    before: State
    decision: Decision
    answer: Value
    events: tuple[Event, ...]


class Made(Match):
    """A match as it stood before a step; to act is to make this step."""

    def __init__(self, step: Step) -> None:
        super().__init__(step.before, step.match.opening, step.match.people, history=step.match.history)
        self.step = step

    def act(self, action: Action) -> tuple[Event, ...]:
        self.state = self.step.match.state
        return self.step.events


def match_of(match: Match, people: frozenset[int]) -> Match:
    """The same match, but these seats are held by people; what is taken back in it stays in the other."""
    answers = Counter(past.action.seat for past in match.history)
    return Match(match.state, match.opening, people, history=match.history.copy(), answers=answers)


class Paper(io.StringIO):
    """A stream to write on, which may count as a terminal that is drawn on.

    listener:  told at once of whatever is written.
    """

    def __init__(self, *, drawn: bool = False) -> None:
        super().__init__()
        self.drawn = drawn
        self.listener: Callable[[str], None] = lambda text: None

    def isatty(self) -> bool:
        return self.drawn

    def write(self, text: str, /) -> int:
        self.listener(text)
        return super().write(text)

    def taken(self) -> str:
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text


class PlainTerminal(Screen):
    """A terminal with the plain lines of a file, since drawn tables take most of the time; it can be wiped."""

    is_terminal = True

    def clear(self) -> None:
        self.stream.write(CLEARED)


def session_of(match: Match, people: frozenset[int], paper: Paper) -> Session:
    """A session among these people in which nothing was shown yet."""
    setting = match.state.setting
    kinds = tuple(HUMAN if seat in people else RANDOM for seat in range(setting.players))
    setup = Setup("game.rules", setting.seats, kinds, "seed", seed_is_open=False, ruleset=None, practice=False)
    with without_bots(), mock.patch.dict(os.environ, TERM="xterm", COLUMNS="90"):
        one = Session(match, setup, as_json=False, log=None)
        one.screen = Screen(paper) if paper.drawn else PlainTerminal(paper)
    return one


@contextmanager
def without_bots() -> Iterator[None]:
    """Bots show nothing, and to seat them anew takes long."""
    with mock.patch.object(session, "joined", return_value=SeatedBots({})):
        yield


class Person(io.StringIO):
    """Types these lines, one where `>` asks for one, nothing where a key is to be pressed, and then goes away.

    before:  how much stood on the paper when the last line was typed.
    """

    def __init__(self, paper: Paper, *lines: str) -> None:
        super().__init__()
        self.paper, self.lines, self.before = paper, list(lines), 0

    def readline(self, size: int | None = -1, /) -> str:
        if not self.paper.getvalue().endswith(">\n"):
            return "\n"
        self.before = self.paper.tell()
        return self.lines.pop(0) + "\n" if self.lines else ""

    @contextmanager
    def typing(self) -> Iterator[None]:
        with mock.patch.object(sys, "stdin", self), without_bots():
            yield


# ---------------------------------------------------------------- one person among bots


class Terminal:
    """What the person at one seat is shown; at that of a spectator, whoever looks on while people hold all seats.

    Holds nothing of a match from one call to the next, so that all histories share it.

    json:  the lines of `--json`, which a spectator may read.
    told:  where what happens is written in such lines: not for a person, who may know less of which of two equal
           cards a spectator saw.
    """

    def __init__(self, match: Match, seat: int, paper: Paper) -> None:
        everybody = frozenset(range(match.state.setting.players))
        self.seat, self.paper = seat, paper
        self.session = session_of(match, everybody if seat == SPECTATOR else frozenset([seat]), self.paper)
        self.json = JsonLines(SPECTATOR)
        self.told = self.json if seat == SPECTATOR else None

    def opening(self, match: Match) -> list[str]:
        """What is shown before the first question."""
        return [self._shown(match, lines, self.session._begin) for lines in dict.fromkeys((None, self.told))]

    def heard(self, step: Step) -> list[str]:
        """What is shown when somebody has decided; a match at a terminal never asks for chance."""
        if step.decision.seat == CHANCE:
            return [self._shown(step.match, self.told, lambda: self.session._happened(step.events))]
        decides = lambda: self.session._decide(step.decision, step.answer)  # noqa: E731
        return [self._shown(Made(step), self.told, decides)]

    def at_present(self, match: Match) -> tuple[list[str], list[str]]:
        """What there is to see; and for who is asked what else can be read of what was heard before.

        That is: what happened since the last answer, and what is shown when this shall be taken back.
        """
        own = match_of(match, self.session.setup.people)
        for decision in match.decisions():
            if decision.seat == self.seat:
                return self._asked(own, decision)
        seen = [self._shown(own, None, self._look_at_the_board)] if match.decisions() else self._ended(match)
        return seen, []

    def _asked(self, match: Match, decision: Decision) -> tuple[list[str], list[str]]:
        person = Person(self.paper, *TYPED)
        with person.typing(), mock.patch.object(Session, "_situation", without_memory(Session._situation)):
            shown = self._shown(match, self.json, lambda: self.session._ask(decision))
        return [shown[: person.before]], [shown[person.before :], self._remembered(match, decision)]

    def _remembered(self, match: Match, decision: Decision) -> str:
        """The question with what happened since the last answer, and this told again."""
        with Person(self.paper, *TYPED_LATER).typing():
            return self._shown(match, None, lambda: self.session._ask(decision))

    def _look_at_the_board(self) -> None:
        self.session.screen.board(self.session.match.state, self.session.reader, self.session.names)

    def _ended(self, match: Match) -> list[str]:
        told = self._shown(match, None, self.session._finish)
        outcome = json.loads(self._shown(match, self.json, self.session._finish))
        assert (outcome.pop("seed"), outcome.pop("decisions")) == ("seed", len(match.history))
        return [without_seed(told, self.session), json.dumps(outcome)]

    def _shown(self, match: Match, lines: JsonLines | None, does: Callable[[], None]) -> str:
        self.session.match, self.session.lines, self.session.together = match, lines, False
        with redirect_stdout(io.StringIO()) as written, suppress(EOFError):
            does()
        for missed in self.session.missed.values():
            missed.clear()
        return self.paper.taken() + written.getvalue()


def without_memory(situation: Callable[[Session, Decision], Situation]) -> Callable[[Session, Decision], Situation]:
    """The same question, as somebody meets it who heard nothing before."""
    return lambda session, decision: evolve(situation(session, decision), before=None, events=())


def without_seed(text: str, at: Session) -> str:
    """What is shown at the end, but for its last line."""
    shown, _, last = text.rstrip().rpartition("\n")
    assert last == at._seed_line(), text
    return shown


# ---------------------------------------------------------------- people at one screen


@define
class HotSeat:
    """What each of the people at one screen could read there, who hold all seats.

    Whoever is at the screen reads all that stands there since it was last
    cleared; people who have no secrets from each other now read together.

    page:   what stands on the screen.
    read:   by seat, how much of it is read.
    fresh:  by seat, what was read since this was last asked for.
    """

    session: Session
    current: int | None = None
    together: bool = False
    missed: dict[int, list[Event]] = field(factory=dict)
    untold: set[int] = field(factory=set)
    page: list[str] = field(factory=list)
    read: dict[int, int] = field(factory=dict)
    fresh: dict[int, str] = field(factory=dict)

    @classmethod
    def of(cls, match: Match, paper: Paper) -> HotSeat:
        people = frozenset(range(match.state.setting.players))
        return cls(session_of(match, people, paper), missed={seat: [] for seat in people})

    def copy(self) -> HotSeat:
        missed = {seat: events.copy() for seat, events in self.missed.items()}
        kept = self.untold.copy(), self.page.copy(), self.read.copy(), self.fresh.copy()
        return HotSeat(self.session, self.current, self.together, missed, *kept)

    def opening(self, match: Match) -> None:
        self._does(match, self.session._begin)

    def heard(self, step: Step) -> None:
        """Whoever is asked comes to the screen and answers."""
        if step.decision.seat == CHANCE:
            self._does(step.match, lambda: self.session._happened(step.events))
            return
        with Person(self.paper, "?", *TYPED_LATER, self._typed(step)).typing():
            self._does(Made(step), lambda: self.session._ask(step.decision))
        if step.match.outcome() is not None:
            self._ended(step.match)

    def _typed(self, step: Step) -> str:
        """The numbers of what was chosen; of two options that look the same, the first is taken first."""
        left = list(menu(step.decision, self.session.names).entries)
        chosen = step.answer if step.decision.several else (step.answer,)
        assert isinstance(chosen, tuple)
        keys = []
        for value in chosen:
            entry = next(each for each in left if each.value == value)
            left.remove(entry)
            keys.append(entry.key)
        return " ".join(keys)

    def _ended(self, match: Match) -> None:
        """Everybody looks; nobody compares the last line."""
        self._does(match, self.session._finish, everybody=True)
        self.fresh = {seat: without_seed(text, self.session) for seat, text in self.fresh.items()}

    def _does(self, match: Match, does: Callable[[], None], *, everybody: bool = False) -> None:
        at = self.session
        at.match, at.current, at.together = match, self.current, self.together
        at.missed, at.untold = self.missed, self.untold
        self.paper.listener = lambda text: self._written(text, everybody=everybody)
        does()
        self.paper.taken()
        self.current, self.together = at.current, at.together

    @property
    def paper(self) -> Paper:
        assert isinstance(self.session.screen.stream, Paper)
        return self.session.screen.stream

    def _written(self, text: str, *, everybody: bool) -> None:
        if text == CLEARED:
            self.page.clear()
            self.read.clear()
        self.page.append(text)
        everybody = everybody or self.session.together or self.session.current is None
        for seat in self.missed if everybody else (self.session.current,):
            assert seat is not None
            unread = "".join(self.page[self.read.get(seat, 0) :])
            self.fresh[seat] = self.fresh.get(seat, "") + unread
            self.read[seat] = len(self.page)


# ---------------------------------------------------------------- all of them


@define
class Terminals:
    """All sessions in which a match can be shown: a person at each seat, and people at all of them."""

    apart: dict[int, Terminal]
    hot: HotSeat

    @classmethod
    def of(cls, match: Match, *, drawn: bool) -> Terminals:
        seats = (*range(match.state.setting.players), SPECTATOR)
        apart = {seat: Terminal(match, seat, Paper(drawn=drawn)) for seat in seats}
        return cls(apart, HotSeat.of(match, Paper(drawn=drawn)))

    def copy(self) -> Terminals:
        return Terminals(self.apart, self.hot.copy())

    def opening(self, match: Match, seat: int) -> list[str]:
        return self.apart[seat].opening(match)

    def heard(self, step: Step, seat: int) -> list[str]:
        """What a seat was shown by a step, nothing if that is nothing; the hot seat must have been told before."""
        shown = [*self.apart[seat].heard(step), self.hot.fresh.pop(seat, "")]
        return shown if any(shown) else []

    def at_present(self, match: Match, seat: int) -> tuple[list[str], list[str]]:
        return self.apart[seat].at_present(match)
