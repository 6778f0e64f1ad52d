"""Line ends of a file that is saved: unchanged lines keep their ends, new lines get the usual end of the file.

Input: a text with LF line ends, and the file's text as its bytes have it.  Output: the text as it is to be written.
Never reads or writes a file.
"""

from __future__ import annotations

from rulekit.tools.structure.line_difference import changed_hunks

BYTE_ORDER_MARK = "\ufeff"


def with_line_ends(text: str, file_text: str) -> str:
    """Return a text with the line ends and the byte order mark of a file.

    text: with LF at the ends of lines.  file_text: as the file has it now; "" if there is none.
    """
    mark = BYTE_ORDER_MARK if file_text.startswith(BYTE_ORDER_MARK) else ""
    pieces = file_text.removeprefix(BYTE_ORDER_MARK).split("\n")
    # The last piece has no end.
    ends = ["\r\n" if piece.endswith("\r") else "\n" for piece in pieces[:-1]]
    usual = "\r\n" if 2 * ends.count("\r\n") > len(ends) else "\n"
    if len(set(ends)) < 2:
        return mark + text.replace("\n", usual)
    before, after = [*(piece.removesuffix("\r") for piece in pieces[:-1]), pieces[-1]], text.split("\n")
    new_ends, old_place, new_place = [usual] * len(after), 0, 0
    for old_start, old_end, _, new_end in (*changed_hunks(before, after), (len(before), 0, 0, 0)):
        kept = ends[old_place:old_start]
        new_ends[new_place : new_place + len(kept)] = kept
        old_place, new_place = old_end, new_end
    return mark + "".join(map("".join, zip(after[:-1], new_ends, strict=False))) + after[-1]
