"""What a hint says is carried out by one click, tried on the cases of the codes, as `cases` keeps them."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

import pytest

from rulekit.diagnostics import Diagnostic
from rulekit.loading import Loaded
from rulekit.source import Source, Span
from rulekit.tools.editing.corrections.corrections import corrections
from rulekit.tools.editing.corrections.formatting import formatting
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit, applied, written
from tests.editing.texts import GAME, at, document, games, shipped
from tests.model.test_check import BASES, chunks, whole
from tests.paths import GAMES
from tests.sizes import IS_LONG

_CODE = re.compile(r"(?:###|;) ([a-z0-9-]+):")
_REMARK = re.compile(r"\s*###.*")
FOLDERS = ("check/bad", "check/mended", "syntax/bad")
PER_CODE = 1_000 if IS_LONG else 2
"""So many findings of each code are looked at, those in the smallest cases first."""
MENDED = 1_000 if IS_LONG else 12
"""So many of the cases that say what a line becomes are looked at."""


@cache
def _mended() -> dict[str, list[bool]]:
    """By code, of findings with a hint: whether the first correction that is offered takes that finding away."""
    found: dict[str, list[bool]] = defaultdict(list)
    for text in sorted((text for folder in FOLDERS for _, text in chunks(folder)), key=len):
        if all(len(found.get(code, ())) >= PER_CODE for code in _CODE.findall(text)):
            continue
        of = Document(Source(str(BASES / "case.rules"), whole(text)))
        for entry in of.loaded.findings:
            if entry.hint and len(found[entry.code]) < PER_CODE:
                found[entry.code].append(_ends(of, entry))
    return found


def _ends(of: Document, entry: Diagnostic) -> bool:
    offered = corrections(of, entry, 1)
    after = Document(applied(of.source, offered[0].edits)).loaded if offered else of.loaded
    return _count(after, entry) < _count(of.loaded, entry)


def _count(loaded: Loaded, entry: Diagnostic) -> int:
    return sum((one.code, one.title) == (entry.code, entry.title) for one in loaded.findings)


def test_four_of_five_codes_with_a_hint_are_carried_out_in_all_their_cases_by_one_click() -> None:
    cases = _mended()
    whole_codes = [code for code, ends in cases.items() if all(ends)]
    assert len(whole_codes) >= 0.8 * len(cases), {code: f"{sum(ends)}/{len(ends)}" for code, ends in cases.items()}
    every = [end for ends in cases.values() for end in ends]
    assert sum(every) >= (0.85 if IS_LONG else 0.8) * len(every)


def test_a_line_becomes_what_its_case_says() -> None:
    """The lines under `#=>` were written by people who knew what was meant."""
    missed, asked = [], 0
    for _, text in chunks("check/mended")[:MENDED]:
        of = Document(Source(str(BASES / "case.rules"), whole(text)))
        for entry in of.loaded.findings:
            expected = _expected(of.source, entry.span.line)
            if expected and entry.hint:
                asked += 1
                offered = corrections(of, entry, 1)
                became = _until_expected(applied(of.source, offered[0].edits), entry.span.line) if offered else []
                missed += [] if became == expected else [(entry.hint, became)]
    assert asked >= 10
    assert len(missed) <= 0.03 * asked, missed


def _expected(source: Source, line: int) -> list[str]:
    found = []
    while source.line(line + 1).startswith("#=>"):
        found.append(source.line(line + 1).removeprefix("#=>").removeprefix(" "))
        line += 1
    return found


def _until_expected(source: Source, line: int) -> list[str]:
    found = []
    while not source.line(line).startswith("#=>"):
        found.append(_REMARK.sub("", source.line(line)))
        line += 1
    return found


@pytest.mark.parametrize(
    ("old", "new", "title", "line"),
    [
        ("lower sleeper.score", "lower sleeper.│skore", "write `score` in place of `skore`",
         "lower sleeper.score by 1"),
        ("owner.tired to", "owner.tired│ =", "write `step lying: set owner.tired to no`",
         "step lying: set owner.tired to no"),
        ("round 0..20", "round -5│..20", "write `starts 0`", "counter round -5..20 starts 0"),
        ("counter round", "counter st│arter", "call it `starter_2`", "counter starter_2 0..20"),
        ("> HI-1 Who", "> │who", "write `> N-1 who is tired rests.` in place of `> who is tired rests.`",
         "> N-1 who is tired rests."),
    ],
)  # fmt: skip
def test_a_hint_is_carried_out(old: str, new: str, title: str, line: str) -> None:
    of, number, _ = at(GAME.replace(old, new))
    entry = next(one for one in of.loaded.findings if one.span.line == number and one.hint)
    offered = corrections(of, entry)
    assert offered[0].title == title
    assert applied(of.source, offered[0].edits).line(number).strip() == line


@pytest.mark.parametrize(
    ("above", "line", "becomes"),
    [
        ("instead of rest if long: end game", "instead of rest if round is │3: end game",
         "instead of rest if (round is 3) and not (long): end game"),
        ("action nap", "    whi│le long", "    while long\n        end game"),
        ("", "define far is (round│ + 1", "define far is (round + 1)"),
        ("", "define far is players by highest roun│d", "define far is players by highest it.score"),
        ("table spots of spot\n    | spot | look_colour |", "    | a    | #787878│     |",
         "    | a    | #6e6e6e     |"),
    ],
)  # fmt: skip
def test_by_the_grammar_and_by_what_fits(above: str, line: str, becomes: str) -> None:
    of, number, _ = at(GAME.replace("play\n", f"{above}\n{line}\nplay\n".lstrip("\n"), 1))
    offered = [corrections(of, one, 1) for one in of.loaded.findings if one.span.line == number and one.hint]
    texts = [applied(of.source, found[0].edits).text for found in offered if found]
    assert any(becomes in text for text in texts), texts


@pytest.mark.parametrize("slip", ["owner.nearer", "owner. nearer"])
def test_a_name_left_out_behind_a_point_is_put_in_and_no_word_is_doubled(slip: str) -> None:
    text = shipped(GAMES / "fuzzy_tiger.rules").source.text
    of = document(text.replace("move owner.monkey nearer by 3", f"move {slip} by 3", 1))
    (entry,) = of.loaded.findings
    assert [applied(of.source, each.edits).text for each in corrections(of, entry)] == [text]


@pytest.mark.parametrize(
    ("old", "new", "titles"),
    [
        ("    repeat\n", "    do jump│(starter)\n    repeat\n",
         {"declare `action jump(player): end game`, to be filled in"}),
        ("result: rank players by highest score", "counter other 0..9│",
         {"write `result: rank players`, to be filled in"}),
        ("define tired_ones is players where it.tired", "define tired_ones is players by highest rou│nd",
         {"write `it.score` in place of `round`, if that is meant"}),
        ("    back is down", "    full pushes sidewa│ys", {"write `up` in place of `sideways`, if that is meant"}),
        ("if long or round", "if re│st(starter) or round",
         {"write `possible`: it is asked whether that can be carried through, and nothing is done"}),
        ("counter round", "pile stock of card starts deck\nsetup\n    move first stock to the top of stock\n"
         "    deal 1 from st│ock to (first players).hand\ncounter round",
         {"write `from the top of` in place of `from`: in the order in which it lies, no longer at random"}),
    ],
)  # fmt: skip
def test_what_is_a_guess_says_so(old: str, new: str, titles: set[str]) -> None:
    of, _, _ = at(GAME.replace(old, new, 1))
    found = {each.title for one in of.loaded.findings for each in corrections(of, one)}
    assert titles <= found, found


def test_where_new_stretches_stand() -> None:
    source = Source("a", "one two\nthree four\nfive\n")
    edits = (Edit(Span("a", 1, 1, 1, 4), "1\n1"), Edit(Span("a", 1, 5, 1, 8), "22"), Edit(Span("a", 2, 6, 3, 1), "f"))
    after = applied(source, edits)
    places = written(source, edits)
    said = [after.line(one.end_line)[: one.end_column - 1] for one in places]
    assert (after.text, said) == ("1\n1 22\nthreeffive\n", ["1", "1 22", "threef"])


def test_how_a_secret_is_kept_is_left_to_people() -> None:
    (text,) = [text for _, text in chunks("check/bad") if "### secret-rolled" in text][:1]
    of = Document(Source(str(BASES / "case.rules"), whole(text)))
    entry = next(one for one in of.loaded.findings if one.code == "secret-rolled")
    assert entry.hint
    assert not corrections(of, entry)


# ---------------------------------------------------------------- layout


def test_lines_get_their_layout_and_others_are_left() -> None:
    text = GAME.replace("    set owner", "    set  owner").replace(
        "lower sleeper.score by 1", "lower  sleeper.score  by 1"
    )
    of = document(text)
    whole_file = applied(of.source, formatting(of.source))
    assert whole_file.text == applied(document(GAME).source, formatting(document(GAME).source)).text
    (part,) = formatting(of.source, 31, 31)
    assert part.text.strip() == "lower sleeper.score by 1"


def test_a_text_that_cannot_be_read_keeps_its_layout() -> None:
    assert not formatting(document(GAME.replace("counter round", "cuonter  round")).source)


def test_what_has_its_layout_is_left() -> None:
    for path in games():
        assert not formatting(shipped(path).source)
