"""No test is skipped in silence: a skip fails the run unless its reason is listed here."""

from __future__ import annotations

import pytest

ALLOWED_SKIPS: tuple[str, ...] = ("wasmtime is not installed",)
_skipped: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not any(reason in str(report.longrepr) for reason in ALLOWED_SKIPS):
        _skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for test in _skipped:
        terminalreporter.write_line(f"skipped without a listed reason: {test}", red=True)
