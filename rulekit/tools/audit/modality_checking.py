"""Modality checking: every not, may and must of a book held against the clauses to which its passages are tied.

Turns a passage and its anchor into findings.  Permissions and duties are
counted; every negation is held against the clause that the anchor names for
it, and every negation of a clause, implicit negations too, must be said by the
passage, or be named as said in other words.  Where the text of a clause denies
nothing, what its lines deny, refuse or leave out counts instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Any

from rulekit.diagnostics import Label
from rulekit.source import Span
from rulekit.tools.audit.anchor_matching import IndexedBook, Passage
from rulekit.tools.audit.anchors import Denial, join_contractions
from rulekit.tools.audit.findings import AuditedRules, Finding, finding_of, joined, listed, rule_span
from rulekit.tools.audit.numeral_parsing import ModalWord, denying_words, modal_words
from rulekit.tools.language.lazy_message import Message, Text
from rulekit.values import evolve, frozen

_CLAUSES = "en"
"""The language of clauses."""
_KEY, _QUOTED = 2, 5
"""By so many words, the negation first, a negation of a book is known; so many are quoted, to find where one was."""
_BEYOND = 40
"""So many letters behind a passage may belong to its last negation."""
_GAP = 2
"""What it costs to leave a negation without a partner."""
DOUBLED = "="
MARKS = ("-", "?", DOUBLED)
"""What stands for a clause: the negation states no rule, the rules say it without one, or it goes with another."""

MODALITIES = {"not": "audit-negation", "may": "audit-permission", "must": "audit-duty"}
_CONCORD = 4
"""Two negations with at most so many words between them may be one."""


@frozen
class BookDenial:
    """A negation of the book with the words behind it."""

    words: tuple[str, ...]
    start: int
    end: int


def modality_findings(book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules) -> Iterator[Finding]:
    """What the passage says of duty and permission, and what it denies, against its anchor and the rules."""
    if passage.anchor.clauses:
        yield from _counts(book, passage, language, ruled)
        yield from _obligation(book, passage, language, ruled)
        yield from _denials(book, passage, language, ruled)


# ---------------------------------------------------------------- may and must


def _counts(book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules) -> Iterator[Finding]:
    """How often the passage says each, against the count of its anchor: what is not listed there counts 0 times."""
    anchor = passage.anchor
    found = _counted(book, passage, language)
    for name, count in {**dict.fromkeys(("not", "may", "must"), 0), **dict(anchor.moods)}.items():
        # Negations are held against the rules one by one, where the anchor names them or there are to be none.
        is_named = name == "not" and (anchor.denies is not None or not count)
        if found[name] != count and not is_named:
            counts: dict[str, Any] = {"word": name, "found": found[name], "tied": count}
            said = Message("audit-words-changed", quote=anchor.quote, clauses=listed(anchor.clauses), **counts)
            at = (passage.quoted, passage.start)
            made = _told("words-changed", said, book, passage, at, f"{name} {count}", ruled)
            yield evolve(made, read=f"{name} {found[name]}")


def _counted(book: IndexedBook, passage: Passage, language: str) -> Counter[str]:
    return Counter(word.kind for word in modal_words(book.source.text[passage.start : passage.end], language))


def _obligation(book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules) -> Iterator[Finding]:
    found = _counted(book, passage, language)
    open_ = [id_ for id_ in passage.anchor.clauses if id_ in ruled.may]
    if open_ and found["must"] and not found["may"]:
        said = Message("audit-must-for-may", clauses=listed(tuple(open_)))
        made = _told("must-for-may", said, book, passage, (passage.quoted, passage.start), "must 0", ruled)
        yield evolve(made, read=f"must {found['must']}")


def _told(
    code: str, said: Message, book: IndexedBook, passage: Passage, at: tuple[int, int], had: str, ruled: AuditedRules
) -> Finding:
    clauses = passage.anchor.clauses
    rule, words = Label(_rule(clauses, ruled), f"the rule: {had}"), (*clauses, *book.around(*at))
    return finding_of(code, said, book.span(*at), clauses, words, book.source.text[slice(*at)], had, rule, ruled)


def _rule(clauses: tuple[str, ...], ruled: AuditedRules) -> Span:
    """The line of what clauses deny, else their first number's."""
    denied = (denial.span for id_ in clauses for denial in clause_denials(id_, ruled))
    return next(denied, None) or rule_span(clauses, ruled)


