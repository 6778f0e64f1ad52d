"""Every bound that protects people from a bad file, in one table.

A limit is a count, never a time, so that the same file meets it at the same
place everywhere.
"""

from __future__ import annotations

from typing import Final

FILE_BYTES: Final = 256 * 1024
EXPANDED_BYTES: Final = 1024 * 1024
EXTENDS_DEPTH: Final = 8
NESTING: Final = 64
"""Brackets and blocks together."""
CHAIN: Final = 120
"""Operators, dots and query words one inside the other, in one line."""
INTEGER: Final = 2**53 - 1
NAME: Final = 64
STRING: Final = 4096
SET: Final = 10_000
THINGS: Final = 20_000
"""All that a match has, the copies of cards with it."""
STEPS_PER_DECISION: Final = 50_000_000
"""Some seconds of the reference engine; what counts is said in section 17 of the language."""
STEPS_PER_GAME: Final = 5_000_000_000
OPTIONS: Final = 10_000
REACTIONS: Final = 100
CALLS: Final = 100
DEFINES: Final = 200
"""Defines that ask for one another, in play."""
SETS_TRIED: Final = 2000
"""Of one question, to see which can be begun where rules refuse some: by adapters alone."""
SEATS: Final = 64
DECISIONS: Final = 100_000
CATALOGUE_BYTES: Final = 4 * 1024 * 1024
DOCUMENT_BYTES: Final = 64 * 1024 * 1024
DOCUMENT_EXPANDED_BYTES: Final = 128 * 1024 * 1024
"""What a document holds once it is decompressed, pictures left out where they can be told."""
DOCUMENT_XML_BYTES: Final = 16 * 1024 * 1024
"""The XML of a Word document; a book of a thousand pages needs a third of it."""
DOCUMENT_PARTS: Final = 10_000
DOCUMENT_OBJECTS: Final = 100_000
DOCUMENT_PAGES: Final = 500
PAGE_LETTERS: Final = 50_000
TABLE_CELLS: Final = 200_000
LOG_BYTES: Final = 16 * 1024 * 1024
RENAMES: Final = 10_000
ERRORS: Final = 100
SIMULATIONS: Final = 1_000_000
"""Of one decision of a bot that searches."""
