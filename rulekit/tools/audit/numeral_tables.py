"""Language tables of the numeral parser: what it must know besides number words, and nothing else.

Another language is another `Language` in `LANGUAGES`.  Number words and
ordinals themselves come from text2num; here stand its known gaps and
everything that only the neighbours of a word can settle.
"""

from __future__ import annotations

from rulekit.values import field, frozen


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _meaning(value: int, text: str) -> dict[str, int]:
    return dict.fromkeys(text.split(), value)


@frozen
class Language:
    """The tables of one language; all words in lower case.

    gaps:        number words that text2num does not know.
    multipliers: words that stand for a number without being one (double, both, a pair).
    ones:        words that are 1 or an article; 1 only after one of `one_after`, before one of `one_before`,
                 between `one_links` and one of `units`, or before `one_joins` and another number.
    one_between: words that may stand between it and one of `one_after` (`solo da una`).
    onlys:       words beside a number that make it a bound where the rules have one (`only two`).
    not_ones:    words before which or after which it never is; with them, it is 1 everywhere else.
    persons:     words behind it that make a person or thing of it (`one may`).
    verb_ending: how a verb behind it ends, which makes a person of it (`one takes`); no singular noun does.
    shown_by:    articles between which and it stands what it is like (`the black one`); it is none then.
    hollow:      number words that are none after certain words (`sei`: six, or you are), but before one of `counted`.
    counted:     what is counted, in the plural; `more` and `fewer` make a number of such a word as well.
    nones:       words that only look like numbers.
    firsts:      words for `first` that are also adverbs: ordinals only after one of `articles`.
    not_before:  ordinal words that are something else before certain words (`secondo`: second, or according to).
    labels:      words whose number only points to another place of the text.
    below, above: phrases in front of a number that exclude it.
    least, most: phrases in front of a number that include it and all beyond.
    more, fewer: phrases behind a number that include it and all beyond (`two or more`).
    unbound:     phrases in front of a number that look like a bound and are none.
    throughout:  phrases of `above` that mean *during* before something of `durations` (`over 13 rounds`).
    has_compounds: whether compounds with a number keep their hyphen (`three-card`).
    fractions:   parts that make a hyphenated word a fraction (`two-thirds`).
    ranges:      words before and between two numbers that make a range of them (no words before: any).
    either:      words between two numbers side by side that make a range of them (`one or two`).
    losses:      words in whose sentence a number without a sign may count downwards.
    scores:      what a sign counts that stands apart from its number (`- 2 points`).
    nots, mays, musts: words of negation, permission and duty; `has_to` stands for two words.
    implicit:    words that deny without being negations (`until`, `unless`, `only`, `else`).
    idle:        pairs of words in which the second denies nothing.
    """

    code: str
    gaps: dict[str, int] = field(factory=dict)
    multipliers: dict[str, int] = field(factory=dict)
    ones: frozenset[str] = frozenset()
    one_after: frozenset[str] = frozenset()
    one_before: frozenset[str] = frozenset()
    one_links: frozenset[str] = frozenset()
    one_joins: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()
    one_between: frozenset[str] = frozenset()
    onlys: frozenset[str] = frozenset()
    not_ones: frozenset[str] = frozenset()
    persons: frozenset[str] = frozenset()
    verb_ending: str = ""
    shown_by: frozenset[str] = frozenset()
    hollow: dict[str, frozenset[str]] = field(factory=dict)
    counted: frozenset[str] = frozenset()
    nones: frozenset[str] = frozenset()
    firsts: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()
    not_before: dict[str, frozenset[str]] = field(factory=dict)
    labels: frozenset[str] = frozenset()
    below: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    least: tuple[str, ...] = ()
    most: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    fewer: tuple[str, ...] = ()
    unbound: tuple[str, ...] = ()
    throughout: frozenset[str] = frozenset()
    durations: frozenset[str] = frozenset()
    has_compounds: bool = False
    fractions: frozenset[str] = frozenset()
    ranges: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()
    either: frozenset[str] = frozenset()
    losses: frozenset[str] = frozenset()
    scores: frozenset[str] = frozenset()
    nots: frozenset[str] = frozenset()
    implicit: frozenset[str] = frozenset()
    mays: frozenset[str] = frozenset()
    musts: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()