# ---------------------------------------------------------------- negations


def book_denials(book: IndexedBook, passage: Passage, language: str) -> list[BookDenial]:
    """The negations of a passage and of its quote, each with the word behind it."""
    text = book.source.text[passage.quoted : passage.end]
    found = []
    for word in modal_words(text, language):
        if word.kind == "not":
            start, end = passage.quoted + word.start, passage.quoted + word.end
            found.append(BookDenial(join_contractions(book.words_from(start, _QUOTED + 1))[:_QUOTED], start, end))
    return found


@frozen
class ClauseDenial:
    """A word by which a clause denies, and where it stands."""

    word: str
    span: Span


def clause_denials(id_: str, ruled: AuditedRules) -> list[ClauseDenial]:
    """By which words a clause denies; where its text does not, those of its lines under the default readings."""
    clause = ruled.rules.game.clauses.get(id_)
    text = denying_words(clause.text, _CLAUSES) if clause is not None else ()
    if clause is not None and text:
        return [ClauseDenial(word.text, clause.span) for word in text]
    stated = (denial for denial in ruled.denials if not (denial.unless or denial.is_example))
    return [ClauseDenial(denial.word, denial.span) for denial in stated if id_ in denial.clauses]


def _denials(book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules) -> Iterator[Finding]:
    words, anchor = book_denials(book, passage, language), passage.anchor
    if anchor.denies is None and dict(anchor.moods).get("not"):
        return
    named = [entry for entry in anchor.denies or () if entry.words]
    pairs = list(matched_denials(named, words))
    told = Counter(entry.clause for entry in anchor.denies or () if not entry.words)
    for place, (entry, word) in enumerate(pairs):
        if entry is not None:
            told[entry.clause] += 1
        if entry is not None and word is None:
            yield _missing(book, passage, entry, _between(pairs, place, passage), ruled)
        elif word is not None and (entry is None or not _is_denied(entry, told, ruled)):
            yield _unexpected(book, passage, word, ruled)
    yield from _untold(book, passage, ruled)


def _between(pairs: Sequence[tuple[Denial | None, BookDenial | None]], place: int, passage: Passage) -> tuple[int, int]:
    """The stretch between the negations of the book before and behind one that is gone."""
    before = [word.end for _, word in pairs[:place] if word is not None]
    behind = [word.start for _, word in pairs[place:] if word is not None]
    # The words behind the last negation may stand in the next passage.
    return (before or [passage.quoted])[-1], (behind or [passage.end + _BEYOND])[0]


def _is_denied(entry: Denial, told: Counter[str], ruled: AuditedRules) -> bool:
    """Whether its clause denies as often as it is named, or none has to."""
    return entry.clause in MARKS or told[entry.clause] <= len(clause_denials(entry.clause, ruled))


def matched_denials(
    named: Sequence[Denial], words: Sequence[BookDenial]
) -> Iterator[tuple[Denial | None, BookDenial | None]]:
    """The negations of an anchor and of the book by their words, in order; None on one side for what only one has."""
    # Edit distance from the end, so that the pairs come out in order.
    costs = [[_GAP * (len(named) - i + len(words) - j) for j in range(len(words) + 1)] for i in range(len(named) + 1)]
    for i, j in product(reversed(range(len(named))), reversed(range(len(words)))):
        pair = costs[i + 1][j + 1] + _unlike(named[i], words[j])
        costs[i][j] = min(costs[i + 1][j] + _GAP, costs[i][j + 1] + _GAP, pair)
    i = j = 0
    while i < len(named) and j < len(words):
        is_pair = costs[i][j] == costs[i + 1][j + 1] + _unlike(named[i], words[j])
        takes_entry = is_pair or costs[i][j] == costs[i + 1][j] + _GAP
        takes_word = is_pair or not takes_entry
        yield named[i] if takes_entry else None, words[j] if takes_word else None
        i, j = i + takes_entry, j + takes_word
    yield from ((entry, None) for entry in named[i:])
    yield from ((None, word) for word in words[j:])


