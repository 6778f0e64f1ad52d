"""What starts fast: help imports nothing that it does not need."""

from __future__ import annotations

import subprocess
import sys
import time

HEAVY = ("lark", "attrs", "attr", "cattrs", "rich", "pytest", "hypothesis", "asyncio", "unittest")


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; sys.argv = ['rulekit', '--help']\nfrom rulekit.apps import cli\n"
    code += "try: cli.main()\nfinally: print(*sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout
    assert "Commands:" in printed
    loaded = set(printed.splitlines()[-1].split())
    assert "click" in loaded
    assert not loaded & set(HEAVY)


def test_help_starts_in_under_150_ms_more_than_python() -> None:
    bare = [sys.executable, "-c", "pass"]
    helping = [sys.executable, "-m", "rulekit", "--help"]
    more = [taken(helping) - taken(bare) for _ in range(7)]
    assert min(more) < 0.15


def taken(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return time.perf_counter() - began
