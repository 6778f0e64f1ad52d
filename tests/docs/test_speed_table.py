"""The README tells the same figures of speed as the page of measurements."""

from __future__ import annotations

import pytest

from benchmarks.readme_table import README, SPEED, read_medians, render_table, update_readme


def test_the_readme_has_the_figures_of_the_page_of_speed() -> None:
    readme = README.read_text(encoding="utf-8")
    assert update_readme(readme, SPEED.read_text(encoding="utf-8")) == readme


def test_a_changed_median_changes_the_table() -> None:
    medians = read_medians(SPEED.read_text(encoding="utf-8"))
    changed = {name: 2 * median for name, median in medians.items()}
    assert render_table(changed) != render_table(medians)


def test_a_readme_without_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="0 tables"):
        update_readme("# rulekit\n", SPEED.read_text(encoding="utf-8"))
