"""Addresses that are let in no more. They are kept in the store; a running server hears of it (interventions.py), and
lets go of the sockets that a banned address has open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from typing import Any

from quincunx.core.words import Words
from quincunx.server.limits import client_of
from quincunx.server.logs import log
from quincunx.server.turning_away import App, turn_away
from quincunx.server.websocket_connection import END

CODE = 4403  # with which a socket is closed
MOST_KNOWN = 10_000  # addresses for which the answer is kept
BANNED = Words(
    "Cette adresse n’est plus admise sur ce serveur.", "This address is not admitted to this server any more."
)

Network = tuple[int, int]  # 4 or 6, and how many bits


class Bans:
    def __init__(self) -> None:
        self._networks: dict[Network, set[int]] = {}
        self._known: dict[str, bool] = {}
        self._open: dict[str, set[Callable[[int, str], None]]] = {}  # how to end the sockets of each client

    def replace(self, addresses: Iterable[str]) -> None:
        """From now on it is these. Who is among them is cut off."""
        self._networks, self._known = {}, {}
        for address in addresses:
            network = ip_network(address)
            kind = network.version, network.prefixlen
            self._networks.setdefault(kind, set()).add(int(network.network_address))
        for client in [client for client in self._open if self.forbid(client)]:
            for end in list(self._open[client]):
                end(CODE, "banned")

    def forbid(self, client: str) -> bool:
        """As limits.py names clients."""
        if not self._networks:
            return False
        if client not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[client] = self._look_up(client)
        return self._known[client]

    def _look_up(self, client: str) -> bool:
        try:
            address = ip_address(client)
        except ValueError:
            return False
        bits = address.max_prefixlen
        return any(
            version == address.version and int(address) >> (bits - length) << (bits - length) in networks
            for (version, length), networks in self._networks.items()
        )

    def guard(self, app: App, headers: dict[str, str]) -> App:
        async def guarded(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] not in ("http", "websocket"):
                return await app(scope, receive, send)
            client = client_of(scope)
            if self.forbid(client):
                log.debug("turned_away", why="banned")
                return await turn_away(scope, send, headers, 403, "banned", BANNED)
            if scope["type"] == "http":
                return await app(scope, receive, send)
            with self._noted(client, (scope.get("extensions") or {}).get(END)):
                await app(scope, receive, send)

        return guarded

    @contextmanager
    def _noted(self, client: str, end: Callable[[int, str], None] | None) -> Iterator[None]:
        if end is None:  # another listener than ours: its sockets stay until they end
            yield
            return
        self._open.setdefault(client, set()).add(end)
        try:
            yield
        finally:
            self._open[client].discard(end)
            if not self._open[client]:
                del self._open[client]
