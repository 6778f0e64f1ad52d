"""The Python of a plan reads as written by hand; the text stands beside the plan."""

from __future__ import annotations

import ast
import gc
import linecache
import traceback

import pytest
from attrs import evolve

from rulekit.compiler.plan import ir as p
from rulekit.compiler.python.backend import PythonMachine, source
from tests.generators.handmade_plans import (
    add,
    binary,
    const,
    counted,
    each,
    function,
    get,
    plan,
    put,
    store,
    stored,
    unwind,
    when,
    word,
)

THREE = p.Row(0, const(2))


def written(*body: p.Statement, hooked: bool = True) -> str:
    """The lines of the first function, without its head."""
    lines = source(plan(*body), hooked=hooked).split("def main_0():\n")[1].split("\n\n\n")[0]
    return "\n".join(line.removeprefix("    ") for line in lines.splitlines())


def shows(text: str, *body: p.Statement, hooked: bool = True) -> None:
    assert written(*body, hooked=hooked) == text.strip("\n")


def test_blocks_become_branches() -> None:
    block = p.Block(
        "b1",
        (
            p.Block("b2", (when(word(0), when(word(1), add(0, 1), p.Break("b1"))), p.Break("b2"))),
            add(0, 2),
        ),
    )
    shows(
        """
if M[0] and M[1]:
    L0.append(1)  # list 0
else:
    L0.append(2)  # list 0
""",
        block,
    )


def test_one_case_after_the_other() -> None:
    cases = (
        when(binary("==", word(0), 1), add(0, 1), p.Break("b1")),
        when(binary("==", word(0), 2), add(0, 2), p.Break("b1")),
        when(p.Not(binary("<", word(0), 3)), p.Return()),
        add(0, 3),
    )
    shows(
        """
if M[0] == 1:
    L0.append(1)  # list 0
elif M[0] == 2:
    L0.append(2)  # list 0
else:
    if M[0] >= 3:
        return
    L0.append(3)  # list 0
M[0] += 1  # word 0
""",
        p.Block("b1", cases),
        store(0, binary("+", word(0), 1)),
    )


def test_loops_say_when_they_end() -> None:
    shows(
        """
while M[0] < 3:
    M[0] += 2  # word 0
    if M[0] == 2:
        continue
    M[1] = 1  # word 1
for i1 in (1, 2, 3,):
    M[2] -= i1  # word 2
for i2 in range(M[2]):
    M[2] = i2 * 2  # word 2
""",
        p.Loop(
            "l1",
            (
                when(p.Not(binary("<", word(0), 3)), p.Break("l1")),
                store(0, binary("+", word(0), 2)),
                when(binary("==", word(0), 2), p.Again("l1")),
                store(1, 1),
                p.Again("l1"),
            ),
        ),
        counted("c1", "i1", 1, 3, store(2, binary("-", word(2), get("i1")))),
        counted("c1", "i2", 0, binary("-", word(2), 1), store(2, binary("*", get("i2"), 2))),
    )


def test_a_search_has_an_else() -> None:
    body = (
        p.Block(
            "b1",
            (
                each("e1", "i1", THREE, when(binary("==", get("i1"), 2), add(0, get("i1")), p.Break("b1"))),
                add(0, -1),
            ),
        ),
        put("t1", 0),
        each("e1", "i2", THREE, when(binary("==", get("i2"), 3), put("t1", 1), p.Break("e1"))),
        when(get("t1"), add(0, 3), other=(add(0, 4),)),
        counted(
            "c1", "i3", 0, 1, each("e1", "i4", stored(binary("+", get("i3"), 1)), when(word(get("i4")), p.Break("c1")))
        ),
    )
    shows(
        """
for i1 in R0[2]:
    if i1 == 2:
        L0.append(i1)  # list 0
        break
else:
    L0.append(-1)  # list 0
for i2 in R0[2]:
    if i2 == 3:
        L0.append(3)  # list 0
        break
else:
    L0.append(4)  # list 0
for i3 in (0, 1,):
    for i4 in L[i3 + 1]:
        if M[i4]:
            break
    else:
        continue
    break
""",
        *body,
    )


def test_flags_leave_several_loops_where_python_has_no_word_for_it() -> None:
    inner = counted(
        "c2",
        "i2",
        0,
        1,
        when(binary("==", get("i2"), word(0)), p.Break("c1")),
        when(binary("==", get("i2"), word(1)), p.Break("c2")),
    )
    shows(
        """
for i1 in (0, 1,):
    OUT_c1 = False
    for i2 in (0, 1,):
        if i2 == M[0]:
            OUT_c1 = True
            break
        if i2 == M[1]:
            break
    if OUT_c1:
        break
    L0.append(i1)  # list 0
""",
        counted("c1", "i1", 0, 1, inner, add(0, get("i1"))),
    )


