"""Reverse proxies: who a client is, when somebody else passes its words on.

    client 198.51.100.4 ──▶ proxy 10.0.0.2 ──▶ server        X-Forwarded-For: 198.51.100.4

Anybody may write such a header. It is believed from the addresses that were named (`--proxy`) and from nobody else, and
of what it says only what those have added: it is read from its end, as long as each hop is one of them. Limits, bans
and everything else then count the client that was found.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

from quincunx.core.words import Words, expected
from quincunx.server.turning_away import App

PROXY = Words(
    "l’adresse d’un serveur mandataire, comme 127.0.0.1 ou 10.0.0.0/8",
    "the address of a proxy, like 127.0.0.1 or 10.0.0.0/8",
)
FORWARDED = "quincunx.forwarded"  # in the scope of what a proxy passed on
SCHEMES = {"http": "http", "https": "https", "ws": "ws", "wss": "wss"}

Network = IPv4Network | IPv6Network


class Proxies:
    """Those that are believed."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._networks = read_networks(trusted)
        self._known: dict[str, bool] = {}

    def __bool__(self) -> bool:
        return bool(self._networks)

    def trust(self, address: str) -> bool:
        if address not in self._known:
            if len(self._known) > 1000:
                self._known.clear()
            self._known[address] = self._look_up(address)
        return self._known[address]

    def _look_up(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        found = getattr(found, "ipv4_mapped", None) or found
        return any(found in network for network in self._networks)

    def client(self, peer: str, hops: list[str]) -> str:
        """The last one in line that is no proxy of ours; if all are, the first."""
        found = peer
        for hop in reversed(hops):
            if not self.trust(found):
                break
            found = hop
        return found

    def guard(self, app: App) -> App:
        """The application, to which every client is who it is."""

        async def guarded(scope: Any, receive: Any, send: Any) -> None:
            peer = (scope.get("client") or ("",))[0]
            if scope["type"] in ("http", "websocket") and self.trust(peer):
                scope = self._unwrapped(scope, peer)
            await app(scope, receive, send)

        return guarded

    def _unwrapped(self, scope: Any, peer: str) -> Any:
        hops = [_bare(hop) for hop in _listed(scope, b"x-forwarded-for")]
        if not hops:
            return scope  # the proxy itself: it looks whether we live
        said = _listed(scope, b"x-forwarded-proto")
        scheme = SCHEMES.get(said[-1].lower()) if said else None
        return {**scope, "client": (self.client(peer, hops), 0), "scheme": scheme or scope["scheme"], FORWARDED: True}


def read_networks(given: Iterable[str]) -> tuple[Network, ...]:
    found: list[Network] = []
    for text in given:
        try:
            found += [ip_network(word, strict=False) for word in text.replace(",", " ").split()]
        except ValueError:
            raise expected(PROXY, text) from None
    return tuple(found)


def _listed(scope: Any, name: bytes) -> list[str]:
    """Of a header that may come several times, each time with a list."""
    values = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def _bare(hop: str) -> str:
    """Without a port: 198.51.100.4:5678, [2001:db8::1]:5678."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
