"""Compiled modules in the user's cache, so that the same game starts at once the next time.

An entry is a description in JSON and the module beside it, as wasmtime keeps
it.  It is used only if rulekit itself, the rules files and whatever was asked
for are what they were, and if the module has the checksum that the
description says.  What is damaged counts as not there; a cache that cannot be
written changes nothing.  The environment's RULEKIT_CACHE names another folder,
or none if it is empty.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen

import rulekit
from rulekit.fast.kept import Module, module_in, module_out

FOLDER = "RULEKIT_CACHE"
MOST = 64
"""Entries that are kept; older ones go."""


@frozen
class Wanted:
    """What a module was compiled for, as it was written on the command line."""

    file: str
    players: int | None
    options: tuple[str, ...]
    ruleset: str | None


@frozen
class Kept:
    """options: all that were chosen, as they are written."""

    module: Module
    players: int
    options: dict[str, str]


def folder() -> Path | None:
    """Where entries lie; None where nothing may be kept."""
    if FOLDER in os.environ:
        return Path(os.environ[FOLDER]) if os.environ[FOLDER] else None
    base = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):
        return (Path(base) if base else Path.home() / ".cache") / "rulekit"
    return None


def find(wanted: Wanted) -> Kept | None:
    """The entry for what is wanted, if there is one that holds."""
    where = folder()
    if where is None or not _is_own(where):
        return None
    name = _name(wanted)
    try:
        data = json.loads((where / f"{name}.json").read_text(encoding="utf-8"))
        if not all(_digest(path) == known for path, known in data["files"]) or any(map(os.path.exists, data["absent"])):
            return None
        code = (where / f"{name}.module").read_bytes()
        if hashlib.sha256(code).hexdigest() != data["sum"]:
            return None
        return Kept(module_in(code, data["module"]), data["players"], data["options"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def keep(wanted: Wanted, kept: Kept, files: Iterable[str], absent: Iterable[str]) -> None:
    """Write an entry, whole or not at all.  files: all that was read; absent: those that would be read instead."""
    where = folder()
    if where is None:
        return
    code = kept.module.code
    data = {
        "files": [[os.path.abspath(path), _digest(path)] for path in files],
        "absent": [os.path.abspath(path) for path in absent],
        "sum": hashlib.sha256(code).hexdigest(),
        "module": module_out(kept.module),
        "players": kept.players,
        "options": kept.options,
    }
    with suppress(OSError):
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_own(where):
            name = _name(wanted)
            _put(where / f"{name}.module", code)
            _put(where / f"{name}.json", json.dumps(data).encode())
            _tidy(where)


def _is_own(where: Path) -> bool:
    """Whether nobody else can have put anything there: a module is run as it is."""
    try:
        found = where.stat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _put(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _tidy(where: Path) -> None:
    entries = sorted(where.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in entries[MOST:]:
        old.with_suffix(".module").unlink(missing_ok=True)
        old.unlink(missing_ok=True)


def _name(wanted: Wanted) -> str:
    asked: list[Any] = [os.path.abspath(wanted.file), wanted.players, sorted(wanted.options), wanted.ruleset]
    text = json.dumps([rulekit.__version__, *_program(), asked], ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def _program() -> Iterator[tuple[str, int, int]]:
    """Every module of rulekit and its grammar: another one may compile otherwise."""
    package = Path(__file__).parent.parent
    for place in (package, package.parent / "grammar", package / "_data" / "grammar"):
        for root, _, names in os.walk(place):
            for name in sorted(names):
                if name.endswith((".py", ".lark", ".json")):
                    found = os.stat(os.path.join(root, name))
                    yield os.path.join(root, name), found.st_size, found.st_mtime_ns


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