def test_answers_by_chance_are_written_out_and_those_of_a_hook_are_calls() -> None:
    asked = p.Ask("t1", 0, const(1), THREE)
    shows(
        """
t1 = next(CHANCE1) % len(R0[2])  # one
""",
        asked,
        hooked=False,
    )
    shows(
        """
global ticks, work
ticks += 1
if ticks > 500000:
    raise Unwound(3)
if ticks:  # one
    work += ticks
    ticks = 0
    if work > 100000000:
        raise Unwound(3)
t1 = next(CHANCE1) % len(R0[2])
""",
        p.Tick(),
        asked,
        hooked=False,
    )
    shows("t1 = ask(0, 1, R0[2])  # one", asked)


def test_brackets_stand_where_python_needs_them() -> None:
    a, b, c = word(0), word(1), word(2)
    expressions = (
        (binary("-", a, binary("-", b, c)), "M[0] - (M[1] - M[2])"),
        (binary("-", binary("-", a, b), c), "M[0] - M[1] - M[2]"),
        (binary("*", binary("+", a, -3), c), "(M[0] - 3) * M[2]"),
        (binary("<", binary("==", a, b), c), "(M[0] == M[1]) < M[2]"),
        (binary("|", binary("&", a, b), c), "M[0] and M[1] or M[2]"),
        (binary("&", binary("|", a, b), c), "(M[0] or M[1]) and M[2]"),
        (p.Not(binary("&", a, b)), "not (M[0] and M[1])"),
        (p.Not(p.Has(stored(1), a)), "M[0] not in L1"),
        (binary("+", p.Pick(a, b, c), 1), "(M[1] if M[0] else M[2]) + 1"),
        (p.Pick(p.Pick(a, b, c), a, p.Pick(c, b, a)), "M[0] if (M[1] if M[0] else M[2]) else M[1] if M[2] else M[0]"),
        (binary("==", a, p.NONE), "M[0] == NONE"),
        (binary("min", a, 3), "M[0] if M[0] <= 3 else 3"),
        (binary("max", binary("+", a, b), 0), "W1 if (W1 := M[0] + M[1]) >= 0 else 0"),
        (binary("min", a, binary("+", b, 1)), "M[0] if M[0] <= (W2 := M[1] + 1) else W2"),
    )
    for expr, text in expressions:
        assert written(store(3, expr)) == f"M[3] = {text}  # word 3"


def test_what_is_read_before_it_is_set_begins_at_nought() -> None:
    shows(
        """
t1 = 0
s2 = []
if M[0]:
    t1 = 5
    s2.append(1)
    t3 = 1
    M[t3] = 2
M[1] = t1  # word 1
L0[:] = s2  # list 0
""",
        when(word(0), put("t1", 5), p.Push("s2", const(1)), put("t3", 1), store(get("t3"), 2)),
        store(1, get("t1")),
        p.Fill(const(0), get("s2")),
    )


def test_words_of_the_rules_stand_in_comments_alone() -> None:
    bad = 'x"\n    import os  # \u2028import os\rimport os\x0cimport os'
    made = plan(
        store(0, 1), add(0, 1), p.Draw("t1", 0, const(3)), p.Ask("t1", 0, const(0), THREE), unwind(p.Status.FAULT)
    )
    asks = (p.Question(0, 0, bad, "one"),)
    made = evolve(made, title=bad, word_names=(bad,) * 12, list_names=(bad,) * 4, streams=(bad, bad), faults=(bad,))
    functions = tuple(evolve(one, origin=bad) for one in made.functions)
    text = source(evolve(made, asks=asks, functions=functions))
    assert not any(isinstance(node, ast.Import) for node in ast.walk(ast.parse(text)))
    assert text.count("import os") > 7


def test_tracebacks_show_the_text_as_long_as_there_is_the_machine() -> None:
    before = set(linecache.cache)
    machine = PythonMachine(plan(store(0, p.Item(p.Row(0, const(0)), word(0)))))
    with pytest.raises(IndexError) as caught:
        machine.play(1)
    assert "M[0] = R0[0][M[0]]  # word 0" in "".join(traceback.format_exception(caught.value))
    assert set(linecache.cache) - before
    del machine, caught
    gc.collect()
    assert not {name for name in set(linecache.cache) - before if name.startswith("<plan")}


def test_a_function_is_named_by_its_rule() -> None:
    made = function("code_1", p.Return(get("s1")), params="s1 t2", gives="list")
    text = source(plan(functions=(evolve(made, origin="climb"),)))
    assert "def code_1(s1, t2):  # climb\n    return s1[:]\n" in text


def test_what_is_read_and_taken_is_popped() -> None:
    read, take = p.Set("t1", p.Item(stored(0), get("t2"))), p.Take(const(0), get("t2"))
    shows("t2 = M[0]\nt1 = L0.pop(t2)", put("t2", word(0)), read, take)
    other = p.Take(const(1), get("t2"))
    shows("t2 = M[0]\nt1 = L0[t2]\ndel L1[t2]  # list 1", put("t2", word(0)), read, other)
    own = p.Set("t2", p.Item(stored(0), get("t2")))
    shows("t2 = M[0]\nt2 = L0[t2]\ndel L0[t2]  # list 0", put("t2", word(0)), own, take)
