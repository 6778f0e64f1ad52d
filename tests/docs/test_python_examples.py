"""The Python of docs/api.md, docs/bots.md and docs/many-matches.md runs, and prints what the pages say."""

from __future__ import annotations

import contextlib
import io
import re

import pytest

from tests.paths import DOCS, ROOT

TEXT = (DOCS / "api.md").read_text(encoding="utf-8")
EXAMPLES = [
    (page, *example)
    for page in ("api.md", "bots.md", "many-matches.md")
    for example in re.findall(
        r"```python\n(.*?)```(?:\n```\n(.*?)```)?", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL
    )
]


@pytest.mark.parametrize(("page", "code", "printed"), EXAMPLES)
def test_the_example_runs(page: str, code: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, f"docs/{page}", "exec"), {})  # the project's own text
    assert out.getvalue()
    if printed:
        assert out.getvalue() == printed


def test_every_public_name_is_documented() -> None:
    import rulekit

    missing = [name for name in rulekit.__all__ if not re.search(rf"`{name}\b|rulekit\.{name}\b|\b{name}\(", TEXT)]
    assert not set(missing) - {"Game", "Ref", "Value"}, missing
