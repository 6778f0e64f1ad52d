"""The house: which folder may import which, who may touch the world, and no game in the engine.

Each rule is a function from a house (all modules, as syntax) to what is wrong with it, in words that say what to do.
One test asks all rules of this house; the others build small faulty houses, to show that each rule can fail.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import pytest
from attrs import frozen

from tests.paths import GRAMMAR, PACKAGE, ROOT

_ORDER = (
    "values errors arguments late_fields legibility source limits diagnostics distribution library user_cache table",
    "syntax",
    "model model.resolve model.declare model.lower model.check model.elaborate",
    "loading",
    "play.state play.machine play.meaning play.tracing play.interpreter play",
    "compiler.plan compiler.passes",
    "compiler.lower.storage compiler.lower.builder compiler.lower.analysis compiler.lower.counting",
    "compiler.lower.search compiler.lower.driving",
    "compiler.lower.expressions compiler.lower.moves compiler.lower.operations",
    "compiler.runtime compiler.wasm compiler compiler.legality",
    "record",
    "bots bots.belief bots.players",
    "tools.gettext_files",
    "tools.language tools.analysis tools.explain tools.tell tools.drawing tools.estimation tools.series tools.examples",
    "tools.structure",
    "tools.compare tools.coverage tools.report tools.rulebook tools.constants tools.claims",
    "tools.documents tools.audit tools.correspondence",
    "tools.anchoring tools.editions tools.proofreading tools.interchange",
    "tools.studies",
    "tools.editing tools.editing.corrections tools.editing.beside",
    "adapters adapters.openspiel",
    "hosting",
    "web",
    "studio.figures studio",
    "review",
    "export",
    "apps apps.text apps.series apps.play apps.pages apps.editor",
)
ROOMS = tuple(room for line in _ORDER for room in line.split())
"""Folders of `rulekit/`, and the modules that stand in it directly.  A room imports from itself and rooms before it."""

APART = {
    "model": "library",
    "play": "syntax library loading",
    "compiler.plan": "model play",
    "compiler.passes": "model play",
    "compiler.lower": "syntax play.meaning play.interpreter",
    "compiler.runtime": "play.meaning play.interpreter",
    "compiler.wasm": "model play.meaning play.interpreter compiler.lower.builder",
    "record": "compiler play.meaning play.interpreter",
    "bots.belief": "model compiler",
    "tools.explain": "compiler bots",
    "tools.tell": "compiler bots",
    "tools.drawing": "compiler bots",
    "tools.estimation": "model play bots",
    "tools.structure": "play compiler bots",
    "tools.report": "model play compiler bots",
    "tools.constants": "model play compiler bots",
    "tools.documents": "model play compiler bots",
    "tools.audit": "play compiler bots",
    "tools.correspondence": "play compiler bots",
    "tools.anchoring": "play compiler bots",
    "tools.editions": "play compiler bots",
    "tools.interchange": "model play compiler bots",
    "adapters": "syntax tools",
    "hosting": "syntax compiler",
}
"""Rooms that know nothing of other rooms, though these stand before them; a name means all folders below it too."""
APART_BUT = {("model.declare.file_extension", "library")}
"""Files that extend others are read while they are put together."""

HOMES = {
    "attrs": "values",
    "lark": "syntax/lark_tables",
    "cattrs": "record/codec",
    "wasmtime": "compiler/runtime/wasm_host",
    "pygls": "apps/editor",
    "pygments": "apps/editor/colours",
    "lsprotocol": "apps/editor",
    "js": "compiler/runtime/browser_engine",
    "pyodide": "compiler/runtime/browser_engine",
    "polib": "tools/language/po_files",
    "openpyxl": "tools/interchange/spreadsheet",
    "jinja2": "tools/report/templates tools/language/engine_extraction",
    "typst": "tools/rulebook/rendering",
    "text_to_num": "tools/audit/number_tokens",
    "docx": "tools/documents/word_package",
    "pypdf": "tools/documents/pdf_package",
    "pdfminer": "tools/documents/pdf_text",
    "click": "apps",
    "rich": "apps",
    "optuna": "apps/series/tune",
    "starlette": "web studio review export",
    "anyio": "export/desk",
    "uvicorn": "web/running",
    "python_multipart": "web/uploads",
    "pyarrow": "apps/series/output_folder table",
    "joblib": "apps/series/batches",
    "pyspiel": "adapters/openspiel/games",
    "distributed": "apps/series/batches",
    "numpy": "adapters",
    "gymnasium": "adapters/packages",
    "pettingzoo": "adapters/packages",
}
"""By package from outside: the modules or folders that may import it."""

WORLD = {"open", "print", "input"}
CLOCKS = {"time", "random", "datetime", "locale", "secrets", "socket", "subprocess"}
NEVER = {"eval", "exec", "compile", "__import__"}
NEVER_BUT = {("values", "compile")}
"""The functions of value classes are compiled from text that nobody else writes."""
NEVER_MODULES = {"pickle", "marshal", "shelve"}
TOUCHES_THE_WORLD = ("distribution", "library", "user_cache", "hosting", "apps")
DRAWERS = {"utils", "util", "helpers", "common", "misc"}

BORROWS = {("apps.series.tune", "apps.series.sweep")}
"""The commands that use another one: tuning plays the points of a sweep."""

_GAME_WORDS = (
    "monkey monkeys tiger whisker whiskers liana lasso frog frogs lotus lily pond moon silly butterfly sheep flock "
    "shear sheared panic lamb ewe roger fence boing fox foxy hen rabbit zebra giraffe dolphin octopus hornochse "
    "hornochsen ox oxen bull bulls pat pats dung eye eyes happy pawn pawns shelter sheltered hypnosis stones charge"
)
GAME_WORDS = frozenset(_GAME_WORDS.split())
"""Titles, cards and pieces of the games that ship, as far as they are no words of games or programs in general."""


# ---------------------------------------------------------------- the house, read


@frozen(eq=False)
class Module:
    """A module.  path: from the root; name: with dots, without `rulekit.`; imports: names as written, with lines.

    room:   its folder with dots; of what stands in `rulekit/` directly the module itself.
    calls:  plain names that it calls, with lines.
    """

    path: str
    name: str
    room: str
    text: str
    imports: tuple[tuple[str, int], ...]
    calls: tuple[tuple[str, int], ...]

    @property
    def is_folder(self) -> bool:
        return self.path.endswith("__init__.py")

    @property
    def has_code(self) -> bool:
        """Whether it holds more than a docstring."""
        body = ast.parse(self.text).body
        return len(body) > (ast.get_docstring(ast.parse(self.text)) is not None)


@frozen(eq=False)
class House:
    """modules: those of the package by name.

    others:  texts of files that are no modules and may not name a game either, by path.
    """

    modules: Mapping[str, Module]
    others: Mapping[str, str]


def module(path: str, text: str) -> Module:
    imports: list[tuple[str, int]] = []
    calls: list[tuple[str, int]] = []
    package = path.removesuffix(".py").replace("/", ".").split(".")[:-1]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imports += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            home = ".".join([*base, *([node.module] if node.module else [])])
            imports += [(f"{home}.{alias.name}", node.lineno) for alias in node.names]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.append((node.func.id, node.lineno))
    name = path.removeprefix("rulekit/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    room = name if path.count("/") == 1 or path.endswith("/__init__.py") else name.rpartition(".")[0]
    return Module(path, name, room, text, tuple(imports), tuple(calls))


def house(texts: Mapping[str, str], others: Mapping[str, str] | None = None) -> House:
    """texts: of modules by path from the root."""
    made = [module(path, text) for path, text in texts.items() if path.startswith("rulekit/")]
    doors = ("__init__", "__main__")
    return House({one.name: one for one in made if one.name not in doors}, others or {})


@cache
def this_house() -> House:
    texts = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        texts[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
    kept = [*GRAMMAR.glob("*"), *(PACKAGE / "templates").glob("*"), PACKAGE / "text" / "rulekit.pot"]
    others = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in kept}
    return house(texts, others)


def arrows(of: House) -> Iterator[tuple[Module, Module, int]]:
    """Who imports whom, in which line: at any place, also inside functions and for types alone."""
    for one in of.modules.values():
        for name, line in one.imports:
            if name.startswith("rulekit."):
                short = name.removeprefix("rulekit.")
                target = of.modules.get(short) or of.modules.get(short.rpartition(".")[0])
                if target is not None and target is not one:
                    yield one, target, line


def is_in(room: str, folder: str) -> bool:
    return room == folder or room.startswith(f"{folder}.")


# ---------------------------------------------------------------- the rules

Rule = Callable[[House], Iterator[str]]


def imports_go_one_way(of: House) -> Iterator[str]:
    place = {room: number for number, room in enumerate(ROOMS)}
    for one in of.modules.values():
        if one.room not in place and one.has_code:
            yield f"{one.path}: `{one.room}` is not in ROOMS; put it where everything that it imports stands before it"
    for one, other, line in arrows(of):
        if one.room in place and other.room in place and place[other.room] > place[one.room]:
            yield (
                f"{one.path}:{line}: {one.room} may not import {other.room}, which comes after it in ROOMS; "
                f"move what both need into a room before {one.room}, or hand it in as an argument"
            )


def strangers_stay_apart(of: House) -> Iterator[str]:
    for one, other, line in arrows(of):
        for room, strange in APART.items():
            for folder in strange.split():
                if is_in(one.room, room) and is_in(other.room, folder) and (one.name, folder) not in APART_BUT:
                    yield f"{one.path}:{line}: {room} knows nothing of {folder} (APART); hand in what it needs"


def imports_make_no_ring(of: House) -> Iterator[str]:
    after: dict[str, dict[str, int]] = defaultdict(dict)
    for one, other, line in arrows(of):
        after[one.name].setdefault(other.name, line)
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> Iterator[str]:
        if name in path:
            ring = [*path[path.index(name) :], name]
            yield f"{' → '.join(ring)} is a ring; move what the last needs of the first into a module of its own"
        elif name not in done:
            for other in after[name]:
                yield from visit(other, (*path, name))
            done.add(name)

    for name in list(after):
        yield from visit(name, ())


def packages_live_in_their_homes(of: House) -> Iterator[str]:
    for one in of.modules.values():
        for name, line in one.imports:
            package = name.split(".")[0]
            if package in sys.stdlib_module_names or package == "rulekit":
                continue
            if package not in HOMES:
                yield f"{one.path}:{line}: `{package}` is new; name the one module that may import it in HOMES"
                continue
            homes = [home.replace("/", ".") for home in HOMES[package].split()]
            if not any(is_in(one.name, home) for home in homes):
                yield f"{one.path}:{line}: `{package}` lives in {' and '.join(homes)} alone; ask a function from there"


def only_library_and_apps_touch_the_world(of: House) -> Iterator[str]:
    for one in of.modules.values():
        outside = any(is_in(one.room, room) for room in TOUCHES_THE_WORLD)
        for called, line in one.calls:
            if called in NEVER and (one.name, called) not in NEVER_BUT:
                yield f"{one.path}:{line}: `{called}` runs text; nothing here does"
            if called in WORLD and not outside:
                yield f"{one.path}:{line}: `{called}` touches the world; return a value, and let library or apps do it"
        for name, line in one.imports:
            if name.split(".")[0] in NEVER_MODULES:
                yield f"{one.path}:{line}: `{name}` runs what a file says when it reads it; use record.codec"
            if name.split(".")[0] in CLOCKS and not outside:
                yield f"{one.path}:{line}: `{name}` makes runs differ; take the time or the chance as an argument"


def no_module_is_a_drawer(of: House) -> Iterator[str]:
    for one in of.modules.values():
        if one.name.rpartition(".")[2] in DRAWERS:
            yield f"{one.path}: this name says nothing; call it after what it holds"


def commands_do_not_import_one_another(of: House) -> Iterator[str]:
    """A command is a module of `apps` with a function called `command`."""
    commands = {name for name, one in of.modules.items() if is_in(one.room, "apps") and "\ndef command(" in one.text}
    for one, other, line in arrows(of):
        if other.name in commands and (one.name, other.name) not in BORROWS:
            yield f"{one.path}:{line}: {other.name} is a command; move what both need into a module beside them"


def no_game_lives_in_the_engine(of: House) -> Iterator[str]:
    texts = {one.path: one.text for one in of.modules.values()} | dict(of.others)
    for path, text in texts.items():
        for number, line in enumerate(text.lower().splitlines(), 1) if _named(text) else ():
            for word in sorted(_named(line)):
                yield f"{path}:{number}: `{word}` is of a game; say it for all games, or put it into the game's file"


def _named(text: str) -> frozenset[str]:
    return GAME_WORDS.intersection(re.findall(r"[a-z]+", text.lower()))


RULES: tuple[Rule, ...] = (
    imports_go_one_way,
    strangers_stay_apart,
    imports_make_no_ring,
    packages_live_in_their_homes,
    only_library_and_apps_touch_the_world,
    no_module_is_a_drawer,
    commands_do_not_import_one_another,
    no_game_lives_in_the_engine,
)


def test_the_house_keeps_its_rules() -> None:
    faults = [fault for rule in RULES for fault in rule(this_house())]
    assert not faults, "\n" + "\n".join(faults)


def test_what_is_listed_here_is_there() -> None:
    """A room, a home or an exception that is gone would let something pass unseen."""
    of = this_house()
    rooms = {one.room for one in of.modules.values() if one.has_code}
    assert set(ROOMS) == rooms
    assert len(ROOMS) == len(set(ROOMS))
    last = {name: max(at for at, room in enumerate(ROOMS) if is_in(room, name)) for name in APART}
    for name, strange in APART.items():
        assert all(any(is_in(room, one) for room in ROOMS[: last[name]]) for one in strange.split()), name
    named = [*APART, *(folder for strange in APART.values() for folder in strange.split()), *TOUCHES_THE_WORLD]
    assert [name for name in named if not any(is_in(room, name) for room in rooms)] == []
    homes = [home.replace("/", ".") for home in " ".join(HOMES.values()).split()]
    assert [home for home in homes if not any(is_in(name, home) for name in of.modules)] == []
    met = {(one.name, other.name) for one, other, _ in arrows(of)}
    assert met >= BORROWS
    assert {(one, folder) for one, folder in APART_BUT if (one, folder) in met} == APART_BUT


# ---------------------------------------------------------------- each rule can fail

FAULTY: tuple[tuple[Rule, dict[str, str], str], ...] = (
    (
        imports_go_one_way,
        {"rulekit/model/a.py": "from rulekit.play.b import x", "rulekit/play/b.py": ""},
        "model may not",
    ),
    (
        imports_go_one_way,
        {"rulekit/play/state/a.py": "from rulekit.play import b", "rulekit/play/b.py": ""},
        "play.state",
    ),
    (imports_go_one_way, {"rulekit/cellar/a.py": "x = 1"}, "not in ROOMS"),
    (
        imports_go_one_way,
        {"rulekit/source.py": "if TYPE_CHECKING:\n    from rulekit.limits import x", "rulekit/limits.py": ""},
        "source.py:2",
    ),
    (
        imports_go_one_way,
        {"rulekit/source.py": "def f():\n    from rulekit import library", "rulekit/library.py": ""},
        "source.py:2",
    ),
    (
        strangers_stay_apart,
        {"rulekit/play/meaning/a.py": "from rulekit.syntax.nodes import x", "rulekit/syntax/nodes.py": ""},
        "play knows nothing of syntax",
    ),
    (
        imports_make_no_ring,
        {
            "rulekit/model/a.py": "from rulekit.model import b",
            "rulekit/model/b.py": "def f():\n    from rulekit.model.c import x",
            "rulekit/model/c.py": "from .a import x",
        },
        "model.a → model.b → model.c → model.a",
    ),
    (packages_live_in_their_homes, {"rulekit/syntax/parse.py": "from lark import Lark"}, "syntax.lark_tables alone"),
    (packages_live_in_their_homes, {"rulekit/tools/tell/a.py": "import click"}, "lives in apps"),
    (packages_live_in_their_homes, {"rulekit/model/a.py": "import torch"}, "`torch` is new"),
    (only_library_and_apps_touch_the_world, {"rulekit/tools/tell/a.py": "def f():\n    print(1)"}, "a.py:2: `print`"),
    (only_library_and_apps_touch_the_world, {"rulekit/model/a.py": "open('x')"}, "`open`"),
    (only_library_and_apps_touch_the_world, {"rulekit/play/a.py": "from random import choice"}, "`random.choice`"),
    (only_library_and_apps_touch_the_world, {"rulekit/apps/a.py": "eval('1')"}, "`eval` runs text"),
    (only_library_and_apps_touch_the_world, {"rulekit/play/a.py": "exec('x = 1')"}, "`exec` runs text"),
    (only_library_and_apps_touch_the_world, {"rulekit/source.py": "compile('1', '', 'eval')"}, "`compile` runs text"),
    (only_library_and_apps_touch_the_world, {"rulekit/apps/a.py": "import pickle"}, "record.codec"),
    (no_module_is_a_drawer, {"rulekit/tools/tell/helpers.py": ""}, "says nothing"),
    (
        commands_do_not_import_one_another,
        {"rulekit/apps/a.py": "from rulekit.apps.b import x", "rulekit/apps/b.py": "x = 1\ndef command(): ..."},
        "apps.b is a command",
    ),
    (no_game_lives_in_the_engine, {"rulekit/play/a.py": "'''Moves.'''\nis_frog_here = 1"}, "a.py:2: `frog`"),
)


@pytest.mark.parametrize(("rule", "texts", "told"), FAULTY, ids=[f"{case[0].__name__}-{case[2]}" for case in FAULTY])
def test_a_rule_fails_where_it_is_broken(rule: Rule, texts: dict[str, str], told: str) -> None:
    (fault,) = rule(house(texts))
    assert told in fault


def test_every_rule_has_a_case_that_breaks_it() -> None:
    assert {case[0] for case in FAULTY} == set(RULES)


def test_rules_hold_where_they_allow_something() -> None:
    allowed = {
        "rulekit/__init__.py": "from rulekit.apps.a import x",
        "rulekit/library.py": "open('x')",
        "rulekit/values.py": "from attrs import frozen\ncompile('x', '', 'exec')",
        "rulekit/apps/a.py": "import time\nimport click\nprint(re.compile('x'))",
    }
    assert not [fault for rule in RULES for fault in rule(house(allowed))]
    assert list(no_game_lives_in_the_engine(house({}, {"grammar/rules.lark": "frogs: x"})))
