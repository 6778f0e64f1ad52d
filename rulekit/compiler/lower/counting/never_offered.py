"""Which members of a kind the rules themselves leave out of a question, whatever the position: `deck except 1`.

What hangs on the position is taken for all that it could be (over-approximation); the rest the interpreter works out.
"""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import traversal
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import Machine
from rulekit.play.state.errors import RuleError
from rulekit.values import evolve

_FIXED = (
    *(x.Const, x.Element, x.AllOf, x.Listed, x.Mapped, x.Lookup, x.NumberOf, x.Trait),
    *(x.Not, x.Both, x.Either, x.Same, x.Compare, x.Among),
)
"""What is the same in every position, if its parts are."""


def never_offered(m: Machine, options: x.Expr, kind: model.Kind) -> tuple[int, ...]:
    """The places among the members of a kind of those that never are among the options."""
    try:
        found = evaluate(m, _widest(m, options, x.AllOf(kind.name)))
    except RuleError:
        return ()
    return tuple(place for place, member in enumerate(kind.ids) if member not in found)


def _widest(m: Machine, e: x.Expr, everything: x.AllOf) -> x.Expr:
    """A set of all members that may be in a set in any position."""
    match e:
        case x.Filter(of, _, test):
            return evolve(e, of=_widest(m, of, everything), test=_weakest(test))
        case x.Without(of, less):
            widest = _widest(m, of, everything)
            return evolve(e, of=widest) if _is_fixed(less) else widest
        case x.Invoke(define, ()):
            return _widest(m, m.setting.game.defines[define].value, everything)
    return everything


def _weakest(test: x.Expr) -> x.Expr:
    """A condition that holds wherever another one may hold."""
    if isinstance(test, x.Both | x.Either):
        return evolve(test, left=_weakest(test.left), right=_weakest(test.right))
    return test if _is_fixed(test) else x.Const(True)


def _is_fixed(e: x.Expr) -> bool:
    return all(isinstance(part, _FIXED) for part in traversal.parts(e))
