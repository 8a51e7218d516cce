"""`quincunx mcp`: matches of a server as tools of a language model, over stdin and stdout (extra `quincunx[mcp]`).

Without `--server` it takes the server of this computer; if none runs, it opens one as long as it lasts, at which
people can play against the model in the browser.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Annotated

import typer

from quincunx.cli.join import PORT, SILENT, is_quincunx, read_address
from quincunx.cli.loop import quick_loop
from quincunx.cli.serve import WORKERS, address_of, free_door, own_file
from quincunx.cli.speech import complain, language, tr
from quincunx.core.words import Refused, Words

HERE = "127.0.0.1"
NO_EXTRA = Words(
    "Il faut le paquet mcp : pip install 'quincunx[mcp]'.", "This needs the package mcp: pip install 'quincunx[mcp]'."
)
OPENED = Words("Aucun serveur ne tournait : en voici un, {}", "No server was running: here is one, {}")


def mcp(
    server: Annotated[
        str | None, typer.Option(help=tr("adresse du serveur", "address of the server"), metavar="URL")
    ] = None,
    port: Annotated[
        int,
        typer.Option(min=1, max=65535, help=tr("port du serveur de cet ordinateur", "port of this computer’s server")),
    ] = PORT,
    database: Annotated[
        str | None, typer.Option(help=tr("base du serveur s’il faut l’ouvrir", "database of a server that is opened"))
    ] = None,
    name: Annotated[str, typer.Option(help=tr("le nom du modèle à la table", "the name of the model at the table"))] = (
        "Model"
    ),
) -> None:
    if find_spec("mcp") is None:
        raise Refused("no_extra", NO_EXTRA)
    base = read_address(server)[0] if server is not None else address_of(HERE, port)
    running = is_quincunx(base)
    if server is not None and not running:
        raise Refused("silent", SILENT.format(base))
    with asyncio.Runner(loop_factory=quick_loop()) as runner:
        runner.run(_serve(base if running else None, port, database, name))


async def _serve(base: str | None, port: int, database: str | None, name: str) -> None:
    from quincunx.mcp.tools import serve

    if base is not None:
        return await serve(base, language(), name)
    async with _opened(port, database) as opened:
        await serve(opened, language(), name)


@asynccontextmanager
async def _opened(port: int, database: str | None) -> AsyncIterator[str]:
    """A server in this process; nothing of it goes to stdout, which belongs to the protocol."""
    from quincunx.server.app import application
    from quincunx.server.hosts import Hosts
    from quincunx.server.lan import Lan, Listener

    door = free_door(HERE, port)
    address, names = address_of(HERE, door.getsockname()[1]), Hosts(HERE, ())
    app = application(database or own_file(), WORKERS, names=names)
    app.state.lan = Lan(app, HERE, door.getsockname()[1], lambda addresses: None, names)
    async with app.lifespan():
        listener = Listener(app)
        await listener.open([door])
        complain(OPENED.format(address))
        try:
            yield address
        finally:
            listener.should_exit = True
            await listener.closed()
