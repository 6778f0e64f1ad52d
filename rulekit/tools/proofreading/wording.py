"""Whether a book has one word for one thing, sentences that can be read in one go, and a crib of one page."""

from __future__ import annotations

import re

from rulekit.diagnostics import Problems
from rulekit.source import PLACEHOLDER
from rulekit.tools.language.display_names import UNSAID
from rulekit.tools.proofreading.proof import Proof
from rulekit.tools.rulebook.agreement import disagreements
from rulekit.tools.rulebook.glossary import strayed

LONGEST_SENTENCE = 30
"""Words; longer ones are read twice."""
LONGEST_CRIB = 330
"""Words that go on a page in A5."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def one_word(proof: Proof, problems: Problems) -> None:
    """No clause uses a word that the glossary has another for, and no word stands for two things."""
    meaning: dict[str, str] = {}
    for term in proof.english:
        for word in term.words:
            other = meaning.setdefault(word.lower(), term.name)
            if other != term.name and term.words[0] == word:
                problems.add("two-things", f"`{word}` stands for `{other}` and for `{term.name}`", term.span)
    for clause in proof.game.clauses.values():
        for term in proof.english:
            if word := term.avoided_in(clause.text):
                title = f"{clause.id} says `{word}` for what is called `{term.words[0]}`"
                problems.add("two-words", title, clause.span)


def kept_terms(proof: Proof, problems: Problems) -> None:
    """A translation keeps to the words of its glossary."""
    if proof.tongue.language == "en":
        return
    texts = [(c.id, c.text, proof.tongue.text(c.id, c.text)) for c in proof.game.clauses.values()]
    strayed(proof.terms, proof.english, texts, problems)


def kept_forms(proof: Proof, problems: Problems) -> None:
    """Sentences of play keep to the words of the glossary, as the translation does."""
    own = {id_: said for id_, said in proof.tongue.forms.items() if UNSAID not in (said, proof.forms.get(id_))}
    texts = [(id_, _words(proof.forms.get(id_, "")), _words(said)) for id_, said in own.items()]
    strayed(proof.terms, proof.english, texts, problems)


def _words(form: str) -> str:
    """A form without the names of its places."""
    return PLACEHOLDER.sub("", form)


def articles(proof: Proof, problems: Problems) -> None:
    """Articles agree with the terms behind them, in clauses and in sentences of play."""
    said = {clause.id: proof.tongue.text(clause.id, clause.text) for clause in proof.game.clauses.values()}
    for id_, text in (*said.items(), *proof.tongue.forms.items()):
        for term in proof.terms:
            for found in disagreements(term, text, proof.tongue.language):
                title = f"{id_}: `{found}`, and `{term.words[0]}` is {term.gender}"
                problems.add("article", title, term.span)


def short_sentences(proof: Proof, problems: Problems) -> None:
    for rule in proof.rules():
        for sentence in _SENTENCE.split(rule.text):
            count = len(re.findall(r"\w+(?:['’-]\w+)*", sentence))
            if count > LONGEST_SENTENCE:
                title = f"a sentence of {rule.id} has {count} words, {LONGEST_SENTENCE} are enough"
                problems.add("long-sentence", title, proof.span(rule.id), hint="make two of it")


def one_page(proof: Proof, problems: Problems) -> None:
    cards = [rule for card in proof.book.numbered_cards() for rule in card.rules if not rule.remark]
    words = sum(len(rule.text.split()) for rule in (*proof.book.crib, *cards))
    if words > LONGEST_CRIB:
        title = f"the crib has {words} words, {LONGEST_CRIB} go on a page"
        problems.add("long-crib", title, proof.place(), hint="leave out what is never looked up")
