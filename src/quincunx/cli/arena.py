"""`quincunx arena`: standing contests that programs join from their authors' machines.

They are opened and closed on the computer of the server: through the server if it runs, otherwise in its database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import msgspec
import typer
from rich.table import Table

from quincunx.cli.choices import GameId, Options, Preset
from quincunx.cli.join import PORT, ask, is_quincunx, read_address, send
from quincunx.cli.serve import own_file
from quincunx.cli.speech import language, out, say, tr
from quincunx.core.options import read_options
from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.store import Store
from quincunx.store.contests import Contests

T = TypeVar("T")

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
)
MADE = Words("L’arène est ouverte : {}", "The arena is open: {}")
LATER = Words("Aucun serveur ne tourne : elle s’ouvrira avec quincunx serve.", "No server runs: it opens with serve.")
JOIN = Words("Un programme y entre par :", "A program enters it with:")
COMMAND = "quincunx bot --arena {} --name {} -- {}"
CLOSED = Words("L’arène {} est fermée.", "The arena {} is closed.")
NONE = Words(
    "Aucune arène n’est ouverte ; quincunx arena new JEU en ouvre une.",
    "No arena is open; quincunx arena new GAME opens one.",
)

Server = Annotated[
    str, typer.Option("--server", metavar="URL", help=tr("le serveur de cet ordinateur", "the server of this computer"))
]
Database = Annotated[
    str | None,
    typer.Option("--database", metavar="PATH|URL", help=tr("ou sa base de données", "or its database")),
]
Id = Annotated[
    str, typer.Argument(metavar="ARENA", help=tr("l’arène, ou le début de son nom", "its id, or how it begins"))
]
HERE = f"http://127.0.0.1:{PORT}"


@app.command("new", help=tr("Ouvrir une arène.", "Open an arena."))
def new(
    game: GameId,
    name: Annotated[str, typer.Option(help=tr("son nom", "its name"))] = "",
    time: Annotated[float, typer.Option(min=0.05, max=3600, help=tr("secondes par tour", "seconds a turn"))] = 5.0,
    computers: Annotated[
        str,
        typer.Option(metavar="level:1,level:3", help=tr("joueurs du serveur", "players of the server that take part")),
    ] = "",
    preset: Preset = None,
    setup: Annotated[str | None, typer.Option(help=tr("le nom d’un départ", "the name of a setup"))] = None,
    option: Options = None,
    seats: Annotated[int, typer.Option(min=0, max=100, help=tr("joueurs d’une partie", "players of a match"))] = 0,
    server: Server = HERE,
    database: Database = None,
) -> None:
    wanted = {
        "game": game, "name": name, "preset": preset, "setup": setup, "seats": seats, "turn": time,
        "options": dict(read_options(load(game, "interpreted").options, option or [])),
        "computers": [each.strip() for each in computers.split(",") if each.strip()],
    }  # fmt: skip
    base = read_address(server)[0]
    if running := _runs(base, database):
        id = str(_answer(send(f"{base}/api/arenas", wanted, 60.0))["id"])
    else:
        id = _in_store(database, lambda store: _create(store, wanted))
    page = f"{base}/contest/{id}"
    say(MADE.format(id))
    if not running:
        say(LATER)
    say(JOIN)
    command = COMMAND.format(page, tr("NOM", "NAME"), tr("COMMANDE", "COMMAND"))
    out.print(command, markup=False, soft_wrap=True)  # in one line, to be copied


@app.command("list", help=tr("Les arènes ouvertes.", "The arenas that are open."))
def show(server: Server = HERE, database: Database = None) -> None:
    base = read_address(server)[0]
    if _runs(base, database):
        arenas = ask(f"{base}/api/contests?limit=100&arenas=true") or []
    else:
        arenas = _in_store(database, _open_ones)
    if not arenas:
        return say(NONE)
    table = Table(tr("arène", "arena"), tr("nom", "name"), tr("jeu", "game"))
    table.add_column(tr("participants", "entrants"), justify="right")
    table.add_column(tr("parties", "matches"), justify="right")
    for each in arenas:
        played = load(each["game"], "interpreted").card.name.of(language())
        table.add_row(each["id"], each["name"], played, str(each["players"]), str(each["played"]))
    out.print(table)


@app.command("close", help=tr("Fermer une arène : sa table reste.", "Close an arena: its table stays."))
def close(id: Id, server: Server = HERE, database: Database = None) -> None:
    base = read_address(server)[0]
    if _runs(base, database):
        id = str(_answer(send(f"{base}/api/arenas/{id}/close", {}, 60.0))["id"])
    else:
        id = _in_store(database, lambda store: _close(store.contests, id))
    say(CLOSED.format(id))


# -- through the server ---------------------------------------------------------------------------------------------


def _runs(base: str, database: str | None) -> bool:
    return database is None and is_quincunx(base, 2)


def _answer(answer: dict[str, Any]) -> dict[str, Any]:
    if "id" not in answer:
        silent = Words("Le serveur ne répond pas.", "The server does not answer.")
        raise Refused(answer.get("code", "silent"), msgspec.convert(answer["words"], Words) if answer else silent)
    return answer


# -- in its database ------------------------------------------------------------------------------------------------


def _in_store(database: str | None, work: Callable[[Store], Awaitable[T]]) -> T:
    async def main() -> T:
        async with Store.open(database or own_file()) as store:
            return await work(store)

    return asyncio.run(main())


async def _create(store: Store, wanted: dict[str, Any]) -> str:
    from quincunx.server.arenas import checked_plan, create  # only those who need the server pay for it
    from quincunx.server.shapes import NewArena

    arena = msgspec.convert(wanted, NewArena)
    return (await create(store, checked_plan(arena), arena.computers)).id


async def _open_ones(store: Store) -> list[dict[str, Any]]:
    from quincunx.server.contests import listed

    return [msgspec.to_builtins(each) for each in await listed(store, 100, arenas=True)]


async def _close(contests: Contests, id: str) -> str:
    from quincunx.server.arenas import check_open

    stored = check_open(await contests.get(id))
    await contests.leave(stored.id, "", True)
    return stored.id
