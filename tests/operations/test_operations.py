"""Every operation, in every place where it matters: reactions, ends, questions and secrets.

Generated from the classes of operations: for each of them what coverage, the
tables of `simulate`, `explain`, the watch over secrets and both engines say
is compared with what happens.
"""

from __future__ import annotations

import pytest

from tests.operations import checks, stories
from tests.operations.samples import (
    LISTENERS,
    MORE,
    NOT_OWN,
    OWN,
    SAMPLES,
    THEN,
    Sample,
    kinds,
    reaction,
)  # fmt: skip
from tests.sizes import some, some_of_each

NAMES = [f"{number}-{sample.op}" for number, sample in enumerate(SAMPLES)]


def test_every_operation_has_a_sample() -> None:
    assert set(kinds()) == {sample.op for sample in SAMPLES}
    for sample in SAMPLES:
        assert sample.op in {type(op).__name__ for code in sample.game("n").codes for op in code.ops}, sample


@pytest.mark.parametrize(("sample", "then"), some(some_of_each(SAMPLES, tuple(THEN)), 3))
def test_what_is_said_of_an_operation_is_what_happens(sample: Sample, then: str) -> None:
    checks.check_told(sample.game("n", "\n".join(reaction(piece, word, then) for piece, word in LISTENERS)))


@pytest.mark.parametrize("sample", some(SAMPLES, 8), ids=some(NAMES, 8))
def test_a_reaction_that_never_ran_has_the_reason_that_holds(sample: Sample) -> None:
    checks.check_reasons(sample)


@pytest.mark.parametrize("sample", some(SAMPLES, 2), ids=some(NAMES, 2))
def test_what_follows_from_a_secret_is_objected_to_where_it_shows(sample: Sample) -> None:
    checks.check_secret(sample)


@pytest.mark.parametrize("sample", some(OWN, 3), ids=lambda sample: sample.op)
def test_what_is_done_at_the_same_time_is_the_same_one_after_the_other(sample: Sample) -> None:
    checks.check_apart(sample)


@pytest.mark.parametrize("sample", NOT_OWN, ids=[sample.op for sample in NOT_OWN])
def test_what_cannot_be_done_in_secret_is_never_done(sample: Sample) -> None:
    checks.check_forbidden(sample)


@pytest.mark.parametrize("name", MORE)
def test_engines_play_alike_where_a_declaration_alone_decides(name: str) -> None:
    checks.check_engines(MORE[name])


def test_the_story_of_every_operation_is_the_known_one() -> None:
    """What another one is: `python -m tests.operations.stories NAME`, before and after."""
    known = stories.KEPT.read_text(encoding="utf-8").splitlines()
    texts = list(stories.texts())
    assert [line.rpartition(" ")[0] for line in known] == [name for name, _ in texts]
    assert [f"{name} {stories.digest(text)}" for name, text in some(texts, 12)] == some(known, 12)
