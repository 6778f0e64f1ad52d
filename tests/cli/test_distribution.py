"""How rulekit is installed: games by name from anywhere, from its wheel too; hints that work; strangers noticed.

RULEKIT_PYODIDE names a folder with a wheel; `.ci/run` makes one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit import distribution, library
from rulekit.apps.commands import cli
from tests.extras import needs
from tests.sizes import some_of_each

COMMANDS = {
    "run": ("run", "NAME", "--seed", "1"),
    "simulate": ("simulate", "NAME", "--games", "3"),
    "compare": ("compare", "NAME", "NAME", "--games", "3"),
    "check": ("check", "NAME"),
    "test": ("test", "NAME"),
    "rulebook": ("rulebook", "NAME"),
    "text extract": ("text", "extract", "NAME"),
    "text gaps": ("text", "gaps", "NAME"),
    "text merge": ("text", "merge", "NAME", "new.it.po"),
}


@pytest.mark.parametrize(
    ("command", "name"), some_of_each(list(COMMANDS), ("fuzzy_tiger", "fuzzy_tiger.rules", "games/fuzzy_tiger.rules"))
)
def test_commands_take_the_names_of_games_that_ship(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(cli, [word.replace("NAME", name) for word in COMMANDS[command]])
    assert run.exit_code == 0, run.output
    assert f"no file {name} is here: using the game of that name that ships" in run.stderr


def test_a_file_that_is_there_goes_before_one_that_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "foxy.rules").write_text("game", encoding="utf-8")
    run = CliRunner().invoke(cli, ["check", "foxy.rules"])
    assert "1 error" in run.output
    assert "ships" not in run.stderr


@pytest.mark.parametrize(
    "name", ["../fuzzy_tiger.rules", "other/fuzzy_tiger.rules", "fuzzy", "games/", "x/../fuzzy_tiger"]
)
def test_only_plain_names_mean_games_that_ship(name: str) -> None:
    assert library.shipped(name) is None


def test_the_games_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(cli, ["games"]).output.splitlines()
    names = [path.stem for path in library.shipped_games()]
    listed = [line for line in told if not line.startswith(" ")]
    assert [line.split()[0] for line in listed] == names
    assert all("players" in line for line in listed)
    data = [json.loads(line) for line in CliRunner().invoke(cli, ["games", "--json"]).output.splitlines()]
    assert [one["name"] for one in data] == names


@pytest.mark.parametrize("words", [(), ("--extends", "fuzzy_tiger")])
def test_a_file_begun_is_clean_and_plays(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    assert run.invoke(cli, ["new", "my_game", *words]).exit_code == 0
    for command in (["check", "--strict"], ["test"], ["fmt", "--check"], ["run", "--seed", "1"]):
        told = run.invoke(cli, [*command[:1], "my_game.rules", *command[1:]])
        assert told.exit_code == 0, told.output
    again = run.invoke(cli, ["new", "my_game"])
    assert "there already" in str(again.exception)


@pytest.mark.parametrize("name", ["../x", "My Game", "", "x" * 70, "1st"])
def test_names_that_cannot_be_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["new", name]).exit_code == 2
    assert not list(tmp_path.iterdir())


def test_what_a_hint_installs_is_what_the_extra_states() -> None:
    python = distribution._python()
    assert distribution.install_hint("text") == f"{python} -m pip install 'text2num>=3'"
    assert distribution.install_hint("cluster", "joblib").endswith(" 'joblib>=1.4'")
    assert "'distributed>=" in distribution.install_hint("cluster")
    assert distribution.install_hint("", "polib") == f"{python} -m pip install 'polib>=1.2'"
    assert "'optuna>=" in distribution.install_hint("test"), "an extra that names others has theirs"


def test_a_hint_names_the_python_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one on the path would install the package where rulekit does not see it."""
    place = tmp_path / "my project" / ".venv" / "bin"
    place.mkdir(parents=True)
    monkeypatch.setattr(sys, "executable", str(place / "python"))
    monkeypatch.chdir(tmp_path / "my project")
    assert distribution.install_hint("text").startswith(".venv/bin/python -m pip install ")
    monkeypatch.chdir(place)
    (place / "below").mkdir()
    monkeypatch.chdir(place / "below")
    assert distribution.install_hint("text").startswith(f"'{place / 'python'}' -m pip install ")
    monkeypatch.setattr(sys, "platform", "win32")
    assert distribution.install_hint("text") == f'"{place / "python"}" -m pip install "text2num>=3"'


def test_where_there_is_no_pip_uv_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pip", None)
    python = distribution._python()
    assert distribution.install_hint("text") == f"uv pip install --python {python} 'text2num>=3'"


def test_a_stranger_of_the_same_name_is_noticed(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "rulekit"
    package.mkdir(parents=True)
    assert distribution.stranger(package) == ""
    (package.parent / "rulekit_games-0.1.0.dist-info").mkdir()
    assert distribution.stranger(package) == ""
    other = package.parent / "rulekit-2.1.4.dist-info"
    other.mkdir()
    assert "rulekit-2.1.4.dist-info" in distribution.stranger(package)
    (other / "entry_points.txt").write_text("[console_scripts]\nrulekit = rulekit.apps.cli:main\n", encoding="utf-8")
    assert distribution.stranger(package) == "", "an earlier one of ours"


@needs("wheel")
def test_the_wheel_plays_from_another_folder(tmp_path: Path) -> None:
    (wheel,) = Path(os.environ["RULEKIT_PYODIDE"]).glob("rulekit_games-*.whl")
    install = ["-m", "pip", "-q", "install", "--no-deps", "--target", str(tmp_path / "there"), str(wheel)]
    subprocess.run([sys.executable, *install], check=True)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "there")}
    command = [sys.executable, "-m", "rulekit", "run", "fuzzy_tiger", "--seed", "1", "--lang", "it"]
    (tmp_path / "away").mkdir()
    run = subprocess.run(command, cwd=tmp_path / "away", env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "using the game of that name that ships" in run.stderr
    where = subprocess.run(
        [sys.executable, "-c", "import rulekit; print(rulekit.__file__)"],
        cwd=tmp_path / "away", env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert str(tmp_path / "there") in where.stdout


# ---------------------------------------------------------------- what a game is about


@pytest.mark.parametrize(
    ("above", "about"),
    [
        ("# Snails race.\n", "Snails race."),
        ("# Snails race\n# up a wall.\n\n# Written in May.\n", "Snails race up a wall."),
        ("> S-1 A clause is no comment.\n", ""),
    ],
)
def test_the_games_are_told_with_what_their_files_begin_with(
    above: str, about: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f'{above}game "Snails"\n    by "N. N."\n    players 2\nplay: end game\n'
    (tmp_path / "snails.rules").write_text(text, encoding="utf-8")
    monkeypatch.setattr(library, "games", lambda: tmp_path)
    told = CliRunner().invoke(cli, ["games"]).output.splitlines()
    assert told == ["snails  Snails, by N. N.; 2 players", *([f"        {about}"] if about else [])]
    assert json.loads(CliRunner().invoke(cli, ["games", "--json"]).output)["about"] == about
