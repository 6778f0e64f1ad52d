"""The life of a catalogue as a random walk: `python -m tests.soak.catalogues --edits 1000`.

Clauses, examples and cards are added, dropped, put back, renamed, reworded and moved; rules change under
them; a translator works in the PO, in XLIFF or in CSV. After every edit the catalogue is merged, and:

- whatever was translated stands in it, with its words;
- no text whose words were translated once is empty;
- what is not fuzzy was confirmed for these words over these rules;
- what was not edited since it was whole is whole;
- `msgfmt --check` is content.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

from attrs import define, field

from rulekit.source import Source
from rulekit.tools.language.catalogue_merge import merged, new_catalogue
from rulekit.tools.language.catalogue_return import with_returned
from rulekit.tools.language.engine_extraction import extracted
from rulekit.tools.language.po_files import behaviour_of, parsed
from rulekit.tools.language.translation import placeholders
from tests.text.round_trips import through_csv, through_xliff

WORDS = (
    *("bears", "cats", "foxes", "the first player", "whoever is last", "the tallest tower", "each card", "no rope"),
    *("gains", "loses", "counts", "gives away", "turns over", "never keeps", "shares", "hides"),
    *("a point", "two points", "the rest", "everything", "the pile", "what lies open", "one more turn", "nothing"),
)
SORTS = ("clause", "example", "card")


@define(eq=False)
class Thing:
    """A clause, an example or a card of the game.

    number:    what its rule does.
    is_whole:  its translation was confirmed, and nothing of it has been edited since.
    """

    sort: str
    name: str
    words: str
    number: int
    is_whole: bool = False

    @property
    def id(self) -> str:
        return {"clause": self.name, "example": "", "card": f"card {self.name}"}[self.sort]


@define
class Walk:
    """One catalogue and the game that it translates."""

    chance: Random
    path: Path
    things: list[Thing] = field(factory=list)
    shelf: list[Thing] = field(factory=list)
    po: str = ""
    confirmed: dict[tuple[str, tuple[str, ...]], set[str]] = field(factory=dict)
    done: Counter[str] = field(factory=Counter)
    faults: list[str] = field(factory=list)
    made: int = 0

    def begin(self) -> None:
        for sort in (*SORTS, *SORTS):
            self.things.append(self.new(sort))
        self.merge()

    def edit(self) -> None:
        """One edit drawn by chance, the merge after it, and the look at what became of everything."""
        name, change = self.chance.choice(EDITS)
        if self.chance.random() < 0.3:
            self.translate_in_po()
        change(self)
        self.done[name] += 1
        self.merge()
        self.look()

    # ------------------------------------------------------------ the game

    def new(self, sort: str) -> Thing:
        self.made += 1
        names = {"clause": f"W-{self.made}", "example": "", "card": f"c{self.made}"}
        return Thing(sort, names[sort], self.sentence(), self.chance.randrange(1, 9))

    def sentence(self) -> str:
        """Words that no other thing has, of which parts occur in others."""
        parts = [self.chance.choice(WORDS[start : start + 8]) for start in (0, 8, 16)]
        return f"{' '.join(parts)} {self.made}"

    def rules(self) -> str:
        clauses = [thing for thing in self.things if thing.sort == "clause"]
        lines = ['game "Walk"', "    players 2", "cards pack of card"]
        lines += [f'    card {t.name} "{t.words}"' for t in self.things if t.sort == "card"]
        lines += ["    card last_one", "pile heap of card starts pack", "each player has", "    counter points", "play"]
        for thing in clauses:
            lines += [f"    > {thing.name} {thing.words}", f"    each player: raise player.points by {thing.number}"]
        lines += ["    end game", "result: rank players by highest points", "# ------------- examples"]
        for thing in self.things:
            if thing.sort == "example":
                lines += [
                    f'scenario "{thing.words}"',
                    "    players red, green",
                    f"    given red.points is {thing.number}",
                ]
        return "\n".join(lines) + "\n"

    def some(self, *sorts: str) -> Thing | None:
        return self._one(thing for thing in self.things if thing.sort in (sorts or SORTS))

    def _one(self, things: Iterable[Thing]) -> Thing | None:
        found = list(things)
        return self.chance.choice(found) if found else None

    # ------------------------------------------------------------ edits

    def add(self) -> None:
        self.things.insert(self.chance.randint(0, len(self.things)), self.new(self.chance.choice(SORTS)))

    def drop(self) -> None:
        for _ in range(self.chance.randint(1, 3)):
            if (thing := self.some()) is not None:
                self.things.remove(thing)
                self.shelf.append(thing)

    def put_back(self) -> None:
        if (thing := self._one(self.shelf)) is not None:
            self.shelf.remove(thing)
            self.things.insert(self.chance.randint(0, len(self.things)), thing)

    def rename(self) -> None:
        if (thing := self.some("clause", "card")) is not None:
            self.made += 1
            thing.name = f"W-{self.made}" if thing.sort == "clause" else f"c{self.made}"

    def number_anew(self) -> None:
        """Clauses are called 1, 2, 3 … in their order, whichever names others had before."""
        for number, thing in enumerate((t for t in self.things if t.sort == "clause"), 1):
            thing.name = f"W-{number}"
        for number, thing in enumerate((t for t in self.shelf if t.sort == "clause"), 1):
            thing.name = f"W-{self.made + number}"
        self.made += len(self.shelf)

    def exchange(self) -> None:
        one, other = self.some("clause"), self.some("clause")
        if one is not None and other is not None:
            one.name, other.name = other.name, one.name

    def reword(self) -> None:
        if (thing := self.some()) is not None:
            self.made += 1
            thing.words = f"{thing.words.rpartition(' ')[0]} {self.chance.choice(WORDS)} {self.made}"
            thing.is_whole = False

    def reorder(self) -> None:
        self.chance.shuffle(self.things)

    def change_rules(self) -> None:
        if (thing := self.some("clause")) is not None:
            thing.number = thing.number % 9 + 1
            thing.is_whole = False

    # ------------------------------------------------------------ the translator

    def todo(self) -> list[Any]:
        """Entries to be translated or looked at, and some that are: not all at once."""
        return [e for e in parsed(self.po) if not e.obsolete and not e.translated() and self.chance.random() < 0.7]

    def translate_in_po(self) -> None:
        po, wanted = parsed(self.po), {(e.msgctxt, e.msgid) for e in self.todo()}
        for entry in po:
            if not entry.obsolete and (entry.msgctxt, entry.msgid) in wanted:
                self.say(entry)
        self.po = f"{po}"
        self.done["translations"] += len(wanted)

    def say(self, entry: Any) -> None:
        """Leave an entry as an editor of PO files leaves it: confirmed, or in other words."""
        entry.flags = [flag for flag in entry.flags if flag != "fuzzy"]
        entry.previous_msgctxt = entry.previous_msgid = entry.previous_msgid_plural = None
        keeps = any(says(entry)) and self.chance.random() < 0.3
        if entry.msgid_plural and not keeps:
            entry.msgstr_plural = {place: self.words_for(entry) for place in entry.msgstr_plural}
        elif not keeps:
            entry.msgstr = self.words_for(entry)
        self.confirm(entry)

    def words_for(self, entry: Any) -> str:
        self.made += 1
        held = sorted(placeholders(entry.msgid) | placeholders(entry.msgid_plural or ""))
        holds = "".join(f" {{{name}}}" for name in held)
        return f"it {self.made}{holds}"

    def confirm(self, entry: Any) -> None:
        """From now on this is what the words are in the language; what the entry had before is superseded."""
        for words, said in [key for key in self.confirmed if key[0] == entry.msgid]:
            if said != says(entry):
                del self.confirmed[words, said]
        self.confirmed.setdefault((entry.msgid, says(entry)), set()).add(behaviour_of(entry))

    def translate_in_xliff(self) -> None:
        self.abroad(through_xliff)

    def translate_in_csv(self) -> None:
        self.abroad(through_csv)

    def replace_by_what_came_back(self) -> None:
        """Nobody has kept the file that went out; ids and obsolete entries went with it."""
        self.po = through_xliff(self.po, {})

    def abroad(self, way: Callable[[str, dict[str, str]], str]) -> None:
        """The file goes out, texts are translated, and it is put into the one that was sent; the game stays."""
        todo = {e.msgid: self.words_for(e) for e in self.todo() if not e.msgid_plural}
        back = with_returned(Source("sent", self.po), Source("back", way(self.po, todo))).text
        for entry in parsed(back):
            if not entry.obsolete and entry.msgstr and entry.msgstr == todo.get(entry.msgid):
                self.confirm(entry)
                self.done["translations"] += 1
        self.po = back

    # ------------------------------------------------------------ the merge, and what became of everything

    def merge(self) -> None:
        self.path.write_text(self.rules(), encoding="utf-8")
        title, texts = extracted(str(self.path))
        result = merged(Source("po", self.po), texts, title, "it") if self.po else new_catalogue(texts, title, "it")
        self.po = result.text
        again = merged(Source("po", self.po), texts, title, "it")
        self.expect(again.text == self.po, "a second merge changed something")

    def look(self) -> None:
        entries = list(parsed(self.po))
        stands = {(entry.msgid, says(entry)) for entry in entries}
        for words, said in self.confirmed:
            self.expect((words, said) in stands, f"lost: {words!r}: {said}")
        once = {words for words, _ in self.confirmed}
        for entry in (entry for entry in entries if not entry.obsolete):
            has = any(says(entry))
            self.expect(has or entry.msgid not in once, f"empty, though it was translated: {entry.msgid!r}")
            if has and not entry.fuzzy:
                over = self.confirmed.get((entry.msgid, says(entry)), set())
                self.expect(behaviour_of(entry) in over, f"shown, though nobody confirmed it: {entry.msgid!r}")
        self.look_at_things({(e.msgid, e.msgctxt): e for e in entries if not e.obsolete})
        complaint = complaint_of_gettext(self.po)
        self.expect(not complaint, f"msgfmt is not content: {complaint}")

    def look_at_things(self, entries: dict[tuple[str, str], Any]) -> None:
        for thing in self.things:
            entry = next(entry for (words, id_), entry in entries.items() if words == thing.words)
            is_whole = any(says(entry)) and not entry.fuzzy
            self.expect(is_whole or not thing.is_whole, f"no longer whole, though not edited: {thing}")
            thing.is_whole = is_whole

    def expect(self, holds: bool, fault: str) -> None:
        if not holds:
            self.faults.append(f"after {sum(self.done.values())}: {fault}")


EDITS: tuple[tuple[str, Callable[[Walk], None]], ...] = (
    ("added", Walk.add),
    ("dropped", Walk.drop),
    ("put back", Walk.put_back),
    ("renamed", Walk.rename),
    ("numbered anew", Walk.number_anew),
    ("exchanged", Walk.exchange),
    ("reworded", Walk.reword),
    ("reordered", Walk.reorder),
    ("rules changed", Walk.change_rules),
    ("through XLIFF", Walk.translate_in_xliff),
    ("through CSV", Walk.translate_in_csv),
    ("replaced through XLIFF", Walk.replace_by_what_came_back),
)


def says(entry: Any) -> tuple[str, ...]:
    return tuple(entry.msgstr_plural[place] for place in sorted(entry.msgstr_plural)) or (entry.msgstr,)


def complaint_of_gettext(po: str) -> str:
    """What `msgfmt --check` says of a catalogue; without gettext it is not asked."""
    if shutil.which("msgfmt") is None:
        return ""
    done = subprocess.run(["msgfmt", "--check", "-o", "-", "-"], input=po.encode(), capture_output=True, check=False)
    return done.stderr.decode() or ("it failed" if done.returncode else "")


def walked(edits: int, seed: str) -> Walk:
    """A walk of so many edits; it ends at the first edit that shows a fault."""
    with tempfile.TemporaryDirectory() as folder:
        walk = Walk(Random(seed), Path(folder) / "walk.rules")
        walk.begin()
        for _ in range(edits):
            walk.edit()
            if walk.faults:
                break
    return walk


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    args = parser.parse_args(words)
    walk = walked(args.edits, args.seed)
    told = {"edits": args.edits, "seed": args.seed, "msgfmt": shutil.which("msgfmt") is not None, "faults": walk.faults}
    print(json.dumps(told | dict(walk.done), indent=1))
    return bool(walk.faults)


if __name__ == "__main__":
    sys.exit(main())
