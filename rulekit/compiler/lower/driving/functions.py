"""All functions by which many matches are driven at once, and how a machine finds them: `ir.Drive`."""

from __future__ import annotations

from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.driving import actions as offering
from rulekit.compiler.lower.driving import observation
from rulekit.compiler.lower.driving.actions import CODES, COUNT, LACKING, PAGE, PICKED, Actions
from rulekit.compiler.lower.search import backpropagation
from rulekit.compiler.lower.search.reals import ONE_REAL, real
from rulekit.compiler.plan import ir as p


def drive_functions(program: Program, actions: Actions) -> p.Drive:
    """Put the functions by which matches are driven into a program whose questions are all known."""
    seen = CODES + actions.size
    size = len(observation.HEADING) + sum(one.size for one in observation.features(program.storage))
    program.function("drive_offer", lambda: offering.offer(program, actions))
    program.function("drive_observe", lambda: observation.observe(program, seen, COUNT))
    program.function("drive_reward", lambda: _reward(program))
    return p.Drive(
        done=actions.done,
        page=PAGE,
        count=COUNT,
        picked=PICKED,
        lacking=LACKING,
        codes=CODES,
        actions=actions.size,
        seen=seen,
        width=size,
    )


def _reward(program: Program) -> p.Function:
    """1 for the first place, -1 for the last one, shared places averaged; -1 if everybody is defeated."""
    m = Builder(program, "drive_reward")
    program.function("search_place", lambda: backpropagation.place(program))
    place = m.called("search_place", p.Get("seat"))
    m.emit(p.Return(p.Real("-", p.Real("*", real(2.0), place), ONE_REAL)))
    return m.function("seat", "int")
