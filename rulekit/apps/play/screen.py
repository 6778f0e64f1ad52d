"""Output of a match: sentences and boards on a terminal for people, or JSON Lines for programs.

Rich on a terminal, plain lines anywhere else.  Draws what it is given and
knows no game.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from rulekit.apps.play.board_text import place_lines, row_lines, shared_lines
from rulekit.apps.play.page import Content, Page, in_columns, page
from rulekit.play.state.event import Event, seen
from rulekit.play.state.match_state import Decision, Outcome, State
from rulekit.record import strict_json
from rulekit.record.json_values import value_to_json
from rulekit.record.log import Header
from rulekit.tools.drawing.board_changes import marked
from rulekit.tools.drawing.text_board import Board, Table, board
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.translation import Tongue
from rulekit.tools.tell import narration
from rulekit.tools.tell.menu import Menu, asked, how
from rulekit.values import frozen

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH = 80
_NARROWEST = 20
"""Lines are not broken for a terminal narrower than this; it breaks them itself."""
_LONG_MENU = 10
"""A menu of more lines is put side by side."""
_GREETING = 2
"""Lines that stand above what happened before the first answer."""
_COLOURS = ("red", "blue", "green", "yellow")


def forgive_streams() -> None:
    """No character that this terminal lacks, and no stray byte typed, ends a match."""
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class Screen:
    """A stream to write on and the person before it."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdout
        self.console = _console(self.stream)

    @property
    def is_terminal(self) -> bool:
        return self.console is not None

    @property
    def width(self) -> int:
        return max(_NARROWEST, self.console.width) if self.console is not None else _WIDTH

    # ------------------------------------------------------------ lines

    def say(self, text: str = "", *, dim: str = "", style: str = "") -> None:
        """A line; `dim` stands at its end and matters less."""
        if self.console is None:
            self.stream.write(" ".join(part for part in (text, dim) if part) + "\n")
            return
        from rich.text import Text

        line = Text(text, style=style)
        if dim:
            line.append(f" {dim}", style="dim")
        self.console.print(line)

    def tell(self, events: Iterable[Event], names: Names, seat: int | None) -> None:
        """What happened, as a seat may hear it; None hears all."""
        for words, clauses in _sentences(events, names, seat):
            self.say(words, dim=clauses)

    def clear(self) -> None:
        """Wipe the terminal with what has scrolled away, so that nobody reads another's secrets."""
        if self.console is not None:
            self.stream.write("\x1b[H\x1b[2J\x1b[3J")
            self.stream.flush()

    def ask(self, prompt: str) -> str:
        """A line from the person; raises `EOFError` where there is none any more."""
        if self.console is not None and sys.stdin.isatty() and self.stream is sys.stdout:
            return input(prompt)
        self.stream.write(prompt.rstrip() + "\n")
        self.stream.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    # ------------------------------------------------------------ boards

    def board(self, state: State, seat: int | None, names: Names, *, before: State | None = None) -> None:
        """The whole position as a seat sees it.  before: the one since which a terminal marks what changed."""
        shown = _board(state, seat, names, before if self.console is not None else None)
        self.say()
        for line in (*place_lines(shown, names.tongue, self.width), *shared_lines(shown, self.width)):
            self._board_line(line)
        for table in shown.tables:
            if table.rows:
                self._table(table, names.tongue)
        self.say()

    def _board_line(self, line: str) -> None:
        if self.console is None:
            self.say(line.rstrip())
            return
        from rich.text import Text

        text = Text(line.rstrip())
        text.highlight_regex(r"[^\s\[]+\[[^\]]*\]", "bold")
        for colour in _COLOURS:
            text.highlight_regex(rf"\b{colour}\b", f"bold {colour}")
        self.console.print(text)

    def _table(self, table: Table, tongue: Tongue) -> None:
        if self.console is None:
            for row in table.rows:
                for line in row_lines(table, row, tongue, self.width):
                    self.say(line)
            return
        from rich import box
        from rich import table as rich_table
        from rich.text import Text

        drawn = rich_table.Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in (table.name, *table.columns):
            drawn.add_column(Text(name))
        for row in table.rows:
            style = f"bold {row[0]}" if row[0] in _COLOURS else "bold"
            drawn.add_row(Text(row[0], style=style), *(Text(text) for text in row[1:]))
        self.console.print(drawn)

    # ------------------------------------------------------------ questions

    def question(self, who: str, decision: Decision, shown: Menu, names: Names) -> None:
        head, clauses, foot, keys = _question(who, decision, shown, names)
        self.say(head, dim=clauses, style="bold")
        for line in in_columns(_entries(shown), self.width, _LONG_MENU):
            self.say(line)
        self.say(foot, dim=keys)

    def situation(self, seen: Situation, shown: Menu, names: Names) -> None:
        """What a person who is asked has to see: what happened, the board and the question, as a terminal has room."""
        if self.console is None:
            self.board(seen.state, seen.seat, names)
            self.question(seen.who, seen.decision, shown, names)
            return
        room = self.console.height - 1
        news = self._drawn(lambda: self.tell(seen.events, names, seen.reader))
        asked = self._drawn(lambda: self._whole(seen, shown, names))
        greeting = 0 if seen.before is not None else _GREETING
        if greeting + news.count("\n") + asked.count("\n") <= room:
            self._write(asked if seen.is_told else news + asked)
            return
        told = news.count("\n") + greeting if seen.is_told else room
        below = page(_content(seen, shown, names, news=False), names.tongue, self.width, room - told)
        is_room = below.whole and len(below.lines) <= room - told
        self._page(below if is_room else page(_content(seen, shown, names), names.tongue, self.width, room))

    def _whole(self, seen: Situation, shown: Menu, names: Names) -> None:
        self.board(seen.state, seen.seat, names, before=seen.before)
        self.question(seen.who, seen.decision, shown, names)

    def _drawn(self, draw: Callable[[], None]) -> str:
        """What would be written on this terminal."""
        assert self.console is not None
        with self.console.capture() as drawn:
            draw()
        return drawn.get()

    def _write(self, drawn: str) -> None:
        self.stream.write(drawn)
        self.stream.flush()

    def _page(self, shown: Page) -> None:
        for line, style in shown.lines:
            if style == "board":
                self._board_line(line)
            else:
                self.say(line, style={"head": "bold", "hint": "dim"}.get(style, ""))


