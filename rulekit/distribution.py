"""How this package was installed: what an extra needs, and whether a stranger shares its folder.

The package index knows another project as `rulekit`, so this one is
distributed as `rulekit-games`.  A hint names the packages that are missing,
which can be installed wherever rulekit itself came from.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from contextlib import suppress
from pathlib import Path

NAME = "rulekit-games"
_REQUIREMENT = re.compile(
    r"^(?P<name>[A-Za-z0-9._-]+)(\[(?P<extras>[^]]*)\])?(?P<version>[^;]*)(;.*extra == ['\"](?P<extra>[^'\"]+))?"
)


def install_hint(extra: str, *only: str) -> str:
    """The command that installs what an extra needs for the running Python: `PYTHON -m pip install 'typst>=0.13'`.

    extra:  "" for what is always needed; only: of that the packages whose names begin so.
    """
    wanted = sorted(package for package in _needed(extra) if not only or package.startswith(only))
    if not wanted:
        return f"install rulekit again, with its extra `{extra}`" if extra else "install rulekit again"
    return " ".join([_pip("install"), *map(_quoted, wanted)])


def _pip(command: str) -> str:
    """How packages are installed for the running Python: another one on the path would put them elsewhere."""
    from importlib.util import find_spec

    python = _python()
    # Environments that uv makes have no pip.
    return f"{python} -m pip {command}" if find_spec("pip") else f"uv pip {command} --python {python}"


def _python() -> str:
    """The running Python as it can be typed in the current folder."""
    path = below = sys.executable or "python"
    # Where the folder is gone, or on another drive, there is no way from here to there.
    with suppress(OSError, ValueError):
        below = os.path.relpath(path)
    return _quoted(path if below.startswith(os.pardir) else below)


def _quoted(word: str) -> str:
    """A word as a shell takes it whole; the one of Windows knows double quotes alone."""
    if sys.platform == "win32":
        return word if re.fullmatch(r"[\w\\/.:+-]+", word) else f'"{word}"'
    return shlex.quote(word)


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
                f"are mixed: {_pip('uninstall')} rulekit {NAME}, then install {NAME} again"
            )
    return ""
