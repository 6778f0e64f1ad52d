"""`rulekit run` and `rulekit replay` as somebody at a terminal, or a script, meets them."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulekit.apps.cli import main
from rulekit.apps.commands import ended
from rulekit.loading import load
from rulekit.record.log import parse
from rulekit.record.replay import read, replay
from tests.cli.golden import SCREEN_COMMANDS, games, loaded, names_of_playthroughs, playthrough, screen
from tests.paths import PLAYTHROUGHS, ROOT, SCREENS
from tests.processes import HANG, take_interrupts

TIGER = "games/fuzzy_tiger.rules"
COMMAND = [sys.executable, "-m", "rulekit"]
REVIEW = "renew and review: python -m tests.cli.golden"


def rulekit(*arguments: str, typed: str | bytes | None = "") -> subprocess.CompletedProcess[str]:
    """The command with what is typed; in a process of its own where that, or an argument, is no plain text."""
    if isinstance(typed, str) and all(word.isprintable() for word in arguments):
        done = called(*arguments, typed=typed)
        assert "Traceback" not in done.stdout + done.stderr
        return done
    return process(*arguments, typed=typed)


def called(*arguments: str, typed: str) -> subprocess.CompletedProcess[str]:
    """The command in this process, from its command line to its exit code: a start takes longer than most matches."""
    streams = [io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (typed.encode(), b"", b"")]
    with pytest.MonkeyPatch.context() as changed:
        changed.chdir(ROOT)
        changed.setattr(sys, "argv", ["rulekit", *arguments])
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            changed.setattr(sys, name, stream)
        code = ended()
        for stream in streams[1:]:
            stream.flush()
    out, err = (stream.buffer.getvalue().decode() for stream in streams[1:])
    return subprocess.CompletedProcess([*arguments], code, out, err)


def process(*arguments: str, typed: str | bytes | None = "") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with hashes of its own: whatever depended on them would differ."""
    data = typed.encode() if isinstance(typed, str) else typed
    done = subprocess.run([*COMMAND, *arguments], input=data, capture_output=True, cwd=ROOT, check=False, timeout=HANG)
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in out + err
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


# ---------------------------------------------------------------- golden files


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem)
def test_every_game_has_its_playthroughs_and_still_plays_them(path: Path) -> None:
    game = loaded(path)
    for name, seats in names_of_playthroughs(path, game).items():
        golden = PLAYTHROUGHS / name
        assert golden.is_file(), f"{name} is missing: python -m tests.cli.golden"
        assert playthrough(game, seats) == golden.read_text(encoding="utf-8"), REVIEW


def test_no_playthrough_is_of_a_game_that_is_gone() -> None:
    wanted = {name for path in games() for name in names_of_playthroughs(path, loaded(path))}
    assert {path.name for path in PLAYTHROUGHS.glob("*.txt")} == wanted


@pytest.mark.parametrize("name", sorted(SCREEN_COMMANDS))
def test_a_screen_looks_as_it_did(name: str) -> None:
    arguments, typed = SCREEN_COMMANDS[name]
    assert screen(arguments, typed) == (SCREENS / name).read_text(encoding="utf-8"), REVIEW


# ---------------------------------------------------------------- bots alone


