"""Run-time verification of invariants: what must hold whenever a match waits is looked at where it waits.

Not before the setup is made: until then a game is not yet what its invariants speak of.
"""

from __future__ import annotations

from rulekit.model import game as model
from rulekit.model import ops
from rulekit.play.machine.closure_compilation import NeedsOrder, evaluate
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.state.errors import RuleError


def setup_codes(game: model.Game) -> tuple[int, ...]:
    """The codes that set up a match, in order."""
    calls = [op.code for op in game.codes[game.main].ops if isinstance(op, ops.Call)]
    return tuple(code for code in calls if game.codes[code].name == "setup")


def check(m: Machine) -> None:
    """Raises `RuleError` with code `invariant` for the first one that does not hold; the machine stays as it is."""
    game = m.setting.game
    if not game.invariants or _is_setting_up(m):
        return
    copy = m.clone([CallFrame(game.main, 0, [])])
    # What is looked at here decides nothing: no reading counts as asked for.
    copy.op, copy.unclear = None, set()
    if m.setting.visits is not None:
        m.setting.visits.invariants.update(range(len(game.invariants)))
    for invariant in game.invariants:
        if not _holds(copy, invariant):
            title = f'the invariant "{invariant.text}" does not hold'
            raise RuleError("invariant", title, invariant.span, invariant.cites)


def _holds(m: Machine, invariant: model.Invariant) -> bool:
    try:
        return bool(evaluate(m, invariant.test))
    except NeedsOrder:
        # An order that nobody has asked for yet is not decided for the sake of a look.
        return True


def _is_setting_up(m: Machine) -> bool:
    codes = setup_codes(m.setting.game)
    return any(frame.code in codes for frame in m.frames)
