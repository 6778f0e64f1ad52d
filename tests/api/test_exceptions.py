"""Exceptions of the package: whose fault they are, and their way to another process."""

from __future__ import annotations

import importlib
import multiprocessing
import pickle
import pkgutil
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest

import rulekit
from rulekit.apps.console import Failed, Terminated
from rulekit.errors import BadInput, RulekitError
from rulekit.play.state.errors import NotTogether, Refused
from rulekit.record import log
from rulekit.record.resumption import DoesNotHold
from rulekit.source import Span
from tests.paths import GAMES

ANSWERS_TO_A_FLOW = {Terminated}
"""No errors: a signal that arrived, which must pass every handler of exceptions."""
NEEDS_A_BROWSER = {"rulekit.export.opening", "rulekit.export.searching"}
_PLACE = Span("x.rules", 3, 1, 3, 5)


def exception_classes() -> Iterator[type[BaseException]]:
    for module in pkgutil.walk_packages(rulekit.__path__, "rulekit."):
        if module.name in NEEDS_A_BROWSER or module.name == "rulekit.__main__":
            continue
        try:
            names = vars(importlib.import_module(module.name))
        except ImportError:
            continue
        for value in names.values():
            if isinstance(value, type) and issubclass(value, BaseException) and value.__module__ == module.name:
                yield value


def test_every_exception_class_has_the_common_base() -> None:
    classes = set(exception_classes())
    assert len(classes) > 30
    assert not {each for each in classes - ANSWERS_TO_A_FLOW if not issubclass(each, RulekitError)}


def raised_by_loading() -> Exception:
    with pytest.raises(rulekit.RulesError) as caught:
        rulekit.load_text("play: end gam\n", "x.rules")
    return caught.value


def raised_by_a_missing_file() -> Exception:
    with pytest.raises(rulekit.RulesError) as caught:
        rulekit.load("nope.rules")
    return caught.value


def raised_by_an_answer() -> Exception:
    state = rulekit.start(rulekit.load(GAMES / "fuzzy_tiger.rules"), seats=2).state
    with pytest.raises(rulekit.IllegalAction) as caught:
        rulekit.apply(state, rulekit.Action(0, "nonsense"))
    return caught.value


def raised_by_a_setup() -> Exception:
    with pytest.raises(rulekit.BadSetup) as caught:
        rulekit.start(rulekit.load(GAMES / "fuzzy_tiger.rules"), seats=99)
    return caught.value


def raised_by_a_rule() -> Exception:
    text = 'game "X"\n    players 1\ncounter n 0..1\nplay: raise n by 5\nresult: rank players\n'
    with pytest.raises(rulekit.RuleError) as caught:
        rulekit.start(rulekit.load_text(text, "x.rules"))
    assert caught.value.code
    return caught.value


def raised_by_a_log() -> Exception:
    with pytest.raises(rulekit.Damaged) as caught:
        log.parse(b"nothing\n")
    return caught.value


SAMPLES = (
    rulekit.LimitError("endless", "no decision within 10 steps", _PLACE, ("A-1",), "play"),
    Refused("refused", "no completion", _PLACE, ("A-1",)),
    NotTogether("not with this", "gift", "needs x", ("A-2",), conflicts=True),
    rulekit.Damaged(3, "no header"),
    DoesNotHold(1, 2, rulekit.IllegalAction("not-offered", "4 is not offered")),
    Failed("no such thing", 3),
    rulekit.BadSave("other rules"),
)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: type(sample).__name__)
def test_a_constructed_exception_is_the_same_after_pickling(sample: RulekitError) -> None:
    compare_with_its_copy(sample)


@pytest.mark.parametrize(
    "provoke",
    [
        raised_by_loading,
        raised_by_a_missing_file,
        raised_by_an_answer,
        raised_by_a_setup,
        raised_by_a_rule,
        raised_by_a_log,
    ],
)
def test_an_exception_that_was_raised_is_the_same_after_pickling(provoke: object) -> None:
    assert callable(provoke)
    compare_with_its_copy(provoke())


def compare_with_its_copy(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert copy.args == error.args
    plain = {name: value for name, value in vars(error).items() if not isinstance(value, Exception)}
    assert {name: value for name, value in vars(copy).items() if name in plain} == plain
    assert vars(copy).keys() == vars(error).keys()


def test_every_exported_exception_is_an_input_error() -> None:
    exported = [getattr(rulekit, name) for name in rulekit.__all__]
    errors = [each for each in exported if isinstance(each, type) and issubclass(each, Exception)]
    assert errors
    assert not [each for each in errors if not issubclass(each, BadInput)]


def load_missing_file(_: int) -> None:
    rulekit.load("nope.rules")


def test_a_pool_of_processes_passes_the_error_on() -> None:
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool, pytest.raises(rulekit.RulesError, match="no such file"):
        list(pool.map(load_missing_file, range(1)))


# ---------------------------------------------------------------- values


def public_values() -> Iterator[tuple[str, object]]:
    game = rulekit.load(GAMES / "fuzzy_tiger.rules")
    step = rulekit.start(game, seats=["ann", "bob"], seed="0")
    decision = rulekit.decisions(step.state)[0]
    action = rulekit.Action(decision.seat, decision.options[0])
    after = rulekit.apply(step.state, action)
    recorder = rulekit.Recorder(game, seats=2, seed="1")
    first = recorder.decisions()[0]
    recorder.answer(first.seat, first.options[0])
    seen = rulekit.view(after.state, 0)
    yield from {
        "Step": after,
        "State": after.state,
        "Decision": decision,
        "Action": action,
        "Event": after.events[0],
        "Ref": rulekit.Ref("card", "4"),
        "View": seen,
        "Seen": seen.values[0],
        "Drawing": rulekit.drawing(after.state, 0),
        "Replay": rulekit.replay(recorder.log(), game),
        "Table": rulekit.simulate(game, 3).matches,
        "Simulation": rulekit.simulate(game, 3),
        "Comparison": rulekit.compare(game, game, 3),
        "Game": game,
    }.items()


def test_public_values_can_be_pickled() -> None:
    for name, value in public_values():
        copy = pickle.loads(pickle.dumps(value))
        assert type(copy) is type(value), name
        if name not in ("Drawing", "Game", "Table", "Simulation", "Comparison", "Replay"):
            assert copy == value, name
