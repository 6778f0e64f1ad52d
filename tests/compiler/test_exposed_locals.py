"""Which locals of a function must last where a run is left and gone on with."""

from __future__ import annotations

from rulekit.compiler.passes.exposed_locals import exposed_between
from rulekit.compiler.plan import ir as p

ASK = p.Ask("answer", 0, p.Const(0), p.Row(0, p.Const(0)))


def lasting(*body: p.Statement) -> set[str]:
    return exposed_between(body, lambda s: isinstance(s, p.Ask) or any(inner is ASK for inner in _inside(s)))


def _inside(statement: p.Statement) -> p.Body:
    return getattr(statement, "body", ()) or getattr(statement, "then", ())


def put(name: str, *read: str) -> p.Set:
    value: p.Expr = p.Const(1)
    for other in read:
        value = p.Binary("+", value, p.Get(other))
    return p.Set(name, value)


def test_what_is_made_and_read_between_two_questions_is_brief() -> None:
    assert lasting(put("a"), put("b", "a"), ASK, put("a"), put("c", "a")) == {"answer"}


def test_what_is_read_behind_a_question_lasts() -> None:
    assert lasting(put("a"), ASK, put("b", "a")) == {"a", "answer"}


def test_what_is_made_only_where_control_may_not_come_by_lasts() -> None:
    assert lasting(ASK, p.If(p.Get("answer"), (put("a"),)), put("b", "a")) == {"a", "answer"}


def test_what_grows_from_one_time_of_a_loop_to_the_next_lasts() -> None:
    assert lasting(p.Loop("l", (put("n", "n"), ASK))) == {"n", "answer"}
    assert lasting(p.Loop("l", (p.Push("row", p.Const(1)), ASK))) == {"row", "answer"}
    assert lasting(p.Loop("l", (p.New("row"), p.Push("row", p.Const(1)), ASK))) == {"answer"}


def test_the_local_of_a_loop_over_entries_is_made_by_it() -> None:
    loop = p.Each("l", "one", p.Row(0, p.Const(0)), (put("a", "one"),))
    assert lasting(ASK, loop) == {"answer"}
    assert lasting(ASK, loop, put("b", "one")) == {"answer", "one"}
