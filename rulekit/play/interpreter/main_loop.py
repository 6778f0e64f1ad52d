"""The interpreter's main loop: runs a machine until something must be decided, or the match is over.

It fetches each operation from the code of the topmost frame and calls what it does (`closure_compilation`).  Between
operations it decides the order of a shuffled pile where one needs it, calls reactions to pieces that have come to
rest, and in a watched match checks that no secret is shown (`taint_check`).
"""

from __future__ import annotations

from rulekit.play.interpreter import reactions
from rulekit.play.machine import taint_check
from rulekit.play.machine.closure_compilation import Meanings, NeedsOrder, meanings, spend
from rulekit.play.machine.working_state import Machine
from rulekit.play.meaning import chance
from rulekit.play.tracing import flow


def run(m: Machine) -> None:
    """Go on until a decision is needed, a branch is done or the match is over."""
    try:
        _run(m)
    except RecursionError:
        m.out_of_depth()


def _run(m: Machine) -> None:
    c = meanings(m.setting)
    go_on = _run_watched if c.watched else _run_traced if c.traced else _run_frame
    while m.pending is None and not (m.over or m.branches or m.done):
        if not m.frames:
            m.over = True
            return
        try:
            go_on(m, c)
        except NeedsOrder as need:
            m.frames[-1].pc -= 1
            m.steps = m.begun
            if m.verdicts is not None:
                m.verdicts.asked_again()
            chance.decide_order(m, need)
            m.reads = None
        if m.landings:
            reactions.react(m)


def _run_frame(m: Machine, c: Meanings) -> None:
    """Run the topmost frame until the flow may have left it."""
    frame = m.frames[-1]
    m.locals, acts, left = frame.locals, c.acts(frame.code), None
    while not left:
        m.op, steps, act = acts[frame.pc]
        frame.pc += 1
        m.begun = m.steps
        m.steps += steps
        if m.steps > m.checkpoint:
            m.pass_checkpoint()
        left = act(m, frame)


def _run_watched(m: Machine, c: Meanings) -> None:
    """Run one operation and see what it shows of what it read."""
    frame = m.frames[-1]
    m.locals = frame.locals
    m.op, steps, act = c.acts(frame.code)[frame.pc]
    frame.pc += 1
    m.begun = m.steps
    spend(m, steps)
    shown = taint_check.before(m, m.op)
    m.reads = set()
    act(m, frame)
    taint_check.propagate(m, frame, m.op, shown)


def _run_traced(m: Machine, c: Meanings) -> None:
    """Run one operation and note what decided what it binds and where it goes."""
    frame = m.frames[-1]
    flow.begin(m, frame, frame.pc)
    m.op, _, act = c.acts(frame.code)[frame.pc]
    frame.pc += 1
    act(m, frame)
    flow.settle(m, c, frame)
