"""`check`, `test` and `fmt` as people meet them: what they print, how they end, what they leave alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulekit.apps.commands import cli
from rulekit.apps.console import FOUND, guarded
from rulekit.errors import BadInput
from tests.paths import GAMES

GOOD = """game "Steps"
    players 2
> A-1 A step goes up by one.
each player has
    counter score 0..9
play: do step(first players)                                                      @A-2
action step(player): raise player.score by 1                                      @A-1
> A-2 After a step whoever is higher wins.
result: rank players by highest score

scenario "one step"
    players ann, bob
    expect ann.score is 1

scenario "two steps"
    players ann, bob
    do step(bob)
    do step(bob)
    expect bob.score is 2
"""
FAILING = GOOD.replace("expect bob.score is 2", "expect bob.score is 3")
WARNED = GOOD + "\n> A-3 Nothing does this.\n"
BROKEN = GOOD.replace("by 1 ", "by skore ")
UGLY = GOOD.replace("    counter score 0..9", "    counter   score 0..9   # points").replace(
    "raise player.score", "raise  player.score"
)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in a folder of its own: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def called(*words: str) -> tuple[int, str, str]:
        code = guarded(lambda: cli.main(list(words), prog_name="rulekit", standalone_mode=False), debug=False)
        out, err = capsys.readouterr()
        return code, out, err

    return called


def written(name: str, text: str | bytes) -> bytes:
    data = text.encode("utf-8") if isinstance(text, str) else text
    Path(name).write_bytes(data)
    return data


# ---------------------------------------------------------------- every command and files that cannot be read

BAD_FILES: list[tuple[str, bytes | None, str]] = [
    ("missing", None, "there is no such file"),
    ("utf-16", GOOD.encode("utf-16"), "UTF-16"),
    ("latin-1", GOOD.replace("Steps", "Città").encode("latin-1"), "is not UTF-8"),
    ("tab", GOOD.replace("    players 2\n", "\tplayers 2\n", 1).encode(), "tab"),
    ("indent", GOOD.replace("    expect bob", "   expect bob").encode(), "x.rules:19"),
    ("nul", GOOD.replace("score 0", "score \0").encode(), "x.rules:5"),
    ("huge", b"# words\n" * 40_000, "larger than"),
]


@pytest.mark.parametrize("command", ["check", "test", "fmt"])
@pytest.mark.parametrize(("name", "data", "words"), BAD_FILES, ids=[name for name, _, _ in BAD_FILES])
def test_a_file_that_cannot_be_read_is_one_clear_finding(
    run: Run, command: str, name: str, data: bytes | None, words: str
) -> None:
    if data is not None:
        written("x.rules", data)
    code, out, err = run(command, "x.rules")
    said = out + err
    assert code == 1
    assert words in said
    assert "x.rules" in said
    assert "Traceback" not in said
    errors = re.findall(r"^error\[", said, re.M)
    assert len(errors) == 1 or (name == "nul" and errors)
    if data is not None:
        assert Path("x.rules").read_bytes() == data


@pytest.mark.parametrize("command", ["check", "test", "fmt"])
def test_a_folder_is_one_clear_finding(run: Run, command: str) -> None:
    Path("x.rules").mkdir()
    code, out, err = run(command, "x.rules")
    assert code == 1
    assert "this is a folder, not a file" in out + err


@pytest.mark.parametrize("command", ["check", "test"])
def test_an_empty_file_has_no_game(run: Run, command: str) -> None:
    written("x.rules", b"")
    code, out, _ = run(command, "x.rules")
    assert code == 1
    assert "this file declares no game" in out


@pytest.mark.parametrize("command", ["check", "test", "fmt"])
@pytest.mark.parametrize("words", [[], ["--colour", "x.rules"]], ids=["nothing", "unknown"])
def test_misuse_ends_with_2(run: Run, command: str, words: list[str]) -> None:
    code, _, err = run(command, *words)
    assert code == 2
    assert "Usage: rulekit " + command in err


@pytest.mark.parametrize("command", ["check", "test", "fmt"])
def test_help_teaches_with_an_example(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"rulekit {command} my_game.rules" in out


@pytest.mark.parametrize("command", ["check", "test", "fmt"])
def test_one_bad_file_does_not_hide_another(run: Run, command: str) -> None:
    written("a.rules", BROKEN if command != "fmt" else GOOD.replace("play:", "play"))
    code, out, err = run(command, "a.rules", "missing.rules")
    assert code == 1
    assert "a.rules:" in out + err
    assert "missing.rules" in out + err


def test_a_closed_pipe_is_no_fault() -> None:
    words = [sys.executable, "-m", "rulekit", "check", "--format", "json", *[str(p) for p in GAMES.glob("*.rules")]]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


# ---------------------------------------------------------------- check


@pytest.mark.parametrize(
    ("text", "strict", "code", "last"),
    [
        (GOOD, False, 0, "1 file: nothing found"),
        (GOOD, True, 0, "1 file: nothing found"),
        (WARNED, False, 0, "1 file: 1 warning"),
        (WARNED, True, 1, "1 file: 1 warning"),
        (BROKEN, False, 1, "1 file: 1 error"),
        (FAILING, False, 1, "1 file: 1 error"),
    ],
)
def test_check_ends_as_its_findings_say(run: Run, text: str, strict: bool, code: int, last: str) -> None:
    data = written("x.rules", text)
    got, out, err = run("check", "x.rules", *(["--strict"] if strict else []))
    assert (got, out.strip().split("\n")[-1], err) == (code, last, "")
    assert Path("x.rules").read_bytes() == data


def test_check_tells_a_scenario_that_fails(run: Run) -> None:
    written("x.rules", FAILING)
    _, out, _ = run("check", "x.rules")
    assert 'error[scenario]: the scenario "two steps" fails: bob.score is 3' in out
    assert "x.rules:19:12" in out
    assert "bob.score is 2" in out
    assert "acted @A-1" in out


def test_check_gives_scripts_stable_keys(run: Run) -> None:
    written("x.rules", FAILING)
    written("y.rules", BROKEN)
    code, out, err = run("check", "--format", "json", "x.rules", "y.rules", "x.rules")
    found = json.loads(out)
    assert (code, err) == (1, "")
    assert [(entry["code"], entry["file"], entry["line"]) for entry in found] == [
        ("scenario", "x.rules", 19),
        ("unknown-name", "y.rules", 7),
    ]
    keys = {"code", "level", "title", "file", "line", "column", "end_line", "end_column", "note", "hint", "labels"}
    assert all(set(entry) == keys for entry in found)


def test_check_finds_nothing_as_an_empty_list(run: Run) -> None:
    written("x.rules", GOOD)
    code, out, _ = run("check", "--format", "json", "x.rules")
    assert (code, json.loads(out)) == (0, [])


LEAVING = """game "Leaving"
    players 2
