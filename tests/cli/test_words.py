"""What people read: sentences, menus, boards.  Nothing in them that the reader may not know."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from attrs import evolve

from rulekit.apps.play.board_text import place_lines
from rulekit.bots.players.random_bot import RandomBot
from rulekit.model.game import Game
from rulekit.play.state.event import Event, Told
from rulekit.play.state.match_state import Action, Decision
from rulekit.play.state.value import Ref, Value
from rulekit.play.view import SPECTATOR, view
from rulekit.record.match import Match, started
from rulekit.tools.drawing.picture_making import seen_values
from rulekit.tools.drawing.text_board import board
from rulekit.tools.language.display_names import Names, plural
from rulekit.tools.language.translation import SOURCE
from rulekit.tools.tell import narration
from rulekit.tools.tell.menu import Entry, NotAnAnswer, answer, menu
from tests import paths
from tests.cli.golden import games, loaded

PLAY = paths.PACKAGE / "play"


@pytest.fixture(scope="module")
def match() -> Match:
    path = next(path for path in games() if path.stem == "fuzzy_tiger")
    return started(loaded(path), seats=3, seed="words")


@pytest.fixture(scope="module")
def names(match: Match) -> Names:
    return Names(match.state.setting)


def event(name: str, **facts: Value) -> Event:
    return Event(name, tuple(Told(fact.rstrip("_"), value) for fact, value in facts.items()))


CARD = Ref("card", "8")
RED, BLUE = Ref("player", "red"), Ref("player", "blue")

# ruff: noqa: E501  one event and its sentence a line
SENTENCES = [
    (event("travel", piece=Ref("monkey", "red"), from_=6, to=4), "Red's monkey moves from 6 to 4 on the distance track."),
    (event("travel", piece=Ref("tiger", "tiger"), from_=6, to=6), ""),
    (event("pass", piece=Ref("tiger", "tiger"), at=0), "The tiger stays on 0 on the sleep track."),
    (event("pass", what="card", things=(CARD,)), "Card 8 (Lasso) is passed over."),
    (event("pass", what="card", things=(CARD, Ref("card", "9"))), "Cards 8 (Lasso) and 9 (Think) are passed over."),
    (event("pass", what="act"), "The rest is left out."),
    (event("push", piece=Ref("monkey", "blue"), from_=4, to=3), "Blue's monkey is pushed from 4 to 3 on the distance track."),
    (event("move", piece=Ref("timer", "timer"), from_=None, to=15), "The timer is put on 15 on the whiskers track."),
    (event("swap", piece=Ref("monkey", "red"), from_=6, to=6), "Red's monkey changes places and stays on 6."),
    (event("move", things=(CARD,), count=1, from_="red.hand", to="red.discard"), "Card 8 (Lasso) goes from Red's hand to Red's discard."),
    (event("move", things=(CARD, Ref("card", "9")), from_="red.played", to="red.hand"), "Cards 8 (Lasso) and 9 (Think) go from Red's played cards to Red's hand."),
    (event("move", things=2, count=2, from_="red.hand", to="red.played"), "2 cards go from Red's hand to Red's played cards."),
    (event("deal", things=1, count=1, from_="red.hand", to="blue.hand"), "A card is dealt from Red's hand to Blue's hand."),
    (event("move", things=(CARD,), count=1, from_="red.hand", to="red.played", end="top"), "Card 8 (Lasso) goes from Red's hand to Red's played cards, on top."),
    (event("move", things=2, count=2, from_="red.hand", to="red.played", end="bottom"), "2 cards go from Red's hand to Red's played cards, at the bottom."),
    (event("remove", things=(CARD,), from_="red.hand"), "Card 8 (Lasso) is taken out of the game from Red's hand."),
    (event("set", what="red.sheltered", value=True), "Red: now sheltered."),
    (event("set", what="red.sheltered", value=False), "Red: no longer sheltered."),
    (event("set", what="starter", value=BLUE), "Blue begins."),
    (event("choose", player=RED, what="card", answer=CARD, asked=True), "Red chooses card 8 (Lasso)."),
    (event("choose", player=RED, what="card", answer=None, asked=True), "Red chooses no card."),
    (event("choose", player=RED, what="steps", answer=2, asked=False), "Red can only choose 2 (steps)."),
    (event("choose", player=RED, what="card 4", answer="climb to 3", asked=True), 'Red chooses "climb to 3".'),
    (event("choose", player=RED, what="x", answer="pay {price} to {whom}", asked=True, **{"with price": 3, "with whom": BLUE}), 'Red chooses "pay 3 to Blue".'),
    (event("roll", what="x", drawn=3, from_="black_die"), "Black die shows 3."),
    (event("draw", what="x", drawn=2, from_="red.hand"), "2 cards are drawn from red.hand."),
    (event("draw", what="x", drawn=(), from_="players"), ""),
    (event("draw", what="x", drawn=0, from_="red.hand"), ""),
    (event("reveal", what="red.played", value=(CARD,)), "Red's played cards are revealed: card 8 (Lasso)."),
    (event("reveal", as_="guessed_right", value=True), "Guessed right: yes."),
    (event("shuffle", pile="red.hand"), "Red's hand is shuffled."),
    (event("perform", thing=CARD, owner=BLUE), "Card 8 (Lasso) takes effect for Blue."),
    (event("skip", step="going_back"), 'The step "going back" is left out.'),
    (event("rank", place=1, players=(RED,)), "Red finishes 1st."),
    (event("rank", place=1, players=(RED, BLUE)), "Red and Blue finish 1st together."),
    (event("reach", value=18, most=25), "All reach 18 of 25."),
    (event("defeat", players=(RED, BLUE)), "Red and Blue are defeated."),
    (event("end"), "The game ends."),
    (event("ready", player=RED), "Red has decided."),
    (event("announce", value=CARD), "Announced: card 8 (Lasso)."),
    (evolve(event("announce", value=CARD), audience=frozenset([0, 1])), "Announced only to Red and Blue: card 8 (Lasso)."),
    (event("something_new", what="x", value=CARD), "Something new: what x and value card 8 (Lasso)."),
]  # fmt: skip


@pytest.mark.parametrize(("told", "words"), SENTENCES, ids=[f"{e.name}-{i}" for i, (e, _) in enumerate(SENTENCES)])
def test_an_event_is_an_english_sentence(names: Names, told: Event, words: str) -> None:
    assert narration.sentence(told, names) == words


def test_every_event_of_the_engine_has_words_of_its_own() -> None:
    emitted: set[str] = set()
    for path in PLAY.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit":
                emitted |= {str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant)}
    assert len(emitted) >= 12
    assert emitted <= set(narration._SENTENCES)


def test_a_hidden_answer_is_not_taken_for_its_count(names: Names) -> None:
    facts = (
        Told("player", RED),
        Told("what", "cards"),
        Told("answer", (CARD,), frozenset([0]), 1),
        Told("asked", True),
    )
    told = Event("choose", facts)
    assert narration.sentence(told, names, 0) == "Red chooses card 8 (Lasso)."
    assert narration.sentence(told, names, 1) == "Red makes a secret choice of 1."


def _other(fact: Told, seat: int) -> Told:
    """The fact with another value where this seat may not know it."""
    if fact.audience is None or seat in fact.audience:
        return fact
    if isinstance(fact.value, tuple):
        return evolve(fact, value=tuple(Ref("other", "thing") for _ in fact.value))
    return evolve(fact, value=Ref("other", "thing"))


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem)
def test_no_sentence_says_what_its_reader_may_not_know(path: Path) -> None:
    game = loaded(path)
    played = started(game, seed="leak")
    names = Names(played.state.setting)
    hidden = 0
    for told in _events(played):
        for seat in (SPECTATOR, *range(played.state.setting.players)):
            other = evolve(told, facts=tuple(_other(fact, seat) for fact in told.facts))
            hidden += other != told
            assert narration.sentence(told, names, seat) == narration.sentence(other, names, seat)
            if told.audience is not None and seat not in told.audience:
                assert narration.sentence(told, names, seat) == ""
    assert hidden or all(v.seen == "public" for v in game.variables) or path.stem == "shear_panic"


def _events(played: Match) -> list[Event]:
    told = list(played.opening)
    while asked := played.decisions():
        seat = played.state.setting.seats[asked[0].seat]
        told += played.act(
            Action(asked[0].seat, RandomBot("leak", seat).answer(asked[0], played.answers(asked[0].seat)))
        )
    return told


# ---------------------------------------------------------------- menus


def _decision(*options: Value, **facts: int | bool) -> Decision:
    return Decision(0, "thing", "", options, **facts)  # type: ignore[arg-type]


def test_things_with_numbers_go_by_them(names: Names) -> None:
    shown = menu(_decision(Ref("card", "3"), CARD), names)
    assert [(entry.key, entry.text) for entry in shown.entries] == [("3", "Throw stones"), ("8", "Lasso")]
    assert answer(shown, " 8 ") == CARD
    assert answer(shown, "lasso") == CARD
    for text in ("1", "2", "", "x"):
        with pytest.raises(NotAnAnswer):
            answer(shown, text)


def test_a_thing_without_a_title_is_a_whole_name_behind_its_number(tmp_path: Path) -> None:
    """A number and a bare noun, `4  column`, is no name; what stands there can be typed."""
    path = tmp_path / "columns.rules"
    path.write_text(COLUMNS, encoding="utf-8")
    names = Names(started(loaded(path), seats=2, seed=1).state.setting)
    shown = menu(_decision(Ref("column", "3"), Ref("column", "4")), names)
    assert [(entry.key, entry.text) for entry in shown.entries] == [("3", "column 3"), ("4", "column 4")]
    assert answer(shown, "Column 4") == answer(shown, "4") == Ref("column", "4")
    equal = menu(_decision(Ref("column", "3"), Ref("column", "3"), Ref("column", "1")), names)
    assert [(entry.key, entry.text) for entry in equal.entries] == [
        ("1", "column 3"),
        ("2", "column 3"),
        ("3", "column 1"),
    ]


def test_a_place_of_a_list_is_told_in_the_order_of_speech(tmp_path: Path) -> None:
    """Not `column 3 of red's marker`: the marker is red's, not the column."""
    path = tmp_path / "columns.rules"
    path.write_text(COLUMNS, encoding="utf-8")
    names = Names(started(loaded(path), seats=2, seed=1).state.setting)
    told = event("set", what="red.marker[3]", value=2)
    assert narration.sentence(told, names) == "Red's marker for column 3 is now 2."


