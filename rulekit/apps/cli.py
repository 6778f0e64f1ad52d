"""The entry point of the `rulekit` command; from here on every way to end has its exit code.

Imports nothing at first that takes long: whoever stops the command during
an import gets no traceback either.
"""

from __future__ import annotations

import gc
import signal
import sys

_INTERRUPTED, _TERMINATED = 130, 143
"""As in `console`, which is not imported yet when they are needed."""
_BETWEEN = 200_000
"""New objects between two looks for rings of them: hardly any are made, and to look for them while rules are read costs
a tenth of it."""


def main() -> None:
    gc.set_threshold(_BETWEEN)
    try:
        signal.signal(signal.SIGTERM, _terminate)
        from rulekit.apps.commands import ended

        code = ended()
    except KeyboardInterrupt:
        code = _INTERRUPTED
    # The process ends with all that there is: no rings need be looked for in it.
    gc.freeze()
    sys.exit(code)


def _terminate(*_: object) -> None:
    raise SystemExit(_TERMINATED)
