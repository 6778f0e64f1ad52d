"""What only POSIX systems have is never needed: where it is missing, the commands go another way."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit import user_cache
from rulekit.apps.commands import cli
from rulekit.apps.listening import listening
from rulekit.compiler.runtime import wasm_host
from tests.paths import EXAMPLES, PACKAGE

ONLY_POSIX = re.compile(
    r"\b(os\.(fork|getuid|geteuid|setsid|killpg|O_(NONBLOCK|NOCTTY|NOFOLLOW|DIRECTORY|SYNC)|mkfifo)"
    r"|import (resource|fcntl|termios|pwd|grp|tty|pty|readline)"
    r"|signal\.SIG(KILL|HUP|PIPE|ALRM|USR\d|CHLD|TSTP)|preexec_fn)\b"
    r"|[\"']/(dev|tmp|proc|etc)/"
)
GUARDED = {
    "apps/listening.py": {"import resource"},
    "library.py": {"import fcntl"},
    "user_cache.py": {"os.getuid"},
    "compiler/runtime/wasm_host.py": {"import resource"},
}
"""What stands behind a look whether it is there; the tests below take it away."""


def test_what_only_posix_has_is_named_nowhere_else() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix(): {match[0] for match in ONLY_POSIX.finditer(path.read_text("utf-8"))}
        for path in PACKAGE.rglob("*.py")
    }
    assert {path: words for path, words in found.items() if words} == GUARDED


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A system without users of POSIX, limits of memory and files that do not wait."""
    for name in ("getuid", "O_NONBLOCK"):
        monkeypatch.delattr(os, name)
    for name in ("resource", "fcntl"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setenv(user_cache.FOLDER, str(tmp_path))


@pytest.mark.usefixtures("bare")
def test_commands_work_without_it(tmp_path: Path) -> None:
    game = str(EXAMPLES / "goat_path.rules")
    for words in (
        ("check", game),
        ("run", game, "--seed", "1", "--record", str(tmp_path / "a.log")),
        ("simulate", game, "--games", "20"),
    ):
        run = CliRunner().invoke(cli, words)
        assert run.exit_code == 0, run.output
    assert user_cache.trusted_folder() == tmp_path
    listening("127.0.0.1", 0).close()
    assert not wasm_host._is_limited()
