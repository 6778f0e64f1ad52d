"""Words that are unusual at their place, and that the rules have nothing of, or the contrary."""

from __future__ import annotations

import pytest

from rulekit.tools.claims.claim_values import RuleClaim
from rulekit.tools.claims.clause_claims import ClauseClaims
from rulekit.tools.claims.unusual_words import Unusual, is_contradicted, unusual_words
from rulekit.tools.claims.word_tables import table_of
from rulekit.tools.claims.word_usage import places_in

USUAL = (
    """\
Ogni giocatore gioca una tessera dalla mano. Poi muove la pedina in avanti.
Chi gioca una tessera dalla mano la scopre. Chi muove la pedina in avanti si ferma.
Si gioca una tessera dalla mano; si muove la pedina in avanti di due.
Gioca una tessera dalla mano: muove la pedina in avanti.
"""
    * 6
)
TILE = RuleClaim("=tile", "tile", ("A",))
PAWN = RuleClaim("=pawn", "pawn", ("A",))
FORWARD = RuleClaim("forward", "move pawn up", ("A",))


def known(*claims: RuleClaim) -> ClauseClaims:
    names = {"tessera": frozenset({"=tile"}), "pedina": frozenset({"=pawn"})}
    return ClauseClaims(table_of("it", names), {"A": claims})


def unusual(sentence: str, *claims: RuleClaim, usual: str = USUAL) -> list[Unusual]:
    """What is unusual in a sentence that comes after usual ones."""
    clauses, text = known(*claims), f"{usual}{sentence}\n"
    read = clauses.text_read(text)
    return list(unusual_words(read.inside(len(usual), len(text)), ("A",), clauses, read.usage))


def test_a_name_in_the_place_of_another_that_the_rules_have_is_unusual() -> None:
    (found,) = unusual("Ogni giocatore gioca una pedina dalla mano.", TILE)
    assert (found.word.text, found.usual, found.claim) == ("pedina", "tessera", TILE)


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Ogni giocatore gioca una tessera dalla mano.", (TILE, PAWN)),
        ("Ogni giocatore gioca una pedina dalla mano.", (PAWN,)),
        ("La pedina costa due tessere.", (TILE,)),
    ],
)
def test_what_is_usual_or_not_in_the_rules_is_silent(sentence: str, claims: tuple[RuleClaim, ...]) -> None:
    assert not unusual(sentence, *claims)


def test_a_word_that_says_the_contrary_of_the_usual_one_is_unusual() -> None:
    usual = "Ogni giocatore gioca una tessera dalla mano. " * 24 + "Qui la pedina va in avanti di due caselle. " * 8
    other = "Qui la pedina va indietro di due caselle."
    (found,) = unusual(other, PAWN, FORWARD, usual=usual)
    assert (found.word.text, found.usual, found.claim) == ("indietro", "in avanti", FORWARD)
    assert not unusual(other, PAWN, usual=usual)


def test_usage_can_speak_for_a_word() -> None:
    clauses = known(FORWARD)
    text = f"{USUAL}Chi muove la pedina in avanti si ferma. La torre va indietro, sempre indietro.\n"
    read = clauses.text_read(text)
    forward, *back = read.inside(len(USUAL) + 20, len(text))
    assert forward.word.text == "in avanti"
    assert not is_contradicted(forward, RuleClaim("back", "move pawn down", ("A",)), read.usage)
    assert [place.word.text for place in back] == ["indietro", "indietro"]


def test_the_sentence_bounds_what_is_around_a_word() -> None:
    (place,) = places_in("Fine qui. La pedina! Altro.", table_of("it", {"pedina": frozenset({"=pawn"})}))[1:]
    assert place.around[:4] == (("-1", "la"), ("+1", ""), ("-2", ""), ("+2", ""))
