"""How this package was installed: what an extra needs, and whether a stranger shares its folder.

The package index knows another project as `rulekit`, so this one is
distributed as `rulekit-games`.  A hint names the packages that are missing,
which can be installed wherever rulekit itself came from.
"""

from __future__ import annotations

import re
from pathlib import Path

NAME = "rulekit-games"
_REQUIREMENT = re.compile(
    r"^(?P<name>[A-Za-z0-9._-]+)(\[(?P<extras>[^]]*)\])?(?P<version>[^;]*)(;.*extra == ['\"](?P<extra>[^'\"]+))?"
)


def install_hint(extra: str, *only: str) -> str:
    """The command that installs what an extra needs: `python -m pip install 'typst>=0.13'`.

    extra:  "" for what is always needed; only: of that the packages whose names begin so.
    """
    wanted = sorted(package for package in _needed(extra) if not only or package.startswith(only))
    if not wanted:
        return f"install rulekit again, with its extra `{extra}`" if extra else "install rulekit again"
    return "python -m pip install " + " ".join(f"'{package}'" for package in wanted)


def _needed(extra: str) -> set[str]:
    """The packages of an extra with their versions; of extras that it names, theirs too."""
    # Only who lacks a package waits for this.
    from importlib.metadata import PackageNotFoundError, requires

    try:
        stated = [found for line in requires(NAME) or () if (found := _REQUIREMENT.match(line))]
    except PackageNotFoundError:
        return set()
    needed: set[str] = set()
    for one in stated:
        if (one["extra"] or "") == extra and one["name"] == NAME:
            needed.update(*(_needed(inner.strip()) for inner in one["extras"].split(",")))
        elif (one["extra"] or "") == extra:
            needed.add(one["name"] + one["version"].strip().strip("()"))
    return needed


def stranger(package: Path | None = None) -> str:
    """What to do if another distribution called `rulekit` is installed in the same folder; "" if there is none.

    package: the folder of the package, by default this one.
    """
    around = (package or Path(__file__).parent).parent
    if around.name not in ("site-packages", "dist-packages"):
        return ""
    for found in around.glob("rulekit-*.dist-info"):
        entries = found / "entry_points.txt"
        if not entries.is_file() or "rulekit.apps.cli" not in entries.read_text(encoding="utf-8", errors="replace"):
            return (
                f"another project called rulekit is installed in the same folder ({found.name}), and files of the two "
                f"are mixed: python -m pip uninstall rulekit {NAME}, then install {NAME} again"
            )
    return ""
