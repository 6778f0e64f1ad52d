"""Mutated files beside a game: every command ends with findings or a refusal, never as a fault of rulekit.

Mutation-based fuzzing, as `tests.soak.texts` does it with rules.

    python -m tests.soak.companions --count 20000 --jobs 2 --seed 1 --format forms

One file of a small sound game is mutated (catalogue, what a translator sent back, forms, edition, glossary, anchors,
accepted findings, numbers read, word table, log, renames), and the commands that read it are run in this process.
Prints one line of JSON; of each failure the mutant is kept in the folder that `--keep` names.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from unittest.mock import patch

from attrs import frozen

from rulekit import library, loading
from rulekit.apps.commands import cli
from rulekit.apps.console import DONE, FOUND, LIMIT, MISUSE, guarded
from rulekit.source import Source
from rulekit.tools.claims.word_tables import BadTable, articles, parsed_table
from rulekit.tools.interchange.interchange import written
from rulekit.tools.language.catalogue_merge import new_catalogue
from rulekit.tools.language.engine_extraction import extracted
from rulekit.tools.language.po_files import parsed
from tests.paths import BOOKS, EXAMPLES, GAMES
from tests.soak.texts import TOKENS, Chooser

SECONDS = 4.0
"""Of the processor for all commands that read one mutant."""
ALLOWED = frozenset({DONE, FOUND, MISUSE, LIMIT})
ODD = (
    *"()[]{}\"':=;,*~|/-#\\&<0\t\n\0\r\v\x85\u2028\u202e\ufeffé",
    *("{x.y}", "@X-1", "GP-99", "-1", "9007199254740993", "\\q", "\\303", "&amp;", "]]>", "->", "none"),
    *("msgid", "msgstr[9]", "#~", "#,", "#|", "reads", "claims", "says", "to", "after", "null", "1e999", '{"a":1}'),
)

EDITION = """about: GP-1
box: GP-2 GP-3
setup: GP-6
round: GP-7 GP-8
turn:
    climb: GP-8 / GP-9 GP-10
    moves: GP-4 GP-5
