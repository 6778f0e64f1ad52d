"""Going on with a history along what a seat was told: guessing, or with answers that are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import exp, log

from attrs import frozen

from rulekit.bots import proposals
from rulekit.bots.differing import Pair
from rulekit.bots.follow import Clash, Follower, Question
from rulekit.bots.history import Node, hidden_steps
from rulekit.bots.luck import Luck
from rulekit.play import engine
from rulekit.play.state import Decision
from rulekit.play.value import Ref, Value

Change = Callable[[Value], Value]
_HEEDING = 0.5
"""How many of all walks follow hints."""


@frozen(eq=False)
class Walk:
    """Where a history came to.  weight: logarithm of how much likelier it is than it was drawn.

    clash:  why it came no further; None if it went as far as it should.
    """

    node: Node
    weight: float
    clash: Clash | None = None


def walk(follower: Follower, node: Node, luck: Luck, until: int, *, heeding: bool | None = None) -> Walk:
    """Guess on until so many messages are behind the history.

    heeding:  whether hints are followed; if it is not said, on every other walk by chance.  The weight goes by how
              likely such a mixture draws the history, so that it is never above 2, however wrong hints are.
    """
    heeds = luck.part() < _HEEDING if heeding is None else heeding
    prior = hinted = plain = 0.0
    clash: Clash | None = None
    while node.message < until and clash is None:
        question = follower.question(node)
        if question is None:
            node = follower.past(node)
        elif isinstance(question, Clash):
            clash = question
        else:
            guess = follower.guessed(node, question, luck, heeding=heeds)
            node, clash = follower.stepped(node, question, guess.answer, guess.prior)
            prior, hinted, plain = prior + guess.prior, hinted + guess.hinted, plain + guess.plain
    return Walk(node, prior - _mixed(hinted, plain), clash)


def _mixed(hinted: float, plain: float) -> float:
    """Logarithm of how likely a history is drawn, with hints or without."""
    most = max(hinted, plain)
    return most + log(_HEEDING * exp(hinted - most) + (1 - _HEEDING) * exp(plain - most))


def replay(follower: Follower, node: Node, answers: list[Value], until: int, *, strict: bool) -> Walk | None:
    """Go on with these answers where it must be guessed, as far as they go, or into a clash.

    strict:  None as soon as one of them is not offered; else it is passed over, and None returned for the caller to
             guess from a later place.
    """
    left = iter(answers)
    while node.message < until:
        question = follower.question(node)
        if question is None:
            node = follower.past(node)
            continue
        if isinstance(question, Clash):
            return Walk(node, 0.0, question)
        told = _scripted(follower, question, left)
        if told is None:
            return None if strict else Walk(node, 0.0)
        node, clash = follower.stepped(node, question, *told)
        if clash is not None:
            return Walk(node, 0.0, clash)
    return Walk(node, 0.0)


def _scripted(follower: Follower, question: Question, left: Iterator[Value]) -> tuple[Value, float] | None:
    if question.known is not None and len(question.known) == 1:
        return follower.answers(question)[0]
    answer = next(left, _END)
    if question.known is not None:
        return next((known for known in follower.answers(question) if known[0] == answer), None)
    prior = None if answer is _END else proposals.prior(question.decision, answer)
    return None if prior is None else (answer, prior)


_END: Value = ("no more answers",)

# ---------------------------------------------------------------- answers given before


def asked(step: Node) -> Decision:
    """The question that a step answers."""
    assert step.before is not None
    assert step.action is not None
    return next(one for one in engine.decisions(step.before.state) if one.seat == step.action.seat)


def behind(node: Node, step: Node) -> list[Value]:
    """The guessed answers from a step on, in order."""
    found: list[Value] = []
    for each in hidden_steps(node):
        assert each.action is not None
        found.append(each.action.answer)
        if each is step:
            break
    return found[::-1]


def exchange(parts: Mapping[Value, Value]) -> Change:
    """Every value in another's part."""
    flags = any(isinstance(one, bool) for one in parts)

    def changed(value: Value) -> Value:
        if isinstance(value, tuple):
            return tuple(changed(item) for item in value)
        return parts.get(value, value) if flags or not isinstance(value, bool) else value

    return changed


def swapped(pair: Pair) -> dict[Value, Value]:
    """Two things change parts; a number or label alone is put in the place of another."""
    one, other = pair
    return {one: other, other: one} if isinstance(one, Ref) else {one: other}
