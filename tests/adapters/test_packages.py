"""What is said where PettingZoo is missing, and that nothing else asks for it."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest


def test_a_missing_package_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "rulekit.adapters.packages", raising=False)
    with pytest.raises(ImportError, match="need the package pettingzoo: pip install pettingzoo"):
        importlib.import_module("rulekit.adapters.packages")


def test_indices_and_observations_need_no_package_and_no_command_loads_them() -> None:
    program = (
        "import sys, rulekit.adapters.spaces\n"
        "print(sorted({'numpy', 'gymnasium', 'pettingzoo'} & sys.modules.keys()))\n"
    )
    assert said(program) == "[]"
    program = "import sys, rulekit.apps.cli\nprint([name for name in sys.modules if 'adapters' in name])"
    assert said(program) == "[]"


def said(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
