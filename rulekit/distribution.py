"""How this package was installed: what an extra needs, and whether a stranger shares its folder.

The package index knows another project as `rulekit`, so this one is
distributed as `rulekit-games`.  A hint names the packages that are missing,
which can be installed wherever rulekit itself came from.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress

NAME = "rulekit-games"
_REQUIREMENT = (
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
    import shlex

    return shlex.quote(word)


def _needed(extra: str) -> set[str]:
    """The packages of an extra with their versions; of extras that it names, theirs too."""
    # Only who lacks a package waits for this.
    from importlib.metadata import PackageNotFoundError, requires

    try:
        stated = [found for line in requires(NAME) or () if (found := re.match(_REQUIREMENT, line))]
    except PackageNotFoundError:
        return set()
    needed: set[str] = set()
    for one in stated:
        if (one["extra"] or "") == extra and one["name"] == NAME:
            needed.update(*(_needed(inner.strip()) for inner in one["extras"].split(",")))
        elif (one["extra"] or "") == extra:
            needed.add(one["name"] + one["version"].strip().strip("()"))
    return needed


def stranger(package: str | os.PathLike[str] | None = None) -> str:
    """What to do if another distribution called `rulekit` is installed in the same folder; "" if there is none.

    package: the folder of the package, by default this one.
    """
    around = os.path.dirname(package or os.path.dirname(__file__))
    if os.path.basename(around) not in ("site-packages", "dist-packages"):
        return ""
    for found in os.listdir(around):
        is_other = found.startswith("rulekit-") and found.endswith(".dist-info")
        if is_other and "rulekit.apps.cli" not in _entry_points(os.path.join(around, found)):
            return (
                f"another project called rulekit is installed in the same folder ({found}), and files of the two "
                f"are mixed: {_pip('uninstall')} rulekit {NAME}, then install {NAME} again"
            )
    return ""


def _entry_points(info: str) -> str:
    try:
        with open(os.path.join(info, "entry_points.txt"), encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
