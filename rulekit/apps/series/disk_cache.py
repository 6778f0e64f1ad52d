"""The compilation cache: compiled modules in the user's cache folder, so that the same game starts at once next time.

An entry is a description in JSON and the module beside it, as wasmtime keeps
it.  It is used only if rulekit itself, the rules files and whatever was asked
for are what they were, and if the module has the checksum that the
description says.  What is damaged counts as not there; a cache that cannot be
written changes nothing.  `user_cache` says where the folder is.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import rulekit
from rulekit import user_cache
from rulekit.compiler.runtime.module_cache import Module, module_from_plain, plain_module
from rulekit.values import frozen

MOST_ENTRIES = 64
"""The most entries that are kept; the oldest are evicted."""


@frozen
class CacheKey:
    """What a module was compiled for, as it was written on the command line: the key of an entry.

    reserved:  bytes of addresses that its memory takes.
    """

    file: str
    players: int | None
    options: tuple[str, ...]
    ruleset: str | None
    reserved: int


@frozen
class CacheEntry:
    """A compiled module.  options: all that were chosen, as they are written."""

    module: Module
    players: int
    options: dict[str, str]


def find(key: CacheKey) -> CacheEntry | None:
    """The entry under a key, if there is one and it is still valid."""
    where = user_cache.trusted_folder()
    if where is None:
        return None
    name = _entry_name(key)
    try:
        data = json.loads((where / f"{name}.json").read_text(encoding="utf-8"))
        if not all(_digest(path) == known for path, known in data["files"]) or any(map(os.path.exists, data["absent"])):
            return None
        code = (where / f"{name}.module").read_bytes()
        if data.pop("sum") != _sum(code, data):
            return None
        return CacheEntry(module_from_plain(code, data["module"]), data["players"], data["options"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def store(key: CacheKey, entry: CacheEntry, files: Iterable[str], absent: Iterable[str]) -> None:
    """Write an entry, whole or not at all.  files: all that was read; absent: those that would be read instead."""
    if user_cache.folder() is None:
        return
    code = entry.module.code
    data = {
        "files": [[os.path.abspath(path), _digest(path)] for path in files],
        "absent": [os.path.abspath(path) for path in absent],
        "module": plain_module(entry.module),
        "players": entry.players,
        "options": entry.options,
    }
    data["sum"] = _sum(code, data)
    with suppress(OSError):
        where = user_cache.made_folder()
        if where is not None:
            name = _entry_name(key)
            user_cache.write_whole(where / f"{name}.module", code)
            user_cache.write_whole(where / f"{name}.json", json.dumps(data).encode())
            _evict(where)


def _sum(code: bytes, data: dict[str, Any]) -> str:
    """A digest of all that is kept."""
    return hashlib.sha256(code + json.dumps(data).encode()).hexdigest()


def _evict(where: Path) -> None:
    entries = sorted(where.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in entries[MOST_ENTRIES:]:
        old.with_suffix(".module").unlink(missing_ok=True)
        old.unlink(missing_ok=True)


def _entry_name(key: CacheKey) -> str:
    asked: list[Any] = [os.path.abspath(key.file), key.players, sorted(key.options), key.ruleset, key.reserved]
    text = json.dumps([rulekit.__version__, *_program_files(), asked], ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def _program_files() -> list[tuple[str, int, int]]:
    """Every module of rulekit and its grammar: another one may compile otherwise."""
    package = os.path.dirname(rulekit.__file__)
    found, waiting = list[tuple[str, int, int]](), [package, os.path.join(package, os.pardir, "grammar")]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for one in entries:
                if one.name.endswith((".py", ".lark", ".json")):
                    known = one.stat()
                    found.append((one.path, known.st_size, known.st_mtime_ns))
                elif one.name != "__pycache__" and one.is_dir(follow_symlinks=False):
                    waiting.append(one.path)
    return sorted(found)


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
