"""Files that extend others (inheritance between files): one list of declarations out of several files.

Works on syntax alone: `replace` puts a declaration in the place of the one
with the same name, `add` puts a member into its deck, everything else is
appended.  A base's scenarios stay with the base.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

from rulekit import library, limits
from rulekit.diagnostics import Problems, nearest
from rulekit.model.declare.contents import DeclarationMemo, Known
from rulekit.model.declare.kinds import row_keys
from rulekit.source import Source, Span
from rulekit.syntax import nodes
from rulekit.syntax.parse import Blocks, parse
from rulekit.syntax.traversal import walk
from rulekit.values import evolve, field, frozen

Declarations = list[nodes.Declaration]
L = TypeVar("L", bound=nodes.Line)


@frozen
class Expanded:
    """One list of declarations; names in lines lost to syntax faults; what stands after the last lines.

    broken: a declaration was lost to a syntax fault, or a game that should be extended is not there, so that
            nothing can be said about names.
    kept:   what later stages work out once for each declaration; a text that is made of this one shares it.
    """

    declarations: Declarations
    lost: frozenset[str] = frozenset()
    tail: tuple[nodes.Clause | nodes.Comment, ...] = ()
    broken: bool = False
    kept: DeclarationMemo = field(factory=DeclarationMemo, eq=False, repr=False)


def expanded(
    source: Source,
    problems: Problems,
    sources: dict[str, Source],
    bases: tuple[Source, ...] | None = None,
    known: Known | None = None,
) -> Expanded:
    """A file with those it extends; `sources` is filled with every text read.

    bases:  the texts that may be extended; None looks for files.
    known:  what was read of these texts before.
    """
    base_of = _read_base if bases is None else partial(_given_base, {Path(one.name).stem: one for one in bases})
    known = known or Known()
    return evolve(_expand(source, problems, (source.name,), _Texts(base_of, sources, known.blocks)), kept=known.memo)


BaseOf = Callable[[str, str], Source | None]
"""The text of the game that a file extends under a name; None if there is none."""


@frozen
class _Texts:
    """Where texts come from, and what was read of them: the sources by name, and their blocks."""

    base_of: BaseOf
    sources: dict[str, Source]
    known: Blocks


def _read_base(name: str, beside: str) -> Source | None:
    path = library.find_base(name, beside)
    return None if path is None else library.read(path)


def _given_base(bases: Mapping[str, Source], name: str, _: str) -> Source | None:
    return bases.get(name)


def _expand(source: Source, problems: Problems, above: tuple[str, ...], texts: _Texts) -> Expanded:
    texts.sources[source.name] = source
    parsed = parse(source, problems, texts.known)
    own = list(parsed.file.declarations)
    line = _extends(own)
    if line is None:
        return Expanded(_without_changes(own, problems), parsed.lost, parsed.file.tail, parsed.broken)
    base = _base(line, source, problems, above, texts)
    lost = parsed.lost | base.lost
    if base.broken or parsed.broken:
        return Expanded([], lost, broken=True)
    return Expanded(_merged(base.declarations, own, problems, lost), lost, base.tail + parsed.file.tail)


def _extends(declarations: Declarations) -> nodes.Extends | None:
    for node in declarations:
        if isinstance(node, nodes.GameHead):
            return next((fact for fact in node.facts if isinstance(fact, nodes.Extends)), None)
    return None


def _base(line: nodes.Extends, source: Source, problems: Problems, above: tuple[str, ...], texts: _Texts) -> Expanded:
    try:
        base = texts.base_of(line.base, source.name)
    except library.Unreadable as fault:
        problems.add(fault.finding.code, fault.finding.title, line.span)
        return Expanded([], broken=True)
    if base is None:
        hint = "name a .rules file beside this one, or a game that ships, without path and ending"
        problems.add("no-such-base", f"there is no game `{line.base}` to extend", line.span, hint=hint)
        return Expanded([], broken=True)
    if base.name in above:
        problems.add("ring", f"`{line.base}` comes back to extend itself", line.span)
        return Expanded([], broken=True)
    if len(above) >= limits.EXTENDS_DEPTH:
        problems.add("nesting", f"files extend one another more than {limits.EXTENDS_DEPTH} deep", line.span)
        return Expanded([], broken=True)
    if sum(len(text.text) for text in texts.sources.values()) + len(base.text) > limits.EXPANDED_BYTES:
        problems.add("file-too-large", "all files together are too large", line.span)
        return Expanded([], broken=True)
    whole = _expand(base, problems, (*above, base.name), texts)
    kept: Declarations = [node for node in whole.declarations if not isinstance(node, nodes.Scenario)]
    return evolve(whole, declarations=kept)


def _without_changes(own: Declarations, problems: Problems) -> Declarations:
    """A file that extends nothing has nothing to replace."""
    for node in own:
        if isinstance(node, nodes.Replace | nodes.Add):
            word = "replace" if isinstance(node, nodes.Replace) else "add"
            hint = 'say `extends "name"` in the head of the game'
            problems.add("extends-nothing", f"`{word}` needs a game to extend", node.span, hint=hint)
    return [node for node in own if not isinstance(node, nodes.Replace | nodes.Add)]


def _merged(base: Declarations, own: Declarations, problems: Problems, lost: frozenset[str]) -> Declarations:
    merged = list(base)
    for node in own:
        if isinstance(node, nodes.GameHead):
            merged = [_head(old, node) if isinstance(old, nodes.GameHead) else old for old in merged] or [node]
        elif isinstance(node, nodes.Replace):
            merged = _replaced(merged, node, problems, lost)
        elif isinstance(node, nodes.Add):
            merged = _added(merged, _tied(node.member, node), problems)
        else:
            merged.append(node)
    return merged


def _head(old: nodes.GameHead, new: nodes.GameHead) -> nodes.GameHead:
    """The new title; facts that the new head does not state are the base's."""
    stated = {type(fact) for fact in new.facts}
    kept = tuple(fact for fact in old.facts if type(fact) not in stated and not isinstance(fact, nodes.Extends))
    return evolve(new, facts=(*kept, *new.facts))


