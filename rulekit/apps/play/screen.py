"""Output of a match: sentences and boards on a terminal for people, or JSON Lines for programs.

Rich on a terminal, plain lines anywhere else.  Draws what it is given and
knows no game.
"""

from __future__ import annotations

import io
import os
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from rulekit.play.state.event import Event, seen
from rulekit.play.state.match_state import Decision, Outcome, State
from rulekit.record import strict_json
from rulekit.record.json_values import value_to_json
from rulekit.record.log import Header
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.translation import Tongue
from rulekit.tools.tell import narration
from rulekit.tools.tell.menu import Menu, asked, how
from rulekit.tools.tell.position_view import EMPTY, Board, Grid, Table, Track, board, is_nothing

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH = 80
_NARROWEST = 20
"""Lines are not broken for a terminal narrower than this; it breaks them itself."""
_HARD = "\N{NO-BREAK SPACE}"
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
        for event in events:
            if event.name == "ready" or event.get("asked") is False:
                continue
            words = narration.sentence(event, names, seat)
            if words:
                self.say(words, dim=narration.clauses(event, seat))

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

    def board(self, state: State, seat: int | None, names: Names) -> None:
        shown = board(state, seat, names)
        self.say()
        for track in shown.tracks:
            self._track(track)
        if shown.off:
            self.say(names.tongue.say("off-board", pieces=", ".join(shown.off)))
        for grid in shown.grids:
            self._grid(grid)
        self._shared(shown)
        for table in shown.tables:
            if table.rows:
                self._table(table, names.tongue)
        self.say()

    def _track(self, track: Track) -> None:
        """A line of numbered spaces with the pieces on them, broken only between names."""
        words = [f"{track.name}:"]
        for space in track.spaces:
            pieces = f"[{', '.join(piece.replace(' ', _HARD) for piece in space.pieces)}]" if space.pieces else ""
            words.append(space.name + pieces)
        indent = " " * (len(track.name) + 2)
        for line in textwrap.wrap("  ".join(words), self.width - 1, subsequent_indent=indent, break_on_hyphens=False):
            self._track_line(line.replace(":  ", ": ", 1).replace(_HARD, " "))

    def _track_line(self, line: str) -> None:
        if self.console is None:
            self.say(line.rstrip())
            return
        from rich.text import Text

        text = Text(line.rstrip())
        text.highlight_regex(r"[^\s\[]+\[[^\]]*\]", "bold")
        for colour in _COLOURS:
            text.highlight_regex(rf"\b{colour}\b", f"bold {colour}")
        self.console.print(text)

    def _grid(self, grid: Grid) -> None:
        if not grid.rows:
            return
        columns = [str(grid.first_column + i) for i in range(len(grid.rows[0]))]
        width = max(len(text) for row in (columns, *grid.rows) for text in row) + 1
        self.say(f"{grid.name}:")
        self.say(" " * 5 + "".join(text.rjust(width) for text in columns))
        for number, row in enumerate(grid.rows, grid.first_row):
            self.say(f"{number:>4} " + "".join((text or ".").rjust(width) for text in row))

    def _shared(self, shown: Board) -> None:
        words = [f"{name}: {text}" for name, text in shown.shared if text != EMPTY]
        for line in textwrap.wrap("; ".join(words), self.width - 1, subsequent_indent="  ", break_on_hyphens=False):
            self.say(line)

    def _table(self, table: Table, tongue: Tongue) -> None:
        if self.console is None:
            for row in table.rows:
                cells = [(name, text) for name, text in zip(table.columns, row[1:], strict=True) if text != EMPTY]
                told = [cell for cell in cells if table.of_players or not is_nothing(cell[1], tongue)]
                words = f"{row[0]}: " + "; ".join(f"{name} {text}" for name, text in told)
                for line in textwrap.wrap(words, self.width - 1, subsequent_indent="  ", break_on_hyphens=False):
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
        tongue = names.tongue
        prompt = names.filled(tongue.words("prompt", decision.prompt), decision.values) or tongue.say(
            "choose", what=asked(decision, tongue)
        )
        clauses = f"[{', '.join(decision.clauses)}]" if decision.clauses else ""
        self.say(tongue.say("asks", player=who, question=prompt), dim=clauses, style="bold")
        if shown.span is None:
            self._entries([f"{entry.key:>3}  {entry.text}".rstrip() for entry in shown.entries])
        self.say(tongue.say("type", how=how(shown, tongue)), dim=tongue.say("keys"))

    def _entries(self, lines: Sequence[str]) -> None:
        """One a line; in columns where they are many."""
        width = max(len(line) for line in lines) + 3
        columns = max(1, min(self.width // width, -(-len(lines) // 10)))
        height = -(-len(lines) // columns)
        for place in range(height):
            self.say("".join(line.ljust(width) for line in lines[place::height]).rstrip())


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
