"""Small games made around each operation: what it does, where it stands, what reacts to it.

Every class in `model.ops` has at least one sample, so that what tools and
engines say of it is compared with what happens.  A sample is lines of rules
with a number `{n}` in them, 1 or 2, on which it depends what happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

from attrs import frozen

from rulekit.loading import examine_text
from rulekit.model import ops
from rulekit.model.game import Game
from rulekit.source import Source

BASE = """game "Operations"
    players 2
> C-0 Somebody chooses.
> C-1 This is looked at.
> C-2 This stands behind it.
> C-3 This reacts to it.
> C-4 This is behind the reaction.
> C-5 This is said of a line of its own.
grid board 9 by 9
    edge stops
track road 0..20
    edge stops
    forward is up
pieces stones of stone on board
    | stone |
    | p     |
    | q     |
cards deck of card
    | card | copies |
    | 1..3 | 4      |
kind deed
    deed small "Small", goal 6: raise total by 1
    deed big "Big": raise total by 2
die cube: 1..6
pile stock of card starts deck, seen by nobody
pile table of card
counter total 0..9999
counter heard 0..
history totals of total for 1..99
each player has
    piece pawn on road at 3
    piece scout on road
    pile hand of card, seen by owner
    pile stash of card
    pile pledge of card, seen by owner
    counter plan 1..2 starts 1, seen by owner
    counter score 0..
action bump(k of number)
    raise total by k
action walk
    step first_part: raise total by 1
    raise total by 2
action leave(k of number)
    each one_player in players
        do leave_now(k), may stop leave
    raise total by 3
action leave_now(k of number)
    if k is 2: stop leave
    raise total by 4
    if total is 99: stop leave_now
    raise total by 1
action skipped
    skip walk_on
    step walk_on                                               @C-1
        raise total by 1                                       @C-1
action two_steps(k of number)
    step early
        if k is 2: skip late
    step late: raise total by 5
    raise total by 2
action pick(k of number)
    (first players) chooses near from 1..3 "First?"
    (first players) chooses far from 1..3 "Second?"
    only if near + far above k
    raise total by near
setup
    shuffle stock
    each player: deal 3 from stock to player.hand
    move p to board[1, 1]
    move q to board[5, 2]
play
    secretly each player
        player chooses mine from 1..2 "Plan?"
        set player.plan to mine
        move player.hand[mine] to player.pledge
    each round in 1..2
        each player
            player chooses n from 1..2 "How?"                  @C-0
{does}
            raise total by 1                                   @C-2
{reacts}
result
    rank players by highest score