@frozen
class Situation:
    """One question, with what the person who is asked has to see beside it.

    before:   the position at this person's last answer, if there was one.
    events:   what happened since.
    reader:   for whom it is told.
    is_told:  whether the screen shows it already, with nothing below.
    """

    state: State
    seat: int
    who: str
    decision: Decision
    before: State | None
    events: tuple[Event, ...]
    reader: int | None
    is_told: bool


def _content(seen: Situation, shown: Menu, names: Names, *, news: bool = True) -> Content:
    """What a page is made of.  news: whether what happened is told on it."""
    head, clauses, foot, keys = _question(seen.who, seen.decision, shown, names)
    return Content(
        news=_words(seen.events, names, seen.reader) if news else (),
        brief=_words([event for event in seen.events if event.name != "set"], names, seen.reader),
        board=_board(seen.state, seen.seat, names, seen.before),
        owner=names.seat(seen.state.setting.seats[seen.seat]),
        head=f"{head} {clauses}".rstrip(),
        entries=tuple(_entries(shown)),
        foot=f"{foot} {keys}",
    )


def _words(events: Iterable[Event], names: Names, seat: int | None) -> tuple[str, ...]:
    return tuple(words for words, _ in _sentences(events, names, seat))


def _question(who: str, decision: Decision, shown: Menu, names: Names) -> tuple[str, str, str, str]:
    """The question and its clauses; how it is answered, and what else may be typed."""
    tongue = names.tongue
    prompt = names.filled(tongue.words("prompt", decision.prompt), decision.values) or tongue.say(
        "choose", what=asked(decision, tongue)
    )
    clauses = f"[{', '.join(decision.clauses)}]" if decision.clauses else ""
    foot = tongue.say("type", how=how(shown, tongue))
    return tongue.say("asks", player=who, question=prompt), clauses, foot, tongue.say("keys")


def _entries(shown: Menu) -> list[str]:
    return [] if shown.span else [f"{entry.key:>3}  {entry.text}".rstrip() for entry in shown.entries]


def _board(state: State, seat: int | None, names: Names, before: State | None) -> Board:
    """The board as a seat sees it; marked where it was another before."""
    shown = board(state, seat, names)
    return shown if before is None else marked(shown, board(before, seat, names))


def _sentences(events: Iterable[Event], names: Names, seat: int | None) -> Iterator[tuple[str, str]]:
    """What happened, as a seat may hear it, each with its clauses; None hears all."""
    for event in narration.spoken_of(events):
        words = narration.sentence(event, names, seat)
        if words:
            yield words, narration.clauses(event, seat)


def _console(stream: TextIO) -> Console | None:
    """A rich console where the stream is a terminal that can be drawn on."""
    if not stream.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return None
    from rich.console import Console

    return Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=False)


# ---------------------------------------------------------------- for programs


class JsonLines:
    """One line for each event, decision and the outcome.  seat None: everything."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat

    def put(self, kind: str, **facts: Any) -> None:
        sys.stdout.write(strict_json.dumps({"type": kind, **facts}) + "\n")

    def start(self, header: Header, **facts: Any) -> None:
        options = {name: value_to_json(value) for name, value in header.options.items()}
        seats, kinds = list(header.seats), list(header.players)
        self.put("start", title=header.title, seats=seats, players=kinds, options=options, **facts)

    def events(self, events: Iterable[Event]) -> None:
        for event in events:
            known = event if self.seat is None else seen(event, self.seat)
            if known is not None:
                facts = {fact.name: value_to_json(fact.value) for fact in known.facts}
                why: dict[str, Any] = {"clauses": list(known.clauses), "decided_by": list(known.decided_by)}
                self.put("event", name=known.name, facts=facts, rule=known.rule, **why)

    def decision(self, state: State, decision: Decision, answer: Any) -> None:
        """Who decides what; a reader who may not see everything learns of no secret question, option or answer."""
        who = state.setting.seats[decision.seat] if decision.seat >= 0 else None
        if self.seat is None:
            options = [value_to_json(option) for option in decision.options]
            self.put("decision", seat=who, what=decision.name, options=options, answer=value_to_json(answer))
        elif not decision.secret:
            self.put("decision", seat=who, what=decision.name)

    def back(self, left: Iterable[Decision]) -> None:
        """A decision was taken back.  left: those that hold; as many are told as lines were written of them."""
        self.put("back", decisions=sum(self.seat is None or not decision.secret for decision in left))

    def outcome(self, state: State, outcome: Outcome, **facts: Any) -> None:
        def names(seats: tuple[int, ...]) -> list[str]:
            return [state.setting.seats[seat] for seat in seats]

        self.put(
            "outcome",
            ranking=[names(place) for place in outcome.ranking],
            defeated=names(outcome.defeated),
            winners=names(outcome.winners),
            unclear=list(outcome.unclear),
            **facts,
        )
