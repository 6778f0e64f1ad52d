"""What a hostile file, a careless command line or a broken surrounding does to the commands: little."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rulekit import library, start
from rulekit.apps.commands import cli
from rulekit.apps.console import guarded
from rulekit.loading import examine_text, load
from rulekit.model.game import Game
from rulekit.record import strict_json
from rulekit.record.log import Damaged, Header, Writer, parse
from rulekit.record.replay import read, replay, rules_named
from rulekit.source import Source
from rulekit.tools.drawing.text_board import Board, Grid, Space, board
from rulekit.tools.language.display_names import Names
from tests import paths
from tests.cli.test_run import Terminal
from tests.processes import HANG, take_interrupts

SECRETIVE = """game "Secrets"
    players 2
option start_at "Where to begin?" 0..9007199254740991 default 0
each player has
    counter secret, seen by owner
counter shown 0..1
play
    each player
        secretly player chooses number from 7..9
        set player.secret to number
    each player: set shown to player.secret
    end game
result
    rank players
"""


def rulekit(*arguments: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulekit", *arguments], input=typed, capture_output=True, text=True, check=False,
        cwd=paths.ROOT, timeout=HANG, env={**os.environ, **more},
    )  # fmt: skip


@pytest.fixture
def secretive(tmp_path: Path) -> str:
    path = tmp_path / "secretive.rules"
    path.write_text(SECRETIVE, encoding="utf-8")
    return str(path)


def game(text: str) -> Game:
    loaded = examine_text(Source("it.rules", text))
    assert loaded.game is not None, loaded.findings
    return loaded.game


# ---------------------------------------------------------------- logs


def rules_of(named: str, log: Path) -> str | None:
    """Which rules are taken for a log that names these."""
    lines: list[bytes] = []
    Writer(lines.append).header(
        Header(
            rulekit="0", file=named, rules="", title="", options={}, ruleset="", seats=("red",), players=("human",),
            seed="1", practice=False,
        )
    )  # fmt: skip
    log.write_bytes(b"".join(lines))
    return rules_named(read(log).header.file, str(log))


@pytest.fixture
def around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders with a rules file each: the current one, that of a log, and one that concerns neither."""
    for name in ("here/below", "logs", "outside"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / f"{Path(name).name}.rules").write_text("game", "utf-8")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.mark.parametrize("named", ["FOLDER/outside/outside.rules", "../outside/outside.rules", "link.rules"])
def test_a_log_opens_no_file_elsewhere(named: str, around: Path) -> None:
    (around / "here" / "link.rules").symlink_to(around / "outside" / "outside.rules")
    assert rules_of(named.replace("FOLDER", str(around)), around / "logs" / "a.log") is None


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("below/below.rules", "here/below/below.rules"),
        ("FOLDER/here/below/below.rules", "here/below/below.rules"),
        ("/somewhere/logs.rules", "logs/logs.rules"),
        ("FOLDER/logs/logs.rules", "logs/logs.rules"),
    ],
)
def test_a_log_opens_what_lies_here_or_beside_it(named: str, found: str, around: Path) -> None:
    taken = rules_of(named.replace("FOLDER", str(around)), around / "logs" / "a.log")
    assert taken is not None
    assert Path(taken).resolve() == (around / found).resolve()


def test_a_log_of_a_game_that_ships_finds_it_from_everywhere(around: Path) -> None:
    taken = rules_of("/another/machine/games/foxy.rules", around / "logs" / "a.log")
    assert taken == str(library.games() / "foxy.rules")


def test_many_keys_with_the_last_twice_are_refused_in_good_time() -> None:
    text = ",".join(f'"{number}":0' for number in [*range(60_000), 59_999])
    began = time.process_time()
    with pytest.raises(strict_json.BadJson, match='the key "59999" stands twice'):
        strict_json.loads(f"{{{text}}}".encode())
    assert time.process_time() - began < 5


@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_of_a_log_has_an_end(end: bytes) -> None:
    with pytest.raises(Damaged, match="line 2: this line is longer than 1 MiB"):
        parse(_first_line() + json.dumps({"back": "x" * 2**20}).encode() + end)


def _first_line() -> bytes:
    lines: list[bytes] = []
    Writer(lines.append).header(Header("1", "f", "r", "t", {}, "", ("a",), ("human",), "s"))
    return lines[0]


# ---------------------------------------------------------------- closed streams


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_fault(closed: str, secretive: str) -> None:
    words = f"{sys.executable} -m rulekit run {secretive} --seats human {closed}"
    assert subprocess.run(["bash", "-c", words], input=b"", capture_output=True, check=False).returncode == 130
    words = f"{sys.executable} -m rulekit check {secretive} {closed}"
    assert subprocess.run(["bash", "-c", words], input=b"", capture_output=True, check=False).returncode == 0


# ---------------------------------------------------------------- the command line


def test_a_huge_number_of_players_is_refused_before_seats_are_made(secretive: str) -> None:
    done = rulekit("run", secretive, "--players", "9" * 18)
    assert (done.returncode, done.stderr) == (1, f"error: Secrets is for 2 players, not {'9' * 18}\n")


def test_numbers_of_sixteen_digits_are_taken_and_long_refused_values_are_cut(secretive: str) -> None:
    taken = rulekit("run", secretive, "--option", "start_at=9007199254740991", "--seats", "human", typed="q\n")
    assert taken.returncode == 0
    refused = rulekit("run", secretive, "--option", "start_at=" + "9" * 1000)
    assert refused.returncode == 1
    assert f"cannot be `{'9' * 40}...`" in refused.stderr


