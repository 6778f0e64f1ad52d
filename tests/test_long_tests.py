"""The list of tests that run apart names tests that there are, and none that has nothing like it in every run."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.paths import ROOT
from tests.sizes import LONG_TESTS

WHOLE = frozenset(
    {
        "tests/adapters/test_vector_env.py::test_matches_of_games_by_chance_are_those_of_the_interpreter",
        "tests/cli/test_commands.py::test_a_closed_pipe_is_no_fault",
        "tests/docs/test_event_table.py::test_every_form_occurs_and_every_event_has_one",
        "tests/editing/test_completion.py::test_nine_of_ten_words_are_offered_before_they_are_written",
        "tests/engine/test_scenarios.py::test_winners_and_losers_are_those_of_the_outcome",
        "tests/hosting/test_rule_edits.py::test_a_match_under_edited_rules_goes_on_or_tells_where_it_parts",
        "tests/model/test_reloading.py::test_every_kind_of_edit_leaves_some_games_whole_and_some_not",
        "tests/secrecy/test_static_taint.py::test_check_tells_whatever_stops_a_match_by_chance",
        "tests/secrecy/test_terminal_leaks.py::test_on_a_terminal_with_tables_and_colours_nothing_is_found_either",
        "tests/series/test_cluster.py::test_of_matches_that_ended_only_the_sums_travel",
        "tests/series/test_compare.py::test_many_looks_find_a_difference_that_is_not_there_less_often_than_the_error",
        "tests/series/test_execution_counts.py::test_lines_of_games_by_chance_run_as_often_in_every_engine",
        "tests/syntax/test_reading_again.py::test_texts_by_chance_are_read_as_from_nothing_after_every_edit",
    }
)
"""Tests that run apart in all their forms, since what they hold is held in short by others."""


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


def test_a_test_without_others_like_it_is_named_here_too() -> None:
    assert {test for test in LONG_TESTS if "[" not in test} == WHOLE