COLUMNS = """game "Columns"
    players 2
table columns of column
    | column | height |
    | 3      | 5      |
    | 4      | 7      |
each player has
    list marker of 0..13 for column
play
    set (first players).marker[3] to 2
result: rank players by highest seat
"""


def test_what_is_no_answer_is_told_with_the_numbers_that_are(names: Names) -> None:
    few = menu(_decision(Ref("card", "3"), Ref("card", "4"), Ref("card", "5"), CARD), names)
    with pytest.raises(NotAnAnswer, match=r"`9` is not among these; please type a number: 3-5, 8$"):
        answer(few, "9")
    some = menu(_decision(*(Ref("card", key) for key in "158"), several=True, least=2, most=2), names)
    with pytest.raises(NotAnAnswer, match=r"please type 2 numbers with blanks between: 1, 5, 8$"):
        answer(some, "1 2")
    with pytest.raises(NotAnAnswer, match=r"please type a number from 0 to 99$"):
        answer(menu(_decision(*range(100)), names), "x")


def test_other_things_are_counted(names: Names) -> None:
    shown = menu(_decision(RED, BLUE, None), names)
    assert [(entry.key, entry.text) for entry in shown.entries] == [("1", "Red"), ("2", "Blue"), ("3", "none")]
    assert answer(shown, "Blue") == BLUE
    assert answer(shown, "3") is None


