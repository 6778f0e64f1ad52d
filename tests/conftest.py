"""All tests run on all processors, a chosen few in one process; and no test is skipped in silence.

A skip fails the run unless its reason is listed here.
"""

from __future__ import annotations

import os

import pytest

ALLOWED_SKIPS: tuple[str, ...] = (
    "wasmtime is not installed",
    "GNU gettext is not installed",
    "no C compiler",
    "pyarrow is not installed",
)
_skipped: list[str] = []
os.environ["RULEKIT_CACHE"] = ""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Starting workers takes longer than a few tests do."""
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
    return processors() if is_whole else 0


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not any(reason in str(report.longrepr) for reason in ALLOWED_SKIPS):
        _skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for test in _skipped:
        terminalreporter.write_line(f"skipped without a listed reason: {test}", red=True)
