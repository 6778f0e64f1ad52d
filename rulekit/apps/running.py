"""`rulekit run`: one match at this terminal, with people, bots or both.

The match itself, its log and its words come from other rooms; here stand the
command line, who is asked next, and what the reader may see meanwhile.
"""

from __future__ import annotations

import secrets
import sys
import unicodedata
from contextlib import suppress

import click
from attrs import define, field, frozen

import rulekit
from rulekit import library, limits
from rulekit.apps.console import CLOSED_PIPE, DONE, FOUND, LIMIT, Failed
from rulekit.apps.language import language_option, spoken
from rulekit.apps.screen import JsonLines, Screen, forgive_streams
from rulekit.bots import named
from rulekit.bots.bot import Bot, Chair
from rulekit.bots.table import Table
from rulekit.diagnostics import Diagnostic, nearest, render
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.play.engine import decisions
from rulekit.play.errors import BadSetup, LimitError, RuleError
from rulekit.play.event import Event
from rulekit.play.state import Action, Decision, State
from rulekit.play.value import Value
from rulekit.play.view import SPECTATOR, covered, view
from rulekit.record.log import Header, Writer
from rulekit.record.match import Match, started
from rulekit.record.plain import chosen_options, rules_digest, value_to_json
from rulekit.source import Source
from rulekit.tools import narrate
from rulekit.tools.choices import chosen
from rulekit.tools.clause_words import clause_words
from rulekit.tools.menu import NotAnAnswer, answer, clauses_of, menu
from rulekit.tools.names import Names
from rulekit.tools.translate import SOURCE, Tongue

HUMAN = "human"
_LONGEST_NAME = 64
_LONGEST_SEED = 1000


class _Quit(Exception):
    """A person typed q."""


@frozen
class _Wanted:
    """The command line, as far as it is about the match itself."""

    file: str
    names: tuple[str, ...] | int
    kinds: tuple[str, ...]
    seed: str
    seed_is_open: bool
    ruleset: str | None
    practice: bool
    tongue: Tongue = SOURCE

    @property
    def people(self) -> frozenset[int]:
        return frozenset(seat for seat, kind in enumerate(self.kinds) if kind == HUMAN)


@click.command("run")
@click.argument("file")
@click.option("--players", type=click.IntRange(min=1), help="How many play; else all named seats, or the fewest.")
@click.option(
    "--seats",
    help="Who sits where: human or a bot (random, greedy, mcts:200), with commas between; the rest are random.",
)
@click.option("--names", help="Names for the seats, with commas between.")
@click.option("--seed", help="Any text; the same seed and answers give the same match.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Choose an option or a reading.")
@click.option("--ruleset", help="Choose a named set of options.")
@click.option("--record", metavar="LOG", help="Write a log to this new file; it holds all secrets.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each event, decision and the outcome.")
@click.option("--practice", is_flag=True, help="Let people take back anything.")
@language_option
def command(
    file: str,
    players: int | None,
    seats: str | None,
    names: str | None,
    seed: str | None,
    options: tuple[str, ...],
    ruleset: str | None,
    record: str | None,
    as_json: bool,
    practice: bool,
    lang: str,
) -> int:
    """Play one match of the game in FILE, told in sentences.

    People choose from numbered menus: u takes back, b shows the board,
    ? explains, q quits.  Without --seats all seats are bots.
    """
    forgive_streams()
    game = load(file)
    kinds, called = _seating(game, players, seats, names)
    effective = _seed(seed)
    tongue = spoken(lang, game)
    wanted = _Wanted(file, called, kinds, effective, seed is not None or HUMAN not in kinds, ruleset, practice, tongue)
    values = chosen(game, ruleset, options)
    try:
        match = started(game, values, called, effective, people=wanted.people, practice=practice)
        return _Sitting(match, wanted, as_json, _log_file(record)).run()
    except RuleError as fault:
        words = _public(fault) if wanted.people else _shown(fault, game)
        raise Failed(words, LIMIT if isinstance(fault, LimitError) else FOUND) from None


def _shown(fault: RuleError, game: Game) -> str:
    """A fault as a finding at the line that could not be carried out."""
    clauses = "".join(f" @{clause}" for clause in fault.cites)
    note = f"in `{fault.rule}`{clauses}" if fault.rule else clauses.strip()
    entry = Diagnostic(fault.code, fault.title, fault.span, note=note)
    return render(entry, {name: Source(name, text) for name, text in game.sources})


