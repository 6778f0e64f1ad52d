"""The examples of docs/api.md run, and print what they say."""

from __future__ import annotations

import contextlib
import io
import os
import re

import pytest

from tests import paths

TEXT = (paths.DOCS / "api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```(?:\n```\n(.*?)```)?", TEXT, re.DOTALL)


@pytest.mark.parametrize(("code", "printed"), EXAMPLES)
def test_the_example_runs(code: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(paths.ROOT)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "docs/api.md", "exec"), {})  # the project's own text
    assert out.getvalue()
    if printed:
        assert out.getvalue() == printed


def test_every_public_name_is_documented() -> None:
    import rulekit

    missing = [name for name in rulekit.__all__ if not re.search(rf"`{name}\b|rulekit\.{name}\b|\b{name}\(", TEXT)]
    assert not set(missing) - {"Game", "Ref", "Value"}, missing
    assert os.path.exists(paths.DOCS / "api.md")
