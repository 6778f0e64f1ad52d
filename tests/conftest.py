"""All tests run on all processors, a chosen few in one process; and no test is skipped in silence.

A skip fails the run unless it is for something of `tests.extras` that this run does not require.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from tests import extras, processes, shipped
from tests.sizes import IS_LONG, LONG_TESTS

# What compares engines, searches for leaks and soaks at length runs where RULEKIT_LONG is set, as in `make long`.
collect_ignore = (
    []
    if IS_LONG
    else [
        "differential/test_engines.py",
        "differential/test_position_transfer.py",
        "differential/test_searching.py",
        "differential/test_stepping.py",
        "operations/test_declarations.py",
        "secrecy/test_hidden.py",
        "secrecy/test_leaks.py",
        "soak/test_soak.py",
    ]
)


_BETWEEN = 50_000
"""New objects between two looks for rings of them, as in the command itself (`rulekit.apps.cli`)."""
_skipped: list[str] = []
os.environ["RULEKIT_CACHE"] = ""
# A fault of the compiler is an error here, and the interpreter does not play in its place.
os.environ["RULEKIT_STRICT"] = "1"
# Whoever runs them reads the same, whatever language the machine speaks.
os.environ["LC_ALL"] = "C.UTF-8"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(name): skipped where something of tests.extras is missing")
    config.addinivalue_line("markers", "long: named in tests/long_tests.txt; left out where all tests run")
    extras.required()
    # A shell starts background jobs with Ctrl-C ignored, which child processes inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.set_threshold(_BETWEEN)
    if cache := getattr(config, "cache", None):
        processes.keep_bytecode(cache.mkdir("bytecode"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The others of a long list of like tests, which cost much and seldom find what the first do not, run apart."""
    long = [item for item in items if item.nodeid in LONG_TESTS]
    for item in long:
        item.add_marker("long")
    if is_whole(config) and not IS_LONG:
        items[:] = [item for item in items if item.nodeid not in LONG_TESTS]
        config.hook.pytest_deselected(items=long)


def pytest_collection_finish(session: pytest.Session) -> None:
    _stays()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    found = yield
    if nextitem is None or nextitem.path != item.path:
        _stays()
    return found


def _stays() -> None:
    """What was collected, or loaded for a module's tests, stays: nobody need look for rings in it again and again."""
    gc.collect()
    gc.freeze()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Starting workers takes longer than a few tests do."""
    return processors() if is_whole(config) else 0


def is_whole(config: pytest.Config) -> bool:
    """Whether it is the README's command, which chooses no tests; workers are told."""
    if hasattr(config, "workerinput"):
        return bool(config.workerinput["is_whole"])
    is_part = bool(config.option.keyword or config.option.markexpr)
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not is_part


def pytest_configure_node(node: Any) -> None:
    node.workerinput["is_whole"] = is_whole(node.config)


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        extras.demand(*mark.args)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not extras.may_skip(str(report.longrepr)):
        _skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for test in _skipped:
        terminalreporter.write_line(f"skipped without a reason that this run allows: {test}", red=True)


@pytest.fixture(autouse=True)
def _shipped_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """In rooms that are about something else than loading, see `tests.shipped`."""
    if request.path.parent.name in shipped.ROOMS and request.path.stem not in shipped.LOADS_ANEW:
        with pytest.MonkeyPatch.context() as patch:
            shipped.load_once(patch)
            yield
    else:
        yield
