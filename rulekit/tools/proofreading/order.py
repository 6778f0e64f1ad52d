"""Whether a book has all its parts and clauses, and tells what a thing is before it speaks of it."""

from __future__ import annotations

from rulekit.diagnostics import Problems
from rulekit.tools.proofreading.proof import Proof
from rulekit.tools.rulebook.clause_places import card_clauses, letters, option_clauses, usual_letters

NEEDED = ("about", "aim", "setup", "round", "turn", "end", "crib")
_DETAILED = ("turn", "end", "players")


def every_part(proof: Proof, problems: Problems) -> None:
    if proof.edition is None:
        hint = "write the order beside the translations, as `text/NAME.edition`"
        problems.add("no-edition", "nothing says in which order the clauses are read", proof.place(), hint=hint)
        return
    for part in NEEDED:
        if not proof.edition.ids(part):
            title = f"the book has no part `{part}`"
            problems.add("part-missing", title, proof.place(), hint=f"name its clauses: `{part}: AB-1 AB-2`")
    titles = {heading.text for heading in proof.headings()}
    options = {option.name for option in proof.game.options}
    for part, stretches in proof.edition.parts.items():
        for stretch in stretches:
            known = options if part == "agreed" else titles
            if stretch.title and stretch.title not in known:
                what = "option" if part == "agreed" else "heading"
                problems.add("edition-title", f"the rules have no {what} `{stretch.title}`", stretch.span)
            if not stretch.places:
                problems.add("leads-nowhere", "the contents lead to a part in which nothing stands", stretch.span)


def every_clause(proof: Proof, problems: Problems) -> None:
    """A clause that the order does not name is reached from nowhere in the contents."""
    if proof.edition is None:
        return
    named = set(proof.edition.ids(*proof.edition.parts))
    beside = {id_ for ids in card_clauses(proof.game).values() for id_ in ids}
    beside |= set(option_clauses(proof.game)) | proof.shown()
    usual = usual_letters(proof.game)
    for clause in proof.game.clauses.values():
        if clause.id not in named | beside and letters(clause.id) == usual:
            hint = f"name it where it is read, in {proof.place().source}"
            problems.add("left-out", f"no part of the book has {clause.id}", clause.span, hint=hint)


def told_before_used(proof: Proof, problems: Problems) -> None:
    """In the rules in detail no term stands before the clause that tells what it is."""
    rules = proof.rules(*_DETAILED)
    at = {rule.id: n for n, rule in enumerate(rules)}
    for term in proof.english:
        if term.told and term.told not in proof.game.clauses:
            problems.add("glossary-clause", f"there is no clause {term.told}", term.span)
        for n, rule in enumerate(rules):
            if n < at.get(term.told, 0) and term.is_in(proof.game.clauses[rule.id].text):
                title = f"{rule.id} speaks of `{term.name}` before {term.told} tells what it is"
                hint = f"let {term.told} be read earlier"
                problems.add("told-late", title, proof.span(rule.id), hint=hint)
