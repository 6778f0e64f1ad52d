"""What the pages on series say can be typed."""

from __future__ import annotations

import re

import pytest
from click import Context, Option

from rulekit.apps.commands import cli
from tests.paths import DOCS


@pytest.mark.parametrize("page", ["simulate.md", "scale.md"])
def test_every_option_of_the_page_is_one_of_the_command(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    known: dict[str, set[str]] = {}
    for name in ("simulate", "compare", "sweep", "tune"):
        command = cli.get_command(Context(cli), name)
        assert command is not None
        known[name] = {word for one in command.params if isinstance(one, Option) for word in one.opts}
    used = re.findall(r"rulekit (simulate|compare|sweep|tune)([^`\n|]*)", text)
    assert used
    for name, words in used:
        assert set(re.findall(r"--[a-z]+", words)) <= known[name], words
    assert set(re.findall(r"`(--[a-z]+)", text)) <= set.union(*known.values())
