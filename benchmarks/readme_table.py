"""Write the README's table of speed from the figures in `docs/speed.md`, which is the only record of a run.

python -m benchmarks.readme_table          # rewrite README.md
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README, SPEED = ROOT / "README.md", ROOT / "docs" / "speed.md"
BOARDS = ("tic_tac_toe", "connect_four", "breakthrough")
ROWS = (
    ("Fuzzy Tiger written by hand in Python", ("fuzzy_tiger: WebAssembly / Python by hand",), False),
    ("Fuzzy Tiger written by hand in C", ("fuzzy_tiger: C by hand / WebAssembly",), True),
    (
        "OpenSpiel's own loop: tic-tac-toe, connect four, breakthrough",
        tuple(f"{board}: WebAssembly / OpenSpiel's own loop" for board in BOARDS),
        False,
    ),
    (
        "OpenSpiel from Python, the same",
        tuple(f"{board}: WebAssembly / OpenSpiel from Python" for board in BOARDS),
        False,
    ),
)
"""Label in the README, the ratios in `docs/speed.md`, and whether these are the inverse of what the README tells."""
_TABLE = re.compile(r"\| WebAssembly engine over \| ratio \|\n(?:\|.*\n)+")


def read_medians(page: str) -> dict[str, float]:
    """Return the median of each ratio in the first table of a page."""
    rows = re.findall(r"^\| ([^|]+: [^|]+ / [^|]+?) \| ([\d.]+) \|", page, re.MULTILINE)
    return {name: float(median) for name, median in rows}


def render_table(medians: dict[str, float]) -> str:
    lines = ["| WebAssembly engine over | ratio |", "|---|---|"]
    for label, ratios, is_inverse in ROWS:
        values = [1 / medians[ratio] if is_inverse else medians[ratio] for ratio in ratios]
        lines.append(f"| {label} | {', '.join(f'{value:.2g}' if value < 10 else f'{value:.0f}' for value in values)} |")
    return "\n".join(lines) + "\n"


def update_readme(readme: str, speed: str) -> str:
    """Return the README with its table made anew.  Errors: `ValueError` if it has no such table."""
    table = render_table(read_medians(speed))
    updated, count = _TABLE.subn(lambda _: table, readme)
    if count != 1:
        raise ValueError(f"{count} tables of speed, where one is expected")
    return updated


if __name__ == "__main__":
    README.write_text(update_readme(README.read_text(encoding="utf-8"), SPEED.read_text(encoding="utf-8")), "utf-8")
