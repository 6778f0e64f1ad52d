"""A parse tree's rules to nodes: declarations, scenarios and the whole file."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from rulekit.syntax import nodes
from rulekit.syntax.build import Children, Statements, integer, one, only, unquoted


class Declarations(Statements):
    def game(self, meta: Any, c: Children) -> nodes.GameHead:
        return nodes.GameHead(unquoted(c[0]), only(c[1:], nodes.Line), **self.line(meta))

    def by(self, meta: Any, c: Children) -> nodes.By:
        return nodes.By(unquoted(c[0]), **self.line(meta))

    def extends(self, meta: Any, c: Children) -> nodes.Extends:
        return nodes.Extends(unquoted(c[0]), **self.line(meta))

    def players(self, meta: Any, c: Children) -> nodes.Players:
        return nodes.Players(c[0], **self.line(meta))

    def neutrals(self, meta: Any, c: Children) -> nodes.Neutrals:
        return nodes.Neutrals(c[0], **self.line(meta))

    def option(self, meta: Any, c: Children) -> nodes.Option:
        word, name, text, *rest = c
        kind = one(rest, nodes.OptionType)
        default = rest[rest.index(kind) + 1] if kind else None
        readings, guards = only(rest, nodes.Reading), only(rest, nodes.Guard)
        return nodes.Option(str(word), name, unquoted(text), kind, default, readings, guards, **self.line(meta))

    def flag_type(self, meta: Any, c: Children) -> nodes.OptionType:
        return nodes.OptionType("flag", span=self.span_of(meta))

    def number_type(self, meta: Any, c: Children) -> nodes.OptionType:
        return nodes.OptionType("number", c[0], span=self.span_of(meta))

    def set_type(self, meta: Any, c: Children) -> nodes.OptionType:
        return nodes.OptionType("set", c[0], span=self.span_of(meta))

    def reading(self, meta: Any, c: Children) -> nodes.Reading:
        return nodes.Reading(c[0], unquoted(c[1]), c[2] is not None, **self.line(meta))

    def guard(self, meta: Any, c: Children) -> nodes.Guard:
        return nodes.Guard(str(c[0]), c[1], **self.line(meta))

    def ruleset(self, meta: Any, c: Children) -> nodes.Ruleset:
        return nodes.Ruleset(unquoted(c[0]), tuple(c[1:]), **self.line(meta))

    def use(self, meta: Any, c: Children) -> nodes.Use:
        return nodes.Use(c[0], c[1], **self.line(meta))

    def assume(self, meta: Any, c: Children) -> nodes.Assume:
        return nodes.Assume(unquoted(c[0]), tuple(c[1:]), **self.line(meta))

    def kind(self, meta: Any, c: Children) -> nodes.Kind:
        return nodes.Kind(c[0], tuple(c[1:]), **self.line(meta))

    def face(self, meta: Any, c: Children) -> nodes.Face:
        return nodes.Face(c[0], None if c[1] is None else unquoted(c[1]), span=self.span_of(meta))

    def kind_block(self, meta: Any, c: Children) -> nodes.KindBlock:
        return nodes.KindBlock(c[0], tuple(c[1:]), **self.line(meta))

    def deck(self, meta: Any, c: Children) -> nodes.Deck:
        rows, members = only(c, nodes.Row), only(c, nodes.Member)
        return nodes.Deck(str(c[0]), c[1], c[2], rows, members, **self.line(meta))

    def member(self, meta: Any, c: Children) -> nodes.Member:
        title = None if c[2] is None else unquoted(c[2])
        body = one(c[3:], nodes.Body)
        return nodes.Member(c[0], c[1], title, only(c[3:], nodes.Trait), body, **self.line(meta))

    def key(self, meta: Any, c: Children) -> str:
        return str(c[0])

    def trait(self, meta: Any, c: Children) -> nodes.Trait:
        return nodes.Trait(c[0], c[1], span=self.span_of(meta))

    def row(self, meta: Any, c: Children) -> nodes.Row:
        cells = str(c[0])[1:-1].split("|")
        starts = accumulate((len(cell) + 1 for cell in cells), initial=meta.column + 1)
        columns = tuple(start + len(cell) - len(cell.lstrip()) for start, cell in zip(starts, cells, strict=False))
        return nodes.Row(tuple(cell.strip() for cell in cells), columns, **self.line(meta))

    def pieces(self, meta: Any, c: Children) -> nodes.Pieces:
        return nodes.Pieces(c[0], c[1], c[2], only(c[3:], nodes.Row), **self.line(meta))

    def track(self, meta: Any, c: Children) -> nodes.Track:
        return nodes.Track(c[0], c[1], only(c[2:], nodes.Line), **self.line(meta))

    def course(self, meta: Any, c: Children) -> nodes.Course:
        return nodes.Course(c[0], c[1], only(c[2:], nodes.Line), **self.line(meta))

    def grid(self, meta: Any, c: Children) -> nodes.Grid:
        size = [x for x in c[1:] if x is not None and not isinstance(x, nodes.Line)]
        width, height, test = (*size, None, None, None)[:3]
        return nodes.Grid(c[0], width, height, test, only(c[1:], nodes.Line), **self.line(meta))

    def capacity(self, meta: Any, c: Children) -> nodes.Capacity:
        return nodes.Capacity(c[0], c[1], **self.line(meta))

    def full(self, meta: Any, c: Children) -> nodes.Full:
        return nodes.Full(c[0], c[1], c[2], **self.line(meta))

    def edge(self, meta: Any, c: Children) -> nodes.Edge:
        return nodes.Edge(c[0], **self.line(meta))

    def steps(self, meta: Any, c: Children) -> nodes.Steps:
        return nodes.Steps(c[0], **self.line(meta))

    def halts(self, meta: Any, c: Children) -> nodes.Halts:
        return nodes.Halts(c[0], **self.line(meta))

    def headings(self, meta: Any, c: Children) -> nodes.Headings:
        return nodes.Headings(tuple(c), **self.line(meta))

    def heading(self, meta: Any, c: Children) -> nodes.Heading:
        return nodes.Heading(c[0], c[1], span=self.span_of(meta))

    def die(self, meta: Any, c: Children) -> nodes.Die:
        return nodes.Die(c[0], c[1], **self.line(meta))

    def has(self, meta: Any, c: Children) -> nodes.Has:
        return nodes.Has(c[0], tuple(c[1:]), **self.line(meta))

    def counter(self, meta: Any, c: Children) -> nodes.Counter:
        return nodes.Counter(name=c[0], bounds=c[1], starts=c[2], seen=c[3], **self.line(meta))

    def flag(self, meta: Any, c: Children) -> nodes.FlagVariable:
        return nodes.FlagVariable(name=c[0], starts=c[1], seen=c[2], **self.line(meta))

    def value(self, meta: Any, c: Children) -> nodes.Value:
        return nodes.Value(name=c[0], of=c[1], starts=c[2], seen=c[3], **self.line(meta))

    def piece(self, meta: Any, c: Children) -> nodes.Piece:
        return nodes.Piece(name=c[0], place=c[1], at=c[2], seen=c[3], **self.line(meta))

    def piece_group(self, meta: Any, c: Children) -> nodes.PieceGroup:
        count, name, kind, place, at, seen = c
        line = self.line(meta)
        return nodes.PieceGroup(name=name, count=integer(count), kind=kind, place=place, at=at, seen=seen, **line)

    def pile(self, meta: Any, c: Children) -> nodes.Pile:
        return nodes.Pile(name=c[0], of=c[1], starts=c[2], seen=c[3], **self.line(meta))

    def snapshot(self, meta: Any, c: Children) -> nodes.Snapshot:
        return nodes.Snapshot(name=c[0], of=c[1], seen=c[2], **self.line(meta))

    def list(self, meta: Any, c: Children) -> nodes.ListVariable:
        return nodes.ListVariable(name=c[0], of=c[1], index=c[2], seen=c[3], **self.line(meta))

    def seen(self, meta: Any, c: Children) -> nodes.Seen:
        return nodes.Seen(str(c[0]), c[1], span=self.span_of(meta))

    def define(self, meta: Any, c: Children) -> nodes.Define:
        return nodes.Define(c[0], c[1] or (), c[2], **self.line(meta))

    def parameters(self, meta: Any, c: Children) -> tuple[nodes.Parameter, ...]:
        return tuple(c)

    def parameter(self, meta: Any, c: Children) -> nodes.Parameter:
        return nodes.Parameter(c[0], c[1], span=self.span_of(meta))

    def action(self, meta: Any, c: Children) -> nodes.Action:
        return nodes.Action(c[0], c[1] or (), c[2], **self.line(meta))

    def change(self, meta: Any, c: Children) -> nodes.Change:
        return nodes.Change(str(c[0]), c[1], c[2], c[3], **self.line(meta))

    def when(self, meta: Any, c: Children) -> nodes.When:
        return nodes.When(c[0], str(c[1]), c[2], c[3], **self.line(meta))

    def invariant(self, meta: Any, c: Children) -> nodes.Invariant:
        return nodes.Invariant(unquoted(c[0]), c[1], **self.line(meta))

    def part(self, meta: Any, c: Children) -> nodes.Part:
        return nodes.Part(str(c[0]), c[1], **self.line(meta))

    def show(self, meta: Any, c: Children) -> nodes.Show:
        return nodes.Show(c[0], unquoted(c[1]), **self.line(meta))

    def replace(self, meta: Any, c: Children) -> nodes.Replace:
        return nodes.Replace(c[0], **self.line(meta))

    def add(self, meta: Any, c: Children) -> nodes.Add:
        return nodes.Add(c[0], **self.line(meta))

    # ------------------------------------------------------------ scenarios

    def scenario(self, meta: Any, c: Children) -> nodes.Scenario:
        return nodes.Scenario(unquoted(c[0]), tuple(c[1:]), **self.line(meta))

    def seats(self, meta: Any, c: Children) -> nodes.Seats:
        return nodes.Seats(tuple(c), **self.line(meta))

    def given(self, meta: Any, c: Children) -> nodes.Given:
        return nodes.Given(c[0], **self.line(meta))

    def given_picture(self, meta: Any, c: Children) -> nodes.GivenPicture:
        return nodes.GivenPicture(c[0], tuple(c[1:]), **self.line(meta))

    def answer(self, meta: Any, c: Children) -> nodes.Answer:
        return nodes.Answer(c[0], tuple(c[1:]), **self.line(meta))

    def run(self, meta: Any, c: Children) -> nodes.Run:
        return nodes.Run(c[0], c[1], **self.line(meta))

    def expect(self, meta: Any, c: Children) -> nodes.Expect:
        return nodes.Expect(c[0], **self.line(meta))

    def expect_picture(self, meta: Any, c: Children) -> nodes.ExpectPicture:
        return nodes.ExpectPicture(c[0], tuple(c[1:]), **self.line(meta))

    def refuse(self, meta: Any, c: Children) -> nodes.Refuse:
        return nodes.Refuse(c[0], c[1], **self.line(meta))

    def fails(self, meta: Any, c: Children) -> nodes.Fails:
        return nodes.Fails(c[0], **self.line(meta))

    def reply(self, meta: Any, c: Children) -> Any:
        return c[0]

    def label(self, meta: Any, c: Children) -> nodes.Label:
        return nodes.Label(unquoted(c[0]), span=self.span_of(meta))
