"""uvicorn's HTTP with an end to patience: a connection that says nothing, or too slowly, is let go.

    opened ──▶ head ──▶ body ──▶ answer ──▶ head …       so long for each; who does not read the answer goes too

A client has so many connections, and of those that have not asked for anything yet fewer: one more, and its own oldest
silent one makes room. So silent ones keep nobody out, not even others behind the same address.
"""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from quincunx.server.limits import client_of, is_near
from quincunx.server.logs import log
from quincunx.server.metrics import METRICS

HEAD, BODY, READING = 10.0, 30.0, 30.0  # seconds for a head, for a body, and for a client to read what it asked for
SILENT, SILENT_NEAR = 50, 200  # connections of a client that wait for its head
MOST, MOST_NEAR = 150, 12_000  # connections of a client
RESERVE = 200  # files that are left to the database, the processes and the log


class ConnectionLimits:
    """All connections of this process."""

    def __init__(self) -> None:
        self._all = 0
        self._clients: dict[str, _Client] = {}
        self.silent, self.silent_near = SILENT, SILENT_NEAR
        self.most_of_all = 10_000
        self.forwards: Callable[[str], bool] = lambda address: False  # who speaks for many clients (proxies.py)

    def raise_limit(self) -> None:
        """As many files as this computer allows."""
        if sys.platform == "win32":
            return
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 65_536 if most == resource.RLIM_INFINITY else min(most, 65_536)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
        self.most_of_all = max(64, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVE)

    def come(self, address: str, connection: HttpConnection) -> bool:
        """May it stay? If its client has too many that say nothing, the oldest of them goes."""
        client = self._clients.setdefault(address, _Client())
        near = is_near(address) or self.forwards(connection.client[0] if connection.client else "")
        client.count += 1
        self._all += 1
        client.silent[connection] = None
        if len(client.silent) > (self.silent_near if near else self.silent):
            next(iter(client.silent)).leave("silent")
        return client.count <= (MOST_NEAR if near else MOST) and self._all <= self.most_of_all

    def speaks(self, address: str, connection: HttpConnection, silent: bool) -> None:
        client = self._clients[address]
        if silent:
            client.silent[connection] = None
        else:
            client.silent.pop(connection, None)

    def go(self, address: str, connection: HttpConnection) -> None:
        client = self._clients[address]
        client.silent.pop(connection, None)
        client.count -= 1
        self._all -= 1
        if not client.count:
            del self._clients[address]


class _Client:
    def __init__(self) -> None:
        self.count = 0
        self.silent: OrderedDict[HttpConnection, None] = OrderedDict()  # the oldest first


CONNECTIONS = ConnectionLimits()


class HttpConnection(H11Protocol):
    """A connection. When it becomes a WebSocket, its end is seen there (`WebSocketConnection.on_end`)."""

    _address = ""
    _upgraded = False
    _phase = ""
    _timer: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._address = client_of({"client": self.client})
        if not CONNECTIONS.come(self._address, self):
            return self.leave("too many")
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        CONNECTIONS.go(self._address, self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._enter("")
        self._upgraded = True
        super().handle_websocket_upgrade(event)
        protocol: Any = self.transport.get_protocol()
        protocol.on_end = lambda: CONNECTIONS.go(self._address, self)

    def send_400_response(self, msg: str) -> None:
        """What comes is no HTTP any more: whoever was about to answer its beginning is told that nobody listens."""
        cycle, begun = self.cycle, self.conn.our_state is not h11.SEND_RESPONSE
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
            if begun:
                return self.leave("no HTTP")
        super().send_400_response(msg)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading = self._reading or self.loop.call_later(READING, self.leave, "does not read")

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def leave(self, why: str) -> None:
        """It is over, whatever is under way."""
        METRICS.turned_away.count(why)
        self._stop()
        self.transport.abort()

    def _watch(self) -> None:
        state = h11.DONE if self._upgraded else self.conn.their_state
        self._enter("head" if state is h11.IDLE else "body" if state is h11.SEND_BODY else "")

    def _enter(self, phase: str) -> None:
        """Time runs from the beginning of a phase, however much comes meanwhile."""
        if phase == self._phase or self.transport.is_closing():
            return
        self._phase = phase
        CONNECTIONS.speaks(self._address, self, silent=phase == "head")
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(HEAD if phase == "head" else BODY, self.leave, phase) if phase else None

    def _stop(self) -> None:
        for timer in (self._timer, self._reading):
            if timer is not None:
                timer.cancel()
        self._timer = self._reading = None


def quiet(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What goes wrong in the loop itself: one line for what clients and the system do, a trace for the rest."""
    error = context.get("exception")
    if isinstance(error, OSError):
        log.warning("loop.failed", reason=f"{type(error).__name__}: {error.strerror or error}")
    else:
        loop.default_exception_handler(context)
