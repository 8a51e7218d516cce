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
from pathlib import Path
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
from quincunx.server.limits import is_here as asks_here
from quincunx.server.operations import AS_USUAL, Operations, Tls
from quincunx.server.problems import refusals
from quincunx.server.proxies import FORWARDED
from quincunx.server.rest import MatchId
from quincunx.server.siblings import LanOpened, Siblings, Word
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

    def __init__(self, app: Any, tls: Tls | None = None) -> None:
        secure: dict[str, Any] = {"ssl_certfile": tls.certificate, "ssl_keyfile": tls.key} if tls else {}
        super().__init__(uvicorn.Config(app, lifespan="off", **LISTENING, **secure))
        self._serving: asyncio.Task[None] | None = None

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def open(self, sockets: list[socket.socket]) -> None:
        """Returns as soon as it answers."""
        self._serving = asyncio.create_task(self.serve(sockets))
        while not self.started and not self._serving.done():
            await asyncio.sleep(0.001)
        if not self.started:
            await self._serving  # which says why

    async def closed(self) -> None:
        if self._serving is not None:
            await self._serving


class Lan:
    """Where this server can be reached, and the listener for other computers."""

    def __init__(
        self,
        app: Any,
        host: str,
        port: int,
        tell: Callable[[list[str]], None],
        names: Hosts,
        operations: Operations = AS_USUAL,
        shared: bool = False,
    ) -> None:
        """`tell` hears the addresses when it is opened, and it may be called by them from then on (`names`). `shared`:
        with other processes."""
        self._shared = shared
        self._operations = operations
        self.app = app
        self.host = host
        self.port = port
        self.tell = tell
        self.names = names
        self.listener: Listener | None = None
        self._siblings: Siblings | None = None
        self._joining: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()
        self._found: list[str] = []

    @property
    def is_open(self) -> bool:
        return bool(self.addresses)

    @property
    def addresses(self) -> list[str]:
        """For other computers; none while only this one can come."""
        found = self._found if _is_loopback(self.host) else _wildcard(self.host) or [self.host]
        return [f"{self._operations.scheme}://{each}:{self.port}{self._operations.base_path}" for each in found]

    async def open(self) -> None:
        """Listens to the network from now on. Asked twice, or by two at once, it is open."""
        async with self._opening:
            if self.is_open:
                return
            doors = {address: door(address, self.port, self._shared) for address in addresses()}
            if not doors:
                raise Refused("no_network", NO_NETWORK)
            if self._mark:
                self._mark.touch()
            self._found = list(doors)
            self.names.open_to(doors)
            self.listener = Listener(self.app, self._operations.tls)
            await self.listener.open(list(doors.values()))
            self.tell(self.addresses)
            if self._siblings:
                self._siblings.tell(LanOpened())

    def share(self, siblings: Siblings) -> None:
        """Opened by one process, it is by all of them; by one that starts later, too (`was_opened`)."""
        self._siblings = siblings
        siblings.listen(self._hear)

    def _hear(self, word: Word) -> None:
        if isinstance(word, LanOpened) and not self.is_open:
            self._joining = asyncio.create_task(self.open())

    @property
    def was_opened(self) -> bool:
        """By another process of this server."""
        return self._mark is not None and self._mark.exists()

    @property
    def _mark(self) -> Path | None:
        folder = self._siblings and self._siblings.place.folder
        return Path(folder, "lan") if folder else None

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


def door(address: str, port: int, shared: bool = False) -> socket.socket:
    """`shared`: with other processes of this server, among which the system hands out who comes."""
    door = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    if os.name == "posix":
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
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
    """Version, addresses for others in the room, and which games are still being compiled."""
    lan: Lan | None = state.get("lan")
    found = (own_address(request),) if _is_public(request) else tuple(lan.addresses) if lan else ()
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
    if lan is not None and lan.is_open and not _is_public(request):
        base = lan.addresses[0]
    elif not _is_loopback(_host(request)) and len(request.headers.get("host", "")) <= 255:
        base = own_address(request)
    else:
        raise Refused("lan_closed", CLOSED)
    return Response(picture(f"{base}/match/{stored.code or stored.id}"), media_type="image/svg+xml")


def is_here(request: Request[Any, Any, Any]) -> bool:
    """Does the client run on this computer, no proxy between us, and has its page come from here (and not from a name
    that another site lets point to us)?"""
    door = request.scope.get("server") or ("", 0)
    lan: Lan | None = request.app.state.get("lan")
    return asks_here(request) and _is_loopback(_host(request)) and lan is not None and not lan.comes_through(door[0])


def _is_public(request: Request[Any, Any, Any]) -> bool:
    """Did it come by a name that others know us by, through a proxy or with a certificate? Then that is where we are,
    whatever addresses this computer has."""
    scope, named = request.scope, request.headers.get("host", "")
    known = FORWARDED in scope or scope["scheme"] == "https"
    return known and 0 < len(named) <= 255 and not _is_loopback(_host(request))


def own_address(request: Request[Any, Any, Any]) -> str:
    return f"{request.scope['scheme']}://{request.headers['host']}{request.app.state.get('base_path', '')}"


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
