"""Change one word of a rulebook at a time that is no number: does the audit see that it claims something else?

`python -m tests.audit.mutate_claims DIR [EVERY]` goes through all `NAME.it.md` of a folder that have rules in `games/`
and anchors in `games/text/`, at every site, or at each EVERY-th.  A change counts as flagged only if a new finding at
its place names the word read, what the rules have instead, and the line of the rule; a broken quote or another count
of words does not count.  Every third change of a kind is put in before the passage is tied: the anchors are
made for the faulty text.  The pairs of words here are this module's own, and know nothing of the tables of the audit.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from attrs import evolve, frozen

from rulekit.diagnostics import Problems
from rulekit.source import Source, Span
from rulekit.tools.audit.anchor_matching import Passage, indexed, passages
from rulekit.tools.audit.anchors import Anchors
from rulekit.tools.audit.claim_checking import Audit, audit_book
from rulekit.tools.audit.findings import AuditedRules, Finding
from rulekit.tools.audit.reports import anchors_of, book_of, rules_of
from rulekit.tools.language.po_files import Translated, read_po
from tests.audit.mutate_words import VERBS, retied
from tests.paths import GAMES

PAIRS = {
    "comparison": "più basso/più alto, più bassa/più alta, più bassi/più alti, più basse/più alte, "
    "più vicino/più lontano, più vicina/più lontana, più vicini/più lontani, più vicine/più lontane, "
    "più piccolo/più grande, più piccola/più grande, più grande/più piccola, più avanti/più indietro, "
    "più in basso/più in alto, maggiore/minore, maggiori/minori, superiore/inferiore, superiori/inferiori, "
    "maggior/minor, massimo/minimo, massima/minima, più elevato/più basso, più breve/più lunga, "
    "più punti/meno punti, più penalità/meno penalità, più tessere/meno tessere, più mosche/meno mosche, "
    "più pecore/meno pecore, più di/meno di, più carte/meno carte, più vecchio/più giovane, più alto/più basso",
    "direction": "avanti/indietro, verso l'alto/verso il basso, senso orario/senso antiorario, destra/sinistra, "
    "avanza/retrocede, avanzano/retrocedono, avanzare/retrocedere, salire/scendere, sale/scende, "
    "orizzontalmente/verticalmente, orizzontale/verticale, in alto/in basso, sopra/sotto, davanti/dietro, "
    "dentro/fuori",
    "sign": "perde/guadagna, perdono/guadagnano, perdete/guadagnate, perdere/guadagnare, riceve/perde, "
    "ricevono/perdono, ottiene/perde, ottengono/perdono, conquista/perde, conquistano/perdono, vince/perde, "
    "vincono/perdono, sottrae/aggiunge, sottraggono/aggiungono, vincitore/perdente, vincitori/perdenti, "
    "guadagna/perde, guadagnano/perdono, guadagnare/perdere, toglie/aggiunge, negativi/positivi, positivi/negativi, "
    "vittoria/sconfitta, segna/perde, segnano/perdono, aggiungere/togliere, aggiungete/togliete",
    "order": "prima/dopo, dopo/prima, successivo/precedente, successiva/precedente, seguente/precedente, "
    "prossimo/precedente, prossima/precedente, primo/ultimo, prima fila/ultima fila, ultimo/primo, ultima/prima, "
    "primi/ultimi, prime/ultime, inizio/fine, fine/inizio, all'inizio/alla fine, crescente/decrescente, "
    "precedente/successivo, precedentemente/successivamente, inizia/finisce, finisce/inizia, poi/prima",
    "extent": "ogni giocatore/un giocatore, ogni/una sola, tutti i giocatori/un giocatore, tutti/alcuni, tutte/alcune, "
    "tutte le/una delle, ciascuno/qualcuno, ciascuna/qualche, ciascun/qualche, entrambi/uno dei, entrambe/una delle, "
    "ognuno/qualcuno, tutta/parte della, qualsiasi/una certa, qualunque/un certo, un solo/ogni, una sola/ogni",
    "exception": "tranne/compreso, eccetto/compreso, a meno che/purché, salvo/compreso, escluso/incluso, "
    "esclusa/inclusa, solo/anche, soltanto/anche, solamente/anche, finché/anche se, senza/con, a parte/compreso, "
    "altrimenti/inoltre",
    "open": "segretamente/apertamente, coperta/scoperta, coperte/scoperte, coperto/scoperto, scoperta/coperta, "
    "scoperte/coperte, faccia in giù/faccia in su, contemporaneamente/a turno, simultaneamente/a turno, "
    "in segreto/apertamente, nascosta/visibile, nascoste/visibili",
    "who": "avversario/proprietario, avversari/proprietari, altro giocatore/stesso giocatore, "
    "altri giocatori/stessi giocatori, propria/altrui, proprio/altrui, proprie/altrui, propri/altrui, "
    "la sua/la loro, alla sua sinistra/alla sua destra",
    "mood": "può/deve, possono/devono, deve/può, devono/possono, dovete/potete, potete/dovete, "
    "obbligatorio/facoltativo, potrà/dovrà, dovrà/potrà, potranno/dovranno, bisogna/si può, poter/dover",
}
"""By kind the exchanges, each a word or phrase and what it is exchanged for; of several at a place the longest."""
EVERY = 3
"""So many changes of a kind apart are those that stand in the book before the passage is tied."""
_BESIDE = 16
_NAME = "book"
_ENTITIES = ("kind ", "piece ", "place ", "name ", "step ", "flower ", "species ", "mark ", "card ")
_ARTICLES = re.compile(r"^(the|an?|il|lo|la|i|gli|le|un|una|der|die|das|den|dem|ein|eine|einen) ")
_SHORTEST, _COMMONEST, _STEM = 4, 14, 4


@frozen
class Change:
    """Other letters for a stretch of a text."""

    kind: str
    start: int
    end: int
    other: str

    def of(self, text: str) -> str:
        return text[: self.start] + self.other + text[self.end :]


@frozen
class Tried:
    """A change, whether it stood in the book before, and the code of the finding that says everything; "" if none."""

    change: Change
    is_before: bool
    code: str


# ---------------------------------------------------------------- sites


def changes(clean: Audit, names: tuple[str, ...]) -> list[Change]:
    """Every site in a passage that states rules, the words of its quote among them, in the order of the book."""
    made = []
    for passage in clean.passages:
        if passage.anchor.clauses:
            inside = [*_paired(clean, passage.quoted, passage.end), *_negated(clean, passage.quoted, passage.end)]
            made += [*inside, *_renamed(clean, passage.quoted, passage.end, names)]
    return sorted(made, key=lambda change: (change.start, change.kind))


def _paired(clean: Audit, start: int, end: int) -> Iterator[Change]:
    for change in exchanged(clean.book.source.text[start:end], PAIRS):
        yield evolve(change, start=start + change.start, end=start + change.end)


def exchanged(text: str, exchanges: Mapping[str, str]) -> Iterator[Change]:
    """Of exchanges at overlapping places that with most letters; each place is changed once for a kind."""
    found = [
        Change(kind, match.start(), match.end(), in_case_of(match.group(), other))
        for kind, pairs in exchanges.items()
        for old, other in (pair.strip().split("/") for pair in pairs.split(","))
        for match in re.finditer(rf"(?i)(?<!\w){re.escape(old)}(?!\w)", _straight(text))
    ]
    taken: set[int] = set()
    for change in sorted(found, key=lambda change: change.start - change.end):
        place = set(range(change.start, change.end))
        if not place & taken:
            taken |= place
            yield change


def _straight(text: str) -> str:
    return text.replace("’", "'")


def _negated(clean: Audit, start: int, end: int) -> Iterator[Change]:
    """Each `non` is taken out; before each verb without one it is put in."""
    text = clean.book.source.text
    for match in re.finditer(r"(?i)\bnon ", text[start:end]):
        yield Change("negation dropped", start + match.start(), start + match.end(), "")
    for match in re.finditer(rf"\b({VERBS['it'].replace(' ', '|')})\b", text[start:end]):
        at = start + match.start()
        if not re.search(r"(?i)\b(non|nessun\w*|né|mai)(\W+\w+){0,2}\W*$", text[max(start, at - 24) : at]):
            yield Change("negation added", at, at, "non ")


def _renamed(clean: Audit, start: int, end: int, names: tuple[str, ...]) -> Iterator[Change]:
    for change in renamed(clean.book.source.text[start:end], names):
        yield evolve(change, start=start + change.start, end=start + change.end)


def renamed(text: str, names: tuple[str, ...]) -> Iterator[Change]:
    """Each name of a thing of the game for the next one that shares no word with it: `flower` for `flowers` is none."""
    for place, name in enumerate(names):
        stems = {word[:_STEM] for word in name.split()}
        later = (*names[place + 1 :], *names[:place])
        other = next((one for one in later if not stems & {word[:_STEM] for word in one.split()}), None)
        for match in re.finditer(rf"(?i)\b{re.escape(name)}\b", text) if other else ():
            yield Change("name", match.start(), match.end(), in_case_of(match.group(), other or ""))


def in_case_of(model: str, word: str) -> str:
    """A word, with a large letter where another begins with one."""
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def names_in(catalogue: Path, text: str) -> tuple[str, ...]:
    """The names of things in a catalogue that the book uses, the commonest first."""
    entries = read_po(Source("it", catalogue.read_text(encoding="utf-8"))).entries
    return common_names((form for entry in entries if is_thing(entry) for form in entry.forms), text, PAIRS)


def is_thing(entry: Translated) -> bool:
    """Whether an entry of a catalogue names something of the game."""
    return entry.id.startswith(_ENTITIES)


def common_names(forms: Iterable[str], text: str, exchanges: Mapping[str, str]) -> tuple[str, ...]:
    """Of names, without their articles, those that a text has more than once, the commonest first."""
    found: Counter[str] = Counter()
    for form in forms:
        word = _ARTICLES.sub("", form.lower(), count=1)
        if len(word) >= _SHORTEST and "{" not in word and not any(word in pairs for pairs in exchanges.values()):
            found[word] = len(re.findall(rf"\b{re.escape(word)}\b", text.lower()))
    return tuple(word for word, count in found.most_common(_COMMONEST) if count > 1)


# ---------------------------------------------------------------- outcomes


def tried(
    clean: Audit, anchors: Anchors, rules: AuditedRules, names: tuple[str, ...], every: int = 1
) -> Iterator[Tried]:
    """All changes of a book, one at a time, or each so manieth of every kind."""
    turns: Counter[str] = Counter()
    for change in changes(clean, names):
        turn = turns[change.kind]
        turns[change.kind] += 1
        if turn % every == 0:
            is_before = turn // every % EVERY == 0
            yield Tried(change, is_before, flagged(clean, change, anchors, rules, is_before=is_before))


def flagged(clean: Audit, change: Change, anchors: Anchors, rules: AuditedRules, *, is_before: bool) -> str:
    """The code of a new finding at the place of a change that says everything."""
    start, end, near = _window(clean, change, anchors)
    text = clean.book.source.text
    book = indexed(Source(_NAME, text[start : change.start] + change.other + text[change.end : end]))
    whole = change.of(text)
    now = audit_book(book, retied(near, book, rules) if is_before else near, rules, whole)
    known = Counter(map(key_of, clean.findings))
    fresh = (finding for finding in now.findings if not known[key_of(finding)])
    here = evolve(change, start=change.start - start, end=change.end - start)
    return next((finding.code for finding in fresh if _says_all(finding, here, now)), "")


def key_of(finding: Finding) -> tuple[str, ...]:
    """What a finding says, whatever words stand beside it: these are changed as well."""
    return (finding.code, finding.read, finding.had, finding.rule, *finding.clauses)


def _window(clean: Audit, change: Change, anchors: Anchors) -> tuple[int, int, Anchors]:
    """The passage of a change with its neighbours, and their anchors; the whole book if they are found otherwise there.

    An audit reads passage by passage, so the rest of the book is left out to save time.
    """
    place = max(i for i, passage in enumerate(clean.passages) if passage.quoted <= change.start)
    inside = clean.passages[max(0, place - 1) : place + 2]
    start, end = inside[0].quoted, max(passage.end for passage in inside)
    near = evolve(anchors, anchors=tuple(evolve(passage.anchor, after="") for passage in inside))
    found = passages(indexed(Source(_NAME, clean.book.source.text[start:end])), near.anchors, Problems())
    are_same = [_place(one, start) for one in found] == [_place(one, 0) for one in inside]
    return (start, end, near) if are_same else (0, len(clean.book.source.text), anchors)


def _place(passage: Passage, shift: int) -> tuple[object, ...]:
    return (passage.quoted + shift, passage.start + shift, passage.end + shift, passage.anchor.clauses)


def _says_all(finding: Finding, change: Change, now: Audit) -> bool:
    span, text = finding.diagnostic.span, now.book.source.text
    place = now.book.span(max(0, change.start - _BESIDE), min(len(text), change.start + len(change.other) + _BESIDE))
    is_near = (place.line, place.column) <= (span.line, span.column) < (place.end_line, place.end_column)
    if finding.code == "denial-untold":
        # Nothing is there to point at: the finding names the passage and what the clause denies.
        is_near = change.kind == "negation dropped" and _is_passage(span, change, now)
    is_said = finding.read and finding.had and re.search(r":\d+: \S", finding.rule)
    return bool(is_near and is_said and finding.code != "words-changed")


def _is_passage(span: Span, change: Change, now: Audit) -> bool:
    inside = [passage for passage in now.passages if passage.quoted <= change.start <= passage.end]
    return any(now.book.span(passage.quoted, passage.start) == span for passage in inside)


def tried_book(book: Path, every: int) -> tuple[Audit, list[Tried]]:
    """What became of the changes of one book, with the rules, anchors and catalogue that ship."""
    name = book.name.removesuffix(".it.md")
    sources: dict[str, Source] = {}
    rules = rules_of(str(GAMES / f"{name}.rules"), sources)
    anchors = anchors_of(str(GAMES / "text" / f"{name}.it.anchors"), rules, sources, Problems())
    clean = audit_book(book_of(str(book), anchors.language, sources), anchors, rules)
    names = names_in(GAMES / "text" / f"{name}.it.po", clean.book.source.text)
    return clean, list(tried(clean, anchors, rules, names, every))


def main(folder: str, every: int = 1) -> None:
    """Prints a table of kinds, and below each book the changes that nothing was said of."""
    from multiprocessing import Pool

    books = sorted(Path(folder).glob("*.it.md"))
    with Pool(2) as pool:
        outcomes = pool.map(partial(tried_book, every=every), books, chunksize=1)
    total: Counter[tuple[str, str]] = Counter()
    for book, (clean, made) in zip(books, outcomes, strict=True):
        print(f"{book.name}: {sum(bool(entry.code) for entry in made)} of {len(made)} flagged")
        for entry in made:
            told = "seen" if entry.code else "missed"
            for key in (entry.change.kind, "total", *(["total, before it was tied"] if entry.is_before else [])):
                total[key, told] += 1
                total[f"{book.name}: {key}", told] += 1
            print(f"    {told} {entry.code or '-'}: {_shown(clean, entry)}")
    for key in sorted({key for key, _ in total}):
        seen = total[key, "seen"]
        print(f"{key}: {seen} of {seen + total[key, 'missed']} ({seen / (seen + total[key, 'missed']):.1%})")


def _shown(clean: Audit, entry: Tried) -> str:
    text, change = clean.book.source.text, entry.change
    around = text[max(0, change.start - 40) : change.start], text[change.end : change.end + 40]
    told = f"{around[0]}[{text[change.start : change.end]} → {change.other}]{around[1]}"
    return f"{change.kind}{' (before)' if entry.is_before else ''}: {' '.join(told.split())}"


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)
