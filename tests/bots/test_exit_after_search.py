"""A process in which a bot has searched ends in silence, whatever still runs beside it.

A thread that nobody waits for keeps modules alive until the interpreter takes
them apart, one after the other; a machine that goes only then calls functions
of wasmtime that are not there any more.
"""

from __future__ import annotations

import subprocess
import sys

from tests import paths
from tests.extras import needs
from tests.processes import HANG

pytestmark = needs("wasmtime")
RULES = paths.EXAMPLES / "tic_tac_toe.rules"
SEARCHED = """
import threading, time
import rulekit.bots.players.compiled_search as module
from rulekit.bots.bot import Chair
from rulekit.loading import load
assert module.compiled_search(Chair(load({rules!r}), {{}}, ("a", "b"), 0, "s"))
def hold(module): time.sleep(10_000)
threading.Thread(target=hold, args=(module,), daemon=True).start()
"""


def test_machines_go_before_what_they_need() -> None:
    words = [sys.executable, "-c", SEARCHED.format(rules=str(RULES))]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=HANG)
    assert done.stderr == ""
