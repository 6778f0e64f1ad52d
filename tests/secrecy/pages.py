"""What a seat is shown at a table, as text: its page with all that stands in it, and an earlier position."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.hosting.store import Row
from rulekit.hosting.table import Table
from rulekit.model.game import Game
from rulekit.play.state.match_state import Action
from rulekit.play.view import SPECTATOR
from rulekit.record.log import HUMAN, Header
from rulekit.record.match import Match, started
from tests.generators.random_matches import Answers
from tests.secrecy.received import body, plain


def table_of(match: Match) -> Table:
    """A table at which people have the seats of a match, as far as it has come."""
    setting = match.state.setting
    seats = setting.seats[: setting.players]
    header = Header("", "", "", setting.game.title, {}, "", seats, (HUMAN,) * len(seats), None)
    copy = Match(match.state, match.opening, frozenset(range(len(seats))), history=match.history)
    rows = [
        Row(0, number, "answer", past.action.seat, bool(past.state.branches), b"")
        for number, past in enumerate(match.history, 1)
    ]
    return Table("match", "", copy, header, rows, lambda _: None)


def shown(match: Match, seat: int) -> str:
    """The page of a seat, the digest by which it is compared, and the last position that it can look at again."""
    table = table_of(match)
    page = table.page(seat)
    return body(plain([page, table.looked(seat), table.history(seat, page.moments - 2)])).decode()


def written(match: Match, seat: int) -> str:
    """As `shown`, in a third of the time: without the reasons of events, and of earlier positions every fourth."""
    table = table_of(match)
    page = table.page(seat)
    earlier = table.history(seat, page.moments - 2) if page.moments % 4 == 0 else None
    return f"{page!r}\n{table.looked(seat)}\n{earlier!r}"


def apart(rules: Game, seed: str, most: int) -> Iterator[tuple[Match, Match, list[int]]]:
    """A match before and after decisions that one seat made apart, and all who may not notice.

    Decisions that finish what a seat decides there are left out.
    """
    answers = Answers(f"apart {seed}")
    match, found = started(rules, None, min(rules.most, rules.least + 1), seed), 0
    while found < most and (waiting := match.decisions()):
        asked = waiting[answers.below(len(waiting))]
        before = Match(match.state, match.opening, history=list(match.history))
        events = match.act(Action(asked.seat, answers.to(asked)))
        if before.state.branches and not any(event.name == "ready" for event in events):
            found += 1
            yield (
                before,
                match,
                [seat for seat in (SPECTATOR, *range(before.state.setting.players)) if seat != asked.seat],
            )
