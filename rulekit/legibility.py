"""Which characters of a text people see: joiners inside scripts and emoji yes, controls and direction changes no."""

from __future__ import annotations

_JOINERS = "\u200c\u200d"
"""The zero-width non-joiner of Persian and Indic scripts, and the joiner of emoji families and Malayalam."""
_FIRST_JOINING_SCRIPT = 0x0600
"""Latin, Greek, Cyrillic, Armenian and Hebrew come before it and have no joined letters: there a joiner would hide."""
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Fillers, which Unicode counts as letters or symbols and which nobody sees."""
_BLANKS = frozenset(
    "\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
"""Blanks of every width (category Zs), as French and German put them before signs."""
_TAG_BASE = "\N{WAVING BLACK FLAG}"


def is_legible(text: str) -> bool:
    """Return whether each character of a text is seen, or joins two that are."""
    return text.isprintable() or all(
        character.isprintable() or is_joined(text, index) for index, character in enumerate(text)
    )


def is_joined(text: str, index: int) -> bool:
    """Return whether a character joins its neighbours in one script or emoji, or belongs to the tag of a flag."""
    character = text[index]
    if character in _JOINERS:
        return 0 < index < len(text) - 1 and _may_join(text[index - 1]) and _may_join(text[index + 1])
    if "\U000e0020" <= character <= "\U000e007f":
        return text[:index].rstrip("".join(map(chr, range(0xE0020, 0xE0080)))).endswith(_TAG_BASE)
    return False


def _may_join(character: str) -> bool:
    return ord(character) >= _FIRST_JOINING_SCRIPT and character.isprintable()


def is_blank(character: str) -> bool:
    """Return whether a character is a blank, of whatever width."""
    return character in _BLANKS


def has_visible_character(text: str) -> bool:
    """Return whether there is a letter, digit, sign or symbol in a text."""
    if text.isascii():
        return any("!" <= character <= "~" for character in text)
    import unicodedata  # Seldom needed.

    return any(unicodedata.category(character)[0] in "LNPS" and character not in _BLANK_LETTERS for character in text)


def without_joiners(text: str) -> str:
    """Leave out the characters by which two texts can differ and yet look alike."""
    return text.translate({ord(joiner): None for joiner in _JOINERS})