def test_bots_play_to_the_end_and_the_log_replays(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    done = process("run", TIGER, "--seed", "tuesday", "--players", "3", "--record", str(log))
    assert done.returncode == 0
    assert "Seed: tuesday" in done.stdout.splitlines()[1]
    assert re.search(r"wins\.|share the victory\.|Nobody wins\.", done.stdout)
    assert str(log) in done.stdout
    again = rulekit("replay", str(log))
    assert again.returncode == 0
    assert "decisions hold, with the same outcome." in again.stdout.splitlines()[-1]


def test_a_fresh_seed_is_told_and_gives_the_same_match_again() -> None:
    first = rulekit("run", TIGER)
    seed = first.stdout.splitlines()[1].removeprefix("Seed: ")
    assert process("run", TIGER, "--seed", seed).stdout == first.stdout
    assert seed not in rulekit("run", TIGER, "--seats", "human").stdout


def test_a_fresh_seed_is_told_only_at_the_end_where_people_play() -> None:
    done = rulekit("run", TIGER, "--seats", "human", typed="q\n")
    assert done.stdout.count("Seed: ") == 1
    assert "Seed: " in done.stdout.splitlines()[-1]


def test_open_readings_and_assumptions_are_named_at_the_end() -> None:
    done = rulekit("run", "games/hornochsen.rules", "--seed", "1")
    assert done.returncode == 0
    assert "Assumed, since the rule text does not tell:" in done.stdout
    assert "Here: no, a price is a price. [price_when_happy=paid]" in done.stdout


def test_json_lines_are_canonical_and_end_with_the_outcome() -> None:
    done = rulekit("run", TIGER, "--seed", "1", "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert (lines[0]["type"], lines[0]["seed"], lines[-1]["type"]) == ("start", "1", "outcome")
    assert {line["type"] for line in lines} == {"start", "event", "decision", "outcome"}
    assert all(
        line == json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")) for line in done.stdout.splitlines()
    )


def test_json_tells_a_spectator_nothing_secret_where_people_play() -> None:
    done = rulekit("run", TIGER, "--seed", "1", "--json", "--seats", "human", typed="3\n" * 2)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 130
    assert "seed" not in rulekit("run", TIGER, "--json", "--seats", "human").stdout
    before = lines[: next(i for i, line in enumerate(lines) if line.get("name") == "reveal")]
    assert all(line["facts"].get("things", 1) == 1 for line in before if line["type"] == "event")
    assert not [line for line in lines if line["type"] == "decision" and ("options" in line or "answer" in line)]
    assert "Play a card" in done.stderr


def test_names_and_rulesets_and_options(tmp_path: Path) -> None:
    variant = tmp_path / "variant.rules"
    text = (
        'game "Late"\n    extends "fuzzy_tiger"\n\nruleset "late"\n    use stir_when is late\n    use think is bare\n'
    )
    variant.write_text(text, encoding="utf-8")
    log = tmp_path / "v.log"
    arguments = ("--names", "Ann,Bob", "--option", "think=full", "--option", "left_out=1,2", "--record", str(log))
    done = rulekit("run", str(variant), "--ruleset", "late", *arguments)
    assert done.returncode == 0, done.stderr
    assert "Ann's monkey" in done.stdout
    header = read(log).header
    assert header.options["stir_when"] == "late"
    assert header.options["think"] == "full"
    assert header.options["left_out"] == (1, 2)
    assert (header.ruleset, header.seats) == ("late", ("Ann", "Bob"))
    assert rulekit("replay", str(log)).returncode == 0


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("utf16", "game".encode("utf-16"), "UTF-16"),
        ("nul", b"game \0\0\0\n", "error"),
        ("empty", b"", "error"),
        ("latin", b'game "\xe9"\n', "not UTF-8"),
    ],
)
def test_a_file_that_is_no_rules_text(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    path = tmp_path / f"{name}.rules"
    path.write_bytes(data)
    done = rulekit("run", str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["run", "games/nothing.rules"], 1, "no such file"),
        (["run", "games"], 1, "folder"),
        (["run"], 2, "FILE"),
        (["run", TIGER, "--option", "thnk=bare"], 1, "did you mean `think`"),
        (["run", TIGER, "--option", "think=bear"], 1, "did you mean `bare`"),
        (["run", TIGER, "--option", "think"], 1, "think=VALUE"),
        (["run", TIGER, "--option", "think=bare", "--option", "think=full"], 1, "twice"),
        (["run", TIGER, "--option", "left_out=9"], 1, "1 to 8"),
        (["run", TIGER, "--option", "left_out=1,2,3"], 1, "left_out"),
        (["run", TIGER, "--ruleset", "old"], 1, "no ruleset"),
        (["run", TIGER, "--players", "6"], 1, "2 to 5"),
        (["run", TIGER, "--players", "0"], 2, "players"),
        (["run", TIGER, "--seats", "humn"], 2, "did you mean `human`"),
        (["run", TIGER, "--seats", "human,random,random", "--players", "2"], 2, "--seats names 3"),
        (["run", TIGER, "--names", "a,b,c", "--players", "2"], 2, "--names has 3"),
        (["run", TIGER, "--names", "a,a"], 1, "name of its own"),
        (["run", TIGER, "--names", "a,"], 2, "seat's name"),
        (["run", TIGER, "--names", "a,b.c"], 2, "seat's name"),
        (["run", TIGER, "--sed", "1"], 2, "--seed"),
        (["run", TIGER, "--record", "/nowhere/at/all.log"], 1, "no log can be written"),
        (["run", TIGER, "--record", "games"], 1, "there is a file already"),
        (["replay", "nothing.log"], 1, "no such file"),
        (["replay", "games"], 1, "folder"),
        (["replay", TIGER], 1, "line 1: "),
    ],
)
def test_bad_input_is_told_in_a_line_with_its_exit_code(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # In this process and with the game loaded once: two dozen new ones would take most of the suite's time.
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", ["rulekit", *arguments])
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as end:
        main()
    signal.signal(signal.SIGTERM, before)
    told = capsys.readouterr()
    assert (end.value.code, told.out) == (code, "")
    assert said in told.err
    assert "Traceback" not in told.err


def test_no_log_is_made_for_a_match_that_cannot_start(tmp_path: Path) -> None:
    rulekit("run", TIGER, "--players", "6", "--record", str(tmp_path / "x.log"))
    assert not (tmp_path / "x.log").exists()


def test_a_log_is_never_overwritten(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text("precious", encoding="utf-8")
    assert rulekit("run", TIGER, "--record", str(log)).returncode == 1
    assert log.read_text(encoding="utf-8") == "precious"


def test_stray_bytes_in_names_seeds_and_answers_are_no_fault_of_ours() -> None:
    assert rulekit("run", TIGER, "--seed", os.fsdecode(b"\xff")).returncode == 2
    assert rulekit("run", TIGER, "--names", os.fsdecode(b"a,\xff")).returncode == 2
    assert rulekit("run", TIGER, "--option", os.fsdecode(b"\xff=1")).returncode == 1
    assert rulekit("run", TIGER, "--seats", "human", typed=b"\xff\x1b[2J\nq\n").returncode == 0


# ---------------------------------------------------------------- replay


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of a match to its end."""
    log = tmp_path_factory.mktemp("played") / "match.log"
    assert rulekit("run", TIGER, "--seed", "rec", "--record", str(log)).returncode == 0
    return log.read_bytes()


@pytest.fixture
def recorded(played: bytes, tmp_path: Path) -> Path:
    log = tmp_path / "match.log"
    log.write_bytes(played)
    return log


def test_a_replay_shows_the_position_after_so_many_decisions(recorded: Path) -> None:
    done = rulekit("replay", str(recorded), "--to", "5")
    assert done.returncode == 0
    assert "distance: " in done.stdout
    assert re.search(r"(?m)^\s*5\. ", done.stdout)
    assert not re.search(r"(?m)^\s*6\. ", done.stdout)
    assert rulekit("replay", str(recorded), "--to", "100000").returncode == 1
    assert rulekit("replay", str(recorded), "--to", "-1").returncode == 2


def test_a_replay_in_json_says_what_the_match_said(recorded: Path) -> None:
    played = rulekit("run", TIGER, "--seed", "rec", "--json").stdout
    assert rulekit("replay", str(recorded), "--json").stdout == played


def test_a_log_under_changed_rules_says_where_it_stops_holding(recorded: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.rules"
    text = (ROOT / TIGER).read_text(encoding="utf-8")
    assert "steps from 1..2" in text
    changed.write_text(text.replace("steps from 1..2", "steps from 3..4"), encoding="utf-8")
    done = rulekit("replay", str(recorded), "--rules", str(changed))
    assert done.returncode == 1
    assert "the rules are not those" in done.stderr
    assert re.search(r"error\[[a-z-]+\]: decision \d+ \(line \d+\) no longer holds: ", done.stderr)


def test_a_log_of_another_game_is_refused_with_a_reason(recorded: Path) -> None:
    done = rulekit("replay", str(recorded), "--rules", "games/hornochsen.rules")
    assert done.returncode == 1
    assert "error[setup]: the setup (line 1)" in done.stderr


def test_a_damaged_log_is_told_with_its_line(recorded: Path) -> None:
    lines = recorded.read_bytes().splitlines(keepends=True)
    recorded.write_bytes(b"".join(lines[:8] + lines[9:]))
    done = rulekit("replay", str(recorded))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{recorded}: line 9: " in done.stderr


def test_a_torn_log_is_told_and_played_as_far_as_it_goes(recorded: Path) -> None:
    data = recorded.read_bytes().splitlines(keepends=True)
    recorded.write_bytes(b"".join(data[:8]) + data[8][:10])
    done = rulekit("replay", str(recorded))
    assert done.returncode == 0
    assert "line 9 is unfinished and was set aside" in done.stderr
    assert "All 7 decisions hold; the match was not finished." in done.stdout


def test_a_log_whose_rules_are_gone_asks_for_them(recorded: Path, tmp_path: Path) -> None:
    copy = tmp_path / "mine.rules"
    copy.write_text((ROOT / TIGER).read_text(encoding="utf-8"), encoding="utf-8")
    log = tmp_path / "mine.log"
    rulekit("run", str(copy), "--record", str(log))
    copy.unlink()
    done = rulekit("replay", str(log))
    assert done.returncode == 1
    assert "--rules FILE" in done.stderr
    assert rulekit("replay", str(log), "--rules", TIGER).returncode == 0


# ---------------------------------------------------------------- people without a terminal


def test_answers_come_from_lines_and_the_end_of_them_stops_the_match(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    done = rulekit("run", TIGER, "--seed", "1", "--seats", "human", "--record", str(log), typed="x\n\n?\n3\n")
    assert done.returncode == 130
    assert "`x` is not among these" in done.stdout
    assert "FT-05: Everybody secretly chooses" in done.stdout
    assert "Red lays card 3" in done.stdout
    assert str(log) in done.stderr
    again = replay(read(log), load(ROOT / TIGER))
    assert again.fault is None
    assert again.held >= 2


def test_q_quits_with_the_log_saved(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    done = rulekit("run", TIGER, "--seats", "human", "--record", str(log), typed="Walk\nq\n")
    assert done.returncode == 0
    assert "Stopped after" in done.stdout
    assert read(log).header.players == ("human", "random")


def test_undo_says_why_not_and_practice_allows_it(tmp_path: Path) -> None:
    typed = "u\n5\nu\nq\n"
    done = rulekit("run", TIGER, "--seed", "1", "--seats", "human", typed=typed)
    assert "you have not decided anything yet" in done.stdout
    assert "secret answers have been put together" in done.stdout
    log = tmp_path / "a.log"
    done = rulekit("run", TIGER, "--seed", "1", "--seats", "human", "--practice", "--record", str(log), typed=typed)
    assert "Taken back." in done.stdout
    assert b'{"back":0,' in log.read_bytes()
    assert parse(log.read_bytes()).entries == ()


def test_each_of_several_people_sees_only_their_own_secrets() -> None:
    done = rulekit("run", TIGER, "--seed", "1", "--seats", "human,human", typed="3\n")
    assert done.returncode == 130
    first, second = done.stdout.split("--- only for Blue ---")
    assert "--- only for Red ---" in first
    assert "Blue: sheltered no; hand 9 cards" in first
    assert "Red: sheltered no; hand 9 cards" in second
    assert "card 3" not in first + second


def test_people_without_secrets_from_each_other_take_back_together(tmp_path: Path) -> None:
    typed = "1\nu\n2\n1\nq\n"
    done = rulekit("run", str(_slow_game(tmp_path)), "--seats", "human,human", typed=typed)
    assert "Taken back what Red decided." in done.stdout
    assert "Hand over" not in done.stdout
    assert "only for" not in done.stdout
    assert done.stdout.count("Red chooses 1") == 1
    assert done.stdout.count("Red chooses 2") == 1


# ---------------------------------------------------------------- signals and pipes


def _slow_game(tmp_path: Path) -> Path:
    """A game that goes on until it is stopped."""
    path = tmp_path / "long.rules"
    path.write_text(
        'game "Long"\n    players 2\n\ncounter tally\nplay\n    repeat\n        each player\n'
        "            player chooses step from 1..2\n            set tally to tally + step\n"
        "result\n    rank players by highest 1\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_a_match_and_keeps_its_log(tmp_path: Path, number: int, code: int) -> None:
    path, log = _slow_game(tmp_path), tmp_path / "long.log"
    arguments = [*COMMAND, "run", str(path), "--record", str(log)]
    running = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=ROOT, preexec_fn=take_interrupts
    )
    deadline = time.monotonic() + HANG
    while time.monotonic() < deadline and (not log.exists() or log.read_bytes().count(b"\n") < 20):
        time.sleep(0.02)
    running.send_signal(number)
    _, err = running.communicate(timeout=HANG)
    assert running.returncode == code
    assert b"Traceback" not in err
    assert str(log).encode() in err
    again = replay(read(log), load(path))
    assert again.fault is None
    assert again.held >= 19


@pytest.mark.parametrize("what", [f"run {TIGER} --seed 1", f"run {TIGER} --json", "replay {log}"])
def test_a_closed_pipe_is_141(recorded: Path, what: str) -> None:
    arguments = what.replace("{log}", str(recorded))
    command = f"{sys.executable} -m rulekit {arguments} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False, timeout=HANG)
    assert done.returncode == 141
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


def test_a_full_disk_is_told_and_the_match_stops() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m rulekit run {TIGER} --seed 1 > /dev/full"],
        capture_output=True, text=True, cwd=ROOT, check=False, timeout=HANG,
    )  # fmt: skip
    assert done.returncode == 1
    assert "no space left" in done.stderr


# ---------------------------------------------------------------- a terminal


class Terminal:
    """A command on a pseudo-terminal, read as far as asked."""

    def __init__(self, *arguments: str, columns: int = 80) -> None:
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            take_interrupts()
            os.chdir(ROOT)
            os.environ |= {"TERM": "xterm", "COLUMNS": str(columns), "LINES": "40"}
            os.execv(sys.executable, [*COMMAND, *arguments])
        self.text = ""

    def until(self, wanted: str, times: int = 1) -> str:
        """Read until `wanted` came so often since the last line typed."""
        deadline = time.monotonic() + HANG
        while self.text.count(wanted) < times:
            assert time.monotonic() < deadline, f"{wanted!r} did not come: {self.text[-2000:]}"
            if select.select([self.end], [], [], 0.5)[0]:
                try:
                    self.text += os.read(self.end, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        return self.text

    def type(self, line: str) -> None:
        self.text = ""
        os.write(self.end, line.encode())

    def interrupt(self) -> int:
        """Type Ctrl-C; gives the code.

        A signal between the prompt and the reading of the answer waits for the next key, in Python itself.
        """
        self.type("\x03")
        while not self._is_over():
            os.write(self.end, b"\n")
        return self.code()

    def _is_over(self) -> bool:
        """Whether nothing more comes; looked at until nothing came for a while."""
        try:
            while select.select([self.end], [], [], 3.0)[0]:
                if not os.read(self.end, 65536):
                    return True
        except OSError:
            return True
        return False

    def code(self) -> int:
        self.until("\0")
        _, status = os.waitpid(self.pid, 0)
        os.close(self.end)
        return os.waitstatus_to_exitcode(status)


def test_a_person_can_play_at_a_terminal() -> None:
    terminal = Terminal("run", TIGER, "--seed", "1", "--seats", "human")
    shown = terminal.until("> ")
    assert "\x1b[" in shown
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in shown.splitlines()) <= 80
    terminal.type("6\n")
    assert "Red lays card 6 (Run)" in terminal.until("Type a number")
    terminal.until("> ")
    terminal.type("q\n")
    assert terminal.code() == 0


def test_the_screen_is_wiped_before_it_is_handed_over() -> None:
    terminal = Terminal("run", TIGER, "--seed", "1", "--seats", "human,human")
    assert "Hand over to Red" in terminal.until("looks: ")
    terminal.type("\n")
    assert "1, 2, 3" in terminal.until("> ")
    terminal.type("4\n")
    shown = terminal.until("looks: ")
    assert "\x1b[2J\x1b[3JHand over to Blue" in shown
    assert "Liana" not in shown
    terminal.type("\n")
    shown = terminal.until("> ")
    assert "red's played" not in shown
    assert terminal.interrupt() == 130


def test_what_is_covered_again_is_wiped_from_the_screen() -> None:
    terminal = Terminal("run", "games/foxy.rules", "--seed", "h", "--seats", "human")
    assert "shown: zebra and giraffe" in terminal.until("> ")
    terminal.type("2\n")
    _, shown = terminal.until("> ").split("\x1b[2J\x1b[3J")
    assert "zebra" not in shown
    said = " ".join(shown.split())
    assert "shown: bear and cat + 1 hidden" in said
    assert " 2 - - - " in said
    assert "Red writes 2." in shown
    terminal.type("q\n")
    assert terminal.code() == 0


def test_ctrl_c_at_a_question_keeps_the_log(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    terminal = Terminal("run", TIGER, "--seats", "human", "--record", str(log))
    terminal.until("> ")
    assert terminal.interrupt() == 130
    assert read(log).entries == ()


# ---------------------------------------------------------------- a rule that fails


_FAILING = """game "Failing"
    players 2
counter n 0..{most}
setup
    raise n by 1
    raise n by 1
play
    each player
        player chooses x from [3]
        player always chooses y from [4]
        raise n by x
        raise n by y
result: rank players
"""


def _rules_that_fail(tmp_path: Path, most: int) -> str:
    path = tmp_path / "failing.rules"
    path.write_text(_FAILING.format(most=most), encoding="utf-8")
    return str(path)


def test_what_happened_before_a_rule_failed_is_told(tmp_path: Path) -> None:
    rules, log = _rules_that_fail(tmp_path, 7), str(tmp_path / "failing.log")
    done = rulekit("run", rules, "--record", log)
    assert done.returncode == 1
    assert "Red chooses 4 (y).\nThe n is now 5.\n" in done.stdout
    assert "`n` would become 9" in done.stderr
    assert "Red chooses 4 (y).\nThe n is now 5.\n" in rulekit("run", rules, "--seats", "human", typed="4\n").stdout
    assert "Red chooses 4 (y).\nThe n is now 5.\n" in rulekit("replay", log).stdout


def test_json_lines_hold_what_happened_before_a_rule_failed(tmp_path: Path) -> None:
    rules, log = _rules_that_fail(tmp_path, 7), str(tmp_path / "failing.log")
    for arguments in (("run", rules, "--record", log), ("replay", log)):
        lines = [json.loads(line) for line in rulekit(*arguments, "--json").stdout.splitlines()]
        assert [line["type"] for line in lines[-3:]] == ["decision", "event", "event"]
        assert lines[-1]["facts"] == {"what": "n", "value": 5}


def test_what_happened_before_a_setup_failed_is_told(tmp_path: Path) -> None:
    done = rulekit("run", _rules_that_fail(tmp_path, 1))
    assert (done.returncode, done.stdout) == (1, "The n is now 1.\n")
    assert "`n` would become 2" in done.stderr
