"""Importance-weighted rollouts: extend a history along what a seat was told, by guessing hidden answers.

The answers are drawn from a proposal distribution, and the rollout's weight corrects for it (importance sampling).
By default half of them follow hints and half do not (a defensive mixture), so that no weight is above 2.
Also here: replay with given answers, and the substitutions of values by which given answers are changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import exp, log

from rulekit.bots.belief import proposals
from rulekit.bots.belief.history import Node
from rulekit.bots.belief.observation_matching import Pair
from rulekit.bots.belief.propagation import Clash, Propagator, Question
from rulekit.bots.rng import Rng
from rulekit.play.state.value import Ref, Value
from rulekit.values import frozen

Change = Callable[[Value], Value]
_HINTED = 0.5
"""The share of rollouts that follow hints."""


@frozen(eq=False)
class Rollout:
    """Where a history came to.

    log_weight:  logarithm of the importance weight: how likely it is over how likely it was to be drawn.
    clash:       why it came no further; None if it went as far as it should.
    """

    node: Node
    log_weight: float
    clash: Clash | None = None


def rollout(propagator: Propagator, node: Node, rng: Rng, until: int, *, with_hints: bool | None = None) -> Rollout:
    """Guess on until `until` messages are behind the history.

    with_hints:  whether hints are followed; None: on every other rollout by chance.  The weight goes by how likely this
                 mixture draws the history, so that it is never above 2, however wrong the hints are (a defensive
                 mixture: Hesterberg, 1995).
    """
    hinted_draw = rng.uniform() < _HINTED if with_hints is None else with_hints
    prior = hinted = plain = 0.0
    clash: Clash | None = None
    while node.message < until and clash is None:
        question = propagator.question(node)
        if question is None:
            node = propagator.past(node)
        elif isinstance(question, Clash):
            clash = question
        else:
            guess = propagator.guessed(node, question, rng, with_hints=hinted_draw)
            node, clash = propagator.stepped(node, question, guess.answer, guess.prior)
            prior, hinted, plain = prior + guess.prior, hinted + guess.hinted, plain + guess.plain
    return Rollout(node, prior - _log_mixture(hinted, plain), clash)


def _log_mixture(hinted: float, plain: float) -> float:
    """Logarithm of how likely a history is drawn by the mixture of guesses with hints and without."""
    most = max(hinted, plain)
    return most + log(_HINTED * exp(hinted - most) + (1 - _HINTED) * exp(plain - most))


def replay(propagator: Propagator, node: Node, answers: list[Value], until: int, *, strict: bool) -> Rollout | None:
    """Go on with these answers where it must be guessed, as far as they go, or into a clash.

    strict:  None as soon as one of them is not offered; else it is passed over, and None returned for the caller to
             guess from a later place.
    """
    left = iter(answers)
    while node.message < until:
        question = propagator.question(node)
        if question is None:
            node = propagator.past(node)
            continue
        if isinstance(question, Clash):
            return Rollout(node, 0.0, question)
        told = _scripted(propagator, question, left)
        if told is None:
            return None if strict else Rollout(node, 0.0)
        node, clash = propagator.stepped(node, question, *told)
        if clash is not None:
            return Rollout(node, 0.0, clash)
    return Rollout(node, 0.0)


def _scripted(propagator: Propagator, question: Question, left: Iterator[Value]) -> tuple[Value, float] | None:
    if question.known is not None and len(question.known) == 1:
        return propagator.answers(question)[0]
    answer = next(left, _END)
    if question.known is not None:
        return next((known for known in propagator.answers(question) if known[0] == answer), None)
    prior = None if answer is _END else proposals.prior(question.decision, answer)
    return None if prior is None else (answer, prior)


_END: Value = ("no more answers",)

# ---------------------------------------------------------------- other answers than were given


def substitution(instead: Mapping[Value, Value]) -> Change:
    """What puts other values in the place of some, inside sets too."""
    flags = any(isinstance(one, bool) for one in instead)

    def changed(value: Value) -> Value:
        if isinstance(value, tuple):
            return tuple(changed(item) for item in value)
        return instead.get(value, value) if flags or not isinstance(value, bool) else value

    return changed


def transposition(pair: Pair) -> Change:
    """Two things take each other's place; a number or label alone is put in the place of another."""
    one, other = pair
    return substitution({one: other, other: one} if isinstance(one, Ref) else {one: other})


def replaced(answer: Value, pair: Pair) -> Value:
    """The answer with the second value of a pair instead of the first."""
    if isinstance(answer, tuple):
        return tuple(pair[1] if item == pair[0] else item for item in answer)
    return pair[1]