def test_nothing_beside_numbers_is_zero_unless_zero_is_offered(names: Names) -> None:
    assert [entry.key for entry in menu(_decision(1, 2, None), names).entries] == ["1", "2", "0"]
    assert menu(_decision(0, 1, None), names).entries == (
        Entry("1", "0", 0),
        Entry("2", "1", 1),
        Entry("3", "none", None),
    )


def test_many_numbers_in_a_row_are_a_span(names: Names) -> None:
    shown = menu(_decision(*range(100)), names)
    assert shown.span == (0, 99)
    assert answer(shown, "57") == 57
    with pytest.raises(NotAnAnswer, match="0 to 99"):
        answer(shown, "100")


def test_several_are_chosen_by_numbers_with_anything_between(names: Names) -> None:
    shown = menu(_decision(*(Ref("card", key) for key in "1589"), several=True, least=1, most=2), names)
    assert answer(shown, "9, 1") == (Ref("card", "1"), Ref("card", "9"))
    for text in ("", "1 5 8", "1 1", "2"):
        with pytest.raises(NotAnAnswer):
            answer(shown, text)
    like = menu(_decision(CARD, CARD, several=True, least=0, most=2), names)
    assert [entry.key for entry in like.entries] == ["1", "2"]
    assert answer(like, "1 2") == (CARD, CARD)
    assert answer(like, "") == ()


