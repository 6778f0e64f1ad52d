"""The front end from a rules file to a checked game: read, parse, extend, resolve, check, all in one function."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rulekit import library
from rulekit.arguments import require_type
from rulekit.diagnostics import ERROR, Diagnostic, Problems, render_all
from rulekit.errors import BadInput
from rulekit.model.check import taint_analysis
from rulekit.model.declare.contents import Known
from rulekit.model.declare.file_extension import Expanded, expanded
from rulekit.model.elaborate.elaboration import resolve
from rulekit.model.game import Game
from rulekit.source import Source, Span
from rulekit.syntax import nodes
from rulekit.syntax.parse import Blocks
from rulekit.values import field, frozen


class RulesError(BadInput):
    """A rules file with errors.  Its text is what a person should read."""

    def __init__(self, findings: tuple[Diagnostic, ...], sources: dict[str, Source]) -> None:
        super().__init__(render_all(findings, sources))
        self.findings = findings
        self.sources = sources

    def report(self) -> str:
        return str(self)


@frozen
class Loaded:
    """game is None if there are errors; findings hold warnings too; declarations: the syntax it was made from.

    notes:  what is right, and told on request.
    """

    game: Game | None
    findings: tuple[Diagnostic, ...]
    sources: dict[str, Source] = field(factory=dict, repr=False)
    declarations: tuple[nodes.Declaration, ...] = field(default=(), repr=False, eq=False)
    notes: tuple[Diagnostic, ...] = ()


def examine(path: str | os.PathLike[str]) -> Loaded:
    """Read, parse, resolve and check; never raises for a fault of the file."""
    try:
        source = library.read(path)
    except library.Unreadable as fault:
        return Loaded(None, (fault.finding,))
    return examine_text(source)


def examine_text(source: Source, blocks: Blocks | None = None) -> Loaded:
    """The same for a text that is already read.  blocks: those of texts like this one, which need not be read again."""
    return _loaded(source, advised=True, known=None if blocks is None else Known(blocks))


class Workspace:
    """Examines texts that are edited: what an edit leaves as it was is not read again (incremental compilation).

    Holds what it read last, and nothing older.  What it gives is the same as from nothing.
    """

    def __init__(self) -> None:
        self._known = Known()

    def examine_text(self, source: Source) -> Loaded:
        """As `examine_text`."""
        self._known.forget()
        return _loaded(source, advised=True, known=self._known)

    def known(self) -> Known:
        """What was read last, for who compares other texts with it before anything else is examined."""
        return self._known.apart()


def _loaded(
    source: Source, *, advised: bool, bases: tuple[Source, ...] | None = None, known: Known | None = None
) -> Loaded:
    """advised: with warnings about a game that can be played.  bases: what it may extend, instead of files."""
    problems = Problems()
    sources: dict[str, Source] = {}
    declarations: tuple[nodes.Declaration, ...] = ()
    try:
        whole = expanded(source, problems, sources, bases, known)
        declarations = tuple(whole.declarations)
        game = _checked(whole, source, sources, problems, advised)
    except RecursionError:
        # Each expression and each chain of defines is within its limit, but not both together.
        place = Span(source.name, 1, 1, 1, 1)
        problems.add("nesting", "defines that use one another are nested too deep", place, hint="use fewer levels")
        game = None
    if problems.has_errors:
        # Warnings about a game that is not whole would mostly be consequences of its errors.
        return Loaded(None, tuple(entry for entry in problems.found if entry.level == ERROR), sources)
    return Loaded(game, tuple(problems.found), sources, declarations, tuple(problems.notes))


def _checked(
    whole: Expanded, source: Source, sources: dict[str, Source], problems: Problems, advised: bool
) -> Game | None:
    game = resolve(whole, source, sources, problems)
    if game is None:
        return None
    if advised:
        # Commands that play ask for no advice, and begin sooner without.
        from rulekit.model.check import lint

        lint.check(game, whole, problems)
    return taint_analysis.marked(game)


def load(path: str | os.PathLike[str], *, examples: bool = True) -> Game:
    """The checked game in a rules file; raises `RulesError` if the file has errors.

    examples:  whether its scenarios are read; if not, the game has none, and nothing is said of errors in them.
    """
    require_type("path", path, (str, os.PathLike), "the path of a rules file or the name of a game that ships")
    game, _ = load_with_sources(path, examples=examples)
    return game


def load_text(text: str, name: str = "text.rules") -> Game:
    """The checked game in a text; raises `RulesError` if it has errors.

    name:  how findings call it; a game that it extends is searched beside a file of this name.
    """
    require_type("text", text, str, "the text of a rules file, a str")
    loaded = _loaded(Source(name, text), advised=False)
    if loaded.game is None:
        raise RulesError(loaded.findings, loaded.sources)
    return loaded.game


def load_sources(sources: Sequence[tuple[str, str]]) -> Game:
    """The checked game in texts that were read before, as `Game.sources` holds them: the first extends the others.

    Nothing is read; raises `RulesError` if the texts have errors.
    """
    texts = [Source(name, text) for name, text in sources]
    loaded = _loaded(texts[0], advised=False, bases=tuple(texts[1:]))
    if loaded.game is None:
        raise RulesError(loaded.findings, loaded.sources)
    return loaded.game


def load_with_sources(path: str | os.PathLike[str], *, examples: bool = True) -> tuple[Game, dict[str, Source]]:
    """The same, and all sources that were read, by name.  The checks that only warn are left out."""
    try:
        source = library.read(path)
    except library.Unreadable as fault:
        raise RulesError((fault.finding,), {}) from None
    loaded = _loaded(source, advised=False, known=None if examples else Known(Blocks(examples=False)))
    if loaded.game is None:
        raise RulesError(loaded.findings, loaded.sources)
    return loaded.game, loaded.sources
