"""One browser for all tests of this folder, and for each person in a test a context of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from tests.browser.console import ConsoleErrors
from tests.browser.people import Person
from tests.extras import chromium

NewPerson = Callable[..., Person]


@pytest.fixture(scope="package")
def chrome() -> Iterator[Any]:
    """Closed before tests of other folders run, which could begin no event loop beside that of Playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def console_errors() -> Iterator[ConsoleErrors]:
    """What the pages of a test report as errors; the test fails if it leaves an error that it did not expect."""
    errors = ConsoleErrors()
    yield errors
    assert errors.unexpected == []


@pytest.fixture
def person(chrome: Any, console_errors: ConsoleErrors) -> Iterator[NewPerson]:
    """Makes people: `person()`, or with what a context of Playwright is told, such as a viewport."""
    contexts: list[Any] = []

    def made(**how: Any) -> Person:
        context = chrome.new_context(**{"viewport": {"width": 1280, "height": 900}, **how})
        contexts.append(context)
        # Who chooses alike in secret may stand in each other's way for hundreds of rounds.
        return Person(context.new_page(), Random(len(contexts)), console_errors.watch(context))

    yield made
    for context in contexts:
        context.close()
