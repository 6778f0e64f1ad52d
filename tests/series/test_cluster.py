"""Series on the workers of a cluster: the same figures as here, also when a worker is killed on the way."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.apps.console import Failed
from rulekit.apps.series import batches

SMALL = """game "Small"
    players 2..4
each player has
    counter wealth 0..40
play
    each turn in 1..3
        each player
            player chooses n from 0..3 "How much?"
            raise player.wealth by n
result
    rank players by highest wealth
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50, protocol="tcp://"
    ) as made:
        yield made


@pytest.fixture
def rules(tmp_path: Path) -> str:
    file = tmp_path / "small.rules"
    file.write_text(SMALL, encoding="utf-8")
    return str(file)


def simulate(file: str, *words: str) -> dict[str, Any]:
    run = CliRunner().invoke(cli, ["simulate", file, "--seed", "far", "--json", *words], catch_exceptions=False)
    assert run.exit_code == 0
    return json.loads(run.stdout)


def far(cluster: Any, *words: str) -> dict[str, Any]:
    return simulate(*words, "--backend", "dask", "--scheduler", cluster.scheduler_address)


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_of_a_cluster_changes_no_figure(
    cluster: Any, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "CLUSTER_SECONDS", 0.05)
    killed: list[int] = []
    told = batches._AdaptiveSizes.told

    def kill(sizes: batches._AdaptiveSizes, batch: batches.Batch) -> None:
        told(sizes, batch)
        if batch.first > 4 and not killed:
            process = next(iter(cluster.workers.values())).process
            killed.append(process.pid)
            os.kill(process.pid, signal.SIGKILL)

    monkeypatch.setattr(batches._AdaptiveSizes, "told", kill)
    words = (rules, "--games", "150", "--engine", "interpreter")
    assert far(cluster, *words) == simulate(*words)
    assert killed


def test_a_scheduler_that_is_not_there_is_told(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "SCHEDULER_SECONDS", 1)
    with pytest.raises(Failed, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        simulate(rules, "--games", "5", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:9")


@pytest.mark.parametrize("package", ["joblib", "distributed"])
def test_without_the_packages_the_command_that_installs_them_is_told(
    package: str, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Failed, match=r"python -m pip install 'distributed>=\S+' 'joblib>=\S+'"):
        simulate(rules, "--games", "5", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:9")


def test_of_matches_that_ended_only_the_sums_travel() -> None:
    played = batches.Batch(40, [(0, 9), (3, 100), (0, 8)], [1, 2], 0.5)
    sent = batches.packed(played, ())
    assert sent.rows == ((1, (3, 100)),)
    assert sent.batch() == batches.Batch(40, [(0,), (3, 100), (0,)], [1, 2], 0.5)
    assert batches.packed(played, (7,)).batch() == played


def test_a_single_worker_of_one_thread_is_given_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    class Joblib:
        """As far as it is used: with one job at a time it would run everything in this process."""

        parallel_config = staticmethod(lambda **_: nullcontext())
        Parallel = staticmethod(lambda **how: given.update(how))

    class Client:
        def nthreads(self) -> dict[str, int]:
            return {"tcp://there": 1}

    monkeypatch.setattr(batches, "_reached", lambda address: nullcontext(Client()))
    with batches._cluster(Joblib, batches.Workers(scheduler="tcp://there")):
        assert given["n_jobs"] > 1
