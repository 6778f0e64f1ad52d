"""Another history out of one that fits what a seat was told, so that in the long run each is as likely as it is."""

from __future__ import annotations

from math import exp

from rulekit.bots.differing import Pair
from rulekit.bots.follow import Follower
from rulekit.bots.history import Node, hidden_steps
from rulekit.bots.luck import Luck
from rulekit.bots.walking import asked, behind, exchange, replay, swapped
from rulekit.play.value import Ref, Value


def stirred(follower: Follower, node: Node, luck: Luck, until: int) -> Node:
    """The history, or another that fits as well, so that many such steps draw histories as likely as they are.

    One step of Metropolis and Hastings: a guess, one of its values and another that was offered are drawn; the two
    change parts from there on; what fits is taken with the ratio of how likely both are before anything is seen.
    """
    guesses = hidden_steps(node)
    if not guesses:
        return node
    # Late guesses more often, as little is played again from there; back from the other history it is as likely.
    step = guesses[luck.below(1 + luck.below(len(guesses)))]
    pair = _drawn_pair(step, luck)
    if pair is None or step.before is None:
        return node
    change = exchange(swapped(pair)) if isinstance(pair[0], Ref) else None
    given = behind(node, step)
    first = _put(given[0], pair)
    answers = [first, *(map(change, given[1:]) if change is not None else given[1:])]
    made = replay(follower, step.before, answers, until, strict=True)
    if made is None or made.clash is not None or len(hidden_steps(made.node)) != len(guesses):
        return node
    ratio = made.node.prior - node.prior
    return made.node if ratio >= 0 or luck.part() < exp(ratio) else node


def _drawn_pair(step: Node, luck: Luck) -> Pair | None:
    """One value of an answer, and one that was offered and is not in it."""
    assert step.action is not None
    answer, question = step.action.answer, asked(step)
    chosen = answer if question.several and isinstance(answer, tuple) else (answer,)
    others = [option for option in question.options if option not in chosen]
    return (luck.one_of(chosen), luck.one_of(others)) if others and chosen else None


def _put(answer: Value, pair: Pair) -> Value:
    if isinstance(answer, tuple):
        return tuple(pair[1] if item == pair[0] else item for item in answer)
    return pair[1]
