"""Other histories out of one: mend one that clashes with what was told, or stir one that fits.

A thing that turns up at one place lay hidden at another in a history made earlier.  From some guessed answer on the two
things change parts: whatever happened to one happens to the other.  The rules are played again from there, so that the
new history is kept only if it fits all that was told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp

from attrs import frozen

from rulekit.bots import proposals
from rulekit.bots.follow import Clash, Follower, Pair, Question
from rulekit.bots.history import Node, hidden_steps
from rulekit.bots.luck import Luck
from rulekit.play import engine
from rulekit.play.state import Decision
from rulekit.play.value import Ref, Value

_PLACES = 6
"""How many earlier guesses are tried for one pair of values."""
_PAIRS = 4
"""How many pairs of values are tried for one clash."""
_OTHERS = 12
"""How many other answers are tried for one guess."""
Change = Callable[[Value], Value]


@frozen(eq=False)
class Walk:
    """Where a history came to.  weight: logarithm of how much likelier it is than it was drawn.

    clash:  why it came no further; None if it went as far as it should.
    """

    node: Node
    weight: float
    clash: Clash | None = None


def walk(follower: Follower, node: Node, luck: Luck, until: int) -> Walk:
    """Guess on until so many messages are behind the history."""
    weight = 0.0
    while node.message < until:
        question = follower.question(node)
        if question is None:
            node = follower.past(node)
            continue
        if isinstance(question, Clash):
            return Walk(node, weight, question)
        guess = follower.guessed(node, question, luck)
        node, clash = follower.stepped(node, question, guess.answer, guess.prior)
        weight += guess.prior - guess.drawn
        if clash is not None:
            return Walk(node, weight, clash)
    return Walk(node, weight)


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
    if question.known is not None:
        return follower.answers(question)[0]
    answer = next(left, _END)
    prior = None if answer is _END else proposals.prior(question.decision, answer)
    return None if prior is None else (answer, prior)


_END: Value = ("no more answers",)

# ---------------------------------------------------------------- mending


def mended(follower: Follower, failed: Walk, luck: Luck, until: int, last: int) -> Node | None:
    """A history like the one that clashed, but fitting; None if none was found.

    last:  how often rules may have been played on before it is given up.
    """
    while failed.clash is not None:
        better = _better(follower, failed, luck, until) if follower.applied < last else None
        if better is None:
            return None
        failed = better
    return failed.node


def _better(follower: Follower, failed: Walk, luck: Luck, until: int) -> Walk | None:
    """The first change that brings the history further along what was told."""
    assert failed.clash is not None
    for pair in (*_some(failed.clash.pairs, luck), *_elsewhere(failed, luck)):
        for step in _touching(failed.node, pair):
            for later in (True, False) if isinstance(pair[0], Ref) else (False,):
                made = _changed(follower, failed.node, step, pair, luck, until, later=later)
                if made is not None and _further(made, failed):
                    return made
    return _answered_otherwise(follower, failed, luck, until)


def _answered_otherwise(follower: Follower, failed: Walk, luck: Luck, until: int) -> Walk | None:
    """One of the last guesses is another one: the first that brings the history further."""
    for step in hidden_steps(failed.node)[:_PLACES]:
        assert step.before is not None
        assert step.action is not None
        question = follower.question(step.before)
        if not isinstance(question, Question):
            continue
        behind = _behind(failed.node, step)
        for answer in _others(question, step.action.answer, luck):
            made = replay(follower, step.before, [answer, *behind[1:]], until, strict=False)
            if made is not None and made.clash is None:
                made = walk(follower, made.node, luck, until)
            if made is not None and _further(made, failed):
                return made
    return None


def _others(question: Question, answer: Value, luck: Luck) -> list[Value]:
    """Some of the other answers, in an order by chance."""
    decision = question.decision
    if proposals.count(decision, question.size) > _OTHERS:
        plain = proposals.Hints()
        return [proposals.guess(decision, question.size, plain, luck).answer for _ in range(_OTHERS)]
    left = [one for one, _ in proposals.every(decision, question.size) if one != answer]
    return [left.pop(luck.below(len(left))) for _ in range(len(left))]


def _elsewhere(failed: Walk, luck: Luck) -> list[Pair]:
    """A thing that should have come in the part of others that could have come as well at the last guess."""
    step, clash = failed.node, failed.clash
    if not step.hidden or step.before is None or clash is None or len(clash.pairs) != 1:
        return []
    wanted = clash.pairs[0][1]
    options = _asked(step).options
    if not isinstance(wanted, Ref) or wanted in options:
        return []
    return _some(tuple((option, wanted) for option in options), luck)


def _asked(step: Node) -> Decision:
    """The question that a step answers."""
    assert step.before is not None
    assert step.action is not None
    return next(one for one in engine.decisions(step.before.state) if one.seat == step.action.seat)


def _some(pairs: tuple[Pair, ...], luck: Luck) -> list[Pair]:
    """Some of the pairs, no value twice in the place of one that should come."""
    left = list(pairs)
    return [left.pop(luck.below(len(left))) for _ in range(min(_PAIRS, len(left)))]


def _touching(node: Node, pair: Pair) -> list[Node]:
    """The guesses in which one of the two values was answered, the last one first."""
    found = [step for step in hidden_steps(node) if step.action and _holds(step.action.answer, pair)]
    return found[:_PLACES]


def _holds(answer: Value, pair: Pair) -> bool:
    return answer in pair or (isinstance(answer, tuple) and any(item in pair for item in answer))


def _further(made: Walk, failed: Walk) -> bool:
    return made.clash is None or _come(made) > _come(failed)


def _come(one: Walk) -> tuple[int, int, int]:
    """How far a history fits what was told."""
    assert one.clash is not None
    return one.node.message, one.node.matched + one.clash.fit, -len(one.clash.pairs)


def _changed(
    follower: Follower, node: Node, step: Node, pair: Pair, luck: Luck, until: int, *, later: bool
) -> Walk | None:
    """The history with the two values in each other's part at that step, and `later` at all steps behind it too."""
    assert step.before is not None
    behind = _behind(node, step)
    change = _exchange(pair)
    answers = [change(behind[0]), *(map(change, behind[1:]) if later else behind[1:])]
    if answers == behind:
        return None
    again = replay(follower, step.before, answers, until, strict=False)
    if again is None or again.clash is not None:
        return again
    # What is not told by the old history is guessed anew.
    return walk(follower, again.node, luck, until) if again.node.state is not step.before.state else None


