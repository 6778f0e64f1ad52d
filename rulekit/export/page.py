"""The page that holds a whole game: parts, style, scripts, and what it may reach (content security policy)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256

from rulekit import library
from rulekit.export.browser_python import ORIGIN, Part, packed
from rulekit.export.bundle import bundle, rules_name
from rulekit.model.game import Game
from rulekit.tools.drawing.canvas import STYLE
from rulekit.tools.language.translation import Tongue
from rulekit.tools.report.templates import rendered

_SHELL = """
.shell { max-width: 62rem; margin: 0 auto; padding: .4rem .8rem 0 }
[hidden] { display: none }
"""


def page(game: Game, python: Sequence[Part], tongue: Tongue) -> str:
    """python: its files, as `browser_python` has them."""
    style = library.template("table.css") + STYLE + _SHELL
    script = library.template("swap.js") + library.template("export.js")
    origin = ORIGIN if any(part.address for part in python) else ""
    return rendered(
        "export.html.j2",
        tongue,
        title=game.title,
        rules=rules_name(game),
        policy=_policy(style, script, origin),
        origin=origin,
        style=style,
        script=script,
        worker=library.template("export_worker.js"),
        parts=[*python, packed("bundle.zip", bundle(game))],
    )


def _policy(style: str, script: str, origin: str) -> str:
    """Only what stands in the page runs, and nothing is reached but the one address, if there is one.

    `blob:` and `data:` name what the page has made itself: Python's loader, and the worker in which it runs.
    """
    return "; ".join((
        "default-src 'none'",
        f"script-src {_digest(script)} 'wasm-unsafe-eval' blob:",
        "worker-src data:",
        f"style-src {_digest(style)}",
        f"connect-src data: {origin}".strip(),
        "img-src data:",
        "form-action 'none'",
        "base-uri 'none'",
    ))  # fmt: skip


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
