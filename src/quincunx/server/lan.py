"""Other computers of the network: the server listens to this one only, until somebody here opens it to them.

127.0.0.1:8765  ── uvicorn ──┐
                             ├── one application, one event loop
the LAN's :8765 ── uvicorn ──┘   opened at the start (`--lan`) or later, without a restart
"""

from __future__ import annotations

import asyncio
import io
import ipaddress
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import msgspec
import segno
import uvicorn
from litestar import Request, Response, get, post
from litestar.datastructures import State

from quincunx import __version__
from quincunx.core.words import Refused, Words
from quincunx.server.compiling import Shown
from quincunx.server.hosts import EVERYWHERE, Hosts, bare
from quincunx.server.problems import refusals
from quincunx.server.rest import MatchId
from quincunx.server.sockets import LISTENING

ELSEWHERE = ("192.0.2.1", "239.255.255.250")  # of no computer: which address would a packet to it leave from?
ONLY_HERE = Words(
    "Seul l’ordinateur où tourne le serveur peut l’ouvrir au réseau.",
    "Only the computer that runs the server may open it to the network.",
)
NO_NETWORK = Words("Cet ordinateur n’est relié à aucun réseau.", "This computer is on no network.")
NO_DOOR = Words("Impossible d’écouter sur {}, port {} : {}.", "Cannot listen on {}, port {}: {}.")
CLOSED = Words(
    "Le serveur n’est pas ouvert au réseau : personne d’autre ne peut le joindre.",
    "The server is not open to the network: nobody else can reach it.",
)


class Listener(uvicorn.Server):
    """A door of the application. The application lives longer than it, and signals are not its to hear."""

    def __init__(self, app: Any) -> None:
        super().__init__(uvicorn.Config(app, lifespan="off", **LISTENING))
        self._serving: asyncio.Task[None] | None = None

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def open(self, sockets: list[socket.socket]) -> None:
        """Returns as soon as it answers."""
        self._serving = asyncio.create_task(self.serve(sockets))
        while not self.started and not self._serving.done():
            await asyncio.sleep(0.001)

    async def closed(self) -> None:
        if self._serving is not None:
            await self._serving


class Lan:
    """Where this server can be reached, and the listener for other computers."""

    def __init__(self, app: Any, host: str, port: int, tell: Callable[[list[str]], None], names: Hosts) -> None:
        """`tell` hears the addresses when it is opened, and it may be called by them from then on (`names`)."""
        self.app = app
        self.host = host
        self.port = port
        self.tell = tell
        self.names = names
        self.listener: Listener | None = None
        self._opening = asyncio.Lock()
        self._found: list[str] = []

    @property
    def is_open(self) -> bool:
        return bool(self.addresses)

    @property
    def addresses(self) -> list[str]:
        """For other computers; none while only this one can come."""
        if not _is_loopback(self.host):
            return [f"http://{address}:{self.port}" for address in (_wildcard(self.host) or [self.host])]
        return [f"http://{address}:{self.port}" for address in self._found]

    async def open(self) -> None:
        """Listens to the network from now on. Asked twice, or by two at once, it is open."""
        async with self._opening:
            if self.is_open:
                return
            doors = {address: door(address, self.port) for address in addresses()}
            if not doors:
                raise Refused("no_network", NO_NETWORK)
            self._found = list(doors)
            self.names.open_to(doors)
            self.listener = Listener(self.app)
            await self.listener.open(list(doors.values()))
            self.tell(self.addresses)

    def comes_through(self, address: str) -> bool:
        """Is it one of those that are there for other computers?"""
        return address in self._found


def addresses() -> list[str]:
    """This computer's own in the network. Nothing is sent to find out. A test sets its own in the environment."""
    if "QUINCUNX_LAN" in os.environ:
        return os.environ["QUINCUNX_LAN"].split()
    found: list[str] = []
    for target in ELSEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked, suppress(OSError):
            asked.connect((target, 9))  # of a datagram socket: it only chooses a route
            address = asked.getsockname()[0]
            if address not in found and not _is_loopback(address) and address != "0.0.0.0":
                found.append(address)
    return found


def door(address: str, port: int) -> socket.socket:
    door = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    if os.name == "posix":
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((address, port))
    except OSError as error:
        door.close()
        raise Refused("in_use", NO_DOOR.format(address, port, error.strerror)) from None
    return door


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _wildcard(host: str) -> list[str]:
    return addresses() if host in EVERYWHERE else []


# -- over REST ------------------------------------------------------------------------------------------------------


class ServerShown(msgspec.Struct, frozen=True):
    version: str
    lan: bool  # may other computers come?
    addresses: tuple[str, ...]
    compiling: dict[str, Shown]
    local: bool  # may this client open the LAN?


@get("/api/server", responses=refusals())
async def server(request: Request[Any, Any, Any], state: State) -> ServerShown:
    lan: Lan | None = state.get("lan")
    found = tuple(lan.addresses) if lan else ()
    return ServerShown(__version__, bool(found), found, state.warming.shown(), is_here(request))


@post("/api/server/lan", responses=refusals(409), status_code=200)
async def open_lan(request: Request[Any, Any, Any], state: State) -> ServerShown:
    """Opens the server to the network, without a restart."""
    lan: Lan | None = state.get("lan")
    if lan is None or not is_here(request):
        raise Refused("not_here", ONLY_HERE)
    await lan.open()
    return ServerShown(__version__, lan.is_open, tuple(lan.addresses), state.warming.shown(), True)


@get("/api/matches/{id:str}/qr.svg", responses=refusals(404, 409), media_type="image/svg+xml")
async def qr_code(request: Request[Any, Any, Any], state: State, id: MatchId) -> Response[bytes]:
    """Of the link to join a match, for the telephone beside."""
    stored = await state.lobby.find(id)
    lan: Lan | None = state.get("lan")
    if lan is not None and lan.is_open:
        base = lan.addresses[0]
    elif not _is_loopback(_host(request)) and len(request.headers.get("host", "")) <= 255:
        base = f"{request.scope['scheme']}://{request.headers['host']}"
    else:
        raise Refused("lan_closed", CLOSED)
    return Response(picture(f"{base}/match/{stored.code or stored.id}"), media_type="image/svg+xml")


def is_here(request: Request[Any, Any, Any]) -> bool:
    """Does the client run on this computer, and has its page come from here (and not from a name that another site
    lets point to us)?"""
    client = request.client.host if request.client else ""
    door = request.scope.get("server") or ("", 0)
    lan: Lan | None = request.app.state.get("lan")
    return _is_loopback(client) and _is_loopback(_host(request)) and lan is not None and not lan.comes_through(door[0])


def _host(request: Request[Any, Any, Any]) -> str:
    """The name by which the client reached us, without the port."""
    return bare(request.headers.get("host", ""))


def picture(link: str) -> bytes:
    drawn = io.BytesIO()
    segno.make(link, micro=False).save(
        drawn, kind="svg", scale=8, border=2, light="#fff", svgclass=None, lineclass=None
    )
    return drawn.getvalue()


def in_letters(link: str) -> str:
    """The same for a terminal."""
    drawn = io.StringIO()
    segno.make(link, micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue()


HANDLERS = (server, open_lan, qr_code)
