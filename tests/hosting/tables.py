"""Matches at tables for tests: a host in a folder of its own, and answers by chance."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulekit.hosting.host import Created, Host
from rulekit.hosting.seat_page import Accepted, Refused
from rulekit.hosting.store import Store
from rulekit.hosting.table import Table
from rulekit.play.state.match_state import Decision
from rulekit.record.log import HUMAN
from tests.generators.random_matches import Answers
from tests.paths import EXAMPLES

MAGPIES = EXAMPLES / "magpies.rules"


@contextmanager
def hosting(folder: Path) -> Iterator[Host]:
    with Host(Store(folder / "matches.store")) as host:
        yield host


def people(host: Host, file: Path = MAGPIES, count: int = 2, seed: str = "table") -> tuple[Created, Table]:
    """A match of people alone."""
    made = host.create(str(file), (HUMAN,) * count, seed=seed)
    return made, host.table(made.match)


def chosen(question: Decision, answers: Answers) -> list[int]:
    """An answer by chance, by places among the options."""
    places = list(range(len(question.options)))
    least, most = (question.least, question.most) if question.several else (1, 1)
    return sorted(places.pop(answers.below(len(places))) for _ in range(least + answers.below(most - least + 1)))


def asked(table: Table) -> int:
    """A seat that is asked now."""
    return table.match.decisions()[0].seat


def answer(host: Host, table: Table, seat: int, answers: Answers) -> Accepted | Refused:
    page = table.page(seat)
    assert page.question is not None
    return host.answer(table.match_id, seat, page.number, chosen(page.question, answers))


def play(host: Host, table: Table, count: int, answers: Answers) -> None:
    """So many answers, or to the end."""
    for _ in range(count):
        if not table.match.decisions():
            return
        seats = [one.seat for one in table.match.decisions()]
        answer(host, table, seats[answers.below(len(seats))], answers)
