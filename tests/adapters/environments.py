"""The environments under test; they are imported when they are first made, since PettingZoo may be missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulekit import Game


def aec(rules: Game | Path, **how: Any) -> Any:
    from rulekit.adapters.aec import AECGame

    return AECGame(rules, **how)


def parallel(rules: Game | Path, **how: Any) -> Any:
    from rulekit.adapters.parallel import ParallelGame

    return ParallelGame(rules, **how)
