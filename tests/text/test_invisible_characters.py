"""Translations keep the invisible characters that scripts need; what could turn or hide other text is escaped."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.diagnostics import printable, printable_translation
from rulekit.play.seat_names import is_seat_name

CHILLU = "\u0d05\u0d35\u0d28\u0d4d\u200d"
KEPT = {
    "left-to-right mark": "\u05e9 C++\u200e \u05d1",
    "right-to-left mark at the end": "\u05e9\u05d5\u05e2\u05dc (Foxy)\u200f",
    "Arabic letter mark": "\u061c2 + 3",
    "isolate": "\u2067\u05e9\u05dc\u05d5\u05dd\u2069: 3",
    "isolates, nested": "\u2068a \u2066b\u2069\u2069",
    "embedding": "\u202b\u0627\u202c x",
    "closed override": "\u202eabc\u202c x",
    "joiner behind a virama at the end": CHILLU,
    "joiner behind a letter at the end": "\u06f1\u06f4\u06f0\u06f2 \u0647\u200d.\u0634",
    "joiner behind a blank": "\u0639\u0631\u0628\u064a \u200d\u061c",
    "non-joiner behind a virama": "\u0d05\u0d35\u0d28\u0d4d\u200c \u0d05",
    "soft hyphen": "Spiel\u00adende",
    "break without a blank": "\u0e40\u0e01\u200b\u0e21",
    "word joiner": "3\u2060/\u20604",
    "Arabic number sign": "\u0600\u0661",
    "emoji of a later Unicode": "\U0001faef",
}
ESCAPED = {
    "open override": ("abc \u202e", "abc \\x202e"),
    "open override before a line feed": ("\u202dabc\n\u202c", "\\x202dabc\\x0a\\x202c"),
    "open isolate": ("\u2066abc", "\\x2066abc"),
    "embedding that an isolate closes": ("\u202aabc\u2069", "\\x202aabc\\x2069"),
    "end without a beginning": ("abc\u2069\u202c", "abc\\x2069\\x202c"),
    "escape sequence": ("\x1b[31m", "\\x1b[31m"),
    "deprecated format": ("a\u206ab", "a\\x206ab"),
    "annotation": ("a\ufff9b", "a\\xfff9b"),
    "tag": ("a\U000e0041b", "a\\xe0041b"),
    "noncharacter": ("a\ufdd0", "a\\xfdd0"),
    "private use": ("a\ue000", "a\\xe000"),
    "surrogate": ("a\ud800", "a\\xd800"),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_a_script_needs_is_shown_as_it_is(name: str) -> None:
    assert printable_translation(KEPT[name]) == KEPT[name]


@pytest.mark.parametrize("name", ESCAPED)
def test_what_could_turn_or_hide_other_text_is_escaped(name: str) -> None:
    text, shown = ESCAPED[name]
    assert printable_translation(text) == shown


@pytest.mark.parametrize("name", [name for name in KEPT if "mark" in name or "isolate" in name or "override" in name])
def test_a_name_of_a_seat_turns_no_line(name: str) -> None:
    assert not is_seat_name(KEPT[name])
    assert printable(KEPT[name]) != KEPT[name]


RULES = """game "Ping"
    players 2
kind card: ace, two
each player has
    counter points
play
    > P-1 Whoever is first gets 2 points.
    raise starter.points by 2
    > P-2 Then the game ends.
    end game
result: rank players by highest points
"""


def catalogue(folder: Path, language: str, entries: dict[str, tuple[str, str]]) -> str:
    """Write a game with a catalogue; return the path of its rules."""
    (folder / "text").mkdir()
    (folder / "ping.rules").write_text(RULES, encoding="utf-8")
    head = f'msgid ""\nmsgstr "Language: {language}\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n'
    texts = [f'msgctxt "{id_}"\nmsgid "{text}"\nmsgstr "{said}"\n' for id_, (text, said) in entries.items()]
    (folder / "text" / f"ping.{language}.po").write_text(head + "\n".join(texts), encoding="utf-8")
    return str(folder / "ping.rules")


@pytest.mark.parametrize("name", ["right-to-left mark at the end", "joiner behind a virama at the end", "isolate"])
def test_a_match_and_a_rulebook_show_a_translation_as_it_is(name: str, tmp_path: Path) -> None:
    title = KEPT[name]
    texts = {"title": ("Ping", title), "P-1": ("Whoever is first gets 2 points.", f"{title}.")}
    rules = catalogue(tmp_path, "he", texts)
    log, html, markdown = (str(tmp_path / name) for name in ("ping.log", "ping.html", "ping.md"))
    for words, shown in (
        (("run", rules, "--seed", "x", "--lang", "he", "--record", log), [title]),
        (("rulebook", rules, "--lang", "he", "-o", html), []),
        (("rulebook", rules, "--lang", "he", "--markdown", "-o", markdown), []),
        (("explain", log, "--lang", "he"), []),
    ):
        done = CliRunner().invoke(cli, list(words))
        assert done.exit_code == 0, done.output
        assert all(text in done.output for text in shown), done.output
        assert "\\x" not in done.output
    for path in (html, markdown):
        page = Path(path).read_text(encoding="utf-8")
        assert "\\x" not in page
        assert title.replace("(", r"\(").replace(")", r"\)") in page or title in page


def test_two_translations_that_differ_in_invisible_characters_are_one_name(tmp_path: Path) -> None:
    rules = catalogue(tmp_path, "it", {"card ace": ("ace", "asso"), "card two": ("two", "as\u00adso\u200f")})
    done = CliRunner().invoke(cli, ["text", "check", rules, "--lang", "it"])
    assert "same-name" in done.output


def test_a_form_of_a_name_turns_no_line(tmp_path: Path) -> None:
    rules = catalogue(tmp_path, "it", {})
    forms = "set points = {owner} ha \u202e{value}\n"
    (tmp_path / "text" / "ping.it.forms").write_text(forms, encoding="utf-8")
    done = CliRunner().invoke(cli, ["run", rules, "--seed", "x", "--lang", "it"])
    assert "ha \\x202e" in done.output
