"""People at a table, each with a browser of their own: they look at their page and press what is offered there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from time import monotonic
from typing import Any

from attrs import define, field

from tests import processes

WAIT = 1000 * processes.HANG
"""Milliseconds after which a page is taken to hang: what a page waits for comes as soon as the processor is free."""


@define(eq=False)
class Person:
    """A page, and what its browser said or called while it was open; other pages of the browser count too.

    problems:  the errors of all pages of this person, as `ConsoleErrors.watch` collects them.
    called:    every address that was asked for.
    refused:   how many answers were refused.
    """

    page: Any
    rng: Random = field(factory=lambda: Random(1))
    problems: list[str] = field(factory=list)
    called: list[str] = field(factory=list)
    refused: int = 0

    def __attrs_post_init__(self) -> None:
        self.context.set_default_timeout(WAIT)
        self.context.on("request", lambda request: self.called.append(request.url))
        self.context.on("response", lambda answer: self._answered(answer.status))

    @property
    def context(self) -> Any:
        """The browser of this person."""
        return self.page.context

    def _answered(self, status: int) -> None:
        self.refused += status == 409

    def sit(self, address: str) -> Person:
        self.page.goto(address)
        return self

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so that the browser alone does not know."""
        begun = monotonic()
        while not is_so():
            assert monotonic() - begun < processes.HANG, self.text
            self.page.wait_for_timeout(50)

    @property
    def looks(self) -> int:
        """How often its page was asked for."""
        return sum(address.split("?")[0] == self.page.url.split("?")[0] for address in self.called)

    @property
    def is_over(self) -> bool:
        return bool(self.page.locator(".result").count())

    @property
    def is_asked(self) -> bool:
        return bool(self.page.locator(".choices").count())

    @property
    def text(self) -> str:
        return str(self.page.locator("main").inner_text())

    # ------------------------------------------------------------ answering

    def answer(self) -> None:
        """Press something that is offered, in the picture or below the question; back when the page is new."""
        boxes = self.page.locator(".choices input[type=checkbox]")
        count = boxes.count()
        if count:
            chosen = self.rng.sample(range(count), self._how_many())
            for place in range(count):
                boxes.nth(place).set_checked(place in chosen)
            self.press(self.page.locator(".choices > button"))
            return
        words = self.page.locator(".choices > button")
        shapes = self.page.locator(".picture button:visible, .picture [role=button]:visible")
        offered = shapes if shapes.count() and self.rng.random() < 0.5 else words
        self.press(offered.nth(self.rng.randrange(offered.count())))

    def _how_many(self) -> int:
        told = [int(number) for number in re.findall(r"\d+", self.page.locator(".choices > button").inner_text())]
        return self.rng.randint(told[0], told[-1])

    def press(self, what: Any) -> None:
        """Press it and wait for what comes of it: another question, none, or why nothing was done."""
        number = self.page.locator("#answer [name=number]").get_attribute("value")
        self.page.evaluate("document.querySelector('main').dataset.old = 'yes'")
        what.click()
        self._until_other_than(number)

    def _until_other_than(self, number: str) -> None:
        other = f"#answer [name=number]:not([value='{number}'])"
        self.page.wait_for_selector(
            f"main:not([data-old]):has(.problem), main:not(:has(.choices)), {other}", state="attached"
        )


def play(people: Sequence[Person], most: int = 2000) -> int:
    """Whoever is asked answers, until the match is over for all; how many answers there were."""
    answers, last = 0, monotonic()
    while not all(person.is_over for person in people):
        asked = [person for person in people if person.is_asked]
        for person in asked:
            person.answer()
        answers += len(asked)
        assert answers < most
        last = monotonic() if asked else last
        assert monotonic() - last < processes.HANG, [person.text for person in people]
        if not asked:
            people[0].page.wait_for_timeout(30)
    return answers
