"""The shape of the source: how much there is, where it lies, what imports what in a ring, who names which operation.

    python -m benchmarks.house
    python -m benchmarks.house --operation Swap     # files that say `Swap`, `swap` or `_swap…` as a word of its own

Nothing is imported; sources are read as text.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import statistics
import tokenize
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from rulekit.values import frozen

ROOT = Path(__file__).parent.parent
PACKAGE = "rulekit"
DOORS = (PACKAGE, f"{PACKAGE}.__main__")
LAYOUT = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENDMARKER}
OPERATIONS = {"ops": "ops", "expr": "x"}
"""The modules whose classes are operations and expressions, and the names by which others import them."""
SHOWN = 5


@frozen
class Module:
    """path: from the root.  lines: all; code: those that hold more than blanks, comments and docstrings."""

    name: str
    path: Path
    text: str
    tree: ast.Module
    lines: int
    code: int

    @property
    def folder(self) -> str:
        return self.path.parent.as_posix()

    @property
    def room(self) -> str:
        """The folder, or for what lies directly in the package the module itself."""
        return self.folder if "/" in self.folder else self.path.as_posix()


def modules(root: Path, top: str) -> list[Module]:
    """Every module below a folder, empty ones left out."""
    found = []
    for path in sorted((root / top).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not text.strip():
            continue
        inside = path.relative_to(root)
        parts = inside.with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        tree = ast.parse(text)
        found.append(Module(name, inside, text, tree, text.count("\n"), code_lines(text, tree)))
    return found


def code_lines(text: str, tree: ast.Module) -> int:
    """Lines with code: no blanks, no comments, no strings that stand by themselves."""
    said: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            said |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            held |= set(range(token.start[0], token.end[0] + 1))
    return len(held - said)


# ---------------------------------------------------------------- imports


def imports(module: Module, known: set[str]) -> Iterator[tuple[str, bool]]:
    """The modules it imports, and whether that happens when it is loaded: not in functions, not for types alone."""

    def visit(node: ast.AST, loaded: bool) -> Iterator[tuple[str, bool]]:
        if isinstance(node, ast.Import):
            yield from ((alias.name, loaded) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield (inner if inner in known else node.module), loaded
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for body, then in ((node.body, False), (node.orelse, loaded)):
                for one in body:
                    yield from visit(one, then)
        else:
            within = loaded and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            for child in ast.iter_child_nodes(node):
                yield from visit(child, within)

    yield from ((name, loaded) for name, loaded in visit(module.tree, True) if name in known)


def graph(found: list[Module], every: bool, of: Callable[[str], str] = str) -> dict[str, set[str]]:
    """every: with imports in functions and for types.  of: what stands for a module, such as its folder."""
    known = {one.name for one in found}
    made: dict[str, set[str]] = defaultdict(set)
    for one in found:
        for name, loaded in imports(one, known):
            if (every or loaded) and of(name) != of(one.name):
                made[of(one.name)].add(of(name))
    return made


def rings(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one member, largest first.

    Source: R. E. Tarjan, Depth-first search and linear graph algorithms, 1972; a stack instead of recursion.
    """
    place: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    found = []
    for start in sorted(edges):
        path = [(start, iter(sorted(edges[start])))] if start not in place else []
        while path:
            node, rest = path[-1]
            if node not in place:
                place[node] = low[node] = len(place)
                open_.append(node)
            for other in rest:
                if other not in place:
                    path.append((other, iter(sorted(edges.get(other, ())))))
                    break
                if other in open_:
                    low[node] = min(low[node], place[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == place[node]:
                    at = open_.index(node)
                    ring, open_ = open_[at:], open_[:at]
                    found += [sorted(ring)] if len(ring) > 1 else []
    return sorted(found, key=lambda ring: (-len(ring), ring))


# ---------------------------------------------------------------- operations


def operations(found: list[Module]) -> dict[str, str]:
    """Classes of operations and expressions (the base classes left out), each with the pattern that finds its name."""
    names: dict[str, str] = {}
    for leaf, short in OPERATIONS.items():
        homes = [one for one in found if one.name.rpartition(".")[2] == leaf and ".model." in f".{one.name}."]
        for home in homes:
            classes = [node.name for node in home.tree.body if isinstance(node, ast.ClassDef) and node.bases]
            names |= {f"{short}.{name}": rf"\b{short}\.{name}\b" for name in classes}
    return names


def naming(found: list[Module], pattern: str) -> list[str]:
    wanted = re.compile(pattern)
    return [one.path.as_posix() for one in found if wanted.search(one.text)]


def saying(word: str) -> str:
    """A pattern for a word as an operation: by itself, as a part of a snake_case name, or as a CamelCase name."""
    low = re.escape(word.lower())
    camel = "".join(part.capitalize() for part in re.split(r"[_-]", word)) if word.islower() else re.escape(word)
    return rf"(?<![A-Za-z0-9]){low}(?![A-Za-z0-9])|(?<![A-Za-z]){camel}(?![a-z0-9])"


# ---------------------------------------------------------------- told


def by_folder(found: list[Module]) -> Iterator[str]:
    folders: dict[str, list[Module]] = defaultdict(list)
    for one in found:
        folders[one.folder].append(one)
    yield f"{'folder':<44} {'modules':>7} {'lines':>7} {'code':>7}"
    for name, inside in sorted(folders.items()):
        lines, code = sum(one.lines for one in inside), sum(one.code for one in inside)
        yield f"{name:<44} {len(inside):>7} {lines:>7} {code:>7}"
    lines, code = sum(one.lines for one in found), sum(one.code for one in found)
    yield f"{'all':<44} {len(found):>7} {lines:>7} {code:>7}"
    largest = max(folders, key=lambda name: len(folders[name]))
    yield f"largest folder: {largest}, {len(folders[largest])} modules"


def by_ring(found: list[Module]) -> Iterator[str]:
    """Without the doors of the package, which only pass on what others have."""
    found = [one for one in found if one.name not in DOORS]
    rooms = {one.name: one.room for one in found}
    for what, of in (("modules", str), ("folders", rooms.__getitem__)):
        for when, every in (("when loaded", False), ("with types and lazy imports", True)):
            made = rings(graph(found, every, of))
            yield f"rings of {what}, {when}: {len(made)}"
            yield from (f"  {len(ring)}: {' '.join(ring)}" for ring in made)


def by_operation(found: list[Module]) -> Iterator[str]:
    counts = Counter({name: len(naming(found, pattern)) for name, pattern in operations(found).items()})
    if not counts:
        yield "no operations found"
        return
    median = statistics.median(counts.values())
    yield f"operations and expressions: {len(counts)}; files that name one: median {median:g}; most:"
    yield from (
        f"  {name}: {count}" for name, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:SHOWN]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=ROOT, help="another checkout")
    parser.add_argument("--operation", metavar="WORD", action="append", help="list the files that say it, and no more")
    arguments = parser.parse_args()
    found = modules(arguments.root, PACKAGE)
    for word in arguments.operation or ():
        files = naming(found, saying(word))
        print(f"{word}: {len(files)} files")
        print("".join(f"  {name}\n" for name in files), end="")
    if arguments.operation:
        return
    for part in (by_folder(found), by_folder(modules(arguments.root, "tests")), by_ring(found), by_operation(found)):
        print("\n".join(part), end="\n\n")


if __name__ == "__main__":
    main()
