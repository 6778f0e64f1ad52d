"""Line separators of other programs in texts that are one line here.

`str.splitlines` ends a line at ten characters, gettext and XML at the line feed.  Word and InDesign put U+2028 or a
vertical tab where somebody broke a line by hand.  Here they become a blank.
"""

from __future__ import annotations

import re

_SEPARATORS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_BREAK = re.compile(f"[ \t]*[{_SEPARATORS}][ \t{_SEPARATORS}]*")
_EDGE = re.compile(f"^{_BREAK.pattern}|{_BREAK.pattern}$")
_RETURN = re.compile(r"\r\n?")


def replace_line_breaks(text: str) -> str:
    """Replace line separators by a blank, at both ends by nothing, and carriage returns by a line feed."""
    if "\r" in text:
        text = _RETURN.sub("\n", text)
    return _BREAK.sub(" ", _EDGE.sub("", text)) if has_line_breaks(text) else text


def has_line_breaks(text: str) -> bool:
    """Return whether a text holds a character that would become a blank."""
    return not text.isprintable() and any(character in text for character in _SEPARATORS)
