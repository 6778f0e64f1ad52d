"""A session: one match at a terminal, from its opening to its outcome, with people, bots or both at the seats.

Who is asked next, what the reader may see meanwhile, undo, and handing over the screen between people.
"""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import suppress

import click

import rulekit
from rulekit import library, limits
from rulekit.apps.console import CLOSED_PIPE, DONE
from rulekit.apps.play.screen import JsonLines, Screen, Situation
from rulekit.bots.players.seating import joined
from rulekit.bots.seated_bots import SeatedBots
from rulekit.errors import RulekitError
from rulekit.play.beginning import Beginning
from rulekit.play.state.errors import Refused, RuleError
from rulekit.play.state.event import Event, seen
from rulekit.play.state.match_state import Action, Decision, State
from rulekit.play.state.value import Value
from rulekit.play.view import SPECTATOR, covered, view
from rulekit.record.json_values import chosen_options, rules_digest
from rulekit.record.log import HUMAN, Header, Writer
from rulekit.record.match import Match
from rulekit.record.replay import rules_named
from rulekit.record.ways import ways_asked
from rulekit.tools.explain.source_text import written
from rulekit.tools.language.display_names import Names, seat_words
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.tell import narration
from rulekit.tools.tell.clause_text import clause_words
from rulekit.tools.tell.menu import NotAnAnswer, answer, clauses_of, menu
from rulekit.values import define, field, frozen


class _Quit(RulekitError):
    """A person typed q."""


@frozen
class Setup:
    """The command line, as far as it is about the match itself."""

    file: str
    names: tuple[str, ...] | int
    kinds: tuple[str, ...]
    seed: str
    seed_is_open: bool
    ruleset: str | None
    practice: bool
    tongue: Tongue = SOURCE
    begun: Beginning | None = None

    @property
    def people(self) -> frozenset[int]:
        return frozenset(seat for seat, kind in enumerate(self.kinds) if kind == HUMAN)