ITALIAN = Language(
    "it",
    gaps={"sedicesimo": 16, "sedicesima": 16, "settantunesimo": 71, "centottantuno": 181, "centottantotto": 188},
    multipliers={
        **_meaning(2, "doppio doppia doppi doppie raddoppio raddoppia raddoppiano"),
        **_meaning(2, "raddoppiato raddoppiata raddoppiati raddoppiate"),
        **_meaning(2, "entrambi entrambe ambedue paio coppia coppie"),
        **_meaning(3, "triplo tripla triplicare"),
        **_meaning(12, "dozzina dozzine"),
    },
    ones=_words("un uno una"),
    one_after=_words("solo sola almeno soltanto solamente massimo vale più"),
    one_before=_words("solo sola"),
    one_links=_words("di vale costa per"),
    one_joins=_words("o e a"),
    one_between=_words("da di in"),
    onlys=_words("solo soli sola sole soltanto solamente"),
    units=_words("spazio casella punto posizione passo volta"),
    hollow={
        "sei": _words("tu se che chi ti ci non dove"),
        "seconda": _words("a"),
        "secondo": _words("a"),
    },
    firsts=_words("primo prima primi prime"),
    articles=_words("il la i le lo al alla ai alle del della dei delle dal dalla nel nella sul sulla sua suo una"),
    not_before={"quarto": _words("di a"), "secondo": _words("il lo la i gli le l quanto un una che")},
    labels=_words("fig figura esempio pagina pag fase nota regola regole versione ver"),
    counted=_words(
        "giocatori giocatrici persone carte punti spazi caselle pedine tessere dadi segnalini gettoni passi volte turni"
    ),
    below=(
        *("sotto", "sotto a", "sotto il valore", "sotto al valore", "inferiore a", "inferiori a"),
        *("minore di", "minori di", "meno di"),
    ),
    above=(
        *("sopra", "sopra a", "sopra il valore", "sopra al valore", "superiore a", "superiori a"),
        *("maggiore di", "maggiori di", "più di", "oltre", "oltre a"),
    ),
    least=("almeno", "minimo", "come minimo", "non meno di", "non sotto", "non inferiore a", "a partire da"),
    most=("al massimo", "massimo", "fino a", "al più", "non più di", "non oltre", "non superiore a", "tutt al più"),
    more=("o più", "e più", "o superiore", "o superiori", "o di più", "o oltre", "in su"),
    fewer=("o meno", "o inferiore", "o inferiori", "o di meno", "in giù"),
    unbound=("e non più di",),
    ranges=(
        (_words("da dal dai dalle dallo dalla"), _words("a ad al ai alle allo alla")),
        (_words("tra fra"), _words("e")),
    ),
    either=_words("o oppure"),
    losses=_words(
        "perde perdono perdete perdi perderà perderanno perso persi perdere penalità"
        " negativo negativi negativa negative meno toglie togliete togliere sottrae sottraete sottrarre detrae"
        " scende scendono scendere paga pagano pagate costa costano"
    ),
    scores=_words("punto punti"),
    nots=_words("non no né neanche nemmeno nessun nessuno nessuna mai niente nulla"),
    mays=_words("può possono potete puoi potrà potranno potrai possa possano potrebbe"),
    musts=_words(
        "deve devono dovete devi dev dovrà dovranno dovrete dovrebbe debba"
        " obbligatorio obbligato va_fatto va_scritto vanno_usate"
    ),
    idle=_words("finché_non o_no non_appena"),
)

