"""The user's cache folder: what would take long to make again is kept there for the next run.

Imports little, since it is there for runs that are over in a moment.  A folder
that cannot be written changes nothing.  The environment's RULEKIT_CACHE names
another folder, or none if it is empty.  Knows nothing of what is kept.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from contextlib import suppress
from pathlib import Path

FOLDER = "RULEKIT_CACHE"


def folder() -> Path | None:
    """Where things are kept; None where nothing may be."""
    if FOLDER in os.environ:
        return Path(os.environ[FOLDER]) if os.environ[FOLDER] else None
    base = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):
        return (Path(base) if base else Path.home() / ".cache") / "rulekit"
    return None


def trusted_folder() -> Path | None:
    """The folder, if it is there and nobody else can have put anything into it: what is kept is used as it is."""
    where = folder()
    try:
        found = where.stat() if where else None
    except OSError:
        return None
    if found is None or not hasattr(os, "getuid"):
        return where
    is_own = found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return where if is_own else None


def made_folder() -> Path | None:
    """The same, made if it is not there.  Errors: OSError."""
    where = folder()
    if where is not None:
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
    return trusted_folder()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that others see whole or not at all.  Errors: OSError."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def read(name: str) -> str:
    """The text that is kept under a name; "" where there is none."""
    where = trusted_folder()
    try:
        return (where / name).read_text(encoding="utf-8") if where else ""
    except (OSError, ValueError):
        return ""


def keep(name: str, text: str) -> None:
    """Keep a text under a name, if anything may be kept."""
    with suppress(OSError):
        where = made_folder()
        if where is not None:
            write_whole(where / name, text.encode("utf-8"))


def secret(name: str) -> str:
    """The random text that is kept under a name, which only this user can read; a new one where there is none.

    Where nothing may be kept, it is another one each time.
    """
    new = os.urandom(32).hex()
    with suppress(OSError):
        where = made_folder()
        if where is not None:
            known = _read_private(where / name)
            if not known:
                _write_private(where / name, new)
            return known or new
    return new


def _read_private(path: Path) -> str:
    """The text of a file that `_write_private` made; "" if it is not there, or is another one."""
    try:
        is_private = not hasattr(os, "getuid") or not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
        text = path.read_bytes()
    except OSError:
        return ""
    return text.decode("ascii") if is_private and re.fullmatch(rb"[0-9a-f]{64}", text) else ""


def _write_private(path: Path, text: str) -> None:
    """Write a file that nobody else can read.  Errors: OSError."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
