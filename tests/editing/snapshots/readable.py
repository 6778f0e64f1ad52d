"""Answers as text to be read: places with the words that stand there, names of files relative to their folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from attrs import frozen
from lsprotocol.converters import get_converter
from lsprotocol.types import SemanticTokensOptions

from tests.editing.editor import Editor, OneServer
from tests.editing.snapshots.questions import QUESTIONS, Asking

SNAPSHOTS = Path(__file__).parent
RULES = "hill.rules"
_WIDE = 116
"""What is longer is written in several lines."""


def snapshot(name: str) -> Path:
    return SNAPSHOTS / f"{name}.json"


def answered(server: OneServer, name: str, folder: Path) -> str:
    """What the server says of a copy of the world in a new folder."""
    shutil.copytree(SNAPSHOTS / "world", folder)
    path = folder / RULES
    text = path.read_text(encoding="utf-8")
    found: dict[str, Any] = {}
    server.begin()
    options = server.offers.semantic_tokens_provider
    assert isinstance(options, SemanticTokensOptions)

    async def talk(editor: Editor) -> None:
        editor.open(text)
        asking = Asking(editor, text, text, options.legend)
        async for title, answer in QUESTIONS[name](asking):
            assert title not in found
            plain = get_converter().unstructure(answer)
            found[title] = _Reading(folder, asking.text).readable(plain, path.as_uri())

    server.talked(talk, path.as_uri())
    return _written(found) + "\n"


@frozen
class _Reading:
    """Answers about the files of a folder.  text: what the editor shows of the rules."""

    folder: Path
    text: str

    def readable(self, value: Any, uri: str) -> Any:
        """The value, which is about the file at this address where it names no other."""
        match value:
            case {"start": start, "end": end}:
                return self._range(uri, start, end)
            case {"line": line, "character": character}:
                return self._position(uri, line, character)
            case dict():
                uri = value.get("uri", uri)
                return {
                    self._relative(key): self.readable(each, key if "://" in key else uri)
                    for key, each in value.items()
                }
            case list():
                return [self.readable(each, uri) for each in value]
            case str() if "\n" in value:
                return self._relative(value).split("\n")
            case str():
                return self._relative(value)
        return value

    def _relative(self, text: str) -> str:
        return text.replace(f"{self.folder.as_uri()}/", "").replace(f"{self.folder}/", "")

    def _range(self, uri: str, start: dict[str, int], end: dict[str, int]) -> str:
        """Line and unit of both ends, counted from 0, and what stands between them in the first line."""
        is_short = start["line"] == end["line"]
        words = self._between(uri, start["line"], start["character"], end["character"] if is_short else None)
        ends = f"{start['line']}:{start['character']}-{end['line']}:{end['character']}"
        return f"{ends} {words}{'' if is_short else ' …'}".rstrip()

    def _position(self, uri: str, line: int, character: int) -> str:
        """Line and unit, with the line around it."""
        before, behind = self._between(uri, line, 0, character), self._between(uri, line, character, None)
        return f"{line}:{character} {before}│{behind}"

    def _between(self, uri: str, line: int, start: int, end: int | None) -> str:
        """What stands between two units of a line.  Errors: one of them is inside of a letter."""
        name = self._relative(uri)
        text = self.text if name == RULES else Path(self.folder, name).read_text(encoding="utf-8")
        units = text.split("\n")[line].encode("utf-16-le")
        return units[2 * start : None if end is None else 2 * end].decode("utf-16-le")


def _written(value: Any, indent: int = 0) -> str:
    """JSON in which what fits into a line stands in one; below the titles names stand in the order of the alphabet."""
    short = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if not isinstance(value, dict | list) or len(short) + indent <= _WIDE:
        return short
    if isinstance(value, list):
        inner = [_written(each, indent + 2) for each in value]
    else:
        inner = [
            f"{json.dumps(key, ensure_ascii=False)}: {_written(value[key], indent + 2)}"
            for key in (sorted(value) if indent else value)
        ]
    begin, end = "[]" if isinstance(value, list) else "{}"
    lines = ",\n".join(" " * (indent + 2) + each for each in inner)
    return f"{begin}\n{lines}\n{' ' * indent}{end}"
