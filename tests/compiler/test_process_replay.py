"""The plans of all games that ship are those that `plan_hashes.txt` remembers."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.plan import ir as p
from tests.compiler.process_replay import KEPT, RULES, digest, hashes

LEFT = """the compiler makes another plan of this game than it did.
If the change was to leave plans alone, it has a side effect: compare the plans before and after.
If it was to alter them: `python -m tests.compiler.process_replay --renew`, and say in the commit which plans
changed and why.
"""


def _name(line: str) -> str:
    return line.split(" ", 1)[0]


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_the_plans_of_a_game_are_as_they_were(path: Path) -> None:
    name = f"{path.parent.name}/{path.name}"
    kept = [line for line in KEPT.read_text(encoding="utf-8").splitlines() if _name(line) == name]
    assert list(hashes(path)) == kept, LEFT


def test_no_plan_is_remembered_of_a_game_that_is_gone() -> None:
    kept = {_name(line) for line in KEPT.read_text(encoding="utf-8").splitlines()}
    assert kept == {f"{path.parent.name}/{path.name}" for path in RULES}


def test_a_digest_tells_what_differs_and_nothing_else() -> None:
    assert digest(p.Const(1)) == digest(p.Const(1))
    assert len({digest(one) for one in (p.Const(1), p.Const(2), p.Word(p.Const(1)), (p.Const(1),), 1, "1", True)}) == 7


def test_what_has_no_text_of_its_own_has_no_digest() -> None:
    with pytest.raises(TypeError):
        digest((p.Const(1), {1, 2}))
