"""Arguments and options that several commands take, each declared here once; a command lists which it takes.

What stands in capitals is the same everywhere; functions make what differs in its help or its default.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from rulekit import library

if TYPE_CHECKING:
    _OfText = click.ParamType[str]
else:
    # No generic class before click 8.2.
    _OfText = click.ParamType

Declared = Callable[[Callable[..., Any]], Callable[..., Any]]
"""What puts an option onto a command."""

_VALUES = "NAME=VALUE"
ENGLISH = "en"
"""The language of `translation.SOURCE`, which some commands have no other need to import."""


def takes(*declared: Declared) -> Declared:
    """What puts several options onto a command, in the order in which its help shows them."""

    def put(command: Callable[..., Any]) -> Callable[..., Any]:
        for one in reversed(declared):
            command = one(command)
        return command

    return put


# ---------------------------------------------------------------- what is read


class RulesFile(_OfText):
    """A rules file by its path, or a game that ships by its name, from wherever one is."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if os.path.lexists(value):
            return value
        found = library.shipped(value)
        if found is None:
            return value
        click.echo(f"no file {value} is here: using the game of that name that ships with rulekit", err=True)
        return str(found)


RULES_FILE = RulesFile()
FILE = click.argument("file", type=RULES_FILE)
FILES = click.argument("files", nargs=-1, required=True, metavar="FILE…", type=RULES_FILE)
ONE_OR_TWO_FILES = click.argument("files", nargs=-1, required=True, metavar="FILE [FILE]", type=RULES_FILE)


class LanguageCode(_OfText):
    """The code of a language, taken as gettext writes it: `pt_BR` for `pt-br`."""

    name = "language"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from rulekit.tools.gettext_files.languages import canonical_code

        return canonical_code(value)


LANGUAGE_CODE = LanguageCode()
LOG = click.argument("log_file", metavar="LOG")


RENAMES = click.option(
    "--renames", metavar="FILE", help="Names that the rules have given up since, one a line: `option long -> slow`."
)


def rules(doing: str) -> Declared:
    """Other rules than those that a log names.  doing: what is done under them, as `Play it`."""
    words = f"{doing} under these rules; else under those that the log names."
    return click.option("--rules", metavar="FILE", type=RULES_FILE, help=words)


def book(*, required: bool) -> Declared:
    words = "A published rulebook: plain text, Markdown, a Word document (.docx) or a PDF with text."
    return click.option("--book", metavar="BOOK", required=required, help=words)


ENGINE_TEXTS = click.option("--engine", is_flag=True, help="The texts of the engine itself, instead of a game.")

# ---------------------------------------------------------------- what is played


def option(words: str = "Choose an option or a reading.") -> Declared:
    return click.option("--option", "options", multiple=True, metavar=_VALUES, help=words)


def axis(words: str) -> Declared:
    """The same with several values of each."""
    return click.option("--option", "options", multiple=True, required=True, metavar="NAME=1..8", help=words)


CHOICES = takes(option(), click.option("--ruleset", help="Choose a named set of options."))
SIDES = takes(
    click.option("--a", "first", multiple=True, metavar=_VALUES, help="An option of the first version."),
    click.option("--b", "second", multiple=True, metavar=_VALUES, help="An option of the second version."),
)


def players(otherwise: str) -> Declared:
    return click.option("--players", type=click.IntRange(min=1), help=f"How many play; else {otherwise}.")


def games(words: str, most: int, default: int | None = 1000, least: int = 1) -> Declared:
    return click.option(
        "--games", type=click.IntRange(least, most), default=default, show_default=default is not None, help=words
    )


def seed(default: str | None = None, words: str = "Any text; the same seed gives the same matches.") -> Declared:
    return click.option("--seed", default=default, show_default=default is not None, help=words)


def seed_of(written: str | None, longest: int = 200) -> str:
    """The seed that was given, or a new one.  Errors: `click.UsageError`."""
    if written is None:
        return os.urandom(6).hex()
    if len(written) > longest or any("\ud800" <= c <= "\udfff" for c in written):
        raise click.UsageError(f"--seed: a text of at most {longest} characters in UTF-8")
    return written


JOBS = click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Workers at once.")

# ---------------------------------------------------------------- what is told


def as_json(words: str) -> Declared:
    return click.option("--json", "as_json", is_flag=True, help=words)


JSON_LINES = as_json("One JSON line for each event, decision and the outcome.")


def form(what: str = "findings", *others: str) -> Declared:
    """How a command tells what it found; others: forms beside text and JSON."""
    choice = click.Choice(["text", "json", *others])
    return click.option("--format", "form", type=choice, default="text", help=f"How {what} are written.")


def folder(files: str) -> Declared:
    return click.option("--out", metavar="DIR", help=f"Write {files} into this new folder.")


def output(metavar: str) -> Declared:
    return click.option("-o", "--output", metavar=metavar, help="Where to write; else to standard output.")


def _own_language(context: click.Context, _: click.Parameter, written: str | None) -> str:
    """The language that was asked for; else that of whoever reads, unless what is told goes on to programs."""
    told = context.params
    for_programs = told.get("as_json") or told.get("out")
    return written or (ENGLISH if for_programs else told_in(told.get("form", "text")))


def told_in(form: str) -> str:
    """In which language something is told in a form, where none was asked for."""
    return library.own_language() if form == "text" else ENGLISH


LANG = click.option(
    "--lang",
    type=LANGUAGE_CODE,
    callback=_own_language,
    metavar="LANG",
    help="The language to speak, such as it or de; else that of the environment (LC_ALL, LC_MESSAGES, LANG).",
)
PAGE_LANG = click.option(
    "--lang",
    type=LANGUAGE_CODE,
    default=ENGLISH,
    metavar="LANG",
    help="The language of the page, such as it or de; without a catalogue the text stays as it is.",
)
