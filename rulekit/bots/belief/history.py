"""Histories: what a seat was told, and one full course of the match behind it, hidden answers included.

A history is a chain of nodes that share their beginnings, the last step first.  Its position is a determinization of
what the seat knows (Ginsberg's GIB, 2001, calls it a sampled deal).
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.play import engine
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Action, Decision, State
from rulekit.play.state.value import Value
from rulekit.play.view import View
from rulekit.values import field, frozen


@frozen
class Message:
    """What reached a seat at once: an observation.

    own_answers:  its own answers since it was told last.
    view:         what it sees when all of it has happened.
    events:       what it heard, in order.
    """

    own_answers: tuple[Value, ...]
    view: View
    events: tuple[Event, ...]


@frozen(eq=False)
class Node:
    """A step of a history that might be the true one, and so all steps before it.

    state:    the position after it.
    action:   the answer that led here; None at the start.
    hidden:   whether the answer is guessed: chance's, a secret one, or which of those that read alike was meant.
    message:  how many messages are behind it in full.
    matched:  how many events of the next one have happened.
    own:      how many of its own answers in the next one are given.
    prior:    logarithm of the chance of all hidden answers so far, before anything was seen.
    """

    before: Node | None = field(repr=False)
    state: State = field(repr=False)
    action: Action | None
    hidden: bool
    message: int
    matched: int
    own: int
    prior: float

    @property
    def answer(self) -> Value:
        """The answer that led here; not to be asked at the start."""
        assert self.action is not None
        return self.action.answer

    @property
    def question(self) -> Decision:
        """The question that this step answers."""
        assert self.before is not None
        assert self.action is not None
        return next(one for one in engine.decisions(self.before.state) if one.seat == self.action.seat)


def steps(node: Node) -> Iterator[Node]:
    """The steps of a history, the last one first; without its start."""
    at: Node | None = node
    while at is not None and at.before is not None:
        yield at
        at = at.before


def hidden_steps(node: Node) -> list[Node]:
    """The steps whose answers are guessed, the last one first."""
    return [step for step in steps(node) if step.hidden]


def answers_since(node: Node, step: Node) -> list[Value]:
    """The guessed answers from a step on, in order."""
    found: list[Value] = []
    for each in hidden_steps(node):
        found.append(each.answer)
        if each is step:
            break
    return found[::-1]
