"""Colours without a server: the lexical patterns of the language, for Pygments and as a TextMate grammar.

Made from the grammar's own words, so that a new keyword has its colour at
once.  A keyword that is a name where it stands has the wrong one here; the
language server knows better (`semantic_tokens`).
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

from rulekit.model.builtin_signatures import ATTRIBUTES, CONTEXT, EVERYWHERE, OUTCOME
from rulekit.syntax.parse_tables import tables
from rulekit.values import frozen

_ID = r"[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"
_VALUES = ("yes", "no", "none")


def _one_of(words: tuple[str, ...]) -> str:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return rf"(?<![\w'])(?:{'|'.join(longest_first)})(?![\w'])"


def keywords() -> tuple[str, ...]:
    return tuple(sorted(set(tables().words) - set(_VALUES)))


def builtins() -> tuple[str, ...]:
    return tuple(sorted({*EVERYWHERE, *OUTCOME, *CONTEXT, *ATTRIBUTES} - set(tables().words)))


@frozen
class Pattern:
    """What has one colour: its name in TextMate grammars, the token of Pygments, and the expression."""

    scope: str
    token: Any
    expression: str


def patterns() -> tuple[Pattern, ...]:
    """The first that matches counts; clauses, which have three colours, stand before all."""
    return (
        Pattern("comment.line.number-sign.rulekit", Comment.Single, r"#[^\n]*"),
        Pattern("string.quoted.double.rulekit", String.Double, r'"[^"\n]*"'),
        Pattern("entity.other.attribute-name.citation.rulekit", Name.Decorator, f"@{_ID}"),
        Pattern("constant.numeric.rulekit", Number.Integer, r"(?<!\w)[0-9]+(?!\w)"),
        Pattern("variable.other.rulekit", Name, r"'[a-z][a-z0-9_]*'"),
        Pattern("constant.language.rulekit", Keyword.Constant, _one_of(_VALUES)),
        Pattern("keyword.control.rulekit", Keyword, _one_of(keywords())),
        Pattern("support.function.rulekit", Name.Builtin, _one_of(builtins())),
        Pattern("variable.other.rulekit", Name, r"[a-z][a-z0-9_]*"),
        Pattern("constant.character.glyph.rulekit", String.Char, r"[A-Z][A-Z0-9]*|[^\x00-\x7f]"),
        Pattern("keyword.operator.rulekit", Operator, r"\.\.|[-+*/]"),
        Pattern("punctuation.rulekit", Punctuation, r"[.,:()\[\]|]"),
    )


class RulesLexer(RegexLexer):
    """Rules of board and card games, as rulekit reads them."""

    name = "rulekit"
    aliases: ClassVar[list[str]] = ["rulekit"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    url = "https://pypi.org/project/rulekit-games/"
    version_added = ""
    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (
                rf"^([ \t]*)(>-?)([ \t]*)({_ID})?([^\n]*)",
                bygroups(Whitespace, Punctuation, Whitespace, Name.Label, String.Doc),
            ),
            *((pattern.expression, pattern.token) for pattern in patterns()),
            (r"\n|[ \t]+", Whitespace),
            (r".", Text),
        ]
    }


def textmate() -> str:
    """The TextMate grammar, as JSON."""
    captures = ("punctuation.definition.clause", "entity.name.tag.clause", "comment.block.documentation")
    clause = {
        "match": rf"^\s*(>-?)\s*({_ID})?([^\n]*)",
        "captures": {str(number): {"name": f"{name}.rulekit"} for number, name in enumerate(captures, 1)},
    }
    rest = [{"name": pattern.scope, "match": pattern.expression} for pattern in patterns()]
    grammar = {"name": "rulekit", "scopeName": "source.rulekit", "fileTypes": ["rules"], "patterns": [clause, *rest]}
    return json.dumps(grammar, indent=2) + "\n"
