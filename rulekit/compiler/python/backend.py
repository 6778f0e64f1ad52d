"""The Python back end: a plan as readable Python source, and the machine that runs it.

The text holds names that the plan's builder made (the validator checks their
form), numbers, and words of the rules in comments alone.
"""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from typing import Any
from weakref import finalize

from attrs import define, field

from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.validator import faults
from rulekit.compiler.python import runtime
from rulekit.compiler.python.chance import Spent
from rulekit.compiler.python.code_execution import compiled, execute
from rulekit.compiler.python.functions import all_lines
from rulekit.compiler.python.statements import comment
from rulekit.compiler.runtime.protocols import Answer
from rulekit.play.state import counter_rng


def source(plan: p.Plan, *, hooked: bool = False) -> str:
    """The whole plan as text of Python; with answers by chance in it, or by a hook."""
    lines = [comment(plan.title).strip(), f"NONE = {p.NONE}"]
    lines += [f"T{number} = {table}" for number, table in enumerate(plan.tables)]
    lines += [f"R{number} = {_rows(rows)}" for number, rows in enumerate(plan.rows)]
    for written in all_lines(plan, hooked=hooked):
        lines += ["", "", *written]
    return "\n".join(lines) + "\n"


def _rows(rows: tuple[tuple[int, ...], ...]) -> str:
    """Lists, because other sequences are lists and compare with them."""
    return f"({', '.join(str(list(row)) for row in rows)},)" if rows else "()"


@define(eq=False)
class PythonMachine:
    """The plan's Python with its storage; see `machine.Machine`.

    Errors:  `Unsupported`, where loops or expressions are nested deeper than Python takes them.

    runs:    the Python with answers by chance, and that with a hook, which is made when it is first wanted.
    """

    plan: p.Plan
    _storage: runtime.Storage = field(init=False)
    _runs: dict[bool, runtime.Run] = field(factory=dict, init=False)
    _last: runtime.Run = field(init=False)
    _sums: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        found = faults(self.plan)
        assert not found, found
        self._sums = list(self.plan.sums)
        self._storage = runtime.Storage(list(self.plan.words), [list(one) for one in self.plan.lists])
        try:
            self._last = self._run(hooked=False)
        except (SyntaxError, RecursionError) as fault:
            raise Unsupported("loops or expressions nested as deep as here") from fault

    def play(self, seed: int, answer: Answer | None = None) -> int:
        run = self._last = self._run(hooked=answer is not None)
        run.start(seed, answer and (lambda *question: answer(self, *question)))
        status = status_of(run, self.plan.main)
        return status_of(run, self.plan.result) if status == p.Status.END else status

    def _run(self, *, hooked: bool) -> runtime.Run:
        if hooked not in self._runs:
            self._runs[hooked] = self._made(runtime.Run, hooked=hooked)
        return self._runs[hooked]

    def _made(self, kind: type[runtime.Run], *, hooked: bool) -> runtime.Run:
        lists = self._storage.lists
        space: dict[str, Any] = {"M": self._storage.words, "L": lists, "SUMS": self._sums}
        space |= {f"L{number}": one for number, one in enumerate(lists)}
        run = kind(self.plan, self._storage, space)
        code = compiled(source(self.plan, hooked=hooked), "plan")
        execute(code, space)
        finalize(self, linecache.cache.pop, code.co_filename, None)
        return run

    def playouts(self, seed: int, first: int, count: int, figures: Sequence[int]) -> list[tuple[int, ...]]:
        made = []
        for number in range(first, first + count):
            status = self.play(counter_rng.output(seed, number))
            words = self._storage.words
            if self.plan.after:
                self._last.space[self.plan.after](status, self.decisions())
            made.append((status, self.decisions(), *(int(words[figure]) for figure in figures)))
        return made

    def sums(self) -> list[int]:
        found = [int(value) for value in self._sums]
        self._sums[:] = self.plan.sums
        return found

    def words(self) -> list[int]:
        return [int(word) for word in self._storage.words]

    def lists(self) -> list[list[int]]:
        return [[int(entry) for entry in one] for one in self._storage.lists]

    def decisions(self) -> int:
        return self._last.decisions()


def status_of(run: runtime.Run, function: str) -> int:
    """Run a function to its end."""
    try:
        run.space[function]()
    except (runtime.Unwound, runtime.Broken) as unwound:
        return int(unwound.status)
    except Spent:
        return p.Status.ENDLESS.value
    return p.Status.DONE.value
