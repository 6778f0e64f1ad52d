"""Metropolis-Hastings moves on histories: from one that fits what a seat was told to another that fits as well."""

from __future__ import annotations

from math import exp

from rulekit.bots.belief.history import Node, answers_since, hidden_steps
from rulekit.bots.belief.observation_matching import Pair
from rulekit.bots.belief.propagation import Propagator
from rulekit.bots.belief.weighted_rollout import replaced, replay, transposition
from rulekit.bots.rng import Rng
from rulekit.play.state.value import Ref


def metropolis_hastings_move(propagator: Propagator, node: Node, rng: Rng, until: int) -> Node:
    """The history, or another that fits as well; many such moves sample histories by their posterior probability.

    The proposal: a guess, one of its values and another that was offered are drawn, and the two take each other's place
    from there on.  It is symmetric, so a history that fits is accepted with the ratio of the priors of both.

    Source:  Hastings, 1970; after resampling: Gilks and Berzuini, Following a moving target, 2001.
    """
    guesses = hidden_steps(node)
    if not guesses:
        return node
    # Late guesses more often, as little is played again from there; back from the other history it is as likely.
    step = guesses[rng.below(1 + rng.below(len(guesses)))]
    pair = _drawn_pair(step, rng)
    if pair is None or step.before is None:
        return node
    given = answers_since(node, step)
    later = map(transposition(pair), given[1:]) if isinstance(pair[0], Ref) else given[1:]
    answers = [replaced(given[0], pair), *later]
    made = replay(propagator, step.before, answers, until, strict=True)
    if made is None or made.clash is not None or len(hidden_steps(made.node)) != len(guesses):
        return node
    ratio = made.node.prior - node.prior
    return made.node if ratio >= 0 or rng.uniform() < exp(ratio) else node


def _drawn_pair(step: Node, rng: Rng) -> Pair | None:
    """One value of an answer, and one that was offered and is not in it."""
    answer, question = step.answer, step.question
    chosen = answer if question.several and isinstance(answer, tuple) else (answer,)
    others = [option for option in question.options if option not in chosen]
    return (rng.choice(chosen), rng.choice(others)) if others and chosen else None