action leave: stop whole
action whole: do leave
play
    do whole
    end game
result: rank players
"""


@pytest.mark.parametrize(("asked", "last"), [((), "nothing found"), (("--stops",), "1 note")])
def test_check_tells_on_request_which_calls_may_not_come_back(run: Run, asked: tuple[str, ...], last: str) -> None:
    written("x.rules", LEAVING)
    code, out, _ = run("check", "--strict", *asked, "x.rules")
    assert (code, out.strip().split("\n")[-1]) == (0, f"1 file: {last}")
    told = "note[may-stop]: this call may not come back: it may stop `whole`\n  x.rules:4:15"
    assert (told in out) == bool(asked)


# ---------------------------------------------------------------- test


def last_line(out: str) -> str:
    return out.rstrip("\n").split("\n")[-1]


@pytest.mark.parametrize(
    ("texts", "words", "code", "last"),
    [
        ([GOOD], [], 0, "2 passed, 0 failed"),
        ([FAILING], [], 1, "1 passed, 1 failed"),
        ([GOOD, FAILING], [], 1, "3 passed, 1 failed"),
        ([GOOD, BROKEN], [], 1, "2 passed, 1 failed"),
        ([GOOD, FAILING], ["-k", "ONE"], 0, "2 passed, 0 failed"),
        ([FAILING], ["-k", "two"], 1, "0 passed, 1 failed"),
        ([GOOD.split("scenario")[0]], [], 0, "0 passed, 0 failed"),
        ([BROKEN], ["-k", "two"], 1, "0 passed, 1 failed"),
    ],
)
def test_the_last_line_counts(run: Run, texts: list[str], words: list[str], code: int, last: str) -> None:
    names = [f"x{number}.rules" for number in range(len(texts))]
    for name, text in zip(names, texts, strict=True):
        written(name, text)
    got, out, err = run("test", *names, *words)
    assert (got, last_line(out), err) == (code, last, "")


def test_a_failure_is_shown_with_its_line(run: Run) -> None:
    written("x.rules", FAILING)
    _, out, _ = run("test", "x.rules")
    assert "   19 |     expect bob.score is 3\n" in out
    assert "^^^^^^^^^^^^^^ bob.score is 2" in out


def test_verbose_has_a_line_for_each(run: Run) -> None:
    written("x.rules", FAILING)
    _, out, _ = run("test", "-v", "x.rules")
    assert out.startswith("passed  x.rules: one step\nFAILED  x.rules: two steps\n")
    assert last_line(out) == "1 passed, 1 failed"


def test_a_name_that_no_scenario_has(run: Run) -> None:
    written("x.rules", GOOD)
    code, out, err = run("test", "x.rules", "-k", "two setps")
    assert (code, out) == (1, "")
    assert err == "error: no scenario is called `two setps`\n  hint: did you mean `two steps`?\n"


def test_results_for_scripts(run: Run) -> None:
    written("x.rules", FAILING)
    written("y.rules", BROKEN)
    code, out, err = run("test", "--format", "json", "x.rules", "y.rules")
    data = json.loads(out)
    assert (code, err) == (1, "")
    assert (data["passed"], data["failed"]) == (1, 2)
    assert [(s["name"], s["line"], s["passed"]) for s in data["scenarios"]] == [
        ("one step", 11, True),
        ("two steps", 15, False),
    ]
    assert data["scenarios"][1]["finding"]["line"] == 19
    assert data["scenarios"][1]["clauses"] == ["A-1"]
    assert [entry["code"] for entry in data["findings"]] == ["unknown-name"]


def test_the_games_that_ship_pass(run: Run) -> None:
    code, out, _ = run("test", str(GAMES / "fuzzy_tiger.rules"))
    assert code == 0
    assert re.fullmatch(r"\d\d passed, 0 failed\n", out)


# ---------------------------------------------------------------- fmt


def test_a_file_is_put_into_the_layout_once(run: Run) -> None:
    written("x.rules", UGLY)
    code, out, err = run("fmt", "x.rules")
    assert (code, out, err) == (0, "", "formatted x.rules\n")
    after = Path("x.rules").read_text(encoding="utf-8")
    assert "    counter score 0..9" in after
    assert "# points" in after
    assert "raise player.score by 1" in after
    assert run("fmt", "x.rules") == (0, "", "")
    assert Path("x.rules").read_text(encoding="utf-8") == after
    assert os.listdir() == ["x.rules"]


def test_check_only_says_what_would_change(run: Run) -> None:
    data = written("x.rules", UGLY)
    written("y.rules", GOOD)
    run("fmt", "y.rules")
    assert run("fmt", "--check", "x.rules", "y.rules") == (1, "x.rules would change\n", "")
    assert run("fmt", "--check", "y.rules") == (0, "", "")
    assert Path("x.rules").read_bytes() == data


def test_diff_shows_it_and_changes_nothing(run: Run) -> None:
    data = written("x.rules", UGLY)
    code, out, err = run("fmt", "--diff", "x.rules")
    assert (code, err) == (1, "")
    assert out.startswith("--- x.rules\n+++ x.rules (formatted)\n@@")
    assert "-    counter   score 0..9   # points\n" in out
    assert Path("x.rules").read_bytes() == data


def test_check_and_diff_exclude_each_other(run: Run) -> None:
    written("x.rules", GOOD)
    code, _, err = run("fmt", "--diff", "--check", "x.rules")
    assert code == 2
    assert "exclude each other" in err


def test_a_file_with_a_fault_in_its_grammar_is_left_alone(run: Run) -> None:
    data = written("x.rules", UGLY.replace("play:", "play"))
    written("y.rules", UGLY)
    code, _, err = run("fmt", "x.rules", "y.rules")
    assert code == 1
    assert "x.rules:6" in err
    assert "formatted y.rules" in err
    assert Path("x.rules").read_bytes() == data


def test_names_need_not_mean_anything_to_be_formatted(run: Run) -> None:
    written("x.rules", BROKEN.replace("raise player", "raise  player"))
    assert run("fmt", "x.rules")[0] == 0
    assert "raise player.score by skore" in Path("x.rules").read_text(encoding="utf-8")


def test_line_ends_stay_and_a_byte_order_mark_goes(run: Run) -> None:
    written("x.rules", b"\xef\xbb\xbf" + UGLY.replace("\n", "\r\n").encode())
    assert run("fmt", "x.rules")[0] == 0
    after = Path("x.rules").read_bytes()
    assert after.startswith(b"game")
    assert after.count(b"\r\n") == after.count(b"\n") > 10
    assert run("fmt", "--check", "x.rules")[0] == 0


def test_links_and_rights_stay(run: Run) -> None:
    written("real.rules", UGLY)
    os.chmod("real.rules", 0o640)
    os.symlink("real.rules", "link.rules")
    assert run("fmt", "link.rules")[0] == 0
    assert Path("link.rules").is_symlink()
    assert Path("real.rules").stat().st_mode & 0o777 == 0o640
    assert "raise player.score" in Path("real.rules").read_text(encoding="utf-8")


def test_a_write_that_fails_loses_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    data = written("x.rules", UGLY)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "x.rules")

    monkeypatch.setattr(os, "replace", full)
    code, _, err = run("fmt", "x.rules")
    assert (code, err) == (1, "error: x.rules: no space left on device\n")
    assert Path("x.rules").read_bytes() == data
    assert os.listdir() == ["x.rules"]


def test_bad_input_of_any_kind_ends_with_1_and_its_own_words(capsys: pytest.CaptureFixture[str]) -> None:
    class BadColour(BadInput):
        """A kind of bad input that no list of kinds knows."""

    def fail() -> None:
        raise BadColour("there is no such colour")

    assert guarded(fail, debug=False) == FOUND
    assert capsys.readouterr().err == "error: there is no such colour\n"
