"""How much one client may ask for, and the gate that counts it.

Each rate is a bucket: it holds `burst` tokens and fills up by so many a second; whatever is asked for takes one out.
Costs are budgets (budgets.py): time of the event loop, and of the processes that do tasks.
A client is an address (in IPv6 the network of a household); this computer itself, where bots and load tests run, is
given much more.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Any

import msgspec

from quincunx.core.words import Refused, Words
from quincunx.server.budgets import A_BYTE, BUDGET, CLIENT, TYPICAL, Budget, Measured
from quincunx.server.logs import log
from quincunx.server.proxies import FORWARDED

MOST_CLIENTS = 10_000  # whose buckets are kept; the one not seen for longest goes first
PASSED_ON = (b"forwarded", b"x-forwarded-for", b"x-real-ip")
UNNAMED = "a proxy"  # as a client
LASTING = ("/api/matches", "/api/records", "/api/setups", "/api/setups/file", "/api/studies")  # posted there, it stays
LASTING_OF = ("/rematch", "/fork", "/open")

TOO_MANY = Words("Trop de demandes : réessayez dans {} s.", "Too many requests: try again in {} s.")


class Allowance(msgspec.Struct, frozen=True):
    """What one client may do."""

    words: float = 20.0  # a second, on one socket
    words_burst: int = 60
    requests: float = 20.0  # a second; opening a socket is one
    requests_burst: int = 200
    sockets: int = 50  # open at once
    matches: int = 120  # made in an hour; setups, studies and people, too, count as one each
    loop: float = 0.2  # seconds of the event loop, a second
    loop_burst: float = 2.0
    pool: float = 0.25  # seconds of other processors, a second
    pool_burst: float = 30.0


class Limits(msgspec.Struct, frozen=True):
    far: Allowance = Allowance()
    near: Allowance = Allowance(
        5000.0, 10_000, 5000.0, 20_000, 10_000, 1_000_000, 0.4, 1.0, 2.0, 120.0
    )  # this computer
    sockets: int = 10_000  # open at once, of all clients
    longest_word: int = 64 * 1024  # characters of one message

    def shared_by(self, processes: int) -> Limits:
        """What a client may make that lasts, and what it may use of the processors that all processes have together, is
        divided among them. The rest is what one event loop bears, and each has its own."""

        def part(of: Allowance) -> Allowance:
            return msgspec.structs.replace(
                of, matches=-(-of.matches // processes), pool=of.pool / processes, pool_burst=of.pool_burst / processes
            )

        return msgspec.structs.replace(self, far=part(self.far), near=part(self.near))


class Bucket:
    """So many at once, so many a second."""

    __slots__ = ("_burst", "_left", "_rate", "_since")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._left = rate, float(burst), float(burst)
        self._since = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._since) * self._rate)
        self._since = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True

    def wait(self) -> float:
        """Seconds until there is one again."""
        return max(0.0, 1.0 - self._left) / self._rate


class _Client:
    def __init__(self, allowance: Allowance) -> None:
        self.requests = Bucket(allowance.requests, allowance.requests_burst)
        self.matches = Bucket(allowance.matches / 3600, allowance.matches)
        self.loop = Budget(allowance.loop, allowance.loop_burst)
        self.pool = Budget(allowance.pool, allowance.pool_burst)
        self.sockets = 0


class Gate:
    """Who comes in."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.sockets = 0
        self._clients: OrderedDict[str, _Client] = OrderedDict()

    def allowance(self, scope: Any) -> Allowance:
        return self.limits.near if is_near(client_of(scope)) else self.limits.far

    def wait(self, scope: Any) -> float:
        """0 if a request may come in, or the seconds that the client has to wait."""
        client = self._client(scope)
        if not client.requests.take():
            return client.requests.wait()
        path = scope["path"].rstrip("/")
        if scope.get("method") == "POST" and (path in LASTING or path.endswith(LASTING_OF)):
            return 0.0 if client.matches.take() else client.matches.wait()
        return 0.0

    def may_make(self, scope: Any) -> bool:
        """May a client make something that lasts? All that does is counted together."""
        return self._client(scope).matches.take()

    @contextmanager
    def socket(self, scope: Any) -> Iterator[bool]:
        """May one more socket be open? It counts until the end."""
        client = self._client(scope)
        allowed = self.sockets < self.limits.sockets and client.sockets < self.allowance(scope).sockets
        self.sockets += allowed
        client.sockets += allowed
        try:
            yield allowed
        finally:
            self.sockets -= allowed
            client.sockets -= allowed

    def loop(self, scope: Any) -> Budget:
        """What a client may use of the event loop."""
        return self._client(scope).loop

    def check_budget(self, address: str) -> None:
        """Refused while the tasks of a client have cost too much; the server's own never do."""
        client = self._clients.get(address)
        if client is not None and (seconds := client.pool.wait()) > 0:
            raise Refused("too_many_requests", TOO_MANY.format(int(seconds) + 1))

    def charge(self, address: str, seconds: float) -> None:
        """What a task of a client has cost."""
        if address in self._clients:
            self._clients[address].pool.charge(seconds)

    def _client(self, scope: Any) -> _Client:
        address = client_of(scope)
        client = self._clients.pop(address, None) or _Client(self.allowance(scope))
        self._clients[address] = client
        if len(self._clients) > MOST_CLIENTS:
            oldest = next((key for key, each in self._clients.items() if not each.sockets), None)
            if oldest is not None:
                del self._clients[oldest]
        return client

    def guard(self, app: Callable[..., Awaitable[None]], headers: dict[str, str]) -> Callable[..., Awaitable[None]]:
        """The application behind this gate, whatever path is asked for."""

        async def guarded(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] not in ("http", "websocket"):
                return await app(scope, receive, send)
            CLIENT.set(client_of(scope))
            budget = self.loop(scope)
            BUDGET.set(budget)
            if scope["type"] == "websocket":  # what a socket costs later, its session counts
                budget.charge(TYPICAL)
                return await app(scope, receive, send)
            seconds = self.wait(scope)
            if not seconds and not await budget.admit():
                seconds = max(0.5, budget.wait())
            if seconds > 0:
                log.debug("turned_away", why="limits")
                await _turn_away(send, seconds, headers)
            else:
                await Measured(app(scope, receive, _weighed(send, budget)), budget.charge)

        return guarded


