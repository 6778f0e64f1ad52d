"""Line ends of a file that is saved: lines that stay keep theirs, new ones get the usual one."""

from __future__ import annotations

import pytest

from rulekit.tools.structure.line_ends import with_line_ends


@pytest.mark.parametrize(
    ("file_text", "text", "written"),
    [
        ("", "a\nb", "a\nb"),
        ("a\r\nb\r\n", "a\nb\nc\n", "a\r\nb\r\nc\r\n"),
        ("a\nb\n", "a\nc\n", "a\nc\n"),
        ("a", "a\nb\n", "a\nb\n"),
        ("\ufeffa\r\n", "\na\n", "\ufeff\r\na\r\n"),
        # Mixed: what is new ends as most lines do.
        ("a\r\nb\nc\nd\n", "a\nb\nc\nd\nend\n", "a\r\nb\nc\nd\nend\n"),
        ("a\nb\r\nc\r\n", "new\na\nb\nc\n", "new\r\na\nb\r\nc\r\n"),
        ("a\nb\r\nc\r\n", "a\nB\nc\n", "a\nB\r\nc\r\n"),
        ("a\nb\r\nc\r\n", "a\nc\n", "a\nc\r\n"),
        ("a\r\nb\nc\r\nd", "a\nb\nc\nd\ne", "a\r\nb\nc\r\nd\r\ne"),
        ("a\nb\r\nc\r\nd\n", "a\nb", "a\nb"),
        ("a\nb\r\n", "", ""),
    ],
)
def test_lines_that_stay_keep_their_ends(file_text: str, text: str, written: str) -> None:
    assert with_line_ends(text, file_text) == written


def test_a_text_that_did_not_change_is_written_as_it_was() -> None:
    ends = ("\n", "\r\n", "\r\n", "\n", "\n")
    file_text = "\ufeff" + "".join(f"{number % 7}{ends[number % 5]}" for number in range(5000))
    assert with_line_ends(file_text.removeprefix("\ufeff").replace("\r\n", "\n"), file_text) == file_text
