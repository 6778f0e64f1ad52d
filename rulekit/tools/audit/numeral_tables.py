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
    fractions:   words that are a part of a whole (`half`); fraction_endings: behind a number, the same (`zweieinhalb`).
    ordinal_parts, plural_parts: ordinals that are a part of a whole behind a number, the latter in the plural.
    halves:      those of `fractions` that are counted behind a number (`two halves`).
    part_links:  words that say of what something is a part; part_idioms: by word those before which it is none.
    fraction_articles: articles that are no number and may stand before a part (`a third of`).
    powers:      words that multiply the number before them (`two hundred`).
    number_joints: words between such a word and the rest of the number (`two hundred and five`).
    joints:      words between a number and a part (`two and a half`).
    number_endings: what makes a multiplier of a number word (`viermal`).
    has_split_tens: whether tens and units may be two words (`twenty five`).
    whole_ones:  those of `ones` that are 1 before other number words.
    label_idioms: words before one of `labels` with which it points to nothing (`for example`).
    somes:       words that are numbers only with a capital (`ein Paar`, `ein paar`).
    most_behind, least_behind: phrases behind a number, or behind what it counts, that bound it (`five at most`).
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
    fraction_endings: tuple[str, ...] = ()
    ordinal_parts: frozenset[str] = frozenset()
    plural_parts: frozenset[str] = frozenset()
    halves: frozenset[str] = frozenset()
    part_links: frozenset[str] = frozenset()
    part_idioms: dict[str, frozenset[str]] = field(factory=dict)
    fraction_articles: frozenset[str] = frozenset()
    powers: dict[str, int] = field(factory=dict)
    number_joints: frozenset[str] = frozenset()
    joints: frozenset[str] = frozenset()
    number_endings: tuple[str, ...] = ()
    has_split_tens: bool = False
    whole_ones: frozenset[str] = frozenset()
    label_idioms: frozenset[str] = frozenset()
    somes: frozenset[str] = frozenset()
    most_behind: tuple[str, ...] = ()
    least_behind: tuple[str, ...] = ()
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
    gaps={
        "cent": 100,
        "sedicesimo": 16,
        "sedicesima": 16,
        "settantunesimo": 71,
        "centottantuno": 181,
        "centottantotto": 188,
    },
    multipliers={
        **_meaning(2, "doppio doppia doppi doppie raddoppio raddoppia raddoppiano"),
        **_meaning(2, "raddoppiato raddoppiata raddoppiati raddoppiate"),
        **_meaning(2, "entrambi entrambe ambedue paio coppia coppie"),
        **_meaning(2, "raddoppiare raddoppiando raddoppiano ambo ambi ambe"),
        **_meaning(3, "terzultimo terzultima terzultimi terzultime"),
        **_meaning(4, "quartultimo quartultima quartultimi quartultime"),
        **_meaning(3, "triplo tripla tripli triple triplicare triplica triplicano triplicando"),
        **_meaning(3, "triplicato triplicata triplicati triplicate terna terne terzetto"),
        **_meaning(4, "quadruplo quadrupla quadruplica quadruplicano quadruplicare quaterna quartetto"),
        **_meaning(5, "quintuplo quintupla cinquina cinquine quintetto"),
        **_meaning(6, "sestuplo sestupla"),
        **_meaning(10, "decuplo decupla decina decine"),
        **_meaning(12, "dozzina dozzine"),
        **_meaning(15, "quindicina"),
        **_meaning(20, "ventina"),
        **_meaning(30, "trentina"),
        **_meaning(50, "cinquantina"),
        **_meaning(100, "centinaio centinaia"),
        **_meaning(1000, "migliaio migliaia"),
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
    least=(
        *("almeno", "minimo", "come minimo", "non meno di", "non sotto", "non inferiore a", "a partire da"),
        *("minimo di", "al minimo", "perlomeno", "per lo meno", "quantomeno", "min"),
    ),
    most=(
        *("al massimo", "massimo", "fino a", "al più", "non più di", "non oltre", "non superiore a", "tutt al più"),
        *("massimo di", "max"),
    ),
    more=("o più", "e più", "o superiore", "o superiori", "o di più", "o oltre", "in su"),
    fewer=("o meno", "o inferiore", "o inferiori", "o di meno", "in giù"),
    most_behind=("al massimo", "massimo", "come massimo", "al più", "tutt al più", "max"),
    least_behind=("almeno", "minimo", "come minimo", "al minimo", "perlomeno", "per lo meno", "quantomeno", "min"),
    fractions=_words("metà mezzo mezza mezze mezz dimezza dimezzano dimezzare dimezzato dimezzata dimezzati dimezzate"),
    ordinal_parts=_words(
        "terzo quarto quinto sesto settimo ottavo nono decimo"
        " terzi quarti quinti sesti settimi ottavi noni decimi centesimi"
    ),
    plural_parts=_words("terzi quarti quinti sesti settimi ottavi noni decimi centesimi"),
    halves=_words("metà"),
    part_links=_words("di dei del dello della delle degli dell d"),
    part_idioms={"mezzo": _words("in nel per al di dal a"), "metà": _words("a")},
    powers={"mila": 1000, "milioni": 1_000_000, "milione": 1_000_000, "k": 1000},
    joints=_words("e"),
    has_split_tens=True,
    label_idioms=_words("per ad"),
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
    nots=_words("non no né neanche nemmeno neppure nessun nessuno nessuna mai niente nulla"),
    mays=_words(
        "può puo possono potete puoi possiamo potrà potranno potrai potrete potremo possa possano possiate"
        " potrebbe potrebbero potresti potreste potremmo"
    ),
    musts=_words(
        "deve devono debbono dovete devi dev dobbiamo dovrà dovranno dovrai dovrete dovremo debba debbano dobbiate"
        " dovrebbe dovrebbero dovresti dovreste dovremmo"
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
        "fünft": 5,
        "sechst": 6,
        "siebt": 7,
        "neunt": 9,
        "zehnt": 10,
        **_meaning(3, "drittletzte drittletzten drittletzter drittletztes drittletztem"),
        **_meaning(4, "viertletzte viertletzten viertletzter viertletztes viertletztem"),
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
    fractions=_words(
        "halb halbe halben halber halbes halbem hälfte hälften drittel dritteln viertel vierteln fünftel sechstel"
        " siebtel achtel neuntel zehntel zwölftel zwanzigstel hundertstel anderthalb anderthalbe anderthalben"
        " eineinhalb eineinhalbe halbieren halbiert halbierte halbierten"
        " anderthalbfach anderthalbfache anderthalbfachen"
        " viertelstunde viertelstunden dreiviertelstunde dreiviertelstunden"
    ),
    fraction_endings=(
        "einhalb",
        "einhalbe",
        "einhalben",
        "einviertel",
        "eindrittel",
        "drittel",
        "viertel",
        "fünftel",
        "sechstel",
        "achtel",
    ),
    halves=_words("hälften"),
    part_links=_words("von der des"),
    powers={"hundert": 100, "tausend": 1000, "million": 1_000_000, "millionen": 1_000_000, "tsd": 1000, "k": 1000},
    number_joints=_words("und"),
    joints=_words("und"),
    number_endings=(
        *("mal", "malig", "malige", "maligen", "maliger", "maliges", "maligem", "erlei"),
        *("fach", "fache", "fachen", "facher", "faches", "fachem", "facht", "fachte", "fachten"),
        *("er", "ern", "ergruppe", "ergruppen", "erreihe", "erreihen", "erpasch", "erteam", "erteams"),
        *(
            f"{kind}{ending}"
            for kind in ("seitig", "stellig", "köpfig", "teilig", "zeilig", "spaltig", "minütig", "stündig", "tägig")
            for ending in ("", "e", "en", "er", "es", "em")
        ),
    ),
    whole_ones=_words("eins"),
    label_idioms=_words("zum als"),
    somes=_words("paar paare paaren"),
    least=("mindestens", "wenigstens", "zumindest", "nicht weniger als", "nicht unter", "minimum", "minimal", "min"),
    most=("höchstens", "bis zu", "nicht mehr als", "maximal", "nicht über", "maximum", "max"),
    most_behind=("höchstens", "maximal", "maximum", "max"),
    least_behind=("mindestens", "wenigstens", "zumindest", "minimal", "minimum", "min"),
    more=("oder mehr", "oder höher", "oder darüber", "und mehr", "und darüber"),
    fewer=("oder weniger", "oder niedriger", "oder darunter"),
    ranges=((_words(""), _words("bis")), (_words("zwischen"), _words("und"))),
    either=_words("oder"),
    losses=_words(
        "verliert verlieren verlierst abgezogen abziehen minus minuspunkte sinkt sinken kostet kosten zahlt weniger"
    ),
    scores=_words("punkt punkte punkten"),
    nots=_words(
        "nicht nichts kein keine keinen keiner keinem keines keins keinerlei keineswegs keinesfalls nie niemals"
        " niemand niemanden niemandem niemandes nirgends nirgendwo nirgendwohin weder"
    ),
    mays=_words(
        "darf darfst dürfen dürft dürfe dürfte dürften kann kannst können könnt könne könnte könntest könnten könntet"
    ),
    musts=_words(
        "muss musst müssen müsst müsse müsste müsstest müssten müsstet muß mußt müßt müßte müßten"
        # Not `soll` and `sollen`: of others it is as often said what is only supposed or meant.
        " sollst sollt"
    ),
    idle=_words("oder_nicht"),
)

ENGLISH = Language(
    "en",
    multipliers={
        **_meaning(2, "double doubled doubles doubling twice both pair pairs couple couples"),
        **_meaning(3, "triple tripled triples tripling treble trebled thrice"),
        **_meaning(4, "quadruple quadrupled quadruples"),
        **_meaning(5, "quintuple quintupled quintuples"),
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
    least=(
        *("at least", "at the least", "at the very least", "no less than", "no fewer than", "not below"),
        *("minimum", "minimum of", "min"),
    ),
    throughout=_words("over"),
    durations=_words("rounds turns games hands deals tricks days weeks months years minutes hours"),
    has_compounds=True,
    fractions=_words(
        "half halves halve halved halving quarter quarters thirds fourths fifths sixths sevenths eighths ninths tenths"
        " twelfths hundredths"
    ),
    ordinal_parts=_words("third fourth fifth sixth seventh eighth ninth tenth twelfth hundredth"),
    halves=_words("halves"),
    part_links=_words("of"),
    fraction_articles=_words("a an"),
    powers={"hundred": 100, "thousand": 1000, "million": 1_000_000, "k": 1000},
    number_joints=_words("and"),
    joints=_words("and"),
    number_endings=("fold",),
    has_split_tens=True,
    whole_ones=_words("one"),
    label_idioms=_words("for an"),
    most=(
        *("at most", "at the most", "at the very most", "up to", "no more than", "not more than", "not above"),
        *("maximum", "maximum of", "max"),
    ),
    most_behind=("at most", "at the most", "at the very most", "maximum", "max", "tops"),
    least_behind=("at least", "at the least", "at the very least", "minimum", "min"),
    more=("or more", "or higher", "or above", "and more", "and up"),
    fewer=("or less", "or fewer", "or lower", "or below"),
    ranges=((_words(""), _words("to through")), (_words("between"), _words("and"))),
    either=_words("or"),
    losses=_words("lose loses losing lost minus less lower pay pays paid cost costs penalty charged"),
    scores=_words("point points"),
    nots=_words(
        "not no none nobody nothing nowhere never neither nor cannot can't couldn't mayn't mightn't mustn't"
        " don't doesn't didn't isn't aren't ain't wasn't weren't haven't hasn't hadn't won't wouldn't shan't shouldn't"
        " needn't oughtn't daren't"
    ),
    implicit=_words("without until unless only except else otherwise"),
    mays=_words("may can could might cannot can't couldn't mayn't mightn't"),
    musts=_words("must mustn't has_to have_to needs_to need_to"),
    idle=_words("or_not no_matter nothing_but"),
)

LANGUAGES = {entry.code: entry for entry in (ITALIAN, GERMAN, ENGLISH)}
