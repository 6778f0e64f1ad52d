"""Whether what a book holds is whole: counts, set-up, options, ties and examples."""

from __future__ import annotations

import re

from rulekit.diagnostics import Problems
from rulekit.model import ops
from rulekit.tools.audit.numeral_parsing import numerals
from rulekit.tools.audit.numeral_tables import LANGUAGES
from rulekit.tools.examples.runner import run
from rulekit.tools.proofreading.proof import Proof
from rulekit.tools.rulebook.box import Component
from rulekit.tools.rulebook.edition import PARTS

_TIED = re.compile(r"\b(ties?|tied|draw|equal(ly)?|shared?|shares|several|together)\b", re.IGNORECASE)
"""Words by which a clause speaks of a tie."""


def counts(proof: Proof, problems: Problems) -> None:
    """What the text says is in the box is counted in the rules."""
    if proof.tongue.language not in LANGUAGES:
        return
    for rule in proof.rules("box"):
        for number in numerals(rule.text, proof.tongue.language):
            behind = rule.text[number.end :]
            for one in proof.book.components:
                if _names(behind, proof.kind_words(one.kind)) and number.value not in _right(proof, one):
                    title = f"{rule.id} says {number.text}, and the rules have {one.words}"
                    problems.add("book-count", title, proof.span(rule.id))


def _names(behind: str, words: tuple[str, ...]) -> bool:
    """Whether a number is one of these things: they stand right behind it."""
    found = re.match(r"\s+(\w+)", behind)
    return found is not None and found[1].lower() in {word.lower() for word in words}


def _right(proof: Proof, one: Component) -> set[int]:
    """How many there are in all, of each player, and of different ones."""
    kind = proof.game.kinds.get(one.kind)
    each = one.count // proof.game.most
    return {one.count, each, len(kind.members) if kind is not None else one.count}


def set_up(proof: Proof, problems: Problems) -> None:
    """Everything in the box is named where the game is set up."""
    texts = [rule.text for rule in proof.rules("setup")]
    for one in proof.book.components:
        words = "|".join(_pattern(word) for word in proof.kind_words(one.kind))
        if texts and not any(re.search(rf"(?<!\w)(?:{words})(?!\w)", text, re.IGNORECASE) for text in texts):
            hint = "name it in a clause of `setup:`, or say in the glossary what it is called there"
            title = f"the set-up does not name what is in the box: {one.words}"
            problems.add("not-set-up", title, proof.kind_place(one.kind), hint=hint)


def _pattern(word: str) -> str:
    return re.escape(word.removesuffix("*")) + (r"\w*" if word.endswith("*") else "")


def options(proof: Proof, problems: Problems) -> None:
    """Whatever can be agreed has a rule that says what it does."""
    spans = {option.name: option.span for option in proof.game.options}
    read = set() if proof.edition is None else set(proof.edition.ids(*PARTS))
    elsewhere = {option.name for option in proof.game.options if not read.isdisjoint(option.cites)}
    for choice in proof.book.agreed:
        if all(rule.remark for rule in choice.rules) and choice.option not in elsewhere:
            hint = f"write a clause above it, or name one in the order: `agreed:`, below it `{choice.option}: AB-1`"
            title = f"no paragraph tells what is agreed by `{choice.option}`"
            problems.add("option-untold", title, spans[choice.option], hint=hint)


def ties(proof: Proof, problems: Problems) -> None:
    """Where players are ranked, the end says what becomes of a tie."""
    ranked = [op for code in proof.game.codes for op in code.ops if isinstance(op, ops.Rank)]
    texts = [proof.game.clauses[rule.id].text for rule in proof.rules("end")]
    if ranked and texts and not any(_TIED.search(text) for text in texts):
        hint = "say who wins then, or that the place is shared"
        problems.add("ties-untold", "the end does not say what becomes of a tie", ranked[0].span, hint=hint)


def examples(proof: Proof, problems: Problems) -> None:
    """Each example is played, and comes out as it says."""
    for rule in proof.book.beside_examples:
        if not rule.remark:
            title = f"{rule.id} tells an example that nobody plays"
            hint = "write a scenario below it"
            problems.add("example-unplayed", title, proof.span(rule.id), hint=hint)
    for scenario in proof.printed():
        if run(proof.game, scenario).failure is not None:
            title = f"the example “{scenario.name}” does not come out as it says"
            problems.add("example-fails", title, scenario.span, hint="`rulekit test` tells which line does not hold")
