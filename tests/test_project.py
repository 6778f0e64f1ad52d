"""What a project should have, and says that it has: a licence, a changelog, targets of make that are explained."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement

from rulekit.compiler.runtime import wasm_host
from tests.paths import ROOT

METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_licence_goes_with_the_wheel() -> None:
    assert METADATA["license"] == "MIT"
    assert METADATA["license-files"] == ["LICENSE"]
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License\n\nCopyright (c) ")


def test_the_changelog_begins_with_what_is_not_released_and_holds_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert sections[0] == "Unreleased"
    assert any(section.startswith(f"{METADATA['version']} (") for section in sections)
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= {"Added", "Changed", "Fixed"}


def test_every_target_of_make_is_explained() -> None:
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    targets = {line.partition(":")[0]: line for line in lines if re.match(r"[a-z]+:", line)}
    assert set(targets) >= {"help", "check", "golden", "bench", "docs", "soak"}
    assert not [line for line in targets.values() if "  ## " not in line]
    phony = next(line for line in lines if line.startswith(".PHONY:"))
    assert set(phony.split()[1:]) == set(targets)


def test_wasmtime_is_installed_where_the_program_knows_it_can_run() -> None:
    (wasmtime,) = (one for one in map(Requirement, METADATA["dependencies"]) if one.name == "wasmtime")
    assert wasmtime.marker is not None
    for system in (*wasm_host.SYSTEMS, "emscripten", "wasi", "freebsd14"):
        for processor in (*wasm_host.PROCESSORS, "wasm32", "riscv64", "armv7l", "i686"):
            known = system in wasm_host.SYSTEMS and processor in wasm_host.PROCESSORS
            there = {"sys_platform": system, "platform_machine": processor}
            assert wasmtime.marker.evaluate(there) == known, there
