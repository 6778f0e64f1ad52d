"""The ways of a choice in a log: known by their texts, and where the rules put one otherwise, by what stands around it.

A way has no name but its text.  So a log holds the texts of all ways of a
question, and one that was put otherwise is known by its wording, or by its
place if nothing else of the question has changed.  Never guesses: where more
than one could be meant, none is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulekit.play.state.match_state import State
from rulekit.play.state.value import Value
from rulekit.record.json_values import questions

_PUNCTUATION = re.compile(r"[\s.,;:!?…'\"‘’“”«»()]+")
"""What may be mended in a text without saying something else; signs of numbers do say something."""


def ways_asked(state: State, seat: int) -> tuple[str, ...]:
    """The texts of all ways that a seat is asked to choose from, offered or not, in rule order; () if of no ways."""
    return next((question.labels for question in questions(state) if question.seat == seat), ())


def are_same(then: Sequence[str], now: Sequence[str]) -> bool:
    """Whether these are the ways of one question, each worded as it was; never where there are none."""
    return bool(then) and list(map(_wording, then)) == list(map(_wording, now))


def way_meant(answer: Value, then: Sequence[str], now: Sequence[str]) -> Value:
    """What an answer is among the ways that are asked now; the answer itself where nothing says more.

    then:  all ways when it was given; () where a log does not tell them.
    """
    if not isinstance(answer, str) or answer in now:
        return answer
    alike = [text for text in now if _wording(text) == _wording(answer)]
    if alike:
        return alike[0] if len(alike) == 1 else answer
    return _at_its_place(answer, then, now)


def _at_its_place(answer: str, then: Sequence[str], now: Sequence[str]) -> str:
    """The way that stands where the answer stood, if all others stand where they stood."""
    if answer not in then or len(then) < 2:
        return answer
    place = then.index(answer)
    others = [(*texts[:place], *texts[place + 1 :]) for texts in (then, now)]
    return now[place] if are_same(*others) and len(then) == len(now) else answer


def _wording(text: str) -> str:
    """A text without what punctuation, case and blanks make of it."""
    return " ".join(_PUNCTUATION.sub(" ", text).casefold().split())