def _behind(node: Node, step: Node) -> list[Value]:
    """The guessed answers from a step on, in order."""
    found: list[Value] = []
    for each in hidden_steps(node):
        assert each.action is not None
        found.append(each.action.answer)
        if each is step:
            break
    return found[::-1]


def _exchange(pair: Pair) -> Change:
    one, other = pair
    # Things change parts; a number or label alone is put in the place of another.
    both: dict[Value, Value] = {one: other, other: one} if isinstance(one, Ref) else {one: other}

    def changed(value: Value) -> Value:
        if isinstance(value, tuple):
            return tuple(changed(item) for item in value)
        return both.get(value, value) if not isinstance(value, bool) or isinstance(one, bool) else value

    return changed


# ---------------------------------------------------------------- stirring


def stirred(follower: Follower, node: Node, luck: Luck, until: int) -> Node:
    """The history, or another that fits as well, so that many such steps draw histories as likely as they are.

    One step of Metropolis and Hastings: a guess, one of its values and another that was offered are drawn; the two
    change parts from there on; what fits is taken with the ratio of how likely both are before anything is seen.
    """
    guesses = hidden_steps(node)
    if not guesses:
        return node
    step = luck.one_of(guesses)
    pair = _drawn_pair(step, luck)
    if pair is None or step.before is None:
        return node
    change = _exchange((pair[0], pair[1])) if isinstance(pair[0], Ref) else None
    behind = _behind(node, step)
    first = _put(behind[0], pair)
    answers = [first, *(map(change, behind[1:]) if change is not None else behind[1:])]
    made = replay(follower, step.before, answers, until, strict=True)
    if made is None or made.clash is not None or len(hidden_steps(made.node)) != len(guesses):
        return node
    ratio = made.node.prior - node.prior
    return made.node if ratio >= 0 or luck.part() < exp(ratio) else node


def _drawn_pair(step: Node, luck: Luck) -> Pair | None:
    """One value of an answer, and one that was offered and is not in it."""
    assert step.action is not None
    answer, asked = step.action.answer, _asked(step)
    chosen = answer if asked.several and isinstance(answer, tuple) else (answer,)
    others = [option for option in asked.options if option not in chosen]
    return (luck.one_of(chosen), luck.one_of(others)) if others and chosen else None


def _put(answer: Value, pair: Pair) -> Value:
    if isinstance(answer, tuple):
        return tuple(pair[1] if item == pair[0] else item for item in answer)
    return pair[1]