"""
WHEN = """when {piece} {word}                                     @C-3
    raise heard by 1                                           @C-3
{then}
"""
THEN = {
    "goes on": "    raise heard by 2                           @C-4",
    "ends the game": "    if heard above 1: end game           @C-4",
    "asks": """    (first players) chooses extra from 1..3 "How much?"    @C-4
    raise heard by extra                 @C-4""",
}
"""What a reaction does further."""
LISTENERS = (
    ("stone", "lands"), ("pawn", "lands"), ("pawn", "enters 5.."), ("pawn", "leaves 3"), ("pawn", "reaches 4.."),
    ("scout", "lands"),
)  # fmt: skip


@frozen
class Sample:
    """Lines of rules in which an operation stands.

    op:          the class of the operation.
    does:        its lines; `{n}` is the number on which it depends what happens.
    unfollowed:  why nobody objects though it shows a secret; "" if somebody does.
    """

    op: str
    does: str
    unfollowed: str = ""

    def text(self, number: str, reacts: str = "", guard: str = "") -> str:
        """The whole game. guard: a condition under which alone it runs."""
        lines = "\n".join(
            line if "@" in line else f"{line:<60}@C-1" for line in self.does.format(n=number).splitlines()
        )
        lines = f"if {guard}\n{indent(lines, '    ')}" if guard else lines
        return BASE.format(does=indent(lines, " " * 12), reacts=reacts)

    def game(self, number: str, reacts: str = "", guard: str = "") -> Game:
        return parsed(self.text(number, reacts, guard))


def parsed(text: str) -> Game:
    loaded = examine_text(Source("sample.rules", text))
    assert loaded.game is not None, [str(each) for each in loaded.findings]
    return loaded.game


def reaction(piece: str, word: str, then: str) -> str:
    return WHEN.format(piece=piece, word=word, then=THEN[then])


CARDS = "which card moves is told by the piles that it leaves and reaches, whatever chose it"
DEED = "(if {n} is 2 then big else small)"
STONE = "(if {n} is 2 then p else q)"
PAWN = "(if {n} is 2 then (first players).pawn else (last players).pawn)"
SEAT = "(if {n} is 2 then first players else last players)"
APART = 'secretly each one_player in players\n    one_player chooses k from 1..2 "What?"'
SAMPLES = (
    Sample("Let", "let k be {n}"),
    Sample("Unless", "if {n} is 2: raise total by 1"),
    Sample("Unless", "if total is 99: raise total by {n}"),
    Sample("Jump", "if {n} is 2: raise total by 1\nelse: raise total by 2"),
    Sample("Jump", "each k in 1..3\n    if k above {n}: next k\n    raise total by 1"),
    Sample("EachStart", "each k in 1..{n}: raise total by 1"),
    Sample("EachStart", "each one_card in table where {n} is 2: raise total by 1"),
    Sample("EachNext", "each k in 1..3: raise total by {n}"),
    Sample("EachNext", "each one_card in (first players).pledge: raise total by one_card.number"),
    Sample("EnterStep", "do walk"),
    Sample("EnterStep", "do two_steps({n})"),
    Sample("EnterStep", "do skipped    @C-5"),
    Sample("Skip", "step rest_of_turn\n    if {n} is 2: skip rest_of_turn\n    raise total by 1"),
    Sample("Call", "do bump({n})"),
    Sample("Perform", f"do {DEED} for player"),
    Sample("Perform", f"do small for {SEAT}"),
    Sample("StopCode", "do leave({n})"),
    Sample("Return", "do leave({n})"),
    Sample("EndGame", "if {n} is 2: end game"),
    Sample("Ask", '(if {n} is 2 then first players else last players) chooses one_card from 1..2 "Which?"'),
    Sample("Ask", "player chooses (0..{n}) some from table"),
    Sample(
        "AskWay",
        '(if {n} is 2 then first players else last players) chooses "Way?"\n    "a": raise total by 1\n    "b"',
    ),
    Sample("Ask", 'secretly (first players) chooses kept from 1..2 "Keep?"\nif kept is {n}: raise total by 1'),
    Sample("SecretStart", f"{APART}\n    set one_player.plan to k"),
    Sample("SecretStart", APART.replace("in players", "in (players where {n} is 2)")),
    Sample("SecretEnd", APART),
    Sample("OnlyIf", "do pick({n})"),
    Sample("Draw", "draw ({n}) some from stock"),
    Sample(
        "Draw", "draw one_card from (first players).pledge\nif one_card.number above 1: raise total by one_card.number"
    ),
    Sample("Draw", "roll pips from cube\nraise total by pips"),
    Sample("Deal", "deal ({n}) from stock to (first players).stash"),
    Sample("Deal", "deal 1 from stock to (if {n} is 2 then first players else last players).stash"),
    Sample("Shuffle", "shuffle stock"),
    Sample("Shuffle", f"shuffle {SEAT}.stash"),
    Sample("Assign", "raise total by {n}"),
    Sample("Assign", "set (if {n} is 2 then first players else last players).score to 1"),
    Sample("Note", "if {n} is 2: note totals\nraise total by seen_before(totals)"),
    Sample("SetStarter", "set starter to (if {n} is 2 then first players else last players)"),
    Sample("MovePiece", f"move {STONE} to board[9, 3]"),
    Sample("MovePiece", f"move {PAWN} to 7"),
    Sample("MovePiece", "move p to board[{n}, 3]"),
    Sample("MovePiece", f"move (first players).scout to {DEED}.goal\nif (first players).scout.placed: do bump(1)"),
    Sample("MovePiece", "move (first players).scout to 4\nmove (first players).scout to {n}"),
    Sample("MoveToPile", "move first stock to (if {n} is 2 then first players else last players).stash"),
    Sample("MoveToPile", "if any player.hand: move first player.hand to table", CARDS),
    Sample("Travel", f"move {PAWN} forward by 2"),
    Sample("Travel", "move (first players).pawn forward by {n}"),
    Sample("GoHome", f"each one in players: move one.pawn forward by 1\nmove {PAWN} home"),
    Sample("GoHome", "move (first players).scout to 4\nmove (first players).scout home"),
    Sample("Swap", f"swap {STONE} for q"),
    Sample("Swap", f"swap q for {STONE}"),
    Sample("Swap", f"swap {PAWN} for (first players).pawn\nmove (first players).pawn forward by 1"),
    Sample(
        "SwapCards",
        "if any player.hand: swap first player.hand for (if {n} is 2 then first stock else last stock)",
        CARDS,
    ),
    Sample("PushRun", f"push {STONE} toward east"),
    Sample("PushRun", "push p toward (if {n} is 2 then east else south)"),
    Sample("Compact", "compact [p, q] toward (if {n} is 2 then east else south)"),
    Sample("Compact", "compact (stones where {n} is 2) toward east"),
    Sample("Shift", f"shift {STONE} toward east by 1"),
    Sample("Shift", "shift p toward east by {n}"),
    Sample("Shift", "shift p toward (if {n} is 2 then east else south) by 1"),
    Sample("Remove", f"remove {STONE}"),
    Sample("RemoveCards", "if any table: remove first table\nmove first stock to table"),
    Sample("Reveal", "reveal (if {n} is 2 then first players else last players).plan"),
    Sample("Announce", "announce 3 to [if {n} is 2 then first players else last players]"),
    Sample("Place", "picture stones\n    | p q |"),
    Sample("Rank", f"rank [{SEAT}] by highest it.score"),
    Sample("Rank", "rank players by highest (if it is first players then {n} else 1)"),
    Sample("Defeat", f"defeat [{SEAT}]"),
    Sample("Together", "if {n} is 2: all reach total"),
    Sample(
        "AskWay",
        'let much be {n}\nplayer chooses "How?"\n    "by {{much}}": raise total by 1\n    "b": raise total by 2',
    ),
    Sample("Ask", 'let much be {n}\nplayer chooses some from 1..2 "How, {{much}}?"\nraise total by some'),
    Sample("MoveToPile", "move last stock to the top of (if {n} is 2 then first players else last players).stash"),
    Sample("MoveToPile", "if count table is 0: deal {n} from the top of stock to table"),
    Sample("Declassify", "reveal whether {n} is 2 as two\nif two: raise total by 1"),
    Sample("Declassify", "reveal [1, {n}] as some\neach one in some: raise total by one"),
    Sample(
        "GoHome",
        "each one in players: move one.pawn forward by {n}\nmove (first players).scout to 4\nmove players.pawn home",
    ),
)


def kinds() -> Iterator[str]:
    """The names of all classes of operations."""
    for name, kind in vars(ops).items():
        if isinstance(kind, type) and issubclass(kind, ops.Op) and kind is not ops.Op:
            yield name


# ---------------------------------------------------------------- inside `secretly each`

APART_BASE = """game "Apart"
    players 2
