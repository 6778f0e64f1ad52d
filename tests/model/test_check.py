"""Text to a checked game, and a checked game to the faults that only play can show.

`cases/check/good/*.rules` hold chunks that are checked without any finding and
are played to the end; `cases/check/bad/*.rules` chunks whose findings stand on
their lines as in the syntax cases (`### code: words`), and nothing else is
found.  `cases/run/bad/*.rules` hold games without errors that fail in play:
the code stands on the line that fails.  What a chunk lacks of head, `play` and
`result` is put behind it, but for chunks that begin with `# as it stands`.
Games to be extended lie in `cases/check/bases`.
"""

from __future__ import annotations

import ast
import random
import re
from functools import cache
from pathlib import Path

import pytest

from rulekit import limits
from rulekit.diagnostics import Diagnostic, render_all
from rulekit.loading import Loaded, examine, examine_text
from rulekit.model.game import Game
from rulekit.play.engine import apply, decisions, outcome, start
from rulekit.play.state.errors import RuleError
from rulekit.play.state.match_state import Action, Decision, State
from rulekit.play.state.value import Value
from rulekit.source import Source
from rulekit.tools.examples.runner import run_all
from tests.paths import CASES, PACKAGE
from tests.syntax.test_syntax import expected

BASES = CASES / "check" / "bases"
AS_IT_STANDS = "# as it stands"
PARTS = {"game": 'game "Case"\n    players 2..4\n', "play": "play: end game\n", "result": "result: rank players\n"}
DECISIONS = 2_000
"""After so many a case that should have ended or failed is given up."""
TRIES = 40
"""Plays of a case that should fail, each with other random answers."""
_CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


# ---------------------------------------------------------------- cases


def chunks(folder: str) -> list[tuple[str, str]]:
    """(file and first line, text) of every chunk."""
    found = []
    for path in sorted((CASES / folder).glob("*.rules")):
        line = 1
        for text in re.split(r"^# ---- chunk\n", path.read_text(encoding="utf-8"), flags=re.M):
            found.append((f"{path.stem}-{line}", text))
            line += text.count("\n") + 1
    return found


def params(folder: str) -> list[object]:
    return [pytest.param(text, id=name) for name, text in chunks(folder)]


def whole(text: str) -> str:
    """The chunk as a game: what it lacks comes behind it, so that its lines keep their numbers."""
    if text.startswith(AS_IT_STANDS) or re.search(r"^    extends ", text, flags=re.M):
        return text
    said = set(re.findall(r"^(game|play|result)\b", text, flags=re.M))
    return text + "".join(part for word, part in PARTS.items() if word not in said)


def examined(text: str) -> Loaded:
    """A text that lies beside the games to be extended."""
    return examine_text(Source(str(BASES / "case.rules"), whole(text)))


def shown(loaded: Loaded) -> str:
    return render_all(loaded.findings, loaded.sources)


def checked(text: str) -> Game:
    """The game of a text that must have no errors."""
    loaded = examined(text)
    assert loaded.game is not None, shown(loaded)
    return loaded.game


def chosen(question: Decision, rng: random.Random) -> Value:
    if question.several:
        return tuple(rng.sample(question.options, rng.randint(question.least, question.most)))
    return rng.choice(question.options)


def played(game: Game, seed: int, seats: int | None = None) -> State:
    """The end of a game with random answers; raises `RuleError` where a rule fails."""
    rng = random.Random(seed)
    state = start(game, seats=seats, seed=str(seed), checked=True).state
    for _ in range(DECISIONS):
        waiting = decisions(state)
        if not waiting:
            return state
        question = rng.choice(waiting)
        state = apply(state, Action(question.seat, chosen(question, rng))).state
    raise AssertionError(f"not over after {DECISIONS} decisions")


# ---------------------------------------------------------------- good


@pytest.mark.parametrize("text", params("check/good"))
def test_good_games_have_no_findings_and_come_to_an_end(text: str) -> None:
    loaded = examined(text)
    assert not loaded.findings, shown(loaded)
    assert loaded.game is not None
    assert not [result.failure for result in run_all(loaded.game) if not result.passed]
    for seed in range(3):
        assert outcome(played(loaded.game, seed)) is not None
    assert outcome(played(loaded.game, 3, loaded.game.most)) is not None


# ---------------------------------------------------------------- bad


@pytest.mark.parametrize("text", params("check/bad"))
def test_faults_are_found_on_their_lines_and_nothing_else(text: str) -> None:
    loaded = examined(text)
    found = sorted((line_of(entry, text), entry.code, entry.title) for entry in loaded.findings)
    wanted = sorted(expected(text))
    assert wanted, "a bad chunk must expect something"
    assert [entry[:2] for entry in found] == [entry[:2] for entry in wanted], shown(loaded)
    for (_, _, title), (_, _, words) in zip(found, wanted, strict=True):
        assert words in title, shown(loaded)


