"""Makes the golden files anew, and removes those of behaviours that are gone."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.editing.editor import OneServer
from tests.editing.snapshots.questions import QUESTIONS
from tests.editing.snapshots.readable import SNAPSHOTS, answered, snapshot


def main() -> None:
    server = OneServer()
    for path in SNAPSHOTS.glob("*.json"):
        if path.stem not in QUESTIONS:
            path.unlink()
    with TemporaryDirectory() as folder:
        for name in QUESTIONS:
            snapshot(name).write_text(answered(server, name, Path(folder, name)), encoding="utf-8")
    server.end()


if __name__ == "__main__":
    main()