grid board 9 by 9
    edge stops
track road 0..20
    edge stops
    forward is up
cards deck of card
    | card | copies |
    | 1..3 | 4      |
kind deed
    deed small "Small": raise owner.score by 1
    deed big "Big": raise owner.score by 2
die cube: 1..6
pile stock of card starts deck
pieces stones of stone on board
    | stone |
    | p     |
piece anchor on board at board[7, 7]
counter total 0..9999
history totals of total for 1..99
each player has
    piece pawn on road at 3
    piece scout on road at 5
    pieces 2 rooks of rook on board
    pile hand of card
    pile stash of card
    counter score 0..
setup
    shuffle stock
    each player: deal 4 from stock to player.hand
    each player: move player.rooks[1] to board[1, player.seat]
    each player: move player.rooks[2] to board[2, player.seat]
    move p to board[5, 5]
play
    each round in 1..2
        secretly each player
            player chooses n from 1..2 "How?"
            do act(player, n)
action act(player, n of number)
    let other be first (players except player)
{does}
    raise player.score by (other.pawn.space + other.scout.space) * 7
    raise player.score by 3 * sum of number over other.hand
    raise player.score by 5 * count (board where it.column at least 3 and not it.empty)
    raise player.score by count other.stash
    raise player.score by other.rooks[1].space.column + count (other.rooks where it.placed)
{reacts}
result
    rank players by highest score