end: GP-7 GP-11
crib: GP-8 GP-9
minutes: 20
"""
FORMS = """move goat +1 = {owner} sale di un gradino
move goat = {piece} va a {goal}
choose climb = {player} decide {answer}
draw bone = esce {drawn}
set camp = -
"""
GLOSSARY = "goat = capra, capre; f\nledge = cengia, cenge; not gradino\ncamp = campo\n"
ENGLISH = "goat = goat, goats\nledge = ledge, ledges; told GP-2\ncamp = camp\n"
READS = "GP-1: players:least, players:most\nGP-9: - (the slip)\nGP-2: cliff:high, cliff:low\n"
RENAMES = "place cliff -> wall\naction climb -> ascend\n"
ACCEPTED = "e5a55fb49b number-differs GP-8 GP-9: a misprint, the example rolls a 1\n"


@frozen
class Format:
    """A companion format: the sound text, where it lies, and the commands that read it."""

    path: str
    text: bytes
    commands: tuple[tuple[str, ...], ...]


RULES, BOOK = "goat_path.rules", "book.md"
_OF_LOGS = (("replay",), ("explain",), ("run", "--resume"))
_AUDIT = ("text", "audit", RULES, "--book", BOOK, "--anchors", "text/goat_path.it.anchors")


@cache
def formats() -> dict[str, Format]:
    """All companion formats by their name."""
    catalogue = _catalogue()
    merge = ("text", "merge", RULES, "text/goat_path.it.po")
    xliff = written(catalogue, ".xlf")[0]
    log = _log()
    anchors = (BOOKS / "goat_path.it.anchors").read_bytes()
    played = ("run", RULES, "--lang", "it", "--seed", "1")
    sent_out = ("text", "send", "text/goat_path.it.po", "-o", "out.xlf")
    audited = ("text", "audit", RULES, "--lang", "it")
    return {
        "po": Format("text/goat_path.it.po", catalogue.text.encode(), (played, sent_out, audited, merge)),
        "back.po": Format("back.po", catalogue.text.encode(), ((*merge, "--from", "back.po"),)),
        "back.xlf": Format("back.xlf", xliff, ((*merge, "--from", "back.xlf"),)),
        "forms": Format("text/goat_path.it.forms", FORMS.encode(), (played, _book("--lang", "it", "--check"))),
        "edition": Format("text/goat_path.edition", EDITION.encode(), (_book("--law"), _book("--check"))),
        "glossary": Format("text/goat_path.it.glossary", GLOSSARY.encode(), (_book("--lang", "it", "--check"),)),
        "en.glossary": Format("text/goat_path.en.glossary", ENGLISH.encode(), (_book("--law"), _book("--check"))),
        "anchors": Format("text/goat_path.it.anchors", anchors, (_AUDIT,)),
        "accepted": Format("text/goat_path.it.accepted", ACCEPTED.encode(), (_AUDIT,)),
        "reads": Format("text/goat_path.reads", READS.encode(), (("text", "audit", RULES),)),
        "words": Format("it.words", library.claim_words("it").text.encode(), ()),
        "log": Format("match.log", log, tuple((*words, "match.log") for words in _OF_LOGS)),
        "renames": Format("renames", RENAMES.encode(), (("replay", "match.log", "--renames", "renames"),)),
    }  # fmt: skip


def _book(*more: str) -> tuple[str, ...]:
    return ("rulebook", RULES, *more)


def _catalogue() -> Source:
    """A whole translation, in words that nobody need understand."""
    title, texts = extracted(str(EXAMPLES / RULES))
    po = parsed(new_catalogue(texts, title, "it").text)
    for entry in po:
        if entry.msgid_plural:
            entry.msgstr_plural = {0: f"it {entry.msgid}", 1: f"it {entry.msgid_plural}"}
        else:
            entry.msgstr = f"it {entry.msgid}"
    return Source("goat_path.it.po", f"{po}")


def _log() -> bytes:
    with tempfile.TemporaryDirectory() as folder, _inside(Path(folder)):
        Path(RULES).write_bytes((EXAMPLES / RULES).read_bytes())
        run(("run", RULES, "--seed", "1", "--record", "match.log"))
        return Path("match.log").read_bytes()


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Commands name files as a user in that folder would."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


_load = loading._loaded
_LOADED: dict[tuple[str, bool], loading.Loaded] = {}


def _load_once(source: Source, **more: object) -> loading.Loaded:
    """Load the game as always, but only once in this process: it is never mutated."""
    key = source.text, bool(more.get("advised"))
    if key not in _LOADED:
        _LOADED[key] = _load(source, **more)  # type: ignore[arg-type]
    return _LOADED[key]


def lay_out(folder: Path) -> None:
    """Write the game and all its companions, none of them mutated."""
    (folder / "text").mkdir()
    (folder / RULES).write_bytes((EXAMPLES / RULES).read_bytes())
    (folder / BOOK).write_bytes((BOOKS / "goat_path.it.md").read_bytes())
    for form in formats().values():
        (folder / form.path).write_bytes(form.text)


def run(words: tuple[str, ...]) -> tuple[int, str]:
    """Run a command as `python -m rulekit` does; its exit code and all that it prints."""
    told = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True)
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        code = guarded(lambda: cli.main(list(words), prog_name="rulekit", standalone_mode=False), debug=False)
    told.seek(0)
    return code, told.read()


# ---------------------------------------------------------------- mutants


@cache
def strangers(name: str) -> tuple[str, ...]:
    """Lines of such files of the games that ship, to be put in."""
    ending = name.removeprefix("back.").removeprefix("en.")
    found = [path.read_text(encoding="utf-8") for path in sorted(GAMES.glob(f"text/*.{ending}"))][:3]
    return tuple(line for text in found for line in text.split("\n")) or ("x", "x: y", "x = y")


def mutant(name: str, choose: Chooser) -> bytes:
    """A file of a format with one to four changes, by lines, tokens or bytes."""
    text = formats()[name].text
    for _ in range(1 + choose.below(4)):
        text = _once_in_bytes(text, choose) if choose.below(6) == 0 else _once(text, name, choose)
    return text


def _once(data: bytes, name: str, choose: Chooser) -> bytes:
    text = data.decode("utf-8", "replace")
    by_line = choose.below(2) == 0
    parts = text.split("\n") if by_line else TOKENS.findall(text)
    if not parts:
        return data
    at, other, form = choose.below(len(parts)), choose.below(len(parts)), choose.below(7)
    if form == 0:
        del parts[at]
    elif form == 1:
        parts.insert(other, parts[at])
    elif form == 2:
        parts[at], parts[other] = parts[other], parts[at]
    elif form == 3:
        parts[at] = ODD[choose.below(len(ODD))]
    elif form == 4:
        lines = strangers(name)
        parts[at] = lines[choose.below(len(lines))]
    elif form == 5:
        parts[at] = parts[at][: choose.below(len(parts[at]) + 1)]
    else:
        parts.insert(at, ODD[choose.below(len(ODD))])
    return ("\n" if by_line else "").join(parts).encode("utf-8", "replace")


def _once_in_bytes(data: bytes, choose: Chooser) -> bytes:
    at = choose.below(len(data) + 1)
    changed = bytearray(data)
    changed[at : at + choose.below(3)] = bytes([choose.below(256)]) * choose.below(3)
    return bytes(changed)


def outcome(name: str, data: bytes) -> str:
    """What became of a mutant: the exit codes of the commands.  Errors: `AssertionError` for a fault of ours."""
    form = formats()[name]
    with tempfile.TemporaryDirectory() as folder, _inside(Path(folder)):
        lay_out(Path(folder))
        Path(form.path).write_bytes(data)
        if name == "words":
            return _read_words(data)
        codes = []
        for words in form.commands:
            code, told = run(words)
            assert code in ALLOWED, f"{' '.join(words)}: exit {code}: {told[-300:]}"
            assert "Traceback" not in told, f"{' '.join(words)}: {told[-300:]}"
            codes.append(code)
    return " ".join(map(str, codes))


def _read_words(data: bytes) -> str:
    """Read a word table of the package as the audit does."""
    try:
        table = library.decode("it.words", data)
        parsed_table(table)
        with patch.object(library, "claim_words", lambda language: table):
            articles("it")
    except (BadTable, library.Unreadable):
        return "refused"
    return "read"


def _late(*_: object) -> None:
    raise TimeoutError("took over twenty seconds of the processor")


Job = tuple[str, int, int, str]
"""Seed, first number, count, and the format; "" for all in turn."""


def batch(job: Job) -> tuple[Counter[str], list[tuple[str, bytes, str]], float]:
    """Try mutants; how they ended, those that failed with the reason, and how long the slowest took."""
    seed, first, count, only = job
    names = [only] if only else sorted(formats())
    tally: Counter[str] = Counter()
    failed: list[tuple[str, bytes, str]] = []
    slowest = 0.0
    signal.signal(signal.SIGPROF, _late)
    for number in range(first, first + count):
        name, choose = names[number % len(names)], Chooser(f"{seed}:{number}")
        data = mutant(name, choose)
        began = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, 20)
        try:
            with patch.object(loading, "_loaded", _load_once):
                tally[f"{name} {outcome(name, data)}"] += 1
        except Exception as fault:
            failed.append((name, data, f"{type(fault).__name__}: {fault}"))
        signal.setitimer(signal.ITIMER_PROF, 0)
        taken = time.process_time() - began
        slowest = max(slowest, taken)
        if taken > SECONDS:
            failed.append((name, data, f"{taken:.1f} s"))
    return tally, failed, slowest


def keep(folder: Path, name: str, data: bytes, reason: str) -> None:
    path = folder / f"{hashlib.sha256(data).hexdigest()[:12]}.{name}"
    folder.mkdir(exist_ok=True, parents=True)
    path.write_bytes(data)
    print(json.dumps({"failed": path.name, "reason": reason[:400]}), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--format", default="", choices=["", *sorted(formats())])
    parser.add_argument(
        "--keep", default=tempfile.gettempdir() + "/companions", help="where mutants that fail are kept"
    )
    args = parser.parse_args()
    size = max(1, min(200, args.count // max(1, args.jobs)))
    jobs: list[Job] = [(args.seed, n, min(size, args.count - n), args.format) for n in range(0, args.count, size)]
    tally: Counter[str] = Counter()
    failures, slowest, began = 0, 0.0, time.perf_counter()
    with ProcessPoolExecutor(args.jobs) as pool:
        for done, failed, slow in pool.map(batch, jobs):
            tally += done
            slowest = max(slowest, slow)
            failures += len(failed)
            for name, data, reason in failed:
                keep(Path(args.keep), name, data, reason)
    seconds = round(time.perf_counter() - began, 1)
    result = {"count": args.count, "failures": failures, "slowest": round(slowest, 2), "seconds": seconds}
    print(json.dumps(result | {"seed": args.seed} | dict(sorted(tally.items()))))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