@define(eq=False)
class Session:
    """One match being played at this terminal.

    current:   the person before the screen, by seat.
    missed:    by seat, what happened since this person was last asked.
    untold:    people who have not been told yet what they alone may hear.
    link:      of the last line of a log that goes on; "" for one that begins.
    together:  whether people look at the screen together; nothing stands there then that one of them may not know.
    """

    match: Match
    setup: Setup
    as_json: bool
    log: library.LogFile | None
    names: Names = field(init=False)
    screen: Screen = field(init=False)
    lines: JsonLines | None = field(init=False)
    writer: Writer | None = field(init=False)
    rounds: _Rounds = field(init=False)
    bots: SeatedBots = field(init=False)
    current: int | None = None
    missed: dict[int, list[Event]] = field(factory=dict)
    untold: set[int] = field(factory=set)
    together: bool = False
    link: str = ""

    def __attrs_post_init__(self) -> None:
        self.names = Names(self.match.state.setting, self.setup.tongue)
        people = self.setup.people
        self.screen = Screen(sys.stderr if self.as_json else sys.stdout)
        self.lines = JsonLines(SPECTATOR if people else None) if self.as_json else None
        self.writer = None if self.log is None else Writer(self.log.put, self.link)
        self.rounds = _Rounds(self.match.state.setting.players)
        self.bots = joined(self.match, self.setup.kinds, self.setup.seed)
        self.current = next(iter(people)) if len(people) == 1 else None
        self.missed = {seat: [] for seat in people}

    @property
    def reader(self) -> int | None:
        """For whom the screen shows things: a seat, everybody around it, or, without people, all."""
        if not self.setup.people:
            return None
        return SPECTATOR if self.current is None or self.together else self.current

    def run(self) -> int:
        try:
            self._begin()
            while asked := self.match.decisions():
                self._next(asked)
            self._finish()
        except _Quit:
            self.screen.say(self._say("stopped", decisions=self._decisions()))
            self.screen.say(self._seed_line())
        except BrokenPipeError:
            # Left to click, this would become 1.
            return CLOSED_PIPE
        except BaseException as fault:
            with suppress(OSError):
                if self.setup.people:
                    click.echo(self._seed_line(), err=True)
                self._tell_log(sys.stderr, ended=isinstance(fault, RuleError))
            raise
        self._tell_log(sys.stderr if self.as_json else sys.stdout)
        return DONE

    def _begin(self) -> None:
        header = _header(self.match.state, self.setup)
        if self.writer is not None and not self.link:
            self._write_begun(header)
        if self.lines is not None:
            seed = {"seed": header.seed} if self.setup.seed_is_open else {}
            self.lines.start(header, **seed)
        else:
            self._greet(header)
        if self.match.history:
            self._taken_up()
        else:
            self._happened(self.match.opening)

    def _write_begun(self, header: Header) -> None:
        """The head of a new log, and what was decided before, if the match began in another one."""
        assert self.writer is not None
        self.writer.header(header)
        for past in self.match.history:
            self.writer.decision(header.seats, past.action, past.what, past.ways)

    def _taken_up(self) -> None:
        """What had happened is told to nobody again, but to each what came after their own last answer."""
        for past in self.match.history:
            if past.action.seat in self.missed:
                self.missed[past.action.seat].clear()
            for seat, missed in self.missed.items():
                missed += past.events
                if any(_is_private(event, seat) for event in past.events):
                    self.untold.add(seat)
        self.screen.say(self._say("taken-up", decisions=self._decisions()))
        if self.current is not None:
            self.screen.tell(tuple(self.missed[self.current]), self.names, self.reader)

    def _greet(self, header: Header) -> None:
        tongue, pairs = self.setup.tongue, zip(header.seats, header.players, strict=True)
        seated = [(seat_words(name, tongue), narration.who_sits(kind, tongue)) for name, kind in pairs]
        seats = [self._say("seated", name=name, kind=kind) for name, kind in seated]
        title = tongue.text("title", header.title)
        self.screen.say(self._say("title-line", title=title, seats=", ".join(seats)), style="bold")
        if header.begun is not None and header.begun.scenario:
            self.screen.say(self._say("from-scenario", name=header.begun.scenario))
        if self.setup.seed_is_open:
            self.screen.say(self._say("seed", seed=ascii(header.seed)[1:-1]))

    def _say(self, phrase: str, **values: object) -> str:
        return self.setup.tongue.say(phrase, **values)

    def _decisions(self) -> str:
        return self.setup.tongue.count("decisions", len(self.match.history))

    def _next(self, asked: tuple[Decision, ...]) -> None:
        """People first, so that no bot's answer stands between a person and an undo."""
        decision = next((each for each in asked if each.seat in self.setup.people), asked[0])
        if decision.seat in self.setup.people:
            self._ask(decision)
            return
        if not self.setup.people and not self.as_json and self.rounds.is_over(self.match.state):
            self.screen.board(self.match.state, None, self.names)
        self._decide(decision, self.bots.answer(self.match.state, decision))

    def _decide(self, decision: Decision, value: Value) -> None:
        state, action = self.match.state, Action(decision.seat, value)
        try:
            events = self.match.act(action)
        except RuleError as fault:
            # The log ends with the decision at which the rules failed, to be looked into.
            if len(self.match.history) < limits.DECISIONS:
                self._log_decision(state, action, decision)
                self._failed(state, decision, value, fault)
            raise
        self.bots.answered(decision, value)
        self.bots.tell(self.match.state, events, decision.seat)
        self.rounds.answered(decision.seat)
        self._log_decision(state, action, decision)
        if self.lines is not None:
            self.lines.decision(state, decision, value)
        if self.setup.people and covered(state, self.match.state):
            self.screen.clear()
        self._happened(events)

    def _failed(self, state: State, decision: Decision, value: Value, fault: RuleError) -> None:
        """What happened since the answer, up to what could not be carried out."""
        if self.lines is not None:
            self.lines.decision(state, decision, value)
        self._happened(fault.events)

    def _log_decision(self, state: State, action: Action, decision: Decision) -> None:
        """state: in which it was asked."""
        if self.writer is not None:
            self.writer.decision(state.setting.seats, action, decision.name, ways_asked(state, action.seat))

    def _happened(self, events: tuple[Event, ...]) -> None:
        if self.lines is not None:
            self.lines.events(events)
        if self.lines is None or self.setup.people:
            self.screen.tell(events, self.names, self.reader)
        for seat, missed in self.missed.items():
            missed += events
            if seat != self.reader and any(_is_private(event, seat) for event in events):
                self.untold.add(seat)

    # ------------------------------------------------------------ people

    def _ask(self, decision: Decision) -> None:
        seat, who = decision.seat, self.names.seat(self.match.state.setting.seats[decision.seat])
        if len(self.setup.people) > 1:
            self._hand_over(seat, who, secret=decision.secret)
        self.missed[seat].clear()
        self.untold.discard(seat)
        shown, situation = menu(decision, self.names), self._situation(decision)
        self.screen.situation(situation, shown, self.names)
        while True:
            text = self.screen.ask("> ").strip()
            if self._is_wish(text.lower(), situation) or (text.lower() == "u" and not self._take_back(seat)):
                self.screen.question(who, decision, shown, self.names)
                continue
            if text.lower() == "u":
                return
            try:
                value = answer(shown, text, self.names.tongue)
            except NotAnAnswer as slip:
                self.screen.say(str(slip))
                continue
            try:
                self._decide(decision, value)
            except Refused as fault:
                self._say_refused(fault)
                continue
            return

    def _say_refused(self, fault: Refused) -> None:
        """Why things cannot be chosen together, with the clauses of the condition that they break."""
        game, tongue = self.match.state.setting.game, self.setup.tongue
        self.screen.say(tongue.say("refused", test=f"`only if {written(game, fault.span)}`"))
        for clause in fault.cites:
            words = clause_words(game, clause, tongue, dict(chosen_options(self.match.state.setting)))
            self.screen.say(f"{clause}: {words}")

    def _situation(self, decision: Decision) -> Situation:
        """What the one who is asked has to see, with what happened since this person's last answer."""
        seat, state = decision.seat, self.match.state
        last = self.match.last_of(seat)
        since = self.match.history[last or 0 :]
        events = self.match.opening if last is None else ()
        for place, past in enumerate(since, 1):
            # What was covered again is told no more, as it was wiped from the screen.
            was_covered = covered(past.state, since[place].state if place < len(since) else state)
            events = past.events if was_covered else events + past.events
        others = {past.action.seat for past in since} & (self.setup.people - {seat})
        return Situation(
            state,
            seat,
            who=self.names.seat(state.setting.seats[seat]),
            decision=decision,
            before=None if last is None else since[0].state,
            events=events,
            reader=self.reader,
            is_told=not (others and self.together),
        )

    def _is_wish(self, text: str, situation: Situation) -> bool:
        """Whether something other than an answer was typed, which is done then."""
        if text == "q":
            raise _Quit
        if text in ("?", "h", "help"):
            self._explain(situation.decision)
        elif text == "b":
            self.screen.board(situation.state, situation.seat, self.names, before=situation.before)
        elif text == "n":
            self.screen.tell(situation.events, self.names, situation.reader)
        else:
            return False
        return True

    def _explain(self, decision: Decision) -> None:
        game = self.match.state.setting.game
        named = [*decision.clauses, *(name for option in decision.options for name in clauses_of(game, option))]
        said = [name for name in dict.fromkeys(named) if name in game.clauses]
        tongue, options = self.setup.tongue, dict(chosen_options(self.match.state.setting))
        for clause in said:
            self.screen.say(f"{clause}: {clause_words(game, clause, tongue, options)}")
        if not said:
            self.screen.say(self._say("no-clause"))

    def _take_back(self, seat: int) -> bool:
        """Whether an undo was done; else the reason is told.

        People who look at one screen together take back whatever one of them decided last.
        """
        made = [past.action.seat for past in self.match.history if past.action.seat in self.setup.people]
        whose = made[-1] if made and self.together else seat
        place = self.match.last_of(whose)
        reason = self.match.undo(whose)
        if reason is not None:
            why = self._say(f"back-{reason.code}", player=reason.by)
            self.screen.say(self._say("not-taken-back", reason=why))
            return False
        self.bots = joined(self.match, self.setup.kinds, self.setup.seed)
        if self.writer is not None and place is not None:
            self.writer.back(place)
            for past in self.match.history[place:]:
                self.writer.decision(past.state.setting.seats, past.action, past.what, past.ways)
        if self.lines is not None:
            self.lines.back(past.question for past in self.match.history)
        name = self.names.seat(self.match.state.setting.seats[whose])
        self.screen.say(self._say("taken-back") if whose == seat else self._say("taken-back-of", player=name))
        return True

    def _hand_over(self, seat: int, who: str, *, secret: bool) -> None:
        """The one who is asked comes to the screen, alone if need be; what the last one could see goes first."""
        last, were_together = self.current, self.together or self.current is None
        if last == seat and not were_together:
            return
        self.current = seat
        self.together = not (secret or self._has_secrets(seat) or (last is not None and self._has_secrets(last)))
        if self.together and were_together:
            return
        if last is not None:
            self.screen.clear()
        if not self.together:
            self._call(who)
        if last is not None:
            self.screen.tell(self.missed[seat], self.names, self.reader)

    def _call(self, who: str) -> None:
        """Nobody but this person looks from here on."""
        if self.screen.is_terminal:
            self.screen.ask(self._say("hand-over", player=who) + " ")
        else:
            self.screen.say(self._say("only-for", player=who))

    def _has_secrets(self, seat: int) -> bool:
        state = self.match.state
        return seat in self.untold or view(state, seat).values != view(state, SPECTATOR).values

    # ------------------------------------------------------------ the end

    def _finish(self) -> None:
        outcome = self.match.outcome()
        if outcome is None:
            self._part_done()
            return
        if self.writer is not None:
            self.writer.end(self.match.state, outcome)
        if self.lines is not None:
            self.lines.outcome(self.match.state, outcome, seed=self.setup.seed, decisions=len(self.match.history))
            return
        if len(self.setup.people) > 1:
            self._gather()
        self.screen.board(self.match.state, self.reader, self.names)
        for line in narration.result(outcome, self.names):
            self.screen.say(line, style="bold")
        for line in narration.caveats(self.match.state, outcome, self.setup.tongue):
            self.screen.say(line)
        self.screen.say(self._seed_line())

    def _part_done(self) -> None:
        """What ran alone has ended; the match has not."""
        if self.lines is not None:
            self.lines.put("done", seed=self.setup.seed, decisions=len(self.match.history))
            return
        self.screen.board(self.match.state, self.reader, self.names)
        self.screen.say(self._say("part-done"), style="bold")
        self.screen.say(self._seed_line())

    def _gather(self) -> None:
        """Several people look together; what the last one saw alone goes, and is told as everybody may hear it."""
        were_together, self.together = self.together, True
        if self.screen.is_terminal and not were_together:
            self.screen.clear()
            longest: list[Event] = max(self.missed.values(), key=len)
            self.screen.tell(longest, self.names, SPECTATOR)

    def _seed_line(self) -> str:
        return self._say("seed-line", seed=ascii(self.setup.seed)[1:-1], decisions=self._decisions())

    def _tell_log(self, stream: object, *, ended: bool = False) -> None:
        """Where the log is, and how to go on.  ended: by the rules, which could not be carried out."""
        if self.log is not None and self.log.has_content:
            said = self._say("log-is-in", file=self.log.name)
            if self.match.decisions() and not ended:
                said += " " + self._say("resume-with", command=_resume_command(self.setup.file, self.log.name))
            click.echo(said, err=stream is sys.stderr)
            self.log.close()