"""
OWN = (
    Sample("Let", "let mine be player.pawn\nmove mine forward by n"),
    Sample("Unless", "if n is 2: raise player.score by 1"),
    Sample("EachStart", "each one in player.hand\n    if one.number is n: move one to player.stash"),
    Sample("Call", "do pace(player, n)"),
    Sample("Perform", "do (if n is 2 then big else small) for player"),
    Sample("Ask", 'player chooses one from player.hand "Which?"\nmove one to player.stash'),
    Sample("AskWay", 'player chooses "Way?"\n    "a": raise player.score by 1\n    "b"'),
    Sample("Assign", "set player.score to n"),
    Sample("MovePiece", "move player.pawn to n + 6"),
    Sample("MoveToPile", "move first player.hand to player.stash"),
    Sample("MoveToPile", "move last player.hand to the top of player.hand\nmove first player.hand to player.stash"),
    Sample("MoveToPile", "deal n from the bottom of player.hand to player.stash"),
    Sample("Travel", "move player.pawn forward by n"),
    Sample("GoHome", "move player.pawn forward by n\nmove player.scout forward by 1\nmove player.scout home"),
    Sample("Swap", "if n is 2: swap player.rooks[1] for player.rooks[2]"),
    Sample(
        "SwapCards",
        "move last player.hand to player.stash\nswap first player.hand for first player.stash",
    ),
    Sample("PushRun", "push player.rooks[1] toward east"),
    Sample("Compact", "compact [player.rooks[1], player.rooks[2]] toward south"),
    Sample("Shift", "shift player.rooks[1] toward east by n"),
    Sample("Remove", "if n is 2 and count player.rooks is 2: remove last player.rooks"),
    Sample("RemoveCards", "remove first player.hand"),
    Sample("GoHome", "move player.pawn forward by n\nif n is 2: move [player.pawn] home"),
)
"""What may be done in secret with one's own things."""
NOT_OWN = (
    Sample("MovePiece", "move anchor to board[n, n]"),
    Sample("PushRun", "push anchor toward east"),
    Sample("Shift", "shift anchor toward east by 1"),
    Sample("Remove", "remove anchor"),
    Sample("Swap", "swap player.rooks[1] for other.rooks[1]"),
    Sample("Swap", "swap other.rooks[1] for player.rooks[1]"),
    Sample("SwapCards", "swap first player.hand for first other.hand"),
    Sample("SwapCards", "swap first other.hand for first player.hand"),
    Sample("PushRun", "if player is first players: push player.rooks[1] toward south"),
    Sample("Assign", "raise total by n"),
    Sample("MovePiece", "move p to board[n, n]"),
    Sample("MoveToPile", "move first stock to player.hand"),
    Sample("Swap", "swap p for p"),
    Sample("PushRun", "push p toward east"),
    Sample("Remove", "remove p"),
    Sample("Shuffle", "shuffle stock"),
    Sample("Deal", "deal 1 from stock to player.hand"),
    Sample("Draw", "roll pips from cube"),
    Sample("Reveal", "reveal player.score"),
    Sample("Announce", "announce n to players"),
    Sample("Declassify", "reveal whether n is 2 as two"),
    Sample("SetStarter", "set starter to player"),
    Sample("Rank", "rank [player] by highest it.score"),
    Sample("Defeat", "defeat [player]"),
    Sample("Together", "all reach total"),
    Sample("EndGame", "end game"),
    Sample("Note", "note totals"),
    Sample("SecretStart", "secretly each one_player in players: set one_player.score to 1"),
)
"""What may not: everybody would see it, or it is nobody's own."""


def apart_text(sample: Sample, reacts: str = "") -> str:
    """A game in which both players do what the sample says at the same time, and then look at each other's things."""
    extra = "action pace(player, k of number)\n    move player.pawn forward by k\n" if "pace" in sample.does else ""
    return APART_BASE.format(does=indent(sample.does, "    "), reacts=extra + reacts)


