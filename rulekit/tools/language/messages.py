"""The source messages of the engine (gettext: `msgid`): everything that it says to people, in English, by a stable id.

One flat table: what a translator of the engine gets.  A phrase is whole; its
words are never joined to others except at a named placeholder.  Sentences about
what happened begin small and end without a full stop: both are added where
they are shown.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Phrase:
    """One source message.

    text:    with placeholders `{name}`.
    plural:  the form for other numbers than one; "" if it makes no difference.
    note:    for translators: what a placeholder stands for, or where the message is shown.
    """

    text: str
    plural: str = ""
    note: str = ""


_HAPPENED: dict[str, Phrase] = {
    "moves": Phrase("{piece} moves from {origin} to {goal} {where}", note="{where}: `on the main track`, or nothing."),
    "pushed": Phrase("{piece} is pushed from {origin} to {goal} {where}"),
    "changes-places": Phrase("{piece} changes places from {origin} to {goal} {where}"),
    "swap-stays": Phrase("{piece} changes places and stays on {goal}"),
    "leaves": Phrase("{piece} leaves {origin} {where}"),
    "put": Phrase("{piece} is put on {goal} {where}"),
    "dealt": Phrase(
        "{things} is dealt from {origin} to {goal}",
        "{things} are dealt from {origin} to {goal}",
        "{origin} and {goal}: `red's hand`. The number is that of the things.",
    ),
    "dealt-to": Phrase("{things} is dealt to {goal}", "{things} are dealt to {goal}"),
    "goes": Phrase("{things} goes from {origin} to {goal}", "{things} go from {origin} to {goal}"),
    "goes-to": Phrase("{things} goes to {goal}", "{things} go to {goal}"),
    "removed": Phrase("{things} is taken out of the game", "{things} are taken out of the game"),
    "removed-from": Phrase(
        "{things} is taken out of the game from {origin}", "{things} are taken out of the game from {origin}"
    ),
    "short": Phrase("there were only {dealt} of {wanted} left to deal"),
    "revealed": Phrase("revealed: {value}"),
    "revealed-what": Phrase("{what} is revealed: {value}", "{what} are revealed: {value}"),
    "shuffled": Phrase("{pile} is shuffled", "{pile} are shuffled"),
    "marked": Phrase('{owner} is now marked "{name}"'),
    "unmarked": Phrase('{owner} is no longer marked "{name}"'),
    "on": Phrase('"{name}" is now on', note="A mark that belongs to nobody."),
    "off": Phrase('"{name}" is now off'),
    "starter": Phrase("{player} is now the starter"),
    "now": Phrase("{what} is now {value}"),
    "chooses-none": Phrase("{player} chooses no {what}"),
    "chooses": Phrase("{player} chooses {answer}", note="{answer}: `card 8 (Sail)`."),
    "chooses-label": Phrase('{player} chooses "{answer}"'),
    "chooses-number": Phrase("{player} chooses {answer} ({what})"),
    "can-only-choose": Phrase("{player} can only choose {answer}"),
    "can-only-choose-label": Phrase('{player} can only choose "{answer}"'),
    "can-only-choose-number": Phrase("{player} can only choose {answer} ({what})"),
    "secret-choice": Phrase("{player} makes a secret choice"),
    "secret-choice-of": Phrase("{player} makes a secret choice of {count}"),
    "shows": Phrase("{die} shows {drawn}"),
    "drawn": Phrase("{things} is drawn from {origin}", "{things} are drawn from {origin}"),
    "drawn-what": Phrase("drawn from {origin}: {drawn}"),
    "decided": Phrase("{player} has decided"),
    "announced": Phrase("announced: {value}"),
    "takes-effect": Phrase("{thing} takes effect"),
    "takes-effect-for": Phrase("{thing} takes effect for {owner}"),
    "left-out": Phrase('the step "{step}" is left out'),
    "ends": Phrase("the game ends"),
    "ranked": Phrase("{players} takes place {place}", "{players} share place {place}"),
    "defeated": Phrase("{players} is defeated", "{players} are defeated"),
}

_ENDED: dict[str, Phrase] = {
    "place": Phrase("{place}. {players}", note="A line of the final ranking."),
    "defeated-line": Phrase("Defeated: {players}."),
    "nobody-wins": Phrase("Nobody wins."),
    "wins": Phrase("{players} wins.", "{players} share the victory."),
    "doubtful": Phrase("The rule text can be read in more than one way, and this match depended on it:"),
    "read-as": Phrase("{option}: {question} Read as {reading}."),
    "reading-text": Phrase('"{text}" ({name})', note="A reading in words, and its name."),
    "assumed": Phrase("Assumed, since the rule text does not tell:"),
}

_VALUES: dict[str, Phrase] = {
    "nothing": Phrase("nothing", note="Inside a sentence."),
    "none": Phrase("none", note="In a table or menu."),
    "yes": Phrase("yes"),
    "no": Phrase("no"),
    "hidden": Phrase("hidden"),
    "hidden-count": Phrase("{count} hidden", "{count} hidden", "So many things in a pile that one may not see."),
    "and": Phrase("{words} and {last}", note="The end of a list: a, b and c."),
    "comma": Phrase("{words}, {next}", note="The middle of a list."),
    "times": Phrase("{word} ({count} times)", note="The same thing several times in a list."),
    "times-short": Phrase("{count} x {word}"),
    "numbered": Phrase("number {index} of {list}"),
    "from-pile": Phrase("{title} from {pile}"),
    "a-thing": Phrase("a thing", "{count} things"),
    "players": Phrase("players", note="The head of a table."),
    "off-board": Phrase("off the board: {pieces}"),
    **{f"direction-{way}": Phrase(way) for way in ("north", "east", "south", "west")},
    **{f"direction-{way}": Phrase(way) for way in ("northeast", "southeast", "southwest", "northwest")},
}

_ASKED: dict[str, Phrase] = {
    "asks": Phrase("{player}: {question}"),
    "choose": Phrase("choose: {what}"),
    "type": Phrase("Type {how}"),
    "keys": Phrase(
        "(u takes back, b shows the board, ? explains, q quits)", note="The letters u, b, q and ? stay as they are."
    ),
    "how-span": Phrase("a number from {low} to {high}"),
    "how-one": Phrase("a number"),
    "how-some": Phrase("a number", "{count} numbers with blanks between"),
    "how-range": Phrase("{low} to {high} numbers with blanks between"),
    "how-range-or-nothing": Phrase("{low} to {high} numbers with blanks between, or nothing"),
    "please-type": Phrase("please type {how}"),
    "not-among": Phrase("`{text}` is not among these; please type {how}"),
}

_TABLE: dict[str, Phrase] = {
    "human": Phrase("human", note="Who sits at a seat: a person."),
    "random": Phrase("random", note="Who sits at a seat: a bot that answers by chance."),
    "chance": Phrase("chance"),
    "seated": Phrase("{name} ({kind})"),
    "title-line": Phrase("{title}: {seats}"),
    "seed": Phrase("Seed: {seed}"),
    "decisions": Phrase("{count} decision", "{count} decisions"),
    "seed-line": Phrase("Seed: {seed}; {decisions}."),
    "stopped": Phrase("Stopped after {decisions}."),
    "log-is-in": Phrase("The log, with all secrets, is in {file}."),
    "no-clause": Phrase("No clause of the rule text stands behind this question."),
    "not-taken-back": Phrase("This cannot be taken back: {reason}. (A game started with --practice allows it.)"),
    "taken-back": Phrase("Taken back."),
    "taken-back-of": Phrase("Taken back what {player} decided."),
    "hand-over": Phrase("Hand over to {player}, who presses Enter when nobody else looks:"),
    "only-for": Phrase("--- only for {player} ---"),
    "replayed": Phrase("{number}. {player}, {what}: {answer}"),
    "first-hold": Phrase("The first {count} of {all} decisions hold."),
    "all-hold": Phrase("All {count} decisions hold, with the same outcome."),
    "all-hold-torn": Phrase("All {count} decisions hold; the log lacks its last line."),
    "all-hold-unfinished": Phrase("All {count} decisions hold; the match was not finished."),
    "passed-failed": Phrase("{passed} passed, {failed} failed", note="How many examples came out."),
    "passed": Phrase("passed"),
    "failed": Phrase("FAILED"),
}

_EXPLAINED: dict[str, Phrase] = {
    "setup": Phrase("The setup"),
    "not-offered": Phrase("not offered: {options}: {reason} (line {line})"),
    "more": Phrase("{count} more", "{count} more", "The end of a long list: a, b and 3 more."),
    "why-alike": Phrase("it cannot be told from another that is offered"),
    "why-alike-named": Phrase("{what} cannot be told from another that is offered"),
    "why-never-met": Phrase("whatever follows, {tests} could not be met", note="{tests}: conditions of the rules."),
    "why-is": Phrase("{what} is {value}", note="{what}: an expression of the rules, {value}: what it was worth."),
    "why-only": Phrase("only {set} can be chosen", note="{set}: as the rules write it."),
    "why-elsewhere": Phrase("{why}; this one is in {pile}", note="This one: a card."),
    "why-left-out": Phrase("`{set}` is left out", note="{set}: as the rules write it."),
    "why-not-lowest": Phrase("`{key}` is {value}; the lowest is {best}"),
    "why-not-highest": Phrase("`{key}` is {value}; the highest is {best}"),
    "why-both": Phrase("{one}; and {other}", note="Two reasons of which each would do."),
    "why-fails": Phrase("`{test}` does not hold", note="{test}: a condition of the rules."),
    "why-since": Phrase("{what}: {values}", note="A reason, and the values that mattered."),
    "rule-line": Phrase("line {line}, {rule}: {text}", note="A line of the rules file, in the rule {rule}."),
}

_BOOK: dict[str, Phrase] = {
    "by-author": Phrase("by {author}"),
    "players-count": Phrase("for one player", "for {count} players"),
    "players-range": Phrase("for {least} to {most} players"),
    "components": Phrase("In the box"),
    "spaces": Phrase("{place}: {count} spaces", note="{place} is the name of a track or board."),
    "spaces-range": Phrase("{place}: spaces {low} to {high}"),
    "spaces-on": Phrase("{place}: spaces from {low} on, without end"),
    "cells": Phrase("{place}: {width} by {height} cells"),
    "endless-cells": Phrase("{place}: cells without end"),
    "for-each-player": Phrase("{things} for each player", note="{things}: `3 × boats`."),
    "agreed": Phrase("To be agreed before a game"),
    "here": Phrase("In this book: {value}"),
    "variants": Phrase("Variants"),
    "unclear": Phrase("Where the text can be read in two ways"),
    "assumptions": Phrase("What is assumed"),
    "tables": Phrase("Tables"),
    "examples": Phrase("Examples"),
    "before": Phrase("Before"),
    "after": Phrase("After"),
    "and-more": Phrase("… and {count} more sentence", "… and {count} more sentences"),
    "contents": Phrase("Contents"),
    "rules": Phrase("Rules"),
}

_REPORTS: dict[str, Phrase] = {
    "stopped-after-matches": Phrase("stopped after {count} matches", "stopped after {count} matches"),
    "equal-in": Phrase("equal in {count} matches", "equal in {count} matches", "Two games that nothing told apart."),
    "part-from-position": Phrase("They part after {decisions} from this position, {players}."),
    "part-from-start": Phrase("They part after {decisions} from the start, {players}."),
    "with-players": Phrase("with {count} player", "with {count} players"),
    "in-first": Phrase("in the first: {value}", note="The first of two games that are compared."),
    "in-second": Phrase("in the second: {value}"),
    "example-parts": Phrase("where the two part", note="The name of an example."),
    "example-pins": Phrase("line {line} holds", note="The name of an example that shows what a line does."),
    "example-witness": Phrase("how {clause} comes about", note="The name of an example; {clause} is an id."),
    "parting-error": Phrase("an error: {title}"),
    "parting-wrong": Phrase("what goes wrong"),
    "parting-carried-out": Phrase("whether the rules can be carried out"),
    "parting-end": Phrase("whether the game is over"),
    "parting-over": Phrase("it is over", note="The game."),
    "parting-goes-on": Phrase("it goes on", note="The game."),
    "parting-winners": Phrase("who wins"),
    "parting-losers": Phrase("who is defeated"),
    "parting-ranking": Phrase("the ranking"),
    "parting-choice": Phrase("what {who} may choose"),
    "parting-chance": Phrase("what chance may bring"),
    "parting-some-of": Phrase("{least} to {most} of {options}"),
    "parting-announce": Phrase("what is announced"),
    "parting-reveal": Phrase("what is revealed"),
    "parting-asked": Phrase("who is asked"),
    "parting-start": Phrase("whether the game can start"),
    "parting-can": Phrase("it can", note="The game can start."),
    "nobody": Phrase("nobody"),
    "holds-in-first": Phrase("Holds in the first and fails in the second:"),
    "match-with-seed": Phrase("The match with the seed {seed}:"),
    "gap": Phrase("{number}. {text}  (line {line})", note="Something that had to be assumed."),
    "rests-on-it": Phrase("What rests on it: {names}. Is it so?"),
    "questions": Phrase("{count} question to the publisher", "{count} questions to the publisher"),
    "gaps-end": Phrase(
        "{questions}; {unclear} passages that can be read in several ways are in `rulekit text unclear`"
    ),
    "readings": Phrase("{count} readings, {seats} players"),
    "readings-stopped": Phrase("{count} readings, {seats} players, stopped before the end"),
    "parts-never": Phrase(
        "parts from the default in 0 of {games} matches (in truth at most {most}%)",
        note="A reading that made no difference.",
    ),
    "parts": Phrase("parts from the default in {share} of {games} matches"),
    "percent": Phrase("{value}% ({low} to {high})", note="A share with the bounds of its interval."),
    "wins-of-seat": Phrase("wins of seat {seat}: {share}"),
    "more-decisions": Phrase("decisions: {value} ({low} to {high})"),
    "shortest-example": Phrase("shortest found, {decisions}; holds by default, not by this reading:"),
    "shortest": Phrase("shortest found: {decisions}"),
}

_EXERCISED: dict[str, Phrase] = {
    "some-matches": Phrase("{count} match", "{count} matches"),
    "some-examples": Phrase("{count} example", "{count} examples"),
    "exercised": Phrase("{matches} and {examples}", note="What was looked through."),
    "exercised-stopped": Phrase("{matches} and {examples}; stopped before the end"),
    "column-examples": Phrase("examples", note="The head of a column of numbers."),
    "column-matches": Phrase("matches", note="The head of a column of shares."),
    "sort-clause": Phrase("clause", note="Before the id of one of the texts that the rules are tied to."),
    "sort-rule": Phrase("rule", note="Before the name of a rule."),
    "sort-card": Phrase("card", note="Before the name of a card."),
    "sort-reading": Phrase("reading", note="Before one of the ways in which a text can be read."),
    "never-and-bare": Phrase("{never} never happened in the matches, {bare} are in no example"),
    "full-space": Phrase("a full space: in {games} of {all} matches looked at event by event"),
    "needs-no-rule": Phrase("no rule has to carry it out", note="It: a clause."),
    "how-things-are": Phrase("it says how things are, not what is done"),
    "nothing-carries-out": Phrase("nothing carries it out"),
    "by-default": Phrase(
        "the default; {count} example says nothing of it", "the default; {count} examples say nothing of it"
    ),
    "never-reached": Phrase("never reached"),
    "never-true": Phrase("condition never true: `{test}` (line {line})"),
    "shadowed": Phrase("shadowed by line {line}: `{test}` always held"),
    "never-anything": Phrase("never anything in `{set}` (line {line})"),
    "way-never-chosen": Phrase('never chosen: "{label}" (line {line})'),
    "always-skipped": Phrase("step `{step}` was always skipped (line {line})"),
    "left-before": Phrase("never reached: play always left before it"),
    "uncalled": Phrase("never reached: nothing calls `{name}`"),
    "never-came-up": Phrase("never reached: `{name}` never came up (line {line})"),
    "not-carried-out": Phrase("{clause} was not carried out in {matches}"),
    "not-carried-out-stopped": Phrase("{clause} was not carried out in {matches} (stopped)"),
    "carried-out-after": Phrase("carried out after {decisions} of the match with the seed {seed}:"),
    "seat-answers": Phrase("seat {seat} answers {answer}"),
    "no-clause-lines": Phrase("lines without a clause"),
    "becomes": Phrase("{place}: `{old}` becomes `{new}`", note="{place}: a place in the rules file."),
    "would-notice": Phrase("an example that would notice it:"),
    "parts-agreed": Phrase("only what may be agreed differs, and an example is of a game that may be played"),
    "parts-unsayable": Phrase("matches part on it, but no example can say where or how"),
    "may-change-nothing": Phrase("nothing differs in {matches}: it may change nothing"),
    "changes-tried": Phrase(
        "{count} change tried, {noticed} noticed by an example, {missed} not",
        "{count} changes tried, {noticed} noticed by an example, {missed} not",
    ),
    "changes-tried-stopped": Phrase(
        "stopped: {count} change tried, {noticed} noticed by an example, {missed} not",
        "stopped: {count} changes tried, {noticed} noticed by an example, {missed} not",
    ),
}

_ANCHORS: dict[str, Phrase] = {
    "anchor-proposed": Phrase("Proposed: look through every line, then remove this one."),
    "anchor-followed": Phrase('line {line}: "{quote}" is followed by {numbers}', note="Numbers in a rulebook."),
    "anchor-untied": Phrase("{place}: {number} is tied to nothing: {around}", note="{around}: words of a rulebook."),
    "anchor-left": Phrase(
        "{count} passage, {left} left to do", "{count} passages, {left} left to do", "Passages of a rulebook."
    ),
}

_BARS: dict[str, Phrase] = {
    "bar-compared": Phrase("{count} match compared, {seconds} s", "{count} matches compared, {seconds} s"),
    "bar-pin": Phrase("{done} of {changes} changes, {missed} unnoticed, {seconds} s left"),
    "bar-examples": Phrase("looking through the examples, {seconds} s"),
    "bar-matches": Phrase("{done} of {all} matches, {seconds} s"),
    "bar-closely": Phrase("{done} of {all} matches, some once more event by event, {seconds} s"),
    "bar-witness": Phrase("{count} match looked through", "{count} matches looked through"),
}

_SERIES: dict[str, Phrase] = {
    "why-ends-after-all": Phrase("it ends after all", note="A match."),
    "why-rule-failed": Phrase("a rule failed: {title}"),
    "why-still-asking": Phrase(
        "still asking `{what}` after {count} decision", "still asking `{what}` after {count} decisions"
    ),
    "series": Phrase("{matches}, {seats} seats, seed {seed}, engine {engine}"),
    "series-stopped": Phrase("{matches} (stopped), {seats} seats, seed {seed}, engine {engine}"),
    "match-lost": Phrase("match {match}: {why}; see it with {command}"),
    "match-done": Phrase("done", note="What became of a match."),
    "match-endless": Phrase("no end", note="What became of a match."),
    "match-failed": Phrase("a rule failed", note="What became of a match."),
    "more-lost": Phrase("and {count} more that did not end", "and {count} more that did not end", "Matches."),
    "measure-decisions": Phrase("decisions", note="Before a number: how many in a match."),
    "measure-rounds": Phrase("rounds", note="Before a number: how many in a match."),
    "measure-lead-changes": Phrase("lead changes", note="Before a number: how often another player took the lead."),
    "measure-spread": Phrase("spread", note="Before a number: how far the last is behind the first at the end."),
    "ties": Phrase("ties", note="Before the share of matches that several won together."),
    "nobody-won": Phrase("nobody won", note="Before a share of matches."),
    "mean-and-spread": Phrase("mean {mean} ± {half}, deviation {deviation}, {least} to {most}"),
    "never-known": Phrase("never known", note="Of a number."),
    "wins-share": Phrase("wins {share}", note="After the name of a seat or bot."),
    "came-to-places": Phrase("places {places}", note="{places}: `1: 145, 2: 25`, how often on which place."),
    "defeated-times": Phrase("defeated: {times}"),
    "clear-answers": Phrase("answers: {words}", note="{words}: the phrase clear-answer."),
    "clear-answer": Phrase("once more than the others in a match adds to the chance of winning"),
    "clear-spaces": Phrase("spaces: {words}"),
    "clear-space": Phrase("deciding once more than the others while standing there adds to the chance of winning"),
    "clear-rules": Phrase("rules: {words}"),
    "clear-rule": Phrase("what a card does, once more than for the others, adds to the chance of winning"),
    "hundredths": Phrase("{value} points ({low} to {high})", note="Hundredths between two shares."),
    "so-many-times": Phrase("{count} times", "{count} times"),
    "more-in-out": Phrase("and {count} more; --out DIR writes them all"),
    "never-chosen": Phrase("never chosen: {names}"),
}

_PAGE: dict[str, Phrase] = {
    "some-players": Phrase("{count} player", "{count} players"),
    "surely": Phrase("{what}: {value}, surely {low} to {high}"),
    "from-to": Phrase("{low} to {high}"),
    "mean": Phrase("mean {value}"),
    "lost-label": Phrase("defeated"),
    "matches-stopped": Phrase("{matches} (stopped)"),
    "with-bots": Phrase("bots {bots}"),
    "by-chance": Phrase("answers by chance"),
    "tile-finished": Phrase("matches played to the end"),
    "tile-rounds": Phrase("rounds a match"),
    "tile-decisions": Phrase("decisions a match"),
    "tile-lead-changes": Phrase("changes of lead"),
    "tile-shared": Phrase("shared wins"),
    "tile-endless": Phrase("matches without an end"),
    "page-wins": Phrase("Who wins"),
    "page-wins-words": Phrase("A win together with others counts for each of them."),
    "plot-wins": Phrase("Share of wins by seat"),
    "seats-differ": Phrase("The seats surely differ, by {points} points."),
    "seats-alike": Phrase("No seat is surely better."),
    "page-bots": Phrase("Which bot wins"),
    "page-bots-words": Phrase("Each bot sits one seat further on in every match, so that seats favour none."),
    "plot-bots": Phrase("Share of wins by bot"),
    "page-places": Phrase("Who comes where"),
    "page-places-words": Phrase("How often each seat came to each place."),
    "plot-places": Phrase("Places by seat"),
    "half-and-most": Phrase("Half of the matches have at most {middle}; nine in ten lie between {low} and {high}."),
    "many-rounds": Phrase("How many rounds"),
    "many-rounds-words": Phrase("Matches by the number of rounds."),
    "many-decisions": Phrase("How many decisions"),
    "many-decisions-words": Phrase("Matches by the decisions of all players."),
    "many-spread": Phrase("How close it is at the end"),
    "many-spread-words": Phrase("From the first to the last, in what the players are ranked by."),
    "many-lead-changes": Phrase("How often the lead changes"),
    "many-lead-changes-words": Phrase("How often another player took the lead, looked at in every round."),
    "page-answer": Phrase("Choices that go with winning"),
    "page-space": Phrase("Spaces that go with winning"),
    "page-rule": Phrase("What cards do for winning"),
    "in-points": Phrase("{words}, in points."),
    "page-never": Phrase("Never chosen"),
    "page-never-words": Phrase("In no match, by nobody."),
    "page-numbers": Phrase("Numbers at the end"),
    "page-numbers-words": Phrase("Counters and places on tracks."),
    "page-decisions": Phrase("Decisions"),
    "page-decisions-words": Phrase("How often each is met, and how much there is to choose from."),
    "page-endless": Phrase("Matches without an end"),
    "page-endless-words": Phrase("{few} of {all} matches; they count nowhere else on this page."),
    "page-intervals": Phrase(
        "Lines across bars and points show where the true value lies with 95 % confidence; of twenty things that "
        "make no difference, one looks as if it did. "
        "Bots are not people: what goes with their winning need not go with yours."
    ),
    "page-played": Phrase("Played with {engine} from the seed {seed}; any match can be seen again: {command}"),
    "head-number": Phrase("number", note="The head of a column."),
    "head-mean": Phrase("mean", note="The head of a column."),
    "head-deviation": Phrase("deviation", note="The head of a column."),
    "head-least": Phrase("least", note="The head of a column."),
    "head-most": Phrase("most", note="The head of a column."),
    "head-question": Phrase("question", note="The head of a column."),
    "head-rule": Phrase("rule", note="The head of a column."),
    "head-line": Phrase("line", note="The head of a column."),
    "head-a-match": Phrase("a match", note="The head of a column."),
    "head-mean-options": Phrase("mean options", note="The head of a column."),
    "head-match": Phrase("match", note="The head of a column."),
    "head-what-happened": Phrase("what happened", note="The head of a column."),
    "head-see-it-with": Phrase("see it with", note="The head of a column."),
}

_COMPARED: dict[str, Phrase] = {
    "measure-turns": Phrase("turns", note="Before a number: how many in a match."),
    "figure-wins": Phrase("{seat} wins", note="The name of a share: how many matches this seat wins."),
    "figure-endless": Phrase("without an end", note="The name of a share of matches."),
    "figure-value": Phrase("{value} ({low} to {high})", note="A number with the bounds of its interval."),
    "some-pairs": Phrase("{count} pair of matches", "{count} pairs of matches"),
    "pairs-same": Phrase("{pairs} from the same seeds; {same} came to the same end in both"),
    "pairs-unended": Phrase(
        "{count} pair in which a match did not end is left out",
        "{count} pairs in which a match did not end are left out",
    ),
    "looks-hold": Phrase(
        "intervals of wins hold together, after {count} look and after any number of them",
        "intervals of wins hold together, after {count} looks and after any number of them",
    ),
    "never-in-both": Phrase("never known in both", note="Of a number, in two versions of a game."),
    "too-few-pairs": Phrase("too few matches to tell"),
    "same-in-every": Phrase("the same in every match", note="Of a number, in two versions of a game."),
    "differs": Phrase("{value} ({low} to {high})", note="A difference with the bounds of its interval."),
    "differs-points": Phrase("{value} points ({low} to {high})", note="A difference of two shares, in hundredths."),
    "no-difference": Phrase(
        "no difference that {count} game can show: at most {most} ({low} to {high})",
        "no difference that {count} games can show: at most {most} ({low} to {high})",
    ),
    "no-difference-points": Phrase(
        "no difference that {count} game can show: at most {most} points ({low} to {high})",
        "no difference that {count} games can show: at most {most} points ({low} to {high})",
    ),
    "was-stopped": Phrase("stopped", note="By whoever waited."),
    "sweep-stopped": Phrase("stopped: {done} of {all} combinations"),
    "page-change": Phrase("What the change does"),
    "page-versions": Phrase("A is {a}; B is {b}"),
    "tile-pairs": Phrase("pairs of matches from the same seeds"),
    "tile-same": Phrase("came to the same end in both"),
    "page-gain": Phrase("Who wins more"),
    "page-gain-words": Phrase("B less A, in points: right of the line B has more."),
    "plot-gain": Phrase("Difference in shares of wins"),
    "page-figures": Phrase("All figures"),
    "page-figures-words": Phrase("Means of both, and what is known of the difference."),
    "head-figure": Phrase("figure", note="The head of a column."),
    "head-difference": Phrase("B less A", note="The head of a column."),
    "page-bounds": Phrase("Lines across points show where the true difference lies with 95 % confidence."),
    "page-bounds-looks": Phrase(
        "Lines across points show where the true difference lies with 95 % confidence, however often one looks."
    ),
    "page-seed": Phrase("Seed {seed}"),
    "page-bounds-value": Phrase("Lines across points show where the true value lies with 95 % confidence."),
    "page-by": Phrase("By {names}.", note="{names}: of options; what a number is shown for."),
    "page-all": Phrase("All of them"),
    "page-all-words": Phrase("Each with its interval."),
    "sweep-of": Phrase("{matches} each, {players}, seed {seed}"),
    "tried": Phrase("{count} trial of {matches}, {players}", "{count} trials of {matches}, {players}"),
    "tune-target": Phrase("target: {target}"),
    "see-the-first": Phrase("see the first: {command}"),
}

PHRASES: dict[str, Phrase] = {
    **_COMPARED,
    **_PAGE,
    **_SERIES,
    **_ANCHORS,
    **_BARS,
    **_EXERCISED,
    **_REPORTS,
    **_BOOK,
    **_EXPLAINED,
    **_HAPPENED,
    **_ENDED,
    **_VALUES,
    **_ASKED,
    **_TABLE,
}
