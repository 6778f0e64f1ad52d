"""Process replay: a fingerprint of every plan that the compiler makes of the games that ship.

`python -m tests.compiler.process_replay` prints a line for each game or example, fewest and most seats,
plain and counting; `--renew` writes them to `tests/plan_hashes.txt`.  A change that is meant to leave the
compiled engines as they are leaves this file as it is; in one that improves plans, its diff shows which games
have others now.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import attrs

from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.pipeline import lowered
from rulekit.loading import load

HERE = Path(__file__).parent.parent
KEPT = HERE / "plan_hashes.txt"
RULES = sorted([*HERE.parent.glob("games/*.rules"), *HERE.parent.glob("examples/*.rules")])
LATER = ("cells", "search", "nothing", "drive", "brief")
"""Fields that plans did not always have: not told where they are as if they were not there."""
WAYS = {"plain": False, "counting": True}


def canonical(value: object) -> Iterator[str]:
    """A value of a plan as text, in pieces: classes by their bare names, so that it is the same wherever they live.

    Errors: TypeError for a value whose text could differ from run to run.
    """
    if isinstance(value, tuple):
        yield "("
        for one in value:
            yield from canonical(one)
            yield ","
        yield ")"
    elif attrs.has(type(value)):
        yield type(value).__name__ + "{"
        for one in attrs.fields(type(value)):
            if one.name in LATER and getattr(value, one.name) == one.default:
                continue
            yield one.name + "="
            yield from canonical(getattr(value, one.name))
            yield ";"
        yield "}"
    elif isinstance(value, Enum):
        yield repr(value.value)
    elif value is None or isinstance(value, bool | int | str):
        yield repr(value)
    else:
        raise TypeError(f"a plan holds a {type(value).__name__}")


def digest(value: object) -> str:
    """SHA-256 of the canonical text, its first 16 digits."""
    made = hashlib.sha256()
    for piece in canonical(value):
        made.update(piece.encode())
    return made.hexdigest()[:16]


def hashes(path: Path) -> Iterator[str]:
    """The lines of one rules file: its name, seats, way and the digest of the plan, or why there is none."""
    game = load(path)
    for seats in sorted({game.least, game.most}):
        for way, counting in WAYS.items():
            try:
                plan, _ = lowered(game, {}, seats, counting=counting)
            except Unsupported as fault:
                found = f"no plan: {fault}"
            else:
                found = f"{digest(plan)} {len(plan.functions)} functions"
            yield f"{path.parent.name}/{path.name} {seats} {way} {found}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--renew", action="store_true", help=f"write {KEPT.name}")
    arguments = parser.parse_args()
    lines = []
    for path in RULES:
        for line in hashes(path):
            print(line, flush=True)
            lines.append(line)
    if arguments.renew:
        KEPT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
