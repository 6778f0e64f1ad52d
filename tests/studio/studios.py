"""Studios for tests: a copy of a rules file in a folder of its own, and what is waited for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulekit.studio.played_match import asked_person
from rulekit.studio.rules_file import RulesFile
from rulekit.studio.studio import Studio, Text
from tests import processes
from tests.paths import EXAMPLES

MAGPIES = EXAMPLES / "magpies.rules"


def copied(folder: Path, file: Path = MAGPIES) -> Path:
    """A copy that may be changed."""
    folder.mkdir(exist_ok=True)
    return Path(shutil.copy(file, folder))


@contextmanager
def studio(folder: Path, file: Path = MAGPIES, *, figures: bool = False) -> Iterator[Studio]:
    """A studio in which all that follows from the first text has been found, with figures if they are wanted."""
    made = Studio(RulesFile(str(copied(folder, file))))
    try:
        settled(made, figures=figures)
        yield made
        assert not made.failed
    finally:
        made.close()


def settled(of: Studio, *, figures: bool = False) -> None:
    """figures: wait for them too; they take most of the time."""
    assert of.settled(processes.HANG, figures=figures)


def edited(of: Studio, old: str, new: str, *, figures: bool = False) -> None:
    """Change a part of the text, and wait for what follows."""
    assert old in of.text.text
    of.put(Text(of.text.text.replace(old, new), of.text.number + 1))
    settled(of, figures=figures)


def played(of: Studio, count: int) -> None:
    """Answer so many questions, each by the first that is offered."""
    table = of.match.table
    assert table is not None
    for _ in range(count):
        question = asked_person(table)
        assert question is not None
        chosen = list(range(question.least)) if question.several else [0]
        assert of.match.answer(question.seat, table.number(question.seat), chosen) is None
    of.tell_match()
    settled(of)