# ---------------------------------------------------------------- boards


def test_a_board_shows_a_seat_its_own_hand_and_others_counts(match: Match, names: Names) -> None:
    players = board(match.state, 0, names).tables[0]
    hand = players.columns.index("hand") + 1
    assert [row[hand] for row in players.rows] == ["1, 2, 3, 4, 5, 6, 7, 8, 9", "9 cards", "9 cards"]
    assert [row[hand] for row in board(match.state, SPECTATOR, names).tables[0].rows] == ["9 cards"] * 3
    assert [row[hand] for row in board(match.state, None, names).tables[0].rows] == ["1, 2, 3, 4, 5, 6, 7, 8, 9"] * 3


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem)
def test_seats_with_equal_views_see_equal_boards(path: Path) -> None:
    game: Game = loaded(path)
    played = started(game, seed="boards")
    names = Names(played.state.setting)
    for _ in range(25):
        if not (asked := played.decisions()):
            break
        seat = asked[0].seat
        played.act(Action(seat, RandomBot("b", "x").answer(asked[0], played.answers(seat))))
        assert seen_values(played.state, 0) == view(played.state, 0).values
        board(played.state, SPECTATOR, names)


SHOWN = """game "Shown"
    players 2
cards deck of card
    | card |
    | 1..9 |
pile heap of card starts deck, seen by nobody
each player has
    counter bid 0..9, seen by owner
define lying is count heap
define best is players with highest bid
define bids is sum of bid over players
define highest is (first players).bid
define even is lying mod 2 is 0
define next_one is players[10 - lying]
show lying as "Cards left"
show best as "Who leads"
show bids as "All bids"
show highest as "The bid"
show even as "An even number"
show next_one as "Who is next"
play
    each turn in 1..4
        move first heap to mine
        secretly each player
            player chooses offer from 0..9
            set player.bid to offer
pile mine of card
result: rank players by highest bid
"""


def test_a_board_shows_what_is_worth_seeing_unless_it_tells_a_secret(tmp_path: Path) -> None:
    """What cannot be worked out, as the third of two players, is left out as well."""
    path = tmp_path / "shown.rules"
    path.write_text(SHOWN, encoding="utf-8")
    played = started(loaded(path), seed="shown")
    told = []
    while asked := played.decisions():
        for seat in (0, 1, SPECTATOR, None):
            told.append(board(played.state, seat, Names(played.state.setting)).shared[:3])
        played.act(Action(asked[0].seat, 5))
    first = (("Cards left", "8"), ("An even number", "yes"))
    assert told[0][:2] == first
    assert set(told) == {
        (*first, ("Who is next", "Blue")),
        (("Cards left", "7"), ("An even number", "no"), ("heap", "7 cards")),
        (("Cards left", "6"), ("An even number", "yes"), ("heap", "6 cards")),
        (("Cards left", "5"), ("An even number", "no"), ("heap", "5 cards")),
    }


