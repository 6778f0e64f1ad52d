"""What a hint says can be done, and is enough: the slips of people, and the same lines as their hints want them.

`cases/check/mended/*.rules` hold chunks as in `test_check`.  A line with a slip says its finding, `### code: words of
the hint`, and may have a title in front, `### code: title; hint`; below it `#=> …` are the lines that the hint asks
for.  Everything that the hint writes out stands in those, and with them the chunk has no findings.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from rulekit.diagnostics import Diagnostic
from rulekit.model.resolve import type_inference
from rulekit.syntax import nodes
from tests.model.test_check import chunks, examined, shown

_MENDED = "#=> "
_MARK = "###"


def _params() -> list[object]:
    return [pytest.param(text, id=name) for name, text in chunks("check/mended")]


def _slips(text: str) -> dict[int, tuple[str, str, list[str]]]:
    """By the number of a line with a slip: the code and the words of its finding, and what it becomes."""
    slips: dict[int, tuple[str, str, list[str]]] = {}
    last = 0
    for number, line in enumerate(text.split("\n"), 1):
        if _MARK in line:
            code, colon, words = line.partition(_MARK)[2].partition(":")
            assert colon, f"an expectation reads `### code: words`, not {line}"
            slips[number] = code.strip(), words.strip(), []
            last = number
        elif line.startswith(_MENDED):
            slips[last][2].append(line.removeprefix(_MENDED))
    return slips


def _mended(text: str) -> str:
    slips = _slips(text)
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if number in slips:
            lines += slips[number][2]
        elif not line.startswith(_MENDED):
            lines.append(line)
    return "\n".join(lines)


def _written_out(hint: str, slip: str) -> list[list[str]]:
    """What a hint writes that is not in the slip, by its readings; without examples, `as in`, and what is open, `…`."""
    readings = re.sub(r"as in `[^`]+`", "", hint).split(", or ")
    parts = [[" ".join(part.split()) for part in re.findall(r"`([^`]+)`", reading)] for reading in readings]
    return [[part for part in reading if "…" not in part and part not in slip] for reading in parts]


def _says(entry: Diagnostic, words: str) -> bool:
    title, _, hint = words.rpartition("; ")
    return title in entry.title and hint in entry.hint


@pytest.mark.parametrize("text", _params())
def test_slips_are_found_with_a_hint(text: str) -> None:
    loaded, slips = examined(text), _slips(text)
    assert slips, "a chunk must have a slip"
    found = {entry.span.line: entry for entry in loaded.findings}
    assert sorted(entry.span.line for entry in loaded.findings) == sorted(slips), shown(loaded)
    for line, (code, words, mended) in slips.items():
        assert found[line].code == code, shown(loaded)
        assert _says(found[line], words), f"line {line} does not say: {words}\n{shown(loaded)}"
        below = " ".join(" ".join(mended).split())
        readings = _written_out(found[line].hint, text.split("\n")[line - 1].partition(_MARK)[0])
        assert any(all(part in below for part in reading) for reading in readings), f"{below}: {readings}"


@pytest.mark.parametrize("text", _params())
def test_what_the_hint_says_mends_it(text: str) -> None:
    loaded = examined(_mended(text))
    assert not loaded.findings, shown(loaded)


@pytest.mark.parametrize("part", ["a: ", "the ", "x to y "])
def test_nothing_is_sought_in_lines_too_long_for_it(part: str) -> None:
    short, long = (f"play\n    if n > 3 and {part * count}4: end game\n" for count in (2, 2000))
    hints = [[entry.hint for entry in examined(text).findings] for text in (short, long)]
    assert not any(hint == "write `above`" for hint in hints[1])
    assert "write `above`" in hints[0]


def test_queries_inside_one_another_are_looked_at_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0

    def counted(*args: Any) -> Any:
        nonlocal looked
        looked += 1
        return infer_word(*args)

    infer_word = type_inference.INFER[nodes.Word]
    monkeypatch.setitem(type_inference.INFER, nodes.Word, counted)
    condition = "nobody"
    for _ in range(14):
        condition = f"any players where ({condition}) is yes"
    assert "unknown-name" in [entry.code for entry in examined(f"define x is not ({condition})\n").findings]
    assert 14 < looked < 2000


def test_there_are_enough_slips() -> None:
    assert sum(len(_slips(text)) for _, text in chunks("check/mended")) >= 40
