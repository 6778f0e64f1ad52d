"""A plan as readable Python, and the machine that runs it.

Text made from a plan is executed here and nowhere else.  It holds names that
the plan's maker made (`valid` checks their form), numbers, and words of the
rules in comments alone.
"""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from itertools import count

from attrs import define, field

from rulekit.fast import plan as p
from rulekit.fast import python_runtime as runtime
from rulekit.fast.machine import Answer
from rulekit.fast.python_control import function_lines
from rulekit.fast.python_lines import comment
from rulekit.fast.valid import faults
from rulekit.play import generator

_numbers = count(1)


def source(plan: p.Plan) -> str:
    """The whole plan as text of Python."""
    lines = [comment(plan.title).strip(), f"NONE = {p.NONE}"]
    lines += [f"T{number} = {table}" for number, table in enumerate(plan.tables)]
    lines += [f"R{number} = {_rows(rows)}" for number, rows in enumerate(plan.rows)]
    for function in plan.functions:
        lines += ["", "", *function_lines(plan, function)]
    return "\n".join(lines) + "\n"


def _rows(rows: tuple[tuple[int, ...], ...]) -> str:
    """Lists, because other sequences are lists and compare with them."""
    return f"({', '.join(str(list(row)) for row in rows)},)" if rows else "()"


@define(eq=False)
class PythonMachine:
    """The plan's Python with its storage; see `machine.Machine`."""

    plan: p.Plan
    source: str = field(init=False)
    _storage: runtime.Storage = field(init=False)
    _run: runtime.Run = field(init=False)

    def __attrs_post_init__(self) -> None:
        found = faults(self.plan)
        assert not found, found
        self._storage = runtime.Storage(list(self.plan.words), [list(one) for one in self.plan.lists])
        space: dict[str, object] = {"M": self._storage.words, "L": self._storage.lists}
        space |= {f"L{number}": one for number, one in enumerate(self._storage.lists)}
        self._run = run = runtime.Run(self.plan, self._storage, space)
        for known in (run.draw, run.ask, run.ask_several, run.note, run.attempt, run.begin, run.end, run.feasible):
            space[known.__name__] = known
        space |= {"find": runtime.find, "sort": runtime.sort, "Unwound": runtime.Unwound}
        self.source = source(self.plan)
        _execute(self.source, space)

    def play(self, seed: int, answer: Answer | None = None) -> int:
        hook = None if answer is None else lambda *question: answer(self, *question)
        self._run.start(seed, hook)
        status = self._status(self.plan.main)
        return self._status(self.plan.result) if status == p.Status.END else status

    def _status(self, function: str) -> int:
        """Run a function to its end."""
        try:
            self._run.space[function]()
        except (runtime.Unwound, runtime.Broken) as unwound:
            return int(unwound.status)
        return p.Status.DONE.value

    def playouts(self, seed: int, first: int, count: int, figures: Sequence[int]) -> list[tuple[int, ...]]:
        made = []
        for number in range(first, first + count):
            status = self.play(generator.output(seed, number))
            words = self._storage.words
            made.append((status, self._run.decisions, *(int(words[figure]) for figure in figures)))
        return made

    def words(self) -> list[int]:
        return [int(word) for word in self._storage.words]

    def lists(self) -> list[list[int]]:
        return [[int(entry) for entry in one] for one in self._storage.lists]

    def decisions(self) -> int:
        return self._run.decisions


def _execute(text: str, space: dict[str, object]) -> None:
    """Define what the text says in `space`; tracebacks show its lines."""
    name = f"<plan {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec", dont_inherit=True), space)  # noqa: S102
