"""Semantic actions of the parser: declarations, scenarios and the whole file."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.ast_builder import Children, Statements, integer, one, only, unquoted


class Declarations(Statements):
    def game(self, at: Span, c: Children) -> nodes.GameHead:
        return nodes.GameHead(unquoted(c[0]), only(c[1:], nodes.Line), **self.line(at))

    def by(self, at: Span, c: Children) -> nodes.By:
        return nodes.By(unquoted(c[0]), **self.line(at))

    def extends(self, at: Span, c: Children) -> nodes.Extends:
        return nodes.Extends(unquoted(c[0]), **self.line(at))

    def players(self, at: Span, c: Children) -> nodes.Players:
        return nodes.Players(c[0], **self.line(at))

    def neutrals(self, at: Span, c: Children) -> nodes.Neutrals:
        return nodes.Neutrals(c[0], **self.line(at))

    def option(self, at: Span, c: Children) -> nodes.Option:
        word, name, text, *rest = c
        kind = one(rest, nodes.OptionType)
        default = rest[rest.index(kind) + 1] if kind else None
        readings, guards = only(rest, nodes.Reading), only(rest, nodes.Guard)
        return nodes.Option(str(word), name, unquoted(text), kind, default, readings, guards, **self.line(at))

    def flag_type(self, at: Span, c: Children) -> nodes.OptionType:
        return nodes.OptionType("flag", span=at)

    def number_type(self, at: Span, c: Children) -> nodes.OptionType:
        return nodes.OptionType("number", c[0], span=at)

    def set_type(self, at: Span, c: Children) -> nodes.OptionType:
        return nodes.OptionType("set", c[0], span=at)

    def reading(self, at: Span, c: Children) -> nodes.Reading:
        return nodes.Reading(c[0], unquoted(c[1]), c[2] is not None, **self.line(at))

    def guard(self, at: Span, c: Children) -> nodes.Guard:
        return nodes.Guard(str(c[0]), c[1], **self.line(at))

    def ruleset(self, at: Span, c: Children) -> nodes.Ruleset:
        return nodes.Ruleset(unquoted(c[0]), tuple(c[1:]), **self.line(at))

    def use(self, at: Span, c: Children) -> nodes.Use:
        return nodes.Use(c[0], c[1], **self.line(at))

    def assume(self, at: Span, c: Children) -> nodes.Assume:
        return nodes.Assume(unquoted(c[0]), tuple(c[1:]), **self.line(at))

    def kind(self, at: Span, c: Children) -> nodes.Kind:
        return nodes.Kind(c[0], tuple(c[1:]), **self.line(at))

    def face(self, at: Span, c: Children) -> nodes.Face:
        return nodes.Face(c[0], None if c[1] is None else unquoted(c[1]), span=at)

    def kind_block(self, at: Span, c: Children) -> nodes.KindBlock:
        return nodes.KindBlock(c[0], tuple(c[1:]), **self.line(at))

    def deck(self, at: Span, c: Children) -> nodes.Deck:
        rows, members = only(c, nodes.Row), only(c, nodes.Member)
        return nodes.Deck(str(c[0]), c[1], c[2], rows, members, **self.line(at))

    def member(self, at: Span, c: Children) -> nodes.Member:
        title = None if c[2] is None else unquoted(c[2])
        body = one(c[3:], nodes.Body)
        return nodes.Member(c[0], c[1], title, only(c[3:], nodes.Trait), body, **self.line(at))

    def key(self, at: Span, c: Children) -> str:
        return str(c[0])

    def trait(self, at: Span, c: Children) -> nodes.Trait:
        return nodes.Trait(c[0], c[1], span=at)

    def row(self, at: Span, c: Children) -> nodes.Row:
        cells = str(c[0])[1:-1].split("|")
        starts = accumulate((len(cell) + 1 for cell in cells), initial=at.column + 1)
        columns = tuple(start + len(cell) - len(cell.lstrip()) for start, cell in zip(starts, cells, strict=False))
        return nodes.Row(tuple(cell.strip() for cell in cells), columns, **self.line(at))

    def pieces(self, at: Span, c: Children) -> nodes.Pieces:
        return nodes.Pieces(c[0], c[1], c[2], only(c[3:], nodes.Row), **self.line(at))

    def track(self, at: Span, c: Children) -> nodes.Track:
        return nodes.Track(c[0], c[1], only(c[2:], nodes.Line), **self.line(at))

    def course(self, at: Span, c: Children) -> nodes.Course:
        return nodes.Course(c[0], c[1], only(c[2:], nodes.Line), **self.line(at))

    def grid(self, at: Span, c: Children) -> nodes.Grid:
        size = [x for x in c[1:] if x is not None and not isinstance(x, nodes.Line)]
        width, height, test = (*size, None, None, None)[:3]
        return nodes.Grid(c[0], width, height, test, only(c[1:], nodes.Line), **self.line(at))

    def capacity(self, at: Span, c: Children) -> nodes.Capacity:
        return nodes.Capacity(c[0], c[1], **self.line(at))

    def full(self, at: Span, c: Children) -> nodes.Full:
        return nodes.Full(c[0], c[1], c[2], **self.line(at))

    def edge(self, at: Span, c: Children) -> nodes.Edge:
        return nodes.Edge(c[0], **self.line(at))

    def steps(self, at: Span, c: Children) -> nodes.Steps:
        return nodes.Steps(c[0], **self.line(at))

    def halts(self, at: Span, c: Children) -> nodes.Halts:
        return nodes.Halts(c[0], **self.line(at))

    def headings(self, at: Span, c: Children) -> nodes.Headings:
        return nodes.Headings(tuple(c), **self.line(at))

    def heading(self, at: Span, c: Children) -> nodes.Heading:
        return nodes.Heading(c[0], c[1], span=at)

    def die(self, at: Span, c: Children) -> nodes.Die:
        return nodes.Die(c[0], c[1], **self.line(at))

    def has(self, at: Span, c: Children) -> nodes.Has:
        return nodes.Has(c[0], tuple(c[1:]), **self.line(at))

    def counter(self, at: Span, c: Children) -> nodes.Counter:
        return nodes.Counter(name=c[0], bounds=c[1], starts=c[2], seen=c[3], **self.line(at))

    def flag(self, at: Span, c: Children) -> nodes.FlagVariable:
        return nodes.FlagVariable(name=c[0], starts=c[1], seen=c[2], **self.line(at))

    def value(self, at: Span, c: Children) -> nodes.Value:
        return nodes.Value(name=c[0], of=c[1], starts=c[2], seen=c[3], **self.line(at))

    def piece(self, at: Span, c: Children) -> nodes.Piece:
        return nodes.Piece(name=c[0], place=c[1], at=c[2], seen=c[3], **self.line(at))

    def piece_group(self, at: Span, c: Children) -> nodes.PieceGroup:
        count, name, kind, place, first, seen = c
        line = self.line(at)
        return nodes.PieceGroup(name=name, count=integer(count), kind=kind, place=place, at=first, seen=seen, **line)

    def pile(self, at: Span, c: Children) -> nodes.Pile:
        return nodes.Pile(name=c[0], of=c[1], starts=c[2], seen=c[3], **self.line(at))

    def snapshot(self, at: Span, c: Children) -> nodes.Snapshot:
        return nodes.Snapshot(name=c[0], of=c[1], seen=c[2], **self.line(at))

    def list(self, at: Span, c: Children) -> nodes.ListVariable:
        return nodes.ListVariable(name=c[0], of=c[1], index=c[2], seen=c[3], **self.line(at))

    def seen(self, at: Span, c: Children) -> nodes.Seen:
        return nodes.Seen(str(c[0]), c[1], span=at)

    def define(self, at: Span, c: Children) -> nodes.Define:
        return nodes.Define(c[0], c[1] or (), c[2], **self.line(at))

    def parameters(self, at: Span, c: Children) -> tuple[nodes.Parameter, ...]:
        return tuple(c)

    def parameter(self, at: Span, c: Children) -> nodes.Parameter:
        return nodes.Parameter(c[0], c[1], span=at)

    def action(self, at: Span, c: Children) -> nodes.Action:
        return nodes.Action(c[0], c[1] or (), c[2], **self.line(at))

    def change(self, at: Span, c: Children) -> nodes.Change:
        return nodes.Change(str(c[0]), c[1], c[2], c[3], **self.line(at))

    def when(self, at: Span, c: Children) -> nodes.When:
        return nodes.When(c[0], str(c[1]), c[2], c[3], **self.line(at))

    def invariant(self, at: Span, c: Children) -> nodes.Invariant:
        return nodes.Invariant(unquoted(c[0]), c[1], **self.line(at))

    def part(self, at: Span, c: Children) -> nodes.Part:
        return nodes.Part(str(c[0]), c[1], **self.line(at))

    def show(self, at: Span, c: Children) -> nodes.Show:
        return nodes.Show(c[0], unquoted(c[1]), **self.line(at))

    def replace(self, at: Span, c: Children) -> nodes.Replace:
        return nodes.Replace(c[0], **self.line(at))

    def add(self, at: Span, c: Children) -> nodes.Add:
        return nodes.Add(c[0], **self.line(at))

    # ------------------------------------------------------------ scenarios

    def scenario(self, at: Span, c: Children) -> nodes.Scenario:
        return nodes.Scenario(unquoted(c[0]), tuple(c[1:]), **self.line(at))

    def seats(self, at: Span, c: Children) -> nodes.Seats:
        return nodes.Seats(tuple(c), **self.line(at))

    def given(self, at: Span, c: Children) -> nodes.Given:
        return nodes.Given(c[0], **self.line(at))

    def given_picture(self, at: Span, c: Children) -> nodes.GivenPicture:
        return nodes.GivenPicture(c[0], tuple(c[1:]), **self.line(at))

    def answer(self, at: Span, c: Children) -> nodes.Answer:
        return nodes.Answer(c[0], tuple(c[1:]), **self.line(at))

    def run(self, at: Span, c: Children) -> nodes.Run:
        return nodes.Run(c[0], c[1], **self.line(at))

    def expect(self, at: Span, c: Children) -> nodes.Expect:
        return nodes.Expect(c[0], **self.line(at))

    def expect_picture(self, at: Span, c: Children) -> nodes.ExpectPicture:
        return nodes.ExpectPicture(c[0], tuple(c[1:]), **self.line(at))

    def refuse(self, at: Span, c: Children) -> nodes.Refuse:
        return nodes.Refuse(c[0], c[1], **self.line(at))

    def fails(self, at: Span, c: Children) -> nodes.Fails:
        return nodes.Fails(c[0], **self.line(at))

    def reply(self, at: Span, c: Children) -> Any:
        return c[0]

    def label(self, at: Span, c: Children) -> nodes.Label:
        return nodes.Label(unquoted(c[0]), span=at)
