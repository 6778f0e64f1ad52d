"""ARCHITECTURE.md against the code: the folders that it lists, the modules that it names, its table of changes.

What the table says is also done: a toy word, warning, command and bot are entered exactly where it says, and work.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import click
import pytest
from attrs import evolve, frozen
from click.testing import CliRunner

from rulekit.apps import commands
from rulekit.bots.bot import Chair
from rulekit.bots.players import registry
from rulekit.bots.players.random_bot import RandomSeat
from rulekit.compiler.lower.builder.ir_builder import Builder
from rulekit.compiler.lower.expressions import builtins
from rulekit.compiler.lower.expressions.scalars import not_nothing
from rulekit.compiler.lower.moves import spaces
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan import ir
from rulekit.compiler.plan.arithmetic import NOTHING, ZERO, binary, same
from rulekit.diagnostics import Problems
from rulekit.loading import examine_text
from rulekit.model import builtin_signatures
from rulekit.model.check import lint
from rulekit.model.declare import places
from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.machine import closure_compilation
from rulekit.play.meaning import travel
from rulekit.play.state.match_state import Decision
from rulekit.play.state.value import Value
from rulekit.play.view import View
from rulekit.record import log
from rulekit.source import Source, Span
from rulekit.tools.series import simulation
from tests.differential.lockstep import plan_of, same_match
from tests.docs.test_pages import prose
from tests.generators.handmade_plans import ENGINES
from tests.paths import DOCS, PACKAGE, ROOT
from tests.test_architecture import ROOMS

TEXT = prose(ROOT / "ARCHITECTURE.md")
_NAMED = re.compile(r"`([^`]+)`")


# ---------------------------------------------------------------- what the page names


def rows(heading: str) -> list[list[str]]:
    """The cells of the table of a section, without its head."""
    section = re.search(rf"^## {heading}$.*?(?=^## |\Z)", TEXT, re.M | re.S)
    assert section is not None, heading
    lines = [line for line in section[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def is_path(name: str) -> bool:
    return re.fullmatch(r"[\w./-]*(/[\w./-]*|\.(md|toml))", name) is not None and " " not in name


def files_of(name: str) -> list[str]:
    """What a path of the page means, from the root: modules and folders of the package stand without `rulekit/`."""
    wanted = name.replace("NAME", "*").rstrip("/")
    for pattern in (wanted, f"{wanted}.py", f"rulekit/{wanted}.py", f"rulekit/{wanted}"):
        if found := sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern)):
            return found
    return []


def test_every_folder_is_listed_in_the_order_of_imports() -> None:
    listed = [name.rstrip("/").replace("/", ".") for cells in rows("Folders") for name in _NAMED.findall(cells[0])]
    assert tuple(listed) == ROOMS


def test_every_file_that_is_named_exists() -> None:
    named = {name for name in _NAMED.findall(TEXT) if is_path(name)}
    assert len(named) > 120
    assert sorted(name for name in named if not files_of(name)) == []


def test_every_table_that_is_named_exists() -> None:
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    sources = "".join(path.read_text(encoding="utf-8") for path in files)
    named = {name for name in _NAMED.findall(TEXT) if re.fullmatch(r"_?[A-Z]+(_[A-Z]+)*", name)}
    assert len(named) > 35
    assert [name for name in sorted(named) if not re.search(rf"^{name}\b.*=", sources, re.M)] == []


# ---------------------------------------------------------------- the table of changes


@frozen
class Entry:
    """A file of a row, and what in it has to grow."""

    change: str
    file: str
    names: tuple[str, ...]


def entries() -> Iterator[Entry]:
    for change, *cells in rows("To add something, touch these files"):
        found: list[tuple[str, list[str]]] = []
        for name in _NAMED.findall(" ".join(cells)):
            if is_path(name):
                found.append((name, []))
            elif re.fullmatch(r"\w[\w.-]*", name):
                assert found, f"{change}: `{name}` stands before any file"
                found[-1][1].append(name)
        yield from (Entry(change, file, tuple(names)) for file, names in found)


def holds(text: str, name: str, file: str) -> bool:
    """Whether a file has something of this name: a table or class or function, a key of a table, a method `A.b`."""
    owner, _, last = name.rpartition(".")
    if not file.endswith(".py"):
        return re.search(rf"\b{re.escape(name)}\b", text) is not None
    word = re.escape(last)
    if owner:
        return re.search(rf"^class {owner}\b(?:(?!^class ).)*?^    def {word}\b", text, re.M | re.S) is not None
    table = rf"^{word}(: .*| =| = .*|\.update\(.*|\[.*)$"
    return re.search(rf"{table}|^ *(def|class) {word}\b|^    (\"{word}\": |{word} = )", text, re.M) is not None


def test_every_registry_of_the_table_is_where_it_says() -> None:
    wrong = []
    for one in entries():
        for file in files_of(one.file)[:1]:
            text = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).is_file() else ""
            wrong += [f"{one.change}: {file} has no `{name}`" for name in one.names if not holds(text, name, file)]
    assert wrong == []


def test_a_name_that_is_only_used_is_not_taken_for_a_registry() -> None:
    assert holds("WORDS: dict[str, Word] = {}\n", "WORDS", "a.py")
    assert holds("WORDS.update({})\n", "WORDS", "a.py")
    assert holds("class A:\n    def b(self): ...\n", "A.b", "a.py")
    assert not holds("class A:\n    x = 1\nclass B:\n    def b(self): ...\n", "A.b", "a.py")
    assert not holds("from x import WORDS\ny = WORDS[1]\n", "WORDS", "a.py")


def test_the_likeliest_changes_are_there() -> None:
    changes = [change for change, *_ in rows("To add something, touch these files")]
    assert len(changes) == 12
    assert all(sum(one.change == change for one in entries()) >= 3 for change in changes)


def test_the_head_of_a_log_is_listed_as_it_is() -> None:
    page = (DOCS / "log-format.md").read_text(encoding="utf-8")
    head = page.partition("### The first line")[2].partition("### ")[0]
    assert re.findall(r"^\| `(\w+)` \|", head, re.M) == list(log._HEADER)


# ---------------------------------------------------------------- a word, added as the table says

GAME = """game "Toy"
    players 2
