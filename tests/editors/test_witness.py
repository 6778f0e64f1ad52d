"""A clause carried out: the shortest position found, as a scenario that passes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulekit import library
from rulekit.apps.commands import cli
from rulekit.play import engine
from rulekit.play.state.errors import BadSetup
from rulekit.source import Source
from rulekit.tools.coverage.reachability_witness import WitnessSearch, is_shown
from rulekit.tools.examples.mutation_operators import rules_of
from rulekit.tools.examples.scenario_writer import passes
from tests.editors.test_diff import SMALL
from tests.paths import GAMES


def looking(text: str, clause: str, games: int = 30) -> WitnessSearch:
    made = WitnessSearch(rules_of(Source("small.rules", text)), clause, games)
    for _ in made.run():
        pass
    return made


def test_a_late_clause_is_shown_from_a_position_near_by() -> None:
    made = looking(SMALL, "S-2")
    assert made.found is not None
    example = made.found.example
    assert example is not None
    assert len(made.found.past) > 3 > len([line for line in example.lines if line.startswith("when")])
    assert passes(made.rules, example)
    assert is_shown(made.rules, example, "S-2")
    assert not is_shown(made.rules, example, "S-3")


def agreed_text() -> str:
    """A variant that is off where nothing is agreed, as a clause of its own on a line that says both."""
    text = SMALL.replace("track road", 'option swift "Swift?" flag default no  @S-4\ntrack road')
    return text.replace(
        "            move player.pawn forward by card.worth",
        "            > S-4 Swift: a pawn goes one more.\n"
        "            let steps be if swift then card.worth + 1 else card.worth\n"
        "            move player.pawn forward by steps",
    )


def test_a_variant_is_shown_where_it_is_played() -> None:
    made = looking(agreed_text(), "S-4")
    assert made.found is not None
    assert made.found.options["swift"] is True
    assert made.found.example is not None
    assert "use swift is yes" in made.found.example.text()
    assert is_shown(made.rules, made.found.example, "S-4")


def test_what_is_unclear_is_shown_with_the_reading_that_carries_it_out() -> None:
    """The clause stands at the first reading, and the only line that carries it out belongs to the second."""
    text = SMALL.replace(
        "track road",
        'unclear pay "Is a step paid?"\n    > S-7 Nobody says.\n    never "no" default\n    always "yes"\ntrack road',
    ).replace(
        "            > S-2",
        "            if pay is always: raise player.coins by 1                             @S-7\n            > S-2",
    )
    made = looking(text, "S-7")
    assert made.found is not None
    assert made.found.options["pay"] == "always"


@pytest.mark.parametrize("clause", ["S-1", "S-2", "S-3"])
def test_a_witness_fails_with_a_change_of_the_part_of_its_clause(clause: str) -> None:
    made = looking(SMALL, clause)
    assert made.found is not None
    assert made.found.example is not None
    assert made.found.proof is not None
    edit = made.found.proof.edit
    assert clause in edit.nearest
    bare = made.prover.rules
    assert passes(bare, made.found.example)
    assert not passes(bare.put(edit), made.found.example)
    changed = bare.edited(edit)
    assert changed is not None  # It fails, and is not only no longer understood.


def test_rules_that_no_longer_take_what_is_agreed_prove_nothing() -> None:
    """The range of a variant is changed, so that the match cannot be begun again with what was agreed."""
    made = WitnessSearch(rules_of(library.read(GAMES / "fuzzy_tiger.rules")), "FT-41", 5)
    ranges = [edit for edit in made.prover.edits if (edit.old, edit.new) == ("1", "2")]
    changed = made.prover.rules.edited(ranges[0])
    assert changed is not None
    with pytest.raises(BadSetup):
        engine.start(changed.game, {"left_out": (1,)}, 3, "a seed")
    made.prover.edits = ranges[:1]
    begin = engine.start(made.rules.game, {"left_out": (1,)}, 3, "a seed")
    proof = made.prover.of_match(begin, (), lambda rules: engine.start(rules.game, {"left_out": (1,)}, 3, "a seed"))
    assert proof is None


def test_what_nothing_cites_has_no_witness() -> None:
    """A line that runs and comes to nothing: before, whatever else happened then was shown for it."""
    line = "            > S-5 Nobody is idle.\n            raise player.coins by 0 * card.worth\n"
    made = looking(SMALL.replace("            > S-2 Who", f"{line}            > S-2 Who"), "S-5", 10)
    assert made.found is None
    assert made.why_not.id == "not-cited"


def test_what_never_happens_has_no_witness() -> None:
    made = looking(SMALL.replace("at least 37", "at least 9999"), "S-2", 3)
    assert made.found is None
    assert made.compared > 3


@pytest.mark.parametrize("clause", ["FT-07", "FT-18"])
def test_clauses_of_a_whole_game(clause: str) -> None:
    made = WitnessSearch(rules_of(library.read(GAMES / "fuzzy_tiger.rules")), clause, 30)
    for _ in made.run():
        pass
    assert made.found is not None
    assert made.found.example is not None
    assert passes(made.rules, made.found.example)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.rules"
    file.write_text(SMALL)
    assert cli(["text", "witness", str(file), "S-3", "--games", "20"], standalone_mode=False) == 0
    scenario = capsys.readouterr().out
    file.write_text(SMALL + scenario)
    assert cli(["test", str(file)], standalone_mode=False) == 0
    capsys.readouterr()
    assert cli(["text", "witness", str(file), "S-2", "--games", "20", "--json"], standalone_mode=False) == 0
    assert json.loads(capsys.readouterr().out)["found"] is True
