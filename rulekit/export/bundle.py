"""What runs in the page, as an archive (ZIP): one game, and all modules that the table inside the page reaches.

Also called: tree shaking.  Nothing in it is compiled for a machine, so it is taken from wherever it is installed here.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import metadata
from modulefinder import ModuleFinder
from pathlib import Path

from rulekit import library
from rulekit.export import searching
from rulekit.model.game import Game
from rulekit.syntax import lark_tables, parse_tables
from rulekit.tools.language.translation import SOURCE

START = "rulekit.export.desk"
NEVER = ("rulekit.tools.studies", "lark", "text_to_num", "wasmtime", "trio", "uvloop", "pyarrow", "js", "pyodide")
"""What never comes to run there, tools for programs and packages that may be missing; or what only a browser has."""
_WHEN = (1980, 1, 1, 0, 0, 0)
"""No file tells when it was made, so that the same game gives the same page."""


def bundle(game: Game) -> bytes:
    """The archive, not compressed: who takes it compresses the whole."""
    made, modules = io.BytesIO(), _modules()
    files = {**modules, **_data(), **_tables(), **_of_game(game), **searching.modules(game), **_licences(modules)}
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, _WHEN), content)
    return made.getvalue()


def rules_name(game: Game) -> str:
    """Where the archive has the rules."""
    return f"games/{Path(game.sources[0][0]).name}"


@cache
def _modules() -> Mapping[str, bytes]:
    """By name in the archive, all modules that the first imports, or those that these import, but for Python's own."""
    finder = ModuleFinder(excludes=[*sys.stdlib_module_names, *NEVER])
    finder.import_hook(START)
    found = {name: vars(module)["__file__"] for name, module in finder.modules.items()}
    files = {name: Path(file) for name, file in found.items() if file}
    return {_name(name, path): path.read_bytes() for name, path in files.items() if path.suffix == ".py"}


def _name(module: str, path: Path) -> str:
    return module.replace(".", "/") + ("/__init__.py" if path.name == "__init__.py" else ".py")


def _licences(modules: Iterable[str]) -> dict[str, bytes]:
    """Those under which other people's packages are passed on."""
    packages = {name.partition("/")[0].removesuffix(".py") for name in modules} - {"rulekit"}
    owners = metadata.packages_distributions()
    found: dict[str, bytes] = {}
    for owner in {owner for package in packages for owner in owners.get(package, ())}:
        for file in metadata.files(owner) or ():
            if file.stem.upper().startswith(("LICENSE", "COPYING")):
                found[f"licences/{owner}/{file.name}"] = file.read_binary()
    return found


def _data() -> dict[str, bytes]:
    """Files of the package that are no modules: how pages look, and what the engine says in other languages."""
    package = Path(library.__file__).parent
    files = [path for folder in ("templates", "text") for path in (package / folder).iterdir()]
    return {path.relative_to(package.parent).as_posix(): path.read_bytes() for path in files if path.suffix != ".pot"}


@cache
def _tables() -> Mapping[str, bytes]:
    """The grammar with its tables, so that nothing there has to make them; those that are here, if they are its own."""
    grammar, built = library.grammar(), library.grammar_tables()
    tables = built if parse_tables.valid(built, grammar) else lark_tables.text(grammar)
    made = {"rules.lark": grammar, "rules.json": tables}
    return {f"rulekit/_data/grammar/{name}": text.encode() for name, text in made.items()}


def _of_game(game: Game) -> dict[str, bytes]:
    """The rules, those that they extend, their translations, and their sentences in every language."""
    files = {f"games/{Path(name).name}": text.encode() for name, text in game.sources}
    for name, _ in game.sources:
        for language in (SOURCE.language, *library.languages()):
            for path in (library.catalogue(name, language), library.forms(name, language)):
                if path is not None:
                    files[f"games/text/{path.name}"] = path.read_bytes()
    return files
