"""What the language server answers is what was answered before, behaviour by behaviour."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editing.editor import OneServer
from tests.editing.snapshots.questions import QUESTIONS
from tests.editing.snapshots.readable import SNAPSHOTS, answered, snapshot


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_behaviour_is_as_its_golden_file_has_it(name: str, one_server: OneServer, tmp_path: Path) -> None:
    assert answered(one_server, name, tmp_path / "world") == snapshot(name).read_text(encoding="utf-8")


def test_each_behaviour_that_is_offered_has_a_golden_file_and_no_other(one_server: OneServer) -> None:
    one_server.begin()
    offered = {
        name.removesuffix("_provider")
        for name in dir(one_server.offers)
        if name.endswith("_provider") and getattr(one_server.offers, name)
    }
    assert offered | {"findings"} == set(QUESTIONS)
    assert {path.stem for path in SNAPSHOTS.glob("*.json")} == set(QUESTIONS)
