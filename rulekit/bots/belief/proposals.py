"""The proposal distribution of the particle filter: guesses at an answer that a seat did not see.

The prior: every answer of a seat is as likely as any other, every set of things as any other set, and chance's answers
are as likely as their weights say.  Hints from what came later shift what is proposed, not the prior.  A guess says how
likely it was to be drawn with hints and without, so that the importance weight is exact also for a mixture of both.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import combinations
from math import comb, log

from rulekit.bots.belief.observation_matching import multiset_difference
from rulekit.bots.rng import Rng
from rulekit.play.state.match_state import Decision
from rulekit.play.state.value import Ref, Value
from rulekit.values import frozen

_LIKED = 0.95
"""How much of all guesses goes to those that later messages speak for, where there are such."""
_PERHAPS = 0.5
"""The same where they are numbers or labels, which are named for many reasons."""
_DISLIKED = 0.05
"""By how much less often one is guessed that later messages speak against."""


@frozen
class Guess:
    """prior: logarithm of how likely the answer is.  hinted, plain: of how likely it is guessed with hints and without.

    Where it is known how many things a set has, the last two differ from the first for that alone.
    """

    answer: Value
    prior: float
    hinted: float
    plain: float


@frozen
class Hints:
    """Values that later messages speak for or against; only the ease of guessing depends on them."""

    liked: Set[Value] = frozenset()
    disliked: Set[Value] = frozenset()


def count(decision: Decision, size: int | None = None) -> int:
    """How many answers there are; of a set of things, those with `size` of them if it is known."""
    if not decision.several:
        return len(decision.options)
    return sum(comb(len(decision.options), each) for each in _sizes(decision, size))


def every(decision: Decision, size: int | None = None) -> list[tuple[Value, float]]:
    """All these answers with the logarithms of how likely they are."""
    if decision.several:
        each = -log(count(decision))
        return [(some, each) for most in _sizes(decision, size) for some in combinations(decision.options, most)]
    return list(zip(decision.options, _priors(decision), strict=True))


def prior(decision: Decision, answer: Value) -> float | None:
    """The logarithm of how likely an answer is; None if it is not offered."""
    if not decision.several:
        if answer not in decision.options:
            return None
        weights = decision.weights or (1,) * len(decision.options)
        return log(weights[decision.options.index(answer)] / sum(weights))
    if not isinstance(answer, tuple) or len(answer) not in _sizes(decision):
        return None
    return None if multiset_difference(answer, decision.options) else -log(count(decision))


def meant(decision: Decision, value: Value) -> tuple[Value, ...]:
    """The options that an event can mean by a value: where several read alike, it does not say from which pile."""
    if value in decision.options or not isinstance(value, Ref):
        return tuple(option for option in decision.options if option == value and type(option) is type(value))
    near = [option for option in decision.options if isinstance(option, Ref) and option.kind == value.kind]
    return tuple(option for option in near if option.key.startswith(f"{value.key} in "))


def guess(decision: Decision, size: int | None, hints: Hints, rng: Rng, *, with_hints: bool) -> Guess:
    """with_hints: whether it is drawn with the hints."""
    if decision.several:
        return _guess_some(decision, size, hints, rng, with_hints=with_hints)
    return _guess_one(decision, hints, rng, with_hints=with_hints)


def _sizes(decision: Decision, size: int | None = None) -> range:
    if size is not None:
        return range(size, min(size, len(decision.options)) + 1)
    return range(decision.least, min(decision.most, len(decision.options)) + 1)


def _priors(decision: Decision) -> list[float]:
    weights = decision.weights or (1,) * len(decision.options)
    whole = log(sum(weights))
    return [log(weight) - whole for weight in weights]


def _guess_one(decision: Decision, hints: Hints, rng: Rng, *, with_hints: bool) -> Guess:
    plain = decision.weights or (1,) * len(decision.options)
    weights = _tilted(decision.options, plain, hints)
    place = rng.weighted_index(weights if with_hints else plain)
    prior = log(plain[place] / sum(plain))
    return Guess(decision.options[place], prior, log(weights[place] / sum(weights)), prior)


def _tilted(options: tuple[Value, ...], plain: Sequence[int], hints: Hints) -> list[float]:
    """The weights of options, with hints."""
    # One of several copies is spoken against; the others are as likely as before.
    weights = [w - (1 - _DISLIKED) * (o in hints.disliked) for w, o in zip(plain, options, strict=True)]
    liked = [option in hints.liked for option in options]
    if not any(liked) or all(liked):
        return weights
    of_liked = sum(weight for weight, yes in zip(weights, liked, strict=True) if yes)
    others = sum(weights) - of_liked
    share = _LIKED if isinstance(options[liked.index(True)], Ref) else _PERHAPS
    parts = ((1 - share) / others, share / of_liked)
    return [weight * parts[yes] for weight, yes in zip(weights, liked, strict=True)]


def _guess_some(decision: Decision, size: int | None, hints: Hints, rng: Rng, *, with_hints: bool) -> Guess:
    options, sizes = decision.options, _sizes(decision, size)
    before, among = -log(count(decision)), count(decision, size)
    held = tuple(option for option in options if option in hints.liked)
    if not held or len(held) >= sizes.stop:
        return Guess(_drawn(options, (), sizes, rng), before, -log(among), -log(among))
    around = sum(comb(len(options) - len(held), each - len(held)) for each in sizes if each >= len(held))
    answer = _drawn(options, held if with_hints and rng.uniform() < _LIKED else (), sizes, rng)
    liked = _LIKED / around if set(held) <= set(answer) else 0.0
    return Guess(answer, before, log(liked + (1 - _LIKED) / among), -log(among))


def _drawn(options: tuple[Value, ...], held: tuple[Value, ...], sizes: range, rng: Rng) -> tuple[Value, ...]:
    """A set that holds these, any such set as likely as another; in the order of the options."""
    free = [place for place, option in enumerate(options) if option not in held]
    fixed = [place for place, option in enumerate(options) if option in held]
    more = [size - len(fixed) for size in sizes if size >= len(fixed)]
    size = more[rng.weighted_index([comb(len(free), each) for each in more])]
    chosen = fixed + [free.pop(rng.below(len(free))) for _ in range(size)]
    return tuple(options[place] for place in sorted(chosen))