def test_a_misspelt_command_names_the_right_one() -> None:
    done = rulekit("rnu")
    assert done.returncode == 2
    assert "'rnu'; did you mean `run`?" in done.stderr
    assert "did you mean" not in rulekit("xxxxxx").stderr


@pytest.mark.parametrize(("signal", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize("start", [["-m", "rulekit"], ["-c", "from rulekit.apps.cli import main; main()"]])
def test_a_stop_while_the_first_modules_are_imported_has_its_code(
    signal: str, code: int, start: list[str], tmp_path: Path
) -> None:
    (tmp_path / "click.py").write_text(
        f"import os, signal, time\nos.kill(os.getpid(), signal.{signal})\ntime.sleep(600)"
    )
    path = os.pathsep.join([str(tmp_path), str(paths.ROOT)])
    done = subprocess.run(
        [sys.executable, *start], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
        preexec_fn=take_interrupts,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (code, "")


# ---------------------------------------------------------------- a rule that fails


def test_people_read_nothing_hidden_when_a_rule_fails(secretive: str) -> None:
    done = rulekit("run", secretive, "--seats", "human,human", typed="8\n9\n")
    assert done.returncode == 1
    told = f"error[out-of-bounds]: the rule `play` cannot be carried out ({secretive}:11:18)"
    assert done.stderr.splitlines()[-1] == told
    shown = rulekit("run", secretive).stderr.splitlines()
    assert "would become" in shown[0]
    assert shown[1].strip() == f"{secretive}:11:18"
    assert shown[3].endswith("^ in `play`")


def test_the_decision_at_which_a_rule_fails_is_in_the_log(secretive: str, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    rulekit("run", secretive, "--seats", "human,human", "--record", str(log), typed="8\n9\n")
    again = replay(read(log), load(secretive))
    assert len(read(log).entries) == 2
    assert again.fault is not None
    assert (again.fault.code, again.fault.decision) == ("error", 2)
    assert "would become 8" in rulekit("replay", str(log)).stderr


@pytest.mark.parametrize("typed", ["8\n", "8\n9\n"])
def test_the_seed_is_told_however_a_match_with_people_ends(typed: str, secretive: str) -> None:
    done = rulekit("run", secretive, "--seats", "human,human", "--seed", "abc", typed=typed)
    assert done.returncode in (1, 130)
    assert "Seed: abc; 1 decision." in done.stderr


# ---------------------------------------------------------------- terminals


def test_a_terminal_one_column_wide_is_drawn_on(secretive: str) -> None:
    terminal = Terminal("run", secretive, "--seed", "1", "--seats", "human", columns=1)
    terminal.until(">")
    terminal.type("q\n")
    assert terminal.code() == 0


# ---------------------------------------------------------------- fmt


def test_a_text_that_would_mean_something_else_is_not_written_even_without_asserts(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_text(SECRETIVE, encoding="utf-8")
    program = (
        "import sys\nfrom rulekit.apps.cli import main\nfrom rulekit.syntax import unparse\n"
        "unparse.unparse = lambda file: 'game \"Other\"\\n    players 3\\n'\n"
        f"sys.argv = ['rulekit', 'fmt', {str(path)!r}]\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-O", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 70
    assert path.read_text(encoding="utf-8") == SECRETIVE


Formatted = Callable[[], tuple[int, str]]


@pytest.fixture
def formatted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Formatted:
    monkeypatch.chdir(tmp_path)
    Path("g.rules").write_text(SECRETIVE.replace("players 2", "players  2"), encoding="utf-8")

    def run() -> tuple[int, str]:
        code = guarded(lambda: cli.main(["fmt", "g.rules"], standalone_mode=False), debug=False)
        assert "players  2" in Path("g.rules").read_text(encoding="utf-8")
        assert os.listdir() == ["g.rules"]
        return code, capsys.readouterr().err

    return run


def test_a_write_protected_file_is_not_replaced(formatted: Formatted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert formatted() == (1, "error: g.rules was left as it was: it is write-protected\n")


def test_a_full_disk_names_the_file(formatted: Formatted, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert formatted() == (1, "error: g.rules was left as it was: no space left on device\n")


# ---------------------------------------------------------------- boards


PLACES = """game "Far"
    players 2
track way 0..{high}
grid field {size}
    spaces field hold 1
    full refuses
    edge stops
pieces stones of stone on field
    | stone |
    | a     |
    | b     |
each player has
    piece runner on way
setup
    picture stones
        | a . b |
    move first(players).runner to 5000
play: end game
result: rank players
"""


def shown(size: str) -> Board:
    state = start(game(PLACES.format(high=9000, size=size)), seed="1").state
    return board(state, None, Names(state.setting))


def test_a_very_long_track_is_told_in_stretches() -> None:
    spaces = (Space("0-4999"), Space("5000", ("Red",)), Space("5001-9000"))
    assert shown("3 by 1").tracks[0].spaces == spaces


def test_of_a_huge_grid_only_the_part_in_use_is_drawn() -> None:
    assert shown("3 by 2").grids == (Grid("field", 1, 1, (("a", "", "b"), ("", "", ""))),)
    assert shown("80 by 70").grids == (Grid("field", 1, 1, (("a", "", "b"),)),)


def test_of_a_huge_grid_with_pieces_far_apart_only_occupied_cells_are_told() -> None:
    far = PLACES.replace("| a . b |", f"| a {'. ' * 70}b |").format(high=9000, size="80 by 70")
    state = start(game(far), seed="1").state
    drawn = board(state, None, Names(state.setting))
    assert drawn.grids == ()
    assert drawn.tracks[1].name == "field"
    assert drawn.tracks[1].spaces == (Space("1,1", ("a",)), Space("72,1", ("b",)))