def _name(node: nodes.Declaration) -> tuple[str, str] | None:
    """What a declaration is replaced by: its sort and its name."""
    if isinstance(node, nodes.Part):
        return "part", node.word
    if isinstance(node, nodes.Has):
        return "has", node.kind
    if isinstance(node, nodes.Change):
        return f"{node.word}", node.target
    if isinstance(node, nodes.Invariant):
        return "invariant", node.text
    if isinstance(node, nodes.When):
        return "when", f"{node.piece} {node.word}"
    name = getattr(node, "name", None)
    return ("name", name) if isinstance(name, str) else None


def _replaced(merged: Declarations, node: nodes.Replace, problems: Problems, lost: frozenset[str]) -> Declarations:
    new = _tied(node.declaration, node)
    if isinstance(new, nodes.Member):
        return _with_member(merged, new, problems, lost)
    if isinstance(new, nodes.Has):
        return _with_variables(merged, new, problems)
    if isinstance(new, nodes.PlaceLines):
        return _with_lines(merged, new, problems, lost)
    found, result = _everywhere(merged, lambda old: _keeping(old, new) if _name(old) == _name(new) else None)
    if not found:
        _nothing_to_replace(merged, new, node.span, problems, lost)
        return [*merged, new]
    return result


def _tied(inner: L, outer: nodes.Line) -> L:
    """A declaration with what stands beside the `replace` or `add` before it."""
    own, more = inner.margin, outer.margin
    comment, parts = more.comment or own.comment, more.parts | own.parts
    margin = nodes.Margin(more.above + own.above, more.cites + own.cites, comment, parts)
    return evolve(inner, margin=margin)


def _keeping(old: nodes.Line, new: L) -> L:
    """The replacement, tied to the clauses of what it replaces, but for those that it words anew."""
    own = {clause.id for clause in _clauses(new)}
    kept = tuple(clause for clause in _clauses(old) if clause.id not in own)
    return evolve(new, margin=evolve(new.margin, above=(*new.margin.above, *kept)))


def _clauses(node: nodes.Line) -> list[nodes.Clause]:
    lines = [part for part in walk(node) if isinstance(part, nodes.Line)]
    return [clause for line in lines for clause in line.margin.above if isinstance(clause, nodes.Clause)]


def _everywhere(
    declarations: Declarations, change: Callable[[nodes.Declaration], nodes.Declaration | None]
) -> tuple[bool, Declarations]:
    """Replace wherever `change` gives something, also inside `assume`."""
    found = False
    result: Declarations = []
    for old in declarations:
        new = change(old)
        if new is not None:
            if not (found and isinstance(new, nodes.Part)):
                result.append(new)
            found = True
        elif isinstance(old, nodes.Assume):
            inside, inner = _everywhere(list(old.declarations), change)
            found = found or inside
            result.append(evolve(old, declarations=tuple(inner)))
        else:
            result.append(old)
    return found, result


def _nothing_to_replace(
    merged: Declarations, new: nodes.Declaration, span: Span, problems: Problems, lost: frozenset[str]
) -> None:
    name = _name(new)
    if name is None or name[1] in lost:
        return
    known = [own[1] for old in merged if (own := _name(old)) is not None and own[0] == name[0]]
    title = f"the extended game has no `{name[1]}` to replace"
    problems.add("nothing-to-replace", title, span, hint=nearest(name[1], known))


def _with_member(merged: Declarations, new: nodes.Member, problems: Problems, lost: frozenset[str]) -> Declarations:
    found, result = _everywhere(merged, lambda old: _member_replaced(old, new))
    if not found and new.key not in lost:
        title = f"the extended game has no {new.kind} `{new.key}` to replace"
        problems.add("nothing-to-replace", title, new.span, hint=f"`add {new.kind} {new.key}` adds a new one")
    return result