def _resume_command(rules: str, log: str) -> str:
    """What goes on with a match; its rules are named where they would not be found by the log alone."""
    found = rules_named(rules, log)
    named = [] if found is not None and os.path.samefile(found, rules) else [rules]
    return shlex.join(["rulekit", "run", *named, "--resume", log])


def _header(state: State, setup: Setup) -> Header:
    setting = state.setting
    return Header(
        rulekit=rulekit.__version__,
        file=setup.file.encode("utf-8", "backslashreplace").decode(),
        rules=rules_digest(setting.game),
        title=setting.game.title,
        options=dict(chosen_options(setting)),
        ruleset=setup.ruleset or "",
        seats=setting.seats[: setting.players],
        players=setup.kinds,
        seed=setup.seed,
        practice=setup.practice,
        begun=setup.begun,
    )


@define(eq=False)
class _Rounds:
    """When to show the board while only bots play: the flow has come round and everybody has decided."""

    players: int
    decided: set[int] = field(factory=set)
    count: int = 0
    place: tuple[tuple[int, int], ...] = ()

    def answered(self, seat: int) -> None:
        self.decided.add(seat)
        self.count += 1

    def is_over(self, state: State) -> bool:
        place = tuple((code, pc) for code, pc, *_ in state.frames)
        came_round, self.place = place <= self.place or not self.place, place
        everybody = len(self.decided) == self.players or self.count >= 4 * self.players or not self.count
        if not (came_round and everybody) or any(branch.done for branch in state.branches):
            return False
        self.decided, self.count = set(), 0
        return True


def _is_private(event: Event, seat: int) -> bool:
    """Whether a seat hears more of an event, or of what decided it, than everybody."""
    own, common = seen(event, seat), seen(event, SPECTATOR)
    return own != common or (own is not None and common is not None and own.decided_by != common.decided_by)
