"""By which names this server may be called: a page of another site must not reach it under a name of its own.

A browser lets a page talk to the host that it came from. Whoever owns a name can let it point to this computer once the
page is loaded (DNS rebinding), and the page then speaks with us as one of ours. The request still carries that name in
`Host`: one that we do not know is refused, before anything else is looked at.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any

from quincunx.core.words import Words
from quincunx.server.turning_away import App, turn_away

EVERYWHERE = ("0.0.0.0", "::", "")
UNKNOWN = Words(
    "Ce serveur ne se connaît pas sous ce nom ; qui l’a lancé peut l’ajouter par --allowed-host.",
    "This server does not know itself by this name; whoever started it may add it with --allowed-host.",
)


class Hosts:
    """Loopback, the address that it listens on, what was allowed, and the network's once it is open to the network."""

    def __init__(self, listening: str = "127.0.0.1", allowed: Iterable[str] = ()) -> None:
        self._everywhere = listening in EVERYWHERE
        self._allowed = {name.lower().rstrip(".") for name in (listening, *allowed)}

    def open_to(self, addresses: Iterable[str]) -> None:
        """The network: these addresses, and the name by which it knows this computer."""
        name = socket.gethostname().lower()
        self._allowed |= {*addresses, name, f"{name}.local"}

    def know(self, named: str) -> bool:
        """`named` is the header, with or without a port."""
        name = bare(named).lower().rstrip(".")
        if name in self._allowed or name == "localhost":
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return self._everywhere or address.is_loopback  # figures are no name that somebody could let point here


def bare(named: str) -> str:
    """Of a Host header: without the port, and without the brackets of IPv6."""
    return named.partition("]")[0].removeprefix("[") if named.startswith("[") else named.partition(":")[0]


def guard(app: App, hosts: Hosts, headers: dict[str, str]) -> App:
    """The application, for those who call it by a name that it knows."""

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        named = [value for name, value in scope.get("headers", ()) if name == b"host"]
        if scope["type"] not in ("http", "websocket") or (len(named) == 1 and hosts.know(named[0].decode("latin-1"))):
            await app(scope, receive, send)
        else:
            await turn_away(scope, send, headers, 421, "unknown_host", UNKNOWN)

    return guarded