def _public(fault: RuleError) -> str:
    """What people who play may read of a fault: its own words can tell what is hidden from them."""
    if fault.code == "too-long":
        # Said of the whole match, not by one of its rules.
        return f"error: {fault}"
    rule = f"the rule `{fault.rule}`" if fault.rule else "a rule"
    where = f" ({fault.span})" if fault.span.line else ""
    return f"error[{fault.code}]: {rule} cannot be carried out{where}"


# ---------------------------------------------------------------- the command line


def _seating(
    game: Game, players: int | None, seats: str | None, names: str | None
) -> tuple[tuple[str, ...], tuple[str, ...] | int]:
    """Who sits where, and what the seats are called or how many they are."""
    kinds = _kinds(seats)
    called = _names(names)
    count = players if players is not None else max(game.least, len(kinds), len(called))
    if not game.least <= count <= game.most:
        span = f"{game.least}" if game.least == game.most else f"{game.least} to {game.most}"
        raise BadSetup(f"{game.title} is for {span} players, not {count}")
    if len(kinds) > count:
        raise click.UsageError(f"--seats names {len(kinds)} seats, but {count} play")
    if called and len(called) != count:
        raise click.UsageError(f"--names has {len(called)} names, but {count} play")
    return (*kinds, *[named.RANDOM] * (count - len(kinds))), called or count


def _kinds(seats: str | None) -> tuple[str, ...]:
    kinds = tuple(word.strip() for word in seats.split(",")) if seats is not None else ()
    for kind in kinds:
        if kind != HUMAN:
            _check_bot(kind)
    return kinds


def _check_bot(kind: str) -> None:
    try:
        named.maker(kind)
    except named.UnknownBot as unknown:
        raise click.UsageError(f"--seats: {nearest(kind, (HUMAN,)) or f'{unknown}, or {HUMAN}'}") from None


def _names(names: str | None) -> tuple[str, ...]:
    called = tuple(unicodedata.normalize("NFC", word.strip()) for word in names.split(",")) if names is not None else ()
    for name in called:
        if not name or len(name) > _LONGEST_NAME or not name.isprintable() or set(name) & set(".[]"):
            raise click.UsageError(f"--names: {name!a} cannot be a seat's name")
    return called


def _seed(seed: str | None) -> str:
    """The seed given, or a fresh one."""
    if seed is None:
        return secrets.token_hex(6)
    if len(seed) > _LONGEST_SEED or any("\ud800" <= c <= "\udfff" for c in seed):
        raise click.UsageError(f"--seed: a text of at most {_LONGEST_SEED} characters in UTF-8")
    return seed


def _log_file(record: str | None) -> library.LogFile | None:
    if record is None:
        return None
    try:
        return library.LogFile(record)
    except library.Unreadable as fault:
        raise Failed(render(fault.finding, {})) from None


# ---------------------------------------------------------------- the match


