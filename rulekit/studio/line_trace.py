"""Which lines of the rules ran in a match, how often, and what each of them brought about.

An execution trace (`execution_trace`) of the whole match, told by line: from an event to the lines that led to it, and
from a line to the events that it caused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rulekit.model.game import Game
from rulekit.play.state.event import Event
from rulekit.record.log import Log
from rulekit.source import Span
from rulekit.studio.latest import IsStale
from rulekit.tools.explain.execution_trace import Caused, Ran
from rulekit.tools.explain.recorded_match import Explainer
from rulekit.values import frozen


@frozen
class Told:
    """An event and the lines that led to it, the nearest first.  decision: the one it came after, from 0, the setup."""

    event: Event
    decision: int
    lines: tuple[int, ...]


@frozen
class LineTrace:
    """counts: by line how often it ran; events: all of the match, in order."""

    counts: dict[int, int]
    events: tuple[Told, ...]


def traced(log: Log, game: Game, is_stale: IsStale) -> LineTrace | None:
    """The trace of a match; None if something newer waits."""
    file = game.sources[0][0]
    counts: Counter[int] = Counter()
    events: list[Told] = []
    for step in Explainer(log, game):
        if is_stale():
            return None
        counts.update(one.span.line for one in step.told if isinstance(one, Ran) and one.span.source == file)
        events += (Told(one.event, step.number, _lines(one, file)) for one in step.events)
    return LineTrace(dict(counts), tuple(events))


def _lines(of: Caused, file: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(_of_file((ran.span for ran in of.causes), file)))


def _of_file(spans: Iterable[Span], file: str) -> Iterable[int]:
    return (span.line for span in spans if span.source == file)
