"""`rulekit text review`: under which address it opens."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit import user_cache
from rulekit.apps.text.review import command
from rulekit.web.running import Running
from tests.review.desks import papers


def test_a_desk_that_begins_again_has_the_same_address_for_the_same_anchors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(user_cache.FOLDER, str(tmp_path / "cache"))
    monkeypatch.setattr(Running, "run", lambda *_: None)
    files = papers(tmp_path)
    other = Path(files.anchors).with_name("other.anchors")
    other.write_bytes(Path(files.anchors).read_bytes())

    def key(anchors: str) -> str:
        arguments = [files.rules, "--book", files.book, "--anchors", anchors, "--port", "0"]
        done = CliRunner().invoke(command, arguments, catch_exceptions=False)
        return str(done.output.splitlines()[0].split("/")[3])

    assert key(files.anchors) == key(files.anchors) != key(str(other))
