"""Numbers in running text: what a reader would count, and what is left out."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies

from rulekit.tools.audit.numeral_parsing import Numeral, modality_counts, numerals
from rulekit.tools.audit.numeral_tables import LANGUAGES

READ = (
    ("it", "Muovere di due spazi oppure di 3", [2, 3]),
    ("it", "un giocatore muove una pedina di uno spazio", [1]),
    ("it", "c'è posto per una sola pedina, al turno di un giocatore", [1]),
    ("it", "ne sceglie una o due, da uno a tre", [1, 2, 1, 3]),
    ("it", "secondo il numero, poi il secondo giocatore e la terza carta", [2, 3]),
    ("it", "prima di giocare la prima carta", [1]),
    ("it", "voi sei, tu sei libero, sei tessere", [6, 6]),
    ("it", "il doppio dei punti a entrambi, un paio di carte, una dozzina", [2, 2, 2, 12]),
    ("it", "ventitré, ventotto, novantanove, mille", [23, 28, 99, 1000]),
    ("it", "vale -2 punti e non 1.500", [-2, 1500]),
    ("it", "Loto nero…. - 2 punti, 15-30 minuti\n- 4 punti", [-2, 15, 30, 4]),
    ("it", "Se sei o più tirano, se sei giocatori, se sei libero, chi sei", [6, 6]),
    ("it", "1. Prima regola\n- 2. Seconda regola, spazio 7 (fig. 9, fase 5)\n", [2, 7]),
    ("it", "Campo n.2 <li>3. riga 4</li> https://example.org/5 27/07/14 A-2 V1.0", [2, 4]),
    ("it", "Da 2 a 5 giocatori, gli spazi 1-4", [2, 5, 1, 4]),
    ("de", "Zieht zwei Felder, der dritte um ein Feld, beide doppelt", [2, 3, 1, 2, 2]),
    ("de", "ein Spieler nimmt einundzwanzig Karten, mindestens eine", [21, 1]),
    ("en", "one monkey, another one, two of the twenty-one", [1, 2, 21]),
    ("de", "Pik-Acht und Kreuz-Sieben", [8, 7]),
    ("en", "a three-card hand, two-thirds of it, a one-way street", [3]),
    ("en", "take 7<sup>1</sup> cards[^2], 3<sup>rd</sup>\n[^2]: a note", [7, 3]),
    ("en", "from 1 to 7¹, x₂ and 1\u00a0000 points", [1, 7, 1000]),
    ("en", "only one monkey on space 3, twice, the second time", [1, 3, 2, 2]),
)
BOUND = (
    ("it", "sotto il valore 1", ("at most", 0)),
    ("it", "inferiore a 1", ("at most", 0)),
    ("it", "più di due", ("at least", 3)),
    ("it", "almeno due", ("at least", 2)),
    ("it", "sul valore 1", ("", 1)),
    ("it", "non più di due", ("at most", 2)),
    ("it", "si va di qui e non più di due", ("", 2)),
    ("it", "se sei o più", ("at least", 6)),
    ("it", "due o meno", ("at most", 2)),
    ("en", "no fewer than two", ("at least", 2)),
    ("en", "two or more", ("at least", 2)),
    ("de", "nicht mehr als drei", ("at most", 3)),
    ("de", "drei oder weniger", ("at most", 3)),
    ("de", "höchstens drei", ("at most", 3)),
    ("de", "weniger als drei", ("at most", 2)),
    ("en", "over 13 rounds", ("", 13)),
    ("en", "over 13 points", ("at least", 14)),
    ("en", "63 points or more", ("at least", 63)),
    ("de", "63 Punkte oder mehr", ("at least", 63)),
    ("it", "63 punti o più", ("at least", 63)),
    ("en", "63 points. Or more", ("", 63)),
    ("en", "above 4", ("at least", 5)),
    ("en", "at most 4", ("at most", 4)),
)
UNREAD = {
    "it": ("duecentottantuno", "trecentottantotto"),
    "de": ("anderthalb",),
    "en": ("half a dozenth",),
}
"""Known gaps: if one is read one day, it can leave this list."""


def values(text: str, language: str) -> list[int]:
    return [number.value for number in numerals(text, language)]


@pytest.mark.parametrize(("language", "text", "expected"), READ)
def test_numbers_are_read_in_order(language: str, text: str, expected: list[int]) -> None:
    assert values(text, language) == expected


@pytest.mark.parametrize(("language", "text", "expected"), BOUND)
def test_words_beside_a_number_bound_it(language: str, text: str, expected: tuple[str, int]) -> None:
    (number,) = numerals(text, language)
    assert (number.bound, number.limit) == expected


def test_every_number_knows_where_it_stands() -> None:
    text = "<b>1. Uno</b>\nmuove di due spazi"
    assert [text[n.start : n.end] for n in numerals(text, "it")] == ["1", "due"]
    assert all(isinstance(n, Numeral) and n.text == text[n.start : n.end] for n in numerals(text, "it"))


@pytest.mark.parametrize(("language", "word"), [(code, word) for code, listed in UNREAD.items() for word in listed])
def test_known_gaps(language: str, word: str) -> None:
    assert values(word, language) == []


def test_small_words_and_the_ones_that_were_missing_are_read() -> None:
    small = "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici"
    assert values(small, "it") == list(range(2, 16))
    assert values("sedicesimo centottantuno centottantotto", "it") == [16, 181, 188]


def test_moods_are_counted() -> None:
    assert modality_counts("Non può muovere, ma deve pescare; nessuno può", "it") == {"not": 2, "may": 2, "must": 1}
    assert modality_counts("Niemand darf ziehen, jeder muss", "de") == {"not": 1, "may": 1, "must": 1}
    assert modality_counts("non appena si può, o no", "it") == {"may": 1}
    assert modality_counts("Nobody may move but all must draw", "en") == {"not": 1, "may": 1, "must": 1}


def test_every_table_is_of_its_language() -> None:
    assert all(code == table.code and table.nots and table.mays and table.musts for code, table in LANGUAGES.items())


@given(strategies.text(alphabet="abeirtuzàé٣²Ⅷİ19-'., \n<>/", max_size=40), strategies.sampled_from(sorted(LANGUAGES)))
def test_any_text_can_be_read(text: str, language: str) -> None:
    assert all(text[n.start : n.end] == n.text for n in numerals(text, language))
    modality_counts(text, language)


def test_endless_digits_are_no_number() -> None:
    assert values("9" * 9999, "it") == []
