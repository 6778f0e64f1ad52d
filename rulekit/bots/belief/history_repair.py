"""Repair moves: make a history that contradicts what a seat was told fit, by local search over its guessed answers.

A thing that turns up at one place lay hidden at another in this history.  From some guessed answer on the two things
take each other's place: whatever happened to one happens to the other.  The rules are played again from there, and a
change is kept only if the history then fits more of what was told.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from rulekit.bots.belief import proposals
from rulekit.bots.belief.block_repair import block_repairs
from rulekit.bots.belief.history import Node, answers_since, hidden_steps
from rulekit.bots.belief.observation_matching import Pair
from rulekit.bots.belief.propagation import Propagator, Question
from rulekit.bots.belief.weighted_rollout import Rollout, replaced, replay, rollout, transposition
from rulekit.bots.rng import Rng
from rulekit.play.state.match_state import CHANCE
from rulekit.play.state.value import Ref, Value

_PLACES = 6
"""How many earlier guesses are tried for one pair of values."""
_PAIRS = 4
"""How many pairs of values are tried for one clash."""
_SEARCHED = 40
"""How many earlier answers of seats are looked at for a thing that was offered and not taken."""
_OTHERS = 12
"""How many other answers are tried for one guess."""
Change = tuple[Node, list[Value]]
"""A guess, and other answers from there on."""


def repaired(propagator: Propagator, failed: Rollout, rng: Rng, until: int, last: int) -> Node | None:
    """A history like the one that clashed, but fitting; None if none was found.

    last:  how often rules may have been played on before it is given up.
    """
    while failed.clash is not None:
        better = _better(propagator, failed, rng, until, last)
        if better is None:
            return None
        failed = better
    return failed.node


def _better(propagator: Propagator, failed: Rollout, rng: Rng, until: int, last: int) -> Rollout | None:
    """The first change that brings the history further along what was told."""
    for change in _changes(propagator, failed, rng):
        if propagator.applied >= last:
            return None
        made = _made(propagator, change, rng, until)
        if made is not None and (made.clash is None or _progress(made) > _progress(failed)):
            return made
    return None


def _made(propagator: Propagator, change: Change, rng: Rng, until: int) -> Rollout | None:
    """The changed history, as far as it goes; what its answers do not say any more is guessed anew."""
    step, answers = change
    before = step.before
    assert before is not None
    again = replay(propagator, before, answers, until, strict=False)
    if again is None or again.clash is not None:
        return again
    if again.node.state is before.state:
        return None
    return rollout(propagator, again.node, rng, until, with_hints=True)


def _progress(one: Rollout) -> tuple[int, int, int, int]:
    """How far a history fits what was told."""
    assert one.clash is not None
    return one.node.message, one.node.matched + one.clash.fit, one.clash.alike, -len(one.clash.pairs)


# ---------------------------------------------------------------- what may be changed


def _changes(propagator: Propagator, failed: Rollout, rng: Rng) -> Iterator[Change]:
    assert failed.clash is not None
    node, pairs = failed.node, _some(failed.clash.pairs, rng)
    yield from block_repairs(propagator, node, rng)
    for pair in pairs:
        for step in _touching(node, pair):
            yield from _with_pair(node, step, pair)
    for pair in pairs:
        if isinstance(pair[0], Ref):
            yield from _instead(node, pair, rng)
    yield from _otherwise(propagator, node, rng)


def _with_pair(node: Node, step: Node, pair: Pair) -> Iterator[Change]:
    """Two values in each other's place from a step on, or at this step alone."""
    alone, ever = _exchanged(node, step, pair, later=False), _exchanged(node, step, pair)
    if not isinstance(pair[0], Ref):
        yield step, alone
    elif node.action is not None and node.action.seat == CHANCE:
        # Chance may draw a copy of the same thing later as well, and of the copies only one is another.
        yield from ((step, alone[:-1]), (step, alone), (step, ever))
    else:
        yield from ((step, ever), (step, alone))


def _exchanged(node: Node, step: Node, pair: Pair, *, later: bool = True) -> list[Value]:
    """The answers from a step on with two values in each other's place, there and `later` too."""
    change, given = transposition(pair), answers_since(node, step)
    return [change(given[0]), *(map(change, given[1:]) if later else given[1:])]


def _instead(node: Node, pair: Pair, rng: Rng) -> Iterator[Change]:
    """A thing that should have come takes the place of another that could have come as well; then it comes."""
    came, wanted = pair
    step = next(iter(_touching(node, (came, came))), None)
    if step is None:
        return
    for earlier in _passing_over(node, wanted):
        for item in earlier.answer if isinstance(earlier.answer, tuple) else (earlier.answer,):
            yield earlier, _exchanged_but(node, earlier, (item, wanted), step, pair)
    others = _some(tuple((other, wanted) for other in step.question.options if other not in pair), rng)
    for other in others:
        for earlier in _touching(node, other):
            yield earlier, _exchanged_but(node, earlier, other, step, pair)


def _exchanged_but(node: Node, step: Node, pair: Pair, last: Node, instead: Pair) -> list[Value]:
    """The same, but at a last step one value is answered instead of another."""
    answers = _exchanged(node, step, pair)
    place = len(answers) - len(answers_since(node, last))
    if place >= 0:
        answers[place] = replaced(last.answer, instead)
    return answers


def _passing_over(node: Node, wanted: Value) -> list[Node]:
    """The last secret answers of seats in which a thing was offered and not taken."""
    of_seats = [step for step in hidden_steps(node) if step.action and step.action.seat != CHANCE]
    found: list[Node] = []
    for step in of_seats[:_SEARCHED]:
        if len(found) < _PAIRS and wanted in step.question.options and not _holds(step.answer, (wanted, wanted)):
            found.append(step)
    return found


def _otherwise(propagator: Propagator, node: Node, rng: Rng) -> Iterator[Change]:
    """One of the last guesses is another one."""
    for step in hidden_steps(node)[:_PLACES]:
        assert step.before is not None
        question = propagator.question(step.before)
        if isinstance(question, Question):
            given = answers_since(node, step)
            for answer in _others(question, step.answer, rng):
                yield step, [answer, *given[1:]]
                yield step, [answer]


def _others(question: Question, answer: Value, rng: Rng) -> list[Value]:
    """Some of the other answers, in an order by chance."""
    decision = question.decision
    if proposals.count(decision, question.size) > _OTHERS:
        plain = proposals.Hints()
        return [proposals.guess(decision, question.size, plain, rng, with_hints=False).answer for _ in range(_OTHERS)]
    left = [one for one, _ in proposals.every(decision, question.size) if one != answer]
    return [left.pop(rng.below(len(left))) for _ in range(len(left))]


def _some(pairs: tuple[Pair, ...], rng: Rng) -> list[Pair]:
    """Some of the pairs, in an order by chance."""
    left = list(pairs)
    return [left.pop(rng.below(len(left))) for _ in range(min(_PAIRS, len(left)))]


def _touching(node: Node, pair: Pair) -> list[Node]:
    """The guesses in which one of two values was answered, the last one first."""
    return [step for step in hidden_steps(node) if _holds(step.answer, pair)][:_PLACES]


def _holds(answer: Value, pair: Container[Value]) -> bool:
    return answer in pair or (isinstance(answer, tuple) and any(item in pair for item in answer))
