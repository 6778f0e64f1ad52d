"""Block repair: make a history fit at once what all seats of a secret block turn out to have.

Also called: a block update, as in block Gibbs sampling.  Repairing one thing after the other would play the rules again
for each of them.  What nobody has seen yet is exchanged from the moment when it was dealt: what a seat needs with
something that it may choose.  What was seen before and then kept in secret can only have been kept instead of something
else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from rulekit.bots.belief.evidence_lookahead import required_things
from rulekit.bots.belief.history import Node, hidden_steps, steps
from rulekit.bots.belief.propagation import Propagator
from rulekit.bots.belief.weighted_rollout import substitution
from rulekit.bots.rng import Rng
from rulekit.play import engine
from rulekit.play.state.value import Ref, Value
from rulekit.values import frozen

_TRIES = 6
"""How many changes are tried for one clash."""
Needed = Mapping[int, tuple[Value, ...]]
"""By seat, things that it must have."""


@frozen
class Exchange:
    """since: from which guess on, the first one being 0.  instead: which thing then takes which other's place."""

    since: int
    instead: Mapping[Value, Value]


def block_repairs(propagator: Propagator, node: Node, rng: Rng) -> Iterator[tuple[Node, list[Value]]]:
    """Guesses, each with other answers from there on until seats begin to decide apart."""
    begun = _apart_since(node)
    if begun is None:
        return
    told = propagator.told_from(begun.message, begun.matched)
    needed = required_things(begun.state, propagator.seat, told)
    guesses, named = hidden_steps(begun)[::-1], propagator.named_before(begun.message)
    for _ in range(_TRIES):
        exchanges = [*_unseen(begun, guesses, needed, named, rng), *_kept(begun, guesses, needed, named, rng)]
        if not exchanges:
            return
        first = min(one.since for one in exchanges)
        yield guesses[first], [_changed(guesses, number, exchanges) for number in range(first, len(guesses))]


def _apart_since(node: Node) -> Node | None:
    """Where seats began to decide apart; None if nobody does."""
    begun: Node | None = None
    for step in steps(node):
        before = step.before
        if before is None or not before.state.branches or (begun is not None and not _same_block(before, begun)):
            break
        begun = before
    return begun


def _same_block(one: Node, other: Node) -> bool:
    """Whether the same seats decide apart about the same: nothing else changes meanwhile."""
    return one.state.frames == other.state.frames and one.state.values == other.state.values


def _changed(guesses: list[Node], number: int, exchanges: list[Exchange]) -> Value:
    instead: dict[Value, Value] = {}
    for one in exchanges:
        if one.since <= number:
            instead |= one.instead
    return substitution(instead)(guesses[number].answer)


def _things(answer: Value) -> tuple[Value, ...]:
    return answer if isinstance(answer, tuple) else (answer,)


def _offered(begun: Node, seat: int) -> tuple[Value, ...]:
    """The things among which a seat chooses first."""
    options = next((one.options for one in engine.decisions(begun.state) if one.seat == seat), ())
    return tuple(option for option in options if isinstance(option, Ref))


# ---------------------------------------------------------------- what nobody has seen


def _unseen(begun: Node, guesses: list[Node], needed: Needed, named: Set[Value], rng: Rng) -> Iterator[Exchange]:
    instead: dict[Value, Value] = {}
    everything = {thing for things in needed.values() for thing in things}
    for seat, things in needed.items():
        fresh = [thing for thing in things if thing not in named]
        instead |= _in_order(_offered(begun, seat), fresh, named | everything, rng)
    # Whoever loses something gets what is free for it.
    lost = [new for new in instead.values() if new not in instead]
    free = [old for old in instead if old not in instead.values()]
    instead = {old: new for old, new in (*instead.items(), *zip(lost, free, strict=False)) if old != new}
    for number, step in enumerate(guesses):
        if not instead.keys().isdisjoint(_things(step.answer)):
            yield Exchange(number, instead)
            return


def _in_order(
    offered: tuple[Value, ...], things: list[Value], taboo: Set[Value], rng: Rng
) -> Iterator[tuple[Value, Value]]:
    """Offered things, drawn by chance, each with what takes its place: what is told first was offered first."""
    have = [place for place, option in enumerate(offered) if option in things]
    spare = [place for place, option in enumerate(offered) if option not in taboo]
    if len(things) <= len(have) + len(spare):
        more = [spare.pop(rng.below(len(spare))) for _ in range(len(things) - len(have))]
        yield from zip((offered[place] for place in sorted(have + more)), things, strict=True)


# ---------------------------------------------------------------- what was seen, and kept in secret


def _kept(begun: Node, guesses: list[Node], needed: Needed, named: Set[Value], rng: Rng) -> Iterator[Exchange]:
    for seat, things in needed.items():
        offered = _offered(begun, seat)
        for thing in things:
            if thing in named and thing not in offered:
                yield from _kept_instead(guesses, seat, thing, set(offered) - set(things), rng)


def _kept_instead(guesses: list[Node], seat: int, thing: Value, spare: Set[Value], rng: Rng) -> Iterator[Exchange]:
    """The last secret answer of a seat with which it could have kept a thing and kept another that it still has."""
    for number in reversed(range(len(guesses))):
        step = guesses[number]
        question, kept = step.question, _things(step.answer)
        if question.seat == seat and thing in question.options:
            others = [other for other in kept if other in spare]
            if others and thing not in kept:
                other = rng.choice(others)
                yield Exchange(number, {other: thing, thing: other})
            return
