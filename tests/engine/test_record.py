"""Saving, logs, replay and undo, over random matches of every game that ships."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import evolve, fields

from rulekit import library
from rulekit.bots.players.random_bot import RandomBot
from rulekit.loading import examine_text
from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.match_state import Action, Decision, Ended, Score, State
from rulekit.play.state.value import Ref, Value
from rulekit.record import codec, strict_json
from rulekit.record.json_values import (
    BadSave,
    chosen_options,
    earlier_digest,
    rules_digest,
    state_digest,
    value_from_json,
    value_to_json,
)
from rulekit.record.log import Damaged, Header, Writer, parse
from rulekit.record.match import Match, NoWayBack, started
from rulekit.record.recorder import Recorder
from rulekit.record.replay import replay
from rulekit.source import Source
from rulekit.tools.series.option_values import chosen
from tests.generators.random_matches import game
from tests.sizes import some

RULES = sorted(library.games().glob("*.rules"))
GAMES = {path.stem: game(path) for path in RULES}
every_game = pytest.mark.parametrize("name", sorted(GAMES))


# ---------------------------------------------------------------- matches to try things on


def answered(match: Match, seed: str) -> Iterator[tuple[State, Decision, Value]]:
    """A match to its end by bots: each position, and what is decided in it."""
    while asked := match.decisions():
        decision = asked[0]
        seat = match.state.setting.seats[decision.seat]
        value = RandomBot(seed, seat).answer(decision, match.answers(decision.seat))
        yield match.state, decision, value
        match.act(Action(decision.seat, value))


def header(match: Match, seed: str) -> Header:
    setting = match.state.setting
    options = dict(chosen_options(setting))
    seats = setting.seats[: setting.players]
    rules = rules_digest(setting.game)
    return Header("0.1.0", "x.rules", rules, setting.game.title, options, "", seats, ("random",) * len(seats), seed)


def logged(game: Game, seed: str, seats: int | None = None) -> tuple[bytes, Match]:
    """The log of a whole match, and the match."""
    lines: list[bytes] = []
    writer = Writer(lines.append)
    match = started(game, seats=seats, seed=seed)
    writer.header(header(match, seed))
    for state, decision, value in answered(match, seed):
        writer.decision(state.setting.seats, Action(decision.seat, value), decision.name)
    outcome = match.outcome()
    assert outcome is not None
    writer.end(match.state, outcome)
    return b"".join(lines), match


@pytest.fixture(scope="module")
def tiger() -> Game:
    return GAMES["fuzzy_tiger"]


@pytest.fixture(scope="module")
def tiger_log(tiger: Game) -> bytes:
    return logged(tiger, "log")[0]


# ---------------------------------------------------------------- states


@pytest.mark.parametrize("name", some(sorted(GAMES), 2))
def test_a_state_saved_at_any_decision_is_the_same_when_loaded(name: str) -> None:
    game = GAMES[name]
    match = started(game, seed="save")
    for state, decision, value in answered(match, "save"):
        data = codec.dump(state)
        again = codec.restore(data, game)
        assert again == state
        assert codec.dump(again) == data
        assert state_digest(again) == state_digest(state)
        assert engine.decisions(again) == engine.decisions(state)
        action = Action(decision.seat, value)
        assert engine.apply(again, action) == engine.apply(state, action)
    assert codec.restore(codec.dump(match.state), game) == match.state


@every_game
def test_the_digest_differs_where_states_do_and_nowhere_else(name: str) -> None:
    """Each field of each position is changed; whether that makes another state is said by their equality."""
    match, met = started(GAMES[name], seed="equal"), 0
    states = [state for state, _, _ in answered(match, "equal")]
    for state in (*states[:: max(1, len(states) // 8)], match.state):
        for field in fields(State):
            if field.name != "setting":
                other = evolve(state, **{field.name: another(field.name, state)})
                assert (state_digest(other) == state_digest(state)) == (other == state), field.name
                met += other != state
    assert met > 80


def another(field: str, state: State) -> object:
    """Something else in a field of a state: something where it is empty, else nothing."""
    setting, value = state.setting, getattr(state, field)

    def is_free(slot: int, held: object) -> bool:
        """A number or place; behind the last player there is no other."""
        return type(held) is int and setting.game.variables[setting.slot_variable[slot]].type.name != "player"

    if field == "values":
        return tuple(each + 1 if place % 3 == 0 and is_free(place, each) else each for place, each in enumerate(value))
    if isinstance(value, int):
        return not value if isinstance(value, bool) else value + 1
    if value:
        return None if field in ("pending", "ended") else type(value)()
    first = {
        "frames": ((0, 0, (), frozenset(), ()),),
        "streams": (("x", 1),),
        "known": tuple((slot, 0, 0) for slot in setting.pile_slots[:1]),
        "open_things": frozenset([0]),
        "open_slots": frozenset([0]),
        "ranks": ((0,),),
        "defeated": (0,),
        "gone": frozenset(list(setting.piece_slot)[:1]),
        "last_answer": 1,
        "arrived": (1,),
        "unclear": frozenset([0]),
        "scores": (Score(0, (1,), is_open=True),),
        "ended": Ended("other", ()),
    }
    return first.get(field, value)


def test_a_state_of_another_game_or_of_changed_rules_is_refused(tiger: Game) -> None:
    data = codec.dump(engine.start(tiger).state)
    with pytest.raises(BadSave, match="other rules"):
        codec.restore(data, GAMES["hornochsen"])
    text = tiger.sources[0][1].replace("piece tiger on sleep at 6", "piece tiger on sleep at 5")
    changed = examine_text(Source("changed.rules", text)).game
    assert changed is not None
    with pytest.raises(BadSave, match="other rules"):
        codec.restore(data, changed)


def _edit(path: list[str | int], value: object) -> Callable[[dict[str, object]], None]:
    def edit(data: dict[str, object]) -> None:
        place: object = data
        for key in path[:-1]:
            place = place[key]  # type: ignore[index]
        place[path[-1]] = value  # type: ignore[index]

    return edit


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["state", "starter"], True),
        (["state", "starter"], "0"),
        (["state", "starter"], None),
        (["state", "over"], 0),
        (["state", "values"], {}),
        (["state", "values"], []),
        (["state", "values", 0], "six"),
        (["state", "frames", 0, 0], 10_000),
        (["state", "frames", 0, 2], [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9]),
        (["state", "branches", 0, "seat"], 7),
        (["state", "branches", 0, "pending", "form"], 1),
        (["state", "branches", 0, "values", 10], [5_000]),
        (["state", "odd"], 1),
        (["seed"], "xyz"),
        (["seats"], ["red"]),
        (["copies", 0], 3),
        (["version"], 1),
        (["options", 1, 1], "below_two"),
    ],
)
def test_a_state_is_never_coerced_or_believed(tiger: Game, path: list[str | int], value: object) -> None:
    data = json.loads(codec.dump(engine.start(tiger).state))
    _edit(path, value)(data)
    with pytest.raises(BadSave):
        codec.restore(json.dumps(data).encode(), tiger)


def test_a_missing_field_is_refused_though_it_has_a_default(tiger: Game) -> None:
    data = json.loads(codec.dump(engine.start(tiger).state))
    del data["state"]["streams"]
    with pytest.raises(BadSave, match="streams"):
        codec.restore(json.dumps(data).encode(), tiger)


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":1,"a":2}',
        b"[1.0]",
        b"[NaN]",
        b"[Infinity]",
        b"[1e3]",
        b"[9007199254740992]",
        b"[" + b"9" * 5000 + b"]",
        b"[" * 65 + b"]" * 65,
        b'["\\ud800"]',
        b'"' + b"x" * 5000 + b'"',
        b"\xff",
        b"{",
        b"",
    ],
)
def test_json_that_is_not_plainly_meant_is_refused(text: bytes) -> None:
    with pytest.raises(strict_json.BadJson):
        strict_json.loads(text)


def test_brackets_in_a_string_are_not_nesting() -> None:
    assert strict_json.loads(b'["' + b"[" * 200 + b'\\"["]') == ["[" * 200 + '"[']


@pytest.mark.parametrize("value", [None, True, 0, -5, "swing", Ref("card", "8"), (1, (Ref("a", "b"), None), ())])
def test_a_value_by_meaning_comes_back_as_it_was(value: Value) -> None:
    again = value_from_json(strict_json.loads(strict_json.dumps(value_to_json(value)).encode()))
    assert again == value
    assert type(again) is type(value)


# ---------------------------------------------------------------- logs and replay


@every_game
def test_a_replay_reproduces_the_last_position(name: str) -> None:
    game = GAMES[name]
    data, match = logged(game, "again")
    again = replay(parse(data), game)
    assert again.fault is None
    assert again.same_rules
    assert again.state == match.state
    assert again.outcome == match.outcome()
    assert again.events == match.opening + tuple(event for past in match.history for event in past.events)


def test_a_log_is_the_same_bytes_each_time(tiger: Game) -> None:
    assert logged(tiger, "bytes", 4)[0] == logged(tiger, "bytes", 4)[0]


def _swap(lines: list[bytes]) -> list[bytes]:
    return [*lines[:4], lines[5], lines[4], *lines[6:]]


def _on(number: int, edit: Callable[[bytes], bytes]) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: [*lines[: number - 1], edit(lines[number - 1]), *lines[number:]]


DAMAGE: list[tuple[str, Callable[[list[bytes]], list[bytes]], int, str]] = [
    ("an answer edited", _on(5, lambda line: line.replace(b'"card":"', b'"card":"1')), 5, "link does not fit"),
    ("a line missing", lambda lines: lines[:4] + lines[5:], 5, "link does not fit"),
    ("two lines swapped", _swap, 5, "link does not fit"),
    ("a line twice", lambda lines: [*lines[:5], lines[4], *lines[5:]], 6, "link does not fit"),
    ("not JSON", _on(7, lambda line: line[:-3] + b"\n"), 7, "not JSON"),
    ("not UTF-8", _on(7, lambda line: b"\xe9" + line), 7, "byte 0xE9"),
    ("NUL bytes", _on(3, lambda line: b"\0" * len(line) + b"\n"), 3, "not JSON"),
    ("a fraction", _on(3, lambda line: line.replace(b"{", b'{"x":1.5,', 1)), 3, "1.5"),
    ("a key twice", _on(3, lambda line: line.replace(b"{", b'{"seat":"red",', 1)), 3, "twice"),
    ("nested deeply", _on(4, lambda line: b"[" * 100 + b"]" * 100 + b"\n"), 4, "nested"),
    ("no header", lambda lines: lines[1:], 1, "header"),
    ("another format", _on(1, lambda line: line.replace(b'"log":1', b'"log":9')), 1, "format 9"),
    ("a header edited", _on(1, lambda line: line.replace(b'"seed":"log"', b'"seed":"lag"')), 1, "link does not fit"),
    ("an empty line", lambda lines: [*lines[:5], b"\n", *lines[5:]], 6, "not JSON"),
    ("an end edited", lambda lines: [*lines[:-1], lines[-1].replace(b"red", b"rod")], -1, "link does not fit"),
]


@pytest.mark.parametrize(("damage", "line", "reason"), [each[1:] for each in DAMAGE], ids=[each[0] for each in DAMAGE])
def test_damage_to_a_log_is_told_with_its_line(
    tiger_log: bytes, damage: Callable[[list[bytes]], list[bytes]], line: int, reason: str
) -> None:
    lines = tiger_log.splitlines(keepends=True)
    with pytest.raises(Damaged, match=reason) as told:
        parse(b"".join(damage(lines)))
    assert told.value.line == (line if line > 0 else len(lines))
    assert str(told.value).startswith(f"line {told.value.line}: ")


@pytest.mark.parametrize("data", [b"", b"\n\n", b'{"log":1'])
def test_a_log_without_a_whole_header_is_refused(data: bytes) -> None:
    with pytest.raises(Damaged, match="line 1: "):
        parse(data)


def _relinked(lines: list[dict[str, object]]) -> bytes:
    """Lines with links that fit, as somebody would make them who knows how."""
    made: list[bytes] = []
    writer = Writer(made.append)
    for line in lines:
        line.pop("link", None)
        writer._line(line)
    return b"".join(made)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"seat": "pink", "what": "card", "answer": 1}, "no seat 'pink'"),
        ({"seat": "red", "what": 5, "answer": 1}, "`what`"),
        ({"seat": "red", "what": "card", "answer": {"card": 1}}, "kind with its key"),
        ({"seat": "red", "what": "card", "answer": {"card": "1", "b": "2"}}, "kind with its key"),
        ({"seat": "red"}, "has the fields"),
        ({"seat": "red", "what": "a", "answer": "b", "ways": ["c"]}, "none of the `ways`"),
        ({"seat": "red", "what": "a", "answer": 1, "ways": [1]}, "list of texts"),
        ({"seat": "red", "what": "a", "answer": "b", "ways": "b"}, "list of texts"),
        ({"seat": "red", "what": "a", "answer": "b", "ways": []}, "none of the `ways`"),
        ({"back": 1}, "no way back"),
        ({"back": True}, "no way back"),
        ({"end": {}, "state": ""}, "last line"),
    ],
)
def test_a_line_with_a_fitting_link_is_not_believed_either(
    tiger_log: bytes, line: dict[str, object], reason: str
) -> None:
    first = json.loads(tiger_log.splitlines()[0])
    with pytest.raises(Damaged, match=f"line 2: .*{reason}"):
        parse(_relinked([first, line]))


def test_a_log_goes_on_after_its_end(tiger_log: bytes) -> None:
    lines = [json.loads(line) for line in tiger_log.splitlines()]
    with pytest.raises(Damaged, match=f"line {len(lines) + 1}: the match was over"):
        parse(_relinked([*lines, lines[1]]))


def test_a_torn_last_line_is_set_aside(tiger: Game, tiger_log: bytes) -> None:
    lines = tiger_log.splitlines(keepends=True)
    for cut in (1, len(lines[9]) // 2, len(lines[9]) - 2):
        log = parse(b"".join(lines[:9]) + lines[9][:cut])
        assert (len(log.entries), log.torn, log.end) == (8, 10, None)
        assert replay(log, tiger).fault is None
    whole = parse(b"".join(lines[:10]).rstrip(b"\n"))
    assert (len(whole.entries), whole.torn) == (9, 0)


def test_line_ends_of_another_system_are_no_damage(tiger_log: bytes) -> None:
    assert parse(tiger_log.replace(b"\n", b"\r\n")) == parse(tiger_log)


OPEN_GAME = """game "Trial"
    players 2

