"""Rate limiting (token buckets): who asks without end is refused for a while, and others go on as if nothing was.

Each number stands here once, with what it is for.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from math import ceil

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, field, frozen
from rulekit.web.pages import message

STREAMS = 2000
"""Open at once in all: each takes 7 kB, and what ends a connection is noticed within `streams.PULSE`."""
STREAMS_OF_A_SEAT = 20
"""Pages of one seat that are open at once; those who watch share a link."""
MOST_KEYS = 10_000
"""So many buckets of a sort are kept, a megabyte; of more, the one that was used longest ago counts as full."""


@frozen
class Rate:
    """burst: so many requests at once.  a_second: so many more each second."""

    burst: int
    a_second: float


@frozen
class Limits:
    """How much is answered.

    peer:    requests from one address: a room of people behind one router, each asking twice a second.
    link:    requests with one link: a script looks again whenever somebody answers, and one answer makes three; a whole
             match between quick people or programs stays below it.
    begun:   matches begun with one link: the hundred tables of a large club, and then one every five seconds.
    thought: pages of a seat for which positions are made up; each takes as long as a bot's answer.
    own:     count requests from this machine's own address as from any other.
    """

    peer: Rate = Rate(1200, 60.0)
    link: Rate = Rate(600, 30.0)
    begun: Rate = Rate(120, 0.2)
    thought: Rate = Rate(40, 1.0)
    own: bool = False


@define(eq=False)
class TokenBuckets:
    """One bucket for each key; it is full at first, a request takes one token out, and `rate` fills it again."""

    rate: Rate
    _levels: OrderedDict[str, tuple[float, float]] = field(init=False, factory=OrderedDict)

    def taken(self, key: str, now: float) -> float:
        """Take a token: 0.0 if there was one, else the seconds until there is."""
        level, since = self._levels.pop(key, (float(self.rate.burst), now))
        level = min(self.rate.burst, level + (now - since) * self.rate.a_second)
        missing = max(0.0, 1 - level)
        self._levels[key] = (level if missing else level - 1), now
        if len(self._levels) > MOST_KEYS:
            self._levels.popitem(last=False)
        return missing / self.rate.a_second


class RateLimiter:
    """An ASGI application that asks all buckets of a request before it is answered.  clock: seconds that only rise."""

    def __init__(self, app: ASGIApp, limits: Limits, clock: Callable[[], float] | None = None) -> None:
        self.app, self.limits, self.clock = app, limits, clock or _loop_time
        self._peers, self._links = TokenBuckets(limits.peer), TokenBuckets(limits.link)
        self._begun, self._thought = TokenBuckets(limits.begun), TokenBuckets(limits.thought)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait = self._wait(scope) if scope["type"] == "http" else 0.0
        if not wait:
            await self.app(scope, receive, send)
            return
        answer = message(Request(scope), Message("web-too-often"), 429)
        answer.headers["retry-after"] = str(ceil(wait))
        await answer(scope, receive, send)

    def _wait(self, scope: Scope) -> float:
        """Seconds until a request is answered; 0.0 for now.  What one bucket refuses takes nothing from the next."""
        now = self.clock()
        return next((wait for buckets, key in self._asked(scope) if (wait := buckets.taken(key, now))), 0.0)

    def _asked(self, scope: Scope) -> Iterator[tuple[TokenBuckets, str]]:
        if self.limits.own or not _is_own(scope):
            yield self._peers, _network(scope)
        parts = scope["path"].split("/")
        if len(parts) < 3:
            return
        link = "/".join(parts[1:3])
        yield self._links, link
        if scope["method"] == "POST" and (parts[1] == "host" or parts[-1] == "branch"):
            yield self._begun, link
        if parts[-1] in ("try", "why-not"):
            yield self._thought, link


def _loop_time() -> float:
    return asyncio.get_running_loop().time()


def _is_own(scope: Scope) -> bool:
    """Whether a request comes from this machine; where nothing is said of its address, it came over no network."""
    peer = _address(scope, "client")
    if peer is None:
        return not scope.get("client")
    return peer.is_loopback or peer == _address(scope, "server")


def _network(scope: Scope) -> str:
    """Who asks: the address, but of version 6 the part that names a network, in which one machine may have any."""
    peer = _address(scope, "client")
    return peer.exploded[:19] if isinstance(peer, IPv6Address) else str(peer)


def _address(scope: Scope, end: str) -> IPv4Address | IPv6Address | None:
    """The address at one end of a connection; None if none is said."""
    try:
        found = ip_address(scope[end][0])
    except (ValueError, TypeError, KeyError):
        return None
    return getattr(found, "ipv4_mapped", None) or found