# ---------------------------------------------------------------- games in which a declaration alone decides

CARDS_OF_PLAYERS = """game "Cards of players"
    players 2
cards deck of card
    | card |
    | 1..6 |
pile stock of card{stock}
each player has
    pile hand of card{hand}
    pile shown of card
    counter score 0..999
setup
    {setup}
play
    each round in 1..3
        each player
            player chooses n from 1..2 "Which?"
            {does}
result
    rank players by highest score
"""
PIECES_OF_PLAYERS = """game "Pieces of players"
    players 2
track road 0..20
    edge stops
    forward is up
grid plain unbounded
piece pebble on plain at plain[1, 1]
each player has
    piece pawn on road at 3
    piece runner on road at 4
    pieces 1 resters of runner on road
    counter score 0..999
play
    each round in 1..3
        each player
            player chooses n from 1..2 "Which?"
            {does}
            move player.pawn forward by 1
            move player.runner forward by 1
            raise player.score by n
result
    rank players by highest score
"""
AT_THE_SAME_TIME = """game "At the same time"
    players 2
grid board 9 by 9
    edge stops
each player has
    pieces 2 rooks of rook on board
    counter score 0..999
setup
    each player: move player.rooks[1] to board[1, player.seat]
    each player: move player.rooks[2] to board[2, player.seat]
play
    each round in 1..3
        secretly each player
            player chooses n from 1..2 "Far?"
            {does}
        each player: raise player.score by sum of it.space.row over player.rooks
result
    rank players by highest score
"""
OWN_DECK = {"stock": "", "hand": " starts deck", "setup": "shuffle stock"}
SHARED = {"stock": " starts deck, seen by nobody", "hand": ""}
SHARED["setup"] = "shuffle stock\n    each player: deal 1 from stock to player.hand"
MORE = {
    "dealt between hands": CARDS_OF_PLAYERS.format(
        **OWN_DECK,
        does="""player chooses card from player.hand "Which?"
            each other in players except player: deal 1 from player.hand to other.hand
            raise player.score by card.number + count player.hand
            if any player.hand: move card to player.shown""",
    ),
    "swapped between hands": CARDS_OF_PLAYERS.format(
        **OWN_DECK,
        does="""each other in players except player: swap first player.hand for last other.hand
            player chooses card from player.hand "Which?"
            raise player.score by card.number * n""",
    ),
    "moved to another hand": CARDS_OF_PLAYERS.format(
        **OWN_DECK,
        does="""each other in players except player: move first player.hand to other.hand
            player chooses card from player.hand "Which?"
            raise player.score by card.number * n""",
    ),
    "swapped with a shuffled pile": CARDS_OF_PLAYERS.format(
        **SHARED,
        does="""let mine be first player.hand
            let top be first stock
            swap mine for top
            raise player.score by (first player.hand).number + (last stock).number
            shuffle stock""",
    ),
    "dealt under a shuffled pile": CARDS_OF_PLAYERS.format(
        **SHARED,
        does="""deal 1 from player.hand to stock
            deal 1 from stock to player.hand
            raise player.score by (first player.hand).number + 7 * (last stock).number
            if n is 2: shuffle stock""",
    ),
    "moved under a shuffled pile": CARDS_OF_PLAYERS.format(
        **SHARED,
        does="""move first player.hand to stock
            move first stock to player.hand
            raise player.score by (first player.hand).number + 7 * (last stock).number
            if n is 2: shuffle stock""",
    ),
    "pushed at the same time": AT_THE_SAME_TIME.format(does="if n is 2: push player.rooks[1] toward south"),
    "compacted at the same time": AT_THE_SAME_TIME.format(does="compact player.rooks toward south"),
    "off the track": PIECES_OF_PLAYERS.format(does="if n is 2: move player.pawn to free_steps([pebble], east)"),
    "out of the match": PIECES_OF_PLAYERS.format(does="if n is 2: remove player.pawn"),
    "changed for one that stands nowhere": PIECES_OF_PLAYERS.format(
        does="if n is 2: swap player.runner for player.resters[1]"
    ),
}
"""Games in which engines differ if one entry of an operation's effects is missing: by name."""
