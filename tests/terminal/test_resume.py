"""A match that was stopped is taken up: with all that was acknowledged, and to the same end; or the reason is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

import rulekit
from rulekit import Unreadable, library
from rulekit.apps.console import Failed
from rulekit.apps.play import log_file
from rulekit.apps.play.resuming import resumed
from rulekit.record.log import Writer
from rulekit.record.replay import read
from tests.cli.test_commands import Run, run
from tests.cli.test_hostile import SECRETIVE
from tests.paths import GAMES
from tests.sizes import some
from tests.soak import resuming

__all__ = ["run"]
FUZZY = str(GAMES / "fuzzy_tiger.rules")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("game", some(["foxy", "hornochsen", "fuzzy_tiger"], 2))
def test_a_match_that_is_killed_again_and_again_ends_as_if_it_had_not_been(game: str, tmp_path: Path) -> None:
    assert resuming.check(GAMES / f"{game}.rules", "short", tmp_path) > 2


@pytest.fixture
def begun(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The log of a match that a person left after two answers."""
    _types(monkeypatch, "1", "1", "q")
    code, out, _ = run("run", FUZZY, "--seats", "human,random", "--seed", "5", "--record", "match.log")
    assert code == 0
    assert "Go on with: rulekit run --resume match.log" in out
    return tmp_path / "match.log"


