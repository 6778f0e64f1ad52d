"""What starts fast: help imports nothing that it does not need."""

from __future__ import annotations

import os
import subprocess
import sys

from rulekit.apps import options
from rulekit.tools.language.translation import SOURCE

HEAVY = ("lark", "attrs", "attr", "cattrs", "rich", "pytest", "hypothesis", "asyncio", "unittest")


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; sys.argv = ['rulekit', '--help']\nfrom rulekit.apps import cli\n"
    code += "try: cli.main()\nfinally: print(*sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout
    assert "Commands:" in printed
    loaded = set(printed.splitlines()[-1].split())
    assert "click" in loaded
    assert not loaded & set(HEAVY)


def test_commands_speak_the_language_of_the_source_unless_told() -> None:
    assert SOURCE.language == options.ENGLISH


def test_commands_import_nothing_that_they_seldom_need() -> None:
    """Neither templates of pages, nor attrs, which asks for classes, nor what only writing files needs."""
    modules = ("check", "series.simulate", "series.compare", "series.sweep")
    code = "import sys\n" + "".join(f"import rulekit.apps.{name}\n" for name in modules) + "print(*sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not set(printed.split()) & {"jinja2", "attr", "cattrs", "tempfile", "difflib"}


def test_help_starts_in_under_150_ms_more_than_python() -> None:
    bare = [sys.executable, "-c", "pass"]
    helping = [sys.executable, "-m", "rulekit", "--help"]
    more = [taken(helping) - taken(bare) for _ in range(7)]
    assert min(more) < 0.15


def taken(command: list[str]) -> float:
    """Seconds of processor: what others do on the machine is not counted."""
    before = os.times()
    subprocess.run(command, capture_output=True, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system
