"""The modules by which bots search in the page: one for each number of seats, with the options that are usual.

A browser cannot make them itself; under other options its bots search by the interpreter.
"""

from __future__ import annotations

from rulekit.compiler.compiler_faults import faults_refused
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.passes.suspension import suspendable
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.runtime import browser_engine, wasm_host
from rulekit.compiler.wasm.module import text
from rulekit.model.game import Game

MOST_SEATS = 4
"""A page holds no modules for more, so that it stays small."""


def modules(game: Game) -> dict[str, bytes]:
    """By their names in the archive; none where no plan can say the game, or nothing here assembles them."""
    found: dict[str, bytes] = {}
    for seats in range(game.least, min(game.most, MOST_SEATS) + 1):
        try:
            with faults_refused(game.title):
                plan, _ = lowered(game, {}, seats, searching=True)
            written = text(suspendable(plan)).text
            found[f"{browser_engine.FOLDER}/{browser_engine.name_of(written)}"] = wasm_host.assembled(written)
        except (Unsupported, wasm_host.Missing):
            return {}
    return found