GERMAN = Language(
    "de",
    multipliers={
        **_meaning(
            2, "doppelt doppelte doppelten doppelter doppeltes doppeltem verdoppelt verdoppelte verdoppelten zweimal"
        ),
        **_meaning(2, "beide beiden beides beider paar paare paaren zweier zweien zweit"),
        **_meaning(3, "dreier dreien dritt"),
        "viert": 4,
        **_meaning(3, "dreifach dreifache dreimal"),
        "einmal": 1,
        "dutzend": 12,
    },
    ones=_words("ein eine einen einem einer eines eins"),
    one_after=_words("um genau nur mindestens höchstens als je"),
    one_before=_words("einzige einziger einziges einzigen"),
    one_links=_words("um für auf"),
    one_joins=_words("oder und bis"),
    onlys=_words("nur einzige einziger einziges einzigen"),
    units=_words("feld punkt schritt stelle"),
    hollow={"acht": _words("außer gebt")},
    firsts=_words("erst"),
    labels=_words("abb abbildung bild bilder beispiel seite regel"),
    below=("unter", "weniger als", "kleiner als"),
    above=("über", "mehr als", "größer als", "jenseits von"),
    throughout=_words("über"),
    durations=_words("runden partien spiele tage wochen monate jahre minuten stunden"),
    fractions=_words("halb halbe drittel viertel fünftel sechstel"),
    least=("mindestens", "nicht weniger als", "nicht unter"),
    most=("höchstens", "bis zu", "nicht mehr als", "maximal", "nicht über"),
    more=("oder mehr", "oder höher", "oder darüber", "und mehr", "und darüber"),
    fewer=("oder weniger", "oder niedriger", "oder darunter"),
    ranges=((_words(""), _words("bis")), (_words("zwischen"), _words("und"))),
    either=_words("oder"),
    losses=_words(
        "verliert verlieren verlierst abgezogen abziehen minus minuspunkte sinkt sinken kostet kosten zahlt weniger"
    ),
    scores=_words("punkt punkte punkten"),
    nots=_words(
        "nicht nichts kein keine keinen keiner keinem keines nie niemals niemand niemanden niemandem niemandes weder"
    ),
    mays=_words("darf dürfen kann können könnte könnten"),
    musts=_words("muss müssen müsste"),
    idle=_words("oder_nicht"),
)

ENGLISH = Language(
    "en",
    multipliers={
        **_meaning(2, "double doubled doubles twice both pair pairs"),
        **_meaning(3, "triple tripled treble thrice"),
        "once": 1,
        "dozen": 12,
    },
    ones=_words("one"),
    onlys=_words("only"),
    nones=_words("ones"),
    hollow={"once": _words("at")},
    firsts=_words("first"),
    articles=_words("the a an its their his her this that every each one s of very"),
    not_before={"once": _words("the a an all it they this that no nobody everybody")},
    not_ones=_words(
        "another each the no this that any every which some next own other present last s by right such as needs"
    ),
    persons=_words("may can must would never with after"),
    verb_ending="s",
    shown_by=_words("the a an that"),
    labels=_words("fig figure figures example page rule note"),
    below=("below", "under", "less than", "fewer than", "lower than"),
    above=("above", "over", "more than", "beyond", "higher than"),
    least=("at least", "no less than", "no fewer than", "not below"),
    throughout=_words("over"),
    durations=_words("rounds turns games hands deals tricks days weeks months years minutes hours"),
    has_compounds=True,
    fractions=_words("half halves third thirds quarter quarters fourth fourths fifth fifths sixth sixths"),
    most=("at most", "up to", "no more than", "not more than", "not above"),
    more=("or more", "or higher", "or above", "and more", "and up"),
    fewer=("or less", "or fewer", "or lower", "or below"),
    ranges=((_words(""), _words("to through")), (_words("between"), _words("and"))),
    either=_words("or"),
    losses=_words("lose loses losing lost minus less lower pay pays paid cost costs penalty charged"),
    scores=_words("point points"),
    nots=_words("not no none nobody nothing never neither nor cannot"),
    implicit=_words("without until unless only except else otherwise"),
    mays=_words("may can could might cannot"),
    musts=_words("must has_to have_to needs_to need_to"),
    idle=_words("or_not no_matter nothing_but"),
)

LANGUAGES = {entry.code: entry for entry in (ITALIAN, GERMAN, ENGLISH)}