cards deck of card
    | card |
    | 1..9 |
pile supply of card starts deck, seen by nobody
pile row of card
die coin: 1, 2
each player has
    pile hand of card, seen by owner
    counter score
play
    repeat
        each player
            player chooses
                "score": set player.score to player.score + 1
                "deal": deal 1 from supply to player.hand
                "roll"
                    roll x from coin
                    set player.score to x
                "stop": end game
result
    rank players by highest score
"""


WAYS = ("score", "roll", "deal", "score", "score", "score", "stop")


def _game(text: str) -> Game:
    loaded = examine_text(Source("trial.rules", text))
    assert loaded.game is not None, [finding.title for finding in loaded.findings]
    return loaded.game


def _scripted(game: Game) -> bytes:
    """The log of a match in which both answer the first question with these ways in turn."""
    lines: list[bytes] = []
    writer = Writer(lines.append)
    match = started(game, seed="ways")
    writer.header(header(match, "ways"))
    for way in WAYS:
        decision = match.decisions()[0]
        match.act(Action(decision.seat, way))
        writer.decision(match.state.setting.seats, Action(decision.seat, way), decision.name)
    outcome = match.outcome()
    assert outcome is not None
    writer.end(match.state, outcome)
    return b"".join(lines)


ASK = "            player chooses\n"
CHANGES = [
    ("setup", 0, "players 2", "players 3..4", "3 to 4 players"),
    ("not-offered", 2, '"roll"', '"throw"', "roll is not among"),
    ("other-decision", 1, ASK, f'            player chooses ready from 1..2 "Ready?"\n{ASK}', "red `ready`"),
    ("error", 1, "player.score + 1", "1 / player.score", "zero"),
    ("other-outcome", 7, "by highest", "by lowest", "the outcome was"),
]


@pytest.mark.parametrize(("code", "place", "old", "new", "reason"), CHANGES, ids=[change[0] for change in CHANGES])
def test_a_replay_says_where_a_log_no_longer_holds(code: str, place: int, old: str, new: str, reason: str) -> None:
    assert old in OPEN_GAME
    log = parse(_scripted(_game(OPEN_GAME)))
    again = replay(log, _game(OPEN_GAME.replace(old, new)))
    assert again.fault is not None
    assert (again.fault.code, again.fault.decision, again.same_rules) == (code, place, False)
    assert reason in str(again.fault)
    assert again.fault.line == place + (2 if code == "other-outcome" else 1)
    assert again.held == (place if code == "other-outcome" else max(0, place - 1))


ASKING = """game "Asking"
    players 2
