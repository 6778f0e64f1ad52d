"""Correct programs that take more steps than a decision may: by calls, loops, sets, chance, tries and events.

Each is written for the budget of a match, or for a smaller one: `size` says how many levels or members it has.
"""

from __future__ import annotations

from collections.abc import Callable

HEAD = 'game "Costly"\n    players 2\n'
END = "result: rank players\n"


def _levels(count: int, line: str) -> str:
    """Definitions in which each asks for the one before it."""
    return "".join(line.format(n=n, before=n - 1) for n in range(1, count + 1))


def doubling_defines(size: int) -> str:
    """Defines that add up the one before them twice."""
    line = "define a{n} is a{before} + a{before}\n"
    return f"counter n\ndefine a0 is n\n{_levels(size, line)}play\n    set n to a{size}\n"


def doubling_conditions(size: int) -> str:
    """Defines that ask the one before them under a condition."""
    line = "define a{n} is if a{before} above 3 then a{before} else a{before} + 1\n"
    return f"counter n\ndefine a0 is n\n{_levels(size, line)}play\n    set n to a{size}\n"


def doubling_flags(size: int) -> str:
    """Defines that join the one before them with itself."""
    line = "define a{n} is not a{before} or a{before}\n"
    return f"counter n\ndefine a0 is n above 3\n{_levels(size, line)}play\n    if a{size}: raise n by 1\n"


def doubling_actions(size: int) -> str:
    """Actions that do the one before them twice."""
    line = "action a{n}\n    do a{before}\n    do a{before}\n"
    return f"counter n\naction a0: raise n by 1\n{_levels(size, line)}play\n    do a{size}\n"


def idle_actions(size: int) -> str:
    """The same, where nothing happens in the end."""
    line = "action a{n}\n    do a{before}\n    do a{before}\n"
    return f"counter n\naction a0\n    if n above 1: raise n by 1\n{_levels(size, line)}play\n    do a{size}\n"


def looping_actions(size: int) -> str:
    """Actions that do the one before them in a loop."""
    line = "action a{n}\n    each x in 1..3: do a{before}\n"
    return f"counter n\naction a0\n    if n above 1: raise n by 1\n{_levels(size, line)}play\n    do a{size}\n"


def endless_loop(size: int) -> str:
    """A loop without an end."""
    return "counter n 0..9\nplay\n    repeat: set n to 1\n"


def endless_condition(size: int) -> str:
    """A loop without an end in which nothing happens."""
    return "counter n 0..9\nplay\n    while n is 0\n        if n above 3: set n to 1\n"


def nested_loops(size: int) -> str:
    """Loops in loops."""
    return (
        f"counter n\nplay\n    each a in 1..{size}\n        each b in 1..{size}\n            each c in 1..{size}\n"
        "                set n to b\n"
    )


def nested_queries(size: int) -> str:
    """Queries in queries."""
    return (
        f"counter n\nplay\n    set n to count (1..{size} as a where any (1..{size} as b where any "
        f"(1..{size} as c where a + b + c is 0)))\n"
    )


def unknown_ranges(size: int) -> str:
    """Queries over ranges that hang on a counter."""
    return (
        f"counter n\nplay\n    set n to {size}\n    set n to count (1..n as a where count (1..n as b where count "
        "(1..n as c where a + b above c) above 3) above 4)\n"
    )


def growing_sets(size: int) -> str:
    """Sets that are joined with what they lead to."""
    line = "define s{n} is s{before} + (all of it + " + "{n}" + " over s{before})\n"
    return f"counter n\ndefine s0 is [n]\n{_levels(size, line)}play\n    set n to count s{size}\n"


def joined_sets(size: int) -> str:
    """Sets of sets that are put together."""
    line = "define s{n} is all of s{before} over s{before}\n"
    return f"counter n\ndefine s0 is 1..9\n{_levels(size, line)}play\n    set n to count s{size}\n"


def sorting(size: int) -> str:
    """Sorting over and over."""
    return f"counter n\nplay\n    repeat\n        set n to first (1..{size} by highest it mod 17)\n"


def shuffling(size: int) -> str:
    """Shuffling a large pile over and over."""
    return (
        f'cards beans of bean\n    bean a "A", copies {9 * size}\npile box of bean starts beans\n'
        "counter n\nplay\n    repeat: shuffle box\n"
    )


def ordering(size: int) -> str:
    """Shuffling a large pile and asking for the whole order."""
    return (
        f'cards beans of bean\n    bean a "A", copies {9 * size}\n    bean b "B"\npile box of bean starts beans\n'
        "counter n\nplay\n    repeat\n        shuffle box\n        if last box is b: raise n by 1\n"
    )