def line_of(entry: Diagnostic, text: str) -> int:
    """The line of a finding; one in an extended game counts for the line that extends it."""
    if Path(entry.span.source).name == "case.rules":
        return entry.span.line
    return next(number for number, line in enumerate(text.split("\n"), 1) if line.startswith("    extends "))


@pytest.mark.parametrize("text", params("check/bad"))
def test_findings_are_sentences_about_a_place(text: str) -> None:
    for entry in examined(text).findings:
        assert entry.span.line >= 1
        assert not entry.title.endswith(".")
        for part in (entry.title, entry.hint, entry.note):
            assert not re.search(r"\bNone\b|Type\(|Token|nodes\.|`\?`|\ba set of a\b", part), part


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('unclear u "?"\n    frst "a" default\n    b "b"\ncounter fires\nplay\n    if u is fist: end game\n', "frst"),
        ("kind tint: red, grene\nvalue greens of tint\nplay\n    if greens is green: end game\n", "grene"),
        ("table rows of row\n    row a, marked\n    row b, markd\nplay\n    if a.marked: end game\n", "marked"),
        ("kind tint: red, green\ntable rows of row\n    | row | tint |\n    | rad | gred |\n", "red"),
    ],
)
def test_the_hint_is_the_nearest_word_of_what_is_wanted(text: str, hint: str) -> None:
    assert f"did you mean `{hint}`?" in [entry.hint for entry in examined(text).findings], shown(examined(text))


def test_the_bad_tree_is_as_large_as_the_good_one() -> None:
    assert len(chunks("check/bad")) + len(chunks("run/bad")) >= len(chunks("check/good"))


# ---------------------------------------------------------------- faults of play


def failure(game: Game, seats: int | None) -> RuleError:
    """The first fault that playing with random answers meets."""
    for seed in range(TRIES):
        try:
            played(game, seed, seats)
        except RuleError as fault:
            return fault
    raise AssertionError(f"none of {TRIES} plays failed")


@pytest.mark.parametrize("text", params("run/bad"))
def test_faults_of_play_are_met_on_their_lines(text: str) -> None:
    fault = failure(checked(text), None)
    ((line, code, words),) = expected(text)
    assert (fault.span.line, fault.code) == (line, code), f"{fault.code}: {fault}"
    assert words in fault.title


# ---------------------------------------------------------------- codes


FAULTS = ("RuleError", "LimitError", "IllegalAction", "Refused", "Fault")
CALLS = ("error", "warn", "add", "fail", "Diagnostic", "finding_of", "unreadable", *FAULTS)
"""What takes a code as its first text."""


@cache
def codes_in(folder: str, calls: tuple[str, ...] = CALLS) -> frozenset[str]:
    """All codes that occur in the modules of a room of the package."""
    assert (PACKAGE / folder).is_dir(), folder
    called = (one for path in (PACKAGE / folder).rglob("*.py") for one in _called(path))
    return frozenset(text for name, texts in called if name in calls for text in texts)


@cache
def _called(path: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What is called in a module, each with its first text if that can be a code."""
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    return tuple((getattr(node.func, "attr", getattr(node.func, "id", "")), tuple(_first_text(node))) for node in calls)


def _first_text(node: ast.Call) -> list[str]:
    named = [word.value for word in node.keywords if word.arg == "code"]
    parts = [*named, *node.args[:3]]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return [text for text in texts[:1] if _CODE.fullmatch(text)]


def expected_codes(folder: str) -> set[str]:
    return {code for _, text in chunks(folder) for _, code, _ in expected(text)}


def test_every_code_of_the_model_has_a_bad_chunk() -> None:
    missing = codes_in("model") - expected_codes("check/bad") - {"file-too-large"}
    assert not missing, sorted(missing)


def test_every_fault_of_play_has_a_bad_game() -> None:
    refusals = codes_in("play", ("IllegalAction", "Refused"))
    missing = codes_in("play") - refusals - expected_codes("run/bad") - {"given", "end-game"}
    assert not missing, sorted(missing)


def test_files_that_are_too_large_together_are_found(tmp_path: Path) -> None:
    blank = "#" * (limits.FILE_BYTES - 200) + "\n"
    for number in range(5):
        base = f'    extends "part_{number - 1}"\n' if number else "    players 2\n"
        (tmp_path / f"part_{number}.rules").write_text(f'game "Part {number}"\n{base}{blank}', encoding="utf-8")
    assert [entry.code for entry in examine(tmp_path / "part_4.rules").findings] == ["file-too-large"]
