"""The packages of others that environments are made of, asked for in one place, so that a missing one is told plainly.

Errors: `ImportError` that says what to install.
"""

from __future__ import annotations

from rulekit.library import ABSENT

try:
    import numpy as np
    from gymnasium import spaces as kinds
    from pettingzoo import AECEnv, ParallelEnv
except ABSENT as fault:
    raise ImportError("these environments need the package pettingzoo: pip install pettingzoo") from fault

__all__ = ["AECEnv", "ParallelEnv", "kinds", "np"]