die coin: 1, 2
each player has
    counter score
play
    each round in 1..2
        each player: do turn(player)
action turn(player)
    player chooses "What now?"
        "roll, and stop": roll x from coin
        "take 1.5" if player.score at most 9: raise player.score by 1
        "take 15": raise player.score by 2
result: rank players by highest score
"""
KEPT = [
    # A text mended: an earlier log holds as well.
    ("a comma", [('"roll, and stop"', '"Roll and stop."')], True, True),
    ("what surrounds it", [("turn(", "go(")], True, False),
    ("that and a comma", [("turn(", "go("), ('"roll, and stop"', '"roll and stop"')], True, False),
    # One put otherwise: its place tells.
    ("other words", [('"roll, and stop"', '"throw the die"')], True, False),
    ("other words and a comma", [('"roll, and stop"', '"throw"'), ('"take 15"', '"take 15."')], True, False),
    ("another condition", [("at most 9", "at most 8"), ('"roll, and stop"', '"throw"')], True, False),
    # More than that may be something else.
    ("two put otherwise", [('"roll, and stop"', '"throw"'), ('"take 15"', '"two"')], False, False),
    (
        "one more",
        [('"roll, and stop"', '"throw"'), ('        "take 15"', '        "pass"\n        "take 15"')],
        False,
        False,
    ),
    ("another number", [('"take 1.5"', '"take 1 5"'), ('"roll, and stop"', '"take 1,5"')], False, False),
    ("elsewhere with others", [("turn(", "go("), ('"take 15"', '"take 14"')], False, False),
]


@pytest.mark.parametrize(("changes", "holds", "holds_early"), [one[1:] for one in KEPT], ids=[one[0] for one in KEPT])
def test_a_way_put_otherwise_is_known_again(changes: list[tuple[str, str]], holds: bool, holds_early: bool) -> None:
    text, recorder = ASKING, Recorder(_game(ASKING), seed="ways")
    for way in ("roll, and stop", "take 1.5", "take 15", "roll, and stop"):
        recorder.answer(recorder.decisions()[0].seat, way)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    early = [json.loads(line) for line in bytes(recorder).splitlines()]
    for line in early:
        line.pop("ways", None)
    for log, expected in ((recorder.log(), holds), (parse(_relinked(early)), holds_early)):
        assert replay(log, _game(ASKING)).fault is None
        again = replay(log, _game(text))
        assert (again.fault is None) is expected, again.fault
        if expected:
            assert again.outcome == recorder.outcome()
            assert again.events[-1] == recorder.events[-1]
        else:
            assert again.fault is not None
            assert again.fault.code in ("not-offered", "other-decision")


def test_a_replay_tells_what_a_way_was_taken_for() -> None:
    recorder = Recorder(_game(ASKING), seed="ways")
    for way in ("roll, and stop", "roll, and stop", "take 15", "take 15"):
        recorder.answer(recorder.decisions()[0].seat, way)
    again = replay(recorder.log(), _game(ASKING.replace("roll, and stop", "throw")))
    assert again.reworded == (("roll, and stop", "throw"),)
    assert replay(recorder.log(), _game(ASKING)).reworded == ()


def test_a_replay_stops_where_it_is_told(tiger: Game, tiger_log: bytes) -> None:
    log = parse(tiger_log)
    match = started(tiger, seed="log")
    for entry in log.entries[:7]:
        match.act(Action(match.state.setting.seats.index(entry.seat or ""), entry.answer))
    again = replay(log, tiger, to=7)
    assert (again.held, again.fault, again.outcome) == (7, None, None)
    assert again.state == match.state


def test_an_end_that_was_made_up_is_found(tiger: Game, tiger_log: bytes) -> None:
    lines = [json.loads(line) for line in tiger_log.splitlines()]
    lines[-1]["state"] = "0" * 64
    fault = replay(parse(_relinked(lines)), tiger).fault
    assert fault is not None
    assert fault.code == "other-state"


def test_a_log_of_an_earlier_version_ends_in_the_same_position() -> None:
    """Its digest does not hold which cards lie open, or in what order nobody knows them."""
    data, match = logged(GAMES["foxy"], "log")
    lines = [json.loads(line) for line in data.splitlines()]
    assert lines[-1]["state"] != earlier_digest(match.state)
    lines[-1]["state"] = earlier_digest(match.state)
    assert replay(parse(_relinked(lines)), GAMES["foxy"]).fault is None


def test_the_public_name_takes_a_path(tiger: Game, tiger_log: bytes, tmp_path: Path) -> None:
    import rulekit

    path = tmp_path / "match.log"
    path.write_bytes(tiger_log)
    assert rulekit.replay(path, tiger).fault is None


# ---------------------------------------------------------------- undo


def _first(match: Match, seat: int, place: int = 0) -> None:
    decision = next(each for each in match.decisions() if each.seat == seat)
    options = decision.options
    match.act(Action(seat, options[: decision.least] if decision.several else options[place]))


@every_game
def test_undo_restores_the_position_of_any_decision(name: str) -> None:
    match = started(GAMES[name], seed="undo", practice=True)
    for count, (_, decision, value) in enumerate(answered(match, "undo"), 1):
        before, length = match.state, len(match.history)
        match.act(Action(decision.seat, value))
        assert match.undo(decision.seat) is None
        assert match.state is before
        assert len(match.history) == length
        if count == 60:
            break


def test_a_secret_answer_can_be_taken_back_until_the_last_is_in(tiger: Game) -> None:
    match = started(tiger, seats=3, people=frozenset([0]))
    _first(match, 0)
    _first(match, 1)
    assert match.undo(0) is None
    assert [past.action.seat for past in match.history] == [1]
    for seat in (0, 2):
        _first(match, seat)
    assert match.undo(0) == NoWayBack("together")


def test_nobody_takes_back_what_another_person_decided() -> None:
    match = started(GAMES["china_moon"], seats=3, people=frozenset([0, 1]))
    while match.decisions()[0].seat == 0:
        _first(match, 0)
    _first(match, 1)
    assert match.undo(0) == NoWayBack("decided", "blue")
    assert match.undo(1) is None


def test_in_secret_each_takes_back_the_own_answer_alone(tiger: Game) -> None:
    match = started(tiger, seats=3, people=frozenset([0, 1]))
    _first(match, 0, place=2)
    _first(match, 1, place=4)
    before = match.state
    assert match.undo(0) is None
    assert [past.action.seat for past in match.history] == [1]
    assert {decision.seat for decision in match.decisions()} == {0, 2}
    _first(match, 0, place=2)
    assert match.state.branches == before.branches
    assert match.state.last_answer == 0
    assert [match.answers(seat) for seat in range(3)] == [1, 1, 0]


def test_an_undo_never_tells_how_far_others_have_come_in_secret() -> None:
    """Who has used up a choice is asked one thing less; nobody else may notice."""
    match = started(GAMES["foxy"], seats=2, people=frozenset([0, 1]))
    _first(match, 0)
    _first(match, 0)
    reasons = [match.why_not_back(0, 1)]
    _first(match, 1)
    reasons.append(match.why_not_back(0, 1))
    assert reasons == [None, None], "half of blue's answers are in"
    _first(match, 1)
    reason = match.why_not_back(1, 3)
    assert reason == NoWayBack("chance")
    _first(match, 0)
    assert match.why_not_back(1, 3) == reason, "half of red's answers are in"


def test_there_is_no_way_back_before_the_first_decision(tiger: Game) -> None:
    assert started(tiger, people=frozenset([0])).undo(0) == NoWayBack("nothing")


@pytest.mark.parametrize(("way", "reason"), [("score", ""), ("deal", "chance"), ("roll", "dice")])
def test_what_chance_has_shown_cannot_be_taken_back(way: str, reason: str) -> None:
    match = started(_game(OPEN_GAME), people=frozenset([0]))
    match.act(Action(0, way))
    assert match.undo(0) == (NoWayBack(reason) if reason else None)
    match = started(_game(OPEN_GAME), people=frozenset([0]), practice=True)
    match.act(Action(0, way))
    assert match.undo(0) is None


def test_steps_back_are_in_the_log_and_the_replay_follows_them(tiger: Game) -> None:
    lines: list[bytes] = []
    writer = Writer(lines.append)
    match = started(tiger, seed="back", practice=True)
    writer.header(header(match, "back"))
    for place in (0, 1, 2):
        decision = match.decisions()[0]
        action = Action(decision.seat, decision.options[place])
        match.act(action)
        writer.decision(match.state.setting.seats, action, decision.name)
        if place == 1:
            match.undo(action.seat)
            writer.back(len(match.history))
    log = parse(b"".join(lines))
    assert len(log.entries) == len(match.history) == 2
    assert replay(log, tiger).state == match.state


# ---------------------------------------------------------------- bots and options


def test_a_random_bot_answers_alike_and_within_bounds() -> None:
    decision = Decision(0, "some", "", tuple(range(10)), least=2, most=4, several=True)
    answers = [RandomBot("s", "red").answer(decision, turn) for turn in range(200)]
    assert answers == [RandomBot("s", "red").answer(decision, turn) for turn in range(200)]
    sets = [answer for answer in answers if isinstance(answer, tuple)]
    assert {len(answer) for answer in sets} == {2, 3, 4}
    assert all(len(set(answer)) == len(answer) for answer in sets)
    assert {item for answer in sets for item in answer} == set(range(10))
    one = Decision(0, "one", "", (3, 4, 5))
    assert {RandomBot("s", "red").answer(one, turn) for turn in range(50)} == {3, 4, 5}
    assert [RandomBot("s", "blue").answer(one, turn) for turn in range(50)] != [
        RandomBot("s", "red").answer(one, turn) for turn in range(50)
    ]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("left_out=[1,2]", (1, 2)),
        ("left_out=2, 1", (1, 2)),
        ("left_out=", ()),
        ("left_out=[]", ()),
        ("think=bare", "bare"),
    ],
)
def test_options_are_read_as_they_are_written(tiger: Game, written: str, value: Value) -> None:
    name = written.partition("=")[0]
    assert chosen(tiger, None, [written]) == {name: value}


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("thnk=bare", "did you mean `think`"),
        ("think=bar", "did you mean `bare`"),
        ("think", "is written `think=VALUE`"),
        ("left_out=9", "1 to 8"),
        ("left_out=x", "1 to 8"),
        ("left_out=٣", "1 to 8"),
        ("qqq=1", "the options are"),
    ],
)
def test_a_wrong_option_names_the_nearest_right_word(tiger: Game, written: str, reason: str) -> None:
    with pytest.raises(BadSetup, match=reason):
        chosen(tiger, None, [written])
