"""One language server for all tests of this folder that talk to it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests.editing.editor import URI, OneServer, Talked


@pytest.fixture(scope="package")
def one_server() -> Iterator[OneServer]:
    server = OneServer()
    yield server
    server.end()


@pytest.fixture(scope="package")
def talked(one_server: OneServer) -> Talked:
    """Talks to the real process, as an editor that opens a text of its own."""
    number = count()
    return lambda talk, uri="": one_server.talked(talk, uri or f"{URI}-{next(number)}")