@define(eq=False)
class _Sitting:
    """current: the person before the screen; missed: what happened since each was last asked;
    together: the people at the screen have no secrets from each other now.
    """

    match: Match
    wanted: _Wanted
    as_json: bool
    log: library.LogFile | None
    names: Names = field(init=False)
    screen: Screen = field(init=False)
    lines: JsonLines | None = field(init=False)
    writer: Writer | None = field(init=False)
    rounds: _Rounds = field(init=False)
    table: Table = field(init=False)
    current: int | None = None
    missed: dict[int, list[Event]] = field(factory=dict)
    together: bool = False

    def __attrs_post_init__(self) -> None:
        self.names = Names(self.match.state.setting, self.wanted.tongue)
        people = self.wanted.people
        self.screen = Screen(sys.stderr if self.as_json else sys.stdout)
        self.lines = JsonLines(SPECTATOR if people else None) if self.as_json else None
        self.writer = None if self.log is None else Writer(self.log.put)
        self.rounds = _Rounds(self.match.state.setting.players)
        self.table = _table(self.match, self.wanted)
        self.current = next(iter(people)) if len(people) == 1 else None
        self.missed = {seat: [] for seat in people}

    @property
    def reader(self) -> int | None:
        """For whom the screen shows things: a seat, everybody around it, or, without people, all."""
        if not self.wanted.people:
            return None
        return SPECTATOR if self.current is None else self.current

    def run(self) -> int:
        try:
            self._begin()
            while asked := self.match.decisions():
                self._next(asked)
            self._finish()
        except _Quit:
            self.screen.say(self._say("stopped", decisions=self._decisions()))
            self._tell_seed()
        except BrokenPipeError:
            # Left to click, this would become 1.
            return CLOSED_PIPE
        except BaseException:
            with suppress(OSError):
                if self.wanted.people:
                    click.echo(self._seed_line(), err=True)
                self._tell_log(sys.stderr)
            raise
        self._tell_log(sys.stderr if self.as_json else sys.stdout)
        return DONE

    def _begin(self) -> None:
        header = _header(self.match.state, self.wanted)
        if self.writer is not None:
            self.writer.header(header)
        if self.lines is not None:
            seed = {"seed": header.seed} if self.wanted.seed_is_open else {}
            options = {name: value_to_json(value) for name, value in header.options.items()}
            seats, kinds = list(header.seats), list(header.players)
            self.lines.put("start", title=header.title, seats=seats, players=kinds, options=options, **seed)
        else:
            self._greet(header)
        self._happened(self.match.opening)

    def _greet(self, header: Header) -> None:
        pairs = zip(header.seats, header.players, strict=True)
        seats = [self._say("seated", name=name, kind=_seated(kind, self.wanted.tongue)) for name, kind in pairs]
        title = self.wanted.tongue.text("title", header.title)
        self.screen.say(self._say("title-line", title=title, seats=", ".join(seats)), style="bold")
        if self.wanted.seed_is_open:
            self.screen.say(self._say("seed", seed=ascii(header.seed)[1:-1]))

    def _say(self, phrase: str, **values: object) -> str:
        return self.wanted.tongue.say(phrase, **values)

    def _decisions(self) -> str:
        return self.wanted.tongue.count("decisions", len(self.match.history))

    def _next(self, asked: tuple[Decision, ...]) -> None:
        """People first, so that no bot's answer stands between a person and an undo."""
        decision = next((each for each in asked if each.seat in self.wanted.people), asked[0])
        if decision.seat in self.wanted.people:
            self._ask(decision)
            return
        if not self.wanted.people and not self.as_json and self.rounds.is_over(self.match.state):
            self.screen.board(self.match.state, None, self.names)
        self._decide(decision, self.table.answer(self.match.state, decision))

    def _decide(self, decision: Decision, value: Value) -> None:
        state, action = self.match.state, Action(decision.seat, value)
        try:
            events = self.match.act(action)
        except RuleError:
            # The log ends with the decision at which the rules failed, to be looked into.
            if len(self.match.history) < limits.DECISIONS:
                self._log_decision(action, decision)
            raise
        self.table.answered(decision, value)
        self.table.tell(self.match.state, events, decision.seat)
        self.rounds.answered(decision.seat)
        self._log_decision(action, decision)
        if self.lines is not None:
            self.lines.decision(state, decision, value)
        if self.wanted.people and covered(state, self.match.state):
            self.screen.clear()
        self._happened(events)

    def _log_decision(self, action: Action, decision: Decision) -> None:
        if self.writer is not None:
            self.writer.decision(self.match.state.setting.seats, action, decision.name)

    def _happened(self, events: tuple[Event, ...]) -> None:
        if self.lines is not None:
            self.lines.events(events)
        if self.lines is None or self.wanted.people:
            self.screen.tell(events, self.names, self.reader)
        for missed in self.missed.values():
            missed += events

    # ------------------------------------------------------------ people

    def _ask(self, decision: Decision) -> None:
        seat, who = decision.seat, self.match.state.setting.seats[decision.seat]
        if seat != self.current:
            self._hand_over(seat, who, secret=decision.secret)
        self.missed[seat].clear()
        self.screen.board(self.match.state, seat, self.names)
        shown = menu(decision, self.names)
        self.screen.question(self.names.value(who), decision, shown, self.names.tongue)
        while True:
            text = self.screen.ask("> ").strip()
            if self._is_wish(text.lower(), decision) or (text.lower() == "u" and not self._take_back(seat)):
                self.screen.question(self.names.value(who), decision, shown, self.names.tongue)
                continue
            if text.lower() == "u":
                return
            try:
                value = answer(shown, text, self.names.tongue)
            except NotAnAnswer as slip:
                self.screen.say(str(slip))
                continue
            self._decide(decision, value)
            return

    def _is_wish(self, text: str, decision: Decision) -> bool:
        """Whether something other than an answer was typed, which is done then."""
        if text == "q":
            raise _Quit
        if text in ("?", "h", "help"):
            self._explain(decision)
        elif text == "b":
            self.screen.board(self.match.state, decision.seat, self.names)
        else:
            return False
        return True

    def _explain(self, decision: Decision) -> None:
        clauses = self.match.state.setting.game.clauses
        game = self.match.state.setting.game
        named = [*decision.clauses, *(name for option in decision.options for name in clauses_of(game, option))]
        said = [clauses[name] for name in dict.fromkeys(named) if name in clauses]
        tongue, options = self.wanted.tongue, dict(chosen_options(self.match.state.setting))
        for clause in said:
            self.screen.say(f"{clause.id}: {clause_words(game, clause.id, tongue, options)}")
        if not said:
            self.screen.say(self._say("no-clause"))

    def _take_back(self, seat: int) -> bool:
        """Whether an undo was done; else the reason is told.

        People who look at one screen together take back whatever one of them decided last.
        """
        made = [past.action.seat for past in self.match.history if past.action.seat in self.wanted.people]
        whose = made[-1] if made and self.together else seat
        place = self.match.last_of(whose)
        reason = self.match.undo(whose)
        if place is None or reason:
            self.screen.say(self._say("not-taken-back", reason=reason))
            return False
        self.table = _table(self.match, self.wanted)
        if self.writer is not None:
            self.writer.back(place)
            for past in self.match.history[place:]:
                self.writer.decision(past.state.setting.seats, past.action, past.what)
        if self.lines is not None:
            self.lines.put("back", decisions=len(self.match.history))
        name = self.names.value(self.match.state.setting.seats[whose])
        self.screen.say(self._say("taken-back") if whose == seat else self._say("taken-back-of", player=name))
        return True

    def _hand_over(self, seat: int, who: str, *, secret: bool) -> None:
        """Another person comes to the screen; what the last one could see goes first."""
        last, self.current = self.current, seat
        self.together = not (secret or self._has_secrets(seat) or (last is not None and self._has_secrets(last)))
        if self.together:
            return
        if last is not None:
            self.screen.clear()
        if self.screen.is_terminal:
            self.screen.ask(self._say("hand-over", player=self.names.value(who)) + " ")
        else:
            self.screen.say(self._say("only-for", player=self.names.value(who)))
        if last is not None:
            self.screen.tell(self.missed[seat], self.names, seat)

    def _has_secrets(self, seat: int) -> bool:
        state = self.match.state
        return view(state, seat).values != view(state, SPECTATOR).values

    # ------------------------------------------------------------ the end

    def _finish(self) -> None:
        outcome = self.match.outcome()
        assert outcome is not None
        if self.writer is not None:
            self.writer.end(self.match.state, outcome)
        if self.lines is not None:
            self.lines.outcome(self.match.state, outcome, seed=self.wanted.seed, decisions=len(self.match.history))
            return
        # At the end several people look together.
        reader = self.reader if len(self.wanted.people) < 2 else SPECTATOR
        self.screen.board(self.match.state, reader, self.names)
        for line in narrate.result(outcome, self.names):
            self.screen.say(line, style="bold")
        for line in narrate.doubts(self.match.state, outcome, self.wanted.tongue):
            self.screen.say(line)
        self._tell_seed()

    def _tell_seed(self) -> None:
        self.screen.say(self._seed_line())

    def _seed_line(self) -> str:
        return self._say("seed-line", seed=ascii(self.wanted.seed)[1:-1], decisions=self._decisions())

    def _tell_log(self, stream: object) -> None:
        if self.log is not None:
            click.echo(self._say("log-is-in", file=self.log.name), err=stream is sys.stderr)
            self.log.close()


