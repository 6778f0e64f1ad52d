"""Which characters of a text people see, and which invisible ones a text needs.

In a name joiners inside scripts and emoji are needed, in a translation also marks of direction, isolates that are
closed, soft hyphens and the like; controls are not.
"""

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
_VIRAMA = 9
"""The canonical combining class of signs that join two consonants, or with a joiner show the first one's short form."""
_ENDS = {"\u202a": "\u202c", "\u202b": "\u202c", "\u202d": "\u202c", "\u202e": "\u202c"} | dict.fromkeys(
    "\u2066\u2067\u2068", "\u2069"
)
"""What begins an embedding, override or isolate, with what ends it."""
_VISIBLE_FORMATS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
"""Signs before numbers, which Unicode counts as formats."""
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
        if index > 0 and _is_virama(text[index - 1]):
            return True
        return 0 < index < len(text) - 1 and _may_join(text[index - 1]) and _may_join(text[index + 1])
    if "\U000e0020" <= character <= "\U000e007f":
        return text[:index].rstrip("".join(map(chr, range(0xE0020, 0xE0080)))).endswith(_TAG_BASE)
    return False


def _may_join(character: str) -> bool:
    return ord(character) >= _FIRST_JOINING_SCRIPT and character.isprintable()


def _is_virama(character: str) -> bool:
    if character.isascii():
        return False
    import unicodedata  # Seldom needed.

    return unicodedata.combining(character) == _VIRAMA


def has_use(text: str, index: int) -> bool:
    """Return whether a character of a translation is seen, or is one of those that scripts and layout need."""
    character = text[index]
    if character.isprintable() or is_blank(character) or is_joined(text, index):
        return True
    import unicodedata  # Seldom needed.

    code, category = ord(character), unicodedata.category(character)
    if category == "Cf":
        return not (0x206A <= code <= 0x206F or 0xFFF9 <= code <= 0xFFFB or code >= 0x1BCA0)
    # A letter or emoji of a later Unicode; not a noncharacter or a place that is kept for invisible ones.
    is_open = code & 0xFFFE != 0xFFFE and not (0xFDD0 <= code <= 0xFDEF or 0xFFF0 <= code <= 0xFFF8)
    return category == "Cn" and is_open and code != 0x2065 and code < 0xE0000


def stray_directions(text: str) -> frozenset[int]:
    """Return where a change of direction begins and does not end in the same line, or ends without a beginning."""
    begun: list[int] = []
    stray: set[int] = set()
    for index, character in enumerate(text):
        if character in _ENDS:
            begun.append(index)
        elif character in _ENDS.values():
            if begun and _ENDS[text[begun[-1]]] == character:
                begun.pop()
            else:
                stray.add(index)
        elif character == "\n":
            stray.update(begun)
            begun.clear()
    return frozenset(stray.union(begun))


def without_invisible(text: str) -> str:
    """Leave out the characters of which nothing is seen, so that texts that look alike are equal."""
    if text.isprintable():
        return text
    import unicodedata  # Seldom needed.

    return "".join(
        character for character in text if unicodedata.category(character) != "Cf" or character in _VISIBLE_FORMATS
    )


def is_blank(character: str) -> bool:
    """Return whether a character is a blank, of whatever width."""
    return character in _BLANKS


def has_visible_character(text: str) -> bool:
    """Return whether there is a letter, digit, sign or symbol in a text."""
    if "!" <= text[:1] <= "~":
        return True
    if text.isascii():
        return any("!" <= character <= "~" for character in text)
    import unicodedata  # Seldom needed.

    return any(unicodedata.category(character)[0] in "LNPS" and character not in _BLANK_LETTERS for character in text)


def without_joiners(text: str) -> str:
    """Leave out the characters by which two texts can differ and yet look alike."""
    return text.translate({ord(joiner): None for joiner in _JOINERS})
