"""Change one word at a time of a game's own clauses, and of their translations: does the audit see it?

`python -m tests.audit.mutate_clauses [EVERY]` changes every site, or each EVERY-th, of every clause in English, Italian
and German: comparisons, directions, signs, order words, and so on, negations, names of things of the game.  A change
counts as seen only if a new finding of that clause names the word read, what the rules or the text that is translated
have instead, and a line of the rules; when a clause is changed its translations stay as they are.  The pairs of words
are this module's and `mutate_claims`', and know nothing of the tables of the audit.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from attrs import evolve, frozen

from rulekit.diagnostics import Problems
from rulekit.library import read_catalogue
from rulekit.model.game import Clause
from rulekit.tools.audit.clause_numbers import clause_findings
from rulekit.tools.audit.findings import Finding
from rulekit.tools.audit.translation_check import Pair, compare, pairs
from rulekit.tools.language.po_files import Translated, read_po
from tests.audit.mutate_claims import PAIRS, Change, common_names, exchanged, is_thing, key_of, renamed
from tests.audit.mutate_words import VERBS
from tests.audit.raise_numbers import LANGUAGES, Game, game
from tests.paths import GAMES

ENGLISH = {
    "comparison": "lowest/highest, highest/lowest, lower/higher, higher/lower, nearest/farthest, nearer/farther, "
    "farther/nearer, closest/farthest, closer/farther, most/fewest, fewest/most, more than/fewer than, "
    "fewer than/more than, more/fewer, fewer/more, at most/at least, at least/at most, up to/at least, "
    "smallest/largest, largest/smallest, greatest/least, least/most, youngest/oldest, oldest/youngest, below/above, "
    "above/below, longest/shortest, shortest/longest, further/nearer",
    "direction": "forward/back, forwards/backwards, back/forward, backwards/forwards, up/down, down/up, left/right, "
    "right/left, clockwise/counterclockwise, top/bottom, bottom/top, upwards/downwards, downwards/upwards, "
    "ahead/behind, behind/ahead, inside/outside, outside/inside, onto/off",
    "sign": "gains/loses, gain/lose, loses/gains, lose/gain, wins/loses, win/lose, winner/loser, loser/winner, "
    "scores/loses, takes/gives up, take/give up, receives/loses, receive/lose, adds/subtracts, add/subtract, "
    "subtracts/adds, pays/receives, pay/receive, bonus/penalty, penalty/bonus, won/lost, lost/won",
    "order": "before/after, after/before, first/last, last/first, next/previous, previous/next, start/end, end/start, "
    "begins/ends, ends/begins, beginning/end, starts/ends, ascending/descending, descending/ascending, "
    "then/before that",
    "extent": "each/one, every/one, all/some, both/one of, everybody/somebody, any/a certain, only one/every, "
    "whole/part of the, everyone/someone, exactly one/every",
    "exception": "except/including, unless/provided that, only/also, until/even if, without/with, otherwise/besides",
    "open": "secretly/openly, face down/face up, face up/face down, hidden/visible, reveal/hide, reveals/hides, "
    "at the same time/in turn, together/in turn, at once/in turn, openly/secretly",
    "who": "own/opponent's, owner/opponent, opponents/owners, other player/same player, other players/same players, "
    "opponent/owner, another/the same",
    "mood": "may/must, must/may, can/must, has to/may, have to/may, need not/must",
}
GERMAN = {
    "comparison": "niedrigste/höchste, niedrigsten/höchsten, höchste/niedrigste, höchsten/niedrigsten, "
    "höher/niedriger, niedriger/höher, nächste/fernste, näher/ferner, meisten/wenigsten, wenigsten/meisten, "
    "mehr als/weniger als, weniger als/mehr als, mehr/weniger, weniger/mehr, höchstens/mindestens, "
    "mindestens/höchstens, bis zu/mindestens, kleinste/größte, kleinsten/größten, größte/kleinste, größten/kleinsten, "
    "jüngste/älteste, älteste/jüngste, unter/über, über/unter, unterhalb/oberhalb, niedrigere/höhere, "
    "höhere/niedrigere, längste/kürzeste, längsten/kürzesten",
    "direction": "vorwärts/rückwärts, rückwärts/vorwärts, vor/zurück, zurück/vor, hinauf/hinab, hinab/hinauf, "
    "nach oben/nach unten, nach unten/nach oben, linken/rechten, rechten/linken, links/rechts, rechts/links, "
    "im uhrzeigersinn/gegen den uhrzeigersinn, oben/unten, unten/oben, oberste/unterste, obersten/untersten, "
    "unterste/oberste, untersten/obersten, innerhalb/außerhalb, außerhalb/innerhalb, oberen/unteren, unteren/oberen",
    "sign": "gewinnt/verliert, gewinnen/verlieren, verliert/gewinnt, verlieren/gewinnen, bekommt/verliert, "
    "bekommen/verlieren, erhält/verliert, erhalten/verlieren, addiert/subtrahiert, abgezogen/addiert, "
    "zieht ab/zählt dazu, zahlt/bekommt, bonus/strafe, strafe/bonus, gewonnen/verloren, verloren/gewonnen, "
    "sieger/verlierer, gewinner/verlierer",
    "order": "vor/nach, nach/vor, bevor/nachdem, nachdem/bevor, erste/letzte, ersten/letzten, letzte/erste, "
    "letzten/ersten, zuerst/zuletzt, zuletzt/zuerst, vorher/nachher, danach/davor, dann/davor, nächste/vorige, "
    "nächsten/vorigen, vorigen/nächsten, beginnt/endet, beginnen/enden, endet/beginnt, anfang/ende, ende/anfang, "
    "aufsteigender/absteigender, absteigender/aufsteigender",
    "extent": "jeder/einer, jede/eine, jedes/eines, jeden/einen, jedem/einem, alle/einige, allen/einigen, "
    "beide/einer, beiden/einer der, jeweils/einmal, ganze/halbe, irgendeine/eine bestimmte",
    "exception": "außer/auch, nur/auch, ohne/mit, bis/auch wenn, sonst/außerdem, es sei denn/vorausgesetzt, "
    "ausgenommen/einschließlich",
    "open": "geheim/offen, verdeckt/offen, verdeckte/offene, verdeckten/offenen, aufgedeckt/verdeckt, "
    "offen/verdeckt, offene/verdeckte, offenen/verdeckten, gleichzeitig/nacheinander, zugleich/nacheinander, "
    "deckt auf/deckt zu",
    "who": "eigene/fremde, eigenen/fremden, eigener/fremder, besitzer/gegner, gegner/besitzer, anderen/eigenen, "
    "andere/eigene, anderer/eigener",
    "mood": "darf/muss, dürfen/müssen, muss/darf, müssen/dürfen, kann/muss, können/müssen",
}
EXCHANGES = {"en": ENGLISH, "it": PAIRS, "de": GERMAN}
NEGATED = {
    "en": (r"\bnot ", r"\b({})\b", " not"),
    "it": (r"\bnon ", r"(?=\b({})\b)", "non "),
    "de": (r"\bnicht ", r"\b({})\b", " nicht"),
}
"""By language what is taken out, where something is put in, and what."""


def changes(text: str, language: str, names: tuple[str, ...]) -> list[Change]:
    """Every site of a text, in order; each place once for a kind, of several exchanges the longest."""
    found = [*exchanged(text, EXCHANGES[language]), *_negated(text, language), *renamed(text, names)]
    return sorted(found, key=lambda change: (change.start, change.kind))


def _negated(text: str, language: str) -> Iterator[Change]:
    dropped, added, word = NEGATED[language]
    for match in re.finditer(f"(?i){dropped}", text):
        yield Change("negation dropped", match.start(), match.end(), "")
    for match in re.finditer(added.format(VERBS[language].replace(" ", "|")), text):
        around = text[max(0, match.start() - 24) : match.end() + 24]
        if not re.search(r"(?i)\b(not|no|nobody|none|never|non|nessun\w*|né|mai|nicht|kein\w*|niemand|nie)\b", around):
            yield Change("negation added", match.end(), match.end(), word)


def names_in(entries: tuple[Translated, ...], texts: str, language: str) -> tuple[str, ...]:
    """The names of things that the clauses use, the commonest first."""
    things = [(entry.text, entry.plural) if language == "en" else entry.forms for entry in entries if is_thing(entry)]
    return common_names((form for forms in things for form in forms), texts, EXCHANGES[language])


# ---------------------------------------------------------------- outcomes


@frozen
class Tried:
    """A change of a clause, and the code of the finding that says everything; "" if none does.

    has_lines:  whether any line of the rules carries the clause out.
    """

    clause: str
    change: Change
    text: str
    code: str
    has_lines: bool = True

    @property
    def told(self) -> str:
        around = self.text[max(0, self.change.start - 40) : self.change.start], self.text[self.change.end :][:40]
        here = f"{around[0]}[{self.text[self.change.start : self.change.end]} → {self.change.other}]{around[1]}"
        seen = "seen" if self.code else "missed"
        return f"{seen} {self.code or '-'}: {self.clause} {self.change.kind}: {' '.join(here.split())}"


def clauses(path: Path, every: int) -> Iterator[Tried]:
    """Every change of every clause of a game, or each so manieth."""
    of = game(path)
    texts = of.rules.rules.game.clauses
    entries = of.rules.translated("en")
    names = names_in(entries, " ".join(clause.text for clause in texts.values()), "en")
    carried = {id_ for claim in of.rules.claims for id_ in claim.clauses}
    turns = Counter[str]()
    for clause in texts.values():
        known = _of_clause(clause, of)
        for change in _some(changes(clause.text, "en", names), turns, every):
            now = _of_clause(evolve(clause, text=change.of(clause.text)), of)
            yield Tried(clause.id, change, clause.text, _fresh(known, now), clause.id in carried)


def _some(found: list[Change], turns: Counter[str], every: int) -> Iterator[Change]:
    """Of each kind one of so many."""
    for change in found:
        if turns[change.kind] % every == 0:
            yield change
        turns[change.kind] += 1


def _of_clause(clause: Clause, of: Game) -> list[Finding]:
    """What is found in a clause when this is its text, while its translations are as they were."""
    rules = of.rules
    whole = evolve(rules.rules.game, clauses={**rules.rules.game.clauses, clause.id: clause})
    ruled = evolve(rules, rules=evolve(rules.rules, game=whole), kept={})
    return list(clause_findings(clause, ruled, of.names.get(clause.id), Problems()))


def translations(path: Path, language: str, every: int) -> Iterator[Tried]:
    """Every change of every translated clause, or each so manieth."""
    of, source = game(path), read_catalogue(str(path.parent / "text" / f"{path.stem}.{language}.po"))
    entries = read_po(source).entries
    listed = [pair for pair in pairs(entries, language, source) if pair.id in of.rules.rules.game.clauses]
    names = names_in(entries, " ".join(pair.other for pair in listed), language)
    turns = Counter[str]()
    for pair in listed:
        known = _of_pair(pair, of)
        for change in _some(changes(pair.other, language, names), turns, every):
            now = _of_pair(evolve(pair, other=change.of(pair.other)), of)
            yield Tried(pair.id, change, pair.other, _fresh(known, now))


def _of_pair(pair: Pair, of: Game) -> list[Finding]:
    """What is found in a translation when it is the one that the catalogue has."""
    rules = of.rules

    def translated(language: str) -> tuple[Translated, ...]:
        entries = rules.translated(language)
        is_own = language == pair.language
        return tuple(evolve(one, forms=(pair.other,)) if is_own and one.id == pair.id else one for one in entries)

    return list(compare(pair, evolve(rules, translated=translated, kept={}), of.ties(_clause(pair, of))))


def _clause(pair: Pair, of: Game) -> Clause:
    return of.rules.rules.game.clauses[pair.id]


def _fresh(known: list[Finding], now: list[Finding]) -> str:
    """The code of a finding that was not there before and says everything."""
    before = Counter(map(key_of, known))
    fresh = (finding for finding in now if not before[key_of(finding)])
    return next((one.code for one in fresh if one.read and one.had and re.search(r":\d+: \S", one.rule)), "")


# ---------------------------------------------------------------- the command


def of_language(language: str, paths: Iterable[Path], every: int) -> list[Tried]:
    """All changes of some games in one language."""
    return [
        one
        for path in paths
        for one in (clauses(path, every) if language == "en" else translations(path, language, every))
    ]


def main(every: int = 1) -> None:
    """Prints what became of each change, then a table of kinds by language."""
    from multiprocessing import Pool

    languages, paths = ("en", *LANGUAGES), sorted(GAMES.glob("*.rules"))
    with Pool(2) as pool:
        made = pool.map(partial(of_language, paths=paths, every=every), languages, chunksize=1)
    for language, tried in zip(languages, made, strict=True):
        total, seen = Counter[str](), Counter[str]()
        for one in tried:
            print(f"    {language} {one.told}")
            for key in (one.change.kind, "total", *(["total, clauses with lines"] if one.has_lines else [])):
                total[key] += 1
                seen[key] += bool(one.code)
        for key in sorted(total):
            print(f"{language} {key}: {seen[key]} of {total[key]} ({seen[key] / total[key]:.1%})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