@pytest.mark.parametrize(
    ("noun", "many"),
    [
        ("card", "cards"), ("die", "dice"), ("body", "bodies"), ("box", "boxes"), ("key", "keys"), ("leaf", "leaves"),
        ("old knife", "old knives"), ("reef", "reefs"),
    ],
)  # fmt: skip
def test_plurals(noun: str, many: str) -> None:
    assert plural(noun) == many


def test_lists() -> None:
    assert [SOURCE.listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


TITLED = """game "Titled"
    players 2
kind gem
    gem opal "Black opal"
    gem jade "Jade"
table squares of square
    | square | worth |
    | slam2  | 2     |
    | b1     | 1     |
cards stones of stone
    stone 7 "Flint"
pile cairn of stone starts stones
value best of gem starts opal
value taken of square starts slam2
play
    if best is jade or taken is b1 or taken.worth is 1 or no cairn: end game
result: rank players by highest seat
"""


def test_boards_have_titles_and_no_keys_but_numbers(tmp_path: Path) -> None:
    path = tmp_path / "titled.rules"
    path.write_text(TITLED, encoding="utf-8")
    state = started(loaded(path), seats=2, seed=1).state
    names = Names(state.setting)
    assert dict(board(state, 0, names).shared) == {"cairn": "7", "best": "Black opal", "taken": "slam 2"}
    shown = menu(_decision(Ref("square", "slam2"), Ref("square", "b1")), names)
    assert [entry.text for entry in shown.entries] == ["slam 2", "b1"]
    assert answer(shown, "slam2") == answer(shown, "slam 2") == Ref("square", "slam2")


VARIABLES = """game "Variables"
    players 2
cards deck of card
    | card |
    | 1..3 |
pile stock "cards left" of card starts deck, seen by nobody
flag going "the stall is open" starts yes
counter rounds "rounds so far" 0..9
value best "best card" of card
each player has
    list marks "notches" of 0..3 for 1..3
    flag out "out of the round"
    pile drawn "bag" of card
play
    deal 1 from the top of stock to starter.drawn
    set going to no
    set starter.out to yes
    set starter.marks[2] to 1
    raise rounds by 1
    set best to first starter.drawn
    if best is 1 and going and rounds is 2 and starter.marks[1] is 2 and starter.out and any stock: end game
result: rank players by highest seat
"""


def test_people_read_the_titles_of_counters_flags_values_piles_and_lists(tmp_path: Path) -> None:
    path = tmp_path / "variables.rules"
    path.write_text(VARIABLES, encoding="utf-8")
    match = started(loaded(path), seats=2, seed=1)
    names = Names(match.state.setting)
    told = [narration.sentence(event, names) for event in match.opening]
    assert told[:-3] == [
        "Card 1 is dealt from the cards left to Red's bag.",
        "No longer: the stall is open.",
        "Red: now out of the round.",
        "Number 2 of Red's notches is now 1.",
        "The rounds so far is now 1.",
        "The best card is now card 1.",
    ]
    shown = board(match.state, None, names)
    assert [name for name, _ in shown.shared] == ["cards left", "the stall is open", "rounds so far", "best card"]
    assert shown.tables[0].columns == ("notches", "out of the round", "bag")


FORKED = """game "Forked"
    players 2
table stops of stop
    | stop | next       |
    | gate | hill lake  |
    | hill | mill       |
    | lake |            |
    | pier | none       |
    | mill |            |
    | barn |            |
course road of stop
each player has
    piece walker on road at gate
play: end game
result: rank players by highest seat
"""


def test_spaces_that_lead_elsewhere_than_to_the_next_one_say_where(tmp_path: Path) -> None:
    path = tmp_path / "forked.rules"
    path.write_text(FORKED, encoding="utf-8")
    state = started(loaded(path), seats=2, seed=1).state
    lines = place_lines(board(state, 0, Names(state.setting)), SOURCE, 80)
    assert lines == [
        "road: gate (to hill or lake)[Red, Blue]  hill (to mill)  lake  pier (the end)",
        "      mill  barn",
    ]