track road 0..40
    edge stops
each player has
    counter score 0..90
    piece walker on road at 20, seen by owner
play
    each turn in 1..4
        secretly each player
            player chooses n from 0..3 "How far?"
            move player.walker up by negated(negated(n))
        each player
            player chooses n from 1..4 "How much?"
            raise player.score by 5 + negated(n)
result
    rank players by highest score
"""


PLAIN = GAME.replace("negated", "abs")


def toy(text: str = GAME) -> Game:
    loaded = examine_text(Source("toy.rules", text))
    assert loaded.game is not None, loaded.findings
    assert loaded.findings == ()
    return loaded.game


def negated(m: Builder, e: Any) -> ir.Expr:
    return binary("-", ZERO, not_nothing(m, e.args[0]))


def halved(m: Builder, e: Any) -> ir.Expr:
    number = m.atom(not_nothing(m, e.args[0]))
    return ir.Pick(same(binary("%", number, ir.Const(2)), ZERO), binary("//", number, ir.Const(2)), NOTHING)


_, SIGNATURE = builtin_signatures._blind("negated", "number", "number", "a number with the other sign")
WORD: dict[str, tuple[Any, str, Any]] = {
    "FUNCTIONS": (builtin_signatures, "FUNCTIONS", SIGNATURE),
    "WORDS": (closure_compilation, "WORDS", lambda m, e, args: -args[0]),
    "VALUE_BUILTINS": (builtins, "VALUE_BUILTINS", negated),
}
"""What the row of a built-in word asks for, as far as it is about every word."""


def add_word(patch: pytest.MonkeyPatch, *, but: str = "") -> None:
    for name, (module, table, value) in WORD.items():
        if name != but:
            patch.setitem(getattr(module, table), "negated", value)


def test_these_are_the_registries_that_the_row_names() -> None:
    asked = [name for one in entries() if one.change.startswith("a built-in word") for name in one.names]
    assert set(asked) - set(WORD) == {"_blind", "LIST_BUILTINS", "_of_word", "_ARGUMENTS_ALONE", "_BY_PLACES"}
    assert set(WORD) <= set(asked)


@pytest.mark.parametrize("engine_name", ENGINES)
def test_a_word_that_is_added_so_is_played_alike(monkeypatch: pytest.MonkeyPatch, engine_name: str) -> None:
    add_word(monkeypatch)
    game = toy()
    plan, storage = plan_of(game, {}, 2)
    machine = ENGINES[engine_name](plan)
    assert sum(same_match(machine, storage, game, {}, 2, f"toy#{number}") for number in range(5)) == 5 * 16


@pytest.mark.parametrize("engine_name", ENGINES)
def test_a_word_that_may_give_none_is_a_fault_in_every_engine(
    monkeypatch: pytest.MonkeyPatch, engine_name: str
) -> None:
    gives_none = builtin_signatures.BuiltIn("halved", ("number",), "number?", "half of an even number, or none")
    monkeypatch.setitem(builtin_signatures.FUNCTIONS, "halved", gives_none)
    monkeypatch.setitem(closure_compilation.WORDS, "halved", lambda m, e, args: None if args[0] % 2 else args[0] // 2)
    monkeypatch.setitem(builtins.VALUE_BUILTINS, "halved", halved)
    raised = "            raise player.score by 5 + abs(n)"
    assert raised in PLAIN
    game = toy(PLAIN.replace(raised, "            if halved(n) below 2\n                raise player.score by 1"))
    rows = simulation.series(game, {}, 2, "toy", "interpreter").rows(0, 5, ())
    assert {status for status, *_ in rows} == {ir.Status.FAULT}
    plan, storage = plan_of(game, {}, 2)
    machine = ENGINES[engine_name](plan)
    for number in range(5):
        same_match(machine, storage, game, {}, 2, f"toy#{number}")


def test_every_word_has_a_row_and_is_computed() -> None:
    rows = builtin_signatures.WORDS
    assert set(closure_compilation.WORDS) == set(rows)
    compiled = set(rows) - set(builtin_signatures.OUTCOME)
    sets = {name for name in compiled if rows[name].depth or (rows[name].gives == "same" and "set" in rows[name].takes)}
    assert set(builtins.LIST_BUILTINS) == sets
    assert set(builtins.VALUE_BUILTINS) == compiled - sets


def test_a_row_whose_type_nobody_knows_is_refused() -> None:
    with pytest.raises(AssertionError, match="gives no type: set numbers"):
        builtin_signatures.BuiltIn("toy", (), "set numbers", "")


def test_every_entry_of_a_word_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        add_word(patch, but="FUNCTIONS")
        assert {one.code for one in examine_text(Source("toy.rules", GAME)).findings} == {"unknown-name"}
    with monkeypatch.context() as patch:
        add_word(patch, but="WORDS")
        with pytest.raises(KeyError, match="negated"):
            simulation.series(toy(), {}, 2, "s", "interpreter").rows(0, 1, ())
    with monkeypatch.context() as patch:
        add_word(patch, but="VALUE_BUILTINS")
        with pytest.raises(Unsupported, match="the word negated"):
            lowered(toy(), {}, 2)
    with monkeypatch.context() as patch:
        # A row that does not say so costs nothing but speed: what stands where is looked at in vain.
        add_word(patch)
        patch.setitem(builtin_signatures.FUNCTIONS, "negated", evolve(SIGNATURE, reads_positions=True))
        assert lowered(toy(), {}, 2)[1].apart_for is not None
    add_word(monkeypatch)
    assert lowered(toy(), {}, 2)[1].apart_for is None


# ---------------------------------------------------------------- an edge


def test_an_edge_that_is_only_declared_fails_in_every_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "EDGE_WORDS", (*places.EDGE_WORDS, "sticks"))
    game = toy(PLAIN.replace("edge stops", "edge sticks").replace("up by", "up by 30 +"))
    with pytest.raises(KeyError, match="sticks"):
        simulation.series(game, {}, 2, "s", "interpreter").rows(0, 1, ())
    with pytest.raises(KeyError, match="sticks"):
        lowered(game, {}, 2)


def test_every_edge_is_known_to_every_engine() -> None:
    assert set(travel._EDGES) == set(spaces._EDGES) == set(places.EDGE_WORDS)


# ---------------------------------------------------------------- a warning, a command and a bot


def test_a_warning_that_is_added_so_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def long_title(whole: Any, problems: Problems) -> None:
        problems.warn("long-title", "this title is long", Span(whole.game.sources[0][0], 1, 1, 1, 1))

    monkeypatch.setattr(lint, "_CHECKS", (*lint._CHECKS, long_title))
    loaded = examine_text(Source("toy.rules", PLAIN))
    assert [one.code for one in loaded.findings] == ["long-title"]
    assert loaded.game is not None


def test_a_command_that_is_added_so_is_run_and_helped(monkeypatch: pytest.MonkeyPatch) -> None:
    made = ModuleType("toy_command")
    made.command = click.Command("greet", callback=lambda: click.echo("hello"))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_command", made)
    monkeypatch.setitem(commands._COMMANDS, "greet", ("toy_command", "Say hello."))
    assert CliRunner().invoke(commands.cli, ["greet"]).output == "hello\n"
    assert "greet     Say hello." in CliRunner().invoke(commands.cli, ["--help"]).output


def test_every_command_of_the_tables_is_a_module_with_a_command() -> None:
    for module, _ in [*commands._COMMANDS.values(), *commands._TEXT_COMMANDS.values()]:
        assert not module or isinstance(import_module(module).command, click.Command), module


class FirstAnswer(RandomSeat):
    """Takes what is offered first."""

    def answer(self, view: View, decision: Decision) -> Value:
        return decision.options[0]


def test_a_bot_that_is_added_so_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    def seated(chair: Chair) -> FirstAnswer:
        return FirstAnswer(chair)

    monkeypatch.setitem(registry._PLAIN, "first", seated)
    assert "greedy, first" in registry.names()
    game = toy(PLAIN)
    made = simulation.series(game, {}, 2, "s", "auto", ("first", "first"))
    (result,) = simulation.played(made, 0, 1)
    assert (result.status, result.decisions) == (ir.Status.DONE, 16)
    # The first of 1..4 in each of four turns, and five more: 24 for everybody.
    assert result.places == (1, 1)
    assert engine.decisions(engine.start(game, {}, 2, "s").state)[0].options[0] == 0