def _weighed(send: Any, budget: Budget) -> Any:
    """What is large costs its client something, though sending it is no work of ours: else three megabytes, asked for
    three hundred times a second, would be all that this computer does."""

    async def weigh(message: Any) -> None:
        budget.charge(len(message.get("body", b"")) * A_BYTE)
        await send(message)

    return weigh


async def _turn_away(send: Any, seconds: float, headers: dict[str, str]) -> None:
    after = int(seconds) + 1
    body = msgspec.json.encode({"code": "too_many_requests", "words": TOO_MANY.format(after)})
    all_headers = {**headers, "Content-Type": "application/json", "Retry-After": str(after)}
    encoded = [(name.lower().encode(), value.encode()) for name, value in all_headers.items()]
    await send({"type": "http.response.start", "status": 429, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def client_of(scope: Any) -> str:
    """Of the client; in IPv6 its network of 64 bits, all of which one household has. What a proxy of this computer
    passes on that nobody named (proxies.py) is not from here, and all of it together is one client."""
    host = str((scope.get("client") or ("",))[0])
    if is_near(host) and FORWARDED not in scope and _passed_on(scope):
        return UNNAMED
    return _household(host)


@lru_cache(MOST_CLIENTS)  # it is asked ten times for every request
def _household(host: str) -> str:
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and not address.is_loopback:
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)


@lru_cache(MOST_CLIENTS)
def is_near(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def is_here(request: Any) -> bool:
    """Does somebody at this very computer ask, and no proxy for somebody else?"""
    return is_near(client_of(request.scope)) and not _passed_on(request.scope)


def _passed_on(scope: Any) -> bool:
    return any(name in PASSED_ON for name, _ in scope.get("headers", ()))
