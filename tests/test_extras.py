"""What some tests need and may be missing: they are skipped with the reason, or fail where it is required."""

from __future__ import annotations

import tomllib

import pytest

from tests import extras
from tests.paths import ROOT


@pytest.fixture(autouse=True)
def no_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv(extras.REQUIRE, raising=False)


def test_a_test_that_lacks_something_is_skipped_and_says_why() -> None:
    with pytest.raises(pytest.skip.Exception, match="Node is not installed"):
        extras.demand("node")
    assert extras.may_skip("Skipped: Node is not installed")
    assert not extras.may_skip("Skipped: too slow")


@pytest.mark.parametrize("asked", ["node", "peers,node", "all"])
def test_where_it_is_required_the_test_fails(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(extras.REQUIRE, asked)
    with pytest.raises(pytest.fail.Exception, match="Node is not installed, and RULEKIT_REQUIRE asks for it"):
        extras.demand("node")
    assert not extras.may_skip("Skipped: Node is not installed")


def test_what_is_required_must_be_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(extras.REQUIRE, "node,nodes")
    with pytest.raises(pytest.UsageError, match="nodes; known: browser, cc, firefox, gettext, nginx, node"):
        extras.required()


def test_a_package_that_cannot_start_here_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(name: str) -> None:
        raise RuntimeError("no native library for this platform")

    assert extras.Extra("", modules=("json",)).is_here()
    monkeypatch.setattr(extras.importlib, "import_module", refuses)
    assert not extras.Extra("", modules=("json",)).is_here()


def test_packages_of_extras_are_installed_by_extras_of_the_project() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    optional = tomllib.loads(text)["project"]["optional-dependencies"]
    for name in ("parquet", "peers", "zoo"):
        assert optional[name], name
        assert not any(name in line for line in optional["test"]), name