def _table(match: Match, wanted: _Wanted) -> Table:
    """Bots at their seats, told all that has happened so far."""
    setting = match.state.setting
    seats, options = setting.seats[: setting.players], dict(chosen_options(setting))
    bots: dict[int, Bot] = {
        seat: named.maker(kind)(Chair(setting.game, options, seats, seat, wanted.seed))
        for seat, kind in enumerate(wanted.kinds)
        if kind != HUMAN
    }
    table = Table(bots)
    positions = [*(past.state for past in match.history), match.state]
    table.tell(positions[0], match.opening)
    for past, after in zip(match.history, positions[1:], strict=True):
        asked = next(each for each in decisions(past.state) if each.seat == past.action.seat)
        table.answered(asked, past.action.answer)
        table.tell(after, past.events, asked.seat)
    return table


def _seated(kind: str, tongue: Tongue) -> str:
    """What sits at a seat; a bot with settings is called as it was named."""
    return tongue.say(kind) if kind in (HUMAN, named.RANDOM) else kind


def _header(state: State, wanted: _Wanted) -> Header:
    setting = state.setting
    return Header(
        rulekit=rulekit.__version__,
        file=wanted.file.encode("utf-8", "backslashreplace").decode(),
        rules=rules_digest(setting.game),
        title=setting.game.title,
        options=dict(chosen_options(setting)),
        ruleset=wanted.ruleset or "",
        seats=setting.seats[: setting.players],
        players=wanted.kinds,
        seed=wanted.seed,
        practice=wanted.practice,
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