def dealing(size: int) -> str:
    """Dealing cards to and fro."""
    return (
        f'cards beans of bean\n    bean a "A", copies {size}\npile box of bean starts beans\npile bag of bean\n'
        f"counter n\nplay\n    repeat\n        deal {size} from box to bag\n        deal {size} from bag to box\n"
    )


def moving_cards(size: int) -> str:
    """Moving whole piles to and fro."""
    return (
        f'cards beans of bean\n    bean a "A", copies {size}\npile box of bean starts beans\npile bag of bean\n'
        "counter n\nplay\n    repeat\n        move box to bag\n        move bag to box\n"
    )


def rolling(size: int) -> str:
    """Rolling many dice."""
    loop = f"    repeat\n        roll {size} dice as pips from d6\n        set n to sum of it over pips\n"
    return f"die d6: 1..6\ncounter n\nplay\n{loop}"


def journeys(size: int) -> str:
    """Journeys to and fro between two edges."""
    track = "track path 0..5\n    edge bounces\npiece stone on path at 0\n"
    return f"{track}counter n\nplay\n    repeat: move stone up by {100 * size}\n"


def reactions(size: int) -> str:
    """A piece that lands over and over."""
    return (
        "track path 0..5\npiece stone on path at 0\ncounter n\n"
        "when stone lands: raise n by 1\nplay\n    repeat\n        move stone to 1\n        move stone to 2\n"
    )


def groups(size: int) -> str:
    """Looking for groups of pieces over and over."""
    return (
        "grid board 8 by 8\npieces 20 stones of stone on board\ncounter n\nplay\n"
        "    repeat: set n to count groups(stones)\n"
    )


def chains(size: int) -> str:
    """Looking along lines over and over."""
    return (
        "grid board 20 by 20\npieces 20 stones of stone on board\ncounter n\nplay\n    repeat\n"
        "        set n to count (all of ahead(it, north) over board)\n"
    )


def trials(size: int) -> str:
    """Asking over and over what is possible."""
    return (
        "counter n\naction act(p of player)\n    p chooses x from 1..9\n    p chooses y from 1..9\n"
        "    only if x + y is 99\nplay\n    repeat\n        if possible act(first players): raise n by 1\n"
    )


def deep_trial(size: int) -> str:
    """One question about what is possible, with very many ways."""
    asks = "".join(f"    p chooses x{n} from 1..9\n" for n in range(12))
    return (
        f"counter n\naction act(p of player)\n{asks}    only if x0 is 99\nplay\n"
        "    if possible act(first players): raise n by 1\n    repeat: raise n by 1\n"
    )


def secret_blocks(size: int) -> str:
    """Seats who are asked nothing at once, over and over."""
    return "each player has\n    counter n\nplay\n    repeat\n        secretly each player: raise player.n by 1\n"


def histories(size: int) -> str:
    """Comparing with all that was noted before, over and over."""
    return (
        "counter n 0..9\nhistory past of n for 1..500\nplay\n    note past\n    repeat\n"
        "        if seen_before(past) above 400: set n to 1\n"
    )


PROGRAMS: tuple[tuple[Callable[[int], str], int, int], ...] = (
    (doubling_defines, 36, 15),
    (doubling_conditions, 36, 14),
    (doubling_flags, 36, 16),
    (doubling_actions, 39, 12),
    (idle_actions, 39, 12),
    (looping_actions, 30, 8),
    (endless_loop, 1, 1),
    (endless_condition, 1, 1),
    (nested_loops, 400, 20),
    (nested_queries, 400, 30),
    (unknown_ranges, 400, 30),
    (growing_sets, 40, 11),
    (joined_sets, 20, 12),
    (sorting, 900, 50),
    (shuffling, 1000, 20),
    (ordering, 1000, 20),
    (dealing, 300, 20),
    (moving_cards, 300, 20),
    (rolling, 300, 20),
    (journeys, 1000, 20),
    (reactions, 1, 1),
    (groups, 1, 1),
    (chains, 1, 1),
    (trials, 1, 1),
    (deep_trial, 1, 1),
    (secret_blocks, 1, 1),
    (histories, 1, 1),
)
"""Programs, with the size at which each meets the budget of a match, and one that meets a budget of 100,000 steps."""


def text_of(program: Callable[[int], str], size: int) -> str:
    return HEAD + program(size) + END
