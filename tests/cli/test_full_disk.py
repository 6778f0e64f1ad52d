"""Files on a disk that takes no more bytes: whole or not there, and the file is named."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulekit import library
from rulekit.apps.commands import cli
from tests.paths import GAMES

TIGER = str(GAMES / "fuzzy_tiger.rules")


@contextmanager
def full_disk() -> Iterator[None]:
    """Let every write to a file fail: no file may grow beyond 0 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def run_on_full_disk(*arguments: str) -> Result:
    with full_disk():
        return CliRunner().invoke(cli, arguments)


def test_a_new_game_is_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run_on_full_disk("new", "hill")
    assert "hill.rules" in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_a_log_that_takes_no_line_is_deleted_and_not_praised(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    result = run_on_full_disk("run", TIGER, "--record", str(log))
    assert isinstance(result.exception, OSError)
    assert result.exception.filename == str(log)
    assert "resume" not in result.output + result.stderr
    assert not log.exists()


@pytest.mark.parametrize("content", ["new text", b"new bytes"])
def test_a_file_that_is_written_over_keeps_its_content(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "it.po"
    path.write_text("old", encoding="utf-8")
    with full_disk(), pytest.raises(OSError, match=r"it\.po"):
        library.write_whole(path, content)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_template_of_texts_is_not_begun(tmp_path: Path) -> None:
    result = run_on_full_disk("text", "extract", TIGER, "-o", str(tmp_path / "tiger.pot"))
    assert isinstance(result.exception, OSError)
    assert not list(tmp_path.iterdir())


def test_a_device_is_written_to_as_it_is() -> None:
    library.write_whole("/dev/null", "text")
    assert Path("/dev/null").is_char_device()
