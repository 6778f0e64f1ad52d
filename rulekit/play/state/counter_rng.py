"""A counter-based random number generator (SplitMix64) in named streams.

Output i of a stream is a hash of its key and i, so a stream's state is how
many numbers it has given, and streams are independent of one another.

Algorithm, version 2.  A name is hashed to 64 bits: the first eight bytes,
big-endian, of SHA-256.  The number of a seed is the hash of "rulekit seed 2:"
and its text; that of `text#n`, the n-th match of a series, is output n of
the seed `text`.  A stream's key is the SplitMix64 finaliser of the seed's
number plus the hash of "rulekit stream 2:" and the stream's name.  Output i
(from 0) of a stream is the finaliser of key + (i + 1) * 0x9E3779B97F4A7C15;
all modulo 2^64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
Generators, 2014).  A number below n is the output modulo n; outputs at or
above the largest multiple of n up to 2^64 are passed over (rejection
sampling, so that all are equally likely).  Test vectors stand in the tests.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

_MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
FIRST_FACTOR = 0xBF58476D1CE4E5B9
SECOND_FACTOR = 0x94D049BB133111EB
TURN = 2**16
"""Outputs of a seat's stream that belong to one of its decisions."""


def seed_number(seed: str) -> int:
    """64 bits of a seed; of `text#n` they are output n of the stream that `text` seeds."""
    series, mark, number = seed.rpartition("#")
    if mark and number.isascii() and number.isdigit() and len(number) < 19:
        return output(seed_number(series), int(number))
    return _hash(f"rulekit seed 2:{seed}")


@cache
def stream_number(stream: str) -> int:
    """64 bits of a stream's name."""
    return _hash(f"rulekit stream 2:{stream}")


def stream_key(seed: int, stream: str) -> int:
    """The key of a named stream, for a seed as a number."""
    return splitmix64((seed + stream_number(stream)) & _MASK)


def _hash(text: str) -> int:
    return int.from_bytes(sha256(text.encode("utf-8")).digest()[:8], "big")


def splitmix64(z: int) -> int:
    """The SplitMix64 finaliser."""
    z = ((z ^ (z >> 30)) * FIRST_FACTOR) & _MASK
    z = ((z ^ (z >> 27)) * SECOND_FACTOR) & _MASK
    return z ^ (z >> 31)


def output(key: int, index: int) -> int:
    """Output `index` of the stream with this key: 64 bits."""
    return splitmix64((key + (index + 1) * GOLDEN) & _MASK)


def below(key: int, index: int, n: int) -> tuple[int, int]:
    """A number from 0 to n - 1, and the index of the next output."""
    limit = 2**64 - 2**64 % n
    while True:
        value = output(key, index)
        index += 1
        if value < limit:
            return value % n, index