def _types(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_what_is_said_to_type_names_rules_that_the_log_would_not_find(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "rules" / "mine.rules").write_bytes(Path(FUZZY).read_bytes())
    monkeypatch.chdir(tmp_path / "here")
    _types(monkeypatch, "q")
    _, out, _ = run("run", "../rules/mine.rules", "--seats", "human", "--record", "a.log")
    assert "Go on with: rulekit run ../rules/mine.rules --resume a.log" in out
    _types(monkeypatch, "q")
    assert run("run", "../rules/mine.rules", "--resume", "a.log")[0] == 0


def test_it_goes_on_in_the_same_log(begun: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = begun.read_bytes()
    _types(monkeypatch, "2", "q")
    code, out, _ = run("run", "--resume", "match.log")
    assert code == 0
    assert "Going on after 2 decisions." in out
    assert begun.read_bytes().startswith(before)
    assert len(begun.read_bytes()) > len(before)


def test_an_unfinished_last_line_goes(begun: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = begun.read_bytes()
    begun.write_bytes(before + before.splitlines()[-1][:17])
    _types(monkeypatch, "q")
    assert run("run", "--resume", "match.log")[0] == 0
    assert begun.read_bytes() == before


def test_other_rules_are_refused(begun: Path, run: Run, tmp_path: Path) -> None:
    other = Path(FUZZY).read_text(encoding="utf-8").replace("distance 0..6", "distance 0..7")
    (tmp_path / "other.rules").write_text(other, encoding="utf-8")
    code, _, err = run("run", "other.rules", "--resume", "match.log")
    assert code == 1
    assert "the rules are others than those it was played by; `rulekit replay match.log`" in err


def test_a_match_that_is_over_is_refused(run: Run) -> None:
    run("run", FUZZY, "--seed", "5", "--record", "over.log")
    code, _, err = run("run", "--resume", "over.log")
    assert code == 1
    assert "this match is over" in err


def test_what_is_no_log_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "no.log").write_text("no log", encoding="utf-8")
    assert "damaged-log" in run("run", "--resume", "no.log")[2]
    assert "no such file" in run("run", "--resume", "nowhere.log")[2]


@pytest.mark.parametrize("words", [("--seats", "human"), ("--seed", "1"), ("--practice",), ("--record", "b.log")])
def test_nothing_else_is_chosen_anew(begun: Path, run: Run, words: tuple[str, ...]) -> None:
    code, _, err = run("run", "--resume", "match.log", *words)
    assert code == 2
    assert "--resume goes on as it was" in err


_HOLDING = (
    "import sys; from rulekit import library; held = library.LogFile(sys.argv[1], 'r+b'); print(1, flush=True); input()"
)


@pytest.mark.skipif(os.name == "nt", reason="there are no such locks")
def test_two_do_not_write_one_log(tmp_path: Path) -> None:
    """Locks are a process's, so another one holds it here."""
    log = tmp_path / "match.log"
    log.write_text("something", encoding="utf-8")
    command = [sys.executable, "-c", _HOLDING, str(log)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(Unreadable, match="being played by another process"):
            library.LogFile(log, "r+b")
        other.communicate(b"\n")
    library.LogFile(log, "r+b").close()


def test_chance_from_outside_is_for_the_program_that_gave_it(tmp_path: Path) -> None:
    game = rulekit.load(FUZZY)
    rulekit.Recorder(game, seats=2, seed=None, file=tmp_path / "outside.log").close()
    with pytest.raises(Failed, match="only the program that made it can go on"):
        resumed(str(tmp_path / "outside.log"), None, "en", False)


def test_a_log_whose_last_line_has_lost_its_end_is_written_on_behind_a_new_one(
    begun: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = begun.read_bytes()
    begun.write_bytes(before[:-1])
    _types(monkeypatch, "2", "q")
    assert run("run", "--resume", "match.log")[0] == 0
    assert begun.read_bytes().startswith(before)
    assert len(read(str(begun)).entries) > len(before.splitlines()) - 1


def test_a_match_that_was_stopped_before_its_last_line_gets_it(run: Run, tmp_path: Path) -> None:
    run("run", FUZZY, "--seed", "5", "--record", "over.log")
    log = tmp_path / "over.log"
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    code, out, _ = run("run", "--resume", "over.log")
    assert (code, log.read_bytes()) == (0, whole)
    assert "wins" in out


def test_what_another_process_writes_before_it_leaves_is_kept(
    begun: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on and leaves between reading the log and writing on."""
    opened = log_file.open_log
    written: list[bytes] = []

    def meanwhile(*words: object) -> object:
        got = opened(*words)  # type: ignore[arg-type]
        command = [sys.executable, "-m", "rulekit", "run", FUZZY, "--resume", "match.log"]
        subprocess.run(command, input="2\nq\n", text=True, capture_output=True, check=True)
        written.append(begun.read_bytes())
        return got

    before = begun.read_bytes()
    monkeypatch.setattr("rulekit.apps.play.resuming.open_log", meanwhile)
    _types(monkeypatch, "q")
    code, _, err = run("run", FUZZY, "--resume", "match.log")
    assert (code, begun.read_bytes()) == (1, written[0])
    assert written[0] != before
    assert "this match has just gone on elsewhere" in err


def test_only_who_rulekit_knows_can_go_on(run: Run, tmp_path: Path) -> None:
    rulekit.Recorder(rulekit.load(FUZZY), seats=2, seed=3, file=tmp_path / "outside.log").close()
    code, _, err = run("run", FUZZY, "--resume", "outside.log")
    assert code == 1
    assert "no bot is called `outside`" in err


def test_a_header_with_too_few_players_is_refused(begun: Path, run: Run) -> None:
    log = read(str(begun))
    lines: list[bytes] = []
    Writer(lines.append).header(evolve(log.header, players=("human",)))
    begun.write_bytes(b"".join(lines))
    code, _, err = run("run", "--resume", "match.log")
    assert code == 1
    assert "2 seats and 1 players" in err


@pytest.fixture
def secretive(tmp_path: Path) -> str:
    """Rules that fail at 8 and 9, and would tell the answer in the words of the fault."""
    (tmp_path / "secretive.rules").write_text(SECRETIVE, encoding="utf-8")
    return "secretive.rules"


def test_people_read_nothing_hidden_when_a_rule_fails_after_going_on(
    run: Run, secretive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _types(monkeypatch, "8", "q")
    run("run", secretive, "--seats", "human,human", "--record", "a.log")
    _types(monkeypatch, "9")
    code, _, err = run("run", "--resume", "a.log")
    assert code == 1
    assert err.splitlines()[-1].startswith("error[out-of-bounds]: the rule `play` cannot be carried out")
    assert "would become" not in err


def test_a_match_whose_rules_failed_cannot_go_on_and_people_read_nothing_hidden(
    run: Run, secretive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _types(monkeypatch, "8", "9")
    _, out, err = run("run", secretive, "--seats", "human,human", "--record", "a.log")
    assert "a.log" in err
    assert "Go on with" not in out + err
    code, _, err = run("run", "--resume", "a.log")
    assert code == 1
    assert "decision 2 does not hold; `rulekit replay a.log` says why" in err
    assert "would become" not in err