def _unlike(entry: Denial, word: BookDenial) -> int:
    """0 for the same words, 1 for the same first ones; others are dearer than one negation lost and another found."""
    if entry.words == word.words[: len(entry.words)]:
        return 0
    return 1 if entry.words[:_KEY] == word.words[:_KEY] else 2 * _GAP + 1


def _unexpected(book: IndexedBook, passage: Passage, word: BookDenial, ruled: AuditedRules) -> Finding:
    clauses = passage.anchor.clauses
    had = _had(clauses, ruled)
    read = " ".join(word.words[:_KEY])
    said = Message("audit-denial-unexpected", read=read, clauses=listed(clauses), had=had)
    made = _told("denial-unexpected", said, book, passage, (word.start, word.end), str(had), ruled)
    return evolve(made, read=read)


def _had(clauses: tuple[str, ...], ruled: AuditedRules) -> Text:
    """What some clauses deny, in their words."""
    found = [(denial.word, id_) for id_ in clauses for denial in clause_denials(id_, ruled)]
    return joined((Message("audit-denies", word=word, clause=id_) for word, id_ in found), "audit-no-negation")


def _missing(
    book: IndexedBook, passage: Passage, entry: Denial, within: tuple[int, int], ruled: AuditedRules
) -> Finding:
    at, read = _without(book, passage, entry, within)
    lost = " ".join(entry.words)
    ids = (entry.clause,) if entry.clause in ruled.rules.game.clauses else passage.anchor.clauses
    had = _had(ids, ruled)
    words: dict[str, Any] = {"read": read, "word": entry.words[0], "lost": lost}
    said = Message("audit-denial-missing", clauses=listed(ids), had=had, **words)
    own = evolve(passage, anchor=evolve(passage.anchor, clauses=ids))
    made = _told("denial-missing", said, book, own, at, str(had), ruled)
    return evolve(made, read=read)


def _without(
    book: IndexedBook, passage: Passage, entry: Denial, within: tuple[int, int]
) -> tuple[tuple[int, int], str]:
    """Where the words behind a lost negation stand now, or as many as are left; else the passage's quote."""
    for size in range(len(entry.words) - 1, 0, -1):
        for start, end, found in book.stretches(*within, size):
            if found == entry.words[1 : 1 + size]:
                return (start, end), " ".join(found)
    return (passage.quoted, passage.start), passage.anchor.quote


def _untold(book: IndexedBook, passage: Passage, ruled: AuditedRules) -> Iterator[Finding]:
    """The clauses that deny more often than the anchor names them."""
    named = Counter(entry.clause for entry in passage.anchor.denies or ())
    for id_ in passage.anchor.clauses:
        words = clause_denials(id_, ruled)
        if len(words) > named[id_]:
            had = _had((id_,), ruled)
            counts: dict[str, Any] = {"named": named[id_], "denied": len(words)}
            said = Message("audit-denial-untold", quote=passage.anchor.quote, clause=id_, had=had, **counts)
            at = (passage.quoted, passage.start)
            own = evolve(passage, anchor=evolve(passage.anchor, clauses=(id_,)))
            yield _told("denial-untold", said, book, own, at, str(had), ruled)


# ---------------------------------------------------------------- whole texts


def moods(text: str, language: str) -> Counter[str]:
    """Whether a text permits and obliges, and how often it denies."""
    words = modal_words(text, language)
    found = Counter(dict.fromkeys({word.kind for word in words}, 1))
    denials = [word for word in words if word.kind == "not"]
    found["not"] = len(denials) - sum(_is_one(a, b, text) for a, b in pairwise(denials))
    return found


def _is_one(first: ModalWord, second: ModalWord, text: str) -> bool:
    """Whether two negations deny one thing, as `non … nessuno` does (negative concord)."""
    between = text[first.end : second.start]
    is_near = len(between.split()) <= _CONCORD and not set(between) & set(",;:.")
    return is_near and first.text.lower() != second.text.lower()
