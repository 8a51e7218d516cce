"""`quincunx serve`: matches over the network, kept in a database. It listens to this computer only, unless asked."""

from __future__ import annotations

from typing import Annotated

import typer
from platformdirs import user_data_path

from quincunx.cli.speech import say, tr
from quincunx.core.words import Words


def serve(
    host: Annotated[str, typer.Option(help=tr("adresse d’écoute", "address to listen on"))] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help=tr("port d’écoute", "port to listen on"))] = 8765,
    database: Annotated[
        str | None, typer.Option(help=tr("fichier SQLite ou URL PostgreSQL", "SQLite file or PostgreSQL URL"))
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help=tr("processus des ordinateurs", "computer processes"))
    ] = 1,
) -> None:
    import uvicorn  # only those who serve pay for it

    from quincunx.server.app import application
    from quincunx.server.sockets import LISTENING

    if database is None:
        folder = user_data_path("quincunx", ensure_exists=True)
        database = str(folder / "matches.db")
    say(Words("Quincunx écoute sur http://{}:{}", "Quincunx listens on http://{}:{}").format(host, port))
    uvicorn.run(application(database, workers), host=host, port=port, **LISTENING)
