"""A step of building the package: Lark makes the tables of the grammar, so that whoever installs it need not.

They go into the wheel.  For an editable install they are left beside the
grammar, where git ignores them; who changes the grammar later gets new ones
from `rulekit.syntax.parse_tables`.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GrammarTables(BuildHookInterface):
    """Found by hatchling, since pyproject.toml asks for a custom hook of wheels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is written; version: "standard" or "editable"."""
        grammar = Path(self.root, "grammar")
        tables = self._tables((grammar / "rules.lark").read_text(encoding="utf-8"))
        if version == "editable":
            with suppress(OSError):
                (grammar / "rules.json").write_text(tables, encoding="utf-8")
            return
        self.folder = TemporaryDirectory()
        made = Path(self.folder.name, "rules.json")
        made.write_text(tables, encoding="utf-8")
        build_data["force_include"][str(made)] = "rulekit/_data/grammar/rules.json"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called after the wheel was written."""
        if version != "editable":
            self.folder.cleanup()

    def _tables(self, grammar: str) -> str:
        sys.path.insert(0, self.root)
        from rulekit.syntax import lark_tables

        return lark_tables.text(grammar)
