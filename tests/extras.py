"""What some tests need that is no part of `.[test]`: other programs, and other people's packages.

A test says it by `@needs("node")`, a module by `pytestmark = needs("node")`.
Where the thing is missing, the test is skipped and says why; where the
variable RULEKIT_REQUIRE names it (`RULEKIT_REQUIRE=node,peers`, or `all`), the
test fails.  `pytest -m needs` runs these tests alone, as `.ci/run` does.
"""

from __future__ import annotations

import importlib
import os
import shutil
import warnings

import pytest
from attrs import frozen

REQUIRE = "RULEKIT_REQUIRE"
ALL = "all"


@frozen
class Extra:
    """Something that may be missing.

    reason:    what a test that is skipped says.
    programs:  names of which one is enough.
    modules:   packages that all must be importable.
    variable:  of the environment, which must name a folder.
    """

    reason: str
    programs: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    variable: str = ""

    def is_here(self) -> bool:
        if self.variable and not os.path.isdir(os.environ.get(self.variable, "")):
            return False
        has_program = not self.programs or any(shutil.which(name) for name in self.programs)
        return has_program and all(_is_importable(name) for name in self.modules)


FIREFOX = ("firefox-esr", "firefox")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
EXTRAS = {
    "browser": Extra(
        "no Chromium, or no Playwright to drive it",
        programs=BROWSERS,
        modules=("playwright.sync_api", "axe_playwright_python.sync_playwright", "uvicorn"),
    ),
    "cc": Extra("no C compiler", programs=("cc", "gcc")),
    "firefox": Extra("no Firefox", programs=FIREFOX, modules=("uvicorn",)),
    "gettext": Extra("GNU gettext is not installed", programs=("msgfmt",)),
    "nginx": Extra("nginx is not installed", programs=("nginx",), modules=("uvicorn",)),
    "node": Extra("Node is not installed", programs=("node",)),
    "openspiel": Extra("OpenSpiel is not installed", modules=("pyspiel",)),
    "parquet": Extra("pyarrow is not installed", modules=("pyarrow.parquet",)),
    "peers": Extra("OpenSpiel and PettingZoo are not installed", modules=("pyspiel", "pettingzoo.classic")),
    "pyodide": Extra("RULEKIT_PYODIDE names no folder", programs=("node",), variable="RULEKIT_PYODIDE"),
    "vsce": Extra("RULEKIT_VSCE names no folder", programs=("node",), variable="RULEKIT_VSCE"),
    "wheel": Extra("RULEKIT_PYODIDE names no folder", variable="RULEKIT_PYODIDE"),
    "wasmtime": Extra("wasmtime is not installed", modules=("wasmtime",)),
    "zoo": Extra("PettingZoo is not installed", modules=("pettingzoo",)),
}


def needs(name: str) -> pytest.MarkDecorator:
    """The mark of a test that needs something of `EXTRAS`."""
    assert name in EXTRAS, name
    return pytest.mark.needs(name)


def chromium() -> str:
    """Where the browser is.  Only where `browser` is here."""
    return next(path for name in BROWSERS if (path := shutil.which(name)))


def firefox() -> str:
    """Where the browser is.  Only where `firefox` is here."""
    return next(path for name in FIREFOX if (path := shutil.which(name)))


def demand(name: str) -> None:
    """Skip the running test, or fail it, if something of `EXTRAS` is missing."""
    extra = EXTRAS[name]
    if extra.is_here():
        return
    if name in required():
        pytest.fail(f"{extra.reason}, and {REQUIRE} asks for it: {name}")
    pytest.skip(extra.reason)


def required() -> frozenset[str]:
    """What must not be missing in this run."""
    named = frozenset(name for name in os.environ.get(REQUIRE, "").split(",") if name)
    if named == {ALL}:
        return frozenset(EXTRAS)
    if unknown := named - EXTRAS.keys():
        raise pytest.UsageError(f"{REQUIRE}: {', '.join(sorted(unknown))}; known: {', '.join(EXTRAS)}, or {ALL}")
    return named


def may_skip(reason: str) -> bool:
    """Whether a test may have been skipped for a reason."""
    return any(extra.reason in reason for name, extra in EXTRAS.items() if name not in required())


def _is_importable(name: str) -> bool:
    """Whatever a package does instead of being there: its wheel may fit no machine like this one."""
    try:
        with warnings.catch_warnings(action="ignore"):
            importlib.import_module(name)
    except (ImportError, OSError, RuntimeError):
        return False
    return True
