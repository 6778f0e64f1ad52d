"""Proposals that say a statement in another way: two moves for a swap, `remove` for a pile that nobody reads.

Each takes its parts from the syntax tree, so that what they mean stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulekit.diagnostics import Diagnostic
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.syntax.unparse_expr import written
from rulekit.tools.editing.corrections.lines import IF_MEANT, FaultyLine, Proposal, blamed, faulty_line, forms_in
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit
from rulekit.values import evolve

_STEP = "    "


def from_statements(document: Document, entry: Diagnostic) -> Iterator[Proposal]:
    """By what the hint asks for, in its own words."""
    line = faulty_line(document, entry)
    for asked, maker in _BY_HINT:
        if re.search(asked, entry.hint):
            yield from maker(document, line, entry)


def _at(document: Document, line: FaultyLine, kind: type[nodes.Line]) -> nodes.Line | None:
    """The first statement of this kind that stands in the line."""
    found = (node for node in walk(document.file.declarations) if isinstance(node, kind))
    return next((node for node in found if node.span.line == line.number), None)


def _instead(line: FaultyLine, *statements: str) -> Proposal:
    """Statements in place of the one that the line is."""
    text = f"\n{line.indent}".join(statements)
    return line.with_(*line.said, text, f"write `{'` and `'.join(statements)}`")


def _if_meant(proposal: Proposal) -> Proposal:
    return evolve(proposal, title=proposal.title + IF_MEANT)


def _new(document: Document, name: str) -> str:
    """A name that the text does not use yet."""
    used = set(re.findall(r"[a-z]\w*", document.source.text))
    return next(new for number in range(1, 999) if (new := name if number == 1 else f"{name}_{number}") not in used)


def _one_after_the_other(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """The first is kept in mind, the second takes its place, then it goes to where that was."""
    swap = _at(document, line, nodes.Swap)
    if isinstance(swap, nodes.Swap):
        one, left, right = _new(document, "kept"), written(swap.left), written(swap.right)
        to_left, to_right = (re.sub(r"^(?:first|last|any|one of) ", "", each) for each in (left, right))
        yield _instead(line, f"let {one} be {left}", f"move {right} to {to_left}", f"move {one} to {to_right}")


def _moved_to(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """Each pile, and each piece with it, in place of what cannot be moved or moved to."""
    move = _at(document, line, nodes.MoveTo)
    if not isinstance(move, nodes.MoveTo):
        return
    thing, to = written(move.thing), written(move.to)
    seats = [
        one.symbol.name for one in document.index.all if one.symbol.sort == "local" and one.span.line == line.number
    ]
    whose = [*dict.fromkeys(seats), "(first players)"]
    for node in walk(document.file.declarations):
        if isinstance(node, nodes.Piece):
            yield _if_meant(line.with_(*line.said, f"move {node.name} to {to}"))
        if isinstance(node, nodes.Pile):
            names = [str(node.name), *(f"{seat}.{node.name}" for seat in whose)]
            yield from (_if_meant(line.with_(*line.said, f"move {thing} to {name}")) for name in names)


def _removed(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """What came to the pile is taken out of the game, and the pile is no more."""
    pile = blamed(entry)[0]
    gone = [node for node in walk(document.file.declarations) if isinstance(node, nodes.Pile) and node.name == pile]
    edits = [Edit(Span(line.source, line.number, 1, line.number + 1, 1), "")] if gone else []
    for node in walk(document.file.declarations):
        if isinstance(node, nodes.Deal | nodes.DealFrom | nodes.MoveTo) and _is_of(node.to, pile):
            indent = document.source.line(node.span.line)[: node.span.column - 1]
            edits.append(Edit(node.span, f"\n{indent if not indent.strip() else ''}".join(_taken_out(document, node))))
    if len(edits) > 1:
        yield Proposal(f"take it out of the game: the pile `{pile}` is gone", tuple(edits))


def _is_of(to: nodes.Expr, pile: str) -> bool:
    return isinstance(to, nodes.Word | nodes.Attribute) and to.name == pile


def _taken_out(document: Document, node: nodes.Deal | nodes.DealFrom | nodes.MoveTo) -> tuple[str, ...]:
    """Statements that remove what this one puts on a pile; what is dealt by chance is drawn by chance first."""
    if isinstance(node, nodes.MoveTo):
        return (f"remove {written(node.thing)}",)
    amount, source = written(node.amount), written(node.source)
    if isinstance(node, nodes.DealFrom):
        return (f"remove first {'' if amount == '1' else f'{amount} '}{source}",)
    one = _new(document, "drawn")
    return (f"draw {'' if amount == '1' else f'{amount} different '}{one} from {source}", f"remove {one}")


def _done_for(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """The first thing of the set, for whoever a card is done for, or for each player."""
    done = _at(document, line, nodes.Do)
    if isinstance(done, nodes.Do):
        what = written(done.call)
        for thing in (f"(first {what})", what):
            for seat in ("owner", "player", "starter"):
                made = line.told(done.span.column - 1, done.span.end_column - 1, f"do {thing} for {seat}")
                chosen = f", the first of `{what}`" if thing != what else ""
                yield evolve(made, title=f"do it for `{seat}`{chosen}: somebody must be named")


def _another_done(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """Each other one of the set by name, where the thing does itself or the next of a ring."""
    for deck in (node for node in walk(document.file.declarations) if isinstance(node, nodes.Deck)):
        members = [one for one in (*deck.rows, *deck.members) if isinstance(one, nodes.Member)]
        around = next((one for one in members if one.span.line == line.number), None)
        for done in walk((around,) if around is not None else ()):
            if isinstance(done, nodes.Do):
                names = [f"{deck.name}[{one.key}]" if str(one.key).isdigit() else str(one.key) for one in members]
                for name in names:
                    yield Proposal(f"do `{name}`: one must be named", (Edit(done.call.span, name),))


def _downward(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """The number goes down instead of up."""
    for match in re.finditer(r"\braise\b", line.text[: line.said[1]]):
        yield evolve(line.told(*match.span(), "lower"), title="write `lower`: the number goes down instead of up")


def _last(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """The line behind the other cases."""
    lines = document.source.text.split("\n")
    stop = line.number
    while stop < len(lines) and lines[stop].startswith(line.indent) and lines[stop].strip():
        stop += 1
    if stop > line.number:
        away = Edit(Span(line.source, line.number, 1, line.number + 1, 1), "")
        below = Edit(Span(line.source, stop + 1, 1, stop + 1, 1), f"{line.text}\n")
        yield Proposal("put `else: …` last", (away, below), is_told=True)


def _first(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """A first case with the value of the others."""
    if entry.title == "the first case has a condition":
        yield line.with_line_above(f"{line.indent}if yes: {line.text[: line.said[1]].partition(':')[2].strip()}")


def _stopped(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """The action around, or one that does it."""
    wrong = blamed(entry)[0]
    actions = [node for node in walk(document.file.declarations) if isinstance(node, nodes.Action)]
    around = [node for node in actions if node.span.line <= line.number][-1:]
    for name in [str(around[0].name)] if around else []:
        leading = [str(node.name) for node in actions if re.search(rf"\bdo {name}\b", _text(document, node))]
        for each in (*leading, name):
            for match in re.finditer(rf"\bstop {re.escape(wrong)}\b", line.text[: line.said[1]]):
                yield line.with_(*match.span(), f"stop {each}")


def _text(document: Document, node: nodes.Action) -> str:
    lines = document.source.text.split("\n")[node.span.line - 1 : node.span.end_line]
    return "\n".join(lines)


def _offered(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """All of the set, whatever holds of them."""
    for match in re.finditer(r"\s+(?:whose|where|with)\b.*", line.text[line.start : line.said[1]]):
        title = f"offer all, also without `{match[0].strip()}`"
        yield line.with_(line.start + match.start(), line.start + match.end(), "", title)
    for match in re.finditer(r"\s+(?:whose|where|with)\b[^\"]*?(?=\s*\"|$)", line.text[: line.said[1]]):
        yield line.with_(*match.span(), "", f"offer all, also without `{match[0].strip()}`")


def _of_what(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """Of the players, or of each set that the game has."""
    sets = [symbol.name for symbol in document.declared if symbol.sort in ("set", "place", "kind")]
    for match in re.finditer(r"\beach \w+", line.text[: line.said[1]]):
        yield from (line.with_(match.end(), match.end(), f" in {name}") for name in ("players", *sets))


def _whose(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """The player that the action around takes; else each player in turn."""
    heads = [node for node in document.file.declarations if node.span.line <= line.number]
    around = max(heads, key=lambda node: node.span.line, default=None)
    if isinstance(around, nodes.Action):
        for parameter in around.parameters:
            yield line.with_(line.start, line.end, str(parameter.name))
    yield line.with_(line.said[0], line.said[0], f"each {blamed(entry)[0]}: ")
    yield line.with_(line.start, line.end, "starter", "write `starter`: always the one who begins a round")


def _outside(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """The players around have a name, and it is written here."""
    outer = re.search(r"\bplayers\b(?! as)", line.text[: line.start])
    if outer:
        name = Edit(Span(line.source, line.number, outer.end() + 1, line.number, outer.end() + 1), " as p")
        yield Proposal("call the player outside `p`", (name, *line.with_(line.start, line.end, "p").edits))


def _asked(document: Document, line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """The form of the hint in place of the comparison in which the wrong word stands."""
    form = forms_in(entry.hint)[0]
    name = form.split()[-1]
    for match in re.finditer(rf"{re.escape(name)} is (?:not )?\w+", line.text[: line.said[1]]):
        yield line.told(*match.span(), form)


_BY_HINT: tuple[tuple[str, Callable[[Document, FaultyLine, Diagnostic], Iterator[Proposal]]], ...] = (
    ("^move the two one after the other", _one_after_the_other),
    ("^pieces move to spaces", _moved_to),
    ("taken out of the game by `remove`", _removed),
    ("^`do thing for player`", _done_for),
    ("^name which one it does", _another_done),
    ("only downward", _downward),
    ("^`else: …` stands last", _last),
    ("^write `if …: …`", _first),
    ("^only an action that led here can be stopped", _stopped),
    ("^offer only what follows from public things", _offered),
    ("^say of what: `each", _of_what),
    ("an action takes one as in|is the one of an `each player` around", _whose),
    ("give the player outside a name", _outside),
    ("^write `(?:no|not|any) [^`]+`$", _asked),
)
"""By what a hint asks for who writes it."""