def _member_replaced(old: nodes.Declaration, new: nodes.Member) -> nodes.Declaration | None:
    """A block of members, or a table with its rows, in which `new` stands for the one of its key; None if none is."""
    if not isinstance(old, nodes.Deck | nodes.KindBlock):
        return None
    if any((member.kind, member.key) == (new.kind, new.key) for member in old.members):
        members = tuple(_keeping(m, new) if (m.kind, m.key) == (new.kind, new.key) else m for m in old.members)
        return evolve(old, members=members)
    if not isinstance(old, nodes.Deck) or old.kind != new.kind:
        return None
    place = next((i for i, row in enumerate(old.rows) if i and new.key in _row_keys(row)), None)
    if place is None:
        return None
    return evolve(old, rows=(*old.rows[:place], *_row_replaced(old.rows[place], new), *old.rows[place + 1 :]))


def _row_keys(row: nodes.Row | nodes.Member) -> list[str]:
    return [row.key] if isinstance(row, nodes.Member) else row_keys(row.cells[0])


def _row_replaced(row: nodes.Row | nodes.Member, new: nodes.Member) -> list[nodes.Row | nodes.Member]:
    """`new` in the place of a row; of a row for many numbers the others stay before and behind it."""
    keys = _row_keys(row)
    place = keys.index(new.key)
    return [*_rest(row, keys[:place]), _keeping(row, new), *_rest(row, keys[place + 1 :])]


def _rest(row: nodes.Row | nodes.Member, keys: list[str]) -> list[nodes.Row]:
    if not keys or not isinstance(row, nodes.Row):
        return []
    return [evolve(row, cells=(f"{keys[0]}..{keys[-1]}", *row.cells[1:]), margin=nodes.EMPTY)]


def _added(merged: Declarations, new: nodes.Member, problems: Problems) -> Declarations:
    done = False

    def change(old: nodes.Declaration) -> nodes.Declaration | None:
        nonlocal done
        kind = old.kind if isinstance(old, nodes.Deck) else old.name if isinstance(old, nodes.KindBlock) else None
        if kind != new.kind or done or not isinstance(old, nodes.Deck | nodes.KindBlock):
            return None
        done = True
        return evolve(old, members=(*old.members, new))

    found, result = _everywhere(merged, change)
    if not found:
        known = {old.kind for old in merged if isinstance(old, nodes.Deck)}
        title = f"the extended game has no cards or table of {new.kind}s"
        problems.add("nothing-to-replace", title, new.span, hint=nearest(new.kind, known))
    return result


def _with_lines(merged: Declarations, new: nodes.PlaceLines, problems: Problems, lost: frozenset[str]) -> Declarations:
    """The lines of a place, in which those of each sort that `new` has are the new ones."""
    found, result = _everywhere(merged, lambda old: _lines_replaced(old, new))
    if not found and new.name not in lost:
        known = [old.name for old in merged if isinstance(old, _PLACES[new.word])]
        title = f"the extended game has no {new.word} `{new.name}`"
        problems.add("nothing-to-replace", title, new.span, hint=nearest(new.name, known))
    return result


_PLACES: dict[str, type[nodes.Track | nodes.Course | nodes.Grid]] = {
    "track": nodes.Track,
    "course": nodes.Course,
    "grid": nodes.Grid,
}


def _lines_replaced(old: nodes.Declaration, new: nodes.PlaceLines) -> nodes.Declaration | None:
    if not isinstance(old, nodes.Track | nodes.Course | nodes.Grid):
        return None
    if not isinstance(old, _PLACES[new.word]) or old.name != new.name:
        return None
    first, *others = new.arrivals
    sorts = {type(line) for line in new.arrivals}
    for line in (line for line in old.arrivals if type(line) in sorts):
        first = _keeping(line, first)
    place = next((n for n, line in enumerate(old.arrivals) if type(line) in sorts), len(old.arrivals))
    kept = [line for line in old.arrivals[place:] if type(line) not in sorts]
    margin = nodes.Margin(old.margin.above + new.margin.above, old.margin.cites + new.margin.cites, old.margin.comment)
    return evolve(old, arrivals=(*old.arrivals[:place], first, *others, *kept), margin=margin)


def _with_variables(merged: Declarations, new: nodes.Has, problems: Problems) -> Declarations:
    names = {variable.name for variable in new.variables}
    known = {v.name for old in merged if isinstance(old, nodes.Has) and old.kind == new.kind for v in old.variables}
    for variable in new.variables:
        if variable.name not in known:
            title = f"each {new.kind} of the extended game has no `{variable.name}` to replace"
            problems.add("nothing-to-replace", title, variable.span, hint=nearest(variable.name, known))
    result: Declarations = []
    for old in merged:
        if isinstance(old, nodes.Has) and old.kind == new.kind:
            for variable in (v for v in old.variables if v.name in names):
                new = _keeping(variable, new)
            old = evolve(old, variables=tuple(v for v in old.variables if v.name not in names))
        result.append(old)
    return [*result, new]
