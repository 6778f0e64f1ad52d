"""What people made of the comments in a Word document: read from comments, their answers and tracked changes."""

from __future__ import annotations

from rulekit.tools.documents.remarks import DELETED, RESOLVED, Reply, Thread
from rulekit.tools.documents.word_package import WordFile, name_of, opened
from rulekit.tools.documents.word_remarks import (
    Comment,
    answers_by_parent,
    marked_comments,
    paragraph_id,
    suggestions,
    traces,
)

_TRUE = ("1", "true", "on")


def threads(name: str, data: bytes) -> tuple[Thread, ...]:
    """Every remark that the document holds or has held.  Errors: `Unreadable`, `NoPackage`."""
    file = opened(name, data)
    known = marked_comments(file)
    replies, resolved, pending = _replies(file), _resolved(file), suggestions(file)
    found = [
        _thread(one, replies.get(one.paragraph, ()), one.paragraph in resolved, one.id in pending) for one in known
    ]
    lost = traces(file) - {one.digest for one in known}
    return (*found, *(Thread(digest, "", state=DELETED) for digest in sorted(lost)))


def _thread(one: Comment, replies: tuple[Reply, ...], is_resolved: bool, is_pending: bool) -> Thread:
    state, by = (RESOLVED, replies[-1].author if replies else "") if is_resolved else ("", "")
    return Thread(one.digest, one.code, replies, state, by, one.instead, is_pending)


def _replies(file: WordFile) -> dict[str, tuple[Reply, ...]]:
    """By paragraph id of a comment what was answered, in order."""
    said = {paragraph_id(one._comment_elm): Reply(one.author, one.text.strip()) for one in file.comments()}
    return {parent: tuple(said[id_] for id_ in ids if id_ in said) for parent, ids in answers_by_parent(file).items()}


def _resolved(file: WordFile) -> set[str]:
    """The paragraph ids of comments that somebody marked as done."""
    found = file.threads()
    listed = () if found is None else found
    return {one.get(name_of("w15:paraId"), "") for one in listed if one.get(name_of("w15:done")) in _TRUE} - {""}
