"""Series on the workers of a cluster: the same figures as here, also when a worker is killed on the way."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulekit.apps import pieces
from rulekit.apps.cli import cli
from rulekit.apps.console import Failed

TIGER = str(Path(__file__).parent.parent / "games" / "fuzzy_tiger.rules")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50, protocol="tcp://"
    ) as made:
        yield made


def simulate(*words: str) -> dict[str, Any]:
    run = CliRunner().invoke(cli, ["simulate", TIGER, "--seed", "far", "--json", *words], catch_exceptions=False)
    assert run.exit_code == 0
    return json.loads(run.stdout)


def far(cluster: Any, *words: str) -> dict[str, Any]:
    return simulate(*words, "--backend", "dask", "--scheduler", cluster.scheduler_address)


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_of_a_cluster_changes_no_figure(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "FAR", 0.2)
    killed: list[int] = []
    told = pieces._Sizes.told

    def kill(sizes: pieces._Sizes, piece: pieces.Piece) -> None:
        told(sizes, piece)
        if piece.first > 4 and not killed:
            process = next(iter(cluster.workers.values())).process
            killed.append(process.pid)
            os.kill(process.pid, signal.SIGKILL)

    monkeypatch.setattr(pieces._Sizes, "told", kill)
    words = ("--games", "60", "--engine", "interpreter")
    assert far(cluster, *words) == simulate(*words)
    assert killed


def test_a_scheduler_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PATIENCE", 1)
    with pytest.raises(Failed, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        simulate("--games", "5", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:9")


@pytest.mark.parametrize("package", ["joblib", "distributed"])
def test_without_the_packages_the_command_that_installs_them_is_told(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Failed, match=r"pip install 'rulekit\[cluster\]'"):
        simulate("--games", "5", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:9")
