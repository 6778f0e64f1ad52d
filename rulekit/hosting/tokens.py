"""Tokens: words that nobody can guess, each of which opens one seat of one match.

A store keeps only their hashes, so that who reads the file opens nothing.
"""

from __future__ import annotations

import secrets
from hashlib import sha256

_BYTES = 24
"""192 bits of chance; 128 are beyond guessing."""


def new_token() -> str:
    """A new one, made of letters, digits, `-` and `_`."""
    return secrets.token_urlsafe(_BYTES)


def new_name() -> str:
    """A new name of a match, which is no secret."""
    return secrets.token_hex(8)


def new_seed() -> str:
    """A new seed, from which nobody at the table can work out what chance will bring."""
    return secrets.token_hex(16)


def hashed(token: str) -> str:
    """What a store keeps of a token: a one-way function of it (SHA-256)."""
    return sha256(b"rulekit token 1:" + token.encode("utf-8", "surrogatepass")).hexdigest()
