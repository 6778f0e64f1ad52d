"""Every bound of rulekit/limits.py: just inside it is fine, just outside is a clear message that names the place."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from rulekit import Action, BadSetup, LimitError, RuleError, apply, decisions, library, limits, start
from rulekit.compiler.plan.ir import Status
from rulekit.diagnostics import as_data, render_all
from rulekit.loading import examine, examine_text
from rulekit.model.game import Game
from rulekit.source import Source
from rulekit.tools.series.simulation import series

HEAD = 'game "Small"\n    players 1..3\n'
END = "\nresult\n    rank players\n"


def game(rules: str) -> Game:
    loaded = examine_text(Source("small.rules", HEAD + rules + END))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def codes(rules: str) -> set[str]:
    return {finding.code for finding in examine_text(Source("small.rules", HEAD + rules + END)).findings}


def play(rules: str) -> LimitError | RuleError | None:
    try:
        step = start(game(rules), seats=1)
        while waiting := decisions(step.state):
            step = apply(step.state, Action(waiting[0].seat, waiting[0].options[0]))
    except RuleError as fault:
        return fault
    return None


def met(rules: str, code: str) -> LimitError:
    fault = play(rules)
    assert isinstance(fault, LimitError), fault
    assert fault.code == code
    assert fault.span.line > 0
    assert fault.rule
    return fault


def test_file_bytes(tmp_path: Path) -> None:
    path = tmp_path / "big.rules"
    path.write_bytes(b"#" * limits.FILE_BYTES)
    assert len(library.read(path).text) == limits.FILE_BYTES
    path.write_bytes(b"#" * (limits.FILE_BYTES + 1))
    assert [finding.code for finding in examine(path).findings] == ["file-too-large"]


def test_expanded_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "base.rules").write_text(HEAD + "play\n    end game" + END)
    top = tmp_path / "top.rules"
    top.write_text('game "Top"\n    extends "base"\n')
    size = len(top.read_text()) + len((tmp_path / "base.rules").read_text())
    monkeypatch.setattr(limits, "EXPANDED_BYTES", size)
    assert examine(top).game is not None
    monkeypatch.setattr(limits, "EXPANDED_BYTES", size - 1)
    assert "file-too-large" in {finding.code for finding in examine(top).findings}


def test_extends_depth(tmp_path: Path) -> None:
    (tmp_path / "g0.rules").write_text(HEAD + "play\n    end game" + END)
    for number in range(1, limits.EXTENDS_DEPTH + 1):
        (tmp_path / f"g{number}.rules").write_text(f'game "G{number}"\n    extends "g{number - 1}"\n')
    assert examine(tmp_path / f"g{limits.EXTENDS_DEPTH - 1}.rules").game is not None
    assert "nesting" in {finding.code for finding in examine(tmp_path / f"g{limits.EXTENDS_DEPTH}.rules").findings}


def test_a_file_that_extends_itself(tmp_path: Path) -> None:
    (tmp_path / "ring.rules").write_text('game "Ring"\n    extends "ring"\n')
    assert "ring" in {finding.code for finding in examine(tmp_path / "ring.rules").findings}


@pytest.mark.parametrize(("depth", "found"), [(limits.NESTING - 4, False), (limits.NESTING + 1, True)])
def test_nesting_of_brackets(depth: int, found: bool) -> None:
    assert ("nesting" in codes(f"define deep is {'(' * depth}1{')' * depth}\nplay\n    end game")) == found


@pytest.mark.parametrize(("depth", "found"), [(limits.NESTING - 6, False), (limits.NESTING + 1, True)])
def test_nesting_of_blocks(depth: int, found: bool) -> None:
    lines = [f"{'    ' * (level + 1)}repeat" for level in range(depth)]
    assert ("nesting" in codes("play\n" + "\n".join([*lines, "    " * (depth + 1) + "end game"]))) == found


@pytest.mark.parametrize(("terms", "found"), [(limits.CHAIN - 2, False), (limits.CHAIN + 2, True)])
def test_operators_in_one_expression(terms: int, found: bool) -> None:
    assert ("nesting" in codes(f"define long is {' + '.join(['1'] * terms)}\nplay\n    end game")) == found


@pytest.mark.parametrize(
    ("number", "found"), [(limits.INTEGER - 1, False), (limits.INTEGER, False), (limits.INTEGER + 1, True)]
)
def test_written_numbers(number: int, found: bool) -> None:
    assert ("number-too-large" in codes(f"define big is {number}\nplay\n    end game")) == found


@pytest.mark.parametrize(("more", "found"), [(0, False), (1, True)])
def test_intermediate_results(more: int, found: bool) -> None:
    rules = f"play\n    let big be {limits.INTEGER} - 1 + 1 + {more}\n    end game"
    if found:
        met(rules, "number-too-large")
    else:
        assert play(rules) is None


@pytest.mark.parametrize(("length", "found"), [(limits.NAME, False), (limits.NAME + 1, True)])
def test_names(length: int, found: bool) -> None:
    assert ("too-long" in codes(f"define {'n' * length} is 1\nplay\n    end game")) == found


@pytest.mark.parametrize(("length", "found"), [(limits.STRING, False), (limits.STRING + 1, True)])
def test_strings(length: int, found: bool) -> None:
    assert ("too-long" in codes(f'invariant "{"w" * length}": yes\nplay\n    end game')) == found


@pytest.mark.parametrize(("size", "found"), [(limits.SET, False), (limits.SET + 1, True)])
def test_sets(size: int, found: bool) -> None:
    rules = f"play\n    let all be 1..{size}\n    end game"
    if found:
        met(rules, "set-too-large")
    else:
        assert play(rules) is None


@pytest.mark.parametrize(("size", "found"), [(limits.OPTIONS, False), (limits.OPTIONS + 1, True)])
def test_options_of_one_decision(size: int, found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SET", 2 * limits.OPTIONS)
    rules = f"play\n    each player\n        player chooses n from 1..{size}\n    end game"
    if found:
        met(rules, "too-many-options")
    else:
        assert play(rules) is None


def test_steps_of_one_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = "counter n\nplay\n    while n below 100\n        raise n by 1\n    end game"
    monkeypatch.setattr(limits, "STEPS_PER_DECISION", 45_000)
    assert play(rules) is None
    monkeypatch.setattr(limits, "STEPS_PER_DECISION", 40_000)
    assert "40,000 steps" in str(met(rules, "endless"))


def test_an_endless_loop_meets_the_limit_as_it_is() -> None:
    met("counter n\nplay\n    while n is 0\n        set n to 0\n    end game", "endless")


def test_steps_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STEPS_PER_GAME", 5_000)
    met("play\n    repeat\n        each player\n            player chooses n from 1..2", "endless")


def test_reactions(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = (
        "track path 0..\npiece stone on path at 0\n"
        "when stone lands\n    move stone up by 1\nplay\n    move stone up by 1\n    end game"
    )
    met(rules, "too-deep")


def chain_of_calls(length: int, part: str) -> str:
    calls = [f"action call_{n}: do call_{n + 1}" for n in range(1, length)]
    actions = "\n".join([*calls, f"action call_{length}: raise total by 1"])
    parts = {"play": "play: do call_1", "result": "play: end game\nresult: do call_1"}
    return f"counter total\n{actions}\n{parts[part]}"


@pytest.mark.parametrize("part", ["play", "result"])
def test_actions_inside_one_another(part: str) -> None:
    assert play(chain_of_calls(limits.CALLS, part)) is None
    assert f"more than {limits.CALLS} deep" in str(met(chain_of_calls(limits.CALLS + 1, part), "too-deep"))


def test_seats() -> None:
    def wide(most: int) -> Game | None:
        text = HEAD.replace("1..3", f"1..{most}") + "play\n    end game" + END
        return examine_text(Source("wide.rules", text)).game

    table = wide(limits.SEATS)
    assert table is not None
    start(table, seats=limits.SEATS)
    assert wide(limits.SEATS + 1) is None
    with pytest.raises(BadSetup):
        start(table, seats=limits.SEATS + 1)


def test_findings_shown() -> None:
    from rulekit.diagnostics import render_all

    rules = "\n".join(f"define d{n} is nothing_{n}" for n in range(limits.ERRORS + 5)) + "\nplay\n    end game"
    findings = examine_text(Source("small.rules", HEAD + rules + END)).findings
    assert len(findings) == limits.ERRORS + 5
    text = render_all(findings, {})
    assert text.count("error[") == limits.ERRORS
    assert text.endswith("… and 5 more")


@pytest.mark.parametrize(("spaces", "found"), [(limits.SET, False), (limits.SET + 1, True)])
def test_spaces_of_a_track(spaces: int, found: bool) -> None:
    assert ("too-many" in codes(f"track path 1..{spaces}\nplay\n    end game")) == found


def test_cells_of_a_grid_and_copies_and_pieces() -> None:
    assert "too-many" in codes("grid field 200 by 200\nplay\n    end game")
    assert "too-many" in codes("cards deck of card\n    card 1, copies 10001\nplay\n    end game")
    assert "too-many" in codes("track path 0..\npieces 900000000 men of man on path at 0\nplay\n    end game")


@pytest.mark.parametrize("part", ["play", "result"])
def test_actions_inside_one_another_in_a_compiled_match(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CALLS", 6)
    for more in (0, 1):
        made = game(chain_of_calls(limits.CALLS + more, part))
        ends = [series(made, {}, 1, "s", engine).rows(0, 1, ())[0][0] for engine in ("interpreter", "wasm")]
        assert [end == Status.DONE for end in ends] == [not more] * 2


@pytest.mark.parametrize(
    ("declarations", "found"),
    [
        ("pile rest of card starts deck", True),
        ("pile rest of card starts (deck except 1)", True),
        ("pile rest of card starts [1]", False),
        ("each player has\n    pile rest of card starts [1, 2]", False),
        ("each card has\n    pile rest of card starts [1, 2]", True),
    ],
)
def test_more_cards_than_a_game_may_have(declarations: str, found: bool) -> None:
    rules = f"cards deck of card\n    | card | copies |\n    | 1..30 | 1000 |\n{declarations}\nplay\n    end game"
    findings = examine_text(Source("small.rules", HEAD + rules + END)).findings
    assert [(one.code, one.span.line > 5) for one in findings if one.code == "too-many"] == [("too-many", True)] * found


def test_a_long_chain_of_defines_is_a_finding_or_a_limit() -> None:
    lines = ["define d0 is 1", *(f"define d{n} is d{n - 1} + 1" for n in range(1, 400))]
    assert codes("\n".join(reversed(lines)) + "\nplay\n    end game") == {"nesting"}
    met("\n".join(lines) + "\nplay\n    let deep be d399\n    end game", "too-deep")


def test_many_findings_are_gathered_quickly() -> None:
    loaded = examine_text(Source("many.rules", HEAD + "> A-1 The same.\n" * 8000 + "play\n    end game" + END))
    assert sum(finding.code == "duplicate-clause" for finding in loaded.findings) == 7999


def test_a_lone_carriage_return_is_a_bad_character() -> None:
    assert "bad-character" in codes("play\n    end\rgame")


def test_after_a_scenario_that_meets_a_limit_the_others_are_not_run() -> None:
    from rulekit.tools.examples.runner import run_all

    endless = "\n".join(f'scenario "s{n}"\n    players red\n    expect yes' for n in range(30))
    results = run_all(game("play\n    while yes: let one be 1\n" + endless))
    assert not any(result.passed for result in results)
    assert [result.failure is not None and result.failure.said for result in results[1:]] == ["not run"] * 29


def test_a_link_is_not_extended(tmp_path: Path) -> None:
    (tmp_path / "real.rules").write_text(HEAD + "play\n    end game" + END)
    (tmp_path / "linked.rules").symlink_to(tmp_path / "real.rules")
    top = tmp_path / "top.rules"
    top.write_text('game "Top"\n    extends "linked"\n')
    assert "no-such-base" in {finding.code for finding in examine(top).findings}


def test_utf_16_without_a_mark_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "wide.rules"
    path.write_bytes((HEAD + END).encode("utf-16-le"))
    assert [finding.code for finding in examine(path).findings] == ["not-utf-8"]


def test_a_loop_of_nothing_but_conditions_ends_soon() -> None:
    conditions = "\n".join(f"        if total is {number}: set total to 0" for number in range(1, 60))
    before = time.process_time()
    met(f"counter total 0..99\nplay\n    repeat\n{conditions}", "endless")
    assert time.process_time() - before < 2.0


ENDLESS = {
    "a name": f"    raise {'a' * 200_000} by 1",
    "a line": "c" * 200_000,
    "a number": f"    raise x by {'9' * 200_000}",
    "a sum": f"    raise x by {'1+' * 100_000}1",
    "an answer": f"    answer {'b' * 200_000} of x",
}


@pytest.mark.parametrize("line", ENDLESS.values(), ids=ENDLESS)
def test_a_line_without_end_is_never_printed_whole(line: str) -> None:
    found = examine_text(Source("x.rules", f'game "X"\n    players 2\nplay\n{line}\nresult: rank players\n'))
    told = render_all(found.findings, found.sources)
    assert found.findings
    assert len(told) < 1000 * len(found.findings)
    assert len(json.dumps([as_data(entry) for entry in found.findings])) < 1000 * len(found.findings)
