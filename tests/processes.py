"""Other processes in tests: how long one may take, and how it begins.

Nothing here measures speed: on a busy machine a process may wait for its turn for a long time.  A bound only ends what
would never end by itself.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

HANG = 600.0
"""Seconds after which a process is taken to hang."""


def keep_bytecode(folder: Path) -> None:
    """Where the environment keeps bytecode out of the tree, this process, workers and others have it here.

    So not each compiles all of it, nor each run.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(folder)
        sys.dont_write_bytecode = False


def take_interrupts() -> None:
    """For `preexec_fn`: Ctrl-C reaches the process even where the tests run in the background, which are deaf to it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
