"""Raise one number of a game's own texts at a time: does the audit see it?

Mutation testing of `rulekit text audit FILE` and `--lang`.  `python -m
tests.audit.raise_numbers [GAME…]` raises every number of every clause, and of
its translations, by one.  A change counts as seen only if a new finding of that
clause names the number read, the value of the rules and the line of the rule.
Numbers that stand for no value are listed with the reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve, field, frozen

from rulekit.diagnostics import Problems
from rulekit.library import read_catalogue
from rulekit.model.game import Clause
from rulekit.source import Source
from rulekit.tools.audit.baseline import parse_accepted, split
from rulekit.tools.audit.clause_numbers import Named, Tie, own_clauses, ties
from rulekit.tools.audit.findings import AuditedRules, Finding, bounded
from rulekit.tools.audit.numeral_parsing import Numeral, numerals
from rulekit.tools.audit.reports import names_of, rules_of
from rulekit.tools.audit.translation_check import Pair, compare, pairs
from rulekit.tools.language.po_files import read_po
from tests.paths import GAMES

LANGUAGES = ("it", "de")
RINGS = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty twenty-one",
    "first second third fourth fifth sixth seventh eighth",
    "once twice thrice",
    "double triple",
    "doubled tripled",
    "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette"
    " diciotto diciannove venti ventuno",
    "un due",
    "una due",
    "primo secondo terzo quarto quinto",
    "prima seconda terza quarta quinta",
    "primi secondi",
    "prime seconde",
    "doppio triplo",
    "doppia tripla",
    "raddoppiati triplicare",
    "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn"
    " achtzehn neunzehn zwanzig einundzwanzig",
    "ein zwei",
    "eine zwei",
    "einen zwei",
    "einem zwei",
    "einer zwei",
    "eines zwei",
    "erste zweite dritte vierte fünfte",
    "ersten zweiten dritten vierten fünften",
    "erster zweiter dritter vierter",
    "erstes zweites drittes viertes",
    "einmal zweimal dreimal",
    "doppelt dreifach",
    "zweit dritt viert",
    "zweier dreier",
)
"""Words of which each is one more than the one before."""
PHRASES = {
    **dict.fromkeys(("both", "pair", "pairs"), "three"),
    **dict.fromkeys(
        ("entrambi", "entrambe", "ambedue", "coppia", "coppie", "paio", "doppie", "doppi", "raddoppia"), "tre"
    ),
    **dict.fromkeys(("beide", "beiden", "beides", "beider", "paar", "paare", "paaren", "zweien"), "drei"),
    **dict.fromkeys(("doppelte", "doppelten", "doppelter", "doppeltes", "verdoppelten", "verdoppelte"), "dreifach"),
}


@frozen
class Raised:
    """What became of one language of a game.

    numbers:  all that were read; stating: those that stand for a value of the rules; seen: of these.
    marked:   the others, each with its reason; alarms: open findings on the unchanged texts.
    """

    name: str
    numbers: int
    stating: int
    seen: int
    marked: tuple[str, ...]
    unseen: tuple[str, ...]
    alarms: tuple[str, ...]


@frozen
class Game:
    """A game with the names for the numbers of its clauses."""

    path: Path
    rules: AuditedRules
    names: dict[str, Named]
    problems: Problems = field(factory=Problems)

    def ties(self, clause: Clause) -> list[Tie]:
        return ties(clause, self.rules, self.names.get(clause.id), Problems())

    def accepted(self, path: Path, findings: list[Finding]) -> list[str]:
        """The findings that nobody accepted, as text."""
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        return [f.diagnostic.title for f in split(findings, parse_accepted(Source(str(path), text), Problems()))[0]]


def raised(numeral: Numeral) -> str:
    """The next number in the same writing; the same where there is none."""
    text = numeral.text
    if text.isdigit():
        return str(int(text) + 1)
    for ring in RINGS:
        words = ring.split()
        if text.lower() in words[:-1]:
            word = words[words.index(text.lower()) + 1]
            return word.capitalize() if text[0].isupper() else word
    return PHRASES.get(text.lower(), text)


def game(path: Path) -> Game:
    rules, problems = rules_of(str(path), {}), Problems()
    return Game(path, rules, names_of(str(path), rules, {}, problems), problems)


# ---------------------------------------------------------------- clauses


def clauses(of: Game) -> Raised:
    """Every number of every clause, raised."""
    found = [(clause, tie) for clause in of.rules.rules.game.clauses.values() for tie in of.ties(clause)]
    stating = [(clause, tie) for clause, tie in found if tie.value is not None]
    unseen = [_told(c.id, c.text, t.numeral) for c, t in stating if not _is_seen(of, c, t)]
    marked = [f"{_told(c.id, c.text, t.numeral)}: {t.reason or 'OPEN'}" for c, t in found if t.value is None]
    open_ = list(own_clauses(of.rules, of.names, Problems()))
    alarms = of.accepted(of.path.parent / "text" / f"{of.path.stem}.accepted", open_)
    alarms += [fault.title for fault in of.problems.found]
    name = f"{of.path.stem} en"
    return Raised(
        name, len(found), len(stating), len(stating) - len(unseen), tuple(marked), tuple(unseen), tuple(alarms)
    )


def _is_seen(of: Game, clause: Clause, tie: Tie) -> bool:
    other = evolve(clause, text=_changed(clause.text, tie.numeral))
    one = evolve(of.rules.rules.game, clauses={clause.id: other})
    now = own_clauses(evolve(of.rules, rules=evolve(of.rules.rules, game=one)), of.names, Problems())
    return _names_all(now, tie.numeral, tie)


def _changed(text: str, numeral: Numeral) -> str:
    return text[: numeral.start] + raised(numeral) + text[numeral.end :]


def _names_all(findings: Iterator[Finding], numeral: Numeral, tie: Tie) -> bool:
    """Whether one of the findings has the number read, the value and its line."""
    value = tie.value
    assert value is not None
    had = str(bounded(value.value, value.bound, value.limit))
    place = f"{value.span.source}:{value.span.line}:" if value.span.line else ""
    read = str(numeral.value + 1)
    limit = str(numeral.limit + 1)
    return any((read in f.read or limit in f.read) and f.had == had and f.rule.startswith(place) for f in findings)


def _told(id_: str, text: str, numeral: Numeral) -> str:
    around = f"{text[max(0, numeral.start - 30) : numeral.start]}[{numeral.text}]{text[numeral.end : numeral.end + 25]}"
    return f"{id_}: …{around}…"


# ---------------------------------------------------------------- translations


def translation(of: Game, language: str) -> Raised:
    """Every number of every translated clause, raised."""
    path = of.path.parent / "text" / f"{of.path.stem}.{language}.po"
    source = read_catalogue(str(path))
    listed = pairs(read_po(source).entries, language, source)
    texts = of.rules.rules.game.clauses
    known = [(p, of.ties(texts[p.id])) for p in listed if p.id in texts and texts[p.id].text == p.text]
    stating, unseen, marked, total = 0, [], [], 0
    for pair, own in known:
        for numeral, tie in _paired(pair, own):
            total += 1
            if tie is None or tie.value is None:
                marked.append(f"{_told(pair.id, pair.other, numeral)}: {tie.reason if tie else 'not in the text'}")
                continue
            stating += 1
            other = evolve(pair, other=_changed(pair.other, numeral))
            if not _names_all(compare(other, of.rules, own), numeral, tie):
                unseen.append(_told(pair.id, pair.other, numeral))
    owns = {pair.id: own for pair, own in known}
    open_ = [finding for pair in listed for finding in compare(pair, of.rules, owns.get(pair.id, ()))]
    alarms = of.accepted(Path(f"{path}.accepted"), open_)
    name = f"{of.path.stem} {language}"
    return Raised(name, total, stating, stating - len(unseen), tuple(marked), tuple(unseen), tuple(alarms))


def _paired(pair: Pair, own: list[Tie]) -> Iterator[tuple[Numeral, Tie | None]]:
    """Each number of a translation with one of the clause that has its value."""
    free = list(own)
    for numeral in numerals(pair.other, pair.language):
        twin = next((tie for tie in free if tie.numeral.value == numeral.value), None)
        if twin is not None:
            free.remove(twin)
        yield numeral, twin


# ---------------------------------------------------------------- the command


def main(names: list[str]) -> None:
    folder = Path(names.pop(0)) if names and Path(names[0]).is_dir() else GAMES
    outcomes = []
    for path in sorted(folder.glob("*.rules")):
        if not names or path.stem in names:
            of = game(path)
            outcomes += [clauses(of), *(translation(of, language) for language in LANGUAGES)]
    for outcome in outcomes:
        tell(outcome)
    for language in ("en", *LANGUAGES):
        those = [outcome for outcome in outcomes if outcome.name.endswith(language)]
        stating, seen = sum(o.stating for o in those), sum(o.seen for o in those)
        if stating:
            print(f"all {language}: {seen} of {stating} seen ({seen / stating:.1%})")


def tell(outcome: Raised) -> None:
    share = outcome.seen / outcome.stating if outcome.stating else 0.0
    left = len(outcome.marked) / outcome.numbers if outcome.numbers else 0.0
    print(
        f"{outcome.name}: {outcome.numbers} numbers, {outcome.stating} state rules, {outcome.seen} seen ({share:.1%})"
    )
    print(f"    {len(outcome.marked)} stand for no value ({left:.1%}), {len(outcome.alarms)} open findings")
    for title, lines in (("open", outcome.alarms), ("not seen", outcome.unseen), ("no value", outcome.marked)):
        for line in lines:
            print(f"    {title}: {line}")


if __name__ == "__main__":
    main(sys.argv[1:])
