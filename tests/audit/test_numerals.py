"""Numbers in running text: what a reader would count, and what is left out."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies

from rulekit.tools.audit.numeral_parsing import Numeral, modality_counts, numerals, uncertain_numbers
from rulekit.tools.audit.numeral_tables import LANGUAGES
from rulekit.tools.documents.reader_text import DoubtKind

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
    ("en", "one compass, one may go, one is black", [1]),
    ("en", "See the example. 3 cards. Example: 4 cards, for example 5 cards, see example 6", [3, 4, 5]),
    ("it", "vedi la nota. 3 carte, per esempio 4 carte, esempio 5", [3, 4]),
    ("en", "It takes each. One card is left", [1]),
    ("de", "zieht ein paar Karten, dann ein Paar", [2]),
    ("en", "if x < 5 cards and y > 3 cards, <b>7</b>", [5, 3, 7]),
)
LISTS = (
    ("Gust cards\t13\nCalm cards\t8", [13, 8]),
    ("Gust cards ......... 13\nCalm cards … 8", [13, 8]),
    ("gust cards x13, boats X7 (x26), pads ×4, cards 5x", [13, 7, 26, 4, 5]),
    ("13 - gusts\n8 - calms\n20 – stars", [13, 8, 20]),
    ("13. gusts\n8. calms\n20. stars", [13, 8, 20]),
    ("The deck holds exactly\n12. Then draw 3.", [12, 3]),
    ("2 - 5 skippers", [2, 5]),
    ("Set-up\n1. Deal 6.\n2. Draw 3.\n3) Pass 4", [6, 3, 3, 4]),
    ("1 - Deal\n2 – Draw\n3 - Pass", []),
    ("Sommario\n\nObiettivo.....\t3\nTurno\t4\n\nCarte\t13\nDadi\t8", [8]),
    ("Contents\n\nGust cards\t13\nStars\t20", [13, 20]),
    ("on 27/07/14 or 3/12/2024", []),
    ("a game for 3/4/6 skippers, 10/12/14 cards", [3, 4, 6, 10, 12, 14]),
)
COMPOUNDS = (
    ("en", "one hundred and fifty, two hundred, a hundred and one", [150, 200, 101]),
    ("en", "one thousand two hundred, nine hundred ninety-nine, two million", [1200, 999, 2_000_000]),
    ("en", "twenty five, the twenty first, two dozen, 5 thousand, 5k", [25, 21, 24, 5000, 5000]),
    ("en", "between one hundred and two hundred, between one hundred and fifty", [100, 200, 100, 50]),
    ("en", "twenty five-card hands; two, hundred", [20, 5, 2, 100]),
    ("en", "fourfold, a quadruple, a couple of cards", [4, 4, 2]),
    ("it", "5 mila, due mila, mille duecento, cento cinquanta, due dozzine", [5000, 2000, 1200, 150, 24]),
    ("it", "il terzultimo bivio, la quartultima foglia", [3, 4]),
    ("de", "die drittletzte Gabelung, dem viertletzten Blatt", [3, 4]),
    ("it", "triplica, quadruplo, una decina, un centinaio", [3, 4, 10, 100]),
    ("de", "zwei Dutzend, 5 tausend, hundert und fünf", [24, 5000, 105]),
    ("de", "viermal, fünfmal, hundertmal, vierfach, verdreifacht, viererlei, zu fünft", [4, 5, 100, 4, 3, 4, 5]),
    ("de", "fuenf, zwoelf, fuenfmal, neue", [5, 12, 5]),
    ("de", "manchmal, diesmal, mehrmals, einfach, ein sechsseitiger Würfel", [6]),
    ("en", "1'200 and 1’200 and 1\u202f200", [1200, 1200, 1200]),
    ("en", "1 200 coins, 5 100 200 and 12 3 100", [1200, 5100200, 12, 3, 100]),
)
FRACTIONS = (
    ("en", "half a dozen"),
    ("en", "half of a dozen"),
    ("en", "two and a half"),
    ("en", "12 1/2"),
    ("en", "12 and 1/2"),
    ("en", "a dozen and a half"),
    ("en", "1,200.50"),
    ("it", "un terzo."),
    ("it", "mezz'ora"),
    ("de", "zweieinviertel"),
    ("de", "anderthalbfach"),
    ("de", "1.200,5"),
    ("en", "one-third"),
    ("en", "two-thirds"),
    ("en", "two thirds"),
    ("en", "a third of the cards"),
    ("en", "three quarters"),
    ("en", "1/2"),
    ("en", "3.5"),
    ("it", "mezza dozzina"),
    ("it", "due e mezzo"),
    ("it", "due terzi"),
    ("it", "un terzo dei punti"),
    ("it", "la metà"),
    ("it", "0,125"),
    ("de", "ein halbes Dutzend"),
    ("de", "anderthalb"),
    ("de", "zweieinhalb"),
    ("de", "drei Viertel"),
    ("de", "die Hälfte"),
    ("de", "12,5"),
)
RANGES = (
    ("en", "from **2** to **5**"),
    ("en", "`2` - `5`"),
    ("en", "2³ to 5³"),
    ("en", "2\u200f to 5"),
    ("en", "2…5"),
    ("de", "2.–5. Runde"),
    ("de", "2. bis 5. Runde"),
    ("de", "zwischen 2 und 5"),
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
    ("en", "5,000 coins at most.", ("at most", 5000)),
    ("en", "at least: 4", ("at least", 4)),
    ("en", "a maximum of 4, max. 4", ("at most", 4)),
    ("en", "≥ 4, 4+, > 3, 4 or more, 4 gold coins at least, 4 cards per player at least", ("at least", 4)),
    ("it", "4 al massimo, massimo 4, 4 carte come massimo", ("at most", 4)),
    ("it", "4 o più, 4 carte almeno, minimo 4", ("at least", 4)),
    ("de", "4 Karten höchstens, max. 4, 4 maximal", ("at most", 4)),
    ("de", "wenigstens 4, 4 Karten mindestens", ("at least", 4)),
)
APART = (
    ("en", "Hold 6 cards at most. 3 boats fit", [("at most", 6), ("", 3)]),
    ("en", "6 cards at most, 3 of them", [("at most", 6), ("", 3)]),
    ("en", "Hold 6 at least; 3 boats", [("at least", 6), ("", 3)]),
    ("en", "6 at most: 3 boats", [("at most", 6), ("", 3)]),
    ("en", "Hold 6 at most\n3 boats fit", [("at most", 6), ("", 3)]),
    ("en", "takes 2 cards and at most 3 coins", [("", 2), ("at most", 3)]),
    ("en", "draws 2, at most 3", [("", 2), ("at most", 3)]),
    ("it", "6 carte al massimo. 3 barche", [("at most", 6), ("", 3)]),
    ("de", "6 Karten höchstens, 3 Boote", [("at most", 6), ("", 3)]),
    ("en", "Take 3. Or more", [("", 3)]),
    ("en", "That is the least. 3 boats, no more than that – 4 pads", [("", 3), ("", 4)]),
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
    assert {(number.bound, number.limit) for number in numerals(text, language)} == {expected}


@pytest.mark.parametrize(("language", "text", "expected"), APART)
def test_a_bound_belongs_to_one_number_of_its_own_clause(
    language: str, text: str, expected: list[tuple[str, int]]
) -> None:
    assert [(number.bound, number.limit) for number in numerals(text, language)] == expected


@pytest.mark.parametrize(("text", "expected"), LISTS)
def test_every_number_of_a_list_is_read_but_those_of_its_items(text: str, expected: list[int]) -> None:
    assert values(text, "en") == expected


@pytest.mark.parametrize(("language", "text", "expected"), COMPOUNDS)
def test_a_number_of_several_words_is_one(language: str, text: str, expected: list[int]) -> None:
    assert values(text, language) == expected


@pytest.mark.parametrize(("language", "text"), FRACTIONS)
def test_a_fraction_is_uncertain_and_never_read_as_a_whole(language: str, text: str) -> None:
    assert values(f"takes {text}", language) == []
    assert len(list(uncertain_numbers(f"takes {text}", language))) == 1


@pytest.mark.parametrize(
    "text",
    ["2/3 skippers", "2 / 3 skippers", "1 200 coins", "spaces 3,4"],
    ids=["alternatives", "apart", "thousands", "comma"],
)
def test_digits_that_may_be_one_number_or_several_are_uncertain(text: str) -> None:
    assert [doubt.kind for doubt in uncertain_numbers(text, "en")] == [DoubtKind.DIGITS]


@pytest.mark.parametrize("text", ["deals VI cards", "on spaces II and I"])
def test_a_roman_numeral_of_several_letters_is_uncertain(text: str) -> None:
    assert [doubt.kind for doubt in uncertain_numbers(text, "en")] == [DoubtKind.ROMAN]


@pytest.mark.parametrize("text", ["II. Deal", "rule IV", "THE END OF ROUND II", "a MIX, an X, the XML"])
def test_roman_numerals_that_only_number_the_text_are_not_uncertain(text: str) -> None:
    assert list(uncertain_numbers(text, "en")) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "the third player, two halves"), ("it", "il terzo giocatore, in mezzo, a metà turno"), ("en", "1,2,3")],
)
def test_what_is_no_fraction_is_not_uncertain(language: str, text: str) -> None:
    assert list(uncertain_numbers(text, language)) == []


@pytest.mark.parametrize(("language", "text"), RANGES)
def test_mark_up_inside_a_range_does_not_break_it(language: str, text: str) -> None:
    assert [(one.value, one.edge) for one in numerals(text, language)] == [(2, "at least"), (5, "at most")]


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


@pytest.mark.parametrize("apostrophe", "'’ʼ")
def test_a_contraction_with_not_is_a_negation(apostrophe: str) -> None:
    verbs = ("do", "does", "did", "is", "are", "was", "were", "have", "has", "wo", "would", "sha", "should", "need")
    for verb in verbs:
        assert modality_counts(f"It {verb}n{apostrophe}t win.", "en") == {"not": 1}
        assert modality_counts(f"It {verb}n{apostrophe}t win.".upper(), "en") == {"not": 1}


@pytest.mark.parametrize("apostrophe", "'’ʼ")
def test_a_contraction_permits_or_obliges_as_its_verb_does(apostrophe: str) -> None:
    for verb in ("ca", "could", "might"):
        assert modality_counts(f"You {verb}n{apostrophe}t win.", "en") == {"not": 1, "may": 1}
    assert modality_counts(f"You mustn{apostrophe}t win.", "en") == {"not": 1, "must": 1}
    assert modality_counts("The ant's", "en") == {}


def test_a_contraction_turns_a_bound_as_not_does() -> None:
    text = "You {} have more than seven cards"
    spelt, contracted = (numerals(text.format(word), "en") for word in ("cannot", "can’t"))
    assert [(one.edge, one.bound) for one in contracted] == [(one.edge, one.bound) for one in spelt]


MODALITY_FORMS = (
    ("de", "may", "darf darfst dürfen dürft kann kannst können könnt könntest könntet"),
    ("de", "must", "muss musst müssen müsst müsstest müsstet muß mußt müßt sollst sollt"),
    ("de", "not", "keineswegs keinerlei keinesfalls keins nirgends nirgendwo"),
    ("it", "may", "puoi può possiamo potete possono potrete potrebbero"),
    ("it", "must", "devi deve dobbiamo dovete devono debbono dovrai dovremo dovrebbero debbano"),
    ("it", "not", "non neanche nemmeno neppure"),
    ("en", "not", "not never nowhere"),
)


@pytest.mark.parametrize(("language", "kind", "forms"), MODALITY_FORMS)
def test_every_person_of_a_verb_permits_or_obliges(language: str, kind: str, forms: str) -> None:
    assert {form: dict(modality_counts(form, language)) for form in forms.split()} == {
        form: {kind: 1} for form in forms.split()
    }


def test_every_table_is_of_its_language() -> None:
    assert all(code == table.code and table.nots and table.mays and table.musts for code, table in LANGUAGES.items())


@given(strategies.text(alphabet="abeirtuzàé٣²Ⅷİ19-'., \n<>/", max_size=40), strategies.sampled_from(sorted(LANGUAGES)))
def test_any_text_can_be_read(text: str, language: str) -> None:
    assert all(text[n.start : n.end] == n.text for n in numerals(text, language))
    modality_counts(text, language)


def test_endless_digits_are_no_number() -> None:
    assert values("9" * 9999, "it") == []
