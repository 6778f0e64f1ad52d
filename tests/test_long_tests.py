"""The list of tests that run apart names tests that there are, and none that has nothing like it in every run."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.paths import ROOT
from tests.sizes import LONG_TESTS


def test_each_is_in_a_file_that_has_it() -> None:
    names = defaultdict(set)
    for test in LONG_TESTS:
        file, _, name = test.partition("::")
        names[file].add(name.partition("[")[0])
    for file, tests in names.items():
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        assert tests <= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}, file


def test_the_list_is_sorted_and_each_stands_there_once() -> None:
    lines = (ROOT / "tests/long_tests.txt").read_text("utf-8").splitlines()
    assert lines == sorted(LONG_TESTS)
